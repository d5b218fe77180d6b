import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { parse } from 'yaml'
import { z } from 'zod'
import { answer, Reply, type Visiting } from './replies.ts'

/** The date of /503-once-date is 20 seconds later. */
export const SHOP_NOW = Date.parse('2026-01-30T00:00:00Z')

/** The body of /range, /breaks and others; larger than one socket write. */
export const SHOP_FILE = Buffer.from(Array.from({ length: 40_000 }, (_, n) => `S-${n};Brick ${n};1.25\n`).join(''))
export const SHOP_FILE_ETAG = '"file-1"'
export const SHOP_WRONG_CHARSET = Buffer.from('<title>D\xe4mmung f\xfcr Fu\xdfb\xf6den</title>', 'latin1')
const PAGE = '<!doctype html><title>Here</title>'
const SLOW_MS = 150

const TEXTS: Readonly<Record<string, string>> = {
  page: PAGE,
  file: SHOP_FILE.toString(),
  half: SHOP_FILE.toString().slice(0, SHOP_FILE.length / 2),
  length: String(SHOP_FILE.length),
}

type Fault = (visiting: Visiting, otherUrl: string) => void

/** Faults that a reply cannot describe. */
const OTHERS: Readonly<Record<string, Fault>> = {
  /** Answers after a while. */
  '/slow': ({ response }) => void setTimeout(() => response.end(PAGE), SLOW_MS),
  /** Starts its body and stops. */
  '/stalls': ({ response }) => void response.writeHead(200).write(PAGE),
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
  '/api/circle': (visiting) => {
    const n = numberOf(visiting, 'page')
    json(visiting.response, { items: [{ sku: `S-${n}`, price: 1 }], next: `/api/circle?page=${(n % 3) + 1}` })
  },
  /** An API that always has one more page. */
  '/api/endless': (visiting) => {
    const n = numberOf(visiting, 'page')
    const next = `/api/endless?page=${n + 1}`
    json(visiting.response, { items: [{ sku: `S-${n}`, price: 1 }], next, cursor: n + 1 })
  },
  /** Each day links to the next two, for ever. */
  '/calendar': (visiting) => {
    const day = numberOf(visiting, 'day')
    const links = [day + 1, day + 2].map((next) => `<a href="/calendar?day=${next}">${next}</a>`)
    visiting.response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html>${links.join('')}`)
  },
  /** Four pages; a later number brings the fourth again, under that number. */
  '/api/clamped': (visiting) => {
    const n = numberOf(visiting, 'page')
    const data = { kinds: ['board'], items: [{ sku: `S-${Math.min(n, 4)}`, price: 1 }] }
    json(visiting.response, { data, page: n, next: `/api/clamped?page=${n + 1}` })
  },
  /** An API whose second page fails. */
  '/api/broken': ({ request, response }) => {
    if (request.url?.includes('page=2')) response.writeHead(400).end('no')
    else json(response, { items: [{ sku: 'S-1', price: 1 }], next: '/api/broken?page=2' })
  },
}

const TABLE = z
  .record(z.string(), z.union([Reply, z.array(Reply)]))
  .parse(parse(readFileSync(new URL('./shop-faults.yaml', import.meta.url), 'utf8')))

/** Every fault, at a path of its own. */
export const FAULTS: ReadonlyMap<string, Fault> = new Map([
  ...Object.entries(OTHERS),
  ...Object.entries(TABLE).map(([path, table]) => [path, faultOf([table].flat())] as const),
])

/** Of several replies each request gets the next, and the last one repeats. They name no type unless the table does. */
function faultOf(replies: readonly Reply[]): Fault {
  return (visiting, otherUrl) => {
    const reply = replies[Math.min(visiting.times, replies.length) - 1] as Reply
    const fill = (text: string) =>
      text.replace(/\{(\w+)\}/g, (whole, name) => (name === 'other' ? otherUrl : (TEXTS[name] ?? whole)))
    answer(reply, visiting, { fill, type: null })
  }
}

const numberOf = ({ request }: Visiting, name: string) =>
  Number(new URL(request.url ?? '', 'http://shop').searchParams.get(name) ?? 1)

const json = (response: ServerResponse, document: object) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))

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
