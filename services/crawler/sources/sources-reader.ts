import { existsSync, readFileSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Environment } from '@catalog/runtime/env.ts'
import { parseSources, type SourcesFile } from './sources-file.ts'

/** The file where the environment names none. */
export const SOURCES_DEFAULT = 'catalog.sources.yaml'

/** The path of the sources file, which need not exist yet. */
export const sourcesPathOf = (env: Environment) => resolve(env.CATALOG_SOURCES)

/**
 * Returns a function that reads the sources file, or null where there is none. It returns the same file again until the file
 * or one of its mappings changes. Throws BadSourcesFile.
 */
export function sourcesReader(env: Environment): () => Promise<SourcesFile | null> {
  const path = sourcesPathOf(env)
  let cached: { version: string; file: SourcesFile } | null = null
  let mappings: string[] = []
  return async () => {
    if (!existsSync(path)) return null
    const version = versionOf([path, ...mappings])
    if (cached?.version !== version) {
      const named: string[] = []
      try {
        const file = parseSourcesOf(env, await readFile(path, 'utf8'), (mapping) => named.push(mapping))
        cached = { version: versionOf([path, ...named]), file }
      } finally {
        mappings = named
      }
    }
    return cached.file
  }
}

/**
 * Parses the text of a sources file and resolves its mappings from the environment's path. Calls `onMapping` with the path of
 * each mapping file. Throws BadSourcesFile.
 */
export function parseSourcesOf(
  env: Environment,
  text: string,
  onMapping: (path: string) => void = () => {},
): SourcesFile {
  const pathOf = (path: string) => resolve(dirname(sourcesPathOf(env)), path)
  const readMapping = (mapping: string) => {
    const path = pathOf(mapping)
    onMapping(path)
    return readFileSync(path, 'utf8')
  }
  return parseSources(text, { place: env.CATALOG_SOURCES, readMapping, pathOf })
}

/** Identifies the contents of the files by modification time and size. */
function versionOf(paths: readonly string[]): string {
  return paths
    .map((path) => {
      const found = statSync(path, { throwIfNoEntry: false })
      return `${path} ${found?.mtimeMs} ${found?.size}`
    })
    .join('\n')
}

/** Reads the sources file once. Throws an error that says how to begin a file where there is none. */
export async function readSources(env: Environment): Promise<SourcesFile> {
  const file = await sourcesReader(env)()
  if (file !== null) return file
  throw new Error(
    `${env.CATALOG_SOURCES}: no such file; begin one with catalog sources add URL, or give catalog crawl its inputs`,
  )
}
