import { type Counter, counterOf, enterWindow, takeLeased } from '@catalog/access/counter.ts'
import type { BucketWindow, Limiter } from '@catalog/access/rate-limiter.ts'
import type { UsageRecorder } from '@catalog/access/usage.ts'
import { secondsUntil } from '@catalog/access/windows.ts'
import { ApiError } from '@catalog/api/http/errors.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account, KnownCaller } from './accounts.ts'
import { networkOf } from './network.ts'
import { rateHeaders, setRateHeaders, windowHeaders } from './rate-headers.ts'
import { FREE_KEYS_PER_ADDRESS, type Limits } from './rate-limits.ts'

/** Charging: each request takes one from the buckets of its account, and its answer says how much is left. */
export type Charging = Readonly<{
  limiter: Limiter
  recorder: UsageRecorder
  limits: Limits
  now: () => Date
  addressOf: (ip: string) => Account
}>

/** A request that was counted as a revalidation, until its answer turns out to be none. */
export type Revalidation = Readonly<{ account: Account; startMs: number; reply: FastifyReply }>

/** Answers 304 and archives are cheap for the server and useful to mirrors: their bucket has this multiple of the limit. */
const REVALIDATIONS_PER_REQUEST = 10

/**
 * The rule of exports: each page of so many items counts as one request of the minute and of the month. The largest page
 * of a list has as many, so that an export costs what its pages would.
 */
export const EXPORT_ITEMS_PER_REQUEST = 100

/** Counts a request in the bucket of its route. */
export function chargeRequest(
  charging: Charging,
  { request, reply, account }: { request: FastifyRequest; reply: FastifyReply; account: Account },
): Promise<void> | undefined {
  const { bucket, revalidates } = request.routeOptions.config ?? {}
  if (bucket === 'archive') return take(charging, reply, { first: revalidationOf(account) })
  if (!revalidates || !isConditional(request)) return chargeOrdinary(charging, { reply, account, bucket })
  const revalidation = revalidationOf(account)
  return after(take(charging, reply, { first: revalidation }), () => {
    request.uncharged = { account, startMs: revalidation.startMs, reply }
  })
}

/** The feeds also answer conditionally to `since`. */
const isConditional = ({ headers, query }: FastifyRequest) =>
  headers['if-none-match'] !== undefined ||
  headers['if-modified-since'] !== undefined ||
  (query as { since?: unknown }).since !== undefined

/** Counts a request that is no revalidation. */
export function chargeOrdinary(
  charging: Charging,
  { reply, account, bucket }: { reply: FastifyReply; account: Account; bucket: string | undefined },
): Promise<void> | undefined {
  const { owner, minute, month } = account
  const address = addressOfFreeKey(charging, reply.request)
  if (bucket !== 'search') {
    const shared = sharedBy(charging, address, 'shared')
    return take(charging, reply, { first: minute, shared, month: bucket === 'service' ? undefined : month })
  }
  account.search ??= counterOf({
    owner,
    counts: 'search',
    period: 'minute',
    limit: charging.limits.searchPerMinute,
  })
  return take(charging, reply, { first: account.search, shared: sharedBy(charging, address, 'sharedSearch'), month })
}

/** The address of a caller with a free key; undefined for any other caller. */
function addressOfFreeKey({ addressOf }: Charging, { credential, ip }: FastifyRequest): Account | undefined {
  return credential?.found.kind === 'pub' ? addressOf(ip) : undefined
}

/** What counts the free keys of an address together: they cost nothing, and five would have five times the limits of one. */
function sharedBy(
  { limits }: Charging,
  address: Account | undefined,
  counts: 'shared' | 'sharedSearch',
): Counter | undefined {
  if (address === undefined) return undefined
  const ofKey = counts === 'shared' ? limits.publicDevPerMinute : limits.searchPerMinute
  address[counts] ??= counterOf({
    owner: address.owner,
    counts,
    period: 'minute',
    limit: FREE_KEYS_PER_ADDRESS * ofKey,
  })
  return address[counts]
}

/**
 * Moves a counted revalidation to the ordinary bucket of its request. Law: where that one is full the revalidation stays
 * counted, because the answer was made: made-up tags must reach a limit.
 */
export async function chargeRevalidation(
  charging: Charging,
  request: FastifyRequest,
  { account, startMs, reply }: Revalidation,
): Promise<void> {
  request.uncharged = null
  await chargeOrdinary(charging, { reply, account, bucket: request.routeOptions.config?.bucket })
  charging.limiter.putBack(account.revalidation as Counter, startMs)
}

/** Counts further searches of an admitted request: all of them or none. */
export async function chargeSearches(
  charging: Charging,
  { reply, account, further }: { reply: FastifyReply; account: Account; further: number },
): Promise<void> {
  const { limiter, recorder } = charging
  const { month } = account
  const search = account.search as Counter
  const counters = [search, sharedBy(charging, addressOfFreeKey(charging, reply.request), 'sharedSearch'), month]
  let full: Counter | undefined
  let taken = 0
  while (taken < further && full === undefined) {
    full = await limiter.take(counters, (found) => found)
    if (full === undefined) taken++
  }
  if (full !== undefined) {
    for (const counter of counters) {
      if (counter !== undefined) for (let i = 0; i < taken; i++) limiter.putBack(counter, counter.startMs)
    }
  }
  concludeTake(charging, reply, { first: search, month, full })
  const { usage } = reply.request
  if (usage !== null && month !== undefined) recorder.countRequests(usage, month.startMs, taken)
}

/** Why an export ends early: the code and seconds that a request would be refused with. */
export type Exhausted = Readonly<{ code: string; retryAfterSeconds: number }>

/**
 * Counts one further page of an export, after the headers of its answer were sent; answers the limit that refuses it.
 * See {@link EXPORT_ITEMS_PER_REQUEST}.
 */
export async function chargeExportPage(
  charging: Charging,
  { account, request }: { account: Account; request: FastifyRequest },
): Promise<Exhausted | undefined> {
  const { limiter, recorder, now } = charging
  const { usage } = request
  const { minute, month } = account
  const shared = sharedBy(charging, addressOfFreeKey(charging, request), 'shared')
  const full = await limiter.take([minute, shared, month], (found) => found)
  if (full !== undefined) {
    const [code] = REFUSALS[full.counts] as Refusal
    return { code, retryAfterSeconds: secondsUntil(full.endMs, now().getTime()) }
  }
  if (usage !== null && month !== undefined) recorder.countRequests(usage, month.startMs)
  return undefined
}

/** Counts without waiting and answers the rate headers; undefined, with nothing counted, where that is not possible. */
export function chargeNow(
  charging: Charging,
  { account, address, usage, as }: KnownCaller & { as: 'request' | 'revalidation' },
): (string | number)[] | undefined {
  const { recorder, now } = charging
  const nowMs = now().getTime()
  const isRequest = as === 'request'
  const first = isRequest ? account.minute : revalidationOf(account)
  const month = isRequest ? account.month : undefined
  const shared = isRequest ? sharedBy(charging, address, 'shared') : undefined
  if (takeLeased(nowMs, first, shared, month) !== undefined) return undefined
  if (usage !== undefined && month !== undefined) recorder.countRequests(usage, month.startMs)
  return rateHeaders(first, month, nowMs)
}

/** The rate headers of a request that nothing counts. */
export function uncountedHeaders({ now }: Charging, counter: Counter): (string | number)[] {
  const nowMs = now().getTime()
  enterWindow(counter, nowMs)
  return rateHeaders(counter, undefined, nowMs)
}

function revalidationOf(account: Account): Counter {
  const { owner, caller, minute } = account
  account.revalidation ??= counterOf({
    owner,
    counts: 'revalidation',
    period: 'minute',
    limit: caller.perMinute * REVALIDATIONS_PER_REQUEST,
    lease: minute.lease,
  })
  return account.revalidation
}

type Taken = Readonly<{ first: Counter; shared?: Counter | undefined; month?: Counter | undefined }>

/** Takes one from each counter and sets the rate headers; throws, now or later, when one is full. */
export function take(
  charging: Charging,
  reply: FastifyReply,
  { first, shared, month }: Taken,
): Promise<void> | undefined {
  const { limiter, recorder, now } = charging
  const taken = limiter.take([first, shared, month], (full) => {
    concludeTake(charging, reply, { first, month, full })
    const { usage } = reply.request
    if (usage !== null && month !== undefined) recorder.countRequests(usage, month.startMs)
  })
  // A database that does not answer leaves the reply without rate headers.
  return taken?.catch((error: unknown) => {
    if (!reply.hasHeader('ratelimit')) setRateHeaders(reply, rateHeaders(first, month, now().getTime()))
    throw error
  })
}

/** Sets the rate headers; throws the error of the full counter, if there is one. */
export function concludeTake(
  { now }: Charging,
  reply: FastifyReply,
  { first, month, full }: Pick<Taken, 'first' | 'month'> & { full: Counter | undefined },
): void {
  const nowMs = now().getTime()
  setRateHeaders(reply, rateHeaders(full ?? first, month, nowMs))
  if (full === undefined) return
  const [code, unit] = REFUSALS[full.counts] as Refusal
  throw new ApiError(code, `expected at most ${full.limit} ${unit} a ${full.period}`, {
    retryAfterSeconds: secondsUntil(full.endMs, nowMs),
  })
}

type Refusal = readonly [code: 'rate_limited_minute' | 'search_rate_limited' | 'monthly_cap', unit: string]
const REFUSALS: Readonly<Record<string, Refusal>> = {
  minute: ['rate_limited_minute', 'requests'],
  revalidation: ['rate_limited_minute', 'revalidations and archives'],
  account: ['rate_limited_minute', 'questions about keys'],
  search: ['search_rate_limited', 'searches'],
  shared: ['rate_limited_minute', 'requests of all free keys of an address'],
  sharedSearch: ['search_rate_limited', 'searches of all free keys of an address'],
  month: ['monthly_cap', 'requests'],
}

/**
 * Counts a signup for its address and for its e-mail, and sets the rate headers to what its address has left; throws
 * signup_rate_limited.
 */
export async function chargeSignup(
  { limiter, limits, now }: Charging,
  { ip, email, reply }: { ip: string; email: string; reply: FastifyReply },
): Promise<void> {
  const address = { kind: 'ip', id: networkOf(ip) } as const
  const { signupsPerHour, signupsPerDay, signupsPerEmailPerDay } = limits
  const ofAddress = [
    { owner: address, counts: 'signup-hour', period: 'hour', limit: signupsPerHour },
    { owner: address, counts: 'signup-day', period: 'day', limit: signupsPerDay },
  ] as const
  const owner = { kind: 'email', id: email.toLowerCase() } as const
  const ofEmail = { owner, counts: 'signup-day', period: 'day', limit: signupsPerEmailPerDay } as const
  let windows: readonly BucketWindow[] = []
  const endMs = await limiter.takeOnce([...ofAddress, ofEmail], (all) => {
    // Others may have asked for this e-mail: how often is not for this caller.
    windows = all.slice(0, ofAddress.length)
  })
  const nowMs = now().getTime()
  if (endMs === undefined) {
    setRateHeaders(reply, windowHeaders(windows, nowMs))
    return
  }
  // The same headers whichever window of that length is full.
  const refused = windows.map((window) => (window.endMs === endMs ? { ...window, remaining: 0 } : window))
  setRateHeaders(reply, windowHeaders(refused, nowMs))
  // The same text whichever limit is reached: it must not tell whether an e-mail is known.
  throw new ApiError(
    'signup_rate_limited',
    `expected at most ${signupsPerHour} keys an hour and ${signupsPerDay} a day of an address, and ${signupsPerEmailPerDay} a day of an e-mail`,
    { retryAfterSeconds: secondsUntil(endMs, nowMs) },
  )
}

/** Runs `next` after `waiting`: at once when there is nothing to wait for. */
export function after(waiting: Promise<void> | undefined, next: () => void): Promise<void> | undefined {
  if (waiting !== undefined) return waiting.then(next)
  next()
  return undefined
}
