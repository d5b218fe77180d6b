import { rematchItems } from '@catalog/cli/rematch/rematch.ts'
import { decideByKey, pressedKeys } from '@catalog/cli/review/decide.ts'
import {
  DEAD_LETTERS,
  showDeadLetter,
  showTaxRules,
  showTrust,
  UNIT_ALIASES,
  UNKNOWN_UNITS,
} from '@catalog/cli/review/decision-lists.ts'
import { openEditor } from '@catalog/cli/review/editor.ts'
import { APART, PAIRS, REUSED, SPELLINGS, WAITING } from '@catalog/cli/review/review-lists.ts'
import { withCatalog } from '@catalog/cli/shared/context.ts'
import { addList, doing, printOutcome } from '@catalog/cli/shared/list.ts'
import { table } from '@catalog/cli/shared/terminal.ts'
import { rowLimit } from '@catalog/cli/shared/whole-number.ts'
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
import { type Command, Option } from 'commander'

const reason = new Option('--reason <text>', 'why').makeOptionMandatory()
type Reason = { reason: string }

/** Decisions show in the prices of the next run. */
const RUN = 'catalog aggregate'

export function addParked(program: Command): void {
  const parked = program.command('parked').description('dead letters: records that could not be recorded or applied')
  addList(
    parked
      .command('list', { isDefault: true })
      .description('the groups of open records by reason and source, and the records')
      .option('--reason <code>', 'only those with this reason')
      .option('--source <name>', 'only those of this source, by id or name'),
    { rows: 'records', place: 'id', list: DEAD_LETTERS },
  )
  parked
    .command('show')
    .description('show an open record with its raw text')
    .argument('<id>', 'record')
    .action(withCatalog(showDeadLetter))
  parked
    .command('retry')
    .description('apply again what the projector parked')
    .argument('[id...]', 'records (default: all that the projector parked)')
    .action(
      doing(async (catalog, ids: string[]) => {
        const retried = await retryDeadLetters(catalog, ids)
        return { value: { retried }, said: table(retried) }
      }, 'catalog parked'),
    )
  parked
    .command('edit')
    .description('correct an open record, in your editor or by --set, and record it')
    .argument('<id>', 'record')
    .option('--set <key=value...>', 'new text of a key of the mapping; without it $EDITOR opens the record')
    .addOption(reason)
    .addHelpText(
      'after',
      `
Example:
  catalog parked edit ID --set observed_at=2026-02-28 --reason "February has 28 days"`,
    )
    .action(
      doing(
        (catalog, id: string, { set = [], reason }: Reason & { set?: string[] }) =>
          editDeadLetter(catalog, { id, set, reason, edit: openEditor }),
        'catalog parked, or catalog aggregate',
      ),
    )
  parked
    .command('resolve')
    .description('close records that a person has dealt with')
    .argument('[id...]', 'records')
    .option('--of <code>', 'every open record with this reason')
    .option('--source <name>', 'every open record of this source, by id or name')
    .addOption(
      new Option('--as <resolution>', 'what became of them').choices(['recorded', 'dropped']).makeOptionMandatory(),
    )
    .requiredOption('--reason <text>', 'why')
    .action(
      doing((catalog, ids: string[], options: ResolveOptions) => resolveDeadLetters(catalog, { ...options, ids })),
    )
}

export function addTrust(program: Command): void {
  program
    .command('trust')
    .description('list sources with their trust, or change one')
    .argument('[source]', 'id or name')
    .argument('[score]', '0 to 100')
    .option('--all', 'all sources of that name, which the command lists without it')
    .option('--reason <text>', 'why', 'set by the operator')
    .action(
      withCatalog(
        async (context, source: string | undefined, score: string | undefined, given: Reason & { all?: boolean }) => {
          if (source === undefined) return showTrust(context)
          if (score === undefined) throw new Error(`trust of '${source}': expected a score from 0 to 100`)
          printOutcome(context.terminal, await changeTrust(context.catalog, { source, score, ...given }))
          context.terminal.next(RUN)
        },
      ),
    )
}

export function addTax(program: Command): void {
  const tax = program.command('tax').description('how prices vote whose vendor leaves the tax open')
  tax
    .command('list', { isDefault: true })
    .description('list the rule and the standard rate of each region')
    .action(withCatalog(showTaxRules))
  tax
    .command('set')
    .description('change the rule of the sources of a region')
    .argument('<region>', 'as sources carry it')
    .option('--not-stated <choice>', 'prices without a statement: as_is, or majority (as those that state their tax)')
    .option('--gross-without-rate <choice>', 'as_is, or standard_rate (remove the rate of the day)')
    .addOption(reason)
    .action(doing((catalog, region: string, flags: TaxFlags) => setTaxRule(catalog, { region, flags }), RUN))
}

export function addRetract(program: Command): void {
  program
    .command('retract')
    .description('retract an observation, the records of a crawl, all of a source so far, or a run of the future')
    .option('--observation <id>', 'one observation')
    .option('--crawl <id>', 'what this crawl alone delivered')
    .option('--source <name>', 'everything of a source up to now')
    .option('--run <id>', 'a run that a wrong clock dated after now, and all later ones')
    .option('--all', 'everything of all sources of that name, which the command lists without it')
    .option('--reason <text>', 'why; shown with the record for ever')
    .option('--dry-run', 'report what would go, and append nothing')
    .action(
      withCatalog(async ({ catalog, terminal }, { dryRun = false, ...options }: Partial<RetractOptions>) => {
        printOutcome(terminal, await retract(catalog, { ...options, dryRun }))
        terminal.next(dryRun ? 'the same command without --dry-run, with --reason "..."' : RUN)
      }),
    )
}

export function addReview(program: Command): void {
  const review = program.command('review').description('matches that a person decides')
  addList(
    review
      .command('list', { isDefault: true })
      .description('list pairs that look like one product and that no rule decides, the surest first'),
    { rows: 'pairs', list: PAIRS },
  )
  addList(
    review
      .command('waiting')
      .description('list first prices that wait in quarantine because they are far from the others'),
    { rows: 'prices', list: WAITING },
  )
  addList(
    review
      .command('reused')
      .description('list references of vendors that came to stand for another article, the last first'),
    { rows: 'references', list: REUSED },
  )
  addList(
    review
      .command('apart')
      .description(
        'list items whose vendors stand more than 2 times apart in one market, with the split that would mend each',
      ),
    { rows: 'items', place: 'item', list: APART },
  )
  review
    .command('decide')
    .description(
      'ask one question after the other, each answered by one key: pairs first, then items whose vendors stand apart',
    )
    .option('--reason <text>', 'why; kept with every decision', 'decided in review')
    .action(
      withCatalog(({ catalog, terminal }, { reason }: Reason) =>
        decideByKey(catalog, terminal, { keys: pressedKeys(), reason }),
      ),
    )
  addPairDecisions(review)
  addUndo(review)
  addConfirmation(review)
  addSpellings(review)
  addOverrides(review)
}

export function addRematch(program: Command): void {
  program
    .command('rematch')
    .description(
      'show what the present matching rule decides otherwise about the items that exist; --accept publishes it',
    )
    .option('--dry-run', 'append nothing; the default')
    .option('--accept', 'publish exactly these splits and merges; needs --reason')
    .option('--reason <text>', 'why; kept with the decisions of --accept')
    .option('--limit <n>', 'splits and merges to print', '50')
    .addHelpText(
      'after',
      `
Examples:
  catalog rematch
  catalog rematch --json > rematch.json
  catalog rematch --accept --reason "grades of labour are kept apart"`,
    )
    .action(
      withCatalog(
        (
          { catalog, terminal },
          { dryRun, accept, reason, limit }: { dryRun?: boolean; accept?: boolean; reason?: string; limit: string },
        ) => {
          if (dryRun && accept) throw new Error('--dry-run and --accept: expected one of them')
          return rematchItems(catalog, terminal, {
            accept: accept ?? false,
            ...(reason !== undefined && { reason }),
            limit: rowLimit(limit),
          })
        },
      ),
    )
}

function addSpellings(review: Command): void {
  const sources = review.command('sources').description('sources whose names differ in punctuation and legal form only')
  addList(sources.command('list', { isDefault: true }).description('list the pairs that may be one vendor'), {
    rows: 'pairs',
    list: SPELLINGS,
  })
  sources
    .command('accept')
    .description('a source is another spelling of CANONICAL: both cast one vote')
    .argument('[pair...]', 'SOURCE and CANONICAL, ids or names')
    .option('--all', 'every pair that is proposed now')
    .addOption(reason)
    .action(
      doing(
        (catalog, pair: string[], { all = false, reason }: Reason & { all?: boolean }) =>
          acceptSpellings(catalog, { pair, all, reason }),
        RUN,
      ),
    )
  sources
    .command('reject')
    .description('two sources are two vendors: do not propose them again')
    .argument('<source-a>')
    .argument('<source-b>')
    .addOption(reason)
    .action(
      doing(
        (catalog, a: string, b: string, { reason }: Reason) => rejectSpelling(catalog, { a, b, reason }),
        'catalog review sources',
      ),
    )
}

function addPairDecisions(review: Command): void {
  review
    .command('merge')
    .alias('accept')
    .description('two items are one: FROM becomes part of INTO')
    .argument('<from>')
    .argument('<into>')
    .option('--replace <sku>', 'first detach this vendor SKU, where both items have one of the same source')
    .addOption(reason)
    .action(
      doing(
        (catalog, from: string, into: string, options: Reason & { replace?: string }) =>
          mergeItems(catalog, { from, into, ...options }),
        RUN,
      ),
    )
  review
    .command('split')
    .description('vendor SKUs are another product: found an item for them, apart for ever from their former companions')
    .argument('<sku...>')
    .addOption(reason)
    .action(doing((catalog, skuIds: string[], { reason }: Reason) => splitSkus(catalog, { skuIds, reason }), RUN))
  review
    .command('reject')
    .description('two vendor SKUs are two products: keep them apart for ever, and do not ask again')
    .argument('<sku-a>')
    .argument('<sku-b>')
    .addOption(reason)
    .action(
      doing(
        (catalog, a: string, b: string, { reason }: Reason) => rejectPair(catalog, { a, b, reason }),
        'catalog review',
      ),
    )
}

function addUndo(review: Command): void {
  review
    .command('undo')
    .description(
      'take back a decision of the console that is not recorded yet: the last one, or the one with this number',
    )
    .argument('[decision]', 'as catalog operators decisions lists it')
    .action(doing(undo, 'catalog review'))
}

function addConfirmation(review: Command): void {
  review
    .command('keep')
    .description('the vendor SKUs of an item are one product, though their prices stand apart')
    .argument('<item>')
    .addOption(reason)
    .action(
      doing(
        (catalog, itemId: string, { reason }: Reason) => confirmItem(catalog, { itemId, reason }),
        'catalog review apart',
      ),
    )
}

const OVERRIDES = [
  ['quarantine', 'ObservationQuarantined', 'exclude an observation from the vote'],
  ['release', 'ObservationReleased', 'let an observation vote that the fence or the quarantine excluded'],
] as const

function addOverrides(review: Command): void {
  for (const [name, type, description] of OVERRIDES) {
    review
      .command(name)
      .description(description)
      .argument('<observation>')
      .addOption(reason)
      .action(
        doing(
          (catalog, observationId: string, { reason }: Reason) =>
            overrideObservation(catalog, { type, observationId, reason }),
          RUN,
        ),
      )
  }
}

export function addUnits(program: Command): void {
  const units = program.command('units').description('what vendors’ units mean')
  addList(
    units
      .command('unknown', { isDefault: true })
      .description('list the units of present prices that nobody knows, most SKUs first'),
    { rows: 'units', place: 'unit', list: UNKNOWN_UNITS },
  )
  addList(units.command('aliases').description('list what people said that units mean'), {
    rows: 'aliases',
    list: UNIT_ALIASES,
  })
  units
    .command('alias')
    .description('say what a unit means; the next run counts its prices, without a new crawl')
    .argument('<unit>', 'as vendors write it; case, accents, dots and blanks do not matter')
    .argument('[canonical]', 'what it means, such as m², 1000 gal or bag 25 kg')
    .option('--source <name>', 'in this source only')
    .option('--remove', 'take the alias back')
    .requiredOption('--reason <text>', 'why')
    .action(
      doing(
        (catalog, unit: string, canonical: string | undefined, options: AliasOptions) =>
          aliasUnit(catalog, { unit, canonical, ...options }),
        RUN,
      ),
    )
}
