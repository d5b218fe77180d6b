import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { openStore, type Store } from '@catalog/store/db.ts'
import type { Sealing } from '@catalog/store/sealing.ts'
import { ensureCluster } from './cluster.ts'
import { makePrivate, makePrivateIn } from './private-folder.ts'

/** The embedded store: Postgres in this process tree (PGlite), durable in one folder. */
export interface Embedded extends AsyncDisposable {
  readonly store: Store
  /** True when this process runs the worker; false when it joined another process's worker. */
  readonly owner: boolean
  /** Reclaims the space of dead rows and updates the planner's statistics; PGlite has no background process for it. */
  vacuum(): Promise<void>
}

export type EmbeddedOptions = Readonly<{
  dir: string
  connectionsMax?: number
  /** A folder of this user alone for sockets, as XDG_RUNTIME_DIR names it. */
  runtimeDir?: string | undefined
  sealing?: Sealing | undefined
}>

/**
 * A second process waits this long for the owner's socket: a first start runs initdb, which takes seconds on a slow
 * disk.
 */
const OPEN_TIMEOUT_MS = 60_000
const OPEN_RETRY_MS = 100
/** The folder of PGlite's files within the data folder. */
export const DATA_FOLDER = 'postgres'

/** Clients get this long to finish their transaction when the owner stops. */
const DRAIN_TIMEOUT_MS = 10_000
/** sun_path holds 108 bytes on Linux, 104 on macOS, with the final zero. */
const SOCKET_PATH_BYTES_MAX = 100

/**
 * Opens the folder, or joins the process that has it open. PGlite has one backend, and corrupts transactions when code
 * calls it in process beside its clients. So the owner runs it in a worker thread behind a Unix socket, and all
 * clients, the owner included, connect through pg.
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { dir, connectionsMax, sealing } = options
  makePrivate(dir)
  const connections = { sealing, ...(connectionsMax !== undefined && { connectionsMax }) }
  const deadline = performance.now() + OPEN_TIMEOUT_MS
  for (;;) {
    const lock = takeLock(dir)
    if (lock !== undefined) {
      try {
        return await own({ dir, socketDir: ownSocketDir(options), lock, connections })
      } catch (error) {
        lock.close()
        throw error
      }
    }
    try {
      const connection = { socketDir: socketDirOfOwner(dir) }
      const store = await openStore({ kind: 'embedded', connection, ...connections })
      return {
        store,
        owner: false,
        vacuum: () => vacuum(store),
        [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
      }
    } catch (cause) {
      if (performance.now() > deadline) {
        throw new Error(`${dir} is locked by another process whose store does not answer; expected its socket`, {
          cause,
        })
      }
      // The owner is starting or stopping: try the lock and the socket again.
      await delay(OPEN_RETRY_MS)
    }
  }
}

async function own({
  dir,
  socketDir,
  lock,
  connections,
}: {
  dir: string
  socketDir: string
  lock: DatabaseSync
  connections: Pick<EmbeddedOptions, 'connectionsMax' | 'sealing'>
}): Promise<Embedded> {
  // Holding the lock proves that no process listens: a killed owner left this socket file.
  rmSync(join(socketDir, '.s.PGSQL.5432'), { force: true })
  await ensureCluster(join(dir, DATA_FOLDER))
  const worker = new Worker(new URL('./embedded.worker.ts', import.meta.url), {
    workerData: { dataDir: join(dir, DATA_FOLDER), socketPath: join(socketDir, '.s.PGSQL.5432') },
  })
  const failed = once(worker, 'error').then(([error]) => {
    throw new Error(`the embedded store in ${dir} failed`, { cause: error })
  })
  failed.catch(() => {})
  const listening = once(worker, 'message')
  await Promise.race([listening, failed])
  const store = await openStore({ kind: 'embedded', connection: { socketDir }, ...connections })
  // The lock's holder is the only process tree, so leases of a killed owner are void.
  await store.query(`do $$ begin if to_regclass('leases') is not null then delete from leases; end if; end $$`)
  return {
    store,
    owner: true,
    vacuum: () => vacuum(store),
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]()
      worker.postMessage({ stop: DRAIN_TIMEOUT_MS })
      await once(worker, 'exit')
      lock.close()
    },
  }
}

async function vacuum(store: Store): Promise<void> {
  await store.query('vacuum analyze')
}

/**
 * Takes the kernel's file lock through an open exclusive SQLite transaction. The lock ends with its process, however it
 * dies, so no stale lock can exist. Undefined when another process holds it.
 */
export function takeLock(dir: string): DatabaseSync | undefined {
  const database = new DatabaseSync(join(dir, 'lock'), { timeout: 0 })
  try {
    database.exec('pragma locking_mode = exclusive; begin exclusive')
    return database
  } catch (error) {
    database.close()
    if (error instanceof Error && /locked|busy/i.test(error.message)) return undefined
    throw error
  }
}

/** Names the folder of the socket, for processes whose environment leads to another one. */
const SOCKET_DIR_FILE = 'socket-dir'

/** The data folder where its path leaves room for a socket; undefined where it is too long. */
function roomyDir(dir: string): string | undefined {
  const real = realpathSync(dir)
  return Buffer.byteLength(join(real, '.s.PGSQL.5432')) <= SOCKET_PATH_BYTES_MAX ? real : undefined
}

/**
 * The data folder itself. Where its path is too long for a socket, a folder of this user alone, named by the hash of the
 * path: in the one that the system gives the user, else among the temporary ones.
 */
function ownSocketDir({ dir, runtimeDir }: EmbeddedOptions): string {
  const roomy = roomyDir(dir)
  if (roomy !== undefined) return roomy
  const hash = createHash('sha256').update(realpathSync(dir)).digest('hex').slice(0, 16)
  const short = join(runtimeDir ?? tmpdir(), `catalog-${hash}`)
  makePrivateIn(short)
  writeFileSync(join(dir, SOCKET_DIR_FILE), short)
  return short
}

/** Where the process that has the folder open listens. Throws where it has not said so yet. */
function socketDirOfOwner(dir: string): string {
  const roomy = roomyDir(dir)
  if (roomy !== undefined) return roomy
  const named = readFileSync(join(dir, SOCKET_DIR_FILE), 'utf8')
  makePrivateIn(named)
  return named
}
