import type { Queryable } from './db.ts'
import type { Sight } from './votes.ts'

/**
 * The facts behind all medians as columns of numbers, for whoever looks at the whole catalog at once. Postgres packs each
 * column of a chunk into one value: as fast as a binary COPY (0.6 µs a row), and an ordinary query on both stores. The
 * integer keys are this database's own and only join one column with another.
 */
export type ObservationColumns = Readonly<{
  skus: Int32Array
  /** Microseconds since 2000-01-01. */
  observedAtUs: Float64Array
  cents: Float64Array
  /** All their ISO 4217 codes, three letters each, one after the other. */
  currencies: string
  /** What one unit of the price is, one text per row joined by TEXT_SEPARATOR; see {@link plainTerms}. */
  terms: string
}>
export type MembershipColumns = Readonly<{ skus: Int32Array; items: Int32Array; sources: Int32Array }>
export type ItemColumns = Readonly<{
  items: Int32Array
  /** All ids, joined by TEXT_SEPARATOR: the same in one string costs the collector nothing. */
  itemIds: string
  /** As founding fixed them, joined likewise; empty where the item is a pack, or has no unit. */
  units: string
}>

/** Rows of one query: some 10 MB on the wire, and what is in flight does not grow with the catalog. */
const CHUNK_ROWS = 60_000
/** Blocks of 8 KiB with some 15 observations each. */
const CHUNK_BLOCKS = 4_096
/** Chunks that are asked for before they are needed: the store packs while we compute, on two of its processes. */
const CHUNKS_AHEAD = 2
/** Control characters that no event can carry, so they cannot be part of a unit. */
export const TEXT_SEPARATOR = '\u0003'
const LANG_SEPARATOR = '\u0001'
const NOT_PLAIN = '\u0002'

/**
 * Unit and language of a price that is of one unit, not packed and without tax that has to come off; null for a price that
 * needs exact arithmetic.
 */
export function plainTerms(terms: string): { unit: string | null; lang: string | undefined } | null {
  if (terms === NOT_PLAIN) return null
  const [unit, lang] = terms.split(LANG_SEPARATOR)
  return { unit: unit || null, lang }
}

/** All observations in sight, in chunks in no particular order; reading begins at the call. */
export function observationColumns(store: Queryable, { asOf, hidden }: Sight): AsyncIterable<ObservationColumns> {
  // Observations are never updated, so a range of blocks holds the same rows whenever it is read, and no index is walked.
  const blocks = store
    .query<{ blocks: number }>(
      `select (pg_relation_size('observations') / current_setting('block_size')::int)::int as blocks`,
    )
    .then(([row]) => ({ first: 0, last: (row?.blocks ?? 0) - 1, size: CHUNK_BLOCKS }))
  return chunked(blocks, async (from, to) => {
    const [row] = await store.query<Packed<'skus' | 'observed' | 'cents'> & { currencies: string; terms: string }>(
      `select string_agg(int4send(sku), '') as skus, string_agg(timestamptz_send(observed_at), '') as observed,
         string_agg(int8send(cents), '') as cents, string_agg(currency, '') as currencies,
         string_agg(case when per_quantity = 1 and tax_included is not true and pack_unit is null
           then coalesce(unit, '') || coalesce($5 || lang, '') else $6 end, $7) as terms
       from observations
       where ctid >= $1::text::tid and ctid < $2::text::tid and observed_at <= $3 and observation <> all($4::bigint[])`,
      [`(${from},0)`, `(${to},0)`, asOf, hidden, LANG_SEPARATOR, NOT_PLAIN, TEXT_SEPARATOR],
    )
    if (row === undefined || row.skus === null) return undefined
    return {
      skus: int32s(row.skus),
      observedAtUs: int64s(row.observed),
      cents: int64s(row.cents),
      currencies: row.currencies,
      terms: row.terms,
    }
  })
}

/** The item and the source of every SKU that is in an item, in chunks. */
export function membershipColumns(store: Queryable): AsyncIterable<MembershipColumns> {
  return chunked(keyRange(store, 'memberships', 'sku'), async (from, to) => {
    const [row] = await store.query<Packed<'skus' | 'items' | 'sources'>>(
      `select string_agg(int4send(sku), '') as skus, string_agg(int4send(item), '') as items,
         string_agg(int4send(source), '') as sources
       from memberships where sku >= $1 and sku < $2`,
      [from, to],
    )
    if (row === undefined || row.skus === null) return undefined
    return { skus: int32s(row.skus), items: int32s(row.items), sources: int32s(row.sources) }
  })
}

/** Every item that was ever founded, in chunks. */
export function itemColumns(store: Queryable): AsyncIterable<ItemColumns> {
  return chunked(keyRange(store, 'item_keys', 'item'), async (from, to) => {
    const [row] = await store.query<Packed<'items'> & { itemIds: string; units: string }>(
      `select string_agg(int4send(item), '') as items, string_agg(item_id, $3) as "itemIds",
         string_agg(case when pack_unit is null then coalesce(unit, '') else '' end, $3) as units
       from item_keys where item >= $1 and item < $2`,
      [from, to, TEXT_SEPARATOR],
    )
    if (row === undefined || row.items === null) return undefined
    return {
      items: int32s(row.items),
      itemIds: row.itemIds,
      units: row.units,
    }
  })
}

/** The text ids of all sources by their keys. */
export async function sourceKeys(store: Queryable): Promise<Map<number, string>> {
  const rows = await store.query<{ source: number; id: string }>('select source, source_id as id from sources')
  return new Map(rows.map(({ source, id }) => [source, id]))
}

/** The items that hold the SKUs of these observations; ids that are not stored are left out. */
export async function itemsOfObservations(store: Queryable, observationIds: readonly string[]): Promise<number[]> {
  const rows = await store.query<{ item: number }>(
    `select distinct item from unnest($1::text[]) id join observations on observation_id = decode(id, 'hex')
     join memberships using (sku)`,
    [observationIds],
  )
  return rows.map(({ item }) => item)
}

/** The largest key of a SKU and of an item; 0 where there is none. */
export async function largestKeys(store: Queryable): Promise<{ sku: number; item: number }> {
  const [row] = await store.query<{ sku: number; item: number }>(
    `select coalesce((select max(sku) from vendor_skus), 0) as sku, coalesce((select max(item) from item_keys), 0) as item`,
  )
  return row ?? { sku: 0, item: 0 }
}

type Packed<Names extends string> = { [name in Names]: Buffer }

type Range = Readonly<{ first: number; last: number; size: number }>

async function keyRange(store: Queryable, table: string, key: string): Promise<Range> {
  const [range] = await store.query<{ first: number; last: number }>(
    `select coalesce(min(${key}), 0) as first, coalesce(max(${key}), -1) as last from ${table}`,
  )
  return { first: 0, last: -1, size: CHUNK_ROWS, ...range }
}

/** Reads a range piece by piece, CHUNKS_AHEAD of them in flight from the call on; empty pieces are left out. */
function chunked<Chunk>(
  range: Promise<Range>,
  read: (from: number, to: number) => Promise<Chunk | undefined>,
): AsyncIterable<Chunk> {
  const asked: Promise<Chunk | undefined>[] = []
  const ask = (from: number, to: number) => {
    const chunk = read(from, to)
    // It is awaited in its turn; until then a failure must not end the process.
    chunk.catch(() => {})
    asked.push(chunk)
  }
  const begun = range.then(({ first, last, size }) => {
    let next = first
    for (; next <= last && asked.length < CHUNKS_AHEAD; next += size) ask(next, next + size)
    return { next, last, size }
  })
  begun.catch(() => {})
  return (async function* () {
    let { next, last, size } = await begun
    for (; asked.length > 0; next += size) {
      if (next <= last) ask(next, next + size)
      const chunk = await asked.shift()
      if (chunk !== undefined) yield chunk
    }
  })()
}

/** The integers that Postgres packed, which sends the high byte first. */
function int32s(packed: Buffer): Int32Array {
  const own = aligned(packed).swap32()
  return new Int32Array(own.buffer, own.byteOffset, own.length / 4)
}

/** 64-bit integers as numbers: exact up to 2^53 either way. */
function int64s(packed: Buffer): Float64Array {
  const own = aligned(packed).swap64()
  const low = new Uint32Array(own.buffer, own.byteOffset, own.length / 4)
  const high = new Int32Array(own.buffer, own.byteOffset, own.length / 4)
  const numbers = new Float64Array(own.length / 8)
  for (let i = 0; i < numbers.length; i++) {
    numbers[i] = (high[2 * i + 1] as number) * 4_294_967_296 + (low[2 * i] as number)
  }
  return numbers
}

/** The buffer at an address that typed arrays accept; only small ones are ever copied. */
function aligned(buffer: Buffer): Buffer<ArrayBuffer> {
  return (buffer.byteOffset % 8 === 0 ? buffer : Buffer.from(new Uint8Array(buffer).buffer)) as Buffer<ArrayBuffer>
}
