import { compare } from '@catalog/core/money/rational.ts'
import { compareText } from '@catalog/core/text.ts'
import type { SkuPrices } from './sku-prices.ts'
import { isSubdivision } from './subdivisions.ts'
import { settlementCurrency, type Vote } from './vote.ts'

/** One voice per legal vendor: of the SKUs that an item holds of one vendor, one votes. */

/** The source that speaks for the vendor of a SKU: its own, or the canonical one that an alias names. */
function voiceOf({ voiceId, sourceId }: Pick<SkuPrices, 'voiceId' | 'sourceId'>): string {
  return voiceId ?? sourceId
}

/** Who speaks in a country: the publisher of prices for its subdivisions, else the voice. */
export function publisherOf(sku: Pick<SkuPrices, 'publisherId' | 'voiceId' | 'sourceId'>): string {
  return sku.publisherId ?? voiceOf(sku)
}

/** The number of vendors. */
export function countVoices(skus: readonly { readonly sku: SkuPrices }[]): number {
  return new Set(skus.map(({ sku }) => publisherOf(sku))).size
}

/**
 * The votes that no other vote of their vendor, in the same subdivision, supersedes. A price for one unit supersedes a tier; then the later
 * instant counts, then the SKU of the canonical source, then the smaller SKU id. So the order of `votes` does not matter.
 */
export function leadingVotes(votes: readonly Vote[]): ReadonlySet<Vote> {
  const leading = new Map<string, Vote>()
  for (const vote of votes) {
    const voice = `${voiceOf(vote.sku)} ${subdivisionOf(vote.sku)}`
    const other = leading.get(voice)
    if (other === undefined || byPrecedence(vote, other) < 0) leading.set(voice, vote)
  }
  return new Set(leading.values())
}

/**
 * The votes that count in countries and above, of those that lead: one of each publisher. It is the price for the whole country,
 * where the publisher has one; else the middle one of its subdivisions, the lower of two, in the currency of most of them (of
 * equals the SKU with the smaller id stands first).
 */
export function nationalVotes(votes: readonly Vote[]): ReadonlySet<Vote> {
  if (!votes.some(({ sku }) => subdivisionOf(sku) !== '')) return new Set(votes)
  const publishers = Map.groupBy(votes, ({ sku }) => publisherOf(sku))
  return new Set(publishers.values().flatMap((own) => nationalOf(own)))
}

function nationalOf(own: readonly Vote[]): readonly Vote[] {
  const national = own.filter(({ sku }) => subdivisionOf(sku) === '')
  if (national.length > 0) return national
  const currency = settlementCurrency(own.map((vote) => ({ currency: vote.currency, weight: 1 })))
  const sorted = own
    .filter((vote) => vote.currency === currency)
    .sort((a, b) => compare(a.price, b.price) || compareText(a.sku.vendorSkuId, b.sku.vendorSkuId))
  const middle = sorted[Math.floor((sorted.length - 1) / 2)]
  return middle === undefined ? [] : [middle]
}

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
