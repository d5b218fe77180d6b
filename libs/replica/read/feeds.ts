import type { FeedChange, FeedState } from '@catalog/core/changes/protocol.ts'
import type { Signed } from '@catalog/core/changes/signature.ts'
import type { Tables } from '@catalog/replica/tables.ts'
import type { SavedDigest } from '@catalog/store/catalog/digests.ts'

/** The state of the feeds, their changes and digests. */

/** The heads of all scopes, with the newest digest and the newest snapshot of this generation. */
export function readFeedState(tables: Tables): FeedState {
  const row = tables.get<{ json: string }>('select json from feed_state')
  return JSON.parse((row as { json: string }).json, revived) as FeedState
}

/** How far the rows of the items came. */
export type Head = Readonly<{ gen: string; seq: bigint }>

/** Rows may be newer than the position while a long pass goes on. */
export function readHead(tables: Tables): Head {
  const { gen, scopes } = readFeedState(tables)
  const row = tables.get<{ seq: number | null }>('select max(seq) as seq from changes')
  const [items] = scopes
  const seq = BigInt(row?.seq ?? 0)
  return { gen, seq: items !== undefined && items.head > seq ? items.head : seq }
}

/** The changes of a scope numbered above `after`, ascending. Empty at the head, and for an unknown scope. */
export function readScopeChanges(
  tables: Tables,
  { scope, after, limit }: { scope: string; after: bigint; limit: number },
): FeedChange[] {
  type Row = Record<'seq' | 'version' | 'updatedUs' | 'isMarked', number> &
    Omit<FeedChange, 'seq' | 'version' | 'updatedUs' | 'isMarked'>
  return tables
    .all<Row>(
      `select s.rseq as seq, c.item_id as itemId, s.op, c.version, c.updated_us as updatedUs, c.state_sha as stateSha,
         case when s.op = 'upsert' then c.state end as state,
         case when s.op = 'delete' then c.merged_into end as mergedInto, c.former_median as formerMedian, s.chain,
         exists (select 1 from runs m where m.seq >= s.seq and m.seq < coalesce(
           (select f.seq from change_scopes f where f.scope = s.scope and f.rseq = s.rseq + 1), 9223372036854775807)) as isMarked
       from change_scopes s join changes c on c.seq = s.seq
       where s.scope = ? and s.rseq > ? order by s.rseq limit ?`,
      scope,
      after,
      limit,
    )
    .map((row) => ({
      ...row,
      seq: BigInt(row.seq),
      updatedUs: BigInt(row.updatedUs),
      isMarked: row.isMarked === 1,
    }))
}

/** A change of an item, by its version. */
export type ChangedItem = Pick<FeedChange, 'itemId' | 'version'>

/** The public state before each of these changes, as JSON; null: the item had left; undefined: there is none, or it is no longer kept. */
export function readFormerStates(tables: Tables, changed: readonly ChangedItem[]): (string | null | undefined)[] {
  return changed.map(
    ({ itemId, version }) =>
      tables.get<{ state: string | null }>(
        'select state from changes where item_id = ? and version < ? order by seq desc limit 1',
        itemId,
        version,
      )?.state,
  )
}

/** The digest of a scope at its own seq; undefined when this generation has none there. */
export function readDigest(
  tables: Tables,
  { gen, scope, seq }: { gen: string; scope: string; seq: bigint },
): SavedDigest | undefined {
  if (readFeedState(tables).gen !== gen) return undefined
  const row = tables.get<{ count: number; buckets: Uint8Array; stateRoot: string; signed: string | null }>(
    `select count, buckets, state_root as stateRoot, signed from digests where scope = ? and seq = ? order by mark desc limit 1`,
    scope,
    seq,
  )
  if (row === undefined) return undefined
  return {
    ...row,
    buckets: Array.from({ length: 256 }, (_, i) => row.buckets.subarray(32 * i, 32 * i + 32)),
    signed: row.signed === null ? null : (JSON.parse(row.signed) as Signed),
  }
}

function revived(_key: string, value: unknown): unknown {
  const { int, hex } = (value ?? {}) as { int?: string; hex?: string }
  if (typeof int === 'string') return BigInt(int)
  return typeof hex === 'string' ? Buffer.from(hex, 'hex') : value
}
