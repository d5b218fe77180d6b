import { appendDecisions } from '@catalog/aggregator/matching/append-decisions.ts'
import { type JoinReport, joinNewItems } from '@catalog/aggregator/matching/join.ts'
import type { JoinRule } from '@catalog/aggregator/matching/join-rule.ts'
import { type MatchReport, matchNewSkus } from '@catalog/aggregator/matching/match.ts'
import { decideReuses } from '@catalog/aggregator/matching/reused-references.ts'
import { materialSha, publicStateJson, votersKey } from '@catalog/core/changes/public-state.ts'
import { eventId } from '@catalog/core/events/ids.ts'
import type { ItemPublished, PublicState } from '@catalog/core/events/items.ts'
import type { Positions, RunMarked } from '@catalog/core/events/runs.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import type { Method } from '@catalog/core/median/median.ts'
import { instant } from '@catalog/core/time.ts'
import { type EventLog, endOf } from '@catalog/log/log.ts'
import type { Store } from '@catalog/store/db.ts'
import { type Cut, matchRuleAt, methodAt } from '@catalog/store/vendor/as-of-queries.ts'
import { dirtyItemIds } from '@catalog/store/vendor/dirty-items.ts'
import {
  allItemIds,
  isSuperseded,
  lastFinishedRun,
  latestRuns,
  type PriorItem,
  priorItems,
  type RunRecord,
} from '@catalog/store/vendor/runs.ts'
import { type Evaluated, type Evaluator, type NextItem, nextItem, openEvaluator, type Rule } from './evaluate.ts'
import { decideFirstMethod } from './first-method.ts'
import { asLeader } from './leader.ts'

/** All effects of the aggregator. Below this edge, everything is a function of the log and of these arguments. */
export type AggregatorDeps = Readonly<{
  store: Store
  log: EventLog
  /** Returns when the projector has applied the whole log; throws ProjectorNotRunning when no projector runs. */
  catchUp: () => Promise<void>
  /** The clock refuses future runs and stamps envelopes; it never affects a price. */
  now: () => Date
  newRunId: () => string
  /** Joins new items that hold one product under several names; without it only equal keys join SKUs. */
  joinRule?: JoinRule
  /** The first run of a new catalog decides this method; without it such a catalog keeps twm/1. */
  methodOfNewCatalogs?: Method
  /** Names this process in the leader's lease. */
  holder: string
  /** Called when this process has become the leader. */
  onLeading?: () => void
  onProgress?: (progress: Progress) => void
  signal?: AbortSignal
}>
export type Progress = Readonly<{ stage: 'match' | 'join' | 'publish'; done: number; total: number | null }>

export type RunReport = Readonly<{
  runId: string
  asOf: string
  resumed: boolean
  /** References that stand for another article than before. */
  referencesReused: number
  matched: number
  itemsFounded: number
  /** Founded items that a rule joined to another one; the next field counts pairs proposed to people. */
  itemsJoined: number
  pairsProposed: number
  itemsEvaluated: number
  /** Items whose public state changed; the next field counts events that only renewed the votes. */
  changed: number
  basisOnly: number
}>

/** Items evaluated at once: bounds memory, changes no result. */
const CHUNK_ITEMS = 200
/** Clocks of machines differ by less; a run further ahead would publish a time without observations. */
const FUTURE_TOLERANCE_MS = 10 * 60_000

export type RefusalCode = 'AS_OF_PAST' | 'AS_OF_FUTURE'
export class RunRefused extends Error {
  override name = 'RunRefused'
  readonly code: RefusalCode
  constructor(code: RefusalCode, message: string) {
    super(`${code}: ${message}`)
    this.code = code
  }
}

/**
 * Runs once: matches new SKUs, then publishes every item whose public state differs from the facts at `asOf`. Runs move
 * forward only: it refuses an asOf before the last published one or in the future. It first finishes a run that was
 * begun and not marked, with its own asOf and positions; to resume a killed run, run again with the same asOf. With `once` it
 * publishes nothing where a run at this asOf, or a later one, has: of several processes one runs.
 */
export async function aggregate(
  given: AggregatorDeps,
  { asOf, full = false, once = false }: { asOf: string; full?: boolean; once?: boolean },
): Promise<readonly RunReport[]> {
  return asLeader(given, async (deps) => {
    await deps.catchUp()
    const reports: RunReport[] = []
    const publish = async (run: RunRecord, options: { matched?: Matched; resumed: boolean }) => {
      const itemIds = await itemsToEvaluate(deps, run, full)
      reports.push(await publishRun(deps, run, { ...options, itemIds }))
    }
    const [latest] = await latestRuns(deps.store, 1)
    if (latest !== undefined && !latest.finished && !(await isSuperseded(deps.store, latest))) {
      await publish(latest, { resumed: true })
    }
    if (once && (await hasRunAt(deps.store, asOf))) return reports
    await refuseWrongTime(deps, asOf)
    const positions = { [TOPICS.observations]: await endOf(deps.log, TOPICS.observations) }
    // What lies below the positions takes part in the run, so its SKUs must have an item.
    await deps.catchUp()
    const cut = { asOf, positions }
    if (latest === undefined) await decideFirstMethod(deps, asOf)
    const matched = await match(deps, cut)
    await publish(await beginRun(deps, cut), { matched, resumed: false })
    return reports
  })
}

type Matched = MatchReport & JoinReport & Readonly<{ reused: number }>
const NOTHING_MATCHED: Matched = { reused: 0, matched: 0, founded: 0, joined: 0, proposed: 0 }

/** Tells re-used references apart, and gives every new SKU an item: by equal keys, then by joining founded items by the rule. */
async function match(deps: AggregatorDeps, cut: Cut): Promise<Matched> {
  const { store, log, catchUp, joinRule: rule } = deps
  const shared = { store, log, cut, catchUp, recordedAt: instant(deps.now()) }
  const reused = await decideReuses(shared)
  const matched = await matchNewSkus({
    ...shared,
    blocks: rule?.blocks,
    onProgress: (done) => deps.onProgress?.({ stage: 'match', done, total: null }),
  })
  if (rule === undefined) return { ...NOTHING_MATCHED, reused, ...matched }
  const joined = await joinNewItems({
    ...shared,
    rule,
    onProgress: (done, total) => deps.onProgress?.({ stage: 'join', done, total }),
  })
  return { reused, ...matched, ...joined }
}

async function hasRunAt(store: Store, asOf: string): Promise<boolean> {
  const last = await lastFinishedRun(store)
  return last !== undefined && Date.parse(last.asOf) >= Date.parse(asOf)
}

async function refuseWrongTime({ store, now }: AggregatorDeps, asOf: string): Promise<void> {
  const last = await lastFinishedRun(store)
  if (last !== undefined && Date.parse(asOf) < Date.parse(last.asOf)) {
    throw new RunRefused(
      'AS_OF_PAST',
      `as_of ${asOf} is before the last published run (${last.asOf}); history is made by running forward, or look at the past with --dry-run`,
    )
  }
  if (Date.parse(asOf) > now().getTime() + FUTURE_TOLERANCE_MS) {
    throw new RunRefused('AS_OF_FUTURE', `as_of ${asOf} is more than 10 minutes after now (${now().toISOString()})`)
  }
}

/** Begins a run at these positions of observations, by the method in force at its start. */
export async function beginRun(
  deps: AggregatorDeps,
  { asOf, positions }: { asOf: string; positions: Positions },
): Promise<RunRecord> {
  // Take the decisions' position after the run's own matches were projected, so that its membership lies below it.
  const decided = { ...positions, [TOPICS.decisions]: await endOf(deps.log, TOPICS.decisions) }
  // A decision on the method may have arrived just before that end.
  await deps.catchUp()
  const { name: method } = await methodAt(deps.store, { asOf, positions: decided })
  const matchRule = await matchRuleAt(deps.store, { asOf, positions: decided })
  const runId = deps.newRunId()
  const begun = {
    type: 'RunStarted' as const,
    run_id: runId,
    as_of: asOf,
    decided_at: asOf,
    method,
    ...(matchRule !== undefined && { match_rule: matchRule }),
    positions: decided,
  }
  await appendDecisions(deps.log, [begun], instant(deps.now()))
  await deps.catchUp()
  return { runId, asOf, method, positions: decided, finished: false }
}

/** Appends the difference between the facts at the run's cut and the public state of these items, and marks the run. */
export async function publishRun(
  deps: AggregatorDeps,
  run: RunRecord,
  {
    itemIds,
    resumed,
    matched = NOTHING_MATCHED,
    onDifference = () => {},
  }: {
    itemIds: readonly string[]
    resumed: boolean
    matched?: Matched
    /** Called with every event before its append. */
    onDifference?: (difference: Difference) => void
  },
): Promise<RunReport> {
  const { store, log } = deps
  const cut: Cut = { asOf: run.asOf, positions: run.positions }
  let [changed, basisOnly, done] = [0, 0, 0]
  let appending = Promise.resolve()
  for await (const events of differences(store, { itemIds, cut, run, recordedAt: instant(deps.now()) })) {
    deps.signal?.throwIfAborted()
    for (const difference of events) onDifference(difference)
    // One append at a time, in id order, while the next items are evaluated.
    await appending
    appending = log.append(
      TOPICS.items,
      events.map(({ event }) => ({ key: event.item_id, value: JSON.stringify(event) })),
    )
    appending.catch(() => {})
    changed += events.filter(({ kind }) => kind === 'change').length
    basisOnly += events.filter(({ kind }) => kind === 'basis').length
    done = Math.min(done + CHUNK_ITEMS, itemIds.length)
    deps.onProgress?.({ stage: 'publish', done, total: itemIds.length })
  }
  await appending
  const content = {
    type: 'RunMarked' as const,
    v: 1 as const,
    run_id: run.runId,
    as_of: run.asOf,
    items_published: changed,
  }
  const mark: RunMarked = { ...content, event_id: eventId(content), recorded_at: instant(deps.now()) }
  await log.append(TOPICS.items, [{ key: run.runId, value: JSON.stringify(mark) }])
  await deps.catchUp()
  return {
    runId: run.runId,
    asOf: run.asOf,
    resumed,
    referencesReused: matched.reused,
    matched: matched.matched,
    itemsFounded: matched.founded,
    itemsJoined: matched.joined,
    pairsProposed: matched.proposed,
    itemsEvaluated: itemIds.length,
    changed,
    basisOnly,
  }
}

async function itemsToEvaluate({ store }: AggregatorDeps, run: RunRecord, full: boolean): Promise<string[]> {
  const last = await lastFinishedRun(store)
  // The first run publishes all items.
  return full || last === undefined ? allItemIds(store) : dirtyItemIds(store, { from: last, to: run })
}

export type Difference = Readonly<{ kind: 'change' | 'basis'; event: ItemPublished; prior: PriorItem | null }>

/** The events that bring the public catalog to the facts at the cut, chunk by chunk in id order. */
async function* differences(
  store: Store,
  { cut, ...rest }: { itemIds: readonly string[]; cut: Cut; run: { readonly runId: string }; recordedAt: string },
): AsyncGenerator<readonly Difference[]> {
  const evaluator = await openEvaluator(store, cut)
  for await (const previews of previewItems(store, { ...rest, evaluator })) {
    yield previews.flatMap(({ difference }) => difference ?? [])
  }
}

/** The current state of an item, its state by a rule, and the event between them; null when no event is needed. */
export type ItemPreview = Readonly<{
  prior: PriorItem | null
  /** The public state of `prior`. */
  priorState: PublicState | null
  /** The result of the rule in force on the same facts; the published state may rest on older facts. */
  present: Evaluated
  next: NextItem
  difference: Difference | null
}>

/** Items computed from the facts at the evaluator's cut, chunk by chunk in id order. */
async function* previewItems(
  store: Store,
  {
    evaluator,
    itemIds,
    run,
    recordedAt,
    rule = evaluator.rule,
    baseline = 'public',
    signal,
  }: {
    evaluator: Evaluator
    itemIds: readonly string[]
    run: { readonly runId: string }
    recordedAt: string
    rule?: Rule
    /** The state to compare with: the public one, or the result of the rule in force at the cut. */
    baseline?: 'public' | 'at the cut'
    signal?: AbortSignal
  },
): AsyncGenerator<readonly ItemPreview[]> {
  const { cut } = evaluator
  const readChunk = async (start: number) => {
    const chunk = itemIds.slice(start, start + CHUNK_ITEMS)
    const [published, facts] = await Promise.all([
      baseline === 'public' ? priorItems(store, chunk) : null,
      evaluator.read(chunk),
    ])
    return { published, facts }
  }
  // A read that nobody awaits would end the process when it fails.
  const chunkAt = (start: number) => (start < itemIds.length ? readChunk(start) : undefined)
  let nextChunk = chunkAt(0)
  for (let start = 0; nextChunk !== undefined; start += CHUNK_ITEMS) {
    const { published, facts } = await nextChunk
    signal?.throwIfAborted()
    // The store reads the next chunk while this one is computed.
    nextChunk = chunkAt(start + CHUNK_ITEMS)
    nextChunk?.catch(() => {})
    const present = evaluator.compute(facts)
    const priors = published ?? asIfPublished(present, cut.asOf)
    const evaluated = rule === evaluator.rule ? present : evaluator.compute(facts, rule)
    yield evaluated.map((item, i): ItemPreview => {
      const prior = priors.get(item.itemId) ?? null
      const priorState = prior && (JSON.parse(prior.publicState) as PublicState)
      const next = nextItem(item, priorState, cut.asOf)
      return {
        prior,
        priorState,
        present: present[i] as Evaluated,
        next,
        difference: difference(next, { prior, priorState, cut, runId: run.runId, recordedAt }),
      }
    })
  }
}

/** Items as version 0, as if only these evaluations had been published. */
function asIfPublished(evaluated: readonly Evaluated[], asOf: string): Map<string, PriorItem> {
  return new Map(
    evaluated.map((item) => {
      const { state, vendor_sku_ids, basis } = nextItem(item, null, asOf)
      const publicState = publicStateJson(state)
      const { itemId } = item
      return [itemId, { itemId, version: 0, publicState, vendorSkuIds: vendor_sku_ids, basis: JSON.stringify(basis) }]
    }),
  )
}

function difference(
  next: NextItem,
  {
    prior,
    priorState,
    cut,
    runId,
    recordedAt,
  }: { prior: PriorItem | null; priorState: PublicState | null; cut: Cut; runId: string; recordedAt: string },
): Difference | null {
  // No reader has seen the item, so its absence needs no event.
  if (prior === null && next.state.state !== 'active') return null
  const same = priorState !== null && materialSha(priorState).equals(materialSha(next.state))
  if (same && prior !== null) {
    const priorVoters = votersKey({ vendor_sku_ids: [...prior.vendorSkuIds], basis: JSON.parse(prior.basis) })
    if (priorVoters === votersKey(next)) return null
  }
  const content = {
    type: 'ItemPublished' as const,
    v: 1 as const,
    ...next,
    // A re-observation at the same price is no change, so the state keeps its bytes.
    state: same && priorState !== null ? priorState : next.state,
    version: prior === null ? 1 : same ? prior.version : prior.version + 1,
    run_id: runId,
    as_of: cut.asOf,
  }
  const event: ItemPublished = { ...content, event_id: eventId(content), recorded_at: recordedAt }
  return { kind: same ? 'basis' : 'change', event, prior }
}

const DRY_RUN = { runId: 'dry-run' }

/** The events that a run at `asOf` would publish, also for the past; appends nothing. */
export async function dryRun(
  deps: Pick<AggregatorDeps, 'store' | 'now' | 'newRunId'>,
  { asOf }: { asOf: string },
): Promise<readonly Difference[]> {
  const cut: Cut = { asOf, positions: null }
  const itemIds = await allItemIds(deps.store)
  const found: Difference[] = []
  const recordedAt = instant(deps.now())
  for await (const events of differences(deps.store, { itemIds, cut, run: DRY_RUN, recordedAt })) {
    found.push(...events)
  }
  return found
}

/**
 * Compares these items with another rule's result on the facts at the evaluator's cut, chunk by chunk; appends nothing.
 * The differences are the events that a run under that rule would publish.
 */
export function previewRule(
  { store, now, signal }: Pick<AggregatorDeps, 'store' | 'now' | 'signal'>,
  rest: { evaluator: Evaluator; rule: Rule; itemIds: readonly string[]; baseline: 'public' | 'at the cut' },
): AsyncGenerator<readonly ItemPreview[]> {
  return previewItems(store, {
    ...rest,
    run: DRY_RUN,
    recordedAt: instant(now()),
    ...(signal && { signal }),
  })
}
