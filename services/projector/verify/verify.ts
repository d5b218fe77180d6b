import { setTimeout as delay } from 'node:timers/promises'
import type { Heads } from '@catalog/core/changes/change.ts'
import { SCOPES } from '@catalog/core/changes/protocol.ts'
import { sha256Bytes, sha256Hex } from '@catalog/core/digest.ts'
import {
  type CatalogEvent,
  type ObservationRecorded,
  type Positions,
  parseEvent,
  TOPICS,
  type Topic,
  vendorSkuIdOf,
} from '@catalog/core/events/events.ts'
import { BATCH_RECORDS_MAX, type EventLog, type LogRecord } from '@catalog/log/log.ts'
import { readPositions } from '@catalog/store/builds/builds.ts'
import {
  FACT_TABLES,
  type FactTable,
  factPages,
  type ObservationFact,
  observationPages,
  readBeyond,
  readFloors,
  redeliveryPages,
  refusedPlaces,
  retractedPages,
  type Verified,
} from '@catalog/store/builds/verify.ts'
import { readChainsBegin } from '@catalog/store/catalog/generation.ts'
import { readMeta } from '@catalog/store/checkpoints.ts'
import type { Store } from '@catalog/store/db.ts'
import { changeValue, itemEntry, itemOfChange, itemsFold, numberValue } from './items.ts'
import { type Difference, differing, Ledger, rowText } from './ledger.ts'
import {
  deliveryValue,
  numberKey,
  observationEntry,
  observationValue,
  parkPoison,
  type Read,
  termsOf,
  vendorFold,
} from './vendor.ts'

/** Records and rows read in a second unless told otherwise: readers and projectors beside it hardly notice. */
export const VERIFY_RATE = 20_000

export type Check = Readonly<{
  name: string
  ok: boolean
  /** How many facts each side has, or their root. */
  log: string
  tables: string
  /** Facts that events touched while the tables were read: they were compared with every value that they had. */
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
  /** Records and rows read in a second, at most; 0: as fast as it can. */
  rate?: number
  signal?: AbortSignal
  /** Records and rows so far, and all; of rows an estimate, until the log has been folded. */
  onProgress?: (done: number, total: number) => void
}>

const WITH_A_POSITION = ['observations', 'deliveries', 'retracted', 'decisions', 'changes', 'numbers'] as const
const KINDS = ['observations', 'deliveries', 'retracted', ...FACT_TABLES] as const
type Kind = (typeof KINDS)[number]

/** The checks alone. */
export async function verify(
  parts: { store: Store; log: EventLog },
  options?: VerifyOptions,
): Promise<readonly Check[]> {
  return (await verifyCatalog(parts, options)).checks
}

/**
 * Proves that the tables are the fold of the log, while projectors and aggregator go on: the log is folded again, without a
 * line of the SQL that made the tables, and compared row by row. Memory does not grow with what there is to compare.
 *
 * Law: no difference is reported that is none. Positions are taken once, in one statement, and the log is folded up to
 * them; then the tables are read page by page; then positions are taken again, and the log is folded on to them. Every row
 * that was read stood at some instant between the two, so it is the fact at the first positions or one that an event
 * between the two made of it. Rows that tell their own position are read up to the first positions only. Retention takes
 * away what {@link itemsFold} says that it may, by the floors that were read last.
 */
export async function verifyCatalog(
  { store, log }: { store: Store; log: EventLog },
  { rate = 0, signal, onProgress = () => {} }: VerifyOptions = {},
): Promise<Verification> {
  using ledger = new Ledger({ kinds: KINDS, cut: new Set(WITH_A_POSITION) })
  const gen = (await readMeta(store, 'gen')) as string
  const begins = await readChainsBegin(store)
  const vendor = vendorFold(ledger)
  const items = itemsFold(ledger, { gen, updatedUs: 0n, scopes: new Map(), begins })
  const start = await positionsOf(store, log)
  const records = [...start].reduce((sum, { earliest, next }) => sum + Number(next - earliest), 0)
  const took = pace({ rate, signal, onTaken: (done) => onProgress(done, records + Math.max(records, ledger.facts)) })

  async function fold(ranges: readonly Range[]): Promise<void> {
    const refused = await refusedPlaces(store)
    for (const { topic, partition, from, next } of ranges) {
      for (let at = from; at < next; ) {
        const batch = await log.read(topic, partition, at, BATCH_RECORDS_MAX)
        const last = batch.at(-1)
        if (last === undefined)
          throw new Error(`${topic} partition ${partition} gives nothing at ${at}; expected a record`)
        for (const record of batch) {
          if (record.offset >= next) break
          if (!refused.has(`${topic}/${partition}/${record.offset}`)) apply(record)
        }
        at = last.offset + 1n
        await took(batch.length)
      }
    }
  }
  function apply(record: LogRecord): void {
    const read = parsed(record)
    if (read.poison !== null) parkPoison(ledger, record, read.poison)
    else if (record.topic === TOPICS.observations) vendor.observations(read)
    else if (record.topic === TOPICS.decisions) vendor.decisions(read)
    else items.items(read)
  }

  await fold(start)
  await vendor.hide(signal)
  const heads = items.headsAtStart()
  await holdTables({ store, ledger, start, heads, floors: await readFloors(store), took })
  const end = await positionsOf(store, log)
  const floors = await readFloors(store)
  if ((await readMeta(store, 'gen')) !== gen) {
    throw new Error(`generation ${gen} ended while the tables were compared; expected the same command again`)
  }
  ledger.goOn()
  await fold(end.map((range, i) => ({ ...range, from: (start[i] as Range).next })))
  for (const { kind, key, place } of await readBeyond(store))
    ledger.hold(kind, key, `row at ${place}, behind its position`)
  ledger.settle()

  const checks: Check[] = []
  const root = async (name: string, kind: Kind, entry: Parameters<Ledger['root']>[1]['entry'], isHidden = false) => {
    const of = (side: 'log' | 'tables') =>
      ledger.root(kind, {
        side,
        signal,
        entry: (key, value) => (isHidden && ledger.has('retracted', key, side) ? null : entry(key, value)),
      })
    const [says, holds] = [await of('log'), await of('tables')]
    const ok = says === holds
    const first_difference = ok ? null : `the log gives ${says}, the tables ${holds}`
    checks.push({ name, ok, log: says, tables: holds, meanwhile: 0, first_difference })
  }
  await root('vendor root', 'observations', observationEntry, true)
  await root('catalog root', 'items', itemEntry)
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
  const positions: Record<string, Record<string, string>> = {}
  for (const { topic, partition, next } of start) {
    positions[topic] = { ...positions[topic], [partition]: String(next) }
  }
  return { ok: checks.every(({ ok }) => ok), positions, checks }
}

/** What is kept of a comparison, for people who ask later. */
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

type Range = Readonly<{ topic: Topic; partition: number; earliest: bigint; from: bigint; next: bigint }>

/** Where the projections stand, of every partition that the log has; positions of one instant. */
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

function parsed(record: LogRecord): Read {
  try {
    return { record, event: parseEvent(record.topic, JSON.parse(record.value)) as CatalogEvent, poison: null }
  } catch (error) {
    const poison = (error as Error).name === 'UnknownEvent' ? 'UNKNOWN_EVENT' : 'INVALID_EVENT'
    return { record, event: null, poison }
  }
}

/** Counts what was taken, and waits where more was taken than the rate allows. Throws when the signal aborts. */
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

/** Enters what the tables hold. */
async function holdTables({
  store,
  ledger,
  start,
  heads,
  floors,
  took,
}: {
  store: Store
  ledger: Ledger
  start: readonly Range[]
  heads: Heads
  floors: ReadonlyMap<string, bigint>
  took: (count: number) => Promise<void>
}): Promise<void> {
  const partitions = start.filter(({ topic }) => topic === TOPICS.observations)
  for (const range of partitions) {
    for await (const page of observationPages(store, range)) {
      for (const row of page) holdObservation(ledger, row)
      await took(page.length)
    }
    for await (const page of redeliveryPages(store, range)) {
      for (const { id, crawlId, offset, recordedAt } of page) {
        ledger.hold('deliveries', `${id} ${crawlId}`, deliveryValue({ partition: range.partition, offset, recordedAt }))
      }
      await took(page.length)
    }
  }
  const positions = Object.fromEntries(partitions.map(({ partition, next }) => [String(partition), String(next)]))
  for await (const page of retractedPages(store, positions)) {
    for (const { id } of page) ledger.hold('retracted', id, 'retracted')
    await took(page.length)
  }
  const hold = async (table: FactTable, cut?: { where: string; parameters: readonly unknown[] }) => {
    for await (const page of factPages(store, table, cut)) {
      for (const { key, columns } of page) {
        const words = key.map((word) => (typeof word === 'bigint' ? numberKey(word) : word)).join(' ')
        // Terms that nothing is priced in any more are no fact: they are a word for those that are.
        if (table === 'price terms' && !ledger.has(table, words, 'log')) continue
        ledger.hold(table, words, rowValue(table, columns))
      }
      await took(page.length)
    }
  }
  for (const table of FACT_TABLES) {
    if (table === 'decisions') {
      const next = start.find(({ topic }) => topic === TOPICS.decisions)?.next ?? 0n
      await hold(table, { where: `"offset" < $1`, parameters: [next] })
    } else if (table === 'changes') {
      await hold(table, { where: 'seq <= $1', parameters: [heads.scopes.get('items')?.rseq ?? 0n] })
    } else if (table === 'numbers') {
      for (const scope of SCOPES) {
        const parameters = [scope, floors.get(scope) ?? 0n, heads.scopes.get(scope)?.rseq ?? 0n]
        await hold(table, { where: 'scope = $1 and rseq >= $2 and rseq <= $3', parameters })
      }
    } else await hold(table)
  }
}

function rowValue(table: FactTable, columns: Record<string, unknown>): string {
  if (table === 'changes') return changeValue(columns as Parameters<typeof changeValue>[0])
  if (table === 'numbers') return numberValue(columns as Parameters<typeof numberValue>[0])
  if (table !== 'items') return rowText(columns)
  const { public_state, regions, markets } = columns as { public_state: string; regions: string[]; markets: string[] }
  // The bytes themselves count, not the hash that stands beside them.
  return rowText({
    ...columns,
    public_state: sha256Bytes(public_state),
    regions: [...regions].sort(),
    markets: [...markets].sort(),
  })
}

/** Its columns are right when they are what its payload says, and its payload when it is what its id says. */
function holdObservation(ledger: Ledger, row: ObservationFact): void {
  const { id, payload, sourceId, crawlId, recordedAt, observation } = row
  const value = observationValue({ sourceId: sourceId as string, id, sha: sha256Hex(payload) })
  const wrong = Object.entries(columnsOf(payload)).flatMap(([name, says]) => {
    const holds = row[name as 'skuId' | 'cents' | 'observedAt' | 'termsKey']
    return String(holds) === String(says) ? [] : [[name, holds]]
  })
  ledger.hold('observations', id, wrong.length === 0 ? value : `${value}, ${rowText(Object.fromEntries(wrong))}`)
  const [partition, offset] = [Number(observation >> 48n), observation & ((1n << 48n) - 1n)]
  ledger.hold('deliveries', `${id} ${crawlId}`, deliveryValue({ partition, offset, recordedAt }))
}

function columnsOf(payload: string) {
  try {
    const event = JSON.parse(payload) as ObservationRecorded
    return {
      skuId: vendorSkuIdOf(event.source.id, event.vendor_ref),
      cents: event.price.cents,
      observedAt: event.observed_at,
      termsKey: termsOf(event).key,
    }
  } catch {
    // Its hash says so already.
    return {}
  }
}
