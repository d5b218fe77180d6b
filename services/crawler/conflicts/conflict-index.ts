import { ScratchFile } from '@catalog/runtime/scratch-file.ts'

/** What a candidate's reference, or its offer, has elsewhere in the input: another product, or another price. */
export type Conflict = 'product' | 'price'

/**
 * Finds the candidate observations that conflict with others of their reference, and those that repeat an earlier one,
 * for an input of any size in bounded memory. Exact up to collisions of 128-bit hashes.
 *
 * Small inputs stay in memory. Past `memoryBytesMax` the hashes go to disk in pages, sorted by their first byte. Equal hashes share
 * this byte, so the index judges the hashes of one byte at a time. An answer is three bits for each candidate.
 */
export class ConflictIndex implements AsyncDisposable {
  readonly #file: ScratchFile
  readonly #memoryBytesMax: number
  readonly #pages: Page[] = []
  #held = Buffer.alloc(0)
  #heldBytes = 0
  #count = 0

  constructor({ folder, memoryBytesMax = MEMORY_BYTES_MAX }: { folder: string; memoryBytesMax?: number | undefined }) {
    this.#file = new ScratchFile(folder)
    this.#memoryBytesMax = memoryBytesMax
  }

  /** Number of candidates, which is also the number of the next one. */
  get count(): number {
    return this.#count
  }

  /** Whether the index has spilled. */
  get isOnDisk(): boolean {
    return this.#pages.length > 0
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
    this.#put(REF, ref, product)
    if (offer !== undefined) this.#put(OFFER, offer.key, offer.price)
    this.#put(ID, id, id)
    this.#count++
  }

  /** Spills when the hashes exceed the memory limit. Await it between batches. */
  async spillIfLarge(): Promise<void> {
    if (this.#heldBytes <= this.#memoryBytesMax) return
    const { bytes, starts } = sortedByBucket(this.#held.subarray(0, this.#heldBytes))
    this.#pages.push({ at: await this.#file.append(bytes), starts })
    this.#heldBytes = 0
  }

  /** The answers, by number of candidate. */
  async finish(): Promise<{
    conflictOf(candidate: number): Conflict | null
    isDuplicate(candidate: number): boolean
  }> {
    const marks = { product: new Bits(this.#count), price: new Bits(this.#count), duplicate: new Bits(this.#count) }
    const last = sortedByBucket(this.#held.subarray(0, this.#heldBytes))
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const parts: Buffer[] = []
      for (const { at, starts } of this.#pages) {
        const part = Buffer.allocUnsafe(lengthOf(bucket, starts))
        await this.#file.read(part, at + startOf(bucket, starts))
        parts.push(part)
      }
      const start = startOf(bucket, last.starts)
      judge(Buffer.concat([...parts, last.bytes.subarray(start, start + lengthOf(bucket, last.starts))]), marks)
    }
    return {
      conflictOf: (n) => (marks.product.has(n) ? 'product' : marks.price.has(n) ? 'price' : null),
      isDuplicate: (n) => marks.duplicate.has(n),
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file[Symbol.asyncDispose]()
  }

  #put(kind: number, key: string, value: string): void {
    const at = this.#heldBytes
    if (at + RECORD_BYTES > this.#held.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#held.length * 2, RECORD_BYTES * FIRST_RECORDS))
      this.#held.copy(larger)
      this.#held = larger
    }
    this.#held.write(key, at, HASH_BYTES, 'hex')
    this.#held[at + HASH_BYTES] = kind
    this.#held.write(value, at + VALUE_AT, HASH_BYTES, 'hex')
    this.#held.writeUIntBE(this.#count, at + NUMBER_AT, NUMBER_BYTES)
    this.#heldBytes = at + RECORD_BYTES
  }
}

/** Hashes are the first 128 bits of a SHA-256. */
const HASH_BYTES = 16
/** A record has a hash and its kind, a second hash that must be the same wherever the first one is, and a candidate's number. */
const KEY_BYTES = HASH_BYTES + 1
const VALUE_AT = KEY_BYTES
const NUMBER_AT = VALUE_AT + HASH_BYTES
const NUMBER_BYTES = 6
const RECORD_BYTES = NUMBER_AT + NUMBER_BYTES
const [REF, OFFER, ID] = [0, 1, 2]
/** About 18,000 candidates; after a spill, the hashes that gather before the next one. */
const MEMORY_BYTES_MAX = 2 * 1024 ** 2
const FIRST_RECORDS = 64
/** 100 million candidates have 1.2 million records in each. */
const BUCKETS = 256

/** Sorted records on disk: their position, and for each bucket the number of its first record. */
type Page = Readonly<{ at: number; starts: Uint32Array }>

const startOf = (bucket: number, starts: Uint32Array) => (starts[bucket] as number) * RECORD_BYTES
const lengthOf = (bucket: number, starts: Uint32Array) => startOf(bucket + 1, starts) - startOf(bucket, starts)

/** Sorts records by their first byte and else keeps their order. */
function sortedByBucket(records: Buffer): { bytes: Buffer; starts: Uint32Array } {
  const starts = new Uint32Array(BUCKETS + 1)
  const add = (bucket: number, count: number): number => {
    const before = starts[bucket] as number
    starts[bucket] = before + count
    return before
  }
  for (let at = 0; at < records.length; at += RECORD_BYTES) add((records[at] as number) + 1, 1)
  for (let bucket = 0; bucket < BUCKETS; bucket++) add(bucket + 1, starts[bucket] as number)
  const bytes = Buffer.allocUnsafe(records.length)
  // Each record moves the start of its bucket, which then is the start of the next one.
  for (let at = 0; at < records.length; at += RECORD_BYTES) {
    records.copy(bytes, add(records[at] as number, 1) * RECORD_BYTES, at, at + RECORD_BYTES)
  }
  starts.copyWithin(1, 0)
  starts[0] = 0
  return { bytes, starts }
}

type Marks = Readonly<Record<Conflict | 'duplicate', Bits>>
const CONTRADICTED = -1

/** Marks the candidates whose first hash has several second ones, and those whose id came before. */
function judge(records: Buffer, marks: Marks): void {
  /** The position of the first record with each key. */
  const known = new Map<string, number>()
  let isContradicted = false
  const keyAt = (at: number) => records.toString('latin1', at, at + KEY_BYTES)
  const numberAt = (at: number) => records.readUIntBE(at + NUMBER_AT, NUMBER_BYTES)
  for (let at = 0; at < records.length; at += RECORD_BYTES) {
    const key = keyAt(at)
    const first = known.get(key)
    if (first === undefined) known.set(key, at)
    else if (records[at + HASH_BYTES] === ID) marks.duplicate.set(numberAt(at))
    else if (first !== CONTRADICTED && !hasSameValue(records, first, at)) {
      known.set(key, CONTRADICTED)
      isContradicted = true
    }
  }
  for (let at = 0; isContradicted && at < records.length; at += RECORD_BYTES) {
    if (known.get(keyAt(at)) !== CONTRADICTED) continue
    marks[records[at + HASH_BYTES] === REF ? 'product' : 'price'].set(numberAt(at))
  }
}

function hasSameValue(records: Buffer, one: number, other: number): boolean {
  const [a, b] = [one + VALUE_AT, other + VALUE_AT]
  return records.compare(records, a, a + HASH_BYTES, b, b + HASH_BYTES) === 0
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
}
