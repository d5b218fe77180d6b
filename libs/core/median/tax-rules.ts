import type { TaxRuleChanged } from '@catalog/core/events/runs.ts'
import { compare, divide, parseDecimal } from '@catalog/core/money/rational.ts'
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

/**
 * The standard rates of value added tax by region, from 2010 on: for gross prices whose rate the vendor does not state.
 * Data from the laws named beside each region; "VAT rates applied in the Member States of the European Union"
 * (European Commission) lists those of EU members. Days are those on which a rate begins, read as UTC. Reduced rates
 * and special territories (Canary Islands, Madeira, Mexico's border) are left out.
 *
 * US and BR are absent on purpose: sales tax and ICMS differ by state, so no rate is standard there.
 */
const STANDARD_RATES: Readonly<Record<string, string>> = {
  /** Ley 37/1992 art. 90, changed by Ley 26/2009 and Real Decreto-ley 20/2012. */
  ES: '2010-01-01 0.16, 2010-07-01 0.18, 2012-09-01 0.21',
  /** Code général des impôts art. 278, changed by Loi 2012-1510. */
  FR: '2010-01-01 0.196, 2014-01-01 0.2',
  /** Código do IVA art. 18, changed by Lei 12-A/2010 and Lei 55-A/2010; the mainland's rate. */
  PT: '2010-01-01 0.2, 2010-07-01 0.21, 2011-01-01 0.23',
  /** Umsatzsteuergesetz §12; §28 (Zweites Corona-Steuerhilfegesetz) for the second half of 2020. */
  DE: '2010-01-01 0.19, 2020-07-01 0.16, 2021-01-01 0.19',
  /** D.P.R. 633/1972 art. 16, changed by D.L. 138/2011 and D.L. 98/2011 with D.L. 76/2013. */
  IT: '2010-01-01 0.2, 2011-09-17 0.21, 2013-10-01 0.22',
  /** Value Added Tax Act 1994 s. 2, changed by Finance (No. 2) Act 2010 s. 3. */
  GB: '2010-01-01 0.175, 2011-01-04 0.2',
  /** Value-Added Tax Consolidation Act 2010 s. 46, changed by Finance Acts 2012 and 2020. */
  IE: '2010-01-01 0.21, 2012-01-01 0.23, 2020-09-01 0.21, 2021-03-01 0.23',
  /** Wet op de omzetbelasting 1968 art. 9. */
  NL: '2010-01-01 0.19, 2012-10-01 0.21',
  /** Koninklijk besluit nr. 20 (1970). */
  BE: '2010-01-01 0.21',
  /** Umsatzsteuergesetz 1994 §10. */
  AT: '2010-01-01 0.2',
  /** Ustawa o podatku od towarów i usług art. 41 and 146a. */
  PL: '2010-01-01 0.22, 2011-01-01 0.23',
  /** Mervärdesskattelagen (1994:200, then 2023:200). */
  SE: '2010-01-01 0.25',
  /** Momsloven §33. */
  DK: '2010-01-01 0.25',
  /** Ley del Impuesto al Valor Agregado art. 1, changed on 7 December 2009. */
  MX: '2010-01-01 0.16',
  /** Decreto Ley 825 art. 14, with Ley 19.888. */
  CL: '2010-01-01 0.19',
  /** Estatuto Tributario art. 468, changed by Ley 1819 de 2016. */
  CO: '2010-01-01 0.16, 2017-01-01 0.19',
  /** TUO de la Ley del IGV art. 17 with Ley 29666, the municipal promotion tax included. */
  PE: '2010-01-01 0.19, 2011-03-01 0.18',
  /** Ley de Impuesto al Valor Agregado (23.349) art. 28. */
  AR: '2010-01-01 0.21',
  /** Texto Ordenado 1996 título 10 art. 16, with Ley 18.083. */
  UY: '2010-01-01 0.22',
}

/** The region's standard rate at that instant as a fraction of the net price ("0.21"); null where none is known. */
export function standardVatRate(region: string | null, atMs: number): string | null {
  const rates = region === null ? undefined : STARTS.get(region)
  return rates?.findLast(({ fromMs }) => fromMs <= atMs)?.rate ?? null
}

/** Regions with a standard rate, sorted. */
export const VAT_REGIONS: readonly string[] = Object.keys(STANDARD_RATES).sort()

const STARTS = new Map(
  Object.entries(STANDARD_RATES).map(([region, rates]) => [
    region,
    rates.split(', ').map((row) => {
      const [from, rate] = row.split(' ') as [string, string]
      return { fromMs: Date.parse(`${from}T00:00:00Z`), rate }
    }),
  ]),
)
