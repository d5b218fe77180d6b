import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { dryRun } from '@catalog/aggregator/differences.ts'
import { loadSampleDays } from '@catalog/cli/crawl/sample-crawls.ts'
import { sha256Hex } from '@catalog/core/digest.ts'
import { DAY_MS } from '@catalog/core/time.ts'
import { LOG_FILE, logDays } from '@catalog/sample-market/log/sample-log.ts'
import { listening, openTestCatalog } from '@catalog/stack/testing/cli.ts'
import { expect, test } from 'vitest'
import { packedLog } from './packed-log.ts'

const WRITE_AGAIN = 'npx node infra/stack/sample-log.ts writes it again'
/** Crawls, matches and publishes seven days of the sample, on a busy machine. */
const CRAWL_TIMEOUT_MS = 900_000

test("the sample's log is what its files give when they are crawled, matched and published", {
  timeout: CRAWL_TIMEOUT_MS,
}, async () => {
  const shipped = brotliDecompressSync(readFileSync(LOG_FILE)).toString()
  // Not the texts: a difference of 20 MB is not readable.
  expect(sha256Hex(await packedLog()), WRITE_AGAIN).toBe(sha256Hex(shipped))
})

test('an empty catalog gets the log with its days moved, and the next day goes on from there', async () => {
  await using opened = await openTestCatalog()
  const today = '2027-02-05'
  let now = new Date(`${today}T14:00:00Z`)
  const aggregator = { ...opened.catalog.aggregator, now: () => now }
  const catalog = { ...opened.catalog, now: () => now, aggregator }
  const { store } = catalog
  await loadSampleDays(catalog, listening().terminal)
  const runs = await store.query<{ day: string; published: number }>(
    `select left(as_of::text, 10) as day, items_published as published from run_marks order by as_of`,
  )
  expect(runs.map(({ day }) => day)).toEqual(logDays(today))
  expect(runs[0]?.published).toBeGreaterThan(1_500)
  // A run at the last instant computes what was published: the moved observations vote with their new ids.
  expect(await dryRun(aggregator, { asOf: `${today}T00:00:00Z` })).toEqual([])
  const deadLetters = `select reason, detail from parked where origin = 'projector'`
  expect(await store.query(deadLetters)).toEqual([])

  now = new Date(now.getTime() + DAY_MS)
  await loadSampleDays(catalog, listening().terminal)
  const crawls = await store.query<{ outcome: string; count: number }>(
    `select outcome, count(*)::int as count from crawl_reports group by 1`,
  )
  expect(crawls).toEqual([{ outcome: 'recorded', count: 43 * 8 }])
  // Prices move once a week by a few percent at most, so that none leaves the fences.
  const [moved] = await store.query<{ far: number; all: number }>(
    `select count(*) filter (where ratio not between 0.9 and 1.12)::int as far, count(*)::int as all from (
       select cents::float / lag(cents) over (partition by sku, terms order by observed_at) as ratio, observed_at
       from observations) o where observed_at = '2027-02-06'`,
  )
  expect(moved?.all).toBeGreaterThan(2_000)
  expect((moved?.far ?? 0) / (moved?.all ?? 1)).toBeLessThan(0.02)
  expect(await store.query(deadLetters)).toEqual([])
})
