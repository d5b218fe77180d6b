import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RecordParked } from '@catalog/core/events/crawls.ts'
import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import { crawlFetched } from '@catalog/crawler/ingest/crawl.ts'
import { openListedLog } from '@catalog/judge/harness/listed-log.ts'
import type { SavedDocument } from './truth.ts'

/** What a crawl makes of a document: the events that it appends, and its counts. */
export type Read = Readonly<{
  observations: readonly ObservationRecorded[]
  parked: readonly RecordParked[]
  counts: Readonly<{ read: number; appended: number; duplicates: number; parked: number }>
}>

const SHOP = { id: 'judged-shop', name: 'Judged shop' }

/** Reads a document as a crawl of its shop records it; nothing is fetched and nothing is kept. */
export async function readDocument(document: SavedDocument): Promise<Read> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'judge-shops-'))
  const path = join(folder.path, 'document')
  await writeFile(path, document.bytes)
  const { url, charset, currency, region, observedAt, expectsOffer, mapping } = document
  const { log, observations, parked } = openListedLog()
  const input = {
    path: SHOP.name,
    bytes: document.bytes.length,
    files: () => [
      {
        path,
        name: document.file,
        options: { observedAt },
        ...(url !== undefined && { page: { url, charset, expectsOffer } }),
      },
    ],
    options: { source: SHOP.name, sourceId: SHOP.id, region, currency, mapping },
  }
  const report = await crawlFetched(
    {
      input,
      crawlId: 'judged',
      source: { ...SHOP, region: region ?? null, url: null },
      judge: async () => ({ health: new Map(), problems: [] }),
      details: { partial: false, missed: 0, problems: [] },
      isWhole: true,
    },
    {
      log,
      now: () => new Date(observedAt),
      newCrawlId: () => 'judged',
      spoolDir: join(folder.path, 'spool'),
      registeredSources: async () => new Set(),
    },
  )
  return {
    observations: observations(),
    parked: parked(),
    counts: {
      read: report.read,
      appended: report.appended,
      duplicates: report.duplicates,
      parked: Object.values(report.parked).reduce((sum, count) => sum + count, 0),
    },
  }
}
