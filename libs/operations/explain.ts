import { openEvaluator } from '@catalog/aggregator/evaluate.ts'
import type { ItemBasis } from '@catalog/api/contract/basis.ts'
import { explanationOf, noteOf } from '@catalog/api/items/explain.ts'
import { evaluatedCategory } from '@catalog/api/items/item-category.ts'
import type { Basis } from '@catalog/core/events/items.ts'
import { latestRuns } from '@catalog/store/vendor/runs.ts'
import type { Catalog } from './catalog.ts'
import { cutOf } from './run-cut.ts'

/** An explanation, of one market alone where it was asked, and the markets in which the item has a price. */
type Explanation = Readonly<{ value: ItemBasis; priced: readonly string[] }>

/** The votes, weights and exclusions behind a median at an instant, or as a run saw it; by default behind the published one. */
export async function explainItem(
  catalog: Catalog,
  { itemId, region, ...at }: { itemId: string; asOf?: string; runId?: string; region?: string },
): Promise<Explanation> {
  const [last] = await latestRuns(catalog.store, 1)
  const cut = await cutOf(catalog, at.asOf === undefined && at.runId === undefined && last ? { asOf: last.asOf } : at)
  const evaluator = await openEvaluator(catalog.store, cut)
  const [item] = await evaluator.evaluate([itemId])
  if (item === undefined) throw new Error(`item '${itemId}': expected the id of an item, as in GET /v1/items`)
  const { name, unit, kind, names, members, repriced } = item
  const whole = await explanationOf(catalog.store, {
    itemId,
    name,
    unit,
    kind,
    names,
    category: evaluatedCategory(item.category),
    mergedInto: members.mergedInto,
    runId: at.runId ?? null,
    asOf: cut.asOf,
    median: repriced.headline,
    markets: repriced.markets,
    vendorSkuIds: members.skuIds,
    basis: repriced.basis,
  })
  const priced = whole.markets.flatMap(({ region, median }) => (median === null ? [] : [region]))
  return { value: region === undefined ? whole : explanationIn(whole, { region, basis: repriced.basis }), priced }
}

/** The votes of one market, and its median. Tax and what is excluded remain those of the headline; it has no quartiles. */
function explanationIn(whole: ItemBasis, { region, basis }: { region: string; basis: Basis }): ItemBasis {
  const markets = whole.markets.filter((market) => market.region === region)
  const votes = whole.basis.votes.filter((vote) => vote.markets.includes(region))
  const trust_total = votes.reduce((sum, { trust }) => sum + trust, 0)
  const note = votes.length === 0 ? null : noteOf(basis, region)
  const counts = { voters: votes.length, single_voter: votes.length === 1, trust_total, note, p25: null, p75: null }
  return { ...whole, median: markets[0]?.median ?? null, markets, basis: { ...whole.basis, ...counts, votes } }
}
