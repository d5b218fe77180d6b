import { compareText } from '@catalog/core/text.ts'
import { conversionFactor, type SoldUnit, soldUnit } from '@catalog/core/units/sold-unit.ts'
import { type ItemPrices, millisecondsOf, type Observed, type SkuPrices } from './sku-prices.ts'
import { publisherOf } from './voices.ts'

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
