import { isReadablePair, type PairsProposed, PROPOSALS_MAX } from '@catalog/core/events/matching.ts'
import { appendDecisions, type Matching, type Recording } from './append-decisions.ts'

/** Appends what a rule leaves to people, and returns how many events; a pair that no event can carry costs no other one. */
export async function appendProposals(
  { cut, ...recording }: Pick<Matching, 'cut'> & Recording,
  rule_version: string,
  found: PairsProposed['pairs'],
): Promise<number> {
  const pairs = found.filter((pair) => {
    if (isReadablePair(pair)) return true
    recording.onUnreadable?.(`PairsProposed leaves out a pair that no event can carry: ${JSON.stringify(pair)}`)
    return false
  })
  const type = 'PairsProposed' as const
  const events = Array.from({ length: Math.ceil(pairs.length / PROPOSALS_MAX) }, (_, at) => {
    const few = pairs.slice(at * PROPOSALS_MAX, (at + 1) * PROPOSALS_MAX)
    return { type, decided_at: cut.asOf, rule_version, pairs: few }
  })
  return appendDecisions(recording, events)
}
