import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { GuardedRequest } from '@catalog/runtime/fetch.ts'
import { SHOP_NOW } from '@catalog/stack/shop/shop-faults.ts'
import {
  type CrawlBehaviour,
  crawlBehaviours,
  document,
  FEED,
  FEED_FOUND,
  FEED_PATH,
  pageOf,
  productOf,
  site,
  sitemap,
} from './behaviour.ts'
import { type Crawled, summaryOf } from './crawl-shop.ts'
import type { Routes } from './shop-server.ts'

/** Statuses, redirects, waits and headers of HTTP. */

const feed = (routes: Routes): Pick<CrawlBehaviour, 'routes' | 'entry'> => ({ routes, entry: document() })
const redirect = (location: string, status = 302, cookie?: string) => ({
  status,
  headers: { location, ...(cookie !== undefined && { 'set-cookie': cookie }) },
})
const feedAt = (status: number, headers: Record<string, string | string[]> = {}, body = '') =>
  feed({ [FEED_PATH]: { status, headers, body } })

const requestsOf = ({ visits }: Crawled, path = FEED_PATH) => visits.filter((visit) => visit.path === path)
const withRequests = (crawled: Crawled) => `${summaryOf(crawled)}; ${requestsOf(crawled).length} requests`
/** The wait before the second request of the feed, in whole seconds. */
function withWait(crawled: Crawled): string {
  const [first, second] = requestsOf(crawled)
  const seconds = first && second ? Math.floor((second.atMs - first.atMs) / 1000) : 0
  return `${summaryOf(crawled)}; waited ${seconds} s`
}

const REDIRECTS: readonly CrawlBehaviour[] = [
  ...[301, 302, 303, 307, 308].map((status) => ({
    name: `${status} to another path`,
    ...feed({ [FEED_PATH]: redirect('/new.csv', status), '/new.csv': FEED }),
    expected: FEED_FOUND,
  })),
  {
    name: 'redirect to a relative address',
    routes: { '/lists/feed.csv': redirect('../new/feed.csv?x=1'), '/new/feed.csv?x=1': FEED },
    entry: document('/lists/feed.csv'),
    expected: FEED_FOUND,
  },
  {
    name: 'redirects without end',
    ...feed({ [FEED_PATH]: redirect(FEED_PATH) }),
    found: withRequests,
    expected: 'problem NOT_FETCHED; 6 requests',
  },
  {
    name: 'redirect without an address',
    ...feedAt(302),
    found: withRequests,
    expected: 'problem NOT_FETCHED; 1 requests',
  },
  {
    name: 'redirect to another host, whose robots.txt is read first',
    ...feed({ [FEED_PATH]: redirect('{other}/moved.csv'), '/moved.csv': FEED }),
    found: (crawled) =>
      [
        summaryOf(crawled),
        ...crawled.visits.filter(({ host }) => host.startsWith('other.')).map(({ path }) => path),
      ].join('; '),
    expected: `${FEED_FOUND}; /robots.txt; /moved.csv`,
  },
  {
    name: 'redirect to another host, whose robots.txt forbids it',
    ...feed({
      [FEED_PATH]: redirect('{other}/moved.csv'),
      '/moved.csv': FEED,
      'other/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /' },
    }),
    expected: 'problem ROBOTS',
  },
  {
    name: 'redirect from http to https',
    ...feed({}),
    request: stubbed({
      'http:': redirect('https://shop.example/feed.csv', 301),
      'https:': { status: 200, headers: {}, body: FEED },
    }),
    expected: FEED_FOUND,
  },
  {
    name: 'redirect from https to http',
    routes: {},
    entry: { kind: 'document', url: 'https://shop.example/feed.csv' },
    request: stubbed({
      'https:': redirect('http://shop.example/feed.csv', 301),
      'http:': { status: 200, headers: {}, body: FEED },
    }),
    expected: 'problem REFUSED',
  },
  {
    name: 'redirect to a page that asks for consent',
    ...feed({ [FEED_PATH]: redirect('/cookie-consent/?next=feed'), '/cookie-consent/?next=feed': FEED }),
    expected: 'problem NOT_FETCHED',
  },
  {
    name: 'removed product that redirects to the front page, a page of its own',
    routes: {
      '/sitemap.xml': '<urlset><url><loc>{shop}/p/1</loc></url><url><loc>{shop}/p/2</loc></url></urlset>',
      '/p/1': pageOf(productOf()),
      '/p/2': redirect('/p/1', 301),
    },
    entry: sitemap(),
    expected: FEED_FOUND,
  },
]

const STATUSES: readonly CrawlBehaviour[] = [
  ...[
    [404, 'problem GONE; 1 requests'],
    [410, 'problem GONE; 1 requests'],
    [401, 'problem NOT_FETCHED; 1 requests'],
    [403, 'problem NOT_FETCHED; 1 requests'],
    [402, 'problem NOT_FETCHED; 1 requests'],
    [204, 'problem NOT_FETCHED; 1 requests'],
    [206, 'problem NOT_FETCHED; 1 requests'],
    [304, 'problem NOT_FETCHED; 1 requests'],
  ].map(([status, expected]) => ({
    name: `status ${status}`,
    ...feedAt(Number(status)),
    found: withRequests,
    expected: String(expected),
  })),
  {
    name: '304 for the ETag of the crawl before',
    ...feed({
      [FEED_PATH]: ({ request, response }) =>
        request.headers['if-none-match'] === '"1"'
          ? response.writeHead(304).end()
          : response.writeHead(200, { etag: '"1"', 'content-type': 'text/csv' }).end(FEED),
    }),
    crawls: 2,
    found: withRequests,
    expected: 'unchanged; 2 requests',
  },
  {
    name: '304 for the Last-Modified of the crawl before',
    ...feed({
      [FEED_PATH]: ({ request, response }) => {
        const at = 'Sat, 10 Jan 2026 00:00:00 GMT'
        if (request.headers['if-modified-since'] === at) response.writeHead(304).end()
        else response.writeHead(200, { 'last-modified': at, 'content-type': 'text/csv' }).end(FEED)
      },
    }),
    crawls: 2,
    expected: 'unchanged',
  },
  {
    name: '200 with the same ETag, weakened by a proxy',
    ...feed({
      [FEED_PATH]: [
        { headers: { etag: '"1"' }, body: FEED },
        { headers: { etag: 'W/"1"' }, body: FEED },
      ],
    }),
    crawls: 2,
    expected: 'unchanged',
  },
  {
    name: '200 with other bytes after an ETag',
    ...feed({
      [FEED_PATH]: [
        { headers: { etag: '"1"' }, body: FEED },
        { headers: { etag: '"2"' }, body: FEED.replace('1.50', '1.60') },
      ],
    }),
    crawls: 2,
    expected: 'A 1.60 EUR',
  },
  ...[
    ['429 with Retry-After in seconds', 429, '7', 'A 1.50 EUR; waited 7 s'],
    ['429 with Retry-After as a date', 429, new Date(SHOP_NOW + 20_000).toUTCString(), 'A 1.50 EUR; waited 19 s'],
    ['503 with Retry-After in seconds', 503, '30', 'A 1.50 EUR; waited 30 s'],
    ['503 with a Retry-After that nobody can read', 503, 'soon', 'A 1.50 EUR; waited 1 s'],
    ['503 with a Retry-After in the past', 503, new Date(0).toUTCString(), 'A 1.50 EUR; waited 1 s'],
  ].map(([name, status, after, expected]) => ({
    name: String(name),
    ...feed({ [FEED_PATH]: [{ status: Number(status), headers: { 'retry-after': String(after) } }, FEED] }),
    found: withWait,
    expected: String(expected),
  })),
  {
    name: '429 that asks for a day',
    ...feedAt(429, { 'retry-after': '86400' }),
    found: withRequests,
    expected: 'problem NOT_FETCHED; 1 requests',
  },
  ...[500, 502, 503, 504, 408].map((status) => ({
    name: `status ${status} once`,
    ...feed({ [FEED_PATH]: [{ status }, FEED] }),
    found: withRequests,
    expected: `${FEED_FOUND}; 2 requests`,
  })),
  {
    name: 'status 500 for ever',
    ...feedAt(500),
    found: withRequests,
    expected: 'problem NOT_FETCHED; 3 requests',
  },
  {
    name: 'bot protection, which is named',
    ...feedAt(403, { 'cf-mitigated': 'challenge', server: 'cloudflare' }),
    found: ({ report }) => /a challenge of Cloudflare/.exec(report.problems[0]?.detail ?? '')?.[0] ?? 'nothing',
    expected: 'a challenge of Cloudflare',
  },
]

const CONNECTIONS: readonly CrawlBehaviour[] = [
  {
    name: 'connection that ends before the answer, once',
    ...feed({ [FEED_PATH]: [({ response }) => void response.destroy(), FEED] }),
    found: withRequests,
    expected: `${FEED_FOUND}; 2 requests`,
  },
  {
    name: 'keep-alive connections that the server closes after each answer',
    routes: {
      '/sitemap.xml': '<urlset><url><loc>{shop}/p/1</loc></url><url><loc>{shop}/p/2</loc></url></urlset>',
      '/p/1': ({ response }) => closing(response, pageOf(productOf())),
      '/p/2': ({ response }) => closing(response, pageOf(productOf({ sku: 'B' }))),
    },
    entry: sitemap(),
    expected: 'A 1.50 EUR, B 1.50 EUR',
  },
  {
    name: 'no answer at all',
    ...feed({ [FEED_PATH]: () => {} }),
    limits: { attempts: 2 },
    expected: 'problem NOT_FETCHED',
  },
  {
    name: 'Early Hints (103) before the answer',
    ...feed({
      [FEED_PATH]: ({ response }) => {
        response.writeEarlyHints({ link: '</a.css>; rel=preload; as=style' })
        response.writeHead(200, { 'content-type': 'text/csv' }).end(FEED)
      },
    }),
    expected: FEED_FOUND,
  },
]

const SESSION = { headers: { 'set-cookie': 'session=1; Path=/' }, body: FEED }
/** Each request with the cookies that it sent. */
const cookiesSent = ({ visits }: Crawled) =>
  visits.map(({ host, path, headers }) => `${host.split('.')[0]}${path} ${headers.cookie ?? '-'}`).join(', ')

const HEADERS: readonly CrawlBehaviour[] = [
  {
    name: 'header of 100 KB',
    ...feedAt(200, { 'x-long': 'x'.repeat(100_000) }, FEED),
    found: (crawled) =>
      `${summaryOf(crawled)}, ${(crawled.report.problems[0]?.detail.length ?? 0) <= 500 ? 'short' : 'long'} sentence`,
    expected: 'problem NOT_FETCHED, short sentence',
  },
  {
    name: 'many Set-Cookie, of which none comes back',
    routes: {
      '/': {
        headers: { 'set-cookie': Array.from({ length: 50 }, (_, n) => `c${n}=${n}; Path=/`) },
        body: pageOf(null, { body: '<a href="/p/1">1</a>' }),
      },
      '/p/1': pageOf(productOf()),
    },
    entry: site(),
    found: (crawled) =>
      `${summaryOf(crawled)}; ${crawled.visits.filter(({ headers }) => 'cookie' in headers).length} cookies`,
    expected: `${FEED_FOUND}; 0 cookies`,
  },
  {
    name: 'Set-Cookie, of a source that wants cookies',
    ...feed({ [FEED_PATH]: SESSION }),
    spec: { cookies: true },
    crawls: 2,
    found: cookiesSent,
    expected: 'shop/robots.txt -, shop/feed.csv -, shop/robots.txt -, shop/feed.csv -',
  },
  {
    name: 'Set-Cookie before a redirect, of a source that wants cookies',
    ...feed({
      [FEED_PATH]: [redirect(FEED_PATH, 302, 'session=1'), redirect('{other}/moved.csv')],
      '/moved.csv': FEED,
    }),
    spec: { cookies: true },
    found: cookiesSent,
    expected: 'shop/robots.txt -, shop/feed.csv -, shop/feed.csv session=1, other/robots.txt -, other/moved.csv -',
  },
  {
    name: 'HEAD refused: every request is a GET',
    ...feed({
      [FEED_PATH]: ({ request, response }) =>
        void response.writeHead(request.method === 'GET' ? 200 : 405, { 'content-type': 'text/csv' }).end(FEED),
    }),
    found: (crawled) => `${summaryOf(crawled)}; ${[...new Set(crawled.visits.map(({ method }) => method))].join()}`,
    expected: `${FEED_FOUND}; GET`,
  },
  {
    name: 'www twin: the entry point redirects there, and links stay there',
    routes: {
      'shop/': redirect('{www}/', 301),
      'www/': pageOf(null, { body: '<a href="/p/1">1</a><a href="{shop}/p/2">2</a>' }),
      'www/p/1': pageOf(productOf()),
      'shop/p/2': pageOf(productOf({ sku: 'B' })),
    },
    entry: site(),
    expected: FEED_FOUND,
  },
  {
    name: 'User-Agent that names the crawler and its operator in every request',
    ...feed({ [FEED_PATH]: FEED }),
    found: ({ visits }) => [...new Set(visits.map(({ headers }) => headers['user-agent']))].join(),
    expected: 'construction-cost-catalog/0.1 (+https://catalog.example)',
  },
]

function closing(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'text/html' }).end(body, () => response.socket?.destroy())
}

type Stub = Readonly<{ status: number; headers: Readonly<Record<string, string>>; body?: string }>

/** Answers by protocol, without a network; robots.txt is missing. */
function stubbed(answers: Readonly<Record<string, Stub>>): GuardedRequest {
  return async ({ pathname, protocol }) => {
    const {
      status,
      headers,
      body = '',
    } = pathname === '/robots.txt' ? { status: 404, headers: {} } : (answers[protocol] as Stub)
    return {
      statusCode: status,
      headers: { 'content-type': 'text/csv', ...headers },
      body: Object.assign(Readable.from([Buffer.from(body)]), { dump: async () => null }),
    } as never
  }
}

export const HTTP = crawlBehaviours('HTTP', [...REDIRECTS, ...STATUSES, ...CONNECTIONS, ...HEADERS])
