import type { Store } from '@catalog/store/db.ts'
import { type Cut, sightAt, textsAt } from '@catalog/store/vendor/as-of-queries.ts'
import { type Looked, saidOf } from './candidate-gates.ts'
import { matchSku } from './match.ts'

/** What vendors say of SKUs at a cut; those read lately are kept, because a SKU is looked at with each that is like it. */
export type Texts = Readonly<{
  of: (skus: readonly { readonly skuId: string; readonly sourceId: string }[]) => Promise<Looked[]>
}>

/** A text takes about 2 kB with what the matcher reads from it. */
const KEPT_MAX = 50_000

export async function openTexts(store: Store, cut: Cut): Promise<Texts> {
  const sight = await sightAt(store, cut)
  let kept = new Map<string, Looked>()
  return {
    async of(skus) {
      const missing = skus.filter(({ skuId }) => !kept.has(skuId)).map(({ skuId }) => skuId)
      const read = missing.length === 0 ? [] : await textsAt(store, missing, sight)
      const said = new Map(
        read.map((found) => [found.skuId, saidOf({ text: matchSku(found), price: found.payload.price })]),
      )
      const looked = skus.map(
        ({ skuId, sourceId }): Looked =>
          kept.get(skuId) ?? { vendorSkuId: skuId, sourceId, said: said.get(skuId) ?? null },
      )
      if (kept.size + missing.length > KEPT_MAX) kept = new Map()
      for (const each of looked) kept.set(each.vendorSkuId, each)
      return looked
    },
  }
}
