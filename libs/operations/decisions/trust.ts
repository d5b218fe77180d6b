import { decide, sourceIdOf } from '@catalog/operations/append-decision.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import type { Outcome } from '@catalog/operations/outcome.ts'

/** Changes the weight of a source's votes, from 0 to 100. */
export async function changeTrust(
  catalog: Catalog,
  { source, score, reason }: { source: string; score: string; reason: string },
): Promise<Outcome> {
  if (!/^\d{1,3}$/.test(score) || Number(score) > 100)
    throw new Error(`score '${score}': expected a whole number from 0 to 100`)
  const source_id = await sourceIdOf(catalog, source)
  const event = await decide(catalog, { type: 'TrustChanged' as const, source_id, trust_score: Number(score), reason })
  return { value: event, said: `${source} has trust ${score} from ${event.decided_at} on` }
}
