import { type Counter, counterOf, takeLeased } from '@catalog/access/counter.ts'
import type { BucketWindow, Limiter } from '@catalog/access/rate-limiter.ts'
import type { Usage, UsageRecorder } from '@catalog/access/usage.ts'
import { secondsUntil } from '@catalog/access/windows.ts'
import { ApiError } from '@catalog/api/http/errors.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from './accounts.ts'
import { networkOf } from './network.ts'
import { rateHeaders, setRateHeaders, windowHeaders } from './rate-headers.ts'
import type { Limits } from './rate-limits.ts'

/** Charging: each request takes one from the buckets of its account, and its answer says how much is left. */
export type Charging = Readonly<{ limiter: Limiter; recorder: UsageRecorder; limits: Limits; now: () => Date }>

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
  if (bucket === 'archive') return take(charging, reply, revalidationOf(account))
  if (!revalidates || !isConditional(request)) return chargeOrdinary(charging, { reply, account, bucket })
  const revalidation = revalidationOf(account)
  return after(take(charging, reply, revalidation), () => {
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
  if (bucket !== 'search') return take(charging, reply, minute, bucket === 'service' ? undefined : month)
  account.search ??= counterOf({
    owner,
    counts: 'search',
    period: 'minute',
    limit: charging.limits.searchPerMinute,
  })
  return take(charging, reply, account.search, month)
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
  let full: Counter | undefined
  let taken = 0
  while (taken < further && full === undefined) {
    full = await limiter.take(search, month, (found) => found)
    if (full === undefined) taken++
  }
  if (full !== undefined) {
    for (const counter of [search, ...(month === undefined ? [] : [month])]) {
      for (let i = 0; i < taken; i++) limiter.putBack(counter, counter.startMs)
    }
  }
  concludeTake(charging, reply, { first: search, second: month, full })
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
  { limiter, recorder, now }: Charging,
  { account, usage }: { account: Account; usage: Usage | null },
): Promise<Exhausted | undefined> {
  const { minute, month } = account
  const full = await limiter.take(minute, month, (found) => found)
  if (full !== undefined) {
    const [code] = REFUSALS[full.counts] as Refusal
    return { code, retryAfterSeconds: secondsUntil(full.endMs, now().getTime()) }
  }
  if (usage !== null && month !== undefined) recorder.countRequests(usage, month.startMs)
  return undefined
}

/** Counts without waiting and answers the rate headers; undefined, with nothing counted, where that is not possible. */
export function chargeNow(
  { recorder, now }: Charging,
  { account, usage, as }: { account: Account; usage: Usage | undefined; as: 'request' | 'revalidation' },
): (string | number)[] | undefined {
  const nowMs = now().getTime()
  const first = as === 'request' ? account.minute : revalidationOf(account)
  const second = as === 'request' ? account.month : undefined
  if (takeLeased(nowMs, first, second) !== undefined) return undefined
  if (usage !== undefined && second !== undefined) recorder.countRequests(usage, second.startMs)
  return rateHeaders(first, second, nowMs)
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

/** Takes one from each counter and sets the rate headers; throws, now or later, when one is full. */
export function take(
  charging: Charging,
  reply: FastifyReply,
  first: Counter,
  second?: Counter,
): Promise<void> | undefined {
  const { limiter, recorder, now } = charging
  const taken = limiter.take(first, second, (full) => {
    concludeTake(charging, reply, { first, second, full })
    const { usage } = reply.request
    if (usage !== null && second !== undefined) recorder.countRequests(usage, second.startMs)
  })
  // A database that does not answer leaves the reply without rate headers.
  return taken?.catch((error: unknown) => {
    if (!reply.hasHeader('ratelimit')) setRateHeaders(reply, rateHeaders(first, second, now().getTime()))
    throw error
  })
}

/** Sets the rate headers; throws the error of the full counter, if there is one. */
export function concludeTake(
  { now }: Charging,
  reply: FastifyReply,
  { first, second, full }: { first: Counter; second?: Counter | undefined; full: Counter | undefined },
): void {
  const nowMs = now().getTime()
  setRateHeaders(reply, rateHeaders(full ?? first, second, nowMs))
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
