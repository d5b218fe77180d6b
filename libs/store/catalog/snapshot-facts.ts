import { instant } from '@catalog/core/time.ts'
import type { Queryable } from '@catalog/store/db.ts'
import { type Cut, visibilityAt } from '@catalog/store/vendor/as-of-queries.ts'
import { articleAt } from '@catalog/store/vendor/row-keys.ts'

/** The facts behind the prices of a snapshot, in chunks: the embedded store serves others between two of them. */

const OBSERVATION_ROWS = 2_000
const BASIS_ROWS = 500

/** An observation with its source and, where it has one, its present item. Decimals are text, so nothing is rounded. */
export type ObservationRow = Readonly<{
  observation_id: string
  vendor_sku_id: string
  item_id: string | null
  source_id: string
  vendor_ref: string | null
  name: string
  category_path: readonly string[] | null
  gtin: string | null
  lang: string | null
  unit: string | null
  pack_quantity: string | null
  pack_unit: string | null
  price_cents: number
  currency: string
  per_quantity: number
  min_quantity: string | null
  tax_included: boolean | null
  tax_rate: string | null
  price_kind: string
  observed_at: string
  recorded_at: string
  crawl_id: string
}>

/** The cut of the run that made a mark; without its RunStarted, everything observed by then. */
export async function cutOfMark(db: Queryable, mark: bigint): Promise<Cut> {
  const [run] = await db.query<{ asOf: Date; payload: string | null }>(
    `select as_of as "asOf", (select payload from decisions where type = 'RunStarted' and subject = run_id limit 1) as payload
     from run_marks where seq <= $1 order by seq desc, "offset" desc limit 1`,
    [mark],
  )
  if (run === undefined) throw new RangeError(`mark ${mark}: expected the mark of a run`)
  return {
    asOf: instant(new Date(run.asOf)),
    positions: run.payload === null ? null : JSON.parse(run.payload).positions,
  }
}

/** Observations at a cut that nothing retracted, in the order of the log. */
export async function* observationsAt(db: Queryable, cut: Cut): AsyncGenerator<readonly ObservationRow[]> {
  const { asOf, hidden } = await visibilityAt(db, cut)
  let after = -1n
  for (;;) {
    const rows = await db.query<ObservationRow & { observation: bigint }>(
      `select observation, encode(observation_id, 'hex') as observation_id, k.vendor_sku_id, item_id, source_id, k.vendor_ref,
         payload::jsonb->>'name' as name, payload::jsonb->'category_path' as category_path,
         payload::jsonb->>'gtin' as gtin, lang, terms.unit, terms.pack_quantity::text, terms.pack_unit, cents::float8 as price_cents,
         currency, per_quantity::float8 as per_quantity, min_quantity::text, tax_included, tax_rate::text,
         kind as price_kind, observed_at, recorded_at, crawl_id
       from (
         select * from observations where observation > $1 and observed_at <= $2
           and not exists (select from unnest($3::bigint[]) hidden where hidden = observations.observation)
         order by observation limit $4
       ) chunk
       join vendor_skus first using (sku) join vendor_skus k on k.sku = ${articleAt('observed_at')}
       join (select source, source_id from sources) named on named.source = k.source
       join price_terms terms using (terms) join crawls using (crawl)
       left join (select sku, item_id from memberships join item_keys using (item)) members on members.sku = k.sku
       order by observation`,
      [after, asOf, hidden, OBSERVATION_ROWS],
    )
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows.map(({ observation: _key, ...row }) => row)
    after = last.observation
  }
}

/** The basis of an item as its last publication gave it: canonical JSON of the event's field. */
export type BasisRow = Readonly<{ item_id: string; run_id: string; as_of: string; basis: string }>

/** The bases of the items that are public, by id. */
export async function* basesOf(db: Queryable): AsyncGenerator<readonly BasisRow[]> {
  let after = ''
  for (;;) {
    const rows = await db.query<BasisRow>(
      `select item_id, run_id, as_of, basis from items where item_id > $1 and state = 'active' order by item_id limit $2`,
      [after, BASIS_ROWS],
    )
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    after = last.item_id
  }
}
