import { acceptRematch, rematchCut } from '@catalog/aggregator/rematch/accept-rematch.ts'
import { type Rematch, rematch, versionOf } from '@catalog/aggregator/rematch/rematch.ts'
import type { Leaving } from '@catalog/core/matching/item-groups.ts'
import { type Cut, sourcesAt, textsAt, visibilityAt } from '@catalog/store/vendor/as-of-queries.ts'
import type { Catalog } from './catalog.ts'

/** What the present rule decides otherwise about the items that exist. */
export type RematchAnswer = Awaited<ReturnType<typeof rematchItems>>

type RematchOptions = Readonly<{
  /** Publish it, which needs a reason. */
  accept: boolean
  reason?: string
  onProgress?: (done: number, total: number) => void
}>

export const ruleOf = ({ aggregator: { joinRule } }: Catalog) => {
  if (joinRule === undefined) throw new Error('this catalog has no rule that joins items: nothing to compare with')
  return { rule: joinRule, version: versionOf(joinRule) }
}

export async function rematchItems(catalog: Catalog, { accept, reason, ...following }: RematchOptions) {
  const { aggregator, store } = catalog
  const { rule } = ruleOf(catalog)
  if (accept && reason === undefined) throw new Error('--accept: expected --reason "..." beside it')
  await aggregator.catchUp()
  const { last, cut } = await rematchCut(store)
  const { found, run } = accept
    ? await acceptRematch({ ...aggregator, joinRule: rule }, { reason: reason as string, ...following })
    : { found: await rematch({ store, cut, rule, ...following }), run: null }
  const names = await namesOf(catalog, cut, found)
  const apart = ({ skuId, apartFrom, reason }: Leaving): Apart => {
    return { ...names(skuId), apart_from: names(apartFrom), reason }
  }
  return {
    rule_version: found.ruleVersion,
    as_of: last.asOf,
    items: found.items,
    vendor_skus: found.skus,
    placed_by: found.placedBy,
    splits: found.splits.map(({ itemId, newItemId, leaving }) => {
      return { item_id: itemId, new_item_id: newItemId, leaving: leaving.map(apart) }
    }),
    merges: found.merges.map(({ fromItemId, intoItemId, a, b, score }) => {
      return { from_item_id: fromItemId, into_item_id: intoItemId, score, a: names(a), b: names(b) }
    }),
    kept_by_person: found.kept.map(({ itemId, leaving }) => ({ item_id: itemId, leaving: leaving.map(apart) })),
    sha256: found.sha256,
    published: run && { run_id: run.runId, changed: run.changed, basis_only: run.basisOnly },
  }
}

export type Named = Readonly<{ vendor_sku_id: string; name: string | null; source: string | null }>
export type Apart = Named & Readonly<{ apart_from: Named; reason: string }>

/** The name and the source of each SKU that a rematch mentions, as vendors write them at the cut. */
async function namesOf({ store }: Catalog, cut: Cut, found: Rematch): Promise<(skuId: string) => Named> {
  const leaving = [...found.splits, ...found.kept].flatMap((split) => split.leaving)
  const skuIds = [
    ...new Set([
      ...leaving.flatMap(({ skuId, apartFrom }) => [skuId, apartFrom]),
      ...found.merges.flatMap(({ a, b }) => [a, b]),
    ]),
  ]
  const sources = await sourcesAt(store, cut)
  const texts = await textsAt(store, skuIds, await visibilityAt(store, cut))
  return (skuId) => {
    const text = texts.get(skuId)
    return {
      vendor_sku_id: skuId,
      name: text?.payload.name ?? null,
      source: text === undefined ? null : (sources.get(text.sourceId)?.name ?? text.sourceId),
    }
  }
}
