import { setTimeout as delay } from 'node:timers/promises'
import type { DigestEntry } from '@catalog/core/digest.ts'
import { type CatalogEvent, parseEvent } from '@catalog/core/events/events.ts'
import type { Positions } from '@catalog/core/events/runs.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { BATCH_RECORDS_MAX, type EventLog, type LogRecord } from '@catalog/log/log.ts'
import { readPositions } from '@catalog/store/builds/builds.ts'
import {
  FACT_TABLES,
  readFloors,
  readRowsBeyondPositions,
  refusedPlaces,
  type Verified,
} from '@catalog/store/builds/verify.ts'
import { readChainsBegin } from '@catalog/store/catalog/generation.ts'
import { readMeta } from '@catalog/store/checkpoints.ts'
import type { Store } from '@catalog/store/db.ts'
import { ItemsFold, itemEntry, itemOfChange } from './items.ts'
import { type Difference, differing, Ledger } from './ledger.ts'
import { enterTables, type Range } from './table-rows.ts'
import { observationEntry, type ParsedRecord, parkPoison, VendorFold } from './vendor.ts'

/** Default records and rows per second, which readers and projectors hardly notice. */
export const VERIFY_RATE = 20_000

export type Check = Readonly<{
  name: string
  ok: boolean
  /** The number of facts on each side, or their root. */
  log: string
  tables: string
  /** Facts that events touched while the tables were read. They were compared with all their values. */
  meanwhile: number
  first_difference: string | null
}>

export type Verification = Readonly<{
  ok: boolean
  /** Topic → partition → the offset up to which the log was folded. */
  positions: Positions
  checks: readonly Check[]
}>

export type VerifyOptions = Readonly<{
  /** Records and rows per second; 0 for as fast as possible. */
  rate?: number
  signal?: AbortSignal
  /** Records and rows so far, and in total, where the rows are an estimate until the log is folded. */
  onProgress?: (done: number, total: number) => void
}>

const WITH_A_POSITION = ['observations', 'deliveries', 'retracted', 'decisions', 'changes', 'numbers'] as const
const KINDS = ['observations', 'deliveries', 'retracted', ...FACT_TABLES] as const
type Kind = (typeof KINDS)[number]

/** Verifies as {@link verifyCatalog} does, and returns the checks alone. */
export async function verify(
  parts: { store: Store; log: EventLog },
  options?: VerifyOptions,
): Promise<readonly Check[]> {
  return (await verifyCatalog(parts, options)).checks
}

/**
 * Proves that the tables are the fold of the log, while projectors and aggregator keep running. Folds the log again,
 * without any of the projector's SQL, and compares row by row. Memory does not grow with the number of rows.
 *
 * Law: every reported difference is real. One statement reads the start positions, and the log is folded up to them.
 * Then the tables are read page by page. Then one statement reads the end positions, and the log is folded on to them.
 * Every row was read between the two, so it is the fact at the start positions or the result of a later event. Rows
 * that carry their position are read up to the start positions. Retention may delete what {@link ItemsFold.mayBeGone}
 * allows, by the floors that were read last.
 */
export async function verifyCatalog(
  { store, log }: { store: Store; log: EventLog },
  { rate = 0, signal, onProgress = () => {} }: VerifyOptions = {},
): Promise<Verification> {
  using ledger = new Ledger({ kinds: KINDS, cut: new Set(WITH_A_POSITION) })
  const gen = (await readMeta(store, 'gen')) as string
  const begins = await readChainsBegin(store)
  const vendor = new VendorFold(ledger)
  const items = new ItemsFold(ledger, { gen, updatedUs: 0n, scopes: new Map(), begins })
  const start = await positionsOf(store, log)
  const records = [...start].reduce((sum, { earliest, next }) => sum + Number(next - earliest), 0)
  const paced = pace({ rate, signal, onTaken: (done) => onProgress(done, records + Math.max(records, ledger.facts)) })
  const folding = { store, log, ledger, vendor, items, paced }

  await foldRanges(start, folding)
  await vendor.markRetracted(signal)
  const heads = items.enterHeads()
  await enterTables({ store, ledger, start, heads, floors: await readFloors(store), paced })
  const end = await positionsOf(store, log)
  const floors = await readFloors(store)
  if ((await readMeta(store, 'gen')) !== gen) {
    throw new Error(`generation ${gen} ended while the tables were compared; expected the same command again`)
  }
  ledger.beginCatchUp()
  await foldRanges(
    end.map((range, i) => ({ ...range, from: (start[i] as Range).next })),
    folding,
  )
  for (const { kind, key, place } of await readRowsBeyondPositions(store))
    ledger.addRow(kind, key, `row at ${place}, behind its position`)
  ledger.acceptAlternatives()

  const checks = [
    await rootCheck(ledger, { name: 'vendor root', kind: 'observations', signal, entry: visibleObservation(ledger) }),
    await rootCheck(ledger, { name: 'catalog root', kind: 'items', signal, entry: () => itemEntry }),
    ...(await kindChecks(ledger, { items, floors, signal })),
  ]
  const positions: Record<string, Record<string, string>> = {}
  for (const { topic, partition, next } of start) {
    positions[topic] = { ...positions[topic], [partition]: String(next) }
  }
  return { ok: checks.every(({ ok }) => ok), positions, checks }
}

type Folding = Readonly<{
  store: Store
  log: EventLog
  ledger: Ledger
  vendor: VendorFold
  items: ItemsFold
  paced: (count: number) => Promise<void>
}>

async function foldRanges(ranges: readonly Range[], { store, log, paced, ...folds }: Folding): Promise<void> {
  const refused = await refusedPlaces(store)
  for (const { topic, partition, from, next } of ranges) {
    for (let at = from; at < next; ) {
      const batch = await log.read(topic, partition, at, BATCH_RECORDS_MAX)
      const last = batch.at(-1)
      if (last === undefined)
        throw new Error(`${topic} partition ${partition} gives nothing at ${at}; expected a record`)
      for (const record of batch) {
        if (record.offset >= next) break
        if (!refused.has(`${topic}/${partition}/${record.offset}`)) foldRecord(record, folds)
      }
      at = last.offset + 1n
      await paced(batch.length)
    }
  }
}

function foldRecord(record: LogRecord, { ledger, vendor, items }: Pick<Folding, 'ledger' | 'vendor' | 'items'>): void {
  const read = parsed(record)
  if (read.poison !== null) parkPoison(ledger, record, read.poison)
  else if (record.topic === TOPICS.observations) vendor.observations(read)
  else if (record.topic === TOPICS.decisions) vendor.decisions(read)
  else items.apply(read)
}

type Side = 'log' | 'tables'
type Entry = (key: string, value: string) => DigestEntry | null

/** Compares the roots of the two sides over all facts of a kind. */
async function rootCheck(
  ledger: Ledger,
  {
    name,
    kind,
    signal,
    entry,
  }: { name: string; kind: Kind; signal: AbortSignal | undefined; entry: (side: Side) => Entry },
): Promise<Check> {
  const rootOf = (side: Side) => ledger.root(kind, { side, signal, entry: entry(side) })
  const [says, holds] = [await rootOf('log'), await rootOf('tables')]
  const ok = says === holds
  const first_difference = ok ? null : `the log gives ${says}, the tables ${holds}`
  return { name, ok, log: says, tables: holds, meanwhile: 0, first_difference }
}

/** Leaves retracted observations out of the vendor root. */
const visibleObservation = (ledger: Ledger) => (side: Side) => (key: string, value: string) =>
  ledger.has('retracted', key, side) ? null : observationEntry(key, value)

/** Compares the facts of every kind, one by one. */
async function kindChecks(
  ledger: Ledger,
  { items, floors, signal }: { items: ItemsFold; floors: ReadonlyMap<string, bigint>; signal: AbortSignal | undefined },
): Promise<readonly Check[]> {
  const checks: Check[] = []
  for (const kind of KINDS) {
    const mayBeGone = (key: string, value: string) => {
      if (kind === 'changes') return items.mayBeGone(BigInt(key), itemOfChange(value), floors)
      const [scope = '', rseq = '0'] = key.split(' ')
      return kind === 'numbers' && BigInt(rseq) < (floors.get(scope) ?? 0n)
    }
    const { log: says, tables: holds, first } = await ledger.compare(kind, { signal, mayBeGone })
    checks.push({
      name: kind,
      ok: first === null,
      log: `${says}`,
      tables: `${holds}`,
      meanwhile: ledger.meanwhile(kind),
      first_difference: first && sentence(kind, first),
    })
  }
  return checks
}

/** The summary of a verification for the store. */
export function verifiedOf(
  { ok, positions, checks }: Verification,
  { at, endedAt }: { at: Date; endedAt: Date },
): Verified {
  const first = checks.find((check) => !check.ok)
  return {
    at: at.toISOString(),
    duration_s: Math.round((endedAt.getTime() - at.getTime()) / 100) / 10,
    ok,
    positions,
    first_difference: first === undefined ? null : `${first.name}: ${first.first_difference}`,
  }
}

function sentence(kind: Kind, { key, log, tables }: Difference): string {
  const isNumber = kind === 'decisions' || kind === 'changes'
  const name = kind === 'numbers' ? (key.split(' ')[0] as string) : isNumber ? String(BigInt(key)) : key
  const [says, holds] = log === null || tables === null ? [log, tables] : differing(log, tables)
  return `${name}: the log gives ${says ?? 'nothing'}, the tables ${holds ?? 'nothing'}`
}

/** The positions of the projections at one instant, for every partition of the log. */
async function positionsOf(store: Store, log: EventLog): Promise<readonly Range[]> {
  const partitions = await Promise.all(
    Object.values(TOPICS).map(async (topic) => (await log.partitions(topic)).map((range) => ({ topic, ...range }))),
  )
  const checkpoints = await readPositions(store)
  return partitions.flat().map(({ topic, partition, earliest }) => {
    const projection = topic === TOPICS.items ? 'items' : 'vendor'
    const row = checkpoints.find(
      (at) => at.projection === projection && at.topic === topic && at.partition === partition,
    )
    return { topic, partition, earliest, from: earliest, next: row?.next ?? earliest }
  })
}

function parsed(record: LogRecord): ParsedRecord {
  try {
    return { record, event: parseEvent(record.topic, JSON.parse(record.value)) as CatalogEvent, poison: null }
  } catch (error) {
    const poison = (error as Error).name === 'UnknownEvent' ? 'UNKNOWN_EVENT' : 'INVALID_EVENT'
    return { record, event: null, poison }
  }
}

/** Counts records and rows, and waits while they exceed the rate. Throws when the signal aborts. */
function pace({
  rate,
  signal,
  onTaken,
}: {
  rate: number
  signal: AbortSignal | undefined
  onTaken: (done: number) => void
}): (count: number) => Promise<void> {
  const begunMs = performance.now()
  let done = 0
  return async (count) => {
    signal?.throwIfAborted()
    done += count
    onTaken(done)
    const aheadMs = rate === 0 ? 0 : begunMs + (done / rate) * 1000 - performance.now()
    if (aheadMs > 0) await delay(aheadMs, undefined, signal && { signal })
  }
}
