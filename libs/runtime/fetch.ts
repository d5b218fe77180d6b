import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import {
  Agent,
  buildConnector,
  type Dispatcher,
  type RequestInit,
  type Response,
  fetch as undiciFetch,
  request as undiciRequest,
} from 'undici'

/**
 * Fetches addresses that others chose, from the public internet only, after name resolution and each redirect. This
 * prevents server-side request forgery. The guard checks the connected address, so DNS rebinding gains nothing.
 */
export type GuardedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/**
 * GET of one address under the same guard, for bodies of any size from untrusted servers; follows no redirect and
 * decodes nothing. The fetch of undici accepts truncated gzip bodies, limits no bytes before decoding, and follows
 * redirects unasked.
 */
export type GuardedRequest = (
  url: URL,
  options: Readonly<{
    headers: Record<string, string>
    signal: AbortSignal /** Without a byte received. */
    stallMs: number
  }>,
) => Promise<Dispatcher.ResponseData>

const CONNECT_TIMEOUT_MS = 2_000
const HEADERS_TIMEOUT_MS = 5_000
const BODY_TIMEOUT_MS = 5_000
const CONNECTIONS_MAX = 8
/** For a distant shop on a bad day. */
const FAR_CONNECT_TIMEOUT_MS = 10_000

type Guard = Readonly<{
  allowed: readonly string[]
  /** Resolves names; tests replace it. */
  lookup?: LookupFunction
}>

/** Also admits the networks (CIDR) of `allowed`. Rejects with ForbiddenAddress as the cause. */
export function openFetch(guard: Guard): GuardedFetch {
  const dispatcher = guarded(guard, CONNECT_TIMEOUT_MS)
  return (url, init = {}) => undiciFetch(url, { ...init, dispatcher })
}

/** As {@link openFetch}, but rejects with ForbiddenAddress itself. */
export function openRequest(guard: Guard): GuardedRequest {
  const dispatcher = guarded(guard, FAR_CONNECT_TIMEOUT_MS)
  return (url, { headers, signal, stallMs }) =>
    undiciRequest(url, { method: 'GET', headers, signal, dispatcher, headersTimeout: stallMs, bodyTimeout: stallMs })
}

/** Unicast, but not of the public internet: a cloud's metadata service, and IPv4 written as IPv6 (RFC 4291 §2.5.5.1). */
const INNER_NETWORKS = ['168.63.129.16/32', '::/96'].map((network) => ipaddr.parseCIDR(network))

function guarded({ allowed, lookup = systemLookup as LookupFunction }: Guard, timeout: number): Dispatcher {
  const networks = allowed.map((network) => ipaddr.parseCIDR(network))

  function refusal(host: string, address: string): ForbiddenAddress | undefined {
    const parsed = ipaddr.process(address)
    const isOf = (list: typeof networks) =>
      list.some((network) => network[0].kind() === parsed.kind() && parsed.match(network))
    const isPublic = parsed.range() === 'unicast' && !isOf(INNER_NETWORKS)
    return isOf(networks) || isPublic ? undefined : new ForbiddenAddress(host, address)
  }

  const guardedLookup: LookupFunction = (host, options, done) => {
    lookup(host, options, (error, found, family) => {
      if (error !== null) return done(error, found, family)
      const addresses = typeof found === 'string' ? [found] : found.map(({ address }) => address)
      const [refused] = addresses.flatMap((address) => refusal(host, address) ?? [])
      if (refused === undefined) done(null, found, family)
      else done(refused, [], family)
    })
  }
  const connect = buildConnector({ lookup: guardedLookup, timeout })
  return new Agent({
    connections: CONNECTIONS_MAX,
    headersTimeout: HEADERS_TIMEOUT_MS,
    bodyTimeout: BODY_TIMEOUT_MS,
    connect(options, done) {
      // Literal addresses skip the lookup.
      const host = options.hostname.replace(/^\[|\]$/g, '')
      const refused = isIP(host) === 0 ? undefined : refusal(host, host)
      if (refused === undefined) connect(options, done)
      else done(refused, null)
    },
  })
}

export class ForbiddenAddress extends Error {
  override name = 'ForbiddenAddress'
  constructor(host: string, address: string) {
    const isLiteral = host.replace(/^\[|\]$/g, '') === address
    const found = isLiteral ? host : `${host} is ${address}`
    super(`${found}: expected an address of the public internet, or a network of FETCH_ALLOWED_NETWORKS`)
  }
}
