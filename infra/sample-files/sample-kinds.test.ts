import { vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import { kindOf } from '@catalog/core/kinds/kind-of.ts'
import { contradictionBetween } from '@catalog/core/matching/contradictions.ts'
import type { MatchSku } from '@catalog/core/matching/match.ts'
import { sampleContents } from '@catalog/stack/testing/sample.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Product } from './goods.ts'
import { loadSample, sampleTexts } from './sample.ts'

const sample = loadSample(sampleTexts())
const ABOUT_KINDS: ReadonlySet<string> = new Set(['kind', 'grade', 'trade', 'action', 'operator'])

type KeyedSku = MatchSku & Readonly<{ product: Product }>
const skus: KeyedSku[] = []

beforeAll(async () => {
  for (const { vendor, content } of await sampleContents(sample, '2026-11-21')) {
    const product = vendor.skus.findLast(({ ref }) => ref === content.vendor_ref)?.product
    if (product === undefined) continue
    const { name, unit, pack, gtin, lang, category_path: categoryPath } = content
    const texts = { name, unit, pack, gtin, lang, manufacturerRef: content.manufacturer_ref }
    const vendorSkuId = vendorSkuIdOf(content.source.id, content.vendor_ref)
    skus.push({ product, vendorSkuId, sourceId: content.source.id, ...texts, categoryPath })
  }
})

describe.each([
  ['with categories', 0.85, (sku: KeyedSku): KeyedSku => sku],
  ['without categories', 0.56, (sku: KeyedSku): KeyedSku => ({ ...sku, categoryPath: undefined })],
] as const)('kinds of the sample, %s', (title, shareMin, textsOf) => {
  test('are stated for most SKUs, and none is wrong by the keys of the sample', () => {
    const kinds = skus.map((sku) => ({ sku, kind: kindOf(textsOf(sku)).kind }))
    const stated = kinds.filter(({ kind }) => kind !== null)
    // The sample's file of machines holds hired ones.
    const wrong = stated.filter(({ sku, kind }) => (kind === 'hire' ? 'machinery' : kind) !== sku.product.kind)
    process.stdout.write(`${title}: ${stated.length} of ${skus.length} SKUs have a kind, ${wrong.length} a wrong one\n`)
    expect(wrong.map(({ sku, kind }) => `${sku.name} (${sku.unit}): ${kind}`)).toEqual([])
    // Price books have no categories.
    const listed = kinds.filter(({ sku }) => sku.categoryPath !== undefined)
    const known = listed.filter(({ kind }) => kind !== null)
    expect(known.length / listed.length).toBeGreaterThan(shareMin)
  })

  test('keep no two SKUs of one product apart', () => {
    const refused: string[] = []
    let pairs = 0
    for (const same of Map.groupBy(skus.map(textsOf), ({ product }) => product.key).values()) {
      for (const [at, one] of same.entries()) {
        for (const other of same.slice(at + 1)) {
          pairs += 1
          const found = contradictionBetween(one, other)
          if (found && ABOUT_KINDS.has(found.about)) refused.push(`${found.about}: ${one.name} / ${other.name}`)
        }
      }
    }
    process.stdout.write(`${title}: ${refused.length} of ${pairs} pairs of one product are kept apart by their kinds\n`)
    expect(refused).toEqual([])
  })
})
