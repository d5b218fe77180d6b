import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { readOutcomes } from '@catalog/formats/read.ts'
import type { Detected } from '@catalog/formats/read-options.ts'
import { describe, expect, test } from 'vitest'
import type { Defaults, ObservationContent } from './candidate.ts'
import type { Mapping } from './mapping.ts'

/** Exports as shop systems write them: cut to the columns that matter, with the traps of each. */

async function csvOutcomes(text: string, { mapping, ...given }: Partial<Defaults> & { mapping?: Mapping } = {}) {
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
  for await (const batch of readOutcomes(bytesSource('export.csv', Buffer.from(text)), { defaults, mapping })) {
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

test('an export with a price in each of several columns keeps the other texts of a row with each price', async () => {
  const text = [
    'sku,attribute_set_code,product_type,categories,name,Madrid,Lisboa',
    'M1,Default,simple,"Walls/Bricks,Offers",Brick,0.45,0.50',
  ].join('\n')
  const unpivot = { columns: ['Madrid', 'Lisboa'], heading: 'market', value: 'price' }
  const { detected, candidates } = await csvOutcomes(text, { mapping: { unpivot } })
  expect(detected.shop_system).toBe('magento')
  expect(candidates.map(({ name, price, category_path }) => [name, price.cents, category_path])).toEqual([
    ['Brick', 45, ['Walls', 'Bricks']],
    ['Brick', 50, ['Walls', 'Bricks']],
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

test.each([
  ['\t', 'sale_price', 'sale_price_effective_date'],
  [',', 'sale price', 'sale price effective date'],
])('a table of Google Merchant Center gives the sale price while it lasts', async (separator, sale, dates) => {
  const row = (...cells: readonly string[]) => cells.join(separator)
  const text = [
    row('id', 'title', 'description', 'availability', 'condition', 'price', 'link', 'image_link', 'brand', sale, dates),
    ...[
      ['G1', '15.00 EUR', '2026-10-01T00:00+0100/2026-12-31T23:59+0100'],
      ['G2', '15.00 EUR', ''],
      ['G3', '15.00 EUR', '2026-11-02/2026-12-31'],
      ['G4', '0.00 EUR', ''],
      ['G5', '', ''],
      ['G6', '15.00 EUR', 'next week'],
    ].map(([id = '', price = '', during = '']) =>
      row(id, 'Plaster', 'd', 'in stock', 'new', '20.00 EUR', `https://x.example/${id}`, '', 'B', price, during),
    ),
  ].join('\n')
  const { detected, candidates, refusals } = await csvOutcomes(text)
  expect(detected.shop_system).toBe('google')
  expect(candidates.map(({ vendor_ref, price }) => [vendor_ref, price.cents])).toEqual([
    ['G1', 1500],
    ['G2', 1500],
    ['G3', 2000],
    ['G4', 2000],
    ['G5', 2000],
  ])
  expect(refusals).toEqual([
    "BAD_DATE: sale_price_effective_date 'next week': expected two dates of ISO 8601 with a slash between",
  ])
})

test.each([
  [
    'Shopify',
    'Handle,Title,Vendor,Variant SKU,Variant Price,Status\nsaw,Saw,V,S1,5.00,draft\nsaw,,,S2,6.00,\nax,Axe,V,A1,7.00,active',
    2,
    'A1',
  ],
  [
    'WooCommerce',
    'Type,SKU,Name,Published,Regular price,Sale price\nsimple,S1,Saw,-1,5.00,\nsimple,A1,Axe,1,7.00,',
    1,
    'A1',
  ],
  [
    'Magento',
    'sku,attribute_set_code,product_type,name,price,product_online\nS1,Default,simple,Saw,5.00,2\nA1,Default,simple,Axe,7.00,1',
    1,
    'A1',
  ],
  ['PrestaShop', 'Product ID;Name;Reference;Price (tax excl.);Status\n1;Saw;S1;5.00;0\n2;Axe;A1;7.00;1', 1, 'A1'],
])('an export of %s parks what the shop does not sell', async (_system, text, parked, sold) => {
  const { candidates, refusals } = await csvOutcomes(text)
  expect(candidates.map(({ vendor_ref }) => vendor_ref)).toEqual([sold])
  expect(refusals.map((refusal) => refusal.split(':')[0])).toEqual(Array(parked).fill('NOT_A_SALE'))
})

test('a file with other headings is no export', async () => {
  const { detected } = await csvOutcomes('sku,name,price,vendor\nA,Brick,1.50,Acme\n')
  expect(detected.shop_system).toBeNull()
})
