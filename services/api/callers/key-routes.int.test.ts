import { newKey } from '@catalog/access/keys.ts'
import {
  CreateDeveloperKeyResponse,
  ErrorBody,
  RevokeKeyResponse,
  UsageResponse,
} from '@catalog/api/contract/contract.ts'
import type { Api, ApiDeps } from '@catalog/api/server.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import { publish, revoke, signUp, testApi, testId } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { createWorkspace, insertKey, listKeys, rotateKey } from '@catalog/store/accounts/accounts.ts'
import type { Store } from '@catalog/store/db.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from './rate-limits.ts'

/** Covers caller-facing behaviour: with given keys and limits, the API serves, counts or refuses each call. */
const store = await storeOfFile()
const clock = testClock('2026-11-20T12:00:00Z')
const opened: Api[] = []

beforeAll(async () => {
  await publish(store, { id: testId('ci_', 'item'), name: 'Cement' })
})
afterAll(async () => {
  await Promise.all(opened.map((api) => api.close()))
})
beforeEach(async () => {
  // Reset all limits, so that tests stay independent.
  clock.advance(DAY_MS)
  await store.query(`truncate limit_windows`)
})

const startApi = (limits: Partial<typeof LIMITS> = {}, deps: Partial<ApiDeps> = {}): Api => {
  const api = testApi(store, clock, { limits: { ...LIMITS, ...limits }, ...deps })
  opened.push(api)
  return api
}
const get = (api: Api, url: string, key?: string, headers: Record<string, string> = {}) =>
  api.inject({ url, headers: { ...headers, ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) } })
const statusAndError = ({ statusCode, json }: Awaited<ReturnType<typeof get>>) => [
  statusCode,
  (json() as { error?: string }).error,
]
const usage = async (api: Api, key: string) => UsageResponse.parse((await get(api, '/v1/usage', key)).json())

/** Creates an organization key of a new workspace. */
async function orgKey(workspaceId = testId('ws_', `w${Math.random()}`)): Promise<{ key: string; keyId: string }> {
  const { key, mark } = newKey('org')
  const at = clock.at.toISOString()
  await createWorkspace(store, { workspaceId, name: workspaceId, plan: 'paid', at })
  await insertKey(store, { kind: 'org', ...mark, workspaceId, name: 'site', at })
  return { key, keyId: mark.keyId }
}

describe('a developer key', () => {
  test('can be created, used, metered and revoked', async () => {
    const api = startApi()
    const signup = await api.inject({
      method: 'POST',
      url: '/v1/keys/signup',
      payload: { email: ' Builder@Example.org ', name: 'my site' },
    })
    expect([signup.statusCode, signup.headers['cache-control']]).toEqual([201, 'no-store'])
    const created = CreateDeveloperKeyResponse.parse(signup.json())
    expect(created).toMatchObject({ tier: 'public_dev', rate_limit_per_min: 120 })
    expect(created.key).toMatch(/^svc_pub_[0-9A-Za-z]{36}$/)

    const answer = await get(api, '/v1/categories', created.key)
    expect([answer.statusCode, answer.headers['x-ratelimit-limit']]).toEqual([200, '120'])
    expect(await usage(api, created.key)).toEqual({
      tier: 'public_dev',
      rate_limit_per_min: 120,
      monthly_cap: 50_000,
      monthly_used: 1,
      monthly_remaining: 49_999,
      reset_at: '2026-12-01T00:00:00Z',
      upgrade_url: 'https://catalog.example.org/plans',
    })
    const [row] = await listKeys(store, { email: 'builder@example.org', limit: 1 })
    expect(row).toMatchObject({ name: 'my site', display_prefix: created.key.slice(0, 12), kind: 'pub' })

    const revoked = await revoke(api, created.key)
    expect([revoked.statusCode, RevokeKeyResponse.parse(revoked.json())]).toEqual([
      200,
      { revoked: true, id: row?.key_id },
    ])
    expect(statusAndError(await get(api, '/v1/categories', created.key))).toEqual([401, 'invalid_key'])
    expect(statusAndError(await get(api, '/v1/usage', created.key))).toEqual([401, 'invalid_key'])
    expect(statusAndError(await revoke(api, created.key))).toEqual([404, 'key_not_found'])
    // Another process never cached this key as valid.
    expect(statusAndError(await revoke(startApi(), created.key))).toEqual([404, 'key_not_found'])
  })

  test('can be revoked, and asked about, while it is at its limits', async () => {
    const api = startApi({ publicDevPerMinute: 2 })
    const key = await signUp(api, 'leaked@example.org')
    const statuses = []
    for (let i = 0; i < 3; i++) statuses.push((await get(api, '/v1/categories', key)).statusCode)
    expect(statuses).toEqual([200, 200, 429])
    expect((await get(api, '/v1/usage', key)).json()).toMatchObject({ monthly_used: 2 })
    expect((await revoke(api, key)).statusCode).toBe(200)
  })

  test('revoked through another process is refused within 30 seconds', async () => {
    const [here, there] = [startApi(), startApi()]
    const key = await signUp(here)
    expect((await get(there, '/v1/categories', key)).statusCode).toBe(200)
    await revoke(here, key)
    clock.advance(29_999)
    expect(statusAndError(await get(there, '/v1/categories', key))).toEqual([401, 'invalid_key'])
  })

  test('accepts any case of the scheme, and its last use is recorded', async () => {
    const api = startApi()
    const key = await signUp(api, 'last@example.org')
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const response = await api.inject({ url: '/v1/categories', headers: { authorization: `${scheme} ${key}` } })
      expect([scheme, response.statusCode]).toEqual([scheme, 200])
    }
    const lastUse = async () => (await listKeys(store, { email: 'last@example.org', limit: 1 }))[0]?.last_used_at
    // The API writes the last use every few seconds and on close.
    await api.close()
    expect(await lastUse()).toBe(instant(clock.at))
  })

  test('is read from the header alone: a body or a stray content type changes nothing', async () => {
    const api = startApi()
    for (const extra of [
      { payload: { key: 'x' } },
      { payload: 'x', headers: { 'content-type': 'text/xml' } },
      { headers: { 'content-type': 'application/json' } },
    ]) {
      const authorization = `Bearer ${await signUp(api)}`
      const response = await api.inject({
        method: 'POST',
        url: '/v1/keys/revoke',
        ...extra,
        headers: { ...extra.headers, authorization },
      })
      expect(response.statusCode).toBe(200)
    }
  })
})

describe('a signup', () => {
  const requestSignup = (
    api: Api,
    payload: unknown,
    headers: Record<string, string> = {},
    remoteAddress = '192.0.2.1',
  ) =>
    api.inject({
      method: 'POST',
      url: '/v1/keys/signup',
      payload: payload as object,
      headers: { 'content-type': 'application/json', ...headers },
      remoteAddress,
    })

  test('gets the same answer for known and unknown e-mails', async () => {
    const api = startApi()
    const shape = async (email: string, remoteAddress: string) => {
      const { statusCode, headers, body } = await requestSignup(api, { email }, {}, remoteAddress)
      const { 'x-request-id': _, date: _d, ...rest } = headers
      return { statusCode, headers: rest, body: body.replace(/svc_pub_\w+/, 'KEY') }
    }
    const first = await shape('known@example.org', '192.0.2.1')
    expect(first.statusCode).toBe(201)
    expect(await shape('known@example.org', '192.0.2.2')).toEqual(first)
    expect(await shape('unknown@example.org', '192.0.2.3')).toEqual(first)
  })

  test.each([
    [{}, 'email: expected an e-mail address, found nothing'],
    [{ email: 'nobody' }, 'email: expected an e-mail address, found "nobody"'],
    [{ email: 7 }, 'email: expected an e-mail address, found 7'],
    [{ email: `${'a'.repeat(251)}@b.co` }, 'email: expected at most 255 characters, found'],
    [{ email: `${'a'.repeat(65)}@b.co` }, 'email: expected at most 64 characters before the @, found'],
    [{ email: `a@${'b'.repeat(64)}.co` }, 'email: expected at most 63 characters between the dots of the domain'],
    [{ email: 'a@b-.co' }, 'email: expected an e-mail address, found'],
    [{ email: 'a@münchen' }, 'email: expected an e-mail address, found'],
    [{ email: 'a@b.co', name: 'x'.repeat(201) }, 'name: expected 0 to 200 characters, found'],
    [{ email: 'a@b.co', name: null }, 'name: expected 0 to 200 characters, found null'],
    ['[]', 'body: expected a JSON object, found []'],
    ['null', 'body: expected a JSON object, found null'],
  ])('with the body %j is answered 400 with the reason', async (payload, details) => {
    const response = await requestSignup(startApi(), payload)
    expect(statusAndError(response)).toEqual([400, 'invalid_parameter'])
    expect(ErrorBody.parse(response.json()).details).toContain(details)
  })

  test('takes a domain in any letters, which counts as the same in ASCII', async () => {
    const api = startApi({ signupsPerEmailPerDay: 1 })
    const status = async (email: string, address: string) =>
      (await requestSignup(api, { email }, {}, address)).statusCode
    expect(await status('bau@münchen.example', '192.0.2.1')).toBe(201)
    expect(await status('bau@xn--mnchen-3ya.example', '192.0.2.2')).toBe(429)
    expect(await status('bau@建材.example', '192.0.2.3')).toBe(201)
  })

  test('accepts 255 characters of e-mail and 200 of name, of any script', async () => {
    const api = startApi({ signupsPerHour: 9 })
    const email = `${'a'.repeat(64)}@${'b.'.repeat(94)}co`
    expect(email.length).toBe(255)
    for (const payload of [
      { email },
      { email: 'a@b.co', name: '😀'.repeat(200) },
      { email: 'a@b.co', name: 'a\0b' },
      { email: 'a@b.co', other: 1 },
    ]) {
      expect((await requestSignup(api, payload)).statusCode).toBe(201)
    }
  })

  test('with a body that is not JSON is answered 400', async () => {
    expect(statusAndError(await requestSignup(startApi(), '{"email":'))).toEqual([400, 'bad_request'])
  })

  test('is limited to five an hour per address; the sixth learns when to retry', async () => {
    const api = startApi()
    clock.at = new Date('2027-01-05T10:59:15Z')
    const statuses: number[] = []
    for (let i = 0; i < 5; i++) statuses.push((await requestSignup(api, { email: `a${i}@b.co` })).statusCode)
    expect(statuses).toEqual([201, 201, 201, 201, 201])
    const sixth = await requestSignup(api, { email: 'a5@b.co' })
    expect(statusAndError(sixth)).toEqual([429, 'signup_rate_limited'])
    expect([sixth.headers['retry-after'], sixth.json().retry_after_seconds]).toEqual(['45', 45])
    // An address of the same IPv6 network counts as the same caller; an address of another network does not.
    expect((await requestSignup(api, { email: 'a6@b.co' }, {}, '192.0.2.2')).statusCode).toBe(201)
    clock.advance(45_000)
    expect((await requestSignup(api, { email: 'a7@b.co' })).statusCode).toBe(201)
  })

  test('is limited to twenty a day per address and five per e-mail, in any spelling', async () => {
    const api = startApi()
    for (const hour of ['10', '11', '12', '13']) {
      clock.at = new Date(`2027-02-05T${hour}:00:00Z`)
      for (let i = 0; i < 5; i++)
        expect((await requestSignup(api, { email: `b${hour}${i}@b.co` })).statusCode).toBe(201)
    }
    clock.at = new Date('2027-02-05T23:00:00Z')
    const refused = await requestSignup(api, { email: 'last@b.co' })
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '3600'])
    const spellings = ['one@b.co', 'ONE@b.co', ' one@B.co', 'One@b.co ', 'one@b.CO']
    for (const [i, email] of spellings.entries()) {
      expect((await requestSignup(api, { email }, {}, `192.0.2.${10 + i}`)).statusCode).toBe(201)
    }
    const sixth = await requestSignup(api, { email: 'oNe@b.co' }, {}, '192.0.2.20')
    expect([sixth.statusCode, sixth.headers['retry-after']]).toEqual([429, '3600'])
    // Neither the error nor its headers reveal which limit it hit.
    expect(sixth.json()).toEqual(refused.json())
    expect(rateHeadersOf(sixth)).toEqual(rateHeadersOf(refused))
  })

  const rateHeadersOf = ({ headers }: Awaited<ReturnType<typeof get>>) => ({
    limit: headers['x-ratelimit-limit'],
    remaining: headers['x-ratelimit-remaining'],
    reset: headers['x-ratelimit-reset'],
    policy: headers['ratelimit-policy'],
    state: headers.ratelimit,
  })

  test('shows in its headers the signups that its address has left, and not the requests', async () => {
    const api = startApi()
    clock.at = new Date('2027-03-05T10:59:15Z')
    const policy = '"signup-hour";q=5;w=3600, "signup-day";q=20;w=86400'
    const [hourEnds, dayEnds] = [Date.parse('2027-03-05T11:00:00Z') / 1000, Date.parse('2027-03-06T00:00:00Z') / 1000]
    expect(rateHeadersOf(await requestSignup(api, { email: 'd0@b.co' }))).toEqual({
      limit: '5',
      remaining: '4',
      reset: `${hourEnds}`,
      policy,
      state: '"signup-hour";r=4;t=45, "signup-day";r=19;t=46845',
    })
    for (let i = 1; i < 5; i++) await requestSignup(api, { email: `d${i}@b.co` })
    const refused = await requestSignup(api, { email: 'd5@b.co' })
    expect([refused.statusCode, rateHeadersOf(refused)]).toEqual([
      429,
      {
        limit: '5',
        remaining: '0',
        reset: `${hourEnds}`,
        policy,
        state: '"signup-hour";r=0;t=45, "signup-day";r=15;t=46845',
      },
    ])
    // The window that leaves the least is the one to heed.
    const strict = startApi({ signupsPerHour: 9, signupsPerDay: 6 })
    const last = await requestSignup(strict, { email: 'd6@b.co' })
    expect(rateHeadersOf(last)).toMatchObject({ limit: '6', remaining: '0', reset: `${dayEnds}` })
    // A body that is refused counts as a request, and takes no signup.
    expect(rateHeadersOf(await requestSignup(api, { email: 'nobody' }))).toMatchObject({ limit: '60' })
  })

  test('that its e-mail has used up does not tell how often others asked for it', async () => {
    const api = startApi()
    clock.at = new Date('2027-03-07T10:00:00Z')
    const asked = async (address: string) => rateHeadersOf(await requestSignup(api, { email: 'e@b.co' }, {}, address))
    const first = await asked('192.0.2.1')
    for (let i = 2; i < 6; i++) expect(await asked(`192.0.2.${i}`)).toEqual(first)
    expect(await asked('192.0.2.6')).toMatchObject({ limit: '20', remaining: '0' })
  })

  test('counts a whole IPv6 subnet as one address', async () => {
    const api = startApi()
    for (let i = 0; i < 5; i++) await requestSignup(api, { email: `c${i}@b.co` }, {}, `2001:db8:1:2::${i}`)
    expect((await requestSignup(api, { email: 'c5@b.co' }, {}, '2001:db8:1:2:ffff::1')).statusCode).toBe(429)
    expect((await requestSignup(api, { email: 'c5@b.co' }, {}, '2001:db8:1:3::1')).statusCode).toBe(201)
  })
})

describe('an invalid key', () => {
  test.each([
    ['malformed', () => 'Bearer svc_pub_x'],
    ['mistyped', () => `Bearer ${newKey('pub').key.replace(/.$/, (last) => (last === '0' ? '1' : '0'))}`],
    ['of another service', () => 'Bearer sk_live_0123456789'],
    ['unknown', () => `Bearer ${newKey('pub').key}`],
    ['an unknown organization key', () => `Bearer ${newKey('org').key}`],
    ['without letters', () => 'Bearer'],
    ['of another scheme', () => 'Basic YTpi'],
    ['empty', () => ''],
  ])('(%s) gets 401, and never falls back to anonymous but where no key is needed', async (_, authorization) => {
    const api = startApi()
    for (const [method, url] of [
      ...(['/v1/items', '/v1/search?q=cement', '/v1/usage', '/v1/nothing'] as const).map(
        (url) => ['GET', url] as const,
      ),
      ['POST', '/v1/keys/revoke'] as const,
    ]) {
      const response = await api.inject({ method, url, headers: { authorization: authorization() } })
      expect([url, ...statusAndError(response)]).toEqual([url, 401, 'invalid_key'])
      expect(response.headers['www-authenticate']).toBe('Bearer')
    }
  })

  test('that is over, or that nobody issued, counts as none where no key is needed', async () => {
    const api = startApi()
    const revoked = await signUp(api, 'over@example.org')
    await revoke(api, revoked)
    for (const key of [revoked, newKey('pub').key]) await readsWithout(api, { authorization: `Bearer ${key}` })
  })

  async function readsWithout(api: ReturnType<typeof startApi>, headers: { authorization: string }) {
    for (const url of ['/v1/pricing', '/v1/openapi.json', '/v1/feeds/state.json', '/v1/feeds/items.atom']) {
      const { statusCode, headers: answered } = await api.inject({ url, headers })
      expect([url, statusCode, answered['x-ratelimit-limit']]).toEqual([url, 200, '60'])
      const malformed = await api.inject({ url, headers: { authorization: 'Bearer svc_pub_x' } })
      expect([url, ...statusAndError(malformed)]).toEqual([url, 401, 'invalid_key'])
    }
    const payload = { email: 'dead@example.org' }
    const signup = await api.inject({
      method: 'POST',
      url: '/v1/keys/signup',
      headers,
      payload,
      remoteAddress: '192.0.2.9',
    })
    expect(signup.statusCode).not.toBe(401)
  }

  test('appears neither in the log nor in the answer', async () => {
    const lines: string[] = []
    const log = { error: (details: object, message: string) => lines.push(JSON.stringify([details, message])) }
    const { key } = newKey('pub')
    const away = async () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
    const failing = startApi({}, { log, store: { ...store, query: away } })
    const response = await get(failing, '/v1/items', key)
    expect([response.statusCode, lines.length]).toEqual([503, 1])
    const unknown = await get(startApi(), '/v1/items', key)
    for (const text of [lines.join(), response.body, unknown.body, JSON.stringify(unknown.headers)]) {
      expect(text).not.toContain(key.slice(8))
    }
  })

  test('counts against its address; after too many guesses the API refuses without a database lookup', async () => {
    let lookups = 0
    const query: Store['query'] = (sql, parameters) => {
      if (sql.includes('from api_keys where key_sha')) lookups++
      return store.query(sql, parameters)
    }
    const api = startApi({ anonPerMinute: 5 }, { store: { ...store, query } })
    const statuses: number[] = []
    for (let i = 0; i < 8; i++) statuses.push((await get(api, '/v1/categories', newKey('pub').key)).statusCode)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
    expect(lookups).toBeLessThanOrEqual(6)
    expect((await get(api, '/v1/categories')).statusCode).toBe(429)
  })

  test('a valid key still works after its address spent its anonymous requests', async () => {
    const api = startApi({ anonPerMinute: 2 })
    const key = await signUp(api)
    await get(api, '/v1/categories')
    expect((await get(api, '/v1/categories')).statusCode).toBe(429)
    expect((await get(api, '/v1/categories', key)).statusCode).toBe(200)
    expect((await get(startApi({ anonPerMinute: 2 }), '/v1/categories', key)).statusCode).toBe(200)
  })
})

describe('a route that needs a key', () => {
  test.each([
    ['GET', '/v1/usage'],
    ['POST', '/v1/keys/revoke'],
  ] as const)('%s %s answers 401 without one', async (method, url) => {
    const response = await startApi().inject({ method, url })
    expect(statusAndError(response)).toEqual([401, 'invalid_key'])
    expect(response.headers['www-authenticate']).toBe('Bearer')
  })

  test('refuses to revoke an organization key, which stays valid', async () => {
    const { key } = await orgKey()
    const api = startApi()
    expect(statusAndError(await revoke(api, key))).toEqual([401, 'invalid_key'])
    expect((await get(api, '/v1/categories', key)).statusCode).toBe(200)
  })
})

describe('anonymous callers', () => {
  test('get exactly 60 of 200 concurrent requests through; the others learn when to retry', async () => {
    const api = startApi()
    clock.advance(12_500)
    const responses = await Promise.all(Array.from({ length: 200 }, () => get(api, '/v1/categories')))
    const refused = responses.filter(({ statusCode }) => statusCode === 429)
    expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(60)
    expect(refused).toHaveLength(140)
    for (const { headers, json } of refused) {
      expect(json()).toEqual({
        error: 'rate_limited_minute',
        details: 'expected at most 60 requests a minute',
        retry_after_seconds: 48,
      })
      expect([headers['retry-after'], headers['x-ratelimit-remaining']]).toEqual(['48', '0'])
      expect(headers['access-control-allow-origin']).toBe('*')
    }
    const remaining = responses.map(({ headers }) => Number(headers['x-ratelimit-remaining']))
    expect(Math.min(...remaining)).toBe(0)
    expect(Math.max(...remaining)).toBe(59)
  })
})

describe('a workspace', () => {
  test('has one monthly cap across all its keys and processes', async () => {
    const workspaceId = testId('ws_', 'shared')
    const first = await orgKey(workspaceId)
    const { key: second, mark } = newKey('org')
    await insertKey(store, { kind: 'org', ...mark, workspaceId, name: 'office', at: clock.at.toISOString() })
    const [here, there] = [startApi(), startApi()]
    expect((await get(here, '/v1/categories', first.key)).headers['x-ratelimit-limit']).toBe('1000')
    await get(there, '/v1/categories', second)
    await get(there, '/v1/categories', second)
    for (const key of [first.key, second]) {
      await expect.poll(async () => (await usage(here, key)).monthly_used, { timeout: 5_000 }).toBe(3)
    }
    expect(await usage(here, second)).toMatchObject({ tier: 'org', monthly_cap: 100_000, monthly_remaining: 99_997 })
  })

  test('with a rotated key has two valid keys for a grace period, then one', async () => {
    const { key, keyId } = await orgKey()
    const successor = newKey('org')
    const until = new Date(clock.at.getTime() + DAY_MS).toISOString()
    await rotateKey(store, { keyId, until, successor: successor.mark, at: clock.at.toISOString() })
    const api = startApi()
    clock.advance(86_399_999)
    expect((await get(api, '/v1/categories', key)).statusCode).toBe(200)
    clock.advance(1)
    expect(statusAndError(await get(api, '/v1/categories', key))).toEqual([401, 'invalid_key'])
    expect((await get(api, '/v1/categories', successor.key)).statusCode).toBe(200)
  })
})

describe('the free keys of one address', () => {
  test('have together twice the limits of one, while paid keys and other addresses keep their own', async () => {
    const api = startApi({ publicDevPerMinute: 10, searchPerMinute: 4 })
    const at = clock.at.toISOString()
    const keys = Array.from({ length: 5 }, () => newKey('pub'))
    for (const { mark } of keys)
      await insertKey(store, { kind: 'pub', ...mark, email: 'a@example.org', name: null, at })
    const ask = (url: string, key: string, remoteAddress = '192.0.2.1') =>
      api.inject({ url, remoteAddress, headers: { authorization: `Bearer ${key}` } })
    const admitted = async (url: string, each: number) => {
      const answers = []
      for (let i = 0; i < each; i++) for (const { key } of keys) answers.push(await ask(url, key))
      return answers.filter(({ statusCode }) => statusCode === 200).length
    }
    expect(await admitted('/v1/categories', 10)).toBe(20)
    const refused = await ask('/v1/categories', (keys[4] as (typeof keys)[number]).key)
    expect([refused.statusCode, refused.json()]).toEqual([
      429,
      {
        error: 'rate_limited_minute',
        details: 'expected at most 20 requests of all free keys of an address a minute',
        retry_after_seconds: 48,
      },
    ])
    expect(await admitted('/v1/search?q=cement', 4)).toBe(8)
    const { key: free } = keys[4] as (typeof keys)[number]
    expect((await ask('/v1/categories', free, '192.0.2.2')).statusCode).toBe(200)
    expect((await ask('/v1/categories', (await orgKey()).key)).statusCode).toBe(200)
  })
})

describe('the monthly limit', () => {
  test('answers 429 until the next month, while usage, pricing and the contract stay available', async () => {
    const api = startApi({ orgPerMonth: 12 })
    clock.at = new Date('2027-03-31T23:59:40Z')
    const { key } = await orgKey()
    const statuses: number[] = []
    for (let i = 0; i < 15; i++) statuses.push((await get(api, '/v1/categories', key)).statusCode)
    expect(statuses.filter((status) => status === 200)).toHaveLength(12)
    const refused = await get(api, '/v1/categories', key)
    expect(refused.json()).toEqual({
      error: 'monthly_cap',
      details: 'expected at most 12 requests a month',
      retry_after_seconds: 20,
    })
    expect(refused.headers).toMatchObject({
      'retry-after': '20',
      'x-ratelimit-limit': '12',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Date.parse('2027-04-01T00:00:00Z') / 1000),
    })
    for (const url of ['/v1/pricing', '/v1/openapi.json']) expect((await get(api, url, key)).statusCode).toBe(200)
    expect(await usage(api, key)).toMatchObject({
      monthly_used: 12,
      monthly_remaining: 0,
      reset_at: '2027-04-01T00:00:00Z',
    })
    clock.advance(20_000)
    expect((await get(api, '/v1/categories', key)).statusCode).toBe(200)
    expect(await usage(api, key)).toMatchObject({ monthly_used: 1, reset_at: '2027-05-01T00:00:00Z' })
  })
})

describe('searches', () => {
  test('have their own limit of 60 a minute in every tier, and count in the month', async () => {
    const api = startApi({ searchPerMinute: 3 })
    const { key } = await orgKey()
    const search = () => get(api, '/v1/search?q=cement', key)
    const answers = [await search(), await search(), await search()]
    expect(answers.map(({ statusCode, headers }) => [statusCode, headers['x-ratelimit-remaining']])).toEqual([
      [200, '2'],
      [200, '1'],
      [200, '0'],
    ])
    const refused = await search()
    expect([...statusAndError(refused), refused.headers['x-ratelimit-limit']]).toEqual([
      429,
      'search_rate_limited',
      '3',
    ])
    expect((await get(api, '/v1/categories', key)).headers['x-ratelimit-remaining']).toBe('999')
    expect((await usage(api, key)).monthly_used).toBe(4)
  })
})

describe('the counting rule', () => {
  test('counts every admitted request once, errors included; 304s and refusals are free', async () => {
    const api = startApi({ publicDevPerMinute: 20 })
    const key = await signUp(api)
    const used = async () => (await usage(api, key)).monthly_used
    const etag = String((await get(api, '/v1/categories', key)).headers.etag)
    expect(await used()).toBe(1)
    for (const url of ['/v1/items?limit=0', '/v1/categories/none', '/v1/nothing']) await get(api, url, key)
    expect(await used()).toBe(4)
    for (let i = 0; i < 5; i++) {
      expect((await get(api, '/v1/categories', key, { 'if-none-match': etag })).statusCode).toBe(304)
    }
    expect(await used()).toBe(4)
    // A stale tag and an error do not count as revalidations.
    expect((await get(api, '/v1/categories', key, { 'if-none-match': '"other"' })).statusCode).toBe(200)
    expect((await get(api, '/v1/categories/none', key, { 'if-none-match': etag })).statusCode).toBe(404)
    expect(await used()).toBe(6)
    let admitted = 0
    for (let i = 0; i < 20; i++) if ((await get(api, '/v1/categories', key)).statusCode === 200) admitted++
    clock.advance(60_000)
    expect(await used()).toBe(6 + admitted)
  })

  test('gives revalidations ten times the limit; a conditional request without a 304 counts as an ordinary one', async () => {
    const api = startApi({ anonPerMinute: 3 })
    const tag = { 'if-none-match': String((await get(api, '/v1/categories')).headers.etag) }
    for (let i = 0; i < 2; i++) await get(api, '/v1/categories')
    expect((await get(api, '/v1/categories')).statusCode).toBe(429)
    const first = await get(api, '/v1/categories', undefined, tag)
    expect([first.statusCode, first.headers['x-ratelimit-limit'], first.headers['x-ratelimit-remaining']]).toEqual([
      304,
      '30',
      '29',
    ])
    const stale = await get(api, '/v1/categories', undefined, { 'if-none-match': '"other"' })
    expect([...statusAndError(stale), stale.headers['x-ratelimit-limit']]).toEqual([429, 'rate_limited_minute', '3'])
    const wrong = await get(api, '/v1/categories/none', undefined, { 'if-none-match': '"other"' })
    expect(wrong.statusCode).toBe(429)
    const statuses: number[] = []
    for (let i = 0; i < 31; i++) statuses.push((await get(api, '/v1/categories', undefined, tag)).statusCode)
    // Made-up tags reach a limit too: their answers were made, though the full minute refused them.
    expect([statuses.filter((status) => status === 304).length, statuses.at(-1)]).toEqual([27, 429])
  })

  test('revalidates every conditional operation, and counts a stale tag once', async () => {
    const api = startApi()
    const { paths } = (await get(api, '/v1/openapi.json')).json() as {
      paths: Record<string, { get?: { responses: object } }>
    }
    const conditional = Object.entries(paths).filter(([, { get }]) => get !== undefined && '304' in get.responses)
    expect(conditional.length).toBeGreaterThan(5)
    for (const [path] of conditional) {
      clock.advance(60_000)
      const url = `/v1${path.replace('{region}', 'ES').replace('{id}', testId('ci_', 'item'))}`
      const tag = { 'if-none-match': '"other"' }
      const stale = await get(api, url, undefined, tag)
      // Mirror reads always count as revalidations, whatever the status.
      const isArchive = /^\/feeds\/(state|keys|archive|digest|snapshots)/.test(path)
      expect([path, stale.headers['x-ratelimit-limit'], stale.headers['x-ratelimit-remaining']]).toEqual([
        path,
        ...(isArchive ? ['600', '599'] : ['60', '59']),
      ])
      if (stale.statusCode !== 200) continue
      const unchanged = await get(api, url, undefined, { 'if-none-match': String(stale.headers.etag) })
      expect([path, unchanged.statusCode, unchanged.headers['x-ratelimit-limit']]).toEqual([path, 304, '600'])
    }
  })
})

describe('the rate limit headers', () => {
  test('stand on every answer below /v1', async () => {
    const api = startApi()
    const { key } = await orgKey()
    const etag = String((await get(api, '/v1/categories', key)).headers.etag)
    const { key: unknown } = newKey('pub')
    for (const [status, response] of [
      [200, await get(api, '/v1/categories', key)],
      [304, await get(api, '/v1/categories', key, { 'if-none-match': etag })],
      [400, await get(api, '/v1/items?limit=0', key)],
      [400, await get(api, '/v1/items/%', key)],
      [401, await get(api, '/v1/items', unknown)],
      [404, await get(api, '/v1/nothing', key)],
      [405, await api.inject({ method: 'POST', url: '/v1/items', headers: { authorization: `Bearer ${key}` } })],
      [429, await get(startApi({ anonPerMinute: 0 }), '/v1/items')],
    ] as const) {
      expect(response.statusCode).toBe(status)
      const names = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'ratelimit-policy', 'ratelimit']
      expect([status, names.filter((name) => response.headers[name] === undefined)]).toEqual([status, []])
    }
  })

  test('state the minute and month limits in the syntax of the draft', async () => {
    clock.at = new Date('2027-06-30T12:00:15Z')
    const { headers } = await get(startApi(), '/v1/categories', (await orgKey()).key)
    expect(headers).toMatchObject({
      'ratelimit-policy': '"minute";q=1000;w=60, "month";q=100000;w=2592000',
      ratelimit: '"minute";r=999;t=45, "month";r=99999;t=43185',
      'x-ratelimit-limit': '1000',
      'x-ratelimit-remaining': '999',
      'x-ratelimit-reset': String(Date.parse('2027-06-30T12:01:00Z') / 1000),
    })
  })

  test('match the tier and limit in the metadata of lists', async () => {
    const api = startApi()
    const meta = async (key?: string) => (await get(api, '/v1/items?limit=1', key)).json().meta
    expect(await meta()).toEqual({ tier: 'anon', rate_limit_per_min: 60 })
    expect(await meta(await signUp(api))).toEqual({ tier: 'public_dev', rate_limit_per_min: 120 })
    expect(await meta((await orgKey()).key)).toEqual({ tier: 'org', rate_limit_per_min: 1000 })
  })
})

describe('the plans page', () => {
  test('shows the numbers of /pricing, escapes its text, and loads no resources', async () => {
    const api = startApi({ orgPerMonth: 123_456 }, { publicBaseUrl: 'https://a.example/<b>' })
    const { plan_url, docs } = (await get(api, '/v1/pricing')).json() as { plan_url: string; docs: string }
    expect([plan_url, docs]).toEqual(['https://a.example/<b>/plans', 'https://a.example/<b>/docs'])
    const page = await api.inject('/plans')
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    for (const text of ['USD 29 a month', '1,000 requests a minute', '123,456 requests a month', '60 searches']) {
      expect(page.body).toContain(text)
    }
    expect(page.body).not.toMatch(/<script|<link|<img|src=|url\(|@import|<b>/)
    expect(page.headers['x-ratelimit-limit']).toBeUndefined()
  })
})

describe('the database', () => {
  test("stores no caller's key, address or secret in any table", async () => {
    const api = startApi()
    const remoteAddress = '198.51.100.23'
    const signup = await api.inject({
      method: 'POST',
      url: '/v1/keys/signup',
      payload: { email: 'dumped@example.org' },
      remoteAddress,
    })
    const { key } = signup.json() as { key: string }
    const { key: org } = await orgKey()
    for (const used of [key, org]) expect((await get(api, '/v1/categories', used)).statusCode).toBe(200)
    const tables = await store.query<{ name: string }>(
      `select quote_ident(table_name) as name from information_schema.tables where table_schema = any(current_schemas(false))`,
    )
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['api_keys', 'limit_windows', 'meta']))
    let dump = ''
    for (const { name } of tables) {
      const rows = await store.query<{ row: string }>(`select t::text as row from ${name} t`)
      dump += rows.map(({ row }) => row).join('\n')
    }
    // The e-mail is stored in plain text, which proves that the scan reads the rows.
    expect(dump).toContain('dumped@example.org')
    for (const secret of [key, org]) {
      expect(dump).toContain(secret.slice(0, 12))
      expect(dump).not.toContain(secret.slice(12, 38))
      expect(dump).not.toContain(Buffer.from(secret).toString('hex'))
    }
    expect(dump).not.toContain(remoteAddress)
  })
})
