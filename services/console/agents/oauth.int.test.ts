import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { newKey } from '@catalog/access/keys.ts'
import { LIMITS } from '@catalog/api/callers/rate-limits.ts'
import type { Api } from '@catalog/api/server.ts'
import { openConsole } from '@catalog/console/serve.ts'
import { instant } from '@catalog/core/time.ts'
import { openFetch } from '@catalog/runtime/fetch.ts'
import {
  answerConsent,
  authorizationUrl,
  type Browser,
  connectAgent,
  openBrowser,
  proofKey,
  REDIRECT_URI,
  register,
  requestToken,
  type Tokens,
} from '@catalog/stack/testing/agent.ts'
import { testApi } from '@catalog/stack/testing/api.ts'
import { createTestWorkspace, mailsTo, type Person, signedInPerson } from '@catalog/stack/testing/console.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { insertKey, setPlan } from '@catalog/store/accounts/accounts.ts'
import { listAgents } from '@catalog/store/accounts/agents.ts'
import { readAudit } from '@catalog/store/accounts/members.ts'
import { readSigningKeys } from '@catalog/store/accounts/oauth.ts'
import { decodeJwt, decodeProtectedHeader, importJWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { REGISTRATIONS } from './registration-limits.ts'
import { rotateSigningKey } from './signing-keys.ts'

/** Agents, people and attackers against a listening server. */

const store = await storeOfFile()
let api: Api
let origin: string
let ana: Person
let bob: Person
let workspace: string
/** Offset of the test clock: the library reads only the machine's clock. */
let aheadMs = 0
const clock = {
  get at() {
    return new Date(Date.now() + aheadMs)
  },
  advance() {},
}
/** Responses of fake internet hosts; every other address goes through the guard. */
const internet = new Map<string, object>()
const READ = 'catalog:read'
const BOTH = 'catalog:read catalog:search'

/** A server on its own port, with practically unlimited registrations by default. */
async function serve(registrations = { perHour: 10_000, perDay: 10_000, perDayOfSite: 10_000, perDayOfAll: 10_000 }) {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  const origin = `http://127.0.0.1:${port}`
  const guarded = openFetch({ allowed: [] })
  const fetch: typeof guarded = async (url, init) => {
    const found = internet.get(String(url))
    return found === undefined ? guarded(url, init) : (Response.json(found) as unknown as ReturnType<typeof guarded>)
  }
  const people = openConsole({ store, origin, limits: LIMITS, now: () => clock.at, fetch, registrations })
  const api = testApi(store, clock, { ...people, publicBaseUrl: origin, trustedProxies: ['127.0.0.1/32'] })
  await api.listen({ port, host: '127.0.0.1' })
  return { api, origin }
}

beforeAll(async () => {
  ;({ api, origin } = await serve())
  const at = instant(clock.at)
  ana = await signedInPerson(store, { email: 'ana@example.org', at })
  bob = await signedInPerson(store, { email: 'bob@example.org', at })
  workspace = await createTestWorkspace(store, {
    name: 'Obras Ana',
    members: [
      [ana, 'owner'],
      [bob, 'member'],
    ],
    at,
  })
})
afterAll(() => api.close())
beforeEach(async () => {
  aheadMs = 0
  // All tests share one address, so each starts with empty limits.
  await store.query(`delete from limit_windows`)
})

function browserOf({ cookie }: Person): Browser {
  const browser = openBrowser(origin)
  browser.setCookie(`${cookie}; path=/`)
  return browser
}
const connected = (more: Record<string, string> = {}, person = ana) =>
  connectAgent(origin, browserOf(person), { workspace, ...more })

/** A message to the agent endpoint by the older protocol revision. */
async function message(token: string | null, method = 'tools/list', params: object = {}, query = '') {
  const response = await fetch(`${origin}/api/mcp${query}`, {
    method: 'POST',
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2025-11-25',
      'x-forwarded-for': `203.0.113.${Math.floor(Math.random() * 250)}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const statusOf = async (token: string) => (await message(token)).status
const call = (token: string, name: string, args: object) => message(token, 'tools/call', { name, arguments: args })
const agentsNow = async () =>
  (await listAgents(store, { workspaceId: workspace, limit: 99 })).filter(({ revoked_at }) => revoked_at === null)
/** A registered client, and the address at which it asks for consent. */
async function asking(client: object = {}, more: Record<string, string> = {}) {
  const clientId = String((await register(origin, client)).body.client_id)
  const { verifier, challenge } = proofKey()
  return {
    clientId,
    verifier,
    url: authorizationUrl(origin, { client_id: clientId, code_challenge: challenge, ...more }),
  }
}
const refreshed = (
  clientId: string,
  { refresh_token }: Pick<Tokens, 'refresh_token'>,
  more: Record<string, string> = {},
) =>
  requestToken(origin, {
    grant_type: 'refresh_token',
    refresh_token: refresh_token as string,
    client_id: clientId,
    ...more,
  })

describe('discovery', () => {
  test('leads from the endpoint to the server and its capabilities', async () => {
    const resource = (await (await fetch(`${origin}/.well-known/oauth-protected-resource/api/mcp`)).json()) as object
    expect(resource).toMatchObject({ resource: `${origin}/api/mcp`, authorization_servers: [`${origin}/oauth`] })
    expect((await message(null)).headers.get('www-authenticate')).toContain('resource_metadata=')
    const places = ['/.well-known/oauth-authorization-server/oauth', '/oauth/.well-known/openid-configuration']
    for (const place of [...places, '/.well-known/openid-configuration/oauth']) {
      expect([place, await (await fetch(origin + place)).json()]).toMatchObject([
        place,
        {
          issuer: `${origin}/oauth`,
          authorization_endpoint: `${origin}/oauth/auth`,
          token_endpoint: `${origin}/oauth/token`,
          registration_endpoint: `${origin}/oauth/reg`,
          revocation_endpoint: `${origin}/oauth/token/revocation`,
          jwks_uri: `${origin}/oauth/jwks`,
          code_challenge_methods_supported: ['S256'],
          response_types_supported: ['code'],
          client_id_metadata_document_supported: true,
          authorization_response_iss_parameter_supported: true,
          scopes_supported: expect.arrayContaining(['catalog:read', 'catalog:search', 'offline_access']),
        },
      ])
    }
    const { keys } = (await (await fetch(`${origin}/oauth/jwks`)).json()) as { keys: object[] }
    expect(keys).toMatchObject([{ alg: 'ES256', use: 'sig' }])
    expect(JSON.stringify(keys)).not.toContain('"d"')
  })

  test('names the server in its documents whatever host a request names', async () => {
    const { body } = await api.inject({
      url: '/oauth/.well-known/openid-configuration',
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    })
    expect(body).not.toContain('evil')
    expect(JSON.parse(body)).toMatchObject({ token_endpoint: `${origin}/oauth/token` })
  })
})

describe('an agent with consent', () => {
  test('gets a signed token for the endpoint, and its tools', async () => {
    const { clientId, tokens } = await connected()
    expect(decodeProtectedHeader(tokens.access_token)).toMatchObject({ alg: 'ES256', typ: 'at+jwt' })
    expect(decodeJwt(tokens.access_token)).toMatchObject({
      iss: `${origin}/oauth`,
      aud: `${origin}/api/mcp`,
      sub: ana.userId,
      client_id: clientId,
      wid: workspace,
      scope: BOTH,
    })
    const { status, text } = await message(tokens.access_token)
    expect([status, text]).toEqual([200, expect.stringContaining('get_item')])
    expect(await agentsNow()).toContainEqual(
      expect.objectContaining({
        client_id: clientId,
        email: 'ana@example.org',
        scope: BOTH,
        redirect_host: '127.0.0.1:33418',
      }),
    )
    const [entry] = await readAudit(store, { workspaceId: workspace, limit: 1 })
    expect(entry).toMatchObject({ actor: 'ana@example.org', action: 'agent.connected', target: 'Test agent' })
  })

  test.each([
    ['the origin', ''],
    ['the origin with a slash', '/'],
    ['a slash at the end', '/api/mcp/'],
    ['its address', '/api/mcp'],
  ])('may call the endpoint by %s', async (_, path) => {
    const { tokens } = await connected({ resource: origin + path })
    expect(decodeJwt(tokens.access_token).aud).toBe(`${origin}/api/mcp`)
  })

  test('with one scope learns which one it lacks, and gets it from the person by a step-up', async () => {
    const { clientId, tokens } = await connected({ scope: READ })
    expect(tokens.scope).toBe(READ)
    const refused = await call(tokens.access_token, 'search_catalog', { q: 'cement' })
    expect(refused.status).toBe(403)
    expect(refused.headers.get('www-authenticate')).toMatch(
      /error="insufficient_scope".*scope="catalog:read catalog:search"/,
    )
    const before = (await agentsNow()).find(({ client_id }) => client_id === clientId)
    const more = await connected({ clientId, scope: BOTH })
    expect((await call(more.tokens.access_token, 'search_catalog', { q: 'cement' })).status).toBe(200)
    const after = (await agentsNow()).filter(({ client_id }) => client_id === clientId)
    expect(after).toMatchObject([{ agent_id: before?.agent_id, scope: BOTH }])
  })

  test('refreshes its token, with a new refresh token each time', async () => {
    const { clientId, tokens } = await connected()
    const { status, body } = await refreshed(clientId, tokens)
    expect([status, body.scope]).toEqual([200, BOTH])
    expect(body.refresh_token).not.toBe(tokens.refresh_token)
    expect(await statusOf(body.access_token)).toBe(200)
  })

  test('shares the limits of its workspace with its keys, and has those of a free key on the free plan', async () => {
    const { tokens } = await connected()
    const { key, mark } = newKey('org')
    await insertKey(store, { kind: 'org', ...mark, workspaceId: workspace, name: 'k', at: instant(clock.at) })
    const limitsOf = async (response: Promise<Response> | ReturnType<typeof message>) => {
      const { headers } = await response
      return ['limit', 'remaining'].map((name) => Number(headers.get(`x-ratelimit-${name}`)))
    }
    const [limit, left] = await limitsOf(message(tokens.access_token))
    expect(limit).toBe(1_000)
    expect(await limitsOf(fetch(`${origin}/v1/categories`, { headers: { authorization: `Bearer ${key}` } }))).toEqual([
      1_000,
      (left as number) - 1,
    ])
    await setPlan(store, { workspaceId: workspace, plan: 'free' })
    try {
      aheadMs = 26_000
      expect((await limitsOf(message(tokens.access_token)))[0]).toBe(120)
      const refused = await fetch(`${origin}/v1/categories`, { headers: { authorization: `Bearer ${key}` } })
      expect([refused.status, await refused.text()]).toEqual([401, expect.stringContaining('plan')])
    } finally {
      await setPlan(store, { workspaceId: workspace, plan: 'paid' })
    }
  })

  test('with published metadata needs no registration, and the page shows its host', async () => {
    const clientId = 'https://agent.example/client.json'
    internet.set(clientId, {
      client_id: clientId,
      client_name: 'Estimator',
      redirect_uris: ['http://127.0.0.1/callback'],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    })
    const { challenge } = proofKey()
    const consent = await browserOf(ana).follow(
      authorizationUrl(origin, { client_id: clientId, code_challenge: challenge }),
    )
    expect(consent.page).toMatch(/Estimator[\s\S]*agent\.example[\s\S]*127\.0\.0\.1:33418/)
    // The port is unknown before it is free, so any port of this machine is accepted (RFC 8252 §7.3).
    const { tokens } = await connected({ clientId })
    expect(await statusOf(tokens.access_token)).toBe(200)
  })

  test('may register with any scope and is not bound to it', async () => {
    const { status, body } = await register(origin, { scope: 'openid profile email' })
    expect(status).toBe(201)
    const { tokens } = await connected({ clientId: String(body.client_id) })
    expect(tokens.scope).toBe(BOTH)
  })

  test('learns that its consent was denied', async () => {
    const { url } = await asking()
    const back = new URL(await answerConsent(browserOf(ana), url, { workspace, decision: 'deny' }))
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'st',
      iss: `${origin}/oauth`,
    })
    expect(back.searchParams.has('code')).toBe(false)
  })

  test('waits while the person signs in and then reaches the consent page', async () => {
    const { url } = await asking()
    const browser = openBrowser(origin)
    const signIn = await browser.follow(url)
    expect(new URL(signIn.url).pathname).toBe('/console/sign-in')
    const next = new URL(signIn.url).searchParams.get('next') as string
    expect(next).toMatch(/^\/console\/consent\//)
    browser.setCookie(`${ana.cookie}; path=/`)
    expect((await browser.follow(origin + next)).page).toContain('Test agent')
  })
})

describe('an agent is refused within 30 seconds', () => {
  const later = async (token: string) => {
    aheadMs += 26_000
    return (await message(token)).status
  }

  test('when a person revokes it, together with its refresh tokens', async () => {
    const { clientId, tokens } = await connected()
    expect(await statusOf(tokens.access_token)).toBe(200)
    const agent = (await agentsNow()).find(({ client_id }) => client_id === clientId)
    const path = `/console/workspaces/${workspace}/agents/${agent?.agent_id}/revoke`
    expect((await browserOf(ana).send(origin + path, { sure: 'yes' })).status).toBeLessThan(400)
    expect(await later(tokens.access_token)).toBe(401)
    expect((await refreshed(clientId, tokens)).body.error).toBe('invalid_grant')
  })

  test('when its person resets the password, which somebody else may have known', async () => {
    const at = instant(clock.at)
    const eve = await signedInPerson(store, { email: 'eve@example.org', at })
    const own = await createTestWorkspace(store, { name: 'Obras Eve', members: [[eve, 'owner']], at })
    const { clientId, tokens } = await connected({ workspace: own }, eve)
    expect(await statusOf(tokens.access_token)).toBe(200)
    const browser = openBrowser(origin)
    await browser.send(`${origin}/console/forgot`, { email: eve.email })
    const [mail] = (await mailsTo(store, eve.email)).slice(-1)
    const token = /token=([\w-]+)/.exec(mail?.body ?? '')?.[1] as string
    const answer = await browser.send(`${origin}/console/reset`, { token, new_password: 'a much longer other secret' })
    expect(answer.status).toBeLessThan(400)
    expect(await later(tokens.access_token)).toBe(401)
    expect((await refreshed(clientId, tokens)).body.error).toBe('invalid_grant')
  })

  test('when its person leaves the workspace', async () => {
    const { tokens } = await connected({}, bob)
    expect(await statusOf(tokens.access_token)).toBe(200)
    await store.query(`delete from workspace_members where user_id = $1`, [bob.userId])
    try {
      expect(await later(tokens.access_token)).toBe(401)
    } finally {
      await store.query(`insert into workspace_members values ($1, $2, 'member', now())`, [workspace, bob.userId])
    }
  })

  test('when it revokes its own token, but not when another client tries', async () => {
    const { clientId, tokens } = await connected()
    const signOff = async (client_id: string) => {
      const body = new URLSearchParams({ token: tokens.refresh_token as string, client_id })
      return (await fetch(`${origin}/oauth/token/revocation`, { method: 'POST', body })).status
    }
    expect(await signOff(String((await register(origin)).body.client_id))).toBe(200)
    expect(await later(tokens.access_token)).toBe(200)
    expect(await signOff(clientId)).toBe(200)
    expect(await later(tokens.access_token)).toBe(401)
    expect((await agentsNow()).map(({ client_id }) => client_id)).not.toContain(clientId)
  })
})

describe('a token with another issuer or audience', () => {
  let good: JWTPayload
  let kid: string
  let key: Awaited<ReturnType<typeof importJWK>>
  let intact: string
  beforeAll(async () => {
    intact = (await connected()).tokens.access_token
    good = decodeJwt(intact)
    const [row] = await readSigningKeys(store)
    kid = row?.kid as string
    key = await importJWK(row?.jwk as object, 'ES256')
  })
  const signed = (claims: JWTPayload, header: object = {}) =>
    new SignJWT({ ...good, ...claims }).setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid, ...header }).sign(key)

  test('is refused, and the unchanged token is accepted', async () => {
    expect(await statusOf(await signed({}))).toBe(200)
    const seconds = Math.floor(Date.now() / 1000)
    const other = await signed({})
    const [head, body] = other.split('.') as [string, string]
    const jwks = (await (await fetch(`${origin}/oauth/jwks`)).json()) as { keys: { x: string }[] }
    const tokens = {
      'another audience': await signed({ aud: 'https://other.example/api/mcp' }),
      'several audiences without ours': await signed({ aud: ['a', 'b'] }),
      'no audience': await signed({ aud: undefined as never }),
      'another issuer': await signed({ iss: 'https://evil.example/oauth' }),
      expired: await signed({ exp: seconds - 1 }),
      'without an end': await signed({ exp: undefined as never }),
      'not valid yet': await signed({ nbf: seconds + 600 }),
      'of another type': await signed({}, { typ: 'JWT' }),
      'of a key that is not known': await signed({}, { kid: 'unknown' }),
      unsigned: new UnsecuredJWT({ ...good }).setIssuer(good.iss as string).encode(),
      'signed with the public key as a secret': await new SignJWT({ ...good })
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid })
        .sign(new TextEncoder().encode(jwks.keys[0]?.x.padEnd(32, '0'))),
      'with another signature': `${head}.${body}.${Buffer.alloc(64, 7).toString('base64url')}`,
      'with another body': `${head}.${Buffer.from(JSON.stringify({ ...good, scope: BOTH, extra: 1 })).toString('base64url')}.${other.split('.')[2]}`,
      'of an agent that is not known': await signed({ agent: 'agt_0000000000000000000000000' }),
      'of nobody': await signed({ agent: undefined, wid: undefined }),
    }
    const refused: Record<string, number> = {}
    for (const [name, token] of Object.entries(tokens)) {
      const { status, headers } = await message(token)
      expect([name, headers.get('www-authenticate')]).toEqual([name, expect.stringContaining('error="invalid_token"')])
      refused[name] = status
    }
    expect(refused).toEqual(Object.fromEntries(Object.keys(tokens).map((name) => [name, 401])))
  })

  test('is ignored in the address', async () => {
    for (const name of ['access_token', 'token', 'key']) {
      expect([name, (await message(null, 'tools/list', {}, `?${name}=${intact}`)).status]).toEqual([name, 401])
    }
  })

  test('opens no REST endpoint', async () => {
    expect((await fetch(`${origin}/v1/usage`, { headers: { authorization: `Bearer ${intact}` } })).status).toBe(401)
  })

  test('signed by the former key is accepted until it expires', async () => {
    const { kid: next } = await rotateSigningKey({ store, now: () => clock.at })
    aheadMs = 31_000
    const { keys } = (await (await fetch(`${origin}/oauth/jwks`)).json()) as { keys: { kid: string }[] }
    expect(keys.map(({ kid }) => kid).sort()).toEqual([kid, next].sort())
    expect(await statusOf(intact)).toBe(200)
    const { tokens } = await connected()
    // The new key is published for a while before it signs.
    expect(decodeProtectedHeader(tokens.access_token).kid).toBe(kid)
    const future = await importJWK((await readSigningKeys(store))[0]?.jwk as object, 'ES256')
    const byNext = await new SignJWT({ ...good, exp: Math.floor(Date.now() / 1000) + 600 })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: next })
      .sign(future)
    expect(await statusOf(byNext)).toBe(200)
  })
})

describe('an attacker', () => {
  /** A code that the person granted to a client, with the client's secret verifier. */
  async function stolenCode() {
    const { clientId, verifier, url } = await asking()
    const back = new URL(await answerConsent(browserOf(ana), url, { workspace }))
    const code = back.searchParams.get('code') as string
    const exchange = (more: Record<string, string>) =>
      requestToken(origin, {
        grant_type: 'authorization_code',
        code,
        client_id: clientId,
        redirect_uri: REDIRECT_URI,
        ...more,
      })
    return { clientId, verifier, exchange }
  }

  test('with a stolen code and no verifier gets nothing', async () => {
    const { exchange } = await stolenCode()
    expect((await exchange({})).body.error).toBe('invalid_grant')
    const other = await stolenCode()
    expect((await other.exchange({ code_verifier: proofKey().verifier })).body.error).toBe('invalid_grant')
  })

  test('with a stolen code and a client of its own gets nothing', async () => {
    const { exchange, verifier } = await stolenCode()
    const mine = String((await register(origin)).body.client_id)
    expect((await exchange({ code_verifier: verifier, client_id: mine })).body.error).toBe('invalid_grant')
  })

  test('who uses a code again revokes the tokens of that code', async () => {
    const { exchange, verifier, clientId } = await stolenCode()
    const first = await exchange({ code_verifier: verifier })
    expect(first.status).toBe(200)
    expect((await exchange({ code_verifier: verifier })).body.error).toBe('invalid_grant')
    expect((await refreshed(clientId, first.body)).body.error).toBe('invalid_grant')
    expect((await agentsNow()).map(({ client_id }) => client_id)).not.toContain(clientId)
  })

  test('who races with a code gets at most one token', async () => {
    const { exchange, verifier } = await stolenCode()
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange({ code_verifier: verifier })))
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  })

  test('who replays a refresh token revokes the grant for everybody', async () => {
    const { clientId, tokens } = await connected()
    const next = await refreshed(clientId, tokens)
    expect(next.status).toBe(200)
    expect((await refreshed(clientId, tokens)).body.error).toBe('invalid_grant')
    expect((await refreshed(clientId, next.body)).body.error).toBe('invalid_grant')
    aheadMs = 26_000
    expect(await statusOf(next.body.access_token)).toBe(401)
  })

  test('who asks for more scopes than granted gets no more', async () => {
    const { clientId, tokens } = await connected({ scope: READ })
    expect((await refreshed(clientId, tokens, { scope: BOTH })).body.error).toBe('invalid_scope')
    const { status, body } = await refreshed(clientId, (await connected({ clientId, scope: READ })).tokens)
    expect([status, body.scope]).toEqual([200, READ])
  })

  test.each([
    ['no proof key', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['a plain proof key', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['another resource', { resource: 'https://other.example/api/mcp' }, 'invalid_target'],
    ['a token instead of a code', { response_type: 'token' }, 'unsupported_response_type'],
  ])('who requests %s is refused', async (_, more, error) => {
    const url = new URL((await asking()).url)
    for (const [name, value] of Object.entries(more)) {
      if (value === '') url.searchParams.delete(name)
      else url.searchParams.set(name, value)
    }
    const back = await browserOf(ana).follow(url.href)
    const parameters = new URL(back.url.replace('#', '?')).searchParams
    expect([parameters.get('error'), parameters.get('code')]).toEqual([error, null])
  })

  test.each([
    'https://evil.example/callback',
    'http://127.0.0.1.evil.example/callback',
    'http://127.0.0.1:33418/other',
    'http://127.0.0.1:33418@evil.example/callback',
    'javascript:alert(1)',
  ])('who wants the answer at %s gets no redirect', async (redirect_uri) => {
    const response = await browserOf(ana).send((await asking({}, { redirect_uri })).url)
    const text = await response.text()
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(text).toContain('invalid_redirect_uri')
    expect(text).not.toContain('<script')
  })

  test.each([
    [['javascript:alert(1)']],
    [['data:text/html,x']],
    [['http://evil.example/callback']],
    [['https://a.example/#fragment']],
    [['https://catalog.example@evil.example/callback']],
    [['https://*.example.com/callback']],
    [['https://evil.example\\@catalog.example/callback']],
    [['https://catalog.example\n.evil.example/callback']],
    [Array.from({ length: 11 }, (_, i) => `https://a.example/${i}`)],
    [[]],
  ])('who registers %j is refused', async (redirect_uris) => {
    const { status, body } = await register(origin, { redirect_uris })
    expect([status, body.error]).toEqual([400, expect.stringMatching(/^invalid_(redirect_uri|client_metadata)$/)])
  })

  test('who submits the consent from another page, or frames it, gets no grant', async () => {
    const { clientId, url } = await asking()
    const browser = browserOf(ana)
    const consent = await browser.follow(url)
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, {}]) {
      const response = await fetch(consent.url, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie: ana.cookie, 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams({ decision: 'allow', workspace }).toString(),
      })
      expect([headers, response.status]).toEqual([headers, 403])
    }
    const page = await browser.send(consent.url)
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    expect((await agentsNow()).map(({ client_id }) => client_id)).not.toContain(clientId)
  })

  test('who sends a person the address of its own consent page gains nothing', async () => {
    const { clientId, url } = await asking()
    const begun = await browserOf(bob).follow(url)
    const response = await browserOf(ana).send(begun.url, { decision: 'allow', workspace })
    expect(response.status).toBe(400)
    expect((await agentsNow()).map(({ client_id }) => client_id)).not.toContain(clientId)
  })

  test('who had consent before must ask again', async () => {
    const browser = browserOf(ana)
    const { clientId } = await connectAgent(origin, browser, { workspace })
    const url = (more: Record<string, string> = {}) =>
      authorizationUrl(origin, { client_id: clientId, code_challenge: proofKey().challenge, ...more })
    expect(new URL((await browser.follow(url())).url).pathname).toMatch(/^\/console\/consent\//)
    const unasked = new URL((await browser.follow(url({ prompt: 'none' }))).url)
    expect([unasked.searchParams.get('error'), unasked.searchParams.get('code')]).toEqual(['login_required', null])
  })

  test("who names another person's workspace is refused", async () => {
    const at = instant(clock.at)
    const foreign = await createTestWorkspace(store, { name: `Foreign ${at}`, members: [[bob, 'owner']], at })
    const { url } = await asking()
    await expect(answerConsent(browserOf(ana), url, { workspace: foreign })).rejects.toThrow(
      'consent was answered with 400',
    )
    expect(await listAgents(store, { workspaceId: foreign, limit: 9 })).toEqual([])
  })

  test('whose name is markup appears as text', async () => {
    const { url } = await asking({ client_name: '<script>alert(1)</script>\u202e"' })
    const { page } = await browserOf(ana).follow(url)
    expect(page).not.toContain('<script')
    expect(page).not.toContain('\u202e')
    expect(page).toContain('alert(1)')
  })

  test.each([
    'https://127.0.0.1/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/client.json',
    'https://localhost/client.json',
    'http://agent.example/client.json',
    'https://10.0.0.1:8443/client.json',
  ])('who makes the server fetch %s is refused', async (clientId) => {
    const url = authorizationUrl(origin, { client_id: clientId, code_challenge: proofKey().challenge })
    const response = await browserOf(ana).send(url)
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('invalid_client')])
  })

  test('whose document names another client is refused', async () => {
    internet.set('https://liar.example/c.json', {
      client_id: 'https://agent.example/client.json',
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: 'none',
    })
    const more = { client_id: 'https://liar.example/c.json', code_challenge: proofKey().challenge }
    expect((await browserOf(ana).send(authorizationUrl(origin, more))).status).toBe(400)
  })

  test('who sends ten megabytes is refused at every endpoint, and the server keeps running', async () => {
    const body = Buffer.alloc(10 * 1024 * 1024, 0x20)
    const sizes: Record<string, number> = {}
    for (const [path, type] of [
      ['/oauth/reg', 'application/json'],
      ['/oauth/token', 'application/x-www-form-urlencoded'],
      ['/api/mcp', 'application/json'],
      ['/console/sign-in', 'application/x-www-form-urlencoded'],
    ] as const) {
      const headers = {
        'content-type': type,
        origin,
        authorization: path === '/api/mcp' ? `Bearer ${(await connected()).tokens.access_token}` : '',
      }
      const response = await fetch(origin + path, { method: 'POST', body, headers }).catch(() => undefined)
      // The server hangs up on a client that keeps sending, which may never read the answer.
      sizes[path] = response?.status ?? 413
    }
    expect(sizes).toEqual({ '/oauth/reg': 413, '/oauth/token': 413, '/api/mcp': 413, '/console/sign-in': 413 })
    expect((await fetch(`${origin}/livez`)).status).toBe(200)
  })

  const registerFrom = async (served: string, address: string) => {
    const response = await fetch(`${served}/oauth/reg`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ redirect_uris: [REDIRECT_URI] }),
    })
    await response.arrayBuffer()
    return response
  }
  const registrationsFrom = async (served: string, addresses: readonly string[]) => {
    const found: number[] = []
    for (let i = 0; i < addresses.length; i += 50) {
      const answers = await Promise.all(addresses.slice(i, i + 50).map((address) => registerFrom(served, address)))
      found.push(...answers.map(({ status }) => status))
    }
    return found
  }

  test('who registers from all networks of one IPv6 site leaves registration open for others', async () => {
    const served = await serve(REGISTRATIONS)
    try {
      // given: 40 networks of one IPv6 site, each registering as many clients as it may in an hour
      const addresses = Array.from({ length: 400 }, (_, i) => `2001:db8:7:${(i % 40).toString(16)}::1`)
      const theirs = await registrationsFrom(served.origin, addresses)
      // then: the site gets its share of a day, and everybody else goes on
      expect(theirs.filter((status) => status === 201)).toHaveLength(REGISTRATIONS.perDayOfSite)
      expect(await registrationsFrom(served.origin, ['2001:db8:8::1', '198.51.100.7'])).toEqual([201, 201])
    } finally {
      await served.api.close()
    }
  })

  test('who registers many clients is limited by address and over all addresses', async () => {
    const limited = await serve({ ...REGISTRATIONS, perDayOfAll: 25 })
    try {
      const count = async () => (await store.query(`select from oauth_payloads where model = 'Client'`)).length
      const before = await count()
      const statuses = (addresses: readonly string[]) => registrationsFrom(limited.origin, addresses)
      const one = await statuses(Array.from({ length: 500 }, () => '198.51.100.7'))
      expect(one.filter((status) => status === 201)).toHaveLength(10)
      expect(new Set(one)).toEqual(new Set([201, 429]))
      const many = await statuses(Array.from({ length: 200 }, (_, i) => `198.51.${100 + (i % 50)}.9`))
      expect(many.filter((status) => status === 201)).toHaveLength(15)
      expect((await count()) - before).toBe(25)
      const last = await registerFrom(limited.origin, '198.51.100.7')
      expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
    } finally {
      await limited.api.close()
    }
  })
})
