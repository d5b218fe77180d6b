import { sha256Hex } from '@catalog/core/digest.ts'
import { conversionFactor, soldUnit } from '@catalog/core/units/sold-unit.ts'
import { withDefects, withTiers } from './defects.ts'
import { languageOf, type Product, sold, spellingsOf, type Unit } from './goods.ts'
import { PRICE_LEVELS, perEuro } from './price-levels.ts'
import { hashOf, shareOf, shuffledBy } from './seeded-random.ts'
import type { SampleSku, Vendor, VendorsFile } from './vendors.ts'

/** Every vendor of a trade carries this first share of the trade's goods, at least one good. */
export const COMMON_SHARE = 1 / 7
/** A pseudo-random number of the trade's vendors, in this range, carries any other good. */
const CARRIERS = { min: 2, max: 4 }
/** Share of names in their first, common spelling, where there are several. */
const FIRST_SPELLING_SHARE = 0.8
/** Share of names without brackets and commas. */
const PLAIN_SPELLING_SHARE = 0.15

/** The vendors that carry the product: for a common product all that have a name for it, otherwise a few. */
export function carriersOf(product: Product, vendors: readonly Vendor[]): ReadonlySet<Vendor> {
  const able = vendors.filter(
    ({ trades, locale }) => trades.includes(product.trade) && spellingsOf(product.names, locale).length > 0,
  )
  if (product.isCommon) return new Set(able)
  const { min, max } = CARRIERS
  const count = min + (hashOf(product.key, 'carriers') % (max - min + 1))
  return new Set(shuffledBy(able, ({ key }) => hashOf(key, product.key, 'carried')).slice(0, count))
}

export function skusOf({
  vendor,
  products,
  twins,
  vendorsFile,
}: {
  vendor: Vendor
  products: readonly Product[]
  /** Planted after the others, and without defects. */
  twins: readonly Product[]
  vendorsFile: VendorsFile
}): SampleSku[] {
  const refs = new Set<string>()
  const skuOf = (product: Product) => newSku(product, { vendor, refs, vendorsFile })
  return [...withDefects(vendor, withTiers(vendor, products.map(skuOf))), ...twins.map(skuOf)]
}

/** Adds the SKU's code to `refs`. */
function newSku(
  product: Product,
  { vendor, refs, vendorsFile }: { vendor: Vendor; refs: Set<string>; vendorsFile: VendorsFile },
): SampleSku {
  const ref = refOf(vendor, product, refs)
  refs.add(ref)
  const ownPack = product.packs?.[vendor.region]
  return {
    product,
    ref,
    name: nameOf(vendor, product),
    ...soldUnitOf({ vendor, product, vendorsFile }),
    // A different pack is a different trade item.
    gtin: ownPack === undefined ? (product.gtin ?? null) : null,
    manufacturerRef: ownPack === undefined ? (product.ref ?? null) : null,
    cpv: vendorsFile.cpv[product.trade] ?? null,
    hasTiers: false,
    defect: null,
  }
}

/** The vendor's unit, its pack, and the price level of one sold unit. */
function soldUnitOf({
  vendor,
  product,
  vendorsFile,
}: {
  vendor: Vendor
  product: Product
  vendorsFile: VendorsFile
}): Pick<SampleSku, 'unit' | 'pack' | 'level'> {
  const lang = languageOf(vendor.locale)
  const spelled = (unit: Unit) => spelledUnit({ vendor, unit, vendorsFile })
  const pack = product.packs?.[vendor.region] ?? product.pack
  const unit = spelled(product.unit)
  // A vendor may spell another measure (SF for m2), and a region may have another pack.
  const packed = pack && { pack: { quantity: String(pack.quantity), unit: pack.unit } }
  const factor = conversionFactor(sold(product.unit, product.pack), soldUnit({ unit, lang, ...packed }))
  const perUnit = factor === null ? 1 : Number(factor.n) / Number(factor.d)
  const level = levelOf(vendor, product, perUnit)
  if (pack === undefined) return { unit, pack: null, level }
  const contents = { quantity: String(pack.quantity), unit: pack.unit === 'u' ? spelled('u') : pack.unit }
  if (vendor.columns.pack_quantity !== undefined) return { unit, pack: contents, level }
  // Two decimals: inside a unit text three decimals would read as thousands.
  const quantity = String(Math.round(pack.quantity * 100) / 100).replace('.', vendor.file.decimal)
  return {
    unit: lang === 'en' ? `${quantity} ${contents.unit} ${unit}` : `${unit} ${quantity} ${contents.unit}`,
    pack: null,
    level,
  }
}

/** The vendor's spelling of a unit. */
export function spelledUnit({
  vendor,
  unit,
  vendorsFile,
}: {
  vendor: Vendor
  unit: Unit
  vendorsFile: VendorsFile
}): string {
  const { units } = vendorsFile
  const spellings = units[vendor.locale]?.[unit] ?? units[languageOf(vendor.locale)]?.[unit] ?? [unit]
  return spellings[hashOf(vendor.key, unit) % spellings.length] as string
}

/** The price level of the vendor's unit, of which one has `perUnit` of the product's. */
export function levelOf(vendor: Vendor, product: Product, perUnit: number): number {
  const regional = product.levels[vendor.region] ?? PRICE_LEVELS[vendor.region]?.[product.kind] ?? 1
  const ownShare = 0.93 + 0.14 * shareOf(vendor.key, product.key, 'level')
  return product.eur * perUnit * regional * perEuro(vendor.currency) * vendor.level * ownShare
}

/** The vendor's code in its own style, with a digit for each `#`; retries while the code is taken. */
export function refOf(vendor: Vendor, product: Product, taken: ReadonlySet<string>): string {
  for (let attempt = 0; attempt < REF_ATTEMPTS_MAX; attempt++) {
    const digits = BigInt(`0x${sha256Hex(`${vendor.key} ${product.key} ref ${attempt}`)}`).toString()
    const ref = vendor.ref.replace(/#/g, (_, at: number) => digits[at + 1] as string)
    if (!taken.has(ref)) return ref
  }
  throw new Error(`vendors.yaml: vendors[${vendor.key}].ref: '${vendor.ref}' has too few # for its goods`)
}
const REF_ATTEMPTS_MAX = 100

function nameOf(vendor: Vendor, product: Product): string {
  const [first, ...others] = spellingsOf(product.names, vendor.locale) as [string, ...string[]]
  const isFirst = shareOf(vendor.key, product.key, 'spelling') < FIRST_SPELLING_SHARE
  const other = others[hashOf(vendor.key, product.key, 'other spelling') % others.length]
  const name = isFirst ? first : (other ?? first)
  const isPlain = shareOf(vendor.key, product.key, 'plain') < PLAIN_SPELLING_SHARE
  const written = isPlain ? name.replace(/[()]|,(?= )/g, '') : name
  return vendor.letters === 'upper' ? written.toUpperCase() : written
}
