import { open, rename, rm } from 'node:fs/promises'

type PartFile = AsyncDisposable & Readonly<{ write: (text: string) => Promise<void>; keep: () => Promise<void> }>

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
