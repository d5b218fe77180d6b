import { request as requestTo } from 'node:http'
import { serveHttp } from '@catalog/stack/servers/machine.ts'

/** An MCP endpoint on loopback. */
export interface Endpoint extends AsyncDisposable {
  readonly url: string
}

/** A proxy for judges that cannot send a key: it adds the key to every request and passes everything else unchanged. */
export async function startKeyProxy({ url, key }: { url: string; key: string }): Promise<Endpoint> {
  const { origin, pathname } = new URL(url)
  const server = await serveHttp((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${key}` }
    const { method = 'GET', url: path = '/' } = request
    const onward = requestTo(origin + path, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    request.pipe(onward)
    onward.on('error', () => response.destroy())
    response.on('close', () => onward.destroy())
  })
  return { url: server.url + pathname, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}
