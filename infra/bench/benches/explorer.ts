import type { Bench, Comparison, Figure, Row } from '@catalog/bench/harness/report.ts'
import { startOurs } from '@catalog/bench/harness/servers.ts'
import { makeItems } from '@catalog/bench/workload/items.ts'
import { startBrowser, unavailable } from '@catalog/stack/servers/browser.ts'
import { startPostgres } from '@catalog/stack/servers/postgres.ts'
import { openStore } from '@catalog/store/db.ts'

type Browser = Awaited<ReturnType<typeof startBrowser>>

/** The pages for people: what a browser loads and when it has drawn it, and the server's time, beside the data of an item. */
export const explorerBench: Bench = {
  title: 'the pages for people: bytes, largest paint, layout shift, and the server’s time beside the data of an item',
  async run(say, { isBrief = false, items: [items = isBrief ? BRIEF_ITEMS : ITEMS] = [] } = {}) {
    const missing = unavailable()
    if (missing !== null) throw new Error(missing)
    await using postgres = await startPostgres()
    say(`${items} items are being made ...`)
    const url = await makeItems({ url: postgres.url, database: 'explorer', items, prices: true })
    await addCategories(url)
    await using ours = await startOurs(url)
    const count = isBrief ? BRIEF_READS : READS
    const ids = await idsOf(ours.origin, 2 * count + WARM_UP)
    const [warm, pages, data] = [ids.splice(0, WARM_UP), ids.splice(0, count), ids]
    await times(ours.origin, [...warm.map(pageOf), ...warm.map(dataOf), '/changes', '/'])
    say('pages are being asked for ...')
    const rows: Row[] = [...(await serverRows(ours.origin, { pages, data }))]
    say('pages are being looked at ...')
    const browser = await startBrowser()
    try {
      const item = pageOf(pages[0] as string)
      for (const [name, path] of [
        ['the start page', '/'],
        ['an item page', item],
      ] as const)
        rows.push(...(await drawn(browser, { name, address: ours.origin + path, rounds: isBrief ? 1 : ROUNDS })))
    } finally {
      await browser.close()
    }
    return rows
  },
}

const ITEMS = 100_000
const BRIEF_ITEMS = 300
/** Different items whose pages are read for the first time. */
const READS = 100
const BRIEF_READS = 10
/** Pages before the measurement, so that the process has compiled what it runs. */
const WARM_UP = 30
const ROUNDS = 5
/** What the first view may load, in all and compressed. */
const BYTES_MAX = 60_000
const LARGEST_PAINT_MS_MAX = 300
/** The server's time for the page of an item that nobody asked for lately. */
const FIRST_MS_MAX = 30
const HEADERS = { accept: 'text/html,application/xhtml+xml', 'accept-encoding': 'gzip, br', 'accept-language': 'es-ES' }

/** A tree of one level with the categories of the items. */
async function addCategories(url: string): Promise<void> {
  await using store = await openStore({ kind: 'postgres', connection: { url } })
  await store.query(
    `insert into categories (category_id, parent_id, name, depth)
     select category_id, null, 'Category ' || row_number() over (), 0 from (select distinct category_id from items) c`,
  )
}

const pageOf = (id: string) => `/items/${id}`
const dataOf = (id: string) => `/v1/items/${id}`

async function idsOf(origin: string, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null && ids.length < count; ) {
    const answer = await fetch(`${origin}/v1/items?limit=50${cursor === '' ? '' : `&cursor=${cursor}`}`)
    const page = (await answer.json()) as { items: readonly { id: string }[]; cursor: string | null }
    ids.push(...page.items.map(({ id }) => id))
    cursor = page.cursor
  }
  return ids.slice(0, count)
}

/** Milliseconds of each answer, one after the other. Throws for one that is not 200. */
async function times(origin: string, paths: readonly string[]): Promise<number[]> {
  const took: number[] = []
  for (const path of paths) {
    const begun = performance.now()
    const answer = await fetch(origin + path, { headers: path.startsWith('/v1') ? {} : HEADERS })
    await answer.arrayBuffer()
    took.push(performance.now() - begun)
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}, expected 200`)
  }
  return took
}

async function serverRows(
  origin: string,
  { pages, data }: { pages: readonly string[]; data: readonly string[] },
): Promise<Row[]> {
  const first = await times(origin, pages.map(pageOf))
  const again = await times(origin, pages.map(pageOf))
  const read = await times(origin, data.map(dataOf))
  const changes = await times(
    origin,
    Array.from(pages, (_, n) => `/changes?lang=${n % 2 === 0 ? 'en' : 'es'}`),
  )
  const beside = (stage: string, oursMs: number): Comparison => {
    return { stage, beside: 'its data at /v1, first', oursMs, besideMs: quantile(read, 0.5), ratioMax: null }
  }
  return [
    { stage: 'an item page, first', figure: rounded(quantile(first, 0.5)), unit: 'ms', max: FIRST_MS_MAX },
    { stage: 'an item page, first, 95 of 100', figure: rounded(quantile(first, 0.95)), unit: 'ms', max: null },
    beside('an item page, first', quantile(first, 0.5)),
    beside('an item page, again', quantile(again, 0.5)),
    { stage: 'what changed', figure: rounded(quantile(changes, 0.5)), unit: 'ms', max: null },
  ]
}

/** What a new browser loads for one page, and when it has drawn the largest part; medians of the rounds. */
async function drawn(
  browser: Browser,
  { name, address, rounds }: { name: string; address: string; rounds: number },
): Promise<Figure[]> {
  const seen: { bytes: number; paintMs: number; shift: number }[] = []
  // The first one also opens what the browser shares among pages.
  for (let round = 0; round <= rounds; round++) {
    const context = await browser.newContext({ locale: 'es-ES' })
    const page = await context.newPage()
    const loads: Promise<number>[] = []
    page.on('requestfinished', (request) => loads.push(request.sizes().then((sizes) => sizes.responseBodySize)))
    await page.goto(address, { waitUntil: 'networkidle' })
    const bytes = (await Promise.all(loads)).reduce((sum, size) => sum + size, 0)
    const [paintMs, shift] = (await page.evaluate(DRAWN)) as [number, number]
    if (round > 0) seen.push({ bytes, paintMs, shift })
    await context.close()
  }
  const middle = (of: (each: (typeof seen)[number]) => number) => quantile(seen.map(of), 0.5)
  return [
    { stage: `${name}: loaded in all`, figure: middle(({ bytes }) => bytes), unit: 'bytes', max: BYTES_MAX },
    {
      stage: `${name}: largest paint`,
      figure: rounded(middle(({ paintMs }) => paintMs)),
      unit: 'ms',
      max: LARGEST_PAINT_MS_MAX,
    },
    { stage: `${name}: layout shift`, figure: Math.max(...seen.map(({ shift }) => shift)), unit: '', max: 0 },
  ]
}

/** [largest paint in ms since the navigation began, sum of layout shifts]. */
const DRAWN = `new Promise((resolve) => {
  let [paint, shift] = [0, 0]
  new PerformanceObserver((list) => { for (const { startTime } of list.getEntries()) paint = startTime }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) shift += value }).observe({ type: 'layout-shift', buffered: true })
  requestAnimationFrame(() => requestAnimationFrame(() => resolve([paint, shift])))
})`

const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))] as number
const rounded = (ms: number) => Math.round(ms * 10) / 10
