import { escapePattern, TYPOS_MAX, typos } from '@catalog/core/text.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { pathNotFound } from './error-replies.ts'
import { ApiError } from './errors.ts'

/** The methods that each path serves. */
export interface RouteMethods {
  /** Collects the routes that the app registers from now on. */
  collect(app: FastifyInstance): void
  /** Methods of this address, sorted, with OPTIONS; empty when it has no route. */
  at(url: string): string[]
  /** Where a read's path leads without needless slashes, relative to itself; undefined where nothing is served there. */
  withoutSlashes(request: FastifyRequest): string | undefined
  /** Throws not_found with the nearest path, or method_not_allowed where the path has a route for another method. */
  refuse(request: FastifyRequest): never
}

export function openRouteMethods(): RouteMethods {
  const routes: { method: string | string[]; matches: RegExp; url: string }[] = []
  function at(url: string): string[] {
    const path = pathOf(url)
    const methods = new Set(routes.filter(({ matches }) => matches.test(path)).flatMap(({ method }) => method))
    return methods.size === 0 ? [] : [...methods, 'OPTIONS'].sort()
  }
  return {
    collect(app) {
      app.addHook('onRoute', ({ method, url }) => {
        const pattern = escapePattern(url).replace(/:\w+/g, '[^/]+')
        if (url !== '*') routes.push({ method, matches: new RegExp(`^${pattern}$`), url })
      })
    },
    at,
    withoutSlashes({ method, url }) {
      const path = pathOf(url)
      if (!(path.endsWith('/') || path.includes('//')) || !at(bareOf(path)).includes(method)) return undefined
      return method === 'GET' || method === 'HEAD' ? relative(path, bareOf(path)) + queryOf(url) : undefined
    },
    refuse(request) {
      const methods = at(request.url)
      const allowed = methods.join(', ')
      // A path with a line break can match a pattern here, although the router has no route for it.
      const path = pathOf(request.url)
      if (methods.length === 0 || methods.includes(request.method))
        throw pathNotFound(request, nearestPath(path.slice(0, PATH_CHARS_MAX), routes))
      throw new ApiError('method_not_allowed', `${request.method} ${path}: expected one of ${allowed}`, {
        headers: { allow: allowed },
      })
    },
  }
}

/** A request's address, which a client may send with an origin (RFC 9112 §3.2.2), as path and query. */
export const withoutOrigin = (url: string): string => url.replace(/^https?:\/\/[^/?]*/i, '')
const pathOf = (url: string) => withoutOrigin(url).split('?')[0] as string
const queryOf = (url: string) => (url.includes('?') ? url.slice(url.indexOf('?')) : '')
const bareOf = (path: string) => path.replace(/\/{2,}/g, '/').replace(/\/$/, '')

/** A path as seen from another one, so that it holds below the path prefix of a proxy. */
function relative(from: string, to: string): string {
  let same = 0
  while (same < to.length && from[same] === to[same]) same++
  const begin = to.lastIndexOf('/', same - 1) + 1
  return '../'.repeat(from.slice(begin).split('/').length - 1) + to.slice(begin)
}

const PATH_CHARS_MAX = 100

/** The route whose fixed parts differ from those of the path by typing mistakes alone, with the path's own ids. */
function nearestPath(path: string, routes: readonly { url: string }[]): string | undefined {
  const parts = path.replace(/\/+$/, '').split('/')
  const near = routes.flatMap(({ url }) => {
    const names = url.split('/')
    if (names.length !== parts.length) return []
    const meant = names.map((name, at) => (name.includes(':') ? (parts[at] as string) : name))
    const mistakes = meant.map((name, at) => typos(parts[at] as string, name)).reduce((sum, count) => sum + count, 0)
    return mistakes <= TYPOS_MAX ? [{ meant: meant.join('/'), mistakes }] : []
  })
  return near.sort((a, b) => a.mistakes - b.mistakes)[0]?.meant
}
