import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Files that survive a power failure, and their sums. */

/** Replaces a file atomically: readers see the old bytes or the new. Makes its folder. */
export async function replaceFile(path: string, bytes: Uint8Array | string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeDurably(partOf(path), bytes)
  await commitPart(path)
}

/** Path of the unfinished file. */
export const partOf = (path: string) => `${path}.part`

/** Moves the unfinished file to its place. */
export async function commitPart(path: string): Promise<void> {
  await rename(partOf(path), path)
  await syncPath(dirname(path))
}

/** Writes a new file and syncs it to disk. */
export const writeDurably = (path: string, bytes: Uint8Array | string): Promise<void> =>
  writeFile(path, bytes, { flush: true })

/** Syncs a file, or the entries of a folder, to disk. */
export async function syncPath(path: string): Promise<void> {
  await using file = await open(path, 'r')
  await file.sync()
}

/** Size and SHA-256 (hex) of a file of any size. */
export async function fileDigest(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}
