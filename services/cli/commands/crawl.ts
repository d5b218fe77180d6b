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
import { readSources } from '@catalog/crawler/sources/sources-reader.ts'
import type { Command } from 'commander'
import type { Actions } from './actions.ts'

export const ACTIONS: Actions = { crawl: runCrawl }

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
  const { catalog, env, terminal, signal } = context
  const reports =
    paths.length === 0 ? [] : [...(await crawlInputs(catalog, terminal, inputsOf(paths, options), signal))]
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
