import { type CrawlBehaviour, crawlBehaviours, offerOf, pageOf, productOf } from './behaviour.ts'
import { priceOf, summaryOf } from './crawl-shop.ts'
import { onPage } from './json-ld.ts'

/** Prices of an offer, and what is said of them. Every crawl reads them on 30 January 2026. */

const A = 'A 1.50 EUR'
const offered = (offers: unknown, page: Parameters<typeof pageOf>[1] = {}) =>
  onPage(pageOf(productOf({ offers }), page))
const priced = (more: object) => offered(offerOf(more))
const specified = (...specifications: readonly object[]) =>
  offered({ '@type': 'Offer', priceCurrency: 'EUR', priceSpecification: specifications })
const aggregate = (more: object) => offered({ '@type': 'AggregateOffer', priceCurrency: 'EUR', ...more })
const type = (priceType: string) => ({ priceType: `https://schema.org/${priceType}` })

const PRICES: readonly CrawlBehaviour[] = (
  [
    ['number', priced({ price: 1.5 }), A],
    ['text with a point', priced({ price: '1.50' }), A],
    ['comma for decimals', priced({ price: '1,50' }), A],
    ['thousands and decimals of Germany', priced({ price: '1.234,50' }), 'A 1234.50 EUR'],
    ['thousands and decimals of Britain', priced({ price: '1,234.50' }), 'A 1234.50 EUR'],
    ['thousands with blanks that do not break', priced({ price: '1\u00a0234,50\u00a0€' }), 'A 1234.50 EUR'],
    ['thousands of Switzerland', priced({ price: "CHF 1'234.50", priceCurrency: 'CHF' }), 'A 1234.50 CHF'],
    ['with the sign of its currency', priced({ price: '€ 1.50' }), A],
    ['with the code of its currency', priced({ price: '1.50 EUR' }), A],
    ['with „руб.“', priced({ price: '1 234,50 руб.', priceCurrency: 'RUB' }), 'A 1234.50 RUB'],
    ['with „руб.“ and no currency', offered({ '@type': 'Offer', price: '1 234,50 руб.' }), 'A 1234.50 RUB'],
    ['with „zł“ and no currency', offered({ '@type': 'Offer', price: '1 234,50 zł' }), 'A 1234.50 PLN'],
    ['with „Kč“ and no currency', offered({ '@type': 'Offer', price: '1 234,50 Kč' }), 'A 1234.50 CZK'],
    ['with the sign € and no currency', offered({ '@type': 'Offer', price: '1,50 €' }), A],
    ['no currency at all', offered({ '@type': 'Offer', price: '1.50' }), 'parked NO_CURRENCY'],
    [
      'no currency, a meta element names it',
      offered({ '@type': 'Offer', price: '1.50' }, { head: '<meta property="product:price:currency" content="EUR">' }),
      A,
    ],
    ['unknown currency', priced({ priceCurrency: 'Taler' }), 'parked UNKNOWN_CURRENCY'],
    ['currency in small letters', priced({ priceCurrency: 'eur' }), A],
    ['zero', priced({ price: 0 }), 'parked BAD_PRICE'],
    ['below zero', priced({ price: '-1.50' }), 'parked BAD_PRICE'],
    ['on request', priced({ price: 'auf Anfrage' }), 'parked BAD_PRICE'],
    ['from … on', priced({ price: 'ab 1,50 €' }), 'parked BAD_PRICE'],
    ['range', priced({ price: '1.50 - 2.50' }), 'parked BAD_PRICE'],
    ['missing', priced({ price: undefined }), 'parked NO_PRICE'],
    ['debris of a float', priced({ price: 1.1 + 2.2 }), 'A 3.30 EUR'],
    ['decimals of a currency that has none', priced({ price: '12.99', priceCurrency: 'CLP' }), 'parked BAD_PRICE'],
    ['thousands of a currency without decimals', priced({ price: '12.990', priceCurrency: 'CLP' }), 'A 12990 CLP'],
    ['two prices of one offer', priced({ price: ['1.50', '2.50'] }), 'parked AMBIGUOUS_OFFER'],
    [
      'several offers with different prices',
      offered([offerOf(), offerOf({ price: '2.50' })]),
      'parked AMBIGUOUS_OFFER ×2',
    ],
    ['several offers with one price', offered([offerOf(), offerOf({ price: 1.5 })]), A],
    [
      'several offers with references',
      offered([offerOf({ sku: 'A' }), offerOf({ sku: 'B', price: '2.50' })]),
      'A 1.50 EUR, B 2.50 EUR',
    ],
    [
      'cents in JSON-LD against units in a meta element',
      offered(offerOf({ price: 150 }), { head: '<meta property="og:price:amount" content="1.50">' }),
      'parked OFFER_CONFLICT',
    ],
  ] as const
).map(([name, page, expected]) => ({ name, ...page, expected }))

const CONDITIONS: readonly CrawlBehaviour[] = (
  [
    ['aggregate: low = high', aggregate({ lowPrice: '1.50', highPrice: '1.50', offerCount: 2 }), A],
    [
      'aggregate: low < high',
      aggregate({ lowPrice: '1.50', highPrice: '2.50', offerCount: 2 }),
      'parked AGGREGATE_OFFER',
    ],
    ['aggregate: the lowest price of one offer', aggregate({ lowPrice: '1.50', offerCount: 1 }), A],
    ['aggregate: the lowest price alone', aggregate({ lowPrice: '1.50' }), 'parked AGGREGATE_OFFER'],
    [
      'aggregate of offers with references',
      aggregate({
        lowPrice: '1.50',
        highPrice: '2.50',
        offers: [offerOf({ sku: 'A' }), offerOf({ sku: 'B', price: '2.50' })],
      }),
      'A 1.50 EUR, B 2.50 EUR',
    ],
    ['price in a specification', specified({ price: '1.50' }), A],
    [
      'specification of the list price beside the one asked',
      specified({ price: '2.50', ...type('ListPrice') }, { price: '1.50' }),
      A,
    ],
    [
      'specification of a struck-through price',
      specified({ price: '2.50', ...type('StrikethroughPrice') }, { price: '1.50', ...type('SalePrice') }),
      A,
    ],
    ['specification of the list price alone', specified({ price: '2.50', ...type('ListPrice') }), 'parked NO_PRICE'],
    [
      'sale price that differs from the price of the offer',
      priced({ priceSpecification: { price: '1.20', ...type('SalePrice') } }),
      'parked AMBIGUOUS_OFFER',
    ],
    [
      'price of members beside the one for everybody',
      priced({ priceSpecification: { price: '1.20', validForMemberTier: { name: 'gold' } } }),
      A,
    ],
    [
      'price of members alone',
      offered({ '@type': 'Offer', price: '1.50', priceCurrency: 'EUR', validForMemberTier: { name: 'gold' } }),
      'parked MEMBERS_ONLY',
    ],
    [
      'cost of delivery, which is no price',
      priced({ priceSpecification: { '@type': 'DeliveryChargeSpecification', price: '5.00' } }),
      A,
    ],
    ['rates of a month, which are no price', specified({ price: '1.50', billingDuration: 12 }), 'parked NO_PRICE'],
    ['price for a month', specified({ price: '1.50', unitCode: 'MON' }), 'parked NOT_A_SALE'],
    ['priceValidUntil in the past', priced({ priceValidUntil: '2026-01-20' }), 'parked EXPIRED'],
    ['priceValidUntil today', priced({ priceValidUntil: '2026-01-30' }), A],
    ['priceValidUntil in the year 9999', priced({ priceValidUntil: '9999-12-31' }), A],
    ['validFrom in the future', priced({ validFrom: '2026-03-01' }), 'parked NOT_YET_VALID'],
    ['priceValidUntil that is no date', priced({ priceValidUntil: 'bald' }), A],
  ] as const
).map(([name, page, expected]) => ({ name, ...page, expected }))

/** The unit, contents and tax of the first record. */
const told: CrawlBehaviour['found'] = (crawled) => {
  const [one] = crawled.observations
  if (one === undefined) return summaryOf(crawled)
  const { included } = one.price.tax
  const pack = one.pack === undefined ? '' : `, ${one.pack.quantity} ${one.pack.unit}`
  return `${priceOf(one)}, ${one.unit ?? 'no unit'}${pack}${included === null ? '' : included ? ', gross' : ', net'}`
}
const available: CrawlBehaviour['found'] = (crawled) => crawled.observations[0]?.availability ?? summaryOf(crawled)

const TERMS: readonly CrawlBehaviour[] = [
  ...(
    [
      [
        'price of a m²',
        specified({ price: '1.50', referenceQuantity: { value: 1, unitCode: 'MTK' } }),
        'A 1.50 EUR, MTK',
      ],
      ['price of a m² in its text', priced({ price: '1,50 €/m²' }), 'A 1.50 EUR, m²'],
      [
        'price of 100 pieces',
        specified({ price: '1.50', referenceQuantity: { value: 100, unitCode: 'C62' } }),
        'A 1.50 EUR for 100, C62',
      ],
      [
        'price of an article, and of its kilogram beside it',
        specified({ price: '1.50' }, { price: '0.30', referenceQuantity: { value: 1, unitCode: 'KGM' } }),
        'A 1.50 EUR, no unit',
      ],
      ['net price', specified({ price: '1.50', valueAddedTaxIncluded: false }), 'A 1.50 EUR, no unit, net'],
      [
        'gross price, as a reference',
        specified({ price: '1.50', valueAddedTaxIncluded: 'https://schema.org/True' }),
        'A 1.50 EUR, no unit, gross',
      ],
    ] as const
  ).map(([name, page, expected]) => ({ name, ...page, found: told, expected })),
  ...(
    [
      ['InStock', 'https://schema.org/InStock', 'InStock'],
      ['OutOfStock', 'http://schema.org/OutOfStock', 'OutOfStock'],
      ['Discontinued', 'Discontinued', 'Discontinued'],
      ['PreOrder', 'schema:PreOrder', 'PreOrder'],
      ['in small letters', 'https://schema.org/outofstock', 'OutOfStock'],
      ['as a reference', { '@id': 'https://schema.org/SoldOut' }, 'SoldOut'],
      ['that nobody knows', 'maybe', 'A 1.50 EUR'],
    ] as const
  ).map(([name, availability, expected]) => ({
    name: `availability ${name}`,
    ...priced({ availability }),
    found: available,
    expected,
  })),
]

export const PRICE = [
  ...crawlBehaviours('prices', [...PRICES, ...CONDITIONS]),
  ...crawlBehaviours('terms of a price', TERMS),
]
