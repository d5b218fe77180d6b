import { addSource, type SourceDraft } from '@catalog/crawler/sources/sources-file.ts'
import { writeSource } from '@catalog/operations/sources/write-source.ts'
import type { Environment } from '@catalog/runtime/env.ts'
import { confirm, type Prompt } from './questions.ts'

/** Adds a source to the sources file where a person says yes, and says so. Without `prompt` it adds it only with `yes`. */
export async function offerSource(
  env: Environment,
  draft: SourceDraft,
  { prompt, yes, isUsable }: Readonly<{ prompt: Prompt | null; yes: boolean; isUsable: boolean }>,
): Promise<Readonly<{ written: boolean; path: string; block: string; said: string }>> {
  const block = addSource('', draft).replace(/^sources:\n/, '')
  const path = env.CATALOG_SOURCES
  const question = `\n${block}\nAdd this to ${path}?`
  const isWanted = prompt === null ? yes : isUsable && (await confirm(prompt, { question, byDefault: true }))
  const written = isUsable && isWanted
  if (written) await writeSource(env, draft)
  const what = written ? 'added to' : prompt === null ? 'to be added with --yes to' : 'not added to'
  return { written, path, block, said: `${what} ${path}:\n\n${block}` }
}
