import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import {
  type CrawlBehaviour,
  crawlBehaviours,
  document,
  FEED,
  FEED_FOUND,
  FEED_PATH,
  pageOf,
  productOf,
} from './behaviour.ts'
import { type Crawled, summaryOf } from './crawl-shop.ts'
import type { Visiting } from './shop-server.ts'

/** Lengths, encodings, types and charsets of bodies. */

const MIB = 1024 ** 2
const LONG_FEED = `sku;name;price\n${Array.from({ length: 20_000 }, (_, n) => `S-${n};Brick ${n};1.25\n`).join('')}`
const PIECE = Buffer.alloc(64 * 1024, 'x')
const DRIP_MS = 20

const body = (
  bytes: string | Buffer,
  headers: Record<string, string> = {},
): Pick<CrawlBehaviour, 'routes' | 'entry'> => ({
  routes: { [FEED_PATH]: { headers, body: bytes } },
  entry: document(),
})
const PAGE_PATH = '/p/1'
const pageBody = (bytes: string | Buffer, type: string): Pick<CrawlBehaviour, 'routes' | 'entry'> => ({
  routes: { [PAGE_PATH]: { headers: { 'content-type': type }, body: bytes } },
  entry: document(PAGE_PATH),
})
const answered = (answer: (visiting: Visiting) => void): Pick<CrawlBehaviour, 'routes' | 'entry'> => ({
  routes: { [FEED_PATH]: answer },
  entry: document(),
})
const withRequests = (crawled: Crawled) =>
  `${summaryOf(crawled)}; ${crawled.visits.filter(({ path }) => path === FEED_PATH).length} requests`

const LENGTHS: readonly CrawlBehaviour[] = [
  { name: 'empty body with status 200', ...body(''), expected: 'problem NOTHING_READ' },
  {
    name: 'page of an error with status 200 in place of a feed',
    ...body('<!doctype html><html><head><title>Error</title></head><body><h1>Database is down</h1></body></html>'),
    expected: 'parked NO_COLUMN',
  },
  {
    name: 'Content-Length beyond the body',
    ...answered(({ response }) => {
      response.writeHead(200, { 'content-type': 'text/csv', 'content-length': String(FEED.length * 2) })
      response.write(FEED, () => response.destroy())
    }),
    found: withRequests,
    expected: 'problem NOT_FETCHED; 3 requests',
  },
  {
    name: 'chunked body that is cut',
    ...answered(({ response }) => {
      response.writeHead(200, { 'content-type': 'text/csv' })
      response.write(FEED, () => response.destroy())
    }),
    found: withRequests,
    expected: 'problem NOT_FETCHED; 3 requests',
  },
  {
    name: 'body that is cut once, with a strong ETag: the rest is requested alone',
    ...answered(({ request, response, times }) => {
      const half = 100_000
      const headers = { 'content-type': 'text/csv', etag: '"1"', 'accept-ranges': 'bytes' }
      const range = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1]
      if (times === 1) {
        response.writeHead(200, { ...headers, 'content-length': String(LONG_FEED.length) })
        response.write(LONG_FEED.slice(0, half), () => response.destroy())
      } else if (range !== undefined) {
        response.writeHead(206, {
          ...headers,
          'content-range': `bytes ${range}-${LONG_FEED.length - 1}/${LONG_FEED.length}`,
        })
        response.end(LONG_FEED.slice(Number(range)))
      } else response.writeHead(500).end()
    }),
    spec: { currency: 'EUR' },
    found: ({ visits, report }) =>
      `${report.read} read, ${visits.filter(({ headers }) => headers['if-range'] === '"1"').length} resumed`,
    expected: '20000 read, 1 resumed',
  },
  {
    name: 'a byte now and then, without end',
    ...answered(({ response }) => {
      response.writeHead(200, { 'content-type': 'text/csv' })
      const dripping = setInterval(() => response.write('.'), DRIP_MS)
      response.on('close', () => clearInterval(dripping))
    }),
    expected: 'problem NOT_FETCHED',
  },
  {
    name: 'body without end',
    ...answered(({ response }) => {
      response.writeHead(200, { 'content-type': 'text/csv' })
      const more = () => {
        while (!response.destroyed && response.write(PIECE));
        response.once('drain', more)
      }
      more()
    }),
    expected: 'problem NOT_FETCHED',
  },
  {
    name: 'declared length of a terabyte',
    ...answered(({ response }) => void response.writeHead(200, { 'content-length': String(1024 ** 4) }).flushHeaders()),
    expected: 'problem NOT_FETCHED',
  },
]

const ENCODINGS: readonly CrawlBehaviour[] = [
  { name: 'gzip', ...body(gzipSync(FEED), { 'content-encoding': 'gzip' }), expected: FEED_FOUND },
  { name: 'gzip, spelled x-gzip', ...body(gzipSync(FEED), { 'content-encoding': 'x-gzip' }), expected: FEED_FOUND },
  { name: 'br', ...body(brotliCompressSync(FEED), { 'content-encoding': 'br' }), expected: FEED_FOUND },
  { name: 'deflate', ...body(deflateSync(FEED), { 'content-encoding': 'deflate' }), expected: FEED_FOUND },
  {
    name: 'deflate without the header of zlib, as old servers send it',
    ...body(deflateRawSync(FEED), { 'content-encoding': 'deflate' }),
    expected: FEED_FOUND,
  },
  { name: 'zstd unasked', ...body(zstdCompressSync(FEED), { 'content-encoding': 'zstd' }), expected: FEED_FOUND },
  {
    name: 'gzip twice, both declared',
    ...body(gzipSync(gzipSync(FEED)), { 'content-encoding': 'gzip, gzip' }),
    expected: FEED_FOUND,
    exempt: 'refused with a sentence that names the codings: each further decoder multiplies what a bomb can do',
  },
  {
    name: 'file in gzip, sent in gzip',
    ...body(gzipSync(gzipSync(FEED)), { 'content-encoding': 'gzip', 'content-type': 'application/gzip' }),
    expected: FEED_FOUND,
  },
  {
    name: 'file in gzip, sent as it is',
    ...body(gzipSync(FEED), { 'content-type': 'application/gzip' }),
    expected: FEED_FOUND,
  },
  {
    name: 'declared gzip that is none',
    ...body(FEED, { 'content-encoding': 'gzip' }),
    expected: 'problem NOT_FETCHED',
  },
  {
    name: 'gzip that is cut',
    ...body(gzipSync(LONG_FEED).subarray(0, -100), { 'content-encoding': 'gzip' }),
    expected: 'problem NOT_FETCHED',
  },
  {
    name: 'bomb: 64 MiB in 64 KB of gzip',
    ...body(gzipSync(Buffer.alloc(64 * MIB)), { 'content-encoding': 'gzip' }),
    expected: 'problem NOT_FETCHED',
  },
  { name: 'unknown encoding', ...body(FEED, { 'content-encoding': 'compress' }), expected: 'problem NOT_FETCHED' },
]

const TYPES: readonly CrawlBehaviour[] = [
  { name: 'price list declared as text/html', ...body(FEED, { 'content-type': 'text/html' }), expected: FEED_FOUND },
  {
    name: 'price list declared as octets',
    ...body(FEED, { 'content-type': 'application/octet-stream' }),
    expected: FEED_FOUND,
  },
  {
    name: 'page without Content-Type',
    routes: { [PAGE_PATH]: ({ response }) => void response.writeHead(200).end(pageOf(productOf())) },
    entry: document(PAGE_PATH),
    expected: FEED_FOUND,
  },
  { name: 'Content-Type that nobody can read', ...body(FEED, { 'content-type': ';;=' }), expected: FEED_FOUND },
]

const named = ({ observations }: Crawled) => observations.map(({ name }) => name).join() || 'nothing'
const page = (name: string, meta = '') =>
  `<html><head>${meta}<script type="application/ld+json">${JSON.stringify(productOf({ name }))}</script></head></html>`
const UMLAUT = 'Dämmung für Böden'

/** Pages in 8 bits are written as the bytes that their charset has for the expected letters. */
const CHARSETS: readonly CrawlBehaviour[] = [
  {
    name: 'charset in the header against another in the page',
    ...pageBody(
      Buffer.from(page('P\xb3ytka \xb6cienna', '<meta charset="utf-8">'), 'latin1'),
      'text/html; charset=iso-8859-2',
    ),
    found: named,
    expected: 'Płytka ścienna',
  },
  {
    name: 'charset in the page alone',
    ...pageBody(
      Buffer.from(
        page('P\xb3ytka \x9ccienna', '<meta http-equiv="Content-Type" content="text/html; charset=windows-1250">'),
        'latin1',
      ),
      'text/html',
    ),
    found: named,
    expected: 'Płytka ścienna',
  },
  {
    name: 'byte order mark against the header',
    ...pageBody(Buffer.from(`\ufeff${page(UMLAUT)}`), 'text/html; charset=iso-8859-1'),
    found: named,
    expected: UMLAUT,
  },
  {
    name: 'windows-1252 declared as iso-8859-1',
    ...pageBody(Buffer.from(page('Brick \x93red\x94 \x96 5 \x80'), 'latin1'), 'text/html; charset=iso-8859-1'),
    found: named,
    expected: 'Brick “red” – 5 €',
  },
  {
    name: 'windows-1252 declared as UTF-8',
    ...pageBody(Buffer.from(page(UMLAUT), 'latin1'), 'text/html; charset=utf-8'),
    found: named,
    expected: UMLAUT,
  },
  {
    name: 'UTF-8 declared as iso-8859-1',
    ...pageBody(page(UMLAUT), 'text/html; charset=iso-8859-1'),
    found: named,
    expected: UMLAUT,
  },
  {
    name: 'price list in UTF-16 with a byte order mark',
    ...body(Buffer.from(`\ufeff${FEED.replace('Brick', UMLAUT)}`, 'utf16le')),
    found: named,
    expected: UMLAUT,
  },
  {
    name: 'page in UTF-16 by its header',
    ...pageBody(Buffer.from(page(UMLAUT), 'utf16le'), 'text/html; charset=utf-16le'),
    found: named,
    expected: UMLAUT,
  },
  {
    name: 'unknown charset',
    ...pageBody(page('Brick'), 'text/html; charset=klingon'),
    found: named,
    expected: 'Brick',
  },
  {
    name: 'Cyrillic in koi8-r by its header',
    ...pageBody(Buffer.from(page('\xeb\xc9\xd2\xd0\xc9\xde'), 'latin1'), 'text/html; charset=koi8-r'),
    found: named,
    expected: 'Кирпич',
  },
]

export const BODY = crawlBehaviours('body', [...LENGTHS, ...ENCODINGS, ...TYPES, ...CHARSETS])
