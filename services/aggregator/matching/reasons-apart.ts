import type { AreApart } from '@catalog/core/matching/joins.ts'
import { areTwoOfOneVendor } from '@catalog/core/matching/source-voices.ts'
import { keptPer } from '@catalog/core/memo.ts'
import {
  areSpansFarApart,
  type DescribedSku,
  type Gates,
  KEPT_APART_GATE,
  PRICE_GATE,
  type PriceSpan,
  type SkuDescription,
  type UnitPrice,
} from './candidate-gates.ts'

/** A rule puts at most one SKU of a vendor into an item; the code stands in logged proposals. */
export const ONE_SOURCE = 'one source'
/** The rule took two other SKUs of these items for two products. */
export const DOUBTED = 'doubted'

/** Pairs of SKUs that a rule compared and took for two products; most SKUs of an item were never compared. */
export type Rejections = Readonly<{
  isCompared: (skuId: string) => boolean
  /** In any order. */
  isRejected: (a: string, b: string) => boolean
}>

/** Reasons that keep the members of two items apart, each at least once. */
type ReasonsApart = (one: readonly DescribedSku[], other: readonly DescribedSku[]) => Iterable<string>

/**
 * Asks the gates for two items as if it asked for each pair of their members. Items of a national list have a hundred members of
 * one text: it asks once for two texts, and compares the prices of one market by their least and their greatest.
 */
export function reasonsApartBy(gates: Gates, { isCompared, isRejected }: Rejections): ReasonsApart {
  const sidesOf = keptPer((members: readonly DescribedSku[]) => ({
    voices: Map.groupBy(members, ({ voiceId, sourceId }) => voiceId ?? sourceId),
    texts: textsOf(members),
    compared: members.filter(({ vendorSkuId }) => isCompared(vendorSkuId)),
  }))
  return function* (ones, others) {
    const [one, other] = [sidesOf(ones), sidesOf(others)]
    for (const [voice, members] of one.voices) {
      const rivals = other.voices.get(voice) ?? []
      if (members.some((a) => rivals.some((b) => areTwoOfOneVendor(a, b)))) yield ONE_SOURCE
    }
    if (gates.areKeptApart(ones, others)) yield KEPT_APART_GATE
    for (const a of one.texts) {
      for (const b of other.texts) {
        const gate = gates.ofTexts(a, b)
        if (gate !== null) yield gate
        else if (a.prices.some((span) => b.prices.some((beside) => areSpansFarApart(span, beside)))) yield PRICE_GATE
      }
    }
    for (const a of one.compared) {
      for (const b of other.compared) {
        if (isRejected(a.vendorSkuId, b.vendorSkuId) && gates.between(a, b) === null) yield DOUBTED
      }
    }
  }
}

/** Whether any reason keeps the members of two items apart. */
export function areApartBy(gates: Gates, rejections: Rejections): AreApart<DescribedSku> {
  const reasonsApart = reasonsApartBy(gates, rejections)
  return (one, other) => !reasonsApart(one, other)[Symbol.iterator]().next().done
}

type TextOfMembers = Pick<SkuDescription, 'text' | 'sold'> & Readonly<{ prices: readonly PriceSpan[] }>

/** Each text of these members with the prices under it. A member that says nothing has none. */
function textsOf(members: readonly DescribedSku[]): TextOfMembers[] {
  const described = members.flatMap(({ description }) => description ?? [])
  return [...Map.groupBy(described, ({ text }) => text).values()].map((alike) => ({
    ...(alike[0] as SkuDescription),
    prices: spansOf(alike),
  }))
}

function spansOf(alike: readonly SkuDescription[]): PriceSpan[] {
  const prices = alike.flatMap(({ price }) => price ?? [])
  const markets = Map.groupBy(prices, ({ currency, region, isBid }) => `${currency} ${isBid} ${region}`)
  return [...markets.values()].map((each) => {
    const { cents: first, ...market } = each[0] as UnitPrice
    const span = { ...market, least: first, greatest: first }
    for (const { cents } of each) {
      span.least = Math.min(span.least, cents)
      span.greatest = Math.max(span.greatest, cents)
    }
    return span
  })
}
