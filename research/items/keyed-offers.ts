import type { MatchSku } from '@catalog/core/matching/match.ts'
import { languageOf } from '@catalog/sample-files/goods.ts'
import { loadSample, sampleTexts } from '@catalog/sample-files/sample.ts'

/** A SKU with the key of the product that it is. */
export type KeyedSku = MatchSku & Readonly<{ product: string; market?: string }>

/** The SKUs of the sample market as a crawl reads them, without those whose planted defect hides their product. */
export function sampleSkus(): KeyedSku[] {
  const sample = loadSample(sampleTexts())
  const apartByPrice = new Set(sample.nearTwins.flatMap(({ about, product }) => (about === 'price' ? [product] : [])))
  const otherKeys = new Map(sample.nearTwins.map(({ product, is }) => [product, is]))
  return sample.vendors.flatMap((vendor) =>
    vendor.skus
      .filter(({ defect }) => defect !== 'two_goods_one_code' && defect !== 'unknown_unit')
      // A price book prices the contents of a container, and no key says whether that is the same trade item.
      .filter(({ product }) => vendor.book === null || product.pack === undefined)
      // Only their prices keep these apart, and the figures are without prices.
      .filter(({ product }) => !apartByPrice.has(product))
      .map((sku) => ({
        vendorSkuId: `${vendor.key}/${sku.product.key}`,
        sourceId: vendor.key,
        name: sku.name,
        lang: languageOf(vendor.locale),
        unit: sku.unit,
        ...(sku.pack && { pack: sku.pack }),
        ...(sku.gtin && { gtin: sku.gtin }),
        ...(sku.manufacturerRef && { manufacturerRef: sku.manufacturerRef }),
        categoryPath: sku.product.category[languageOf(vendor.locale)] ?? sku.product.category.en,
        product: otherKeys.get(sku.product) ?? sku.product.key,
        market: vendor.region,
      })),
  )
}
