import { openJoinRule } from '@catalog/cli/shared/wire.ts'
import { expect, test } from 'vitest'
import { itemFigures } from './evaluate-items.ts'
import { sampleSkus } from './keyed-offers.ts'
import { nearTwinsOf } from './near-twins.ts'

/** The rule learns nothing from the sample, so its own keys judge whole items. */
const skus = sampleSkus()

test('no item of the sample market mixes two products, and most true pairs of a market stand in one item', () => {
  const { mixed, mixtures, shared, recall, recallInMarket } = itemFigures(skus, openJoinRule())
  process.stdout.write(
    `sample: ${mixed} of ${shared} shared items mix products, recall ${recall} %, in one market ${recallInMarket} %\n`,
  )
  expect(mixtures).toEqual([])
  // The rest are goods that countries use in each other's place, and names without a word in common, which a GTIN alone does not
  // join: decision 0061.
  expect(recall).toBeGreaterThan(40)
  expect(recallInMarket).toBeGreaterThan(98)
}, 120_000)

test('near twins differ from their offer in name, vendor and product', () => {
  const [mason] = skus.filter(({ product }) => product === 'labour-mason')
  const twins = mason === undefined ? [] : nearTwinsOf(mason)
  expect(twins.map(({ difference }) => difference)).toContain('helper')
  for (const twin of skus.slice(0, 200).flatMap(nearTwinsOf)) {
    const original = skus.find(({ vendorSkuId }) => twin.vendorSkuId.startsWith(`${vendorSkuId}~`))
    expect(original?.name).not.toBe(twin.name)
    expect(original?.sourceId).not.toBe(twin.sourceId)
    expect(original?.product).not.toBe(twin.product)
  }
})
