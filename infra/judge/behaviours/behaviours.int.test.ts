import { Readable } from 'node:stream'
import { ForbiddenAddress, openRequest } from '@catalog/runtime/fetch.ts'
import { pageOf } from '@catalog/stack/shop/replies.ts'
import { expect, test } from 'vitest'
import { type Behaviour, judgeBehaviours } from './behaviour.ts'
import { BEHAVIOURS, lineOf, passes, totalsOf } from './behaviours.ts'
import type { Plant } from './crawl-shop.ts'

/** Behaviours that the first judge of the crawler had. */
const BEHAVIOURS_MIN = 76
/** Some of the shops are slow on purpose, and the machine may have other work. */
const JUDGED_WITHIN_MS = 300_000

const judged = async (behaviours: readonly Behaviour[], plant?: Plant) =>
  await judgeBehaviours(behaviours, () => {}, plant)
const named = (...names: readonly string[]) =>
  names.map((name) => BEHAVIOURS.find((one) => one.name === name) as Behaviour)
const outcomes = async (behaviours: readonly Behaviour[], plant?: Plant) =>
  (await judged(behaviours, plant)).map(({ outcome }) => outcome)

const answering =
  (statusCode: number, body: string): Plant =>
  () =>
  async () => {
    const stream = Object.assign(Readable.from([Buffer.from(body)]), { dump: async () => null })
    return { statusCode, headers: { 'content-type': 'text/html' }, body: stream } as never
  }
/** Records a price of its own, whatever the shop answers. */
const CREDULOUS = answering(200, pageOf({ product: { sku: 'PLANTED' } }))
/** Finds nothing anywhere. */
const BLIND = answering(404, '')
const withoutHeader =
  (header: string): Plant =>
  (request) =>
  async (...options) => {
    const response = await request(...options)
    return { ...response, body: response.body, headers: { ...response.headers, [header]: undefined } }
  }
const LAWLESS: Plant = (request) => async (url, options) =>
  url.pathname === '/robots.txt' ? await BLIND(request)(url, options) : await request(url, options)
const UNGUARDED: Plant = (request) => async (url, options) => {
  const open = openRequest({ allowed: ['0.0.0.0/0', '::/0'] })
  try {
    return await request(url, options)
  } catch (error) {
    if (!(error instanceof ForbiddenAddress)) throw error
    return await open(url, options)
  }
}

test('given the crawler as it is, when every behaviour is judged, then all are as expected or have a stated reason', {
  timeout: JUDGED_WITHIN_MS,
}, async () => {
  const all = await judged(BEHAVIOURS)
  expect(all.filter(({ outcome }) => outcome === 'not ok').map(lineOf)).toEqual([])
  expect(passes(all)).toBe(true)
  expect(all.length).toBeGreaterThanOrEqual(BEHAVIOURS_MIN)
  expect(new Set(all.map(({ group, behaviour }) => `${group}: ${behaviour}`)).size).toBe(all.length)
})

test('given a crawler that believes everything, and one that finds nothing, when they are judged, then no behaviour is ok with both', {
  timeout: JUDGED_WITHIN_MS,
}, async () => {
  const [credulous, blind] = [await judged(BEHAVIOURS, CREDULOUS), await judged(BEHAVIOURS, BLIND)]
  expect(passes(credulous)).toBe(false)
  const blunt = credulous.filter(({ outcome }, n) => outcome === 'ok' && blind[n]?.outcome === 'ok')
  expect(blunt.map(lineOf)).toEqual([])
})

test.each([
  ['ignores robots.txt', LAWLESS, ['all forbidden', 'wildcard', 'Crawl-delay of 5 seconds'], ['missing (404)']],
  [
    'has no guard',
    UNGUARDED,
    ['redirect to a loopback address', 'redirect to IPv4 within IPv6'],
    ['redirect to a file'],
  ],
  ['ignores Retry-After', withoutHeader('retry-after'), ['429 with Retry-After in seconds'], ['status 503 once']],
  ['ignores X-Robots-Tag', withoutHeader('x-robots-tag'), ['X-Robots-Tag noindex'], ['meta robots noindex']],
  ['ignores Content-Encoding', withoutHeader('content-encoding'), ['br'], ['file in gzip, sent as it is']],
])(
  'given a crawler that %s, when it is judged, then the judge calls that behaviour not ok, and another one ok',
  async (_what, plant, broken, whole) => {
    expect(await outcomes(named(...broken), plant)).toEqual(broken.map(() => 'not ok'))
    expect(await outcomes(named(...whole), plant)).toEqual(whole.map(() => 'ok'))
  },
)

const FOUND: Behaviour = { group: 'planted', name: 'one', expected: 'A', find: async () => 'A' }

test('given a wrong expectation, when it is judged, then it is not ok and says what was found', async () => {
  const all = await judged([FOUND, { ...FOUND, expected: 'B' }])
  expect(all.map(lineOf)).toEqual([
    "ok      planted: one; expected 'A', found 'A'",
    "not ok  planted: one; expected 'B', found 'A': found otherwise",
  ])
  expect(totalsOf(all)).toBe('2 behaviours: 1 ok, 1 not ok, 0 exempt')
  expect(passes(all)).toBe(false)
})

test('given an exemption, when it is judged, then it stands only while the crawler does otherwise', async () => {
  const all = await judged([
    { ...FOUND, expected: 'B', exempt: 'nobody does so' },
    { ...FOUND, exempt: 'nobody does so' },
  ])
  expect(all).toMatchObject([
    { outcome: 'exempt', reason: 'nobody does so' },
    { outcome: 'not ok', reason: 'found as expected: expected no exemption any more' },
  ])
})

test('given a crawler that throws, when it is judged, then the behaviour is not ok', async () => {
  const [one] = await judged([{ ...FOUND, find: async () => Promise.reject(new Error('out of order')) }])
  expect(one).toMatchObject({ outcome: 'not ok', found: 'threw Error: out of order' })
})
