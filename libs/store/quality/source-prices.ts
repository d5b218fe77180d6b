import type { Queryable } from '@catalog/store/db.ts'
import { UNRETRACTED } from '@catalog/store/vendor/retraction.ts'

/** The latest prices of one source, grouped by their unit and their tax, for the figures of its quality. */

/** SKUs of a source whose latest prices share unit, language, pack and tax. */
export type PriceGroup = Readonly<{
  unit: string | null
  lang: string | null
  pack: Readonly<{ quantity: string; unit: string }> | null
  tax_included: boolean | null
  /** Fraction of the net price, a plain decimal. */
  tax_rate: string | null
  skus: number
  /** SKUs whose latest price was observed before `staleBefore`. */
  stale: number
  /** The vendor's reference of one of them. */
  vendor_ref: string
  first_observed_at: string
  last_observed_at: string
}>

/** SKUs of one statement: it takes some hundredths of a second, so that other readers wait no longer. */
const SKUS_PAGE = 1_000

/**
 * The groups of the source's newest SKUs by arrival, at most `skusMax`, in pages; one group may stand in several pages.
 * Leaves out retracted observations. `staleBefore` is an instant.
 */
export async function* priceGroups(
  db: Queryable,
  { sourceId, staleBefore, skusMax }: { sourceId: string; staleBefore: string; skusMax: number },
): AsyncGenerator<readonly PriceGroup[]> {
  let before = INT_MAX
  for (let left = skusMax; left > 0; left -= SKUS_PAGE) {
    const limit = Math.min(left, SKUS_PAGE)
    const [page] = await db.query<{ count: number; last: number | null; groups: PriceGroup[] | null }>(
      `with s as (select source, source_id from sources where source_id = $1),
       k as materialized (
         select sku, vendor_ref from vendor_skus where source = (select source from s) and sku < $2
         order by sku desc limit $3),
       latest as (
         select k.vendor_ref, o.terms, o.observed_at,
           (select min(observed_at) from observations f where f.sku = k.sku) as first
         from s, k cross join lateral (
           select o.terms, o.observed_at from observations o where o.sku = k.sku and ${UNRETRACTED}
           order by o.observed_at desc, o.observation desc limit 1) o),
       groups as (
         select t.unit, t.lang,
           case when t.pack_quantity is null then null
             else jsonb_build_object('quantity', trim_scale(t.pack_quantity)::text, 'unit', t.pack_unit) end as pack,
           t.tax_included, trim_scale(t.tax_rate)::text as tax_rate, count(*)::int as skus,
           (count(*) filter (where l.observed_at < $4))::int as stale, min(l.vendor_ref) as vendor_ref,
           min(l.first) as first_observed_at, max(l.observed_at) as last_observed_at
         from latest l join price_terms t using (terms)
         group by t.unit, t.lang, t.pack_quantity, t.pack_unit, t.tax_included, t.tax_rate)
       select (select count(*)::int from k) as count, (select min(sku) from k) as last,
         (select jsonb_agg(to_jsonb(groups) order by skus desc, vendor_ref) from groups) as groups`,
      [sourceId, before, limit, staleBefore],
    )
    if (page === undefined || page.last === null) return
    if (page.groups !== null) yield page.groups
    if (page.count < limit) return
    before = page.last
  }
}
const INT_MAX = 2_147_483_647

/** SKUs of a source that a crawl delivered, and its open dead letters by reason, most first. */
export type SourceCounts = Readonly<{
  skus: number
  parked: readonly Readonly<{ reason: string; count: number }>[]
}>

/** Dead letters that are counted: more of them say the same. */
const PARKED_COUNTED_MAX = 100_000

/** Counts of one source; zeros for an unknown one. */
export async function readSourceCounts(db: Queryable, sourceId: string): Promise<SourceCounts> {
  const [row] = await db.query<SourceCounts>(
    `select (select count(*)::int from vendor_skus k join sources s using (source)
               where s.source_id = $1 and k.vendor_ref is not null) as skus,
       coalesce((select jsonb_agg(jsonb_build_object('reason', reason, 'count', count) order by count desc, reason)
         from (select reason, count(*)::int as count from (
             select reason from open_parked where source_id = $1
             limit $2) open group by reason) by_reason), '[]') as parked`,
    [sourceId, PARKED_COUNTED_MAX],
  )
  return row ?? { skus: 0, parked: [] }
}
