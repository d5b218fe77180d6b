import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Atomic file writes that survive a power failure. */

/** Replaces a file atomically: readers see the old bytes or the new. */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  {
    await using file = await open(partOf(path), 'w')
    await file.writeFile(bytes)
    await file.sync()
  }
  await commitPart(path)
}

/** Path of the unfinished file. */
export const partOf = (path: string) => `${path}.part`

/** Moves the unfinished file to its place. */
export async function commitPart(path: string): Promise<void> {
  await rename(partOf(path), path)
  await using folder = await open(dirname(path), 'r')
  await folder.sync()
}

export async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() ?? false
}

/** SHA-256 of a file of any size, as hex. */
export async function shaOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest('hex')
}

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
