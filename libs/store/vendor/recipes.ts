import { canonicalJson, type JsonValue } from '@catalog/core/digest.ts'
import { vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import type { Recipe, RecipeRecorded } from '@catalog/core/events/recipes.ts'
import { type Queryable, rowsParameter } from '@catalog/store/db.ts'
import type { LoggedEvent } from '@catalog/store/logged-event.ts'
import { articleAt, ensureSkus, FIRST_OF_K } from './row-keys.ts'
import { TRUST } from './sources.ts'

/** Recipes of price books, stored once and found by vendor SKU. */

/** Law: commutative and idempotent, like all writes of the vendor side. */
export async function insertRecipes(tx: Queryable, records: readonly LoggedEvent<RecipeRecorded>[]): Promise<void> {
  if (records.length === 0) return
  const rows = records.map(({ event }) => {
    const { type: _t, v: _v, event_id, recorded_at, crawl_id, position, ...recipe } = event
    return {
      recipe_id: event_id,
      vsku: vendorSkuIdOf(recipe.source.id, recipe.vendor_ref),
      source_id: recipe.source.id,
      vendor_ref: recipe.vendor_ref,
      observed_at: recipe.observed_at,
      payload: canonicalJson(recipe as unknown as JsonValue),
      crawl_id,
      recorded_at,
      position,
    }
  })
  await ensureSkus(tx, rows)
  await tx.query(
    `insert into recipes (recipe_id, sku, observed_at, payload)
     select recipe_id, sku, observed_at, payload
     from jsonb_to_recordset($1::jsonb) as batch (recipe_id text, vsku text, observed_at timestamptz, payload text)
     join vendor_skus on vendor_sku_id = vsku order by recipe_id on conflict do nothing`,
    [rowsParameter(rows)],
  )
  // One statement must not touch a row twice, and one crawl may meet a recipe in two files.
  await tx.query(
    `insert into recipe_deliveries as known (recipe_id, crawl_id, recorded_at, position)
     select recipe_id, crawl_id, min(recorded_at), min(position collate "C")
     from jsonb_to_recordset($1::jsonb) as batch (recipe_id text, crawl_id text, recorded_at timestamptz, position text)
     group by recipe_id, crawl_id order by recipe_id, crawl_id
     on conflict (recipe_id, crawl_id) do update set recorded_at = least(known.recorded_at, excluded.recorded_at),
       position = least(known.position, excluded.position)
     where excluded.recorded_at < known.recorded_at or excluded.position < known.position`,
    [rowsParameter(rows)],
  )
}

export type RecipeRow = Readonly<{
  vendor_sku_id: string
  recipe_id: string
  recipe: Recipe
  /** Of the crawl that delivered it last. */
  recorded_at: string
  position: string
  /** The source's present registration and trust. */
  source_id: string
  source_name: string
  source_region: string | null
  source_url: string | null
  trust_score: number
}>

/** Bytes of recipes per query: about 80,000 lines, where a large bank's deepest recipe has hundreds. */
const RECIPE_BYTES_MAX = 16 * 1024 ** 2

export type FoundRecipes = Readonly<{
  recipes: ReadonlyMap<string, RecipeRow>
  /** Size of all recipes found, including those left out. */
  bytes: number
  /** False: the recipes of the last SKUs are left out, because all together exceed `bytesMax`. */
  isWhole: boolean
}>

/**
 * The latest recipe of each of these SKUs: by its date, up to `at` if given, then by the time of its last recording.
 * Leaves out SKUs without a recipe, and recipes whose every crawl was retracted. One query for any number of SKUs.
 */
export async function readRecipes(
  db: Queryable,
  {
    skuIds,
    at,
    bytesMax = RECIPE_BYTES_MAX,
  }: { skuIds: readonly string[]; at?: string | undefined; bytesMax?: number | undefined },
): Promise<FoundRecipes> {
  const rows =
    skuIds.length === 0
      ? []
      : await db.query<Omit<RecipeRow, 'recipe'> & { payload: string | null; bytes: bigint }>(
          `with found as (
             select requested.place, k.vendor_sku_id, s.source_id, s.registered_offset, s.name, s.region, s.url,
                    ${TRUST} as trust_score, r.*, sum(octet_length(r.payload)) over (order by requested.place) as bytes
               from unnest($1::text[]) with ordinality requested (id, place)
               join vendor_skus k on k.vendor_sku_id = requested.id join ${FIRST_OF_K}
               join sources s on s.source = k.source
              cross join lateral (
                select r.recipe_id, r.payload, d.recorded_at, d.position
                  from recipes r cross join lateral (${LATEST_DELIVERY}) d
                 where r.sku = first.sku and k.sku = ${articleAt('r.observed_at')} and r.observed_at <= coalesce($2::timestamptz, 'infinity')
                 order by r.observed_at desc, d.recorded_at desc, r.recipe_id collate "C" desc limit 1) r
           )
           select vendor_sku_id, recipe_id, recorded_at, position, source_id, trust_score, bytes,
                  case when bytes <= $3 then payload end as payload,
                  case when registered_offset is null then payload::jsonb->'source'->>'name' else name end as source_name,
                  case when registered_offset is null then payload::jsonb->'source'->>'region' else region end
                    as source_region,
                  case when registered_offset is null then payload::jsonb->'source'->>'url' else url end as source_url
             from found order by place`,
          [[...new Set(skuIds)], at ?? null, bytesMax],
        )
  const recipes = new Map<string, RecipeRow>()
  for (const { payload, bytes: _b, ...row } of rows) {
    if (payload !== null) recipes.set(row.vendor_sku_id, { ...row, recipe: JSON.parse(payload) as Recipe })
  }
  return { recipes, bytes: Number(rows.at(-1)?.bytes ?? 0), isWhole: recipes.size === rows.length }
}

/** The last unretracted crawl that delivered recipe r of source s; no row where all were retracted. */
const LATEST_DELIVERY = `
  select d.recorded_at, d.position from recipe_deliveries d
   where d.recipe_id = r.recipe_id collate "C"
     and not exists (
       select from retractions t
        where t.source_id = s.source_id
          and ((t.scope = 'crawl' and t.crawl_id = d.crawl_id collate "default")
            or (t.scope = 'source' and t.recorded_at >= d.recorded_at)))
   order by d.recorded_at desc, d.position limit 1`

/** An active item, and its median in the requested region. */
export type LinkedItem = Readonly<{
  vendor_sku_id: string
  item_id: string
  item_json: string
  basis: string
  median_json: string | null
  names_json: string | null
}>

/** The published items of what the references of these SKUs stand for now, by SKU; leaves out SKUs without one. One query. */
export async function readLinkedItems(
  db: Queryable,
  { skuIds, priceRegion }: { skuIds: readonly string[]; priceRegion: string | undefined },
): Promise<Map<string, LinkedItem>> {
  if (skuIds.length === 0) return new Map()
  const rows = await db.query<LinkedItem>(
    `select requested.id as vendor_sku_id, i.item_id, i.item_json, i.basis, m.median_json,
       case when $2::text is not null then (i.public_state::jsonb->>'names') end as names_json
       from unnest($1::text[]) requested (id)
       join vendor_skus first on first.vendor_sku_id = requested.id
       join memberships on memberships.sku = ${articleAt("'infinity'")}
       join item_keys using (item)
       join items i on i.item_id = item_keys.item_id collate "C" and i.state = 'active'
       left join item_markets m on m.item_id = i.item_id and m.region = $2`,
    [[...new Set(skuIds)], priceRegion ?? null],
  )
  return new Map(rows.map((row) => [row.vendor_sku_id, row]))
}
