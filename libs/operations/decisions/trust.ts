import { instant } from '@catalog/core/time.ts'
import { appendDecisions, sourceIdsOf } from '@catalog/operations/append-decision.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import type { Outcome } from '@catalog/operations/outcome.ts'

/** Changes the weight of a source's votes, from 0 to 100; of all sources of a name with `all`. */
export async function changeTrust(
  catalog: Catalog,
  { source, score, reason, all: isAll }: { source: string; score: string; reason: string; all?: boolean },
): Promise<Outcome> {
  if (!/^\d{1,3}$/.test(score) || Number(score) > 100)
    throw new Error(`score '${score}': expected a whole number from 0 to 100`)
  const ids = await sourceIdsOf(catalog, { source, isAll })
  const decided_at = instant(catalog.now())
  const changed = ids.map((source_id) => {
    return { type: 'TrustChanged' as const, decided_at, source_id, trust_score: Number(score), reason }
  })
  await appendDecisions(catalog, changed)
  const [only] = changed
  const named = ids.length === 1 ? `${source} has` : `all ${ids.length} sources named ${source} have`
  return { value: ids.length === 1 ? only : { changed }, said: `${named} trust ${score} from ${decided_at} on` }
}
