import type { IncomingMessage, ServerResponse } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'

/** The date of /503-once-date is 20 seconds later. */
export const SHOP_NOW = Date.parse('2026-01-30T00:00:00Z')

/** A request as the shop in shop.ts receives it. */
export type Visiting = Readonly<{
  request: IncomingMessage
  response: ServerResponse
  /** Requests for this path so far, including this one. */
  times: number
  /** Origin of the shop as another host. */
  otherUrl: string
}>

/** The body of /range, /breaks and others; larger than one socket write. */
export const SHOP_FILE = Buffer.from(Array.from({ length: 40_000 }, (_, n) => `S-${n};Brick ${n};1.25\n`).join(''))
export const SHOP_FILE_ETAG = '"file-1"'
/** Contains letters that differ between its encoding, windows-1252, and the declared one. */
export const SHOP_WRONG_CHARSET = Buffer.from('<title>D\xe4mmung f\xfcr Fu\xdfb\xf6den</title>', 'latin1')
/** Unpacks to 64 MiB. */
const BOMB = gzipSync(Buffer.alloc(64 * 1024 ** 2))
const PAGE = '<!doctype html><title>Here</title>'
const PIECE = Buffer.alloc(64 * 1024, 'x')
const SLOW_MS = 150
const DRIP_MS = 20

/** Every fault, at a path of its own. */
export const FAULTS: Readonly<Record<string, (visiting: Visiting) => void>> = {
  /** Never answers. */
  '/silent': () => {},
  /** Answers after a while. */
  '/slow': ({ response }) => void setTimeout(() => response.end(PAGE), SLOW_MS),
  /** Starts its body and stops. */
  '/stalls': ({ response }) => void response.writeHead(200).write(PAGE),
  /** Sends a byte every 20 ms for ever. */
  '/drips': ({ response }) => {
    response.writeHead(200)
    const dripping = setInterval(() => response.write('.'), DRIP_MS)
    response.on('close', () => clearInterval(dripping))
  },
  '/429-once': ({ response, times }) => {
    if (times === 1) response.writeHead(429, { 'retry-after': '7' }).end()
    else response.end(PAGE)
  },
  '/429': ({ response }) => void response.writeHead(429, { 'retry-after': '1' }).end(),
  /** Asks for a pause of one day. */
  '/429-long': ({ response }) => void response.writeHead(429, { 'retry-after': '86400' }).end(),
  '/503-once-date': ({ response, times }) => {
    if (times === 1) response.writeHead(503, { 'retry-after': 'Fri, 30 Jan 2026 00:00:20 GMT' }).end()
    else response.end(PAGE)
  },
  '/503': ({ response }) => void response.writeHead(503).end(),
  '/500': ({ response }) => void response.writeHead(500).end('sorry'),
  '/500-once': ({ response, times }) => void response.writeHead(times === 1 ? 500 : 200).end(PAGE),
  /** Fails the first two times. */
  '/500-for-now': ({ response, times }) => void response.writeHead(times <= 2 ? 500 : 200).end(PAGE),
  '/403': ({ response }) => void response.writeHead(403).end('no robots'),
  '/204': ({ response }) => void response.writeHead(204).end(),
  '/304': ({ response }) => void response.writeHead(304).end(),
  '/206': ({ response }) => void response.writeHead(206, { 'content-range': 'bytes 0-9/99' }).end('0123456789'),
  '/resets': ({ response }) => void response.destroy(),
  '/resets-once': ({ response, times }) => void (times === 1 ? response.destroy() : response.end(PAGE)),

  '/redirect': ({ response }) => moved(response, '/products/1.html'),
  /** Its address is in the bytes of UTF-8, without escapes. */
  '/redirect-utf8': ({ response }) => moved(response, Buffer.from('/niño.html').toString('latin1')),
  '/redirect-endless': ({ response }) => moved(response, '/redirect-endless'),
  '/redirect-nowhere': ({ response }) => void response.writeHead(301).end(),
  '/redirect-metadata': ({ response }) => moved(response, 'http://169.254.169.254/latest/meta-data/'),
  '/redirect-file': ({ response }) => moved(response, 'file:///etc/passwd'),
  '/redirect-credentials': ({ response }) => moved(response, 'http://name:word@shop.example/'),
  '/redirect-port': ({ response }) => moved(response, 'http://shop.example:25/'),
  '/redirect-forbidden': ({ response }) => moved(response, '/private/costs.html'),
  '/redirect-host': ({ response, otherUrl }) => moved(response, `${otherUrl}/products/1.html`),

  '/wrong-charset': ({ response }) =>
    void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(SHOP_WRONG_CHARSET),
  '/gzip': ({ response }) => encoded(response, 'gzip', gzipSync(PAGE)),
  '/br': ({ response }) => encoded(response, 'br', brotliCompressSync(PAGE)),
  '/deflate': ({ response }) => encoded(response, 'deflate', deflateSync(PAGE)),
  '/gzip-truncated': ({ response }) => encoded(response, 'gzip', gzipSync(SHOP_FILE).subarray(0, -100)),
  '/gzip-none': ({ response }) => encoded(response, 'gzip', Buffer.from(PAGE)),
  '/gzip-bomb': ({ response }) => encoded(response, 'gzip', BOMB),
  '/gzip-twice': ({ response }) => encoded(response, 'gzip, gzip', gzipSync(gzipSync(PAGE))),
  '/compress': ({ response }) => encoded(response, 'compress', Buffer.from(PAGE)),

  /** Never ends. */
  '/endless': ({ response }) => {
    response.writeHead(200)
    const more = () => {
      while (!response.destroyed && response.write(PIECE));
      response.once('drain', more)
    }
    more()
  },
  /** Declares a large size and sends nothing. */
  '/gigantic': ({ response }) => void response.writeHead(200, { 'content-length': String(1024 ** 4) }).flushHeaders(),
  /** Sends half of the declared length. */
  '/short': ({ response }) => half(response, {}),
  /** Sends half of its chunks and no end. */
  '/short-chunked': ({ response }) => {
    response.writeHead(200).write(SHOP_FILE.subarray(0, SHOP_FILE.length / 2), () => response.destroy())
  },
  /** Complete from the second time on. */
  '/short-once': ({ response, times }) => {
    if (times === 1) half(response, {})
    else response.writeHead(200, { 'content-length': SHOP_FILE.length }).end(SHOP_FILE)
  },

  '/range': (visiting) => void ranged(visiting, {}),
  /** Breaks off halfway the first time. */
  '/breaks': (visiting) => void ranged(visiting, { breaks: (times) => times === 1 }),
  '/breaks-always': (visiting) => void ranged(visiting, { breaks: () => true }),
  /** Serves another file when asked to resume. */
  '/breaks-changed': (visiting) => void ranged(visiting, { breaks: (times) => times === 1, changes: true }),
  /** Its weak tag does not promise the same bytes. */
  '/breaks-weak': (visiting) => void ranged(visiting, { breaks: (times) => times === 1, etag: 'W/"file-1"' }),
  /** Resumes at another byte than requested. */
  '/breaks-elsewhere': (visiting) => void ranged(visiting, { breaks: (times) => times === 1, skips: 5 }),
  /** An API whose three pages form a circle. */
  '/api/circle': ({ request, response }) => {
    const n = Number(new URL(request.url ?? '', 'http://shop').searchParams.get('page') ?? 1)
    json(response, { items: [{ sku: `S-${n}`, price: 1 }], next: `/api/circle?page=${(n % 3) + 1}` })
  },
  /** An API that returns its one page for every page number. */
  '/api/same': ({ response }) => json(response, { items: [{ sku: 'S-1', price: 1 }], next: null }),
  /** An API that always has one more page. */
  '/api/endless': ({ request, response }) => {
    const n = Number(new URL(request.url ?? '', 'http://shop').searchParams.get('page') ?? 1)
    json(response, { items: [{ sku: `S-${n}`, price: 1 }], next: `/api/endless?page=${n + 1}`, cursor: n + 1 })
  },
  /** Each day links to the next two, for ever. */
  '/calendar': ({ request, response }) => {
    const day = Number(new URL(request.url ?? '', 'http://shop').searchParams.get('day') ?? 1)
    const links = [day + 1, day + 2].map((next) => `<a href="/calendar?day=${next}">${next}</a>`)
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html>${links.join('')}`)
  },
  /** An API whose second page fails. */
  /** Four pages; a later number brings the fourth again, under that number. */
  '/api/clamped': ({ request, response }) => {
    const n = Number(new URL(request.url ?? '', 'http://shop').searchParams.get('page') ?? 1)
    const data = { kinds: ['board'], items: [{ sku: `S-${Math.min(n, 4)}`, price: 1 }] }
    json(response, { data, page: n, next: `/api/clamped?page=${n + 1}` })
  },
  '/api/broken': ({ request, response }) => {
    if (request.url?.includes('page=2')) response.writeHead(400).end('no')
    else json(response, { items: [{ sku: 'S-1', price: 1 }], next: '/api/broken?page=2' })
  },
  /** Ignores conditions: 200 with the tag from the request. */
  '/same-etag': ({ response }) => void response.writeHead(200, { etag: SHOP_FILE_ETAG }).end(SHOP_FILE),
}

const moved = (response: ServerResponse, location: string) => void response.writeHead(302, { location }).end('moved')

const json = (response: ServerResponse, document: object) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))

const encoded = (response: ServerResponse, coding: string, body: Buffer) =>
  void response.writeHead(200, { 'content-encoding': coding, 'content-length': body.length }).end(body)

function half(response: ServerResponse, headers: Record<string, string>): void {
  response.writeHead(200, { ...headers, 'content-length': SHOP_FILE.length })
  response.write(SHOP_FILE.subarray(0, SHOP_FILE.length / 2), () => response.destroy())
}

/** Serves the file with ranges as RFC 9110 defines, except for the given faults. */
function ranged(
  { request, response, times }: Visiting,
  {
    breaks = () => false,
    changes = false,
    skips = 0,
    etag = SHOP_FILE_ETAG,
  }: { breaks?: (times: number) => boolean; changes?: boolean; skips?: number; etag?: string },
): void {
  const isChanged = changes && times > 1
  const file = isChanged ? Buffer.from('S-1;another file;2.50\n') : SHOP_FILE
  const headers = { 'accept-ranges': 'bytes', etag: isChanged ? '"file-2"' : etag }
  const [, asked] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? []
  const isSame = request.headers['if-range'] === headers.etag
  const from = asked === undefined || !isSame ? 0 : Number(asked) + skips
  const range = from === 0 ? {} : { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` }
  const rest = file.subarray(from)
  response.writeHead(from === 0 ? 200 : 206, { ...headers, ...range, 'content-length': rest.length })
  if (breaks(times)) response.write(rest.subarray(0, Math.ceil(rest.length / 2)), () => response.destroy())
  else response.end(rest)
}
