import type { PublicState } from '@catalog/core/events.ts'
import { lockCheckpoint, moveCheckpoint, readCheckpoint } from './checkpoints.ts'
import type { Queryable, Store } from './db.ts'

/**
 * Where the index feeder stands: the next seq to feed, and what the documents below it were fed for. The checkpoint's
 * last_sha holds the latter: as for a log, it says whether what lies below is still the same.
 */
export type SearchCheckpoint = Readonly<{ next: bigint; fedFor: string | null }>

const PLACE = { projection: 'search', topic: 'changes', partition: 0 } as const

export async function readSearchCheckpoint(store: Queryable): Promise<SearchCheckpoint> {
  const { next, lastSha } = await readCheckpoint(store, PLACE)
  return { next, fedFor: lastSha }
}

/** Moves the checkpoint unless another feeder moved it away from `from` meanwhile; says whether it did. */
export async function moveSearchCheckpoint(
  store: Store,
  { from, to }: { from: SearchCheckpoint; to: SearchCheckpoint },
): Promise<boolean> {
  return store.transaction(async (tx) => {
    const held = await lockCheckpoint(tx, PLACE)
    if (held.next !== from.next || held.lastSha !== from.fedFor) return false
    await moveCheckpoint(tx, PLACE, { next: to.next, lastSha: to.fedFor })
    return true
  })
}

/** A change of the feed; `state` is null for a delete. */
export type Change = Readonly<{ seq: bigint; itemId: string; state: PublicState | null }>

/** Changes from seq `next` on, at most `max`, in order: seq is gapless, so none can come in between later. */
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

/** The names on the way from the root to each category, joined by blanks; categories that are not there are left out. */
export async function categoryPaths(
  store: Queryable,
  categoryIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (categoryIds.length === 0) return new Map()
  const rows = await store.query<{ leaf: string; path: string }>(
    // Depth falls with each step up, so a tree that was stored with a circle ends all the same.
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
