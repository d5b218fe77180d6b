import { LIMITS } from '@catalog/api/callers/rate-limits.ts'
import { MCP_PATH } from '@catalog/api/contract/shared/mcp-paths.ts'
import { openConsole } from '@catalog/console/serve.ts'
import { freePort } from '@catalog/stack/servers/command.ts'
import { answerConsent, connectAgent, openBrowser, REDIRECT_URI, register } from '@catalog/stack/testing/agent.ts'
import { observe, publish, signUp, testApi, testId } from '@catalog/stack/testing/api.ts'
import { createTestWorkspace, signedInPerson } from '@catalog/stack/testing/console.ts'
import { openTestStore } from '@catalog/stack/testing/store.ts'
import type { ClientTask } from './clients.ts'

/** A small catalog on loopback with console and authorization server, and a person who admits clients. */
export interface CatalogEndpoint extends AsyncDisposable {
  readonly task: ClientTask
  readonly issuer: string
  /** Opens an authorization request as the person and consents; answers the final address. */
  readonly authorize: (url: string) => Promise<string>
  /** Connects a new client; answers its access token for all scopes. */
  readonly connectClient: () => Promise<string>
  /** Registers a new client that accepts answers at `/callback` on any port; answers its id. */
  readonly registerClient: () => Promise<string>
}

/** Metadata document of a client that does not register. */
export const CLIENT_METADATA = {
  client_id: 'https://client.example.org/judge.json',
  client_name: 'Judge',
  redirect_uris: [REDIRECT_URI],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none',
}
/** The internet as the authorization server sees it. */
const fetchClientMetadata = (async (url: string | URL) => {
  if (String(url) !== CLIENT_METADATA.client_id) throw new Error(`nothing is published at ${url}`)
  return Response.json(CLIENT_METADATA)
}) as unknown as Parameters<typeof openConsole>[0]['fetch']

export async function openCatalogEndpoint({ folder }: { folder: string }): Promise<CatalogEndpoint> {
  await using starting = new AsyncDisposableStack()
  const store = starting.use(await openTestStore())
  const [cement, lime] = ['cement', 'lime'].map((name) => testId('vsku_', name)) as [string, string]
  const shop = { id: 'src_shop', name: 'Shop (north) & sons', url: 'https://shop.example.org', trust_score: 80 }
  await observe(store, { vendor_sku_id: cement, source: shop, observed_at: '2026-11-18T08:00:00Z', cents: 470 })
  await observe(store, { vendor_sku_id: lime, observed_at: '2026-11-19T08:00:00Z', cents: 499 })
  const itemId = testId('ci_', 'cement')
  await publish(store, { id: itemId, vendor_sku_ids: [cement, lime] })
  const at = new Date().toISOString()
  const person = await signedInPerson(store, { email: 'judge@example.org', at })
  const workspace = await createTestWorkspace(store, { name: 'Judges', members: [[person, 'owner']], at })

  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  // Judges send many requests a minute from one address.
  const limits = { ...LIMITS, anonPerMinute: 100_000, publicDevPerMinute: 100_000 }
  const clock = {
    get at() {
      return new Date()
    },
    advance() {},
  }
  const people = openConsole({ store, origin, limits, now: () => clock.at, fetch: fetchClientMetadata })
  const api = testApi(store, clock, { ...people, publicBaseUrl: origin, limits })
  starting.defer(() => api.close())
  await api.listen({ host: '127.0.0.1', port })
  const key = await signUp(api)
  const browser = openBrowser(origin)
  browser.setCookie(`${person.cookie}; path=/`)
  const running = starting.move()
  return {
    task: { url: origin + MCP_PATH, rest: `${origin}/v1`, key, itemId, words: 'cement', folder },
    issuer: people.tokens.issuer,
    authorize: (url) => answerConsent(browser, url, { workspace }),
    connectClient: async () => (await connectAgent(origin, browser, { workspace })).tokens.access_token,
    async registerClient() {
      const { status, body } = await register(origin)
      if (status !== 201) throw new Error(`registration was answered with ${status}: ${JSON.stringify(body)}`)
      return String(body.client_id)
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
