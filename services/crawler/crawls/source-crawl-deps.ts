import type { Licence } from '@catalog/core/events/sources.ts'
import type { UnitAliases } from '@catalog/core/units/unit-aliases.ts'
import type { GatherProgress } from '@catalog/crawler/discover/gather.ts'
import type { SpoolTotal } from '@catalog/crawler/discover/spool-total.ts'
import type { Fetcher } from '@catalog/crawler/fetch/fetcher.ts'
import type { Clock } from '@catalog/crawler/fetch/host-queue.ts'
import type { HeaderFrom } from '@catalog/crawler/fetch/own-headers.ts'
import type { CrawlDeps } from '@catalog/crawler/ingest/crawl.ts'
import type { FormerPrice } from '@catalog/crawler/ingest/health-examples.ts'
import type { CrawlReport } from '@catalog/crawler/ingest/report.ts'
import type { ComparedRecord, SampledRecord } from '@catalog/crawler/quality/record-figures.ts'
import type { SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import type { PastCrawls } from './past-crawls.ts'

/** The services that crawls of sources need from their caller. */
export type SourceCrawlDeps = CrawlDeps &
  Readonly<{
    fetcher: Fetcher
    clock: Clock
    /** Folder of the spools: SOURCE/CRAWL/. */
    crawlsDir: string
    /** The bound of all spools there; absent: each has its own. */
    spoolTotal?: SpoolTotal
    pastCrawls: (sourceId: string) => Promise<PastCrawls>
    /** The licence of a source in force; null without one. */
    licenceOf: (sourceId: string) => Promise<Licence | null>
    /** The prices that a crawl delivered for a source. */
    pricesOf: (crawl: Readonly<{ sourceId: string; crawlId: string }>) => AsyncIterable<readonly FormerPrice[]>
    /**
     * These records with the ratio of their price to what other vendors ask for the same item, above 0; leaves out
     * records that have no such item.
     */
    priceRatios: (
      compared: Readonly<{ sourceId: string; region: string | null; records: readonly SampledRecord[] }>,
    ) => Promise<readonly ComparedRecord[]>
    /** The value of an operator's header; throws an error that names the place. */
    readHeader?: ((from: HeaderFrom) => string) | undefined
    /** The aliases of units in force; absent: none. */
    unitAliases?: (() => Promise<UnitAliases>) | undefined
    /** Called once for each crawl that is held; must not throw for a receiver's fault. */
    onHeld?: ((source: SourceSpec, report: CrawlReport) => Promise<void>) | undefined
    onFetched?: ((progress: GatherProgress) => void) | undefined
  }>
