import { open, rename, rm } from 'node:fs/promises'

type Chunks = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>

/** Writes a file that appears whole or not at all. Throws the signal's reason once it aborts. */
export async function writeWhole(path: string, chunks: Chunks, signal?: AbortSignal): Promise<void> {
  await using file = await openPartFile(path)
  for await (const chunk of chunks) {
    signal?.throwIfAborted()
    await file.write(chunk)
  }
  await file.keep()
}

type PartFile = AsyncDisposable &
  Readonly<{ write: (text: string | Uint8Array) => Promise<void>; keep: () => Promise<void> }>

/** A file that appears whole or not at all. */
export async function openPartFile(path: string): Promise<PartFile> {
  const part = `${path}.part`
  const file = await open(part, 'w')
  let isKept = false
  return {
    write: async (text) => {
      await file.appendFile(text)
    },
    keep: async () => {
      await file.sync()
      await rename(part, path)
      isKept = true
    },
    async [Symbol.asyncDispose]() {
      await file.close()
      if (!isKept) await rm(part, { force: true })
    },
  }
}
