import type { CrawlProblem } from '@catalog/core/events/crawls.ts'

/** The quality that an operator demands of a source. An absent limit holds nothing. */
export type QualityThresholds = Readonly<{
  /** Share of the prices in a unit that the catalog does not know. */
  unknownUnitsMax?: number
  /** Share of the records that are parked. */
  parkedMax?: number
  /** Share of the prices that say neither net nor gross. */
  taxNotStatedMax?: number
  /** Share of the prices beyond twice, or below half, what others ask for the same item. */
  dispersionMax?: number
  /** Days since the newest price. */
  stalenessMaxDays?: number
}>

/** The figures that thresholds bound; null for what is not known. */
export type QualityFigures = Readonly<{
  unknownUnits: number | null
  parked: number | null
  taxNotStated: number | null
  dispersion: number | null
  ageDays: number | null
}>

const CHECKS: readonly (readonly [code: string, keyof QualityThresholds, keyof QualityFigures, text: Text])[] = [
  ['UNKNOWN_UNITS', 'unknownUnitsMax', 'unknownUnits', shares('of the prices have an unknown unit')],
  ['TOO_MANY_PARKED', 'parkedMax', 'parked', shares('of the records are parked')],
  ['TAX_NOT_STATED', 'taxNotStatedMax', 'taxNotStated', shares('of the prices do not state their tax')],
  [
    'PRICES_DISPERSED',
    'dispersionMax',
    'dispersion',
    shares('of the prices stand more than 2 times from the medians of their items'),
  ],
  ['PRICES_STALE', 'stalenessMaxDays', 'ageDays', days],
]

/** The thresholds that these figures exceed, with the value found and the value allowed. Empty for none. */
export function breachesOf(figures: QualityFigures, thresholds: QualityThresholds): CrawlProblem[] {
  return CHECKS.flatMap(([code, max, figure, text]) => {
    const [value, limit] = [figures[figure], thresholds[max]]
    return value === null || limit === undefined || value <= limit ? [] : [{ code, detail: text(value, limit) }]
  })
}

type Text = (value: number, max: number) => string
function days(value: number, max: number): string {
  return `the newest price is ${value} days old; expected at most ${max}`
}
function shares(of: string): Text {
  return (value, max) => `${percent(value)} ${of}; expected at most ${percent(max)}`
}
const percent = (share: number) => `${Math.round(share * 1000) / 10} %`
