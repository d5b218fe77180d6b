import { randomBytes } from 'node:crypto'
import { request as httpRequest, type ServerResponse } from 'node:http'
import { openElasticsearchBuild, openElasticsearchIndex } from '@catalog/search/elasticsearch/elasticsearch.ts'
import { CONFORMANCE_DIMS } from '@catalog/stack/conformance/search-index.ts'
import { type HttpServer, serveHttp } from '@catalog/stack/servers/machine.ts'

export const freshPrefix = () => `test-${randomBytes(6).toString('hex')}`

export const idsOf = async (found: Promise<readonly { readonly itemId: string }[]>) =>
  (await found).map(({ itemId }) => itemId).sort()

/** Opens indexes on one server, and closes them together. */
export function testServer() {
  let url = ''
  const opened: AsyncDisposable[] = []
  const closedLater = <Index extends AsyncDisposable>(index: Index): Index => {
    opened.push(index)
    return index
  }
  const options = (prefix: string, fingerprint: string, at: string) => {
    return { url: at, prefix, gen: 'g1', embedder: { fingerprint, dims: CONFORMANCE_DIMS } }
  }
  return {
    connect(serverUrl: string) {
      url = serverUrl
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((index) => index[Symbol.asyncDispose]()))
    },
    url: () => url,
    closedLater,
    open: (prefix: string, fingerprint = 'one-model', at = url) =>
      closedLater(openElasticsearchIndex(options(prefix, fingerprint, at))),
    openBuild: (prefix: string, build: number | null, fingerprint = 'one-model') =>
      closedLater(openElasticsearchBuild({ ...options(prefix, fingerprint, url), build })),
    /** Sends a request to the server itself. */
    async request(path: string, method = 'GET', body?: object) {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      return { status: response.status, body: (await response.json()) as Record<string, never> }
    },
  }
}

/** Forwards requests to the server, except those that `intercept` answers. */
export function openProxy(
  url: string,
  intercept: (path: string, body: string, response: ServerResponse) => Promise<boolean> | boolean,
): Promise<HttpServer> {
  return serveHttp(async (request, response) => {
    const body = (await request.setEncoding('utf8').toArray()).join('')
    if (await intercept(request.url as string, body, response)) return
    const onward = httpRequest(`${url}${request.url}`, { method: request.method, headers: request.headers })
    onward.on('response', (given) => {
      response.writeHead(given.statusCode as number, given.headers)
      given.pipe(response)
    })
    onward.on('error', () => response.destroy()).end(body)
  })
}
