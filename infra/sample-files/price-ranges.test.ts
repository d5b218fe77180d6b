import { readFileSync } from 'node:fs'
import { conversionFactor, soldUnit } from '@catalog/core/units/sold-unit.ts'
import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Key, languageOf, Region } from './goods.ts'
import { PRICE_LEVELS } from './price-levels.ts'
import { loadSample, sampleTexts } from './sample.ts'
import type { SampleSku, SampleVendor } from './vendors.ts'

const Range = z.tuple([z.number().positive(), z.number().positive()]).refine(([low, high]) => low < high)
const RangesFile = z.strictObject({
  source: z.string().min(1),
  ranges: z.array(
    z.strictObject({
      goods: z.array(Key).min(1),
      per: z.string(),
      /** Kilograms of one metre, where a good of so many metres is judged by its weight. */
      mass: z.record(Key, z.number().positive()).optional(),
      of: z.record(Region, Range),
    }),
  ),
})

const { ranges } = RangesFile.parse(load(readFileSync(new URL('./market-ranges.yaml', import.meta.url), 'utf8')))
const sample = loadSample(sampleTexts())
const keys = new Set(sample.products.map(({ key }) => key))

/** The level of a SKU in its vendor's currency for one unit `per`; null where the units do not convert. */
function levelPer({
  vendor,
  sku,
  per,
  mass,
}: {
  vendor: SampleVendor
  sku: SampleSku
  per: string
  mass: number | undefined
}): number | null {
  const sold = soldUnit({ unit: sku.unit, lang: languageOf(vendor.locale), ...(sku.pack && { pack: sku.pack }) })
  const convert = (unit: string) => {
    const factor = conversionFactor(sold, soldUnit({ unit, lang: 'en' }))
    return factor && Number(factor.n) / Number(factor.d)
  }
  const direct = convert(per)
  if (direct !== null) return sku.level * direct
  const perMetre = convert('m')
  const perKg = conversionFactor(soldUnit({ unit: 'kg', lang: 'en' }), soldUnit({ unit: per, lang: 'en' }))
  if (mass === undefined || perMetre === null || perKg === null) return null
  return ((sku.level * perMetre) / mass) * (Number(perKg.n) / Number(perKg.d))
}

describe('the prices of the sample', () => {
  test.each(ranges.map((range) => [`${range.goods.join(', ')} per ${range.per}`, range] as const))(
    'are those of the market: %s',
    (_title, { goods, per, mass, of }) => {
      expect(goods.filter((key) => !keys.has(key))).toEqual([])
      const outside: string[] = []
      const seen = new Set<string>()
      for (const vendor of sample.vendors) {
        const range = of[vendor.region]
        if (range === undefined) continue
        for (const sku of vendor.skus) {
          if (!goods.includes(sku.product.key) || sku.defect === 'unknown_unit') continue
          const level = levelPer({ vendor, sku, per, mass: mass?.[sku.product.key] })
          if (level === null) {
            outside.push(`${vendor.key}: ${sku.name} in ${sku.unit}: does not convert`)
            continue
          }
          seen.add(vendor.region)
          const [low, high] = range
          if (level < low || level > high)
            outside.push(
              `${vendor.region} ${vendor.key}: ${sku.product.key} ${level.toPrecision(4)}, expected ${low} to ${high}`,
            )
        }
      }
      expect(outside).toEqual([])
      expect(seen.size, 'regions where a vendor sells it').toBeGreaterThan(0)
    },
  )

  test('are judged in every market', () => {
    const judged = new Set(
      ranges.flatMap(({ goods, of }) => goods.flatMap((key) => Object.keys(of).map((region) => `${key} ${region}`))),
    )
    const sold = sample.vendors.flatMap(({ region, skus }) => skus.map(({ product }) => ({ product, region })))
    const known = sold.filter(({ product, region }) => judged.has(`${product.key} ${region}`))
    const common = sold.filter(({ product }) => product.isCommon)
    process.stdout.write(`${known.length} of ${sold.length} SKUs have a range of their market, ${ranges.length} rows\n`)
    const regions = Object.keys(PRICE_LEVELS).filter((region) => region !== 'LATAM')
    const missing = regions.filter(
      (region) => !common.some(({ product, region: at }) => at === region && judged.has(`${product.key} ${region}`)),
    )
    expect(missing).toEqual([])
  })
})
