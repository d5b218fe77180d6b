import { newKey } from '@catalog/access/keys.ts'
import { LIMITS } from '@catalog/api/callers/rate-limits.ts'
import type { MatchResponse } from '@catalog/api/contract/contract.ts'
import type { Finder } from '@catalog/api/search/finder.ts'
import { openBuiltinEmbedder } from '@catalog/embed/builtin/builtin.ts'
import { EmbedderUnavailable } from '@catalog/embed/embed.ts'
import { openExactIndex } from '@catalog/search/exact/exact.ts'
import { lineKey } from '@catalog/search/ranking/bill-of-materials.ts'
import { embedderOf, publish, type TestItem, testApi, testId } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { closedAfterAll, storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { createWorkspace, insertKey } from '@catalog/store/accounts/accounts.ts'
import { type LineCorrection, saveCorrections } from '@catalog/store/accounts/corrections.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { itemsOfStore } from './line-items.ts'
import { matchLines } from './match.ts'

const builtin = openBuiltinEmbedder()
const clock = testClock()
const store = await storeOfFile()
const index = openExactIndex({ store, embedder: builtin, now: () => clock.at.getTime() })
const api = closedAfterAll(testApi(store, clock, { index, embedder: builtin }))

type Item = { unit: string; cents?: number; regions?: string[]; markets?: TestItem['markets'] }
const ITEMS: Readonly<Record<string, Item>> = {
  'Cemento Portland CEM II/B-L 32,5 N': { unit: '25 kg', cents: 480 },
  'Cemento Portland CEM II/B-L 42,5 R, saco 50 kg': { unit: '50 kg', cents: 990 },
  'Cable flexible H07V-K 3x1,5 mm2': { unit: 'm', cents: 95 },
  'Cable flexible H07V-K 3x2,5 mm2': { unit: 'm', cents: 150 },
  'Placa de yeso laminado 12,5 mm 1200x2500': { unit: 'm²', cents: 610 },
  'Grava 20/40': {
    unit: 't',
    cents: 1_800,
    regions: ['CL'],
    markets: { CL: { cents: 15_000, currency: 'CLP', recorded_at: null } },
  },
}
const itemId = (name: string) => testId('ci_', `m${Object.keys(ITEMS).indexOf(name)}`)

function publishItem(name: string, more: Partial<TestItem> = {}) {
  const { unit, cents = 100, regions = ['ES'], markets = {} } = ITEMS[name] as Item
  const median_price = { cents, currency: 'EUR', recorded_at: null }
  return publish(store, { id: itemId(name), name, unit, median_price, regions, markets, ...more })
}

beforeAll(async () => {
  const vectors = await builtin.embed(Object.keys(ITEMS), 'document')
  for (const [i, [name, { unit, regions = ['ES'] }]] of Object.entries(ITEMS).entries()) {
    await publishItem(name)
    const vector = vectors[i] ?? null
    const document = { itemId: itemId(name), seq: BigInt(i + 1), name, body: unit, regions, categoryId: null }
    await index.put([{ ...document, vector }])
  }
})

type Line = { text: string; unit?: string; quantity?: number; region?: string; code?: string }
async function postMatch(lines: readonly Line[], more: object = {}, of = api, remoteAddress = '127.0.0.1') {
  clock.advance(250)
  return await of.inject({ method: 'POST', url: '/v1/match', payload: { lines, ...more }, remoteAddress })
}
async function match(lines: readonly Line[], more: object = {}): Promise<MatchResponse> {
  const response = await postMatch(lines, more)
  expect([response.statusCode, response.headers['cache-control']]).toEqual([200, 'no-store'])
  return response.json()
}

test('no line is begun after its caller left', async () => {
  const left = new AbortController()
  let searches = 0
  const find = async () => {
    searches++
    left.abort()
    return { results: [], mode: 'vector', question: { shortNames: [], thing: '', unit: null }, margin: 0 }
  }
  const lines = Array.from({ length: 100 }, (_, i) => ({ text: `cement ${i}` }))
  const items = itemsOfStore(store)
  const now = () => clock.at
  const matching = matchLines({ items, now, find: find as unknown as Finder, signal: left.signal }, { lines })
  await expect(matching).rejects.toThrow('aborted')
  expect(searches).toBeLessThanOrEqual(4)
})

describe('POST /v1/match', () => {
  test('matches only within its size, unit and pack, and abstains without a near item', async () => {
    const texts = ['cement 25 kg', 'cement 25 lb', 'cable 3x1.5', 'cable 3x2.5', 'asdf qwer', 'drywall 1/2 in']
    const { lines, ...counts } = await match(texts.map((text) => ({ text })))
    expect(lines.map(({ status, reason, item }) => [status, reason, item?.name ?? null])).toEqual([
      ['matched', null, 'Cemento Portland CEM II/B-L 32,5 N'],
      // The vector neighbours decide whether the match considers the cement at all.
      ['unmatched', expect.stringMatching(/^(size_differs|nothing_near)$/), null],
      ['matched', null, 'Cable flexible H07V-K 3x1,5 mm2'],
      ['matched', null, 'Cable flexible H07V-K 3x2,5 mm2'],
      ['unmatched', 'nothing_near', null],
      ['matched', null, 'Placa de yeso laminado 12,5 mm 1200x2500'],
    ])
    expect(counts).toMatchObject({ matched: 4, ambiguous: 0, unmatched: 2, mode: 'vector' })
  })

  test('uses the corrections of the workspace of the key first, and follows a merge', async () => {
    const { key, mark } = newKey('org')
    const at = clock.at.toISOString()
    const workspaceId = testId('ws_', 'corrects')
    await createWorkspace(store, { workspaceId, name: 'Corrects', plan: 'paid', at })
    await insertKey(store, { kind: 'org', ...mark, workspaceId, name: 'site', at })
    const chosen = itemId('Grava 20/40')
    const corrections = [{ text: lineKey('cement 25 kg'), unit: '', region: '', itemId: chosen }]
    await saveCorrections(store, { workspaceId, corrections, at })
    const payload = { lines: [{ text: 'cement 25 kg', unit: 't', quantity: 2 }] }
    const lineOf = async (headers: Record<string, string>) => {
      clock.advance(250)
      const response = await api.inject({ method: 'POST', url: '/v1/match', payload, headers })
      return (response.json() as MatchResponse).lines[0]
    }
    expect(await lineOf({ authorization: `Bearer ${key}` })).toMatchObject({
      status: 'matched',
      decided_by: 'correction',
      item: { id: chosen, score: 1 },
      cost: { cents: 3_600, currency: 'EUR' },
    })
    expect(await lineOf({})).toMatchObject({ decided_by: 'search' })
    const cable = 'Cable flexible H07V-K 3x2,5 mm2'
    await publishItem(cable, { state: 'merged', merged_into: chosen })
    const merged = { ...corrections[0], itemId: itemId(cable) } as LineCorrection
    await saveCorrections(store, { workspaceId, corrections: [merged], at })
    expect(await lineOf({ authorization: `Bearer ${key}` })).toMatchObject({ item: { id: chosen } })
    await publishItem(cable)
  })

  test('prices the quantity in the unit of the line, rounded once', async () => {
    const { lines } = await match([
      { text: 'cement 25 kg', quantity: 10, unit: 'saco' },
      { text: 'cement 25 kg', quantity: 1.1, unit: 't' },
      { text: 'cable 3x1.5', quantity: 2, unit: '100 m' },
      { text: 'cable 3x1.5', quantity: 3 },
      { text: 'cable 3x1.5' },
      { text: 'cable 3x1.5', quantity: 3, unit: 'roll' },
    ])
    expect(lines.map(({ cost }) => cost?.cents ?? null)).toEqual([4_800, 21_120, 19_000, 285, null, null])
    expect(lines[5]?.status).toBe('ambiguous')
    const conversions = lines.map(({ conversion }) => conversion && [conversion.text, conversion.exactness])
    const bag = ['1 × 25 kg', 'exact']
    expect(conversions).toEqual([bag, ['40 × 25 kg', 'exact'], ['100 m', 'exact'], null, null, null])
  })

  test('prices gravel by the cubic metre with its bulk density, which it tells', async () => {
    const { lines } = await match([{ text: 'grava 20/40', quantity: 2, unit: 'm3', region: 'CL' }])
    expect(lines[0]).toMatchObject({
      status: 'matched',
      item: { unit: 't', median_price: { cents: 15_000 } },
      conversion: { text: '1.6 t/m³', exactness: 'approximate', source: expect.stringMatching(/^EN 1991-1-1/) },
      item_units: 1.6,
      cost: { cents: 48_000, currency: 'CLP' },
    })
  })

  test('prices from the exact median, and tells the price of a unit of the line', async () => {
    const board = 'Placa de yeso laminado 12,5 mm 1200x2500'
    const vote = { vendor_sku_id: 'v', source_id: 's', observation_id: 'o', observed_at: '2026-11-20T02:00:00Z' }
    const votes = [{ ...vote, price: '61049/100', currency: 'EUR', trust: 50, markets: [] }]
    await publishItem(board, { basis: { method_version: 'twm/3', votes } })
    const { lines } = await match([{ text: board, quantity: 1_000, unit: 'm2' }])
    expect(lines[0]).toMatchObject({
      item: { median_price: { cents: 610 } },
      unit_price: { amount: '6.1049', currency: 'EUR' },
      cost: { cents: 610_490, currency: 'EUR' },
    })
  })

  describe('chooses prices', () => {
    const board = 'Placa de yeso laminado 12,5 mm 1200x2500'
    const lines = [{ text: board, quantity: 10, unit: 'm2' }]
    const vote = { vendor_sku_id: 'v', currency: 'EUR', trust: 50, markets: ['ES'] }
    const votes = [
      { ...vote, source_id: 'src_n', observation_id: 'o1', observed_at: '2026-09-01T02:00:00Z', price: '700' },
      { ...vote, source_id: 'src_n', observation_id: 'o2', observed_at: '2026-08-01T02:00:00Z', price: '500' },
      { ...vote, source_id: 'src_s', observation_id: 'o3', observed_at: '2026-10-15T02:00:00Z', price: '610' },
    ]
    beforeAll(async () => {
      await store.query(
        `insert into sources (source_id, name) values ('src_n', 'Lista Norte'), ('src_s', 'Lista Sur'), ('src_e', 'Este')`,
      )
      await store.query(
        `insert into price_points values ($1, '', '2026-03-01T02:00:00Z', 555, 'EUR'), ($1, '', '2026-05-01T02:00:00Z', null, null),
           ($1, '', '2026-07-01T02:00:00Z', 580, 'EUR')`,
        [itemId(board)],
      )
      await publishItem(board, { basis: { votes } })
    })
    const day = (at: string) => ({ as_of: at })
    const at = (date: string) => ({ region: null, as_of: `${date}T00:00:00Z`, source_id: null })
    const present = { region: null, source_id: null }

    test.each([
      ['now', {}, [6_100, '2026-10-15T02:00:00Z', false], present],
      [
        'by one source, its newest',
        { price_source: 'Norte' },
        [7_000, '2026-09-01T02:00:00Z', true],
        { source_id: 'src_n' },
      ],
      ['by a source that does not sell it', { price_source: 'Este' }, [null, null, false], { source_id: 'src_e' }],
      ['of a past day', day('2026-04-01'), [5_550, null, false], at('2026-04-01')],
      ['of a later day', day('2026-10-01'), [5_800, null, false], at('2026-10-01')],
      ['of a day without a price', day('2026-06-01'), [null, null, false], at('2026-06-01')],
      ['of a day before any', day('2025-06-01'), [null, null, false], at('2025-06-01')],
    ] as const)('%s', async (_, chosen, [cents, seen, isOld], prices) => {
      const answer = await match(lines, chosen)
      expect(answer.prices).toMatchObject(prices)
      const cost = cents === null ? null : { cents, currency: 'EUR' }
      expect(answer.lines[0]).toMatchObject({
        status: 'matched',
        cost,
        price_observed_at: seen,
        price_is_old: isOld,
      })
    })

    test.each([
      [
        { price_source: 'Lista' },
        "price_source 'Lista': expected the name of one source, such as Lista Norte, Lista Sur",
      ],
      [{ price_source: 'Nobody' }, "price_source 'Nobody': expected the id or name of a source"],
      [{ as_of: '2026-12-01' }, 'as_of: expected an instant of the past, without price_source'],
      [{ as_of: '2026-10-01', price_source: 'Norte' }, 'as_of: expected an instant of the past, without price_source'],
    ])('refuses %j', async (chosen, details) => {
      expect((await postMatch(lines, chosen)).json()).toEqual({ error: 'invalid_parameter', details })
    })
  })

  test('shows equally good alternatives, up to the requested number', async () => {
    const { lines } = await match([{ text: 'cemento' }, { text: 'cemento' }])
    expect(lines[0]).toMatchObject({ status: 'ambiguous', evidence: { sizes: 'none' } })
    expect(lines[0]?.alternatives).toHaveLength(1)
    expect(lines[1]).toEqual(lines[0])
    expect((await match([{ text: 'cemento' }], { alternatives: 0 })).lines[0]?.alternatives).toEqual([])
  })

  test('uses the region of the line, else of the request', async () => {
    const gravel = { text: 'grava 20/40' }
    const { lines } = await match([gravel, { ...gravel, region: 'cl' }], { region: 'ES' })
    expect(lines.map(({ status }) => status)).toEqual(['unmatched', 'matched'])
  })

  test('takes the money of the region, unless another price is asked for', async () => {
    const gravel = { text: 'grava 20/40', quantity: 2, unit: 't' }
    const costOf = async (line: Line, more: object) => (await match([line], more)).lines[0]?.cost
    expect(await costOf(gravel, { region: 'CL' })).toEqual({ cents: 30_000, currency: 'CLP' })
    expect(await costOf({ ...gravel, region: 'CL' }, {})).toEqual({ cents: 30_000, currency: 'CLP' })
    expect(await costOf(gravel, { region: 'CL', price_region: 'ES' })).toBeNull()
    expect(await costOf(gravel, {})).toEqual({ cents: 3_600, currency: 'EUR' })
  })

  test('gives an undecided line no cost', async () => {
    const { lines } = await match([{ text: 'cemento', quantity: 3, unit: 'kg' }])
    expect(lines[0]).toMatchObject({ status: 'ambiguous', cost: null })
  })

  test('takes a line that is the name of one item for that item', async () => {
    const names = Object.keys(ITEMS)
    const { lines } = await match(names.map((text) => ({ text: text.toUpperCase() })))
    expect(lines.map(({ status, item }) => [status, item?.name])).toEqual(names.map((name) => ['matched', name]))
  })

  test.each([
    [{}, /lines: expected an array of 1 to 500 lines/],
    [{ lines: [] }, /lines: expected 1 to 500 lines/],
    [{ lines: [{ text: '' }] }, /^lines\[0\]\.text: expected 1 to 512 characters/],
    [{ lines: [{ text: 'x', quantity: -1 }] }, /^lines\[0\]\.quantity: expected a number above 0/],
    [{ lines: [{ text: 'x', quantity: 1e300 }] }, /quantity: expected at most 1000000000/],
    [{ lines: [{ text: 'x', region: 'XX' }] }, /region: expected one of ES/],
    [{ lines: [{ text: 'x' }], alternatives: 11 }, /alternatives: expected an integer from 0 to 10/],
  ])('names every value out of bounds: %j', async (payload, says) => {
    const response = await api.inject({ method: 'POST', url: '/v1/match', payload })
    expect([response.statusCode, response.json().details]).toEqual([400, expect.stringMatching(says)])
  })

  test('refuses one line too many', async () => {
    const response = await postMatch(Array.from({ length: 501 }, () => ({ text: 'x' })))
    expect([response.statusCode, response.json().details]).toEqual([400, expect.stringMatching(/1 to 500 lines/)])
  })

  test('gives a site few places, whatever keys it has, and counts nothing for a list without one', async () => {
    const waiting = Promise.withResolvers<void>()
    const slow = embedderOf(async (texts) => {
      await waiting.promise
      return texts.map(() => null)
    })
    const busy = testApi(store, clock, { index, embedder: slow })
    const open = Array.from({ length: 8 }, () => postMatch([{ text: 'cable' }], {}, busy, '192.0.2.8'))
    const ninth = await postMatch([{ text: 'cable' }], {}, busy, '192.0.2.8')
    expect([ninth.statusCode, ninth.json().error, ninth.headers['retry-after']]).toEqual([503, 'overloaded', '5'])
    waiting.resolve()
    const answers = await Promise.all(open)
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200))
    expect((await postMatch([{ text: 'cable' }], {}, busy, '192.0.2.8')).statusCode).toBe(200)
    await busy.close()
  })

  test('accepts 500 lines of any characters', async () => {
    const text = '\u{1f9f1}'.repeat(512)
    const { lines } = await match(Array.from({ length: 500 }, () => ({ text })))
    expect(lines).toHaveLength(500)
  })

  test('matches a line by its text where no list has its code, and refuses an unknown list', async () => {
    const { lines } = await match([{ text: 'cable 3x1.5', code: '01.02' }])
    expect(lines[0]).toMatchObject({ status: 'matched', decided_by: 'search', vendor_sku_id: null })
    const refused = await postMatch([{ text: 'cable', code: '1' }], { source: 'Nobody' })
    expect([refused.statusCode, refused.json().details]).toEqual([
      400,
      "source 'Nobody': expected the id or name of a source",
    ])
  })

  test('counts one search for every ten lines, and none when the lines exceed the limit', async () => {
    const limited = testApi(store, clock, { embedder: null, limits: { ...LIMITS, searchPerMinute: 4 } })
    const lines = (count: number) => Array.from({ length: count }, () => ({ text: 'cable' }))
    const first = await postMatch(lines(21), {}, limited, '192.0.2.7')
    expect([first.statusCode, first.headers['x-ratelimit-remaining'], first.json().mode]).toEqual([
      200,
      '1',
      'fallback_no_ai',
    ])
    const second = await postMatch(lines(20), {}, limited, '192.0.2.7')
    expect([second.statusCode, second.json().error]).toEqual([429, 'search_rate_limited'])
    expect(Number(second.headers['retry-after'])).toBeGreaterThan(0)
    await limited.close()
  })

  test('answers 503 while the embedder is unavailable', async () => {
    const down = embedderOf(async () => {
      throw new EmbedderUnavailable('down', 7)
    })
    const failing = testApi(store, clock, { embedder: down })
    const response = await postMatch([{ text: 'cable' }], {}, failing)
    expect([response.statusCode, response.json().retry_after_seconds]).toEqual([503, 7])
    await failing.close()
  })
})
