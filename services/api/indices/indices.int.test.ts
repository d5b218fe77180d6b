import { IndexDetail, ListIndicesResponse } from '@catalog/api/contract/contract.ts'
import { indexIdOf } from '@catalog/core/events/indices.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { testApi } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { event, indexPoint, observation, registration } from '@catalog/stack/testing/events.ts'
import { closedAfterAll } from '@catalog/stack/testing/fixtures.ts'
import { beforeAll, expect, test } from 'vitest'

const path = await pathOfFile()
const clock = testClock()
const api = closedAfterAll(testApi(path.store, clock))
const get = async (url: string) => {
  clock.advance(1_000)
  return await api.inject(url)
}
const ID = indexIdOf('xx-statistics', 'BUILD.1')

beforeAll(async () => {
  await path.append([
    registration(),
    observation(),
    event({
      type: 'SourceLicensed',
      decided_at: '2026-02-01T00:00:00Z',
      source_id: 'xx-statistics',
      licence: {
        name: 'CC-BY-4.0',
        terms: null,
        url: null,
        redistribution: 'yes',
        commercial_use: 'unknown',
        attribution: 'Office of Statistics',
        checked_on: '2026-02-01',
      },
    }),
    indexPoint(),
    indexPoint({ value: '121.0', observed_at: '2026-03-15T00:00:00Z' }),
    indexPoint({ period: '2026-02', value: '122.30' }),
    indexPoint({ series: 'S', region: 'ES-AN', title: 'Sur', frequency: 'quarter', period: '2026-Q1' }),
    indexPoint({ series: 'P', region: 'PT', title: 'Portugal', frequency: 'year', period: '2025', value: '99' }),
  ])
  await path.run('2026-01-10T00:00:00Z')
})

test('lists indices in pages, by region, with the licence of the publisher', async () => {
  const first = await get('/v1/indices?limit=2')
  const page = ListIndicesResponse.parse(first.json())
  expect(page.indices).toHaveLength(2)
  expect(first.headers.link).toContain(`cursor=${page.cursor}`)
  const rest = ListIndicesResponse.parse((await get(`/v1/indices?limit=2&cursor=${page.cursor}`)).json())
  expect([rest.indices.length, rest.cursor]).toEqual([1, null])
  const ids = [...page.indices, ...rest.indices].map(({ id }) => id)
  expect(new Set(ids).size).toBe(3)
  const titles = async (region: string) =>
    ListIndicesResponse.parse((await get(`/v1/indices?region=${region}`)).json())
      .indices.map(({ title }) => title)
      .sort()
  expect(await titles('es')).toEqual(['Cost of building', 'Sur'])
  expect(await titles('ES-AN')).toEqual(['Sur'])
  expect(await titles('FR')).toEqual([])
  const wrong = await get(`/v1/indices?limit=2&region=ES&cursor=${page.cursor}`)
  expect([wrong.statusCode, wrong.json().error]).toEqual([400, 'invalid_cursor'])
})

test('gives one with its points: the value that holds, exactly, and how often it was revised', async () => {
  const { index, points } = IndexDetail.parse((await get(`/v1/indices/${ID}`)).json())
  expect(index).toEqual({
    id: ID,
    publisher: { id: 'xx-statistics', name: 'Office of Statistics', url: 'https://statistics.example/' },
    series: 'BUILD.1',
    title: 'Cost of building',
    region: 'ES',
    base: '2021=100',
    frequency: 'month',
    point_count: 2,
    first_period: '2026-01',
    last: { period: '2026-02', value: '122.30', observed_at: '2026-02-15T00:00:00Z' },
    licence: expect.objectContaining({ name: 'CC-BY-4.0' }),
  })
  expect(points.map(({ period, value, revisions }) => [period, value, revisions])).toEqual([
    ['2026-01', '121.0', 1],
    ['2026-02', '122.30', 0],
  ])
  const part = IndexDetail.parse((await get(`/v1/indices/${ID}?from=2026-02&to=2026`)).json())
  expect(part.points.map(({ period }) => period)).toEqual(['2026-02'])
})

test('a new point shows, and a reader that has the answer gets 304 until then', async () => {
  const { headers } = await get(`/v1/indices/${ID}`)
  clock.advance(1_000)
  const again = () => api.inject({ url: `/v1/indices/${ID}`, headers: { 'if-none-match': String(headers.etag) } })
  expect((await again()).statusCode).toBe(304)
  await path.append([indexPoint({ period: '2026-03', value: '123' })])
  clock.advance(1_000)
  expect((await again()).json().points).toHaveLength(3)
})

test.each(['idx_none', '%00', 'ci_a'])('%s is no index', async (id) => {
  const answer = await get(`/v1/indices/${id}`)
  expect([answer.statusCode, answer.json().error]).toEqual([404, 'index_not_found'])
})

test('nothing of an index stands in any answer on items, search, sources, feeds and exports', async () => {
  const words = ['Cost of building', 'Office of Statistics', 'xx-statistics', '122.30', 'idx_']
  for (const url of [
    '/v1/items',
    '/v1/items?q=building',
    '/v1/search?q=cost+of+building',
    '/v1/sources',
    '/v1/sources/xx-statistics',
    '/v1/categories',
    '/v1/feeds/items.atom',
    '/v1/feeds/region/ES',
    '/v1/feeds/state',
    '/v1/items.csv?limit=100',
    '/v1/items.ndjson?limit=100',
  ]) {
    const { body } = await get(url)
    // The query and its own address come back.
    const said = body.replaceAll(/cost of building|cost\+of\+building/g, '')
    for (const word of words)
      expect([url, said.includes(word) && !said.includes(`source '${word}'`)]).toEqual([url, false])
  }
  expect((await get('/v1/sources/xx-statistics')).statusCode).toBe(404)
})
