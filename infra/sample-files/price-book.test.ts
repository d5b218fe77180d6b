import { bc3Entries, DiagnosticLog } from '@catalog/formats/bc3/entry-stream.ts'
import { buildPriceBook } from '@catalog/formats/bc3/price-book/price-book-builder.ts'
import { reprice } from '@catalog/formats/bc3/price-book/reprice.ts'
import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { readOutcomes } from '@catalog/formats/read.ts'
import { describe, expect, test } from 'vitest'
import { vendorFile } from './price-list.ts'
import { PRICE_PARTS, recipePrice } from './price-walk.ts'
import { loadSample, sampleTexts } from './sample.ts'

const texts = sampleTexts()
const sample = loadSample(texts)
const books = sample.vendors.filter(({ book }) => book !== null)
const DAYS = ['2026-11-21', '2027-02-19', '2031-06-01']
/** Works for which products/ states a price of its own: how far a recipe may lie from it. */
const FACTOR_MAX = 1.35

async function repriced(vendor: string, day: string) {
  const { bytes } = vendorFile({ sample, vendor, day })
  const log = new DiagnosticLog()
  const text = new TextDecoder('windows-1252').decode(bytes)
  async function* pieces() {
    yield text
  }
  const book = await buildPriceBook(bc3Entries(pieces(), log), log)
  const { rule, recipes } = reprice(book, { log })
  return { rule, log, book, recipes: [...recipes.values()].filter(({ isChapter }) => !isChapter) }
}

test('the price books hold at least 60 works', () => {
  const works = new Set(
    books.flatMap(({ skus }) => skus).flatMap(({ product }) => (product.kind === 'work' ? product.key : [])),
  )
  process.stdout.write(`${books.length} price books, ${works.size} works\n`)
  expect(works.size).toBeGreaterThanOrEqual(60)
})

describe.each(books.map(({ key }) => key))('the price book of %s', (key) => {
  const vendor = books.find((one) => one.key === key) as (typeof books)[number]

  test.each(DAYS)('of %s yields every price from its recipe, to the cent, as the product reads it', async (day) => {
    const { rule, recipes, log } = await repriced(key, day)
    expect(log.kept).toEqual([])
    expect(rule).toBe('line_rounded_2')
    expect(recipes.length).toBe(vendor.book?.recipes.size)
    expect(recipes.filter(({ difference }) => difference !== '0')).toEqual([])
  })

  test('has labour, machinery and materials in its recipes, and percentages in each work', async () => {
    const { book, recipes } = await repriced(key, DAYS[0] as string)
    const types = new Set<string>()
    for (const { code } of recipes) {
      const { components = [], unit } = book.concepts.get(code) ?? {}
      for (const { concept } of components) types.add(concept.type)
      const shares = components.filter(({ concept }) => concept.code.includes('%')).length
      const isWork = vendor.book?.recipes.get(code)?.isWork
      expect(shares, `${code} per ${unit}`).toBe(isWork ? vendor.book?.percentages.length : 0)
    }
    expect([...types].sort()).toEqual(['0', '1', '2', '3'])
  })

  test('refuses only chapters and percentages when its prices are read', async () => {
    const { fileName, bytes, mapping } = vendorFile({ sample, vendor: key, day: DAYS[0] as string })
    const defaults = { source: 'unnamed', notAfter: new Date('2026-11-22T00:00:00Z') }
    const reasons: string[] = []
    let read = 0
    for await (const { outcomes } of readOutcomes(bytesSource(fileName, bytes), { mapping, defaults })) {
      for (const { result } of outcomes) {
        if ('content' in result) read++
        else reasons.push(result.reason)
      }
    }
    expect(read).toBe(vendor.skus.length)
    expect([...new Set(reasons)]).toEqual(['NOT_A_PRICE'])
  })

  test('prices the works that other vendors sell as these do', () => {
    for (const { product, level } of vendor.skus) {
      if (!vendor.book?.recipes.has(codeOf(key, product.key)) || Number.isNaN(product.eur)) continue
      const others = sample.vendors.filter(({ region, book }) => region === vendor.region && book === null)
      const levels = others.flatMap(({ skus }) => skus).filter((sku) => sku.product === product)
      for (const other of levels) {
        const ratio = level / other.level
        expect(Math.max(ratio, 1 / ratio), `${product.key}: ${level} and ${other.level}`).toBeLessThan(FACTOR_MAX)
      }
    }
  })
})

function codeOf(vendor: string, product: string): string {
  return books.find(({ key }) => key === vendor)?.skus.find((sku) => sku.product.key === product)?.ref ?? ''
}

describe('a recipe', () => {
  const lines = [
    { code: 'MO1', quantity: '0.35' },
    { code: 'MT1', quantity: '1.05' },
  ]
  const priceOf = (code: string) => (code === 'MO1' ? 21.3 : 0.7) * PRICE_PARTS

  test('rounds each line half up, and takes percentages of the rounded lines before them', () => {
    // 7.455 and 0.735 round to 7.46 and 0.74; 3 % of 8.20 is 0.246, and 5 % of 8.45 is 0.4225.
    const percentages = [
      { code: '%MA', name: 'Medios auxiliares', rate: 0.03 },
      { code: '%CI', name: 'Costes indirectos', rate: 0.05 },
    ]
    const price = recipePrice({ isWork: true, text: null, lines }, { percentages, priceOf })
    expect(price / PRICE_PARTS).toBe(8.87)
  })

  test('takes a percentage with a mask only of the codes that begin with it, and none in a site mix', () => {
    const percentages = [{ code: 'MO%HM', name: 'Herramienta menor', rate: 0.1 }]
    const work = recipePrice({ isWork: true, text: null, lines }, { percentages, priceOf })
    const mix = recipePrice({ isWork: false, text: null, lines }, { percentages, priceOf })
    expect([work, mix]).toEqual([89_500, 82_000])
  })
})
