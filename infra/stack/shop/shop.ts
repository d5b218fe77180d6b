import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { sha256Hex } from '@catalog/core/digest.ts'
import { serveHttp } from '@catalog/stack/servers/machine.ts'
import type { Visiting } from './replies.ts'
import { FAULTS } from './shop-faults.ts'
import { type ShopPages, shopPages } from './shop-pages.ts'

/**
 * Our own shop to crawl: many pages, and every fault that a fetcher meets, each at a path of its own. It listens at two
 * addresses, as two hosts, and records each request with its time and concurrency, so that tests measure politeness at
 * the server.
 */
export type Shop = AsyncDisposable & {
  /** Origin, as http://127.0.0.1:1234. */
  readonly url: string
  /** The same shop as another host, as http://127.0.0.2:1235. */
  readonly otherUrl: string
  readonly visits: readonly Visit[]
  /** Its goods and their publications. */
  readonly pages: ShopPages
  forget: () => void
  /** The answer of /robots.txt from now on. */
  robots: ShopRobots
}

export type Visit = Readonly<{
  /** When the request came, by the shop's clock. */
  atMs: number
  /** With its query. */
  path: string
  host: string
  userAgent: string
  /** Requests of this host under way at that moment, including this one. */
  atOnce: number
  headers: IncomingMessage['headers']
}>

/** A text, a bare status or a redirect; 'endless' never ends, 'broken' closes the connection. */
export type ShopRobots = string | number | Readonly<{ location: string }> | 'endless' | 'broken'

/** Forbids /private/ except /private/open, and nothing else. */
export const SHOP_ROBOTS = 'User-agent: *\nDisallow: /private/\nAllow: /private/open\n'

export async function openShop({
  products = 40,
  now = () => performance.now(),
}: {
  products?: number
  now?: () => number
} = {}): Promise<Shop> {
  const visits: Visit[] = []
  const state: { robots: ShopRobots; served: Map<string, number> } = { robots: SHOP_ROBOTS, served: new Map() }
  const underWay = new Map<string, number>()
  const listener: RequestListener = (request, response) => {
    const path = request.url ?? '/'
    const { headers } = request
    const atMs = now()
    const host = headers.host ?? ''
    const atOnce = (underWay.get(host) ?? 0) + 1
    underWay.set(host, atOnce)
    response.on('close', () => underWay.set(host, (underWay.get(host) ?? 0) - 1))
    visits.push({ atMs, path, host, userAgent: headers['user-agent'] ?? '', atOnce, headers })
    const times = (state.served.get(path) ?? 0) + 1
    state.served.set(path, times)
    answer({ request, response, times }, path, shop)
  }
  const [server, other] = [await serveHttp(listener), await serveHttp(listener, '127.0.0.2')]
  const shop: Shop = {
    url: server.url,
    otherUrl: other.url,
    visits,
    pages: shopPages({ origin: server.url, products }),
    forget() {
      visits.length = 0
      state.served.clear()
    },
    get robots() {
      return state.robots
    },
    set robots(robots) {
      state.robots = robots
    },
    async [Symbol.asyncDispose]() {
      for (const each of [server, other]) await each[Symbol.asyncDispose]()
    },
  }
  return shop
}

function answer(visiting: Visiting, path: string, shop: Shop): void {
  const { pathname } = new URL(path, shop.url)
  const fault = FAULTS.get(pathname)
  if (pathname === '/robots.txt') robots(visiting, shop)
  else if (fault === undefined) publish(visiting, path, shop)
  else fault(visiting, shop.otherUrl)
}

function publish(visiting: Visiting, path: string, shop: Shop): void {
  const { response } = visiting
  const page = shop.pages.find(path)
  if (page === undefined) return void response.writeHead(404, { 'content-type': 'text/html' }).end('<p>Not here</p>')
  const etag = `"${sha256Hex(page.body).slice(0, 16)}"`
  const headers = { 'content-type': page.contentType, etag, 'last-modified': page.lastModified, ...page.headers }
  if (isUnchanged(visiting, headers)) return void response.writeHead(304, { etag }).end()
  response.writeHead(page.status ?? 200, headers).end(page.body)
}

function isUnchanged({ request }: Visiting, { etag, 'last-modified': at }: { etag: string; 'last-modified': string }) {
  const asked = request.headers['if-none-match']
  if (asked !== undefined) return asked === etag
  const since = request.headers['if-modified-since']
  return since !== undefined && Date.parse(since) >= Date.parse(at)
}

function robots({ response }: Visiting, { robots }: Shop): void {
  if (robots === 'broken') response.destroy()
  else if (robots === 'endless') redirect(response, '/robots.txt?again')
  else if (typeof robots === 'object') redirect(response, robots.location)
  else if (typeof robots === 'number') response.writeHead(robots).end('no robots here')
  else response.writeHead(200, { 'content-type': 'text/plain' }).end(robots)
}

const redirect = (response: ServerResponse, location: string, status = 302) =>
  void response.writeHead(status, { location }).end()
