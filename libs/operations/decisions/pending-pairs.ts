import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { instant } from '@catalog/core/time.ts'
import { DecisionRefused } from '@catalog/operations/append-decision.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { atMostOnceAMinute } from '@catalog/runtime/run.ts'
import {
  claimDueDecision,
  countOpenDecisions,
  endDecision,
  insertDecision,
  type OperatorDecision,
  waitingDecisions,
} from '@catalog/store/accounts/operators.ts'
import { withLease } from '@catalog/store/lease.ts'
import { textsAt, visibilityAt } from '@catalog/store/vendor/as-of-queries.ts'
import { loadMembership } from '@catalog/store/vendor/decisions.ts'
import { mergeItems, rejectPair } from './items.ts'

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

/**
 * Keeps a decision on two vendor SKUs, which is recorded when it is due. Their items and names are those of the catalog,
 * whatever a form says. Throws DecisionRefused for SKUs that are in no two items, and for a pair that waits already.
 */
export async function decidePair(
  catalog: Pick<Catalog, 'store' | 'now'>,
  {
    same,
    skuIds: [a, b],
    reason,
    actor,
  }: Readonly<{ same: boolean; skuIds: readonly [string, string]; reason: string; actor: string }>,
): Promise<void> {
  const { store, now } = catalog
  const { itemOf } = await loadMembership(store, { vendorSkuIds: [a, b], itemIds: [] })
  const [itemA, itemB] = [itemOf.get(a), itemOf.get(b)]
  if (itemA === undefined || itemB === undefined || itemA === itemB)
    throw new DecisionRefused(`${a} and ${b}: expected vendor SKUs of two items, as the review shows them`)
  const isWaiting = (await pendingPairs(catalog)).some(({ pair }) => pair.a.skuId === a && pair.b.skuId === b)
  if (isWaiting) throw new DecisionRefused('This pair is decided already: undo that decision first.')
  const decision: PairDecision = { same, a: { skuId: a, itemId: itemA }, b: { skuId: b, itemId: itemB }, reason }
  const at = now()
  const visibility = await visibilityAt(store, { asOf: instant(at), positions: null })
  const texts = await textsAt(store, [a, b], visibility)
  await insertDecision(store, {
    decided_at: instant(at),
    actor,
    action: same ? PAIR_ACTIONS.same : PAIR_ACTIONS.different,
    subject: [a, b].map((skuId) => texts.get(skuId)?.payload.name ?? skuId).join(' / '),
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
 * Records what is due, the oldest first, and all that `actor` could still undo. Several processes may do so: one at a time
 * does. A decision that no longer applies is kept as refused, with the reason. One that fails keeps no other waiting: its
 * error is thrown after the last. Returns how many it ended.
 */
export async function recordDuePairs(catalog: Catalog, { actor }: { actor?: string } = {}): Promise<number> {
  const { store } = catalog
  const at = instant(catalog.now())
  const holder = randomBytes(8).toString('hex')
  const failures: unknown[] = []
  let ended = 0
  await withLease(store, { name: 'operator_decisions', holder, ttlMs: LEASE_MS }, async () => {
    for (let after = '0'; ; ) {
      const due = await claimDueDecision(store, { at, actor, after })
      if (due === undefined) return
      after = due.decision
      try {
        // A crash here appends the event again, which changes nothing: a merge, or a pair kept apart, counts once.
        const refusal = await refusalOf(catalog, JSON.parse(due.content) as PairDecision)
        await endDecision(store, { decision: due.decision, refusal })
        ended++
      } catch (error) {
        failures.push(error)
      }
    }
  })
  if (failures.length > 0) throw failures[0]
  return ended
}

async function refusalOf(catalog: Catalog, { same, a, b, reason }: PairDecision): Promise<string | null> {
  try {
    if (same) await mergeItems(catalog, { from: b.itemId, into: a.itemId, reason })
    else await rejectPair(catalog, { a: a.skuId, b: b.skuId, reason })
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
  const warn = atMostOnceAMinute((err: unknown) =>
    log.warn({ err }, 'the decisions of operators that are due could not be recorded'),
  )
  while (!signal.aborted) {
    try {
      if ((await countOpenDecisions(catalog.store)) > 0) await recordDuePairs(catalog)
    } catch (err) {
      warn(err)
    }
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
  }
}
