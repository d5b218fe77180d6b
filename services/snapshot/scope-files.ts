import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip, type Gzip } from 'node:zlib'
import { fileDigest, syncPath } from '@catalog/runtime/durable-files.ts'
import { type ScopeFile, scopeFile } from './manifest.ts'
import { GZIP_LEVEL } from './partial-files.ts'

/**
 * A scope with more states has no file of its own: mirrors of so many items read shards in parallel. So the files of the
 * largest catalogs add only what small regions need.
 */
const SCOPE_FILE_STATES_MAX = 1_000_000

type OpenFile = Readonly<{ path: string; gzip: Gzip; whole: Promise<void> }>

/** The states of each scope in one file, one canonical state a line, in ascending id order. */
export type ScopeFiles = AsyncDisposable &
  Readonly<{
    /** Adds states in ascending id order; waits for the compression. */
    add: (states: readonly Readonly<{ state: string; regions: readonly string[] }>[]) => Promise<void>
    /** Completes and syncs the files. */
    finish: () => Promise<readonly ScopeFile[]>
  }>

/** Opens the files of scopes that have states, but not too many. Text is compressed as it comes. */
export function openScopeFiles(
  folder: string,
  scopes: readonly Readonly<{ scope: string; count: number }>[],
): ScopeFiles {
  const open = new Map<string, OpenFile>()
  for (const { scope, count } of scopes) {
    if (count === 0 || count > SCOPE_FILE_STATES_MAX) continue
    const path = join(folder, scopeFile(scope))
    const gzip = createGzip({ level: GZIP_LEVEL })
    const whole = pipeline(gzip, createWriteStream(path))
    // A failure also fails the write that waits, and `finish`.
    whole.catch(() => {})
    open.set(scope, { path, gzip, whole })
  }
  return {
    async add(states) {
      const texts = new Map<string, string>()
      for (const { state, regions } of states) {
        for (const scope of ['items', ...regions.map((region) => `region/${region}`)]) {
          if (open.has(scope)) texts.set(scope, `${texts.get(scope) ?? ''}${state}\n`)
        }
      }
      for (const [scope, text] of texts) await written((open.get(scope) as OpenFile).gzip, text)
    },
    async finish() {
      const files: ScopeFile[] = []
      for (const { scope, count } of scopes) {
        const file = open.get(scope)
        if (file === undefined) continue
        file.gzip.end()
        await file.whole
        await syncPath(file.path)
        files.push({ scope, file: scopeFile(scope), count, ...(await fileDigest(file.path)) })
      }
      return files
    },
    async [Symbol.asyncDispose]() {
      for (const { gzip } of open.values()) gzip.destroy()
    },
  }
}

const written = (gzip: Gzip, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    gzip.write(text, (error) => (error ? reject(error) : resolve()))
  })
