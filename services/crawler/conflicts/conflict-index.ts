import { appendFile, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** What a candidate's reference, or its offer, has elsewhere in the input: another product, or another price. */
export type Conflict = 'product' | 'price'

/**
 * Finds the candidate observations that conflict with others of their reference, and those that repeat an earlier one,
 * for an input of any size in bounded memory. Exact up to collisions of 128-bit hashes.
 *
 * Small inputs stay in memory. Past `memoryBytesMax` the index spills its hashes to files by their first byte, so that
 * equal hashes share a file. It then reads one file at a time and holds the distinct hashes of one of {@link BUCKETS}
 * files. An answer is three bits for each candidate.
 */
export class ConflictIndex implements AsyncDisposable {
  readonly #folder: string
  readonly #memoryBytesMax: number
  readonly #refs: Buckets
  readonly #offers: Buckets
  readonly #ids: Buckets
  #count = 0

  constructor({ folder, memoryBytesMax = MEMORY_BYTES_MAX }: { folder: string; memoryBytesMax?: number }) {
    this.#folder = folder
    this.#memoryBytesMax = memoryBytesMax
    this.#refs = new Buckets({ folder, name: 'refs', recordBytes: REF_BYTES })
    this.#offers = new Buckets({ folder, name: 'offers', recordBytes: REF_BYTES })
    this.#ids = new Buckets({ folder, name: 'ids', recordBytes: ID_BYTES })
  }

  /** Number of candidates, which is also the number of the next one. */
  get count(): number {
    return this.#count
  }

  /** Whether the index has spilled. */
  get isOnDisk(): boolean {
    return this.#refs.isOnDisk
  }

  /**
   * Adds the next candidate: SHA-256 in hex of its reference, of what must agree under one reference, and of the whole; of its
   * offer, where that has one price alone, and of this price.
   */
  add({
    ref,
    product,
    offer,
    id,
  }: Readonly<{
    ref: string
    product: string
    offer?: Readonly<{ key: string; price: string }> | undefined
    id: string
  }>): void {
    this.#refs.add(this.#count, ref, product)
    if (offer !== undefined) this.#offers.add(this.#count, offer.key, offer.price)
    this.#ids.add(this.#count, id)
    this.#count++
  }

  /** Spills when the hashes exceed the memory limit. Await it between batches. */
  async spillIfLarge(): Promise<void> {
    const heldBytes = this.#refs.heldBytes + this.#offers.heldBytes + this.#ids.heldBytes
    if (heldBytes <= this.#memoryBytesMax) return
    await mkdir(this.#folder, { recursive: true })
    await this.#refs.flush()
    await this.#offers.flush()
    await this.#ids.flush()
  }

  /** The answers, by number of candidate. */
  async finish(): Promise<{
    conflictOf(candidate: number): Conflict | null
    isDuplicate(candidate: number): boolean
  }> {
    const products = new Bits(this.#count)
    const prices = new Bits(this.#count)
    const duplicates = new Bits(this.#count)
    const hashes = new HashSet()
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      await markContradicted({ records: this.#refs, bucket, hashes, marks: products })
      await markContradicted({ records: this.#offers, bucket, hashes, marks: prices })
      hashes.clear()
      for await (const page of this.#ids.pages(bucket)) {
        for (let at = 0; at < page.length; at += ID_BYTES) {
          if (!hashes.add(page, at, at)) duplicates.set(page.readUIntBE(at + HASH_BYTES, NUMBER_BYTES))
        }
      }
    }
    return {
      conflictOf: (n) => (products.has(n) ? 'product' : prices.has(n) ? 'price' : null),
      isDuplicate: (n) => duplicates.has(n),
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }
}

/** Marks the candidates of a bucket whose first hash has several second ones. */
async function markContradicted({
  records,
  bucket,
  hashes,
  marks,
}: Readonly<{ records: Buckets; bucket: number; hashes: HashSet; marks: Bits }>): Promise<void> {
  hashes.clear()
  for await (const page of records.pages(bucket)) {
    for (let at = 0; at < page.length; at += REF_BYTES) hashes.add(page, at, at + HASH_BYTES)
  }
  for await (const page of records.pages(bucket)) {
    for (let at = 0; at < page.length; at += REF_BYTES) {
      if (hashes.isContradicted(page, at)) marks.set(page.readUIntBE(at + HASH_BYTES * 2, NUMBER_BYTES))
    }
  }
}

/** Hashes are the first 128 bits of a SHA-256. */
const HASH_BYTES = 16
const NUMBER_BYTES = 6
const REF_BYTES = HASH_BYTES * 2 + NUMBER_BYTES
const ID_BYTES = HASH_BYTES + NUMBER_BYTES
/** About 21,000 candidates; after a spill, the hashes that gather before the next append. */
const MEMORY_BYTES_MAX = 2 * 1024 ** 2
/** 100 million candidates are 800,000 in each. */
const BUCKETS = 128
const PAGE_RECORDS = 2_000
const FIRST_BUFFER_RECORDS = 16

/** Records of one length, bucketed by first byte, in memory and after a spill in one file per bucket. */
class Buckets {
  readonly #path: (bucket: number) => string
  readonly #recordBytes: number
  readonly #buffers: Buffer[] = Array.from({ length: BUCKETS }, () => Buffer.alloc(0))
  readonly #used = new Array<number>(BUCKETS).fill(0)
  readonly #written = new Array<number>(BUCKETS).fill(0)
  #page: Buffer | null = null
  heldBytes = 0
  isOnDisk = false

  constructor({ folder, name, recordBytes }: { folder: string; name: string; recordBytes: number }) {
    this.#path = (bucket) => join(folder, `${name}-${bucket}`)
    this.#recordBytes = recordBytes
  }

  add(candidate: number, first: string, second?: string): void {
    const bucket = Number.parseInt(first.slice(0, 2), 16) % BUCKETS
    const at = this.#used[bucket] as number
    let buffer = this.#buffers[bucket] as Buffer
    if (at + this.#recordBytes > buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, this.#recordBytes * FIRST_BUFFER_RECORDS))
      buffer.copy(larger, 0, 0, at)
      this.#buffers[bucket] = larger
      buffer = larger
    }
    buffer.write(first, at, HASH_BYTES, 'hex')
    if (second !== undefined) buffer.write(second, at + HASH_BYTES, HASH_BYTES, 'hex')
    buffer.writeUIntBE(candidate, at + this.#recordBytes - NUMBER_BYTES, NUMBER_BYTES)
    this.#used[bucket] = at + this.#recordBytes
    this.heldBytes += this.#recordBytes
  }

  async flush(): Promise<void> {
    this.isOnDisk = true
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const used = this.#used[bucket] as number
      if (used === 0) continue
      await appendFile(this.#path(bucket), (this.#buffers[bucket] as Buffer).subarray(0, used))
      this.#written[bucket] = (this.#written[bucket] as number) + used
      this.#used[bucket] = 0
    }
    this.heldBytes = 0
  }

  /** The records of a bucket in the order of insertion. A page is valid until the next one is read. */
  async *pages(bucket: number): AsyncGenerator<Buffer, void, undefined> {
    if ((this.#written[bucket] as number) > 0) {
      await using file = await open(this.#path(bucket), 'r')
      // All buckets share one page: buffers lie outside the heap, so the collector would free many of them late.
      this.#page ??= Buffer.allocUnsafe(this.#recordBytes * PAGE_RECORDS)
      const page = this.#page
      for (let from = 0; from < (this.#written[bucket] as number); ) {
        const { bytesRead } = await file.read(page, 0, page.length, from)
        const whole = bytesRead - (bytesRead % this.#recordBytes)
        if (whole === 0) throw new Error(`${this.#path(bucket)} is cut at byte ${from + bytesRead}`)
        yield page.subarray(0, whole)
        from += whole
      }
    }
    yield (this.#buffers[bucket] as Buffer).subarray(0, this.#used[bucket])
  }
}

/**
 * Hashes, each with a second hash that must not change, in two typed arrays, which take much less than a Map of
 * strings. Uses open addressing; the hashes are evenly distributed.
 */
class HashSet {
  /** The number of the entry in each slot, from 1; 0 is free. */
  #slots = new Uint32Array(64)
  #entries = Buffer.alloc(32 * HASH_BYTES * 2)
  #contradicted = new Bits(32)
  #size = 0

  clear(): void {
    this.#slots.fill(0)
    this.#contradicted.clear()
    this.#size = 0
  }

  /**
   * Adds the hash at `at` with the one at `second`. Returns false for a known hash, and marks it as contradicted when
   * the second one differs.
   */
  add(page: Buffer, at: number, second: number): boolean {
    if (this.#size * 2 >= this.#slots.length) this.#grow()
    const slot = this.#find(page, at)
    const entry = (this.#slots[slot] as number) - 1
    if (entry === -1) {
      page.copy(this.#entries, this.#size * HASH_BYTES * 2, at, at + HASH_BYTES)
      page.copy(this.#entries, this.#size * HASH_BYTES * 2 + HASH_BYTES, second, second + HASH_BYTES)
      this.#slots[slot] = ++this.#size
      return true
    }
    const known = entry * HASH_BYTES * 2 + HASH_BYTES
    if (page.compare(this.#entries, known, known + HASH_BYTES, second, second + HASH_BYTES) !== 0) {
      this.#contradicted.set(entry)
    }
    return false
  }

  isContradicted(page: Buffer, at: number): boolean {
    return this.#contradicted.has((this.#slots[this.#find(page, at)] as number) - 1)
  }

  /** The slot of a hash, or the free slot for it. */
  #find(page: Buffer, at: number): number {
    const mask = this.#slots.length - 1
    // The first byte chose the bucket, so the slot uses later bytes.
    for (let slot = page.readUInt32LE(at + 4) & mask; ; slot = (slot + 1) & mask) {
      const entry = this.#slots[slot] as number
      if (entry === 0) return slot
      const known = (entry - 1) * HASH_BYTES * 2
      if (page.compare(this.#entries, known, known + HASH_BYTES, at, at + HASH_BYTES) === 0) return slot
    }
  }

  #grow(): void {
    const entries = Buffer.alloc(this.#entries.length * 2)
    this.#entries.copy(entries)
    this.#entries = entries
    this.#contradicted = this.#contradicted.widened(this.#slots.length)
    this.#slots = new Uint32Array(this.#slots.length * 2)
    for (let entry = 0; entry < this.#size; entry++) {
      this.#slots[this.#find(entries, entry * HASH_BYTES * 2)] = entry + 1
    }
  }
}

/** One bit for each of `length` numbers. */
class Bits {
  readonly #bytes: Uint8Array
  constructor(length: number) {
    this.#bytes = new Uint8Array(Math.ceil(length / 8))
  }
  set(at: number): void {
    this.#bytes[at >> 3] = (this.#bytes[at >> 3] ?? 0) | (1 << (at & 7))
  }
  has(at: number): boolean {
    return ((this.#bytes[at >> 3] ?? 0) & (1 << (at & 7))) !== 0
  }
  clear(): void {
    this.#bytes.fill(0)
  }
  /** A copy with room for more bits. */
  widened(length: number): Bits {
    const wider = new Bits(length)
    wider.#bytes.set(this.#bytes)
    return wider
  }
}
