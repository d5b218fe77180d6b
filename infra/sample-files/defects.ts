import { hashOf, shuffledBy } from './seeded-random.ts'
import type { DefectKind, SampleSku, SampleVendor, Vendor } from './vendors.ts'

/** A deliberate anomaly. `ref` is the vendor's code of the row, or null for all rows of the vendor. */
export type PlantedDefect = Readonly<{
  kind: DefectKind | 'quantity_tiers' | 'tax_included'
  vendor: string
  ref: string | null
  detail: string
}>

/**
 * Days between two prices that are 100 times too high. The period has no factor in common with the 15 days between
 * crawls, so exactly one of seven consecutive crawls meets the error and a price fence can detect it.
 */
const PRICE_ERROR_EVERY_DAYS = 7
/** Shorter than the crawled history, so that every history contains a change. */
const CURRENCY_WEEKS = 6
const VANISHING = { everyWeeks: 13, weeks: 5 }

/** Quantity prices: the minimum quantity, and the share of the single price. */
export const TIERS = [
  { from: '1', share: 1 },
  { from: '10', share: 0.96 },
  { from: '50', share: 0.91 },
] as const
/** The text of a broken row in place of a number, or as a surplus field. */
export const NO_PRICE = '???'

/** Lists with semicolons break by an invalid price, lists with commas by a surplus field. */
export function breaksPrice(vendor: Vendor): boolean {
  return vendor.file.delimiter === ';'
}

export function isPriceErrorDay(vendorKey: string, dayNumber: number): boolean {
  return dayNumber % PRICE_ERROR_EVERY_DAYS === hashOf(vendorKey, 'slip') % PRICE_ERROR_EVERY_DAYS
}

export function isCurrencyChanged(week: number): boolean {
  return Math.floor(week / CURRENCY_WEEKS) % 2 === 1
}

export function isVanished(week: number): boolean {
  return week % VANISHING.everyWeeks >= VANISHING.everyWeeks - VANISHING.weeks
}

export function otherCurrency(vendor: Vendor): string {
  return vendor.currency === 'USD' ? 'EUR' : 'USD'
}

export function withTiers(vendor: Vendor, skus: readonly SampleSku[]): SampleSku[] {
  const tiered = new Set(shuffledBy(skus, ({ ref }) => hashOf(vendor.key, ref, 'tiers')).slice(0, vendor.tiers))
  return skus.map((sku) => ({ ...sku, hasTiers: tiered.has(sku) }))
}

/**
 * Gives each defect of the vendor its own SKU, a common one where possible, so that other vendors sell the same good.
 */
export function withDefects(vendor: Vendor, skus: readonly SampleSku[]): SampleSku[] {
  const plain = shuffledBy(skus, ({ ref }) => hashOf(vendor.key, ref, 'defects')).filter(({ hasTiers }) => !hasTiers)
  plain.sort((a, b) => Number(b.product.isCommon) - Number(a.product.isCommon))
  const defectOf = new Map(vendor.defects.map((defect, i) => [plain[i], defect]))
  // A sound good shares its code with the defective one.
  const codeOwner = plain[vendor.defects.length]
  return skus.map((sku) => {
    const defect = defectOf.get(sku) ?? null
    if (defect === 'unknown_unit') return { ...sku, defect, unit: UNKNOWN_UNIT, pack: null }
    if (defect === 'two_goods_one_code') return { ...sku, defect, ref: codeOwner?.ref ?? sku.ref }
    return { ...sku, defect }
  })
}
/** A word that is a unit in no language. */
const UNKNOWN_UNIT = 'tramex'

export function plantedDefectsOf(vendor: SampleVendor): PlantedDefect[] {
  const planted = vendor.skus.flatMap((sku): PlantedDefect[] => {
    const kind = sku.hasTiers ? 'quantity_tiers' : sku.defect
    return kind === null ? [] : [{ kind, vendor: vendor.key, ref: sku.ref, detail: detailOf({ vendor, sku, kind }) }]
  })
  if (!vendor.tax.included) return planted
  const detail = `prices include ${vendor.tax.rate} of tax`
  return [...planted, { kind: 'tax_included', vendor: vendor.key, ref: null, detail }]
}

function detailOf({
  vendor,
  sku,
  kind,
}: {
  vendor: SampleVendor
  sku: SampleSku
  kind: DefectKind | 'quantity_tiers'
}): string {
  switch (kind) {
    case 'unknown_unit':
      return `unit '${sku.unit}' is in no table`
    case 'broken_row':
      if (vendor.file.format === 'jsonl') return 'the line ends in its middle'
      return breaksPrice(vendor) ? `the price is '${NO_PRICE}'` : 'the row has a field too many'
    case 'price_x100':
      return `on every ${PRICE_ERROR_EVERY_DAYS}th day the price is 100 times too high`
    case 'currency_changed':
      return `in ${otherCurrency(vendor)} for ${CURRENCY_WEEKS} weeks of ${2 * CURRENCY_WEEKS}`
    case 'vanished_sku':
      return `missing for ${VANISHING.weeks} weeks of ${VANISHING.everyWeeks}`
    case 'two_goods_one_code': {
      const names = vendor.skus.filter(({ ref }) => ref === sku.ref).map(({ name }) => `'${name}'`)
      return `two goods: ${names.join(', ')}`
    }
    case 'quantity_tiers':
      return `prices from ${TIERS.map(({ from }) => from).join(', ')} on`
  }
}
