import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** Packed bytes, and the unfinished folder of a snapshot. */

/** The default: higher levels take several times as long and save little. */
export const GZIP_LEVEL = 6

/** Deterministic, because zlib writes no time into the header. Runs in the thread pool. */
export const gzipped = (text: Buffer): Promise<Buffer> => deflate(text, { level: GZIP_LEVEL })
const deflate = promisify<Buffer, { level: number }, Buffer>(gzip)

/** Name prefix of unfinished files and folders. */
export const PARTIAL_PREFIX = '.unfinished-'

/** Removes leftovers of killed runs. */
export async function removePartials(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(PARTIAL_PREFIX)) await rm(join(folder, name), { recursive: true, force: true })
  }
}
