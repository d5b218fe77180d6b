import type { TaxRuleChanged } from '@catalog/core/events/runs.ts'
import { compare, divide, parseDecimal } from '@catalog/core/money/rational.ts'
import { standardVatRate } from '@catalog/core/money/standard-rates.ts'
import { type Priced, type SkuAsOf, taxFactorOf } from './sku-prices.ts'
import { countryOf } from './subdivisions.ts'
import { nationalVotes } from './voices.ts'
import type { Vote } from './vote.ts'

/** The operator's choice for prices of a region that leave their tax open. */
export type TaxRule = Readonly<{
  notStated: TaxRuleChanged['not_stated']
  grossWithoutRate: TaxRuleChanged['gross_without_rate']
}>
/** By region, as sources carry it; a region without a rule leaves such prices as they are. */
export type TaxRules = ReadonlyMap<string, TaxRule>

export const NO_TAX_RULES: TaxRules = new Map()

/**
 * The SKUs with the open taxes of their prices settled by the rules: a pure function of the given sets. `votes` are the
 * item's votes by the stated taxes.
 *
 * - A gross price without a rate loses the region's standard rate of its day ({@link standardVatRate}).
 * - A price without a statement counts as those that state one, by trust, among the item's votes from the same country.
 *   Half against half, or nobody, decides nothing. Where the majority is gross, the price loses the rate to which most
 *   of that trust agrees (of equals the lowest), else the standard rate where the rule allows it.
 */
export function withTaxRules(skus: readonly SkuAsOf[], votes: readonly Vote[], rules: TaxRules): readonly SkuAsOf[] {
  const national = [...nationalVotes(votes)]
  return skus.map((sku): SkuAsOf => {
    const { region } = sku.sku
    const country = region === null ? null : countryOf(region)
    const rule = taxRuleOf(region, rules)
    if (rule === undefined) return sku
    const statedThere = national.filter((vote) => vote.sku.region !== null && countryOf(vote.sku.region) === country)
    const majority = rule.notStated === 'majority' ? majorityOf(statedThere) : null
    return { ...sku, priced: sku.priced.map((priced) => settled(priced, { rule, region: country, majority })) }
  })
}

/** The rule for sources of a region. */
export function taxRuleOf(region: string | null, rules: TaxRules): TaxRule | undefined {
  return region === null ? undefined : rules.get(countryOf(region))
}

type Majority = Readonly<{ gross: boolean; rate: string | null }>

function settled(
  priced: Priced,
  { rule, region, majority }: { rule: TaxRule; region: string | null; majority: Majority | null },
): Priced {
  const standardRate = () =>
    rule.grossWithoutRate === 'standard_rate' ? standardVatRate(region, priced.observedAtMs) : null
  if (priced.tax.state === 'gross_without_rate') {
    const rate = standardRate()
    return rate === null ? priced : withoutTax(priced, { rate, by: 'standard_rate' })
  }
  if (priced.tax.state !== 'not_stated' || majority === null) return priced
  if (!majority.gross) return { ...priced, tax: { ...priced.tax, by: 'majority' } }
  const rate = majority.rate ?? standardRate()
  if (rate === null) return { ...priced, taxUnknown: true, tax: { ...priced.tax, by: 'majority' } }
  return withoutTax(priced, { rate, by: 'majority' })
}

function withoutTax(priced: Priced, { rate, by }: { rate: string; by: 'standard_rate' | 'majority' }): Priced {
  const factor = taxFactorOf(rate)
  if (factor === null) throw new RangeError(`tax rate '${rate}': expected a fraction from 0 to below 1`)
  return { ...priced, price: divide(priced.price, factor), taxUnknown: false, tax: { ...priced.tax, rate, by } }
}

/** What more than half of the trust of those that state a tax says; null where there is no such half. */
function majorityOf(votes: readonly Vote[]): Majority | null {
  let [net, gross] = [0, 0]
  const rates = new Map<string, number>()
  for (const { weight, observation } of votes) {
    const { state, rate } = observation.tax
    if (state === 'not_stated') continue
    if (state === 'net') net += weight
    else gross += weight
    if (rate !== null) rates.set(rate, (rates.get(rate) ?? 0) + weight)
  }
  if (net === gross) return null
  const [first] = [...rates].sort(([a, trustA], [b, trustB]) => trustB - trustA || byRate(a, b))
  return { gross: gross > net, rate: first?.[0] ?? null }
}

const byRate = (a: string, b: string) => compare(parseDecimal(a), parseDecimal(b)) || (a < b ? -1 : 1)
