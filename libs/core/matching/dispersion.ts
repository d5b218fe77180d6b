import { parseRational } from '@catalog/core/money/rational.ts'
import { compareText } from '@catalog/core/text.ts'

/** How far the vendors of one item stand apart within a market: evidence that it may hold two products. */
export type Dispersion = Readonly<{
  /** The highest vote of a market over its lowest, to two decimals, in the market where it is greatest; null without two votes. */
  ratio: number | null
  region: string | null
  markets: readonly Readonly<{ region: string; voters: number; ratio: number }>[]
  /** Whether some market's ratio exceeds {@link APART_RATIO}. */
  apart: boolean
  /**
   * The vendor SKUs of that market in groups of like prices, the cheapest first: the split that would bring every group
   * back within {@link APART_RATIO}. Null while nothing stands apart.
   */
  groups: readonly (readonly string[])[] | null
}>

/** One product seldom costs twice as much at another vendor of the same market. */
export const APART_RATIO = 2

type Vote = Readonly<{ vendor_sku_id: string; price: string; markets: readonly string[] }>
type Priced = Readonly<{ skuId: string; price: number }>

/**
 * The dispersion of the votes of one item. All votes of a market are in its settlement currency, so prices compare within
 * a market alone. The order of the votes does not matter.
 */
export function dispersionOf(votes: readonly Vote[]): Dispersion {
  const priced = votes.map(({ vendor_sku_id, price, markets }) => {
    const { n, d } = parseRational(price)
    return { skuId: vendor_sku_id, price: Number(n) / Number(d), markets }
  })
  const markets = [...new Set(priced.flatMap((vote) => vote.markets))]
    .sort(compareText)
    .map((region) => ({
      region,
      votes: priced
        .filter((vote) => vote.markets.includes(region) && vote.price > 0)
        .sort((a, b) => a.price - b.price || compareText(a.skuId, b.skuId)),
    }))
    .filter((market) => market.votes.length > 1)
    .map((market) => ({ ...market, ratio: ratioOf(market.votes) }))
  const widest = markets.toSorted((a, b) => b.ratio - a.ratio || compareText(a.region, b.region))[0]
  const apart = widest !== undefined && widest.ratio > APART_RATIO
  return {
    ratio: widest === undefined ? null : rounded(widest.ratio),
    region: widest?.region ?? null,
    markets: markets.map((market) => ({
      region: market.region,
      voters: market.votes.length,
      ratio: rounded(market.ratio),
    })),
    apart,
    groups: apart ? groupsOf(widest.votes).map((group) => group.map(({ skuId }) => skuId)) : null,
  }
}

const ratioOf = (sorted: readonly Priced[]) => (sorted.at(-1) as Priced).price / (sorted[0] as Priced).price

const rounded = (ratio: number) => Math.round(ratio * 100) / 100

/** Cuts prices in ascending order at their widest gap, until each group is within {@link APART_RATIO}. */
function groupsOf(sorted: readonly Priced[]): (readonly Priced[])[] {
  if (ratioOf(sorted) <= APART_RATIO) return [sorted]
  const gaps = sorted.slice(1).map((vote, at) => vote.price / (sorted[at] as Priced).price)
  const cut = gaps.indexOf(Math.max(...gaps)) + 1
  return [...groupsOf(sorted.slice(0, cut)), ...groupsOf(sorted.slice(cut))]
}
