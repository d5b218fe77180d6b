import { PAGE_CHANGES_MAX, SCOPES } from '@catalog/core/changes/protocol.ts'
import type { Store, Transaction } from '@catalog/store/db.ts'
import { readIndexedSeq } from '@catalog/store/search/search-docs.ts'

/** Pages deleted per transaction: deleting 10,000 numbers takes about a tenth of a second. */
const PAGES_MAX = 20
/** Changes examined per transaction. */
const CHANGES_MAX = 5_000

export type Trimmed = Readonly<{
  /** Deleted numbers, summed over all scopes. */
  numbers: number
  /** Deleted changes: those that no scope numbers any more, that no edition shows and that a later change supersedes. */
  changes: number
}>

/**
 * Deletes old changes: in every scope, whole pages of changes that are older than `before`, are part of the snapshot at
 * `snapshotSeq`, and were read by every live search index.
 *
 * Law: a floor moves in the transaction that deletes the numbers below it. The number at the floor stays with its
 * chain, because a snapshot rests on it. The newest change of each item up to the floor stays, and so does every change
 * that some scope still numbers, or that an edition shows. So each feed keeps whole pages, and the state at any seq from
 * the floor on, and at the end of each edition, can be computed.
 */
export async function trimChanges(
  store: Store,
  { before, snapshotSeq, signal }: { before: Date; snapshotSeq: bigint; signal?: AbortSignal },
): Promise<Trimmed> {
  const indexedSeq = await readIndexedSeq(store)
  const seqMax = indexedSeq < snapshotSeq ? indexedSeq : snapshotSeq
  const beforeUs = BigInt(before.getTime()) * 1000n
  let numbers = 0
  for (const scope of SCOPES) {
    for (;;) {
      signal?.throwIfAborted()
      const deleted = await store.transaction((tx) => moveFloor(tx, { scope, beforeUs, seqMax }))
      if (deleted === 0) break
      numbers += deleted
    }
  }
  // While all floors stand still, no further change becomes superseded.
  return { numbers, changes: numbers === 0 ? 0 : await dropSuperseded(store, signal) }
}

/** Advances a floor by at most PAGES_MAX pages; returns the number of deleted numbers. */
async function moveFloor(
  tx: Transaction,
  { scope, beforeUs, seqMax }: { scope: string; beforeUs: bigint; seqMax: bigint },
): Promise<number> {
  await tx.query(`insert into feed_floors (scope, floor) values ($1, 0) on conflict do nothing`, [scope])
  const [held] = await tx.query<{ floor: bigint }>(`select floor from feed_floors where scope = $1 for update`, [scope])
  const floor = held?.floor ?? 0n
  const [found] = await tx.query<{ to: bigint | null }>(
    `select max(rseq) as to from change_scopes s join changes c using (seq)
     where s.scope = $1 and s.rseq = any ($2) and s.seq <= $3 and c.updated_us < $4`,
    [scope, Array.from({ length: PAGES_MAX }, (_, i) => floor + BigInt((i + 1) * PAGE_CHANGES_MAX)), seqMax, beforeUs],
  )
  if (found?.to == null) return 0
  await tx.query(`update feed_floors set floor = $2, moved_at = clock_timestamp() where scope = $1`, [scope, found.to])
  const deleted = await tx.query(`delete from change_scopes where scope = $1 and rseq < $2 returning seq`, [
    scope,
    found.to,
  ])
  return deleted.length
}

/** Deletes changes that no client can request any more; returns how many. */
async function dropSuperseded(store: Store, signal?: AbortSignal): Promise<number> {
  const floors = await store.query<{ scope: string; floor: bigint }>(`select scope, floor from feed_floors`)
  const floor = floors.find(({ scope }) => scope === 'items')?.floor ?? 0n
  /** The last examined number of each region, while seq ascends. */
  const examined = new Map(floors.filter(({ scope }) => scope !== 'items').map(({ scope, floor }) => [scope, floor]))
  let dropped = 0
  for (let after = 0n; ; ) {
    signal?.throwIfAborted()
    const [range] = await store.query<{ last: bigint | null }>(
      `select max(seq) as last from
         (select seq from changes where seq > $1 and seq <= $2 order by seq limit $3) range`,
      [after, floor, CHANGES_MAX],
    )
    if (range?.last == null) return dropped
    const numbered = await store.query<{ scope: string; rseq: bigint; seq: bigint }>(
      `select at.scope, s.rseq, s.seq from unnest($1::text[], $2::bigint[]) at (scope, rseq),
         lateral (select rseq, seq from change_scopes c where c.scope = at.scope and c.rseq > at.rseq
                  order by rseq limit $4) s
       where s.seq <= $3`,
      [[...examined.keys()], [...examined.values()], range.last, CHANGES_MAX],
    )
    for (const { scope, rseq } of numbered) if (rseq > (examined.get(scope) as bigint)) examined.set(scope, rseq)
    const deleted = await store.query(
      `delete from changes old where seq > $1 and seq <= $2 and seq <> all ($4::bigint[])
         and exists (select from changes newer where newer.item_id collate "C" = old.item_id collate "C"
                       and newer.seq > old.seq and newer.seq <= $3)
         and not exists (select from editions e where e.seq >= old.seq and not exists (
                           select from changes next where next.item_id collate "C" = old.item_id collate "C"
                             and next.seq > old.seq and next.seq <= e.seq))
       returning seq`,
      [after, range.last, floor, [...new Set(numbered.map(({ seq }) => seq))]],
    )
    dropped += deleted.length
    after = range.last
  }
}
