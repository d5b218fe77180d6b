import { type FileHandle, mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** More than the records of any crawl that the limits of its documents allow in practice. */
const FILE_BYTES_MAX = 64 * 1024 ** 3

/**
 * A file that only this process sees. It loses its name once it is open, so the system frees its space when it is closed or
 * the process ends.
 */
export class ScratchFile implements AsyncDisposable {
  readonly #folder: string
  #file: FileHandle | null = null
  #bytes = 0

  /** `folder` is made when it is missing. */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** Appends bytes and returns their position. Throws an error that names the folder. */
  async append(bytes: Uint8Array): Promise<number> {
    const at = this.#bytes
    if (at + bytes.length > FILE_BYTES_MAX) {
      throw new Error(`${this.#folder}: a temporary file would have more than ${FILE_BYTES_MAX} bytes`)
    }
    try {
      this.#file ??= await openUnnamed(this.#folder)
      for (let done = 0; done < bytes.length; ) {
        done += (await this.#file.write(bytes, done, bytes.length - done, at + done)).bytesWritten
      }
    } catch (cause) {
      throw new Error(`${this.#folder}: cannot keep temporary files (${(cause as Error).message})`, { cause })
    }
    this.#bytes += bytes.length
    return at
  }

  /** Fills a buffer with the bytes from a position. */
  async read(into: Uint8Array, at: number): Promise<void> {
    for (let done = 0; done < into.length; ) {
      const read = await this.#file?.read(into, done, into.length - done, at + done)
      if (!read?.bytesRead) throw new Error(`${this.#folder}: a temporary file ends at byte ${at + done}`)
      done += read.bytesRead
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close()
  }
}

async function openUnnamed(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true })
  const own = await mkdtemp(join(folder, 'scratch-'))
  try {
    return await open(join(own, 'file'), 'wx+', 0o600)
  } finally {
    await rm(own, { recursive: true })
  }
}
