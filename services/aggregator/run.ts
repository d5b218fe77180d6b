import { appendDecisions } from '@catalog/aggregator/matching/append-decisions.ts'
import { type JoinReport, joinNewItems } from '@catalog/aggregator/matching/join.ts'
import type { JoinRule } from '@catalog/aggregator/matching/join-rule.ts'
import { type MatchReport, matchNewSkus } from '@catalog/aggregator/matching/match.ts'
import { decideReuses } from '@catalog/aggregator/matching/reused-references.ts'
import { eventId } from '@catalog/core/events/ids.ts'
import type { Positions, RunMarked } from '@catalog/core/events/runs.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import type { Method } from '@catalog/core/median/median.ts'
import { instant } from '@catalog/core/time.ts'
import { appendEvents, type OnUnreadable } from '@catalog/log/append-events.ts'
import { type EventLog, endOf } from '@catalog/log/log.ts'
import { openFollower } from '@catalog/runtime/follower.ts'
import type { Store } from '@catalog/store/db.ts'
import { AGGREGATOR_LEASE } from '@catalog/store/lease.ts'
import { type Cut, matchRuleAt, methodAt } from '@catalog/store/vendor/as-of-queries.ts'
import { dirtyItemIds } from '@catalog/store/vendor/dirty-items.ts'
import { unmatchedSkus } from '@catalog/store/vendor/matching.ts'
import {
  allItemIds,
  isSuperseded,
  isWithoutRuns,
  lastFinishedRun,
  latestRuns,
  type RunRecord,
} from '@catalog/store/vendor/runs.ts'
import { type Progress, workNotes } from '@catalog/store/work.ts'
import { CHUNK_ITEMS, type Difference, differences } from './differences.ts'
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
  /** {@link aggregate} sets it for its reports; without it an event that no projector can read ends a run. */
  onUnreadable?: OnUnreadable
  signal?: AbortSignal
}>
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
  /** What the run left out because no projector could read its events: defects of this version, which cost nothing else. */
  leftOut: readonly string[]
}>

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
  let leftOut: string[] = []
  return asLeader({ ...given, onUnreadable: (problem: string) => leftOut.push(problem) }, async (leading) => {
    const deps = { ...leading, onProgress: progressOf(leading) }
    await deps.catchUp()
    const reports: RunReport[] = []
    const publish = async (run: RunRecord, options: { matched?: Matched; resumed: boolean }) => {
      const itemIds = await itemsToEvaluate(deps, run, full)
      reports.push({ ...(await publishRun(deps, run, { ...options, itemIds })), leftOut })
      leftOut = []
    }
    const [latest] = await latestRuns(deps.store, 1)
    if (latest !== undefined && !latest.finished && !(await isSuperseded(deps.store, latest))) {
      refuseFuture(deps, latest)
      await publish(latest, { resumed: true })
    }
    if (once && (await hasRunAt(deps.store, asOf))) return reports
    await refuseWrongTime(deps, asOf)
    const positions = { [TOPICS.observations]: await endOf(deps.log, TOPICS.observations) }
    // What lies below the positions takes part in the run, so its SKUs must have an item.
    await deps.catchUp()
    const cut = { asOf, positions }
    if (await isWithoutRuns(deps.store)) await decideFirstMethod(deps, { asOf, isFirstRun: latest === undefined })
    const matched = await match(deps, cut)
    await publish(await beginRun(deps, cut), { matched, resumed: false })
    return reports
  })
}

/** Ends the run where its signal aborted, and tells readers and the caller how far it is. */
function progressOf({ store, holder, now, signal, onProgress }: AggregatorDeps): (progress: Progress) => void {
  const note = workNotes(store, { ...AGGREGATOR_LEASE, holder }, () => now().getTime())
  return (progress) => {
    signal?.throwIfAborted()
    note(progress)
    onProgress?.(progress)
  }
}

type Matched = MatchReport & JoinReport & Readonly<{ reused: number }>
const NOTHING_MATCHED: Matched = { reused: 0, matched: 0, founded: 0, joined: 0, proposed: 0 }

/** Tells re-used references apart, and gives every new SKU an item: by equal keys, then by joining founded items by the rule. */
async function match(deps: AggregatorDeps, cut: Cut): Promise<Matched> {
  const { store, log, catchUp, joinRule: rule, onUnreadable } = deps
  const shared = { store, log, cut, catchUp, onUnreadable, recordedAt: instant(deps.now()) }
  const reused = await decideReuses(shared)
  const { count: total, few } = await unmatchedSkus(store)
  deps.onProgress?.({ stage: 'match', done: 0, total })
  const matched = await matchNewSkus({
    ...shared,
    blocks: rule?.blocks,
    few,
    onProgress: (done) => deps.onProgress?.({ stage: 'match', done, total }),
  })
  if (rule === undefined) return { ...NOTHING_MATCHED, reused, ...matched }
  deps.onProgress?.({ stage: 'join', done: 0, total: null })
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

async function refuseWrongTime(deps: AggregatorDeps, asOf: string): Promise<void> {
  const last = await lastFinishedRun(deps.store)
  if (last !== undefined && Date.parse(asOf) < Date.parse(last.asOf)) {
    const next = isFuture(deps, last.asOf)
      ? takeBackHint(last)
      : 'history is made by running forward, or look at the past with --dry-run'
    throw new RunRefused('AS_OF_PAST', `as_of ${asOf} is before the last published run (${last.asOf}); ${next}`)
  }
  if (isFuture(deps, asOf)) {
    const now = deps.now().toISOString()
    throw new RunRefused('AS_OF_FUTURE', `as_of ${asOf} is more than 10 minutes after now (${now})`)
  }
}

/** A process with a wrong clock began the run: finishing it would publish a time that has not come. */
function refuseFuture(deps: AggregatorDeps, run: RunRecord): void {
  if (!isFuture(deps, run.asOf)) return
  throw new RunRefused('AS_OF_FUTURE', `run '${run.runId}' is not finished and is of ${run.asOf}; ${takeBackHint(run)}`)
}

const isFuture = ({ now }: AggregatorDeps, asOf: string) => Date.parse(asOf) > now().getTime() + FUTURE_TOLERANCE_MS

const takeBackHint = ({ runId }: RunRecord) =>
  `a wrong clock dated it: catalog retract --run ${runId} --dry-run shows what readers saw of it`

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
  await appendDecisions({ log: deps.log, recordedAt: instant(deps.now()) }, [begun])
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
  deps.onProgress?.({ stage: 'publish', done, total: itemIds.length })
  // The tables follow while the next items are evaluated.
  await using tables = openFollower(deps.catchUp)
  let appending = Promise.resolve()
  for await (const events of differences(store, { itemIds, cut, run, recordedAt: instant(deps.now()) })) {
    deps.signal?.throwIfAborted()
    for (const difference of events) onDifference(difference)
    // One append at a time, in id order, while the next items are evaluated.
    await appending
    const keyed = events.map(({ event }) => ({ key: event.item_id, event }))
    appending = appendEvents(log, TOPICS.items, keyed, deps.onUnreadable).then(tables.follow)
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
  await appendEvents(log, TOPICS.items, [{ key: run.runId, event: mark }])
  await tables.settled()
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
    leftOut: [],
  }
}

async function itemsToEvaluate({ store }: AggregatorDeps, run: RunRecord, full: boolean): Promise<string[]> {
  const last = await lastFinishedRun(store)
  // The first run publishes all items, and so does the one after a run that was taken back.
  return full || last === undefined || last.takenBackAt !== undefined
    ? allItemIds(store)
    : dirtyItemIds(store, { from: last, to: run })
}
