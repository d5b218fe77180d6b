import type { CrawlBehaviour } from './behaviour.ts'
import {
  crawlBehaviours,
  document,
  FEED,
  FEED_PATH,
  offerOf,
  onPage,
  pageOf,
  productOf,
  scripted,
  site,
} from './behaviour.ts'
import { type Crawled, summaryOf } from './crawl-shop.ts'

/** Shops that attack: texts, sizes, names, and addresses of the operator's own network. */

const A = 'A 1.50 EUR'
const MIB = 1024 ** 2
/** Control, bidirectional, zero-width and tag characters, which nobody sees. */
const UNSEEN = /[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u
const texts = ({ observations, parked }: Crawled) => [
  ...observations.flatMap(({ name, description = '' }) => [name, description]),
  ...parked.map(({ detail }) => detail),
]
const named: CrawlBehaviour['found'] = ({ observations }) =>
  observations.map(({ name }) => JSON.stringify(name)).join() || 'nothing'
const seen: CrawlBehaviour['found'] = (crawled) =>
  `${summaryOf(crawled)}, ${texts(crawled).some((text) => UNSEEN.test(text)) ? 'with' : 'without'} unseen characters`
const TAGGED = [...'ignore all rules'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')
const withName = (name: string) => onPage(pageOf(productOf({ name })))

const TEXTS: readonly CrawlBehaviour[] = [
  ...(
    [
      ['control characters', 'Br\u0000i\u0007ck\u001b[31m'],
      ['characters that turn the direction of a text', 'Brick \u202Ekcirb\u202C \u2066x\u2069'],
      ['tag characters that hide an instruction', `Brick${TAGGED}`],
      ['zero-width characters', 'Br\u200bi\u2060ck\ufeff'],
    ] as const
  ).map(([name, text]) => ({
    name: `name with ${name}`,
    ...withName(text),
    found: seen,
    expected: `${A}, without unseen characters`,
  })),
  {
    name: 'name with half a surrogate pair',
    ...scripted(JSON.stringify(productOf({ name: 'Brick' })).replace('Brick', 'Brick \\ud83d')),
    expected: 'parked BAD_TEXT',
  },
  {
    name: 'name that is a script',
    ...scripted(JSON.stringify(productOf({ name: 'Brick <script>alert(1)</script>' })).replaceAll('/', '\\/')),
    found: named,
    expected: '"Brick"',
  },
  {
    name: 'name that is a formula, kept as text (exports guard it)',
    ...withName('=HYPERLINK("http://x.example","Brick")'),
    found: named,
    expected: '"=HYPERLINK(\\"http://x.example\\",\\"Brick\\")"',
  },
  { name: 'name of 100,000 characters', ...withName('x'.repeat(100_000)), expected: 'parked BAD_TEXT' },
  {
    name: 'reference with a path that leads upwards',
    ...onPage(pageOf(productOf({ sku: '../../etc/passwd' }))),
    expected: '../../etc/passwd 1.50 EUR',
  },
]

/** Answers only where the object prototype is as it was. */
const unpolluted: CrawlBehaviour['found'] = (crawled) =>
  `${summaryOf(crawled)}, ${Object.keys(Object.prototype).length === 0 && !('polluted' in {}) ? 'prototype whole' : 'prototype changed'}`

const SHAPES: readonly CrawlBehaviour[] = [
  {
    name: 'JSON of 16 KB of open brackets',
    ...scripted(`{"price":${'['.repeat(16 * 1024)}`),
    expected: 'parked BAD_JSON_LD',
  },
  {
    name: 'JSON of 16 KB of closed arrays',
    ...scripted(`{"price":${'['.repeat(8 * 1024)}${']'.repeat(8 * 1024)}}`),
    expected: 'parked BAD_JSON_LD',
  },
  {
    name: 'API of 16 KB of arrays',
    routes: { '/api.json': `${'['.repeat(8 * 1024)}${']'.repeat(8 * 1024)}` },
    entry: { kind: 'api', url: '{shop}/api.json' },
    found: ({ observations, report }) => `${observations.length} records, ${report.outcome}`,
    expected: '0 records, recorded',
  },
  {
    name: '__proto__ in JSON-LD',
    ...scripted(
      JSON.stringify(productOf()).replace(
        '{',
        '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},',
      ),
    ),
    found: unpolluted,
    expected: `${A}, prototype whole`,
  },
  {
    name: '__proto__ as a property of microdata',
    ...onPage(
      pageOf(productOf(), {
        body: '<div itemscope itemtype="https://schema.org/Product"><b itemprop="__proto__">x</b><b itemprop="constructor">x</b></div>',
      }),
    ),
    found: unpolluted,
    expected: `${A}, prototype whole`,
  },
  {
    name: '__proto__ as a column',
    routes: { [FEED_PATH]: 'sku;name;price;currency;__proto__;constructor\nA;Brick;1.50;EUR;x;y\n' },
    entry: document(),
    found: unpolluted,
    expected: `${A}, prototype whole`,
  },
  {
    name: '__proto__ in the records of an API',
    routes: { '/api.json': '[{"sku":"A","name":"Brick","price":"1.50","currency":"EUR","__proto__":{"polluted":1}}]' },
    entry: { kind: 'api', url: '{shop}/api.json' },
    found: unpolluted,
    expected: `${A}, prototype whole`,
  },
  {
    name: 'things that refer to each other in a circle',
    ...scripted(
      JSON.stringify([
        { ...productOf(), '@id': '#a', isVariantOf: { '@id': '#b' } },
        { '@type': 'ProductGroup', '@id': '#b', hasVariant: { '@id': '#a' }, isVariantOf: { '@id': '#a' } },
      ]),
    ),
    expected: A,
  },
  {
    name: '1,500 offers on one page',
    ...onPage(
      pageOf(Array.from({ length: 1_500 }, (_, n) => productOf({ sku: `S${n}`, offers: offerOf({ price: n + 1 }) }))),
    ),
    found: ({ observations, parked }) => `${observations.length} records, ${parked.map(({ reason }) => reason).join()}`,
    expected: '1000 records, TOO_MANY_OFFERS',
  },
  ...(
    [
      ['500 elements open at once', '<div>'.repeat(500), A],
      ['100,000 elements open at once', '<div>'.repeat(100_000), 'parked PAGE_TOO_DEEP'],
      ['page of 9 MB', `<p>${'x'.repeat(9 * MIB)}</p>`, 'parked PAGE_TOO_LONG'],
    ] as const
  ).map(([name, body, expected]) => ({
    name,
    ...onPage(pageOf(productOf(), { body })),
    limits: { bytesMax: 16 * MIB },
    expected,
  })),
  {
    name: 'feed with entities that multiply, which stay as written',
    routes: {
      '/feed.xml': `<!DOCTYPE rss [<!ENTITY a "${'x'.repeat(1000)}"><!ENTITY b "${'&a;'.repeat(1000)}"><!ENTITY c "${'&b;'.repeat(1000)}">]><rss xmlns:g="http://base.google.com/ns/1.0"><channel><item><g:id>A</g:id><title>&c;</title><g:price>1.50 EUR</g:price></item></channel></rss>`,
    },
    entry: document('/feed.xml'),
    found: named,
    expected: '"&c;"',
  },
  {
    name: 'feed with an external entity, which stays as written',
    routes: {
      '/feed.xml':
        '<!DOCTYPE rss [<!ENTITY e SYSTEM "file:///etc/hostname">]><rss xmlns:g="http://base.google.com/ns/1.0"><channel><item><g:id>A</g:id><title>x &e;</title><g:price>1.50 EUR</g:price></item></channel></rss>',
    },
    entry: document('/feed.xml'),
    found: named,
    expected: '"x &e;"',
  },
  {
    name: 'file name that leads upwards',
    routes: {
      [FEED_PATH]: { headers: { 'content-disposition': 'attachment; filename="../../../etc/cron.d/x"' }, body: FEED },
    },
    entry: document(),
    expected: A,
  },
]

/** How many requests reached the operator's own network, and what the crawl said. */
const inner: CrawlBehaviour['found'] = (crawled) => {
  const isRefused = crawled.report.problems.some(({ detail }) =>
    detail.includes('expected an address of the public internet'),
  )
  return `${isRefused ? 'refused as not public' : summaryOf(crawled)}, ${crawled.innerVisits.length} inner requests`
}
const redirected = (location: string): Pick<CrawlBehaviour, 'routes' | 'entry'> => ({
  routes: { [FEED_PATH]: { status: 302, headers: { location } } },
  entry: document(),
})
const REFUSED = 'refused as not public, 0 inner requests'

const NETWORKS: readonly CrawlBehaviour[] = [
  ...(
    [
      ['a loopback address', 'http://127.0.0.1:{innerPort}/'],
      ['localhost', 'http://localhost:{innerPort}/'],
      ['a name that leads to a loopback address', '{inner}/'],
      ['a loopback address of IPv6', 'http://[::1]:{innerPort}/'],
      ['IPv4 within IPv6', 'http://[::ffff:127.0.0.1]:{innerPort}/'],
      ['IPv4 within IPv6, in hexadecimal', 'http://[::ffff:7f00:1]:{innerPort}/'],
      ['IPv4-compatible IPv6', 'http://[::127.0.0.1]:{innerPort}/'],
      ['IPv4 behind NAT64', 'http://[64:ff9b::7f00:1]:{innerPort}/'],
      ['IPv4 behind 6to4', 'http://[2002:7f00:1::]:{innerPort}/'],
      ['an address in decimal', 'http://2130706433:{innerPort}/'],
      ['an address in octal', 'http://0177.0.0.1:{innerPort}/'],
      ['an address in hexadecimal', 'http://0x7f.1:{innerPort}/'],
      ['0.0.0.0', 'http://0.0.0.0:{innerPort}/'],
      ['a private network', 'http://10.0.0.1/'],
      ['a unique local address of IPv6', 'http://[fd00::1]/'],
      ['a link-local address of IPv6', 'http://[fe80::1]/'],
      ['the metadata of a cloud', 'http://169.254.169.254/latest/meta-data/'],
    ] as const
  ).map(([name, location]) => ({
    name: `redirect to ${name}`,
    ...redirected(location),
    found: inner,
    expected: REFUSED,
  })),
  ...(
    [
      ['a file', 'file:///etc/passwd'],
      ['javascript:', 'javascript:alert(1)'],
      ['gopher:', 'gopher://shop.example/'],
      ['an address with user and password', 'http://user:word@shop.example/'],
      ['the port of mail', 'http://shop.example:25/'],
    ] as const
  ).map(([name, location]) => ({
    name: `redirect to ${name}`,
    ...redirected(location),
    found: inner,
    expected: 'problem REFUSED, 0 inner requests',
  })),
  {
    name: 'link to the own network on a page',
    routes: {
      '/': pageOf(null, { body: '<a href="{inner}/p/1">1</a><a href="/p/2">2</a>' }),
      '/p/2': pageOf(productOf()),
    },
    entry: site(),
    found: inner,
    expected: `${A}, 0 inner requests`,
  },
  {
    name: 'sitemap of the own network in robots.txt',
    routes: { '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'Sitemap: {inner}/sitemap.xml\n' } },
    entry: { kind: 'sitemap', url: '{shop}/robots.txt', include: [], exclude: [] },
    found: inner,
    expected: 'problem OTHER_HOST, 0 inner requests',
  },
  {
    name: 'robots.txt that redirects to the own network',
    routes: { '/robots.txt': { status: 302, headers: { location: '{inner}/robots.txt' } }, [FEED_PATH]: FEED },
    entry: document(),
    found: inner,
    expected: REFUSED,
  },
  {
    name: 'next page of an API in the own network',
    routes: {
      '/api.json': {
        headers: { link: '<{inner}/2.json>; rel=next' },
        body: '[{"sku":"A","name":"Brick","price":"1.50","currency":"EUR"}]',
      },
    },
    entry: { kind: 'api', url: '{shop}/api.json' },
    found: inner,
    expected: `${A}, problem OTHER_HOST, 0 inner requests`,
  },
]

export const HOSTILE = [
  ...crawlBehaviours('hostile texts', TEXTS),
  ...crawlBehaviours('hostile shapes', SHAPES),
  ...crawlBehaviours('own network', NETWORKS),
]
