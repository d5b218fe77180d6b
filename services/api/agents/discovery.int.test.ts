import { LIMITS } from '@catalog/api/callers/rate-limits.ts'
import { signUp, testApi } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { closedAfterAll, storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { discoveryRoutes } from './discovery.ts'

const ORIGIN = 'https://catalog.example.org'
const CARDS = ['/.well-known/mcp.json', '/api/mcp/server-card', '/.well-known/mcp/server-card.json']
const RESOURCES = ['/.well-known/oauth-protected-resource/api/mcp', '/.well-known/oauth-protected-resource']

const store = await storeOfFile()
const api = closedAfterAll(
  testApi(store, testClock(), {
    limits: { ...LIMITS, publicDevPerMinute: 90, searchPerMinute: 45, orgPerMonth: 7_000 },
  }),
)

const read = async (path: string) => (await api.inject(path)).json()

/** Registers the discovery routes alone, as another server would. */
async function documents(origin: string, authorizationServers?: string[]) {
  const app = Fastify()
  app.decorateRequest('sentDocument', null)
  app.decorateRequest('charge', async () => {})
  discoveryRoutes(app, { origin, limits: LIMITS, dataLicence: null }, authorizationServers)
  const read = async (path: string) => (await app.inject(path)).json()
  const found = { card: await read('/.well-known/mcp.json'), resource: await read(RESOURCES[0] as string) }
  await app.close()
  return found
}

describe('the server card', () => {
  test('lists the tools exactly as the endpoint does', async () => {
    const key = await signUp(api)
    const listed = await api.inject({
      method: 'POST',
      url: '/api/mcp',
      payload: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
      headers: { authorization: `Bearer ${key}`, accept: 'application/json, text/event-stream' },
    })
    const { result } = JSON.parse(/^data: (.*)$/m.exec(listed.body)?.[1] as string)
    const { tools } = await read('/.well-known/mcp.json')
    expect(tools.map(({ scopes, ...tool }: { scopes: string[] }) => tool)).toEqual(result.tools)
    expect(tools.map(({ name, scopes }: { name: string; scopes: string[] }) => [name, ...scopes])).toEqual([
      ['search_catalog', 'catalog:read', 'catalog:search'],
      ['get_item', 'catalog:read'],
      ['list_categories', 'catalog:read'],
      ['get_decomposition', 'catalog:read'],
      ['price_bill', 'catalog:read', 'catalog:search'],
    ])
  })

  test('states the limits of the service', async () => {
    expect((await read('/.well-known/mcp.json')).limits).toEqual({
      requests_per_minute: 90,
      searches_per_minute: 45,
      callers: [
        { tier: 'public_dev', requests_per_minute: 90, searches_per_minute: 45, requests_per_month: 50_000 },
        { tier: 'org', requests_per_minute: 1_000, searches_per_minute: 45, requests_per_month: 7_000 },
      ],
      counting: expect.stringContaining('search_catalog counts as a search'),
    })
  })

  test('has the required fields and links to the endpoint', async () => {
    const card = await read('/.well-known/mcp.json')
    expect(card).toMatchObject({
      $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
      name: 'org.example.catalog/construction-catalog',
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      authentication: { type: 'bearer', required: true, resource_metadata: ORIGIN + RESOURCES[0] },
    })
    expect(card.description.length).toBeLessThanOrEqual(100)
    const [{ type, url, supportedProtocolVersions }] = card.remotes
    expect([type, url]).toEqual(['streamable-http', `${ORIGIN}/api/mcp`])
    expect(supportedProtocolVersions.slice(0, 2)).toEqual(['2026-07-28', '2025-11-25'])
  })

  test.each([
    ['http://127.0.0.1:3000', 'localhost/construction-catalog'],
    ['http://[::1]:3000', 'localhost/construction-catalog'],
    ['http://localhost:3000', 'localhost/construction-catalog'],
  ])('for the address %s has the name %s', async (origin, name) => {
    expect((await documents(origin)).card.name).toBe(name)
  })
})

test('the AI catalog links to the server card', async () => {
  const { entries } = await read('/.well-known/ai-catalog.json')
  expect(entries).toEqual([
    expect.objectContaining({
      identifier: 'urn:air:catalog.example.org:mcp:catalog',
      type: 'application/mcp-server-card+json',
      url: `${ORIGIN}/api/mcp/server-card`,
    }),
  ])
})

test('the protected resource lists its scopes, and its issuers if there are any', async () => {
  expect(await read(RESOURCES[0] as string)).toEqual(await read(RESOURCES[1] as string))
  expect(await read(RESOURCES[0] as string)).toMatchObject({
    resource: `${ORIGIN}/api/mcp`,
    bearer_methods_supported: ['header'],
    scopes_supported: ['catalog:read', 'catalog:search'],
  })
  expect(await read(RESOURCES[0] as string)).not.toHaveProperty('authorization_servers')
  const { resource, card } = await documents(ORIGIN, [`${ORIGIN}/oauth`])
  expect(resource.authorization_servers).toEqual([`${ORIGIN}/oauth`])
  expect(card.authentication.type).toBe('oauth2')
})

test.each<[path: string, type: string]>([
  ...CARDS.map((path, i): [string, string] => [
    path,
    i === 0 ? 'application/json; charset=utf-8' : 'application/mcp-server-card+json',
  ]),
  ...RESOURCES.map((path): [string, string] => [path, 'application/json; charset=utf-8']),
  ['/.well-known/ai-catalog.json', 'application/ai-catalog+json'],
])('%s is %s, cacheable for an hour, readable from any origin, and outside the limits', async (path, type) => {
  const { statusCode, headers } = await api.inject({
    url: path,
    headers: { origin: 'https://elsewhere.example.net' },
  })
  expect([statusCode, headers['content-type']]).toEqual([200, type])
  expect(headers).toMatchObject({ 'cache-control': 'public, max-age=3600', 'access-control-allow-origin': '*' })
  expect(headers).not.toHaveProperty('ratelimit')
  const again = await api.inject({ url: path, headers: { 'if-none-match': String(headers.etag) } })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  expect((await api.inject({ method: 'POST', url: path })).statusCode).toBe(405)
})

test('every address of the server card returns the same card', async () => {
  const [first, ...others] = await Promise.all(CARDS.map(read))
  for (const other of others) expect(other).toEqual(first)
})
