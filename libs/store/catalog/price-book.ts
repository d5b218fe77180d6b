import type { Queryable } from '@catalog/store/db.ts'

/** The catalog as a price book: items by chapter, with the median of every market. */

export type BookItem = Readonly<{
  item_id: string
  /** The exact bytes that lists show. */
  item_json: string
  /** JSON of the votes behind its medians. */
  basis: string
  vendor_sku_ids: readonly string[]
  /** Medians by region; leaves out regions without one. */
  markets: Readonly<Record<string, Readonly<{ cents: number; currency: string }>>>
}>

const COLUMNS = `i.item_id, i.item_json, i.basis, i.vendor_sku_ids,
  (select coalesce(jsonb_object_agg(m.region, m.median_json::jsonb), '{}') from item_markets m
    where m.item_id = i.item_id and m.median_json is not null) as markets`

/** The active items of exactly this category (null: items without a category) in id order, after the given item. */
export async function readChapter(
  db: Queryable,
  { categoryId, after, limit }: { categoryId: string | null; after: string; limit: number },
): Promise<BookItem[]> {
  return await db.query<BookItem>(
    `select ${COLUMNS} from items i
      where i.state = 'active' and i.item_id > $2
        and ${categoryId === null ? 'i.category_id is null and $1::text is null' : 'i.category_id = $1'}
      order by i.item_id limit $3`,
    [categoryId, after, limit],
  )
}

/** The active ones of these items, by id. */
export async function readBookItems(db: Queryable, itemIds: readonly string[]): Promise<Map<string, BookItem>> {
  if (itemIds.length === 0) return new Map()
  const rows = await db.query<BookItem>(
    `select ${COLUMNS} from items i where i.state = 'active' and i.item_id = any($1)`,
    [[...new Set(itemIds)]],
  )
  return new Map(rows.map((row) => [row.item_id, row]))
}

export type ChapterRow = Readonly<{ category_id: string; parent_id: string | null; name: string }>

/** A category and all categories below it (null: all categories), each before those below it. */
export async function readChapters(db: Queryable, categoryId: string | null): Promise<ChapterRow[]> {
  return await db.query<ChapterRow>(
    `with recursive tree as (
       select category_id, parent_id, name, 0 as level from categories
        where ${categoryId === null ? 'parent_id is null and $1::text is null' : 'category_id = $1'}
       union all
       select c.category_id, c.parent_id, c.name, t.level + 1
         from tree t join categories c on c.parent_id = t.category_id collate "default"
     )
     select category_id, parent_id, name from tree order by level, category_id`,
    [categoryId],
  )
}

/** Region and currency of all medians of active items; region null is the headline. Sorted. */
export async function readPriceLabels(
  db: Queryable,
): Promise<readonly Readonly<{ region: string | null; currency: string }>[]> {
  return await db.query(
    `select distinct null as region, item_json::jsonb->'median_price'->>'currency' as currency from items
      where state = 'active' and item_json::jsonb->'median_price'->>'currency' is not null
     union
     select distinct region, median_json::jsonb->>'currency' from item_markets
      where median_json::jsonb->>'currency' is not null
     order by region nulls first, currency`,
  )
}

/** The day of the last finished run, YYYY-MM-DD; null before the first. */
export async function readLastDay(db: Queryable): Promise<string | null> {
  const [last] = await db.query<{ as_of: string }>(`select as_of from run_marks order by "offset" desc limit 1`)
  return last?.as_of.slice(0, 10) ?? null
}
