import type { CrawlProblem, RecordParked } from '@catalog/core/events/crawls.ts'
import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import { exponentOf } from '@catalog/core/money/money.ts'
import { divide, parseDecimal, type Rational, rational, toText } from '@catalog/core/money/rational.ts'
import { parseUnit } from '@catalog/core/units/parse-unit.ts'
import type { Fact, Truth } from './truth.ts'

/** What a crawl recorded and parked of a file, and the problems that it told. */
export type Found = Readonly<{
  observations: readonly ObservationRecorded[]
  parked: readonly RecordParked[]
  problems: readonly CrawlProblem[]
}>

type Compared = Readonly<{ verdict: 'right' | 'refused' | 'wrong'; says: string }>

/** Whether all facts are right, some are refused, or one is wrong: another fact, or one that is gone without a word. */
export function compare(truth: Truth, found: Found): Compared {
  const { observations, parked, problems } = found
  const reasons = [...parked.map(({ reason }) => reason), ...problems.map(({ code }) => code)]
  const told = [...new Set(reasons)].join(', ') || 'nothing'
  const says = `${observations.length} recorded, ${parked.length} parked (${told})`
  const wrong = (fault: string): Compared => ({ verdict: 'wrong', says: `${fault}; ${says}` })
  for (const observation of observations) {
    const fault = faultOf(observation, truth)
    if (fault !== null) return wrong(fault)
  }
  for (const [reference, reason] of Object.entries(truth.parked)) {
    const isParked = parked.some((one) => one.vendor_ref === reference && one.reason === reason)
    if (!isParked) return wrong(`${reference}: expected ${reason}`)
  }
  if (truth.refused !== undefined && !reasons.includes(truth.refused)) return wrong(`expected ${truth.refused}`)
  const missing = Object.entries(truth.recorded).filter(
    ([reference, fact]) => !observations.some((one) => one.vendor_ref === reference && figureOf(one, fact) !== null),
  )
  if (missing.length === 0) return { verdict: 'right', says }
  const isTold = truth.may_refuse && (reasons.length > 0 || observations.length > 0)
  return isTold ? { verdict: 'refused', says } : wrong(`lacks ${missing.map(([reference]) => reference).join(', ')}`)
}

function faultOf(observation: ObservationRecorded, { recorded, may_refuse }: Truth): string | null {
  const { vendor_ref, price, unit, observed_at } = observation
  const fact = recorded[vendor_ref]
  const shown = `${vendor_ref} is ${price.cents} cents ${price.currency} per ${price.per_quantity} '${unit ?? ''}'`
  if (fact === undefined) return `${shown}: expected no price`
  const value = figureOf(observation, fact)
  if (value === null) return may_refuse ? null : `${shown}: expected ${fact.text}, a known unit`
  const isRight = value === expectedOf(fact) && (fact.day === undefined || observed_at.startsWith(fact.day))
  return isRight ? null : `${shown} on ${observed_at}: expected ${fact.text}`
}

/** The amount for one base unit, with currency and dimension; null where the unit is unknown. */
function figureOf({ price, unit, lang }: ObservationRecorded, fact: Fact): string | null {
  const minor = 10n ** BigInt(exponentOf(price.currency) ?? 0)
  const amount = rational(BigInt(price.cents), BigInt(price.per_quantity) * minor)
  return fact.unit === undefined ? figureIn(amount, price.currency) : figureIn(amount, price.currency, unit ?? '', lang)
}

const expectedOf = ({ amount, currency, unit }: Fact) => figureIn(parseDecimal(amount), currency, unit)

function figureIn(amount: Rational, currency: string, unit?: string, lang?: string): string | null {
  if (unit === undefined) return `${toText(amount)} ${currency}`
  const read = parseUnit(unit, { lang })
  return read && `${toText(divide(amount, read.factor))} ${currency} ${read.dimension}`
}
