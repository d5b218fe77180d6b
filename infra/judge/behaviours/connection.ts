import { gzipSync } from 'node:zlib'
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
import type { Routes } from './shop-server.ts'

/** Bytes on the wire that servers of HTTP should not send, and do; names of hosts with several addresses. */

/** Answers with these bytes, then ends the connection. */
const raw = (text: string): Pick<CrawlBehaviour, 'routes' | 'entry'> => ({
  routes: { [FEED_PATH]: ({ response }) => void response.socket?.end(Buffer.from(text, 'utf8')) },
  entry: document(),
})
const head = (...lines: readonly string[]) => `${lines.join('\r\n')}\r\n\r\n`
const LENGTH = `Content-Length: ${FEED.length}`
const TYPE = 'Content-Type: text/csv'
/** A redirect whose address is written in the bytes of UTF-8, as browsers read it. */
const toSpain = (location: string): Pick<CrawlBehaviour, 'routes' | 'entry'> => ({
  routes: {
    ...raw(head('HTTP/1.1 301 Moved', `Location: ${location}`, 'Content-Length: 0')).routes,
    '/ni%C3%B1o/feed.csv': FEED,
    '/a%20b.csv': FEED,
  },
  entry: document(),
})

const WIRE: readonly CrawlBehaviour[] = (
  [
    ['HTTP/1.0 without a length', raw(head('HTTP/1.0 200 OK', TYPE) + FEED), FEED_FOUND],
    [
      'HTTP/1.1 without a length, ended by the connection',
      raw(head('HTTP/1.1 200 OK', TYPE, 'Connection: close') + FEED),
      FEED_FOUND,
    ],
    ['status without a phrase', raw(head('HTTP/1.1 200', TYPE, LENGTH) + FEED), FEED_FOUND],
    ['status 999', raw(head('HTTP/1.1 999 Denied', 'Content-Length: 0')), 'problem NOT_FETCHED'],
    [
      'chunks with extensions and trailers',
      raw(
        `${head('HTTP/1.1 200 OK', TYPE, 'Transfer-Encoding: chunked')}${FEED.length.toString(16)};x=y\r\n${FEED}\r\n0\r\nX-Sum: 1\r\n\r\n`,
      ),
      FEED_FOUND,
    ],
    [
      'two lengths that differ',
      raw(head('HTTP/1.1 200 OK', TYPE, LENGTH, 'Content-Length: 5') + FEED),
      'problem NOT_FETCHED',
    ],
    [
      'length and chunks at once',
      raw(
        `${head('HTTP/1.1 200 OK', TYPE, 'Content-Length: 5', 'Transfer-Encoding: chunked')}${FEED.length.toString(16)}\r\n${FEED}\r\n0\r\n\r\n`,
      ),
      'problem NOT_FETCHED',
    ],
    ['answer that is no HTTP', raw('SSH-2.0-OpenSSH_9.6\r\n'), 'problem NOT_FETCHED'],
    [
      'line break smuggled into a header',
      raw(head('HTTP/1.1 301 Moved', 'Location: /a%20b.csv%0d%0aSet-Cookie: x=1', 'Content-Length: 0')),
      'problem GONE',
    ],
    ['redirect to an address with letters of Spanish', toSpain('/niño/feed.csv'), FEED_FOUND],
    ['redirect to an address with a blank', toSpain('/a b.csv'), FEED_FOUND],
  ] as const
).map(([name, answer, expected]) => ({ name, ...answer, expected }))

const robots = (routes: Routes): Routes => ({ ...routes, [FEED_PATH]: FEED })
const MORE: readonly CrawlBehaviour[] = [
  {
    name: 'robots.txt in gzip',
    routes: robots({
      '/robots.txt': {
        headers: { 'content-type': 'text/plain', 'content-encoding': 'gzip' },
        body: gzipSync('User-agent: *\nDisallow: /'),
      },
    }),
    entry: document(),
    expected: 'problem ROBOTS',
  },
  {
    name: 'sitemap.xml.gz, packed once more for the way',
    routes: {
      '/sitemap.xml.gz': ({ request, response }) => {
        const packed = gzipSync(gzipSync(`<urlset><url><loc>http://${request.headers.host}/p/1</loc></url></urlset>`))
        response.writeHead(200, { 'content-type': 'application/gzip', 'content-encoding': 'gzip' }).end(packed)
      },
      '/p/1': pageOf(productOf()),
    },
    entry: sitemap('/sitemap.xml.gz'),
    expected: FEED_FOUND,
  },
  {
    name: 'sitemap in UTF-16',
    routes: {
      '/sitemap.xml': ({ request, response }) => {
        const text = `\ufeff<?xml version="1.0" encoding="UTF-16"?><urlset><url><loc>http://${request.headers.host}/p/1</loc></url></urlset>`
        response.writeHead(200, { 'content-type': 'application/xml' }).end(Buffer.from(text, 'utf16le'))
      },
      '/p/1': pageOf(productOf()),
    },
    entry: sitemap(),
    expected: FEED_FOUND,
  },
  {
    name: 'links with letters of Spanish, written in UTF-8 and escaped',
    routes: {
      '/': pageOf(null, { body: '<a href="/p/niño">1</a><a href="/p/ni%C3%B1o">2</a><a href="/p/ni&ntilde;o">3</a>' }),
      '/p/ni%C3%B1o': pageOf(productOf()),
    },
    entry: site(),
    expected: FEED_FOUND,
  },
  {
    name: 'name with an address of the own network beside a public one',
    routes: { [FEED_PATH]: { status: 302, headers: { location: 'http://both.example:{innerPort}/' } } },
    entry: document(),
    found: ({ report, innerVisits }) =>
      `${report.problems[0]?.detail.includes('expected an address of the public internet') ? 'refused as not public' : 'requested'}, ${innerVisits.length} inner requests`,
    expected: 'refused as not public, 0 inner requests',
  },
]

export const CONNECTION = crawlBehaviours('wire', [...WIRE, ...MORE])
