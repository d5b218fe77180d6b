import { asLeader } from '@catalog/aggregator/leader.ts'
import { eventId } from '@catalog/core/events/ids.ts'
import type { RunTakenBack } from '@catalog/core/events/runs.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { countOf } from '@catalog/core/text.ts'
import { instant } from '@catalog/core/time.ts'
import { appendEvents } from '@catalog/log/append-events.ts'
import { latestRuns, type RunRecord, runsSince, type SeenOfRuns, seenOfRuns } from '@catalog/store/vendor/runs.ts'
import { DecisionRefused } from './append-decision.ts'
import type { Catalog } from './catalog.ts'
import type { Outcome } from './outcome.ts'

/** Items that the outcome names; the others are counted. */
const NAMED_MAX = 20
const RUNS_LISTED = 5

/**
 * Takes back a run that a wrong clock dated after now, and all that began later; a dry run appends nothing. The next run is dated now
 * or later, and publishes what the facts say.
 */
export async function takeBackRun(
  catalog: Catalog,
  { run: runId, reason, dryRun }: { run: string; reason?: string | undefined; dryRun: boolean },
): Promise<Outcome> {
  return asLeader(catalog.aggregator, async ({ store, log, catchUp, now }) => {
    await catchUp()
    const runs = await runsSince(store, runId)
    const [first] = runs
    if (first === undefined) {
      const known = (await latestRuns(store, RUNS_LISTED)).map(({ runId, asOf }) => `${runId} (${asOf})`)
      throw new DecisionRefused(
        `run '${runId}': expected one that stands, of which the latest are ${known.join(', ') || 'none'}`,
      )
    }
    const decidedAt = instant(now())
    if (Date.parse(first.asOf) <= Date.parse(decidedAt))
      throw new DecisionRefused(
        `run '${runId}' is of ${first.asOf}, which is past: the next run corrects what it published`,
      )
    const seen = await seenOfRuns(store, { runIds: runs.map(({ runId }) => runId), namedMax: NAMED_MAX })
    const outcome = outcomeOf(runs, seen, dryRun)
    if (dryRun) return outcome
    if (!reason)
      throw new DecisionRefused('retract: expected --reason "..."; taking a run back is permanent: try --dry-run first')
    const events = runs.map(({ runId, asOf }) => {
      const content = {
        type: 'RunTakenBack' as const,
        v: 1 as const,
        decided_at: decidedAt,
        run_id: runId,
        as_of: asOf,
        editions: [...seen.editions],
        reason,
      }
      const event: RunTakenBack = { ...content, event_id: eventId(content), recorded_at: decidedAt }
      return { key: runId, event }
    })
    await appendEvents(log, TOPICS.items, events)
    await catchUp()
    return outcome
  })
}

function outcomeOf(runs: readonly RunRecord[], seen: SeenOfRuns, dryRun: boolean): Outcome {
  const runIds = runs.map(({ runId }) => runId)
  const { named, items, changes, editions } = seen
  const more = items > named.length ? ` and ${items - named.length} more` : ''
  return {
    value: { dry_run: dryRun, runs: runs.map(({ runId, asOf }) => ({ run_id: runId, as_of: asOf })), ...seen },
    said: `${dryRun ? 'would take back' : 'took back'} ${runIds.join(', ')} of ${runs[0]?.asOf}: readers saw ${countOf(changes, 'change')} of ${countOf(items, 'item')}`,
    remarks: [
      ...(items === 0 ? [] : [`items: ${named.map(({ id, name }) => `${id} ${name}`).join(', ')}${more}`]),
      ...(editions.length === 0
        ? []
        : [`frozen too early, and staying as readers have them: editions ${editions.join(', ')}`]),
    ],
  }
}
