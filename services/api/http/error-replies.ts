import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { JSON_TYPE } from './documents.ts'
import { ApiError, asApiError, helpLink } from './errors.ts'

/** Sends an error, with a link to the explanation of its code. */
export function sendError(reply: FastifyReply, error: ApiError, origin: string): FastifyReply {
  const retry = error.retryAfterSeconds === undefined ? {} : { 'retry-after': error.retryAfterSeconds }
  // Drop the ETag: it describes the requested file, not this error.
  return reply
    .removeHeader('etag')
    .code(error.status)
    .header('link', helpLink(origin, error.code))
    .headers({ ...error.headers, ...retry, 'cache-control': 'no-store' })
    .type(JSON_TYPE)
    .send(JSON.stringify(error.body))
}

/** Any error of a route as an ApiError; validation errors name the parameter. */
export function routeError(error: FastifyError, request: FastifyRequest): ApiError {
  return hasZodFastifySchemaValidationErrors(error) ? invalidParameter(error, request) : asApiError(error)
}

/** The first invalid parameter: its path (as in "lines[3].unit"), the expectation, and the value found. */
function invalidParameter(error: FastifyError, request: FastifyRequest): ApiError {
  const [issue] = error.validation ?? []
  const path = issue?.instancePath.split('/').filter((key) => key !== '') ?? []
  const name = path.map((key, at) => (/^\d+$/.test(key) ? `[${key}]` : at === 0 ? key : `.${key}`)).join('')
  const parts = { querystring: request.query, params: request.params, body: request.body, headers: request.headers }
  let value: unknown = parts[error.validationContext as keyof typeof parts]
  for (const key of path) value = Object(value)[key]
  const details = `${name || (error.validationContext ?? '')}: ${issue?.message}, found ${shownValue(value)}`
  return new ApiError('invalid_parameter', details)
}

/** A value as errors show it: JSON, cut to {@link FOUND_CHARS_MAX}; "nothing" where there is none. */
export function shownValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > FOUND_CHARS_MAX ? `${text.slice(0, FOUND_CHARS_MAX)}…` : text
}

const FOUND_CHARS_MAX = 100

export function pathNotFound({ url }: FastifyRequest, nearest?: string): ApiError {
  const path = (url.split('?')[0] as string).slice(0, 100)
  const expected = nearest === undefined ? 'GET / lists what is' : `expected ${nearest}?`
  return new ApiError('not_found', `nothing is served at ${path}; ${expected}`)
}
