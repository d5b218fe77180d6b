import { showRematch } from '@catalog/cli/rematch/rematch.ts'
import {
  DEAD_LETTERS,
  showDeadLetter,
  showTaxRules,
  showTrust,
  UNIT_ALIASES,
  UNKNOWN_UNITS,
} from '@catalog/cli/review/decision-lists.ts'
import { APART, PAIRS, REUSED, SPELLINGS, WAITING } from '@catalog/cli/review/review-lists.ts'
import { withCatalog } from '@catalog/cli/shared/context.ts'
import { doing, listing, printOutcome } from '@catalog/cli/shared/list.ts'
import { table } from '@catalog/cli/shared/terminal.ts'
import { confirmItem } from '@catalog/operations/decisions/apart.ts'
import { undo } from '@catalog/operations/decisions/console-decisions.ts'
import {
  type ResolveOptions,
  resolveDeadLetters,
  retryDeadLetters,
} from '@catalog/operations/decisions/dead-letters.ts'
import { editDeadLetter } from '@catalog/operations/decisions/edit-dead-letter.ts'
import { mergeItems, overrideObservation, rejectPair, splitSkus } from '@catalog/operations/decisions/items.ts'
import { type RetractOptions, retract } from '@catalog/operations/decisions/retract.ts'
import { setTaxRule, type TaxFlags } from '@catalog/operations/decisions/tax.ts'
import { changeTrust } from '@catalog/operations/decisions/trust.ts'
import { type AliasOptions, aliasUnit } from '@catalog/operations/decisions/units.ts'
import { acceptSpellings, rejectSpelling } from '@catalog/operations/decisions/vendor-spellings.ts'
import type { Actions } from './actions.ts'

type Reason = { reason: string }

/** Decisions show in the prices of the next run. */
const RUN = 'catalog aggregate'

/** Lets an observation vote, or no longer. */
const overriding = (type: Parameters<typeof overrideObservation>[1]['type']) =>
  doing(
    (catalog, observationId: string, { reason }: Reason) =>
      overrideObservation(catalog, { type, observationId, reason }),
    RUN,
  )

export const ACTIONS: Actions = {
  'parked list': listing(DEAD_LETTERS),
  'parked show': withCatalog(showDeadLetter),
  'parked retry': doing(async (catalog, ids: string[]) => {
    const retried = await retryDeadLetters(catalog, ids)
    return { value: { retried }, said: table(retried) }
  }, 'catalog parked'),
  'parked edit': doing(
    (catalog, id: string, options: Reason & { set: string[] }) => editDeadLetter(catalog, { id, ...options }),
    'catalog parked, or catalog aggregate',
  ),
  'parked resolve': doing((catalog, ids: string[], options: ResolveOptions) =>
    resolveDeadLetters(catalog, { ...options, ids }),
  ),
  'units unknown': listing(UNKNOWN_UNITS),
  'units aliases': listing(UNIT_ALIASES),
  'units alias': doing(
    (catalog, unit: string, canonical: string | undefined, options: AliasOptions) =>
      aliasUnit(catalog, { unit, canonical, ...options }),
    RUN,
  ),
  trust: withCatalog(
    async (context, source: string | undefined, score: string | undefined, given: Reason & { all?: boolean }) => {
      if (source === undefined) return showTrust(context)
      if (score === undefined) throw new Error(`trust of '${source}': expected a score from 0 to 100`)
      printOutcome(context.terminal, await changeTrust(context.catalog, { source, score, ...given }))
      context.terminal.next(RUN)
    },
  ),
  'tax list': withCatalog(showTaxRules),
  'tax set': doing((catalog, region: string, flags: TaxFlags) => setTaxRule(catalog, { region, flags }), RUN),
  retract: withCatalog(async ({ catalog, terminal }, { dryRun = false, ...options }: Partial<RetractOptions>) => {
    printOutcome(terminal, await retract(catalog, { ...options, dryRun }))
    terminal.next(dryRun ? 'the same command without --dry-run, with --reason "..."' : RUN)
  }),
  rematch: withCatalog(showRematch),
  'review list': listing(PAIRS),
  'review waiting': listing(WAITING),
  'review reused': listing(REUSED),
  'review apart': listing(APART),
  'review merge': doing(
    (catalog, from: string, into: string, options: Reason & { replace?: string }) =>
      mergeItems(catalog, { from, into, ...options }),
    RUN,
  ),
  'review split': doing((catalog, skuIds: string[], { reason }: Reason) => splitSkus(catalog, { skuIds, reason }), RUN),
  'review reject': doing(
    (catalog, a: string, b: string, { reason }: Reason) => rejectPair(catalog, { a, b, reason }),
    'catalog review',
  ),
  'review undo': doing(undo, 'catalog review'),
  'review keep': doing(
    (catalog, itemId: string, { reason }: Reason) => confirmItem(catalog, { itemId, reason }),
    'catalog review apart',
  ),
  'review quarantine': overriding('ObservationQuarantined'),
  'review release': overriding('ObservationReleased'),
  'review sources list': listing(SPELLINGS),
  'review sources accept': doing(
    (catalog, pair: string[], { all = false, reason }: Reason & { all?: boolean }) =>
      acceptSpellings(catalog, { pair, all, reason }),
    RUN,
  ),
  'review sources reject': doing(
    (catalog, a: string, b: string, { reason }: Reason) => rejectSpelling(catalog, { a, b, reason }),
    'catalog review sources',
  ),
}
