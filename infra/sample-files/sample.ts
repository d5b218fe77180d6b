import { readdirSync, readFileSync } from 'node:fs'
import { COMMON_SHARE, carriersOf, skusOf } from './assortment.ts'
import { type PlantedDefect, plantedDefectsOf } from './defects.ts'
import { LevelsFile, NamesFile, type NearTwin, NearTwinsFile, nearTwinsOf, type Product, TradeFile } from './goods.ts'
import { bookProducts, PriceBookFile } from './price-book.ts'
import { bookOf } from './price-book-skus.ts'
import { readYaml } from './sample-files.ts'
import { type SampleVendor, VendorsFile } from './vendors.ts'

/**
 * A construction market of invented vendors and goods; each vendor publishes a price list on any day. Hashes of the
 * keys in the YAML files and of the day determine every byte, so a crawl of a day is repeatable on every machine. Like
 * real lists, the sample contains deliberate errors: see {@link Sample.plantedDefects}.
 */
export type Sample = Readonly<{
  products: readonly Product[]
  vendors: readonly SampleVendor[]
  nearTwins: readonly NearTwin[]
  plantedDefects: readonly PlantedDefect[]
}>

export type SampleTexts = Readonly<{
  vendors: string
  products: readonly string[]
  levels?: string
  names?: string
  priceBooks?: readonly string[]
  nearTwins?: string
}>

/** The texts of this folder's files. */
export function sampleTexts(): SampleTexts {
  const text = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')
  const texts = (folder: string) =>
    readdirSync(new URL(folder, import.meta.url))
      .filter((name) => name.endsWith('.yaml'))
      .sort()
      .map((name) => text(`${folder}${name}`))
  return {
    vendors: text('./vendors.yaml'),
    products: texts('./products/'),
    levels: text('./market-levels.yaml'),
    names: text('./market-names.yaml'),
    priceBooks: texts('./price-books/'),
    nearTwins: text('./near-twins.yaml'),
  }
}

/**
 * Loads the sample from the texts of vendors.yaml, products/*.yaml and price-books/*.yaml, both in any order, and of
 * market-levels.yaml, market-names.yaml and near-twins.yaml. Throws as {@link readYaml}.
 */
export function loadSample(texts: SampleTexts): Sample {
  // Sort: the order of files in a folder is undefined.
  const trades = texts.products.map((text) => readYaml(text, TradeFile)).sort((a, b) => (a.trade < b.trade ? -1 : 1))
  const vendorsFile = readYaml(texts.vendors, VendorsFile)
  const levels = texts.levels === undefined ? { families: {}, products: {} } : readYaml(texts.levels, LevelsFile)
  const names = texts.names === undefined ? {} : readYaml(texts.names, NamesFile)
  const books = (texts.priceBooks ?? []).map((text) => readYaml(text, PriceBookFile))
  books.sort((a, b) => (a.vendor < b.vendor ? -1 : 1))
  const listed = trades.flatMap(({ trade, kind, category, products }) =>
    products.map((product, i): Product => {
      const isCommon = i < Math.max(1, Math.round(products.length * COMMON_SHARE))
      const ofMarkets = { ...levels.families[trade], ...levels.products[product.key] }
      const ownNames = Object.entries(names).flatMap(([locale, own]) => {
        const spellings = own[product.key]
        return spellings === undefined ? [] : [[locale, spellings] as const]
      })
      const allNames = { ...product.names, ...Object.fromEntries(ownNames) }
      return { ...product, names: allNames, trade, kind, category, isCommon, levels: ofMarkets }
    }),
  )
  const twinsFile = texts.nearTwins === undefined ? { pairs: [] } : readYaml(texts.nearTwins, NearTwinsFile)
  const nearTwins = nearTwinsOf(twinsFile, { trades, families: levels.families })
  const products = [...listed, ...bookProducts(books, listed), ...nearTwins.map(({ product }) => product)]
  const carried = new Map(listed.map((product) => [product, carriersOf(product, vendorsFile.vendors)]))
  const vendors = vendorsFile.vendors.map((vendor): SampleVendor => {
    const file = books.find((book) => book.vendor === vendor.key)
    if (file !== undefined) return { ...vendor, ...bookOf({ vendor, file, products, vendorsFile }) }
    const own = listed.filter((product) => carried.get(product)?.has(vendor))
    const twins = nearTwins.filter((twin) => twin.vendor === vendor.key).map(({ product }) => product)
    return { ...vendor, skus: skusOf({ vendor, products: own, twins, vendorsFile }), book: null }
  })
  return { products, vendors, nearTwins, plantedDefects: vendors.flatMap(plantedDefectsOf) }
}
