import { undoReview } from '@catalog/cli/access/operators.ts'
import { confirmItem, listApart } from '@catalog/cli/decisions/apart.ts'
import { decideByKey, pressedKeys } from '@catalog/cli/decisions/decide.ts'
import { editParked } from '@catalog/cli/decisions/edit-parked.ts'
import {
  listParked,
  type ResolveOptions,
  resolveParked,
  retryParked,
  showParked,
} from '@catalog/cli/decisions/parked.ts'
import { type RetractOptions, retract } from '@catalog/cli/decisions/retract.ts'
import { listReview, mergeItems, overrideObservation, rejectPair, splitSkus } from '@catalog/cli/decisions/review.ts'
import { listTaxRules, setTaxRule, type TaxFlags } from '@catalog/cli/decisions/tax.ts'
import { changeTrust, listTrust } from '@catalog/cli/decisions/trust.ts'
import { acceptSpellings, listSpellings, rejectSpelling } from '@catalog/cli/decisions/vendor-spellings.ts'
import { listWaitingPrices } from '@catalog/cli/decisions/waiting-prices.ts'
import { rematchItems } from '@catalog/cli/rematch/rematch.ts'
import { withCatalog } from '@catalog/cli/shared/context.ts'
import { rowLimit } from '@catalog/cli/shared/whole-number.ts'
import { type AliasOptions, aliasUnit, listAliases } from '@catalog/cli/units/aliases.ts'
import { listUnknownUnits } from '@catalog/cli/units/unknown.ts'
import { type Command, Option } from 'commander'

const reason = new Option('--reason <text>', 'why').makeOptionMandatory()

export function addParked(program: Command): void {
  const parked = program.command('parked').description('dead letters: records that could not be recorded or applied')
  parked
    .command('list', { isDefault: true })
    .description('the groups of open records by reason and source, and the records')
    .option('--reason <code>', 'only those with this reason')
    .option('--source <name>', 'only those of this source, by id or name')
    .option('--after <id>', 'continue after this record')
    .option('--limit <n>', 'records to show', '50')
    .action(
      withCatalog(
        ({ catalog, terminal }, options: { reason?: string; source?: string; after?: string; limit: string }) =>
          listParked(catalog, terminal, { ...options, limit: rowLimit(options.limit) }),
      ),
    )
  parked
    .command('show')
    .description('show an open record with its raw text')
    .argument('<id>', 'record')
    .action(withCatalog(({ catalog, terminal }, id: string) => showParked(catalog, terminal, id)))
  parked
    .command('retry')
    .description('apply again what the projector parked')
    .argument('[id...]', 'records (default: all that the projector parked)')
    .action(withCatalog(({ catalog, terminal }, ids: string[]) => retryParked(catalog, terminal, ids)))
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
      withCatalog(({ catalog, terminal }, id: string, options: { set?: string[]; reason: string }) =>
        editParked(catalog, terminal, { id, set: options.set ?? [], reason: options.reason }),
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
      withCatalog(({ catalog, terminal }, ids: string[], options: ResolveOptions) =>
        resolveParked(catalog, terminal, { ...options, ids }),
      ),
    )
}

export function addTrust(program: Command): void {
  program
    .command('trust')
    .description('list sources with their trust, or change one')
    .argument('[source]', 'id or name')
    .argument('[score]', '0 to 100')
    .option('--reason <text>', 'why', 'set by the operator')
    .action(
      withCatalog(
        ({ catalog, terminal }, source: string | undefined, score: string | undefined, options: { reason: string }) => {
          if (source === undefined) return listTrust(catalog, terminal)
          if (score === undefined) throw new Error(`trust of '${source}': expected a score from 0 to 100`)
          return changeTrust(catalog, terminal, { source, score, reason: options.reason })
        },
      ),
    )
}

export function addTax(program: Command): void {
  const tax = program.command('tax').description('how prices vote whose vendor leaves the tax open')
  tax
    .command('list', { isDefault: true })
    .description('list the rule and the standard rate of each region')
    .action(withCatalog(({ catalog, terminal }) => listTaxRules(catalog, terminal)))
  tax
    .command('set')
    .description('change the rule of the sources of a region')
    .argument('<region>', 'as sources carry it')
    .option('--not-stated <choice>', 'prices without a statement: as_is, or majority (as those that state their tax)')
    .option('--gross-without-rate <choice>', 'as_is, or standard_rate (remove the rate of the day)')
    .addOption(reason)
    .action(
      withCatalog(({ catalog, terminal }, region: string, flags: TaxFlags) =>
        setTaxRule(catalog, terminal, { region, flags }),
      ),
    )
}

export function addRetract(program: Command): void {
  program
    .command('retract')
    .description('retract an observation, the records of a crawl, or everything of a source so far')
    .option('--observation <id>', 'one observation')
    .option('--crawl <id>', 'what this crawl alone delivered')
    .option('--source <name>', 'everything of a source up to now')
    .option('--reason <text>', 'why; shown with the record for ever')
    .option('--dry-run', 'report what would go, and append nothing')
    .action(
      withCatalog(({ catalog, terminal }, options: Omit<RetractOptions, 'dryRun'> & { dryRun?: boolean }) =>
        retract(catalog, terminal, { ...options, dryRun: options.dryRun ?? false }),
      ),
    )
}

export function addReview(program: Command): void {
  const review = program.command('review').description('matches that a person decides')
  review
    .command('list', { isDefault: true })
    .description('list pairs that look like one product and that no rule decides, the surest first')
    .option('--after <place>', 'continue after this place, as the last page gave it')
    .option('--limit <n>', 'pairs to show', '50')
    .action(
      withCatalog(({ catalog, terminal }, options: { after?: string; limit: string }) =>
        listReview(catalog, terminal, { ...options, limit: rowLimit(options.limit) }),
      ),
    )
  review
    .command('waiting')
    .description('list first prices that wait in quarantine because they are far from the others')
    .option('--after <place>', 'continue after this place, as the last page gave it')
    .option('--limit <n>', 'prices to show', '50')
    .action(
      withCatalog(({ catalog, terminal }, options: { after?: string; limit: string }) =>
        listWaitingPrices(catalog, terminal, { ...options, limit: rowLimit(options.limit) }),
      ),
    )
  review
    .command('apart')
    .description(
      'list items whose vendors stand more than 2 times apart in one market, with the split that would mend each',
    )
    .option('--after <item>', 'continue after this item, as the last page gave it')
    .option('--limit <n>', 'items to show', '50')
    .action(
      withCatalog(({ catalog, terminal }, options: Page) =>
        listApart(catalog, terminal, { ...options, limit: rowLimit(options.limit) }),
      ),
    )
  review
    .command('decide')
    .description(
      'ask one question after the other, each answered by one key: pairs first, then items whose vendors stand apart',
    )
    .option('--reason <text>', 'why; kept with every decision', 'decided in review')
    .action(
      withCatalog(({ catalog, terminal }, { reason }: { reason: string }) =>
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
  sources
    .command('list', { isDefault: true })
    .description('list the pairs that may be one vendor')
    .option('--after <place>', 'continue after this place, as the last page gave it')
    .option('--limit <n>', 'pairs to show', '50')
    .action(
      withCatalog(({ catalog, terminal }, options: Page) =>
        listSpellings(catalog, terminal, { ...options, limit: rowLimit(options.limit) }),
      ),
    )
  sources
    .command('accept')
    .description('a source is another spelling of CANONICAL: both cast one vote')
    .argument('[pair...]', 'SOURCE and CANONICAL, ids or names')
    .option('--all', 'every pair that is proposed now')
    .addOption(reason)
    .action(
      withCatalog(({ catalog, terminal }, pair: string[], options: { all?: boolean; reason: string }) =>
        acceptSpellings(catalog, terminal, { pair, all: options.all ?? false, reason: options.reason }),
      ),
    )
  sources
    .command('reject')
    .description('two sources are two vendors: do not propose them again')
    .argument('<source-a>')
    .argument('<source-b>')
    .addOption(reason)
    .action(
      withCatalog(({ catalog, terminal }, a: string, b: string, options: { reason: string }) =>
        rejectSpelling(catalog, terminal, { a, b, reason: options.reason }),
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
      withCatalog(({ catalog, terminal }, from: string, into: string, options: { replace?: string; reason: string }) =>
        mergeItems(catalog, terminal, { from, into, ...options }),
      ),
    )
  review
    .command('split')
    .description('vendor SKUs are another product: found an item for them, apart for ever from their former companions')
    .argument('<sku...>')
    .addOption(reason)
    .action(
      withCatalog(({ catalog, terminal }, skuIds: string[], options: { reason: string }) =>
        splitSkus(catalog, terminal, { skuIds, reason: options.reason }),
      ),
    )
  review
    .command('reject')
    .description('two vendor SKUs are two products: keep them apart for ever, and do not ask again')
    .argument('<sku-a>')
    .argument('<sku-b>')
    .addOption(reason)
    .action(
      withCatalog(({ catalog, terminal }, a: string, b: string, options: { reason: string }) =>
        rejectPair(catalog, terminal, { a, b, reason: options.reason }),
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
    .action(withCatalog(({ catalog, terminal }, given?: string) => undoReview(catalog, terminal, given)))
}

function addConfirmation(review: Command): void {
  review
    .command('keep')
    .description('the vendor SKUs of an item are one product, though their prices stand apart')
    .argument('<item>')
    .addOption(reason)
    .action(
      withCatalog(({ catalog, terminal }, itemId: string, options: { reason: string }) =>
        confirmItem(catalog, terminal, { itemId, reason: options.reason }),
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
        withCatalog(({ catalog, terminal }, observationId: string, options: { reason: string }) =>
          overrideObservation(catalog, terminal, { type, observationId, reason: options.reason }),
        ),
      )
  }
}

type Page = { after?: string; limit: string }

export function addUnits(program: Command): void {
  const units = program.command('units').description('what vendors’ units mean')
  units
    .command('unknown', { isDefault: true })
    .description('list the units of present prices that nobody knows, most SKUs first')
    .option('--after <unit>', 'continue after this unit')
    .option('--limit <n>', 'units to show', '50')
    .action(
      withCatalog(({ catalog, terminal }, options: Page) =>
        listUnknownUnits(catalog, terminal, { ...options, limit: rowLimit(options.limit) }),
      ),
    )
  units
    .command('aliases')
    .description('list what people said that units mean')
    .option('--after <place>', 'continue after this place, as the last page gave it')
    .option('--limit <n>', 'aliases to show', '50')
    .action(
      withCatalog(({ catalog, terminal }, options: Page) =>
        listAliases(catalog, terminal, { ...options, limit: rowLimit(options.limit) }),
      ),
    )
  units
    .command('alias')
    .description('say what a unit means; the next run counts its prices, without a new crawl')
    .argument('<unit>', 'as vendors write it; case, accents, dots and blanks do not matter')
    .argument('[canonical]', 'what it means, such as m², 1000 gal or bag 25 kg')
    .option('--source <name>', 'in this source only')
    .option('--remove', 'take the alias back')
    .requiredOption('--reason <text>', 'why')
    .action(
      withCatalog(({ catalog, terminal }, unit: string, canonical: string | undefined, options: AliasOptions) =>
        aliasUnit(catalog, terminal, { unit, ...(canonical !== undefined && { canonical }), ...options }),
      ),
    )
}
