import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LIMITS } from '@catalog/api/callers/rate-limits.ts'
import { StatusResponse } from '@catalog/api/contract/contract.ts'
import type { Api } from '@catalog/api/server.ts'
import type { SearchIndex } from '@catalog/search/search.ts'
import { memoryReplica } from '@catalog/stack/store/replica.ts'
import { markRun, noteSnapshot, publish, testApi, testId, wordIndex } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { openTestStore } from '@catalog/stack/testing/store.ts'
import { readCatalogVersion } from '@catalog/store/catalog/queries.ts'
import type { Store } from '@catalog/store/db.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'

const folder = mkdtempDisposableSync(join(tmpdir(), 'status-'))
const incidentsFile = join(folder.path, 'incidents.json')
const clock = testClock()
let store: Store
let unreliable: Store
let index: SearchIndex
let api: Api
let [isAway, unprojected, isSearching] = [false, 0, true]

beforeEach(async () => {
  store = await openTestStore()
  ;[isAway, unprojected, isSearching] = [false, 0, true]
  const refused = async (): Promise<never> => {
    throw Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:5432'), { code: 'ECONNREFUSED' })
  }
  unreliable = {
    ...store,
    query: (sql, parameters) => (isAway ? refused() : store.query(sql, parameters)),
    transaction: (work) => (isAway ? refused() : store.transaction(work)),
  }
  const words = wordIndex(store)
  index = { ...words, isEmbedded: async () => (isSearching ? words.isEmbedded() : refused()) }
  await publish(store, { id: testId('ci_', 'cement'), name: 'Cement' })
  await publish(store, { id: testId('ci_', 'sand'), name: 'Sand' })
  await markRun(store)
  await noteSnapshot(store, { seq: 1n })
  await store.query(`insert into search_indexes (identity, next) values ($1, 3)`, [index.identity])
  writeFileSync(incidentsFile, '[]')
  api = start()
})
afterEach(async () => {
  await api.close()
  await store[Symbol.asyncDispose]()
})

const start = (deps: Parameters<typeof testApi>[2] = {}) =>
  testApi(unreliable, clock, { index, incidentsFile, unprojected: async () => unprojected, ...deps })

async function status(on = api): Promise<StatusResponse> {
  clock.advance(2_500)
  const response = await on.inject('/v1/status')
  expect([response.statusCode, response.headers['cache-control']]).toEqual([200, 'public, max-age=5'])
  expect(response.body).not.toMatch(/10\.1\.2\.3|ECONNREFUSED|postgres/)
  return StatusResponse.parse(response.json())
}

/** The replica is filled beside the first requests. */
const untilReplicated = () =>
  expect.poll(async () => (await status()).replica?.lag.records, { timeout: 10_000 }).toBe(0)

test('a service of which all answers is ok, and tells its last run, snapshot and numbers', async () => {
  await untilReplicated()
  const { checked_at: _, ...found } = await status()
  expect(found).toEqual({
    state: 'ok',
    problems: [],
    database: { answers: true, away_seconds: 0 },
    catalog: {
      seq: 2,
      run: { id: expect.stringMatching(/^run_/), as_of: '2026-11-20T12:00:00Z', finished_at: '2026-11-20T12:00:00Z' },
      snapshot: { seq: 1, created_at: expect.any(String) },
    },
    projections: { records: 0, seconds: 0 },
    replica: { seq: 2, lag: { records: 0, seconds: 0 } },
    search: { answers: true, seq: 2, lag: { records: 0, seconds: 0 } },
    work: [],
    incidents: [],
  })
})

test('it tells how far a run is and how long its stage still takes, and of a killed one that it is stale', async () => {
  await store.query(
    `insert into leases (name, holder, expires_at, worker, stage, done, total, stage_began_at, noted_at)
     values ('aggregator', 'host:1', now() + interval '1 minute', 'host:1', 'match', 200, 1000, now() - interval '10 s', now())`,
  )
  const run = {
    name: 'aggregate',
    stage: 'match',
    done: 200,
    total: 1000,
    per_second: 20,
    seconds_left: 40,
    stale: false,
  }
  expect((await status()).work).toEqual([run])
  expect((await api.inject({ url: '/v1/status', headers: { accept: 'text/html' } })).body).toContain(
    '200 of 1000, 40 s left',
  )
  await store.query(`update leases set expires_at = now() - interval '1 second'`)
  expect((await status()).work).toEqual([{ ...run, stale: true }])
})

test('while the database is away it is degraded, and tells what was known', async () => {
  await untilReplicated()
  isAway = true
  await status()
  clock.advance(30_000)
  const found = await status()
  expect(found).toMatchObject({
    state: 'degraded',
    problems: ['database_away', 'search_away'],
    catalog: { seq: 2, run: { id: expect.stringMatching(/^run_/) }, snapshot: { seq: 1 } },
    projections: { records: null, seconds: null },
    replica: { seq: 2, lag: { records: null } },
  })
  expect(found.database.away_seconds).toBeGreaterThanOrEqual(30)
  isAway = false
  await expect.poll(async () => (await status()).state, { timeout: 10_000 }).toBe('ok')
})

test('without a database and a copy of it the service is down, and still says so', async () => {
  isAway = true
  const alone = start()
  expect(await status(alone)).toMatchObject({
    state: 'down',
    problems: expect.arrayContaining(['nothing_to_read']),
    catalog: { seq: null, run: null },
  })
  await alone.close()
})

test('a replica that does not follow is behind the database, and one that is not filled has nothing to read', async () => {
  await using filled = memoryReplica(store)
  await filled.reach(await readCatalogVersion(store))
  const behind = start({ replica: { ...filled, reach: async () => false } })
  const empty = start({ replica: { ...filled, reach: async () => false, last: () => undefined } })
  await publish(store, { id: testId('ci_', 'lime'), name: 'Lime' })
  expect((await status(behind)).problems).not.toContain('replica_behind')
  clock.advance(61_000)
  const late = await status(behind)
  expect(late.problems).toContain('replica_behind')
  expect(late).toMatchObject({ state: 'degraded', catalog: { seq: 3 }, replica: { seq: 2, lag: { records: 1 } } })
  expect(await status(empty)).toMatchObject({
    state: 'down',
    problems: expect.arrayContaining(['nothing_to_read']),
    database: { answers: true },
    replica: null,
  })
  await behind.close()
  await empty.close()
})

test('parts that stay behind, or do not answer, make it degraded', async () => {
  await status()
  ;[unprojected, isSearching] = [7, false]
  await store.query(`update search_indexes set next = 2`)
  expect(await status()).toMatchObject({
    state: 'degraded',
    problems: ['search_away'],
    projections: { records: 7, seconds: 0 },
    search: { answers: false, seq: 1, lag: { records: 1, seconds: 0 } },
  })
  clock.advance(16 * 60_000)
  const late = await status()
  expect(late.problems).toEqual(['projections_behind', 'search_away', 'search_behind'])
  expect(late.projections.seconds).toBeGreaterThan(900)
  ;[unprojected, isSearching] = [0, true]
  await store.query(`update search_indexes set next = 3`)
  expect(await status()).toMatchObject({ state: 'ok', projections: { records: 0, seconds: 0 } })
})

test('an open incident of the operator decides the state, and shows with its text', async () => {
  const incident = { id: 'a', title: 'Cables <b>cut</b>', text: 'By a digger', began_at: '2026-11-20T09:00:00Z' }
  const write = (more: object) => writeFileSync(incidentsFile, JSON.stringify([{ ...incident, ...more }]))
  write({ impact: 'down' })
  expect(await status()).toMatchObject({ state: 'down', problems: ['incident'], incidents: [incident] })
  write({ impact: 'degraded' })
  expect((await status()).state).toBe('degraded')
  write({ impact: 'none', note: 'unknown member' })
  expect((await status()).state).toBe('degraded')
  write({ impact: 'none' })
  expect(await status()).toMatchObject({ state: 'ok', incidents: [incident] })
  write({ impact: 'down', ended_at: '2026-11-20T10:00:00Z' })
  expect((await status()).state).toBe('ok')
})

test('browsers get a page without scripts, in which nothing of an incident is HTML', async () => {
  const hostile = { id: 'a', title: '<script>alert(1)</script>', impact: 'none', began_at: '2026-11-20T09:00:00Z' }
  writeFileSync(incidentsFile, JSON.stringify([hostile]))
  clock.advance(2_500)
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const { statusCode, headers, body } = await api.inject({ url: '/v1/status', headers: { accept } })
  expect([statusCode, headers['content-type'], headers.vary]).toEqual([
    200,
    'text/html; charset=utf-8',
    'Authorization, Accept, Accept-Encoding',
  ])
  expect(headers['content-security-policy']).toMatch(/default-src 'none'; style-src/)
  expect(body).toContain('&#60;script&#62;alert(1)')
  expect(body).not.toContain('<script')
  expect((await api.inject({ url: '/v1/status', headers: { accept: '*/*' } })).headers['content-type']).toMatch(/json/)
})

test('it answers callers whose requests are used up, from one look for all of them', async () => {
  let looks = 0
  const limited = start({
    limits: { ...LIMITS, anonPerMinute: 1 },
    unprojected: async () => {
      looks++
      return 0
    },
  })
  clock.advance(60_000)
  const asked = async (url: string) => await limited.inject(url)
  expect((await asked('/v1/items')).statusCode).toBe(200)
  expect((await asked('/v1/items')).statusCode).toBe(429)
  for (let left = 9; left >= 0; left--) {
    const { statusCode, headers } = await asked('/v1/status')
    expect([statusCode, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual([200, '10', `${left}`])
  }
  expect((await asked('/v1/status')).statusCode).toBe(429)
  expect(looks).toBe(1)
  await limited.close()
})
