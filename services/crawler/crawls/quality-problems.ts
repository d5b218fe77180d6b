import type { CrawlProblem } from '@catalog/core/events/crawls.ts'
import { DAY_MS } from '@catalog/core/time.ts'
import { patternProblems, ratioProblems } from '@catalog/crawler/quality/first-crawl.ts'
import { breachesOf } from '@catalog/crawler/quality/quality-limits.ts'
import type { RecordFigures } from '@catalog/crawler/quality/record-figures.ts'
import type { SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import type { SourceCrawlDeps } from './source-crawl-deps.ts'

type Judged = Readonly<{
  sourceId: string
  figures: RecordFigures
  /** No crawl of the source was recorded whole. */
  isFirst: boolean
  /** The thresholds are those of this spec. */
  spec: Pick<SourceSpec, 'region' | 'quality'>
  /** Share of the crawl's records that become dead letters; null without records. */
  parked: number | null
}>

/**
 * Why to hold a crawl for the quality of one source's records: the thresholds of the sources file, and for a first crawl,
 * which has no former one to resemble, its prices beside those of other vendors.
 */
export async function qualityProblems(
  { sourceId, figures, isFirst, spec, parked }: Judged,
  { priceRatios, unitAliases, now }: Pick<SourceCrawlDeps, 'priceRatios' | 'unitAliases' | 'now'>,
): Promise<CrawlProblem[]> {
  const { quality: thresholds = {}, region } = spec
  const isCompared = isFirst || thresholds.dispersionMax !== undefined
  const { sample, newestObservedAt } = figures
  const ratios = isCompared ? await priceRatios({ sourceId, region, records: sample }) : []
  const aliases = await unitAliases?.()
  const ageMs = newestObservedAt === null ? null : now().getTime() - Date.parse(newestObservedAt)
  return [
    ...(isFirst ? [...ratioProblems(ratios), ...patternProblems(sample)] : []),
    ...breachesOf(
      {
        unknownUnits: figures.unknownUnits((unit) => aliases?.of(sourceId, unit) !== undefined),
        parked,
        taxNotStated: figures.taxNotStated,
        dispersion: ratios.length === 0 ? null : ratios.filter(isFar).length / ratios.length,
        ageDays: ageMs === null ? null : Math.max(0, Math.floor(ageMs / DAY_MS)),
      },
      thresholds,
    ),
  ]
}

/** As `dispersion` of `catalog quality`: beyond twice the median, or below half of it. */
const isFar = (ratio: number) => ratio > 2 || ratio < 0.5
