import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { retryForever } from '@catalog/runtime/run.ts'
import { openCopy } from './copy.ts'
import { CopyMoved, type CopyPosition } from './copy-position.ts'
import type { CopyItem } from './copy-tables.ts'
import { type DownloadOptions, type Downloads, openDownloads } from './downloads.ts'
import type { Position } from './feed-document.ts'
import { checkIdentity, type Identity, requireValid } from './identity.ts'
import { MirrorError } from './mirror-error.ts'
import { openOrigin } from './origin.ts'
import { advance, type Pass, type PassProgress, type PassResult } from './sync-pass.ts'

/**
 * The reference client of protocol ccm/1 (docs/mirror-protocol.md): a copy of one scope, provably equal to the origin.
 *
 * Law: whatever origin, caches and power supply do, the rows are the origin's state at the position, and the position
 * never moves backwards within a generation. A copy that knows its catalog takes nothing that another one says.
 */
export type Mirror = Disposable & {
  /**
   * Runs one pass until the copy reaches the origin's head. Throws a MirrorError when it cannot; rows and position then
   * stay at the last verified change. Throws the signal's reason when that aborts.
   */
  readonly sync: (options?: SyncOptions) => Promise<SyncReport>
  /**
   * Repeats passes until the signal aborts. It retries transient errors and throws a contradiction. Each pass asks the
   * origin to hold its answer until something changes, for {@link WAIT_SECONDS}.
   */
  readonly follow: (options: {
    /** Milliseconds between two passes; null: the pace of {@link nextPauseMs}. */
    everyMs: number | null
    signal: AbortSignal
    onSync?: (synced: SyncReport) => void
    onRetry?: (error: unknown, waitMs: number) => void
  }) => Promise<void>
  /** Null before the first pass. */
  readonly state: () => MirrorState | null
  /** The public states in id order. */
  readonly items: () => Generator<CopyItem>
}

export type SyncOptions = Readonly<{
  signal?: AbortSignal
  /** How long the origin may hold its answer while nothing changes; absent: it answers at once. */
  waitSeconds?: number
}>

/** Less than the longest that an origin allows, and than the time without a byte after which a download fails. */
const WAIT_SECONDS = 20
const PAUSE_MS_MIN = 60_000
const PAUSE_MS_MAX = 3_600_000

/**
 * The pause of a follower after a pass: a minute where the pass brought changes, then twice as long after each pass
 * without any, up to an hour. An idle day is 29 passes of some 3 kB, which is less than 100 kB.
 */
export const nextPauseMs = (pauseMs: number | null, applied: number): number =>
  pauseMs === null || applied > 0 ? PAUSE_MS_MIN : Math.min(pauseMs * 2, PAUSE_MS_MAX)

/** `identity` is null while the origin has not proved whose the copy is. */
export type MirrorState = CopyPosition & Readonly<{ scope: string; count: number; identity: Identity | null }>
export type SyncReport = Readonly<PassResult & { state: MirrorState; requests: number }>

export type MirrorOptions = DownloadOptions &
  Readonly<{
    /** The base address with its /v1, or the folder of a static copy. */
    url: string
    /** 'items' or 'region/ES'. */
    scope: string
    /** Where to keep the copy: a folder with a file for each scope, or an open database of node:sqlite. */
    into: string | DatabaseSync
    /** Ids of keys of which the origin must prove to have one, directly or by endorsement; absent: those that the copy keeps. */
    keys?: readonly string[]
    /** A later generation to take although it has fewer items. */
    acceptGeneration?: string | undefined
    onProgress?: (progress: PassProgress) => void
    /** Replaces HTTP. */
    downloads?: Downloads
  }>

/** Rounds without an applied change before giving up; all but the first bypass caches. */
const ROUNDS_MAX = 5

export function openMirror({ url, scope, into, onProgress = () => {}, ...parts }: MirrorOptions): Mirror {
  const { keys: named = [], acceptGeneration: accepted, now = () => new Date() } = parts
  if (!SCOPE.test(scope)) throw new Error(`scope '${scope}': expected items or region/CODE`)
  if (typeof into === 'string') mkdirSync(into, { recursive: true })
  const copy = openCopy(typeof into === 'string' ? join(into, copyFileOf(scope)) : into, scope)
  const downloads = parts.downloads ?? openDownloads(parts)
  const origin = openOrigin(url, downloads)

  const state = (): MirrorState | null => {
    const position = copy.position()
    return position && { scope, ...position, count: copy.count(), identity: copy.identity.read() }
  }

  async function sync({ signal, waitSeconds }: SyncOptions = {}): Promise<SyncReport> {
    const before = downloads.requests()
    const result: PassResult = { applied: 0, restart: null, repaired: 0 }
    let previousMessage = ''
    for (let rounds = 1; ; rounds++) {
      const isFresh = rounds > 1
      const appliedBefore = result.applied
      try {
        const options = { isFresh, ...(signal && { signal }) }
        const read = async (address: string) => await origin.read(address, options)
        const readSince: Pass['readSince'] = (address, query) => origin.readSince(address, query, options)
        const current = await origin.state({ ...options, ...(waitSeconds !== undefined && { waitSeconds }) })
        const known = copy.identity.read()
        const stateUrl = origin.stateUrl() as string
        if (current !== 'unchanged') {
          const check = { state: current, url: stateUrl, known, named, now: now(), read }
          const identity = await checkIdentity(check)
          const isProved = identity !== null && (known !== null || named.length > 0)
          await advance({
            copy,
            scope,
            origin: current,
            isFresh,
            isProved,
            accepted,
            read,
            readSince,
            onProgress,
            result,
          })
          // Only after its documents proved right: whoever signs nonsense is nobody to keep to.
          if (identity !== null) copy.identity.save(identity)
          origin.settled()
        } else if (known !== null) requireValid(known.validUntil, { now: now(), url: stateUrl })
        return { ...result, state: state() as MirrorState, requests: downloads.requests() - before }
      } catch (error) {
        origin.unsettled()
        const kind = error instanceof CopyMoved ? 'unsettled' : error instanceof MirrorError ? error.kind : null
        if (kind === null || kind === 'unreachable') throw error
        if (result.applied > appliedBefore) rounds = 1
        const { message } = error as Error
        // The same contradiction past all caches is final.
        const isFinal = (kind === 'contradiction' || kind === 'refused') && isFresh && message === previousMessage
        if (isFinal || rounds >= ROUNDS_MAX)
          throw withPosition(error as Error, { kind, scope, position: copy.position() })
        previousMessage = message
      }
    }
  }

  return {
    sync,
    state,
    items: copy.items,
    follow: ({ everyMs, signal, onSync = () => {}, onRetry = () => {} }) =>
      retryForever(
        async () => {
          let pauseMs: number | null = null
          while (!signal.aborted) {
            const synced = await sync({ signal, waitSeconds: WAIT_SECONDS })
            onSync(synced)
            pauseMs = everyMs ?? nextPauseMs(pauseMs, synced.applied)
            await delay(pauseMs, undefined, { signal }).catch(() => {})
          }
        },
        { signal, isFatal: (error) => !(error instanceof MirrorError) || error.kind === 'contradiction', onRetry },
      ),
    [Symbol.dispose]: () => copy[Symbol.dispose](),
  }
}

const SCOPE = /^items$|^region\/[A-Z]{2,5}$/

/** File of a scope's copy within the folder. */
export const copyFileOf = (scope: string) => `${scope.replace('/', '-')}.sqlite`

/** Adds the copy's position to an error without a change number. */
function withPosition(
  error: Error,
  { kind, scope, position }: { kind: MirrorError['kind']; scope: string; position: Position | null },
): MirrorError {
  if (error instanceof MirrorError && error.seq !== undefined) return error
  const seq = position?.seq ?? 0
  return new MirrorError(`${scope} after seq ${seq}: ${error.message}`, { kind, seq, cause: error })
}
