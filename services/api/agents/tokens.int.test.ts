import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Api } from '@catalog/api/server.ts'
import { BASE_URL, testApi } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { createWorkspace } from '@catalog/store/accounts/accounts.ts'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { externalIssuer } from './tokens.ts'

/** A foreign authorization server: its issuer, its signing keys and its key set. */

const ISSUER = 'https://login.example.com/realm'
const AUDIENCE = `${new URL(BASE_URL).origin}/api/mcp`
const clock = testClock()
const store = await storeOfFile()
let api: Api
let published: JWK[] = []
let isAway = false
const keyServer = createServer((_request, response) => {
  response.statusCode = isAway ? 500 : 200
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: published }))
})

/** Creates a signing key that the key set publishes under `kid`. */
async function newKey(kid: string, alg = 'RS256') {
  const { privateKey, publicKey } = await generateKeyPair(alg)
  published = [...published, { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' }]
  return (claims: JWTPayload = {}) => {
    const exp = Math.floor(clock.at.getTime() / 1000) + 300
    const defaults = {
      iss: ISSUER,
      aud: AUDIENCE,
      sub: 'ana',
      azp: 'agent-7',
      scope: 'openid catalog:read',
      wid: 'ws_1',
      exp,
    }
    return new SignJWT({ ...defaults, ...claims }).setProtectedHeader({ alg, kid }).sign(privateKey)
  }
}
let signed: Awaited<ReturnType<typeof newKey>>

const listTools = async (token: string) => {
  const { statusCode, headers, body } = await api.inject({
    method: 'POST',
    url: '/api/mcp',
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
  })
  return { status: statusCode, limit: headers['x-ratelimit-limit'], body }
}

beforeAll(async () => {
  await createWorkspace(store, { workspaceId: 'ws_1', name: 'Obras', plan: 'paid', at: '2026-01-01T00:00:00Z' })
  await createWorkspace(store, { workspaceId: 'ws_2', name: 'Libre', plan: 'free', at: '2026-01-01T00:00:00Z' })
  keyServer.listen(0, '127.0.0.1')
  await once(keyServer, 'listening')
  const jwksUri = `http://127.0.0.1:${(keyServer.address() as AddressInfo).port}/jwks`
  signed = await newKey('k1')
  api = testApi(store, clock, { tokens: externalIssuer({ issuer: ISSUER, jwksUri, audience: AUDIENCE }) })
})
afterAll(async () => {
  await api.close()
  keyServer.close()
})

test('a token acts for the workspace that it names, at the limits of its plan', async () => {
  expect(await listTools(await signed())).toMatchObject({ status: 200, limit: '1000' })
  expect(await listTools(await signed({ wid: 'ws_2' }))).toMatchObject({ status: 200, limit: '120' })
  const json = (await api.inject('/.well-known/oauth-protected-resource')).json() as object
  expect(json).toMatchObject({ authorization_servers: [ISSUER] })
})

test.each([
  ['names no workspace', { wid: undefined }],
  ['names an unknown workspace', { wid: 'ws_3' }],
  ['is for another audience', { aud: 'https://other.example.com' }],
  ['is from another issuer', { iss: 'https://evil.example.com' }],
  ['has expired', { exp: 1 }],
  ['has no subject', { sub: undefined }],
] as const)('a token that %s is refused', async (_, claims) => {
  expect(await listTools(await signed(claims as JWTPayload))).toMatchObject({ status: 401 })
})

test('a token with an HMAC signature over the public key is refused', async () => {
  const secret = new TextEncoder().encode(JSON.stringify(published[0]))
  const exp = Math.floor(clock.at.getTime() / 1000) + 300
  const forged = await new SignJWT({ iss: ISSUER, aud: AUDIENCE, sub: 'ana', wid: 'ws_1', exp })
    .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
    .sign(secret)
  expect(await listTools(forged)).toMatchObject({ status: 401 })
})

test('a call without its scope is answered with the scope that it needs', async () => {
  const { statusCode, headers } = await api.inject({
    method: 'POST',
    url: '/api/mcp',
    payload: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'search_catalog', arguments: { q: 'cement' } },
    },
    headers: { authorization: `Bearer ${await signed()}`, accept: 'application/json, text/event-stream' },
  })
  expect([statusCode, headers['www-authenticate']]).toEqual([403, expect.stringContaining('insufficient_scope')])
})

test('an unavailable key set gives 503 until the issuer answers again', async () => {
  const unknown = await newKey('k2')
  isAway = true
  const fresh = testApi(store, clock, {
    tokens: externalIssuer({
      issuer: ISSUER,
      audience: AUDIENCE,
      jwksUri: `http://127.0.0.1:${(keyServer.address() as AddressInfo).port}/jwks`,
    }),
  })
  const headers = { authorization: `Bearer ${await unknown()}`, accept: 'application/json, text/event-stream' }
  const payload = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const send = () => fresh.inject({ method: 'POST', url: '/api/mcp', headers, payload })
  expect((await send()).statusCode).toBe(503)
  isAway = false
  expect((await send()).statusCode).toBe(200)
  await fresh.close()
})
