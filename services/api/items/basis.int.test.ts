import { categoryIdOf } from '@catalog/core/changes/public-state.ts'
import type { Basis } from '@catalog/core/events/items.ts'
import { BASE_URL, observe, publish, testApi, testId } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { closedAfterAll, storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { beforeAll, describe, expect, test } from 'vitest'

const store = await storeOfFile()
const clock = testClock()
const api = closedAfterAll(testApi(store, clock))
const id = testId('ci_', 'item')
const merged = testId('ci_', 'merged')
let voted: string
let fenced: string

/** Advances the clock by 250 ms, after which the API sees new publications. */
async function get(url: string, headers: Record<string, string> = {}) {
  clock.advance(250)
  return await api.inject({ url, headers })
}

const CEMENT = ['Materials', 'Cement and binders']

const vote = (observation_id: string, given: Partial<Basis['votes'][number]> = {}): Basis['votes'][number] => ({
  vendor_sku_id: 'vsku_north',
  source_id: 'src_north',
  observation_id,
  price: '48500/121',
  currency: 'EUR',
  trust: 80,
  observed_at: '2026-11-01T00:00:00Z',
  markets: ['ES'],
  ...given,
})

const basis = (): Partial<Basis> => ({
  votes: [
    vote(voted),
    vote(fenced, { vendor_sku_id: 'vsku_chile', price: '12990/1', currency: 'CLP', markets: ['CL'] }),
  ],
  excluded: [
    { id: fenced, reason: 'PRICE_FENCE' },
    { id: 'vsku_off', reason: 'SOURCE_DISABLED' },
    { id: 'vsku_unknown', reason: 'NO_TRUST' },
  ],
  voters: 1,
  trust_total: 80,
  p25: 401,
  p75: 401,
  last_observed_at: '2026-11-01T00:00:00Z',
})

beforeAll(async () => {
  const at = { observed_at: '2026-11-01T00:00:00Z', cents: 485 }
  const named = { name: 'Oficial 1ª electricista', unit: 'h', category_path: ['Jornales', 'Electricidad'] }
  voted = await observe(store, {
    vendor_sku_id: 'vsku_north',
    source: { id: 'src_north', name: 'North' },
    ...named,
    ...at,
  })
  fenced = await observe(store, {
    vendor_sku_id: 'vsku_chile',
    source: { id: 'src_chile', name: 'Chile' },
    ...at,
    cents: 1,
  })
  await observe(store, { vendor_sku_id: 'vsku_off', source: { id: 'src_off', name: 'Off' }, ...at, cents: 2 })
  await publish(store, {
    id,
    name: 'Cement',
    kind: 'material',
    category_id: categoryIdOf(CEMENT),
    category: { by: 'name', text: 'Cement', confidence_percent: 80 },
    median_price: { cents: 401, currency: 'EUR', recorded_at: '2026-11-10T02:00:00Z' },
    markets: { ES: { cents: 401, currency: 'EUR', recorded_at: null }, GB: null },
    vendor_sku_ids: ['vsku_chile', 'vsku_north', 'vsku_off'],
    basis: basis(),
  })
  await publish(store, { id: merged, state: 'merged', merged_into: id })
})

describe('GET /v1/items/{id}/basis', () => {
  test('names the SKU and the source of every vote and of every exclusion', async () => {
    const response = await get(`/v1/items/${id}/basis`)
    expect(response.statusCode).toBe(200)
    const { basis, ...rest } = response.json()
    expect(rest).toEqual({
      item_id: id,
      name: 'Cement',
      unit: '25 kg',
      kind: 'material',
      names: [],
      category: { id: categoryIdOf(CEMENT), path: CEMENT, by: 'name', text: 'Cement', confidence_percent: 80 },
      merged_into: null,
      run_id: 'run',
      as_of: '2026-11-20T12:00:00Z',
      median: { cents: 401, currency: 'EUR' },
      markets: [
        { region: 'ES', median: { cents: 401, currency: 'EUR' }, vendor_count: 1, voters: 1 },
        { region: 'GB', median: null, vendor_count: 1, voters: 0 },
      ],
      vendor_sku_ids: ['vsku_chile', 'vsku_north', 'vsku_off'],
    })
    expect(basis.votes[0]).toEqual({
      ...vote(voted),
      alias_of: null,
      vendor_ref: 'vsku_north',
      vendor_sku_name: 'Oficial 1ª electricista',
      vendor_category_path: ['Jornales', 'Electricidad'],
      source_name: 'North',
      price_cents: 401,
      kind: null,
      min_quantity: null,
      tax: { state: 'not_stated', rate: null, by: null },
      sku_kind: {
        kind: 'labour',
        grade: 'first',
        trades: ['electrician'],
        action: null,
        operator: null,
        evidence: [
          { about: 'kind', value: 'labour', by: 'unit', text: 'h' },
          { about: 'kind', value: 'labour', by: 'word', text: 'oficial 1a' },
          { about: 'grade', value: 'first', by: 'word', text: 'oficial 1a' },
          { about: 'trade', value: 'electrician', by: 'word', text: 'electricista' },
        ],
      },
      flags: [],
    })
    expect(basis.tax).toEqual({ net: 0, gross_with_rate: 0, gross_without_rate: 0, not_stated: 1 })
    const named = (id: string, sku: string, source: string) => ({
      id,
      vendor_sku_id: `vsku_${sku}`,
      vendor_ref: `vsku_${sku}`,
      vendor_sku_name: null,
      vendor_category_path: null,
      source_id: `src_${sku}`,
      source_name: source,
    })
    expect(basis.excluded).toEqual([
      { ...named(fenced, 'chile', 'Chile'), reason: 'PRICE_FENCE' },
      { ...named('vsku_off', 'off', 'Off'), reason: 'SOURCE_DISABLED' },
      {
        id: 'vsku_unknown',
        reason: 'NO_TRUST',
        vendor_sku_id: 'vsku_unknown',
        vendor_ref: null,
        vendor_sku_name: null,
        vendor_category_path: null,
        source_id: null,
        source_name: null,
      },
    ])
    expect(basis).toMatchObject({ method_version: 'twm/1', trust_total: 80, p25: 401, p75: 401 })
  })

  test('shows the tax and the flags that a method with guarded votes recorded', async () => {
    const guarded = testId('ci_', 'guarded')
    const tax = { state: 'not_stated' as const, rate: '0.21', by: 'majority' as const }
    const counts = { net: 3, gross_with_rate: 2, gross_without_rate: 1, not_stated: 4 }
    await publish(store, {
      id: guarded,
      basis: { ...basis(), method_version: 'twm/3', votes: [vote(voted, { tax, flags: ['TIER_ONLY'] })], tax: counts },
    })
    const shown = (await get(`/v1/items/${guarded}/basis`)).json().basis
    expect(shown.tax).toEqual(counts)
    expect(shown.votes).toMatchObject([{ tax, flags: ['TIER_ONLY'] }])
  })

  test("names a price's only vendor, and omits the note for two", async () => {
    const { basis } = (await get(`/v1/items/${id}/basis`)).json()
    expect(basis).toMatchObject({ voters: 1, single_voter: true, note: 'rests on one vendor' })
    const two = testId('ci_', 'two')
    await publish(store, { id: two })
    expect((await get(`/v1/items/${two}/basis`)).json().basis).toMatchObject({
      voters: 2,
      single_voter: false,
      note: null,
    })
  })

  test('follows changes of the votes that leave the item unchanged', async () => {
    const before = await get(`/v1/items/${id}/basis`)
    const conditional = { 'if-none-match': String(before.headers.etag) }
    expect((await get(`/v1/items/${id}/basis`, conditional)).statusCode).toBe(304)
    await store.query(
      `update items set basis = replace(basis, '"trust_total":80', '"trust_total":81') where item_id = $1`,
      [id],
    )
    await store.query(`update checkpoints set next = next + 1 where projection = 'items'`)
    const after = await get(`/v1/items/${id}/basis`, conditional)
    expect([after.statusCode, after.json().basis.trust_total]).toEqual([200, 81])
  })
})

test('the Markdown of an item says that its price rests on one vendor of the shown market', async () => {
  const markdown = async (query = '') => (await get(`/v1/items/${id}${query}`, { accept: 'text/markdown' })).body
  const price = '- Price: 4.01 EUR per 25 kg, net of tax, trust-weighted median, newest price of 2026-11-01'
  expect(await markdown()).toContain(`${price}, unchanged since 2026-11-10T02:00:00Z, rests on one vendor\n`)
  expect(await markdown('?price_region=ES')).toContain(`${price}, rests on one vendor\n`)
  expect(await markdown('?price_region=GB')).toContain('- Price: none at present\n')
  await publish(store, { id: testId('ci_', 'two') })
  const two = await get(`/v1/items/${testId('ci_', 'two')}`, { accept: 'text/markdown' })
  expect(two.body).not.toContain('rests on')
})

describe.each(['basis', 'history'])('GET /v1/items/{id}/%s', (path) => {
  test('of a merged item answers for the survivor and gives its address', async () => {
    const response = await get(`/v1/items/${merged}/${path}`)
    expect([response.statusCode, response.json().item_id]).toEqual([200, id])
    expect(response.headers['content-location']).toMatch(new RegExp(`^${BASE_URL}/items/${id}/${path}(\\?limit=365)?$`))
    expect((await get(`/v1/items/${id}/${path}`)).headers['content-location']).toBeUndefined()
  })

  test.each([testId('ci_', 'nobody'), testId('ci_', 'gone'), 'ci_', '%00', 'vsku_north'])(
    'answers 404 for %s, which is not an item',
    async (unknown) => {
      await publish(store, { id: testId('ci_', 'gone'), state: 'gone' })
      const response = await get(`/v1/items/${unknown}/${path}`)
      expect([response.statusCode, response.json().error]).toEqual([404, 'item_not_found'])
    },
  )
})
