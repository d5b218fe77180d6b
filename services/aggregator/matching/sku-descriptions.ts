import type { Store } from '@catalog/store/db.ts'
import { type Cut, textsAt, visibilityAt } from '@catalog/store/vendor/as-of-queries.ts'
import { type DescribedSku, descriptionOf } from './candidate-gates.ts'
import { decidedAliasesAt, matchSku } from './match.ts'

/** Vendor descriptions of SKUs at a cut. It caches recent ones, because each SKU is compared with every similar SKU. */
export type SkuDescriptions = Readonly<{
  of: (skus: readonly { readonly skuId: string; readonly sourceId: string }[]) => Promise<DescribedSku[]>
}>

/** A description takes about 2 kB together with what the matcher derives from it. */
const CACHED_MAX = 50_000

export async function openSkuDescriptions(store: Store, cut: Cut): Promise<SkuDescriptions> {
  const visibility = await visibilityAt(store, cut)
  const aliases = await decidedAliasesAt(store, cut)
  let cached = new Map<string, DescribedSku>()
  return {
    async of(skus) {
      const missing = skus.filter(({ skuId }) => !cached.has(skuId)).map(({ skuId }) => skuId)
      const read = missing.length === 0 ? [] : await textsAt(store, missing, visibility)
      const descriptions = new Map(
        read.map((found) => [found.skuId, descriptionOf({ ...found.payload, text: matchSku(found, aliases) })]),
      )
      const described = skus.map(
        ({ skuId, sourceId }): DescribedSku =>
          cached.get(skuId) ?? {
            vendorSkuId: skuId,
            sourceId,
            voiceId: aliases.voices.get(sourceId),
            vendorRef: descriptions.get(skuId)?.text.vendorRef,
            description: descriptions.get(skuId) ?? null,
          },
      )
      if (cached.size + missing.length > CACHED_MAX) cached = new Map()
      for (const each of described) cached.set(each.vendorSkuId, each)
      return described
    },
  }
}
