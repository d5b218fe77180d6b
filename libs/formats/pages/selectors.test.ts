import { isBroken, type ReadRecord } from '@catalog/formats/bytes/record.ts'
import { readOutcomes } from '@catalog/formats/read.ts'
import { all, inPieces } from '@catalog/stack/testing/archives.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type OffersOptions, readOffers } from './offers.ts'
import { type Findings, findingsOf, Selectors, SelectorsTooSlow } from './selectors.ts'

const selectors: Selectors = { price: '.price', name: 'h1' }
const url = 'https://shop.example/es/p/brick-1?utm_source=x'
const read = (html: string, more: Partial<OffersOptions> = {}) =>
  all(
    readOffers(inPieces('page.html', Buffer.from(html), 1_000), {
      url,
      observedAt: '2026-11-20T10:00:00Z',
      expectsOffer: true,
      selectors,
      ...more,
    }),
  )
/** The fields that are not blank and no fact of the fetch, or the refusal. */
const fields = (records: readonly ReadRecord[]) =>
  records.map((record) => {
    if (isBroken(record)) return { reason: record.reason, detail: record.detail }
    const { observed_at: _observedAt, url: _url, ...rest } = record.fields
    return Object.fromEntries(Object.entries(rest).filter(([, text]) => text !== ''))
  })
const page = (body: string, head = '') => `<html><head>${head}</head><body><h1>Brick 24 cm</h1>${body}</body></html>`
const ld = (thing: object) => `<script type="application/ld+json">${JSON.stringify(thing)}</script>`

/** The observations of a page as a crawl reads them, or the reason. */
async function observed(html: string, { decimal, given = selectors }: { decimal?: ',' | '.'; given?: Selectors } = {}) {
  const found: unknown[] = []
  for await (const { outcomes } of readOutcomes(inPieces('page.html', Buffer.from(html), 1_000), {
    format: 'html',
    ...(decimal && { mapping: { decimal } }),
    defaults: { source: 'Ours', observedAt: '2026-11-20', notAfter: new Date('2026-11-21') },
    page: { url, expectsOffer: true, selectors: given },
  })) {
    for (const { result } of outcomes) {
      if ('content' in result) {
        const { cents, currency } = result.content.price
        found.push([cents, currency, result.content.unit])
      } else found.push(result.reason)
    }
  }
  return found
}

describe('a page whose price stands in its text', () => {
  test('given selectors, when it is read, then it is one record under the address of the page', async () => {
    const records = await read(page('<p class="price"> 12,50&nbsp;€ </p>'))
    expect(fields(records)).toEqual([
      { vendor_ref: '/es/p/brick-1', name: 'Brick 24 cm', price: '12,50 €', currency: 'EUR' },
    ])
  })

  test('given no selectors, when it is read, then it has no record', async () => {
    const found = fields(await read(page('<p class="price">12,50 €</p>'), { selectors: undefined }))
    expect(found).toMatchObject([{ reason: 'NO_OFFER' }])
  })

  test('given a selector for every field, when it is read, then each field is its text or attribute', async () => {
    const body = `<p class=price data-price="12.50">now only 12,50</p><b id=sku>A-1</b><i class=u>€ / m²</i>
      <meta itemprop=gtin content=4006381333931><span class=brand>Terra</span><span class=stock>InStock</span>`
    const all: Selectors = {
      price: '.price@data-price',
      name: 'body > h1',
      sku: '#sku',
      unit: '.u',
      gtin: 'meta[itemprop=gtin]@content',
      brand: '.brand',
      availability: '.stock',
    }
    expect(fields(await read(page(body), { selectors: all, currency: 'EUR' }))).toEqual([
      {
        vendor_ref: 'A-1',
        name: 'Brick 24 cm',
        price: '12.50',
        currency: 'EUR',
        unit: '€ / m²',
        gtin: '4006381333931',
        description: 'Terra',
        availability: 'InStock',
      },
    ])
    expect(await observed(page(body.replace('12.50', '12.50 €')), { given: all })).toEqual([[1250, 'EUR', 'm²']])
  })

  test.each([
    ['12,50 €/m²', undefined, [[1250, 'EUR', 'm²']]],
    ['1.299 €', undefined, ['BAD_PRICE']],
    ['1.299 €', ',', [[129_900, 'EUR', null]]],
    ['<b>12</b><sup>99</sup> €', undefined, ['BAD_PRICE']],
    ['ab 12,50 €', undefined, ['BAD_PRICE']],
    ['12,50', undefined, ['NO_CURRENCY']],
    ['12,50 € / Tag', undefined, ['NOT_A_SALE']],
    ['<del>15,00 €</del> <ins>12,50 €</ins>', undefined, ['BAD_PRICE']],
    ['12,50 €<script>"3 €"</script><style>4</style>', undefined, [[1250, 'EUR', null]]],
  ] as const)('given the text %s and the mark %s, when it is read, then it is %j', async (text, decimal, expected) => {
    const found = await observed(page(`<p class=price>${text}</p>`), { ...(decimal && { decimal }) })
    expect(found).toEqual(expected)
  })
})

describe('several elements of one selector', () => {
  test('given a text that is no price, when the page is read, then the refusal names its selector', async () => {
    const [found] = await read(page('<p class=price>from 12,50 €</p><i>A-1</i>'), {
      selectors: { ...selectors, sku: 'i' },
    })
    expect(found).toMatchObject({
      reason: 'BAD_PRICE',
      vendorRef: 'A-1',
      detail: expect.stringMatching(/^the selector price '.price' finds 'from 12,50 €'; expected one number/),
    })
  })

  test.each([
    ['<p class=price>12,50 €</p><p class=price>12.50 €</p>'],
    [`<p class=price>${' '.repeat(5_000)}12,50 €</p>`],
    ['<p class=price>12,50 €</p><p class=price></p><p class=price> 12,50&nbsp;€</p>'],
  ])('given one price in %s, when the page is read, then it is one record', async (body) => {
    expect(fields(await read(page(body)))).toMatchObject([{ price: '12,50 €' }])
  })

  test.each([
    [
      '<p class=price>12,50 €</p><p class=price>15,00 €</p>',
      "price '.price' finds 2 texts, 12,50 €, 15,00 €, in 2 elements; expected one text",
    ],
    ['<p class=price>12,50 €</p><p class=price>12,50 $</p>', "price '.price' finds 2 texts"],
    ['<p class=price>12,50 €</p><p class=price>12,50 €/m²</p>', "price '.price' finds 2 texts"],
    [
      '<p class=price>1 €</p><h1>Another brick</h1>',
      "name 'h1' finds 2 texts, Brick 24 cm, Another brick, in 2 elements",
    ],
  ])('given several in %s, when the page is read, then it is refused', async (body, detail) => {
    const found = fields(await read(page(body)))
    expect(found).toEqual([{ reason: 'AMBIGUOUS_OFFER', detail: expect.stringContaining(detail) }])
  })

  test('given one price in too many elements, when the page is read, then it is refused', async () => {
    const found = fields(await read(page('<p class=price>1 €</p>'.repeat(101))))
    expect(found).toMatchObject([
      { detail: expect.stringContaining('finds 1 € in 101 elements; expected at most 100 elements') },
    ])
  })

  test.each([
    [
      true,
      [{ reason: 'NO_OFFER', detail: "the selector price '.price' finds nothing; expected the price of a product" }],
    ],
    [false, []],
  ])('given none on a page that is to have one: %s, when it is read, then it is %j', async (expectsOffer, expected) => {
    const markup = ld({ '@type': 'Product', name: 'Brick', offers: { price: 1, priceCurrency: 'EUR' } })
    expect(fields(await read(page('<p class=price> </p>', markup), { expectsOffer }))).toEqual(expected)
  })
})

describe('markup beside selectors', () => {
  const product = {
    '@type': 'Product',
    name: 'Brick',
    sku: 'B1',
    mpn: 'T-7',
    brand: 'Terra',
    gtin13: '4006381333931',
    offers: {
      '@type': 'Offer',
      price: '99.00',
      priceCurrency: 'CHF',
      availability: 'https://schema.org/OutOfStock',
      priceSpecification: { price: '99.00', valueAddedTaxIncluded: true },
    },
  }
  const body = '<p class=price>12,50</p>'

  test('given one product, when the page is read, then markup gives the fields without a selector', async () => {
    expect(fields(await read(page(body, ld(product)), { currency: 'EUR' }))).toEqual([
      {
        vendor_ref: 'B1',
        name: 'Brick 24 cm',
        price: '12,50',
        currency: 'CHF',
        gtin: '4006381333931',
        manufacturer_ref: 'Terra T-7',
        availability: 'OutOfStock',
      },
    ])
  })

  test('given a product without an offer, when the page is read, then its fields complete the price', async () => {
    const { offers: _offers, ...alone } = product
    expect(fields(await read(page(body, ld(alone)), { currency: 'EUR' }))).toMatchObject([
      { vendor_ref: 'B1', price: '12,50', currency: 'EUR', gtin: '4006381333931' },
    ])
  })

  test('given a selector that finds nothing, when the page is read, then markup does not complete its field', async () => {
    const named = { ...selectors, gtin: '.ean', brand: '.maker', availability: '.stock' }
    const [record] = fields(await read(page(body, ld(product)), { selectors: named }))
    expect(record).toEqual({
      vendor_ref: 'B1',
      name: 'Brick 24 cm',
      price: '12,50',
      currency: 'CHF',
      manufacturer_ref: expect.any(String),
    })
  })

  test.each([
    ['two products', ld([product, { ...product, name: 'Brick 12', sku: 'B2' }])],
    ['a product of another name and sku', ld({ ...product, name: 'Cement' })],
  ])('given %s, when the page is read, then markup completes nothing', async (_name, markup) => {
    expect(fields(await read(page(body, markup), { currency: 'EUR' }))).toEqual([
      { vendor_ref: '/es/p/brick-1', name: 'Brick 24 cm', price: '12,50', currency: 'EUR' },
    ])
  })

  test('given a broken script with a price, when the page is read, then it is no dead letter', async () => {
    const broken = '<script type="application/ld+json">{"price": </script>'
    expect(fields(await read(page(body, broken), { currency: 'EUR' }))).toMatchObject([{ price: '12,50' }])
  })
})

describe('selectors of an operator', () => {
  test.each([
    ['.price >', 'nothing stands at its end'],
    ['> .price', 'expected a CSS selector'],
    ['p:nth-child(x)', 'expected a CSS selector'],
    ['p:contains(€)', ':contains: expected one of :not, :is'],
    ['p:not(p:first)', ':first'],
    ['p < b', 'expected a CSS selector'],
    ['p::before', 'pseudo-element is not supported'],
    ['p:nth-child(2 of :contains(€))', ':contains'],
    ['', 'expected a CSS selector'],
    [' ', 'expected a CSS selector'],
    ['@content', 'expected a CSS selector'],

    [12, 'expected a CSS selector'],
  ])('given %s, when they are checked, then they are refused with the expectation', (price, message) => {
    const { error } = Selectors.safeParse({ price, name: 'h1' })
    expect(error?.issues.map((issue) => issue.message).join()).toContain(message)
  })

  test.each([
    '.price ins, .price:not(:has(del))',
    'meta[itemprop=price]@content',
    'a[href="mailto:a@b"]',
    '.sm\\@hidden',
    'tr:nth-child(2) > td:last-of-type',
  ])('given %s, when they are checked, then they stand', (price) => {
    expect(Selectors.safeParse({ price, name: 'h1' }).data?.price).toBe(price)
  })

  test('given a long one, when they are checked, then they are refused', () => {
    expect(Selectors.safeParse({ price: 'p'.repeat(301), name: 'h1' }).error?.issues[0]?.message).toContain('300')
  })

  test('given a required one is missing or one is unknown, when they are checked, then they are refused', () => {
    expect(Selectors.safeParse({ price: '.price' }).success).toBe(false)
    expect(Selectors.safeParse({ price: '.price', name: 'h1', title: 'h1' }).success).toBe(false)
  })

  test('given an attribute with an at sign or of every object, when it is read, then it is its own text', () => {
    const found = (price: string) => findingsOf('<b class="x@y" title=T>B</b>', { price, name: 'h1' }).price
    expect(found('b[class="x@y"]')).toEqual({ elements: 1, texts: ['B'] })
    expect(found('.x\\@y@TITLE')).toEqual({ elements: 1, texts: ['T'] })
    expect(found('b@constructor')).toEqual({ elements: 1, texts: [] })
  })
})

describe('hostile pages', () => {
  test('given more elements than a page has, when it is read, then it ends with its code', async () => {
    const [record] = await read('<b>'.padEnd(8, '</b>').repeat(100_001))
    expect(record).toMatchObject({ reason: 'SELECTORS_TOO_SLOW', endsFile: true })
  })

  test('given a selector that compares all siblings, when it meets a long list, then its steps end', () => {
    const html = '<p></p>'.repeat(50_000)
    expect(() => findingsOf(html, { price: 'p:nth-child(2n)', name: 'h1' })).toThrow(SelectorsTooSlow)
  })

  test('given a long attribute above many elements, when it is compared with each, then its steps end', () => {
    const html = `<div class="${'x '.repeat(1_000_000)}">${'<b class=b></b>'.repeat(50_000)}`
    expect(() => findingsOf(html, { price: '.a .b', name: 'h1' })).toThrow(SelectorsTooSlow)
  })

  test('given any text between marks of markup, when it is read, then it is read or refused', async () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom('<p class=price>', '</p>', '<h1>', '<b', '12,50 €', '<!--', '>', '&lt;'),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
        const [record, ...more] = await read(pieces.join(''))
        expect(more).toEqual([])
        const reasons = ['NO_OFFER', 'AMBIGUOUS_OFFER', 'BAD_PRICE', 'NO_CURRENCY']
        if (record !== undefined && isBroken(record)) expect(reasons).toContain(record.reason)
        else expect(record?.fields.price).not.toBe('')
      }),
    )
  })

  test('given a page of shallow and deep elements, when its selectors match all, then texts stay bounded', () => {
    const html = `${'<div>'.repeat(300)}${'x'.repeat(100_000)}`
    const { price } = findingsOf(html, { price: 'div', name: 'h1' }) as Required<Findings>
    expect(price).toMatchObject({ elements: 300, texts: [expect.stringMatching(/^x{2000}$/)] })
  })
})
