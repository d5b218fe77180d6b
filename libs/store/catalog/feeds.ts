import { chainStart } from '@catalog/core/changes/change.ts'
import { type FeedState, SCOPES, type ScopeState } from '@catalog/core/changes/protocol.ts'
import type { Queryable } from '@catalog/store/db.ts'

/** The state of the feeds, in one statement. A statement sees one instant, so no answer shows a part of a commit. */

type ScopeRow = Readonly<{
  gen: string
  updatedUs: bigint | null
  scope: string
  head: bigint
  chain: Buffer | null
  floor: bigint
  digestMark: bigint | null
  digestSeq: bigint | null
  digestChain: Buffer | null
  stateRoot: string | null
  snapshotSeq: bigint | null
  createdAt: string
  count: bigint
  bytes: bigint
  manifestSha: string
}>

/** The heads of all scopes, with the newest digest and the newest snapshot of this generation. */
export async function readFeedState(db: Queryable): Promise<FeedState> {
  const rows = await db.query<ScopeRow>(
    `with here as (
       select coalesce((select value from meta where key = 'gen'), '') as gen,
              (select updated_us from changes order by seq desc limit 1) as updated_us
     )
     select here.gen, here.updated_us as "updatedUs", s.scope,
            coalesce(h.rseq, 0) as head, h.chain, coalesce(f.floor, 0) as floor,
            d.mark as "digestMark", d.seq as "digestSeq", c.chain as "digestChain", d.state_root as "stateRoot",
            n.seq as "snapshotSeq", n.created_at as "createdAt", n.count, n.bytes, n.manifest_sha as "manifestSha"
       from here
      cross join unnest($1::text[]) with ordinality as s (scope, place)
       left join scope_heads h on h.scope = s.scope
       left join feed_floors f on f.scope = s.scope
       left join digests d on d.gen = here.gen and d.scope = s.scope
        and d.mark = (select max(mark) from digests where gen = here.gen)
       left join change_scopes c on c.scope = d.scope and c.rseq = d.seq
       left join lateral (select * from snapshots where gen = here.gen order by seq desc limit 1) n on true
      order by s.place`,
    [SCOPES],
  )
  const [first] = rows as [ScopeRow, ...ScopeRow[]]
  const digests = rows.filter(({ digestMark }) => digestMark !== null)
  return {
    gen: first.gen,
    updatedUs: first.updatedUs,
    scopes: rows.map(
      ({ gen, scope, head, chain, floor }): ScopeState => ({
        scope,
        head,
        chain: chain ?? chainStart(gen, scope),
        floor,
      }),
    ),
    digest:
      digests.length === 0
        ? null
        : {
            mark: digests[0]?.digestMark as bigint,
            scopes: digests.map(({ gen, scope, digestSeq, digestChain, stateRoot }) => ({
              scope,
              seq: digestSeq as bigint,
              // Retention keeps the row at a floor: only a scope without a change has none.
              chain: digestChain ?? chainStart(gen, scope),
              stateRoot: stateRoot as string,
            })),
          },
    snapshot:
      first.snapshotSeq === null
        ? null
        : {
            seq: first.snapshotSeq,
            createdAt: first.createdAt,
            count: Number(first.count),
            bytes: Number(first.bytes),
            manifestSha: first.manifestSha,
          },
  }
}
