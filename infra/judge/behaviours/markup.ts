import { type CrawlBehaviour, crawlBehaviours, offerOf, pageOf, productOf, site } from './behaviour.ts'
import { onPage } from './json-ld.ts'

/** Microdata, RDFa, meta elements and addresses of pages. */

const A = 'A 1.50 EUR'
const body = (markup: string, head = '') => onPage(pageOf(null, { body: markup, head }))
const MICRODATA = `<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Brick</h1><meta itemprop="sku" content="A">
  <div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span itemprop="price" content="1.50">1,50 €</span>
  <meta itemprop="priceCurrency" content="EUR"><link itemprop="availability" href="https://schema.org/InStock"></div></div>`
const RDFA = `<div vocab="https://schema.org/" typeof="Product"><h1 property="name">Brick</h1><span property="sku">A</span>
  <div property="offers" typeof="Offer"><span property="price" content="1.50">1,50 €</span><meta property="priceCurrency" content="EUR"></div></div>`
const prefixed = (prefix: string) =>
  RDFA.replace('vocab="https://schema.org/"', `prefix="${prefix}: https://schema.org/"`).replace(
    /(property|typeof)="/g,
    `$1="${prefix}:`,
  )
const OPEN_GRAPH = [
  ['og:title', 'Brick'],
  ['product:retailer_item_id', 'A'],
  ['product:price:amount', '1.50'],
  ['product:price:currency', 'EUR'],
]
const metas = (pairs: readonly (readonly string[])[]) =>
  pairs.map(([property, content]) => `<meta property="${property}" content="${content}">`).join('')
const others = OPEN_GRAPH.filter(([property]) => !property?.includes('price'))

const SYNTAXES: readonly CrawlBehaviour[] = (
  [
    ['microdata', body(MICRODATA), A],
    ['microdata with the price in its text', body(MICRODATA.replace(' content="1.50"', '')), A],
    [
      'microdata that refers to a part elsewhere (itemref)',
      body(
        `<div itemscope itemtype="https://schema.org/Product" itemref="offer"><b itemprop="name">Brick</b><meta itemprop="sku" content="A"></div><div id="offer" itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="1.50"><meta itemprop="priceCurrency" content="EUR"></div>`,
      ),
      A,
    ],
    ['microdata in a comment of the page, which is hidden', body(`<!-- ${MICRODATA} -->`), 'parked NO_OFFER'],
    [
      'microdata with elements that are never closed',
      body(MICRODATA.replaceAll('</div>', '').replace('<h1', '<p><br><h1')),
      A,
    ],
    ['RDFa', body(RDFA), A],
    ['RDFa with the prefix schema:', body(prefixed('schema')), A],
    ['meta elements of a product', onPage(pageOf(null, { head: metas(OPEN_GRAPH) })), A],
    [
      'meta elements og:price',
      onPage(pageOf(null, { head: metas(OPEN_GRAPH).replaceAll('product:price', 'og:price') })),
      A,
    ],
    [
      'meta elements with name in place of property',
      onPage(pageOf(null, { head: metas(OPEN_GRAPH).replaceAll('property=', 'name=') })),
      A,
    ],
    [
      'meta elements with a sale price that holds now',
      onPage(
        pageOf(null, {
          head: metas([
            ...others,
            ['product:price:amount', '2.50'],
            ['product:price:currency', 'EUR'],
            ['product:sale_price:amount', '1.50'],
            ['product:sale_price:currency', 'EUR'],
            ['product:sale_price_dates:end', '2026-12-31'],
          ]),
        }),
      ),
      A,
    ],
    [
      'meta elements with a sale price that is over',
      onPage(
        pageOf(null, {
          head: metas([
            ...others,
            ['product:price:amount', '2.50'],
            ['product:price:currency', 'EUR'],
            ['product:sale_price:amount', '1.50'],
            ['product:sale_price_dates:end', '2025-12-31'],
          ]),
        }),
      ),
      'A 2.50 EUR',
    ],
    [
      'meta elements with two prices',
      onPage(pageOf(null, { head: metas([...OPEN_GRAPH, ['product:price:amount', '2.50']]) })),
      'parked AMBIGUOUS_OFFER',
    ],
    ['JSON-LD and microdata of one product at one price', onPage(pageOf(productOf(), { body: MICRODATA })), A],
    [
      'JSON-LD and microdata of one product at two prices',
      onPage(pageOf(productOf(), { body: MICRODATA.replace('1.50', '1.60') })),
      `${A}, parked OFFER_CONFLICT`,
    ],
    [
      'microdata of another product beside JSON-LD',
      onPage(pageOf(productOf(), { body: MICRODATA.replace('content="A"', 'content="B"').replace('Brick', 'Block') })),
      'A 1.50 EUR, B 1.50 EUR',
    ],
    [
      'microdata that has the price JSON-LD lacks',
      onPage(pageOf(productOf({ offers: offerOf({ price: '' }) }), { body: MICRODATA })),
      `${A}, parked NO_PRICE`,
    ],
    ['RDFa with a prefix of its own', body(prefixed('s')), A],
    ['price in the text of the page alone', body('<h1>Brick</h1><p class="price">1,50 €</p>'), 'parked NO_OFFER'],
    ['500 elements open at once', body(`${'<div>'.repeat(500)}${MICRODATA}`), A],
    ['100,000 elements open at once', body(`${'<div>'.repeat(100_000)}${MICRODATA}`), 'parked PAGE_TOO_DEEP'],
    ['page of 9 MB', body(`${MICRODATA}<p>${'x'.repeat(9 * 1024 ** 2)}</p>`), 'parked PAGE_TOO_LONG'],
  ] as const
).map(([name, page, expected]) => ({ name, ...page, limits: { bytesMax: 16 * 1024 ** 2 }, expected }))

const addressed: CrawlBehaviour['found'] = ({ observations, fill }) =>
  observations
    .map(
      ({ vendor_ref, url }) =>
        `${vendor_ref} at ${(url ?? 'no address').replace(fill('{shop}'), '').replace(fill('{other}'), 'other')}`,
    )
    .join() || 'nothing'
const nameless = (more: object = {}) => productOf({ sku: undefined, ...more })

const ADDRESSES: readonly CrawlBehaviour[] = [
  ...(
    [
      ['base href', pageOf(productOf({ url: 'brick' }), { head: '<base href="{shop}/shop/">' }), 'A at /shop/brick'],
      [
        'base href that is no address',
        pageOf(productOf({ url: 'brick' }), { head: '<base href="javascript:x">' }),
        'A at /p/brick',
      ],
      [
        'canonical address, the reference of a product without one',
        pageOf(nameless(), { head: '<link rel="canonical" href="/brick?id=3">' }),
        '/brick?id=3 at /brick?id=3',
      ],
      ['no canonical address, nor a reference', pageOf(nameless()), '/p/1 at /p/1'],
      [
        'parameters that only track',
        pageOf(nameless({ url: '/p/1?utm_source=x&color=red' })),
        '/p/1 at /p/1?utm_source=x&color=red',
      ],
      ['javascript: for the address of a product', pageOf(productOf({ url: 'javascript:alert(1)' })), 'A at /p/1'],
      ['data: for the address of a product', pageOf(productOf({ url: 'data:text/html,x' })), 'A at /p/1'],
      ['fragment in the address of a product', pageOf(productOf({ url: '/p/1#reviews' })), 'A at /p/1'],
    ] as const
  ).map(([name, html, expected]) => ({ name, ...onPage(html), found: addressed, expected })),
  {
    name: 'base href for links, and links by every means but a',
    routes: {
      '/': pageOf(null, {
        head: '<base href="/p/">',
        body: '<a href="1">1</a><area href="2"><link href="3"><img src="4"><form action="5"></form><a href=" /p/6 ">6</a><a href="javascript:x()">7</a>',
      }),
      ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((n) => [`/p/${n}`, pageOf(productOf({ sku: `S${n}` }))])),
    },
    entry: site(),
    expected: 'S1 1.50 EUR, S2 1.50 EUR, S6 1.50 EUR',
  },
  {
    name: 'rel=next of a list',
    routes: {
      '/': pageOf(null, { head: '<link rel="next" href="/2">', body: '<a href="/p/1">1</a>' }),
      '/2': pageOf(null, { body: '<a href="/p/2">2</a><a rel="next" href="/">again</a>' }),
      '/p/1': pageOf(productOf()),
      '/p/2': pageOf(productOf({ sku: 'B' })),
    },
    entry: site(),
    expected: 'A 1.50 EUR, B 1.50 EUR',
  },
  {
    name: 'links to other hosts, which are not followed',
    routes: {
      '/': pageOf(null, { body: '<a href="{other}/p/1">1</a><a href="//other.example/p/2">2</a><a href="/p/3">3</a>' }),
      'other/p/1': pageOf(productOf({ sku: 'X' })),
      'shop/p/3': pageOf(productOf()),
    },
    entry: site(),
    expected: A,
  },
  {
    name: 'calendar without end, bounded by pages_max',
    routes: Object.fromEntries(
      ['/', ...Array.from({ length: 40 }, (_, n) => `/day/${n}`)].map((path, n) => [
        path,
        pageOf(null, { body: `<a href="/day/${n}">next</a>` }),
      ]),
    ),
    entry: { ...site(), include: [] } as CrawlBehaviour['entry'],
    spec: { pagesMax: 10 },
    found: ({ report, visits }) => `${visits.length - 1} pages, ${report.problems.map(({ code }) => code).join()}`,
    expected: '10 pages, NOTHING_READ,PAGES_MAX',
  },
]

export const MARKUP = [...crawlBehaviours('markup', SYNTAXES), ...crawlBehaviours('addresses', ADDRESSES)]
