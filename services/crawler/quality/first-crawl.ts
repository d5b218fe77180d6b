import type { CrawlProblem } from '@catalog/core/events/crawls.ts'
import { pricedText, problemWith } from './examples.ts'
import type { ComparedRecord, SampledRecord } from './record-figures.ts'

/**
 * The health of a crawl without a former one: against the prices that other vendors ask for the same items, and by
 * patterns inside it that no price list has.
 */

/** Bounds of the median ratio to the others' prices, and its inverse. A wrong unit or currency lies beyond it. */
const FAR_RATIO = 3
/** Fewer matched SKUs say too little. */
const COMPARED_MIN = 5
/** Share of the compared prices that may stand beyond {@link FAR_RATIO}, either way. */
const FAR_SHARE_MAX = 0.5
/** Share of the compared prices that may stand at a power of ten from the others: a lost decimal point. */
const STEPS_SHARE_MAX = 0.1
/** Least number of prices at such a step. */
const STEPS_MIN = 3
/** A price at ×10 or ×100 of its true value differs from the others' median by their own spread besides. */
const STEP_TOLERANCE = 0.15
/** SKUs from which one common price is a pattern. */
const UNIFORM_MIN = 20
const UNIFORM_SHARE_MAX = 0.9

/** Why to hold a first crawl for its ratios to the others' prices; empty for none. */
export function ratioProblems(compared: readonly ComparedRecord[]): CrawlProblem[] {
  const ratios = compared.map(({ ratio }) => ratio)
  if (ratios.length < COMPARED_MIN) return []
  const problems: CrawlProblem[] = []
  const sorted = [...ratios].sort((a, b) => a - b)
  const median = sorted[Math.ceil(sorted.length / 2) - 1] as number
  if (Math.max(median, 1 / median) > FAR_RATIO) {
    const detail = `the median price is ${rounded(median)} times that of others for ${ratios.length} matched SKUs; expected from ${rounded(1 / FAR_RATIO)} to ${FAR_RATIO} times`
    problems.push(problemWith({ code: 'FIRST_CRAWL_FAR', detail }, farthest(compared)))
    return problems
  }
  const far = ratios.filter((ratio) => Math.max(ratio, 1 / ratio) > FAR_RATIO).length
  if (far > FAR_SHARE_MAX * ratios.length) {
    const detail = `${far} of ${ratios.length} matched SKUs stand more than ${FAR_RATIO} times from the prices of others; expected at most ${percent(FAR_SHARE_MAX)}`
    problems.push(problemWith({ code: 'FIRST_CRAWL_DISPERSED', detail }, farthest(compared)))
    return problems
  }
  const steps = ratios.filter(isStep).length
  if (steps >= STEPS_MIN && steps > STEPS_SHARE_MAX * ratios.length) {
    const detail = `${steps} of ${ratios.length} matched SKUs stand 10, 100 or 1000 times from the prices of others; expected at most ${percent(STEPS_SHARE_MAX)}`
    const atSteps = compared.filter(({ ratio }) => isStep(ratio))
    problems.push(problemWith({ code: 'FIRST_CRAWL_DISPERSED', detail }, farthest(atSteps)))
  }
  return problems
}

/** The records whose price differs most from that of others, as lines for a person. */
export function farthest(compared: readonly ComparedRecord[]): readonly string[] {
  const distance = ({ ratio }: ComparedRecord) => Math.abs(Math.log(ratio))
  const sorted = [...compared].sort((one, other) => distance(other) - distance(one))
  return sorted.map(({ record, ratio }) => `${pricedText(record)}, ${rounded(ratio)} times the price of others`)
}

/** Whether a ratio is near a power of ten other than 1. */
function isStep(ratio: number): boolean {
  const decades = Math.log10(ratio)
  const nearest = Math.round(decades)
  return nearest !== 0 && Math.abs(decades - nearest) <= Math.log10(1 + STEP_TOLERANCE)
}

/** Why to hold a first crawl for what its own sample shows; empty for none. */
export function patternProblems(
  sample: readonly Pick<SampledRecord, 'vendor_ref' | 'name' | 'price'>[],
): CrawlProblem[] {
  if (sample.length < UNIFORM_MIN) return []
  const byPrice = Map.groupBy(sample, ({ price }) => `${price.cents / price.per_quantity} ${price.currency}`)
  const equal = [...byPrice.values()].reduce((one, other) => (other.length > one.length ? other : one), [])
  const most = equal.length
  if (most <= UNIFORM_SHARE_MAX * sample.length) return []
  const detail = `${most} of ${sample.length} sampled SKUs have one price; expected at most ${percent(UNIFORM_SHARE_MAX)}`
  return [problemWith({ code: 'FIRST_CRAWL_UNIFORM', detail }, equal.map(pricedText))]
}

const rounded = (value: number) => Math.round(value * 1000) / 1000
const percent = (share: number) => `${Math.round(share * 1000) / 10} %`
