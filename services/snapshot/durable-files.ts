import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** Atomic file writes that survive a power failure, and gzip. */

/** The default: higher levels take several times as long and save little. */
export const GZIP_LEVEL = 6

/** Deterministic, because zlib writes no time into the header. Runs in the thread pool. */
export const gzipped = (text: Buffer): Promise<Buffer> => deflate(text, { level: GZIP_LEVEL })
const deflate = promisify<Buffer, { level: number }, Buffer>(gzip)

/** Writes a new file and syncs it to disk. */
export const writeDurably = (path: string, bytes: Buffer | string): Promise<void> =>
  writeFile(path, bytes, { flush: true })

/** Syncs a file, or the entries of a folder, to disk. */
export async function syncPath(path: string): Promise<void> {
  await using file = await open(path, 'r')
  await file.sync()
}

/** Replaces a file atomically: readers see the old bytes or the new. */
export async function replaceDurably(folder: string, name: string, bytes: string): Promise<void> {
  const unfinished = join(folder, `${PARTIAL_PREFIX}${name}`)
  await writeDurably(unfinished, bytes)
  await rename(unfinished, join(folder, name))
  await syncPath(folder)
}

/** Name prefix of unfinished files and folders. */
export const PARTIAL_PREFIX = '.unfinished-'

/** Removes leftovers of killed runs. */
export async function removePartials(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(PARTIAL_PREFIX)) await rm(join(folder, name), { recursive: true, force: true })
  }
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
