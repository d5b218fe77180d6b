import { chmod, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { addSource, type SourceDraft, type SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import { parseSourcesOf, sourcesPathOf } from '@catalog/crawler/sources/sources-reader.ts'
import type { Environment } from '@catalog/runtime/env.ts'

/** The text of the file with the source added, and both parsed. Throws BadSourcesFile. */
export function readWith(before: string, draft: SourceDraft, env: Environment) {
  const text = addSource(before, draft)
  const file = parseSourcesOf(env, text)
  return { text, file, spec: file.sources.at(-1) as SourceSpec }
}

/** The text of the sources file; empty where there is none yet. */
export async function sourcesText(env: Environment): Promise<string> {
  try {
    return await readFile(sourcesPathOf(env), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

/** Adds a source to the present file, which it creates if missing: somebody may have edited it during the questions. */
export async function writeSource(env: Environment, draft: SourceDraft): Promise<void> {
  const path = sourcesPathOf(env)
  const at = await realpath(path).catch(() => path)
  const part = `${at}.part`
  try {
    await writeFile(part, '', { flag: 'wx' })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
    throw new Error(`${part}: expected no such file; somebody else writes, or was stopped while writing`, { cause })
  }
  try {
    // Read under the lock of the .part file, so that no other write is lost.
    const { text } = readWith(await sourcesText(env), draft, env)
    await writeFile(part, text)
    const before = await stat(at).catch(() => null)
    if (before !== null) await chmod(part, before.mode)
    await rename(part, at)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}
