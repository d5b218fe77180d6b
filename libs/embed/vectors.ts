import { readFileSync } from 'node:fs'
import { dotProduct } from './dot-product.ts'

/**
 * Unit vectors by slot. A scan compares a query with components rounded to 8 bits, by the SIMD instructions of WebAssembly,
 * and reads the exact vector only where the rounding error could matter: the results are those of the exact vectors.
 *
 * Takes 5 bytes a component, and 8 a vector. The memory of WebAssembly ends at 4 GiB: 40 million vectors of 96 components,
 * or 2.7 million of 1,536.
 */
export class Vectors {
  readonly #dims: number
  /** Bytes of a rounded vector: the SIMD instructions take 16 at once. */
  readonly #stride: number
  /** Blocks, so that growth neither copies vectors nor reserves more than a block. */
  readonly #exact: Float32Array[] = []
  #rounded: RoundedRows | undefined
  /** What one step of a slot's rounded components is worth. */
  #steps = new Float32Array(0)
  /** Length of the difference between the exact and the rounded vector; NaN for a slot without a vector. */
  #errors = new Float32Array(0)

  constructor(dims: number) {
    this.#dims = dims
    this.#stride = Math.ceil(dims / SIMD_BYTES) * SIMD_BYTES
  }

  /** Makes room for so many slots. */
  reserve(slots: number): void {
    if (slots <= this.#steps.length) return
    const room = Math.ceil(slots / BLOCK_SLOTS) * BLOCK_SLOTS
    this.#steps = grown(this.#steps, new Float32Array(room))
    this.#errors = grown(this.#errors, new Float32Array(room).fill(Number.NaN))
    this.#rounded?.reserve(room)
  }

  /** Sets the vector of a slot within the room; null for none. */
  set(slot: number, vector: Float32Array | null): void {
    this.#errors[slot] = Number.NaN
    if (vector === null) return
    this.#writeExact(slot, vector)
    this.#rounded ??= new RoundedRows(this.#stride, this.#steps.length)
    this.#steps[slot] = largest(vector) / BYTE_MAX
    this.#errors[slot] = this.#rounded.write(slot, vector, this.#steps[slot] as number)
  }

  /** Moves the vector of a slot, if it has one, to a lower slot. */
  move(from: number, to: number): void {
    this.#errors[to] = this.#errors[from] as number
    this.#errors[from] = Number.NaN
    if (Number.isNaN(this.#errors[to])) return
    this.#steps[to] = this.#steps[from] as number
    this.#rounded?.move(from, to)
    this.#writeExact(to, this.#exactOf(from))
  }

  /**
   * Offers `best` every slot below `slots` that has a vector and passes, unless its dot product is sure to be below
   * `best.worst`.
   */
  scan(
    query: Float32Array,
    { slots, isPassing, best }: { slots: number; isPassing: (slot: number) => boolean; best: Best },
  ): void {
    const rounded = this.#rounded
    if (rounded === undefined) return
    const { step: queryStep, error: queryError } = rounded.writeQuery(query)
    const [steps, errors] = [this.#steps, this.#errors]
    for (let from = 0; from < slots; from += BLOCK_SLOTS) {
      const sums = rounded.dotProducts(from, Math.min(BLOCK_SLOTS, slots - from))
      const block = this.#exact[from / BLOCK_SLOTS] as Float32Array
      for (let i = 0; i < sums.length; i++) {
        const slot = from + i
        // By Cauchy-Schwarz the dot product of unit vectors errs by no more than the vectors do.
        const most = (sums[i] as number) * queryStep * (steps[slot] as number) + (errors[slot] as number) + queryError
        // Negated, because nothing compares with the NaN of a slot without a vector.
        if (!(most >= best.worst) || !isPassing(slot)) continue
        best.offer(slot, dotProduct(query, block, i * this.#dims))
      }
    }
  }

  #writeExact(slot: number, vector: Float32Array): void {
    const block = Math.floor(slot / BLOCK_SLOTS)
    this.#exact[block] ??= new Float32Array(BLOCK_SLOTS * this.#dims)
    this.#exact[block].set(vector, (slot % BLOCK_SLOTS) * this.#dims)
  }

  #exactOf(slot: number): Float32Array {
    const at = (slot % BLOCK_SLOTS) * this.#dims
    return (this.#exact[Math.floor(slot / BLOCK_SLOTS)] as Float32Array).subarray(at, at + this.#dims)
  }
}

/** Collects slots by score; those with less than `worst` are of no use. */
export type Best = { readonly worst: number; offer: (slot: number, score: number) => void }

/** Slots of a block: its sums fit the first-level cache. */
const BLOCK_SLOTS = 4_096
const SIMD_BYTES = 16
const BYTE_MAX = 127
const WORD_MAX = 32_767
/** The sums of products must fit 32 bits. */
const SUM_MAX = 2 ** 30
/** Covers the rounding of these bounds themselves, and lengths that are 1 ± .001. */
const ERROR_FACTOR = 1.01
const ERROR_MIN = 1e-6
const PAGE_BYTES = 65_536

/** Rounded vectors in the memory of a WebAssembly instance: the query, the sums of a block, and the rows. */
class RoundedRows {
  readonly #stride: number
  readonly #memory: Memory
  readonly #run: DotProducts
  readonly #sumsAt: number
  readonly #rowsAt: number
  #bytes: Int8Array

  constructor(stride: number, slots: number) {
    this.#stride = stride
    this.#sumsAt = stride * Int16Array.BYTES_PER_ELEMENT
    this.#rowsAt = this.#sumsAt + BLOCK_SLOTS * Int32Array.BYTES_PER_ELEMENT
    this.#memory = new WebAssembly.Memory({ initial: this.#pagesFor(slots) })
    this.#bytes = new Int8Array(this.#memory.buffer)
    compiled ??= new WebAssembly.Module(readFileSync(new URL('./dot-products.wasm', import.meta.url)))
    const { exports } = new WebAssembly.Instance(compiled, { env: { memory: this.#memory } })
    this.#run = exports.dotProducts as DotProducts
  }

  #pagesFor(slots: number): number {
    return Math.ceil((this.#rowsAt + slots * this.#stride) / PAGE_BYTES)
  }

  reserve(slots: number): void {
    this.#memory.grow(this.#pagesFor(slots) - this.#memory.buffer.byteLength / PAGE_BYTES)
    this.#bytes = new Int8Array(this.#memory.buffer)
  }

  /** Writes the vector in steps of this size; returns the length of what rounding changed, rounded up. */
  write(slot: number, vector: Float32Array, step: number): number {
    const at = this.#rowsAt + slot * this.#stride
    let squares = 0
    for (let d = 0; d < vector.length; d++) {
      const exact = vector[d] as number
      const steps = step > 0 ? Math.round(exact / step) : 0
      this.#bytes[at + d] = Math.max(-BYTE_MAX, Math.min(BYTE_MAX, steps))
      squares += (exact - (this.#bytes[at + d] as number) * step) ** 2
    }
    return Math.sqrt(squares) * ERROR_FACTOR + ERROR_MIN
  }

  move(from: number, to: number): void {
    const [fromAt, toAt] = [from, to].map((slot) => this.#rowsAt + slot * this.#stride) as [number, number]
    this.#bytes.copyWithin(toAt, fromAt, fromAt + this.#stride)
  }

  /** Writes the query, of 16 bits a component; returns its step and the length of what rounding changed, rounded up. */
  writeQuery(query: Float32Array): { step: number; error: number } {
    const words = new Int16Array(this.#memory.buffer, 0, this.#stride)
    const sum = query.reduce((sum, component) => sum + Math.abs(component), 0)
    const step = Math.max(largest(query) / WORD_MAX, (sum * BYTE_MAX) / SUM_MAX)
    let squares = 0
    for (let d = 0; d < query.length; d++) {
      words[d] = step > 0 ? Math.round((query[d] as number) / step) : 0
      squares += ((query[d] as number) - (words[d] as number) * step) ** 2
    }
    return { step, error: Math.sqrt(squares) * ERROR_FACTOR + ERROR_MIN }
  }

  /** The sums of products of the query and `count` rows from a slot on, valid until the next call. */
  dotProducts(from: number, count: number): Int32Array {
    this.#run(0, this.#rowsAt + from * this.#stride, this.#stride, count, this.#sumsAt)
    return new Int32Array(this.#memory.buffer, this.#sumsAt, count)
  }
}

/** All but dims and count are addresses: see dot-products.wat. */
type DotProducts = (query: number, row: number, dims: number, count: number, sum: number) => void
type Memory = { readonly buffer: ArrayBuffer; grow(pages: number): number }
type Module = Readonly<Record<never, never>>
/** The types of Node declare no WebAssembly. */
declare const WebAssembly: Readonly<{
  Memory: new (size: { initial: number }) => Memory
  Module: new (bytes: Uint8Array) => Module
  Instance: new (module: Module, imports: { env: { memory: Memory } }) => { exports: Record<string, unknown> }
}>
let compiled: Module | undefined

function largest(vector: Float32Array): number {
  return vector.reduce((most, component) => Math.max(most, Math.abs(component)), 0)
}

function grown(from: Float32Array<ArrayBuffer>, to: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  to.set(from)
  return to
}
