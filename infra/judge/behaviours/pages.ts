import { type CrawlBehaviour, crawlBehaviours, document } from './behaviour.ts'
import { summaryOf } from './crawl-shop.ts'

/** Lists of several pages. */

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

export const PAGES = crawlBehaviours('Paging', PAGING)
