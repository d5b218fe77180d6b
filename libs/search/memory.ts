import type { Candidate, SearchDocument, SearchFilter } from './search.ts'
import { idfOf, tokensOf, trigramsOf } from './text.ts'

/**
 * Documents in memory, to be searched by an exact scan of their vectors and by inverted lists of their words and
 * trigrams. About 1.3 kB a document at 128 dimensions. 100,000 documents: some 30 ms by vector, some 10 ms by words.
 *
 * A document that is put again gets a new slot, and its old slot stays dead in the lists until enough of them are worth
 * a pass over all lists.
 */
export class MemoryIndex {
  readonly #dims: number
  readonly #slotOf = new Map<string, number>()
  readonly #byToken = new Map<string, number[]>()
  readonly #byTrigram = new Map<string, number[]>()
  #slots: (Slot | undefined)[] = []
  /** Vector of slot s at s × dims; only of slots that are embedded. */
  #vectors: Float32Array
  #lengthTotal = 0

  constructor(dims: number) {
    this.#dims = dims
    this.#vectors = new Float32Array(dims * 1024)
  }

  /** Adds the document, in place of the one of this id; a vector must have the index's dimensions. */
  put(document: Omit<SearchDocument, 'seq'>): void {
    this.remove(document.itemId)
    const { vector, ...shown } = document
    const slot = this.#slots.length
    const nameTokens = tokensOf(shown.name)
    const tokens = [...nameTokens, ...tokensOf(shown.body)]
    const trigrams = trigramsOf(nameTokens)
    this.#slots.push({ ...shown, embedded: vector !== null, length: tokens.length, trigrams: trigrams.size })
    this.#slotOf.set(shown.itemId, slot)
    this.#lengthTotal += tokens.length
    for (const token of new Set(tokens)) append(this.#byToken, token, slot)
    for (const trigram of trigrams) append(this.#byTrigram, trigram, slot)
    if (vector !== null) {
      if ((slot + 1) * this.#dims > this.#vectors.length) this.#growVectors(slot + 1)
      this.#vectors.set(vector, slot * this.#dims)
    }
  }

  /** Does nothing when there is no such document. */
  remove(itemId: string): void {
    const slot = this.#slotOf.get(itemId)
    if (slot === undefined) return
    this.#lengthTotal -= (this.#slots[slot] as Slot).length
    this.#slots[slot] = undefined
    this.#slotOf.delete(itemId)
    if (this.#slots.length - this.#slotOf.size > this.#slotOf.size * DEAD_SHARE_MAX + DEAD_MIN) this.#compact()
  }

  /** The k documents of largest cosine that pass the filter, best first, equal ones by id. Needs a unit vector. */
  nearest(vector: Float32Array, k: number, filter: SearchFilter = {}): Candidate[] {
    const best = new Best(k)
    for (let slot = 0; slot < this.#slots.length; slot++) {
      const document = this.#slots[slot]
      if (!document?.embedded || !passes(document, filter)) continue
      best.offer(document, this.#dot(vector, slot * this.#dims))
    }
    return best.take().map(({ document, score }) => candidate(document, score))
  }

  /**
   * The k documents that pass the filter and hold a word of the query or are spelled like it, best first: BM25 of the
   * tokens as a share of the query's whole weight, plus the cosine of the trigrams.
   */
  lexical(query: string, k: number, filter: SearchFilter = {}): Candidate[] {
    const tokens = [...new Set(tokensOf(query))]
    const { documents, counts } = this.frequencies(tokens)
    const idf = counts.map((count) => idfOf({ documents, count }))
    const idfTotal = idf.reduce((sum, value) => sum + value, 0)
    const words = new Float32Array(this.#slots.length)
    const lengthMean = this.#lengthTotal / Math.max(1, documents)
    tokens.forEach((token, i) => {
      const share = (idf[i] as number) / idfTotal
      for (const slot of this.#byToken.get(token) ?? []) {
        const length = this.#slots[slot]?.length ?? 0
        // BM25 with a term frequency of 1: saying a word twice does not make a name fit better.
        const weight = (K1 + 1) / (1 + K1 * (1 - B + (B * length) / lengthMean))
        words[slot] = (words[slot] as number) + share * weight
      }
    })
    const trigrams = trigramsOf(tokens)
    const shared = new Uint16Array(this.#slots.length)
    for (const trigram of trigrams) {
      for (const slot of this.#byTrigram.get(trigram) ?? []) shared[slot] = (shared[slot] as number) + 1
    }
    const best = new Best(k)
    for (let slot = 0; slot < this.#slots.length; slot++) {
      const score = words[slot] as number
      const common = shared[slot] as number
      if (score === 0 && common === 0) continue
      const document = this.#slots[slot]
      if (document === undefined || !passes(document, filter)) continue
      const alike = common === 0 ? 0 : common / Math.sqrt(trigrams.size * document.trigrams)
      if (score > 0 || alike >= TRIGRAM_MIN) best.offer(document, score + alike)
    }
    return best.take().map(({ document }) => candidate(document, null))
  }

  frequencies(tokens: readonly string[]): { documents: number; counts: number[] } {
    const counts = tokens.map((token) => {
      let live = 0
      for (const slot of this.#byToken.get(token) ?? []) if (this.#slots[slot] !== undefined) live++
      return live
    })
    return { documents: this.#slotOf.size, counts }
  }

  /** Places taken, those of documents that were replaced or removed among them. */
  get slots(): number {
    return this.#slots.length
  }

  #dot(vector: Float32Array, at: number): number {
    const vectors = this.#vectors
    // Four sums that do not wait for each other: twice as fast as one.
    let a = 0
    let b = 0
    let c = 0
    let d = 0
    let i = 0
    for (; i + 3 < this.#dims; i += 4) {
      a += (vector[i] as number) * (vectors[at + i] as number)
      b += (vector[i + 1] as number) * (vectors[at + i + 1] as number)
      c += (vector[i + 2] as number) * (vectors[at + i + 2] as number)
      d += (vector[i + 3] as number) * (vectors[at + i + 3] as number)
    }
    for (; i < this.#dims; i++) a += (vector[i] as number) * (vectors[at + i] as number)
    return a + b + c + d
  }

  #growVectors(slots: number): void {
    const grown = new Float32Array(Math.ceil(slots * 1.5) * this.#dims)
    grown.set(this.#vectors)
    this.#vectors = grown
  }

  /** Drops the dead slots and renumbers the others in their order. */
  #compact(): void {
    const renumbered = new Int32Array(this.#slots.length).fill(-1)
    const live: Slot[] = []
    const vectors = new Float32Array(Math.ceil(this.#slotOf.size * 1.5 + 1) * this.#dims)
    this.#slots.forEach((document, slot) => {
      if (document === undefined) return
      const to = live.push(document) - 1
      renumbered[slot] = to
      this.#slotOf.set(document.itemId, to)
      if (document.embedded) {
        vectors.set(this.#vectors.subarray(slot * this.#dims, (slot + 1) * this.#dims), to * this.#dims)
      }
    })
    this.#slots = live
    this.#vectors = vectors
    for (const lists of [this.#byToken, this.#byTrigram]) {
      for (const [key, slots] of lists) {
        const kept = slots.map((slot) => renumbered[slot] as number).filter((slot) => slot >= 0)
        if (kept.length > 0) lists.set(key, kept)
        else lists.delete(key)
      }
    }
  }
}

type Slot = Omit<SearchDocument, 'seq' | 'vector'> & {
  readonly embedded: boolean
  /** Tokens of name and body, and distinct trigrams of the name. */
  readonly length: number
  readonly trigrams: number
}

/** BM25's usual constants. */
const K1 = 1.2
const B = 0.75
/** Below, two names of four words have nothing but an ending or a "de" in common; pg_trgm's threshold, too. */
const TRIGRAM_MIN = 0.3
/** Dead slots beside the live ones: a third more scan at most, and no renumbering of small sets. */
const DEAD_SHARE_MAX = 0.33
const DEAD_MIN = 1000

function append(lists: Map<string, number[]>, key: string, slot: number): void {
  const slots = lists.get(key)
  if (slots) slots.push(slot)
  else lists.set(key, [slot])
}

function passes(document: Slot, { region, categoryId }: SearchFilter): boolean {
  return (
    (region === undefined || document.regions.includes(region)) &&
    (categoryId === undefined || document.categoryId === categoryId)
  )
}

function candidate({ itemId, name, body }: Slot, cosine: number | null): Candidate {
  return { itemId, name, body, cosine }
}

/** The k best that were offered, equal scores by id. */
class Best {
  readonly #k: number
  #kept: { document: Slot; score: number }[] = []
  #worst = Number.NEGATIVE_INFINITY
  constructor(k: number) {
    this.#k = k
  }
  offer(document: Slot, score: number): void {
    if (score < this.#worst) return
    this.#kept.push({ document, score })
    // Sorted only when it has doubled: cheaper than a heap at these sizes.
    if (this.#kept.length >= 2 * this.#k + 64) {
      this.take()
      this.#worst = this.#kept.at(-1)?.score ?? Number.NEGATIVE_INFINITY
    }
  }
  take(): readonly { document: Slot; score: number }[] {
    this.#kept.sort((a, b) => b.score - a.score || (a.document.itemId < b.document.itemId ? -1 : 1))
    this.#kept.length = Math.min(this.#kept.length, this.#k)
    return this.#kept
  }
}
