import { dirname } from 'node:path'
import { importsOf, isTest, nameOf, packageOf, type Source } from './tree.ts'

/** Rules about where files stand and which folder imports which. Each returns its violations, sorted; empty when all is well. */

/** Production files that one folder may hold: more are several subjects. */
export const FOLDER_FILES_MAX = 15

/** Folders with more than {@link FOLDER_FILES_MAX} production files, as `folder: count`. */
export function crowdedFolders(sources: readonly Source[]): string[] {
  const byFolder = Map.groupBy(productionOf(sources), ({ path }) => dirname(path))
  return [...byFolder]
    .filter(([, files]) => files.length > FOLDER_FILES_MAX)
    .map(([folder, files]) => `${folder}: ${files.length} files, expected at most ${FOLDER_FILES_MAX}`)
}

/** The imports between the folders of each package: `core/units` → `core/money`; a package's own folder by its name. */
export function folderImports(sources: readonly Source[]): Map<string, string[]> {
  const graph = new Map<string, Set<string>>()
  for (const source of productionOf(sources)) {
    const from = folderName(source.path)
    const imported = graph.get(from) ?? new Set<string>()
    graph.set(from, imported)
    for (const target of importsOf(source)) {
      if (packageOf(target) === packageOf(source.path) && folderName(target) !== from) imported.add(folderName(target))
    }
  }
  return new Map([...graph].map(([folder, imported]) => [folder, [...imported].sort()]))
}

/** The shortest circles of a graph, each once from its smallest name, as `a → b → a`. */
export function circles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const found = new Set<string>()
  for (const start of graph.keys()) {
    const circle = pathBack(graph, start)
    if (circle === undefined) continue
    const first = circle.indexOf([...circle].sort()[0] as string)
    const turned = [...circle.slice(first), ...circle.slice(0, first)]
    found.add([...turned, turned[0]].join(' → '))
  }
  return [...found].sort()
}

/** Breadth first, so the first way back is a shortest one. */
function pathBack(graph: ReadonlyMap<string, readonly string[]>, start: string): string[] | undefined {
  const queue = [[start]]
  const seen = new Set<string>()
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    for (const next of graph.get(path.at(-1) as string) ?? []) {
      if (next === start) return path
      if (seen.has(next)) continue
      seen.add(next)
      queue.push([...path, next])
    }
  }
  return undefined
}

/** The imports of production files by path, for {@link circles}. */
export function fileImports(sources: readonly Source[]): Map<string, string[]> {
  return new Map(productionOf(sources).map((source) => [source.path, importsOf(source)]))
}

/** Relative imports that leave their folder: another folder is named by its package path. */
export function climbingImports(sources: readonly Source[]): string[] {
  return sources.flatMap((source) =>
    [...source.text.matchAll(/(?:from|import|import\()\s*'(\.[^']*)'/g)]
      .filter(
        ([, specifier = '']) => !/^\.\/[^/]+$/.test(specifier) && !specifier.endsWith('clients/typescript/api.ts'),
      )
      .map(([, specifier]) => `${source.path}: '${specifier}'`),
  )
}

/** Where the folders of imports.json and the imports of the sources differ. */
export function tableDifferences(
  table: ReadonlyMap<string, readonly string[]>,
  graph: ReadonlyMap<string, readonly string[]>,
): string[] {
  const folders = [...new Set([...table.keys(), ...graph.keys()])].sort()
  return folders.flatMap((folder) => {
    const [stated, real] = [table.get(folder)?.join(', ') ?? 'no row', graph.get(folder)?.join(', ') ?? 'no folder']
    return stated === real ? [] : `${folder}: the table says '${stated}', the sources import '${real}'`
  })
}

const productionOf = (sources: readonly Source[]) => sources.filter(({ path }) => !isTest(path))

function folderName(path: string): string {
  const holding = packageOf(path)
  return `${nameOf(holding)}${dirname(path).slice(holding.length)}`
}
