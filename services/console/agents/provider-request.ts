import { IncomingMessage } from 'node:http'
import { SCOPES } from '@catalog/api/agents/mcp-tools.ts'
import type { FastifyRequest } from 'fastify'

/** Requests as `oidc-provider` gets them: below its own root, on the issuer's host, with normalized parameters. */

export const OAUTH_PATH = '/oauth'
const REDIRECT_URIS_MAX = 10

export type OAuthError = Readonly<{ error: string; description: string }>

/** Body of a registration without its scopes, or the reason to refuse it. People decide the scopes later, by consent. */
export function registrationBody(body: Buffer): Buffer | OAuthError {
  const registration = jsonObject(body)
  const { redirect_uris } = Object(registration) as { redirect_uris?: unknown }
  if (Array.isArray(redirect_uris)) {
    const error = 'invalid_redirect_uri'
    if (redirect_uris.length > REDIRECT_URIS_MAX)
      return {
        error,
        description: `redirect_uris: expected at most ${REDIRECT_URIS_MAX}, found ${redirect_uris.length}`,
      }
    const odd = redirect_uris.find(namesNoOneHost)
    if (odd !== undefined) {
      const shown = JSON.stringify(odd).slice(0, SHOWN_CHARS_MAX)
      return { error, description: `redirect_uris: expected one host, without user and password, found ${shown}` }
    }
  }
  return registration === undefined ? body : Buffer.from(JSON.stringify({ ...registration, scope: undefined }))
}

/** A user before the host looks like a host to people, and a wildcard is no host. The library checks all else. */
function namesNoOneHost(uri: unknown): boolean {
  if (typeof uri !== 'string' || !URL.canParse(uri)) return false
  // A browser drops the one and turns the other into a slash: people read another host.
  if (/[\\\s]/.test(uri)) return true
  const { username, password, hostname } = new URL(uri)
  return username !== '' || password !== '' || hostname.includes('*')
}
const SHOWN_CHARS_MAX = 200

/** Undefined for anything but a JSON object: the library reports that. */
function jsonObject(bytes: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = JSON.parse(bytes.toString()) as unknown
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** Maps every name that clients give the only resource to `resource`; keeps other resources, which are refused later. */
export function withOneResource(
  parameters: URLSearchParams,
  { resource, origin }: { resource: string; origin: string },
): URLSearchParams {
  const given = parameters.getAll('resource')
  if (given.length === 0) return parameters
  parameters.delete('resource')
  const aliases = new Set([resource, `${resource}/`, origin, `${origin}/`])
  for (const one of new Set(given.map((name) => (aliases.has(name) ? resource : name))))
    parameters.append('resource', one)
  return parameters
}

/** Address of an authorization request; without a scope it asks for all scopes, which the consent page lists. */
export function authorizationAddress(url: string, names: { resource: string; origin: string }): string {
  const parameters = withOneResource(new URLSearchParams(url.split('?')[1]), names)
  if (!parameters.get('scope')) parameters.set('scope', SCOPES.join(' '))
  return `/auth?${parameters}`
}

/** Builds the library's request from the issuer's host, whatever host the client used, and the body within our limit. */
export function providerRequest(
  { raw, ip }: FastifyRequest,
  { origin, url, body }: { origin: string; url: string; body: Buffer | undefined },
): IncomingMessage {
  const { host, protocol } = new URL(origin)
  const request = new IncomingMessage(raw.socket)
  const { 'transfer-encoding': _, cookie, ...headers } = raw.headers
  request.method = raw.method as string
  request.url = url
  Object.assign(request, { originalUrl: OAUTH_PATH + url })
  request.headers = {
    ...headers,
    host,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-forwarded-for': ip,
    // Drop the library's session cookie, so that each authorization request asks the person again.
    ...(cookie !== undefined && !url.startsWith('/auth?') && { cookie }),
    ...(body !== undefined && { 'content-length': String(body.length) }),
  }
  if (body !== undefined && body.length > 0) request.push(body)
  request.push(null)
  // A complete message is not destroyed when it closes.
  request.complete = true
  return request
}
