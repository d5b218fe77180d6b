import type { IncomingMessage, ServerResponse } from 'node:http'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { z } from 'zod'

/** A text, its pieces, or a piece that repeats and may hold its number as `{n}`. */
type Text = string | readonly Text[] | Readonly<{ times: number; of: string }>
const Text: z.ZodType<Text> = z.lazy(() =>
  z.union([z.string(), z.array(Text), z.strictObject({ times: z.int(), of: z.string() })]),
)

/** A page with a product in JSON-LD: a brick of the reference A at 1.50 EUR, with these other properties; null for none. */
const Page = z.strictObject({
  product: z.record(z.string(), z.unknown()).nullable().default({}),
  /** JSON-LD in place of the product's. */
  script: Text.optional(),
  head: z.string().default(''),
  body: Text.default(''),
  /** Null: the page names none. */
  charset: z.null().optional(),
})

const CODINGS = {
  gzip: gzipSync,
  deflate: deflateSync,
  deflateRaw: deflateRawSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
} as const
type Coding = keyof typeof CODINGS

const Whole = z.strictObject({
  status: z.int().optional(),
  /** Location of a redirect, which has the status 302 unless another is given. */
  to: z.string().optional(),
  /** Null: without this header. */
  headers: z.record(z.string(), z.union([Text, z.null()])).default({}),
  before: z.string().default(''),
  body: Text.optional(),
  page: Page.optional(),
  /** Addresses of a sitemap, or elements of its entries; addresses of an index of sitemaps. */
  urls: z.array(z.string()).optional(),
  index: z.array(z.string()).optional(),
  charset: z.enum(['utf8', 'latin1', 'utf16le']).default('utf8'),
  encode: z.array(z.enum(Object.keys(CODINGS) as [Coding, ...Coding[]])).default([]),
  /** Only these bytes of the encoded ones, as Buffer.subarray takes them; and a text after them. */
  keep: z.tuple([z.int(), z.int()]).optional(),
  more: z.string().default(''),
  /** The connection ends after the body, or with its last byte unsent. */
  ends: z.enum(['close', 'cut']).optional(),
  /** Link of Early Hints (103) before the answer. */
  hints: z.string().optional(),
  /** Lines of the head as they go over the wire; the connection ends after the body. */
  raw: z.array(z.string()).optional(),
  /** What no other property describes. */
  does: z.enum(['nothing', 'reset', 'promise', 'drip', 'repeat', 'resume']).optional(),
})
type Whole = z.infer<typeof Whole>

/** Another reply to a request with this method and these headers. */
type Choice = Readonly<{ when: Readonly<Record<string, string>>; reply: Reply; otherwise: Reply }>
export type Reply = string | Whole | Choice
export const Reply: z.ZodType<Reply> = z.lazy(() =>
  z.union([
    z.string(),
    Whole,
    z.strictObject({ when: z.record(z.string(), z.string()), reply: Reply, otherwise: Reply }),
  ]),
)

/** One request for a path; `times` counts those so far, this one included. */
export type Visiting = Readonly<{ request: IncomingMessage; response: ServerResponse; times: number }>

const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  txt: 'text/plain',
  xml: 'application/xml',
  json: 'application/json',
}
const DRIP_MS = 20

type Fill = (text: string) => string

/**
 * Answers as the reply describes; `fill` replaces the placeholders of its texts. Without a Content-Type of its own it has
 * that of its path, or none where `type` is null.
 */
export function answer(reply: Reply, visiting: Visiting, options: Readonly<{ fill: Fill; type?: null }>): void {
  const { fill, type } = options
  const { request, response } = visiting
  if (typeof reply === 'object' && 'when' in reply) {
    const asked: Record<string, unknown> = { ...request.headers, method: request.method }
    const isMet = Object.entries(reply.when).every(([name, value]) => asked[name] === value)
    answer(isMet ? reply.reply : reply.otherwise, visiting, options)
    return
  }
  const whole = typeof reply === 'string' ? Whole.parse({ body: reply }) : reply
  const { to, status = to === undefined ? 200 : 302, hints, raw, does, ends } = whole
  const headers = headersOf(whole, type === null ? null : typeOf(request.url ?? '/'), fill)
  const bytes = bytesOf(whole, fill)
  if (does !== undefined) DEEDS[does](visiting, bytes, headers)
  else if (raw !== undefined) response.socket?.end(Buffer.concat([Buffer.from(`${raw.join('\r\n')}\r\n\r\n`), bytes]))
  else send()

  function send(): void {
    if (hints !== undefined) response.writeEarlyHints({ link: hints })
    response.writeHead(status, headers)
    if (ends === 'cut') response.write(bytes, () => response.destroy())
    else response.end(bytes, () => void (ends === 'close' && response.socket?.destroy()))
  }
}

function typeOf(url: string): string {
  const extension = /\.(\w+)$/.exec(new URL(url, 'http://shop.example').pathname)?.[1] ?? ''
  return TYPES[extension] ?? 'text/html; charset=utf-8'
}

function headersOf({ to, headers }: Whole, type: string | null, fill: Fill) {
  const all: Whole['headers'] = {
    'content-type': type,
    ...(to !== undefined && { location: to }),
    ...headers,
  }
  const given = Object.entries(all).flatMap(([name, value]) => {
    if (value === null) return []
    const isList = Array.isArray(value)
    return [[name, isList ? value.map((one) => fill(textOf(one))) : fill(textOf(value))] as const]
  })
  return Object.fromEntries(given)
}

/** Bytes without placeholders, so that a bomb is packed once. */
const made = new WeakMap<Whole, Buffer>()

/** The bytes of the body. */
function bytesOf(whole: Whole, fill: Fill): Buffer {
  const known = made.get(whole)
  if (known !== undefined) return known
  const { charset, encode, keep, more } = whole
  const text = textIn(whole)
  const filled = typeof text === 'string' ? fill(text) : text
  const plain = typeof filled === 'string' ? Buffer.from(filled, charset) : filled
  const encoded = encode.reduce<Buffer>((bytes, coding) => CODINGS[coding](bytes), plain)
  const kept = keep === undefined ? encoded : encoded.subarray(...keep)
  const bytes = more === '' ? kept : Buffer.concat([kept, Buffer.from(more)])
  if (filled === text) made.set(whole, bytes)
  return bytes
}

/** The text before its placeholders are replaced; as bytes where one character repeats. */
function textIn({ before, body = '', page, urls, index }: Whole): string | Buffer {
  if (page !== undefined) return before + pageOf(page)
  if (urls !== undefined) return listText('urlset', 'url', urls)
  if (index !== undefined) return listText('sitemapindex', 'sitemap', index)
  if (typeof body === 'object' && 'times' in body && body.of.length === 1) return Buffer.alloc(body.times, body.of)
  return before + textOf(body)
}

function textOf(text: Text): string {
  if (typeof text === 'string') return text
  if (!('times' in text)) return text.map(textOf).join('')
  const { times, of } = text
  if (!of.includes('{n}')) return of.repeat(times)
  return Array.from({ length: times }, (_, n) => of.replaceAll('{n}', String(n))).join('')
}

/** A brick of the reference A at 1.50 EUR. */
const PRODUCT = {
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Brick',
  sku: 'A',
  offers: { '@type': 'Offer', price: '1.50', priceCurrency: 'EUR' },
}

/** The page as HTML. */
export function pageOf(given: z.input<typeof Page>): string {
  const { product, script, head, body, charset } = Page.parse(given)
  const data = script !== undefined ? textOf(script) : product && JSON.stringify({ ...PRODUCT, ...product })
  const meta = charset === null ? '' : '<meta charset="utf-8">'
  const linked = data === null ? '' : `<script type="application/ld+json">${data}</script>`
  return `<!doctype html><html lang="en"><head>${meta}${head}${linked}</head><body>${textOf(body)}</body></html>`
}

function listText(list: string, entry: string, entries: readonly string[]): string {
  const all = entries.map((one) => `<${entry}>${one.startsWith('<loc>') ? one : `<loc>${one}</loc>`}</${entry}>`)
  return `<${list} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${all.join('')}</${list}>`
}

type Deed = (visiting: Visiting, bytes: Buffer, headers: Record<string, string | string[]>) => void

const DEEDS: Readonly<Record<NonNullable<Whole['does']>, Deed>> = {
  nothing() {},
  reset: ({ response }) => void response.destroy(),
  /** Sends the head alone. */
  promise: ({ response }, _bytes, headers) => void response.writeHead(200, headers).flushHeaders(),
  drip({ response }, _bytes, headers) {
    response.writeHead(200, headers)
    const dripping = setInterval(() => response.write('.'), DRIP_MS)
    response.on('close', () => clearInterval(dripping))
  },
  /** Sends its bytes again and again. */
  repeat({ response }, bytes, headers) {
    response.writeHead(200, headers)
    const send = () => {
      while (!response.destroyed && response.write(bytes));
      response.once('drain', send)
    }
    send()
  },
  /** Breaks off in the middle of the first answer, and has a strong ETag and ranges. */
  resume({ request, response, times }, bytes, headers) {
    const more = { ...headers, etag: '"1"', 'accept-ranges': 'bytes' }
    const from = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1]
    if (times === 1) {
      response.writeHead(200, { ...more, 'content-length': String(bytes.length) })
      response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy())
    } else if (from !== undefined) {
      response.writeHead(206, { ...more, 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` })
      response.end(bytes.subarray(Number(from)))
    } else response.writeHead(500).end()
  },
}
