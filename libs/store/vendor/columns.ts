import { TOPICS } from '@catalog/core/events/topics.ts'
import type { BinaryRow } from '@catalog/store/binary-copy.ts'
import { literal, type Queryable, type Store } from '@catalog/store/db.ts'
import type { Visibility } from './as-of-queries.ts'

/**
 * The facts behind all medians as columns of numbers, for readers of the whole catalog. Postgres packs each column of a
 * chunk into one value. Binary COPY carries it unchanged, with no cost per field and row. The integer keys are private
 * to this database, and only join one column with another.
 */
export type ObservationColumns = Readonly<{
  /** Rows of this chunk; the arrays may be longer, and hold the next chunk once it is asked for. */
  count: number
  /** At 2 i the SKU of row i, at 2 i + 1 its terms (see {@link priceTerms}). */
  skusAndTerms: Int32Array
  /** Microseconds since 2000-01-01. */
  observedAtUs: Float64Array
  cents: Float64Array
}>
/** At 2 i a SKU of the source, at 2 i + 1 the item that holds it; `count` of both, as in {@link ObservationColumns}. */
export type MembershipColumns = Readonly<{ source: number; count: number; skusAndItems: Int32Array }>
export type ItemColumns = Readonly<{
  items: Int32Array
  /** All ids, joined by TEXT_SEPARATOR: one string costs the garbage collector nothing. */
  itemIds: string
  /** Units fixed at founding, joined likewise; empty where the item is a pack or has no unit. */
  units: string
}>

/** Rows per query: about 3 MB on the wire, so that memory does not grow with the catalog. */
const CHUNK_ROWS = 120_000
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
    /** Null where a price is packed, is for several units, includes a tax, or is that of discontinued goods. */
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
    `select terms, currency,
       per_quantity = 1 and tax_included is not true and pack_unit is null and not discontinued as "isPlain",
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

/**
 * All observations that are not hidden, also those after `asOf`, in chunks in no particular order; reading begins at the
 * call. Chunks that are packed come from there.
 */
export function observationColumns(store: Store, { hidden }: Visibility): AsyncIterable<ObservationColumns> {
  const withHidden = new Set(hidden.map((observation) => observation >> CHUNK_BITS))
  const isSeen = hidden.length > 0 ? `and observation <> all('{${hidden.join()}}'::bigint[])` : ''
  const reads = packObservations(store).then((chunks) => {
    const isRead = ({ chunk, isPacked }: PackedChunk) => isPacked && !withHidden.has(chunk)
    const packed = chunks.filter(isRead).map(({ chunk }) => chunk)
    const others = chunks.filter((each) => !isRead(each))
    return [
      ...others.map(({ chunk }) => `select ${PACKED} from observations where ${inChunk(`${chunk}`)} ${isSeen}`),
      ...Array.from({ length: Math.ceil(packed.length / PACKED_CHUNKS) }, (_, i) => {
        const own = packed.slice(i * PACKED_CHUNKS, (i + 1) * PACKED_CHUNKS)
        return `select skus_and_terms, observed_at, cents from packed_observations where chunk in (${own.join()})`
      }),
    ]
  })
  return decoded(readAhead(reads, (sql) => store.copyOut(sql)))
}

/** Decodes every chunk into the same arrays: fresh ones would cost more than all arithmetic. */
async function* decoded(rows: AsyncIterable<BinaryRow>): AsyncGenerator<ObservationColumns> {
  let own = columnsOf(0)
  for await (const [pairs, observed, cents] of rows) {
    if (!pairs || !observed || !cents) continue
    const count = cents.length / 8
    if (count > own.cents.length) own = columnsOf(count)
    int32s(pairs, own.skusAndTerms)
    int64s(observed, own.observedAtUs)
    int64s(cents, own.cents)
    yield { ...own, count }
  }
}

const columnsOf = (count: number) => ({
  skusAndTerms: new Int32Array(2 * count),
  observedAtUs: new Float64Array(count),
  cents: new Float64Array(count),
})

/** A chunk of observations holds 65,536 places of one partition of the log. */
const CHUNK_BITS = 16n
/** Chunks of one read: 1.5 MB each. */
const PACKED_CHUNKS = 4
const inChunk = (chunk: string) =>
  `observation >= ${chunk}::bigint << ${CHUNK_BITS} and observation < (${chunk}::bigint + 1) << ${CHUNK_BITS}`
const PACKED = `string_agg(int8send(sku::bigint << 32 | terms), ''), string_agg(timestamptz_send(observed_at), ''),
  string_agg(int8send(cents), '')`

type PackedChunk = Readonly<{ chunk: bigint; isPacked: boolean }>

/**
 * Packs the chunks that can no longer change, and lists all. Law: a packed chunk has exactly the observations of its
 * places. Observations are never updated, and the projector has applied all places before its checkpoint.
 */
async function packObservations(store: Queryable): Promise<readonly PackedChunk[]> {
  const chunks = await store.query<PackedChunk & { isWhole: boolean }>(
    `with recursive partitions as (
       select min(observation) as first from observations
       union all
       select (select min(observation) from observations where observation >= ((first >> 48) + 1) << 48)
       from partitions where first is not null
     )
     select chunk, packed.chunk is not null as "isPacked",
       chunk < (first >> 48 << 48) + coalesce(checkpoints.next, 0) >> ${CHUNK_BITS} as "isWhole"
     from partitions
       left join checkpoints on projection = 'vendor' and topic = $1 and partition = first >> 48,
       lateral (select max(observation) as last from observations where observation < ((first >> 48) + 1) << 48) ends,
       lateral generate_series(first >> ${CHUNK_BITS}, last >> ${CHUNK_BITS}) chunk
       left join packed_observations packed using (chunk)
     where first is not null`,
    [TOPICS.observations],
  )
  for (const { chunk } of chunks.filter(({ isWhole, isPacked }) => isWhole && !isPacked)) {
    // Another process may pack the same chunk at once, or another build may be served by now.
    await store.query(
      `insert into packed_observations (chunk, skus_and_terms, observed_at, cents)
       select $1, ${PACKED} from observations where ${inChunk('$1')} and exists (
         select from checkpoints where projection = 'vendor' and topic = $2 and partition = $1::bigint >> 32
           and (partition::bigint << 48) + next >= ($1::bigint + 1) << ${CHUNK_BITS}
       ) having count(*) > 0 on conflict do nothing`,
      [chunk, TOPICS.observations],
    )
  }
  return chunks.map(({ chunk, isPacked, isWhole }) => ({ chunk, isPacked: isPacked || isWhole }))
}

/** The item of every matched SKU, by source, in chunks. */
export async function* membershipColumns(store: Store): AsyncGenerator<MembershipColumns> {
  const groups = chunked(keyRange(store, 'memberships', 'sku'), (from, to) =>
    store.copyOut(
      `select source, string_agg(int8send(sku::bigint << 32 | item), '')
       from memberships where sku >= ${from} and sku < ${to} group by source`,
    ),
  )
  let own = new Int32Array(0)
  for await (const [source, pairs] of groups) {
    if (!source || !pairs) continue
    if (pairs.length / 4 > own.length) own = new Int32Array(pairs.length / 4)
    yield { source: source.readInt32BE(), count: pairs.length / 8, skusAndItems: int32s(pairs, own) }
  }
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

type Range = Readonly<{ first: number; last: number }>

async function keyRange(store: Queryable, table: string, key: string): Promise<Range> {
  const [range] = await store.query<{ first: number; last: number }>(
    `select coalesce(min(${key}), 0) as first, coalesce(max(${key}), -1) as last from ${table}`,
  )
  return { first: 0, last: -1, ...range }
}

/** Reads a range of keys in chunks. */
function chunked<Chunk>(
  range: Promise<Range>,
  read: (from: number, to: number) => Promise<readonly Chunk[]>,
): AsyncIterable<Chunk> {
  const starts = range.then(({ first, last }) =>
    Array.from({ length: Math.ceil((last + 1 - first) / CHUNK_ROWS) }, (_, i) => first + i * CHUNK_ROWS),
  )
  return readAhead(starts, (from) => read(from, from + CHUNK_ROWS))
}

/** Reads one after the other, CHUNKS_AHEAD of them in flight from the call on. */
function readAhead<Part, Chunk>(
  parts: Promise<readonly Part[]>,
  read: (part: Part) => Promise<readonly Chunk[]>,
): AsyncIterable<Chunk> {
  const requested: Promise<readonly Chunk[]>[] = []
  const request = (part: Part) => {
    const chunk = read(part)
    // It is awaited later; until then its failure must not end the process.
    chunk.catch(() => {})
    requested.push(chunk)
  }
  const begun = parts.then((all) => {
    for (const part of all.slice(0, CHUNKS_AHEAD)) request(part)
    return all
  })
  begun.catch(() => {})
  return (async function* () {
    const all = await begun
    for (let next = requested.length; requested.length > 0; next++) {
      if (next < all.length) request(all[next] as Part)
      yield* (await requested.shift()) ?? []
    }
  })()
}

/** Decodes packed big-endian integers. */
function int32s(packed: Buffer, into = new Int32Array(packed.length / 4)): Int32Array {
  const bytes = Buffer.from(into.buffer, into.byteOffset, packed.length)
  packed.copy(bytes)
  bytes.swap32()
  return into
}

/** Decodes packed 64-bit integers to numbers, exact within ±2^53. */
function int64s(packed: Buffer, into: Float64Array): void {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length)
  const count = packed.length / 8
  for (let i = 0; i < count; i++) into[i] = view.getInt32(8 * i) * 4_294_967_296 + view.getUint32(8 * i + 4)
}
