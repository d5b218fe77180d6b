import type { Terminal } from '@catalog/cli/shared/terminal.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { spellingProposals } from '@catalog/core/matching/vendor-spellings.ts'
import { instant } from '@catalog/core/time.ts'
import { appendDecisions, sourceIdOf } from '@catalog/operations/append-decision.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { type SourceAt, sourcesAt } from '@catalog/store/vendor/as-of-queries.ts'
import { sourcesKeptApart, sourceVoicesAt } from '@catalog/store/vendor/source-aliases.ts'
import { appendSourceAliases } from './source-aliases.ts'

/** The sources that may be one legal vendor by their names, for a person to decide. */
export async function openSpellings(catalog: Catalog) {
  const present = { asOf: instant(catalog.now()), positions: null }
  const sources = await sourcesAt(catalog.store, present)
  const [voices, apart] = [await sourceVoicesAt(catalog.store, present), await sourcesKeptApart(catalog.store)]
  return spellingProposals([...sources.values()], { voices, apart })
}

/** `catalog review sources`: pairs of sources that differ in punctuation and legal form only, by name. */
export async function listSpellings(
  catalog: Catalog,
  terminal: Terminal,
  { after, limit }: { after?: string; limit: number },
): Promise<void> {
  const all = await openSpellings(catalog)
  // In the order of the list, and free of what was decided in between.
  const placeOf = ({ source, canonical }: (typeof all)[number]) => `${canonical.sourceId}/${source.sourceId}`
  const rest = after === undefined ? all : all.filter((one) => placeOf(one) > after)
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  const cursor = last !== undefined && rest.length > limit ? placeOf(last) : null
  const side = ({ sourceId, name, region, trust }: SourceAt) => ({ source_id: sourceId, name, region, trust })
  const pairs = page.map(({ source, canonical }) => ({ source: side(source), canonical: side(canonical) }))
  terminal.answer({ pairs, open: all.length, cursor }, () =>
    [
      ...pairs.map(({ source, canonical }) =>
        [source, canonical]
          .map((one) => `${one.name} | ${one.region ?? '-'} | trust ${one.trust} | ${one.source_id}`)
          .join('\n  may be '),
      ),
      pairs.length === 0 ? 'no two sources look like one vendor' : '',
      cursor === null ? '' : `more: catalog review sources --after ${cursor}`,
    ]
      .filter((line) => line !== '')
      .join('\n'),
  )
  if (pairs.length > 0)
    terminal.next(
      'catalog review sources accept SOURCE CANONICAL --reason "..." (or --all), or reject SOURCE CANONICAL',
    )
}

/** `catalog review sources accept`: two sources, or all that are proposed, are one vendor each. */
export async function acceptSpellings(
  catalog: Catalog,
  terminal: Terminal,
  { pair, all, reason }: { pair: readonly string[]; all: boolean; reason: string },
): Promise<void> {
  const [source, canonical] = pair
  if (all === (source !== undefined && canonical !== undefined) || (all && pair.length > 0))
    throw new Error('catalog review sources accept: expected SOURCE and CANONICAL, or --all')
  const aliases = all ? await allProposed(catalog) : [await pairOf(catalog, source as string, canonical as string)]
  if (aliases.length > 0) await appendSourceAliases(catalog, aliases, reason)
  const accepted = aliases.map(({ sourceId, canonicalId }) => ({ source_id: sourceId, canonical_id: canonicalId }))
  terminal.answer({ accepted }, () => `${accepted.length} sources are other spellings from the next run on`)
  terminal.next('catalog aggregate')
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

/** `catalog review sources reject`: two sources are two vendors, and are not proposed again. */
export async function rejectSpelling(
  catalog: Catalog,
  terminal: Terminal,
  { a, b, reason }: { a: string; b: string; reason: string },
): Promise<void> {
  const { sourceId, canonicalId } = await pairOf(catalog, a, b)
  if (sourceId === canonicalId) throw new Error(`source '${a}': expected two different ones`)
  const ids: [string, string] = sourceId < canonicalId ? [sourceId, canonicalId] : [canonicalId, sourceId]
  const event = { type: 'SourcesKeptApart' as const, decided_at: instant(catalog.now()), source_ids: ids, reason }
  await appendDecisions(catalog, TOPICS.decisions, [event])
  terminal.answer(event, () => `${a} and ${b} are two vendors, and are not proposed again`)
  terminal.next('catalog review sources')
}
