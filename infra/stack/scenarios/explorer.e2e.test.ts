import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Api } from '@catalog/api/server.ts'
import { openExplorer } from '@catalog/explorer/explorer.ts'
import { sayIn } from '@catalog/explorer/languages/language.ts'
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
import { testApi } from '@catalog/stack/testing/api.ts'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

const SCREENS = join(import.meta.dirname, '../../../docs/screens')
const EXAMPLE_BILL = join(import.meta.dirname, '../../../services/explorer/assets/example-bill.csv')
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

  /** The journeys of readers of two languages, each page seen in a window and on a phone, light and dark. */
  describe.each(['en', 'es'] as const)('in %s', (lang) => {
    const say = sayIn(lang)
    /** A screenshot in English alone. */
    const seen = (heading: string | RegExp, screen?: string) => see(heading, lang === 'en' ? screen : undefined)
    const link = (name: string) => reader.page.getByRole('main').getByRole('link', { name })

    test('a builder finds a price in Spain by three letters and one click', async () => {
      const { page } = reader
      await open(`/?price_region=ES&lang=${lang}`)
      await seen(/.+/)
      await page.getByRole('searchbox').pressSequentially('yes')
      await page.locator('.suggestions a').first().click()
      await page.waitForURL(/\/items\/ci_/)
      const price = (await page.locator('.price strong').textContent()) ?? ''
      expect(price).toMatch(lang === 'es' ? /^[\d.]+,\d\d\s€$/ : /^€[\d,]+\.\d\d$/)
      expect(await page.locator('html').getAttribute('lang')).toBe(lang)
    })

    test('an estimator sees why a price is so, and one vendor that was left out with the reason', async () => {
      const { page } = reader
      await open(`/search?q=plasterboard+13+mm&price_region=&lang=${lang}`)
      await seen(/13 mm/, 'explorer-search')
      await page.locator('.results a').first().click()
      await link(say('whyThisPrice')).click()
      const votes = page.getByRole('table', { name: /^\d+ vot[a-z]+$/ })
      expect(await votes.getByRole('row').count()).toBeGreaterThan(2)
      const reasons = page.getByRole('table', { name: say('leftOut') })
      expect(await reasons.getByRole('row').nth(1).textContent()).toContain(say('why_OTHER_CURRENCY'))
      await seen(/.+/)
    })

    test('a buyer compares two markets, each in its own money', async () => {
      const { page } = reader
      await link(say('compareWith')).click()
      await page.getByLabel(say('compareMarkets')).fill('ES,MX')
      await page.getByRole('button', { name: say('show') }).click()
      const table = page.getByRole('table', { name: say('compare') })
      await table.getByText(say('region_MX')).waitFor()
      expect(await table.getByRole('row').count()).toBe(3)
      expect(await page.locator('.drawing > .wide').count()).toBe(2)
      await seen(say('compare'))
    })

    test('a buyer sees how the prices of each category moved within a week', async () => {
      const { page } = reader
      await open(`/categories?price_region=ES&lang=${lang}`)
      await page.getByText(say('movesNone')).waitFor()
      await link(say('daysCount', { count: 7 })).click()
      const answer = await page.request.get(`${origin}/v1/categories/changes?days=7&price_region=ES`)
      const { categories } = (await answer.json()) as {
        categories: { compared_count: number; change_percent: number }[]
      }
      const { compared_count: compared } = categories.reduce((a, b) => (a.compared_count > b.compared_count ? a : b))
      expect(compared).toBeGreaterThan(10)
      const summary = page.locator('summary', { hasText: new RegExp(`\\b${compared}\\b`) })
      expect(await summary.textContent()).toMatch(/%/)
      await seen(say('categories'))
    })

    test('a follower sees what changed last, and where to subscribe', async () => {
      const { page } = reader
      await open(`/changes?region=ES&lang=${lang}`)
      const changes = page.locator('.results > li')
      expect(await changes.count()).toBeGreaterThan(5)
      await changes
        .filter({ hasText: say('rise') })
        .first()
        .waitFor()
      const feed = await page
        .locator('.data')
        .getByRole('link', { name: say('asFeed') })
        .getAttribute('href')
      expect((await page.request.get(feed as string)).status()).toBe(200)
      await seen(new RegExp(`: ${say('region_ES')}$`))
      await page.locator('#move').selectOption('fall')
      await page.getByRole('button', { name: say('apply') }).click()
      await page.waitForURL(/move=fall/)
      expect([await page.locator('.up').count(), await page.locator('.down').count()]).toEqual([
        0,
        await changes.count(),
      ])
    })

    test('a builder drops a bill, corrects a line, and downloads it with the prices', async () => {
      const { page } = reader
      await open(`/bill?price_region=ES&lang=${lang}`)
      await seen(say('bill'))
      await page.getByLabel(/BC3, CSV/).setInputFiles(EXAMPLE_BILL)
      await page.getByRole('button', { name: say('billPrice') }).click()
      const cement = page.getByRole('row').filter({ hasText: 'Portland cement' })
      await cement.getByText(say('bill_ambiguous')).waitFor()
      await cement.locator('summary').click()
      await cement.getByRole('radio').nth(1).check()
      await page
        .getByRole('button', { name: say('billApply') })
        .first()
        .click()
      await cement.getByText(say('billPerson')).waitFor()
      expect(await cement.getByRole('cell').last().textContent()).toMatch(/€/)
      await seen(/example-bill\.csv/, 'explorer-bill')
      const downloading = page.waitForEvent('download')
      await page
        .getByRole('button', { name: say('billDownload', { format: 'XLSX' }) })
        .first()
        .click()
      expect((await downloading).suggestedFilename()).toBe('example-bill-priced.xlsx')
    })

    test.each(['/categories', '/sources', '/search?q=cemento&price_region=ES', '/items/ci_none'])(
      '%s has no fault',
      async (path) => {
        await open(`${path}${path.includes('?') ? '&' : '?'}lang=${lang}`)
        await seen(/.+/)
      },
    )
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
    const pounds = async () =>
      (await page.locator('.results .amount').allTextContents()).map((amount) => Number(amount.replace('£', '')))
    const cheapest = Math.min(...(await pounds()).filter(Number.isFinite))
    await page.getByLabel('Price to').fill(String(cheapest))
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('Choose the currency too').waitFor()
    await page.getByLabel('Currency').selectOption('GBP')
    await page.getByRole('button', { name: 'Apply' }).click()
    expect(Math.max(...(await pounds()))).toBeLessThanOrEqual(cheapest)
    expect(await page.locator('.results > li').count()).toBeGreaterThan(0)
    await page.goto(`${origin}/bill`)
    await page.getByLabel(/BC3, CSV/).setInputFiles(EXAMPLE_BILL)
    await page.getByRole('button', { name: 'Price the bill' }).click()
    expect(await page.locator('td .status').count()).toBe(6)
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
