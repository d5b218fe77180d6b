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
 * The one way by which addresses that somebody else chose are fetched: only of the public internet, whatever the name
 * resolves to and wherever a redirect leads, so that nobody reads through us what stands beside us (server-side request
 * forgery). Looked at is the address that is connected to, so a name that resolves to another one a moment later gains
 * nothing.
 */
export type GuardedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/**
 * GET of one address under the same guard, for bodies of any size from servers that nobody vouches for: follows no
 * redirect and decodes nothing. The fetch of undici takes a gzip body that was cut for a whole one, counts no bytes before
 * they are decoded and follows redirects without asking whether it may.
 */
export type GuardedRequest = (
  url: URL,
  options: Readonly<{ headers: Record<string, string>; signal: AbortSignal /** Without a byte. */; stallMs: number }>,
) => Promise<Dispatcher.ResponseData>

const CONNECT_TIMEOUT_MS = 2_000
const HEADERS_TIMEOUT_MS = 5_000
const BODY_TIMEOUT_MS = 5_000
const CONNECTIONS_MAX = 8
/** A shop on the other side of the world, on a bad day. */
const FAR_CONNECT_TIMEOUT_MS = 10_000

type Guard = Readonly<{
  allowed: readonly string[]
  /** Resolves names; tests have their own. */
  lookup?: LookupFunction
}>

/** Networks (CIDR) of `allowed` are fetched from as well. Rejects with ForbiddenAddress as the cause. */
export function openFetch(guard: Guard): GuardedFetch {
  const dispatcher = guarded(guard, CONNECT_TIMEOUT_MS)
  return (url, init = {}) => undiciFetch(url, { ...init, dispatcher })
}

/** As {@link openFetch}. Rejects with ForbiddenAddress itself. */
export function openRequest(guard: Guard): GuardedRequest {
  const dispatcher = guarded(guard, FAR_CONNECT_TIMEOUT_MS)
  return (url, { headers, signal, stallMs }) =>
    undiciRequest(url, { method: 'GET', headers, signal, dispatcher, headersTimeout: stallMs, bodyTimeout: stallMs })
}

/** Addresses of the public internet at which a cloud answers its own machines. */
const METADATA_NETWORKS = ['168.63.129.16/32'].map((network) => ipaddr.parseCIDR(network))

function guarded({ allowed, lookup = systemLookup as LookupFunction }: Guard, timeout: number): Dispatcher {
  const networks = allowed.map((network) => ipaddr.parseCIDR(network))

  function refusal(host: string, address: string): ForbiddenAddress | undefined {
    const parsed = ipaddr.process(address)
    const isOf = (list: typeof networks) =>
      list.some((network) => network[0].kind() === parsed.kind() && parsed.match(network))
    const isPublic = parsed.range() === 'unicast' && !isOf(METADATA_NETWORKS)
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
      // An address that is written out is never looked up.
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
    super(`${host} is ${address}: expected an address of the public internet, or a network of FETCH_ALLOWED_NETWORKS`)
  }
}
