import { chainStart } from '@catalog/core/changes/change.ts'
import { type FeedChange, type FeedState, SCOPES, type ScopeState } from '@catalog/core/changes/protocol.ts'
import type { Queryable } from '@catalog/store/db.ts'

/** Reads of the feeds, one statement each. A statement sees one instant, so no answer shows a part of a commit. */

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

/** The changes of a scope numbered above `after`, ascending. Empty at the head, and for an unknown scope. */
export async function readScopeChanges(
  db: Queryable,
  { scope, after, limit }: { scope: string; after: bigint; limit: number },
): Promise<FeedChange[]> {
  // While no change of the scope follows this one, every run that ended since ended after it.
  return await db.query<FeedChange>(
    `select s.rseq as seq, c.item_id as "itemId", s.op, c.version, c.updated_us as "updatedUs",
            c.state_sha as "stateSha", case when s.op = 'upsert' then c.state end as state,
            case when s.op = 'delete' then c.merged_into end as "mergedInto",
            c.former_median as "formerMedian", s.chain,
            exists (select from run_marks m
                     where m.seq >= s.seq and m.seq < coalesce(following.seq, 9223372036854775807)) as "isMarked"
       from change_scopes s
       join changes c on c.seq = s.seq
       left join change_scopes following on following.scope = s.scope and following.rseq = s.rseq + 1
      where s.scope = $1 and s.rseq > $2
      order by s.rseq limit $3`,
    [scope, after, limit],
  )
}

/** A change of an item, by its version. */
export type ChangedItem = Pick<FeedChange, 'itemId' | 'version'>

/** The public state before each of these changes, as JSON; null: the item had left; undefined: there is none, or it is no longer kept. */
export async function readFormerStates(
  db: Queryable,
  changed: readonly ChangedItem[],
): Promise<(string | null | undefined)[]> {
  const rows = await db.query<{ state: string | null; isKept: boolean }>(
    `select former.state, former.seq is not null as "isKept"
       from unnest($1::text[], $2::int[]) with ordinality as changed (id, version, place)
       left join lateral (select seq, state from changes c where c.item_id collate "C" = changed.id collate "C"
                             and c.version < changed.version order by c.seq desc limit 1) former on true
      order by place`,
    [changed.map(({ itemId }) => itemId), changed.map(({ version }) => version)],
  )
  return rows.map(({ state, isKept }) => (isKept ? state : undefined))
}
