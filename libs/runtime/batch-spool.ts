import { ScratchFile } from './scratch-file.ts'

/** Characters of a spool that memory holds: some 500 records of a price list. */
const HELD_CHARS_MAX = 512 * 1024

type SpoolOptions = Readonly<{
  /** For the part that memory does not hold. */
  folder: string
  heldCharsMax?: number | undefined
}>

/**
 * Batches as lines of JSON, which can be read several times in the order in which they came. A few stay in memory. More go to disk
 * in pages of some {@link HELD_CHARS_MAX} characters, of which memory holds one.
 */
export class BatchSpool<Batch> implements AsyncDisposable {
  readonly #file: ScratchFile
  readonly #heldCharsMax: number
  /** Bytes of each page on disk. */
  readonly #pages: number[] = []
  #held: string[] = []
  #heldChars = 0
  #pageBytesMax = 0

  constructor({ folder, heldCharsMax = HELD_CHARS_MAX }: SpoolOptions) {
    this.#file = new ScratchFile(folder)
    this.#heldCharsMax = heldCharsMax
  }

  async add(batch: Batch): Promise<void> {
    const line = JSON.stringify(batch)
    this.#held.push(line)
    this.#heldChars += line.length
    if (this.#heldChars <= this.#heldCharsMax) return
    const page = Buffer.from(this.#held.join('\n'))
    this.#held = []
    this.#heldChars = 0
    await this.#file.append(page)
    this.#pages.push(page.length)
    this.#pageBytesMax = Math.max(this.#pageBytesMax, page.length)
  }

  async *read(): AsyncGenerator<Batch, void, undefined> {
    // All pages share one buffer: buffers lie outside the heap, so the collector would free many of them late.
    const buffer = Buffer.allocUnsafe(this.#pageBytesMax)
    let at = 0
    for (const bytes of this.#pages) {
      const page = buffer.subarray(0, bytes)
      await this.#file.read(page, at)
      at += bytes
      for (const line of page.toString().split('\n')) yield JSON.parse(line)
    }
    for (const line of this.#held) yield JSON.parse(line)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file[Symbol.asyncDispose]()
  }
}
