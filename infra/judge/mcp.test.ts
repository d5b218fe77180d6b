import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Answers, compared, type Got } from './mcp-clients.ts'
import { concluded, expectedIn, type Ran, scenariosIn } from './mcp-conformance.ts'

describe('what the conformance suite says', () => {
  const ran = (scenario: string, ...statuses: string[]): Ran => ({
    scenario,
    checks: statuses.map((status, i) => ({ id: `check-${i}`, status, errorMessage: `message ${i}` })),
  })
  const all = [ran('tools-list', 'SUCCESS', 'SUCCESS', 'INFO'), ran('ping', 'SUCCESS', 'SKIPPED')]
  const listed = ['tools-list', 'ping']
  const reason = 'for a reason'

  test('passes with every check of every scenario', () => {
    expect(concluded({ listed, ran: all, expected: [] })).toMatchObject({
      verdict: 'passed',
      says: 'of 2 scenarios 2 passed; 3 checks passed',
    })
  })

  test.each(['FAILURE', 'WARNING'])('does not pass with a %s that nobody expects', (status) => {
    const { verdict, details } = concluded({ listed, ran: [...all.slice(1), ran('tools-list', status)], expected: [] })
    expect([verdict, details]).toEqual(['failed', 'tools-list:check-0: message 0'])
  })

  test('passes with a failure that is expected, as a scenario or as a check', () => {
    for (const check of [{}, { check: 'check-1' }]) {
      const expected = [{ scenario: 'ping', ...check, reason }]
      expect(
        concluded({ listed, ran: [...all.slice(0, 1), ran('ping', 'SUCCESS', 'FAILURE')], expected }),
      ).toMatchObject({
        verdict: 'passed',
        says: 'of 2 scenarios 1 passed, 1 failed as expected; 3 checks passed',
      })
    }
  })

  test('does not pass with another check that fails in a scenario of which one is expected to', () => {
    const failing = [...all.slice(0, 1), ran('ping', 'FAILURE', 'FAILURE')]
    const { verdict, details } = concluded({
      ...{ listed, ran: failing },
      expected: [{ scenario: 'ping', check: 'check-1', reason }],
    })
    expect([verdict, details]).toEqual(['failed', 'ping:check-0: message 0'])
  })

  test('does not pass when what is expected to fail passes', () => {
    for (const check of [{}, { check: 'check-0' }]) {
      const { verdict, details } = concluded({ listed, ran: all, expected: [{ scenario: 'ping', ...check, reason }] })
      expect([verdict, details]).toEqual(['failed', expect.stringContaining('and is expected to fail')])
    }
  })

  test('does not pass when a scenario did not run, or checked nothing', () => {
    for (const lacking of [all.slice(0, 1), [...all.slice(0, 1), ran('ping')]]) {
      expect(concluded({ listed, ran: lacking, expected: [] })).toMatchObject({
        verdict: 'failed',
        details: 'ping: did not run',
      })
    }
  })

  test('lists scenarios for servers, those too that nobody has to pass, and none for clients', () => {
    const list = `Required for 2026-07-28 (3 scenarios):

Server scenarios (test against a server):
  - tools-list
  - ping

Client scenarios (test against a client):
  - tools_call

Run and reported, but never scored:
  extension (2):
    - auth/dpop [client]
    - tasks-lifecycle [server]
`
    expect(scenariosIn(list)).toEqual(['tools-list', 'ping', 'tasks-lifecycle'])
    expect(() => scenariosIn('')).toThrow('lists no scenario')
  })
})

describe('what is expected to fail', () => {
  test('has a reason each', () => {
    expect(expectedIn('# Why\nserver:\n  - ping # it is\n  - caching:check-1 # so\n')).toEqual([
      { scenario: 'ping', reason: 'it is' },
      { scenario: 'caching', check: 'check-1', reason: 'so' },
    ])
    expect(() => expectedIn('server:\n  - ping\n')).toThrow('found   - ping')
    expect(() => expectedIn('client:\n  - ping # it is\n')).toThrow('expected server:')
  })

  test.each(['catalog', 'fixture'])('of the %s can be read', (place) => {
    const file = readFileSync(join(import.meta.dirname, `conformance.${place}.yml`), 'utf8')
    expect(expectedIn(file).length).toBeGreaterThan(0)
  })
})

describe('what a client got', () => {
  const item: Answers['item'] = {
    item: {
      ...{ id: 'ci_cement', name: 'Cement', unit: '25 kg', cpv: null, category_id: null, vendor_count: 1 },
      ...{ observation_count: 1, updated_at: '2026-11-20T12:00:00Z' },
      median_price: { cents: 485, currency: 'EUR', recorded_at: '2026-11-19T00:00:00Z' },
    },
    vendors: [
      {
        vendor_sku_id: 'vsku_a',
        source: { name: 'Shop (north)', region: 'ES', trust_score: 80, url: 'https://shop.example.org' },
        price: { cents: 470, currency: 'EUR' },
        unit: 'bag',
        observed_at: '2026-11-18T08:00:00Z',
      },
    ],
    price_history: [{ recorded_at: '2026-10-01T00:00:00Z', price_cents: 501, currency: 'EUR' }],
  }
  const answers: Answers = { item, found: { query: 'cement', results: [{ id: 'ci_cement' }] } }
  const words = `4.85 EUR since 2026-11-19T00:00:00Z, 4.70 EUR at [Shop \\(north\\)](<https://shop.example.org>) on
    2026-11-18T08:00:00Z, 5.01 EUR on 2026-10-01T00:00:00Z`
  const answered = (structuredContent: object, text = words) => ({
    content: [{ type: 'text', text }],
    structuredContent,
  })
  const found = { ...answers.found, citations: [{ id: 'ci_cement' }] }
  const got: Got = {
    revision: '2026-07-28',
    tools: ['search_catalog', 'get_item', 'list_categories', 'get_decomposition'],
    ...{ item: answered(item), found: answered(found), resource: words },
  }
  const judged = (changed: Partial<Got>) => compared({ ...got, ...changed }, { revision: '2026-07-28', answers })

  test('passes when it is what REST answers, and the text says it all', () => {
    expect(judged({})).toMatchObject({ verdict: 'passed', details: '' })
    const { resource: _, ...without } = got
    expect(compared(without, { revision: '2026-07-28', answers }).verdict).toBe('passed')
  })

  const dearer = structuredClone(item)
  Object.assign(dearer.vendors[0]?.price as object, { cents: 471 })
  const { item: _, ...without } = item
  test.each<[string, Partial<Got>, string]>([
    ['another price', { item: answered(dearer) }, 'get_item: other data than REST'],
    ['less data', { item: answered(without) }, 'get_item: other data than REST'],
    ['no data', { item: { content: got.item.content } }, 'get_item: other data than REST'],
    ['a text without a price', { item: answered(item, words.replace('4.70', '4.71')) }, 'text: without 4.70 EUR'],
    ['a text without a source', { item: answered(item, words.replace('Shop', '')) }, 'text: without Shop (north)'],
    [
      'a text without a date',
      { item: answered(item, words.replace('11-18', '')) },
      'text: without 2026-11-18T08:00:00Z',
    ],
    [
      'a resource without an address',
      { resource: words.replace('shop.', '') },
      'resource: without https://shop.example.org',
    ],
    ['other hits', { found: answered({ ...found, results: [] }) }, 'search_catalog: other data than REST'],
    ['hits without citations', { found: answered(answers.found) }, 'search_catalog: no citations'],
    ['fewer tools', { tools: got.tools.slice(1) }, 'lists get_item, list_categories, get_decomposition'],
    ['an error', { found: { ...answered(found), isError: true } }, 'an answer is an error'],
    ['another revision', { revision: '2025-06-18' }, 'speaks 2025-06-18, expected 2026-07-28'],
  ])('does not pass with %s', (_what, changed, details) => {
    expect(judged(changed)).toMatchObject({ verdict: 'failed', details })
  })
})
