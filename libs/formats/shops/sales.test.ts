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
