import { compareText } from '@catalog/core/text.ts'
import type { SkuPrices } from './sku-prices.ts'
import type { Vote } from './vote.ts'

/** One voice per legal vendor: of the SKUs that an item holds of one vendor, one votes. */

/** The source that speaks for the vendor of a SKU: its own, or the canonical one that an alias names. */
export function voiceOf({ voiceId, sourceId }: Pick<SkuPrices, 'voiceId' | 'sourceId'>): string {
  return voiceId ?? sourceId
}

/** The number of vendors. */
export function countVoices(skus: readonly { readonly sku: SkuPrices }[]): number {
  return new Set(skus.map(({ sku }) => voiceOf(sku))).size
}

/**
 * The votes that no other vote of their vendor supersedes. A price for one unit supersedes a tier; then the later
 * instant counts, then the SKU of the canonical source, then the smaller SKU id. So the order of `votes` does not matter.
 */
export function leadingVotes(votes: readonly Vote[]): ReadonlySet<Vote> {
  const leading = new Map<string, Vote>()
  for (const vote of votes) {
    const voice = voiceOf(vote.sku)
    const other = leading.get(voice)
    if (other === undefined || byPrecedence(vote, other) < 0) leading.set(voice, vote)
  }
  return new Set(leading.values())
}

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
