import { describe, expect, test } from 'vitest'
import { type Catalog, createCatalog } from './catalog.ts'
import type { Change } from './changes.ts'
import { CatalogError } from './errors.ts'

const BASE = 'https://catalog.test/v1'

/** A client of a server that answers by path and query; a list of answers is given in turn. */
function clientOf(answers: Record<string, Response | readonly Response[]>) {
  const asked: Request[] = []
  const catalog = createCatalog({
    baseUrl: BASE,
    key: 'svc_pub_test',
    fetch: async (request) => {
      asked.push(request)
      const path = request.url.slice(BASE.length)
      const found = answers[path]
      const answer = Array.isArray(found) ? found.shift() : found
      return (answer as Response | undefined) ?? problem(404, { error: 'not_found', details: `${path}: not served` })
    },
  })
  return { catalog, asked, paths: () => asked.map(({ url }) => url.slice(BASE.length)) }
}
const json = (body: object, headers = {}) => Response.json(body, { headers })
const problem = (status: number, body: object, headers = {}) => Response.json(body, { status, headers })
const unchanged = () => new Response(null, { status: 304 })

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

describe('items', () => {
  test('are walked page after page, empty ones too, with the key', async () => {
    const { catalog, asked, paths } = clientOf({
      '/items?limit=100&region=ES&price_region=ES': json({ items: [{ id: 'ci_a' }], cursor: 'one' }),
      '/items?limit=100&region=ES&price_region=ES&cursor=one': json({ items: [], cursor: 'two' }),
      '/items?limit=100&region=ES&price_region=ES&cursor=two': json({ items: [{ id: 'ci_b' }], cursor: null }),
    })
    const items = await all(catalog.items({ region: 'ES', price_region: 'ES' }))
    expect(items.map(({ id }) => id)).toEqual(['ci_a', 'ci_b'])
    expect(paths()).toHaveLength(3)
    expect(asked.map(({ headers }) => headers.get('authorization'))).toEqual(Array(3).fill('Bearer svc_pub_test'))
  })

  test('end where the caller stops, without another request', async () => {
    const { catalog, paths } = clientOf({
      '/items?limit=100': json({ items: [{ id: 'ci_a' }, { id: 'ci_b' }], cursor: 'one' }),
    })
    for await (const { id } of catalog.items()) {
      expect(id).toBe('ci_a')
      break
    }
    expect(paths()).toHaveLength(1)
  })

  test('of a search are walked by the header Link, at whatever address the client asks', async () => {
    const link = { link: '<https://public.test/v1/search?cursor=one>; rel="next"' }
    const { catalog, paths } = clientOf({
      '/search?q=cement': json({ results: [{ id: 'ci_a' }] }, link),
      '/search?q=cement&cursor=one': json({ results: [{ id: 'ci_b' }] }),
    })
    const pages = await all(catalog.pages('/search', { query: { q: 'cement' } }))
    expect(pages.flatMap(({ results }) => results.map(({ id }) => id))).toEqual(['ci_a', 'ci_b'])
    expect(paths()).toHaveLength(2)
  })

  test('whose pages lead back to themselves are an error', async () => {
    const page = () => json({ items: [], cursor: 'one' })
    const { catalog } = clientOf({ '/items?limit=100': page(), '/items?limit=100&cursor=one': page() })
    await expect(all(catalog.items())).rejects.toMatchObject({ code: 'cursor_repeated' })
  })
})

describe('one item', () => {
  test('is JSON, or text where that is accepted', async () => {
    const { catalog, asked } = clientOf({
      '/items/ci_a?price_region=ES': [json({ item: { id: 'ci_a' } }), new Response('# Cement')],
    })
    const detail = await catalog.item('ci_a', { price_region: 'ES' })
    expect(detail.item.id).toBe('ci_a')
    const text = await catalog.item('ci_a', { price_region: 'ES', accept: 'text/markdown' })
    expect(text.startsWith('# Cement')).toBe(true)
    expect(asked.map(({ headers }) => headers.get('accept'))).toEqual(['application/json', 'text/markdown'])
  })

  test('needs an id: the path without one is that of the list', async () => {
    const { catalog, asked } = clientOf({})
    await expect(catalog.item('')).rejects.toThrow("item: '' is no id")
    expect(asked).toEqual([])
  })

  test('and every other operation has the type of what it accepts', async () => {
    const types = async (catalog: Catalog) => {
      const sources: string[] = (await catalog.get('/sources')).sources.map(({ name }) => name)
      const text: string = await catalog.get('/items/{id}', { path: { id: 'ci_a' }, accept: 'text/markdown' })
      const book: ArrayBuffer = await catalog.get('/categories/{id}', {
        path: { id: 'cat_a' },
        accept: 'application/x-fiebdc3',
      })
      const { key } = await catalog.post('/keys/signup', { body: { email: 'you@example.org' } })
      for await (const { points } of catalog.pages('/items/{id}/history', { path: { id: 'ci_a' } })) points.at(0)
      // @ts-expect-error There is no such region.
      catalog.items({ region: 'XX' })
      // @ts-expect-error A search needs its question.
      await catalog.get('/search')
      // @ts-expect-error Categories have no Markdown.
      await catalog.get('/categories', { accept: 'text/markdown' })
      // @ts-expect-error Pricing has no pages.
      catalog.pages('/pricing')
      return [sources, text, book, key]
    }
    expect(types).toBeTypeOf('function')
  })
})

describe('an error', () => {
  test('has the status, code and details of the answer', async () => {
    const headers = { 'x-request-id': 'req_1', 'retry-after': '3600' }
    const { catalog } = clientOf({
      '/items/ci_x': problem(429, { error: 'monthly_cap', details: 'expected at most 2 requests a month' }, headers),
    })
    const error = await catalog.item('ci_x').catch((error: unknown) => error)
    expect(error).toBeInstanceOf(CatalogError)
    expect(error).toMatchObject({
      status: 429,
      code: 'monthly_cap',
      details: 'expected at most 2 requests a month',
      retryAfterSeconds: 3600,
      requestId: 'req_1',
      message: '429 monthly_cap: expected at most 2 requests a month; come back in 3600 s (GET /items/{id})',
    })
  })

  test.each([
    ['a page of a proxy', new Response('<h1>Forbidden</h1>', { status: 403 }), 403],
    ['no JSON at all', new Response('<h1>Sign in</h1>'), 200],
  ])('says when the answer is %s', async (_what, answer, status) => {
    const { catalog } = clientOf({ '/pricing': answer })
    await expect(catalog.get('/pricing')).rejects.toMatchObject({ status, code: 'unexpected_answer' })
  })

  test('is none of the API when the caller aborts', async () => {
    const { catalog, asked } = clientOf({})
    await expect(catalog.get('/pricing', { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
    expect(asked).toEqual([])
  })
})

describe('a bill', () => {
  test('is sent again after a short outage: pricing it writes nothing', async () => {
    const answer = { lines: [], matched: 0, ambiguous: 0, unmatched: 0, mode: 'vector' }
    const { catalog, paths } = clientOf({
      '/match': [problem(503, { error: 'overloaded' }, { 'retry-after': '0' }), json(answer)],
    })
    expect(await catalog.match({ lines: [{ text: 'cement 25 kg' }] })).toEqual(answer)
    expect(paths()).toEqual(['/match', '/match'])
  })
})

describe('changes', () => {
  const line = (seq: number, more: object = {}) =>
    `${JSON.stringify({ seq, op: 'upsert', id: `ci_${seq}`, ...more })}\n`
  const state = () => json({ gen: 'g1', scopes: { items: { head: 3 }, 'region/ES': { head: 1 } } })
  const next = { link: '<https://catalog.test/v1/feeds/items.atom?since=2>; rel="next"' }

  test('come in order from all pages, with the generation of their numbers', async () => {
    const { catalog, asked } = clientOf({
      '/feeds/state.json': state(),
      '/feeds/items.atom?since=0&gen=g1': new Response(line(1) + line(2), { headers: next }),
      '/feeds/items.atom?since=2&gen=g1': new Response(line(3)),
    })
    const changes = await all(catalog.changes())
    expect(changes.map(({ seq, gen, id }) => [seq, gen, id])).toEqual([
      [1, 'g1', 'ci_1'],
      [2, 'g1', 'ci_2'],
      [3, 'g1', 'ci_3'],
    ])
    expect(asked.at(-1)?.headers.get('accept')).toBe('application/x-ndjson')
  })

  test('of a region go on from the change that was seen last, which may be the newest', async () => {
    const { catalog, paths } = clientOf({ '/feeds/region/ES?since=1&gen=g1': unchanged() })
    expect(await all(catalog.changes({ region: 'ES', since: { gen: 'g1', seq: 1 } }))).toEqual([])
    expect(paths()).toHaveLength(1)
  })

  test('that leave a number out are an error', async () => {
    const { catalog } = clientOf({ '/feeds/items.atom?since=1&gen=g1': new Response(line(2) + line(4)) })
    const seen: Change[] = []
    const following = (async () => {
      for await (const change of catalog.changes({ since: { gen: 'g1', seq: 1 } })) seen.push(change)
    })()
    await expect(following).rejects.toMatchObject({ code: 'changes_missing', details: 'expected change 3, found 4' })
    expect(seen).toHaveLength(1)
  })

  test('that are no longer kept name the snapshot to begin at', async () => {
    const link = '<https://catalog.test/v1/feeds/snapshots/g1/9/manifest.json>; rel="snapshot"'
    const { catalog } = clientOf({
      '/feeds/items.atom?since=1&gen=g1': problem(410, { error: 'changes_expired' }, { link }),
    })
    await expect(all(catalog.changes({ since: { gen: 'g1', seq: 1 } }))).rejects.toMatchObject({
      status: 410,
      code: 'changes_expired',
      snapshotUrl: 'https://catalog.test/v1/feeds/snapshots/g1/9/manifest.json',
    })
  })

  test('are followed until the caller aborts', async () => {
    const caller = new AbortController()
    const { catalog } = clientOf({
      '/feeds/items.atom?since=1&gen=g1': new Response(line(2)),
      '/feeds/items.atom?since=2&gen=g1': unchanged(),
    })
    const since = { gen: 'g1', seq: 1 }
    const following = (async () => {
      for await (const { seq } of catalog.changes({ since, pollSeconds: 3_600, signal: caller.signal })) {
        expect(seq).toBe(2)
        queueMicrotask(() => caller.abort())
      }
    })()
    await expect(following).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('stand where the state says', async () => {
    const { catalog } = clientOf({ '/feeds/state.json': [state(), state()] })
    expect(await catalog.position()).toEqual({ gen: 'g1', seq: 3 })
    expect(await catalog.position({ region: 'ES' })).toEqual({ gen: 'g1', seq: 1 })
  })
})
