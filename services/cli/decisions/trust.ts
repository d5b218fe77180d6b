import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { instant } from '@catalog/core/time.ts'
import { appendDecisions, sourceIdOf } from '@catalog/operations/append-decision.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { sourcesAt } from '@catalog/store/vendor/as-of-queries.ts'

export async function listTrust(catalog: Catalog, terminal: Terminal): Promise<void> {
  const sources = await sourcesAt(catalog.store, { asOf: instant(catalog.now()), positions: null })
  const rows = [...sources.values()].map(
    ({ sourceId, name, region, kind, trust, validity, validityDays, enabled }) => ({
      source_id: sourceId,
      name,
      region,
      kind,
      trust_score: trust,
      ...(validity !== null && { validity }),
      validity_days: validityDays,
      enabled,
    }),
  )
  terminal.answer({ sources: rows }, () => table(rows))
  terminal.next('catalog trust SOURCE SCORE --reason "..."')
}

export async function changeTrust(
  catalog: Catalog,
  terminal: Terminal,
  { source, score, reason }: { source: string; score: string; reason: string },
): Promise<void> {
  if (!/^\d{1,3}$/.test(score) || Number(score) > 100)
    throw new Error(`score '${score}': expected a whole number from 0 to 100`)
  const sourceId = await sourceIdOf(catalog, source)
  const event = {
    type: 'TrustChanged' as const,
    decided_at: instant(catalog.now()),
    source_id: sourceId,
    trust_score: Number(score),
    reason,
  }
  await appendDecisions(catalog, TOPICS.decisions, [event])
  terminal.answer(event, () => `${source} has trust ${score} from ${event.decided_at} on`)
  terminal.next('catalog aggregate')
}
