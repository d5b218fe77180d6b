import type { IncomingMessage } from 'node:http'
import {
  type Counter,
  counterOf,
  enterWindow,
  isFull,
  leaseSize,
  type Owner,
  remainingOf,
  takeLeased,
} from '@catalog/access/counter.ts'
import type { CacheEntry } from '@catalog/access/key-cache.ts'
import { isWellFormed, openApiKeyCache } from '@catalog/access/keys.ts'
import { openLimiter } from '@catalog/access/limiter.ts'
import { newUsage, openUsage, type Usage } from '@catalog/access/usage.ts'
import { secondsUntil } from '@catalog/access/windows.ts'
import type { PublicApiMeta } from '@catalog/api/contract/contract.ts'
import { ApiError } from '@catalog/api/http/errors.ts'
import type { FoundKey, Plan } from '@catalog/store/accounts/accounts.ts'
import type { FoundAgent } from '@catalog/store/accounts/agents.ts'
import type { Store } from '@catalog/store/db.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import type { z } from 'zod'

/** Who calls, and how much of it: SPEC §8 and DESIGN §8, overridable by environment where the service is wired. */
export const LIMITS = {
  anonPerMinute: 60,
  publicDevPerMinute: 120,
  publicDevPerMonth: 50_000,
  /** Of a workspace: all its keys together. */
  orgPerMinute: 1_000,
  orgPerMonth: 100_000,
  /** For every tier, in a bucket of its own. */
  searchPerMinute: 60,
  /** Keys that one address may be given, and one e-mail. */
  signupsPerHour: 5,
  signupsPerDay: 20,
  signupsPerEmailPerDay: 5,
}
export type Limits = Readonly<typeof LIMITS>

/** Answers "not changed" and archives are cheap and are what mirrors ask for: they have a bucket of so many times the limit. */
const REVALIDATIONS_PER_REQUEST = 10

export type Caller = Readonly<{
  tier: z.infer<typeof PublicApiMeta>['tier']
  perMinute: number
  /** Null: no cap. */
  perMonth: number | null
}>

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every request below /v1. */
    caller: Caller
    /** The valid key that was presented; null for an anonymous caller. */
    credential: Credential | null
    /** Where it is noted that the key or the agent was used; null for an anonymous caller. */
    usage: Usage | null
    /** Set while the request is counted as a revalidation alone. */
    uncharged: Uncharged | null
    /** Whose request it is, while it is admitted and not counted: see the bucket 'message'. */
    uncounted: Account | null
    /**
     * Counts a revalidation as an ordinary request, because its answer is not 304: throws what admission throws when a
     * limit is reached. Does nothing for a request that is counted already.
     */
    charge(): Promise<void>
    /**
     * Counts so many searches more than the one that the request was admitted as: of all or of none, as far as this process
     * knows. Throws what admission throws when a limit is reached.
     */
    countSearches(reply: FastifyReply, further: number): Promise<void>
    /**
     * Counts a request of the bucket 'message' as one of another bucket, once: throws what admission throws when a limit is
     * reached. Does nothing for a request that is counted already.
     */
    countMessage(reply: FastifyReply, bucket: 'request' | 'search' | 'service'): Promise<void>
  }
  interface FastifyContextConfig {
    /**
     * What a request of the route is counted in. Absent: the caller's requests per minute and per month; 'search': its
     * searches per minute, and the month; 'service': the minute alone, so that a caller at its cap can ask about it;
     * 'archive': with the revalidations, whatever the answer, for what mirrors read and caches keep; 'message': what it is
     * counted in stands in its body, so that the route calls `request.countMessage()`; a caller that is refused is counted here.
     */
    bucket?: 'search' | 'service' | 'archive' | 'message'
    /** A conditional request is only counted as a revalidation until `request.charge()` is called. */
    revalidates?: boolean
    /** Without such a key: 401. */
    key?: 'any' | 'public_dev'
  }
}

export type Credential = Readonly<{ key: string; found: FoundKey }>

/** One caller in this process, and the buckets in which its requests are counted. */
export type Account = {
  readonly caller: Caller
  readonly owner: Owner
  readonly minute: Counter
  readonly month: Counter | undefined
  /** Made when they are first needed. */
  search: Counter | undefined
  revalidation: Counter | undefined
  /** The minute in which a key was refused to it last. */
  refusedMs: number
}
/** `usage` undefined: an anonymous caller. */
export type Recognised = Readonly<{ account: Account; usage: Usage | undefined }>
type Uncharged = Readonly<{ account: Account; startMs: number; reply: FastifyReply }>

/** About 30 MB of addresses, and 15 MB of keys: apart, so that a flood of addresses pushes no key out. */
const ADDRESSES_MAX = 100_000
const OWNERS_MAX = 50_000

export interface Callers {
  /**
   * Counts and admits a request: sets `request.caller` and the rate headers; hands over the error of a limit that is
   * reached, of a key that is not valid, or of a store that is away. Calls `done` before it returns, unless the database
   * must be asked.
   */
  admit(request: FastifyRequest, reply: FastifyReply, done: (refused?: Error) => void): void
  /**
   * Who sends this, as far as it is known without waiting: undefined for a caller that this process does not remember, and
   * for one whose key is refused.
   */
  recognise(request: IncomingMessage): Recognised | undefined
  /**
   * Counts a request or a revalidation of the caller without waiting, and answers the rate headers, names and values in
   * turn. Undefined, with nothing counted, when a limit is reached or the database must be asked.
   */
  countNow(caller: Recognised, as: 'request' | 'revalidation'): (string | number)[] | undefined
  /**
   * A request that an agent sends with a token: sets `request.caller` and `request.uncounted`. The limits are those of its
   * workspace, shared with the keys of that.
   */
  admitAgent(request: FastifyRequest, agent: CacheEntry<FoundAgent>): void
  /** Throws what a full limit throws when this address has been refused before and may not ask any more. */
  holdBack(request: FastifyRequest, reply: FastifyReply): void
  /** Counts a failed attempt as an anonymous request of its address, and throws the error. */
  refuse(request: FastifyRequest, reply: FastifyReply, error: ApiError): Promise<never>
  /** Requests of the key's month, or of its workspace's; of other processes as they were a second ago. */
  usedThisMonth(credential: Credential): Promise<{ used: number; resetMs: number }>
  /** Counts a signup, of an address and of an e-mail; throws signup_rate_limited. */
  admitSignup(request: FastifyRequest, email: string): Promise<void>
  /** From now on the key is refused in this process. */
  revoke(key: string, at: string): void
  /** Gives back what was leased and not used. */
  close(): Promise<void>
}

/** Prepares the requests of the app: each has a caller, a credential and charge(). */
export function openCallers(
  app: FastifyInstance,
  {
    store,
    limits,
    now,
    ipOf,
  }: { store: Store; limits: Limits; now: () => Date; ipOf: (raw: IncomingMessage) => string },
): Callers {
  const limiter = openLimiter({ store, now })
  const keys = openApiKeyCache({ store, now })
  const recorder = openUsage({ store, now })
  const forget = ({ minute, month, search, revalidation }: Account) => {
    for (const counter of [minute, month, search, revalidation]) if (counter !== undefined) limiter.release(counter)
  }
  const addresses = new LRUCache<string, Account>({ max: ADDRESSES_MAX, dispose: forget })
  const owners = new LRUCache<string, Account>({ max: OWNERS_MAX, dispose: forget })
  const callers = {
    anon: { tier: 'anon', perMinute: limits.anonPerMinute, perMonth: null },
    pub: { tier: 'public_dev', perMinute: limits.publicDevPerMinute, perMonth: limits.publicDevPerMonth },
    org: { tier: 'org', perMinute: limits.orgPerMinute, perMonth: limits.orgPerMonth },
  } as const satisfies Record<string, Caller>

  app.decorateRequest('caller', null as never)
  app.decorateRequest('credential', null)
  app.decorateRequest('usage', null)
  app.decorateRequest('uncharged', null)
  app.decorateRequest('uncounted', null)
  app.decorateRequest('charge', function (this: FastifyRequest) {
    return this.uncharged === null ? CHARGED : charge(this, this.uncharged)
  })

  app.decorateRequest('countSearches', async function (this: FastifyRequest, reply: FastifyReply, further: number) {
    const { search, month } = this.credential === null ? addressOf(this.ip) : accountOf(this.credential.found)
    const counters = [search as Counter, ...(month === undefined ? [] : [month])]
    let full: Counter | undefined
    let taken = 0
    while (taken < further && full === undefined) {
      full = await limiter.take(search as Counter, month, (found) => found)
      if (full === undefined) taken++
    }
    if (full !== undefined) {
      for (const counter of counters) for (let i = 0; i < taken; i++) limiter.putBack(counter, counter.startMs)
    }
    conclude(reply, search as Counter, month, full)
    if (this.usage !== null && month !== undefined) recorder.countRequests(this.usage, month.startMs, taken)
  })

  app.decorateRequest('countMessage', async function (this: FastifyRequest, reply: FastifyReply, bucket) {
    const account = this.uncounted
    this.uncounted = null
    if (account !== null) await countOrdinary(reply, account, bucket)
  })

  // Who it is ----------------------------------------------------------------------------------------------------------

  function identify(request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
    const { authorization } = request.headers
    if (authorization === undefined) return serve(request, reply, addressOf(request.ip))
    const key = BEARER.exec(authorization)?.[1]
    if (key === undefined) return refuse(request, reply, invalidKey(EXPECTED))
    const entry = keys.get(key)
    if (entry !== undefined) return serveKey(request, reply, key, entry)
    return isWellFormed(key) ? meet(request, reply, key) : refuse(request, reply, invalidKey(EXPECTED))
  }

  /** Whoever guesses costs no more queries than its address may make requests. */
  function holdBack(request: FastifyRequest, reply: FastifyReply): void {
    const { minute, refusedMs } = addressOf(request.ip)
    if (refusedMs === minute.startMs && isFull(minute, now().getTime())) conclude(reply, minute, undefined, minute)
  }

  /** A key that this process does not remember, or not well enough. */
  async function meet(request: FastifyRequest, reply: FastifyReply, key: string): Promise<void> {
    holdBack(request, reply)
    const { minute } = addressOf(request.ip)
    let entry: CacheEntry<FoundKey>
    try {
      entry = await keys.load(key)
    } catch (error) {
      enterWindow(minute, now().getTime())
      report(reply, minute, undefined)
      throw error
    }
    await serveKey(request, reply, key, entry)
  }

  function serveKey(request: FastifyRequest, reply: FastifyReply, key: string, entry: CacheEntry<FoundKey>) {
    const { row: found } = entry
    if (found === undefined) return refuse(request, reply, invalidKey(EXPECTED))
    if (found.revoked_at !== null) {
      const isAsked = request.routeOptions.config?.key === 'public_dev' && found.kind === 'pub'
      const gone = isAsked ? new ApiError('key_not_found', 'this key was revoked before') : invalidKey(REVOKED)
      return refuse(request, reply, gone)
    }
    if (isExpired(found)) return refuse(request, reply, invalidKey(EXPIRED))
    if (found.plan === 'free') return refuse(request, reply, invalidKey(UNPLANNED))
    request.usage = usageOf(entry, found.key_id)
    request.credential = { key, found }
    return serve(request, reply, accountOf(found))
  }

  const isExpired = ({ expires_at }: FoundKey) => expires_at !== null && Date.parse(expires_at) <= now().getTime()

  /** Failed attempts count as anonymous requests of their address. */
  function refuse(request: FastifyRequest, reply: FastifyReply, error: ApiError): Promise<void> | undefined {
    const account = addressOf(request.ip)
    request.caller = account.caller
    return after(count(reply, account.minute, undefined), () => {
      account.refusedMs = account.minute.startMs
      throw error
    })
  }

  function addressOf(ip: string): Account {
    // An IPv4 address is its own network.
    const known = addresses.get(ip)
    if (known !== undefined) return known
    const network = networkOf(ip)
    return addresses.get(network) ?? added(addresses, accountWith(callers.anon, { kind: 'ip', id: network }))
  }

  function accountOf(found: FoundKey): Account {
    return found.kind === 'org'
      ? workspaceAccount(found.workspace_id, found.plan)
      : ownerAccount('key', found.key_id, callers.pub)
  }

  function workspaceAccount(workspaceId: string, plan: Plan): Account {
    return ownerAccount('workspace', workspaceId, plan === 'paid' ? callers.org : callers.pub)
  }

  function ownerAccount(kind: 'key' | 'workspace', id: string, caller: Caller): Account {
    const known = owners.get(id)
    // A workspace whose plan was changed has other limits from now on.
    return known?.caller === caller ? known : added(owners, accountWith(caller, { kind, id }))
  }

  function usageOf(entry: CacheEntry<unknown>, subject: string): Usage {
    entry.usage ??= newUsage(subject)
    recorder.recordUse(entry.usage)
    return entry.usage
  }

  function added(accounts: LRUCache<string, Account>, account: Account): Account {
    accounts.set(account.owner.id, account)
    return account
  }

  // How much of it -----------------------------------------------------------------------------------------------------

  function serve(request: FastifyRequest, reply: FastifyReply, account: Account): Promise<void> | undefined {
    request.caller = account.caller
    const { key, bucket } = request.routeOptions.config ?? {}
    const isServed = key === undefined || KEY_TIERS[key].includes(account.caller.tier)
    if (isServed && bucket === 'message') {
      request.uncounted = account
      return undefined
    }
    const counted = countAs(request, reply, account)
    if (isServed) return counted
    return after(counted, () => {
      throw invalidKey(`expected a ${key === 'any' ? 'valid' : 'public developer'} key in Authorization: Bearer`)
    })
  }

  function countAs(request: FastifyRequest, reply: FastifyReply, account: Account): Promise<void> | undefined {
    const { bucket, revalidates } = request.routeOptions.config ?? {}
    if (bucket === 'archive') return count(reply, revalidationOf(account), undefined)
    if (!revalidates || !isConditional(request)) return countOrdinary(reply, account, bucket)
    const revalidation = revalidationOf(account)
    return after(count(reply, revalidation, undefined), () => {
      request.uncharged = { account, startMs: revalidation.startMs, reply }
    })
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

  function countOrdinary(reply: FastifyReply, account: Account, bucket: string | undefined): Promise<void> | undefined {
    const { owner, minute, month } = account
    if (bucket !== 'search') return count(reply, minute, bucket === 'service' ? undefined : month)
    account.search ??= counterOf({ owner, counts: 'search', period: 'minute', limit: limits.searchPerMinute })
    return count(reply, account.search, month)
  }

  async function charge(request: FastifyRequest, { account, startMs, reply }: Uncharged): Promise<void> {
    request.uncharged = null
    limiter.putBack(account.revalidation as Counter, startMs)
    await countOrdinary(reply, account, request.routeOptions.config?.bucket)
  }

  /** Takes one out of each and says so in the headers; throws, now or later, when one is full. */
  function count(reply: FastifyReply, first: Counter, second: Counter | undefined): Promise<void> | undefined {
    const counted = limiter.take(first, second, (full) => {
      conclude(reply, first, second, full)
      const { usage } = reply.request
      if (usage !== null && second !== undefined) recorder.countRequests(usage, second.startMs)
    })
    // Where the database cannot be asked, no headers stand there yet.
    return counted?.catch((error: unknown) => {
      if (!reply.hasHeader('ratelimit')) report(reply, first, second)
      throw error
    })
  }

  function conclude(reply: FastifyReply, first: Counter, second: Counter | undefined, full: Counter | undefined): void {
    report(reply, full ?? first, second)
    if (full === undefined) return
    const [code, what] = REFUSALS[full.counts] as Refusal
    throw new ApiError(code, `expected at most ${full.limit} ${what} a ${full.period}`, {
      retryAfterSeconds: secondsTo(full.endMs),
    })
  }

  function report(reply: FastifyReply, counter: Counter, month: Counter | undefined): void {
    const headers = rateHeaders(counter, month)
    for (let i = 0; i < headers.length; i += 2) reply.header(headers[i] as string, headers[i + 1])
  }

  /** Of the bucket that the request was counted in, or that refused it: names and values in turn. */
  function rateHeaders(counter: Counter, month: Counter | undefined): (string | number)[] {
    const remaining = remainingOf(counter)
    let policy = `"${counter.counts}";q=${counter.limit};w=${(counter.endMs - counter.startMs) / 1000}`
    let state = `"${counter.counts}";r=${remaining};t=${secondsTo(counter.endMs)}`
    if (month !== undefined && month !== counter) {
      policy += `, "month";q=${month.limit};w=${(month.endMs - month.startMs) / 1000}`
      state += `, "month";r=${remainingOf(month)};t=${secondsTo(month.endMs)}`
    }
    return [
      'x-ratelimit-limit',
      counter.limit,
      'x-ratelimit-remaining',
      remaining,
      'x-ratelimit-reset',
      counter.endMs / 1000,
      'ratelimit-policy',
      policy,
      'ratelimit',
      state,
    ]
  }

  const secondsTo = (endMs: number) => secondsUntil(endMs, now().getTime())

  return {
    admit(request, reply, done) {
      let waiting: Promise<void> | undefined
      try {
        waiting = identify(request, reply)
      } catch (refused) {
        done(refused as Error)
        return
      }
      if (waiting === undefined) done()
      else waiting.then(() => done(), done)
    },
    recognise(request) {
      const { authorization } = request.headers
      if (authorization === undefined) {
        const account = addresses.get(ipOf(request))
        return account && { account, usage: undefined }
      }
      const key = BEARER.exec(authorization)?.[1]
      const entry = key === undefined ? undefined : keys.get(key)
      const found = entry?.row
      if (entry === undefined || found === undefined || found.revoked_at !== null || isExpired(found)) return undefined
      if (found.plan === 'free') return undefined
      return { account: accountOf(found), usage: usageOf(entry, found.key_id) }
    },
    countNow({ account, usage }, as) {
      const first = as === 'request' ? account.minute : revalidationOf(account)
      const second = as === 'request' ? account.month : undefined
      if (takeLeased(now().getTime(), first, second) !== undefined) return undefined
      if (usage !== undefined && second !== undefined) recorder.countRequests(usage, second.startMs)
      return rateHeaders(first, second)
    },
    admitAgent(request, entry) {
      const { agent_id, workspace_id, plan } = entry.row as FoundAgent
      const account = workspaceAccount(workspace_id, plan)
      request.caller = account.caller
      request.usage = usageOf(entry, agent_id)
      request.uncounted = account
    },
    holdBack,
    async refuse(request, reply, error) {
      await refuse(request, reply, error)
      throw error
    },
    async usedThisMonth({ found }) {
      const month = accountOf(found).month as Counter
      const used = await limiter.used(month)
      return { used, resetMs: month.endMs }
    },
    async admitSignup(request, email) {
      const address: Owner = { kind: 'ip', id: networkOf(request.ip) }
      const { signupsPerHour, signupsPerDay, signupsPerEmailPerDay } = limits
      const endMs = await limiter.takeOnce([
        { owner: address, counts: 'signup-hour', period: 'hour', limit: signupsPerHour },
        { owner: address, counts: 'signup-day', period: 'day', limit: signupsPerDay },
        {
          owner: { kind: 'email', id: email.toLowerCase() },
          counts: 'signup-day',
          period: 'day',
          limit: signupsPerEmailPerDay,
        },
      ])
      if (endMs === undefined) return
      // The same words whichever is full: what is known of an e-mail is told to nobody.
      throw new ApiError(
        'signup_rate_limited',
        `expected at most ${signupsPerHour} keys an hour and ${signupsPerDay} a day of an address, and ${signupsPerEmailPerDay} a day of an e-mail`,
        { retryAfterSeconds: secondsTo(endMs) },
      )
    },
    revoke: keys.revoke,
    async close() {
      await Promise.all([recorder.close(), limiter.close()])
    },
  }
}

const CHARGED = Promise.resolve()
/** A feed is also asked for what came after a number. */
const isConditional = ({ headers, query }: FastifyRequest) =>
  headers['if-none-match'] !== undefined ||
  headers['if-modified-since'] !== undefined ||
  (query as { since?: unknown }).since !== undefined
/** The scheme is case-insensitive (RFC 9110 §11.1). */
const BEARER = /^Bearer +(\S+) *$/i
const EXPECTED = 'Authorization: expected "Bearer" and a valid API key, or no such header'
const REVOKED = 'this key was revoked'
const EXPIRED = 'this key was replaced by another, and its time is over'
const UNPLANNED = 'the plan of its workspace has no keys any more'
const KEY_TIERS: Readonly<Record<'any' | 'public_dev', readonly Caller['tier'][]>> = {
  any: ['public_dev', 'org'],
  public_dev: ['public_dev'],
}

type Refusal = readonly [code: 'rate_limited_minute' | 'search_rate_limited' | 'monthly_cap', what: string]
const REFUSALS: Readonly<Record<string, Refusal>> = {
  minute: ['rate_limited_minute', 'requests'],
  revalidation: ['rate_limited_minute', 'revalidations and archives'],
  search: ['search_rate_limited', 'searches'],
  month: ['monthly_cap', 'requests'],
}

function invalidKey(details: string): ApiError {
  return new ApiError('invalid_key', details, { headers: { 'www-authenticate': 'Bearer' } })
}

function accountWith(caller: Caller, owner: Owner): Account {
  const { perMinute, perMonth } = caller
  const minute = counterOf({ owner, counts: 'minute', period: 'minute', limit: perMinute })
  // As large as the minute's, for requests take one of both.
  const lease = leaseSize(perMinute)
  const month =
    perMonth === null ? undefined : counterOf({ owner, counts: 'month', period: 'month', limit: perMonth, lease })
  return { caller, owner, minute, month, search: undefined, revalidation: undefined, refusedMs: Number.NaN }
}

/** What comes next, at once where nothing is waited for. */
function after(waiting: Promise<void> | undefined, next: () => void): Promise<void> | undefined {
  if (waiting !== undefined) return waiting.then(next)
  next()
  return undefined
}

/**
 * Whose address it is: all of an IPv4 address, the /64 of an IPv6 address (what one subscriber is given). What a proxy
 * gives for an address and is none counts as one network.
 */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return 'unknown'
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv4) return address.toString()
  return address.parts
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')
}
