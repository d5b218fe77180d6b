import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { SAMPLE_BYTES } from '@catalog/formats/bytes/encoding.ts'
import type { BrokenRecord, ByteSource, RawRecord, ReadRecord } from '@catalog/formats/bytes/record.ts'
import { RECORD_KEYS } from '@catalog/formats/mapping/mapping-keys.ts'
import { all, inPieces } from '@catalog/stack/testing/archives.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type MerchantOptions, readMerchant } from './merchant.ts'

const OBSERVED_AT = '2026-06-15T12:00:00.000Z'

function read(feed: string, options: Partial<MerchantOptions> = {}, length = 1 << 20): Promise<ReadRecord[]> {
  const source = inPieces('feed.xml', Buffer.from(feed), length)
  return all(readMerchant(source, { name: 'feed.xml', observedAt: OBSERVED_AT, ...options }))
}

/** The same after a long comment: the decoder holds everything until the encoding is settled. */
function inTextPieces(feed: string, length: number): ByteSource {
  const source = inPieces('feed.xml', Buffer.from(feed), length)
  return {
    ...source,
    async *open() {
      yield Buffer.from(`<!--ñ${'x'.repeat(SAMPLE_BYTES)}-->`)
      yield* source.open()
    },
  }
}

const rss = (items: string, head = '') =>
  `<?xml version="1.0"?><rss xmlns:g="http://base.google.com/ns/1.0" version="2.0"><channel><title>Shop</title>${head}${items}</channel></rss>`

/** The record of a feed with one item: these fields, a reference, a title and a price. */
async function readItem(fields: string, options: Partial<MerchantOptions> = {}): Promise<RawRecord & BrokenRecord> {
  const item = `<item>${fields}<g:id>A1</g:id><g:title>Cemento</g:title><g:price>10.00 EUR</g:price></item>`
  const [record, ...others] = await read(rss(item), options)
  expect(others).toEqual([])
  return record as RawRecord & BrokenRecord
}

const FIELDS = `<g:id>A1</g:id><g:title>Cemento gris</g:title><g:description>Saco</g:description>
  <g:link>https://shop.example/a1</g:link><g:image_link>https://shop.example/a1.png</g:image_link>
  <g:price>12.34 EUR</g:price><g:availability>out of stock</g:availability><g:condition>new</g:condition>
  <g:gtin>4006381333931</g:gtin><g:brand>Acme</g:brand><g:mpn>C-100</g:mpn>
  <g:product_type>Obra &gt; Cementos</g:product_type><g:product_type>Ofertas</g:product_type>
  <g:google_product_category>505300</g:google_product_category><g:unit_pricing_measure>25kg</g:unit_pricing_measure>
  <g:unit_pricing_base_measure>1kg</g:unit_pricing_base_measure>
  <g:shipping><g:country>ES</g:country><g:price>4.95 EUR</g:price></g:shipping>`

describe('an item of RSS', () => {
  test('is one record with all of its fields', async () => {
    const item = `<item>${FIELDS}</item>`
    const head = '<language>es-ES</language><pubDate>Mon, 01 Jun 2026 10:00:00 +0200</pubDate>'
    const [record] = (await read(rss(item, head))) as RawRecord[]
    expect({ ...record, fields: { ...record?.fields } }).toEqual({
      position: 'feed.xml item 1',
      raw: item,
      numbers: new Set(['price']),
      fields: {
        vendor_ref: 'A1',
        name: 'Cemento gris',
        description: 'Saco',
        price: '12.34',
        currency: 'EUR',
        pack_quantity: '25',
        pack_unit: 'kg',
        tax_included: 'true',
        observed_at: OBSERVED_AT,
        category_path: 'Obra > Cementos',
        gtin: '4006381333931',
        manufacturer_ref: 'Acme C-100',
        availability: 'out of stock',
        url: 'https://shop.example/a1',
        lang: 'es-ES',
      },
    })
    expect(RECORD_KEYS).toEqual(expect.arrayContaining(Object.keys(record?.fields ?? {})))
  })

  test.each([
    ['another prefix', (fields: string) => fields.replaceAll('g:', 'google:')],
    ['no prefix', (fields: string) => fields.replaceAll('g:', '')],
  ])('is read with %s', async (_of, written) => {
    const [expected] = (await read(rss(`<item>${FIELDS}</item>`))) as RawRecord[]
    const [record] = (await read(rss(`<item>${written(FIELDS)}</item>`))) as RawRecord[]
    expect(record?.fields).toEqual(expected?.fields)
  })

  test('takes title and link from RSS when Google’s are missing, and nothing from other vocabularies', async () => {
    const item =
      '<item><media:title>No</media:title><c:id>No</c:id><title>Yes</title><link>https://a.example/</link><g:price>1 EUR</g:price></item>'
    const [record] = (await read(rss(item))) as RawRecord[]
    expect(record?.fields).toMatchObject({ name: 'Yes', url: 'https://a.example/', vendor_ref: '' })
  })
})

test('reads an Atom entry, and prefers Google’s fields to its own', async () => {
  const entry = `<entry><id>tag:shop.example,2026:1</id><title>Own</title><updated>2020-01-01T00:00:00Z</updated>
    <link rel="edit" href="https://shop.example/edit"/><link href="https://shop.example/a1"/><summary>Text</summary>
    <g:id>A1</g:id><g:price>5.00 EUR</g:price></entry>`
  const feed = `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:g="http://base.google.com/ns/1.0"><updated>2026-06-02T00:00:00Z</updated>${entry}</feed>`
  const expected = { vendor_ref: 'A1', name: 'Own', description: 'Text', url: 'https://shop.example/a1' }
  for (const written of [feed, feed.replaceAll(/<(\/?)(?=feed|entry|updated|id|title|link|summary)/g, '<$1a:')]) {
    const [record] = (await read(written, { observedAt: undefined })) as RawRecord[]
    expect(record?.fields).toMatchObject({ price: '5.00', observed_at: '2026-06-02T00:00:00.000Z' })
    if (written === feed) expect(record?.fields).toMatchObject(expected)
  }
})

test('variants of one group are SKUs of their own, and their names add what the title omits', async () => {
  const variant = (id: string, size: string) =>
    `<item><g:id>${id}</g:id><g:item_group_id>P</g:item_group_id><g:title>Pintura mate blanca</g:title><g:color>Blanca</g:color><g:size>${size}</g:size><g:price>9 EUR</g:price></item>`
  const records = (await read(rss(variant('P-4', '4 l') + variant('P-M', 'M')))) as RawRecord[]
  expect(records.map(({ fields }) => [fields.vendor_ref, fields.name])).toEqual([
    ['P-4', 'Pintura mate blanca, 4 l'],
    ['P-M', 'Pintura mate blanca, M'],
  ])
})

describe('a price', () => {
  const priceOf = async (price: string, options: Partial<MerchantOptions> = {}) => {
    const item = `<item><g:id>A1</g:id><g:title>T</g:title><g:price>${price}</g:price></item>`
    const [record] = (await read(rss(item), options)) as (RawRecord & BrokenRecord)[]
    return record?.reason ?? `${record?.fields.price} ${record?.fields.currency}`
  }

  test.each([
    ['12.34 EUR', '12.34 EUR'],
    ['EUR 12.34', '12.34 EUR'],
    ['12,34 EUR', '12.34 EUR'],
    ['1,234.50 USD', '1234.50 USD'],
    ['15000 JPY', '15000 JPY'],
    ['1.234 KWD', '1.234 KWD'],
    ['12.990 CLP', '12990 CLP'],
    ['12,995 CLP', '12995 CLP'],
    ['12990.00 CLP', '12990.00 CLP'],
    ['12.99 CLP', 'BAD_PRICE'],
    ['25', '25 '],
    ['1.234 EUR', 'BAD_PRICE'],
    ['1,234 EUR', 'BAD_PRICE'],
    ['from 5 EUR', 'BAD_PRICE'],
    ['', 'NO_PRICE'],
  ])('%j is %s', async (written, read) => {
    expect(await priceOf(written)).toBe(read)
  })

  test('without a currency takes the one of the options, and the operator’s decimal mark resolves ambiguity', async () => {
    expect(await priceOf('25', { currency: 'EUR' })).toBe('25 EUR')
    expect(await priceOf('$12.990', { currency: 'CLP' })).toBe('12990 CLP')
    expect(await priceOf('12.99 CLP', { decimal: '.' })).toBe('12.99 CLP')
    expect(await priceOf('1.234 EUR', { decimal: ',' })).toBe('1234 EUR')
    expect(await priceOf('1.234 EUR', { decimal: '.' })).toBe('1.234 EUR')
  })
})

test('a price in the specified form equals any other spelling of it', async () => {
  const spelled = async (price: string, options: Partial<MerchantOptions>) => {
    const item = `<item><g:id>A1</g:id><g:title>T</g:title><g:price>${price}</g:price></item>`
    const [record] = (await read(rss(item), options)) as (RawRecord & BrokenRecord)[]
    return record?.reason ?? `${record?.fields.price} ${record?.fields.currency}`
  }
  const whole = fc.constantFrom('0', '7', '012', '1234', '123456789012', '1234567890123')
  const fraction = fc.constantFrom('00', '05', '50', '5', '500')
  const currency = fc.constantFrom('EUR', 'JPY', 'KWD', 'XYZ')
  const decimal = fc.constantFrom('.' as const, ',' as const, undefined)
  await fc.assert(
    fc.asyncProperty(whole, fraction, currency, decimal, async (before, after, code, decimal) => {
      const price = `${before}.${after}`
      expect(await spelled(`${price} ${code}`, { decimal })).toBe(await spelled(`${price}  ${code}`, { decimal }))
    }),
  )
})

describe('a sale price', () => {
  const priceOf = async (sale: string, period: string | null) => {
    const fields = `<g:sale_price>${sale}</g:sale_price>${period === null ? '' : `<g:sale_price_effective_date>${period}</g:sale_price_effective_date>`}`
    const record = await readItem(fields)
    return record.reason ?? record.fields.price
  }

  // Observed at noon UTC on 15 June.
  test.each([
    ['always without dates', null, '8.00'],
    ['always with blank dates', ' / ', '8.00'],
    ['inside them', '2026-06-01T00:00Z/2026-06-30T23:59Z', '8.00'],
    ['inside them with blanks', '2026-06-01T00:00+0200 / 2026-06-30T23:59+0200', '8.00'],
    ['from the very start', '2026-06-15T13:00+0100/2026-06-30T00:00Z', '8.00'],
    ['on the last day', '2026-06-01/2026-06-15', '8.00'],
    ['not before', '2026-06-15T13:00-0100/2026-06-30T00:00Z', '10.00'],
    ['not after', '2026-06-01T00:00Z/2026-06-15T11:59Z', '10.00'],
    ['not after the last day', '2026-06-01/2026-06-14', '10.00'],
  ])('counts %s', async (_when, period, price) => {
    expect(await priceOf('8.00 EUR', period)).toBe(price)
  })

  test.each(['soon', '2026-06-01', '2026-06-30/2026-06-01', '2026-06-01/2026-06-02/2026-06-03', '2026-06-01/'])(
    'with the dates %s leaves the price open',
    async (period) => {
      expect(await priceOf('8.00 EUR', period)).toBe('BAD_DATE')
    },
  )

  test('of 0 is none, and an unreadable one refuses the item while it lasts', async () => {
    expect(await priceOf('0.00 EUR', null)).toBe('10.00')
    expect(await priceOf('cheap', null)).toBe('BAD_PRICE')
    expect(await priceOf('cheap', '2026-01-01/2026-01-02')).toBe('10.00')
  })
})

test.each([
  ['<g:condition>used</g:condition>', 'NOT_NEW'],
  ['<g:condition>Refurbished</g:condition>', 'NOT_NEW'],
  ['<g:subscription_cost><g:period>month</g:period></g:subscription_cost>', 'NOT_A_PRICE'],
  ['<g:installment><g:months>12</g:months><g:amount>1 EUR</g:amount></g:installment>', 'NOT_A_PRICE'],
])('an item with %s is broken as %s', async (field, reason) => {
  const broken = await readItem(field)
  expect(broken).toMatchObject({ position: 'feed.xml item 1', reason })
  expect(broken.raw).toContain(field)
})

test.each([
  '<g:condition>New</g:condition>',
  '<g:availability>out_of_stock</g:availability>',
  '<g:availability>preorder</g:availability>',
  '<g:sale_price>90 BRL</g:sale_price><g:installment><g:months>12</g:months></g:installment>',
])('an item with %s is a price', async (field) => {
  expect((await readItem(field)).fields.vendor_ref).toBe('A1')
})

test.each([
  ['<g:unit_pricing_measure>750ml</g:unit_pricing_measure>', '750 ml'],
  ['<g:unit_pricing_measure>2.88 sqm</g:unit_pricing_measure><g:multipack>4</g:multipack>', '2.88 sqm'],
  ['<g:unit_pricing_measure>2,5 kg</g:unit_pricing_measure>', '2.5 kg'],
  ['<g:unit_pricing_measure>100 ct</g:unit_pricing_measure>', '100 u'],
  ['<g:unit_pricing_measure>1,000 ml</g:unit_pricing_measure>', ' '],
  ['<g:unit_pricing_base_measure>1 sqm</g:unit_pricing_base_measure>', ' '],
  ['<g:multipack>6</g:multipack>', '6 u'],
  ['<g:multipack>1</g:multipack>', ' '],
])('an item with %s holds %j', async (field, pack) => {
  const { fields } = await readItem(field)
  expect(`${fields.pack_quantity} ${fields.pack_unit}`).toBe(pack)
})

describe('tax', () => {
  const shipping = (country: string) => `<g:shipping><g:country>${country}</g:country></g:shipping>`
  test.each([
    ['', 'US', 'false'],
    ['', 'ca', 'false'],
    ['', 'ES', 'true'],
    [shipping('ES'), 'US', 'false'],
    [shipping('US'), undefined, 'false'],
    [shipping('US') + shipping('US'), undefined, 'false'],
    [shipping('MX'), undefined, 'true'],
    [shipping('MX') + shipping('US'), undefined, ''],
    ['', undefined, ''],
  ])('of %j in the region %s is included: %j', async (fields, region, included) => {
    expect((await readItem(fields, { region })).fields.tax_included).toBe(included)
  })
})

test.each([
  ['<lastBuildDate>Mon, 01 Jun 2026 10:00:00 GMT</lastBuildDate>', '2026-06-01T10:00:00.000Z'],
  ['<pubDate>1 Jun 2026 10:00</pubDate>', '2026-06-01T10:00:00.000Z'],
  ['<pubDate>2026-05-01</pubDate><atom:updated>2026-06-01T10:00:00+01:00</atom:updated>', '2026-06-01T09:00:00.000Z'],
  ['<lastBuildDate>yesterday</lastBuildDate>', ''],
  ['', ''],
])('a feed with %s is dated %s when no date of observation is given', async (head, made) => {
  const item = '<item><g:id>A1</g:id><pubDate>2020-01-01</pubDate><g:price>1 EUR</g:price></item>'
  const [record] = (await read(rss(item, head), { observedAt: undefined })) as RawRecord[]
  expect(record?.fields.observed_at).toBe(made)
  const [seen] = (await read(rss(item, head))) as RawRecord[]
  expect(seen?.fields.observed_at).toBe(OBSERVED_AT)
})

test('a truncated feed is reported after its records', async () => {
  const records = await read(
    rss('<item><g:id>A1</g:id><g:price>1 EUR</g:price></item><item>').replace('</channel></rss>', ''),
  )
  expect(records).toMatchObject([
    { position: 'feed.xml item 1' },
    { position: 'feed.xml item 2', reason: 'UNEXPECTED_END', endsFile: true },
  ])
  expect(await read('')).toMatchObject([{ position: 'feed.xml', reason: 'UNEXPECTED_END', endsFile: true }])
})

test('records do not depend on the pieces of the bytes', async () => {
  const field = fc.constantFrom(
    '<g:sale_price>8 EUR</g:sale_price>',
    '<g:condition>used</g:condition>',
    '<g:brand>Ñandú &amp; Co</g:brand>',
    '<title><![CDATA[Tubo <Ø 20> & más]]></title>',
    '<g:mpn>M-1</g:mpn>',
    '<g:multipack>3</g:multipack>',
    '<b>',
  )
  const items = fc.array(fc.array(field, { maxLength: 5 }), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(items, fc.integer({ min: 1, max: 50 }), async (fields, length) => {
      const feed = rss(fields.map((some) => `<item>${some.join('')}<g:price>9,50 €</g:price></item>`).join('\r\n'))
      const whole = await read(feed)
      expect(whole).toHaveLength(fields.length)
      expect(
        await all(readMerchant(inTextPieces(feed, length), { name: 'feed.xml', observedAt: OBSERVED_AT })),
      ).toEqual(whole)
    }),
  )
})

describe('a long feed', () => {
  // The runner hides the garbage collector; forcing a collection shows the memory that is really held.
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const heapBytes = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const ITEMS = 30_000
  /** Bytes for a batch, a piece of text and the reader itself; the feed is ten times as long. */
  const GROWTH_BYTES_MAX = 3_000_000

  function generated(item: (n: number) => string): ByteSource & { bytes: number } {
    const source = {
      name: 'feed.xml',
      bytes: 0,
      whole: async () => Buffer.alloc(0),
      async *open() {
        const texts = function* () {
          yield '<rss><channel>'
          for (let n = 0; n < ITEMS; n++) yield item(n)
          yield '</channel></rss>'
        }
        for (const text of texts()) {
          source.bytes += text.length
          yield Buffer.from(text)
        }
      },
    }
    return source
  }

  test.each([
    [
      'of records',
      (n: number) => `<item><g:id>${n}</g:id><g:price>1 EUR</g:price><d>${`${n} `.repeat(200)}</d></item>`,
    ],
    ['of comments', () => `<!-- ${'x'.repeat(1_000)} -->`],
    ['in one comment', (n: number) => (n === 0 ? '<!--' : 'x'.repeat(1_000))],
    ['in one record', (n: number) => (n === 0 ? '<item>' : `<g:id>${'x'.repeat(1_000)}</g:id>`)],
    [
      'of elements that are never closed',
      (n: number) => (n % 500 === 0 ? `<${'a'.repeat(40)}>`.repeat(500) : 'x'.repeat(1_000)),
    ],
  ])('%s does not grow the heap', async (_of, item) => {
    const source = generated(item)
    let first: number | null = null
    let most = 0
    let seen = 0
    const sampled = {
      ...source,
      async *open() {
        for await (const chunk of source.open()) {
          yield chunk
          // Measure from the first tenth on, when lasting objects exist.
          if (++seen % (ITEMS / 10) !== 0) continue
          if (first === null) first = heapBytes()
          else most = Math.max(most, heapBytes())
        }
      },
    }
    for await (const _batch of readMerchant(sampled, { name: 'feed.xml' }));
    expect(source.bytes).toBeGreaterThan(25_000_000)
    expect(most - (first ?? Number.NaN)).toBeLessThan(GROWTH_BYTES_MAX)
  })
})
