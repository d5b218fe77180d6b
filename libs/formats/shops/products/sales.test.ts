import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { readOutcomes } from '@catalog/formats/read.ts'
import { describe, expect, test } from 'vitest'

/** Reads an answer as observed on `day`: cents, or the reason of a parked record. */
async function read(json: unknown, day = '2026-11-20') {
  const defaults = { source: 'Shop', currency: 'EUR', observedAt: day, notAfter: new Date('2028-01-01') }
  const found: (number | string)[] = []
  for await (const { outcomes } of readOutcomes(bytesSource('answer.json', Buffer.from(JSON.stringify(json))), {
    defaults,
  })) {
    for (const { result } of outcomes) found.push('content' in result ? result.content.price.cents : result.reason)
  }
  return found
}

const saw = (more: object) => ({ sku: 'A', name: 'Saw', price: 15, ...more })
const magento = { special_price: 10, special_from_date: '2026-11-01 00:00:00', special_to_date: '2026-11-30 00:00:00' }
const google = { sale_price: 10, sale_price_effective_date: '2026-11-01T00:00+0100/2026-11-30T23:59+0100' }
const woocommerce = {
  sale_price: '10',
  date_on_sale_from: '2026-11-01T00:00:00',
  date_on_sale_to: '2026-11-30T23:59:59',
}

describe('the dates of a sale', () => {
  test.each([
    ['Magento', magento],
    ['Google', google],
    ['WooCommerce', woocommerce],
    ['seconds since 1970', { sale_price: 10, sale_start: 1793491200, sale_end: 1796083199 }],
  ])('given the dates of %s, when a list is read, then the day of the observation decides', async (_what, sale) => {
    expect(await read([saw(sale)], '2026-10-31')).toEqual([1500])
    expect(await read([saw(sale)], '2026-11-01T12:00:00Z')).toEqual([1000])
    expect(await read([saw(sale)], '2026-11-30T12:00:00Z')).toEqual([1000])
    expect(await read([saw(sale)], '2026-12-02')).toEqual([1500])
  })

  test.each([
    ['a blank end', { special_price: 10, special_from_date: '2026-11-01', special_to_date: null }, [1000]],
    ['blank dates', { special_price: 10, special_from_date: '', special_to_date: '' }, [1000]],
    ['no dates', { sale_price: 10 }, [1000]],
    ['dates that nobody can read', { sale_price: 10, sale_price_effective_date: 'Christmas' }, ['BAD_DATE']],
    ['an end before its start', { sale_price: 10, sale_start: '2026-11-02', sale_end: '2026-11-01' }, ['BAD_DATE']],
    [
      'a sale over without a price beside it',
      { price: null, sale_price: 10, sale_end: '2026-01-01', regular_price: null },
      ['NO_PRICE'],
    ],
    ['a sale above the price', { sale_price: 20 }, ['AMBIGUOUS_OFFER']],
    ['a sale of zero', { sale_price: '0.00', sale_end: '2026-12-31' }, [1500]],
  ])('given %s, when a list is read, then the price follows', async (_what, sale, expected) => {
    expect(await read({ hits: [{ ...saw(sale), objectID: '1' }], nbHits: 1 })).toEqual(expected)
  })

  test('given a hit of a search, when its sale is over, then the price is its own', async () => {
    const document = { _id: '1', _source: saw({ ...magento, special_to_date: '2026-11-10' }) }
    expect(await read({ hits: { hits: [document] } })).toEqual([1500])
  })
})

describe('a special price of Magento', () => {
  const rest = (from: string | null, to: string | null, special = '29.000000') => ({
    items: [
      {
        id: 3,
        sku: 'SP',
        name: 'Saw',
        price: 40,
        status: 1,
        type_id: 'simple',
        custom_attributes: [
          { attribute_code: 'special_price', value: special },
          { attribute_code: 'special_from_date', value: from },
          { attribute_code: 'special_to_date', value: to },
        ],
      },
    ],
    search_criteria: {},
  })
  test.each([
    ['it began and has no end', rest('2020-01-01 00:00:00', null), [2900]],
    ['it is in its last day', rest('2020-01-01 00:00:00', '2026-11-20 00:00:00'), [2900]],
    ['it is over', rest('2020-01-01 00:00:00', '2026-11-19 00:00:00'), [4000]],
    ['it is to come', rest('2026-12-01 00:00:00', null), [4000]],
    ['it is above the price', rest(null, null, '45'), [4000]],
    ['nobody can read its dates', rest('soon', null), ['BAD_DATE']],
  ])('given that %s, when REST is read, then its dates decide', async (_what, json, expected) => {
    expect(await read(json, '2026-11-20T12:00:00Z')).toEqual(expected)
  })

  test('given a price before discounts of GraphQL, when it is read, then the special price beside it counts', async () => {
    const price = { regularPrice: { amount: { value: 40, currency: 'EUR' } } }
    const product = { sku: 'SP', name: 'Saw', type_id: 'simple', special_price: 29, special_to_date: null }
    expect(await read({ data: { products: { items: [{ ...product, price }] } } })).toEqual([2900])
    const minimalPrice = { amount: { value: 31, currency: 'EUR' } }
    expect(await read({ data: { products: { items: [{ ...product, price: { ...price, minimalPrice } }] } } })).toEqual([
      3100,
    ])
  })
})

describe('a lower price beside the price', () => {
  test('given the special price of OpenCart, when it is read, then it is the price', async () => {
    const drill = { product_id: '40', name: 'Drill', price: '€120.00', tax: '€100.00', href: 'https://x.example/drill' }
    const products = [
      { ...drill, special: '€99.99' },
      { ...drill, product_id: '41', special: false },
    ]
    expect(await read({ products })).toEqual([9999, 12000])
  })

  test('given a list price and a sale price, when it is read, then the sale is the price', async () => {
    const pair = (sale_price: number | null) => ({ sku: `A${sale_price}`, name: 'Drill', list_price: 120, sale_price })
    expect(await read([pair(99.99), pair(null)])).toEqual([9999, 12000])
  })

  test.each([
    'discountedPrice',
    'discounted_price',
    'discount_price',
    'offer_price',
    'promotional_price',
    'priceAfterDiscount',
    'price_sale',
    'sale',
    'special',
    'reducedPrice',
    'price_now',
    'your_price',
    'precio_oferta',
  ])('given %s, which no platform defines, when it is lower, then the record is parked', async (key) => {
    expect(await read([saw({ [key]: 12.5 })])).toEqual(['AMBIGUOUS_OFFER'])
    expect(await read({ hits: [{ ...saw({ [key]: '12.50' }), objectID: '1' }], nbHits: 1 })).toEqual([
      'AMBIGUOUS_OFFER',
    ])
    expect(await read([saw({ [key]: null }), { ...saw({ [key]: 15 }), sku: 'B' }])).toEqual([1500, 1500])
  })

  test('given a flag, a percentage in the name of no price, or a price for something else, then the price stands', async () => {
    expect(await read([saw({ sale: 1, discount: 10, shipping: { price: 4, sale_price: 3 }, old_price: 18 })])).toEqual([
      1500,
    ])
  })

  test.each([
    [{ price: 12050, price_formatted: '€120.50' }, 'OFFER_CONFLICT'],
    [{ price: 12050, formattedPrice: '120,50 €' }, 'OFFER_CONFLICT'],
    [{ price: 120.5, price_formatted: '€120.50' }, 12050],
    [{ price: 120.4999, price_formatted: '€120.50' }, 1204999],
    [{ price: 1234.5, price_formatted: '1.234,50 €' }, 123450],
    [{ price: 1234, price_formatted: '€1,234' }, 123400],
    [{ price: 120.5, price_formatted: 'from €99' }, 12050],
    [{ price: { value: 12050, formatted: '€120.50' } }, 'OFFER_CONFLICT'],
  ])('given %j, when the text for people says another amount, then the record is parked', async (price, expected) => {
    expect(await read([{ sku: 'A', name: 'Saw', currency: 'EUR', ...price }])).toEqual([expected])
  })
})
