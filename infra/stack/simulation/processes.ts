import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { aggregate, RunRefused } from '@catalog/aggregator/run.ts'
import type { EventLog } from '@catalog/log/log.ts'
import { openMirror } from '@catalog/mirror/mirror.ts'
import { MirrorError } from '@catalog/mirror/mirror-error.ts'
import { digestNewestMark } from '@catalog/projector/digests.ts'
import { itemsProjection } from '@catalog/projector/items.ts'
import { drain, follow, Halt, untilProjected } from '@catalog/projector/pump.ts'
import { openVendorProjection } from '@catalog/projector/vendor.ts'
import { retryForever, runConcurrently } from '@catalog/runtime/run.ts'
import type { FeedLine } from '@catalog/stack/model/verdict.ts'
import type { Store } from '@catalog/store/db.ts'
import { type Batch, type History, nightOf } from './history.ts'
import { BASE_URL, downloadsThrough, openOrigin } from './origin.ts'
import { BLOCKED, type SimulatedProcess } from './scheduler.ts'

/** The processes of a catalog: the product's code, and around it what its commands wire. */

/** What outlives every process: queues of clients, files of mirrors, and what readers noted. */
export type World = {
  readonly history: History
  storeOf: (process: SimulatedProcess) => Store
  logOf: (process: SimulatedProcess) => EventLog
  /** The wall clock of a process. */
  nowOf: (process: SimulatedProcess) => Date
  /** Days whose night fell due. */
  readonly due: number[]
  /** Role of a client → what it has still to append. */
  readonly queues: ReadonlyMap<string, Batch[]>
  acknowledged: number
  /** Scope → what a reader of its feed saw. */
  readonly read: Map<string, FeedLine[]>
  /** The file of the mirror, the cache on its way, and its position at the end of the last pass. */
  readonly copy: DatabaseSync
  readonly cache: Map<string, Buffer>
  mirroredTo: number
  /** Broken laws that a process met itself. */
  readonly broken: string[]
  /** Numbers run ids and lease holders. */
  serial: number
  /** Aborted after the end, since signals keep their listeners, and so all processes of a history. */
  readonly signal: AbortSignal
}

export type Main = (world: World) => (process: SimulatedProcess) => Promise<void>

const READ_SCOPES = ['items', 'region/ES']

export const ROLES: Readonly<Record<string, Main>> = {
  'projector-1': (world) => (process) => project(world, process),
  'projector-2': (world) => (process) => project(world, process),
  'aggregator-1': (world) => (process) => aggregateNights(world, process),
  'aggregator-2': (world) => (process) => aggregateNights(world, process),
  crawler: (world) => (process) => appendAll(world, process, 'crawler'),
  operator: (world) => (process) => appendAll(world, process, 'operator'),
  reader: (world) => (process) => readFeeds(world, process),
  mirror: (world) => (process) => mirror(world, process, world.history.mirrored),
}

const DIGEST_EVERY_MS = 20_000
const READ_EVERY_MS = 45_000
const MIRROR_EVERY_MS = 45_000
const RESEND_MS = 200
const RETRY_MS = { min: 1_000, max: 60_000 }

const projectionsOf = () => [openVendorProjection(), itemsProjection]

async function project(world: World, process: SimulatedProcess): Promise<void> {
  const [store, log, projections] = [world.storeOf(process), world.logOf(process), projectionsOf()]
  const keepTrying = (signal: AbortSignal, work: () => Promise<void>) =>
    retryForever(work, { signal, isFatal: (error) => error instanceof Halt, onRetry() {} })
  await runConcurrently(world.signal, (signal) => [
    keepTrying(signal, () => follow({ store, log, projections, signal })),
    keepTrying(signal, async () => {
      while (!signal.aborted) {
        if (!(await digestNewestMark(store, signal))) await delay(DIGEST_EVERY_MS, undefined, { signal })
      }
    }),
  ]).catch((error: unknown) => {
    if (error instanceof Halt) world.broken.push(`${process.role} halted: ${error.message}`)
    throw error
  })
}

async function aggregateNights(world: World, process: SimulatedProcess): Promise<void> {
  const [store, log, projections] = [world.storeOf(process), world.logOf(process), projectionsOf()]
  const parts = { store, log, projections }
  const holder = `${process.role}-${++world.serial}`
  const deps = {
    store,
    log,
    holder,
    catchUp: async () => void (await (world.history.catchUp === 'drain' ? drain(parts) : untilProjected(parts))),
    now: () => world.nowOf(process),
    newRunId: () => `run-${++world.serial}`,
    signal: world.signal,
  }
  for (let done = 0; ; ) {
    const due = await process.call({
      kind: 'poll',
      label: 'wait for a night',
      execute: () => (world.due.length > done ? world.due.length : BLOCKED),
    })
    const asOf = nightOf(world.due[due - 1] as number)
    for (let waitMs = RETRY_MS.min; world.due.length === due; waitMs = Math.min(2 * waitMs, RETRY_MS.max)) {
      try {
        await aggregate(deps, { asOf, once: true })
        break
      } catch (error) {
        // A later night was published: nothing is left to do.
        if (error instanceof RunRefused && error.code === 'AS_OF_PAST') break
        await delay(waitMs)
      }
    }
    done = due
  }
}

/** Appends batch by batch, each until it is acknowledged: a client that crashed sends again what nobody acknowledged. */
async function appendAll(world: World, process: SimulatedProcess, role: string): Promise<void> {
  const [log, queue] = [world.logOf(process), world.queues.get(role) as Batch[]]
  for (;;) {
    const batch = await process.call({ kind: 'poll', label: 'wait for work', execute: () => queue[0] ?? BLOCKED })
    try {
      await log.append(batch.topic, batch.records)
      queue.shift()
      world.acknowledged += batch.records.length
    } catch {
      await delay(RESEND_MS)
    }
  }
}

/** Reads feeds on from the last number. Every answer must go on without a hole. */
async function readFeeds(world: World, process: SimulatedProcess): Promise<void> {
  const origin = openOrigin(world.storeOf(process), () => world.nowOf(process))
  for (;;) {
    for (const scope of READ_SCOPES) {
      const seen = world.read.get(scope) ?? []
      world.read.set(scope, seen)
      try {
        seen.push(...(await origin.since(scope, seen.at(-1)?.seq ?? 0)))
      } catch (error) {
        // Numbers never go back within a generation; everything else is a failure of the network.
        if (/future_cursor|changes_expired|expected/.test(String(error))) world.broken.push(`${scope}: ${error}`)
      }
    }
    await delay(READ_EVERY_MS)
  }
}

async function mirror(world: World, process: SimulatedProcess, scope: string): Promise<void> {
  const origin = openOrigin(world.storeOf(process), () => world.nowOf(process))
  const downloads = downloadsThrough(process, origin, world.cache)
  const copy = openMirror({ url: BASE_URL, scope, into: world.copy, downloads })
  for (;;) {
    const before = copy.state()
    try {
      const { repaired } = await copy.sync()
      // A repair hides an earlier error of the copy.
      if (repaired > 0) world.broken.push(`mirror of ${scope}: ${repaired} buckets were wrong`)
    } catch (error) {
      const isPassing = error instanceof MirrorError && error.kind !== 'contradiction'
      if (!isPassing) world.broken.push(`mirror of ${scope}: ${(error as Error).message}`)
    }
    const after = copy.state()
    if (before !== null && (after === null || after.seq < before.seq)) {
      world.broken.push(`mirror of ${scope} went back from ${before.seq} to ${after?.seq}`)
    }
    world.mirroredTo = after?.seq ?? 0
    await delay(MIRROR_EVERY_MS)
  }
}

/** The rows of a mirror, as it would serve them. */
export function mirroredItems(into: DatabaseSync): Map<string, string> {
  const rows = into.prepare('select id, state from items order by id').all() as { id: string; state: string }[]
  return new Map(rows.map(({ id, state }) => [id, state]))
}
