import { isBroken, type RawRecord, type ReadRecord } from '@catalog/formats/bytes/record.ts'
import { RECORD_KEYS } from '@catalog/formats/mapping/mapping-keys.ts'
import { all, inPieces } from '@catalog/stack/testing/archives.ts'
import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { type OffersOptions, PAGE_OFFERS_MAX, readOffers } from './offers.ts'
import { PAGE_BYTES_MAX, PAGE_DEPTH_MAX } from './page.ts'

const options: OffersOptions = {
  url: 'https://shop.example/es/p/brick-1?utm_source=x',
  observedAt: '2026-11-20T10:00:00Z',
}
const read = (html: string | Buffer, more: Partial<OffersOptions> = {}, length = 1_000) =>
  all(readOffers(inPieces('page.html', Buffer.from(html), length), { ...options, ...more }))
/** Fields that are not blank, or the reason. */
const fields = (records: readonly ReadRecord[]) =>
  records.map((record) =>
    isBroken(record)
      ? record.reason
      : Object.fromEntries(Object.entries(record.fields).filter(([, text]) => text !== '')),
  )
const ld = (...things: readonly unknown[]) =>
  things.map((thing) => `<script type="application/ld+json">${JSON.stringify(thing)}</script>`).join('\n')
const offer = (more: object = {}) => ({ '@type': 'Offer', price: '12.50', priceCurrency: 'EUR', ...more })
const product = (more: object = {}) => ({
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Brick',
  sku: 'B1',
  offers: offer(),
  ...more,
})
const prices = (records: readonly ReadRecord[]) =>
  records.map((record) => (isBroken(record) ? record.reason : [record.fields.vendor_ref, record.fields.price]))

describe('a product of JSON-LD', () => {
  test('is one record with the fields of the page', async () => {
    const trail = {
      '@type': 'BreadcrumbList',
      itemListElement: [
        { '@type': 'ListItem', position: 2, name: 'Walls', item: 'https://shop.example/es/walls' },
        { '@type': 'ListItem', position: 1, name: 'Inicio', item: 'https://shop.example/es/' },
        { '@type': 'ListItem', position: 3, item: { '@id': '/es/bricks', name: 'Bricks > solid' } },
        { '@type': 'ListItem', position: 4, name: 'Brick' },
      ],
    }
    const thing = product({
      description: '<p>Solid &amp; red</p><p>25 &times; 12 cm</p>',
      brand: { '@type': 'Brand', name: 'Terra' },
      mpn: 'T-7',
      gtin13: '4006381333931',
      url: '/es/p/brick-1#main',
      offers: offer({ price: 12.5, priceSpecification: { price: '12.50', valueAddedTaxIncluded: true } }),
    })
    const [record] = (await read(`<html lang="es">${ld({ '@graph': [trail, thing] })}`)) as RawRecord[]
    expect(fields([record as RawRecord])).toEqual([
      {
        vendor_ref: 'B1',
        name: 'Brick',
        description: 'Solid & red 25 × 12 cm',
        price: '12.50',
        currency: 'EUR',
        tax_included: 'true',
        observed_at: '2026-11-20T10:00:00Z',
        category_path: 'Walls > Bricks › solid',
        gtin: '4006381333931',
        manufacturer_ref: 'Terra T-7',
        url: 'https://shop.example/es/p/brick-1',
        lang: 'es',
      },
    ])
    expect(record?.position).toBe('page.html offer 1')
    expect(JSON.parse(record?.raw ?? '')).toMatchObject({ product: { sku: 'B1' }, offer: { price: '12.5' } })
    expect(RECORD_KEYS).toEqual(expect.arrayContaining(Object.keys(record?.fields ?? {})))
  })

  test('has its brand in the description when no other field names it', async () => {
    const of = async (more: object) => fields(await read(ld(product({ brand: 'Terra', ...more }))))
    expect(await of({ description: 'solid' })).toMatchObject([{ description: 'Terra. solid' }])
    expect(await of({ description: 'by TERRA' })).toMatchObject([{ description: 'by TERRA' }])
    expect(await of({ mpn: 'Terra 7', description: 'solid' })).toMatchObject([
      { description: 'solid', manufacturer_ref: 'Terra 7' },
    ])
  })

  test.each([
    ['a quote too many', '{"@type":"Product","name":"Tube 1/2" red","offers":{"price":"1"}}', 'BAD_JSON_LD'],
    ['an open end', '{"@type":"Product","name":"Brick","offers":{"price":"1"', 'BAD_JSON_LD'],
    ['a comma alone', '{"@type":"Product",,"offers":{"price":"1"}}', 'BAD_JSON_LD'],
    ['a text', '"a price"', 'BAD_JSON_LD'],
    ['nesting without end', `{"price":${'['.repeat(100_000)}`, 'BAD_JSON_LD'],
    ['nesting beyond the limit', `{"price":${'['.repeat(41)}1${']'.repeat(41)}}`, 'BAD_JSON_LD'],
    ['no price', '{"@type":"Organization"', null],
    ['nothing', '  ', null],
  ])('is read beside a broken script, which is reported if it may hold an offer: %s', async (_what, script, reason) => {
    const html = `<script type="application/ld+json">${script}</script>${ld(product())}`
    expect(prices(await read(html))).toEqual([...(reason === null ? [] : [reason]), ['B1', '12.50']])
  })

  test.each([
    [
      'a comma too many',
      '{"@type":"Product","name":"Brick, [red], }","sku":"B1","offers":{"price":"12.50 €", } /**/ ,\n}',
    ],
    ['line breaks in a text', '{"@type":"Product","name":"Brick,\n[red],\t}","sku":"B1","offers":{"price":"12.50 €"}}'],
    [
      'comments',
      '/* of us */{"@type":"Product", // a "note"\n"name":"Brick, [red], }","sku":"B1","offers":{/*,*/"price":"12.50 €"}}',
    ],
  ])('may be printed with %s, an unambiguous error', async (_what, script) => {
    const html = `<script type="application/ld+json">${script}</script>`
    expect(fields(await read(html))).toMatchObject([{ vendor_ref: 'B1', name: 'Brick, [red], }', price: '12.50 €' }])
    const escaped = script.replace('[red]', '\\"//\\"')
    expect(fields(await read(html.replace(script, escaped)))).toMatchObject([{ name: 'Brick, "//", }' }])
  })

  test('may be split over scripts that refer to each other', async () => {
    const [one, other] = [product({ '@id': '#p', offers: { '@id': '#o' } }), { ...offer(), '@id': '#o' }]
    expect(prices(await read(ld(one, { '@id': '#p', name: 'Brick' }, other)))).toEqual([['B1', '12.50']])
    const variants = ['A', 'B'].map((sku) =>
      product({ '@id': '#p', sku, offers: offer({ price: sku === 'A' ? 1 : 2 }) }),
    )
    expect(prices(await read(ld(variants)))).toEqual([
      ['A', '1'],
      ['B', '2'],
    ])
  })

  test.each([
    [{ sku: 7 }, '7'],
    [{ sku: '', productID: 'mpn:9', mpn: '9' }, '9'],
    [{ sku: undefined, mpn: '9' }, '9'],
    [{ sku: undefined, offers: offer({ sku: 'O' }) }, 'O'],
    [{ sku: undefined, url: 'https://shop.example/p?id=3&utm_medium=mail' }, '/es/p/brick-1'],
  ])('has a reference: %j', async (more, expected) => {
    expect(prices(await read(ld(product(more))))).toEqual([[expected, '12.50']])
  })

  test('takes the path of its canonical address without a reference', async () => {
    const html = `<link rel="canonical" href="/p?id=3">${ld(product({ sku: undefined }))}`
    expect(fields(await read(html))).toMatchObject([{ vendor_ref: '/p?id=3', url: 'https://shop.example/p?id=3' }])
  })

  test('is one record however often the page repeats it', async () => {
    const other = product({ offers: offer({ price: 12.5 }) })
    expect(prices(await read(ld(product(), other)))).toEqual([['B1', '12.50']])
    const contradiction = product({ offers: offer({ price: '12.60' }) })
    expect(prices(await read(ld(product(), other, contradiction)))).toEqual(['AMBIGUOUS_OFFER', 'AMBIGUOUS_OFFER'])
  })
})

describe('a price', () => {
  test.each([
    ['1.234,56 €', false],
    ['1.234', false],
    ['12.5', true],
    ['0.125', true],
    [12.345, true],
    ['1234.567', true],
  ])('stays as the page writes it, exact when unambiguous: %j', async (price, exact) => {
    const [record] = (await read(ld(product({ offers: offer({ price }) })))) as RawRecord[]
    expect([record?.fields.price, record?.numbers?.has('price') ?? false]).toEqual([String(price), exact])
  })

  test('has a currency: its own, that of its mark, or the given one', async () => {
    const without = (price: string) => ld(product({ offers: { '@type': 'Offer', price } }))
    expect(fields(await read(without('12')))).toEqual(['NO_CURRENCY'])
    expect(fields(await read(without('12 €')))).toMatchObject([{ currency: 'EUR' }])
    expect(fields(await read(without('12'), { currency: 'CLP' }))).toMatchObject([{ currency: 'CLP' }])
    expect(fields(await read(ld(product()), { currency: 'CLP' }))).toMatchObject([{ currency: 'EUR' }])
  })

  test.each([
    [{ itemCondition: 'https://schema.org/UsedCondition' }, 'NOT_NEW'],
    [{ itemCondition: { '@id': 'schema:RefurbishedCondition' } }, 'NOT_NEW'],
    [{ validThrough: '2026-11-20T09:59:00Z' }, 'EXPIRED'],
    [{ '@type': 'AggregateOffer', lowPrice: '1', highPrice: '9', offerCount: 3, price: undefined }, 'AGGREGATE_OFFER'],
    [
      { '@type': 'AggregateOffer', lowPrice: 1, highPrice: 1, offers: [{ price: 1 }, { price: 2 }], price: undefined },
      'AGGREGATE_OFFER',
    ],
    [{ price: undefined, priceSpecification: { '@type': 'DeliveryChargeSpecification', price: 9 } }, 'NO_PRICE'],
    [{ price: undefined, priceSpecification: { price: 9, validForMemberTier: { name: 'gold' } } }, 'NO_PRICE'],
    [{ price: undefined, priceSpecification: { price: 9, validThrough: '2026-01-01' } }, 'EXPIRED'],
    [{ price: undefined, priceSpecification: [{ price: 9 }, { price: 8 }] }, 'AMBIGUOUS_OFFER'],
  ])('is refused for an offer with %j', async (more, reason) => {
    const [record] = await read(ld(product({ offers: offer(more) })))
    expect(record).toMatchObject({ reason, position: 'page.html offer 1' })
    expect((record as { detail: string }).detail).not.toBe('')
  })

  test('is refused for a product that is not new', async () => {
    const used = 'https://schema.org/UsedCondition'
    expect(fields(await read(ld(product({ itemCondition: used }))))).toEqual(['NOT_NEW'])
    const told = product({ itemCondition: used, offers: offer({ itemCondition: 'https://schema.org/NewCondition' }) })
    expect(prices(await read(ld(told)))).toEqual([['B1', '12.50']])
  })

  test.each([
    ['12.990', 'CLP', '12990'],
    ['$12.995', 'CLP', '12995'],
    ['45,900 COP', 'COP', '45900'],
    ['12990.00', 'CLP', '12990.00'],
    ['12.990', 'EUR', '12.990'],
    ['12.995', 'CLP', '12.995'],
    ['0.990', 'CLP', 'BAD_PRICE'],
    ['12.99', 'CLP', 'BAD_PRICE'],
  ])('%s in %s has thousands where decimals are unused, or is refused', async (price, priceCurrency, read_) => {
    const [record] = await read(ld(product({ offers: offer({ price, priceCurrency }) })))
    expect(fields([record as ReadRecord])[0]).toEqual(
      read_ === 'BAD_PRICE' ? read_ : expect.objectContaining({ price: read_, currency: priceCurrency }),
    )
    const number = `{"@type":"Product","name":"x","sku":"1","offers":{"price":${price},"priceCurrency":"${priceCurrency}"}}`
    if (!/^[\d.]+$/.test(price)) return
    const [of] = await read(`<script type="application/ld+json">${number}</script>`)
    const isRefused = read_ === 'BAD_PRICE' || (priceCurrency === 'CLP' && price === '12.995')
    expect(of && isBroken(of) ? of.reason : of?.fields.price).toBe(isRefused ? 'BAD_PRICE' : read_)
  })

  test('is refused when meta elements have it in another unit of money', async () => {
    const meta = (amount: string) =>
      `<meta property="og:price:amount" content="${amount}"><meta property="og:price:currency" content="EUR">`
    const of = async (amount: string, price: unknown) => {
      return prices(await read(meta(amount) + ld(product({ offers: offer({ price }) }))))
    }
    expect(await of('12.99', 1299)).toEqual(['OFFER_CONFLICT'])
    expect(await of('1299', '12.99')).toEqual(['OFFER_CONFLICT'])
    expect(await of('1.299', 1299)).toEqual([['B1', '1299']])
    expect(await of('10,74', '12.99')).toEqual([['B1', '12.99']])
    const nameless = '<meta property="og:price:amount" content="12.99">'
    expect(prices(await read(nameless + ld(product({ offers: offer({ price: 1299 }) }))))).toEqual(['OFFER_CONFLICT'])
  })

  test('loses float debris', async () => {
    const of = async (price: unknown) => prices(await read(ld(product({ offers: offer({ price }) }))))
    expect(await of(12.990000000000002)).toEqual([['B1', '12.99']])
    expect(await of('19.989999999999998')).toEqual([['B1', '19.99']])
    expect(await of('1.123456789012')).toEqual([['B1', '1.123456789012']])
  })

  test('takes the only currency of the meta elements when the offer names none', async () => {
    const meta = (code: string) => `<meta property="product:price:currency" content="${code}">`
    const html = ld(product({ offers: { '@type': 'Offer', price: '12' } }))
    expect(fields(await read(meta('EUR') + html, { currency: 'CLP' }))).toMatchObject([{ currency: 'EUR' }])
    expect(fields(await read(meta('EUR') + meta('USD') + html))).toEqual(['NO_CURRENCY'])
    expect(fields(await read(meta('EUR') + ld(product({ offers: offer({ priceCurrency: 'USD' }) }))))).toMatchObject([
      { currency: 'USD' },
    ])
  })

  test('of an aggregate is the one of its only offer', async () => {
    const aggregate = (more: object) =>
      ld(product({ offers: { '@type': 'AggregateOffer', lowPrice: '1', priceCurrency: 'EUR', ...more } }))
    expect(prices(await read(aggregate({ offerCount: '1' })))).toEqual([['B1', '1']])
    expect(prices(await read(aggregate({ highPrice: 1.0, offerCount: '9' })))).toEqual([['B1', '1']])
    const same = { highPrice: '1', offers: [{ price: '1.00' }, { price: 1 }] }
    expect(prices(await read(aggregate(same)))).toEqual([['B1', '1']])
    expect(prices(await read(aggregate({ offers: [{ '@type': 'Offer', price: '2' }] })))).toEqual([['B1', '2']])
    const variants = ['X', 'Y'].map((sku) => ({
      '@type': 'Offer',
      sku,
      name: `size ${sku}`,
      price: sku === 'X' ? '3' : '4',
    }))
    const records = await read(aggregate({ offers: variants }))
    expect(fields(records)).toMatchObject([
      { vendor_ref: 'X', price: '3', name: 'Brick size X', currency: 'EUR' },
      { vendor_ref: 'Y', price: '4' },
    ])
  })

  test('of an aggregate is none where its highest price is another, whatever it counts', async () => {
    const aggregate = (more: object) =>
      ld(product({ offers: { '@type': 'AggregateOffer', lowPrice: '5.00', priceCurrency: 'EUR', ...more } }))
    const inner = { '@type': 'Offer', price: 5, priceCurrency: 'EUR' }
    for (const more of [
      { highPrice: '50.00', offerCount: 1 },
      { highPrice: '4.00', offerCount: 1 },
      { highPrice: 50, offerCount: 3, offers: [inner] },
    ]) {
      expect(prices(await read(aggregate(more)))).toEqual(['AGGREGATE_OFFER'])
    }
    const named = { highPrice: 50, offerCount: 3, offers: [{ ...inner, sku: 'B1-S' }] }
    expect(prices(await read(aggregate(named)))).toEqual([['B1-S', '5']])
  })

  test('is read from a text with entities, as a template prints it', async () => {
    const records = await read(ld(product({ offers: offer({ price: '12,50&nbsp;&euro;' }) })))
    expect(prices(records)).toEqual([['B1', '12,50\u00a0€']])
  })

  test('stands in each offer of a catalogue of offers', async () => {
    const item = (sku: string) => ({ ...offer(), itemOffered: { '@type': 'Product', name: `Brick ${sku}`, sku } })
    const hasOfferCatalog = { '@type': 'OfferCatalog', itemListElement: [item('C1'), item('C2')] }
    const store = { '@context': 'https://schema.org', '@type': 'HardwareStore', name: 'Store', hasOfferCatalog }
    expect(prices(await read(ld(store)))).toEqual([
      ['C1', '12.50'],
      ['C2', '12.50'],
    ])
  })

  test('is found in RDFa by any prefix of schema.org, and by that of no other vocabulary', async () => {
    const rdfa = (address: string) =>
      `<div prefix="s: ${address} og: http://ogp.me/ns#"><div typeof="s:Product"><span property="s:name">Board</span><span property="s:sku">BR1</span><div property="s:offers" typeof="s:Offer"><span property="s:price" content="12.50">12,50</span><meta property="s:priceCurrency" content="EUR"></div></div></div>`
    expect(prices(await read(rdfa('https://schema.org/')))).toEqual([['BR1', '12.50']])
    expect(prices(await read(rdfa('https://other.example/')))).toEqual([])
  })

  test("is the offer's own; a specification may complete it", async () => {
    const specifications = [
      { '@type': 'UnitPriceSpecification', price: 20, priceType: 'https://schema.org/StrikethroughPrice' },
      { price: 10, validForMemberTier: { name: 'gold' } },
      { price: 1.25, referenceQuantity: { value: 1, unitCode: 'KGM' } },
      {
        price: 12.5,
        valueAddedTaxIncluded: 'https://schema.org/False',
        referenceQuantity: { value: '100', unitText: 'piezas', unitCode: 'C62' },
      },
      { price: 11, eligibleQuantity: { minValue: 10 } },
    ]
    const records = await read(ld(product({ offers: offer({ priceSpecification: specifications }) })))
    expect(fields(records)).toMatchObject([
      { price: '12.5', tax_included: 'false', unit: 'piezas', per_quantity: '100' },
      { price: '11', min_quantity: '10', currency: 'EUR' },
    ])
    expect(fields(records)[0]).not.toHaveProperty('min_quantity')
  })

  test('takes the tax of a specification without a price', async () => {
    const priceSpecification = { '@type': 'PriceSpecification', valueAddedTaxIncluded: false }
    expect(fields(await read(ld(product({ offers: { ...offer(), priceSpecification } }))))).toMatchObject([
      { price: '12.50', tax_included: 'false' },
    ])
  })

  test('may be for the contents of an article, or else for a unit', async () => {
    const of = async (specification: object) =>
      fields(
        await read(
          ld(product({ offers: { '@type': 'Offer', priceSpecification: { priceCurrency: 'EUR', ...specification } } })),
        ),
      )
    const base = { value: 100, unitCode: 'MLT' }
    const content = { price: 81, referenceQuantity: { value: '4.5', unitCode: 'MLT', valueReference: base } }
    expect(await of(content)).toMatchObject([{ price: '81', pack_quantity: '4.5', pack_unit: 'MLT' }])
    expect(await of({ price: 8, referenceQuantity: { unitCode: 'MTK' } })).toMatchObject([{ price: '8', unit: 'MTK' }])
    expect(await of({ price: 8, unitCode: 'MTK' })).toMatchObject([{ price: '8', unit: 'MTK' }])
    expect(await of({ price: 8, eligibleQuantity: { minValue: 5, unitText: 'kg' } })).toMatchObject([
      { price: '8', unit: 'kg', min_quantity: '5' },
    ])
    const eligibleQuantity = { value: 5, unitText: 'kg' }
    expect(await of({ price: 8, eligibleQuantity })).toEqual(['AMBIGUOUS_OFFER'])
    expect(await of({ price: 8, eligibleQuantity, referenceQuantity: { unitCode: 'KGM' } })).toMatchObject([
      { price: '8', unit: 'KGM', min_quantity: '5' },
    ])
    expect(await of({ price: 8, eligibleQuantity: { value: 5 } })).toMatchObject([{ price: '8', min_quantity: '5' }])
    expect(await of({ price: 8, eligibleQuantity: { value: 1, unitText: 'kg' } })).toMatchObject([
      { price: '8', unit: 'kg' },
    ])
  })
})

describe('several products', () => {
  test('of a group are its variants, each with its own reference', async () => {
    const group = {
      '@type': 'ProductGroup',
      name: 'Paint',
      brand: 'Terra',
      category: 'Paints > Inside',
      productGroupID: 'P',
      offers: { '@type': 'AggregateOffer', lowPrice: 9, highPrice: 30 },
      hasVariant: [
        { '@type': 'Product', sku: 'P5', size: '5 l', color: 'white', offers: offer({ price: 30 }) },
        { '@id': '#p1' },
        { '@type': 'Product', sku: 'P0', name: 'Paint, sold out' },
      ],
    }
    const inner = { '@type': 'Product', '@id': '#p1', sku: 'P1', name: 'Paint 1 l', offers: offer({ price: 9 }) }
    expect(fields(await read(ld({ '@graph': [inner, group] })))).toMatchObject([
      { vendor_ref: 'P1', name: 'Paint 1 l', category_path: 'Paints > Inside', description: 'Terra' },
      { vendor_ref: 'P5', name: 'Paint 5 l white', price: '30' },
    ])
  })

  test('of a group without references are distinguished by their addresses', async () => {
    const variants = ['1', '2'].map((id) => ({
      '@type': 'Product',
      name: `Drill ${id}`,
      offers: { ...offer({ price: id }), url: `/p/drill?variant=${id}` },
    }))
    const group = (hasVariant: readonly unknown[]) => ld({ '@type': 'ProductGroup', name: 'Drill', hasVariant })
    expect(prices(await read(group(variants)))).toEqual([
      ['/p/drill?variant=1', '1'],
      ['/p/drill?variant=2', '2'],
    ])
    expect(prices(await read(group(variants.slice(0, 1))))).toEqual([['/es/p/brick-1', '1']])
    const nameless = variants.map((variant) => ({ ...variant, offers: { ...variant.offers, url: undefined } }))
    expect(prices(await read(group(nameless)))).toEqual(['AMBIGUOUS_OFFER', 'AMBIGUOUS_OFFER'])
  })

  test('of a list are a record each, and none takes the address of the list as its reference', async () => {
    const items = ['a', 'b', undefined].map((path, i) => ({
      '@type': 'ListItem',
      item: { ...product({ sku: undefined, name: `Item ${i}`, url: path && `/p/${path}` }) },
    }))
    expect(prices(await read(ld({ '@type': 'ItemList', itemListElement: items })))).toEqual([
      ['/p/a', '12.50'],
      ['/p/b', '12.50'],
      ['', '12.50'],
    ])
  })

  test('keep the whole breadcrumb trail of their list', async () => {
    const breadcrumbs = [{ name: 'Home' }, { name: 'Bricks', item: 'https://shop.example/bricks' }]
    const trail = {
      '@type': 'BreadcrumbList',
      itemListElement: breadcrumbs.map((crumb) => ({ '@type': 'ListItem', ...crumb })),
    }
    const records = await read(ld(trail, product(), product({ sku: 'B2' })), { url: 'https://shop.example/bricks' })
    expect(fields(records)).toMatchObject([{ category_path: 'Bricks' }, { category_path: 'Bricks' }])
  })

  test('beyond the limit are reported', async () => {
    const many = Array.from({ length: PAGE_OFFERS_MAX + 5 }, (_, i) => product({ sku: `S${i}` }))
    const records = await read(ld(many), {}, 65_536)
    expect(records).toHaveLength(PAGE_OFFERS_MAX + 1)
    expect(records.at(-1)).toMatchObject({ reason: 'TOO_MANY_OFFERS', endsFile: true })
  })
})

describe('microdata', () => {
  const micro = (price: string, sku = 'B1') =>
    `<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Brick <b>red</b></h1>
     <meta itemprop="sku" content="${sku}"><a itemprop="url" href="/p/1">x</a>
     <div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><span itemprop="price" content="${price}">ab 9 &euro;</span>
     <meta itemprop="priceCurrency" content="EUR"><time itemprop="priceValidUntil" datetime="2027-01-01">soon</time></div></div>`

  test('describes a product as JSON-LD does', async () => {
    expect(fields(await read(micro('12.50')))).toMatchObject([
      { vendor_ref: 'B1', name: 'Brick red', price: '12.50', currency: 'EUR', url: 'https://shop.example/p/1' },
    ])
  })

  test.each([
    ['12<sup>99</sup> €', '12 99 €'],
    ['<b>12</b><b>99</b> €', '12 99 €'],
    ['<b>12</b>,<b>99</b> €', '12,99 €'],
    ['1&#50;,99 €', '12,99 €'],
  ])('never joins digits of two elements to one number: %s', async (html, price) => {
    const told = micro('').replace(/<span itemprop="price".*<\/span>/, `<span itemprop="price">${html}</span>`)
    expect(prices(await read(told, {}, 3))).toEqual([['B1', price]])
  })

  test('finds properties elsewhere by itemref', async () => {
    const html = `<p id="n" itemprop="name">Brick</p><div itemscope itemtype="http://schema.org/Product" itemref="n s o"></div>
      <div id="s"><i itemprop="sku">B1</i></div>
      <div id="o" itemprop="offers" itemscope itemtype="http://schema.org/Offer" itemref="o"><b itemprop="price">12,50 €</b></div>`
    expect(fields(await read(html))).toMatchObject([
      { vendor_ref: 'B1', name: 'Brick', price: '12,50 €', currency: 'EUR' },
    ])
  })

  test('counts once beside the same offer in JSON-LD, and is broken when it contradicts', async () => {
    expect(prices(await read(micro('12.5') + ld(product())))).toEqual([['B1', '12.50']])
    expect(prices(await read(micro('13') + ld(product())))).toEqual([['B1', '12.50'], 'OFFER_CONFLICT'])
    expect(prices(await read(micro('13', 'B2') + ld(product())))).toEqual([
      ['B1', '12.50'],
      ['B2', '13'],
    ])
    expect(prices(await read(micro('13', '') + ld(product({ name: 'BRICK  Red' }))))).toEqual([
      ['B1', '12.50'],
      'OFFER_CONFLICT',
    ])
  })

  test('gives a price that JSON-LD omits, unless it is the lowest of several', async () => {
    expect(prices(await read(micro('13') + ld(product({ offers: { '@type': 'Offer' } }))))).toEqual([
      'NO_PRICE',
      ['B1', '13'],
    ])
    const aggregate = { '@type': 'AggregateOffer', lowPrice: 13, highPrice: 19, priceCurrency: 'EUR' }
    expect(prices(await read(micro('13') + ld(product({ offers: aggregate }))))).toEqual([
      'AGGREGATE_OFFER',
      'OFFER_CONFLICT',
    ])
  })
})

describe('meta elements', () => {
  const meta = (entries: Readonly<Record<string, string>>) =>
    Object.entries(entries)
      .map(([property, content]) => `<meta property="${property}" content="${content}">`)
      .join('')
  const known = { 'og:title': 'Brick', 'product:price:amount': '12,50', 'product:price:currency': 'EUR' }

  test('give a price when nothing else does', async () => {
    expect(
      fields(await read(meta({ ...known, 'product:retailer_item_id': 'B1', 'og:price:amount': '99' }))),
    ).toMatchObject([{ vendor_ref: 'B1', name: 'Brick', price: '12,50', currency: 'EUR' }])
    expect(prices(await read(meta(known) + ld(product())))).toEqual([['B1', '12.50']])
    expect(prices(await read(meta(known) + ld({ '@type': 'Product', name: 'Brick' })))).toEqual([
      ['/es/p/brick-1', '12,50'],
    ])
  })

  test('give no price in several currencies, and none of used goods', async () => {
    const sale = { ...known, 'product:sale_price:amount': '9', 'product:sale_price:currency': 'EUR' }
    const until = (day: string) => meta({ ...sale, 'product:sale_price_dates:end': day })
    expect(prices(await read(until('2026-11-21T00:00')))).toEqual([['/es/p/brick-1', '9']])
    expect(prices(await read(until('2026-11-20T09:00')))).toEqual([['/es/p/brick-1', '12,50']])
    const two = meta(known) + meta({ 'product:price:amount': '14', 'product:price:currency': 'USD' })
    expect(prices(await read(two))).toEqual(['AMBIGUOUS_OFFER'])
    expect(prices(await read(meta({ ...known, 'product:condition': 'used' })))).toEqual(['NOT_NEW'])
  })
})

describe('a page', () => {
  test('without offers has no records, unless one is expected', async () => {
    const html = `<h1>Imprint</h1>${ld({ '@type': 'Organization', name: 'Shop' })}`
    expect(await read(html)).toEqual([])
    expect(await read(html, { expectsOffer: true })).toMatchObject([{ reason: 'NO_OFFER' }])
    expect(prices(await read(ld(product()), { expectsOffer: true }))).toEqual([['B1', '12.50']])
  })

  test.each([
    ['utf-8', undefined, ''],
    ['utf-8', 'text/html; charset=iso-8859-1', ''],
    ['utf-16le', undefined, ''],
    ['windows-1252', undefined, ''],
    ['windows-1252', 'text/html; charset=UTF-8', ''],
    ['iso-8859-2', 'text/html; charset="ISO-8859-2"', ''],
    ['windows-1250', undefined, '<meta charset=windows-1250>'],
    ['iso-8859-2', 'iso-8859-2', '<meta http-equiv="Content-Type" content="text/html; charset=windows-1250">'],
    ['windows-1252', 'base64', ''],
  ] as const)('in %s is read with the header %j and %j', async (encoding, charset, meta) => {
    const name =
      /2|1250/.test(encoding.slice(-2)) && encoding !== 'windows-1252' ? 'Tuła św. łąki żółć' : 'Hormigón según cálculo'
    const bytes = iconv.encode(`${meta}${ld(product({ name }))}`, encoding, { addBOM: encoding === 'utf-16le' })
    expect(fields(await read(bytes, { charset }))).toMatchObject([{ name }])
  })

  test('has limits for bytes and nesting', async () => {
    expect(await read(Buffer.alloc(PAGE_BYTES_MAX + 1, ' '), {}, 1 << 20)).toMatchObject([
      { reason: 'PAGE_TOO_LONG', endsFile: true },
    ])
    const deep = `${'<b>'.repeat(PAGE_DEPTH_MAX)}<i>${ld(product())}`
    expect(await read(deep)).toMatchObject([{ reason: 'PAGE_TOO_DEEP', endsFile: true }])
  })

  test('is protected from multiplication by itemref', async () => {
    const all = Array.from({ length: 60 }, (_, i) => `i${i}`).join(' ')
    const items = Array.from({ length: 60 }, (_, i) => `<p id=i${i} itemprop=offers itemscope itemref="${all}"></p>`)
    expect(await read(items.join(''))).toMatchObject([{ reason: 'PAGE_TOO_DEEP' }])
  })

  test('may hold any JSON', async () => {
    const key = fc.constantFrom(
      '@type',
      '@id',
      '@graph',
      '@value',
      'offers',
      'price',
      'priceCurrency',
      'hasVariant',
      'isVariantOf',
      'sku',
      'name',
      'priceSpecification',
      'eligibleQuantity',
      'referenceQuantity',
      'itemOffered',
      'itemListElement',
      'item',
      'url',
      '__proto__',
      'lowPrice',
      'validFrom',
      'category',
      'constructor',
    )
    const leaf = fc.constantFrom(
      null,
      true,
      1.5,
      0,
      'Product',
      'Offer',
      'AggregateOffer',
      'ProductGroup',
      'BreadcrumbList',
      '',
      '12,5',
      'http://[',
      '#a',
    )
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 6 },
        leaf,
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(key, tie('tree'), { maxKeys: 5 }),
      ),
    }))
    await fc.assert(
      fc.asyncProperty(fc.array(tree, { maxLength: 4 }), async (things) => {
        for (const record of await read(ld(...things))) expect(record.position).toMatch(/^page\.html/)
      }),
      { numRuns: 300 },
    )
  })

  test('may be any text, whatever its pieces', async () => {
    const piece = fc.constantFrom(
      '<div itemscope itemtype=Product>',
      '<p itemprop=offers itemscope>',
      '<b itemprop=price>',
      '12 €',
      '</div>',
      '</p>',
      '</b>',
      '<i itemprop=name id=a itemref=a>',
      ld(product()),
      '<script type=application/ld+json>{"price":',
      '</script>',
      '<',
      '&',
      '<!--',
      '\0',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 25 }), fc.integer({ min: 1, max: 30 }), async (pieces, length) => {
        const html = pieces.join('')
        expect(await read(html, {}, length)).toEqual(await read(html, {}, 100_000))
      }),
    )
  })
})
