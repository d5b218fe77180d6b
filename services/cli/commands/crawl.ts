import {
  answerReports,
  type CrawlOptions,
  crawlInputs,
  inputsOf,
  previewInputs,
} from '@catalog/cli/crawl/crawl-inputs.ts'
import {
  crawlScheduled,
  crawlSources,
  previewSources,
  selectSources,
  sourcesOfUrls,
} from '@catalog/cli/crawl/source-crawls.ts'
import { type Context, withCatalog, withPresentCatalog } from '@catalog/cli/shared/context.ts'
import { UNTIL_SUPERSEDED } from '@catalog/core/events/sources.ts'
import { readSources } from '@catalog/crawler/sources/sources-reader.ts'
import { FORMATS } from '@catalog/formats/format.ts'
import { type Command, Option } from 'commander'

const EXAMPLES = `
Addresses are fetched politely: robots.txt, one request a second to a host, and CRAWL_CONTACT in the User-Agent.

  catalog crawl prices.csv --source Obramat --region ES --currency EUR
  catalog crawl https://shop.example/feed.xml --source Example --region ES
  catalog crawl --scheduled`

export function addCrawl(program: Command): void {
  program
    .command('crawl')
    .description(
      'record the prices of files, folders and addresses: CSV, JSON, XLSX, BC3, ZIP; BMEcat, merchant feeds, product pages',
    )
    .argument('[input...]', 'files, folders or web addresses (default: the sources of the sources file, now)')
    .option(
      '--source <name>',
      'name of the vendor (default: the file’s name or the host’s); without inputs: of the sources file',
    )
    .option('--region <code>', 'ISO 3166 alpha-2 code, EU or LATAM')
    .option('--trust <score>', '0 to 100, registered with a new source')
    .addOption(new Option('--kind <kind>', 'of source or price').choices(['shop', 'bid', 'bank', 'list', 'net']))
    .addOption(
      new Option('--validity <rule>', 'until_superseded: a price votes until a newer edition or price').choices([
        UNTIL_SUPERSEDED,
      ]),
    )
    .option('--validity-days <days>', 'days for which a price votes')
    .addOption(new Option('--format <format>', 'of the input (default: by name and content)').choices(FORMATS))
    .option('--mapping <file>', 'which column has which field, JSON or YAML')
    .option(
      '--new-sources',
      'of files: register sources that the catalog has never met (mapping: sources: { allow: any })',
    )
    .option('--currency <code>', 'ISO 4217 code of prices without one')
    .option('--observed-at <instant>', 'when the prices were seen, where the input does not say')
    .option('--lang <code>', 'language of the texts')
    .option('--preview', 'show the first records as they would be recorded and what would move, and append nothing')
    .option('--full', 'without inputs: also fetch what has not changed')
    .option('--scheduled', 'without inputs: stay, and crawl each source when it is due, in one process of several')
    .addHelpText('after', EXAMPLES)
    .action((inputs: string[], options: CrawlFlags, command: Command) => runCrawl(inputs, options, command))
}

type CrawlFlags = CrawlOptions & { preview?: boolean; full?: boolean; scheduled?: boolean }
const isUrl = (input: string) => /^https?:/i.test(input)

function runCrawl(inputs: readonly string[], options: CrawlFlags, command: Command): Promise<void> {
  const [urls, paths] = [inputs.filter(isUrl), inputs.filter((input) => !isUrl(input))]
  if (options.preview) {
    const isOfFiles = urls.length === 0 && paths.length > 0
    return withPresentCatalog((context) =>
      isOfFiles
        ? previewInputs(context, inputsOf(paths, options))
        : previewSources(context, sourcesOfUrls(urls, options)),
    )(command)
  }
  return withCatalog(async (context) => {
    if (!options.scheduled) return crawlAll(context, { urls, paths, options })
    const { observed } = await import('@catalog/cli/serve/metrics.ts')
    return observed(context, 'crawl', () => crawlScheduled(context))
  })(command)
}

/**
 * Crawls files, then addresses; without either, the sources of the sources file. Returns whether it read all of them
 * whole.
 */
async function crawlAll(
  context: Context,
  { urls, paths, options }: { urls: readonly string[]; paths: readonly string[]; options: CrawlFlags },
): Promise<boolean> {
  const { catalog, env, terminal } = context
  const reports = paths.length === 0 ? [] : [...(await crawlInputs(catalog, terminal, inputsOf(paths, options)))]
  if (urls.length > 0) {
    const specs = sourcesOfUrls(urls, options)
    reports.push(...(await crawlSources(context, { specs, isFull: true, isPart: true })))
  }
  if (urls.length === 0 && paths.length === 0) {
    const file = await readSources(env)
    const specs = selectSources(file, options.source === undefined ? undefined : [options.source])
    reports.push(...(await crawlSources(context, { specs, file, isFull: options.full ?? false })))
  }
  answerReports(terminal, reports)
  return reports.every(({ complete, outcome }) => complete && outcome !== 'held')
}
