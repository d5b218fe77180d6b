import type { JoinRule } from '@catalog/aggregator/matching/join-rule.ts'
import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import { openJoinRule } from '@catalog/cli/shared/wire.ts'
import { contradictionBesidesUnit } from '@catalog/core/matching/contradictions.ts'
import { percent } from '@catalog/research/matching/percent.ts'
import { cwicrSkus } from '@catalog/research/matching/translated-offers.ts'
import { decidedItems } from './decided-items.ts'
import { type KeyedSku, sampleSkus } from './keyed-offers.ts'
import { nearTwinsOf } from './near-twins.ts'

/** Shares in percent. */
export type ItemFigures = Readonly<{
  skus: number
  items: number
  /** Items of several SKUs. */
  shared: number
  /** Shared items that hold two products. */
  mixed: number
  /** Pairs of one product at two vendors. */
  pairs: number
  /**
   * Of those, pairs whose names state what cannot both be true: a key of the sample also joins what countries use in each
   * other's place (14 AWG and 1.5 mm², A992 and S275).
   */
  contradicting: number
  /** Share of those pairs that are in one item. */
  recall: number
  /** The same without the contradicting pairs. */
  recallOfOthers: number
  /** The same, of all pairs whose vendors sell in one market; null where the SKUs name no market. */
  recallInMarket: number | null
  /** Products and names of each mixed item. */
  mixtures: readonly (readonly string[])[]
}>

/** Mixed items and the recall of pairs by the products' own keys, as the shipped rule decides without prices. Pure. */
export function itemFigures(skus: readonly KeyedSku[], rule: JoinRule): ItemFigures {
  const itemOf = decidedItems(skus, rule)
  const items = [...Map.groupBy(skus, ({ vendorSkuId }) => itemOf.get(vendorSkuId) as string).values()]
  const shared = items.filter((members) => members.length > 1)
  const mixed = shared.filter((members) => new Set(members.map(({ product }) => product)).size > 1)
  let [pairs, found, contradicting] = [0, 0, 0]
  let [pairsInMarket, foundInMarket] = [0, 0]
  for (const group of Map.groupBy(skus, ({ product }) => product).values()) {
    for (const [at, a] of group.entries()) {
      for (const b of group.slice(at + 1)) {
        if (a.sourceId === b.sourceId) continue
        const isFound = Number(itemOf.get(a.vendorSkuId) === itemOf.get(b.vendorSkuId))
        pairs += 1
        found += isFound
        contradicting += Number(contradictionBesidesUnit(a, b) !== null)
        if (a.market === undefined || a.market !== b.market) continue
        pairsInMarket += 1
        foundInMarket += isFound
      }
    }
  }
  return {
    skus: skus.length,
    items: items.length,
    shared: shared.length,
    mixed: mixed.length,
    pairs,
    contradicting,
    recall: percent(found, pairs),
    recallOfOthers: percent(found, pairs - contradicting),
    recallInMarket: pairsInMarket === 0 ? null : percent(foundInMarket, pairsInMarket),
    mixtures: mixed.map((members) => members.map(({ name, product }) => `${product}: ${name}`)),
  }
}

export type ItemFlags = Readonly<{ sample?: boolean; cwicr?: string }>

/** `npm run evaluate -- match --sample` and `--cwicr`: whole items of keyed offers, decided by the shipped rule. */
export function evaluateItems(terminal: Terminal, { sample, cwicr }: ItemFlags): void {
  const rule = openJoinRule()
  const figures: Record<string, ItemFigures> = {}
  if (sample) {
    const skus = sampleSkus()
    figures.sample = itemFigures(skus, rule)
    terminal.note('decided the sample')
    figures['sample with near twins'] = itemFigures([...skus, ...skus.flatMap(nearTwinsOf)], rule)
  }
  if (cwicr !== undefined) figures['CWICR in five languages'] = itemFigures(cwicrSkus(cwicr), rule)
  terminal.answer(figures, () => {
    const rows = Object.entries(figures).map(([offers, { mixtures: _, ...row }]) => ({ offers, ...row }))
    const mixtures = Object.entries(figures).flatMap(([offers, { mixtures: found }]) =>
      found.slice(0, MIXTURES_SHOWN).map((names) => `${offers} mixes\n  ${names.join('\n  ')}`),
    )
    return [table(rows), ...mixtures].join('\n\n')
  })
}
const MIXTURES_SHOWN = 20
