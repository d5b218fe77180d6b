import { type SourceAlias, type SourceVoices, sourceVoices } from '@catalog/core/matching/source-voices.ts'
import type { Queryable } from '@catalog/store/db.ts'
import { type Cut, decisionPosition } from './as-of-queries.ts'

/** The canonical source of each source that is an alias at the cut, with chains followed to their end. */
export async function sourceVoicesAt(store: Queryable, cut: Cut): Promise<SourceVoices> {
  const rows = await sourceAliasRowsAt(store, cut)
  return sourceVoices(rows.filter(({ canonicalId }) => canonicalId !== null) as (SourceAlias & SourceAliasRow)[])
}

/** The canonical sources by all decisions so far, whenever they take effect, as the API shows trust. */
export async function presentVoices(store: Queryable): Promise<SourceVoices> {
  return sourceVoicesAt(store, { asOf: '9999-12-31T23:59:59Z', positions: null })
}

/** The latest decision on each source at the cut, by source id; canonicalId null: taken back. */
export async function sourceAliasRowsAt(store: Queryable, cut: Cut): Promise<readonly SourceAliasRow[]> {
  return store.query(
    `select distinct on (subject collate "C") subject as "sourceId", payload::jsonb->>'canonical_id' as "canonicalId",
       decided_at as "decidedAt", payload::jsonb->>'reason' as reason
     from decisions where type = 'SourceAliased' and decided_at <= $1 and ($2::bigint is null or "offset" < $2)
     order by subject collate "C", decided_at desc, "offset" desc`,
    [cut.asOf, decisionPosition(cut)],
  )
}
export type SourceAliasRow = Readonly<{
  sourceId: string
  canonicalId: string | null
  decidedAt: string
  reason: string
}>

/** The pairs of sources, "id id" in ascending order, that a person said are two vendors. */
export async function sourcesKeptApart(store: Queryable): Promise<ReadonlySet<string>> {
  const rows = await store.query<{ subject: string }>(
    `select distinct subject from decisions where type = 'SourcesKeptApart'`,
  )
  return new Set(rows.map(({ subject }) => subject))
}
