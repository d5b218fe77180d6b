import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { DecisionRefused } from '@catalog/cli/decisions/append-decision.ts'
import { mergeItems, rejectPair } from '@catalog/cli/decisions/review.ts'
import type { Catalog } from '@catalog/cli/shared/wire.ts'
import { instant } from '@catalog/core/time.ts'
import {
  claimDueDecision,
  countOpenDecisions,
  endDecision,
  insertDecision,
  type OperatorDecision,
  waitingDecisions,
} from '@catalog/store/accounts/operators.ts'
import { withLease } from '@catalog/store/lease.ts'
import { capturedTerminal } from './captured-terminal.ts'

/**
 * Decisions on pairs wait before they are recorded: the log takes nothing back, and a pair that is kept apart stays apart for
 * ever. Until then their person may undo them.
 */

/** Long enough to notice a wrong key, short enough for the run that follows a review. */
export const UNDO_MS = 120_000
/** Waiting decisions that a page shows; more are recorded at once. */
export const PENDING_MAX = 100

export type PairDecision = Readonly<{
  same: boolean
  a: Readonly<{ skuId: string; itemId: string }>
  b: Readonly<{ skuId: string; itemId: string }>
  reason: string
}>

const PAIR_ACTIONS = { same: 'pair.same', different: 'pair.different' } as const

export async function decidePair(
  { store, now }: Pick<Catalog, 'store' | 'now'>,
  { decision, subject, actor }: { decision: PairDecision; subject: string; actor: string },
): Promise<void> {
  const at = now()
  await insertDecision(store, {
    decided_at: instant(at),
    actor,
    action: decision.same ? PAIR_ACTIONS.same : PAIR_ACTIONS.different,
    subject,
    content: JSON.stringify(decision),
    due_at: instant(new Date(at.getTime() + UNDO_MS)),
    state: 'waiting',
  })
}

/** The waiting decisions on pairs, the newest first. */
export async function pendingPairs({
  store,
}: Pick<Catalog, 'store'>): Promise<(OperatorDecision & { pair: PairDecision })[]> {
  const waiting = await waitingDecisions(store, PENDING_MAX)
  return waiting.map((each) => ({ ...each, pair: JSON.parse(each.content) as PairDecision }))
}

/** Another process records what is due this long after the one that did was killed. */
const LEASE_MS = 30_000

/**
 * Records what is due, the oldest first; `isAllDue` also what could still be undone. Several processes may do so: one at a time
 * does. A decision that no longer applies is kept as refused, with the reason. Returns how many it ended.
 */
export async function recordDuePairs(catalog: Catalog, { isAllDue = false } = {}): Promise<number> {
  const at = instant(new Date(catalog.now().getTime() + (isAllDue ? UNDO_MS : 0)))
  const holder = randomBytes(8).toString('hex')
  let ended = 0
  await withLease(catalog.store, { name: 'operator_decisions', holder, ttlMs: LEASE_MS }, async () => {
    for (let due = await claimDueDecision(catalog.store, at); due !== undefined; ended++) {
      // A crash here appends the event again, which changes nothing: a merge, or a pair kept apart, counts once.
      const refusal = await refusalOf(catalog, JSON.parse(due.content) as PairDecision)
      await endDecision(catalog.store, { decision: due.decision, refusal })
      due = await claimDueDecision(catalog.store, at)
    }
  })
  return ended
}

async function refusalOf(catalog: Catalog, { same, a, b, reason }: PairDecision): Promise<string | null> {
  const { terminal } = capturedTerminal()
  try {
    if (same) await mergeItems(catalog, terminal, { from: b.itemId, into: a.itemId, reason })
    else await rejectPair(catalog, terminal, { a: a.skuId, b: b.skuId, reason })
    return null
  } catch (error) {
    if (error instanceof DecisionRefused) return error.message
    // An outage: the decision is recorded with the next look.
    throw error
  }
}

/** Pause between two looks for what is due. */
const LOOK_EVERY_MS = 5_000

/** Records decisions when they are due, until the signal aborts. An outage is logged, and the next look goes on. */
export async function recordPairsWhenDue(
  catalog: Catalog,
  { signal, log }: { signal: AbortSignal; log: { warn(details: object, message: string): void } },
): Promise<void> {
  while (!signal.aborted) {
    try {
      if ((await countOpenDecisions(catalog.store)) > 0) await recordDuePairs(catalog)
    } catch (err) {
      log.warn({ err }, 'the decisions of operators that are due could not be recorded')
    }
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
  }
}
