import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileDigest, replaceFile } from '@catalog/runtime/durable-files.ts'

/** Files of a tree, and the list of their sums. */

export async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() ?? false
}

/** SHA-256 of a file of any size, as hex. */
export const shaOfFile = async (path: string): Promise<string> => (await fileDigest(path)).sha256

/** Removes all files below a folder except those to keep, and empty folders. Paths are relative to `root`. */
export async function removeFilesExcept(root: string, folder: string, keeps: (path: string) => boolean): Promise<void> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) await removeFilesExcept(root, path, keeps)
    else if (!keeps(path)) await rm(join(root, path))
  }
  if (entries.length > 0 && (await readdir(join(root, folder))).length === 0)
    await rm(join(root, folder), { recursive: true })
}

/** The list of the SHA-256 of every file of a tree, in the form that `sha256sum --check` reads. */
export const SUMS = 'SHA256SUMS'

/** Files that a mirror writes into a tree, or wrote (`deltas`); others beside them belong to somebody else. */
const WRITTEN = /^(archive|deltas|digest|snapshots|region)\/|^(items\.atom|items\.rss|state\.json)(\.gz)?$|^keys\.json$/

/**
 * Lists the files of the tree. It does not read again those that are listed already and `isKnown` names. The mirror
 * calls it after state.json was replaced: after a power failure between both, some files seem altered and come again.
 */
export async function writeSums(tree: string, isKnown: (path: string) => boolean): Promise<void> {
  const known = await readSums(tree)
  const lines: string[] = []
  for (const path of await filesOf(tree)) {
    const sum = (isKnown(path) ? known.get(path) : undefined) ?? (await shaOfFile(join(tree, path)))
    lines.push(`${sum}  ${path}\n`)
  }
  const text = lines.join('')
  const isSame = text === (await readFile(join(tree, SUMS), 'utf8').catch(() => null))
  if (!isSame) await replaceFile(join(tree, SUMS), Buffer.from(text))
}

/** The listed sums by path, in hex; empty for a tree without the list. Leaves out lines that are none. */
export async function readSums(tree: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join(tree, SUMS), 'utf8').catch(() => '')
  return new Map(
    [...text.matchAll(/^([0-9a-f]{64}) {2}(.+)$/gm)].map(([, sum, path]) => [path as string, sum as string]),
  )
}

/** Paths of all finished files of the tree, in order. */
export async function filesOf(tree: string): Promise<readonly string[]> {
  const entries = await readdir(tree, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.part'))
    .map((entry) => join(entry.parentPath, entry.name).slice(join(tree, '/').length))
    .filter((path) => WRITTEN.test(path))
    .sort()
}
