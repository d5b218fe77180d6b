import { createHash } from 'node:crypto'
import { canonicalJson } from '@catalog/core/digest.ts'
import type { DecisionEvent } from '@catalog/core/events/events.ts'
import { eventId } from '@catalog/core/events/ids.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { instant } from '@catalog/core/time.ts'
import { appendEvents } from '@catalog/log/append-events.ts'
import {
  decisionsSince,
  lastFinishedRun,
  latestRuns,
  type PricingDecision,
  pricingDecisionsAfter,
  type RunRecord,
} from '@catalog/store/vendor/runs.ts'
import type { Difference } from './differences.ts'
import type { Rule } from './evaluate.ts'
import { asLeader } from './leader.ts'
import { type AggregatorDeps, beginRun, publishRun } from './run.ts'

/** The differences that a report predicted for its rule; acceptRule compares what it appended with them. */
export type Differences = Readonly<{
  /** In id order, without duplicates. */
  itemIds: readonly string[]
  changed: number
  basisOnly: number
  /** Hash over the content of every event, without its run id. */
  sha256: string
}>

export function openDifferences(): { add: (difference: Difference) => void; result: () => Differences } {
  const content = createHash('sha256')
  const itemIds: string[] = []
  let [changed, basisOnly] = [0, 0]
  return {
    add({ kind, event }) {
      itemIds.push(event.item_id)
      if (kind === 'change') changed++
      else basisOnly++
      content.update(eventId({ ...event, run_id: '' }))
    },
    result: () => ({ itemIds, changed, basisOnly, sha256: content.copy().digest('hex') }),
  }
}

/** The current rule, a proposed one, and the events that the proposed rule would append over the public state. */
export type RulePreview = Readonly<{ present: Rule; rule: Rule; differences: Differences }>

export type Accepted = Readonly<{
  /** The decisions that put the rule in force, appended now or by an earlier attempt that was killed. */
  decisions: readonly RuleDecision[]
  /** Null when the current rule equals the proposed one: there is nothing to publish. */
  run: Readonly<{ runId: string; asOf: string; changed: number; basisOnly: number; resumed: boolean }> | null
}>

/** A decision without the envelope that the log adds. */
export type RuleDecision = PricingDecision extends infer E
  ? E extends PricingDecision
    ? Omit<E, 'v' | 'event_id' | 'recorded_at'>
    : never
  : never

export class AcceptRefused extends Error {
  override name = 'AcceptRefused'
}

/** The published result follows the rule but differs from the reported preview. */
export class AcceptedDiffersFromPreview extends Error {
  override name = 'AcceptedDiffersFromPreview'
}

/**
 * Publishes exactly the difference that a preview of another rule found: records the rule's decisions and makes a run
 * of the last run's facts. `preview` receives that run and finishes before anything is appended. The lease keeps other
 * publishers out.
 *
 * Law: the appended events equal the previewed ones. A killed call that is repeated ends as if undisturbed; one more
 * call appends nothing. Throws AcceptRefused, with nothing appended, when a run at that instant would differ in more
 * than the rule, or when the next run would use another rule.
 */
export async function acceptRule<T extends RulePreview>(
  given: AggregatorDeps,
  { reason, preview }: { reason: string; preview: (run: RunRecord, signal: AbortSignal) => Promise<T> },
): Promise<Readonly<{ previewed: T; accepted: Accepted }>> {
  return asLeader(given, async (deps) => {
    const { signal } = deps
    await deps.catchUp()
    const { last, begun } = await runsOf(deps)
    const previewed = await preview(last, signal)
    signal.throwIfAborted()
    const decisions = ruleDecisionsOf(previewed, { asOf: last.asOf, reason })
    const missing = await missingDecisions(deps, { last, begun, decisions })
    if (decisions.length === 0) return { previewed, accepted: { decisions, run: null } }
    await decide(deps, missing)
    const run = begun ?? (await beginRun(deps, { asOf: last.asOf, positions: observationsOf(last) }))
    const published = openDifferences()
    const { differences } = previewed
    const report = await publishRun(deps, run, {
      itemIds: differences.itemIds,
      resumed: begun !== null,
      onDifference: published.add,
    })
    requireSameDifferences(run, { shown: differences, published: published.result() })
    const { runId, asOf, changed, basisOnly, resumed } = report
    return { previewed, accepted: { decisions, run: { runId, asOf, changed, basisOnly, resumed } } }
  })
}

/** The run whose prices are public, and an unfinished run on top of it, if there is one. */
async function runsOf({ store }: AggregatorDeps): Promise<{ last: RunRecord; begun: RunRecord | null }> {
  const last = await lastFinishedRun(store)
  if (last === undefined || last.takenBackAt !== undefined)
    throw new AcceptRefused('nothing is published yet, or the last run was taken back: run catalog aggregate first')
  const [latest] = await latestRuns(store, 1)
  return { last, begun: latest === undefined || latest.finished ? null : latest }
}

const observationsOf = ({ positions }: RunRecord) => ({ [TOPICS.observations]: positions[TOPICS.observations] ?? {} })

/**
 * The decisions that turn the current rule into the proposed one. They are dated with the previewed run, so that a run
 * at that instant, and every later one, uses the new rule.
 */
function ruleDecisionsOf(
  { present, rule }: RulePreview,
  { asOf, reason }: { asOf: string; reason: string },
): readonly RuleDecision[] {
  const decisions: RuleDecision[] = []
  const decided = { decided_at: asOf, reason }
  for (const [sourceId, { enabled, trust }] of [...rule.sources].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const before = present.sources.get(sourceId)
    const source = { ...decided, source_id: sourceId }
    if (trust !== before?.trust) decisions.push({ type: 'TrustChanged', ...source, trust_score: trust })
    if (enabled !== before?.enabled) decisions.push({ type: 'SourceSwitched', ...source, enabled })
  }
  if (rule.method !== present.method) decisions.push({ type: 'MethodChanged', ...decided, method: rule.method.name })
  return decisions
}

/**
 * The decisions that the log does not have yet; an earlier attempt may have appended some before it was killed. Throws
 * AcceptRefused when another decision or an unfinished run would be published with them.
 */
async function missingDecisions(
  { store }: AggregatorDeps,
  { last, begun, decisions }: { last: RunRecord; begun: RunRecord | null; decisions: readonly RuleDecision[] },
): Promise<readonly RuleDecision[]> {
  const before = begun?.positions[TOPICS.decisions]?.['0'] ?? null
  const since = await decisionsSince(store, last, { before, limit: DECIDED_MAX })
  const missing = decisions.filter((decision) => !since.some((other) => isSame(decision, other)))
  const other = since.find((event) => !decisions.some((decision) => isSame(decision, event)))
  if (begun !== null) {
    const isOurs = isOfSameFacts(begun, last) && decisions.length > 0 && missing.length === 0 && other === undefined
    if (!isOurs) throw new AcceptRefused(`run '${begun.runId}' is not finished: catalog aggregate finishes it`)
  }
  if (other !== undefined) {
    throw new AcceptRefused(
      `${other.type} of ${other.recorded_at} counts at ${last.asOf} and came after run '${last.runId}', so it would be published too: catalog aggregate first, and look again`,
    )
  }
  const later = (await pricingDecisionsAfter(store, last.asOf)).find((event) =>
    decisions.some((own) => subjectOf(own) === subjectOf(event)),
  )
  if (later !== undefined) {
    throw new AcceptRefused(
      `${subjectOf(later)} was decided at ${later.decided_at}, after run '${last.runId}' of ${last.asOf}, and the next run would go by that: catalog aggregate first, and look again`,
    )
  }
  return missing
}

/** More decisions than one command line can name: beyond this, other decisions are among them. */
const DECIDED_MAX = 10_000

/** The subject of a decision: a later decision on the same subject replaces an earlier one. */
const subjectOf = (event: Pick<PricingDecision, 'type'> & { source_id?: string }) =>
  event.type === 'MethodChanged' ? event.type : `${event.type} of ${event.source_id}`

/** Compares decision and date, but not the reason, which people phrase freely. */
function isSame(own: RuleDecision, other: DecisionEvent): boolean {
  if (own.type !== other.type || own.decided_at !== other.decided_at) return false
  const { reason: _o, ...fields } = own
  return Object.entries(fields).every(([key, value]) => other[key as keyof DecisionEvent] === value)
}

const isOfSameFacts = (run: RunRecord, last: RunRecord) =>
  run.asOf === last.asOf && canonicalJson(observationsOf(run)) === canonicalJson(observationsOf(last))

async function decide(deps: AggregatorDeps, decisions: readonly RuleDecision[]): Promise<void> {
  if (decisions.length === 0) return
  const recordedAt = instant(deps.now())
  const events = decisions.map((decision) => {
    const content = { v: 1 as const, ...decision }
    // The time makes the id unique: repeating an earlier decision after another one is a new decision.
    const id = eventId({ ...content, at: recordedAt })
    const event: PricingDecision = { ...content, event_id: id, recorded_at: recordedAt }
    return { key: keyOf(event), event }
  })
  await appendEvents(deps.log, TOPICS.decisions, events)
  await deps.catchUp()
}

const keyOf = (event: PricingDecision) => ('source_id' in event ? `${event.source_id}/` : event.type)

/**
 * A source's first registration counts at every cut, so one during the preview changes the result. The run is complete
 * and correct for the facts; the caller only has to know that it differs from the preview.
 */
function requireSameDifferences(
  run: RunRecord,
  { shown, published }: { shown: Differences; published: Differences },
): void {
  if (shown.sha256 === published.sha256) return
  const describe = ({ changed, basisOnly }: Differences) => `${changed} changes and ${basisOnly} renewals of who votes`
  throw new AcceptedDiffersFromPreview(
    `run '${run.runId}' published ${describe(published)}, which are not the ${describe(shown)} that were shown: a source was registered meanwhile; the rule holds, and catalog aggregate --full publishes what is left`,
  )
}
