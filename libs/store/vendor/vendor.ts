import { canonicalJson } from '@catalog/core/digest.ts'
import type { CrawlFinished, ParkedResolved, RecordParked } from '@catalog/core/events/crawls.ts'
import { observationPayload, vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import type { ObservationRecorded, ObservationRetracted } from '@catalog/core/events/observations.ts'
import type { Cells } from '@catalog/store/binary-copy.ts'
import { type Queryable, rowsParameter, type Transaction } from '@catalog/store/db.ts'

/**
 * Writes of the vendor side. Law: each statement is commutative and idempotent, so events may come in any order, any
 * batch size and any number of times, and leave the same rows (but for the private integer keys).
 */
export type At<E> = Readonly<{ event: E; partition: number; offset: bigint }>

export async function insertObservations(tx: Transaction, records: readonly At<ObservationRecorded>[]): Promise<void> {
  if (records.length === 0) return
  const rows = await keyedOf(tx, records)
  const known = await knownDeliveries(
    tx,
    records.map(({ event }) => event.event_id),
  )
  const fresh: Keyed[] = []
  const again: Cells[] = []
  for (const row of rows) {
    const { crawl, event, partition, offset } = row
    const delivered = known.get(event.event_id)
    if (delivered === undefined) {
      known.set(event.event_id, { observation: placeKey(partition, offset), crawls: new Set([crawl]) })
      fresh.push(row)
    } else if (!delivered.crawls.has(crawl)) {
      delivered.crawls.add(crawl)
      again.push([delivered.observation, crawl, partition, offset, event.recorded_at])
    }
  }
  await tx.insertRows('observations', OBSERVATION_COLUMNS, fresh.map(cellsOf))
  await tx.insertRows('redeliveries', REDELIVERY_COLUMNS, again)
}

/**
 * The same into a table that has no keys yet: every delivery becomes a row, and {@link settleDeliveries} tells those of
 * one observation apart when all are there. Half the work of a replay is to look for deliveries that are hardly ever there.
 */
export async function loadObservations(
  tx: Transaction,
  records: readonly At<ObservationRecorded>[],
  known: KnownKeys,
): Promise<void> {
  if (records.length === 0) return
  await tx.insertRows('observations', OBSERVATION_COLUMNS, (await keyedOf(tx, records, known)).map(cellsOf))
}

/** Of the deliveries of one observation the first in the log stays its row; the first of each other crawl is a redelivery. */
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
     again as (
       insert into redeliveries (observation, crawl, partition, "offset", recorded_at)
       select first, crawl, (observation >> 48)::int, observation & ((1::bigint << 48) - 1), recorded_at
       from delivered where nth = 1 and crawl <> first_crawl
     )
     delete from observations using delivered
     where observations.observation = delivered.observation and delivered.observation <> delivered.first`,
  )
}

/**
 * Private keys that a load has found, so that it looks up only what it has not met: most observations are of SKUs, terms
 * and crawls that earlier batches had.
 *
 * Law: it holds keys of committed rows alone, so no rollback makes it wrong, and while a build is loaded none of those rows
 * goes away.
 */
export type KnownKeys = Readonly<{
  /** By source and vendor_ref, as one text. */
  skus: Map<string, number>
  /** By {@link termsKey}. */
  terms: Map<string, number>
  /** By crawl_id. */
  crawls: Map<string, number>
  /** Transactions that may see rows of their own. */
  begun: WeakSet<Transaction>
}>

export const openKnownKeys = (): KnownKeys => ({
  skus: new Map(),
  terms: new Map(),
  crawls: new Map(),
  begun: new WeakSet(),
})

/** Of each kind, some 40 MB; a load that has met more forgets them, and looks up what comes again. */
const KNOWN_KEYS_MAX = 250_000

type Keyed = At<ObservationRecorded> & Readonly<{ sku: number; terms: number; crawl: number }>

/** The records in their order, with the keys of what they name. */
async function keyedOf(
  tx: Transaction,
  records: readonly At<ObservationRecorded>[],
  known = openKnownKeys(),
): Promise<readonly Keyed[]> {
  // What a transaction finds before it made anything was committed by others.
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
  // With the length no two pairs make the same text.
  const refOf = ({ source, vendor_ref }: ObservationRecorded) => `${source.id.length} ${source.id}${vendor_ref}`
  const skus = await keysOf(refOf, known.skus, async (missing, onFound) => {
    const refs = new Map<string, string>()
    const named = [...missing].map(([ref, { source, vendor_ref }]) => {
      const vsku = vendorSkuIdOf(source.id, vendor_ref)
      refs.set(vsku, ref)
      return { vsku, source_id: source.id, vendor_ref }
    })
    const keys = await ensureSkus(tx, named, (vsku, key) => onFound(refs.get(vsku) as string, key))
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

/** A row of the table. */
const cellsOf = ({ event, partition, offset, sku, terms, crawl }: Keyed): Cells => [
  placeKey(partition, offset),
  event.event_id,
  sku,
  terms,
  crawl,
  event.recorded_at,
  event.observed_at,
  event.price.cents,
  observationPayload(event),
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

/** What the price is for, in the one spelling that is the key of its row. */
function termsKey({ price, pack, unit, lang }: ObservationRecorded): string {
  return JSON.stringify({
    currency: price.currency,
    per_quantity: price.per_quantity,
    min_quantity: price.min_quantity ?? null,
    tax_included: price.tax.included,
    tax_rate: price.tax.rate ?? null,
    kind: price.kind,
    unit,
    pack_quantity: pack?.quantity ?? null,
    pack_unit: pack?.unit ?? null,
    lang: lang ?? null,
  })
}

/** An observation's private key: its first place in the log, which no other has. */
const placeKey = (partition: number, offset: bigint) => (BigInt(partition) << 48n) + offset

/** The keys of these texts' rows in price_terms, which are made where they are not there. */
function ensureTerms(tx: Queryable, termsKeys: readonly string[], onFound: OnFound): Promise<Map<string, number>> {
  return ensureKeys(termsKeys, {
    onFound,
    lookUp: (keys) =>
      tx.query(`select terms_key as id, terms as key from price_terms where terms_key = any($1)`, [keys]),
    insert: (keys) =>
      tx.query(
        `insert into price_terms (terms_key, currency, per_quantity, min_quantity, tax_included, tax_rate, kind, unit,
           pack_quantity, pack_unit, lang)
         select key, terms.* from unnest($1::text[]) key, jsonb_to_record(key::jsonb) as terms (currency text,
           per_quantity bigint, min_quantity numeric, tax_included boolean, tax_rate numeric, kind text, unit text,
           pack_quantity numeric, pack_unit text, lang text)
         order by key on conflict do nothing`,
        [keys],
      ),
  })
}

function ensureCrawls(tx: Queryable, crawlIds: readonly string[], onFound: OnFound): Promise<Map<string, number>> {
  return ensureNamed(tx, crawlIds, { table: 'crawls', key: 'crawl', id: 'crawl_id', onFound })
}

/** Rows for sources that something named; what they are comes with their registration. */
function ensureSources(tx: Queryable, sourceIds: readonly string[]): Promise<Map<string, number>> {
  return ensureNamed(tx, sourceIds, { table: 'sources', key: 'source', id: 'source_id' })
}

/** Rows that need nothing but their text id. */
function ensureNamed(
  tx: Queryable,
  ids: readonly string[],
  { table, key, id, onFound }: { table: 'crawls' | 'sources'; key: string; id: string; onFound?: OnFound },
): Promise<Map<string, number>> {
  return ensureKeys(ids, {
    onFound,
    lookUp: (all) => tx.query(`select ${id} as id, ${key} as key from ${table} where ${id} = any($1)`, [all]),
    insert: (missing) =>
      tx.query(`insert into ${table} (${id}) select id from unnest($1::text[]) id order by id on conflict do nothing`, [
        missing,
      ]),
  })
}

type NamedSku = { readonly vsku: string; readonly source_id: string; readonly vendor_ref: string | null }

/** Of those that it writes into, `onFound` hears nothing. */
export async function ensureSkus(
  tx: Queryable,
  skus: readonly NamedSku[],
  onFound?: OnFound,
): Promise<Map<string, number>> {
  const named = new Map(skus.map((sku) => [sku.vsku, sku]))
  const bare = new Set<string>()
  const keys = await ensureKeys([...named.keys()], {
    onFound: (id, key) => bare.has(id) || onFound?.(id, key),
    async lookUp(ids) {
      const rows = await tx.query<{ id: string; key: number; isBare: boolean }>(
        `select vendor_sku_id as id, sku as key, vendor_ref is null as "isBare" from vendor_skus
         where vendor_sku_id = any($1)`,
        [ids],
      )
      for (const { id, isBare } of rows) if (isBare && named.get(id)?.vendor_ref != null) bare.add(id)
      return rows
    },
    async insert(ids) {
      const own = ids.map((id) => named.get(id) as NamedSku)
      const sources = await ensureSources(
        tx,
        own.map(({ source_id }) => source_id),
      )
      await tx.query(
        `insert into vendor_skus (vendor_sku_id, source, vendor_ref)
         select * from unnest($1::text[], $2::int[], $3::text[]) order by 1 on conflict do nothing`,
        [ids, own.map(({ source_id }) => sources.get(source_id)), own.map(({ vendor_ref }) => vendor_ref)],
      )
    },
  })
  if (bare.size > 0) {
    // A decision named them before their first observation came.
    await tx.query(
      `update vendor_skus set vendor_ref = named.vendor_ref from unnest($1::text[], $2::text[]) named (vsku, vendor_ref)
       where vendor_sku_id = vsku and vendor_skus.vendor_ref is null`,
      [[...bare], Array.from(bare, (id) => named.get(id)?.vendor_ref)],
    )
  }
  return keys
}

/** Hears of rows that were there before. */
type OnFound = (id: string, key: number) => void

/** The private integer keys of rows, by their text ids; most are there, and only the others are inserted. */
async function ensureKeys(
  ids: readonly string[],
  {
    onFound,
    lookUp,
    insert,
  }: {
    onFound?: OnFound | undefined
    lookUp: (ids: readonly string[]) => Promise<{ id: string; key: number }[]>
    insert: (ids: readonly string[]) => Promise<unknown>
  },
): Promise<Map<string, number>> {
  const all = [...new Set(ids)]
  const keys = new Map((await lookUp(all)).map(({ id, key }) => [id, key]))
  if (onFound) for (const [id, key] of keys) onFound(id, key)
  const missing = all.filter((id) => !keys.has(id))
  if (missing.length > 0) {
    await insert(missing)
    for (const { id, key } of await lookUp(missing)) keys.set(id, key)
  }
  return keys
}

/** An observation that is there, and the crawls that brought it. */
type Delivered = { readonly observation: bigint; readonly crawls: Set<number> }

async function knownDeliveries(tx: Queryable, observationIds: readonly string[]): Promise<Map<string, Delivered>> {
  const rows = await tx.query<{ id: string; observation: bigint; crawls: number[] }>(
    `select encode(observation_id, 'hex') as id, observation,
       array(select crawl union all select crawl from redeliveries r where r.observation = o.observation) as crawls
     from observations o where observation_id in (select decode(id, 'hex') from unnest(string_to_array($1, ',')) id)`,
    // An array parameter is escaped element by element.
    [[...new Set(observationIds)].join(',')],
  )
  return new Map(rows.map(({ id, observation, crawls }) => [id, { observation, crawls: new Set(crawls) }]))
}

export async function insertRetractions(tx: Queryable, records: readonly At<ObservationRetracted>[]): Promise<void> {
  if (records.length === 0) return
  await tx.query(
    `insert into retractions (event_id, scope, source_id, observation_id, crawl_id, reason, partition, "offset", recorded_at)
     select event_id, scope, source_id, decode(observation_id, 'hex'), crawl_id, reason, partition, "offset", recorded_at
     from jsonb_to_recordset($1::jsonb) as batch (event_id text, scope text, source_id text, observation_id text,
       crawl_id text, reason text, partition int, "offset" bigint, recorded_at timestamptz)
     order by event_id on conflict (event_id) do nothing`,
    [
      rowsParameter(
        records.map(({ event, partition, offset }) => ({
          event_id: event.event_id,
          source_id: event.source_id,
          reason: event.reason,
          recorded_at: event.recorded_at,
          ...event.target,
          partition,
          offset,
        })),
      ),
    ],
  )
}

export type ParkedRow = Readonly<{
  parked_id: string
  origin: 'crawler' | 'projector'
  topic: string
  partition: number
  offset: bigint
  source_id?: string | null
  crawl_id?: string | null
  position?: string | null
  reason: string
  detail: string
  raw: string
  recorded_at?: string | null
}>

export async function insertParked(tx: Queryable, rows: readonly ParkedRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.query(
    `insert into parked (parked_id, origin, topic, partition, "offset", source_id, crawl_id, position, reason, detail, raw, recorded_at)
     select * from jsonb_to_recordset($1::jsonb) as batch (parked_id text, origin text, topic text, partition int,
       "offset" bigint, source_id text, crawl_id text, position text, reason text, detail text, raw text, recorded_at timestamptz)
     order by parked_id, "offset" on conflict (parked_id) do nothing`,
    [rowsParameter(rows)],
  )
}

export function parkedRow(topic: string, { event, partition, offset }: At<RecordParked>): ParkedRow {
  const { event_id, source_id, crawl_id, position, reason, detail, raw, recorded_at } = event
  return {
    parked_id: event_id,
    origin: 'crawler',
    topic,
    partition,
    offset,
    source_id,
    crawl_id,
    position,
    reason,
    detail,
    raw,
    recorded_at,
  }
}

export async function insertResolutions(tx: Queryable, records: readonly At<ParkedResolved>[]): Promise<void> {
  if (records.length === 0) return
  await tx.query(
    `insert into parked_resolutions (parked_id, event_id, resolution, reason, recorded_at)
     select * from jsonb_to_recordset($1::jsonb)
       as batch (parked_id text, event_id text, resolution text, reason text, recorded_at timestamptz)
     order by parked_id, recorded_at, event_id
     on conflict (parked_id) do nothing`,
    [rowsParameter(records.map(({ event }) => event))],
  )
}

export async function insertCrawlReports(tx: Queryable, records: readonly At<CrawlFinished>[]): Promise<void> {
  // One crawl that reported twice was resumed, or accepted: the latest report holds, by (recorded_at, event_id) in any order.
  for (const { event } of records) {
    await tx.query(
      `insert into crawl_reports as report (crawl_id, source_id, event_id, outcome, complete, partial, etag, last_modified,
         read, appended, duplicates, parked, missed, problems, health, started_at, recorded_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
       on conflict (crawl_id, source_id) do update set event_id = excluded.event_id, outcome = excluded.outcome,
         complete = excluded.complete, partial = excluded.partial, etag = excluded.etag,
         last_modified = excluded.last_modified, read = excluded.read, appended = excluded.appended,
         duplicates = excluded.duplicates, parked = excluded.parked, missed = excluded.missed,
         problems = excluded.problems, health = excluded.health, started_at = excluded.started_at,
         recorded_at = excluded.recorded_at
       where (excluded.recorded_at, excluded.event_id collate "C") > (report.recorded_at, report.event_id)`,
      [
        event.crawl_id,
        event.source_id,
        event.event_id,
        event.outcome ?? 'recorded',
        event.complete,
        event.partial ?? false,
        event.etag ?? null,
        event.last_modified ?? null,
        event.read,
        event.appended,
        event.duplicates,
        event.parked,
        event.missed ?? 0,
        canonicalJson(event.problems ?? []),
        event.health === undefined ? null : canonicalJson(event.health),
        event.started_at ?? null,
        event.recorded_at,
      ],
    )
  }
}
