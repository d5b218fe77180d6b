import type { FastifyInstance, FastifyRequest } from 'fastify'
import { pathNotFound } from './error-replies.ts'
import { ApiError } from './errors.ts'

/** The methods that each path serves. */
export interface RouteMethods {
  /** Methods of this path, sorted, with OPTIONS; empty when it has no route. */
  at(request: FastifyRequest): string[]
  /** Throws not_found, or method_not_allowed where the path has a route for another method. */
  refuse(request: FastifyRequest): never
}

/** Collects the routes that are registered after this. */
export function collectRouteMethods(app: FastifyInstance): RouteMethods {
  const routes: { method: string | string[]; matches: RegExp }[] = []
  app.addHook('onRoute', ({ method, url }) => {
    const pattern = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')
    if (url !== '*') routes.push({ method, matches: new RegExp(`^${pattern}$`) })
  })
  function at({ url }: FastifyRequest): string[] {
    const path = url.split('?')[0] as string
    const methods = new Set(routes.filter(({ matches }) => matches.test(path)).flatMap(({ method }) => method))
    return methods.size === 0 ? [] : [...methods, 'OPTIONS'].sort()
  }
  return {
    at,
    refuse(request) {
      const methods = at(request)
      const allowed = methods.join(', ')
      // A path with a line break can match a pattern here, although the router has no route for it.
      if (methods.length === 0 || methods.includes(request.method)) throw pathNotFound(request)
      const path = request.url.split('?')[0]
      throw new ApiError('method_not_allowed', `${request.method} ${path}: expected one of ${allowed}`, {
        headers: { allow: allowed },
      })
    },
  }
}
