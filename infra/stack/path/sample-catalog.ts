import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aggregateRuns } from '@catalog/cli/aggregate/aggregate.ts'
import { crawlerPorts } from '@catalog/cli/crawl/crawl-inputs.ts'
import type { Catalog } from '@catalog/cli/shared/wire.ts'
import { DAY_MS, HOUR_MS } from '@catalog/core/time.ts'
import { crawl } from '@catalog/crawler/ingest/crawl.ts'
import { vendorFile } from '@catalog/sample-market/price-list.ts'
import { loadSample, type Sample, sampleTexts } from '@catalog/sample-market/sample.ts'
import { listening, openTestCatalog } from '@catalog/stack/testing/cli.ts'

/** Records the price list that every vendor of the sample market has on this day ("2026-11-20"). */
export async function crawlSample(catalog: Catalog, day: string): Promise<void> {
  const sample = loadSample(sampleTexts())
  for (const { key } of sample.vendors) await crawlList(catalog, { sample, vendor: key, day })
  await catalog.catchUp()
}

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
  await crawlSample(catalog, day())
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
