import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { readOutcomes } from '@catalog/formats/read.ts'
import type { ReadOptions } from '@catalog/formats/read-options.ts'
import { expect, test } from 'vitest'

const defaults = { source: 'Shop', currency: 'EUR', observedAt: '2026-11-20', notAfter: new Date('2026-11-21') }

async function read(json: unknown, options: Partial<ReadOptions> = {}) {
  const text = typeof json === 'string' ? json : JSON.stringify(json)
  const found: { ref: string; price?: number; name?: string; reason?: string }[] = []
  let system: string | null = null
  for await (const { outcomes, detected } of readOutcomes(bytesSource('answer.json', Buffer.from(text)), {
    defaults,
    ...options,
  })) {
    system = detected.shop_system
    for (const { result } of outcomes) {
      if ('content' in result) {
        const { vendor_ref, name, price } = result.content
        found.push({ ref: vendor_ref, name, price: price.cents })
      } else found.push({ ref: result.refused?.vendorRef ?? '', reason: result.reason })
    }
  }
  return { found, system }
}

const variant = (id: number, sku: string, price: string, title = `V${id}`) => ({
  id,
  sku,
  price,
  title,
  available: true,
})
const shopifyProduct = (variants: object[], more: object = {}) => ({
  id: 1,
  title: 'Saw',
  handle: 'saw',
  vendor: 'V',
  variants,
  ...more,
})

test('given a list of products, when it is read, then every variant is a record, also without a mapping', async () => {
  const products = [shopifyProduct([variant(1, 'A', '1.50'), variant(2, 'B', '2.50')])]
  expect(await read({ products })).toEqual({
    found: [
      { ref: 'A', name: 'Saw V1', price: 150 },
      { ref: 'B', name: 'Saw V2', price: 250 },
    ],
    system: 'shopify',
  })
})

test('given a mapping with columns, when the answer of a shop is read, then the mapping decides', async () => {
  const products = [shopifyProduct([variant(1, 'A', '1.50')])]
  const mapping = { columns: { vendor_ref: 'handle', name: 'title', price: 'variants.0.price' } }
  const { found, system } = await read({ products }, { mapping })
  expect(found).toEqual([{ ref: 'saw', name: 'Saw', price: 150 }])
  expect(system).toBeNull()
})

test('given a path of records, when another list has a known shape, then only the path is read', async () => {
  const products = [shopifyProduct([variant(1, 'A', '1.50')])]
  const list = [{ sku: 'X', name: 'Own', price: '3.00' }]
  expect(await read({ products, list }, { mapping: { records: 'list' } })).toEqual({
    found: [{ ref: 'X', name: 'Own', price: 300 }],
    system: null,
  })
})

test('given an object among products that is none, when it is read, then it is parked and the others are read', async () => {
  const products = [shopifyProduct([variant(1, 'A', '1.50')]), 7]
  expect((await read({ products })).found).toEqual([
    { ref: 'A', name: 'Saw V1', price: 150 },
    { ref: '', reason: 'BAD_JSON' },
  ])
})

test.each([
  ['a reference that is an e-mail address', variant(1, 'a@b.example', '1.00'), 'PERSONAL_DATA'],
  ['a price of zero', variant(1, 'A', '0.00'), 'BAD_PRICE'],
  ['no price', variant(1, 'A', ''), 'NO_PRICE'],
])('given a variant with %s, when it is read, then it is parked with its reason', async (_what, one, reason) => {
  const { found } = await read({ products: [shopifyProduct([one])] })
  expect(found).toMatchObject([{ reason }])
})

test('given numbers with many digits, when they are read, then no digit passes through a float', async () => {
  const text = `{"hits":[{"objectID":"1","sku":"H","name":"Hit","price":1234567890123.45,"url":"x"}],"nbHits":1}`
  expect((await read(text)).found).toEqual([{ ref: 'H', name: 'Hit', price: 123_456_789_012_345 }])
})

test('given prices of the Store API in a currency with three decimals, when they are read, then they are thousandths', async () => {
  const prices = { price: '1250', currency_code: 'KWD', currency_minor_unit: 3, price_range: null }
  const { found } = await read([{ id: 1, name: 'Saw', sku: 'W', type: 'simple', permalink: 'x', prices }])
  expect(found).toEqual([{ ref: 'W', name: 'Saw', price: 1250 }])
})

test('given a document that is no answer of a shop, when it is read, then it is read by its headings', async () => {
  expect(await read([{ sku: 'T', name: 'Table', price: '3.00' }])).toEqual({
    found: [{ ref: 'T', name: 'Table', price: 300 }],
    system: null,
  })
})

test.each([
  ['a draft of Shopify', { products: [shopifyProduct([variant(1, 'A', '1.50')], { status: 'draft' })] }],
  [
    'a disabled product of Magento',
    { items: [{ sku: 'A', name: 'Saw', price: 77, status: 2, type_id: 'simple', custom_attributes: [] }] },
  ],
  [
    'an inactive product of PrestaShop',
    { products: [{ id_product: 1, reference: 'A', name: 'Saw', price_amount: 3, active: '0' }] },
  ],
  [
    'a disabled product of Ecwid',
    { items: [{ sku: 'A', name: 'Saw', price: 2, defaultDisplayedPrice: 2, enabled: false }] },
  ],
  [
    'a document that is not published',
    { hits: { hits: [{ _id: '1', _source: { sku: 'A', name: 'Saw', price: 2, published: false } }] } },
  ],
])('given %s, when it is read, then it is parked as not sold', async (_what, json) => {
  expect((await read(json)).found).toEqual([{ ref: 'A', reason: 'NOT_A_SALE' }])
})

test('given products of the web service of PrestaShop in several languages, when they are read, then the first names them', async () => {
  const name = [
    { id: '1', value: 'Placa yeso 13 mm' },
    { id: '2', value: 'Plasterboard 13 mm' },
  ]
  const product = {
    id: 1,
    id_manufacturer: '1',
    reference: 'PLA-13',
    price: '5.870000',
    wholesale_price: '3.1',
    active: '1',
    name,
  }
  expect(await read({ products: [product] })).toEqual({
    found: [{ ref: 'PLA-13', name: 'Placa yeso 13 mm', price: 587 }],
    system: 'prestashop',
  })
})

test('given a list of Shopify without vendors, when it is read, then every variant is a record', async () => {
  const product = {
    title: 'Saw',
    handle: 'saw',
    variants: [{ ...variant(1, 'A', '1.50'), option1: 'V1' }, variant(2, 'B', '2.50')],
  }
  expect((await read({ products: [product] })).found).toMatchObject([
    { ref: 'A', price: 150 },
    { ref: 'B', price: 250 },
  ])
})

test('given a product for scripts without its vendor, when it is read, then its hundredths are no price', async () => {
  const product = { title: 'Saw', handle: 'saw', variants: [{ id: 1, sku: 'A', price: 1490 }] }
  expect((await read({ products: [product] })).found).toEqual([{ ref: '', reason: 'NO_COLUMN' }])
})

test('given a product of BigCommerce without options, when it is read, then it has the UPC of the product, also as a number', async () => {
  const product = (more: object) => ({
    id: 1,
    sku: 'A',
    name: 'Saw',
    calculated_price: 2,
    variants: [{ id: 1, sku: 'A', price: 2 }],
    ...more,
  })
  const gtins = async (json: unknown) => {
    const found: (string | undefined)[] = []
    for await (const { outcomes } of readOutcomes(bytesSource('a.json', Buffer.from(JSON.stringify(json))), {
      defaults,
    })) {
      for (const { result } of outcomes) found.push('content' in result ? result.content.gtin : result.reason)
    }
    return found
  }
  expect(await gtins({ data: [product({ upc: 12345678905 }), product({ sku: 'B', gtin: '4006381333931' })] })).toEqual([
    '012345678905',
    '4006381333931',
  ])
  expect(await gtins({ data: [product({ upc: 12345678904 })] })).toEqual([undefined])
})

test('given a list whose prices stand in lists inside it, when a column is missing, then the message names the column to map', async () => {
  const json = [{ code: 'A', title: 'Saw', variants: [{ price: '1.50' }] }]
  for await (const { outcomes } of readOutcomes(bytesSource('a.json', Buffer.from(JSON.stringify(json))), {
    defaults,
  })) {
    expect(outcomes.map(({ result }) => ('detail' in result ? result.detail : ''))).toEqual([
      expect.stringContaining('a mapping may name price: variants[*].price. The file has:'),
    ])
    break
  }
})
