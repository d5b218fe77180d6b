import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Api } from '@catalog/api/server.ts'
import { testApi } from '@catalog/api/testing.ts'
import { openExplorer } from '@catalog/explorer/explorer.ts'
import { openSampleWeeks, type SampleWeeks } from '@catalog/stack/path/sample-catalog.ts'
import {
  faultsOf,
  openPerson,
  type Person,
  startBrowser,
  tabThrough,
  unavailable,
} from '@catalog/stack/servers/browser.ts'
import { freePort } from '@catalog/stack/servers/command.ts'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

const SCREENS = join(import.meta.dirname, '../../../docs/screens')
const FIRST_DAY = '2026-11-02'
const NOON = new Date('2026-11-16T12:00:00Z')

const missing = unavailable()

/** Readers look at the sample market in a browser. */
describe.skipIf(missing !== null)(`${missing ?? ''}the explorer`, () => {
  const stack = new AsyncDisposableStack()
  let weeks: SampleWeeks
  let api: Api
  let browser: Browser
  let origin: string
  let reader: Person

  beforeAll(async () => {
    const opening = openSampleWeeks(FIRST_DAY)
    browser = await startBrowser()
    stack.defer(() => browser.close())
    weeks = stack.use(await opening)
    await weeks.publishNext()
    await weeks.publishNext()
    const port = await freePort()
    origin = `http://127.0.0.1:${port}`
    const { store, index, embedder } = weeks.catalog
    api = testApi(store, { at: NOON, advance() {} }, { index, embedder, publicBaseUrl: origin, explorer: openExplorer })
    stack.defer(() => api.close())
    await api.listen({ port, host: '127.0.0.1' })
    reader = await openPerson(browser, origin)
  })
  afterAll(() => stack.disposeAsync())
  afterEach(() => {
    expect(reader.complaints).toEqual([])
  })

  /** The page has this heading and no fault, on a phone and in a window, light and dark. */
  async function see(heading: string | RegExp, screen?: string): Promise<void> {
    const { page } = reader
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    if (screen !== undefined && process.env.UPDATE_SCREENS === '1') {
      mkdirSync(SCREENS, { recursive: true })
      await page.screenshot({ path: join(SCREENS, `${screen}.png`), fullPage: true })
    }
    expect([String(heading), await faultsOf(page)]).toEqual([String(heading), []])
  }
  const open = (path: string) => reader.page.goto(origin + path)

  test('a builder finds a price in Spain by three letters and one click', async () => {
    const { page } = reader
    await open('/?price_region=ES&lang=es')
    await page.getByRole('searchbox').pressSequentially('yes')
    await page.locator('.suggestions a').first().click()
    await page.waitForURL(/\/items\/ci_/)
    expect(await page.locator('.price strong').textContent()).toMatch(/^[\d.]+,\d\d\s€$/)
    expect(await page.locator('html').getAttribute('lang')).toBe('es')
  })

  test('an estimator sees why a price is so, and what was left out for which reason', async () => {
    const { page } = reader
    await open('/search?q=plasterboard+13+mm&price_region=&lang=en')
    await see(/results for/, 'explorer-search')
    await page.locator('.results a').first().click()
    await page.getByRole('link', { name: 'Why this price' }).click()
    const votes = page.getByRole('table', { name: /^\d+ votes?$/ })
    expect(await votes.getByRole('row').count()).toBeGreaterThan(2)
    const reasons = page.getByRole('table', { name: 'Left out of the median' })
    expect(await reasons.getByRole('row').nth(1).textContent()).toMatch(/not in the currency of the headline/)
    await see(/.+/, 'explorer-item')
  })

  test('a buyer compares two markets, each in its own money', async () => {
    const { page } = reader
    await page.getByRole('link', { name: 'Compare with others' }).click()
    await page.getByLabel('Markets, by code with commas').fill('ES,MX')
    await page.getByRole('button', { name: 'Show' }).click()
    const table = page.getByRole('table', { name: 'Compare' })
    await table.getByText('Mexico').waitFor()
    expect(await table.getByRole('row').count()).toBe(3)
    expect(await page.locator('.chart > svg').count()).toBe(2)
    await see('Compare', 'explorer-compare')
  })

  test('a follower sees what changed last, and where to subscribe', async () => {
    const { page } = reader
    await open('/changes?region=ES&lang=en')
    expect(await page.locator('.results > li').count()).toBeGreaterThan(5)
    const feed = await page.locator('.data').getByRole('link', { name: 'Feed' }).getAttribute('href')
    expect((await page.request.get(feed as string)).status()).toBe(200)
    await see('What changed: Spain')
  })

  test.each([
    '/?lang=es',
    '/categories?lang=es',
    '/sources?lang=en',
    '/search?q=cemento&lang=es&price_region=ES',
    '/items/ci_none?lang=en',
  ])('%s has no fault', async (path) => {
    await open(path)
    await see(/.+/, path === '/?lang=es' ? 'explorer-start' : undefined)
  })

  test('the keyboard alone reaches the search and the way past the menu first', async () => {
    await open('/?lang=en')
    const reached = await tabThrough(reader.page)
    expect(reached.slice(0, 5)).toEqual(['Skip to content', 'Construction Cost Catalog', 'q', 'price_region', 'Search'])
  })

  test('without scripts every form works', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB' })
    const page = await context.newPage()
    await page.goto(origin)
    await page.getByRole('searchbox').fill('cement')
    await page.getByRole('button', { name: 'Search' }).click()
    expect(await page.locator('.results > li').count()).toBeGreaterThan(0)
    await page.getByLabel('Kind').selectOption('material')
    await page.getByRole('button', { name: 'Apply' }).click()
    expect(new URL(page.url()).searchParams.get('kind')).toBe('material')
    expect(await page.locator('.results > li').count()).toBeGreaterThan(0)
    await context.close()
  })

  test('a first view is small, still, and drawn at once', async () => {
    const context = await browser.newContext({ locale: 'es-ES' })
    const page = await context.newPage()
    let bytes = 0
    page.on('response', async (response) => {
      bytes += Number((await response.allHeaders())['content-length'] ?? 0)
    })
    await page.goto(origin, { waitUntil: 'networkidle' })
    const shift = await page.evaluate(
      `new Promise((resolve) => { let sum = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries()) sum += entry.value }).observe({ type: 'layout-shift', buffered: true }); requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum))) })`,
    )
    await context.close()
    expect(bytes).toBeGreaterThan(1_000)
    expect(bytes).toBeLessThanOrEqual(60_000)
    expect(shift).toBe(0)
  })
})
