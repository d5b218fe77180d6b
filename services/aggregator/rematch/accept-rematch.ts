import { asLeader } from '@catalog/aggregator/leader.ts'
import type { JoinRule } from '@catalog/aggregator/matching/join-rule.ts'
import { decidedAliasesAt, matchSku } from '@catalog/aggregator/matching/match-sku.ts'
import { type AggregatorDeps, beginRun, publishRun, type RunReport } from '@catalog/aggregator/run.ts'
import { eventId } from '@catalog/core/events/ids.ts'
import type { ItemsMerged, SkuMatched, SkuSplit } from '@catalog/core/events/matching.ts'
import type { MatchRuleChanged, Positions } from '@catalog/core/events/runs.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import type { Leaving } from '@catalog/core/matching/item-groups.ts'
import { type MatchSku, matchKeys } from '@catalog/core/matching/match.ts'
import { foundingUnit, type StatedPrice } from '@catalog/core/median/item-unit.ts'
import { instant } from '@catalog/core/time.ts'
import { appendEvents } from '@catalog/log/append-events.ts'
import type { Store } from '@catalog/store/db.ts'
import { type Cut, textsAt, visibilityAt } from '@catalog/store/vendor/as-of-queries.ts'
import { dirtyItemIds } from '@catalog/store/vendor/dirty-items.ts'
import { decisionsSince, lastFinishedRun, latestRuns, type RunRecord } from '@catalog/store/vendor/runs.ts'
import { type Rematch, rematch, type Split } from './rematch.ts'

export class RematchRefused extends Error {
  override name = 'RematchRefused'
}

export type AcceptedRematch = Readonly<{
  found: Rematch
  /** Null when the rule decides nothing otherwise: nothing was appended. */
  run: RunReport | null
}>

type RematchDeps = AggregatorDeps & Readonly<{ joinRule: JoinRule }>

type PositionedCut = Cut & Readonly<{ positions: Positions }>

/** The last finished run and the cut of its facts, on which a rematch decides; throws RematchRefused before the first run. */
export async function rematchCut(store: Store): Promise<{ last: RunRecord; cut: PositionedCut }> {
  const last = await lastFinishedRun(store)
  if (last === undefined || last.takenBackAt !== undefined)
    throw new RematchRefused('nothing is published yet, or the last run was taken back: run catalog aggregate first')
  // People's decisions up to now count: they hold at the run's instant, or the rematch refuses to publish them.
  return {
    last,
    cut: { asOf: last.asOf, positions: { [TOPICS.observations]: last.positions[TOPICS.observations] ?? {} } },
  }
}

/**
 * Publishes what the present rule decides otherwise about the items that exist: a person's decisions, dated with the last
 * run, and a run on the facts of that run. The lease keeps other publishers out.
 *
 * Law: the appended decisions are those of {@link rematch}, and no other fact is published with them. A killed call that is
 * repeated appends the rest. Throws RematchRefused, with nothing appended, when a run is unfinished or when another
 * decision would be published too.
 */
export async function acceptRematch(
  given: RematchDeps,
  { reason, onProgress }: { reason: string; onProgress?: (compared: number, total: number) => void },
): Promise<AcceptedRematch> {
  return asLeader(given, async (deps) => {
    await deps.catchUp()
    const { last, cut } = await rematchCut(deps.store)
    const pending = await pendingDecisions(deps.store, { last, reason })
    const found = await rematch({
      store: deps.store,
      cut,
      rule: deps.joinRule,
      ...(onProgress && { onProgress }),
    })
    deps.signal.throwIfAborted()
    const isEmpty = found.splits.length + found.merges.length === 0
    if (isEmpty && pending === 0) return { found, run: null }
    if (!isEmpty) await appendDecisions(deps, { found, cut, reason })
    const run = await beginRun(deps, cut)
    const itemIds = await dirtyItemIds(deps.store, { from: last, to: run })
    return { found, run: await publishRun(deps, run, { itemIds, resumed: pending > 0 }) }
  })
}

/** Decisions of a killed call that are looked at; more than a rematch of a million SKUs makes. */
const DECISIONS_MAX = 100_000

/** The number of decisions that a killed call left; throws RematchRefused when a decision of another kind waits. */
async function pendingDecisions(store: Store, { last, reason }: { last: RunRecord; reason: string }): Promise<number> {
  const [latest] = await latestRuns(store, 1)
  if (latest !== undefined && !latest.finished) {
    throw new RematchRefused(`run '${latest.runId}' is not finished: catalog aggregate finishes it`)
  }
  const since = await decisionsSince(store, last, { before: null, limit: DECISIONS_MAX })
  const other = since.find(
    (event) => !(event.type === 'SkuMatched' ? isOfRematch(event) : 'reason' in event && event.reason === reason),
  )
  if (other === undefined) return since.length
  throw new RematchRefused(
    `${other.type} of ${other.recorded_at} counts at ${last.asOf} and came after run '${last.runId}', so it would be published too: catalog aggregate first, and look again`,
  )
}

const isOfRematch = (event: SkuMatched) => event.by === 'person' && event.evidence.rematch === true

type Content<E> = Omit<E, 'v' | 'event_id' | 'recorded_at'>
type RematchDecision = Content<MatchRuleChanged> | Content<SkuSplit> | Content<SkuMatched> | Content<ItemsMerged>

async function appendDecisions(
  deps: RematchDeps,
  { found, cut, reason }: { found: Rematch; cut: Cut; reason: string },
): Promise<void> {
  const skuIds = found.splits.flatMap(({ leaving }) => leaving.map(({ skuId }) => skuId))
  const aliases = await decidedAliasesAt(deps.store, cut)
  const latest = await textsAt(deps.store, skuIds, await visibilityAt(deps.store, cut))
  const founders = [...latest.values()].map((text) => ({ sku: matchSku(text, aliases), price: text.payload.price }))
  const texts = new Map(founders.map((founder) => [founder.sku.vendorSkuId, founder]))
  const decided = { decided_at: cut.asOf, reason }
  const decisions: RematchDecision[] = [
    { type: 'MatchRuleChanged', ...decided, rule_version: found.ruleVersion },
    ...found.splits.flatMap((split) => splitDecisions(split, { found, texts, decided, rule: deps.joinRule })),
    ...found.merges.map(({ fromItemId, intoItemId, a, b, score }) => ({
      type: 'ItemsMerged' as const,
      ...decided,
      from_item_id: fromItemId,
      into_item_id: intoItemId,
      rule_version: found.ruleVersion,
      evidence: { a, b, score },
    })),
  ]
  const recordedAt = instant(deps.now())
  const events = decisions.map((content) => {
    const whole = { v: 1 as const, ...content }
    return { key: REMATCH_KEY, event: { ...whole, event_id: eventId(whole), recorded_at: recordedAt } }
  })
  // All splits come before all merges, so that no merge meets two SKUs of one source.
  await appendEvents(deps.log, TOPICS.decisions, events)
  await deps.catchUp()
}
/** One key keeps the decisions of a rematch in their order. */
const REMATCH_KEY = 'rematch'

type Founder = Readonly<{ sku: MatchSku; price: StatedPrice }>

function splitDecisions(
  { newItemId, n, leaving }: Split,
  {
    found,
    texts,
    decided,
    rule,
  }: {
    found: Rematch
    texts: ReadonlyMap<string, Founder>
    decided: { decided_at: string; reason: string }
    rule: JoinRule
  },
): (Content<SkuSplit> | Content<SkuMatched>)[] {
  const [first, ...others] = leaving as [Leaving, ...Leaving[]]
  const textOf = (skuId: string) => (texts.get(skuId) as Founder).sku
  const split = {
    type: 'SkuSplit' as const,
    ...decided,
    vendor_sku_id: first.skuId,
    source_id: textOf(first.skuId).sourceId,
    item_id: newItemId,
    founding: { n, unit: foundingUnit(textOf(first.skuId), (texts.get(first.skuId) as Founder).price) },
  }
  const joined = others.map(({ skuId, apartFrom, reason }) => ({
    type: 'SkuMatched' as const,
    decided_at: decided.decided_at,
    vendor_sku_id: skuId,
    source_id: textOf(skuId).sourceId,
    item_id: newItemId,
    rule_version: found.ruleVersion,
    keys: [...matchKeys(textOf(skuId)), ...rule.blocks(textOf(skuId)).stored],
    by: 'person' as const,
    evidence: { rematch: true, apart_from: apartFrom, why: reason, reason: decided.reason },
  }))
  return [split, ...joined]
}
