import { type PairsProposed, PROPOSALS_MAX, readablePairs } from '@catalog/core/events/matching.ts'
import type { EventLog } from '@catalog/log/log.ts'
import type { Cut } from '@catalog/store/vendor/as-of-queries.ts'
import { appendDecisions } from './append-decisions.ts'

/** Appends what a rule leaves to people; a pair that no event can carry costs no other one. */
export async function appendProposals(
  log: Pick<EventLog, 'append'>,
  found: PairsProposed['pairs'],
  { cut, rule_version, recordedAt }: { cut: Cut; rule_version: string; recordedAt: string },
): Promise<void> {
  const pairs = readablePairs(found)
  const type = 'PairsProposed' as const
  const events = Array.from({ length: Math.ceil(pairs.length / PROPOSALS_MAX) }, (_, at) => {
    const few = pairs.slice(at * PROPOSALS_MAX, (at + 1) * PROPOSALS_MAX)
    return { type, decided_at: cut.asOf, rule_version, pairs: few }
  })
  await appendDecisions(log, events, recordedAt)
}
