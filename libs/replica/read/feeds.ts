import { type FeedChange, type FeedState, SCOPES } from '@catalog/core/changes/protocol.ts'
import type { Signed } from '@catalog/core/changes/signature.ts'
import type { Tables } from '@catalog/replica/tables.ts'
import type { SavedDigest } from '@catalog/store/catalog/digests.ts'
import type { ChangedItem } from '@catalog/store/catalog/feeds.ts'
import type { ReplicatedDigest, ReplicatedNumber } from '@catalog/store/replica/feeds.ts'
import type { ReplicatedChange } from '@catalog/store/replica/items.ts'

/** The feeds of a replica, as libs/store/catalog/feeds.ts and digests.ts read them from PostgreSQL. */

/** Undefined before the first pass. */
export function readFeedState(tables: Tables): FeedState | undefined {
  const row = tables.get<{ json: string }>('select json from feed_state')
  return row && (JSON.parse(row.json, revived) as FeedState)
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

/** As the store reads them: libs/store/catalog/feeds.ts. */
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

/** The digest of a scope at its own seq; undefined where the replica has none, as of another generation. */
export function readDigest(
  tables: Tables,
  { gen, scope, seq }: { gen: string; scope: string; seq: bigint },
): SavedDigest | undefined {
  if (readFeedState(tables)?.gen !== gen) return undefined
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

export function writeFeedState(tables: Tables, state: FeedState): void {
  tables.run('insert or replace into feed_state values (1, ?)', JSON.stringify(state, replaced))
  // Retention keeps the row at a floor, whose chain the next page begins with.
  for (const { scope, floor } of state.scopes)
    if (floor > 0n) tables.run('delete from change_scopes where scope = ? and rseq < ?', scope, floor)
}

export function writeChanges(tables: Tables, changes: readonly ReplicatedChange[]): void {
  for (const change of changes) {
    tables.run(
      'insert or replace into changes values (?, ?, ?, ?, ?, ?, ?, ?)',
      change.seq,
      change.item_id,
      change.version,
      change.updated_us,
      change.state_sha,
      change.public_state,
      change.merged_into,
      change.former_median,
    )
  }
}

export function writeNumbers(tables: Tables, numbers: readonly ReplicatedNumber[]): void {
  for (const { scope, rseq, seq, op, chain } of numbers)
    tables.run('insert or replace into change_scopes values (?, ?, ?, ?, ?)', scope, rseq, seq, op, chain)
}

/** The last number of each scope that has one. */
export function lastNumbers(tables: Tables): Map<string, bigint> {
  const last = SCOPES.map((scope) => {
    // One look-up for each scope: grouping would read every number.
    const row = tables.get<{ rseq: number | null }>(
      'select max(rseq) as rseq from change_scopes where scope = ?',
      scope,
    )
    return [scope, row?.rseq ?? null] as const
  })
  return new Map(last.flatMap(([scope, rseq]) => (rseq === null ? [] : [[scope, BigInt(rseq)]])))
}

export function writeDigests(
  tables: Tables,
  { digests, earliest }: { digests: readonly ReplicatedDigest[]; earliest: bigint | null },
): void {
  for (const { mark, scope, seq, count, buckets, state_root, signed } of digests) {
    const row = [mark, scope, seq, count, buckets, state_root, signed]
    tables.run('insert or replace into digests values (?, ?, ?, ?, ?, ?, ?)', ...row)
  }
  if (earliest !== null) tables.run('delete from digests where mark < ?', earliest)
}

/** Numbers of the feeds exceed what JSON keeps, and chains are bytes. */
function replaced(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const given = this[key]
  if (typeof given === 'bigint') return { int: String(given) }
  return given instanceof Uint8Array ? { hex: Buffer.from(given).toString('hex') } : value
}

function revived(_key: string, value: unknown): unknown {
  const { int, hex } = (value ?? {}) as { int?: string; hex?: string }
  if (typeof int === 'string') return BigInt(int)
  return typeof hex === 'string' ? Buffer.from(hex, 'hex') : value
}
