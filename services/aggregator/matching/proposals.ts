import { eventId } from '@catalog/core/events/ids.ts'
import { type PairsProposed, PROPOSALS_MAX, readablePairs } from '@catalog/core/events/matching.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import type { EventLog } from '@catalog/log/log.ts'
import type { Cut } from '@catalog/store/vendor/as-of-queries.ts'

/** Appends what a rule leaves to people; a pair that no event can carry costs no other one. */
export async function appendProposals(
  log: Pick<EventLog, 'append'>,
  found: PairsProposed['pairs'],
  { cut, rule_version, recordedAt }: { cut: Cut; rule_version: string; recordedAt: string },
): Promise<void> {
  const pairs = readablePairs(found)
  const events: PairsProposed[] = []
  for (let start = 0; start < pairs.length; start += PROPOSALS_MAX) {
    const content = {
      type: 'PairsProposed' as const,
      v: 1 as const,
      decided_at: cut.asOf,
      rule_version,
      pairs: pairs.slice(start, start + PROPOSALS_MAX),
    }
    events.push({ ...content, event_id: eventId(content), recorded_at: recordedAt })
  }
  if (events.length === 0) return
  await log.append(
    TOPICS.decisions,
    events.map((event) => ({ key: rule_version, value: JSON.stringify(event) })),
  )
}
