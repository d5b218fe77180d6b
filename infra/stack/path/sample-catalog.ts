import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aggregateRuns } from '@catalog/cli/aggregate/aggregate.ts'
import { crawlerPorts } from '@catalog/cli/crawl/crawl-inputs.ts'
import { DAY_MS, HOUR_MS } from '@catalog/core/time.ts'
import { crawl } from '@catalog/crawler/ingest/crawl.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { vendorFile } from '@catalog/sample-files/price-list.ts'
import { loadSample, type Sample, sampleTexts } from '@catalog/sample-files/sample.ts'
import { listening, openTestCatalog, type TestCatalog } from '@catalog/stack/testing/cli.ts'

/** Records the price list that every vendor of the sample market has on this day ("2026-11-20"), or those of some markets. */
async function crawlSample(catalog: Catalog, { day, regions }: SampleDay): Promise<void> {
  const sample = loadSample(sampleTexts())
  const vendors = sample.vendors.filter(({ region }) => regions?.has(region) ?? true)
  for (const { key } of vendors) await crawlList(catalog, { sample, vendor: key, day })
  await catalog.catchUp()
}
type SampleDay = Readonly<{ day: string; regions?: ReadonlySet<string | null> }>

async function crawlList(
  catalog: Catalog,
  { sample, vendor, day }: { sample: Sample; vendor: string; day: string },
): Promise<void> {
  mkdirSync(catalog.spoolDir, { recursive: true })
  const { fileName, bytes, mapping } = vendorFile({ sample, vendor, day })
  const path = join(catalog.spoolDir, fileName)
  writeFileSync(path, bytes)
  await crawl([{ path, options: { mapping } }], { ...crawlerPorts(catalog), newCrawlId: () => `${day}/${vendor}` })
}

/** The published sample market of one day in a folder of its own, at an instant that is its present. */
export async function openSampleDay({ now, ...asked }: SampleDay & Readonly<{ now: Date }>): Promise<TestCatalog> {
  await using opening = new AsyncDisposableStack()
  const opened = opening.use(await openTestCatalog())
  let runs = 0
  const clock = { now: () => now }
  const aggregator = { ...opened.catalog.aggregator, ...clock, newRunId: () => `run_${++runs}` }
  const catalog = { ...opened.catalog, ...clock, aggregator }
  await crawlSample(catalog, asked)
  await aggregateRuns(catalog, listening().terminal, { asOfs: [`${asked.day}T00:00:00Z`], full: false })
  const held = opening.move()
  return { ...opened, catalog, [Symbol.asyncDispose]: () => held.disposeAsync() }
}

/** The item of each vendor SKU, by their ids. */
export async function itemsOfSkus({ store }: Catalog): Promise<ReadonlyMap<string, string>> {
  const rows = await store.query<{ sku: string; item: string }>(
    `select vendor_sku_id as sku, item_id as item
       from memberships join item_keys using (item) join vendor_skus using (sku)`,
  )
  return new Map(rows.map(({ sku, item }) => [sku, item]))
}

/** The published sample market of one day in a folder of its own, and the weeks after it. */
export interface SampleWeeks extends AsyncDisposable {
  readonly catalog: Catalog
  /** Publishes a day of the next week, on which one vendor has a new list; returns the number of changed items. */
  publishNext(): Promise<number>
}

export async function openSampleWeeks(firstDay: string): Promise<SampleWeeks> {
  await using opening = new AsyncDisposableStack()
  const opened = opening.use(await openTestCatalog()).catalog
  const sample = loadSample(sampleTexts())
  let dayMs = Date.parse(`${firstDay}T00:00:00Z`)
  let runs = 0
  const now = () => new Date(dayMs + HOUR_MS)
  const catalog = { ...opened, now, aggregator: { ...opened.aggregator, now, newRunId: () => `run_${++runs}` } }
  const day = () => new Date(dayMs).toISOString().slice(0, 10)
  const publish = async () => {
    const { heard, terminal } = listening()
    await aggregateRuns(catalog, terminal, { asOfs: [`${day()}T00:00:00Z`], full: false })
    const { runs } = heard.answers[0] as { runs: readonly { changed: number }[] }
    return runs[0]?.changed ?? 0
  }
  await crawlSample(catalog, { day: day() })
  await publish()
  const held = opening.move()
  return {
    catalog,
    async publishNext() {
      dayMs += 7 * DAY_MS
      const vendor = sample.vendors[runs % sample.vendors.length]?.key as string
      await crawlList(catalog, { sample, vendor, day: day() })
      await catalog.catchUp()
      return await publish()
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
}
