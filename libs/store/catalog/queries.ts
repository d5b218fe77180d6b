import type { Queryable } from '@catalog/store/db.ts'
import { NAMES } from '@catalog/store/lists/filters.ts'
import type { ItemRow } from '@catalog/store/lists/items-query.ts'

/**
 * Reads for the API: one function per query, one statement each. Items come as the exact JSON text that the projector
 * stored, so an answer is concatenated from bytes and never serialised again.
 */

/**
 * The version of the catalog.
 * - `seq`: the newest change.
 * - `checkpoints`: differs whenever anything in an item's detail may differ.
 * - `gen`: changes when the numbers begin anew.
 * - `bulk`: changes with each new digest or snapshot.
 * - `floors`: changes when retention deletes old changes.
 * - `build`: changes when a replayed build takes over.
 * - `changed`: when these last changed, in milliseconds since 1970 by the clock of the database: `seq`, `checkpoints`, `bulk`
 *   and `floors`; null where nothing has. All processes read the same.
 */
export type CatalogVersion = Readonly<{
  gen: string
  seq: bigint
  checkpoints: string
  bulk: string
  floors: string
  build: number
  changed: Readonly<Record<'seq' | 'checkpoints' | 'bulk' | 'floors', number | null>>
}>

export async function readCatalogVersion(db: Queryable): Promise<CatalogVersion> {
  const [row] = await db.query<CatalogVersion>(
    `select here.gen,
            coalesce((select rseq from scope_heads where scope = 'items'), 0) as seq,
            (select coalesce(string_agg(concat_ws('/', projection, topic, partition, next), ' '
                                        order by projection, topic, partition), '')
               from checkpoints where projection in ('items', 'vendor')) as checkpoints,
            concat_ws('/', (select max(mark) from digests where gen = here.gen),
                      (select max(created_at) from snapshots where gen = here.gen)) as bulk,
            (select coalesce(sum(floor), 0)::text from feed_floors) as floors,
            here.build,
            json_build_object(
              'seq', ${MS_OF(`(select moved_at from scope_heads where scope = 'items')`)},
              'checkpoints', ${MS_OF(`(select max(moved_at) from checkpoints where projection in ('items', 'vendor'))`)},
              'bulk', ${MS_OF(`(select max(made_at) from digests where gen = here.gen),
                               (select max(saved_at) from snapshots where gen = here.gen)`)},
              'floors', ${MS_OF(`(select max(moved_at) from feed_floors)`)}) as changed
       from (select coalesce((select value from meta where key = 'gen'), '') as gen, build, flipped_at
               from builds where state = 'served') here`,
  )
  return row as CatalogVersion
}

/** The latest of these instants, and of the flip to a replayed build, which may change any answer. */
function MS_OF(instants: string): string {
  return `round(extract(epoch from greatest(${instants}, case when here.build > 1 then here.flipped_at end)) * 1000)`
}

/** The secret that signs cursors, hex; migrate() creates it. */
export async function readCursorSecret(db: Queryable): Promise<string> {
  const [row] = await db.query<{ value: string }>(`select value from meta where key = 'cursor_secret'`)
  if (row === undefined) throw new Error(`meta has no 'cursor_secret': expected a schema made by migrate()`)
  return row.value
}

/** The active ones of these items, in no particular order. */
export async function readItemsById(
  db: Queryable,
  {
    itemIds,
    priceRegion,
    isNamed = false,
  }: { itemIds: readonly string[]; priceRegion: string | undefined; isNamed?: boolean },
): Promise<ItemRow[]> {
  return await db.query<ItemRow>(
    `select i.item_id, i.seq, i.item_json, m.median_json, case when $3 then ${NAMES} end as names_json
       from items i left join item_markets m on m.item_id = i.item_id and m.region = $2
      where i.item_id = any ($1::text[]) and i.state = 'active'`,
    [itemIds, priceRegion ?? null, priceRegion !== undefined || isNamed],
  )
}

export type CategoryRow = Readonly<{ category_id: string; parent_id: string | null; name: string; item_count: bigint }>

/** Categories with the number of active items in them and below them. */
const countedCategories = (chosen: string) => `
  with recursive chosen as (${chosen}),
  below as (
    select category_id as top, category_id from chosen
    union all
    select b.top, c.category_id from below b join categories c on c.parent_id = b.category_id collate "default"
  )
  select c.category_id, c.parent_id, c.name,
         (select count(*) from below b join items i on i.category_id = b.category_id collate "default"
           where b.top = c.category_id and i.state = 'active') as item_count
    from chosen c order by c.category_id`

/** The children of a category (null: the roots), or with `tree` all categories below it, ascending by id. */
export async function readCategories(
  db: Queryable,
  {
    parentId,
    tree = false,
    after,
    limit,
  }: { parentId: string | null; tree?: boolean; after: string | undefined; limit: number },
): Promise<CategoryRow[]> {
  const children = parentId === null ? 'parent_id is null and $1::text is null' : 'parent_id = $1'
  const below =
    parentId === null
      ? 'select * from categories where $1::text is null'
      : `with recursive under as (
           select * from categories where parent_id = $1
           union all
           select c.* from under u join categories c on c.parent_id = u.category_id collate "default"
         ) select * from under`
  return await db.query<CategoryRow>(
    countedCategories(
      `select * from (${tree ? below : `select * from categories where ${children}`}) c
        where category_id > $2 order by category_id limit $3`,
    ),
    [parentId, after ?? '', limit],
  )
}

/** All categories by id, at most `limit`. `item_count` counts the active items of the category alone, not those below it. */
export async function readCategoryTree(db: Queryable, { limit }: { limit: number }): Promise<CategoryRow[]> {
  return await db.query<CategoryRow>(
    `select c.category_id, c.parent_id, c.name, coalesce(counted.item_count, 0) as item_count
       from (select * from categories order by category_id limit $1) c
       left join (select category_id, count(*) as item_count from items
                   where state = 'active' and category_id is not null group by category_id) counted
         on counted.category_id = c.category_id collate "default"
      order by c.category_id`,
    [limit],
  )
}

/** The categories above this one, the root first. */
export async function readCategoryPath(
  db: Queryable,
  categoryId: string,
): Promise<Pick<CategoryRow, 'category_id' | 'name'>[]> {
  return await db.query(
    `with recursive above as (
       select category_id, parent_id, name, 0 as steps from categories where category_id = $1
       union all
       select c.category_id, c.parent_id, c.name, a.steps + 1
         from above a join categories c on c.category_id = a.parent_id collate "C"
     )
     select category_id, name from above where steps > 0 order by steps desc`,
    [categoryId],
  )
}

export async function readCategory(db: Queryable, categoryId: string): Promise<CategoryRow | undefined> {
  const [row] = await db.query<CategoryRow>(countedCategories(`select * from categories where category_id = $1`), [
    categoryId,
  ])
  return row
}

/** Undefined for an unknown id. */
export async function readCategoryName(db: Queryable, categoryId: string): Promise<string | undefined> {
  const [row] = await db.query<{ name: string }>(`select name from categories where category_id = $1`, [categoryId])
  return row?.name
}

/** How many items the catalog has; a scan of all. */
export async function countItems(db: Queryable): Promise<number> {
  const [row] = await db.query<{ n: number }>(`select count(*)::int as n from items where state = 'active'`)
  return row?.n ?? 0
}
