import { type CrawlBehaviour, crawlBehaviours, document } from './behaviour.ts'

/** Lists of several pages, by the headers of their answers. */

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
]

export const PAGES = crawlBehaviours('Paging', PAGING)
