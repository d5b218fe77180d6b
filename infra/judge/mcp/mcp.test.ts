import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { concludeAll, isAuthorizationRequest, parseScenarios } from './authorization.ts'
import { CLIENT_METADATA } from './catalog-endpoint.ts'
import { type ClientResult, compareWithRest, type RestAnswers, type ToolAnswer } from './clients.ts'
import { conclude, parseExpectedFailures, parseServerScenarios, type ScenarioRun } from './conformance-suite.ts'
import { faultsOf, type OAuthFlow } from './oauth.ts'

describe('the verdict on a conformance run', () => {
  const ran = (scenario: string, ...statuses: string[]): ScenarioRun => ({
    scenario,
    checks: statuses.map((status, i) => ({ id: `check-${i}`, status, errorMessage: `message ${i}` })),
  })
  const all = [ran('tools-list', 'SUCCESS', 'SUCCESS', 'INFO'), ran('ping', 'SUCCESS', 'SKIPPED')]
  const listed = ['tools-list', 'ping']
  const reason = 'for a reason'

  const judgeRuns = (ran: readonly ScenarioRun[], expected: Parameters<typeof conclude>[0]['expected'] = []) =>
    conclude({ listed, ran, expected })
  const [tools, ping] = all as [ScenarioRun, ScenarioRun]

  test('passes with every check of every scenario', () => {
    expect(judgeRuns(all)).toMatchObject({ verdict: 'passed', says: 'of 2 scenarios 2 passed; 3 checks passed' })
  })

  test.each([{}, { check: 'check-1' }])('passes with a failure that is expected: %j', (check) => {
    const expected = [{ scenario: 'ping', ...check, reason }]
    expect(judgeRuns([tools, ran('ping', 'SUCCESS', 'FAILURE')], expected)).toMatchObject({
      verdict: 'passed',
      says: 'of 2 scenarios 1 passed, 1 failed as expected; 3 checks passed',
    })
  })

  test.each<[string, readonly ScenarioRun[], object | undefined, string]>([
    ['an unexpected failure', [ping, ran('tools-list', 'FAILURE')], undefined, 'tools-list:check-0: message 0'],
    ['a warning', [ping, ran('tools-list', 'WARNING')], undefined, 'tools-list:check-0: message 0'],
    ['another check than expected', [tools, ran('ping', 'FAILURE', 'FAILURE')], { check: 'check-1' }, 'ping:check-0'],
    ['an expected failure that passes', all, {}, 'and is expected to fail'],
    ['an expected check that passes', all, { check: 'check-0' }, 'and is expected to fail'],
    ['a scenario that did not run', [tools], undefined, 'ping: did not run'],
    ['a scenario that checked nothing', [tools, ran('ping')], undefined, 'ping: did not run'],
  ])('fails with %s', (_what, runs, failing, details) => {
    const expected = failing === undefined ? [] : [{ scenario: 'ping', ...failing, reason }]
    expect(judgeRuns(runs, expected)).toMatchObject({ verdict: 'failed', details: expect.stringContaining(details) })
  })

  test('lists all scenarios for servers, optional ones too, and none for clients', () => {
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
    expect(parseServerScenarios(list)).toEqual(['tools-list', 'ping', 'tasks-lifecycle'])
    expect(() => parseServerScenarios('')).toThrow('lists no scenario')
  })
})

describe('the expected failures', () => {
  test('have a reason each', () => {
    expect(parseExpectedFailures('# Why\nserver:\n  - ping # it is\n  - caching:check-1 # so\n')).toEqual([
      { scenario: 'ping', reason: 'it is' },
      { scenario: 'caching', check: 'check-1', reason: 'so' },
    ])
    expect(() => parseExpectedFailures('server:\n  - ping\n')).toThrow('found   - ping')
    expect(() => parseExpectedFailures('client:\n  - ping # it is\n')).toThrow('expected server:')
  })

  test('of the catalog can be parsed', () => {
    const file = readFileSync(join(import.meta.dirname, 'conformance.yml'), 'utf8')
    expect(parseExpectedFailures(file).length).toBeGreaterThan(0)
  })
})

describe("a client's result", () => {
  const item: RestAnswers['item'] = {
    item: {
      id: 'ci_cement',
      name: 'Cement',
      unit: '25 kg',
      cpv: null,
      category_id: null,
      vendor_count: 2,
      observation_count: 2,
      updated_at: '2026-11-20T12:00:00Z',
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
      {
        vendor_sku_id: 'vsku_b',
        source: { name: 'Yard', region: 'ES', trust_score: 50, url: null },
        price: { cents: 499, currency: 'EUR' },
        unit: 'bag',
        observed_at: '2026-11-17T08:00:00Z',
      },
    ],
    price_history: [
      { recorded_at: '2026-10-01T00:00:00Z', price_cents: 501, currency: 'EUR' },
      { recorded_at: '2026-10-02T00:00:00Z', price_cents: 502, currency: 'EUR' },
    ],
  }
  const path = '/items/ci_cement?include=edition'
  const answers: RestAnswers = { item, path, found: { query: 'cement', results: [{ id: 'ci_cement' }] } }
  const headline = `Cement: 4.85 EUR per 25 kg, net of tax, unchanged since 2026-11-19T00:00:00Z
- Vendors: 2, observations: 2
- All of it: <https://catalog.example.org/v1${path}>`
  const words = `${headline}
    4.70 EUR at [Shop \\(north\\)](<https://shop.example.org>) on 2026-11-18T08:00:00Z, 4.99 EUR at Yard on 2026-11-17T08:00:00Z,
    5.01 EUR on 2026-10-01T00:00:00Z, 5.02 EUR on 2026-10-02T00:00:00Z`
  const answered = (structuredContent: object, text = headline) => ({
    content: [{ type: 'text', text }],
    structuredContent,
  })
  const found = { ...answers.found, citations: [{ id: 'ci_cement' }] }
  /** A vendor a page, and the newest price on the first. */
  const pagesOf = ({ item: shown, vendors, price_history }: RestAnswers['item'], text = headline) =>
    vendors.map((vendor, i) => {
      const page = { item: shown, vendors: [vendor], price_history: price_history.slice(1 - i, 2 - i) }
      return answered(i === 0 ? { ...page, next_cursor: 'x' } : page, text)
    })
  const got: ClientResult = {
    revision: '2026-07-28',
    tools: ['search_catalog', 'get_item', 'list_categories', 'get_decomposition', 'price_bill'],
    pages: pagesOf(item),
    found: answered(found),
    resource: words,
  }
  const judgeResult = (changed: Partial<ClientResult>) =>
    compareWithRest({ ...got, ...changed }, { revision: '2026-07-28', answers })

  test("passes when it equals REST's answer and the text is complete", () => {
    expect(judgeResult({})).toMatchObject({ verdict: 'passed', details: '' })
    const { resource: _, ...without } = got
    expect(compareWithRest(without, { revision: '2026-07-28', answers }).verdict).toBe('passed')
  })

  const dearer = structuredClone(item)
  Object.assign(dearer.vendors[1]?.price as object, { cents: 471 })
  const older = { ...item, price_history: item.price_history.toReversed() }
  const [first, last] = got.pages as [ToolAnswer, ToolAnswer]
  const renamed = pagesOf({ ...item, item: { ...item.item, name: 'Lime' } })
  test.each<[string, Partial<ClientResult>, string]>([
    ['another price', { pages: pagesOf(dearer) }, 'get_item: other data than REST'],
    ['a page too few', { pages: [first] }, 'get_item: other data than REST'],
    ['a page twice', { pages: [first, last, last] }, 'get_item: other data than REST'],
    ['old prices first', { pages: pagesOf(older) }, 'get_item: other data than REST'],
    ['another item on its last page', { pages: [first, renamed[1] as ToolAnswer] }, 'get_item: other data than REST'],
    ['all vendors on a page', { pages: [answered(item)] }, 'get_item: a page with more than 1 vendors'],
    ['no data', { pages: [{ content: first.content }] }, 'get_item: other data than REST'],
    ['a text without a price', { pages: pagesOf(item, headline.replace('4.85', '4.71')) }, 'text: without 4.85 EUR'],
    ['a text without the name', { pages: pagesOf(item, headline.replace('Cement', '')) }, 'text: without Cement'],
    ['a text without tax', { pages: pagesOf(item, headline.replace('net of', '')) }, 'text: without net of tax'],
    ['a text without an address', { pages: pagesOf(item, headline.replace('/items', '')) }, `text: without ${path}`],
    [
      'a resource without an address',
      { resource: words.replace('shop.', '') },
      'resource: without https://shop.example.org',
    ],
    ['a resource without a source', { resource: words.replace('Shop', '') }, 'resource: without Shop (north)'],
    ['a resource without a date', { resource: words.replace('11-18', '') }, 'resource: without 2026-11-18T08:00:00Z'],
    ['other hits', { found: answered({ ...found, results: [] }) }, 'search_catalog: other data than REST'],
    ['hits without citations', { found: answered(answers.found) }, 'search_catalog: no citations'],
    ['fewer tools', { tools: got.tools.slice(1) }, 'lists get_item, list_categories, get_decomposition, price_bill'],
    ['an error', { found: { ...answered(found), isError: true } }, 'an answer is an error'],
    ['another revision', { revision: '2025-06-18' }, 'speaks 2025-06-18, expected 2026-07-28'],
  ])('fails with %s', (_what, changed, details) => {
    expect(judgeResult(changed)).toMatchObject({ verdict: 'failed', details })
  })
})

describe('the verdict on the authorization server', () => {
  const issuer = 'https://catalog.example.org/oauth'
  const list = `Authorization server scenarios (test against an authorization server):
  - metadata [2025-06-18,2026-07-28]
  - code-grant [2026-07-28]
`
  const metadata = { issuer, authorization_response_iss_parameter_supported: true }
  const answer = `http://127.0.0.1:1/callback?code=c&iss=${encodeURIComponent(issuer)}`
  const ran = (scenario: string, details: object, status = 'SUCCESS'): ScenarioRun => ({
    scenario,
    checks: [{ id: 'check', status, details, errorMessage: 'message' }],
  })
  const all = [
    ...['2025-06-18', '2026-07-28'].map((revision) => ran(`${revision} metadata`, { body: metadata })),
    ran('2026-07-28 code-grant', { body: { access_token: 'redacted' }, authorizationResponseUrl: answer }),
  ]
  const judgeRuns = (ran: readonly ScenarioRun[]) => concludeAll({ listed: parseScenarios(list), ran, issuer })

  test('passes with every scenario in each of its revisions', () => {
    expect(judgeRuns(all)).toMatchObject({ verdict: 'passed', says: 'of 3 scenarios 3 passed; 6 checks passed' })
  })

  test.each<[string, ScenarioRun, string]>([
    ['a failure', ran('2026-07-28 code-grant', {}, 'FAILURE'), 'check: message'],
    ['a warning', ran('2026-07-28 metadata', {}, 'WARNING'), 'check: message'],
    ['a skipped check', ran('2026-07-28 code-grant', {}, 'SKIPPED'), 'check: message'],
    ['an answer without iss', ran('2026-07-28 code-grant', { authorizationResponseUrl: answer.split('&')[0] }), 'null'],
    [
      'the iss of another',
      ran('2026-07-28 code-grant', { authorizationResponseUrl: `${answer}2` }),
      'iss of the answer: expected https://catalog.example.org/oauth, found https://catalog.example.org/oauth2',
    ],
    [
      'metadata that do not promise iss',
      ran('2026-07-28 metadata', { body: { issuer } }),
      'iss in the metadata: expected true, found undefined',
    ],
  ])('fails with %s', (_what, changed, details) => {
    const others = all.filter(({ scenario }) => scenario !== changed.scenario)
    expect(judgeRuns([...others, changed])).toMatchObject({
      verdict: 'failed',
      details: expect.stringContaining(details),
    })
  })

  test('fails when a scenario did not run in one revision', () => {
    expect(judgeRuns(all.slice(1))).toMatchObject({ verdict: 'failed', details: '2025-06-18 metadata: did not run' })
    expect(() => parseScenarios('')).toThrow('lists no scenario')
  })

  test('recognizes an address for a person to open', () => {
    expect(isAuthorizationRequest('https://catalog.example.org/oauth/auth?response_type=code&client_id=c')).toBe(true)
    for (const line of ['', 'Access the following URL', 'http://127.0.0.1:3000/callback', '{"response_type":"code"}']) {
      expect([line, isAuthorizationRequest(line)]).toEqual([line, false])
    }
  })
})

describe("a client's OAuth flow", () => {
  const found = { content: [{ type: 'text', text: 'cement' }] }
  const READ = 'catalog:read'
  const BOTH = 'catalog:read catalog:search'
  const way: OAuthFlow = {
    clientId: 'registered',
    asked: 1,
    scopes: [BOTH, BOTH],
    accessTokens: 2,
    refreshTokens: 2,
    again: structuredClone(found),
  }
  const faults = (changed: Partial<OAuthFlow>, isPublished = false) =>
    faultsOf({ ...way, ...changed }, { found, isPublished })

  test('has one consent and a refresh', () => {
    expect(faults({})).toEqual([])
    expect(faults({ clientId: CLIENT_METADATA.client_id }, true)).toEqual([])
  })

  test.each<[string, Partial<OAuthFlow>, string]>([
    [
      'a person who is asked for each scope',
      { asked: 2, scopes: [READ, BOTH] },
      'visits of a person: expected 1, found 2',
    ],
    ['less than both', { scopes: [READ, READ] }, `scopes of its tokens: expected ${BOTH}; ${BOTH}`],
    ['a person who is asked again instead of a refresh', { asked: 2 }, 'expected 1, found 2'],
    ['no refresh', { scopes: [BOTH] }, `found ${BOTH}`],
    ['one access token for ever', { accessTokens: 1 }, 'different access tokens: expected 2, found 1'],
    ['a refresh token that is used twice', { refreshTokens: 1 }, 'different refresh tokens: expected 2, found 1'],
    ["the other kind of client's id", { clientId: CLIENT_METADATA.client_id }, 'metadata: expected false'],
    ['less for the last token', { again: { content: [] } }, 'found something else with the last token'],
  ])('reports %s', (_what, changed, fault) => {
    expect(faults(changed).join('\n')).toContain(fault)
  })
})
