import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import type { Queryable } from '@catalog/store/db.ts'

/**
 * A cache of private keys: most observations name SKUs, terms and crawls of earlier batches.
 *
 * Law: it holds keys of committed rows only, so no rollback invalidates it. None of those rows is ever deleted.
 */
export type KnownKeys = Readonly<{
  /** By source_id and vendor_ref, with U+0000 between, which no event can carry. */
  skus: Map<string, number>
  /** By {@link termsKey}. */
  terms: Map<string, number>
  /** By crawl_id. */
  crawls: Map<string, number>
}>

export const openKnownKeys = (): KnownKeys => ({
  skus: new Map(),
  terms: new Map(),
  crawls: new Map(),
})

/** Entries of each kind, about 40 MB. A fuller cache is cleared. */
export const KNOWN_KEYS_MAX = 250_000

/** What a projector remembers of the tables that it wrote last. */
export type Remembered = Readonly<{
  known: KnownKeys
  /** Batches left that look for earlier deliveries before they insert. */
  lookUps: { left: number }
}>

/**
 * The memory of a projector that outlives the tables of one build. Returns an empty one for other tables than before: after
 * a flip, after `truncate`, and after a restart of the server, which may have lost commits or be another one.
 */
export function openMemory(): (tx: Queryable) => Promise<Remembered> {
  let last: { tables: string; remembered: Remembered } | undefined
  return async (tx) => {
    // The lock of the checkpoint keeps a flip out until the transaction ends.
    const [row] = await tx.query<{ tables: string }>(
      `select concat_ws(' ', pg_postmaster_start_time(), current_database(), pg_relation_filenode('vendor_skus'),
         pg_relation_filenode('price_terms'), pg_relation_filenode('crawls')) as tables`,
    )
    const { tables } = row as { tables: string }
    if (last?.tables !== tables) last = { tables, remembered: { known: openKnownKeys(), lookUps: { left: 0 } } }
    return last.remembered
  }
}

/** Canonical JSON of everything that a price refers to; the key of its row. */
export function termsKey({ availability, edition, price, pack, unit, lang }: ObservationRecorded): string {
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
    // Terms of before have no such keys, and keep theirs.
    ...(availability === 'Discontinued' && { discontinued: true }),
    ...(edition !== undefined && { edition }),
  })
}

/** Returns the keys of rows in price_terms; inserts missing rows. */
export function ensureTerms(tx: Queryable, termsKeys: readonly string[]): Promise<Map<string, number>> {
  return ensureKeys(termsKeys, {
    lookUp: (keys) =>
      tx.query(`select terms_key as id, terms as key from price_terms where terms_key = any($1)`, [keys]),
    insert: (keys) =>
      tx.query(
        `insert into price_terms (terms_key, currency, per_quantity, min_quantity, tax_included, tax_rate, kind, unit,
           pack_quantity, pack_unit, lang, discontinued, edition)
         select key, currency, per_quantity, min_quantity, tax_included, tax_rate, kind, unit, pack_quantity, pack_unit,
           lang, coalesce(discontinued, false), edition
         from unnest($1::text[]) key, jsonb_to_record(key::jsonb) as terms (currency text,
           per_quantity bigint, min_quantity numeric, tax_included boolean, tax_rate numeric, kind text, unit text,
           pack_quantity numeric, pack_unit text, lang text, discontinued boolean, edition text)
         order by key on conflict do nothing returning terms_key as id, terms as key`,
        [keys],
      ),
  })
}

export function ensureCrawls(tx: Queryable, crawlIds: readonly string[]): Promise<Map<string, number>> {
  return ensureById(tx, crawlIds, { table: 'crawls', key: 'crawl', id: 'crawl_id' })
}

/** Inserts rows for sources that an event named; their registration fills in the rest. */
function ensureSources(tx: Queryable, sourceIds: readonly string[]): Promise<Map<string, number>> {
  return ensureById(tx, sourceIds, { table: 'sources', key: 'source', id: 'source_id' })
}

/** Returns the keys of rows that need only a text id; inserts missing rows. */
function ensureById(
  tx: Queryable,
  ids: readonly string[],
  { table, key, id }: { table: 'crawls' | 'sources'; key: string; id: string },
): Promise<Map<string, number>> {
  return ensureKeys(ids, {
    lookUp: (all) => tx.query(`select ${id} as id, ${key} as key from ${table} where ${id} = any($1)`, [all]),
    insert: (missing) =>
      tx.query(
        `insert into ${table} (${id}) select id from unnest($1::text[]) id order by id on conflict do nothing
         returning ${id} as id, ${key} as key`,
        [missing],
      ),
  })
}

type NamedSku = { readonly vsku: string; readonly source_id: string; readonly vendor_ref: string | null }

export async function ensureSkus(tx: Queryable, skus: readonly NamedSku[]): Promise<Map<string, number>> {
  const named = new Map(skus.map((sku) => [sku.vsku, sku]))
  const bare = new Set<string>()
  const keys = await ensureKeys([...named.keys()], {
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
      return tx.query(
        `insert into vendor_skus (vendor_sku_id, source, vendor_ref)
         select * from unnest($1::text[], $2::int[], $3::text[]) order by 1 on conflict do nothing
         returning vendor_sku_id as id, sku as key`,
        [ids, own.map(({ source_id }) => sources.get(source_id)), own.map(({ vendor_ref }) => vendor_ref)],
      )
    },
  })
  if (bare.size > 0) {
    // A decision named these SKUs before their first observation arrived.
    await tx.query(
      `update vendor_skus set vendor_ref = named.vendor_ref from unnest($1::text[], $2::text[]) named (vsku, vendor_ref)
       where vendor_sku_id = vsku and vendor_skus.vendor_ref is null`,
      [[...bare], Array.from(bare, (id) => named.get(id)?.vendor_ref)],
    )
  }
  return keys
}

/**
 * The articles of a reference. An observation belongs to a reference, whose row of vendor_skus is its first article. Decisions say
 * which article it stood for, so their order and that of the observations do not matter.
 */

/**
 * The key of the article that a reference, the row `first` of vendor_skus, stood for at the instant `at`, by the decisions below the
 * offset `before`; null: by all.
 */
export const articleAt = (at: string, before = 'null') =>
  `case when first.reference is null then first.sku else coalesce((
     select used.sku from decisions d join vendor_skus used on used.vendor_sku_id = d.payload::jsonb->>'vendor_sku_id'
     where d.type = 'ReferenceReused' and d.subject = first.vendor_sku_id and (${before}::bigint is null or d."offset" < ${before}::bigint)
       and (d.payload::jsonb->>'since')::timestamptz <= ${at}
     order by (d.payload::jsonb->>'since')::timestamptz desc, d."offset" desc limit 1), first.sku) end`

/** Joins row `k` of vendor_skus with the row of its reference. */
export const FIRST_OF_K = 'vendor_skus first on first.sku = coalesce(k.reference, k.sku)'

/** Returns private integer keys by text id. Most rows exist; only missing ones are inserted. */
async function ensureKeys(
  ids: readonly string[],
  {
    lookUp,
    insert,
  }: {
    lookUp: (ids: readonly string[]) => Promise<{ id: string; key: number }[]>
    /** Returns the rows that it inserted, without those that another transaction inserted meanwhile. */
    insert: (ids: readonly string[]) => Promise<{ id: string; key: number }[]>
  },
): Promise<Map<string, number>> {
  const all = [...new Set(ids)]
  const keys = new Map((await lookUp(all)).map(({ id, key }) => [id, key]))
  const missing = () => all.filter((id) => !keys.has(id))
  for (const step of [insert, lookUp]) {
    const ids = missing()
    if (ids.length > 0) for (const { id, key } of await step(ids)) keys.set(id, key)
  }
  return keys
}
