import { publish, testApi, testId } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Api } from './server.ts'

const store = await storeOfFile()
let api: Api
const id = testId('ci_', 'item')
beforeAll(async () => {
  await store.query(`insert into categories values ('cat_a', null, 'A', 0)`)
  await publish(store, { id, name: 'Cement', category_id: 'cat_a' })
  await publish(store, { id: testId('ci_', 'other'), name: 'Sand' })
  api = testApi(store, testClock())
})
afterAll(() => api.close())
const get = async (url: string) => {
  const { statusCode, body } = await api.inject(url)
  return { status: statusCode, body: JSON.parse(body) }
}

describe('a parameter that the endpoint does not know', () => {
  test.each([
    ['/v1/items?regoin=ES', `expected 'region'?`],
    ['/v1/items?offset=50', 'expected region, q, cursor, limit'],
    ['/v1/items?q=cement&Limit=5', `expected 'limit'?`],
    ['/v1/items?page=2&strict=true', 'expected region'],
    ['/v1/search?q=cement&catgory_id=cat_a', `expected 'category_id'?`],
    [`/v1/items/${id}?region=ES`, 'expected price_region, lang or include'],
    [`/v1/items/${id}/history?form=2026-01-01`, `expected 'from'?`],
    ['/v1/categories?depth=2', 'expected'],
    ['/v1/items?strct=false', `expected 'strict'?`],
    ['/v1/items?categry=cat_a', `expected 'category'?`],
  ])('is refused at %s, with the nearest known name', async (url, expected) => {
    const { status, body } = await get(url)
    expect([status, body.error]).toEqual([400, 'unknown_parameter'])
    expect(body.details).toContain(expected)
    expect(body.details).toContain('strict=false')
  })

  test('is ignored with strict=false, as if it were absent', async () => {
    const plain = await get('/v1/items?limit=1')
    const lax = await get('/v1/items?limit=1&source_of=newsletter&strict=false')
    expect([lax.status, lax.body.items]).toEqual([200, plain.body.items])
    expect((await get('/v1/items?limit=0&x=1&strict=false')).body.error).toBe('invalid_parameter')
    expect((await get('/v1/items?strict=maybe')).body.details).toBe('strict: expected true or false, found "maybe"')
  })

  test.each(['utm_source', 'utm_campaign', 'fbclid', 'gclid', '_'])(
    '%s, which readers add, is ignored everywhere',
    async (name) => {
      for (const url of ['/v1/items?limit=1', '/v1/search?q=cement', `/v1/items/${id}?lang=es`, '/v1/sources?limit=1'])
        expect(await get(`${url}&${name}=a&${name}=b`)).toEqual(await get(url))
    },
  )

  test.each([
    '/v1/feeds/items.atom',
    '/v1/feeds/items.rss',
    '/v1/feeds/region/ES',
    '/v1/feeds/items.json',
    '/v1/feeds/state.json',
    '/v1/pricing',
    '/v1/openapi.json',
  ])('is ignored by %s, whose readers cannot choose the address', async (url) => {
    const plain = await api.inject(url)
    const asked = await api.inject(`${url}?after=3&v=2&v=3&ref=rss`)
    expect([asked.statusCode, asked.body]).toEqual([200, plain.body])
  })

  test('and one that comes twice say so', async () => {
    for (const url of ['/v1/items?limit=1&limit=1', '/v1/search?q=cement&q=sand', `/v1/items/${id}?lang=es&lang=pt`]) {
      const { status, body } = await get(url)
      expect([url, status, body.details]).toEqual([url, 400, expect.stringMatching(/: expected it once, found \["/)])
    }
    // The long s is another letter.
    expect((await get('/v1/items?region=e%C5%BF')).status).toBe(400)
    expect((await get('/v1/items?region=eS')).status).toBe(200)
  })

  test.each([
    ['/v1/items?q=%ZZ', 'q: expected UTF-8 in escapes such as %C3%A1, found "%ZZ"'],
    ['/v1/items?limit=1&q=a%', 'q: expected UTF-8 in escapes such as %C3%A1, found "a%"'],
    ['/v1/search?q=%FF%FE', 'q: expected UTF-8 in escapes such as %C3%A1, found "%FF%FE"'],
  ])('and one that is no text are refused: %s', async (url, details) => {
    expect(await get(url)).toEqual({ status: 400, body: { error: 'invalid_parameter', details } })
    expect((await get('/v1/items?limit=1&utm_campaign=50%off')).status).toBe(200)
    expect((await get('/v1/items?q=50%25ZZ')).status).toBe(200)
  })

  test('is in no link to a next page', async () => {
    const { headers } = await api.inject('/v1/items?limit=1&x=y&strict=false')
    expect(headers.link).toMatch(/^<[^?]*\?cursor=[\w-]+>; rel="next"$/)
    const [, cursor = ''] = /cursor=([\w-]+)/.exec(String(headers.link)) ?? []
    expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toMatch(/x=y|strict/)
  })
})

describe('a switch', () => {
  test.each([
    ['/v1/categories?limit=1&tree=', true],
    ['/v1/items?limit=1&unknown=1&strict=', false],
  ])('%s takes 1 and 0 as true and false', async (url, isOn) => {
    const [on, off] = [await get(`${url}true`), await get(`${url}false`)]
    expect([on.status, off.status].toSorted()).toEqual(isOn ? [200, 200] : [200, 400])
    expect(await get(`${url}1`)).toEqual(on)
    expect(await get(`${url}0`)).toEqual(off)
    const { status, body } = await get(`${url}yes`)
    expect([status, body.details]).toEqual([400, expect.stringMatching(/: expected true or false, found "yes"$/)])
  })
})

describe('a member that a list of materials does not know', () => {
  const match = async (payload: object, query = '') => {
    const { statusCode, body } = await api.inject({ method: 'POST', url: `/v1/match${query}`, payload })
    return { status: statusCode, body: JSON.parse(body) }
  }
  test.each([
    [{ lines: [{ text: 'cement' }], regoin: 'ES' }, `member "regoin" of the body: expected 'region'?`],
    [{ lines: [{ text: 'a' }, { text: 'b', unti: 'kg' }] }, `member "unti" of lines[1]: expected 'unit'?`],
    [
      { lines: [{ text: 'a', colour: 'b' }] },
      'member "colour" of lines[0]: expected text, unit, quantity, region, code or source',
    ],
  ])('%j is refused, with its place and the nearest name', async (payload, expected) => {
    const { status, body } = await match(payload)
    expect([status, body.error]).toEqual([400, 'unknown_parameter'])
    expect(body.details).toBe(`${expected}; strict=false ignores it`)
    expect((await match(payload, '?strict=false')).status).toBe(200)
  })

  test('does not hide that the body has another shape', async () => {
    for (const payload of [[], { lines: 'a' }, { lines: [1] }])
      expect((await match(payload)).body.error).toBe('invalid_parameter')
  })

  test('is ignored by a signup, whose published body says nothing of others', async () => {
    const payload = { email: 'a@example.org', name: 'mine', company: 'Constructora' }
    expect((await api.inject({ method: 'POST', url: '/v1/keys/signup', payload })).statusCode).toBe(201)
  })
})

describe('an id that a filter names', () => {
  test.each(['/v1/items?category_id=', '/v1/items?source=', '/v1/search?q=cement&category=', '/v1/categories?parent='])(
    '%s is refused where it can be none, and not found where nothing has it',
    async (url) => {
      for (const none of ['', 'x'.repeat(101)]) {
        const { status, body } = await get(`${url}${none}`)
        expect([status, body.error]).toEqual([400, 'invalid_parameter'])
        expect(body.details).toContain('expected 1 to 100 characters')
      }
      for (const none of ['cat_none', '%00']) {
        const { status, body } = await get(`${url}${none}`)
        expect([status, body.error]).toEqual([404, `${url.includes('source') ? 'source' : 'category'}_not_found`])
      }
    },
  )
})

describe('a category filters by either name', () => {
  test.each(['/v1/items?', '/v1/search?q=cement&', '/v1/items?sort=updated&'])('at %s', async (url) => {
    const named = await get(`${url}category_id=cat_a`)
    const alias = await get(`${url}category=cat_a`)
    expect([named.status, alias]).toEqual([200, named])
    expect((await get(`${url}category=cat_none`)).body.error).toBe('category_not_found')
    const both = await get(`${url}category=cat_a&category_id=cat_a`)
    expect([both.status, both.body.details]).toEqual([400, expect.stringContaining('found both')])
  })
})

describe('a value that only looks right is refused', () => {
  test.each(['0x5', '1e1', '10.0', '%2B5', '+5', '%205', '5%20', '-1', '٥', ''])('limit=%s', async (limit) => {
    for (const url of ['/v1/items?', '/v1/search?q=cement&', '/v1/sources?', '/v1/feeds/items.atom?since=0&']) {
      const { status, body } = await get(`${url}limit=${limit}`)
      expect([url, status, body.error]).toEqual([url, 400, 'invalid_parameter'])
      expect(body.details).toMatch(/^limit: expected an integer from 1 to \d+/)
    }
  })

  test.each(['%20%20', '%09%0a', '%C2%A0%C2%A0', 'a%20', '%20a%20'])('q of blanks, %s', async (q) => {
    for (const path of ['/v1/items', '/v1/search']) {
      const { status, body } = await get(`${path}?q=${q}`)
      expect([status, body.details]).toEqual([
        400,
        expect.stringContaining('q: expected 2 characters that are not blanks around'),
      ])
    }
  })
})

describe('an instant', () => {
  const from = async (value: string) => get(`/v1/items/${id}/history?from=${value}`)
  test('may be a date, which begins at midnight UTC', async () => {
    expect(await from('2026-11-01')).toEqual(await from('2026-11-01T00:00:00Z'))
    expect((await get('/v1/items?updated_since=2026-11-01')).status).toBe(200)
    for (const none of ['2026-02-30', '2026-11', '20261101', '2026-11-1']) expect((await from(none)).status).toBe(400)
  })

  test('finer than a millisecond excludes what changed before it', async () => {
    const ids = async (value: string) =>
      (await get(`/v1/items?updated_since=${value}`)).body.items.map(({ id }: { id: string }) => id)
    await publish(store, { id: testId('ci_', 'late'), updated_at: '2026-11-21T12:00:00.123Z' })
    api = testApi(store, testClock())
    for (const before of ['12:00:00.123Z', '12:00:00.123000Z', '12:00:00.1229Z', '12:00:00.1220001Z'])
      expect([before, await ids(`2026-11-21T${before}`)]).toEqual([before, [testId('ci_', 'late')]])
    for (const after of ['12:00:00.1231Z', '12:00:00.123000001Z', '12:00:00.124Z'])
      expect([after, await ids(`2026-11-21T${after}`)]).toEqual([after, []])
  })

  test('in the future begins a history without points', async () => {
    const clock = testClock()
    const own = testApi(store, clock)
    await store.query(`insert into price_points values ($1, '', '2026-11-01T02:00:00Z', 485, 'EUR')`, [id])
    const points = async (from: string) =>
      ((await own.inject(`/v1/items/${id}/history?from=${from}`)).json() as { points: object[] }).points
    expect(await points('2026-11-20T12:00:00Z')).toHaveLength(1)
    // Twice, so that a cache could keep it, and again once the instant has come.
    for (let i = 0; i < 3; i++) expect(await points('2026-11-20T12:00:01Z')).toEqual([])
    clock.advance(1_000)
    expect(await points('2026-11-20T12:00:01Z')).toEqual([
      { recorded_at: '2026-11-20T12:00:01Z', price_cents: 485, currency: 'EUR' },
    ])
    expect((await own.inject('/v1/items/ci_none/history?from=2030-01-01')).statusCode).toBe(404)
  })

  test('with a + that the address lost says how to write it', async () => {
    expect((await from('2026-11-01T00:00:00+01:00')).body.details).toContain('%2B')
    expect(await from('2026-11-01T01:00:00%2B01:00')).toEqual(await from('2026-11-01T00:00:00Z'))
    expect((await from('yesterday')).body.details).not.toContain('%2B')
  })
})

describe('a body', () => {
  test.each(['/v1/match', '/v1/keys/signup'])('of POST %s that is nested without end is 400', async (url) => {
    const nested = '['.repeat(8_000) + ']'.repeat(8_000)
    for (const payload of [nested, `{"lines":${nested}}`, `{"email":${nested}}`]) {
      const answer = await api.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json' } })
      expect([answer.statusCode, answer.json().error]).toEqual([400, 'bad_request'])
      expect(answer.json().details).toBe('the body: expected at most 32 levels of objects and arrays')
    }
  })
})
