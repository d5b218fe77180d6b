import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import { HOUR_MS, instant } from '@catalog/core/time.ts'
import { isFileError, isRowError, type Tables } from '@catalog/replica/tables.ts'
import type { CatalogVersion } from '@catalog/store/catalog/queries.ts'
import type { Store } from '@catalog/store/db.ts'
import { readCatalogId } from '@catalog/store/feed-keys.ts'
import { type Files, fileOf, memoryFiles, type OpenFile, openFiles } from './files.ts'
import { offsetsOf } from './position.ts'
import { scrub } from './scrub.ts'
import { type Filling, fill, follow } from './sync.ts'

/**
 * The public catalog in a file of this host. The processes of the host share it: one follows the store, and all read.
 *
 * Law: the rows are at least as new as the position says. A generation or a build has a file of its own, so that numbers of
 * two never meet; it is filled beside the one in use.
 */
export type Replica = AsyncDisposable &
  Readonly<{
    /**
     * Brings the replica to this version, which was just read from the store. Returns after `waitMaxMs` at the latest, and goes
     * on behind. Resolves to whether the rows are at least as new as the version.
     */
    reach: (version: CatalogVersion, waitMaxMs?: number) => Promise<boolean>
    /** The tables and the version that they reach; undefined before a filling ended, and while a damaged file is filled again. */
    last: () => { readonly version: CatalogVersion; readonly tables: Tables } | undefined
    /** How far the filling is under way; undefined where none is. */
    filling: () => Filling | undefined
    /** How many files in use proved damaged or were replaced: what was read from them before may be wrong. */
    damages: () => number
  }>

export type ReplicaOptions = Readonly<{
  store: Store
  /** Null: in the memory of this process. */
  folder: string | null
  /** How long `reach` waits at most; absent: {@link WAIT_MAX_MS}. */
  waitMaxMs?: number
  /** Absent: {@link RETRY_AFTER_MS}. */
  retryAfterMs?: number
  /** A pass failed, and the next one tries again. */
  onError?: (error: unknown) => void
  onFill?: (filling: Filling) => void
  /** What was wrong with a file, which is filled again. */
  onDamage?: (damage: unknown) => void
  /** A row could not be shown, but its file is sound: a fault of the code. */
  onFault?: (error: unknown) => void
  scrubPace?: ScrubPace
}>

/** How a replica looks for damage of its file. */
export type ScrubPace = Readonly<{
  /** From the begin of one pass over all rows to that of the next, by the process that writes. */
  everyMs: number
  /** Rows read at once, and the time between two slices. */
  sliceRows: number
  pauseMs: number
  /** How often each process looks whether the file was replaced, or a row of it could not be shown. */
  watchMs: number
}>

/** 10,000 rows a second: 1,000,000 items of thirty rows take 50 minutes. A slice takes some 3 ms. */
const SCRUB_PACE: ScrubPace = { everyMs: HOUR_MS, sliceRows: 500, pauseMs: 50, watchMs: 1_000 }
/** After a check found no damage, errors of rows cause no other one for so long. */
const TRUST_MS = HOUR_MS

/** Readers see the rows of before while a pass takes longer. */
const WAIT_MAX_MS = 250
/** How often a process that does not write looks how far the file came. */
const LOOK_EVERY_MS = 10
/** A pass that failed, for a full disk or a store that is away, is not repeated at once. */
const RETRY_AFTER_MS = 1_000

export function openReplica(options: ReplicaOptions): Replica {
  const { folder, waitMaxMs: usualWaitMs = WAIT_MAX_MS, onFill = () => {}, onError = () => {} } = options
  const { onDamage = () => {}, scrubPace = SCRUB_PACE, retryAfterMs = RETRY_AFTER_MS } = options
  if (folder !== null) makeFolder(folder)
  const stopping = new AbortController()
  const files = folder === null ? memoryFiles() : openFiles(folder, onDamage)
  const checks =
    folder === null ? undefined : keepChecking(options, { files, pace: scrubPace, signal: stopping.signal })
  let catalog: string | undefined
  let wanted: CatalogVersion | undefined
  let pass: { ended: Promise<void>; beganMs: number } | undefined
  let retryAtMs = 0
  let filling: Filling | undefined

  const progress = (now: Filling) => {
    filling = now
    onFill(now)
  }

  async function untilReached(beganMs: number): Promise<void> {
    while (wanted !== undefined && !reaches(files.position(), wanted) && !stopping.signal.aborted) {
      catalog ??= await readCatalogId(options.store)
      await advance(options, { files, version: wanted, catalog, signal: stopping.signal, progress })
      if (files.isWriter()) continue
      // Another process writes: the next call looks again.
      if (performance.now() - beganMs > usualWaitMs) return
      await delay(LOOK_EVERY_MS, undefined, { ref: false })
    }
  }

  function begin(): NonNullable<typeof pass> {
    const beganMs = performance.now()
    const ended = untilReached(beganMs)
      .catch((error: unknown) => {
        retryAtMs = performance.now() + retryAfterMs
        if (!stopping.signal.aborted) onError(error)
      })
      .finally(() => {
        pass = undefined
        filling = undefined
      })
    return { ended, beganMs }
  }

  return {
    async reach(version, waitMaxMs = usualWaitMs) {
      wanted = version
      if (reaches(files.position(), version)) return true
      if (pass === undefined && performance.now() < retryAtMs) return false
      pass ??= begin()
      const leftMs = waitMaxMs - (performance.now() - pass.beganMs)
      if (leftMs === Number.POSITIVE_INFINITY) await pass.ended
      // A long pass delays its first readers alone.
      else if (leftMs > 0) await Promise.race([pass.ended, delay(leftMs, undefined, { ref: false })])
      return reaches(files.position(), version)
    },
    last() {
      const [tables, version] = [files.tables(), files.position()]
      return tables && version && { tables, version }
    },
    filling: () => filling,
    damages: files.damages,
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await Promise.all([pass?.ended, checks?.[Symbol.asyncDispose]()])
      files[Symbol.dispose]()
    },
  }
}

/** One pass to the version, by the process that writes; the others look how far that one came. */
async function advance(
  options: ReplicaOptions,
  {
    files,
    version,
    catalog,
    signal,
    progress,
  }: {
    files: Files
    version: CatalogVersion
    catalog: string
    signal: AbortSignal
    progress: (filling: Filling) => void
  },
): Promise<void> {
  const opened = files.open(version, catalog)
  const file = opened?.isLeft ? await checkedFile(options, { files, version, catalog, opened, signal }) : opened
  if (file === undefined || !files.isWriter()) return
  const { tables } = file
  const step = { store: options.store, tables, version, signal }
  if (files.used()?.tables === tables) {
    await follow(step, files.position() as CatalogVersion)
  } else {
    try {
      await fill(step, progress)
    } catch (error) {
      tables[Symbol.dispose]()
      throw error
    }
  }
  files.use(version, tables)
}

/** The file that an earlier process left, if no byte of it changed since; otherwise an empty one. */
async function checkedFile(
  { onDamage = () => {}, scrubPace = SCRUB_PACE }: ReplicaOptions,
  {
    files,
    version,
    catalog,
    opened,
    signal,
  }: { files: Files; version: CatalogVersion; catalog: string; opened: OpenFile; signal: AbortSignal },
): Promise<OpenFile | undefined> {
  const pause = () => setImmediate(!signal.aborted)
  const finding = await scrub({ file: opened.file, sliceRows: scrubPace.sliceRows, pause })
  if (finding === 'sound') {
    files.use(version, opened.tables)
    return opened
  }
  if (finding === 'abandoned') {
    opened.tables[Symbol.dispose]()
    return undefined
  }
  files.discard(opened)
  onDamage(finding.damage)
  return files.open(version, catalog)
}

/**
 * Looks for damage of the file in use while the process runs: slowly in all rows if the process writes, and at once where a
 * row could not be shown.
 */
function keepChecking(
  { onFault = () => {} }: ReplicaOptions,
  { files, pace, signal }: { files: Files; pace: ScrubPace; signal: AbortSignal },
): AsyncDisposable {
  let dueMs = performance.now() + pace.everyMs
  let checking: Promise<void> | undefined

  async function check(): Promise<void> {
    const used = files.used()
    if (used === undefined) return
    const suspicion = used.tables.suspicion()
    if (suspicion === undefined && (!files.isWriter() || performance.now() < dueMs)) return
    dueMs = performance.now() + pace.everyMs
    async function pause(): Promise<boolean> {
      if (suspicion === undefined) await delay(pace.pauseMs, undefined, { signal, ref: false }).catch(() => {})
      else await setImmediate()
      // A suspicion does not wait until a slow pass comes to the row.
      const isOver = files.used()?.tables !== used?.tables || used?.tables.suspicion() !== suspicion
      return !isOver && !signal.aborted
    }
    const finding = await scrub({ file: used.file, sliceRows: pace.sliceRows, pause })
    if (finding === 'abandoned') dueMs = 0
    else if (finding !== 'sound') {
      used.tables.tear(finding.damage)
      files.inspect()
    } else if (suspicion !== undefined) {
      used.tables.trust(performance.now() + TRUST_MS)
      onFault(suspicion)
    }
  }

  const timer = setInterval(() => {
    files.inspect()
    checking ??= check().finally(() => {
      checking = undefined
    })
  }, pace.watchMs).unref()
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await checking
    },
  }
}

/** Makes the folder, which holds what only details show. Throws when something else has its name. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    if (!['EEXIST', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    const expected = 'expected a folder for the replica, or nothing, in the folder CATALOG_DATA'
    throw new Error(`'${folder}' is, or lies below, a file: ${expected}`, { cause: error })
  }
  // An operator may have made it. One of another owner stays as it is.
  if (statSync(folder).uid === process.getuid?.()) chmodSync(folder, 0o700)
}

/** The last finished run that the tables know; null before the first, or where it cannot be read. They do not know its id. */
export function lastRunOf(tables: Tables): { id: null; as_of: string; finished_at: null } | null {
  try {
    const run = tables.get<{ as_of: string }>('select as_of from runs order by offset desc limit 1')
    return run === undefined ? null : { id: null, as_of: instant(new Date(run.as_of)), finished_at: null }
  } catch (error) {
    if (isRowError(error)) tables.suspect(error)
    else if (!isFileError(error)) throw error
    return null
  }
}

/** Whether rows at the position are at least as new as the version. */
function reaches(position: CatalogVersion | undefined, version: CatalogVersion): boolean {
  if (position === undefined || fileOf(position) !== fileOf(version)) return false
  if (position.bulk !== version.bulk || position.floors !== version.floors) return false
  if (position.checkpoints === version.checkpoints && position.seq === version.seq) return true
  const [at, to] = [offsetsOf(position), offsetsOf(version)]
  return (
    position.seq >= version.seq &&
    at.items >= to.items &&
    at.decisions >= to.decisions &&
    [...to.observations].every(([partition, next]) => (at.observations.get(partition) ?? 0n) >= next)
  )
}
