import { type Bench, type Figure, quantile, type Row, tenths } from '@catalog/bench/harness/report.ts'
import { startOurs } from '@catalog/bench/harness/servers.ts'
import { addVotes, makeItems } from '@catalog/bench/workload/items.ts'
import { fillIndex } from '@catalog/bench/workload/search-items.ts'
import { startBrowser } from '@catalog/stack/servers/browser.ts'
import { startPostgres } from '@catalog/stack/servers/postgres.ts'
import { openStore } from '@catalog/store/db.ts'

/**
 * The pages for people: their bytes and paint in a browser, and their time at the server beside reads of `/v1` of the same
 * items. A cold page is the first read of its item by anybody, in a process that has served other items before.
 */
export const explorerBench: Bench = {
  title: 'the pages for people: bytes, paint and shift in Chromium, and times at the server beside reads of /v1',
  async run(say, { isBrief = false, items: [items = isBrief ? BRIEF_ITEMS : ITEMS] = [] } = {}) {
    await using server = await startPostgres()
    say(`${items} items with their prices and an index of them are being made ...`)
    const url = await makeItems({ url: server.url, database: 'catalog', items, prices: true })
    await addVotes(url)
    {
      await using store = await openStore({ kind: 'postgres', connection: { url } })
      await fillIndex(store)
    }
    await using ours = await startOurs(url)
    const rounds = isBrief ? BRIEF_ROUNDS : ROUNDS
    const subjects = await spreadSubjects(ours.origin, { items, count: rounds * 2 + WARM_UPS })
    say('times at the server are being measured ...')
    const times = await serverTimes(ours.origin, { subjects, rounds })
    say('pages are being painted ...')
    const painted = await paints(ours.origin, { subject: subjects[0] as Subject, rounds: isBrief ? 1 : PAINTS })
    return [...times, ...painted]
  },
}

const ITEMS = 100_000
const BRIEF_ITEMS = 1_000
/** Reads of each kind; their median counts. */
const ROUNDS = 60
const BRIEF_ROUNDS = 3
/** Enough for the compiler to have seen every page. */
const WARM_UPS = 30
const PAINTS = 7
const COLD_MS_MAX = 30
const PAINT_MS_MAX = 300
const FIRST_VIEW_BYTES_MAX = 60_000
const PAGE_LIMIT_MAX = 100

type Subject = Readonly<{ id: string; category: string }>

/** Items far apart in the order of the catalog; each page of the list names one, so that no detail is read yet. */
async function spreadSubjects(
  origin: string,
  { items, count }: { items: number; count: number },
): Promise<readonly Subject[]> {
  const limit = Math.max(1, Math.min(PAGE_LIMIT_MAX, Math.floor(items / count)))
  const subjects: Subject[] = []
  for (let next = ''; subjects.length < count; ) {
    const answer = await fetch(`${origin}/v1/items?limit=${limit}${next}`)
    const page = (await answer.json()) as { items: { id: string; category_id: string }[]; cursor: string | null }
    const { id, category_id: category } = page.items.at(-1) as { id: string; category_id: string }
    subjects.push({ id, category })
    if (page.cursor === null) throw new Error(`the list ends after ${subjects.length} pages, expected ${count}`)
    next = `&cursor=${page.cursor}`
  }
  return subjects
}

const PAGE_HEADERS = { accept: 'text/html', 'accept-language': 'en', 'accept-encoding': 'br' }
const DATA_HEADERS = { accept: 'application/json', 'accept-encoding': 'br' }
const QUERIES = ['plasterboard BA 13', 'portland cement', 'copper cable 2.5', 'PVC pipe', 'ceramic brick']

async function serverTimes(
  origin: string,
  { subjects, rounds }: { subjects: readonly Subject[]; rounds: number },
): Promise<Row[]> {
  const page = (path: string) => timeOf(origin + path, PAGE_HEADERS)
  const data = (path: string) => timeOf(origin + path, DATA_HEADERS)
  const search = (i: number) => `/search?q=${encodeURIComponent(`${QUERIES[i % QUERIES.length]} ${i}`)}`
  for (const [i, { id, category }] of subjects.slice(0, WARM_UPS).entries()) {
    await page(`/items/${id}`)
    await data(`/v1/items/${id}`)
    await page(`/categories/${category}`)
    await page(search(-1 - i))
  }
  const times: Record<string, number[]> = {}
  const keep = (name: string, ms: number) => times[name]?.push(ms) ?? Object.assign(times, { [name]: [ms] })
  // After a publication the first reader of each period and market waits for the comparison of all items.
  for (const market of ['', 'ES']) keep('mapFirst', await page(`/categories?days=90&price_region=${market}`))
  for (let i = 0; i < rounds; i++) {
    const [shown, read] = subjects.slice(WARM_UPS + 2 * i) as [Subject, Subject]
    keep('itemCold', await page(`/items/${shown.id}`))
    keep('itemAgain', await page(`/items/${shown.id}`))
    keep('dataCold', await data(`/v1/items/${read.id}`))
    keep('dataAgain', await data(`/v1/items/${read.id}`))
    keep('search', await page(search(i)))
    keep('searchData', await data(`/v1${search(i + rounds)}&limit=20&include=cursor,explain,facets`))
    keep('category', await page(`/categories/${shown.category}`))
    keep('categoryData', await data(`/v1/items?category_id=${read.category}&sort=name&limit=50`))
    keep('map', await page('/categories?days=90'))
    keep('start', await page('/'))
  }
  const median = (name: string) => quantile(times[name] ?? [], 0.5)
  const beside = (stage: string, ours: string, [what, theirs]: [string, string]): Row[] => [
    { stage, beside: what, oursMs: median(ours), besideMs: median(theirs), ratioMax: null },
  ]
  const figure = (stage: string, name: string, max: number | null): Figure => ({
    stage,
    figure: tenths(median(name)),
    unit: 'ms',
    max,
  })
  return [
    figure('item page, first read of its item', 'itemCold', COLD_MS_MAX),
    ...beside('item page, first read of its item', 'itemCold', ['/v1 of an item, first', 'dataCold']),
    ...beside('item page, again', 'itemAgain', ['/v1 of an item, again', 'dataAgain']),
    ...beside('search page', 'search', ['/v1/search, with facets', 'searchData']),
    ...beside('category page', 'category', ['/v1/items of a category', 'categoryData']),
    figure('map of categories, first after a publication', 'mapFirst', null),
    figure('map of categories, again', 'map', null),
    figure('start page', 'start', null),
  ]
}

async function timeOf(address: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const begun = performance.now()
  const answer = await fetch(address, { headers })
  await answer.arrayBuffer()
  if (answer.status !== 200) throw new Error(`${address} answered ${answer.status}, expected 200`)
  return performance.now() - begun
}

/** The first view and an item page in a browser without cache: bytes as sent, the largest paint, and what shifted. */
async function paints(origin: string, { subject, rounds }: { subject: Subject; rounds: number }): Promise<Figure[]> {
  const browser = await startBrowser()
  try {
    const figures: Figure[] = []
    for (const [name, path] of [
      ['first view', '/'],
      ['item page', `/items/${subject.id}`],
    ] as const) {
      const loads: Load[] = []
      for (let i = 0; i < rounds; i++) {
        const context = await browser.newContext({ locale: 'es-ES' })
        const page = await context.newPage()
        const lengths: Promise<string | null>[] = []
        page.on('response', (response) => lengths.push(response.headerValue('content-length')))
        await page.goto(origin + path, { waitUntil: 'networkidle' })
        const bytes = (await Promise.all(lengths)).reduce((sum, length) => sum + Number(length ?? 0), 0)
        loads.push({ bytes, ...(await page.evaluate<Omit<Load, 'bytes'>>(PAINTED)) })
        await context.close()
      }
      figures.push(
        { stage: `${name}, in all`, figure: loads[0]?.bytes ?? 0, unit: 'bytes', max: FIRST_VIEW_BYTES_MAX },
        {
          stage: `${name}, largest contentful paint`,
          figure: tenths(
            quantile(
              loads.map(({ paintMs }) => paintMs),
              0.5,
            ),
          ),
          unit: 'ms',
          max: PAINT_MS_MAX,
        },
        { stage: `${name}, layout shift`, figure: Math.max(...loads.map(({ shift }) => shift)), unit: '', max: 0 },
      )
    }
    return figures
  } finally {
    await browser.close()
  }
}

type Load = Readonly<{ bytes: number; paintMs: number; shift: number }>

const PAINTED = `new Promise((resolve) => {
  let [paintMs, shift] = [0, 0]
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) paintMs = entry.startTime })
    .observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) shift += entry.value })
    .observe({ type: 'layout-shift', buffered: true })
  requestAnimationFrame(() => requestAnimationFrame(() => resolve({ paintMs, shift })))
})`
