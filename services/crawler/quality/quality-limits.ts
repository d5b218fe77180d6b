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

type Check = Readonly<{
  code: string
  max: keyof QualityThresholds
  figure: keyof QualityFigures
  text: (value: number, max: number) => string
}>

const CHECKS: readonly Check[] = [
  {
    code: 'UNKNOWN_UNITS',
    max: 'unknownUnitsMax',
    figure: 'unknownUnits',
    text: shares('of the prices have an unknown unit'),
  },
  { code: 'TOO_MANY_PARKED', max: 'parkedMax', figure: 'parked', text: shares('of the records are parked') },
  {
    code: 'TAX_NOT_STATED',
    max: 'taxNotStatedMax',
    figure: 'taxNotStated',
    text: shares('of the prices do not state their tax'),
  },
  {
    code: 'PRICES_DISPERSED',
    max: 'dispersionMax',
    figure: 'dispersion',
    text: shares('of the prices stand more than 2 times from the medians of their items'),
  },
  {
    code: 'PRICES_STALE',
    max: 'stalenessMaxDays',
    figure: 'ageDays',
    text: (value, max) => `the newest price is ${value} days old; expected at most ${max}`,
  },
]

/** The thresholds that these figures exceed, with the value found and the value allowed. Empty for none. */
export function breachesOf(figures: QualityFigures, thresholds: QualityThresholds): CrawlProblem[] {
  return CHECKS.flatMap(({ code, max, figure, text }) => {
    const [value, limit] = [figures[figure], thresholds[max]]
    return value === null || limit === undefined || value <= limit ? [] : [{ code, detail: text(value, limit) }]
  })
}

function shares(what: string): Check['text'] {
  return (value, max) => `${percent(value)} ${what}; expected at most ${percent(max)}`
}
const percent = (share: number) => `${Math.round(share * 1000) / 10} %`
