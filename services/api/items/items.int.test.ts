import { cursorsOf } from '@catalog/api/http/cursor.ts'
import { BASE_URL, observe, publish, retract, testApi, testId } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { closedAfterAll, storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { beginGeneration, nextGeneration } from '@catalog/store/catalog/generation.ts'
import { readCursorSecret } from '@catalog/store/catalog/queries.ts'
import { readMeta } from '@catalog/store/checkpoints.ts'
import type { Store } from '@catalog/store/db.ts'
import { beforeAll, describe, expect, test } from 'vitest'

const store = await storeOfFile()
const clock = testClock()
const api = closedAfterAll(testApi(store, clock))

/** Advances the clock by 250 ms, after which the API sees new publications. */
async function get(url: string, headers: Record<string, string> = {}) {
  clock.advance(250)
  return await api.inject({ url, headers })
}

describe('GET /v1/items', () => {
  const ids = Array.from({ length: 23 }, (_, i) => testId('ci_', `list${String.fromCharCode(97 + i)}`))
  beforeAll(async () => {
    for (const [i, id] of ids.entries()) {
      await publish(store, {
        id,
        name: i % 2 === 0 ? `Cemento Pórtland nº ${i}` : `Steel 100% bar_${i}`,
        regions: i % 3 === 0 ? ['ES', 'EU'] : ['LATAM', 'UY'],
        markets: { ES: i === 0 ? { cents: 991, currency: 'EUR', recorded_at: null } : null },
      })
    }
  })

  test('answers the items by id, with the tier of the caller', async () => {
    const response = await get('/v1/items')
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    const body = response.json()
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual([...ids].sort())
    expect(body.cursor).toBeNull()
    expect(response.headers.link).toBeUndefined()
    expect(body.meta).toEqual({ tier: 'anon', rate_limit_per_min: 100_000 })
    expect(body.items[0].median_price).toEqual({ cents: 485, currency: 'EUR', recorded_at: '2026-11-20T12:00:00Z' })
  })

  test('a walk by cursor returns every id once, even when items are republished between pages', async () => {
    const walked: string[] = []
    let url: string | undefined = '/v1/items?limit=5'
    while (url !== undefined) {
      const response = await get(url)
      expect(response.statusCode).toBe(200)
      const { items, cursor } = response.json()
      walked.push(...items.map(({ id }: { id: string }) => id))
      // Publish one item that the walk already returned and one that it has not reached.
      await publish(store, { id: walked[0] as string, name: 'Cemento, again' })
      await publish(store, { id: ids.at(-1) as string, name: `Last, after ${walked.length}` })
      const link = /^<(.*)>; rel="next"$/.exec(String(response.headers.link ?? ''))?.[1]
      expect(link === undefined).toBe(cursor === null)
      if (link !== undefined) {
        expect(new URL(link).searchParams.get('cursor')).toBe(cursor)
        expect(link.startsWith(`${BASE_URL}/items?`)).toBe(true)
      }
      url = link?.replace('https://catalog.example.org', '')
    }
    expect(walked).toEqual([...ids].sort())
  })

  test('sort=updated ascends by change, so a follower sees publications after its last page', async () => {
    const first = (await get('/v1/items?sort=updated&limit=20')).json()
    const rest = (await get(`/v1/items?sort=updated&limit=20&cursor=${first.cursor}`)).json()
    expect(rest.cursor).toBeNull()
    const last = testId('ci_', 'listb')
    await publish(store, { id: last, name: 'Steel, changed last' })
    const again = (await get(`/v1/items?sort=updated&limit=20&cursor=${first.cursor}`)).json()
    expect(again.items.at(-1).id).toBe(last)
    expect(new Set([...first.items, ...rest.items].map(({ id }) => id)).size).toBe(ids.length)
  })

  test('region filters in any case, and accepts UY', async () => {
    const upper = (await get('/v1/items?region=UY')).json()
    const lower = (await get('/v1/items?region=uy')).json()
    expect(upper.items.length).toBeGreaterThan(5)
    expect(lower.items).toEqual(upper.items)
    expect((await get('/v1/items?region=GB')).json().items).toEqual([])
    const spain = (await get('/v1/items?region=ES&limit=2')).json()
    const next = (await get(`/v1/items?region=es&limit=100&cursor=${spain.cursor}`)).json()
    expect(next.items[0].id > spain.items[1].id).toBe(true)
  })

  test('q matches every word of the folded name, and treats wildcards as plain characters', async () => {
    const names = async (q: string) =>
      (await get(`/v1/items?q=${encodeURIComponent(q)}`)).json().items.map(({ name }: { name: string }) => name)
    expect(await names('PORTLAND cemento')).toContain('Cemento Pórtland nº 2')
    expect(await names('portland 4')).toEqual(['Cemento Pórtland nº 4', 'Cemento Pórtland nº 14'].sort().reverse())
    expect(await names('100%')).toContain('Steel 100% bar_3')
    expect(await names('bar_3')).toEqual(['Steel 100% bar_3'])
    expect(await names('barx3')).toEqual([])
    expect(await names('ce%to')).toEqual([])
    expect(await names('a\0')).toEqual([])
    expect(await names('\\\\')).toEqual([])
  })

  test("price_region replaces the headline with that market's median, or null", async () => {
    const { items } = (await get('/v1/items?price_region=es&q=cemento&limit=100')).json()
    expect(items.find(({ id }: { id: string }) => id === testId('ci_', 'listc')).median_price).toBeNull()
    await publish(store, {
      id: testId('ci_', 'lista'),
      markets: { ES: { cents: 990, currency: 'EUR', recorded_at: null } },
    })
    const again = (await get('/v1/items?price_region=es&limit=100')).json()
    expect(again.items[0]).toMatchObject({
      id: testId('ci_', 'lista'),
      name: 'Portland cement CEM II 42.5 R',
      median_price: { cents: 990, currency: 'EUR', recorded_at: null },
      updated_at: '2026-11-20T12:00:00Z',
    })
  })

  test.each([
    ['region=XX', 'region', 'UY'],
    ['region=ES&region=US', 'region', 'once'],
    ['price_region=nowhere', 'price_region', 'ES'],
    ['q=a', 'q', '2 to 64'],
    [`q=${'a'.repeat(65)}`, 'q', '2 to 64'],
    ['limit=0', 'limit', '1 to 100'],
    ['limit=101', 'limit', '1 to 100'],
    ['sort=cost', 'sort', 'updated'],
  ])('%s answers 400 that names %s and %s', async (query, parameter, allowed) => {
    const response = await get(`/v1/items?${query}`)
    expect(response.statusCode).toBe(400)
    const { error, details } = response.json()
    expect(error).toBe('invalid_parameter')
    expect(details.startsWith(`${parameter}: expected `)).toBe(true)
    expect(details).toContain(allowed)
  })

  test('q counts characters, not code units: 64 of any script are allowed', async () => {
    expect((await get(`/v1/items?q=${encodeURIComponent('🧱'.repeat(64))}`)).statusCode).toBe(200)
    expect((await get(`/v1/items?q=${encodeURIComponent('🧱')}`)).statusCode).toBe(400)
  })

  test('a cursor fits only its own filters, region and sort, and rejects changes', async () => {
    const { cursor } = (await get('/v1/items?limit=2&region=ES')).json()
    expect((await get(`/v1/items?limit=7&region=es&cursor=${cursor}`)).statusCode).toBe(200)
    expect((await get(`/v1/items?cursor=${cursor}`)).json()).toEqual(
      (await get(`/v1/items?limit=2&region=ES&cursor=${cursor}`)).json(),
    )
    const altered = `${cursor[0] === 'A' ? 'B' : 'A'}${cursor.slice(1)}`
    for (const query of [
      `region=US&cursor=${cursor}`,
      `region=ES&q=ce&cursor=${cursor}`,
      `region=ES&sort=updated&cursor=${cursor}`,
      `region=ES&cursor=${altered}`,
      `region=ES&cursor=`,
      `region=ES&cursor=%00`,
    ]) {
      const response = await get(`/v1/items?${query}`)
      expect([query, response.statusCode, response.json().error]).toEqual([query, 400, 'invalid_cursor'])
    }
  })

  test('a cursor fits whatever shows the same items otherwise, and those of earlier releases as they were', async () => {
    const { items, cursor } = (await get('/v1/items?limit=2&region=ES')).json()
    const idsAfter = async (query: string) => {
      const { statusCode, body } = await get(`/v1/items?region=ES&${query}`)
      expect([query, statusCode]).toEqual([query, 200])
      return (JSON.parse(body).items as { id: string }[]).map(({ id }) => id)
    }
    const next = await idsAfter(`limit=2&cursor=${cursor}`)
    for (const shown of ['price_region=ES', 'lang=pt', 'price_region=MX&lang=es'])
      expect(await idsAfter(`limit=2&${shown}&cursor=${cursor}`)).toEqual(next)
    const secret = await readCursorSecret(store)
    const former = cursorsOf(secret).encode(items[1].id, ['items', 'id', 'ES', undefined, 'ES'])
    expect(await idsAfter(`limit=2&price_region=ES&cursor=${former}`)).toEqual(next)
    // With a currency the price region selects items.
    const priced = cursorsOf(secret).encode(items[1].id, ['items', 'id', 'ES', undefined, 'ES', 'currency=EUR'])
    for (const same of ['', '&price_region=ES']) await idsAfter(`currency=EUR${same}&cursor=${priced}`)
    expect((await get(`/v1/items?region=ES&currency=EUR&price_region=MX&cursor=${priced}`)).statusCode).toBe(400)
  })

  test('a page with a matching tag answers 304 without SQL until the next publication', async () => {
    const etag = String((await get('/v1/items?limit=3')).headers.etag)
    let statements = 0
    const counted: Store['query'] = (...statement) => {
      statements++
      return store.query(...statement)
    }
    const counting = testApi({ ...store, query: counted }, clock)
    const revalidate = () => counting.inject({ url: '/v1/items?limit=3', headers: { 'if-none-match': etag } })
    // The first revalidation leases a share of the minute's limit, which takes SQL.
    await revalidate()
    const costs: number[] = []
    for (let n = 0; n < 5; n++) {
      const before = statements
      expect((await revalidate()).statusCode).toBe(304)
      costs.push(statements - before)
    }
    // A timer of the server may ask beside some of them.
    expect(Math.min(...costs)).toBe(0)
    await counting.close()
    await publish(store, { id: testId('ci_', 'lista'), name: 'Changed' })
    const changed = await get('/v1/items?limit=3', { 'if-none-match': etag })
    expect(changed.statusCode).toBe(200)
    expect(changed.json().items[0].name).toBe('Changed')
  })
})

describe('GET /v1/items/{id}', () => {
  const id = testId('ci_', 'detail')
  const [sku, otherSku, retractedSku] = ['sku', 'othersku', 'retractedsku'].map((name) => testId('vsku_', name)) as [
    string,
    string,
    string,
  ]
  beforeAll(async () => {
    const source = {
      id: 'src_a',
      name: 'Obras | <b>Norte</b>',
      region: 'ES',
      url: 'https://a.example/p?x=1',
      trust_score: 80,
    }
    await observe(store, { vendor_sku_id: sku, source, observed_at: '2026-11-01T00:00:00Z', cents: 100 })
    const at = { vendor_sku_id: sku, source, observed_at: '2026-11-02T00:00:00Z' }
    for (const [min_quantity, cents] of [
      ['10', 1],
      ['1', 500],
      ['1', 480],
      ['1', 520],
      ['1', 490],
    ] as const) {
      await observe(store, { ...at, min_quantity, cents })
    }
    await observe(store, {
      vendor_sku_id: otherSku,
      source: { id: 'src_b', name: 'Unregistered', region: null, url: null },
      registered: false,
      observed_at: '2026-11-03T00:00:00Z',
      cents: 12_345,
      per_quantity: 100,
      unit: 'm',
    })
    const wrong = await observe(store, {
      vendor_sku_id: otherSku,
      source: { id: 'src_b' },
      observed_at: '2026-11-04T00:00:00Z',
      cents: 7,
    })
    await retract(store, {
      scope: 'observation',
      observation_id: wrong,
      source_id: 'src_b',
      recorded_at: '2026-11-05T00:00:00Z',
    })
    await observe(store, {
      vendor_sku_id: retractedSku,
      source: { id: 'src_c' },
      observed_at: '2026-11-04T00:00:00Z',
      cents: 7,
    })
    await retract(store, { scope: 'source', source_id: 'src_c', recorded_at: '2026-11-04T00:00:00Z' })
    await publish(store, {
      id,
      cpv: '44111200-3',
      vendor_sku_ids: [otherSku, retractedSku, sku],
      markets: { ES: { cents: 477, currency: 'EUR', recorded_at: null } },
    })
    await store.query(
      `insert into run_marks values ('early', '2026-10-01T02:00:00Z', 1, 1, 1), ('late', '2026-11-20T02:00:00Z', 2, 2, 1)`,
    )
    await store.query(
      `insert into price_points select $1, * from (values
        ('', '2026-07-01T02:00:00Z'::timestamptz, 400::bigint, 'EUR'), ('', '2026-08-01T02:00:00Z', 410, 'EUR'),
        ('', '2026-09-10T02:00:00Z', null, null), ('', '2026-10-01T02:00:00Z', 485, 'EUR'),
        ('', '2026-11-21T02:00:00Z', 999, 'EUR'), ('ES', '2026-11-01T02:00:00Z', 477, 'EUR')) p`,
      [id],
    )
    // A new generation fills the replica again, with points older than its runs.
    await beginGeneration(store, { gen: nextGeneration((await readMeta(store, 'gen')) ?? null, clock.at) })
  })

  test("answers the item, each vendor's current price and the history", async () => {
    const response = await get(`/v1/items/${id}`)
    expect(response.statusCode).toBe(200)
    const { item, vendors } = response.json()
    expect(item).toMatchObject({ id, cpv: '44111200-3', vendor_count: 2, observation_count: 7 })
    expect(vendors).toEqual([
      {
        vendor_sku_id: otherSku,
        source: { name: 'Unregistered', region: null, trust_score: 50, url: null },
        price: { cents: 12_345, currency: 'EUR' },
        unit: '100 m',
        observed_at: '2026-11-03T00:00:00Z',
      },
      {
        vendor_sku_id: sku,
        source: { name: 'Obras | <b>Norte</b>', region: 'ES', trust_score: 80, url: 'https://a.example/p?x=1' },
        // The latest instant has several tiers: take the smallest min_quantity, then the lower median of its four
        // prices.
        price: { cents: 490, currency: 'EUR' },
        unit: '25 kg',
        observed_at: '2026-11-02T00:00:00Z',
      },
    ])
  })

  test('history begins with the value 90 days before the last finished run, omits gaps and ends at that run', async () => {
    const { price_history } = (await get(`/v1/items/${id}`)).json()
    expect(price_history).toEqual([
      { recorded_at: '2026-08-22T02:00:00Z', price_cents: 410, currency: 'EUR' },
      { recorded_at: '2026-10-01T02:00:00Z', price_cents: 485, currency: 'EUR' },
    ])
    const markdown = (await get(`/v1/items/${id}`, { accept: 'text/markdown' })).body
    expect(markdown.split('\n').slice(-6, -1)).toEqual([
      '| From | Median, net of tax |',
      '| --- | --- |',
      '| 2026-08-22T02:00:00Z | 4.10 EUR |',
      '| 2026-09-10T02:00:00Z | no price |',
      '| 2026-10-01T02:00:00Z | 4.85 EUR |',
    ])
  })

  test('price_region selects the median and the history of one market', async () => {
    const { item, price_history } = (await get(`/v1/items/${id}?price_region=es`)).json()
    expect(item.median_price).toEqual({ cents: 477, currency: 'EUR', recorded_at: null })
    expect(price_history).toEqual([{ recorded_at: '2026-11-01T02:00:00Z', price_cents: 477, currency: 'EUR' }])
    const elsewhere = (await get(`/v1/items/${id}?price_region=US`)).json()
    expect(elsewhere.item.median_price).toBeNull()
    expect(elsewhere.price_history).toEqual([])
    expect((await get(`/v1/items/${id}?price_region=XX`)).json().error).toBe('invalid_parameter')
  })

  test('a new observation or a changed trust shows without a publication, and changes the ETag', async () => {
    const before = await get(`/v1/items/${id}`)
    const conditional = { 'if-none-match': String(before.headers.etag) }
    expect((await get(`/v1/items/${id}`, conditional)).statusCode).toBe(304)
    await store.query(
      `insert into decisions values (1, 'TrustChanged', 'src_a', '2026-11-06T00:00:00Z', '{"trust_score":15}')`,
    )
    await store.query(`insert into checkpoints values ('vendor', 'catalog.decisions', 0, 1, null)`)
    await observe(store, {
      vendor_sku_id: sku,
      source: { id: 'src_a' },
      observed_at: '2026-11-06T00:00:00Z',
      cents: 530,
    })
    const after = await get(`/v1/items/${id}`, conditional)
    expect(after.statusCode).toBe(200)
    expect(after.json().vendors[1]).toMatchObject({
      price: { cents: 530, currency: 'EUR' },
      source: { trust_score: 15 },
      observed_at: '2026-11-06T00:00:00Z',
    })
  })

  test('the counts are those of the vendors beside them, before any publication; lists keep the published ones', async () => {
    const [counted, first, second, silent] = ['counted', 'first', 'second', 'silent'].map((name) =>
      testId('vsku_', name),
    )
    const item = testId('ci_', 'counted')
    const seen = (vendor_sku_id = '', id = '', day = '06', more = {}) =>
      observe(store, {
        vendor_sku_id,
        source: { id, name: 'Obras Sur', ...more },
        observed_at: `2026-11-${day}T00:00:00Z`,
        cents: 480,
      })
    // One legal vendor in two countries, another one, and one that says nothing.
    await seen(counted, 'src_sur_es')
    await seen(first, 'src_sur_pt', '06', { name: 'OBRAS  Sur', region: 'PT' })
    await seen(second, 'src_este', '06', { name: 'Este' })
    await seen(silent, 'src_silent', '06', { name: 'Silent', trust_score: 0 })
    await publish(store, { id: item, vendor_sku_ids: [counted, first, second, silent] as string[] })
    const counts = async () => {
      const { item: shown, vendors } = (await get(`/v1/items/${item}`)).json()
      const markdown = (await get(`/v1/items/${item}`, { accept: 'text/markdown' })).body
      expect(markdown).toContain(`- Vendors: ${shown.vendor_count}, observations: ${shown.observation_count}\n`)
      return [vendors.length, shown.vendor_count, shown.observation_count]
    }
    expect(await counts()).toEqual([3, 2, 3])
    await seen(counted, 'src_sur_es', '07')
    expect(await counts()).toEqual([3, 2, 4])
    await retract(store, { scope: 'source', source_id: 'src_este', recorded_at: '2026-11-08T00:00:00Z' })
    expect(await counts()).toEqual([2, 1, 3])
    const listed = (await get(`/v1/items?ids=${item}`)).json()
    expect(listed.items[0]).toMatchObject({ vendor_count: 4, observation_count: 4 })
    await retract(store, { scope: 'source', source_id: 'src_sur_pt', recorded_at: '2026-11-08T00:00:00Z' })
    await retract(store, { scope: 'source', source_id: 'src_sur_es', recorded_at: '2026-11-08T00:00:00Z' })
    expect(await counts()).toEqual([0, 0, 0])
  })

  test('several currencies at one instant stay apart: the most frequent one shows', async () => {
    const mixed = testId('vsku_', 'mixed')
    for (const [cents, currency] of [
      [10, 'USD'],
      [20, 'EUR'],
      [30, 'EUR'],
    ] as const) {
      await observe(store, { vendor_sku_id: mixed, observed_at: '2026-11-06T00:00:00Z', cents, currency })
    }
    const item = testId('ci_', 'mixed')
    await publish(store, { id: item, vendor_sku_ids: [mixed] })
    expect((await get(`/v1/items/${item}`)).json().vendors[0].price).toEqual({ cents: 20, currency: 'EUR' })
  })

  test('a merged item answers with the survivor and its address, across chained merges', async () => {
    const [first, second, last, dead] = ['mergefirst', 'mergesecond', 'mergelast', 'mergedead'].map((name) =>
      testId('ci_', name),
    ) as [string, string, string, string]
    await publish(store, { id: last, name: 'Survivor' })
    await publish(store, { id: second, state: 'merged', merged_into: last })
    await publish(store, { id: first, state: 'merged', merged_into: second })
    const response = await get(`/v1/items/${first}?price_region=es`)
    expect(response.statusCode).toBe(200)
    expect(response.json().item.id).toBe(last)
    expect(response.headers['content-location']).toBe(`${BASE_URL}/items/${last}?price_region=ES`)
    expect((await get(`/v1/items/${last}`)).headers['content-location']).toBeUndefined()
    // A merge into a gone item, or a merge cycle, leaves nothing to show.
    await publish(store, { id: dead, state: 'gone' })
    await publish(store, { id: first, state: 'merged', merged_into: dead })
    expect((await get(`/v1/items/${first}`)).statusCode).toBe(404)
    await publish(store, { id: last, state: 'merged', merged_into: second })
    expect((await get(`/v1/items/${second}`)).statusCode).toBe(404)
  })

  test.each([testId('ci_', 'nobody'), 'ci_', 'vsku_x', '%00', "ci_'%20or%201=1", 'x'.repeat(300), '%E2%9C%93'])(
    'the unknown id %s answers 404',
    async (unknown) => {
      const response = await get(`/v1/items/${unknown}`)
      expect(response.statusCode).toBe(404)
      expect(response.json().error).toMatch(/^(item_not_found|not_found)$/)
    },
  )

  test('Accept: text/markdown answers Markdown with its own ETag', async () => {
    const json = await get(`/v1/items/${id}`)
    const markdown = await get(`/v1/items/${id}`, { accept: 'text/markdown' })
    expect(markdown.headers['content-type']).toBe('text/markdown; charset=utf-8')
    expect(markdown.headers.vary).toContain('Accept')
    expect(markdown.headers.etag).not.toBe(json.headers.etag)
    expect(markdown.body).toContain('# Portland cement CEM II 42.5 R\n')
    expect(markdown.body).toContain('- Price: 4.85 EUR per 25 kg')
    expect(markdown.body).toContain('[Obras \\| \\<b\\>Norte\\</b\\>](<https://a.example/p?x=1>) | ES | 15 | 5.30 EUR')
    expect(markdown.body).toContain('| 2026-08-22T02:00:00Z | 4.10 EUR |')
    const both = await get(`/v1/items/${id}`, { accept: 'text/markdown;q=0, application/json' })
    expect(both.headers['content-type']).toBe('application/json; charset=utf-8')
    const again = await get(`/v1/items/${id}`, {
      accept: 'text/markdown',
      'if-none-match': String(markdown.headers.etag),
    })
    expect(again.statusCode).toBe(304)
  })
})

describe('GET /v1/search', () => {
  test('skips an item that left after indexing', async () => {
    const id = testId('ci_', 'searchgone')
    await publish(store, { id, name: 'Marble slab', state: 'gone' })
    expect((await get('/v1/search?q=marble')).json().results).toEqual([])
  })

  test('answers a query of unusual characters', async () => {
    for (const q of ['\0\0', '%%', '🧱🧱']) {
      expect((await get(`/v1/search?q=${encodeURIComponent(q)}`)).statusCode).toBe(200)
    }
  })
})

describe('GET /v1/categories', () => {
  beforeAll(async () => {
    await store.query(
      `insert into categories values ('cat_a', null, 'Materials', 0), ('cat_b', 'cat_a', 'Cement', 1),
         ('cat_c', 'cat_a', 'Steel', 1), ('cat_d', 'cat_b', 'White cement', 2), ('cat_e', null, 'Labor', 0)`,
    )
    for (const [name, category_id] of [
      ['catone', 'cat_b'],
      ['cattwo', 'cat_d'],
      ['catthree', 'cat_d'],
    ] as const) {
      await publish(store, { id: testId('ci_', name), category_id })
    }
    await publish(store, { id: testId('ci_', 'catgone'), category_id: 'cat_d', state: 'gone' })
  })

  test('lists one level, with the items in each category and below it', async () => {
    const roots = (await get('/v1/categories')).json()
    expect(roots).toEqual({
      categories: [
        { id: 'cat_a', name: 'Materials', names: {}, parent_id: null, item_count: 3 },
        { id: 'cat_e', name: 'Labor', names: {}, parent_id: null, item_count: 0 },
      ],
      cursor: null,
    })
    const first = await get('/v1/categories?parent=cat_a&limit=1')
    expect(first.json().categories).toEqual([
      { id: 'cat_b', name: 'Cement', names: {}, parent_id: 'cat_a', item_count: 3 },
    ])
    const link = /<(.*)>/.exec(String(first.headers.link))?.[1] as string
    const second = (await get(link.replace('https://catalog.example.org', ''))).json()
    expect(second).toEqual({
      categories: [{ id: 'cat_c', name: 'Steel', names: {}, parent_id: 'cat_a', item_count: 0 }],
      cursor: null,
    })
    expect((await get(`/v1/categories?cursor=${first.json().cursor}`)).json()).toEqual(second)
    expect((await get(`/v1/categories?parent=cat_b&cursor=${first.json().cursor}`)).json().error).toBe('invalid_cursor')
    expect((await get(`/v1/items?cursor=${first.json().cursor}`)).json().error).toBe('invalid_cursor')
  })

  test('lists the whole tree in pages, or one subtree', async () => {
    const first = await get('/v1/categories?tree=true&limit=3')
    expect(first.json().categories.map(({ id }: { id: string }) => id)).toEqual(['cat_a', 'cat_b', 'cat_c'])
    const link = /<(.*)>/.exec(String(first.headers.link))?.[1] as string
    const rest = (await get(link.replace('https://catalog.example.org', ''))).json()
    expect([rest.categories.map(({ id }: { id: string }) => id), rest.cursor]).toEqual([['cat_d', 'cat_e'], null])
    const below = (await get('/v1/categories?tree=true&parent=cat_a')).json().categories
    expect(below.map(({ id, parent_id }: { id: string; parent_id: string }) => [id, parent_id])).toEqual([
      ['cat_b', 'cat_a'],
      ['cat_c', 'cat_a'],
      ['cat_d', 'cat_b'],
    ])
    // A cursor of one level does not fit the whole tree.
    expect((await get(`/v1/categories?tree=false&cursor=${first.json().cursor}`)).json().error).toBe('invalid_cursor')
    expect((await get('/v1/categories?tree=yes')).json().details).toBe('tree: expected true or false, found "yes"')
  })

  test('gives the whole tree nested, in one answer that is cached until the next publication', async () => {
    const { headers, body } = await get('/v1/categories/tree')
    const leaf = (id: string, name: string, item_count: number) => ({ id, name, names: {}, item_count, children: [] })
    expect(JSON.parse(body)).toEqual({
      categories: [
        {
          ...leaf('cat_a', 'Materials', 3),
          children: [
            { ...leaf('cat_b', 'Cement', 3), children: [leaf('cat_d', 'White cement', 2)] },
            leaf('cat_c', 'Steel', 0),
          ],
        },
        leaf('cat_e', 'Labor', 0),
      ],
      count: 5,
    })
    const ifNoneMatch = { 'if-none-match': String(headers.etag) }
    expect((await get('/v1/categories/tree', ifNoneMatch)).statusCode).toBe(304)
    await publish(store, { id: testId('ci_', 'catfour'), category_id: 'cat_c' })
    expect((await get('/v1/categories/tree', ifNoneMatch)).json().categories[0].item_count).toBe(4)
    await publish(store, { id: testId('ci_', 'catfour'), category_id: 'cat_c', state: 'gone' })
  })

  test('answers one category, and 404 for an unknown one', async () => {
    expect((await get('/v1/categories/cat_d')).json()).toEqual({
      id: 'cat_d',
      name: 'White cement',
      names: {},
      parent_id: 'cat_b',
      item_count: 2,
      path: [
        { id: 'cat_a', name: 'Materials' },
        { id: 'cat_b', name: 'Cement' },
      ],
      children: [],
      children_cursor: null,
    })
    const { path, children } = (await get('/v1/categories/cat_a')).json()
    expect(path).toEqual([])
    expect(children).toEqual([
      { id: 'cat_b', name: 'Cement', names: {}, parent_id: 'cat_a', item_count: 3 },
      { id: 'cat_c', name: 'Steel', names: {}, parent_id: 'cat_a', item_count: 0 },
    ])
    for (const url of [
      '/v1/categories/cat_x',
      '/v1/categories/%00',
      '/v1/categories?parent=cat_x',
      '/v1/categories?parent=%00',
    ]) {
      const response = await get(url)
      expect([url, response.statusCode, response.json().error]).toEqual([url, 404, 'category_not_found'])
    }
  })
})
