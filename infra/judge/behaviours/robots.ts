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
} from './behaviour.ts'
import { type Crawled, summaryOf } from './crawl-shop.ts'
import type { Routes } from './shop-server.ts'

/** robots.txt (RFC 9309), X-Robots-Tag and the robots rules of pages. */

const TEXT = { 'content-type': 'text/plain' }
const ROBOTS_BYTES = 500 * 1024

/** A feed at these paths under this robots.txt. */
const ruled = (robots: string | Buffer, path = FEED_PATH): Pick<CrawlBehaviour, 'routes' | 'entry'> => ({
  routes: { '/robots.txt': { headers: TEXT, body: robots }, [path]: FEED },
  entry: document(path),
})
const answering = (robots: Routes[string], more: Routes = {}): Pick<CrawlBehaviour, 'routes' | 'entry'> => ({
  routes: { '/robots.txt': robots, [FEED_PATH]: FEED, ...more },
  entry: document(),
})
const FORBIDDEN = 'problem ROBOTS; 0 requests'
const ALLOWED = `${FEED_FOUND}; 1 requests`
const withRequests = (crawled: Crawled) =>
  `${summaryOf(crawled)}; ${crawled.visits.filter(({ path }) => !path.startsWith('/robots')).length} requests`

const RULES: readonly CrawlBehaviour[] = (
  [
    ['all forbidden', ruled('User-agent: *\nDisallow: /\n'), FORBIDDEN],
    ['the longest match allows', ruled('User-agent: *\nDisallow: /\nAllow: /feed\n'), ALLOWED],
    ['the longest match forbids', ruled('User-agent: *\nAllow: /feed\nDisallow: /feed.c\n'), FORBIDDEN],
    ['rules of equal length: the one that allows', ruled('User-agent: *\nDisallow: /feed\nAllow: /feed\n'), ALLOWED],
    ['wildcard', ruled('User-agent: *\nDisallow: /*.csv\n'), FORBIDDEN],
    ['wildcard before a query', ruled('User-agent: *\nDisallow: /*?session=\n', '/feed?session=1'), FORBIDDEN],
    ['$ at the end of an address', ruled('User-agent: *\nDisallow: /feed$\n'), ALLOWED],
    ['$ at the end of a wildcard', ruled('User-agent: *\nDisallow: /*.csv$\n'), FORBIDDEN],
    ['empty Disallow', ruled('User-agent: *\nDisallow:\n'), ALLOWED],
    [
      'percent-encoding in another spelling',
      ruled('User-agent: *\nDisallow: /%70reise/\n', '/preise/feed.csv'),
      FORBIDDEN,
    ],
    [
      'own name in place of *',
      ruled('User-agent: *\nDisallow: /\n\nUser-agent: construction-cost-catalog\nAllow: /\n'),
      ALLOWED,
    ],
    [
      'own name, in capitals and with a version',
      ruled('User-agent: Construction-Cost-Catalog/2.0\nDisallow: /\n'),
      FORBIDDEN,
    ],
    ["another crawler's rules", ruled('User-agent: googlebot\nDisallow: /\n'), ALLOWED],
    ['name that only begins as ours', ruled('User-agent: construction-cost-catalog-images\nDisallow: /\n'), ALLOWED],
    [
      'several groups of one crawler',
      ruled('User-agent: *\nDisallow: /a\n\nUser-agent: b\nDisallow: /b\n\nUser-agent: *\nDisallow: /feed\n'),
      FORBIDDEN,
    ],
    ['several names before one list of rules', ruled('User-agent: b\nUser-agent: *\nDisallow: /feed\n'), FORBIDDEN],
    [
      'Sitemap and Crawl-delay between names and rules',
      ruled('User-agent: *\nSitemap: http://shop.example/s.xml\nCrawl-delay: 1\nDisallow: /feed\n'),
      FORBIDDEN,
    ],
    [
      'comments, blanks and carriage returns',
      ruled('# shop\r\n user-agent : * # all\r\n\tdisallow:/feed # prices\r\n'),
      FORBIDDEN,
    ],
    ['byte order mark', ruled('\ufeffUser-agent: *\nDisallow: /\n'), FORBIDDEN],
    ['huge: a rule within 500 KiB', ruled(`User-agent: *\nDisallow: /feed\n${'#x\n'.repeat(ROBOTS_BYTES)}`), FORBIDDEN],
    [
      'huge: a rule beyond 500 KiB',
      ruled(`User-agent: *\n${'#x\n'.repeat(ROBOTS_BYTES / 2)}Disallow: /feed\n`),
      ALLOWED,
    ],
    ['zero bytes and no text', ruled(Buffer.from([0, 1, 2, 0xff, 0xfe, 10])), ALLOWED],
    ['page of markup in place of rules', ruled(pageOf(null, { body: 'Not found' })), ALLOWED],
    ['missing (404)', answering({ status: 404 }), ALLOWED],
    ['status 401', answering({ status: 401 }), ALLOWED],
    ['status 403', answering({ status: 403 }), ALLOWED],
    ['status 429 for ever', answering({ status: 429 }), FORBIDDEN],
    ['status 500 for ever', answering({ status: 500 }), FORBIDDEN],
    [
      'status 503 at first: the crawl waits for it',
      answering([{ status: 503 }, { status: 503 }, { status: 503 }, { headers: TEXT, body: '' }]),
      ALLOWED,
    ],
    ['connection that ends', answering(({ response }) => void response.destroy()), FORBIDDEN],
    [
      'redirect to another path',
      answering(
        { status: 301, headers: { location: '/robots-new.txt' } },
        { '/robots-new.txt': { headers: TEXT, body: 'User-agent: *\nDisallow: /' } },
      ),
      FORBIDDEN,
    ],
    [
      'redirect to another host',
      answering(
        { status: 301, headers: { location: '{www}/robots.txt' } },
        { 'www/robots.txt': { headers: TEXT, body: 'User-agent: *\nDisallow: /' } },
      ),
      FORBIDDEN,
    ],
    ['redirects without end', answering({ status: 302, headers: { location: '/robots.txt' } }), FORBIDDEN],
  ] as const
).map(([name, shop, expected]) => ({ name, ...shop, found: withRequests, expected }))

/** Least seconds between two requests after robots.txt. */
function spacing({ visits }: Crawled): string {
  const times = visits.slice(1).map(({ atMs }) => atMs)
  const gaps = times.slice(1).map((atMs, n) => atMs - (times[n] as number))
  return `${gaps.length + 1} requests, ${Math.round(Math.min(...gaps) / 1000)} s apart`
}
const record = (sku: string) => JSON.stringify([{ sku, name: 'Brick', price: '1.50' }])
/** Pages that a crawl requests one after the other. */
const delayed = (delay: string): Pick<CrawlBehaviour, 'routes' | 'entry'> => ({
  routes: {
    '/robots.txt': { headers: TEXT, body: `User-agent: *\nCrawl-delay: ${delay}\n` },
    '/1.json': { headers: { link: '</2.json>; rel="next"' }, body: record('A') },
    '/2.json': { headers: { link: '</3.json>; rel="next"' }, body: record('B') },
    '/3.json': record('C'),
  },
  entry: { kind: 'api', url: '{shop}/1.json' },
})

const DELAYS: readonly CrawlBehaviour[] = (
  [
    ['Crawl-delay of 5 seconds', '5', '3 requests, 5 s apart'],
    ['Crawl-delay of a day, bounded to a minute', '86400', '3 requests, 60 s apart'],
    ['Crawl-delay below zero: the own one of a second', '-3', '3 requests, 1 s apart'],
    ['Crawl-delay that is no number', 'slow', '3 requests, 1 s apart'],
  ] as const
).map(([name, delay, expected]) => ({ name, ...delayed(delay), found: spacing, expected }))

/** A front page that links a product page, and one product page that links another. */
function linked(first: Routes[string], front: Routes[string] = pageOf(null, { body: '<a href="/p/1">1</a>' })) {
  return { routes: { '/': front, '/p/1': first, '/p/2': pageOf(productOf({ sku: 'B' })) }, entry: site() }
}
const NEXT = '<a href="/p/2">2</a>'
const meta = (content: string, name = 'robots') =>
  pageOf(productOf(), { head: `<meta name="${name}" content="${content}">`, body: NEXT })
const tagged = (tag: string | string[]) => ({
  headers: { 'x-robots-tag': tag },
  body: pageOf(productOf(), { body: NEXT }),
})

const TAGS: readonly CrawlBehaviour[] = (
  [
    ['no tag: both pages', linked(pageOf(productOf(), { body: NEXT })), 'A 1.50 EUR, B 1.50 EUR'],
    ['X-Robots-Tag noindex', linked(tagged('noindex')), 'B 1.50 EUR'],
    ['X-Robots-Tag nofollow', linked(tagged('nofollow')), 'A 1.50 EUR'],
    ['X-Robots-Tag none', linked(tagged('none')), 'problem NO_DOCUMENTS'],
    [
      'X-Robots-Tag noindex for another crawler',
      linked(tagged('googlebot: noindex, nofollow')),
      'A 1.50 EUR, B 1.50 EUR',
    ],
    [
      'X-Robots-Tag noindex for us, in a second header',
      linked(tagged(['otherbot: none', 'construction-cost-catalog: noindex'])),
      'B 1.50 EUR',
    ],
    ['meta robots noindex', linked(meta('noindex')), 'B 1.50 EUR'],
    ['meta robots nofollow', linked(meta('NOFOLLOW, index')), 'A 1.50 EUR'],
    ['meta robots none', linked(meta('none')), 'problem NO_DOCUMENTS'],
    ['meta of our own name', linked(meta('noindex,nofollow', 'construction-cost-catalog')), 'problem NO_DOCUMENTS'],
    ["meta of another crawler's name", linked(meta('none', 'googlebot')), 'A 1.50 EUR, B 1.50 EUR'],
    [
      'link with rel=nofollow',
      linked(pageOf(productOf(), { body: '<a rel="nofollow sponsored" href="/p/2">2</a>' })),
      'A 1.50 EUR',
    ],
  ] as const
).map(([name, shop, expected]) => ({ name, ...shop, expected }))

export const ROBOTS = [...crawlBehaviours('robots.txt', [...RULES, ...DELAYS]), ...crawlBehaviours('robots tags', TAGS)]
