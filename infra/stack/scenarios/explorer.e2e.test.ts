import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Api } from '@catalog/api/server.ts'
import { openExplorer } from '@catalog/explorer/explorer.ts'
import { sayIn } from '@catalog/explorer/languages/language.ts'
import { formatsOf } from '@catalog/explorer/pages/view.ts'
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
import { pythonAvailable, pythonWith } from '@catalog/stack/servers/fetched/python.ts'
import { testApi } from '@catalog/stack/testing/api.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

const SCREENS = join(import.meta.dirname, '../../../docs/screens')
const EXAMPLE_BILL = join(import.meta.dirname, '../../../services/explorer/assets/example-bill.csv')
/** Of each line several items of the sample are meant. */
const OPEN_BILL = 'Descripción;Ud;Cantidad\ncable;m;20\nladrillo;ud;500\npintura;l;10\ntubo;m;30\n'
const FIRST_DAY = '2026-11-02'
const NOON = new Date('2026-11-16T12:00:00Z')

const missing = unavailable()

/** Another program reads what is downloaded, in its mode for large files. */
const OPENPYXL = { name: 'openpyxl', requirements: join(import.meta.dirname, 'requirements.txt') }
const missingPython = pythonAvailable(OPENPYXL)
const READ_ROWS =
  'import json, openpyxl, sys; print(json.dumps(list(openpyxl.load_workbook(open(sys.argv[1], "rb"), read_only=True, data_only=True).worksheets[0].values)))'

async function rowsByOpenpyxl(path: string): Promise<readonly (string | number | null)[][]> {
  const { stdout } = await promisify(execFile)(await pythonWith(OPENPYXL), ['-c', READ_ROWS, path])
  return JSON.parse(stdout)
}

/** What moves in the page from now on without a key or a click shortly before. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(
    `window.shift = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value }).observe({ type: 'layout-shift' })`,
  )
  return () => page.evaluate<number>('window.shift')
}

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

    test.each([1440, 360])('a builder prices the example by a click at %i px, and sees its chapters', async (width) => {
      const { page } = reader
      await page.setViewportSize({ width, height: 800 })
      await open(`/bill?price_region=ES&lang=${lang}`)
      await seen(say('bill'))
      await page.getByRole('button', { name: say('billExample') }).click()
      await page.getByRole('rowheader', { name: 'WALLS' }).waitFor()
      const chapter = page.getByRole('row').filter({ hasText: 'WALLS' })
      expect(await chapter.textContent()).toMatch(new RegExp(say('billPriced', { priced: '[1-3]', lines: 3 })))
      await seen(/example\.csv/)
    })

    test.each([1440, 360])(
      'a builder takes three items by key at %i px, and downloads the prices of a day',
      async (width) => {
        const { page } = reader
        await page.setViewportSize({ width, height: 800 })
        await open(`/bill?price_region=&lang=${lang}`)
        await page
          .getByLabel(/BC3, CSV/)
          .setInputFiles({ name: 'obra.csv', mimeType: 'text/csv', buffer: Buffer.from(OPEN_BILL) })
        await page.getByLabel(say('market'), { exact: true }).last().selectOption('ES')
        await page.getByLabel(say('billDay')).fill('2026-11-12')
        await page.getByRole('button', { name: say('billPrice'), exact: true }).click()
        const takes = page.locator('button.take')
        await takes.first().waitFor()
        const undecided = await takes.count()
        expect(undecided).toBeGreaterThanOrEqual(3)
        await page
          .getByText(say('billPrices', { day: formatsOf(lang, { market: 'ES', now: NOON }).day('2026-11-12') }))
          .waitFor()
        const shifts = await watchShifts(page)
        const press = async (key: string, left: number) => {
          await page.keyboard.press(key)
          await expect.poll(() => takes.count()).toBe(left)
        }
        for (const taken of [1, 2, 3]) await press('Enter', undecided - taken)
        await press('u', undecided - 2)
        await press('Enter', undecided - 3)
        const priced = await page.locator('td .status.priced').count()
        expect(priced).toBeGreaterThan(0)
        const lines = await page.locator('td .status').count()
        expect(await page.locator('#bill-said').textContent()).toContain(say('billPriced', { priced, lines }))
        expect(await shifts()).toBe(0)
        await page.getByLabel(say('bill_overhead')).fill('13')
        await page
          .getByRole('button', { name: say('billApply') })
          .first()
          .click()
        await page.getByRole('table', { name: say('billTotal') }).waitFor()
        await seen(/obra\.csv/, width === 1440 ? 'explorer-bill' : undefined)
        const downloading = page.waitForEvent('download')
        await page
          .getByRole('button', { name: say('billDownload', { format: 'XLSX' }) })
          .first()
          .click()
        const download = await downloading
        expect(download.suggestedFilename()).toBe('obra-priced.xlsx')
        if (missingPython !== null) return
        const rows = await rowsByOpenpyxl(await download.path())
        const column = (heading: string) => rows[0]?.indexOf(heading) as number
        const costs = rows.slice(1, 1 + lines).map((row) => row[column('Cost')])
        expect(costs.filter((cost) => typeof cost === 'number')).toHaveLength(priced)
        const sum = costs.reduce<number>((all, cost) => all + Number(cost ?? 0), 0)
        expect(rows[1 + lines]?.[column('Cost')]).toBeCloseTo(sum, 2)
        expect(rows[5 + lines]?.[column('Cost')]).toBeCloseTo(sum * 1.13, 1)
      },
    )

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
    const takes = await page.locator('button.take').count()
    await page.locator('button.take').first().click()
    expect(await page.locator('button.take').count()).toBeLessThan(takes)
    await page.locator('button.undo').first().click()
    expect(await page.locator('button.take').count()).toBe(takes)
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
