import { openBuiltinEmbedder } from '@catalog/embed/builtin/builtin.ts'
import { type Embedder, EmbedderUnavailable } from '@catalog/embed/embed.ts'
import { openExactIndex } from '@catalog/search/exact/exact.ts'
import type { SearchIndex } from '@catalog/search/search.ts'
import { embedderOf, observe, publish, testApi, testId } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { closedAfterAll, storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { joinSkus } from '@catalog/stack/testing/recipes.ts'
import { beforeAll, describe, expect, test } from 'vitest'

const builtin = openBuiltinEmbedder()
const clock = testClock()
const store = await storeOfFile()

/** Items by name, with their differences from the default: sold in Spain, without a category. */
const ITEMS: Readonly<Record<string, { regions?: string[]; category?: string }>> = {
  'Placa de yeso laminado 12,5 mm 1200x2500': { category: 'cat_board' },
  'Placa de yeso laminado 15 mm 1200x2500': { category: 'cat_board' },
  'Placa de yeso laminado 9,5 mm 1200x2500': { category: 'cat_board', regions: ['CL'] },
  'Tornillo para placa de yeso 3,5x25 mm': { category: 'cat_dry' },
  'Panel de lana de roca 40 mm': { category: 'cat_wool' },
  'Cemento gris CEM II/B-L 32,5 R, saco 25 kg': {},
  'Cemento gris CEM II/B-L 32,5 R, saco 25 lb': {},
  'Cemento gris CEM II/B-L 32,5 R, saco 50 kg': {},
  'Cable manguera H07V-K 3x1,5 mm2': {},
  'Cable manguera H07V-K 3x2,5 mm2': {},
  'Barra corrugada B500S 12 mm': { regions: ['CL'] },
  'Ventana de aluminio': {},
  'Taladro percutor sin cable': {},
}
const NAMES = Object.keys(ITEMS)
const itemId = (name: string) => testId('ci_', `i${NAMES.indexOf(name)}`)

const indexFor = (embedder: Embedder | null, of = store) =>
  openExactIndex({ store: of, embedder, now: () => clock.at.getTime() })

const api = closedAfterAll(testApi(store, clock, { index: indexFor(builtin), embedder: builtin }))

async function fill(index: SearchIndex, embedder: Embedder | null, names = NAMES): Promise<void> {
  const vectors = embedder === null ? names.map(() => null) : await embedder.embed(names, 'document')
  await index.put(
    names.map((name, i) => {
      const { regions = ['ES'], category = null } = ITEMS[name] ?? {}
      const vector = vectors[i] ?? null
      const seq = BigInt(NAMES.indexOf(name) + 1)
      return { itemId: itemId(name), seq, name, body: '', regions, categoryId: category, vector }
    }),
  )
}

beforeAll(async () => {
  await store.query(
    `insert into categories values ('cat_dry', null, 'Dry lining', 0), ('cat_board', 'cat_dry', 'Boards', 1),
       ('cat_wool', null, 'Insulation', 0)`,
  )
  for (const [name, { regions = ['ES'], category = null }] of Object.entries(ITEMS)) {
    await publish(store, { id: itemId(name), name, regions, category_id: category })
  }
  await fill(indexFor(builtin), builtin)
})

type Body = { mode: string; results: { id: string; name: string; score: number }[] }
async function search(query: string, of = api): Promise<Body> {
  clock.advance(250)
  const response = await of.inject(`/v1/search?${query}`)
  expect(response.statusCode).toBe(200)
  return response.json()
}
const q = (text: string) => `q=${encodeURIComponent(text)}`
const names = async (query: string) => (await search(query)).results.map(({ name }) => name)

describe('GET /v1/search', () => {
  const board = 'Placa de yeso laminado 12,5 mm 1200x2500'
  test.each([
    ['pladur 13 mm', board],
    ['drywall 1/2 in', board],
    ['drywall 12,5', board],
    ['placa de yeso laminado 13 mm', board],
    ['Gipskartonplatte 12,5 mm', board],
    ['plaque de plâtre 13mm', board],
    ['drywall 12,5 mm 120x250 cm', board],
    ['drywall 15 mm', 'Placa de yeso laminado 15 mm 1200x2500'],
    ['drywall 3/8"', 'Placa de yeso laminado 9,5 mm 1200x2500'],
    ['rock wool', 'Panel de lana de roca 40 mm'],
    ['taladro percutro', 'Taladro percutor sin cable'],
    ['cable 3x1.5', 'Cable manguera H07V-K 3x1,5 mm2'],
    ['cable 3G2.5', 'Cable manguera H07V-K 3x2,5 mm2'],
    ['B500S', 'Barra corrugada B500S 12 mm'],
  ])('%j finds %j first', async (text, name) => {
    expect((await names(q(text)))[0]).toBe(name)
  })

  test('"cement 25 kg" finds 25 kg before 25 lb and 50 kg', async () => {
    const bags = (await names(q('cement 25 kg'))).flatMap((name) => /saco (.*)/.exec(name)?.[1] ?? [])
    expect(bags[0]).toBe('25 kg')
    expect(bags.length).toBeGreaterThan(1)
  })

  test('sorts scores, all at least 0, and at least 3 for an exact code', async () => {
    for (const text of ['placa de yeso', 'B500S', 'sushi', 'cable 3x1.5 B500S']) {
      const scores = (await search(q(text))).results.map(({ score }) => score)
      expect(scores).toEqual(scores.toSorted((a, b) => b - a))
      expect(scores.every((score) => score >= 0)).toBe(true)
      expect((scores[0] ?? 0) >= 3).toBe(text.includes('B500S'))
    }
  })

  test('filters by region before ranking, so that the page is full', async () => {
    expect(await names(`${q('placa de yeso')}&region=CL&limit=1`)).toEqual(['Placa de yeso laminado 9,5 mm 1200x2500'])
  })

  test('a category includes those below it', async () => {
    expect(await names(`${q('placa de yeso')}&category=cat_board&region=ES`)).toEqual([
      'Placa de yeso laminado 12,5 mm 1200x2500',
      'Placa de yeso laminado 15 mm 1200x2500',
    ])
    const below = await names(`${q('tornillo placa de yeso 3,5x25 mm')}&category=cat_dry`)
    expect(below).toHaveLength(4)
    expect(below[0]).toBe('Tornillo para placa de yeso 3,5x25 mm')
  })

  test.each([
    ['category=', 'category_id: expected 1 to 100 characters, found ""'],
    ['category=cat_dry&category=cat_wool', 'category: expected it once, found ["cat_dry","cat_wool"]'],
    ['region=XX', 'region: expected'],
    ['price_region=XX', 'price_region: expected'],
    ['price_region=IT', 'price_region: prices of IT count for EU; expected one of ES'],
    ['limit=51', 'limit: expected'],
  ])('%s answers 400: %s', async (parameter, details) => {
    const response = await api.inject(`/v1/search?q=drywall&${parameter}`)
    expect([response.statusCode, response.json().error]).toEqual([400, 'invalid_parameter'])
    expect(response.json().details.startsWith(details)).toBe(true)
  })

  test.each(['', '?q=a', `?q=${'a'.repeat(257)}`])('%s answers 400 that names q', async (query) => {
    const response = await api.inject(`/v1/search${query}`)
    expect([response.statusCode, response.json().details]).toEqual([400, expect.stringMatching(/^q: expected/)])
  })
})

describe('the mode of a search', () => {
  test.each([
    ['drywall', 'vector', 3],
    ['sushi con wasabi', 'vector_no_match', 0],
    ['xqzvwk', 'vector_no_match', 0],
    ['B500S', 'empty_embedding', 1],
    ['12,5', 'empty_embedding', 1],
    ['日本', 'empty_embedding', 0],
  ])('of %j is %s, with at least %i results', async (text, mode, atLeast) => {
    const body = await search(q(text))
    expect(body.mode).toBe(mode)
    expect(body.results.length).toBeGreaterThanOrEqual(atLeast)
    if (atLeast === 0) expect(body.results).toEqual([])
  })

  test.each([
    ['no vector', null],
    ['zeros', new Float32Array(2)],
    ['NaN', Float32Array.of(1, Number.NaN)],
    ['other dimensions', Float32Array.of(1, 0, 0)],
  ])('is empty_embedding if the model returns %s', async (_, vector) => {
    const embedder = embedderOf(async () => [vector])
    const body = await search(q('ventana'), testApi(store, clock, { index: indexFor(embedder), embedder }))
    expect(body).toMatchObject({ mode: 'empty_embedding', results: [{ name: 'Ventana de aluminio' }] })
  })

  test('is fallback_no_ai without an embedder, in other languages too', async () => {
    const body = await search(q('drywall 13 mm'), testApi(store, clock, { index: indexFor(null), embedder: null }))
    expect(body.mode).toBe('fallback_no_ai')
    expect(body.results[0]?.name).toBe('Placa de yeso laminado 12,5 mm 1200x2500')
  })

  test('is fallback_no_ai until the vectors of a new model cover the items, then vector', async () => {
    const renewed: Embedder = { ...builtin, fingerprint: 'renewed' }
    const index = indexFor(renewed)
    const fresh = testApi(store, clock, { index: indexFor(renewed), embedder: renewed })
    expect((await search(q('drywall'), fresh)).mode).toBe('fallback_no_ai')
    await fill(index, renewed, NAMES.slice(0, 5))
    const half = await search(q('drywall'), fresh)
    expect(half.mode).toBe('fallback_no_ai')
    expect(half.results[0]?.name).toMatch(/^Placa de yeso/)
    await fill(index, renewed, NAMES.slice(5))
    await expect.poll(async () => (await search(q('drywall'), fresh)).mode).toBe('vector')
  })

  test('is fallback_no_ai while the model is away, where the operator chose words', async () => {
    const away = embedderOf(async () => {
      throw new EmbedderUnavailable('over budget', 16.2)
    })
    const given = { index: indexFor(builtin), embedder: away, onUnavailable: 'fallback' } as const
    const body = await search(q('drywall 13 mm'), testApi(store, clock, given))
    expect([body.mode, body.results[0]?.name]).toEqual(['fallback_no_ai', 'Placa de yeso laminado 12,5 mm 1200x2500'])
  })

  test.each([
    ['the model', 'the query cannot be embedded', 17],
    ['the index', 'the index does not answer', 5],
  ])('is missing while %s is unavailable: 503 with Retry-After', async (what, details, seconds) => {
    const embed = async () => {
      throw new EmbedderUnavailable('over budget', 16.2)
    }
    const away: SearchIndex = { ...indexFor(builtin), lexical: () => Promise.reject(new Error('ECONNREFUSED')) }
    const deps = what === 'the model' ? { embedder: { ...builtin, embed } } : { index: away }
    const broken = testApi(store, clock, { index: indexFor(builtin), embedder: builtin, ...deps })
    const response = await broken.inject('/v1/search?q=drywall')
    expect([response.statusCode, response.json()]).toEqual([
      503,
      { error: 'search_unavailable', details, retry_after_seconds: seconds },
    ])
    expect(response.headers['retry-after']).toBe(String(seconds))
  })

  test('is missing while an index without documents stands beside items: 503, and never nothing', async () => {
    const lost: SearchIndex = {
      ...indexFor(builtin),
      lexical: async () => [],
      nearest: async () => [],
      frequencies: async (terms) => ({ documents: 0, counts: terms.map(() => 0) }),
    }
    const response = await testApi(store, clock, { index: lost, embedder: builtin }).inject('/v1/search?q=drywall')
    expect([response.statusCode, response.json()]).toEqual([
      503,
      { error: 'search_unavailable', details: 'the index is being filled', retry_after_seconds: 5 },
    ])
  })

  /** An index that finds nothing while it has so many documents; all of its own with `filled`. */
  function fillingIndex(documents: number, isFilled: () => boolean): SearchIndex {
    const whole = indexFor(builtin)
    return {
      ...whole,
      lexical: async (...asked) => (isFilled() ? whole.lexical(...asked) : []),
      nearest: async (...asked) => (isFilled() ? whole.nearest(...asked) : []),
      frequencies: async (terms) => (isFilled() ? whole.frequencies(terms) : { documents, counts: terms.map(() => 0) }),
    }
  }

  test('is missing while an index has few of the items: what was sought may come', async () => {
    const index = fillingIndex(NAMES.length - 5, () => false)
    const response = await testApi(store, clock, { index, embedder: builtin }).inject('/v1/search?q=drywall')
    expect([response.statusCode, response.json().details]).toEqual([503, 'the index is being filled'])
  })

  test('is asked again where the index was filled after it found nothing', async () => {
    let counted = 0
    const index = fillingIndex(0, () => counted > 0)
    const whole = index.frequencies
    // Nothing was found; by the time of the count, the index is whole.
    const late: SearchIndex = {
      ...index,
      frequencies(terms) {
        if (terms.length === 0) counted += 1
        return whole(terms)
      },
    }
    const api = testApi(store, clock, { index: late, embedder: builtin })
    const { results } = await search(q('Ventana de aluminio'), api)
    expect([results[0]?.name, counted]).toEqual(['Ventana de aluminio', 1])
  })
})

describe("a GTIN or a manufacturer's reference", () => {
  const drill = 'Taladro percutor sin cable'
  const window = 'Ventana de aluminio'

  /** Records a SKU in the item, matched by these keys, as the projector does. */
  async function match(name: string, vendorSkuId: string, keys: readonly string[]): Promise<void> {
    await observe(store, { vendor_sku_id: vendorSkuId, observed_at: '2026-11-01T00:00:00Z', cents: 100 })
    await joinSkus(store, itemId(name), [vendorSkuId])
    await store.query(
      `insert into match_keys select unnest($2::text[]), sku from vendor_skus where vendor_sku_id = $1`,
      [vendorSkuId, keys],
    )
  }
  beforeAll(async () => {
    await match(drill, 'vsku_drill', ['gtin:04006381333931', 'ref:dhp482z'])
    await match(window, 'vsku_window', ['ref:ven1200'])
  })

  test.each([
    ['4006381333931', 'empty_embedding'],
    ['4 006381 333931', 'empty_embedding'],
    ['DHP-482Z', 'vector'],
    ['placa de yeso DHP482Z', 'vector'],
  ])('in %j puts its item first, and the mode stays %s', async (text, mode) => {
    const body = await search(q(text))
    expect(body.results[0]?.name).toBe(drill)
    expect(body.results[0]?.score).toBeGreaterThanOrEqual(10)
    expect((body.results[1]?.score ?? 0) < 10).toBe(true)
    expect(body.mode).toBe(mode)
  })

  test('passes the same filters as other queries', async () => {
    expect(await names(`q=4006381333931&region=ES`)).toEqual([drill])
    expect(await names(`q=4006381333931&region=CL`)).toEqual([])
    expect(await names(`q=4006381333931&category=cat_dry`)).toEqual([])
  })

  test("finds the SKU's current item, and the survivor of a merge", async () => {
    await store.query(
      `update memberships set item = (select item from item_keys where item_id = $1)
      where sku = (select sku from vendor_skus where vendor_sku_id = 'vsku_drill')`,
      [itemId(window)],
    )
    expect((await names('q=DHP482Z'))[0]).toBe(window)
    await store.query(
      `with survivor as (
         insert into item_keys (item_id, founder, founding_n) select $1, founder, 9 from item_keys limit 1 returning item
       ) update item_keys set merged_into = (select item from survivor) where item_id = $2`,
      [itemId(NAMES[0] as string), itemId(window)],
    )
    const merged = await names('q=DHP482Z')
    expect(merged.slice(0, 2).sort()).toEqual([NAMES[0], window].sort())
    await publish(store, { id: itemId(window), name: window, state: 'merged', merged_into: itemId(NAMES[0] as string) })
    expect((await names('q=DHP482Z'))[0]).toBe(NAMES[0])
  })
})
