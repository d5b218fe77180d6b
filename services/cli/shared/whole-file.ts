import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

type Chunks = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>

/** Writes a file that appears whole or not at all. Throws the signal's reason once it aborts. */
export async function writeWhole(path: string, chunks: Chunks, signal?: AbortSignal): Promise<void> {
  const part = `${path}.part`
  try {
    await pipeline(Readable.from(chunks), createWriteStream(part), { ...(signal && { signal }) })
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    signal?.throwIfAborted()
    throw error
  }
}
