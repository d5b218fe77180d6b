import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LIMITS } from '@catalog/api/caller.ts'
import { observe, publish, signUp, testApi, testClock, testId } from '@catalog/api/testing.ts'
import { freePort } from '@catalog/stack/command.ts'
import { openTestStore } from '@catalog/store/testing.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientJudges, type Errand } from './mcp-clients.ts'
import { judgeConformance, type Place, REVISIONS } from './mcp-conformance.ts'
import { type Endpoint, openToAll, startFixture } from './mcp-served.ts'
import { npmPrograms } from './tools.ts'

const folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-judge-'))
const running = new AsyncDisposableStack()
let errand: Errand
let endpoints: Readonly<Record<Place, Endpoint>>

beforeAll(async () => {
  // On a fresh machine the judges are installed first.
  await npmPrograms()
  const store = running.use(await openTestStore())
  const [cement, lime] = ['cement', 'lime'].map((name) => testId('vsku_', name)) as [string, string]
  const shop = { id: 'src_shop', name: 'Shop (north) & sons', url: 'https://shop.example.org', trust_score: 80 }
  await observe(store, { vendor_sku_id: cement, source: shop, observed_at: '2026-11-18T08:00:00Z', cents: 470 })
  await observe(store, { vendor_sku_id: lime, observed_at: '2026-11-19T08:00:00Z', cents: 499 })
  const itemId = testId('ci_', 'cement')
  await publish(store, { id: itemId, vendor_sku_ids: [cement, lime] })
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const now = { ...testClock(), at: new Date() }
  const limits = { ...LIMITS, publicDevPerMinute: 100_000 }
  const api = testApi(store, now, { publicBaseUrl: origin, limits })
  running.defer(() => api.close())
  await api.listen({ host: '127.0.0.1', port })
  const url = `${origin}/api/mcp`
  errand = { url, rest: `${origin}/v1`, key: await signUp(api), itemId, words: 'cement', folder: folder.path }
  const fixture = running.use(await startFixture())
  endpoints = { catalog: running.use(await openToAll(errand)), fixture: running.use(await openToAll(fixture)) }
})
afterAll(async () => {
  await running.disposeAsync()
  folder.remove()
})

describe.each(['catalog', 'fixture'] as const)('the %s behind the gate of agents', (place) => {
  test.each(REVISIONS)('conforms to revision %s', async (revision) => {
    const { url } = endpoints[place]
    const { verdict, says, details } = await judgeConformance({ url, place, revision, folder: folder.path })
    expect([verdict, details], says).toEqual(['passed', ''])
  })
})

test('an endpoint that refuses the key does not conform', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-judge-'))
  await using refusing = await openToAll({ ...errand, key: 'svc_pub_none' })
  const asked = { url: refusing.url, place: 'catalog', revision: '2026-07-28', folder: folder.path } as const
  const { verdict, details } = await judgeConformance(asked)
  expect([verdict, details]).toEqual(['failed', expect.stringContaining('tools-list:')])
})

// One for each era, of those that need no more than what other tests here need; all belong to `npm run judge`.
test.for(['inspector, modern', 'Python, legacy client'])('%s gets what REST answers', async (wanted, { skip }) => {
  const judge = clientJudges(errand).find(({ name }) => name === wanted)
  const { verdict, says, details } = (await judge?.judge()) ?? expect.unreachable(wanted)
  skip(verdict === 'skipped', says)
  expect([verdict, details], says).toEqual(['passed', ''])
})
