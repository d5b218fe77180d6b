import { isOn, QUERY_ALIASES, STRICT, SWITCH_EXPECTED, SWITCH_WORDS } from '@catalog/api/contract/shared/parameters.ts'
import type { V1 } from '@catalog/api/http/context.ts'
import { addCarried } from '@catalog/api/http/cursor.ts'
import { ApiError } from '@catalog/api/http/errors.ts'
import { expectedName, nearestName } from '@catalog/core/text.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { isDeeperThan, unknownMember } from './body-names.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Names of the query parameters of the route. */
    queryNames?: readonly string[]
    /** Ignores query parameters that the route does not know. */
    ignoresUnknown?: boolean
    /** Refuses members that the schema of the body does not know, where ignoring one changes the answer. */
    strictBody?: boolean
  }
}

const DOCUMENTS = ['/v1/openapi.json', '/v1/pricing', '/v1/status']

/** What readers of feeds, mail and adverts add to an address, and scripts against caches. */
const TRACKING = /^(utm_.*|fbclid|gclid|_)$/

/**
 * Refuses query parameters that a route does not know, and members of a strict body: one that is ignored in silence looks
 * like one that worked. Feeds and documents ignore them: their readers cannot choose the address.
 */
export function refuseUnknownParameters(v1: V1): void {
  v1.addHook('onRoute', (route) => {
    const { querystring } = (route.schema ?? {}) as { querystring?: z.ZodObject }
    const queryNames = Object.keys(querystring?.shape ?? {})
    const ignoresUnknown = route.url.startsWith('/v1/feeds/') || DOCUMENTS.includes(route.url)
    route.config = { ...route.config, queryNames, ignoresUnknown }
  })
  v1.addHook('preValidation', (request, _reply, next) => {
    const { queryNames = [], ignoresUnknown, strictBody } = request.routeOptions.config
    const query = request.query as Record<string, unknown>
    for (const name of Object.keys(query)) {
      const isUnknown = name !== STRICT && !queryNames.includes(name)
      if (TRACKING.test(name) || (ignoresUnknown && isUnknown)) delete query[name]
    }
    refuseRepeated(query)
    const broken = brokenEscape(request.url, query)
    if (broken !== undefined) throw new ApiError('invalid_parameter', broken)
    resolveAliases(query, queryNames)
    addCarried(query, queryNames)
    if (!isLax(request)) {
      const unknown = Object.keys(query).find((name) => name !== STRICT && !queryNames.includes(name))
      if (unknown !== undefined) throw unknownParameter(unknown, queryNames)
      if (strictBody) refuseUnknownMembers(request)
    }
    next()
  })
}

/** Far deeper than any body that an operation knows; what reads a body level by level would exhaust its stack. */
const BODY_LEVELS_MAX = 32

/** Refuses bodies that are nested deeper than {@link BODY_LEVELS_MAX}. */
export function refuseDeepBodies(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, next) => {
    if (!isDeeperThan(request.body, BODY_LEVELS_MAX)) return next()
    next(new ApiError('bad_request', `the body: expected at most ${BODY_LEVELS_MAX} levels of objects and arrays`))
  })
}

function refuseUnknownMembers({ routeOptions, body }: FastifyRequest): void {
  const found = unknownMember(routeOptions.schema?.body, body)
  if (found === undefined) return
  const { name, place, known } = found
  const shown = JSON.stringify(name.slice(0, NAME_CHARS_MAX))
  const details = `member ${shown} of ${place}: ${expectedName(name, known)}; ${STRICT}=false ignores it`
  throw new ApiError('unknown_parameter', details)
}

/** The problem of a parameter whose escapes are no UTF-8: it can only be read by a guess. Undefined where none is so. */
function brokenEscape(url: string, query: object): string | undefined {
  const parts = url.includes('%') ? url.slice(url.indexOf('?') + 1).split('&') : []
  for (const part of parts) {
    const [name = ''] = part.split('=', 1)
    if (!Object.hasOwn(query, name)) continue
    try {
      decodeURIComponent(part)
    } catch {
      const found = JSON.stringify(part.slice(name.length + 1).slice(0, NAME_CHARS_MAX))
      return `${name.slice(0, NAME_CHARS_MAX)}: expected UTF-8 in escapes such as %C3%A1, found ${found}`
    }
  }
  return undefined
}

function refuseRepeated(query: Record<string, unknown>): void {
  const repeated = Object.entries(query).find(([, value]) => Array.isArray(value))
  if (repeated === undefined) return
  const [name, values] = repeated
  const found = JSON.stringify(values).slice(0, NAME_CHARS_MAX)
  throw new ApiError('invalid_parameter', `${name.slice(0, NAME_CHARS_MAX)}: expected it once, found ${found}`)
}

function resolveAliases(query: Record<string, unknown>, queryNames: readonly string[]): void {
  for (const [alias, name] of Object.entries(QUERY_ALIASES)) {
    if (query[alias] === undefined || queryNames.includes(alias) || !queryNames.includes(name)) continue
    if (query[name] !== undefined)
      throw new ApiError('invalid_parameter', `${alias}: expected it or its other name ${name}, found both`)
    query[name] = query[alias]
    delete query[alias]
  }
}

function isLax(request: FastifyRequest): boolean {
  const strict = (request.query as Record<string, unknown>)[STRICT]
  if (strict === undefined) return false
  if (!SWITCH_WORDS.some((word) => word === strict))
    throw new ApiError('invalid_parameter', `${STRICT}: ${SWITCH_EXPECTED}, found ${JSON.stringify(strict)}`)
  return !isOn(strict)
}

function unknownParameter(name: string, queryNames: readonly string[]): ApiError {
  const shown = JSON.stringify(name.slice(0, NAME_CHARS_MAX))
  const aliases = Object.keys(QUERY_ALIASES).filter((alias) => queryNames.includes(QUERY_ALIASES[alias] as string))
  const near = nearestName(name, [...queryNames, ...aliases, STRICT])
  const known = near === undefined ? queryNames : [near]
  const expected = known.length === 0 ? 'expected no parameters' : expectedName(name, known)
  return new ApiError('unknown_parameter', `parameter ${shown}: ${expected}; ${STRICT}=false ignores it`)
}
const NAME_CHARS_MAX = 100
