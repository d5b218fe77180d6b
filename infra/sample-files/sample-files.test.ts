import { conversionFactor } from '@catalog/core/units/sold-unit.ts'
import { isGtin } from '@catalog/formats/mapping/text-checks.ts'
import { expect, test } from 'vitest'
import { LevelsFile, Measure, NamesFile, NearTwinsFile, sold, TradeFile } from './goods.ts'
import { bookUnitFactor, PriceBookFile } from './price-book.ts'
import { loadSample, sampleTexts } from './sample.ts'
import { readYaml } from './sample-files.ts'
import { VendorsFile } from './vendors.ts'

const texts = sampleTexts()
const trades = texts.products.map((text) => readYaml(text, TradeFile))
const goods = trades.flatMap(({ products }) => products)
const { vendors } = readYaml(texts.vendors, VendorsFile)
const books = (texts.priceBooks ?? []).map((text) => readYaml(text, PriceBookFile))
const pairs = readYaml(texts.nearTwins as string, NearTwinsFile).pairs

const repeated = (values: readonly (string | undefined)[]) =>
  values.filter((value, i) => value !== undefined && values.indexOf(value) !== i)
const unknown = (names: readonly string[], known: readonly string[]) => names.filter((name) => !known.includes(name))
const tradeNames = trades.map(({ trade }) => trade)

test('trades, goods, vendors and the identifiers of goods are unique', () => {
  const groups = [
    tradeNames,
    ...(['key', 'gtin', 'ref'] as const).map((field) => goods.map((good) => good[field])),
    ...(['key', 'name'] as const).map((field) => vendors.map((vendor) => vendor[field])),
  ]
  expect(groups.flatMap(repeated)).toEqual([])
  expect(goods.filter(({ gtin }) => gtin !== undefined && !(isGtin(gtin) && gtin.startsWith('952')))).toEqual([])
})

test('what one file names, another describes', () => {
  const levels = readYaml(texts.levels as string, LevelsFile)
  const names = Object.values(readYaml(texts.names as string, NamesFile)).flatMap((own) => Object.keys(own))
  const keys = goods.map(({ key }) => key)
  expect([
    ...unknown(
      vendors.flatMap(({ trades }) => trades),
      tradeNames,
    ),
    ...unknown(Object.keys(levels.families), tradeNames),
    ...unknown([...Object.keys(levels.products), ...names], keys),
    ...unknown(
      pairs.map(({ trade }) => trade),
      tradeNames,
    ),
    ...unknown(
      pairs.flatMap(({ of }) => Object.keys(of)),
      vendors.filter(({ trades }) => trades.length > 0).map(({ key }) => key),
    ),
  ]).toEqual([])
  expect(goods.filter(({ names: { es, en, pt } }) => !es || !en || !pt)).toEqual([])
})

test('packs convert, and stand only with containers', () => {
  const wrong = goods.filter(({ unit, pack, packs = {} }) => {
    const own = (other: NonNullable<typeof pack>) =>
      pack === undefined || conversionFactor(sold(unit, pack), sold(unit, other)) === null
    return (pack !== undefined && Measure.safeParse(unit).success) || Object.values(packs).some(own)
  })
  expect(wrong).toEqual([])
})

test('a list has the columns that its vendor needs', () => {
  const wrong = vendors.filter(({ file, trades, columns, tiers, defects, tax }) => {
    if (tax.included && tax.rate === undefined) return true
    if (file.format === 'bc3') return trades.length + Object.keys(columns).length + tiers + defects.length > 0
    const has = (key: keyof typeof columns) => columns[key] !== undefined
    return (
      trades.length === 0 ||
      !(['vendor_ref', 'name', 'unit', 'price'] as const).every(has) ||
      has('pack_quantity') !== has('pack_unit') ||
      has('observed_at') !== (file.date !== undefined) ||
      (tiers > 0 && !has('min_quantity')) ||
      (defects.includes('currency_changed') && !has('currency')) ||
      (file.format === 'csv') !== (file.delimiter !== undefined)
    )
  })
  expect(wrong.map(({ key }) => key)).toEqual([])
})

test('price books price each line in a unit of its good', () => {
  const { products } = loadSample(texts)
  const known = new Map(products.map((product) => [product.key, product]))
  const wrong = books.flatMap((book) => {
    const works = book.chapters.flatMap((chapter) => chapter.works)
    const mixes = new Set(book.auxiliaries.map(({ key }) => key))
    const lines = [...book.auxiliaries, ...works].flatMap(({ lines }) => Object.keys(lines))
    const format = vendors.find(({ key }) => key === book.vendor)?.file.format
    return [
      ...(format === 'bc3' ? [] : [book.vendor]),
      ...repeated([...book.chapters, ...works].map(({ code }) => code)),
      ...works.filter(({ key, unit }) => known.get(key)?.unit !== unit).map(({ code }) => code),
      ...lines.filter((key) => {
        const product = known.get(key)
        return product === undefined || (!mixes.has(key) && bookUnitFactor(book, product) === null)
      }),
    ]
  })
  expect(wrong).toEqual([])
})
