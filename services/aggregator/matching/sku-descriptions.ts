import type { MatchSku, MatchText } from '@catalog/core/matching/match.ts'
import { textKey } from '@catalog/core/matching/sku-reading.ts'
import type { Store } from '@catalog/store/db.ts'
import { type Cut, type SkuText, textsAt, visibilityAt } from '@catalog/store/vendor/as-of-queries.ts'
import { type DescribedSku, descriptionOf } from './candidate-gates.ts'
import { decidedAliasesAt, matchSku } from './match-sku.ts'

export type SkuRef = Readonly<{ skuId: string; sourceId: string }>

/**
 * Vendor descriptions of SKUs at a cut. It caches recent ones, because each SKU is compared with every similar SKU. Those
 * of one text share it, and so all that the matcher derives from it.
 */
export type SkuDescriptions = Readonly<{
  of: (skus: readonly SkuRef[]) => Promise<DescribedSku[]>
}>

/** A description takes half a kB beside its text; a text takes some 15 kB with what the matcher derives from it. */
const CACHED_MAX = 20_000
const TEXTS_CACHED_MAX = 10_000

export async function openSkuDescriptions(store: Store, cut: Cut): Promise<SkuDescriptions> {
  const visibility = await visibilityAt(store, cut)
  const aliases = await decidedAliasesAt(store, cut)
  let cached = new Map<string, DescribedSku>()
  let texts = new Map<string, MatchText>()
  const shared = (sku: MatchSku): MatchText => {
    const { vendorSkuId: _id, sourceId: _source, voiceId: _voice, vendorRef: _ref, ...text } = sku
    const key = textKey(sku)
    const known = texts.get(key)
    if (known) return known
    texts.set(key, text)
    return text
  }
  return {
    async of(skus) {
      if (cached.size > CACHED_MAX || texts.size > TEXTS_CACHED_MAX) {
        cached = new Map()
        texts = new Map()
      }
      const missing = skus.filter(({ skuId }) => !cached.has(skuId))
      const missingIds = missing.map(({ skuId }) => skuId)
      const found = missing.length === 0 ? new Map<string, SkuText>() : await textsAt(store, missingIds, visibility)
      for (const { skuId, sourceId } of missing) {
        const text = found.get(skuId)
        const sku = text && matchSku(text, aliases)
        cached.set(skuId, {
          vendorSkuId: skuId,
          sourceId,
          voiceId: aliases.voices.get(sourceId),
          vendorRef: sku?.vendorRef,
          // What a silent vendor says joins nobody.
          description: text && sku && !sku.isSilent ? descriptionOf({ ...text.payload, text: shared(sku) }) : null,
        })
      }
      return skus.map(({ skuId }) => cached.get(skuId) as DescribedSku)
    },
  }
}
