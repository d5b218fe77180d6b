import { kindOf } from '@catalog/core/kinds/kind-of.ts'
import { nameLanguage } from '@catalog/core/names/name-language.ts'
import { type CategorisedSku, categoryOf } from '@catalog/embed/categories/category-of.ts'
import { loadSample, sampleTexts } from '@catalog/sample-files/sample.ts'
import { sampleContents } from '@catalog/stack/testing/sample.ts'
import { beforeAll, describe, expect, test } from 'vitest'

/** The categories of the goods of each trade of the sample; a category stands for those below it. */
const CATEGORIES_OF_TRADES: Readonly<Record<string, readonly string[]>> = {
  aggregates: ['aggregates'],
  cement: ['binders'],
  concrete: ['concrete'],
  'doors-windows': ['doors-windows'],
  drainage: ['drainage', 'pipes', 'fittings'],
  'electrical-conduit': ['conduits'],
  'electrical-devices': ['devices', 'electrical', 'lighting'],
  electrical: ['cables'],
  flooring: ['flooring'],
  formwork: ['formwork'],
  gypsum: ['drywall'],
  hardware: ['fixings'],
  hvac: ['hvac', 'plumbing'],
  insulation: ['insulation'],
  labour: ['labour'],
  landscaping: ['landscaping', 'roads', 'tiles'],
  machinery: ['machinery'],
  masonry: ['masonry', 'precast'],
  mortar: ['mortars', 'binders'],
  paint: ['paint'],
  'plumbing-fittings': ['fittings', 'plumbing'],
  plumbing: ['pipes', 'plumbing'],
  plywood: ['boards'],
  rebar: ['reinforcement'],
  roads: ['roads', 'landscaping'],
  roofing: ['roofing', 'waterproofing'],
  sanitary: ['bathroom'],
  scaffolding: ['formwork'],
  sealants: ['sealants'],
  steel: ['sections', 'steel'],
  tiles: ['tiles'],
  timber: ['timber', 'landscaping'],
  waterproofing: ['waterproofing', 'roofing'],
  work: ['works'],
}

type TradedSku = CategorisedSku & Readonly<{ trade: string; kind: ReturnType<typeof kindOf>['kind'] }>
const skus: TradedSku[] = []

beforeAll(async () => {
  for (const { vendor, content } of await sampleContents(loadSample(sampleTexts()), '2026-11-21')) {
    const { vendor_ref, name, unit, pack, lang, category_path, source } = content
    const trade = vendor.skus.findLast(({ ref }) => ref === vendor_ref)?.product.trade
    if (trade === undefined || !(trade in CATEGORIES_OF_TRADES)) continue
    const { kind } = kindOf({ name, unit, pack, lang, categoryPath: category_path })
    const language = nameLanguage({ name, lang, region: source.region }).lang
    skus.push({ name, lang: language, path: category_path ?? null, trust: 50, trade, kind })
  }
})

describe.each([
  ['by paths and names', 0.96, 0.97, (sku: TradedSku): TradedSku => sku],
  ['by names alone', 0.92, 0.95, (sku: TradedSku): TradedSku => ({ ...sku, path: null })],
] as const)('categories of the sample, %s', (title, rightMin, placedMin, textsOf) => {
  test('are mostly those of the trades', () => {
    const assigned = skus.map((sku) => ({ sku, found: categoryOf([textsOf(sku)], sku.kind) }))
    const placed = assigned.filter(({ found }) => found !== null && found.by !== 'kind')
    const wrong = placed.filter(({ sku, found }) => {
      const path = found?.category.path.map(({ id }) => id) ?? []
      return !CATEGORIES_OF_TRADES[sku.trade]?.some((id) => path.includes(id))
    })
    const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`
    process.stdout.write(
      `${title}: ${share(placed.length, skus.length)} of ${skus.length} SKUs placed, ${share(placed.length - wrong.length, placed.length)} of them right\n`,
    )
    expect(placed.length / skus.length).toBeGreaterThan(placedMin)
    expect(1 - wrong.length / placed.length).toBeGreaterThan(rightMin)
  })
})
