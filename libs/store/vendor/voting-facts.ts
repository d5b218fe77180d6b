import type { SourceFacts } from '@catalog/core/median/source-settings.ts'
import type { TaxRules } from '@catalog/core/median/tax-rules.ts'
import type { Queryable } from '@catalog/store/db.ts'
import {
  type Cut,
  editionsAt,
  overridesAt,
  type SourceAt,
  sourcesAt,
  taxRulesAt,
  type UnitAliasRow,
  unitAliasRowsAt,
} from './as-of-queries.ts'
import { sourceVoicesAt } from './source-aliases.ts'

/** What votes at a cut depend on beside observations and memberships. */
export type VotingFacts = SourceFacts<SourceAt> &
  Readonly<{
    taxRules: TaxRules
    /** People's decisions by observation id. */
    overrides: ReadonlyMap<string, 'quarantined' | 'released'>
    unitAliases: readonly UnitAliasRow[]
  }>

export async function votingFactsAt(store: Queryable, cut: Cut): Promise<VotingFacts> {
  return {
    sources: await sourcesAt(store, cut),
    voices: await sourceVoicesAt(store, cut),
    editions: await editionsAt(store, cut),
    taxRules: await taxRulesAt(store, cut),
    overrides: await overridesAt(store, cut),
    unitAliases: await unitAliasRowsAt(store, cut),
  }
}
