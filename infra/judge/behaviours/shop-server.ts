import type { IncomingMessage } from 'node:http'
import type { LookupFunction } from 'node:net'
import { serveHttp } from '@catalog/stack/servers/machine.ts'
import { answer, Reply } from '@catalog/stack/shop/replies.ts'

/**
 * A shop that answers as one behaviour describes. Its names lead to {@link SHOP_ADDRESS}, which the crawler may request;
 * `inner` listens at {@link INNER_ADDRESS}, which stands for the operator's own network.
 */
export type ShopServer = AsyncDisposable & {
  readonly visits: readonly Visit[]
  /** Requests that reached the inner server, which must stay 0. */
  readonly innerVisits: readonly Visit[]
  /** Replaces `{shop}`, `{www}`, `{other}`, `{secure}` (the shop over https) and `{inner}` by origins with their ports,
   * `{innerPort}` by that port, and `{feed}` by a price list of one brick. */
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
/** A price list of one brick. */
const FEED = 'sku;name;price;currency\nA;Brick;1.50;EUR\n'

const NOT_FOUND = Reply.parse({ status: 404 })

export async function openShopServer(routes: Routes, now: () => number): Promise<ShopServer> {
  const visits: Visit[] = []
  const innerVisits: Visit[] = []
  const inner = await serveHttp((request, response) => {
    innerVisits.push(visitOf(request, now()))
    response.end('sku;name;price\nINNER;Secret;1.00\n')
  }, INNER_ADDRESS)
  const served = new Map<string, number>()
  const shop = await serveHttp((request, response) => {
    visits.push(visitOf(request, now()))
    const path = request.url ?? '/'
    const host = /^(www|other)\./.exec(request.headers.host ?? '')?.[1] ?? 'shop'
    const key = `${host}${path}` in routes ? `${host}${path}` : path
    const times = (served.get(key) ?? 0) + 1
    served.set(key, times)
    const replies = [routes[key] ?? NOT_FOUND].flat() as readonly Reply[]
    answer(replies[Math.min(times, replies.length) - 1] as Reply, { request, response, times }, { fill })
  }, SHOP_ADDRESS)
  const { port } = shop
  const origins: Readonly<Record<string, string>> = {
    shop: `http://shop.example:${port}`,
    www: `http://www.shop.example:${port}`,
    other: `http://other.example:${port}`,
    secure: `https://shop.example:${port}`,
    inner: `http://inner.example:${inner.port}`,
    innerPort: String(inner.port),
    feed: FEED,
  }
  const fill = (text: string) =>
    text.replace(/\{(shop|www|other|secure|inner|innerPort|feed)\}/g, (_all, name) => origins[name] ?? '')

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
      for (const server of [shop, inner]) await server[Symbol.asyncDispose]()
    },
  }
}

function visitOf({ method = '', url = '/', headers }: IncomingMessage, atMs: number): Visit {
  return { atMs, method, path: url, host: headers.host ?? '', headers }
}
