import { REGIONS } from '@catalog/core/events/sources.ts'
import type { Method } from '@catalog/core/median/median.ts'
import { standardVatRate, VAT_REGIONS } from '@catalog/core/money/standard-rates.ts'
import { decide, presentOf, sourcesNow } from '@catalog/operations/append-decision.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import type { Outcome } from '@catalog/operations/outcome.ts'
import { type Cut, isMethodDecided, methodAt, taxRulesAt } from '@catalog/store/vendor/as-of-queries.ts'

/** How open taxes vote in each region that has sources, a rule, or a standard rate. */
export async function taxRules(catalog: Catalog) {
  const cut = presentOf(catalog)
  const rules = await taxRulesAt(catalog.store, cut)
  const sources = [...(await sourcesNow(catalog)).values()]
  const regions = new Set([...rules.keys(), ...VAT_REGIONS, ...sources.flatMap(({ region }) => region ?? [])])
  const method = await methodOf(catalog, cut)
  return {
    method: method.name,
    isRead: method.votes === 'guarded',
    regions: [...regions].sort().map((region) => ({
      region,
      sources: sources.filter((source) => source.region === region).length,
      not_stated: rules.get(region)?.notStated ?? 'as_is',
      gross_without_rate: rules.get(region)?.grossWithoutRate ?? 'as_is',
      standard_rate: standardVatRate(region, Date.parse(cut.asOf)),
    })),
  }
}

/** The method in force, or before the first run the one that it begins with. */
async function methodOf({ store, aggregator }: Catalog, cut: Cut): Promise<Method> {
  const first = aggregator.methodOfNewCatalogs
  return first === undefined || (await isMethodDecided(store)) ? methodAt(store, cut) : first
}

export const unreadBy = (method: string) => `method ${method} does not read these rules: catalog what-if --method twm/4`

export type TaxFlags = Readonly<{ notStated?: string; grossWithoutRate?: string; reason: string }>

/** Changes what is named of a region's rule, and keeps the rest. */
export async function setTaxRule(
  catalog: Catalog,
  { region: given, flags }: { region: string; flags: TaxFlags },
): Promise<Outcome> {
  const region = given.toUpperCase()
  if (!/^[A-Z]{2}$|^LATAM$/.test(region)) {
    throw new Error(`region '${given}': expected the region of sources, such as ${REGIONS.join(', ')}`)
  }
  if (flags.notStated === undefined && flags.grossWithoutRate === undefined) {
    throw new Error(`tax of ${region}: expected --not-stated or --gross-without-rate`)
  }
  const cut = presentOf(catalog)
  const present = (await taxRulesAt(catalog.store, cut)).get(region)
  const notStated = chosen('--not-stated', flags.notStated, ['as_is', 'majority'] as const)
  const gross = chosen('--gross-without-rate', flags.grossWithoutRate, ['as_is', 'standard_rate'] as const)
  if (gross === 'standard_rate' && standardVatRate(region, Date.parse(cut.asOf)) === null) {
    const known = VAT_REGIONS.join(', ')
    throw new Error(`--gross-without-rate standard_rate: ${region} has no standard rate here; expected one of ${known}`)
  }
  const event = await decide(catalog, {
    type: 'TaxRuleChanged' as const,
    region,
    not_stated: notStated ?? present?.notStated ?? 'as_is',
    gross_without_rate: gross ?? present?.grossWithoutRate ?? 'as_is',
    reason: flags.reason,
  })
  const said = `${region} from ${event.decided_at} on: prices without a tax statement ${event.not_stated}, gross prices without a rate ${event.gross_without_rate}`
  const method = await methodOf(catalog, cut)
  return { value: event, said: method.votes === 'guarded' ? said : `${said}\n${unreadBy(method.name)}` }
}

function chosen<Choice extends string>(
  option: string,
  given: string | undefined,
  choices: readonly Choice[],
): Choice | undefined {
  const choice = choices.find((one) => one === given)
  if (given !== undefined && choice === undefined) {
    throw new Error(`${option} '${given}': expected ${choices.join(' or ')}`)
  }
  return choice
}
