import type { IncomingMessage } from 'node:http'
import type { Counter } from '@catalog/access/counter.ts'
import type { CacheEntry } from '@catalog/access/key-cache.ts'
import { openApiKeyCache } from '@catalog/access/keys.ts'
import { openLimiter } from '@catalog/access/rate-limiter.ts'
import { openUsage, type Usage } from '@catalog/access/usage.ts'
import type { ApiError } from '@catalog/api/http/errors.ts'
import type { FoundKey } from '@catalog/store/accounts/accounts.ts'
import type { FoundAgent } from '@catalog/store/accounts/agents.ts'
import type { Store } from '@catalog/store/db.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Account, type KnownCaller, openAccounts } from './accounts.ts'
import {
  type Authentication,
  authenticate,
  bearerKey,
  isUsable,
  recordedUse,
  refuseKey,
  stopGuessing,
} from './authenticate.ts'
import {
  type Charging,
  chargeExportPage,
  chargeNow,
  chargeOrdinary,
  chargeRevalidation,
  chargeSearches,
  chargeSignup,
  type Exhausted,
  type Revalidation,
  uncountedHeaders,
} from './charge.ts'
import type { Caller, Limits } from './rate-limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every request below /v1. */
    caller: Caller
    /** The valid key that came with the request; null for an anonymous caller. */
    credential: Credential | null
    /** Records the use of the key or agent; null for an anonymous caller. */
    usage: Usage | null
    /** Set while the request counts only as a revalidation. */
    uncharged: Revalidation | null
    /** The account of an admitted request that nothing has counted yet: see the bucket 'message'. */
    uncounted: Account | null
    /**
     * Counts a revalidation as an ordinary request, because its answer is not 304. Throws the error of a full limit. Does
     * nothing for a request that is counted already.
     */
    charge(): Promise<void>
    /**
     * Counts further searches beside the one that admission counted: all or none, as far as this process knows. Throws the
     * error of a full limit.
     */
    countSearches(reply: FastifyReply, further: number): Promise<void>
    /** Counts a further page of an export; answers the limit that refuses it. Works after the headers were sent. */
    countExportPage(): Promise<Exhausted | undefined>
    /**
     * Counts a request of the bucket 'message' in another bucket, once, as so many searches. Throws the error of a full limit. Does
     * nothing for a request that is counted already.
     */
    countMessage(
      reply: FastifyReply,
      bucket: 'request' | 'search' | 'service',
      searchesOf?: () => number,
    ): Promise<void>
  }
  interface FastifyContextConfig {
    /**
     * The bucket of a route. Absent: requests per minute and per month. 'search': searches per minute, and the month.
     * 'service': the minute alone, so that a caller at its monthly cap can ask about it. 'account': a limit of its own by address,
     * so that a leaked key at its limits can be revoked. 'archive': revalidations, whatever
     * the answer, for what mirrors read and caches keep. 'message': the body decides, and the route calls
     * `request.countMessage()`; admission counts refused callers itself.
     */
    bucket?: 'search' | 'service' | 'account' | 'archive' | 'message'
    /** A conditional request counts only as a revalidation until `request.charge()` is called. */
    revalidates?: boolean
    /** Answers, uncounted, also while no database counts the request. */
    answersUncounted?: boolean
    /** A key that is over or unknown counts as none: programs that keep one read feeds, documents and prices, or sign up anew. */
    isOpen?: boolean
    /** Required kind of key; without it the answer is 401. */
    key?: 'any' | 'public_dev'
  }
}

export type Credential = Readonly<{ key: string; found: FoundKey }>

export interface Callers {
  /** Gives each request of the app a caller, a credential and charge(). Gives back unused leases when the app closes. */
  prepareRequests(app: FastifyInstance): void
  /**
   * Counts and admits a request: sets `request.caller` and the rate headers. Passes `done` the error of a full limit, of an
   * invalid key, or of an unavailable store. Calls `done` before it returns, unless it must query the database.
   */
  admit(request: FastifyRequest, reply: FastifyReply, done: (refused?: Error) => void): void
  /** The rate headers, names and values in turn, of an address whose request cannot be read: nothing counts it. */
  unread(ip: string): (string | number)[]
  /** The caller of a request, without waiting: undefined when its account is not in memory or its key is not usable. */
  recognise(request: IncomingMessage): KnownCaller | undefined
  /**
   * Counts a request or a revalidation without waiting, and answers the rate headers, names and values in turn. Undefined,
   * with nothing counted, when a limit is reached or the database must be queried.
   */
  countNow(caller: KnownCaller, as: 'request' | 'revalidation'): (string | number)[] | undefined
  /**
   * Admits a request that an agent sends with a token: sets `request.caller` and `request.uncounted`. The agent shares the
   * limits of its workspace with the keys of that workspace.
   */
  admitAgent(request: FastifyRequest, agent: CacheEntry<FoundAgent>): void
  /** Throws the error of a full limit when this address used up its minute with refused keys. */
  stopGuessing(request: FastifyRequest, reply: FastifyReply): void
  /** Counts a failed attempt as an anonymous request of its address, and throws the error. */
  refuse(request: FastifyRequest, reply: FastifyReply, error: ApiError): Promise<never>
  /** Requests of the key or its workspace in this month; counts of other processes are up to a second old. */
  usedThisMonth(credential: Credential): Promise<{ used: number; resetMs: number }>
  /** Counts a signup for an address and an e-mail, and sets the rate headers of signups; throws signup_rate_limited. */
  admitSignup(request: FastifyRequest, reply: FastifyReply, email: string): Promise<void>
  /** Refuses the key in this process from now on. */
  revoke(key: string, at: string): void
}

export function openCallers({
  store,
  limits,
  now,
  ipOf,
  isAway,
}: {
  store: Store
  limits: Limits
  now: () => Date
  ipOf: (raw: IncomingMessage) => string
  /** Whether the store does not answer; undefined where nothing can be read without it. */
  isAway: () => boolean | undefined
}): Callers {
  const limiter = openLimiter({ store, now, isAway })
  const recorder = openUsage({ store, now })
  const keys = openApiKeyCache({ store, now, isAway: () => isAway() === true })
  const accounts = openAccounts({ limits, release: (counter) => limiter.release(counter) })
  const charging: Charging = { limiter, recorder, limits, now, addressOf: accounts.ofAddress }
  const authentication: Authentication = { keys, accounts, charging }
  return {
    prepareRequests(app) {
      decorateRequests(app, authentication)
      app.addHook('onClose', () => Promise.all([recorder.close(), limiter.close()]))
    },
    admit(request, reply, done) {
      let waiting: Promise<void> | undefined
      try {
        waiting = authenticate(authentication, { request, reply })
      } catch (refused) {
        done(refused as Error)
        return
      }
      if (waiting === undefined) done()
      else waiting.then(() => done(), done)
    },
    unread: (ip) => uncountedHeaders(charging, accounts.ofAddress(ip).minute),
    recognise: (request) => knownCaller(authentication, request, ipOf),
    countNow: (caller, as) => chargeNow(charging, { ...caller, as }),
    admitAgent(request, entry) {
      const { agent_id, workspace_id, plan } = entry.row as FoundAgent
      const account = accounts.ofWorkspace(workspace_id, plan)
      request.caller = account.caller
      request.usage = recordedUse(charging, entry, agent_id)
      request.uncounted = account
    },
    stopGuessing: (request, reply) => stopGuessing(authentication, { request, reply }),
    async refuse(request, reply, error) {
      await refuseKey(authentication, { request, reply }, error)
      throw error
    },
    async usedThisMonth({ found }) {
      const month = accounts.ofKey(found).month as Counter
      const used = await limiter.used(month)
      return { used, resetMs: month.endMs }
    },
    admitSignup: (request, reply, email) => chargeSignup(charging, { ip: request.ip, email, reply }),
    revoke: keys.revoke,
  }
}

function decorateRequests(app: FastifyInstance, { accounts, charging }: Authentication): void {
  app.decorateRequest('caller', null as never)
  app.decorateRequest('credential', null)
  app.decorateRequest('usage', null)
  app.decorateRequest('uncharged', null)
  app.decorateRequest('uncounted', null)
  app.decorateRequest('charge', function (this: FastifyRequest) {
    return this.uncharged === null ? CHARGED : chargeRevalidation(charging, this, this.uncharged)
  })
  const accountOf = ({ credential, ip }: FastifyRequest) =>
    credential === null ? accounts.ofAddress(ip) : accounts.ofKey(credential.found)
  app.decorateRequest('countSearches', async function (this: FastifyRequest, reply: FastifyReply, further: number) {
    await chargeSearches(charging, { reply, account: accountOf(this), further })
  })
  app.decorateRequest('countExportPage', function (this: FastifyRequest) {
    return chargeExportPage(charging, { account: accountOf(this), request: this })
  })
  app.decorateRequest('countMessage', async function (this: FastifyRequest, reply, bucket, searchesOf = () => 1) {
    const account = this.uncounted
    this.uncounted = null
    if (account === null) return
    await chargeOrdinary(charging, { reply, account, bucket })
    const further = searchesOf() - 1
    if (further > 0) await chargeSearches(charging, { reply, account, further })
  })
}
const CHARGED = Promise.resolve()

function knownCaller(
  { keys, accounts, charging }: Authentication,
  request: IncomingMessage,
  ipOf: (raw: IncomingMessage) => string,
): KnownCaller | undefined {
  const { authorization } = request.headers
  if (authorization === undefined) {
    const account = accounts.ofKnownAddress(ipOf(request))
    return account && { account, usage: undefined }
  }
  const key = bearerKey(authorization)
  const entry = key === undefined ? undefined : keys.get(key)
  const found = entry?.row
  if (entry === undefined || found === undefined || !isUsable(found, charging.now().getTime())) return undefined
  return {
    account: accounts.ofKey(found),
    usage: recordedUse(charging, entry, found.key_id),
    address: found.kind === 'pub' ? accounts.ofAddress(ipOf(request)) : undefined,
  }
}
