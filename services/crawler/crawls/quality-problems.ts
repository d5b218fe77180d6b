import type { CrawlProblem } from '@catalog/core/events/crawls.ts'
import { DAY_MS } from '@catalog/core/time.ts'
import { pricedText, problemWith } from '@catalog/crawler/quality/examples.ts'
import { farthest, patternProblems, ratioProblems } from '@catalog/crawler/quality/first-crawl.ts'
import { breachesOf } from '@catalog/crawler/quality/quality-limits.ts'
import type { ComparedRecord, RecordFigures } from '@catalog/crawler/quality/record-figures.ts'
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
  /** Lines that show parked records. */
  parkedExamples: readonly string[]
}>

/**
 * Why to hold a crawl for the quality of one source's records: the thresholds of the sources file, and for a first crawl,
 * which has no former one to resemble, its prices beside those of other vendors.
 */
export async function qualityProblems(
  { sourceId, figures, isFirst, spec, parked, parkedExamples }: Judged,
  { priceRatios, unitAliases, now }: Pick<SourceCrawlDeps, 'priceRatios' | 'unitAliases' | 'now'>,
): Promise<CrawlProblem[]> {
  const { quality: thresholds = {}, region } = spec
  const isCompared = isFirst || thresholds.dispersionMax !== undefined
  const { sample, newestObservedAt } = figures
  const compared = isCompared ? await priceRatios({ sourceId, region, records: sample }) : []
  const aliases = await unitAliases?.()
  const ageMs = newestObservedAt === null ? null : now().getTime() - Date.parse(newestObservedAt)
  const isNamed = (unit: string) => aliases?.of(sourceId, unit) !== undefined
  const breaches = breachesOf(
    {
      unknownUnits: figures.unknownUnits(isNamed),
      parked,
      taxNotStated: figures.taxNotStated,
      dispersion: compared.length === 0 ? null : compared.filter(isFar).length / compared.length,
      ageDays: ageMs === null ? null : Math.max(0, Math.floor(ageMs / DAY_MS)),
    },
    thresholds,
  )
  const examples: Readonly<Record<string, () => readonly string[]>> = {
    UNKNOWN_UNITS: () => figures.unknownUnitCounts(isNamed).map(([unit, records]) => `'${unit}' in ${records} records`),
    TOO_MANY_PARKED: () => parkedExamples,
    TAX_NOT_STATED: () => sample.filter(({ price }) => price.tax.included === null).map(pricedText),
    PRICES_DISPERSED: () => farthest(compared.filter(isFar)),
  }
  return [
    ...(isFirst ? [...ratioProblems(compared), ...patternProblems(sample)] : []),
    ...breaches.map((problem) => problemWith(problem, examples[problem.code]?.() ?? [])),
  ]
}

/** As `dispersion` of `catalog quality`: beyond twice the median, or below half of it. */
const isFar = ({ ratio }: ComparedRecord) => ratio > 2 || ratio < 0.5
