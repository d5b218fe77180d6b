import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, resolve } from 'node:path'
import imports from './imports.json' with { type: 'json' }

/** The repository as the tidy rules see it. */
export const ROOT = resolve(import.meta.dirname, '../../..')

/** A TypeScript file: its path from the repository's root, and its text. */
export type Source = Readonly<{ path: string; text: string }>

/** What each package and each folder may import. */
export const IMPORTS: Readonly<Record<'packages' | 'folders', Readonly<Record<string, readonly string[]>>>> = imports

const isOurs = (path: string) => !path.includes('node_modules/')

/** package.json of every package, sorted by path. */
export const MANIFESTS = globSync(
  [
    'libs/*/package.json',
    'services/*/package.json',
    'infra/*/package.json',
    'clients/*/package.json',
    'research/package.json',
  ],
  { cwd: ROOT },
)
  .filter(isOurs)
  .sort()

/** Types that a command makes from the OpenAPI document. */
const GENERATED = 'clients/typescript/api.ts'

/** Every TypeScript file that somebody wrote, of every package, sorted by path. */
export const SOURCES: readonly Source[] = globSync(
  ['libs/**/*.ts', 'services/**/*.ts', 'infra/**/*.ts', 'research/**/*.ts', 'clients/typescript/*.ts'],
  { cwd: ROOT },
)
  .filter((path) => isOurs(path) && path !== GENERATED)
  .sort()
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

/** The sources but for those of these rules, which spell what they forbid. */
export const CHECKED = SOURCES.filter(({ path }) => !path.startsWith('infra/stack/tidy/'))

/** Files of tests. The helpers that they share stand in infra/stack and keep the rules of production files. */
export const isTest = (path: string) => path.endsWith('.test.ts')

/** The folder of the package that holds a path: `libs/core`. */
export const packageOf = (path: string) =>
  /^(?:research|(?:libs|services|infra|clients)\/[^/]+)(?=\/)/.exec(path)?.[0] ?? ''

/** The short name of a package: `core` of `libs/core`. */
export const nameOf = (folder: string) => folder.split('/').at(-1) as string

const FOLDER_OF_NAME = new Map(MANIFESTS.map((path) => [nameOf(dirname(path)), dirname(path)]))

/** The files of ours that a source imports, by path from the root. */
export function importsOf({ path, text }: Source): string[] {
  return [...text.matchAll(/(?:from|import|import\()\s*'((?:@catalog\/|\.)[^']+)'/g)].flatMap(([, specifier = '']) => {
    if (specifier.startsWith('.')) return [normalize(join(dirname(path), specifier))]
    const [, name = '', file] = /^@catalog\/([a-z-]+)\/(.+)$/.exec(specifier) ?? []
    const folder = FOLDER_OF_NAME.get(name)
    return folder === undefined ? [] : [`${folder}/${file}`]
  })
}

/** Lines of the sources that match, as `path:line: text`. */
export function linesWith(pattern: RegExp, sources: readonly Source[] = CHECKED): string[] {
  return sources.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, i) => (pattern.test(line) ? `${path}:${i + 1}: ${line.trim()}` : [])),
  )
}

/** A document of the repository. */
export const documentText = (path: string) => readFileSync(join(ROOT, path), 'utf8')
