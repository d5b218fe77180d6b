import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import type { ItemPublished } from '@catalog/core/events/items.ts'
import { RunMarked } from '@catalog/core/events/runs.ts'
import { instant } from '@catalog/core/time.ts'
import { openMirror } from '@catalog/mirror/mirror.ts'
import { digestNewestMark } from '@catalog/projector/digests.ts'
import { startServing } from '@catalog/stack/servers/command.ts'
import { residentBytes } from '@catalog/stack/servers/machine.ts'
import { type PostgresServer, startPostgres } from '@catalog/stack/servers/postgres.ts'
import { itemsInto } from '@catalog/stack/store/items-into.ts'
import { published } from '@catalog/stack/testing/events.ts'
import { openStore, type Store } from '@catalog/store/db.ts'
import { migrate } from '@catalog/store/migrations/migrate.ts'

/** `catalog serve` on a real PostgreSQL, for soaks that publish while readers read. */

const PROOF_MS_MAX = 5_000
const PROOF_POLL_MS = 50

/** A process that serves, with the replica in a folder of its own. */
export type Host = AsyncDisposable &
  Readonly<{
    /** The address with its /v1. */
    base: string
    residentBytes: () => number
    /** Processor time so far, in seconds. */
    cpuSeconds: () => number
  }>

export async function startHost(databaseUrl: string): Promise<Host> {
  const { base, server, ...served } = await startServing(databaseUrl)
  return {
    base,
    residentBytes: () => residentBytes(server.pid),
    cpuSeconds() {
      // User and system time are the 14th and 15th fields, in hundredths of a second; the second may hold blanks.
      const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      return (Number(fields[11]) + Number(fields[12])) / 100
    },
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  }
}

export type Served = AsyncDisposable &
  Readonly<{
    postgres: PostgresServer
    store: Store
    /** Commits items in one transaction, as the projector does. */
    publish: (events: readonly ItemPublished[]) => Promise<void>
    /** Ends a run, and makes the digests of its mark. */
    endRun: () => Promise<void>
  }>

/** An empty catalog. */
export async function openCatalogStore(): Promise<Served> {
  await using opening = new AsyncDisposableStack()
  const postgres = opening.use(await startPostgres())
  const store: Store = opening.use(await openStore({ kind: 'postgres', connection: { url: postgres.url } }))
  await migrate(store)
  const apply = itemsInto(store)
  let runs = 0
  const open = opening.move()
  return {
    postgres,
    store,
    publish: apply,
    async endRun() {
      const now = instant(new Date())
      const run = { run_id: `run_${++runs}`, as_of: now, recorded_at: now, event_id: `marked_${runs}` }
      await apply([RunMarked.parse({ type: 'RunMarked', v: 1, items_published: 0, ...run })])
      await digestNewestMark(store)
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

/** An empty catalog with a host. */
export async function openServed(): Promise<Served & Host> {
  await using opening = new AsyncDisposableStack()
  const served = opening.use(await openCatalogStore())
  const host = opening.use(await startHost(served.postgres.url))
  const open = opening.move()
  return { ...served, ...host, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

/** The root that a new mirror of the host computes from its rows, and proves against the host's digest. */
export async function mirrorRoot({ base }: Pick<Host, 'base'>): Promise<string> {
  using mirror = openMirror({ url: base, scope: 'items', into: new DatabaseSync(':memory:') })
  // The digest of an ended run shows a moment after its last change.
  for (const deadlineMs = performance.now() + PROOF_MS_MAX; ; await delay(PROOF_POLL_MS)) {
    const { state } = await mirror.sync()
    if (state.proved?.seq === state.seq) return state.proved.root
    if (performance.now() > deadlineMs)
      throw new Error(`${base}: expected a proof at ${state.seq}, ${state.proved?.seq}`)
  }
}

export const itemId = (n: number): string =>
  `ci_${String(n)
    .padStart(26, 'a')
    .replace(/[018 9]/g, (digit) => 'bcdef'[Number(digit) % 5] as string)}`

/** Items whose names end with the publication's number, as events of that version. */
export function itemsOf(publication: number, from: number, to: number): ItemPublished[] {
  return Array.from({ length: to - from }, (_, i) =>
    published({
      id: itemId(from + i),
      name: `Item ${from + i} of publication ${publication}`,
      cents: 100 + publication,
      version: publication + 1,
      regions: ['ES', 'EU'],
    }),
  )
}
