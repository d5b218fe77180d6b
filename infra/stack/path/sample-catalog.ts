import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crawlerPorts } from '@catalog/cli/crawl/crawl-inputs.ts'
import type { Catalog } from '@catalog/cli/shared/wire.ts'
import { crawl } from '@catalog/crawler/ingest/crawl.ts'
import { vendorFile } from '@catalog/sample-market/price-list.ts'
import { loadSample, sampleTexts } from '@catalog/sample-market/sample.ts'

/** Records the price list that every vendor of the sample market has on this day ("2026-11-20"). */
export async function crawlSample(catalog: Catalog, day: string): Promise<void> {
  const sample = loadSample(sampleTexts())
  mkdirSync(catalog.spoolDir, { recursive: true })
  for (const { key } of sample.vendors) {
    const { fileName, bytes, mapping } = vendorFile({ sample, vendor: key, day })
    const path = join(catalog.spoolDir, fileName)
    writeFileSync(path, bytes)
    await crawl([{ path, options: { mapping } }], { ...crawlerPorts(catalog), newCrawlId: () => `${day}/${key}` })
  }
  await catalog.catchUp()
}
