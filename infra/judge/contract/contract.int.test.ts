import type { AddressInfo } from 'node:net'
import type { Api } from '@catalog/api/server.ts'
import { baselineDigest, contractDigest, contractText, RENEW } from '@catalog/judge/harness/document.ts'
import { observe, publish, testApi, testId } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const store = await storeOfFile()
let api: Api
let address: string
let served: string

beforeAll(async () => {
  const [cement, sand] = ['cement', 'sand'].map((name) => testId('vsku_', name)) as [string, string]
  await observe(store, { vendor_sku_id: cement, observed_at: '2026-11-01T00:00:00Z', cents: 485 })
  await observe(store, { vendor_sku_id: sand, observed_at: '2026-11-02T00:00:00Z', cents: 1800, unit: null })
  await store.query(`insert into categories values ('cat_a', null, 'Materials', 0), ('cat_b', 'cat_a', 'Cement', 1)`)
  const item = testId('ci_', 'cement')
  await publish(store, { id: item, category_id: 'cat_b', vendor_sku_ids: [cement], regions: ['ES', 'EU'] })
  await publish(store, { id: testId('ci_', 'sand'), name: 'Sand 0-4', vendor_sku_ids: [sand], median_price: null })
  await publish(store, { id: testId('ci_', 'merged'), state: 'merged', merged_into: item })
  await publish(store, { id: testId('ci_', 'gone'), state: 'gone' })
  // Use the machine's clock, as the server does.
  const now = { ...testClock(), at: new Date() }
  api = testApi(store, now)
  await api.listen({ host: '127.0.0.1', port: 0 })
  address = `http://127.0.0.1:${(api.server.address() as AddressInfo).port}/v1`
  served = await (await fetch(`${address}/openapi.json`)).text()
})
afterAll(() => api.close())

describe('the OpenAPI document', () => {
  test('matches the committed baseline, from which the types of the clients are made', () => {
    const digest = contractDigest(contractText(JSON.parse(served)))
    expect(baselineDigest(), `infra/judge/contract/openapi.baseline.json is stale: ${RENEW}`).toBe(digest)
  })
})

/** Regressions that the requests of `npm run judge -- contract`, made up from the document, once found. */
describe('a signup', () => {
  const signUp = (body: string) =>
    fetch(`${address}/keys/signup`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })

  test.each([
    ['65 characters before the @', `${'a'.repeat(65)}@example.org`, /^email: expected at most 64 characters before/],
    ['a label of 64 characters', `a@${'b'.repeat(64)}.org`, /^email: expected at most 63 characters between/],
    ['a label that ends in a hyphen', 'a@example-.org', /^email: expected an e-mail address/],
  ])("with %s in its e-mail is refused, as the document's format demands", async (_what, email, details) => {
    const response = await signUp(JSON.stringify({ email }))
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: 'invalid_parameter', details: expect.stringMatching(details) },
    ])
  })

  test('with an unknown member is accepted', async () => {
    const body = '{"email":"a@example.org","__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}'
    expect((await signUp(body)).status).toBe(201)
  })
})
