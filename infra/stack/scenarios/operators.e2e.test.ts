import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { LIMITS } from '@catalog/api/callers/rate-limits.ts'
import type { Api } from '@catalog/api/server.ts'
import { aggregateRuns } from '@catalog/cli/aggregate/aggregate.ts'
import { crawlInputs } from '@catalog/cli/crawl/crawl-inputs.ts'
import { crawlSources, selectSources, withCrawler } from '@catalog/cli/crawl/source-crawls.ts'
import { openCatalog } from '@catalog/cli/shared/wire.ts'
import { consoleRoutes } from '@catalog/console/console.ts'
import { operatorViews } from '@catalog/console/operators/operators.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { instant } from '@catalog/core/time.ts'
import { readSources } from '@catalog/crawler/sources/sources-reader.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { recordDuePairs, UNDO_MS } from '@catalog/operations/decisions/pending-pairs.ts'
import { readEnvironment } from '@catalog/runtime/env.ts'
import { faultsOf, openPerson, type Person, startBrowser, unavailable } from '@catalog/stack/servers/browser.ts'
import { freePort } from '@catalog/stack/servers/command.ts'
import { testApi } from '@catalog/stack/testing/api.ts'
import { listening } from '@catalog/stack/testing/cli.ts'
import { signedInPerson } from '@catalog/stack/testing/console.ts'
import { testDataDir } from '@catalog/stack/testing/store.ts'
import { addOperator, insertDecision, removeOperator } from '@catalog/store/accounts/operators.ts'
import { findUser } from '@catalog/store/accounts/people.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

const PRODUCTS = ['Portland cement CEM II 32.5', 'River sand 0/4', 'Solid brick 24x11', 'Gypsum plaster', 'Wall paint']
const listAt = (factorOf: (n: number) => number, unit = 'kg') =>
  `ref,name,unit,price\n${PRODUCTS.map((name, n) => `r${n},${name},${unit},${((10 + n) * factorOf(n)).toFixed(2)}\n`).join('')}`
const LISTS: Readonly<Record<string, string>> = {
  '/tramex.csv': listAt(() => 1, 'tramex'),
  '/hundred.csv': listAt(() => 100),
}

const missing = unavailable()

/** An operator at the browser: what needs a person, decided by clicks and single keys. */
describe.skipIf(missing !== null)(`${missing ?? ''}the operators' views`, () => {
  const stack = new AsyncDisposableStack()
  let catalog: Catalog
  let api: Api
  let operator: Person
  let origin: string
  let shiftMs = 0

  const shop = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/csv' }).end(LISTS[request.url ?? ''])
  })

  beforeAll(async () => {
    await new Promise<void>((done) => shop.listen(0, '127.0.0.1', done))
    stack.defer(() => void shop.close())
    const folder = await testDataDir()
    stack.defer(() => rmSync(folder, { recursive: true, force: true }))
    const env = readEnvironment({
      CATALOG_DATA: folder,
      CATALOG_SOURCES: join(folder, 'sources.yaml'),
      FETCH_ALLOWED_NETWORKS: '127.0.0.0/8',
      LOG_LEVEL: 'silent',
    })
    const now = () => new Date(Date.now() + shiftMs)
    catalog = { ...stack.use(await openCatalog(env)), now }
    const { terminal } = listening()
    // One asks thirty times the price of the others for one product.
    const vendors = { Norte: 1, Sur: 1.01, Este: 0.99, Oeste: 1.02, Raro: 30 }
    for (const [source, factor] of Object.entries(vendors)) {
      const path = join(folder, `${source}.csv`)
      writeFileSync(
        path,
        listAt((n) => (n === 0 || factor < 2 ? factor : 1)),
      )
      const options = { source, region: 'ES', currency: 'EUR', kind: 'shop', observedAt: instant(new Date()) }
      await crawlInputs(catalog, terminal, [{ path, options } as never])
    }
    await aggregateRuns(catalog, terminal, { asOfs: [instant(new Date())], full: false })
    const { port: shopPort } = shop.address() as AddressInfo
    const names = ['tramex', 'hundred']
    writeFileSync(
      join(folder, 'sources.yaml'),
      `requests_per_second: 10\nsources:\n${names.map((name) => `  - { source: "Shop ${name}", region: ES, kind: shop, currency: EUR, entry_points: ["http://127.0.0.1:${shopPort}/${name}.csv"] }\n`).join('')}`,
    )
    const signal = new AbortController().signal
    const file = await readSources(env)
    const specs = selectSources(file, undefined)
    await crawlSources({ catalog, env, terminal, signal }, { specs, file, isFull: true })
    await proposePair()
    const port = await freePort()
    origin = `http://127.0.0.1:${port}`
    const { store, index, embedder } = catalog
    const context = { store, origin, limits: LIMITS, now }
    const moreRoutes = (pages: Parameters<typeof operatorViews>[0]) =>
      operatorViews(pages, withCrawler({ catalog, env, signal }))
    const cookie = await sessionOf('olga@example.org', { isOperator: true })
    const mount = (app: Parameters<typeof consoleRoutes>[0]) => {
      consoleRoutes(app, context, { moreRoutes })
      app.get('/signed-in', async (_request, reply) => {
        reply.header('set-cookie', `${cookie}; Path=/; Secure; HttpOnly; SameSite=Lax`)
        return 'signed in'
      })
    }
    api = testApi(store, { at: now(), advance() {} }, { index, embedder, publicBaseUrl: origin, mount })
    stack.defer(() => api.close())
    await api.listen({ port, host: '127.0.0.1' })
    const browser = await startBrowser()
    stack.defer(() => browser.close())
    operator = await openPerson(browser, origin)
    await operator.page.goto(`${origin}/signed-in`)
  })
  afterAll(() => stack.disposeAsync())
  afterEach(() => {
    expect(operator.complaints).toEqual([])
  })

  /** The header that the browser of a signed-in person sends. */
  async function sessionOf(email: string, { isOperator }: { isOperator: boolean }) {
    const at = instant(catalog.now())
    const { userId, cookie } = await signedInPerson(catalog.store, { email, at })
    if (isOperator) await addOperator(catalog.store, { userId, at })
    return cookie
  }

  /** A rule leaves the cement and the sand of one vendor to people. */
  async function proposePair(): Promise<void> {
    const skus = await catalog.store.query<{ sku: string }>(
      `select vendor_sku_id as sku from vendor_skus where vendor_ref in ('r0', 'r1') order by vendor_sku_id collate "C"`,
    )
    const rows = await catalog.store.query<{ sku: string; item: number }>(
      `select vendor_sku_id as sku, item from vendor_skus join memberships using (sku) where vendor_sku_id = any($1)
       order by vendor_sku_id collate "C"`,
      [skus.map(({ sku }) => sku)],
    )
    const [first] = rows
    const second = rows.find(({ item }) => item !== first?.item)
    const event = {
      v: 1,
      type: 'PairsProposed',
      event_id: 'a'.repeat(64),
      recorded_at: instant(new Date()),
      decided_at: instant(new Date()),
      rule_version: 'test',
      pairs: [{ vendor_sku_ids: [first?.sku, second?.sku].sort(), score: 0.9, why: ['score'] }],
    }
    await catalog.log.append(TOPICS.decisions, [{ key: 'pairs', value: JSON.stringify(event) }])
    await catalog.catchUp()
  }

  async function see(heading: string): Promise<void> {
    const { page } = operator
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    expect([heading, await faultsOf(page)]).toEqual([heading, []])
  }
  const open = (path: string) => operator.page.goto(`${origin}/console/operator${path}`)
  const keptApart = async () => {
    const [row] = await catalog.store.query<{ pairs: number }>(`select count(*)::int as pairs from kept_apart`)
    return row?.pairs
  }

  test('are hidden from everybody else', async () => {
    const cookie = await sessionOf('ben@example.org', { isOperator: false })
    for (const path of [
      '',
      '/review',
      '/units',
      '/crawls',
      '/parked',
      '/quarantine',
      '/trust',
      '/runs',
      '/decisions',
    ]) {
      const answer = await api.inject({ url: `/console/operator${path}`, headers: { cookie } })
      expect([path, answer.statusCode]).toEqual([path, 404])
    }
    const headers = { cookie, origin, 'content-type': 'application/x-www-form-urlencoded' }
    const post = await api.inject({ method: 'POST', url: '/console/operator/units', headers, payload: 'unit=tramex' })
    expect(post.statusCode).toBe(404)
  })

  test('show nothing that a link of somebody else says, and refuse cursors that they did not make', async () => {
    const { page } = operator
    await open('?done=Send+your+password+to+evil.example&said=Send+your+password')
    await page.getByRole('heading', { level: 1, name: 'Status of the catalog' }).waitFor()
    expect(await page.getByText('password').count()).toBe(0)
    for (const path of ['/review?after=x', '/quarantine?after=x', '/decisions?after=x'])
      expect([path, (await open(path))?.status()]).toEqual([path, 400])
  })

  test('an operator gets to the views from the address and the account, and nobody else does', async () => {
    const { page } = operator
    await page.goto(`${origin}/console`)
    await page.getByRole('heading', { level: 1, name: 'Status of the catalog' }).waitFor()
    await page.getByRole('link', { name: 'olga@example.org' }).click()
    await page.getByRole('link', { name: 'Operate the catalog' }).click()
    await page.getByRole('heading', { level: 1, name: 'Status of the catalog' }).waitFor()
    const other = { cookie: await sessionOf('reader@example.org', { isOperator: false }) }
    const account = await api.inject({ url: '/console/account', headers: other })
    expect([account.statusCode, account.body.includes('/console/operator')]).toEqual([200, false])
  })

  test('a pair is decided by one key, undone by another, decided again, and recorded when its time has come', async () => {
    const { page } = operator
    await open('/review')
    await see('Review of pairs')
    await page.keyboard.press('n')
    await page.getByRole('table', { name: 'Not recorded yet' }).getByText('not the same').waitFor()
    await see('Review of pairs')
    await page.keyboard.press('u')
    await page.getByText('The decision is taken back.').waitFor()
    await page.getByRole('table', { name: 'One product?' }).waitFor()
    expect(await recordDuePairs(catalog, { actor: 'olga@example.org' })).toBe(0)
    await page.keyboard.press('n')
    await page.getByRole('table', { name: 'Not recorded yet' }).waitFor()
    expect([await recordDuePairs(catalog), await keptApart()]).toEqual([0, 0])
    shiftMs += UNDO_MS
    // An outage loses no decision.
    const append = async () => {
      throw new Error('the log is away')
    }
    await expect(recordDuePairs({ ...catalog, log: { ...catalog.log, append } })).rejects.toThrow('away')
    expect([await recordDuePairs(catalog), await keptApart()]).toEqual([1, 1])
    await open('/decisions')
    await see('Decisions')
    expect(await page.getByRole('cell', { name: 'undone' }).count()).toBe(1)
    expect(await page.getByRole('cell', { name: 'recorded' }).count()).toBe(1)
  })

  /** Posts a form as a browser with this session does. */
  const posted = (path: string, cookie: string, payload: string) =>
    api.inject({
      method: 'POST',
      url: `/console/operator${path}`,
      headers: { cookie, origin, 'content-type': 'application/x-www-form-urlencoded' },
      payload,
    })

  test('a form names two vendor SKUs of the catalog, and says nothing else of them', async () => {
    const cookie = await sessionOf('mallory@example.org', { isOperator: true })
    const nobody = 'decide=same&a_sku=vsku_a&b_sku=vsku_b&subject=Harmless'
    expect((await posted('/review', cookie, nobody)).statusCode).toBe(400)
    const skus = await catalog.store.query<{ id: string; name: string }>(
      `select vendor_sku_id as id from vendor_skus order by vendor_sku_id collate "C" limit 2`,
    )
    const [a, b] = skus.map(({ id }) => id)
    const form = `decide=same&a_sku=${a}&b_sku=${b}&subject=Harmless&a_item=ci_x&reason=${'%0B%1B'}pasted%0Btext`
    expect((await posted('/review', cookie, form)).statusCode).toBe(303)
    // Twice is once.
    expect((await posted('/review', cookie, form)).statusCode).toBe(400)
    const [kept] = await catalog.store.query<{ subject: string; content: string }>(
      `select subject, content from operator_decisions where state = 'waiting' and actor = 'mallory@example.org'`,
    )
    expect(kept?.subject).not.toContain('Harmless')
    expect(JSON.parse(kept?.content as string)).toMatchObject({
      reason: 'pasted text',
      a: { skuId: a },
      b: { skuId: b },
    })
    // Another operator ends nobody else's two minutes, and a removed one decides nothing.
    const olga = await sessionOf('olga2@example.org', { isOperator: true })
    await posted('/review/record', olga, '')
    const waiting = () =>
      catalog.store.query(`select from operator_decisions where state = 'waiting' and actor = 'mallory@example.org'`)
    expect(await waiting()).toHaveLength(1)
    const user = await findUser(catalog.store, { email: 'mallory@example.org' })
    expect(await removeOperator(catalog.store, user?.user_id as string)).toBe(true)
    expect(await waiting()).toHaveLength(0)
  })

  test('a decision that no event can hold is refused, and those after it are recorded', async () => {
    const at = instant(catalog.now())
    const bad = {
      same: false,
      a: { skuId: 'x', itemId: 'ci_x' },
      b: { skuId: 'y', itemId: 'ci_y' },
      reason: 'a\u000bb',
    }
    const kept = { decided_at: at, actor: 'olga@example.org', subject: 'bad', due_at: at, state: 'waiting' as const }
    const [first, second] = await catalog.store.query<{ id: string; item: string }>(
      `select distinct on (item_id) vendor_sku_id as id, item_id as item
         from vendor_skus join memberships using (sku) join item_keys using (item)
        where not exists (select from kept_apart where vendor_sku_id in (sku_a, sku_b)) order by item_id limit 2`,
    )
    const real = {
      ...bad,
      a: { skuId: first?.id, itemId: first?.item },
      b: { skuId: second?.id, itemId: second?.item },
    }
    for (const content of [real, bad])
      await insertDecision(catalog.store, { ...kept, action: 'pair.same', content: JSON.stringify(content) })
    expect(await recordDuePairs(catalog)).toBe(2)
    const refused = await catalog.store.query<{ refusal: string }>(
      `select refusal from operator_decisions where state = 'refused' order by decision desc limit 2`,
    )
    expect(refused[1]?.refusal).toMatch(/reason: /)
  })

  test('an unknown unit gets a meaning, and the items change with the next run', async () => {
    const { page } = operator
    const units = async () => {
      const rows = await catalog.store.query<{ unit: string }>(
        `select distinct item_json::json->>'unit' as unit from items order by 1`,
      )
      return rows.map(({ unit }) => unit)
    }
    const { terminal } = listening()
    await aggregateRuns(catalog, terminal, { asOfs: [instant(catalog.now())], full: false })
    expect(await units()).toEqual(['kg', 'tramex'])
    await open('/units')
    await see('Unknown units')
    await page.getByLabel('It means').first().fill('furlongs')
    await page.getByLabel('Reason').first().fill('asked the vendor')
    await page.getByRole('button', { name: 'Alias tramex' }).click()
    await page.getByText("unit 'furlongs': expected a unit").waitFor()
    await page.getByLabel('It means').first().fill('kg')
    await page.getByLabel('Reason').first().fill('asked the vendor')
    await page.getByRole('button', { name: 'Alias tramex' }).click()
    await page.getByText("'tramex' means kg in all sources").waitFor()
    shiftMs += 1_000
    await aggregateRuns(catalog, terminal, { asOfs: [instant(catalog.now())], full: false })
    expect(await units()).toEqual(['kg'])
  })

  test('a held crawl shows what held it, and is accepted', async () => {
    const { page } = operator
    await open('/crawls')
    await page.getByText('FIRST_CRAWL_FAR').waitFor()
    await page
      .getByText(/ EUR, [0-9.]+ times the price of others$/)
      .first()
      .waitFor()
    await see('Held crawls')
    await page.getByRole('link', { name: 'What the crawl of Shop hundred would move' }).click()
    await page.getByText('0 would change their median').waitFor()
    await see('Shop hundred: what would move')
    await page.goBack()
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('is recorded; the next run uses it').waitFor()
    await page.getByText('No crawl is held.').waitFor()
  })

  test('a first price far from the others is released', async () => {
    const { page } = operator
    await open('/quarantine')
    await see('First prices in quarantine')
    await page.getByLabel('Reason').first().fill('they sell it by the gram')
    await page
      .getByRole('button', { name: /^Release/ })
      .first()
      .click()
    await page.getByText(/is released/).waitFor()
  })

  test('a dead letter shows its raw text as text, and is closed with a reason', async () => {
    const { page } = operator
    const raw = '<script>alert(1)</script>'
    const event = {
      v: 1,
      type: 'RecordParked',
      event_id: 'b'.repeat(64),
      recorded_at: instant(catalog.now()),
      source_id: 'src_a',
      crawl_id: 'crawl_a',
      position: 'a.csv line 2',
      reason: 'BAD_PRICE',
      detail: "price '<b>': expected a number",
      raw,
    }
    await catalog.log.append(TOPICS.observations, [{ key: 'src_a/', value: JSON.stringify(event) }])
    await catalog.catchUp()
    await open('/parked')
    await see('Dead letters')
    await page.getByRole('link', { name: 'a.csv line 2' }).click()
    await see('Dead letter: BAD_PRICE')
    expect(await page.locator('pre').textContent()).toBe(raw)
    await page.getByLabel('Reason').fill('not a price')
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByText('resolved 1 as dropped').waitFor()
  })

  test('trust is changed with a reason, and keeps its history', async () => {
    const { page } = operator
    await open('/trust')
    await see('Trust')
    await page.getByRole('link', { name: 'Norte' }).click()
    await page.getByLabel('Trust, 0 to 100').fill('70')
    await page.getByLabel('Reason').fill('late lists')
    await page.getByRole('button', { name: 'Change the trust' }).click()
    await page.getByRole('table', { name: 'Changes, the newest first' }).getByText('late lists').waitFor()
    await see('Trust in Norte')
  })

  test.each([
    ['', 'Status of the catalog'],
    ['/runs', 'Runs and replays'],
  ])('%s has no fault', async (path, heading) => {
    await open(path)
    await see(heading)
  })
})
