import type { PublicState } from '@catalog/core/events/items.ts'
import { affectsRow, type Queryable } from '@catalog/store/db.ts'
import { UNRETRACTED } from '@catalog/store/vendor/retraction.ts'
import { articleAt, FIRST_OF_K } from '@catalog/store/vendor/row-keys.ts'

/** An index without a feeder for this long is dropped: operators have a week to return to its embedder. */
const GRACE_DAYS = 7
/** Precision of the time when a feeder last used an index. */
const SEEN_MINUTES = 60

/** The position of an index's feeder. */
export type SearchCheckpoint = Readonly<{
  /** The next seq to feed. */
  next: bigint
  /** Whether a feeder was recorded within the last hour. */
  isSeen: boolean
}>

/** The checkpoint of the index with this identity; each index has its own. */
export async function readSearchCheckpoint(store: Queryable, identity: string): Promise<SearchCheckpoint> {
  const [row] = await store.query<SearchCheckpoint>(
    `select next, seen_at > now() - $2 * interval '1 minute' as "isSeen" from search_indexes where identity = $1`,
    [identity, SEEN_MINUTES],
  )
  return row ?? { next: 0n, isSeen: false }
}

/** Moves the checkpoint unless another feeder moved it from `from` meanwhile; returns whether it did. */
export async function moveSearchCheckpoint(
  store: Queryable,
  { identity, from, to }: { identity: string; from: bigint; to: bigint },
): Promise<boolean> {
  return affectsRow(
    store,
    `insert into search_indexes as index (identity, next)
     select $1, $3 where $2::bigint = 0 or exists (select from search_indexes where identity = $1)
     on conflict (identity) do update set next = excluded.next, seen_at = now() where index.next = $2
     returning 1`,
    [identity, from, to],
  )
}

/** Records that a feeder uses the index; returns the indexes without a feeder for longer than the grace period. */
export async function recordFeeder(store: Queryable, identity: string): Promise<readonly string[]> {
  await store.query(
    `insert into search_indexes (identity) values ($1) on conflict (identity) do update set seen_at = now()`,
    [identity],
  )
  const rows = await store.query<{ identity: string }>(
    `select identity from search_indexes where seen_at < now() - $1 * interval '1 day' order by identity`,
    [GRACE_DAYS],
  )
  return rows.map((row) => row.identity)
}

export async function forgetIndex(store: Queryable, identity: string): Promise<void> {
  await store.query(`delete from search_indexes where identity = $1`, [identity])
}

/** The seq up to which every live index holds the changes; 0 when there is none. */
export async function readIndexedSeq(store: Queryable): Promise<bigint> {
  const [row] = await store.query<{ seq: bigint | null }>(
    `select min(next) - 1 as seq from search_indexes where seen_at >= now() - $1 * interval '1 day'`,
    [GRACE_DAYS],
  )
  return row?.seq ?? 0n
}

/** A change of the feed; `state` is null for a delete. */
export type Change = Readonly<{ seq: bigint; itemId: string; state: PublicState | null }>

/** At most `max` changes from seq `next` on, in order. seq is gapless, so no change can appear in between later. */
export async function changesFrom(
  store: Queryable,
  { next, max }: { next: bigint; max: number },
): Promise<readonly Change[]> {
  const rows = await store.query<{ seq: bigint; itemId: string; state: string | null }>(
    `select seq, item_id as "itemId", case when op = 'upsert' then state end as state
     from changes where seq >= $1 order by seq limit $2`,
    [next, max],
  )
  return rows.map(({ state, ...row }) => ({
    ...row,
    state: state === null ? null : (JSON.parse(state) as PublicState),
  }))
}

/** The names from the root to each category, joined by blanks; leaves out unknown categories. */
export async function categoryPaths(
  store: Queryable,
  categoryIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (categoryIds.length === 0) return new Map()
  const rows = await store.query<{ leaf: string; path: string }>(
    // Depth falls with each step up, so the query ends even on a tree stored with a cycle.
    `with recursive way (leaf, parent_id, name, depth) as (
       select category_id, parent_id, name, depth from categories where category_id = any ($1)
       union all
       select way.leaf, up.parent_id, up.name, up.depth
       from way join categories up on up.category_id = way.parent_id and up.depth < way.depth
     )
     select leaf, string_agg(name, ' ' order by depth) as path from way group by leaf`,
    [categoryIds],
  )
  return new Map(rows.map(({ leaf, path }) => [leaf, path]))
}

/** Items by their identifying keys, within filters. */
export type KeyedItemsQuery = Readonly<{
  /** Keys of the matcher: `gtin:` and `ref:`. */
  keys: readonly string[]
  region?: string | undefined
  categoryIds?: readonly string[] | undefined
  kind?: string | undefined
  limit: number
}>

/** Which of these keys any SKU has. */
export async function knownKeys(store: Queryable, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set()
  const rows = await store.query<{ key: string }>(`select distinct key from match_keys where key = any ($1::text[])`, [
    keys,
  ])
  return new Set(rows.map(({ key }) => key))
}

/**
 * Active items that pass the filters and have a SKU with one of the keys, as matched now and unretracted. Follows
 * merges to the surviving item. In id order.
 */
export async function itemIdsByKey(
  store: Queryable,
  { keys, region, categoryIds, kind, limit }: KeyedItemsQuery,
): Promise<readonly string[]> {
  if (keys.length === 0) return []
  const rows = await store.query<{ itemId: string }>(
    `with recursive known (item) as (
       select item from match_keys join memberships m using (sku) join sources s using (source)
         join vendor_skus k on k.sku = m.sku join ${FIRST_OF_K}
       where key = any ($1::text[]) and exists (select from observations o
         where o.sku = first.sku and k.sku = ${articleAt('o.observed_at')} and ${UNRETRACTED})
       union
       select merged_into from known join item_keys using (item) where merged_into is not null
     )
     select i.item_id as "itemId"
     from known join item_keys k using (item) join items i on i.item_id = k.item_id collate "C"
     where i.state = 'active'
       and ($2::text is null
         or exists (select from item_regions r where r.item_id = i.item_id and r.region = $2))
       and ($3::text[] is null or i.category_id = any ($3)) and ($4::text is null or i.kind = $4)
     order by i.item_id limit $5`,
    [keys, region ?? null, categoryIds ?? null, kind ?? null, limit],
  )
  return rows.map(({ itemId }) => itemId)
}
