import { answerReports } from '@catalog/cli/crawl/crawl-inputs.ts'
import { withCrawler } from '@catalog/cli/crawl/source-crawls.ts'
import { importIndexFile } from '@catalog/cli/indices/import-file.ts'
import { listIndices } from '@catalog/cli/indices/indices.ts'
import { addPreset, saidOf } from '@catalog/cli/presets/add-preset.ts'
import { listPresets, showPreset } from '@catalog/cli/presets/list-presets.ts'
import { testPresets } from '@catalog/cli/presets/test-presets.ts'
import { SOURCE_ALIASES } from '@catalog/cli/review/decision-lists.ts'
import { reporting, withCatalog, withEnvironment } from '@catalog/cli/shared/context.ts'
import { addList, doing, printOutcome } from '@catalog/cli/shared/list.ts'
import { addToSources } from '@catalog/cli/sources/add-source.ts'
import { type Answers, openPrompt } from '@catalog/cli/sources/questions.ts'
import { listSources } from '@catalog/cli/sources/sources.ts'
import { testSources } from '@catalog/cli/sources/test-sources.ts'
import { UNTIL_SUPERSEDED } from '@catalog/core/events/sources.ts'
import { aliasSource, type SourceAliasOptions } from '@catalog/operations/decisions/source-aliases.ts'
import { acceptCrawl, dropCrawl } from '@catalog/operations/held-crawls.ts'
import { type Command, Option } from 'commander'

export function addSources(program: Command): void {
  const sources = program
    .command('sources')
    .description('the sources of the sources file (CATALOG_SOURCES): their schedules and crawls')
  sources
    .command('list', { isDefault: true })
    .description('list every source with its schedule, its last crawls, and where file and catalog differ')
    .addHelpText(
      'after',
      `
Example:
  catalog sources --json | jq '.sources[] | select(.held_crawl)'`,
    )
    .action(withCatalog(listSources))
  sources
    .command('test')
    .description('fetch a little of each, show what a crawl would record, and append nothing')
    .argument('[source...]', 'ids or names (default: all)')
    .addHelpText(
      'after',
      `
Fetches at most 3 documents of a source. The exit code is 1 if a crawl would record nothing of one of them.

Example:
  catalog sources test Obramat`,
    )
    .action(withCatalog(testSources))
  addAdd(sources)
  addHeld(sources)
  addAliases(sources)
}

function addAliases(sources: Command): void {
  sources
    .command('alias')
    .description(
      'a source is another spelling of a vendor: from the next run on both cast one vote, by the terms of CANONICAL',
    )
    .argument('<source>', 'id or name')
    .argument('[canonical]', 'id or name of the source that speaks for both')
    .option('--remove', 'take the alias back')
    .requiredOption('--reason <text>', 'why')
    .addHelpText(
      'after',
      `
Example:
  catalog sources alias "MILESTONE CONTRACTORS, L.P." "Milestone Contractors LP" --reason "one licence number"`,
    )
    .action(
      doing(
        (catalog, source: string, canonical: string | undefined, options: SourceAliasOptions) =>
          aliasSource(catalog, { source, canonical, ...options }),
        'catalog aggregate',
      ),
    )
  addList(sources.command('aliases').description('list which sources are other spellings of a vendor'), {
    rows: 'aliases',
    place: 'id',
    list: SOURCE_ALIASES,
  })
}

function addAdd(sources: Command): void {
  sources
    .command('add')
    .description(
      'try the ways to read a shop, show what a crawl would record, and write the best into the sources file',
    )
    .argument('[url]', 'a price list, a feed, a sitemap, a JSON API, or a page of a shop')
    .option('--preset <id>', 'instead of an address: a public price list that is described already (catalog presets)')
    .option('--param <name=value...>', 'with --preset: a parameter of it')
    .option('--file <path>', 'with --preset: the file that you fetched')
    .option('--source <name>', 'name of the vendor (default: the host)')
    .option('--region <code>', 'ISO 3166 alpha-2 code, EU or LATAM (default: of the host’s country)')
    .addOption(new Option('--kind <kind>', 'of source (default: shop)').choices(['shop', 'bid', 'bank']))
    .option('--trust <score>', '0 to 100, registered with a new source')
    .addOption(
      new Option('--validity <rule>', 'until_superseded: a price votes until a newer edition or price').choices([
        UNTIL_SUPERSEDED,
      ]),
    )
    .option('--validity-days <days>', 'days for which a price votes')
    .option('--schedule <cron>', 'five fields in UTC, - for by hand only (default: a minute of each night)')
    .option('--currency <code>', 'ISO 4217 code of prices without one')
    .option('--lang <code>', 'language of the texts')
    .option('--include <glob...>', 'which pages of a sitemap or a shop have products')
    .option('--mapping <file>', 'which column has which field, JSON or YAML')
    .option('--yes', 'ask nothing, and write')
    .addHelpText(
      'after',
      `
For a page of a shop it tries products.json, the Store API, feeds, sitemaps and pages, and proposes the first of which something
would be recorded. It refuses a source of which nothing would be, with exit code 1.

On a terminal it asks for what no option gives. Elsewhere it writes only with --yes, and otherwise shows what it would write.

Examples:
  catalog sources add https://shop.example/
  catalog sources add https://shop.example/feed.xml
  catalog sources add --preset it-piemonte --file prezzario.csv
  catalog sources add https://shop.example/sitemap.xml --include "/products/**" --region ES --trust 60 --yes`,
    )
    .action(
      withCatalog(async (context, url: string | undefined, { preset, param = [], file, ...flags }: AddFlags) => {
        const isInteractive = !flags.yes && !context.terminal.json && process.stdin.isTTY && process.stderr.isTTY
        using questions = isInteractive ? openPrompt(context.signal) : null
        const prompt = questions?.prompt ?? null
        if ((url === undefined) === (preset === undefined)) throw new Error('expected either an address or --preset ID')
        if (url !== undefined) return await addToSources(context, { url, flags, prompt })
        const asked = { id: preset as string, said: saidOf(param), file }
        return await addPreset(context, { ...asked, yes: flags.yes ?? false, prompt })
      }),
    )
}

type AddFlags = Answers & { yes?: boolean; preset?: string; param?: string[]; file?: string }

function addHeld(sources: Command): void {
  sources
    .command('accept')
    .description('record a held crawl, whatever its health')
    .argument('<source>', 'id or name of its source, or its own id')
    .addHelpText(
      'after',
      `
Example:
  catalog sources accept Obramat`,
    )
    .action(
      withCatalog(async (context, given: string) =>
        answerReports(context.terminal, [await acceptCrawl(withCrawler(context), given)]),
      ),
    )
  sources
    .command('drop')
    .description('discard a held crawl for good')
    .argument('<source>', 'id or name of its source, or its own id')
    .requiredOption('--reason <text>', 'why; kept with the crawl')
    .addHelpText(
      'after',
      `
Example:
  catalog sources drop Obramat --reason "the shop showed prices of last year"`,
    )
    .action(
      withCatalog(async (context, given: string, { reason }: { reason: string }) => {
        printOutcome(context.terminal, await dropCrawl(withCrawler(context), { given, reason }))
        context.terminal.next('catalog sources')
      }),
    )
}

export function addIndices(program: Command): void {
  const indices = program
    .command('indices')
    .description('official price indices: series of their own, which enter no item, median, search or feed')
  indices
    .command('list', { isDefault: true })
    .description('list the indices with their last point')
    .option('--region <code>', 'those of one country, subdivision, EU or LATAM')
    .option('--after <id>', 'continue after this index')
    .option('--limit <n>', 'indices to show', '50')
    .action(withCatalog(listIndices))
  indices
    .command('import')
    .description('record the points of a file that a statistics office published; again, it records nothing')
    .argument('<file>', 'as the office gives it: CSV, JSON or SDMX-ML')
    .option('--preset <id>', 'how its publisher writes it (catalog presets)')
    .option('--mapping <file>', 'instead: a file of yours in the form of an index preset')
    .option('--observed-at <instant>', 'when the office stated the values (default: now)')
    .option('--dry-run', 'read and count, and record nothing')
    .addHelpText(
      'after',
      `
A file with a row that cannot be read is refused as a whole. A changed value of a period is a revision: the last one holds.

Example:
  catalog indices import answer.json --preset us-bls-ppi`,
    )
    .action(withCatalog(importIndexFile))
}

export function addPresets(program: Command): void {
  const presets = program
    .command('presets')
    .description(
      'public price lists and indices that are described already: where they stand, how they are read, on which terms',
    )
  presets
    .command('list', { isDefault: true })
    .description('list the presets')
    .option('--region <code>', 'those of one country or region')
    .addHelpText(
      'after',
      `
Example:
  catalog presets --region IT`,
    )
    .action((options: { region?: string }, command: Command) =>
      reporting(command, (_shared, terminal) => listPresets(terminal, { region: options.region })),
    )
  presets
    .command('show')
    .description('show one with its licence, its parameters, where its file comes from, and how it is read')
    .argument('<id>', 'of a preset')
    .addHelpText(
      'after',
      `
Example:
  catalog presets show it-piemonte`,
    )
    .action((id: string, _options: object, command: Command) =>
      reporting(command, (_shared, terminal) => showPreset(terminal, id)),
    )
  presets
    .command('test')
    .description('read the sample of each as a crawl would, and compare its records with the expected ones')
    .argument('[id...]', 'of presets (default: all)')
    .addHelpText('after', '\nThe exit code is 1 if a record is not as expected.')
    .action(withEnvironment(testPresets))
}
