import { createHash } from 'node:crypto'
import { type RunMarked as Mark, RunMarked } from '@catalog/core/events/runs.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { openMirror } from '@catalog/mirror/mirror.ts'
import type { AppliedRow, Change } from '@catalog/stack/faults/system/history.ts'
import { isFound, readPrices } from '@catalog/stack/faults/system/readers.ts'
import type { System } from '@catalog/stack/faults/system/system.ts'
import { answerOf } from '@catalog/stack/servers/command.ts'

/** Adds to the history what the catalog shows at the end, from its tables, its log, its API and its mirror. */
export async function gather(system: System): Promise<void> {
  const { base, history, options, store } = system
  history.add({ kind: 'applied', rows: await readApplied(system) })
  const marks = await readMarks(system)
  history.add({ kind: 'published', instants: marks.map(({ as_of }) => as_of) })
  const { gen, digest } = await readState(base)
  history.add({ kind: 'fed', gen, changes: await readFeed(base) })
  history.add({ kind: 'digest', ...digest })
  history.add(await readMirror(system))
  history.add({ kind: 'shown', prices: await readPrices(base) })
  const [parked] = await store().query<{ count: number }>('select count(*)::int as count from parked')
  history.add({ kind: 'dead letters', count: parked?.count ?? -1 })
  const { ok } = (await answerOf(['verify'], options)) as { ok: boolean }
  history.add({ kind: 'checked', isVerified: ok, isSearchBack: await isFound(base) })
}

/** Every observation of the tables. */
export async function readApplied({ store }: System): Promise<AppliedRow[]> {
  const rows = await store().query<{ vendor: string; name: string; at: string; cents: number }>(
    `select s.name as vendor, o.payload::json ->> 'name' as name, o.payload::json ->> 'observed_at' as at, o.cents::int as cents
     from observations o join vendor_skus k using (sku) join sources s using (source)`,
  )
  return rows.map(({ vendor, name, at, cents }): AppliedRow => [vendor, name, at, cents])
}

/** Every ended run of the log, once for each run: a retried send may repeat a record. */
async function readMarks({ log }: System): Promise<readonly Mark[]> {
  const marks = new Map<string, Mark>()
  for (let from = 0n; ; ) {
    const records = await log.read(TOPICS.items, 0, from, 1_000)
    for (const { value } of records) {
      const mark = value.includes('"RunMarked"') ? RunMarked.safeParse(JSON.parse(value)) : undefined
      if (mark?.success) marks.set(mark.data.run_id, mark.data)
    }
    const end = records.at(-1)
    if (end === undefined) return [...marks.values()]
    from = end.offset + 1n
  }
}

async function readState(base: string): Promise<{ gen: string; digest: { seq: number; root: string } }> {
  const state = (await (await fetch(`${base}/feeds/state.json`)).json()) as {
    gen: string
    digest: { scopes: { items: { seq: number; state_root: string } } } | null
  }
  const { seq = -1, state_root: root = '' } = state.digest?.scopes.items ?? {}
  return { gen: state.gen, digest: { seq, root } }
}

/** All changes of the feed, as NDJSON. */
async function readFeed(base: string): Promise<Change[]> {
  const changes: Change[] = []
  for (;;) {
    const address = `${base}/feeds/items.atom?since=${changes.at(-1)?.seq ?? 0}&limit=1000`
    const response = await fetch(address, { headers: { accept: 'application/x-ndjson' } })
    const text = response.status === 200 ? (await response.text()).trim() : ''
    if (response.status !== 200 && response.status !== 304) throw new Error(`${address}: ${response.status}`)
    if (text === '') return changes
    changes.push(...text.split('\n').map((line) => JSON.parse(line) as Change))
  }
}

/** What the mirror that followed all the time holds, after one more pass; hashes are of the bytes that it keeps. */
async function readMirror({ mirrorFolder, base }: System) {
  using mirror = openMirror({ url: base, scope: 'items', into: mirrorFolder })
  const { state } = await mirror.sync()
  const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
  const items = [...mirror.items()].map((item) => [item.id, hashOf(item.state)] as const)
  return { kind: 'mirrored', gen: state.gen, seq: state.seq, items } as const
}
