import type { Queryable } from '@catalog/store/db.ts'

/** A finished snapshot whose files are kept. */
export type SnapshotRow = Readonly<{
  gen: string
  /** A mark: the last change in it. */
  seq: bigint
  createdAt: string
  /** Number of items. */
  count: number
  /** Total size of its shards. */
  bytes: number
  /** SHA-256 of the bytes of manifest.json, hex. */
  manifestSha: string
  /** 'YYYY-MM' for the first snapshot of that month. */
  edition: string | null
}>

/** The kept snapshots of all generations, newest first. */
export async function readSnapshots(db: Queryable): Promise<readonly SnapshotRow[]> {
  return db.query<SnapshotRow>(
    `select gen, seq, created_at as "createdAt", count::float8 as count, bytes::float8 as bytes,
       manifest_sha as "manifestSha", edition
     from snapshots order by created_at desc, seq desc`,
  )
}

/** Records a snapshot. Replaces the record of the same mark, because its files were written again. */
export async function saveSnapshot(db: Queryable, row: SnapshotRow): Promise<void> {
  await db.query(
    `insert into snapshots (gen, seq, created_at, count, bytes, manifest_sha, edition)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (gen, seq) do update set created_at = excluded.created_at, count = excluded.count,
       bytes = excluded.bytes, manifest_sha = excluded.manifest_sha, edition = excluded.edition,
       saved_at = clock_timestamp()`,
    [row.gen, row.seq, row.createdAt, row.count, row.bytes, row.manifestSha, row.edition],
  )
}

export async function deleteSnapshot(db: Queryable, { gen, seq }: { gen: string; seq: bigint }): Promise<void> {
  await db.query(`delete from snapshots where gen = $1 and seq = $2`, [gen, seq])
}

/** A point of a median's history. */
export type PricePoint = Readonly<{
  item_id: string
  /** '' for the headline. */
  market: string
  recorded_at: string
  cents: number | null
  currency: string | null
}>

const POINTS_ROWS = 10_000

/** All points recorded by the runs up to a mark, by item, market and time, in chunks. */
export async function* pricePointsAt(db: Queryable, mark: bigint): AsyncGenerator<readonly PricePoint[]> {
  let after: Pick<PricePoint, 'item_id' | 'market' | 'recorded_at'> = { item_id: '', market: '', recorded_at: LONG_AGO }
  for (;;) {
    const rows = await db.query<PricePoint>(
      `select item_id, market, recorded_at, cents::float8 as cents, currency from price_points
       where (item_id, market, recorded_at) > ($1, $2, $3)
         and recorded_at <= (select max(as_of) from run_marks where seq <= $4)
       order by item_id, market, recorded_at limit $5`,
      [after.item_id, after.market, after.recorded_at, mark, POINTS_ROWS],
    )
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    after = last
  }
}
const LONG_AGO = '0001-01-01T00:00:00Z'
