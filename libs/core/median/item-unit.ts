import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import {
  compare,
  multiply,
  ONE,
  parseDecimal,
  type Rational,
  rational,
  roundHalfEven,
  toText,
} from '@catalog/core/money/rational.ts'
import { compareText } from '@catalog/core/text.ts'
import { conversionFactor, pricePerUnit, type SoldUnit, soldUnit } from '@catalog/core/units/sold-unit.ts'
import { type ItemPrices, millisecondsOf, type Observed, type SkuPrices, statedTax, taxFactorOf } from './sku-prices.ts'
import { publisherOf } from './voices.ts'

export type StatedPrice = Pick<ObservationRecorded['price'], 'cents' | 'per_quantity' | 'tax'>

/**
 * The unit of a new item: the sold unit of its founder with its contents ("25 kg"). Known units get their canonical
 * spelling, because a spelling alone does not tell its language ("ml" is a linear metre in Spanish data). A price of
 * few cents is founded by ten, a hundred or a thousand ("100 u"): by the smallest of them at which rounding the
 * founder's net price errs by at most 0.5 %, else by the largest.
 */
export function foundingUnit(sold: Parameters<typeof soldUnit>[0], price: StatedPrice): string | null {
  const one = soldUnit(sold)
  const tax = statedTax({ taxIncluded: price.tax.included, taxRate: price.tax.rate ?? null })
  const net = { cents: price.cents, perQuantity: price.per_quantity, taxFactor: taxFactorOf(tax.rate) ?? ONE }
  const exact = pricePerUnit(net, ONE)
  if (one.label === null || exact.n <= 0n || keepsItsFigures(exact)) return one.label
  const multiples = MULTIPLES.flatMap((times) => multipleOf(one, times) ?? [])
  const kept = multiples.find(({ times }) => keepsItsFigures(multiply(exact, times))) ?? multiples.at(-1)
  return kept?.label ?? one.label
}

/** Whether rounding an exact price to whole cents errs by at most 0.5 % of it. */
function keepsItsFigures({ n, d }: Rational): boolean {
  const error = roundHalfEven({ n, d }) * d - n
  return (error < 0n ? -error : error) * ERROR_SHARE_MAX <= n
}
/** A two-hundredth is 0.5 %. */
const ERROR_SHARE_MAX = 200n
const MULTIPLES = [rational(10n), rational(100n), rational(1000n)]

/** "10 u" of "u" and "250 kg" of "25 kg"; null where no text states the multiple. */
function multipleOf(sold: SoldUnit, times: Rational): { label: string; times: Rational } | null {
  const [, count = '1', symbol] = /^(?:(\d+(?:\.\d+)?) )?(.+)$/.exec(sold.label ?? '') ?? []
  const label = `${toText(multiply(parseDecimal(count), times))} ${symbol}`
  const factor = conversionFactor(sold, soldUnit({ unit: label }))
  return factor !== null && compare(factor, times) === 0 ? { label, times } : null
}

/**
 * The unit that an item is priced in at `asOf`: the one it was founded with, where that is known. An unknown one yields to
 * the known units of its SKUs, and so does a known one that an alias of its spelling has replaced: no price converts to
 * it, and an alias named the unit of one. Of several dimensions the one with most trust holds, then the one of the
 * smallest SKU; the smallest SKU of that dimension gives the unit. Sources without a vote decide only where no other does.
 */
export function itemUnitAt(item: ItemPrices, asOf: string): Pick<ItemPrices, 'unit' | 'pack'> {
  const founded = { unit: item.unit, pack: item.pack }
  const founding = soldUnit(founded)
  const asOfMs = millisecondsOf(asOf)
  if (founding.quantity !== null && !isReplaced(founding, item.skus, asOfMs)) return founded
  const known = item.skus.flatMap((sku) => knownUnit(sku, asOfMs) ?? [])
  const voting = known.filter(({ trust }) => trust > 0)
  const dimensions = Map.groupBy(voting.length > 0 ? voting : known, ({ sold }) => sold.dimension)
  const [best] = [...dimensions.values()]
    .map((members) => members.toSorted((a, b) => compareText(a.skuId, b.skuId)))
    .sort((a, b) => trustOf(b) - trustOf(a) || compareText(a[0]?.skuId ?? '', b[0]?.skuId ?? ''))
  return best?.[0] === undefined ? founded : { unit: best[0].sold.label, pack: null }
}

type Known = Readonly<{ skuId: string; voice: string; trust: number; sold: SoldUnit }>
/** The trust of the vendors, each once. */
const trustOf = (members: readonly Known[]) =>
  [...new Map(members.map(({ voice, trust }) => [voice, trust])).values()].reduce((sum, trust) => sum + trust, 0)

/** Whether an alias gave a price another unit, and none converts to the founded one any more. */
function isReplaced(founding: SoldUnit, skus: readonly SkuPrices[], asOfMs: number): boolean {
  const isNow = ({ observedAt }: Observed) => millisecondsOf(observedAt) <= asOfMs
  if (!skus.some(({ observations }) => observations.some((one) => one.isAliased && isNow(one)))) return false
  return skus.every((sku) =>
    sku.observations.filter(isNow).every((one) => conversionFactor(soldOf(one, sku), founding) === null),
  )
}

/** The known unit of the latest observation of a SKU up to the instant; null where all are unknown. */
function knownUnit(sku: SkuPrices, asOfMs: number): Known | null {
  let latest: { atMs: number; id: string; sold: SoldUnit } | null = null
  for (const observed of sku.observations) {
    const atMs = millisecondsOf(observed.observedAt)
    if (atMs > asOfMs) continue
    const sold = soldOf(observed, sku)
    const isLater =
      latest === null || atMs > latest.atMs || (atMs === latest.atMs && observed.observationId > latest.id)
    if (sold.quantity !== null && isLater) latest = { atMs, id: observed.observationId, sold }
  }
  return (
    latest && { skuId: sku.vendorSkuId, voice: publisherOf(sku), trust: sku.enabled ? sku.trust : 0, sold: latest.sold }
  )
}

function soldOf({ unit, pack, lang }: Observed, { format }: SkuPrices): SoldUnit {
  return soldUnit({ unit, pack, lang, format })
}
