import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { readOutcomes } from '@catalog/formats/read.ts'
import { describe, expect, test } from 'vitest'

/** Reads an answer as observed on 20 November 2026: "REFERENCE PRICE [NAME]", or "REASON REFERENCE". */
async function read(json: unknown) {
  const defaults = { source: 'Shop', currency: 'EUR', observedAt: '2026-11-20', notAfter: new Date('2026-11-21') }
  const found: string[] = []
  for await (const { outcomes } of readOutcomes(bytesSource('answer.json', Buffer.from(JSON.stringify(json))), {
    defaults,
  })) {
    for (const { result } of outcomes) {
      if ('content' in result) {
        const { vendor_ref, name, price } = result.content
        found.push(`${vendor_ref} ${price.cents} [${name}]`)
      } else found.push(`${result.reason} ${result.refused?.vendorRef ?? ''}`.trim())
    }
  }
  return found
}

const paint = { sku: 'P1', name: 'Paint', price: 10, currency: 'EUR', brand: 'Tollens', in_stock: true }
const cans = [
  { sku: 'P1-1', size: '1 l', price: 10 },
  { sku: 'P1-5', size: '5 l', price: 40 },
]

describe('variants with prices of their own', () => {
  test.each([
    ['a hit of Elasticsearch', { hits: { hits: [{ _id: '1', _source: { ...paint, variants: cans } }] } }],
    ['a hit of Algolia', { hits: [{ ...paint, objectID: '1', skus: cans }], nbHits: 1 }],
    ['a list with sale prices', [{ ...paint, sale_price: 9, children: cans }]],
    ['a hit without a price', { hits: [{ objectID: '1', name: 'Paint', variations: cans }], nbHits: 1 }],
  ])('given %s, when it is read, then each is a record and the lowest price is none', async (_what, json) => {
    expect(await read(json)).toEqual(['P1-1 1000 [Paint 1 l]', 'P1-5 4000 [Paint 5 l]'])
  })

  test('given variants without a price or with a name of their own, then each says its own', async () => {
    const variants = [
      { id: 7, name: 'Paint white 1 l', price: 10, final_price: 8 },
      { id: 8, name: 'blue', options: [{ name: 'size', value: '5 l' }] },
    ]
    expect(await read({ hits: [{ ...paint, objectID: '1', variants }] })).toEqual([
      '7 800 [Paint white 1 l]',
      'NO_PRICE 8',
    ])
  })

  test('given variants that no reference tells apart, then the product is parked', async () => {
    const variants = [
      { size: '1 l', price: 10 },
      { size: '5 l', price: 40 },
    ]
    expect(await read({ hits: [{ ...paint, objectID: '1', variants }] })).toEqual(['LOSES_RECORDS P1'])
  })

  test('given variants without prices, then the price of the product stands', async () => {
    const variants = [{ sku: 'P1-1' }, { sku: 'P1-5' }]
    expect(await read({ hits: [{ ...paint, objectID: '1', variants }] })).toEqual(['P1 1000 [Paint]'])
  })

  test('given combinations of Ecwid, then each is a record, and one without a price costs what the product does', async () => {
    const combinations = [
      { id: 21, sku: 'EC2-10', options: [{ name: 'Length', value: '10 m' }], price: 2 },
      { id: 22, sku: 'EC2-50', options: [{ name: 'Length', value: '50 m' }], price: 10 },
      { id: 23, options: [{ name: 'Length', value: '12 m' }] },
    ]
    const rope = { id: 2, sku: 'EC2', name: 'Rope', price: 2, defaultDisplayedPrice: 2, inStock: true, enabled: true }
    const plain = { ...rope, id: 3, sku: 'EC3', combinations: [] }
    expect(await read({ total: 2, items: [{ ...rope, combinations }, plain] })).toEqual([
      'EC2-10 200 [Rope 10 m]',
      'EC2-50 1000 [Rope 50 m]',
      '23 200 [Rope 12 m]',
      'EC3 200 [Rope]',
    ])
    const options = [{ name: 'Length', choices: [{ text: '12 m', priceModifier: 8 }] }]
    expect(await read({ total: 1, items: [{ ...rope, options, combinations: combinations.slice(2) }] })).toEqual([
      'NO_PRICE 23',
    ])
  })

  test('given combinations in a list of no known shape, then the product is parked', async () => {
    const combinations = [
      { sku: 'A', price: 2 },
      { sku: 'B', price: 10 },
    ]
    expect(await read([{ sku: 'R', name: 'Rope', price: 2, combinations }])).toEqual(['LOSES_RECORDS'])
  })
})
