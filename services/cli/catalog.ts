#!/usr/bin/env node
import { originOf } from '@catalog/api/http/context.ts'
import { readBc3Files } from '@catalog/cli/bc3/read.ts'
import { type PriceFlags, priceBill } from '@catalog/cli/bc3/price.ts'
import { WRITE_CHARSETS, type WriteFlags, writePriceBook } from '@catalog/cli/bc3/write.ts'
import { answerReports, type CrawlOptions, crawlInputs, inputsOf, previewInputs } from '@catalog/cli/crawl/crawl-inputs.ts'
import {
  chosenSources,
  crawlScheduled,
  crawlSources,
  previewSources,
  sourcesOfUrls,
} from '@catalog/cli/crawl/source-crawls.ts'
import { acceptCrawl, dropCrawl, listSources, testSources } from '@catalog/cli/sources/sources.ts'
import { addToSources } from '@catalog/cli/sources/add-source.ts'
import { type Answers, openQuestions } from '@catalog/cli/sources/questions.ts'
import { type ExportFlags, exportLog } from '@catalog/cli/log/export.ts'
import { importLog } from '@catalog/cli/log/import.ts'
import { issueKey, limitsOf, listKeys, revokeKey, rotateKey } from '@catalog/cli/access/keys.ts'
import { evaluate } from '@catalog/cli/commands/eval.ts'
import {
  aggregateDryRun,
  aggregateRuns,
  explain,
  reproduceRun,
  status,
  verifyTables,
} from '@catalog/cli/inspect/status.ts'
import { type LineFlags, matchFile } from '@catalog/cli/match/match.ts'
import { type MirrorFlags, mirrorCatalog } from '@catalog/cli/mirror/mirror.ts'
import { listSigningKeys, rotateSigning } from '@catalog/cli/access/oauth.ts'
import {
  changeTrust,
  listParked,
  listReview,
  listTrust,
  mergeItems,
  overrideObservation,
  type RetractOptions,
  rejectPair,
  resolveParked,
  retract,
  retryParked,
  splitSku,
} from '@catalog/cli/decisions/review.ts'
import { nightlySnapshot, restored, snapshot } from '@catalog/cli/mirror/snapshot.ts'
import { type SqlFlags, sql } from '@catalog/cli/sql/sql.ts'
import { nightly, nightlyVerify, project, serve, up } from '@catalog/cli/serve/up.ts'
import {
  createWorkspace,
  inviteMember,
  listMembers,
  listWorkspaces,
  setWorkspacePlan,
  showAudit,
  showWorkspace,
} from '@catalog/cli/access/workspaces.ts'
import { replayPart } from '@catalog/cli/replay/partial-replay.ts'
import { type ReplayFlags, replayCatalog } from '@catalog/cli/replay/replay.ts'
import { type Context, environmentOf, reporting, withCatalog } from '@catalog/cli/shared/context.ts'
import { instantsBetween, parseInstant } from '@catalog/cli/shared/instants.ts'
import { answerWhatIf, type WhatIfFlags } from '@catalog/cli/what-if/what-if.ts'
import { TOPICS } from '@catalog/core/events/events.ts'
import { instant } from '@catalog/core/time.ts'
import { readSources } from '@catalog/crawler/sources/sources-reader.ts'
import { FORMATS } from '@catalog/formats/format.ts'
import { VERIFY_RATE } from '@catalog/projector/verify/verify.ts'
import type { Environment } from '@catalog/runtime/env.ts'
import { run } from '@catalog/runtime/run.ts'
import type { Plan } from '@catalog/store/accounts/accounts.ts'
import { ROLES, type Role } from '@catalog/store/accounts/members.ts'
import { Argument, Command, InvalidArgumentError, Option } from 'commander'

/** The command `catalog`: options in, one function of this package out. */
const program = new Command('catalog')
  .description('Vendors’ observed construction prices as one public catalog that explains, replays and mirrors')
  .configureHelp({ showGlobalOptions: true })
  .showHelpAfterError('(catalog --help lists the commands)')
  .option('--json', 'one JSON value on stdout, everything else on stderr')
  .option('--data <dir>', 'folder of the embedded data (default: CATALOG_DATA or .catalog)')

const host = new Option('--host <address>', 'address to listen on').default('127.0.0.1')
const port = new Option('--port <number>', 'port to listen on (default: PORT or 8080)')

program
  .command('up')
  .description('everything in one process tree on the embedded defaults: crawl, project, aggregate, serve')
  .option('--sample', 'with the sample market, brought up to today')
  .addOption(port)
  .addOption(host)
  .action(
    withCatalog(
      (context, options: { sample?: boolean; host: string }) =>
        up(context, { ...options, sample: options.sample ?? false }),
      { projects: true },
    ),
  )

program
  .command('crawl')
  .description(
    'record the prices of files, folders and addresses: CSV, JSON, XLSX, BC3, ZIP; BMEcat, merchant feeds, product pages',
  )
  .argument('[input...]', 'files, folders or addresses of the web (default: the sources of the sources file, now)')
  .option(
    '--source <name>',
    'name of the vendor (default: the file’s name or the host’s); without inputs: of the sources file',
  )
  .option('--region <code>', 'ISO 3166 alpha-2 code, EU or LATAM')
  .option('--trust <score>', '0 to 100, registered when the source is met first')
  .addOption(new Option('--kind <kind>', 'of source or price').choices(['shop', 'bid', 'bank', 'list', 'net']))
  .option('--validity-days <days>', 'days for which a price votes')
  .addOption(new Option('--format <format>', 'of the input (default: by name and content)').choices(FORMATS))
  .option('--mapping <file>', 'which column gives what, JSON or YAML')
  .option('--currency <code>', 'ISO 4217 code of prices without one')
  .option('--observed-at <instant>', 'when the prices were seen, where the input does not say')
  .option('--lang <code>', 'language of the texts')
  .option('--preview', 'show the first records as they would be recorded, and append nothing')
  .option('--full', 'without inputs: fetch also what has not changed since')
  .option('--scheduled', 'without inputs: stay, and crawl each source when it is due; of several processes one does')
  .addHelpText(
    'after',
    `
Addresses are asked for politely: robots.txt, one request a second to a host, and CRAWL_CONTACT in the User-Agent.

  catalog crawl prices.csv --source Obramat --region ES --currency EUR
  catalog crawl https://shop.example/feed.xml --source Example --region ES
  catalog crawl --scheduled`,
  )
  .action((inputs: string[], options: CrawlOptions & CrawlFlags, command: Command) => {
    const [urls, paths] = [inputs.filter(isUrl), inputs.filter((input) => !isUrl(input))]
    if (options.preview && urls.length === 0 && paths.length > 0) {
      return reporting(command, (_shared, terminal) => previewInputs(terminal, inputsOf(paths, options)))
    }
    if (options.preview) {
      return reporting(command, (shared, terminal) =>
        run((signal) => {
          return previewSources({ env: environmentOf(shared), terminal, signal }, sourcesOfUrls(urls, options))
        }),
      )
    }
    return withCatalog((context) => {
      return options.scheduled ? crawlScheduled(context) : crawlAll(context, { urls, paths, options })
    })(command)
  })

type CrawlFlags = { preview?: boolean; full?: boolean; scheduled?: boolean }
const isUrl = (input: string) => /^https?:/i.test(input)

/** Files first, then addresses; the sources of the file where neither was given. Answers whether all were read whole. */
async function crawlAll(
  context: Context,
  { urls, paths, options }: { urls: readonly string[]; paths: readonly string[]; options: CrawlOptions & CrawlFlags },
): Promise<boolean> {
  const { catalog, env, terminal } = context
  const reports = paths.length === 0 ? [] : [...(await crawlInputs(catalog, terminal, inputsOf(paths, options)))]
  if (urls.length > 0) {
    const specs = sourcesOfUrls(urls, options)
    reports.push(...(await crawlSources(context, { specs, isFull: true, isPart: true })))
  }
  if (urls.length === 0 && paths.length === 0) {
    const file = await readSources(env)
    const specs = chosenSources(file, options.source === undefined ? undefined : [options.source])
    reports.push(...(await crawlSources(context, { specs, file, isFull: options.full ?? false })))
  }
  answerReports(terminal, reports)
  return reports.every(({ complete, outcome }) => complete && outcome !== 'held')
}

const sources = program
  .command('sources')
  .description('the sources of the sources file (CATALOG_SOURCES): what is crawled, when, and how that went')
sources
  .command('list', { isDefault: true })
  .description('every source with its schedule, its last crawls, and what the file and the catalog say differently')
  .addHelpText(
    'after',
    `
Example:
  catalog sources --json | jq '.sources[] | select(.held_crawl)'`,
  )
  .action(withCatalog((context) => listSources(context)))
sources
  .command('test')
  .description('fetch a little of each, show what a crawl would record, and append nothing')
  .argument('[source...]', 'ids or names (default: all)')
  .addHelpText(
    'after',
    `
At most 3 documents of a source are fetched. The exit code is 1 where of one of them nothing would be recorded.

Example:
  catalog sources test Obramat`,
  )
  .action(withCatalog((context, names: string[]) => testSources(context, { names })))
sources
  .command('add')
  .description('look at an address, show what a crawl would record of it, and write it into the sources file')
  .argument('<url>', 'a price list, a feed, a sitemap, an API of JSON, or a page of a shop')
  .option('--source <name>', 'name of the vendor (default: the host)')
  .option('--region <code>', 'ISO 3166 alpha-2 code, EU or LATAM (default: of the host’s country)')
  .addOption(new Option('--kind <kind>', 'of source (default: shop)').choices(['shop', 'bid', 'bank']))
  .option('--trust <score>', '0 to 100, registered when the source is met first')
  .option('--validity-days <days>', 'days for which a price votes')
  .option('--schedule <cron>', 'five fields in UTC, - for by hand only (default: a minute of each night)')
  .option('--currency <code>', 'ISO 4217 code of prices without one')
  .option('--lang <code>', 'language of the texts')
  .option('--include <glob...>', 'which pages of a sitemap or a shop have products')
  .option('--mapping <file>', 'which column gives what, JSON or YAML')
  .option('--yes', 'ask nothing, and write')
  .addHelpText(
    'after',
    `
On a terminal it asks for what no option says. Elsewhere it writes only with --yes, and else shows what it would write.

Examples:
  catalog sources add https://shop.example/feed.xml
  catalog sources add https://shop.example/sitemap.xml --include "/products/**" --region ES --trust 60 --yes`,
  )
  .action(
    withCatalog(async (context, url: string, flags: Answers & { yes?: boolean }) => {
      const isAsking = !flags.yes && !context.terminal.json && process.stdin.isTTY && process.stderr.isTTY
      using questions = isAsking ? openQuestions(context.signal) : null
      return await addToSources(context, { url, flags, ask: questions?.ask ?? null })
    }),
  )
sources
  .command('accept')
  .description('record a crawl that was held back, whatever its health')
  .argument('<source>', 'id or name of its source, or its own id')
  .addHelpText(
    'after',
    `
Example:
  catalog sources accept Obramat`,
  )
  .action(withCatalog((context, given: string) => acceptCrawl(context, given)))
sources
  .command('drop')
  .description('never record a crawl that was held back')
  .argument('<source>', 'id or name of its source, or its own id')
  .requiredOption('--reason <text>', 'why; kept with the crawl')
  .addHelpText(
    'after',
    `
Example:
  catalog sources drop Obramat --reason "the shop showed prices of last year"`,
  )
  .action(
    withCatalog((context, given: string, { reason }: { reason: string }) => dropCrawl(context, { given, reason })),
  )

program
  .command('project')
  .description('follow the log into the read models and the index')
  .option('--once', 'stop when everything that is in the log now is projected')
  .action(
    withCatalog(
      async (context, options: { once?: boolean }) => {
        if (!options.once) return project(context)
        await context.catalog.catchUp()
        return status(context.catalog, context.terminal)
      },
      { projects: true },
    ),
  )

program
  .command('aggregate')
  .description('match new SKUs and publish what changed')
  .option('--as-of <instant>', 'the instant the run looks at (default: now)')
  .option('--from <instant>', 'first of several runs')
  .option('--to <instant>', 'last of several runs (default: now)')
  .option('--every <step>', 'step between them: 1d, 2w, 1mo', '1d')
  .option('--run <id>', 'print the medians of a past run again, from the facts that it had read')
  .option('--full', 'look at every item, not only at what can have changed')
  .option('--dry-run', 'print what a run would publish, and publish nothing')
  .option('--nightly', 'stay, and run whenever AGGREGATE_CRON says; of several processes one runs')
  .action(
    withCatalog(async (context, options: AggregateFlags) => {
      if (options.nightly) return nightly(context)
      const { catalog, terminal } = context
      const now = instant(catalog.now())
      const asOf = options.asOf === undefined ? now : parseInstant(options.asOf, '--as-of')
      if (options.run !== undefined) return reproduceRun(catalog, terminal, options.run)
      if (options.dryRun) return aggregateDryRun(catalog, terminal, asOf)
      const asOfs =
        options.from === undefined
          ? [asOf]
          : instantsBetween({
              from: parseInstant(options.from, '--from'),
              to: options.to === undefined ? now : parseInstant(options.to, '--to'),
              every: options.every,
            })
      return aggregateRuns(catalog, terminal, { asOfs, full: options.full ?? false })
    }),
  )
type AggregateFlags = {
  asOf?: string
  from?: string
  to?: string
  every: string
  run?: string
  full?: boolean
  dryRun?: boolean
  nightly?: boolean
}

program
  .command('snapshot')
  .description('bulk files of the whole catalog at the end of the last run: shards that mirrors begin at, and Parquet')
  .option('--out <dir>', 'a copy into another folder than SNAPSHOT_DIR, which the API serves')
  .option('--keep <n>', 'snapshots to keep beside the first of each month, which stays for ever', '7')
  .option('--nightly', 'stay, and take one whenever SNAPSHOT_CRON says; of several processes one does')
  .action(
    withCatalog((context, { nightly, keep, ...options }: { out?: string; keep: string; nightly?: boolean }) =>
      (nightly ? nightlySnapshot : snapshot)(context, { ...options, keep: keepOf(keep) }),
    ),
  )

/** Snapshots beside the editions. */
const KEEP_MAX = 10_000
function keepOf(text: string): number {
  const keep = Number(text)
  if (!Number.isInteger(keep) || keep < 1 || keep > KEEP_MAX) {
    throw new Error(`--keep '${text}': expected a whole number from 1 to ${KEEP_MAX}`)
  }
  return keep
}

program
  .command('restored')
  .description('after a restore from a backup: a new generation, so that no mirror takes old numbers for new ones')
  .action(withCatalog((context) => restored(context)))

program
  .command('serve')
  .description('the public API alone')
  .addOption(port)
  .addOption(host)
  .action(withCatalog((context, options: { host: string }) => serve(context, options)))

program
  .command('status')
  .description('positions, lag, counts, roots')
  .action(withCatalog(({ catalog, terminal }) => status(catalog, terminal)))

program
  .command('verify')
  .description('prove, beside everything that goes on, that the tables are the fold of the log')
  .option(
    '--rate <records>',
    'records and rows read in a second at most; 0 for as fast as it goes',
    String(VERIFY_RATE),
  )
  .option('--nightly', 'stay, and compare whenever VERIFY_CRON says; of several processes one does')
  .action(
    withCatalog((context, flags: { rate: string; nightly?: boolean }) => {
      const { catalog, terminal, signal } = context
      const rate = Number(flags.rate)
      if (!Number.isInteger(rate) || rate < 0)
        throw new Error(`--rate '${flags.rate}': expected a whole number from 0 on`)
      return flags.nightly ? nightlyVerify(context, { rate }) : verifyTables(catalog, terminal, { rate, signal })
    }),
  )

program
  .command('replay')
  .description('make all read models again from the log beside those that serve, compare, and put them in their place')
  .option('--throttle <records>', 'a second at most; none for as fast as it goes')
  .option('--accept', 'flip in spite of differences on the vendor side, which a corrected reading of events makes')
  .option('--status', 'the builds there are, and where an unfinished one stands')
  .option('--pause', 'stop the replay that is under way at its next batch')
  .option('--abort', 'take the unfinished build away without a trace')
  .option('--retire', 'take away what was served before the last flip')
  .option(
    '--item <id...>',
    'rebuild nothing: do the stored observations of these items still give what each run published?',
  )
  .option('--source <source>', 'the same of every item that a SKU of this source, by id or name, was in')
  .option('--from <instant>', 'the same of the runs from this as_of on; alone: of all items')
  .option('--to <instant>', 'and up to this one, inclusive')
  .addHelpText(
    'after',
    `
A replay that was stopped, by --pause, Ctrl-C or a crash, goes on where it stood when it is asked for again.`,
  )
  .action(
    withCatalog(({ catalog, terminal, signal }, flags: ReplayFlags & ReplayPartFlags) => {
      const { item: items, source, from, to } = flags
      return [items, source, from, to].every((value) => value === undefined)
        ? replayCatalog(catalog, terminal, { flags, signal })
        : replayPart(catalog, terminal, { items, source, from, to, signal })
    }),
  )

type ReplayPartFlags = { item?: readonly string[]; source?: string; from?: string; to?: string }

program
  .command('explain')
  .description('the votes, weights and exclusions behind a median')
  .argument('<item>', 'id of the item')
  .option('--as-of <instant>', 'at another instant than the last run’s')
  .option('--run <id>', 'as a past run saw it')
  .action(
    withCatalog(({ catalog, terminal }, itemId: string, options: { asOf?: string; run?: string }) =>
      explain(catalog, terminal, {
        itemId,
        ...(options.asOf === undefined ? {} : { asOf: parseInstant(options.asOf, '--as-of') }),
        ...(options.run === undefined ? {} : { runId: options.run }),
      }),
    ),
  )

program
  .command('what-if')
  .description('what would change if prices were made by another rule of the same facts; published only with --accept')
  .option('--as-of <instant>', 'compare with the present rule at this instant (default: with what is published)')
  .option('--without <source...>', 'as if these sources, by id or name, had no say')
  .option('--with <source...>', 'as if these sources, which were switched off, had a say again')
  .option('--trust <source=score...>', 'as if these sources had this trust, 0 to 100')
  .option('--method <name>', 'twm/1, twm/2, or a module of yours with a default export { name, price }')
  .option('--top <n>', 'largest changes that are shown with the votes behind them', '20')
  .option('--format <format>', 'table, csv, json or html (default: as --out is called, else table)')
  .option('--out <file>', 'write to this file; needed for csv')
  .option('--accept', 'publish exactly the difference that is shown; needs --reason, and no --as-of')
  .option('--reason <text>', 'why; kept with the decisions of --accept')
  .addHelpText(
    'after',
    `
A module is run as it is, with all rights of this process: name only code of your own.

Examples:
  catalog what-if --without "Materiales Norte"
  catalog what-if --trust "Materiales Norte=40" --as-of 2026-11-01 --out norte.html
  catalog what-if --method twm/2 --out changes.csv
  catalog what-if --without "Materiales Norte" --accept --reason "prices of last year"`,
  )
  .action(
    withCatalog(({ catalog, terminal, signal }, flags: WhatIfFlags) =>
      answerWhatIf(catalog, terminal, { flags, signal }),
    ),
  )

program
  .command('mirror')
  .description('a copy of the feeds of a catalog that is provably the origin’s, and goes on from where it was')
  .argument('<url>', 'base address with its /v1, or the folder of a static copy')
  .requiredOption('--into <dir>', 'folder of the copies, one file of SQLite a scope')
  .addOption(
    new Option(
      '--scope <scope>',
      'items or region/CODE, also several times (default: items; all with --static)',
    ).argParser((scope: string, before: string[] | undefined) => [...(before ?? []), scope]),
  )
  .option('--follow', 'stay, and poll')
  .option('--every <seconds>', 'between two polls', '60')
  .option('--static <dir>', 'write the whole feed tree as plain files too, which any server serves on')
  .action((url: string, flags: MirrorFlags, command: Command) =>
    reporting(command, (_shared, terminal) => run((signal) => mirrorCatalog(terminal, { url, flags, signal }))),
  )

const log = program.command('log').description('the log as files, to carry it or a slice of it to another catalog')
log
  .command('export')
  .description('the log, or a slice of it, as NDJSON: one line a record, and a manifest as the last line')
  .requiredOption('--out <file>', 'the file to write, or - for stdout')
  .addOption(
    new Option(
      '--topic <topic>',
      `one of ${Object.values(TOPICS).join(', ')}, also several times (default: all; of a slice the first two)`,
    ).argParser((topic: string, before: string[] | undefined) => [...(before ?? []), topic]),
  )
  .addOption(
    new Option('--format <format>', 'parquet is to be looked at; an import wants ndjson')
      .choices(['ndjson', 'parquet'])
      .default('ndjson'),
  )
  .option('--source <source>', 'a slice that stands alone: what concerns this source, by id or name')
  .option('--from <instant>', 'what was recorded from this instant on, and what was decided before it')
  .option('--to <instant>', 'what was recorded before this instant')
  .addHelpText(
    'after',
    `
Matches, runs and items are a catalog's own, so a slice is without them: the next run of the catalog that imports it makes
its own. Items of a slice are written when they are asked for, to look at; an import leaves them out.

Examples:
  catalog log export --out log.ndjson
  catalog log export --source "Materiales Norte" --from 2026-01-01 --out norte.ndjson
  catalog log export --topic vendor.observations --out - | head -n -1 | jq .event.price.cents`,
  )
  .action(
    withCatalog(({ catalog, terminal, signal }, flags: ExportFlags) => exportLog(catalog, terminal, { flags, signal })),
  )
log
  .command('import')
  .description('append what files of the log hold and this log does not; importing again changes nothing')
  .argument('<file...>', 'as catalog log export wrote them')
  .option('--dry-run', 'check the files, say what would be appended, and append nothing')
  .addHelpText(
    'after',
    `
A file of the whole log, into an empty catalog or one that a part of it was imported to, makes the same catalog: matches, runs
and items too. Whatever else is imported adds facts and people's decisions on them; then catalog aggregate.

Examples:
  catalog log import log.ndjson --data ./copy && catalog verify --data ./copy
  catalog log import norte.ndjson sur.ndjson --dry-run`,
  )
  .action(
    withCatalog(({ catalog, terminal, signal }, paths: string[], flags: { dryRun?: boolean }) =>
      importLog(catalog, terminal, { paths, flags: { dryRun: flags.dryRun ?? false }, signal }),
    ),
  )

const parked = program.command('parked').description('records that could not be recorded or applied')
parked
  .command('list', { isDefault: true })
  .description('open records')
  .option('--reason <code>', 'only those with this reason')
  .option('--after <id>', 'continue after this record')
  .option('--limit <n>', 'records to show', '50')
  .action(
    withCatalog(({ catalog, terminal }, options: { reason?: string; after?: string; limit: string }) =>
      listParked(catalog, terminal, { ...options, limit: limitOf(options.limit) }),
    ),
  )
parked
  .command('retry')
  .description('apply again what the projector parked')
  .argument('[id...]', 'records (default: all that the projector parked)')
  .action(withCatalog(({ catalog, terminal }, ids: string[]) => retryParked(catalog, terminal, ids)))
parked
  .command('resolve')
  .description('close records that a person has dealt with')
  .argument('<id...>', 'records')
  .addOption(
    new Option('--as <resolution>', 'what became of them').choices(['recorded', 'dropped']).makeOptionMandatory(),
  )
  .requiredOption('--reason <text>', 'why')
  .action(
    withCatalog(
      async ({ catalog, terminal }, ids: string[], options: { as: 'recorded' | 'dropped'; reason: string }) => {
        await resolveParked(catalog, ids, { resolution: options.as, reason: options.reason })
        terminal.answer({ resolved: ids, as: options.as }, () => `resolved ${ids.length} as ${options.as}`)
      },
    ),
  )

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

program
  .command('retract')
  .description('take back an observation, what a crawl delivered, or all of a source so far')
  .option('--observation <id>', 'one observation')
  .option('--crawl <id>', 'what this crawl alone delivered')
  .option('--source <name>', 'everything of a source up to now')
  .option('--reason <text>', 'why; shown with the record for ever')
  .option('--dry-run', 'say what would go, and append nothing')
  .action(
    withCatalog(({ catalog, terminal }, options: Omit<RetractOptions, 'dryRun'> & { dryRun?: boolean }) =>
      retract(catalog, terminal, { ...options, dryRun: options.dryRun ?? false }),
    ),
  )

program
  .command('match')
  .description('which items the lines of a list of materials mean, and what they cost')
  .argument('<file>', 'CSV or XLSX with a heading row')
  .option('--region <code>', 'only items that are sold there')
  .option('--price-region <code>', 'price the items by the median of this region')
  .option('--column <heading>', 'of the text, where its heading is not a usual one')
  .option('--unit-column <heading>', 'of the unit')
  .option('--quantity-column <heading>', 'of the quantity')
  .option('--region-column <heading>', 'of the region of each line')
  .option('--format <format>', 'csv or xlsx (default: by the name of the file)')
  .option('--alternatives <n>', 'how many other items are shown of a line, 0 to 10')
  .option('--out <file>', 'write the answers as CSV too')
  .action(
    withCatalog(({ catalog, terminal }, path: string, flags: LineFlags) => matchFile(catalog, terminal, path, flags)),
  )

const bc3 = program.command('bc3').description('FIEBDC-3 files: what they hold, whether their prices add up')
bc3
  .command('read')
  .description('concepts, recipes, charset and oddities of files, and which recipes give the declared prices')
  .argument('<file...>', 'of FIEBDC-3, in any charset; several give one line each')
  .addHelpText(
    'after',
    `
A recipe reconciles when the declared prices of its components give its own, within one unit of its last decimal, by the
rule that fits most recipes of the file. Misses are those that do not, and all above them, chapters too, whose price moves.

Examples:
  catalog bc3 read work.bc3
  catalog bc3 read banks/*.bc3
  catalog bc3 read work.bc3 --json | jq '.misses'`,
  )
  .action((paths: string[], _flags: object, command: Command) =>
    reporting(command, (_shared, terminal) => readBc3Files(terminal, paths)),
  )
bc3
  .command('price')
  .description('a measured work at today’s medians: per line declared, now, difference, and how the price was found')
  .argument('<file>', 'of FIEBDC-3, with chapters or measurements')
  .option('--region <code>', 'only items that are sold there, at the medians of that region')
  .option('--price-region <code>', 'price the items by the median of this region')
  .option('--source <name>', 'the source that the file’s price bank was crawled as (default: called as the file)')
  .option('--format <format>', 'table, csv, bc3 or json', 'table')
  .option('--out <file>', 'write to this file; needed for bc3')
  .addHelpText(
    'after',
    `
Examples:
  catalog bc3 price work.bc3 --region ES
  catalog bc3 price work.bc3 --format csv --out priced.csv
  catalog bc3 price work.bc3 --format bc3 --out today.bc3
  catalog bc3 price work.bc3 --json | jq '.totals'`,
  )
  .action(
    withCatalog(({ catalog, terminal }, path: string, flags: PriceFlags) => priceBill(catalog, terminal, path, flags)),
  )
bc3
  .command('write')
  .description('an item, a category or the whole catalog as a price book of FIEBDC-3/2020')
  .argument('[id]', 'of an item, or of a category with all below it')
  .option('--all', 'the whole catalog')
  .requiredOption('--out <file>', 'the file to write')
  .option('--charset <name>', `one of ${WRITE_CHARSETS.join(', ')}; what it lacks is replaced and counted`, 'ANSI')
  .option('--region <code>', 'of an item: prices of this region, and its recipes first')
  .option('--source <id>', 'of an item: the recipe of this source')
  .action(
    withCatalog(({ catalog, env, terminal }, id: string | undefined, flags: WriteFlags) =>
      writePriceBook(catalog, terminal, { id, env, ...flags }),
    ),
  )

const review = program.command('review').description('matching that a person decides')
const reason = new Option('--reason <text>', 'why').makeOptionMandatory()
review
  .command('list', { isDefault: true })
  .description('pairs that look like one product and that no rule decides, the surest first')
  .option('--after <place>', 'continue after this place, as the last page gave it')
  .option('--limit <n>', 'pairs to show', '50')
  .action(
    withCatalog(({ catalog, terminal }, options: { after?: string; limit: string }) =>
      listReview(catalog, terminal, { ...options, limit: limitOf(options.limit) }),
    ),
  )
const mergeInto = withCatalog(
  ({ catalog, terminal }, from: string, into: string, options: { replace?: string; reason: string }) =>
    mergeItems(catalog, terminal, { from, into, ...options }),
)
review
  .command('merge')
  .alias('accept')
  .description('two items are one: FROM becomes part of INTO')
  .argument('<from>')
  .argument('<into>')
  .option('--replace <sku>', 'detach this vendor SKU first, where both hold one of a source')
  .addOption(reason)
  .action(mergeInto)
review
  .command('split')
  .description('a vendor SKU is another product: it founds an item of its own, for ever apart from those it was with')
  .argument('<sku>')
  .addOption(reason)
  .action(
    withCatalog(({ catalog, terminal }, skuId: string, options: { reason: string }) =>
      splitSku(catalog, terminal, { skuId, reason: options.reason }),
    ),
  )
review
  .command('reject')
  .description('two vendor SKUs are two products: they never come into one item, and nobody is asked again')
  .argument('<sku-a>')
  .argument('<sku-b>')
  .addOption(reason)
  .action(
    withCatalog(({ catalog, terminal }, a: string, b: string, options: { reason: string }) =>
      rejectPair(catalog, terminal, { a, b, reason: options.reason }),
    ),
  )
for (const [name, type, says] of [
  ['quarantine', 'ObservationQuarantined', 'an observation does not vote'],
  ['release', 'ObservationReleased', 'an observation votes although the fence excluded it'],
] as const) {
  review
    .command(name)
    .description(says)
    .argument('<observation>')
    .addOption(reason)
    .action(
      withCatalog(({ catalog, terminal }, observationId: string, options: { reason: string }) =>
        overrideObservation(catalog, terminal, { type, observationId, reason: options.reason }),
      ),
    )
}

const PLANS: readonly Plan[] = ['free', 'paid']
/** Where people reach the console: links in mail begin so. */
const consoleOf = ({ PUBLIC_BASE_URL, PORT }: Environment) => originOf(PUBLIC_BASE_URL ?? `http://127.0.0.1:${PORT}`)
const LINKS = 'Links begin with PUBLIC_BASE_URL, or http://127.0.0.1:PORT; the mail is sent by catalog up or serve.'

const workspace = program
  .command('workspace')
  .description('what keys, people and agents belong to: one cap over all of them')
workspace
  .command('list', { isDefault: true })
  .description('workspaces, their plans and how many valid keys they have')
  .action(withCatalog(({ catalog, terminal }) => listWorkspaces(catalog, terminal)))
workspace
  .command('create')
  .description('a workspace, and the invitation of its owner')
  .argument('<name>', 'as people call it; no two have one name')
  .addOption(new Option('--plan <plan>', 'free: no organization keys').choices(PLANS).default('paid'))
  .option('--owner <email>', 'is invited by mail; the link is shown too')
  .addHelpText('after', `\n${LINKS}`)
  .action(
    withCatalog(({ catalog, terminal, env }, name: string, options: { plan: Plan; owner?: string }) =>
      createWorkspace(catalog, terminal, { name, ...options, origin: consoleOf(env) }),
    ),
  )
workspace
  .command('show')
  .description('its plan, people, agents and keys, and what they used')
  .argument('<workspace>', 'id or name')
  .action(
    withCatalog(({ catalog, terminal, env }, named: string) =>
      showWorkspace(catalog, terminal, { named, limits: limitsOf(env) }),
    ),
  )
workspace
  .command('plan')
  .description('sets the plan: free has no organization keys, and the limits of a developer key for agents')
  .argument('<workspace>', 'id or name')
  .addArgument(new Argument('<plan>').choices(PLANS))
  .action(
    withCatalog(({ catalog, terminal }, workspace: string, plan: Plan) =>
      setWorkspacePlan(catalog, terminal, { workspace, plan }),
    ),
  )
workspace
  .command('invite')
  .description('somebody by mail; the link is shown too')
  .argument('<workspace>', 'id or name')
  .argument('<email>', 'of the person')
  .addOption(new Option('--role <role>', 'what the person may do').choices(ROLES).default('member'))
  .addHelpText('after', `\n${LINKS}`)
  .action(
    withCatalog(({ catalog, terminal, env }, workspace: string, email: string, { role }: { role: Role }) =>
      inviteMember(catalog, terminal, { workspace, email, role, origin: consoleOf(env) }),
    ),
  )
workspace
  .command('members')
  .description('who belongs to it, and who is invited')
  .argument('<workspace>', 'id or name')
  .action(withCatalog(({ catalog, terminal }, named: string) => listMembers(catalog, terminal, named)))
workspace
  .command('audit')
  .description('who did what to it, the newest first')
  .argument('<workspace>', 'id or name')
  .option('--limit <n>', 'rows to show', '50')
  .action(
    withCatalog(({ catalog, terminal }, workspace: string, { limit }: { limit: string }) =>
      showAudit(catalog, terminal, { workspace, limit: limitOf(limit) }),
    ),
  )

const keys = program.command('keys').description('API keys: of workspaces, and those that developers signed up for')
keys
  .command('list', { isDefault: true })
  .description('the newest keys, without their secrets')
  .option('--workspace <id>', 'only those of a workspace, by id or name')
  .option('--email <address>', 'only those that were signed up for with this address')
  .option('--limit <n>', 'keys to show', '50')
  .action(
    withCatalog(({ catalog, terminal }, options: { workspace?: string; email?: string; limit: string }) =>
      listKeys(catalog, terminal, { ...options, limit: limitOf(options.limit) }),
    ),
  )
keys
  .command('issue')
  .description('a new organization key of a workspace on the paid plan; it is shown once')
  .requiredOption('--workspace <id>', 'whose key it is, by id or name')
  .requiredOption('--name <text>', 'what the key is for')
  .action(
    withCatalog(({ catalog, terminal }, options: { workspace: string; name: string }) =>
      issueKey(catalog, terminal, options),
    ),
  )
keys
  .command('rotate')
  .description('a new key in the place of an organization key, which stays valid for 24 hours')
  .argument('<key-id>', 'id of the key')
  .action(withCatalog(({ catalog, terminal }, keyId: string) => rotateKey(catalog, terminal, keyId)))
keys
  .command('revoke')
  .description('a key is refused from now on, for ever')
  .argument('<key-id>', 'id of the key')
  .action(withCatalog(({ catalog, terminal }, keyId: string) => revokeKey(catalog, terminal, keyId)))

program
  .command('sql')
  .description('the catalog in SQL, read-only: one query, or a shell (psql where there is one) without it')
  .argument('[query]', 'over the views that --views lists; what is piped in otherwise')
  .addOption(new Option('--format <format>', 'how rows are shown').choices(['table', 'csv', 'json']))
  .option('--limit <n>', 'rows at most (default: 1000)', rowsOf)
  .option('--timeout <seconds>', 'a query is ended after that (default: 60; the embedded store cannot)', secondsOf)
  .option('--views', 'what there is to ask for, with every column')
  .option('--grant <role>', 'make a role of the database that may read the views and nothing else')
  .action(
    withCatalog(async ({ catalog, env, terminal }, query: string | undefined, flags: SqlFlags) => {
      const write = (text: string) => void process.stdout.write(text)
      if (!(await sql({ catalog, env, terminal, write, stdin: process.stdin }, query, flags))) process.exitCode = 1
    }),
  )

const oauth = program.command('oauth').description('the keys that tokens of agents are signed with')
oauth
  .command('keys', { isDefault: true })
  .description('which there are, and which one signs')
  .action(withCatalog(({ catalog, terminal }) => listSigningKeys(catalog, terminal)))
oauth
  .command('rotate')
  .description('a new key, which signs in ten minutes; what the others signed stays valid until it ends')
  .option('--now', 'for a key that has become known: the new one signs at once, and what all others signed is refused')
  .action(
    withCatalog(({ catalog, terminal }, flags: { now?: boolean }) =>
      rotateSigning(catalog, terminal, { atOnce: flags.now ?? false }),
    ),
  )

program
  .command('eval')
  .description('how well search and matching do, on our own labels or on yours (runs research/evaluate.ts)')
  .argument('[words...]', 'search or match, and their options')
  .allowUnknownOption()
  .helpOption(false)
  .action((_words: string[], _options: unknown, command: Command) => evaluate(command.args))

/** Rows of a query; seconds that it may take, a day at most. */
function rowsOf(text: string): number {
  return wholeOf(text, 100_000_000)
}
function secondsOf(text: string): number {
  return wholeOf(text, 86_400)
}
function wholeOf(text: string, max: number): number {
  const whole = Number(text)
  if (Number.isInteger(whole) && whole >= 1 && whole <= max) return whole
  throw new InvalidArgumentError(`expected a whole number from 1 to ${max}`)
}

/** Rows of one listing. */
const LIMIT_MAX = 10_000
function limitOf(text: string): number {
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
    throw new Error(`--limit '${text}': expected a whole number from 1 to ${LIMIT_MAX}`)
  }
  return limit
}

await program.parseAsync()
