import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector, type RequestInit, type Response, fetch as undiciFetch } from 'undici'

/**
 * The one way by which addresses that somebody else chose are fetched: only of the public internet, whatever the name
 * resolves to and wherever a redirect leads, so that nobody reads through us what stands beside us (server-side request
 * forgery). Looked at is the address that is connected to, so a name that resolves to another one a moment later gains
 * nothing.
 */
export type GuardedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>

const CONNECT_TIMEOUT_MS = 2_000
const HEADERS_TIMEOUT_MS = 5_000
const BODY_TIMEOUT_MS = 5_000
const CONNECTIONS_MAX = 8

/** Networks (CIDR) of `allowed` are fetched from as well. Rejects with ForbiddenAddress as the cause. */
export function openFetch({
  allowed,
  lookup = systemLookup as LookupFunction,
}: {
  allowed: readonly string[]
  /** Resolves names; tests have their own. */
  lookup?: LookupFunction
}): GuardedFetch {
  const networks = allowed.map((network) => ipaddr.parseCIDR(network))

  function refusal(host: string, address: string): ForbiddenAddress | undefined {
    const parsed = ipaddr.process(address)
    const isAllowed = networks.some((network) => network[0].kind() === parsed.kind() && parsed.match(network))
    return isAllowed || parsed.range() === 'unicast' ? undefined : new ForbiddenAddress(host, address)
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
  const connect = buildConnector({ lookup: guardedLookup, timeout: CONNECT_TIMEOUT_MS })
  const dispatcher = new Agent({
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
  return (url, init = {}) => undiciFetch(url, { ...init, dispatcher })
}

export class ForbiddenAddress extends Error {
  override name = 'ForbiddenAddress'
  constructor(host: string, address: string) {
    super(`${host} is ${address}: expected an address of the public internet, or a network of FETCH_ALLOWED_NETWORKS`)
  }
}
