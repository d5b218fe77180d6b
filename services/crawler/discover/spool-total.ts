import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readSpool, spoolsOf, type TotalOfSpools } from './spool.ts'

/** Bounds the disk of all crawls together, held ones included: four of the largest. */
const SPOOLS_BYTES_MAX = 64 * 1024 ** 3

/**
 * The bytes of all spools in one folder (SOURCE/CRAWL/), which have a bound together. Spools of this process count as they
 * grow, those of others as they lie when a crawl begins here.
 */
export class SpoolTotal implements TotalOfSpools {
  readonly bytesMax: number
  readonly #crawlsDir: string
  readonly #bytes = new Map<string, number>()
  readonly #open = new Set<string>()

  constructor(crawlsDir: string, bytesMax = SPOOLS_BYTES_MAX) {
    this.#crawlsDir = crawlsDir
    this.bytesMax = bytesMax
  }

  /** Below 0 where bodies in progress exceeded the bound. */
  get room(): number {
    let room = this.bytesMax
    for (const bytes of this.#bytes.values()) room -= bytes
    return room
  }

  /** Also counts the others anew, as they lie. */
  async begin(folder: string, bytes: number): Promise<void> {
    this.#open.add(folder)
    this.set(folder, bytes)
    const found = new Set(this.#open)
    for (const source of await readdir(this.#crawlsDir).catch(() => [])) {
      for (const { folder } of await spoolsOf(join(this.#crawlsDir, source))) {
        // Another crawl may remove it meanwhile.
        const lying = this.#open.has(folder) ? null : await readSpool(folder).catch(() => null)
        if (lying === null) continue
        found.add(folder)
        this.set(folder, lying.bytes)
      }
    }
    for (const folder of this.#bytes.keys()) if (!found.has(folder)) this.#bytes.delete(folder)
  }

  set(folder: string, bytes: number): void {
    this.#bytes.set(folder, bytes)
  }

  /** The spool counts on until a later crawl finds it gone. */
  end(folder: string): void {
    this.#open.delete(folder)
  }
}
