import { parsedPayload, vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import type { Cells } from '@catalog/store/binary-copy.ts'
import type { Queryable, Transaction } from '@catalog/store/db.ts'
import type { LoggedEvent } from './logged-event.ts'
import {
  ensureCrawls,
  ensureSkus,
  ensureTerms,
  KNOWN_KEYS_MAX,
  type KnownKeys,
  type OnFound,
  openKnownKeys,
  termsKey,
} from './row-keys.ts'

/**
 * Writes of the vendor side. Law: each statement is commutative and idempotent. Events may come in any order, in
 * batches of any size and any number of times, and leave the same rows. Only the private integer keys differ.
 */
export async function insertObservations(
  tx: Transaction,
  records: readonly LoggedEvent<ObservationRecorded>[],
): Promise<void> {
  if (records.length === 0) return
  const rows = await keyedOf(tx, records)
  const known = await knownDeliveries(
    tx,
    records.map(({ event }) => event.event_id),
  )
  const fresh: Keyed[] = []
  const redelivered: Cells[] = []
  for (const row of rows) {
    const { crawl, event, partition, offset } = row
    const delivered = known.get(event.event_id)
    if (delivered === undefined) {
      known.set(event.event_id, { observation: placeKey(partition, offset), crawls: new Set([crawl]) })
      fresh.push(row)
    } else if (!delivered.crawls.has(crawl)) {
      delivered.crawls.add(crawl)
      redelivered.push([delivered.observation, crawl, partition, offset, event.recorded_at])
    }
  }
  await tx.insertRows('observations', OBSERVATION_COLUMNS, fresh.map(cellsOf))
  await tx.insertRows('redeliveries', REDELIVERY_COLUMNS, redelivered)
}

/**
 * Inserts into a table that has no keys yet. Every delivery becomes a row, and {@link settleDeliveries} later separates
 * those of one observation. Looking up earlier deliveries would take half the time of a replay, and hardly ever finds
 * one.
 */
export async function loadObservations(
  tx: Transaction,
  records: readonly LoggedEvent<ObservationRecorded>[],
  known: KnownKeys,
): Promise<void> {
  if (records.length === 0) return
  await tx.insertRows('observations', OBSERVATION_COLUMNS, (await keyedOf(tx, records, known)).map(cellsOf))
}

/**
 * Keeps the first delivery of each observation in the log as its row. The first delivery by each other crawl becomes a
 * redelivery.
 */
export async function settleDeliveries(tx: Queryable): Promise<void> {
  await tx.query(
    `with repeated as materialized (
       select observation_id from observations group by observation_id having count(*) > 1
     ),
     delivered as materialized (
       select observation, crawl, recorded_at, first_value(observation) over of_one as first,
         first_value(crawl) over of_one as first_crawl,
         row_number() over (partition by observation_id, crawl order by observation) as nth
       from observations join repeated using (observation_id)
       window of_one as (partition by observation_id order by observation)
     ),
     redelivered as (
       insert into redeliveries (observation, crawl, partition, "offset", recorded_at)
       select first, crawl, (observation >> 48)::int, observation & ((1::bigint << 48) - 1), recorded_at
       from delivered where nth = 1 and crawl <> first_crawl
     )
     delete from observations using delivered
     where observations.observation = delivered.observation and delivered.observation <> delivered.first`,
  )
}

type Keyed = LoggedEvent<ObservationRecorded> & Readonly<{ sku: number; terms: number; crawl: number }>

/** Adds the private keys of SKU, terms and crawl to each record; keeps the order. */
async function keyedOf(
  tx: Transaction,
  records: readonly LoggedEvent<ObservationRecorded>[],
  known = openKnownKeys(),
): Promise<readonly Keyed[]> {
  // Rows that a transaction finds before it wrote any were committed by others.
  const isFirst = !known.begun.has(tx)
  known.begun.add(tx)
  async function keysOf(
    textOf: (event: ObservationRecorded) => string,
    memory: Map<string, number>,
    ensure: (missing: ReadonlyMap<string, ObservationRecorded>, onFound: OnFound) => Promise<Map<string, number>>,
  ): Promise<readonly number[]> {
    if (memory.size > KNOWN_KEYS_MAX) memory.clear()
    const texts = records.map(({ event }) => textOf(event))
    const keys = texts.map((text) => memory.get(text))
    const missing = new Map<string, ObservationRecorded>()
    for (const [i, { event }] of records.entries()) if (keys[i] === undefined) missing.set(texts[i] as string, event)
    if (missing.size === 0) return keys as number[]
    const ensured = await ensure(missing, (text, key) => isFirst && memory.set(text, key))
    return keys.map((key, i) => key ?? (ensured.get(texts[i] as string) as number))
  }
  // The length prefix keeps different pairs from sharing a text.
  const refOf = ({ source, vendor_ref }: ObservationRecorded) => `${source.id.length} ${source.id}${vendor_ref}`
  const skus = await keysOf(refOf, known.skus, async (missing, onFound) => {
    const refs = new Map<string, string>()
    const missingSkus = [...missing].map(([ref, { source, vendor_ref }]) => {
      const vsku = vendorSkuIdOf(source.id, vendor_ref)
      refs.set(vsku, ref)
      return { vsku, source_id: source.id, vendor_ref }
    })
    const keys = await ensureSkus(tx, missingSkus, (vsku, key) => onFound(refs.get(vsku) as string, key))
    return new Map([...keys].map(([vsku, key]) => [refs.get(vsku) as string, key]))
  })
  const terms = await keysOf(termsKey, known.terms, (missing, onFound) => ensureTerms(tx, [...missing.keys()], onFound))
  const crawls = await keysOf(
    ({ crawl_id }) => crawl_id,
    known.crawls,
    (missing, onFound) => ensureCrawls(tx, [...missing.keys()], onFound),
  )
  return records.map(({ event, partition, offset }, i) => ({
    event,
    partition,
    offset,
    sku: skus[i] as number,
    terms: terms[i] as number,
    crawl: crawls[i] as number,
  }))
}

const cellsOf = ({ event, partition, offset, sku, terms, crawl }: Keyed): Cells => [
  placeKey(partition, offset),
  event.event_id,
  sku,
  terms,
  crawl,
  event.recorded_at,
  event.observed_at,
  event.price.cents,
  parsedPayload(event),
]

const OBSERVATION_COLUMNS = {
  observation: 'int8',
  observation_id: 'bytea',
  sku: 'int4',
  terms: 'int4',
  crawl: 'int4',
  recorded_at: 'timestamptz',
  observed_at: 'timestamptz',
  cents: 'int8',
  payload: 'text',
} as const
const REDELIVERY_COLUMNS = {
  observation: 'int8',
  crawl: 'int4',
  partition: 'int4',
  offset: 'int8',
  recorded_at: 'timestamptz',
} as const

/** An observation's private key: its first place in the log, which is unique. */
const placeKey = (partition: number, offset: bigint) => (BigInt(partition) << 48n) + offset

/** A stored observation, and the crawls that delivered it. */
type Delivered = { readonly observation: bigint; readonly crawls: Set<number> }

async function knownDeliveries(tx: Queryable, observationIds: readonly string[]): Promise<Map<string, Delivered>> {
  const rows = await tx.query<{ id: string; observation: bigint; crawls: number[] }>(
    `select encode(observation_id, 'hex') as id, observation,
       array(select crawl union all select crawl from redeliveries r where r.observation = o.observation) as crawls
     from observations o where observation_id in (select decode(id, 'hex') from unnest(string_to_array($1, ',')) id)`,
    // One text, because an array parameter is escaped element by element.
    [[...new Set(observationIds)].join(',')],
  )
  return new Map(rows.map(({ id, observation, crawls }) => [id, { observation, crawls: new Set(crawls) }]))
}
