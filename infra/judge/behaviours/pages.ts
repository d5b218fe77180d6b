import { type CrawlBehaviour, crawlBehaviours, document, FEED_FOUND, pageOf, productOf, site } from './behaviour.ts'
import { summaryOf } from './crawl-shop.ts'

/** Lists of several pages, and the links between pages. */

const PAGING: readonly CrawlBehaviour[] = [
  {
    name: 'pages of an API in the Link header',
    routes: {
      '/api.json': {
        headers: { link: '</api.json?page=2>; rel="next"' },
        body: JSON.stringify([{ sku: 'A', name: 'Brick', price: '1.50' }]),
      },
      '/api.json?page=2': JSON.stringify([{ sku: 'B', name: 'Block', price: '2.50' }]),
    },
    entry: { kind: 'api', url: '{shop}/api.json' },
    spec: { currency: 'EUR' },
    expected: 'A 1.50 EUR, B 2.50 EUR',
  },
  {
    name: 'pages of an API that a header counts, without Link',
    routes: {
      '/api.json': {
        headers: { 'x-wp-totalpages': '2' },
        body: JSON.stringify([{ sku: 'A', name: 'Brick', price: '1.50' }]),
      },
      '/api.json?page=2': {
        headers: { 'x-wp-totalpages': '2' },
        body: JSON.stringify([{ sku: 'B', name: 'Block', price: '2.50' }]),
      },
    },
    entry: { kind: 'api', url: '{shop}/api.json' },
    spec: { currency: 'EUR' },
    expected: 'A 1.50 EUR, B 2.50 EUR',
  },
  {
    name: 'a plain address of which the Link header names a next page: not complete',
    routes: {
      '/api.json': {
        headers: { link: '</api.json?page=2>; rel="next"' },
        body: JSON.stringify([{ sku: 'A', name: 'Brick', price: '1.50' }]),
      },
    },
    entry: document('/api.json'),
    spec: { currency: 'EUR' },
    expected: 'A 1.50 EUR, problem MORE_PAGES',
  },
  {
    name: 'pages of an API in the Link header that lead to another host',
    routes: {
      '/api.json': {
        headers: { link: '<{other}/api.json>; rel="next"' },
        body: JSON.stringify([{ sku: 'A', name: 'Brick', price: '1.50' }]),
      },
      'other/api.json': JSON.stringify([{ sku: 'B', name: 'Block', price: '2.50' }]),
    },
    entry: { kind: 'api', url: '{shop}/api.json' },
    spec: { currency: 'EUR' },
    expected: 'A 1.50 EUR, problem OTHER_HOST',
  },
  {
    name: 'an API that repeats its last page under every number: ends there',
    routes: Object.fromEntries(
      [1, 2, 3, 4].map((page) => {
        const last =
          page === 1 ? { sku: 'A', name: 'Brick', price: '1.50' } : { sku: 'B', name: 'Block', price: '2.50' }
        return [`/api.json?page=${page}`, JSON.stringify({ page, items: [last] })]
      }),
    ),
    entry: { kind: 'api', url: '{shop}/api.json', paging: { kind: 'page', parameter: 'page', from: 1, step: 1 } },
    spec: { currency: 'EUR' },
    found: (crawled) => `${summaryOf(crawled)}; ${crawled.visits.length - 1} requests`,
    expected: 'A 1.50 EUR, B 2.50 EUR, problem PAGES_REPEAT; 3 requests',
  },
]

const LINKS: readonly CrawlBehaviour[] = [
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
    expected: FEED_FOUND,
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

export const PAGES = [...crawlBehaviours('Paging', PAGING), ...crawlBehaviours('links', LINKS)]
