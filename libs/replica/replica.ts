import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { instant } from '@catalog/core/time.ts'
import type { CatalogVersion } from '@catalog/store/catalog/queries.ts'
import type { Store } from '@catalog/store/db.ts'
import { offsetsOf, readPosition } from './position.ts'
import { fill, follow } from './sync.ts'
import { createTables, openTables, removeTables, TABLES_VERSION, type Tables } from './tables.ts'

/**
 * A copy of the public catalog in a file of this host. The processes of the host share it: one follows the store, and all read.
 *
 * Law: the rows are at least as new as the position says. A generation or a build has a file of its own, so that numbers of
 * two never meet; it is filled beside the one in use.
 */
export type Replica = AsyncDisposable &
  Readonly<{
    /**
     * Brings the replica to this version, which was just read from the store; returns after {@link WAIT_MAX_MS} at the latest,
     * and goes on behind.
     */
    reach: (version: CatalogVersion) => Promise<void>
    /** The tables, if they reach the last version that `reach` was given. */
    current: () => Tables | undefined
    /** The tables and the version that they reach, however old; undefined before a filling ended. */
    last: () => { readonly version: CatalogVersion; readonly tables: Tables } | undefined
  }>

export type ReplicaOptions = Readonly<{
  store: Store
  folder: string
  /** A pass failed, and the next one tries again. */
  onError?: (error: unknown) => void
  onFill?: (items: number) => void
}>

/** Readers get their answers from the store while a pass takes longer. */
const WAIT_MAX_MS = 100
/** A pass that failed, for a full disk or a store that is away, is not repeated at once. */
const RETRY_AFTER_MS = 1_000

export function openReplica(options: ReplicaOptions): Replica {
  mkdirSync(options.folder, { recursive: true, mode: 0o700 })
  // An operator may have made it. One of another owner stays as it is.
  if (statSync(options.folder).uid === process.getuid?.()) chmodSync(options.folder, 0o700)
  const { onError = () => {} } = options
  const stopping = new AbortController()
  const files = openFiles(options.folder)
  let wanted: CatalogVersion | undefined
  let pass: Promise<void> | undefined
  let retryAtMs = 0

  async function untilReached(): Promise<void> {
    while (wanted !== undefined && !reaches(files.position(), wanted) && !stopping.signal.aborted) {
      await advance(options, { files, version: wanted, signal: stopping.signal })
      if (!files.isWriter()) return
    }
  }

  return {
    async reach(version) {
      wanted = version
      if (reaches(files.position(), version)) return
      if (performance.now() < retryAtMs) return
      pass ??= untilReached()
        .catch((error: unknown) => {
          retryAtMs = performance.now() + RETRY_AFTER_MS
          if (!stopping.signal.aborted) onError(error)
        })
        .finally(() => {
          pass = undefined
        })
      await Promise.race([pass, delay(WAIT_MAX_MS, undefined, { ref: false })])
    },
    current: () => (wanted !== undefined && reaches(files.position(), wanted) ? files.tables() : undefined),
    last() {
      const [tables, version] = [files.tables(), files.position()]
      return tables && version && { tables, version }
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await pass
      files[Symbol.dispose]()
    },
  }
}

/** One pass to the version, by the process that writes; the others look how far that one came. */
async function advance(
  { store, onFill = () => {} }: ReplicaOptions,
  { files, version, signal }: { files: Files; version: CatalogVersion; signal: AbortSignal },
): Promise<void> {
  const tables = files.open(version)
  if (tables === undefined || !files.isWriter()) return
  const step = { store, tables, version, signal }
  const from = files.tables() === tables ? files.position() : undefined
  if (from !== undefined) {
    await follow(step, from)
  } else {
    try {
      await fill(step, onFill)
    } catch (error) {
      tables[Symbol.dispose]()
      throw error
    }
  }
  files.use(version, tables)
}

/** The files of a folder: the one in use, and one that is being filled. */
type Files = Disposable &
  Readonly<{
    /** Opens the file of a version; undefined where another process has not filled it yet. */
    open: (version: CatalogVersion) => Tables | undefined
    /** Reads from these tables from now on, at their position. */
    use: (version: CatalogVersion, tables: Tables) => void
    tables: () => Tables | undefined
    position: () => CatalogVersion | undefined
    isWriter: () => boolean
  }>

function openFiles(folder: string): Files {
  let lock: Disposable | undefined
  let used: { readonly name: string; readonly tables: Tables; position: CatalogVersion | undefined } | undefined
  function use(version: CatalogVersion, tables: Tables): void {
    const name = fileOf(version)
    if (used?.tables !== tables) used?.tables[Symbol.dispose]()
    used = { name, tables, position: readPosition(tables) }
    if (lock !== undefined) removeOthers(folder, name)
  }
  return {
    open(version) {
      const name = fileOf(version)
      const wasWriter = lock !== undefined
      lock ??= tryLock(join(folder, LOCK_FILE))
      // A process that takes over from another one has opened the file for reading alone.
      const isUsable = used?.name === name && wasWriter === (lock !== undefined) && !used.tables.isTorn()
      if (used !== undefined && isUsable) {
        used.position = readPosition(used.tables)
        return used.tables
      }
      const file = join(folder, name)
      if (used?.tables.isTorn()) {
        used.tables[Symbol.dispose]()
        used = undefined
        if (lock !== undefined) removeTables(file)
      }
      if (lock === undefined && !existsSync(file)) return undefined
      const tables = lock === undefined ? openTables(file) : createTables(file)
      if (readPosition(tables) !== undefined) use(version, tables)
      else if (lock === undefined) {
        tables[Symbol.dispose]()
        return undefined
      }
      return tables
    },
    use,
    tables: () => (used?.tables.isTorn() ? undefined : used?.tables),
    position: () => (used?.tables.isTorn() ? undefined : used?.position),
    isWriter: () => lock !== undefined,
    [Symbol.dispose]() {
      used?.tables[Symbol.dispose]()
      used = undefined
      lock?.[Symbol.dispose]()
    },
  }
}

/** The last finished run that the tables know; null before the first. They do not know its id. */
export function lastRunOf(tables: Tables): { id: null; as_of: string; finished_at: null } | null {
  const run = tables.get<{ as_of: string }>('select as_of from runs order by offset desc limit 1')
  return run === undefined ? null : { id: null, as_of: instant(new Date(run.as_of)), finished_at: null }
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

const LOCK_FILE = 'writer.lock'
const fileOf = ({ gen, build }: CatalogVersion) => `catalog-${TABLES_VERSION}-${gen}-${build}.sqlite`

/** Takes the lock of the folder, which ends with this process; undefined while another process has it. */
function tryLock(file: string): Disposable | undefined {
  const db = new DatabaseSync(file, { timeout: 0 })
  try {
    chmodSync(file, 0o600)
    db.exec('begin exclusive')
    return db
  } catch (error) {
    db.close()
    if (/locked|busy/.test((error as Error).message)) return undefined
    throw error
  }
}

/** Removes the files of other generations, builds and versions of the tables. */
function removeOthers(folder: string, name: string): void {
  for (const file of readdirSync(folder)) {
    if (file.startsWith('catalog-') && !file.startsWith(name)) rmSync(join(folder, file), { force: true })
  }
}
