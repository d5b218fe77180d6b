import { sourceIdOf } from '@catalog/core/events/ids.ts'
import type { SourceKind } from '@catalog/core/events/sources.ts'
import { spellingKey } from '@catalog/core/text.ts'
import type { SkuPrices } from './sku-prices.ts'
import { countryOf, isSubdivision } from './subdivisions.ts'

/** A source at a cut, as far as its votes depend on it. */
export type VotingSource = Readonly<{
  sourceId: string
  name: string
  region: string | null
  /** Trust score, 0..100. */
  trust: number
  /** until_superseded: newer editions and prices end its votes, and the days bound them. */
  validity: 'until_superseded' | null
  validityDays: number
  kind: SourceKind
  enabled: boolean
}>

/** What decides the settings of all sources at a cut. */
export type SourceFacts<Source extends VotingSource = VotingSource> = Readonly<{
  sources: ReadonlyMap<string, Source>
  /** The canonical source of each source that is another spelling of it. */
  voices: ReadonlyMap<string, string>
  /** By source: the greatest edition that it recorded. */
  editions: ReadonlyMap<string, string>
}>

/** The source that speaks for a source: the canonical one of its vendor, or itself. */
export function voiceAmong<Source extends VotingSource>(
  { sources, voices }: Pick<SourceFacts<Source>, 'sources' | 'voices'>,
  sourceId: string,
): Source | undefined {
  return sources.get(voices.get(sourceId) ?? sourceId) ?? sources.get(sourceId)
}

/**
 * The legal vendor that a source speaks for: the name of its voice without case, accents, dots and blanks. So an alias joins
 * two names, and the log alone tells it.
 */
export const legalVendorOf = (voice: Pick<VotingSource, 'name'>): string => spellingKey(voice.name)

type SourceSettings = Omit<SkuPrices, 'vendorSkuId' | 'observations'>

/** How prices of a source vote: the settings are those of its vendor's voice. Null for an unknown source. */
export function settingsOf(sourceId: string, facts: SourceFacts): SourceSettings | null {
  const voice = voiceAmong(facts, sourceId)
  if (voice === undefined) return null
  const edition = facts.editions.get(sourceId)
  return {
    sourceId,
    vendorId: legalVendorOf(voice),
    ...(voice.sourceId !== sourceId && { voiceId: voice.sourceId }),
    ...placeOf(voice, sourceId, facts),
    kind: voice.kind,
    trust: voice.trust,
    validityDays: voice.validityDays,
    ...(voice.validity !== null && edition !== undefined && { editionInForce: edition }),
    enabled: voice.enabled,
  }
}

/**
 * Where a source votes. Its region is that of the vendor's voice, unless it says more precisely where in the same country. The
 * publisher of prices for a subdivision is the source of that name for the whole country, or the voice that speaks for it.
 */
function placeOf(
  voice: VotingSource,
  sourceId: string,
  { sources, voices }: SourceFacts,
): Pick<SkuPrices, 'region' | 'publisherId'> {
  const own = sources.get(sourceId)?.region ?? null
  const isWithin =
    own !== null && voice.region !== null && isSubdivision(own) && countryOf(own) === countryOf(voice.region)
  const region = isWithin ? own : voice.region
  if (region === null || !isSubdivision(region)) return { region }
  if (voice.region === countryOf(region)) return { region, publisherId: voice.sourceId }
  const publisherId = sourceIdOf({ name: voice.name, region: countryOf(region) })
  return { region, publisherId: voices.get(publisherId) ?? publisherId }
}
