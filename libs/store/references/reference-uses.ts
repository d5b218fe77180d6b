import type { ReferenceReused } from '@catalog/core/events/matching.ts'
import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import type { Queryable } from '@catalog/store/db.ts'
import type { Visibility } from '@catalog/store/vendor/as-of-queries.ts'
import { articleAt } from '@catalog/store/vendor/row-keys.ts'
import type { RunRecord } from '@catalog/store/vendor/runs.ts'

/** The article that each of these references stands for now, by the id of its first one; leaves out references with one article. */
export async function presentArticles(store: Queryable, firstSkuIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await store.query<{ first: string; present: string }>(
    `select first.vendor_sku_id as first, k.vendor_sku_id as present from vendor_skus first
     join vendor_skus k on k.sku = ${articleAt("'infinity'")}
     where first.vendor_sku_id = any($1) and first.reference = first.sku`,
    [firstSkuIds],
  )
  return new Map(rows.map(({ first, present }) => [first, present]))
}

/**
 * References that may stand for another article than before the run: those with a delivery since whose name, unit or pack differs from the
 * observation before or after it, and those with several articles that a delivery or a retraction touched.
 */
export async function changedReferences(
  store: Queryable,
  { from, visibility: { asOf, hidden } }: { from: RunRecord | undefined; visibility: Visibility },
): Promise<string[]> {
  const rows = await store.query<{ id: string }>(
    `with since as (
       select c.partition, coalesce(read.next, 0) as next from checkpoints c
         left join (select key::int as partition, value::bigint as next from jsonb_each_text($1::jsonb)) read using (partition)
       where projection = 'vendor' and topic = '${TOPICS.observations}'),
     delivered as (
       select observation from since, deliveries_from(since.partition, since.next)
       union select observation from observations where observed_at > $2 and observed_at <= $3
     )
     select first.vendor_sku_id as id from delivered, lateral (
       select * from observations where observations.observation = delivered.observation offset 0
     ) o, lateral (select vendor_sku_id, reference from vendor_skus where vendor_skus.sku = o.sku offset 0) first
     where o.observed_at <= $3 and (first.reference is not null or exists (
       select from (
         (select terms, payload from observations e where e.sku = o.sku and not e.observation = any($4)
            and (e.observed_at, e.observation_id) < (o.observed_at, o.observation_id) order by observed_at desc, observation_id desc limit 1)
         ${from === undefined ? '' : `union all ${NEXT_IN_TIME}`}
       ) beside join price_terms b on b.terms = beside.terms join price_terms own on own.terms = o.terms
       where (b.unit, b.pack_quantity, b.pack_unit) is distinct from (own.unit, own.pack_quantity, own.pack_unit)
         or beside.payload::json->>'name' <> o.payload::json->>'name'))
     union select vendor_sku_id from vendor_skus where reference = sku
       and exists (select from retractions join since using (partition) where "offset" >= since.next)
     order by id`,
    [JSON.stringify(from?.positions[TOPICS.observations] ?? {}), from?.asOf ?? '-infinity', asOf, hidden],
  )
  return rows.map(({ id }) => id)
}

/** An earlier delivery; of two new ones the later is compared with the earlier. */
const NEXT_IN_TIME = `
  (select terms, payload from observations e where e.sku = o.sku and not e.observation = any($4)
     and (e.observed_at, e.observation_id) > (o.observed_at, o.observation_id) order by observed_at, observation_id limit 1)`

/** All that was said under a reference, crawl by crawl in the order of the log, hidden where it is not visible; and the decisions on it. */
export type ReferenceHistory = Readonly<{ said: readonly [SaidOnce, ...SaidOnce[]]; uses: readonly ReferenceReused[] }>
type SaidOnce = Readonly<{ payload: ObservationRecorded; isHidden: boolean }>

export async function referenceHistories(
  store: Queryable,
  firstSkuIds: readonly string[],
  { asOf, hidden }: Visibility,
): Promise<ReferenceHistory[]> {
  const said = await store.query<{ id: string; payload: string; isHidden: boolean }>(
    `select vendor_sku_id as id, payload, observed_at > $2 or observation = any($3) as "isHidden"
     from observations join vendor_skus using (sku) where vendor_sku_id = any($1) 
     order by min(observation) over (partition by sku, crawl), observed_at, observation`,
    [firstSkuIds, asOf, hidden],
  )
  const decisions = await store.query<{ payload: string }>(
    `select payload from decisions where type = 'ReferenceReused' and subject = any($1) order by "offset"`,
    [firstSkuIds],
  )
  const uses = decisions.map(({ payload }) => JSON.parse(payload) as ReferenceReused)
  return [...Map.groupBy(said, ({ id }) => id)].map(([id, rows]) => ({
    said: rows.map(({ payload, isHidden }) => ({ payload: JSON.parse(payload), isHidden })) as [
      SaidOnce,
      ...SaidOnce[],
    ],
    uses: uses.filter(({ first_sku_id }) => first_sku_id === id),
  }))
}

/** A decision that a reference stands for another article. */
export type ReusedReference = Pick<
  ReferenceReused,
  'vendor_ref' | 'since' | 'about' | 'before' | 'after' | 'vendor_sku_id'
> &
  Readonly<{ offset: bigint; source: string; item_id: string | null }>

/** The decisions before an offset (null: all), the last first, with the item of the article. */
export async function reusedReferences(
  store: Queryable,
  { before, limit }: { before: bigint | null; limit: number },
): Promise<ReusedReference[]> {
  const rows = await store.query<Omit<ReusedReference, keyof ReferenceReused> & { payload: string }>(
    `select d."offset", payload, coalesce(s.name, s.source_id) as source, item_id from decisions d
     join vendor_skus k on k.vendor_sku_id = payload::jsonb->>'vendor_sku_id' join sources s using (source)
     left join memberships m using (sku) left join item_keys using (item)
     where type = 'ReferenceReused' and ($1::bigint is null or d."offset" < $1) order by d."offset" desc limit $2`,
    [before, limit],
  )
  return rows.map(({ payload, offset, source, item_id }) => {
    const { vendor_ref, since, about, before, after, vendor_sku_id } = JSON.parse(payload) as ReferenceReused
    return { offset, source, vendor_ref, since, about, before, after, vendor_sku_id, item_id }
  })
}

/** How many references have stood for several articles. */
export async function countReusedReferences(store: Queryable): Promise<number> {
  const [row] = await store.query<{ count: number }>(
    `select count(*)::int as count from vendor_skus where reference = sku`,
  )
  return row?.count ?? 0
}
