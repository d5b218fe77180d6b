import type { FeedState } from '@catalog/core/changes/protocol.ts'
import { SCOPES } from '@catalog/core/changes/protocol.ts'
import type { Tables } from '@catalog/replica/tables.ts'
import type { ReplicatedDigest, ReplicatedNumber } from '@catalog/store/replica/feeds.ts'
import type { ReplicatedChange } from '@catalog/store/replica/items.ts'

/** Writes of the feeds of a replica. */

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
