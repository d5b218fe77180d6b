import { spellingProposals } from '@catalog/core/matching/vendor-spellings.ts'
import { decide, presentOf, sourceIdOf, sourcesNow } from '@catalog/operations/append-decision.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { type Outcome, type Paging, pageOf } from '@catalog/operations/outcome.ts'
import type { SourceAt } from '@catalog/store/vendor/as-of-queries.ts'
import { sourcesKeptApart, sourceVoicesAt } from '@catalog/store/vendor/source-aliases.ts'
import { appendSourceAliases } from './source-aliases.ts'

/** The sources that may be one legal vendor by their names, for a person to decide. */
export async function openSpellings(catalog: Catalog) {
  const present = presentOf(catalog)
  const sources = await sourcesNow(catalog)
  const [voices, apart] = [await sourceVoicesAt(catalog.store, present), await sourcesKeptApart(catalog.store)]
  return spellingProposals([...sources.values()], { voices, apart })
}

/** A page of them, in the order of the list, and free of what was decided in between. */
export async function spellingPage(catalog: Catalog, { after = '', limit }: Paging) {
  const all = await openSpellings(catalog)
  const placeOf = ({ source, canonical }: (typeof all)[number]) => `${canonical.sourceId}/${source.sourceId}`
  const rest = all.filter((one) => placeOf(one) > after)
  const { rows, cursor } = pageOf(rest, { limit, placeOf })
  const side = ({ sourceId, name, region, trust }: SourceAt) => ({ source_id: sourceId, name, region, trust })
  const pairs = rows.map(({ source, canonical }) => ({ source: side(source), canonical: side(canonical) }))
  return { pairs, open: all.length, cursor }
}

/** Makes two sources, or all pairs that are proposed, one vendor each. */
export async function acceptSpellings(
  catalog: Catalog,
  { pair, all, reason }: { pair: readonly string[]; all: boolean; reason: string },
): Promise<Outcome> {
  const [source, canonical] = pair
  if (all === (source !== undefined && canonical !== undefined) || (all && pair.length > 0))
    throw new Error('catalog review sources accept: expected SOURCE and CANONICAL, or --all')
  const aliases = all ? await allProposed(catalog) : [await pairOf(catalog, source as string, canonical as string)]
  if (aliases.length > 0) await appendSourceAliases(catalog, aliases, reason)
  const accepted = aliases.map(({ sourceId, canonicalId }) => ({ source_id: sourceId, canonical_id: canonicalId }))
  return { value: { accepted }, said: `${accepted.length} sources are other spellings from the next run on` }
}

/** Leaves out a source without a region that several are proposed for: a person says which one it is. */
async function allProposed(catalog: Catalog) {
  const bySource = Map.groupBy(await openSpellings(catalog), ({ source }) => source.sourceId)
  return [...bySource].flatMap(([sourceId, [proposal, ...others]]) =>
    proposal === undefined || others.length > 0 ? [] : [{ sourceId, canonicalId: proposal.canonical.sourceId }],
  )
}

async function pairOf(catalog: Catalog, source: string, canonical: string) {
  return { sourceId: await sourceIdOf(catalog, source), canonicalId: await sourceIdOf(catalog, canonical) }
}

/** Keeps two sources apart as two vendors, which are not proposed again. */
export async function rejectSpelling(
  catalog: Catalog,
  { a, b, reason }: { a: string; b: string; reason: string },
): Promise<Outcome> {
  const { sourceId, canonicalId } = await pairOf(catalog, a, b)
  if (sourceId === canonicalId) throw new Error(`source '${a}': expected two different ones`)
  const ids: [string, string] = sourceId < canonicalId ? [sourceId, canonicalId] : [canonicalId, sourceId]
  const value = await decide(catalog, { type: 'SourcesKeptApart' as const, source_ids: ids, reason })
  return { value, said: `${a} and ${b} are two vendors, and are not proposed again` }
}
