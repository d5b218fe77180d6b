import type { Queryable } from '@catalog/store/db.ts'
import type { BasisRow } from './snapshot-facts.ts'

/** The version of the catalog, and what matching lines asks of its items. */

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

/** An item with its names by language and market as JSON, and its median in a region; null where there is none. */
export type NamedItem = Readonly<{
  item_id: string
  item_json: string
  median_json: string | null
  names_json: string | null
}>

/** The active ones of these items, in no particular order. */
export async function readItemsById(
  db: Queryable,
  { itemIds, priceRegion }: { itemIds: readonly string[]; priceRegion: string | undefined },
): Promise<NamedItem[]> {
  return await db.query<NamedItem>(
    `select i.item_id, i.item_json, m.median_json, i.public_state::jsonb->>'names' as names_json
       from items i left join item_markets m on m.item_id = i.item_id and m.region = $2
      where i.item_id = any ($1::text[]) and i.state = 'active'`,
    [itemIds, priceRegion ?? null],
  )
}

/** The basis of each of these items, in no order: canonical JSON as the last publication of the item gave it, and the run of that. */
export const readBases = (db: Queryable, itemIds: readonly string[]) =>
  db.query<BasisRow>(`select item_id, run_id, as_of, basis from items where item_id = any ($1::text[])`, [itemIds])

/** How many items the catalog has; a scan of all. */
export async function countItems(db: Queryable): Promise<number> {
  const [row] = await db.query<{ n: number }>(`select count(*)::int as n from items where state = 'active'`)
  return row?.n ?? 0
}
