import { COMMON_SHARE, carriersOf, skusOf } from './assortment.ts'
import { type PlantedDefect, plantedDefectsOf } from './defects.ts'
import type { Product } from './goods.ts'
import { crossFileProblems, InvalidSample, readTrade, readVendors } from './sample-files.ts'
import type { SampleVendor } from './vendors.ts'

/**
 * A construction market of invented vendors and goods; each vendor publishes a price list on any day. Hashes of the
 * keys in the YAML files and of the day determine every byte, so a crawl of a day is repeatable on every machine. Like
 * real lists, the sample contains deliberate errors: see {@link Sample.plantedDefects}.
 */
export type Sample = Readonly<{
  products: readonly Product[]
  vendors: readonly SampleVendor[]
  plantedDefects: readonly PlantedDefect[]
}>

/**
 * Loads the sample from the texts of vendors.yaml and products/*.yaml, the latter in any order. Throws InvalidSample
 * with file, key and expectation of each problem.
 */
export function loadSample(texts: Readonly<{ vendors: string; products: readonly string[] }>): Sample {
  // Sort: the order of files in a folder is undefined.
  const trades = texts.products.map((text, i) => readTrade(text, i + 1)).sort((a, b) => (a.trade < b.trade ? -1 : 1))
  const vendorsFile = readVendors(texts.vendors)
  const problems = crossFileProblems(trades, vendorsFile)
  if (problems.length > 0) throw new InvalidSample(problems)

  const products = trades.flatMap(({ trade, kind, category, products }) =>
    products.map((product, i): Product => {
      const isCommon = i < Math.max(1, Math.round(products.length * COMMON_SHARE))
      return { ...product, trade, kind, category, isCommon }
    }),
  )
  const carried = new Map(products.map((product) => [product, carriersOf(product, vendorsFile.vendors)]))
  const vendors = vendorsFile.vendors.map((vendor): SampleVendor => {
    const own = products.filter((product) => carried.get(product)?.has(vendor))
    return { ...vendor, skus: skusOf({ vendor, products: own, vendorsFile }) }
  })
  return { products, vendors, plantedDefects: vendors.flatMap(plantedDefectsOf) }
}
