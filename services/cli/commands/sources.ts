import { answerReports } from '@catalog/cli/crawl/crawl-inputs.ts'
import { withCrawler } from '@catalog/cli/crawl/source-crawls.ts'
import { importIndexFile } from '@catalog/cli/indices/import-file.ts'
import { listIndices } from '@catalog/cli/indices/indices.ts'
import { addPreset, saidOf } from '@catalog/cli/presets/add-preset.ts'
import { listPresets, showPreset } from '@catalog/cli/presets/list-presets.ts'
import { testPresets } from '@catalog/cli/presets/test-presets.ts'
import { SOURCE_ALIASES } from '@catalog/cli/review/decision-lists.ts'
import { withCatalog, withEnvironment, withTerminal } from '@catalog/cli/shared/context.ts'
import { doing, listing, printOutcome } from '@catalog/cli/shared/list.ts'
import { addToSources } from '@catalog/cli/sources/add-source.ts'
import { type Answers, openPrompt } from '@catalog/cli/sources/questions.ts'
import { listSources } from '@catalog/cli/sources/sources.ts'
import { testSources } from '@catalog/cli/sources/test-sources.ts'
import { aliasSource, type SourceAliasOptions } from '@catalog/operations/decisions/source-aliases.ts'
import { acceptCrawl, dropCrawl } from '@catalog/operations/held-crawls.ts'
import type { Actions } from './actions.ts'

export const ACTIONS: Actions = {
  'sources list': withCatalog(listSources),
  'sources test': withCatalog(testSources),
  'sources add': withCatalog(
    async (context, url: string | undefined, { preset, param = [], file, ...flags }: AddFlags) => {
      const isInteractive = !flags.yes && !context.terminal.json && process.stdin.isTTY && process.stderr.isTTY
      using questions = isInteractive ? openPrompt(context.signal) : null
      const prompt = questions?.prompt ?? null
      if ((url === undefined) === (preset === undefined)) throw new Error('expected either an address or --preset ID')
      if (url !== undefined) return await addToSources(context, { url, flags, prompt })
      const asked = { id: preset as string, said: saidOf(param), file }
      return await addPreset(context, { ...asked, yes: flags.yes ?? false, prompt })
    },
  ),
  'sources accept': withCatalog(async (context, given: string) =>
    answerReports(context.terminal, [await acceptCrawl(withCrawler(context), given)]),
  ),
  'sources drop': withCatalog(async (context, given: string, { reason }: { reason: string }) => {
    printOutcome(context.terminal, await dropCrawl(withCrawler(context), { given, reason }))
    context.terminal.next('catalog sources')
  }),
  'sources alias': doing(
    (catalog, source: string, canonical: string | undefined, options: SourceAliasOptions) =>
      aliasSource(catalog, { source, canonical, ...options }),
    'catalog aggregate',
  ),
  'sources aliases': listing(SOURCE_ALIASES),
  'presets list': withTerminal((terminal, { region }: { region?: string }) => listPresets(terminal, { region })),
  'presets show': withTerminal(showPreset),
  'presets test': withEnvironment(testPresets),
  'indices list': withCatalog(listIndices),
  'indices import': withCatalog(importIndexFile),
}

type AddFlags = Answers & { yes?: boolean; preset?: string; param?: string[]; file?: string }
