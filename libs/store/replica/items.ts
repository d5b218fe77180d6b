import type { Queryable } from '@catalog/store/db.ts'

/**
 * Statements by which a replica copies the item side. It reads every item once, by id. Afterwards it follows the numbers of the
 * feed, and the offsets of catalog.items. Each read is one short statement.
 */

/** An item as the last publication left it. */
export type ReplicatedItem = Readonly<{
  item_id: string
  seq: bigint
  /** Null: the item was merged or is gone. */
  public_state: string | null
  merged_into: string | null
}>

/** What a publication may change without a change of the feed. */
export type ReplicatedBasis = Readonly<{
  item_id: string
  offset: bigint
  basis: string
  vendor_sku_ids: readonly string[]
}>

/** A median from an instant on, in microseconds since 1970; null without a price. */
export type Point = readonly [atUs: number, cents: number | null, currency: string | null]

/** Points of one year as {@link ReplicatedItem} has its medians: of a market, or of the headline (''). */
export type ReplicatedPoints = Readonly<{
  item_id: string
  market: string
  /** Of UTC. */
  year: number
  /** JSON array of {@link Point}, ascending. */
  points: string
}>

/** How many items {@link itemsAfter} reads. */
export async function countItemRows(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>('select count(*)::int as count from items')
  return row?.count ?? 0
}

/** The items after an id, at most `limit`, with their bases. */
export async function itemsAfter(
  db: Queryable,
  { after, limit }: { after: string; limit: number },
): Promise<(ReplicatedItem & ReplicatedBasis)[]> {
  return db.query(
    `select item_id, seq, case when state = 'active' then public_state end as public_state, merged_into, "offset", basis,
       vendor_sku_ids from items where item_id > $1 order by item_id limit $2`,
    [after, limit],
  )
}

/** An item after a change, and what the feeds tell of the change; no basis where a later change superseded it. */
export type ReplicatedChange = ReplicatedItem &
  (ReplicatedBasis | { readonly [K in Exclude<keyof ReplicatedBasis, 'item_id'>]: null }) &
  Readonly<{ version: number; updated_us: bigint; state_sha: Buffer; former_median: string | null }>

/** The changes after a number, ascending, at most `limit`; those after `known` with the basis of the same publication. */
export async function changesAfter(
  db: Queryable,
  { after, known, limit }: { after: bigint; known: bigint; limit: number },
): Promise<ReplicatedChange[]> {
  return db.query(
    `select c.item_id, c.seq, c.state as public_state, c.merged_into, c.version, c.updated_us, c.state_sha,
       c.former_median, i."offset", i.basis, i.vendor_sku_ids
     from changes c left join items i on i.item_id = c.item_id collate "C" and i.seq = c.seq and c.seq > $2
     where c.seq > $1 order by c.seq limit $3`,
    [after, known, limit],
  )
}

/**
 * The bases written at an offset of catalog.items or later, ascending by it, at most `limit`: of items that did not change
 * after the number `known`.
 */
export async function basesFrom(
  db: Queryable,
  { from, known, limit }: { from: bigint; known: bigint; limit: number },
): Promise<ReplicatedBasis[]> {
  return db.query(
    `select item_id, "offset", basis, vendor_sku_ids from items where "offset" >= $1 and seq <= $2
     order by "offset" limit $3`,
    [from, known, limit],
  )
}

/** The points of these items at or after an instant; of all time without one. */
export async function pointsSince(
  db: Queryable,
  { itemIds, since }: { itemIds: readonly string[]; since: string | null },
): Promise<ReplicatedPoints[]> {
  return db.query(
    `select item_id, market, extract(year from recorded_at at time zone 'UTC')::int as year,
       json_agg(json_build_array((extract(epoch from recorded_at) * 1000000)::bigint, cents, currency)
         order by recorded_at)::text as points
     from price_points where item_id = any($1) and recorded_at >= coalesce($2::timestamptz, '-infinity')
     group by item_id, market, year`,
    [itemIds, since],
  )
}

/** `gone_from`: points of this instant and later left the histories, because the run was taken back. */
export type ReplicatedRun = Readonly<{ offset: bigint; as_of: string; seq: bigint; gone_from: string | null }>

/** The finished runs from an offset of catalog.items on, and those that were taken back since. */
export async function runsFrom(db: Queryable, from: bigint): Promise<ReplicatedRun[]> {
  return db.query(
    `select "offset", as_of, seq, case when taken_back >= $1 then (select payload::jsonb->>'as_of' from decisions
         where type = 'RunStarted' and subject = run_id order by decisions."offset" limit 1) end as gone_from
     from run_marks where "offset" >= $1 or taken_back >= $1 order by run_marks."offset"`,
    [from],
  )
}

export type ReplicatedCategory = Readonly<{ category_id: string; parent_id: string | null; name: string }>

/** All categories; undefined when there are as many as the replica has, since none is ever changed or deleted. */
export async function newCategories(db: Queryable, known: number): Promise<ReplicatedCategory[] | undefined> {
  const [row] = await db.query<{ count: bigint }>(`select count(*) as count from categories`)
  if (row?.count === BigInt(known)) return undefined
  return db.query(`select category_id, parent_id, name from categories`)
}
