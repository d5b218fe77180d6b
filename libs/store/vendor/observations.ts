import { parsedPayload, vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import type { Cells } from '@catalog/store/binary-copy.ts'
import { type Queryable, rowsParameter, type Transaction } from '@catalog/store/db.ts'
import type { LoggedEvent } from '@catalog/store/logged-event.ts'
import {
  ensureCrawls,
  ensureSkus,
  ensureTerms,
  KNOWN_KEYS_MAX,
  type KnownKeys,
  openKnownKeys,
  type Remembered,
  termsKey,
} from './row-keys.ts'

/**
 * Writes of the vendor side. Law: each statement is commutative and idempotent. Events may come in any order, in
 * batches of any size and any number of times, and leave the same rows. Only the private integer keys differ.
 */
export async function insertObservations(
  tx: Transaction,
  records: readonly LoggedEvent<ObservationRecorded>[],
  { known, lookUps }: Remembered = { known: openKnownKeys(), lookUps: { left: 0 } },
): Promise<void> {
  if (records.length === 0) return
  const rows = await keyedOf(tx, records, known)
  await insertEditions(tx, records)
  // Hardly a batch delivers an observation again, and the key of the table finds one that does.
  if (lookUps.left === 0 && (await insertUnlessKnown(tx, rows))) return
  const delivered = await knownDeliveries(
    tx,
    records.map(({ event }) => event.event_id),
  )
  lookUps.left = delivered.size > 0 ? LOOK_UPS_AFTER_REDELIVERY : Math.max(0, lookUps.left - 1)
  await insertBeside(tx, rows, delivered)
}

/** Batches after a redelivery, which seldom comes alone. A batch that fails leaves dead rows for the next vacuum. */
const LOOK_UPS_AFTER_REDELIVERY = 50

/** Inserts the observations as new ones; false, and nothing inserted, when the table holds one of them. */
async function insertUnlessKnown(tx: Transaction, rows: readonly Keyed[]): Promise<boolean> {
  await tx.query('savepoint unless_known')
  try {
    await insertBeside(tx, rows, new Map())
    await tx.query('release savepoint unless_known')
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code !== UNIQUE_VIOLATION) throw error
    await tx.query('rollback to savepoint unless_known')
    await tx.query('release savepoint unless_known')
    return false
  }
}
const UNIQUE_VIOLATION = '23505'

/** Inserts what these deliveries do not hold, and adds it to them. */
async function insertBeside(tx: Transaction, rows: readonly Keyed[], delivered: Map<string, Delivered>): Promise<void> {
  const fresh: Keyed[] = []
  const redelivered: Cells[] = []
  for (const row of rows) {
    const { crawl, event, partition, offset } = row
    const earlier = delivered.get(event.event_id)
    if (earlier === undefined) {
      delivered.set(event.event_id, { observation: placeKey(partition, offset), crawls: new Set([crawl]) })
      fresh.push(row)
    } else if (!earlier.crawls.has(crawl)) {
      earlier.crawls.add(crawl)
      redelivered.push([earlier.observation, crawl, partition, offset, event.recorded_at])
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
  await insertEditions(tx, records)
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

/** Notes the editions that the observations state. */
async function insertEditions(tx: Transaction, records: readonly LoggedEvent<ObservationRecorded>[]): Promise<void> {
  const stated = new Map(
    records.flatMap(({ event: { source, edition } }) =>
      edition === undefined ? [] : [[`${source.id}\n${edition}`, { source_id: source.id, edition }] as const],
    ),
  )
  if (stated.size === 0) return
  await tx.query(
    `insert into source_editions (source_id, edition)
     select source_id, edition from jsonb_to_recordset($1::jsonb) as stated (source_id text, edition text)
     order by 1, 2 on conflict do nothing`,
    [rowsParameter([...stated.values()])],
  )
}

type Keyed = LoggedEvent<ObservationRecorded> & Readonly<{ sku: number; terms: number; crawl: number }>

/** Adds the private keys of SKU, terms and crawl to each record; keeps the order. */
async function keyedOf(
  tx: Transaction,
  records: readonly LoggedEvent<ObservationRecorded>[],
  known: KnownKeys,
): Promise<readonly Keyed[]> {
  const keysBy = keysOf(tx, records)
  const skus = await keysBy(
    known.skus,
    ({ source, vendor_ref }) => `${source.id}\0${vendor_ref}`,
    async (missing) => {
      const named = Array.from(missing, ([text, { source, vendor_ref }]) => {
        return { text, vsku: vendorSkuIdOf(source.id, vendor_ref), source_id: source.id, vendor_ref }
      })
      const keys = await ensureSkus(tx, named)
      return new Map(named.map(({ text, vsku }) => [text, keys.get(vsku) as number]))
    },
  )
  const terms = await keysBy(known.terms, termsKey, (missing) => ensureTerms(tx, [...missing.keys()]))
  const crawls = await keysBy(
    known.crawls,
    ({ crawl_id }) => crawl_id,
    (missing) => ensureCrawls(tx, [...missing.keys()]),
  )
  return records.map((record, i) => {
    return { ...record, sku: skus[i] as number, terms: terms[i] as number, crawl: crawls[i] as number }
  })
}

/** One key for each record: a remembered one, or else the one that `ensure` gives for its text. */
const keysOf =
  (tx: Transaction, records: readonly LoggedEvent<ObservationRecorded>[]) =>
  async (
    memory: Map<string, number>,
    textOf: (event: ObservationRecorded) => string,
    ensure: (missing: ReadonlyMap<string, ObservationRecorded>) => Promise<ReadonlyMap<string, number>>,
  ): Promise<readonly (number | undefined)[]> => {
    const texts = records.map(({ event }) => textOf(event))
    const keys = texts.map((text) => memory.get(text))
    const missing = new Map<string, ObservationRecorded>()
    for (const [i, { event }] of records.entries()) if (keys[i] === undefined) missing.set(texts[i] as string, event)
    if (missing.size === 0) return keys
    const ensured = await ensure(missing)
    tx.onCommit(() => {
      if (memory.size > KNOWN_KEYS_MAX) memory.clear()
      for (const [text, key] of ensured) memory.set(text, key)
    })
    return keys.map((key, i) => key ?? ensured.get(texts[i] as string))
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
