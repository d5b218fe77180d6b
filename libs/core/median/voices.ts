import { compare } from '@catalog/core/money/rational.ts'
import { compareText } from '@catalog/core/text.ts'
import type { SkuPrices } from './sku-prices.ts'
import { countryOf, isSubdivision } from './subdivisions.ts'
import { settlementCurrency, type Vote } from './vote.ts'

/**
 * One voice per legal vendor: of the SKUs that an item holds of one vendor, one votes. Where SKUs name their legal vendor
 * (`vendorId`), that holds in every market, for all its countries; else in each country.
 */

/** The source that speaks for the vendor of a SKU: its own, or the canonical one that an alias names. */
function voiceOf({ voiceId, sourceId }: Pick<SkuPrices, 'voiceId' | 'sourceId'>): string {
  return voiceId ?? sourceId
}

/** Who speaks: the legal vendor; without one, in a country the publisher of prices for its subdivisions, else the voice. */
export function publisherOf(sku: Pick<SkuPrices, 'vendorId' | 'publisherId' | 'voiceId' | 'sourceId'>): string {
  return sku.vendorId ?? sku.publisherId ?? voiceOf(sku)
}

/** The number of vendors. */
export function countVoices(skus: readonly { readonly sku: SkuPrices }[]): number {
  return new Set(skus.map(({ sku }) => publisherOf(sku))).size
}

/**
 * The votes that no other vote of their vendor, in the same place, supersedes. A price for one unit supersedes a tier; then the later
 * instant counts, then the SKU of the canonical source, then the smaller SKU id. So the order of `votes` does not matter.
 */
export function leadingVotes(votes: readonly Vote[]): ReadonlySet<Vote> {
  const leading = new Map<string, Vote>()
  for (const vote of votes) {
    const { vendorId, region } = vote.sku
    const voice = vendorId === undefined ? `${voiceOf(vote.sku)} ${subdivisionOf(vote.sku)}` : `${vendorId}\0${region}`
    const other = leading.get(voice)
    if (other === undefined || byPrecedence(vote, other) < 0) leading.set(voice, vote)
  }
  return new Set(leading.values())
}

/**
 * The votes that count in countries, of those that lead: one of each publisher there. It is the price for the whole country,
 * where the publisher has one; else the {@link middleOf} its subdivisions.
 */
export function nationalVotes(votes: readonly Vote[]): ReadonlySet<Vote> {
  if (!votes.some(({ sku }) => subdivisionOf(sku) !== '')) return new Set(votes)
  const publishers = Map.groupBy(votes, ({ sku }) => `${publisherOf(sku)}\0${sku.vendorId && countryIn(sku)}`)
  return new Set(publishers.values().flatMap((own) => nationalOf(own)))
}

function nationalOf(own: readonly Vote[]): readonly Vote[] {
  const national = own.filter(({ sku }) => subdivisionOf(sku) === '')
  return national.length > 0 ? national : middleOf(own)
}

/**
 * The votes that count in a market, of those that lead; null for the headline. Subdivisions hear all of theirs, countries the
 * {@link nationalVotes}. Of a legal vendor with several countries, a market above them hears the price for exactly this market
 * (of the headline: that without a region), else the {@link middleOf} the countries.
 */
export function votesIn(market: string | null, votes: readonly Vote[]): readonly Vote[] {
  const isThere = ({ regions }: Vote) => market === null || regions.includes(market)
  if (market !== null && isSubdivision(market)) return votes.filter(isThere)
  const national = [...nationalVotes(votes)].filter(isThere)
  if (!national.some(({ sku }) => sku.vendorId !== undefined)) return national
  return [...Map.groupBy(national, ({ sku }) => publisherOf(sku)).values()].flatMap((own) => {
    const exact = own.filter(({ sku }) => sku.region === market)
    return exact.length > 0 ? exact : middleOf(own)
  })
}

/**
 * The middle one of a vendor's prices, the lower of two, in the currency of most of them (of equals the SKU with the smaller
 * id stands first).
 */
function middleOf(own: readonly Vote[]): readonly Vote[] {
  const currency = settlementCurrency(own.map((vote) => ({ currency: vote.currency, weight: 1 })))
  const sorted = own
    .filter((vote) => vote.currency === currency)
    .sort((a, b) => compare(a.price, b.price) || compareText(a.sku.vendorSkuId, b.sku.vendorSkuId))
  const middle = sorted[Math.floor((sorted.length - 1) / 2)]
  return middle === undefined ? [] : [middle]
}

const countryIn = ({ region }: SkuPrices) => region && countryOf(region)
const subdivisionOf = ({ region }: SkuPrices) => (region !== null && isSubdivision(region) ? region : '')

function byPrecedence(a: Vote, b: Vote): number {
  return (
    Number(isTier(a)) - Number(isTier(b)) ||
    b.observation.observedAtMs - a.observation.observedAtMs ||
    Number(isAlias(a.sku)) - Number(isAlias(b.sku)) ||
    compareText(a.sku.vendorSkuId, b.sku.vendorSkuId)
  )
}

const isTier = ({ flags }: Vote) => flags.includes('TIER_ONLY')
const isAlias = (sku: SkuPrices) => voiceOf(sku) !== sku.sourceId
