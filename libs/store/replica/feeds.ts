import type { ChangeOp } from '@catalog/core/changes/change.ts'
import { type Queryable, rowsParameter } from '@catalog/store/db.ts'

/** What a replica copies for the feeds, beside the changes themselves. */

/** The number of a change in a scope. */
export type ReplicatedNumber = Readonly<{ scope: string; rseq: bigint; seq: bigint; op: ChangeOp; chain: Buffer }>

/** The numbers of each scope after a given one, ascending, at most `limit` of each; scopes without one from the beginning. */
export async function numbersAfter(
  db: Queryable,
  { after, limit }: { after: ReadonlyMap<string, bigint>; limit: number },
): Promise<ReplicatedNumber[]> {
  return db.query(
    `select n.* from scope_heads h
       left join jsonb_to_recordset($1::jsonb) as known (scope text, rseq bigint) using (scope)
       cross join lateral (
         select scope, rseq, seq, op, chain from change_scopes s
          where s.scope = h.scope and s.rseq > coalesce(known.rseq, -1) order by s.rseq limit $2) n`,
    [rowsParameter([...after].map(([scope, rseq]) => ({ scope, rseq }))), limit],
  )
}

export type ReplicatedDigest = Readonly<{
  mark: bigint
  scope: string
  seq: bigint
  count: bigint
  buckets: Buffer
  state_root: string
  /** JSON; null for a digest without signatures. */
  signed: string | null
}>

/** The kept digests of a generation after a mark, and the earliest kept mark. */
export async function digestsAfter(
  db: Queryable,
  { gen, mark }: { gen: string; mark: bigint },
): Promise<{ digests: ReplicatedDigest[]; earliest: bigint | null }> {
  const digests = await db.query<ReplicatedDigest>(
    `select mark, scope, seq, count, buckets, state_root, signed::text as signed
     from digests where gen = $1 and mark > $2`,
    [gen, mark],
  )
  const [row] = await db.query<{ earliest: bigint | null }>(
    `select min(mark) as earliest from digests where gen = $1`,
    [gen],
  )
  return { digests, earliest: row?.earliest ?? null }
}
