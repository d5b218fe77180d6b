import { literal, type Queryable, type Store } from '@catalog/store/db.ts'
import type { Visibility } from './as-of-queries.ts'

/**
 * The facts behind all medians as columns of numbers, for readers of the whole catalog. Postgres packs each column of a
 * chunk into one value. Binary COPY carries it unchanged, with no cost per field and row. The integer keys are private
 * to this database, and only join one column with another.
 */
export type ObservationColumns = Readonly<{
  /** At 2 i the SKU of row i, at 2 i + 1 its terms (see {@link priceTerms}). */
  skusAndTerms: Int32Array
  /** Microseconds since 2000-01-01. */
  observedAtUs: Float64Array
  cents: Float64Array
}>
/** At 2 i a SKU of the source, at 2 i + 1 the item that holds it. */
export type MembershipColumns = Readonly<{ source: number; skusAndItems: Int32Array }>
export type ItemColumns = Readonly<{
  items: Int32Array
  /** All ids, joined by TEXT_SEPARATOR: one string costs the garbage collector nothing. */
  itemIds: string
  /** Units fixed at founding, joined likewise; empty where the item is a pack or has no unit. */
  units: string
}>

/** Rows per query: about 3 MB on the wire, so that memory does not grow with the catalog. */
const CHUNK_ROWS = 120_000
/** Blocks of 8 KiB with about 15 observations each. */
const CHUNK_BLOCKS = 8_192
/** Chunks read ahead: the store packs them in two of its processes while we compute. */
const CHUNKS_AHEAD = 2
/** Events cannot contain this control character, so units cannot either. */
export const TEXT_SEPARATOR = '\u0003'

/** The terms of prices by their key; `plain` is null where a price needs exact arithmetic. */
export type PriceTerms = ReadonlyMap<
  number,
  Readonly<{
    /** ISO 4217. */
    currency: string
    /** Null where a price is packed, is for several units, or includes a tax. */
    plain: Readonly<{ unit: string | null; lang: string | undefined }> | null
    /** The price holds from a quantity above 1 on. */
    isTier: boolean
    isTaxStated: boolean
  }>
>

export async function priceTerms(store: Queryable): Promise<PriceTerms> {
  const rows = await store.query<{
    terms: number
    currency: string
    isPlain: boolean
    isTier: boolean
    isTaxStated: boolean
    unit: string | null
    lang: string | null
  }>(
    `select terms, currency, per_quantity = 1 and tax_included is not true and pack_unit is null as "isPlain",
       coalesce(min_quantity, 0) > 1 as "isTier", tax_included is not null as "isTaxStated", unit, lang
     from price_terms`,
  )
  return new Map(
    rows.map(({ terms, currency, isPlain, isTier, isTaxStated, unit, lang }) => [
      terms,
      { currency, plain: isPlain ? { unit, lang: lang ?? undefined } : null, isTier, isTaxStated },
    ]),
  )
}

/** All visible observations, in chunks in no particular order; reading begins at the call. */
export function observationColumns(store: Store, { asOf, hidden }: Visibility): AsyncIterable<ObservationColumns> {
  // Observations are never updated, so a range of blocks always holds the same rows, and reading needs no index.
  const blocks = store
    .query<{ blocks: number }>(
      `select (pg_relation_size('observations') / current_setting('block_size')::int)::int as blocks`,
    )
    .then(([row]) => ({ first: 0, last: (row?.blocks ?? 0) - 1, size: CHUNK_BLOCKS }))
  const isSeen = hidden.length > 0 ? `and observation <> all('{${hidden.join()}}'::bigint[])` : ''
  return chunked(blocks, async (from, to) => {
    const [row] = await store.copyOut(
      `select string_agg(int8send(sku::bigint << 32 | terms), ''), string_agg(timestamptz_send(observed_at), ''),
         string_agg(int8send(cents), '')
       from observations
       where ctid >= '(${from},0)' and ctid < '(${to},0)' and observed_at <= ${literal(asOf)} ${isSeen}`,
    )
    const [pairs, observed, cents] = row ?? []
    if (!pairs || !observed || !cents) return []
    return [{ skusAndTerms: int32s(pairs), observedAtUs: int64s(observed), cents: int64s(cents) }]
  })
}

/** The item of every matched SKU, by source, in chunks. */
export function membershipColumns(store: Store): AsyncIterable<MembershipColumns> {
  return chunked(keyRange(store, 'memberships', 'sku'), async (from, to) => {
    const groups = await store.copyOut(
      `select source, string_agg(int8send(sku::bigint << 32 | item), '')
       from memberships where sku >= ${from} and sku < ${to} group by source`,
    )
    return groups.map(([source, pairs]) => ({
      source: (source as Buffer).readInt32BE(),
      skusAndItems: int32s(pairs as Buffer),
    }))
  })
}

/** Every item that was ever founded, in chunks. */
export function itemColumns(store: Store): AsyncIterable<ItemColumns> {
  return chunked(keyRange(store, 'item_keys', 'item'), async (from, to) => {
    const separator = literal(TEXT_SEPARATOR)
    const [row] = await store.copyOut(
      `select string_agg(int4send(item), ''), string_agg(item_id, ${separator}),
         string_agg(case when pack_unit is null then coalesce(unit, '') else '' end, ${separator})
       from item_keys where item >= ${from} and item < ${to}`,
    )
    const [items, itemIds, units] = row ?? []
    if (!items || !itemIds || !units) return []
    return [{ items: int32s(items), itemIds: itemIds.toString(), units: units.toString() }]
  })
}

/** The text ids of all sources by their keys. */
export async function sourceKeys(store: Queryable): Promise<Map<number, string>> {
  const rows = await store.query<{ source: number; id: string }>('select source, source_id as id from sources')
  return new Map(rows.map(({ source, id }) => [source, id]))
}

/** The items that hold the SKUs of these observations; leaves out unknown ids. */
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

type Range = Readonly<{ first: number; last: number; size: number }>

async function keyRange(store: Queryable, table: string, key: string): Promise<Range> {
  const [range] = await store.query<{ first: number; last: number }>(
    `select coalesce(min(${key}), 0) as first, coalesce(max(${key}), -1) as last from ${table}`,
  )
  return { first: 0, last: -1, size: CHUNK_ROWS, ...range }
}

/** Reads a range in chunks, CHUNKS_AHEAD of them in flight from the call on. */
function chunked<Chunk>(
  range: Promise<Range>,
  read: (from: number, to: number) => Promise<readonly Chunk[]>,
): AsyncIterable<Chunk> {
  const requested: Promise<readonly Chunk[]>[] = []
  const request = (from: number, to: number) => {
    const chunk = read(from, to)
    // It is awaited later; until then its failure must not end the process.
    chunk.catch(() => {})
    requested.push(chunk)
  }
  const begun = range.then(({ first, last, size }) => {
    let next = first
    for (; next <= last && requested.length < CHUNKS_AHEAD; next += size) request(next, next + size)
    return { next, last, size }
  })
  begun.catch(() => {})
  return (async function* () {
    let { next, last, size } = await begun
    for (; requested.length > 0; next += size) {
      if (next <= last) request(next, next + size)
      yield* (await requested.shift()) ?? []
    }
  })()
}

/** Decodes packed big-endian integers. */
function int32s(packed: Buffer): Int32Array {
  const own = Buffer.from(new Uint8Array(packed).buffer).swap32()
  return new Int32Array(own.buffer, own.byteOffset, own.length / 4)
}

/** Decodes packed 64-bit integers to numbers, exact within ±2^53. */
function int64s(packed: Buffer): Float64Array {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length)
  const numbers = new Float64Array(packed.length / 8)
  for (let i = 0; i < numbers.length; i++) {
    numbers[i] = view.getInt32(8 * i) * 4_294_967_296 + view.getUint32(8 * i + 4)
  }
  return numbers
}
