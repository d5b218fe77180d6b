import { canonicalJson, type JsonValue } from '@catalog/core/digest.ts'
import {
  type CrawlFinished,
  type ObservationRecorded,
  type ObservationRetracted,
  observationPayload,
  type ParkedResolved,
  type RecipeRecorded,
  type RecordParked,
  vendorSkuIdOf,
} from '@catalog/core/events.ts'
import { type Queryable, rowsParameter, type Transaction } from './db.ts'

/**
 * Writes of the vendor side. Law: each statement is commutative and idempotent, so events may come in any order, any
 * batch size and any number of times, and leave the same rows (but for the private integer keys).
 */
export type At<E> = Readonly<{ event: E; partition: number; offset: bigint }>

export async function insertObservations(tx: Transaction, records: readonly At<ObservationRecorded>[]): Promise<void> {
  if (records.length === 0) return
  const rows = records.map(({ event, partition, offset }) => ({
    id: event.event_id,
    source_id: event.source.id,
    vsku: vendorSkuIdOf(event.source.id, event.vendor_ref),
    vendor_ref: event.vendor_ref,
    observed_at: event.observed_at,
    cents: event.price.cents,
    terms: termsKey(event),
    payload: observationPayload(event),
    crawl_id: event.crawl_id,
    partition,
    offset,
    recorded_at: event.recorded_at,
  }))
  await ensureSources(
    tx,
    rows.map(({ source_id }) => source_id),
  )
  await ensureSkus(tx, rows)
  const skus = await keysOf(
    tx,
    'vendor_skus',
    { key: 'sku', id: 'vendor_sku_id' },
    new Set(rows.map(({ vsku }) => vsku)),
  )
  const terms = await ensureTerms(tx, new Set(rows.map((row) => row.terms)))
  const crawls = await ensureCrawls(tx, new Set(rows.map(({ crawl_id }) => crawl_id)))
  const known = await knownDeliveries(
    tx,
    rows.map(({ id }) => id),
  )

  const fresh = new Map(rows.filter(({ id }) => !known.has(id)).map((row) => [row.id, row]))
  const numbers = await tx.query<{ n: bigint }>(
    `select nextval(pg_get_serial_sequence('observations', 'observation')) as n from generate_series(1, $1::int)`,
    [fresh.size],
  )
  await tx.insertRows(
    'observations',
    {
      observation: 'int8',
      observation_id: 'bytea',
      sku: 'int4',
      terms: 'int4',
      observed_at: 'timestamptz',
      cents: 'int8',
      payload: 'text',
    },
    [...fresh.values()].map(({ id, vsku, terms: terms_key, observed_at, cents, payload }, i) => {
      const observation = numbers[i]?.n as bigint
      known.set(id, { observation, crawls: new Set() })
      return [observation, id, skus.get(vsku) as number, terms.get(terms_key) as number, observed_at, cents, payload]
    }),
  )
  await tx.insertRows(
    'deliveries',
    { observation: 'int8', crawl: 'int4', partition: 'int4', offset: 'int8', recorded_at: 'timestamptz' },
    rows.flatMap(({ id, crawl_id, partition, offset, recorded_at }) => {
      const { observation, crawls: delivered } = known.get(id) as Delivered
      const crawl = crawls.get(crawl_id) as number
      if (delivered.has(crawl)) return []
      delivered.add(crawl)
      return [[observation, crawl, partition, offset, recorded_at]]
    }),
  )
}

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

async function ensureTerms(tx: Queryable, keys: ReadonlySet<string>): Promise<Map<string, number>> {
  await tx.query(
    `insert into price_terms (terms_key, currency, per_quantity, min_quantity, tax_included, tax_rate, kind, unit,
       pack_quantity, pack_unit, lang)
     select key, terms.* from unnest($1::text[]) key, jsonb_to_record(key::jsonb) as terms (currency text,
       per_quantity bigint, min_quantity numeric, tax_included boolean, tax_rate numeric, kind text, unit text,
       pack_quantity numeric, pack_unit text, lang text)
     where not exists (select from price_terms where terms_key = key) order by key on conflict do nothing`,
    [[...keys]],
  )
  return keysOf(tx, 'price_terms', { key: 'terms', id: 'terms_key' }, keys)
}

async function ensureCrawls(tx: Queryable, crawlIds: ReadonlySet<string>): Promise<Map<string, number>> {
  await tx.query(
    `insert into crawls (crawl_id) select id from unnest($1::text[]) id
     where not exists (select from crawls where crawl_id = id) order by id on conflict do nothing`,
    [[...crawlIds]],
  )
  return keysOf(tx, 'crawls', { key: 'crawl', id: 'crawl_id' }, crawlIds)
}

/** The private integer keys of rows that are there, by their text ids. */
async function keysOf(
  tx: Queryable,
  table: 'vendor_skus' | 'price_terms' | 'crawls',
  { key, id }: { key: string; id: string },
  ids: ReadonlySet<string>,
): Promise<Map<string, number>> {
  const rows = await tx.query<{ id: string; key: number }>(
    `select ${id} as id, ${key} as key from ${table} where ${id} = any($1)`,
    [[...ids]],
  )
  return new Map(rows.map(({ id, key }) => [id, key]))
}

/** An observation that is there, and the crawls that brought it. */
type Delivered = { observation: bigint; crawls: Set<number> }

async function knownDeliveries(tx: Queryable, observationIds: readonly string[]): Promise<Map<string, Delivered>> {
  const rows = await tx.query<{ id: string; observation: bigint; crawl: number | null }>(
    `select id, observation, crawl from unnest($1::text[]) id join observations on observation_id = decode(id, 'hex')
     left join deliveries using (observation)`,
    [[...new Set(observationIds)]],
  )
  const known = new Map<string, Delivered>()
  for (const { id, observation, crawl } of rows) {
    const delivered = known.get(id) ?? { observation, crawls: new Set() }
    if (crawl !== null) delivered.crawls.add(crawl)
    known.set(id, delivered)
  }
  return known
}

/** Rows for sources that something named; what they are comes with their registration. */
export async function ensureSources(tx: Queryable, sourceIds: readonly string[]): Promise<void> {
  // The anti-join keeps known ids from burning identity numbers, which end at 2^31.
  await tx.query(
    `insert into sources (source_id) select id from unnest($1::text[]) id
     where not exists (select from sources where source_id = id) order by id on conflict do nothing`,
    [[...new Set(sourceIds)]],
  )
}

export async function ensureSkus(
  tx: Queryable,
  skus: readonly { readonly vsku: string; readonly source_id: string; readonly vendor_ref: string | null }[],
): Promise<void> {
  const bySku = new Map(skus.map(({ vsku, source_id, vendor_ref }) => [vsku, { vsku, source_id, vendor_ref }]))
  const parameter = rowsParameter([...bySku.values()])
  await tx.query(
    `insert into vendor_skus (vendor_sku_id, source, vendor_ref)
     select vsku, source, batch.vendor_ref
     from jsonb_to_recordset($1::jsonb) as batch (vsku text, source_id text, vendor_ref text) join sources using (source_id)
     where not exists (select from vendor_skus where vendor_sku_id = vsku) order by vsku on conflict do nothing`,
    [parameter],
  )
  await tx.query(
    `update vendor_skus set vendor_ref = batch.vendor_ref
     from jsonb_to_recordset($1::jsonb) as batch (vsku text, vendor_ref text)
     where vendor_sku_id = vsku and vendor_skus.vendor_ref is null and batch.vendor_ref is not null`,
    [parameter],
  )
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
  // One crawl that reported twice was resumed: the latest report holds, by (recorded_at, event_id) in any order.
  for (const { event } of records) {
    await tx.query(
      `insert into crawl_reports as report (crawl_id, source_id, event_id, complete, etag, last_modified, read, appended,
         duplicates, parked, recorded_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       on conflict (crawl_id, source_id) do update set event_id = excluded.event_id, complete = excluded.complete,
         etag = excluded.etag, last_modified = excluded.last_modified, read = excluded.read,
         appended = excluded.appended, duplicates = excluded.duplicates, parked = excluded.parked,
         recorded_at = excluded.recorded_at
       where (excluded.recorded_at, excluded.event_id) > (report.recorded_at, report.event_id)`,
      [
        event.crawl_id,
        event.source_id,
        event.event_id,
        event.complete,
        event.etag ?? null,
        event.last_modified ?? null,
        event.read,
        event.appended,
        event.duplicates,
        event.parked,
        event.recorded_at,
      ],
    )
  }
}

export async function insertRecipes(tx: Queryable, records: readonly At<RecipeRecorded>[]): Promise<void> {
  if (records.length === 0) return
  const rows = records.map(({ event }) => ({
    recipe_id: event.event_id,
    vsku: vendorSkuIdOf(event.source.id, event.vendor_ref),
    source_id: event.source.id,
    vendor_ref: event.vendor_ref,
    observed_at: event.observed_at,
    payload: canonicalJson(event as unknown as JsonValue),
  }))
  await ensureSources(
    tx,
    rows.map(({ source_id }) => source_id),
  )
  await ensureSkus(tx, rows)
  await tx.query(
    `insert into recipes (recipe_id, sku, observed_at, payload)
     select recipe_id, sku, observed_at, payload
     from jsonb_to_recordset($1::jsonb) as batch (recipe_id text, vsku text, observed_at timestamptz, payload text)
     join vendor_skus on vendor_sku_id = vsku order by recipe_id on conflict do nothing`,
    [rowsParameter(rows)],
  )
}
