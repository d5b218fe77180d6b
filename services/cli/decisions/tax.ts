import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import { REGIONS } from '@catalog/core/events/sources.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import type { Method } from '@catalog/core/median/median.ts'
import { standardVatRate, VAT_REGIONS } from '@catalog/core/median/tax-rules.ts'
import { instant } from '@catalog/core/time.ts'
import { appendDecisions } from '@catalog/operations/append-decision.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { type Cut, isMethodDecided, methodAt, sourcesAt, taxRulesAt } from '@catalog/store/vendor/as-of-queries.ts'

/** `catalog tax`: how open taxes vote in each region that has sources, a rule, or a standard rate. */
export async function listTaxRules(catalog: Catalog, terminal: Terminal): Promise<void> {
  const now = instant(catalog.now())
  const cut = { asOf: now, positions: null }
  const rules = await taxRulesAt(catalog.store, cut)
  const sources = [...(await sourcesAt(catalog.store, cut)).values()]
  const regions = new Set([...rules.keys(), ...VAT_REGIONS, ...sources.flatMap(({ region }) => region ?? [])])
  const rows = [...regions].sort().map((region) => {
    const rule = rules.get(region)
    return {
      region,
      sources: sources.filter((source) => source.region === region).length,
      not_stated: rule?.notStated ?? 'as_is',
      gross_without_rate: rule?.grossWithoutRate ?? 'as_is',
      standard_rate: standardVatRate(region, Date.parse(now)),
    }
  })
  const method = await methodOf(catalog, cut)
  terminal.answer({ method: method.name, regions: rows }, () =>
    [table(rows), ...(method.votes === 'guarded' ? [] : [unreadBy(method.name)])].join('\n'),
  )
  terminal.next('catalog tax set REGION --not-stated majority --gross-without-rate standard_rate --reason "..."')
}

/** The method in force, or before the first run the one that it begins with. */
async function methodOf({ store, aggregator }: Catalog, cut: Cut): Promise<Method> {
  const first = aggregator.methodOfNewCatalogs
  return first === undefined || (await isMethodDecided(store)) ? methodAt(store, cut) : first
}

const unreadBy = (method: string) => `method ${method} does not read these rules: catalog what-if --method twm/3`

export type TaxFlags = Readonly<{ notStated?: string; grossWithoutRate?: string; reason: string }>

/** `catalog tax set`: changes what is named, and keeps the rest of the region's rule. */
export async function setTaxRule(
  catalog: Catalog,
  terminal: Terminal,
  { region: given, flags }: { region: string; flags: TaxFlags },
): Promise<void> {
  const region = given.toUpperCase()
  if (!/^[A-Z]{2}$|^LATAM$/.test(region)) {
    throw new Error(`region '${given}': expected the region of sources, such as ${REGIONS.join(', ')}`)
  }
  if (flags.notStated === undefined && flags.grossWithoutRate === undefined) {
    throw new Error(`tax of ${region}: expected --not-stated or --gross-without-rate`)
  }
  const now = instant(catalog.now())
  const cut = { asOf: now, positions: null }
  const present = (await taxRulesAt(catalog.store, cut)).get(region)
  const notStated = chosen('--not-stated', flags.notStated, ['as_is', 'majority'] as const)
  const gross = chosen('--gross-without-rate', flags.grossWithoutRate, ['as_is', 'standard_rate'] as const)
  if (gross === 'standard_rate' && standardVatRate(region, Date.parse(now)) === null) {
    const known = VAT_REGIONS.join(', ')
    throw new Error(`--gross-without-rate standard_rate: ${region} has no standard rate here; expected one of ${known}`)
  }
  const event = {
    type: 'TaxRuleChanged' as const,
    decided_at: now,
    region,
    not_stated: notStated ?? present?.notStated ?? 'as_is',
    gross_without_rate: gross ?? present?.grossWithoutRate ?? 'as_is',
    reason: flags.reason,
  }
  await appendDecisions(catalog, TOPICS.decisions, [event])
  const method = await methodOf(catalog, cut)
  terminal.answer(event, () =>
    [
      `${region} from ${now} on: prices without a tax statement ${event.not_stated}, gross prices without a rate ${event.gross_without_rate}`,
      ...(method.votes === 'guarded' ? [] : [unreadBy(method.name)]),
    ].join('\n'),
  )
  terminal.next('catalog aggregate')
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
