import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { aggregateRuns } from '@catalog/cli/aggregate/aggregate.ts'
import { withCrawler } from '@catalog/cli/crawl/source-crawls.ts'
import { instant } from '@catalog/core/time.ts'
import { readSources } from '@catalog/crawler/sources/sources-reader.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { acceptCrawl, heldCrawls } from '@catalog/operations/held-crawls.ts'
import { movesOfHeld } from '@catalog/operations/what-if/held-crawl.ts'
import { readEnvironment } from '@catalog/runtime/env.ts'
import { listening, openTestCatalog, type TestCatalog } from '@catalog/stack/testing/cli.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { crawlInputs } from './crawl-inputs.ts'
import { crawlSources, selectSources } from './source-crawls.ts'

const PRODUCTS = [
  'Portland cement CEM II 32.5',
  'River sand 0/4',
  'Solid brick 24x11',
  'Gypsum plaster',
  'Roof tile red',
  'Copper tube 15 mm',
  'Steel mesh 15x15',
  'Wall paint white',
]
/** The price list of a vendor that asks `times` the usual price, for each product from the first on. */
const listAt = (times: (n: number) => number, unit = 'kg') =>
  `ref,name,unit,price\n${PRODUCTS.map((name, n) => `r${n},${name},${unit},${((10 + n) * times(n)).toFixed(2)}\n`).join('')}`
const LISTS: Record<string, string> = {
  '/fair.csv': listAt(() => 1.1),
  '/hundred.csv': listAt(() => 100),
  '/tonnes.csv': listAt(() => 1_000, 't'),
  '/mixed.csv': listAt((n) => [8, 0.1, 1][n % 3] as number),
  '/tramex.csv': listAt(() => 1, 'tramex'),
}

let opened: TestCatalog
let folder: string
let catalog: Catalog
/** Events that the operator's receiver got. */
const events: string[] = []
const server = createServer((request, response) => {
  if (request.method === 'POST') {
    request.on('data', (chunk) => events.push(String(chunk)))
    request.on('end', () => response.end())
    return
  }
  const body = LISTS[request.url ?? '']
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/csv' })
  response.end(body)
})
const envOf = () =>
  readEnvironment({
    CATALOG_DATA: folder,
    CATALOG_SOURCES: join(folder, 'sources.yaml'),
    FETCH_ALLOWED_NETWORKS: '127.0.0.0/8',
    LOG_LEVEL: 'silent',
    ALERT_WEBHOOK_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/alerts`,
    ALERT_WEBHOOK_SECRET: 'a-secret-of-sixteen',
    ALERT_ALLOWED_NETWORKS: '127.0.0.0/8',
  })
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  opened = await openTestCatalog()
  folder = opened.folder
  catalog = opened.catalog
  const { terminal } = listening()
  for (const source of ['Norte', 'Sur']) {
    const path = join(folder, `${source}.csv`)
    writeFileSync(
      path,
      listAt(() => 1),
    )
    const options = { source, region: 'ES', currency: 'EUR', kind: 'shop', observedAt: instant(new Date()) }
    await crawlInputs(catalog, terminal, [{ path, options } as never])
  }
  await aggregateRuns(catalog, terminal, { asOfs: [instant(new Date())], full: false })
})
afterAll(async () => {
  server.close()
  await catalog?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

const contextOf = () => ({
  catalog,
  env: envOf(),
  terminal: listening().terminal,
  signal: new AbortController().signal,
})
/** Crawls the list as a source of its own. */
async function crawlList(list: string, more = '') {
  const { port } = server.address() as AddressInfo
  const name = `Shop ${list}`
  writeFileSync(
    join(folder, 'sources.yaml'),
    `requests_per_second: 10\nsources:\n  - { source: "${name}", region: ES, kind: shop, currency: EUR, entry_points: ["http://127.0.0.1:${port}/${list}.csv"]${more} }\n`,
  )
  const file = await readSources(envOf())
  const [report] = await crawlSources(contextOf(), { specs: selectSources(file, [name]), file, isFull: true })
  return { name, outcome: report?.outcome, codes: report?.problems.map(({ code }) => code), appended: report?.appended }
}

describe('the first crawl of a source', () => {
  test('is recorded when its prices resemble those of others, in whatever unit', async () => {
    expect(await crawlList('fair')).toMatchObject({ outcome: 'recorded', codes: [] })
    expect(await crawlList('tonnes')).toMatchObject({ outcome: 'recorded', codes: [] })
  })

  test('waits for a person when its prices are a hundred times those of others', async () => {
    const { name, ...held } = await crawlList('hundred')
    expect(held).toMatchObject({ outcome: 'held', codes: ['FIRST_CRAWL_FAR'] })
    expect(events.map((event) => JSON.parse(event))).toMatchObject([
      { type: 'crawl.held', source: 'Shop hundred', problems: [{ code: 'FIRST_CRAWL_FAR' }] },
    ])
    const context = withCrawler(contextOf())
    const [waiting] = (await heldCrawls(context)).held
    const { crawl } = waiting as NonNullable<typeof waiting>
    const nothing = { records: 8, isWhole: true, items: { unchanged: 8, changed: 0 }, newItems: 0, largest: [] }
    expect(await movesOfHeld(context, crawl)).toMatchObject(nothing)
    expect(await movesOfHeld(context, { ...crawl, crawl_id: 'gone' })).toEqual({
      absent: expect.stringContaining('gone'),
    })
    expect(await acceptCrawl(context, name)).toMatchObject({ appended: 8 })
    // From now on the crawl before is what the next one must resemble.
    expect(await crawlList('hundred')).toMatchObject({ outcome: 'recorded', codes: [] })
  })

  test('waits when its prices are far on both sides', async () => {
    expect(await crawlList('mixed')).toMatchObject({ outcome: 'held', codes: ['FIRST_CRAWL_DISPERSED'] })
  })
})

test('a crawl that exceeds a threshold of its source is held, also with a former one', async () => {
  expect(await crawlList('tramex')).toMatchObject({ outcome: 'recorded' })
  const held = await crawlList('tramex', ', quality: { unknown_units_max: 0.05 }')
  expect(held).toMatchObject({ outcome: 'held', codes: ['UNKNOWN_UNITS'] })
  expect(await crawlList('fair', ', quality: { dispersion_max: 0 }')).toMatchObject({ outcome: 'recorded' })
})
