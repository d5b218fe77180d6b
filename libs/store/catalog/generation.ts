import { randomBytes } from 'node:crypto'
import { type ChangeOp, chainNext, chainStart } from '@catalog/core/changes/change.ts'
import { FEED_VERSION } from '@catalog/core/changes/protocol.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { lockCheckpoint, readMeta, saveMeta } from '@catalog/store/checkpoints.ts'
import { type Queryable, rowsParameter, type Store, type Transaction } from '@catalog/store/db.ts'
import { digestNewGeneration } from './digests.ts'

/** Numbers whose chain is computed in one batch. */
const BATCH_NUMBERS = 5_000

/** Key of meta: JSON of scope → number where the chains of this generation begin. Absent: all begin at 0. */
export const CHAINS_BEGIN = 'chains_begin'

export type NewGeneration = Readonly<{
  from: string
  to: string
  /** Recomputed numbers, summed over all scopes. */
  numbers: number
}>

/**
 * Names the generation after the present one: milliseconds since 1970 and 16 random bits in 16 hex digits, and the version
 * of its documents (t4). Law: a later generation has the greater name, even when the clock was set back. So the holder of a
 * stale answer can tell which of two generations ended.
 */
export function nextGeneration(present: string | null, now: Date): string {
  const presentMs = present === null ? 0 : Number.parseInt(present.slice(0, MS_DIGITS), 16)
  const ms = Math.max(now.getTime(), presentMs + 1)
  return `${ms.toString(16).padStart(MS_DIGITS, '0')}${randomBytes(2).toString('hex')}t${FEED_VERSION}`
}
const MS_DIGITS = 12

/** When a generation began, in milliseconds since 1970; NaN for another text. */
export const generationBeganMs = (gen: string): number => Number.parseInt(gen.slice(0, MS_DIGITS), 16)

/**
 * Begins a new generation, for a store that was restored from a backup or rebuilt from another log: its numbers may
 * already stand for other changes. Numbers stay. Every chain is recomputed from the start of the new generation, at the
 * scope's floor, and the newest mark gets its digest: mirrors that have its state go on from there.
 *
 * Runs in one transaction under the lock of the items' checkpoint: no reader sees a part of it, and a projector
 * continues after it. `onBegun` runs last in it, before anybody can see the generation; it must read and write through
 * the transaction alone, for the embedded store has one connection. It may take long.
 */
export async function beginGeneration(
  store: Store,
  {
    gen,
    onProgress,
    onBegun,
  }: { gen: string; onProgress?: (numbers: number) => void; onBegun?: (tx: Queryable) => Promise<void> },
): Promise<NewGeneration> {
  return store.transaction(async (tx) => {
    await lockCheckpoint(tx, { projection: 'items', topic: TOPICS.items, partition: 0 })
    const [present] = await tx.query<{ gen: string }>(`select value as gen from meta where key = 'gen' for update`)
    if (present === undefined) throw new Error(`meta has no 'gen': expected a schema made by migrate()`)
    const scopes = await tx.query<{ scope: string; floor: bigint }>(
      `select scope, coalesce(floor, 0) as floor from scope_heads left join feed_floors using (scope) order by scope`,
    )
    let numbers = 0
    for (const { scope, floor } of scopes) {
      numbers = await recomputeChain(tx, { gen, scope, floor, numbers, onProgress })
    }
    await saveMeta(tx, 'gen', gen)
    const begins = Object.fromEntries(scopes.map(({ scope, floor }) => [scope, String(floor)]))
    await saveMeta(tx, CHAINS_BEGIN, JSON.stringify(begins))
    await digestNewGeneration(tx)
    if (onBegun !== undefined) {
      // PostgreSQL ends a transaction that asks nothing for a while, as this one does while files are written.
      await tx.query('set local idle_in_transaction_session_timeout = 0')
      await onBegun(tx)
    }
    return { from: present.gen, to: gen, numbers }
  })
}

async function recomputeChain(
  tx: Transaction,
  {
    gen,
    scope,
    floor,
    numbers,
    onProgress,
  }: {
    gen: string
    scope: string
    floor: bigint
    numbers: number
    onProgress: ((numbers: number) => void) | undefined
  },
): Promise<number> {
  let chain = chainStart(gen, scope)
  let done = numbers
  await tx.query(`update change_scopes set chain = $3 where scope = $1 and rseq = $2`, [scope, floor, chain])
  for (let after = floor; ; ) {
    const rows = await tx.query<{ rseq: bigint; op: ChangeOp; itemId: string; sha: Buffer }>(
      `select s.rseq, s.op, c.item_id as "itemId", c.state_sha as sha from change_scopes s join changes c using (seq)
       where s.scope = $1 and s.rseq > $2 order by s.rseq limit $3`,
      [scope, after, BATCH_NUMBERS],
    )
    const last = rows.at(-1)
    if (last === undefined) break
    const chained = rows.map(({ rseq, op, itemId, sha }) => {
      chain = chainNext({ chain, rseq, op, itemId, sha })
      return { rseq, chain: chain.toString('hex') }
    })
    await tx.query(
      `update change_scopes set chain = decode(batch.chain, 'hex')
       from jsonb_to_recordset($2::jsonb) as batch (rseq bigint, chain text)
       where scope = $1 and change_scopes.rseq = batch.rseq`,
      [scope, rowsParameter(chained)],
    )
    done += rows.length
    onProgress?.(done)
    after = last.rseq
  }
  await tx.query(`update scope_heads set chain = $2, moved_at = clock_timestamp() where scope = $1`, [scope, chain])
  return done
}

/** The number at which each scope's chain begins in this generation; scopes not named begin at 0. */
export async function readChainsBegin(db: Queryable): Promise<ReadonlyMap<string, bigint>> {
  return chainsBeginIn(await readMeta(db, CHAINS_BEGIN))
}

/** Parses the value of {@link CHAINS_BEGIN}. */
export function chainsBeginIn(value: string | null | undefined): ReadonlyMap<string, bigint> {
  const begins = JSON.parse(value ?? '{}') as Record<string, string>
  return new Map(Object.entries(begins).map(([scope, rseq]) => [scope, BigInt(rseq)]))
}
