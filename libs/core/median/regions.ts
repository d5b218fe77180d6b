import { isRegion, REGIONS, type Region } from '@catalog/core/events/sources.ts'
import { countryOf, isSubdivision, SUBDIVIDED, SUBDIVISIONS } from './subdivisions.ts'

/**
 * The regions in which a source marked `region` votes, sorted: a subdivision beside those of its country. EU members other than ES have no region of their
 * own in the public list and count for EU alone. GB is no member. An unknown or missing region has no market.
 */
export function expandedRegions(region: string | null): readonly string[] {
  if (region === null) return NO_REGIONS
  return (isSubdivision(region) ? BELOW.get(region) : EXPANDED.get(region)) ?? NO_REGIONS
}

/** The region that has the feed of a market, and its items beside others: itself, or that of a subdivision; undefined for none. */
export const regionOfMarket = (market: string): Region | undefined =>
  isRegion(market) ? market : expandedRegions(market).find(isRegion)

const EU_MEMBERS = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ')
/** What an operator may say of a source, for error messages. */
export const SOURCE_REGIONS_EXPECTED = `expected one of ${REGIONS.join(', ')}, or a country of the EU: ${EU_MEMBERS.join(', ')}, or a subdivision by ISO 3166-2, such as BR-SP, of ${SUBDIVIDED.join(', ')}`
/** What a region that is none should have been, for error messages. */
export function regionsExpected(region: string): string {
  const country = region.slice(0, 2)
  if (region[2] !== '-' || !SUBDIVIDED.includes(country)) return SOURCE_REGIONS_EXPECTED
  const codes = [...SUBDIVISIONS.keys()].filter((code) => countryOf(code) === country)
  return `expected ${country}, or a subdivision of it: ${codes.join(', ')}`
}
/** Whether a source of this region votes anywhere. Vendors' own files may name others, which have no market. */
export const isSourceRegion = (region: string): boolean => EXPANDED.has(region) || isSubdivision(region)

const LATAM_COUNTRIES = ['AR', 'BR', 'CL', 'CO', 'MX', 'PE', 'UY']
const NO_REGIONS: readonly string[] = []
const EXPANDED: ReadonlyMap<string, readonly string[]> = new Map([
  ...EU_MEMBERS.map((member): [string, string[]] => [member, ['EU']]),
  ...LATAM_COUNTRIES.map((country): [string, string[]] => [country, [country, 'LATAM'].sort()]),
  ['ES', ['ES', 'EU']],
  ['EU', ['EU']],
  ['LATAM', ['LATAM']],
  ['US', ['US']],
  ['GB', ['GB']],
])
/** Of each subdivision, its own market and those of its country. */
const BELOW: ReadonlyMap<string, readonly string[]> = new Map(
  Array.from(SUBDIVISIONS.keys(), (code) => [code, [...(EXPANDED.get(countryOf(code)) ?? []), code].sort()]),
)
