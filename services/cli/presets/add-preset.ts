import { totalsOf } from '@catalog/cli/crawl/preview-json.ts'
import { sourcePreviewText } from '@catalog/cli/crawl/preview-text.ts'
import { openSourceCrawler } from '@catalog/cli/crawl/source-crawls.ts'
import type { Context } from '@catalog/cli/shared/context.ts'
import { offerSource } from '@catalog/cli/sources/offer-source.ts'
import { type Prompt, promptForOne } from '@catalog/cli/sources/questions.ts'
import { previewJson, RECORDS_SHOWN } from '@catalog/cli/sources/source-preview.ts'
import { previewSource, type SourcePreview } from '@catalog/crawler/crawls/preview-source.ts'
import type { Preset } from '@catalog/crawler/presets/preset-schema.ts'
import { openParameters, type Said, valuesOf } from '@catalog/crawler/presets/preset-source.ts'
import { readPreset } from '@catalog/crawler/presets/presets.ts'
import type { SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import { draftPreset, type PresetAsked } from '@catalog/operations/sources/presets.ts'
import { movesIfAny } from '@catalog/operations/what-if/records.ts'
import { chosenLines, presetLines } from './preset-text.ts'

type Adding = PresetAsked &
  Readonly<{ yes: boolean /** Null if nobody can answer questions. */; prompt: Prompt | null }>

/**
 * Shows a preset with its licence, asks for open parameters, shows what a crawl would record, and writes the source into the sources
 * file. Without `prompt` it writes only with `yes`. Returns false for a source of which nothing would be recorded.
 */
export async function addPreset(context: Context, { id, said, file, yes, prompt }: Adding): Promise<boolean> {
  const { catalog, env, terminal } = context
  const preset = await readPreset(id)
  if (prompt !== null) terminal.note(`${presetLines(preset).join('\n')}\n`)
  const answered = await answersFor(preset, { said, prompt })
  const { draft, spec, file: sources } = await draftPreset(env, preset, { said: answered, file })
  terminal.note(`${chosenLines(preset, spec).join('\n')}\n`)
  const tried = await previewSource(spec, openSourceCrawler(context, sources), { count: RECORDS_SHOWN })
  const moves = await movesIfAny(catalog, tried.preview)
  terminal.note(`${[sourcePreviewText(tried, moves), ...heldLines(spec, tried)].join('\n')}\n`)
  const isUsable = totalsOf(tried.preview).recorded > 0
  const { said: told, ...offered } = await offerSource(env, draft, { prompt, yes, isUsable })
  const value = { source_id: spec.id, name: spec.name, preset: id, ...offered, ...previewJson(tried, moves) }
  terminal.answer(value, () =>
    isUsable ? told : `${env.CATALOG_SOURCES}: not changed, since nothing would be recorded`,
  )
  if (offered.written) terminal.next(`catalog crawl --source ${spec.id}`)
  return isUsable && (offered.written || !yes)
}

/** That a crawl of these records would be held, where their number is known and below the least of the source. */
function heldLines({ id, health: { recordsMin = 0 } }: SourceSpec, { preview }: SourcePreview): readonly string[] {
  const { recorded } = totalsOf(preview)
  if (preview?.figures.isWhole !== true || recorded === 0 || recorded >= recordsMin) return []
  return [
    '',
    `A crawl would be held: ${recorded} records, expected at least ${recordsMin} (health.records_min); catalog sources accept ${id} records them nevertheless.`,
  ]
}

/** What a person said of the parameters, and answers on those that are open; without anybody to ask, what was said. */
async function answersFor(preset: Preset, { said, prompt }: Pick<Adding, 'said' | 'prompt'>): Promise<Said> {
  let answered = said
  if (prompt === null) return answered
  for (const name of openParameters(preset, said)) {
    const choices = new Map(valuesOf(preset, name).map((value) => [value, value]))
    answered = { ...answered, [name]: await promptForOne(prompt, { question: name, choices }) }
  }
  return answered
}

/** `state=SP` → { state: 'SP' }. Throws an error that shows the form. */
export function saidOf(pairs: readonly string[]): Said {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value] = /^([^=]+)=(.*)$/.exec(pair) ?? []
      if (name === undefined || value === undefined) throw new Error(`--param '${pair}': expected NAME=VALUE`)
      return [name, value]
    }),
  )
}
