import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { MirrorError } from '@catalog/mirror/mirror-error.ts'
import { IMMUTABLE, STATE, type TreeOptions, type TreeReport, writeTree } from '@catalog/mirror/tree/tree.ts'
import { filesOf, readSums, SUMS, shaOfFile } from '@catalog/mirror/tree/tree-files.ts'
import type { Notes } from './report.ts'

/**
 * Verifies the plain files of a tree: each against the sum that was listed when it was written, and all of them as a
 * mirror of the tree would. What differs goes, and comes from the origin again. Throws what {@link writeTree} throws,
 * but for a MirrorError where files were rotten: these are then named as not repaired.
 */
export async function verifyTree(options: TreeOptions, notes: Notes): Promise<TreeReport | null> {
  const { tree, onProgress = () => {} } = options
  const sums = await readSums(tree)
  const paths = await filesOf(tree)
  if (!paths.includes(STATE)) throw new Error(`no tree at ${tree}: expected one that catalog mirror --static made`)
  const before = new Map<string, string>()
  const wrong = new Map<string, string>()
  for (const [i, path] of paths.entries()) {
    const found = await shaOfFile(join(tree, path))
    before.set(path, found)
    const listed = sums.get(path)
    if (listed !== undefined && listed !== found) wrong.set(path, `sha256: expected ${listed}, found ${found}`)
    onProgress({ scope: PLACE, step: 'files', done: i + 1, total: paths.length })
  }
  for (const path of sums.keys()) if (!before.has(path)) wrong.set(path, 'was lost')
  for (const path of wrong.keys()) {
    // Readers follow state.json, which is replaced last. The list may name any path: only files that were found go.
    if (path !== STATE && before.has(path)) await rm(join(tree, path), { force: true })
  }
  const listText = await readFile(join(tree, SUMS)).catch(() => null)
  let failure: MirrorError | null = null
  const report = await writeTree({ ...options, isThorough: true }).catch((error: unknown) => {
    if (!(error instanceof MirrorError) || wrong.size === 0) throw error
    failure = error
    return null
  })
  if (listText !== null && !isList(listText)) notes.add({ place: PLACE, name: SUMS, problem: 'is no list of sums' })
  const after = failure === null ? await readSums(tree) : new Map<string, string>()
  for (const [name, problem] of wrong) {
    // Where the origin sends the very bytes that the list denies, or no such file, the list is wrong.
    if (failure === null && after.get(name) === before.get(name)) {
      notes.add({ place: PLACE, name: SUMS, problem: `${name}: ${problem}` })
    } else notes.add({ place: PLACE, name, problem: problemOf(problem, failure), isRepaired: failure === null })
  }
  if (sums.size > 0) {
    for (const path of before.keys()) {
      if (!sums.has(path)) notes.add({ place: PLACE, name: SUMS, problem: `does not list ${path}` })
    }
  }
  for (const [name, sum] of after) {
    const isAltered = IMMUTABLE.test(name) && before.has(name) && before.get(name) !== sum && !wrong.has(name)
    if (isAltered) notes.add({ place: PLACE, name, problem: 'was not what the origin sends' })
  }
  return report
}
const PLACE = 'static'

const problemOf = (problem: string, failure: MirrorError | null) =>
  failure === null ? problem : `${problem}; ${failure.message}`

const isList = (bytes: Buffer) => /^([0-9a-f]{64} {2}.+\n)*$/.test(bytes.toString('utf8'))
