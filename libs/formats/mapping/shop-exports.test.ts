import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { readOutcomes } from '@catalog/formats/read.ts'
import type { Detected } from '@catalog/formats/read-options.ts'
import { describe, expect, test } from 'vitest'
import type { Defaults, ObservationContent } from './candidate.ts'

/** Exports as shop systems write them: cut to the columns that matter, with the traps of each. */

async function csvOutcomes(text: string, given: Partial<Defaults> = {}) {
  const defaults = {
    source: 'Ours',
    currency: 'EUR',
    observedAt: '2026-11-01',
    notAfter: new Date('2026-11-21'),
    ...given,
  }
  const candidates: ObservationContent[] = []
  const refusals: string[] = []
  let detected: Detected | null = null
  for await (const batch of readOutcomes(bytesSource('export.csv', Buffer.from(text)), { defaults })) {
    detected = batch.detected
    for (const { result } of batch.outcomes) {
      if ('content' in result) candidates.push(result.content)
      else refusals.push(`${result.reason}: ${result.detail}`)
    }
  }
  return { detected: detected as unknown as Detected, candidates, refusals }
}

describe('an export of Shopify', () => {
  const text = [
    'Handle,Title,Body (HTML),Vendor,Product Category,Type,Tags,Published,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Barcode,Image Src',
    "cement-25,Cement 25 kg,,Cemex,Building > Cement,Cement,,true,Title,Default Title,CEM25,4.85,'4006381333931,https://cdn.example/1.jpg",
    'cement-25,,,,,,,,,,,,,https://cdn.example/2.jpg',
    'tile,Wall tile,,Porcelanosa,Building > Tiles,Tile,,true,Colour,White,TILE-W,18.90,,',
    'tile,,,,,,,,,Grey,TILE-G,19.90,,',
    'grout,Grout,,Sika,Building,,,true,Weight,5 kg,,7.90,,',
  ].join('\n')

  test('gives every variant under the title of its product, with the brand as no source', async () => {
    const { detected, candidates, refusals } = await csvOutcomes(text)
    expect([detected.shop_system, refusals]).toEqual(['shopify', []])
    expect(candidates.map(({ vendor_ref, name, price }) => [vendor_ref, name, price.cents])).toEqual([
      ['CEM25', 'Cement 25 kg', 485],
      ['TILE-W', 'Wall tile White', 1890],
      ['TILE-G', 'Wall tile Grey', 1990],
      ['grout|5 kg', 'Grout 5 kg', 790],
    ])
    expect(candidates[0]).toMatchObject({ gtin: '4006381333931', category_path: ['Building', 'Cement'] })
    expect(new Set(candidates.map(({ source }) => source.name))).toEqual(new Set(['Ours']))
  })
})

test('an export of WooCommerce gives the regular prices of products and variations', async () => {
  const text = [
    'ID,Type,SKU,Name,Published,Short description,Tax status,Sale price,Regular price,Categories,Parent',
    '1,simple,W1,Brick,1,Red,taxable,,0.45,"Walls > Bricks, Offers",',
    '2,variable,W2,Paint,1,,taxable,,,Paints,',
    '3,variation,W2-5,Paint - 5 l,1,,taxable,19.00,24.90,,W2',
  ].join('\n')
  const { detected, candidates, refusals } = await csvOutcomes(text)
  expect([detected.shop_system, refusals]).toEqual(['woocommerce', []])
  expect(candidates.map(({ vendor_ref, price, category_path }) => [vendor_ref, price.cents, category_path])).toEqual([
    ['W1', 45, ['Walls', 'Bricks']],
    ['W2-5', 2490, undefined],
  ])
})

test('an export of Magento takes no date of a row for the date of its price', async () => {
  const text = [
    'sku,store_view_code,attribute_set_code,product_type,categories,name,short_description,price,special_price,created_at,updated_at',
    'M1,,Default,simple,"Default Category/Walls/Bricks,Default Category/Offers",Brick,Red,0.45,,2019-01-01,2020-01-01',
  ].join('\n')
  const { detected, candidates } = await csvOutcomes(text)
  expect(detected.shop_system).toBe('magento')
  expect(candidates).toMatchObject([
    { vendor_ref: 'M1', category_path: ['Default Category', 'Walls', 'Bricks'], observed_at: '2026-11-01T00:00:00Z' },
  ])
})

test('an export of PrestaShop gives prices without tax', async () => {
  const text =
    'Product ID;Image;Name;Reference;Category;Price (tax excl.);Price (tax incl.);Quantity;Status\n7;;Brick;P7;Bricks;0.45;0.54;100;1\n'
  const { detected, candidates } = await csvOutcomes(text)
  expect(detected.shop_system).toBe('prestashop')
  expect(candidates).toMatchObject([{ vendor_ref: 'P7', price: { cents: 45, tax: { included: false } } }])
})

test('a table of Google Merchant Center gives the currency with the price', async () => {
  const text =
    'id\ttitle\tdescription\tlink\tprice\tavailability\tbrand\tgtin\tmpn\tproduct_type\nG1\tBrick\tRed\thttps://shop.example/g1\t0.45 GBP\tin stock\tIbstock\t4006381333931\tIB-1\tWalls > Bricks\n'
  const { detected, candidates } = await csvOutcomes(text, { currency: undefined })
  expect(detected.shop_system).toBe('google')
  expect(candidates).toMatchObject([
    {
      vendor_ref: 'G1',
      price: { cents: 45, currency: 'GBP' },
      manufacturer_ref: 'IB-1',
      url: 'https://shop.example/g1',
    },
  ])
})

test('a file with other headings is no export', async () => {
  const { detected } = await csvOutcomes('sku,name,price,vendor\nA,Brick,1.50,Acme\n')
  expect(detected.shop_system).toBeNull()
})
