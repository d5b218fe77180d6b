import { counterOf, isFull } from '@catalog/access/counter.ts'
import type { CacheEntry, KeyCache } from '@catalog/access/key-cache.ts'
import { isWellFormed } from '@catalog/access/keys.ts'
import { newUsage, type Usage } from '@catalog/access/usage.ts'
import { ApiError } from '@catalog/api/http/errors.ts'
import type { FoundKey } from '@catalog/store/accounts/accounts.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account, Accounts } from './accounts.ts'
import { after, type Charging, chargeRequest, concludeTake, take, uncountedHeaders } from './charge.ts'
import { setRateHeaders } from './rate-headers.ts'
import type { Caller } from './rate-limits.ts'

/** Authentication: from the Authorization header to the account that a request counts for. */
export type Authentication = Readonly<{ keys: KeyCache<FoundKey>; accounts: Accounts; charging: Charging }>

type Exchange = Readonly<{ request: FastifyRequest; reply: FastifyReply }>

/** Finds the caller and counts the request; throws, now or later, the error of an invalid key or of a full limit. */
export function authenticate(authentication: Authentication, exchange: Exchange): Promise<void> | undefined {
  const { keys, accounts } = authentication
  const { authorization } = exchange.request.headers
  if (authorization === undefined) return admit(authentication, exchange, accounts.ofAddress(exchange.request.ip))
  const key = bearerKey(authorization)
  if (key === undefined) return refuseKey(authentication, exchange, invalidKey(EXPECTED))
  const entry = keys.get(key)
  if (entry !== undefined) return admitKey(authentication, exchange, { key, entry })
  return isWellFormed(key)
    ? admitUncachedKey(authentication, exchange, key)
    : refuseKey(authentication, exchange, invalidKey(EXPECTED))
}

/** The scheme is case-insensitive (RFC 9110 §11.1). */
const BEARER = /^Bearer +(\S+) *$/i
export const bearerKey = (authorization: string): string | undefined => BEARER.exec(authorization)?.[1]

/** Stops an address whose minute is used up by refused keys, so that guessing costs no further queries. */
export function stopGuessing({ accounts, charging }: Authentication, { request, reply }: Exchange): void {
  const { minute, refusedMs } = accounts.ofAddress(request.ip)
  if (refusedMs !== minute.startMs || !isFull(minute, charging.now().getTime())) return
  concludeTake(charging, reply, { first: minute, full: minute })
}

/** Reads a key that the cache lacks or holds too long. */
async function admitUncachedKey(authentication: Authentication, exchange: Exchange, key: string): Promise<void> {
  stopGuessing(authentication, exchange)
  const { keys, accounts, charging } = authentication
  const { minute } = accounts.ofAddress(exchange.request.ip)
  let entry: CacheEntry<FoundKey>
  try {
    entry = await keys.load(key)
  } catch (error) {
    setRateHeaders(exchange.reply, uncountedHeaders(charging, minute))
    throw error
  }
  await admitKey(authentication, exchange, { key, entry })
}

function admitKey(
  authentication: Authentication,
  exchange: Exchange,
  { key, entry }: { key: string; entry: CacheEntry<FoundKey> },
): Promise<void> | undefined {
  const { accounts, charging } = authentication
  const { request } = exchange
  const { row: found } = entry
  const refused = keyProblem(found, request, charging.now().getTime())
  if (found === undefined || refused !== undefined) {
    const account = accounts.ofAddress(request.ip)
    const counted = countRefused(authentication, exchange, account)
    return after(counted, () => {
      if (!request.routeOptions.config?.isOpen) throw refused ?? invalidKey(EXPECTED)
    })
  }
  request.usage = recordedUse(charging, entry, found.key_id)
  request.credential = { key, found }
  return admit(authentication, exchange, accounts.ofKey(found))
}

function keyProblem(found: FoundKey | undefined, request: FastifyRequest, nowMs: number): ApiError | undefined {
  if (found === undefined) return invalidKey(EXPECTED)
  if (found.revoked_at !== null) {
    const isRevocation = request.routeOptions.config?.key === 'public_dev' && found.kind === 'pub'
    return isRevocation ? new ApiError('key_not_found', 'this key was revoked before') : invalidKey(REVOKED)
  }
  if (isExpired(found, nowMs)) return invalidKey(EXPIRED)
  return found.plan === 'free' ? invalidKey(UNPLANNED) : undefined
}

/** Whether the key is neither revoked nor expired, and its workspace has a plan with keys. */
export const isUsable = (found: FoundKey, nowMs: number): boolean =>
  found.revoked_at === null && !isExpired(found, nowMs) && found.plan !== 'free'

const isExpired = ({ expires_at }: FoundKey, nowMs: number) => expires_at !== null && Date.parse(expires_at) <= nowMs

/** Notes that a key or an agent was used. */
export function recordedUse({ recorder }: Charging, entry: CacheEntry<unknown>, subject: string): Usage {
  entry.usage ??= newUsage(subject)
  recorder.recordUse(entry.usage)
  return entry.usage
}

/** Failed attempts count as anonymous requests of their address. */
export function refuseKey(
  authentication: Authentication,
  exchange: Exchange,
  error: ApiError,
): Promise<void> | undefined {
  const account = authentication.accounts.ofAddress(exchange.request.ip)
  return after(countRefused(authentication, exchange, account), () => {
    throw error
  })
}

function countRefused(
  { charging }: Authentication,
  { request, reply }: Exchange,
  account: Account,
): Promise<void> | undefined {
  request.caller = account.caller
  return after(take(charging, reply, { first: account.minute }), () => {
    account.refusedMs = account.minute.startMs
  })
}

function admit(
  { accounts, charging }: Authentication,
  { request, reply }: Exchange,
  account: Account,
): Promise<void> | undefined {
  request.caller = account.caller
  const { key, bucket } = request.routeOptions.config ?? {}
  const isAdmitted = key === undefined || KEY_TIERS[key].includes(account.caller.tier)
  if (isAdmitted && bucket === 'message') {
    request.uncounted = account
    return undefined
  }
  if (isAdmitted && bucket === 'account') {
    const address = accounts.ofAddress(request.ip)
    address.service ??= counterOf({
      owner: address.owner,
      counts: 'account',
      period: 'minute',
      limit: charging.limits.anonPerMinute,
    })
    return take(charging, reply, { first: address.service })
  }
  const charged = chargeRequest(charging, { request, reply, account })
  if (isAdmitted) return charged
  return after(charged, () => {
    throw invalidKey(`expected a ${key === 'any' ? 'valid' : 'public developer'} key in Authorization: Bearer`)
  })
}

const EXPECTED = 'Authorization: expected "Bearer" and a valid API key, or no such header'
const REVOKED = 'this key was revoked'
const EXPIRED = 'this key was replaced by another, and its time is over'
const UNPLANNED = 'the plan of its workspace has no keys any more'
const KEY_TIERS: Readonly<Record<'any' | 'public_dev', readonly Caller['tier'][]>> = {
  any: ['public_dev', 'org'],
  public_dev: ['public_dev'],
}

function invalidKey(details: string): ApiError {
  return new ApiError('invalid_key', details, { headers: { 'www-authenticate': 'Bearer' } })
}
