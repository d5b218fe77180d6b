import { type CrawlProblem, EXAMPLE_CHARS_MAX, EXAMPLES_MAX } from '@catalog/core/events/crawls.ts'
import { exponentOf, formatMoney } from '@catalog/core/money/money.ts'
import type { SampledRecord } from './record-figures.ts'

/** Records that show a person a problem of a crawl, each as one line. */

/** The first lines of a list, as an event can carry them. */
const examplesOf = (lines: readonly string[]): readonly string[] =>
  lines
    .slice(0, EXAMPLES_MAX)
    .map(exampleOf)
    .filter((line) => line !== '')

const exampleOf = (line: string) =>
  line
    .replace(/[\s\p{Cc}\ufffe\uffff]+/gu, ' ')
    .trim()
    .slice(0, EXAMPLE_CHARS_MAX)
    .toWellFormed()

/** A problem with its examples; none is absent. */
export const problemWith = (problem: CrawlProblem, lines: readonly string[]): CrawlProblem => {
  const examples = examplesOf(lines)
  return examples.length === 0 ? problem : { ...problem, examples: [...examples] }
}

/** A SKU as the vendor calls it: "S-1, Brick". */
export const skuText = ({ vendor_ref: ref, name }: Readonly<{ vendor_ref: string; name: string }>): string =>
  ref === name ? ref : `${ref}, ${name}`

/** A SKU with its price for one unit: "S-1, Brick: 4.85 EUR". */
export const pricedText = (record: Pick<SampledRecord, 'vendor_ref' | 'name' | 'price'>): string =>
  `${skuText(record)}: ${unitPriceText(record.price.cents / record.price.per_quantity, record.price.currency)}`

/** The price of one unit, in minor units, which may have a fraction: "4.85 EUR". */
export function unitPriceText(cents: number, currency: string): string {
  const exponent = exponentOf(currency)
  if (exponent === null || !Number.isSafeInteger(cents)) {
    return `${Number((cents / 10 ** (exponent ?? 0)).toPrecision(6))} ${currency}`
  }
  return formatMoney(cents, currency)
}
