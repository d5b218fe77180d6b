import { type CrawlBehaviour, crawlBehaviours, document, offerOf, pageOf, productOf } from './behaviour.ts'
import { priceOf } from './crawl-shop.ts'

/** Products and their variants in JSON-LD, as templates of shops write them. */

const PATH = '/p/1'
export const onPage = (html: string): Pick<CrawlBehaviour, 'routes' | 'entry'> => ({
  routes: { [PATH]: html },
  entry: document(PATH),
})
/** A page with this text in a script of JSON-LD. */
export const scripted = (...texts: readonly string[]) =>
  onPage(
    `<!doctype html><html lang="en"><head>${texts.map((text) => `<script type="application/ld+json">${text}</script>`).join('')}</head><body></body></html>`,
  )

const PRODUCT = JSON.stringify(productOf())
const OTHER = productOf({ name: 'Block', sku: 'B' })
const A = 'A 1.50 EUR'
const BOTH = 'A 1.50 EUR, B 1.50 EUR'
const list = (things: unknown) => onPage(pageOf(things))
const named = (name: string, text: string, found: string): CrawlBehaviour => ({
  name,
  ...scripted(text),
  found: ({ observations }) => observations.map((one) => `${one.name}: ${priceOf(one)}`).join() || 'nothing',
  expected: found,
})

const SCRIPTS: readonly CrawlBehaviour[] = [
  ...(
    [
      ['one object', scripted(PRODUCT), A],
      [
        '@graph',
        list({ '@context': 'https://schema.org', '@graph': [{ '@type': 'WebPage', name: 'Brick' }, productOf()] }),
        A,
      ],
      ['array', list([productOf(), OTHER]), BOTH],
      ['two objects in one script', scripted(`${PRODUCT}\n${JSON.stringify(OTHER)}`), BOTH],
      ['two scripts', scripted(PRODUCT, JSON.stringify(OTHER)), BOTH],
      ['two scripts that repeat the product', scripted(PRODUCT, PRODUCT), A],
      ['`;` at the end', scripted(`${PRODUCT};`), A],
      ['comment in the first line', scripted(`// product\n${PRODUCT}`), A],
      ['comment of several lines first', scripted(`/* product\n of us */\n${PRODUCT}`), A],
      ['comment of markup around it', scripted(`<!--\n${PRODUCT}\n-->`), A],
      ['CDATA', scripted(`<![CDATA[${PRODUCT}]]>`), A],
      ['CDATA within comments', scripted(`//<![CDATA[\n${PRODUCT}\n//]]>`), A],
      ['HTML-escaped as a whole', scripted(PRODUCT.replaceAll('"', '&quot;')), A],
      ['comma before the last bracket', scripted(PRODUCT.replace(/\}$/, ',}')), A],
      ['assigned to a variable', scripted(`window.product = ${PRODUCT};`), A],
      ['byte order mark within the script', scripted(`\ufeff${PRODUCT}`), A],
      ['invalid script that tells no price, then a valid one', scripted('{"@type":"Organization"', PRODUCT), A],
      [
        'invalid script that tells a price, then a valid one',
        scripted('{"@type":"Product","offers":{"price":"1"', PRODUCT),
        `${A}, parked BAD_JSON_LD`,
      ],
      ['empty script', scripted('  ', PRODUCT), A],
      [
        'price without quotes that ends in a comma, twice',
        scripted('{"@type":"Product","name":"x","sku":"A","offers":{"price":,"priceCurrency":"EUR"}}'),
        'parked BAD_JSON_LD',
      ],
      [
        'type application/ld+json; charset=utf-8, in capitals',
        onPage(`<!DOCTYPE HTML><SCRIPT TYPE="Application/LD+JSON; charset=utf-8">${PRODUCT}</SCRIPT>`),
        A,
      ],
      [
        'script within the body',
        onPage(pageOf(null, { body: `<div><script type='application/ld+json'>${PRODUCT}</script></div>` })),
        A,
      ],
      [
        'script in a comment of the page, which is hidden',
        onPage(pageOf(null, { body: `<!-- <script type="application/ld+json">${PRODUCT}</script> -->` })),
        'parked NO_OFFER',
      ],
      [
        'types with addresses and prefixes',
        list({ ...productOf(), '@type': ['http://schema.org/Product', 'schema:Thing'] }),
        A,
      ],
      [
        'parts that refer to each other by @id',
        scripted(
          JSON.stringify({ ...productOf(), offers: { '@id': '#o' } }),
          JSON.stringify({ ...offerOf(), '@id': '#o' }),
        ),
        A,
      ],
    ] as const
  ).map(([name, page, expected]) => ({ name, ...page, expected })),
  named("\\' in a text", PRODUCT.replace('Brick', "Brick 5\\'"), "Brick 5': A 1.50 EUR"),
  named('line break within a text', PRODUCT.replace('Brick', 'Brick\nred'), 'Brick red: A 1.50 EUR'),
  named(
    'entities within a text',
    PRODUCT.replace('Brick', 'Brick &amp; block &#8211; 5&nbsp;kg'),
    'Brick & block – 5 kg: A 1.50 EUR',
  ),
  named('</script> escaped within a text', PRODUCT.replace('Brick', 'Brick <\\/script>'), 'Brick: A 1.50 EUR'),
  named('markup within a text', PRODUCT.replace('Brick', '<b>Brick</b> <i>red</i>'), 'Brick red: A 1.50 EUR'),
]

const variant = (sku: string, price: string, more: object = {}) => ({
  '@type': 'Product',
  name: `Paint ${sku}`,
  sku,
  offers: offerOf({ price }),
  ...more,
})
const carousel = {
  '@type': 'ItemList',
  itemListElement: [
    {
      '@type': 'ListItem',
      position: 1,
      url: '{shop}/p/2',
      item: { '@type': 'Product', name: 'Block', url: '{shop}/p/2' },
    },
  ],
}

const PRODUCTS: readonly CrawlBehaviour[] = (
  [
    [
      'variants of a group',
      {
        '@type': 'ProductGroup',
        name: 'Paint',
        productGroupID: 'P',
        hasVariant: [variant('A', '1.50'), variant('B', '2.50')],
      },
      'A 1.50 EUR, B 2.50 EUR',
    ],
    [
      'variants of one mpn and several GTINs',
      {
        '@type': 'ProductGroup',
        name: 'Paint',
        hasVariant: [
          { ...variant('A', '1.50'), sku: undefined, mpn: 'P', gtin13: '4006381333931' },
          { ...variant('B', '2.50'), sku: undefined, mpn: 'P', gtin13: '4006381333948' },
        ],
      },
      'P|4006381333931 1.50 EUR, P|4006381333948 2.50 EUR',
    ],
    [
      'variants of one mpn without GTIN',
      {
        '@type': 'ProductGroup',
        name: 'Paint',
        hasVariant: ['1.50', '2.50'].map((price) => ({ ...variant('A', price), sku: undefined, mpn: 'P' })),
      },
      'parked AMBIGUOUS_OFFER ×2',
    ],
    [
      'variants that name their group (isVariantOf)',
      ['A', 'B'].map((sku) => variant(sku, '1.50', { isVariantOf: { '@type': 'ProductGroup', name: 'Paint' } })),
      BOTH,
    ],
    [
      "variants, and the group's lowest price beside them",
      {
        '@type': 'ProductGroup',
        name: 'Paint',
        offers: { '@type': 'AggregateOffer', lowPrice: '1.50', highPrice: '2.50', priceCurrency: 'EUR' },
        hasVariant: [variant('A', '1.50'), variant('B', '2.50')],
      },
      'A 1.50 EUR, B 2.50 EUR',
    ],
    ['product without offers', { ...productOf(), offers: undefined }, 'parked NO_OFFER'],
    ['related products, which are not taken', productOf({ isRelatedTo: [OTHER], isSimilarTo: [OTHER] }), A],
    ['accessories and spare parts, which are not taken', productOf({ isAccessoryOrSparePartFor: OTHER }), A],
    ['reviews that name another product', productOf({ review: { '@type': 'Review', itemReviewed: OTHER } }), A],
    ['carousel of related products without prices', [productOf(), carousel], A],
    [
      'list of products of a category',
      {
        '@type': 'ItemList',
        itemListElement: [productOf(), OTHER].map((item, n) => ({ '@type': 'ListItem', position: n + 1, item })),
      },
      BOTH,
    ],
    ['course', { '@type': 'Course', name: 'Bricklaying', offers: offerOf() }, 'parked NOT_A_SALE'],
    ['event', { '@type': 'EducationEvent', name: 'Fair', offers: offerOf() }, 'parked NOT_A_SALE'],
    ['service', { '@type': 'Service', name: 'Delivery', offers: offerOf() }, 'parked NOT_A_SALE'],
    ['flat to let', { '@type': 'Apartment', name: 'Flat', offers: offerOf() }, 'parked NOT_A_SALE'],
    [
      'rent of a machine',
      productOf({ offers: offerOf({ businessFunction: 'http://purl.org/goodrelations/v1#LeaseOut' }) }),
      'parked NOT_A_SALE',
    ],
    ['used goods', productOf({ itemCondition: 'https://schema.org/UsedCondition' }), 'parked NOT_NEW'],
    ['product without a name', productOf({ name: '' }), 'parked NO_NAME'],
  ] as const
).map(([name, things, expected]) => ({ name, ...list(things), expected }))

export const JSON_LD = [...crawlBehaviours('JSON-LD', SCRIPTS), ...crawlBehaviours('products', PRODUCTS)]
