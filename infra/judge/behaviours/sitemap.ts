import { gzipSync } from 'node:zlib'
import { type CrawlBehaviour, crawlBehaviours, FEED, pageOf, productOf, sitemap } from './behaviour.ts'
import { type Crawled, summaryOf } from './crawl-shop.ts'
import type { Routes } from './shop-server.ts'

/** Sitemaps and their indexes. */

const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
const urls = (...entries: readonly string[]) =>
  `<urlset ${NAMESPACE}>${entries.map((entry) => `<url>${entry}</url>`).join('')}</urlset>`
const index = (...paths: readonly string[]) =>
  `<sitemapindex ${NAMESPACE}>${paths.map((path) => `<sitemap><loc>${path}</loc></sitemap>`).join('')}</sitemapindex>`
const PAGE_A = '<loc>{shop}/p/a</loc>'
const PAGES: Routes = {
  '/p/a': pageOf(productOf()),
  '/p/b': pageOf(productOf({ sku: 'B' })),
  '/p?x=1&y=2': pageOf(productOf({ sku: 'Q' })),
}

const shop = (text: string | Buffer, more: Routes = {}): Pick<CrawlBehaviour, 'routes' | 'entry'> => ({
  routes: { ...PAGES, '/sitemap.xml': { headers: { 'content-type': 'application/xml' }, body: text }, ...more },
  entry: sitemap(),
})
const A = 'A 1.50 EUR'
const BOTH = 'A 1.50 EUR, B 1.50 EUR'
const withRequests = (crawled: Crawled) =>
  `${summaryOf(crawled)}; ${crawled.visits.filter(({ path }) => /\.xml|\/p/.test(path)).length} requests`

const pagesAsked = ({ visits }: Crawled) =>
  visits
    .map(({ path }) => path)
    .filter((path) => path.startsWith('/p'))
    .join() || 'no page'

const FORMS: readonly CrawlBehaviour[] = (
  [
    ['plain', shop(urls(PAGE_A, '<loc>{shop}/p/b</loc>')), BOTH],
    ['index of indexes', shop(index('{shop}/2.xml'), { '/2.xml': index('{shop}/3.xml'), '/3.xml': urls(PAGE_A) }), A],
    [
      'index of itself and of another that leads back',
      shop(index('{shop}/sitemap.xml', '{shop}/2.xml'), {
        '/2.xml': index('{shop}/sitemap.xml', '{shop}/3.xml'),
        '/3.xml': urls(PAGE_A),
      }),
      A,
    ],
    [
      'another namespace',
      shop(`<urlset xmlns="http://www.google.com/schemas/sitemap/0.84"><url>${PAGE_A}</url></urlset>`),
      A,
    ],
    [
      'prefixed names',
      shop(
        `<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"><s:url><s:loc>{shop}/p/a</s:loc></s:url></s:urlset>`,
      ),
      A,
    ],
    ['no namespace', shop(`<urlset><url>${PAGE_A}</url></urlset>`), A],
    ['CDATA', shop(urls('<loc><![CDATA[{shop}/p?x=1&y=2]]></loc>')), 'Q 1.50 EUR'],
    ['entities', shop(urls('<loc>{shop}/p?x=1&amp;y=&#50;</loc>')), 'Q 1.50 EUR'],
    ['bare ampersand', shop(urls('<loc>{shop}/p?x=1&y=2</loc>')), 'Q 1.50 EUR'],
    ['line breaks around an address', shop(urls('<loc>\n    {shop}/p/a\n  </loc>')), A],
    [
      'images beside an address',
      shop(
        urls(
          `${PAGE_A}<image:image xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"><image:loc>{shop}/p/b</image:loc></image:image>`,
        ),
      ),
      A,
    ],
    ['address twice', shop(urls(PAGE_A, PAGE_A)), A],
    [
      'byte order mark and blanks before the declaration',
      shop(`\ufeff\n  <?xml version="1.0" encoding="UTF-8"?>${urls(PAGE_A)}`),
      A,
    ],
    ['text, one address a line', shop('{shop}/p/a\r\n{shop}/p/b\r\n'), BOTH],
    [
      'page of an error with status 200',
      shop('<!doctype html><html><body>Sorry</body></html>'),
      'problem NOT_A_SITEMAP',
    ],
    ['empty', shop(''), 'problem NOT_A_SITEMAP'],
    ['cut in the middle', shop(urls(PAGE_A, '<loc>{shop}/p/b</loc>').slice(0, -40)), `${A}, problem UNEXPECTED_END`],
    ['missing', { routes: PAGES, entry: sitemap() }, 'problem GONE'],
    [
      'one of two of an index missing',
      shop(index('{shop}/2.xml', '{shop}/3.xml'), { '/2.xml': urls(PAGE_A) }),
      `${A}, problem GONE`,
    ],
    ['page that is gone', shop(urls(PAGE_A, '<loc>{shop}/p/gone</loc>')), A],
    ['price list among the pages', shop(urls('<loc>{shop}/prices.csv</loc>'), { '/prices.csv': FEED }), A],
    [
      'images and documents among the pages, which are not requested',
      shop(urls(PAGE_A, '<loc>{shop}/p/a.jpg</loc>', '<loc>{shop}/p/a.pdf</loc>')),
      A,
    ],
  ] as const
).map(([name, routes, expected]) => ({ name, ...routes, expected }))

const gzipped = (text: string) => gzipSync(text.replaceAll('{shop}', 'http://shop.example'))
const HOSTS: readonly CrawlBehaviour[] = (
  [
    ['relative address', shop(urls(PAGE_A, '<loc>/p/b</loc>')), `${A}, problem BAD_URL`],
    ['address of another host', shop(urls(PAGE_A, '<loc>{other}/p/b</loc>')), `${A}, problem OTHER_HOST`],
    ['address of the www twin', shop(urls('<loc>{www}/p/a</loc>')), A],
    ['address of another scheme', shop(urls(PAGE_A, '<loc>{secure}/p/b</loc>')), `${A}, problem OTHER_SCHEME`],
    [
      'javascript: and mailto:',
      shop(urls(PAGE_A, '<loc>javascript:alert(1)</loc>', '<loc>mailto:a@b.example</loc>')),
      `${A}, problem BAD_URL`,
    ],
    [
      'address with user and password',
      shop(urls(PAGE_A, '<loc>http://user:word@shop.example/p/b</loc>')),
      `${A}, problem BAD_URL`,
    ],
    [
      'index that names a sitemap of another host',
      shop(index('{other}/2.xml'), { 'other/2.xml': urls(PAGE_A) }),
      'problem OTHER_HOST',
    ],
  ] as const
).map(([name, routes, expected]) => ({ name, ...routes, expected }))

const BOUNDS: readonly CrawlBehaviour[] = [
  {
    name: 'gzip, declared as a file',
    routes: {
      ...PAGES,
      // The address of a page needs the port of the server, so the bytes are made when they are asked for.
      '/sitemap.xml.gz': ({ request, response }) =>
        void response
          .writeHead(200, { 'content-type': 'application/gzip' })
          .end(gzipSync(urls(`<loc>http://${request.headers.host}/p/a</loc>`))),
    },
    entry: sitemap('/sitemap.xml.gz'),
    expected: A,
  },
  {
    name: 'gzip that is none',
    ...shop(Buffer.concat([gzipped(urls(PAGE_A)).subarray(0, 10), Buffer.from('not gzip')])),
    expected: 'problem BAD_GZIP',
  },
  {
    name: 'named in robots.txt, which is the entry point',
    routes: {
      ...PAGES,
      '/robots.txt': {
        headers: { 'content-type': 'text/plain' },
        body: 'User-agent: *\nDisallow:\n\nSitemap: {shop}/maps.xml\n',
      },
      '/maps.xml': urls(PAGE_A),
    },
    entry: sitemap('/robots.txt'),
    expected: A,
  },
  {
    name: 'links that robots.txt forbids, counted apart',
    ...shop(urls(PAGE_A, '<loc>{shop}/p/b</loc>'), {
      '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /p/b\n' },
    }),
    expected: `${A}, 1 forbidden`,
  },
  {
    name: 'more addresses than pages_max',
    ...shop(urls(...Array.from({ length: 20 }, (_, n) => `<loc>{shop}/n/${n}</loc>`), PAGE_A)),
    spec: { pagesMax: 5 },
    found: withRequests,
    expected: 'problem PAGES_MAX; 1 requests',
  },
  {
    name: 'more addresses than the protocol allows',
    ...shop(urls(PAGE_A, ...Array.from({ length: 50_001 }, () => PAGE_A))),
    limits: { bytesMax: 8 * 1024 ** 2 },
    expected: `${A}, problem TOO_MANY_URLS`,
  },
  {
    name: 'lastmod before the crawl before: the page is left out',
    ...shop(urls(`${PAGE_A}<lastmod>2020-01-01</lastmod>`, '<loc>{shop}/p/b</loc>')),
    crawls: 2,
    expected: 'B 1.50 EUR',
  },
  {
    name: 'lastmod that is no date: the page is requested again',
    ...shop(urls(`${PAGE_A}<lastmod>yesterday</lastmod>`)),
    crawls: 2,
    expected: A,
  },
  {
    name: 'lastmod of the last minute, and one of a month',
    ...shop(
      urls(`${PAGE_A}<lastmod>2026-01-30T00:00:01+00:00</lastmod>`, '<loc>{shop}/p/b</loc><lastmod>2026-01</lastmod>'),
    ),
    crawls: 2,
    expected: BOTH,
  },
  {
    name: 'entities that multiply, which stay as written',
    ...shop(
      `<!DOCTYPE urlset [<!ENTITY a "${'x'.repeat(1000)}"><!ENTITY b "${'&a;'.repeat(1000)}"><!ENTITY c "${'&b;'.repeat(1000)}">]><urlset><url><loc>{shop}/p/a?&c;</loc></url></urlset>`,
    ),
    found: pagesAsked,
    expected: '/p/a?&c;',
  },
  {
    name: 'external entity, which stays as written',
    ...shop(
      '<!DOCTYPE urlset [<!ENTITY e SYSTEM "file:///etc/hostname">]><urlset><url><loc>{shop}/p/&e;</loc></url></urlset>',
    ),
    found: pagesAsked,
    expected: '/p/&e;',
  },
]

export const SITEMAP = crawlBehaviours('sitemap', [...FORMS, ...HOSTS, ...BOUNDS])
