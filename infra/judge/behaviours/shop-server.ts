import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'

/**
 * A shop that answers as one behaviour describes. Its names lead to {@link SHOP_ADDRESS}, which the crawler may request;
 * `inner` listens at {@link INNER_ADDRESS}, which stands for the operator's own network.
 */
export type ShopServer = AsyncDisposable & {
  readonly visits: readonly Visit[]
  /** Requests that reached the inner server, which must stay 0. */
  readonly innerVisits: readonly Visit[]
  /** Replaces `{shop}`, `{www}`, `{other}`, `{secure}` (the shop over https) and `{inner}` by origins with their ports, and
   * `{innerPort}` by that port. */
  fill: (text: string) => string
  lookup: LookupFunction
}

export type Visit = Readonly<{
  atMs: number
  method: string
  path: string
  host: string
  headers: IncomingMessage['headers']
}>

/** One request for a path; `times` counts those so far, this one included. */
export type Visiting = Readonly<{ request: IncomingMessage; response: ServerResponse; times: number }>
type Reply =
  | string
  | Readonly<{ status?: number; headers?: Readonly<Record<string, string | string[]>>; body?: string | Buffer }>
  | ((visiting: Visiting) => void)
/**
 * Replies by path, or by host and path (`www/feed.csv`). Of a list, each request gets the next, and the last one repeats. Texts
 * may hold the placeholders of {@link ShopServer.fill}.
 */
export type Routes = Readonly<Record<string, Reply | readonly Reply[]>>

export const SHOP_ADDRESS = '127.0.0.2'
const INNER_ADDRESS = '127.0.0.1'
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'shop.example': [SHOP_ADDRESS],
  'www.shop.example': [SHOP_ADDRESS],
  'other.example': [SHOP_ADDRESS],
  'inner.example': [INNER_ADDRESS],
  'both.example': [SHOP_ADDRESS, INNER_ADDRESS],
  localhost: [INNER_ADDRESS],
}
const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  txt: 'text/plain',
  xml: 'application/xml',
  json: 'application/json',
}

export async function openShopServer(routes: Routes, now: () => number): Promise<ShopServer> {
  const visits: Visit[] = []
  const innerVisits: Visit[] = []
  const inner = createServer((request, response) => {
    innerVisits.push(visitOf(request, now()))
    response.end('sku;name;price\nINNER;Secret;1.00\n')
  })
  const served = new Map<string, number>()
  const shop = createServer((request, response) => {
    visits.push(visitOf(request, now()))
    const path = request.url ?? '/'
    const host = /^(www|other)\./.exec(request.headers.host ?? '')?.[1] ?? 'shop'
    const key = `${host}${path}` in routes ? `${host}${path}` : path
    const times = (served.get(key) ?? 0) + 1
    served.set(key, times)
    const replies = [routes[key] ?? { status: 404 }].flat() as readonly Reply[]
    answer(replies[Math.min(times, replies.length) - 1] as Reply, { request, response, times })
  })
  const port = await listen(shop, SHOP_ADDRESS)
  const innerPort = await listen(inner, INNER_ADDRESS)
  const origins: Readonly<Record<string, string>> = {
    shop: `http://shop.example:${port}`,
    www: `http://www.shop.example:${port}`,
    other: `http://other.example:${port}`,
    secure: `https://shop.example:${port}`,
    inner: `http://inner.example:${innerPort}`,
    innerPort: String(innerPort),
  }
  const fill = (text: string) =>
    text.replace(/\{(shop|www|other|secure|inner|innerPort)\}/g, (_all, name) => origins[name] ?? '')

  function answer(reply: Reply, visiting: Visiting): void {
    const { request, response } = visiting
    if (typeof reply === 'function') {
      reply(visiting)
      return
    }
    const { status = 200, headers = {}, body = '' } = typeof reply === 'string' ? { body: reply } : reply
    const extension = /\.(\w+)$/.exec(new URL(request.url ?? '/', 'http://shop.example').pathname)?.[1] ?? ''
    const filled = Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? fill(value) : value,
    ])
    const type = 'content-type' in headers ? {} : { 'content-type': TYPES[extension] ?? 'text/html; charset=utf-8' }
    response.writeHead(status, { ...type, ...Object.fromEntries(filled) })
    response.end(typeof body === 'string' ? fill(body) : body)
  }

  return {
    visits,
    innerVisits,
    fill,
    lookup: (name, _options, done) => {
      const addresses = NAMES[name]
      if (addresses !== undefined)
        done(
          null,
          addresses.map((address) => ({ address, family: 4 })),
        )
      else done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' }), '')
    },
    async [Symbol.asyncDispose]() {
      for (const server of [shop, inner]) await close(server)
    },
  }
}

function visitOf({ method = '', url = '/', headers }: IncomingMessage, atMs: number): Visit {
  return { atMs, method, path: url, host: headers.host ?? '', headers }
}

async function listen(server: Server, address: string): Promise<number> {
  server.listen(0, address)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}
