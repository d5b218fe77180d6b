import { closesCircle } from '@catalog/core/matching/source-voices.ts'
import { instant } from '@catalog/core/time.ts'
import { appendDecisions, presentOf, sourceIdOf, sourcesNow } from '@catalog/operations/append-decision.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { type Outcome, type Paging, pageOf } from '@catalog/operations/outcome.ts'
import { sourceAliasRowsAt, sourceVoicesAt } from '@catalog/store/vendor/source-aliases.ts'

/** The aliases in force, and those that were taken back, by source id. */
export async function sourceAliases(catalog: Catalog, { after = '', limit }: Paging) {
  const present = presentOf(catalog)
  const all = await sourceAliasRowsAt(catalog.store, present)
  const [sources, voices] = [await sourcesNow(catalog), await sourceVoicesAt(catalog.store, present)]
  const nameOf = (sourceId: string) => sources.get(sourceId)?.name ?? sourceId
  const rest = all.filter(({ sourceId }) => sourceId > after)
  const { rows, cursor } = pageOf(rest, { limit, placeOf: ({ sourceId }) => sourceId })
  const aliases = rows.map(({ sourceId, canonicalId, decidedAt, reason }) => ({
    source_id: sourceId,
    name: nameOf(sourceId),
    canonical_id: canonicalId,
    canonical_name: canonicalId === null ? null : nameOf(canonicalId),
    /** The end of the chain. */
    speaks_for_it: voices.get(sourceId) ?? sourceId,
    decided_at: instant(new Date(decidedAt)),
    reason,
  }))
  return { aliases, cursor }
}

export type SourceAliasOptions = Readonly<{ remove?: boolean; reason: string }>

/** Makes a source another spelling of a vendor's canonical source, or takes that back. */
export async function aliasSource(
  catalog: Catalog,
  {
    source,
    canonical,
    remove = false,
    reason,
  }: SourceAliasOptions & { source: string; canonical?: string | undefined },
): Promise<Outcome> {
  if (remove === (canonical !== undefined))
    throw new Error(`alias of '${source}': expected the source of which it is another spelling, or --remove`)
  const sourceId = await sourceIdOf(catalog, source)
  const canonicalId = canonical === undefined ? null : await sourceIdOf(catalog, canonical)
  const [value] = await appendSourceAliases(catalog, [{ sourceId, canonicalId }], reason)
  const said =
    canonicalId === null
      ? `${source} speaks for itself from the next run on`
      : `${source} and ${canonical} are one vendor: ${canonical} speaks for both from the next run on`
  return { value, said }
}

type Alias = Readonly<{ sourceId: string; canonicalId: string | null }>

/** Appends aliases in this order, or none when one of them would close a circle or take back nothing. */
export async function appendSourceAliases(catalog: Catalog, aliases: readonly Alias[], reason: string) {
  const present = presentOf(catalog)
  const rows = await sourceAliasRowsAt(catalog.store, present)
  const voices = new Map(await sourceVoicesAt(catalog.store, present))
  for (const { sourceId, canonicalId } of aliases) {
    if (canonicalId === null) {
      if (!rows.some((row) => row.sourceId === sourceId && row.canonicalId !== null))
        throw new Error(`alias of ${sourceId}: expected one in force, as catalog sources aliases lists them`)
    } else if (closesCircle({ sourceId, canonicalId }, voices)) {
      throw new Error(
        canonicalId === sourceId
          ? `alias of ${sourceId}: it is the same source, expected another one`
          : `alias of ${sourceId}: ${canonicalId} is an alias of it, expected another source, or first catalog sources alias ${canonicalId} --remove`,
      )
    } else {
      const voice = voices.get(canonicalId) ?? canonicalId
      for (const [other, itsVoice] of voices) if (itsVoice === sourceId) voices.set(other, voice)
      voices.set(sourceId, voice)
    }
  }
  const events = aliases.map(({ sourceId, canonicalId }) => ({
    type: 'SourceAliased' as const,
    decided_at: present.asOf,
    source_id: sourceId,
    canonical_id: canonicalId,
    reason,
  }))
  await appendDecisions(catalog, events)
  return events
}
