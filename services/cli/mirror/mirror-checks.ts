import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { Catalog } from '@catalog/cli/shared/wire.ts'
import { type FeedState, SCOPES } from '@catalog/core/changes/protocol.ts'
import { instant, MINUTE_MS } from '@catalog/core/time.ts'
import { type OriginState, parseState } from '@catalog/mirror/origin-state.ts'
import { ForbiddenAddress, type GuardedRequest } from '@catalog/runtime/fetch.ts'
import { atMostOnceAMinute, type Logger } from '@catalog/runtime/run.ts'
import { readDigest } from '@catalog/store/catalog/digests.ts'
import { readFeedState } from '@catalog/store/catalog/feeds.ts'
import { acquireLease, releaseLease } from '@catalog/store/lease.ts'
import { type MirrorSeen, readMirrorsSeen, saveMirrorsSeen } from '@catalog/store/mirror-list.ts'

/** Asks the operator's mirrors how they stand, in one process of the catalog at a time, for `GET /v1/mirrors`. */

const CHECK_EVERY_MS = 5 * MINUTE_MS
/** How often a process looks whether a check is due. */
const LOOK_EVERY_MS = MINUTE_MS
/** All checks of a round end within this time: some groups of mirrors that are all late. */
const LEASE_MS = 3 * MINUTE_MS
const TOGETHER_MAX = 5
const ANSWER_MS_MAX = 10_000
const STALL_MS_MAX = 5_000
/** state.json has some 5 kB. */
const STATE_BYTES_MAX = 262_144

type ChecksContext = Readonly<{
  catalog: Pick<Catalog, 'store' | 'now'>
  /** Base addresses. */
  urls: readonly string[]
  request: GuardedRequest
  signal: AbortSignal
  log: Pick<Logger, 'warn'>
}>

/** Checks all mirrors every five minutes until the signal aborts. A failure is logged; the next round tries again. */
export async function checkMirrorsWhenDue(context: ChecksContext): Promise<void> {
  const { signal, log, urls } = context
  const onError = atMostOnceAMinute((err) => log.warn({ err }, 'the mirrors could not be checked; tried again'))
  while (!signal.aborted && urls.length > 0) {
    await checkMirrors(context).catch((err: unknown) => signal.aborted || onError(err))
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
  }
}

/** Checks all mirrors if that is due and no other process does it now; returns whether it did. */
export async function checkMirrors(context: ChecksContext): Promise<boolean> {
  const { catalog, urls } = context
  const { store, now } = catalog
  const lease = { name: 'mirrors', holder: `${hostname()}:${process.pid}` }
  const isDue = async () => {
    const seen = await readMirrorsSeen(store)
    const ageMs = seen === undefined ? Number.POSITIVE_INFINITY : now().getTime() - Date.parse(seen.checked_at)
    return ageMs >= CHECK_EVERY_MS || ageMs < 0 || urls.some((url) => !seen?.mirrors.some((known) => known.url === url))
  }
  if (!(await isDue()) || !(await acquireLease(store, { ...lease, ttlMs: LEASE_MS }))) return false
  try {
    // Another process may have checked them just now.
    if (!(await isDue())) return false
    const former = (await readMirrorsSeen(store))?.mirrors ?? []
    const ours = await readFeedState(store)
    const mirrors: MirrorSeen[] = []
    for (let from = 0; from < urls.length; from += TOGETHER_MAX) {
      const group = urls.slice(from, from + TOGETHER_MAX)
      mirrors.push(...(await Promise.all(group.map((url) => check(context, { url, former, ours })))))
    }
    context.signal.throwIfAborted()
    await saveMirrorsSeen(store, { checked_at: instant(now()), mirrors })
    return true
  } finally {
    await releaseLease(store, lease)
  }
}

type Check = Readonly<{ url: string; former: readonly MirrorSeen[]; ours: FeedState }>

const NEVER_SEEN: Omit<MirrorSeen, 'url'> = {
  gen: null,
  scopes: [],
  lag_changes: null,
  behind_since: null,
  digest: null,
  last_seen_at: null,
  last_error: null,
}

async function check(context: ChecksContext, { url, former, ours }: Check): Promise<MirrorSeen> {
  const { store, now } = context.catalog
  const before = former.find((known) => known.url === url) ?? { url, ...NEVER_SEEN }
  try {
    const { state, scopes } = await readState(context, url)
    const at = instant(now())
    const lag = lagOf(state, { scopes, ours })
    const behindSince = lag === 0 || lag === null ? null : (before.behind_since ?? at)
    return {
      url,
      gen: state.gen,
      scopes,
      lag_changes: lag,
      behind_since: behindSince,
      digest: await digestOf(store, { state, scope: scopes[0] }),
      last_seen_at: at,
      last_error: before.last_error,
    }
  } catch (error) {
    context.signal.throwIfAborted()
    if (!(error instanceof MirrorProblem)) throw error
    context.log.warn({ err: error.cause, url }, `the mirror could not be read: ${error.message}`)
    return { ...before, last_error: { at: instant(now()), details: error.message } }
  }
}

/** The changes of our head that the scope lacks which lacks most; null in another generation. */
function lagOf(state: OriginState, { scopes, ours }: { scopes: readonly string[]; ours: FeedState }): number | null {
  if (state.gen !== ours.gen) return null
  const headOf = (scope: string) => Number(ours.scopes.find((known) => known.scope === scope)?.head ?? 0n)
  return Math.max(0, ...scopes.map((scope) => headOf(scope) - (state.scopes.get(scope)?.head ?? 0)))
}

async function digestOf(
  store: Catalog['store'],
  { state, scope }: { state: OriginState; scope: string | undefined },
): Promise<MirrorSeen['digest']> {
  const found = scope === undefined ? undefined : state.digest?.scopes.get(scope)
  if (scope === undefined || found === undefined) return null
  const ours = await readDigest(store, { gen: state.gen, scope, seq: BigInt(found.seq) })
  return { scope, seq: found.seq, state_root: found.root, is_equal: ours ? ours.stateRoot === found.root : null }
}

/** Says in public why a mirror could not be read, with no word of the mirror's and no address. */
class MirrorProblem extends Error {
  override name = 'MirrorProblem'
}

type Found = Readonly<{ state: OriginState; scopes: readonly string[] }>

/** state.json of a mirror, an API or a folder of plain files. Throws MirrorProblem. */
async function readState(context: ChecksContext, url: string): Promise<Found> {
  const folder = url.endsWith('/') ? url : `${url}/`
  for (const address of [`${folder}feeds/state.json`, `${folder}state.json`]) {
    const bytes = await read(context, address)
    if (bytes === undefined) continue
    try {
      const state = parseState(bytes, address)
      return { state, scopes: SCOPES.filter((scope) => state.scopes.has(scope)) }
    } catch (cause) {
      throw new MirrorProblem('state.json: expected a state of ccm/1', { cause })
    }
  }
  throw new MirrorProblem('no state.json: expected the address of an API, or of a copy as plain files')
}

/** The body at the address; undefined where there is none. Throws MirrorProblem. */
async function read({ request, signal }: ChecksContext, address: string): Promise<Uint8Array | undefined> {
  const late = AbortSignal.timeout(ANSWER_MS_MAX)
  try {
    const { statusCode, body } = await request(new URL(address), {
      headers: { accept: 'application/json', 'accept-encoding': 'identity', 'cache-control': 'no-cache' },
      signal: AbortSignal.any([signal, late]),
      stallMs: STALL_MS_MAX,
    })
    if (statusCode !== 200) {
      // Where nobody hears it, the error of a broken-off body ends the process.
      body.on('error', () => {}).destroy()
      if (statusCode === 404 || statusCode === 410) return undefined
      throw new MirrorProblem(`status ${statusCode}: expected 200`)
    }
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of body) {
      chunks.push(chunk as Uint8Array)
      length += (chunk as Uint8Array).length
      if (length > STATE_BYTES_MAX)
        throw new MirrorProblem(`state.json is longer than ${STATE_BYTES_MAX} bytes: expected fewer`)
    }
    return Buffer.concat(chunks)
  } catch (cause) {
    if (cause instanceof MirrorProblem) throw cause
    if (late.aborted) throw new MirrorProblem(`no answer within ${ANSWER_MS_MAX / 1_000} s`, { cause })
    const isRefused = cause instanceof ForbiddenAddress
    throw new MirrorProblem(isRefused ? 'its address is not of the public internet' : 'it does not answer', { cause })
  }
}
