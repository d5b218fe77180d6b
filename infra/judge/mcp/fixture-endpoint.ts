import { once } from 'node:events'
import { createServer, request as requestTo } from 'node:http'
import type { AddressInfo } from 'node:net'
import { newId, newKey } from '@catalog/access/keys.ts'
import type { InProcessClient } from '@catalog/api/agents/in-process-client.ts'
import { agentRoute, keyVerifier } from '@catalog/api/agents/mcp.ts'
import { openCallers } from '@catalog/api/callers/caller.ts'
import { LIMITS } from '@catalog/api/callers/rate-limits.ts'
import { MCP_PATH } from '@catalog/api/contract/shared/mcp-paths.ts'
import { asApiError } from '@catalog/api/http/errors.ts'
import { openTestStore } from '@catalog/stack/testing/store.ts'
import { createWorkspace, insertKey } from '@catalog/store/accounts/accounts.ts'
import Fastify from 'fastify'
import { openFixture } from './fixture.ts'

/** An MCP endpoint on loopback. */
export interface Endpoint extends AsyncDisposable {
  readonly url: string
}

/** Starts the suite's fixture behind the authentication and limits of the catalog's MCP endpoint. */
export async function startFixture(): Promise<Endpoint & { readonly key: string }> {
  await using starting = new AsyncDisposableStack()
  const store = starting.use(await openTestStore())
  const at = new Date().toISOString()
  const { key, mark } = newKey('org')
  const workspaceId = newId('ws_')
  await createWorkspace(store, { workspaceId, name: 'Judges', plan: 'paid', at })
  await insertKey(store, { kind: 'org', ...mark, workspaceId, name: 'judge', at })

  const app = Fastify()
  starting.defer(() => app.close())
  const ipOf = () => '127.0.0.1'
  const callers = openCallers(app, { store, limits: LIMITS, now: () => new Date(), ipOf })
  app.addHook('onClose', () => callers.close())
  app.setNotFoundHandler((_request, reply) => reply.code(405).header('allow', 'POST').send())
  agentRoute(app, {
    // The fixture calls no API.
    client: {} as InProcessClient,
    cache: { peek: () => undefined },
    store,
    facts: { origin: 'http://127.0.0.1', limits: LIMITS, dataLicence: null },
    verify: keyVerifier(callers),
    isDraining: () => false,
    failureOf: asApiError,
    onFailure: (error) => console.error(error),
    openServer: openFixture,
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const running = starting.move()
  return { url: origin + MCP_PATH, key, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

/** A proxy for judges that cannot send a key: it adds the key to every request and passes everything else unchanged. */
export async function startKeyProxy({ url, key }: { url: string; key: string }): Promise<Endpoint> {
  const { origin, pathname } = new URL(url)
  const server = createServer((request, response) => {
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
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${pathname}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
