import { dotProduct } from '@catalog/embed/dot-product.ts'
import { Reading } from '@catalog/search/query/reading.ts'
import { documentTerms, documentTrigrams, leadingTerms, queryTerms, rareWords } from '@catalog/search/query/terms.ts'
import { idfOf, TERM_SATURATION, TRIGRAM_COSINE_MIN, trigramsOf } from '@catalog/search/query/text.ts'
import type { Candidate, SearchDocument, SearchFilter } from '@catalog/search/search.ts'

/**
 * Documents in memory, searched by an exact scan of their vectors and by inverted lists of their terms and trigrams.
 * Takes about 2 kB a document at 128 dimensions, scoring input included.
 *
 * A repeated put uses a new slot. The old slot stays dead in the lists until a compaction pays off.
 */
export class MemoryIndex {
  readonly #dims: number
  readonly #slotOf = new Map<string, number>()
  readonly #byTerm = new Map<string, Postings>()
  readonly #byTrigram = new Map<string, number[]>()
  #slots: (Slot | undefined)[] = []
  /** The vector of slot s starts at s × dims; only embedded slots have one. */
  #vectors: Float32Array
  /** Scan data by slot, in typed arrays: every object would slow the scan. */
  #lengths = new Uint16Array(SLOTS_MIN)
  #trigramScales = new Float32Array(SLOTS_MIN)
  /** All 0 between two calls. */
  #scores = new Float32Array(SLOTS_MIN)
  #shared = new Uint16Array(SLOTS_MIN)
  #lengthTotal = 0

  constructor(dims: number) {
    this.#dims = dims
    this.#vectors = new Float32Array(dims * SLOTS_MIN)
  }

  /** Adds the document or replaces the one with its id; a vector must have the index's dimensions. */
  put(document: Omit<SearchDocument, 'seq'>): void {
    this.remove(document.itemId)
    const { vector, ...shown } = document
    const slot = this.#slots.length
    this.#reserve(slot + 1)
    const reading = new Reading(shown)
    const terms = documentTerms(reading)
    const { trigrams, count } = documentTrigrams(reading)
    this.#slots.push({ ...shown, isEmbedded: vector !== null, reading })
    this.#slotOf.set(shown.itemId, slot)
    this.#lengths[slot] = Math.min(LENGTH_MAX, terms.length)
    this.#trigramScales[slot] = count > 0 ? 1 / Math.sqrt(count) : 0
    this.#lengthTotal += this.#lengths[slot] as number
    for (const term of new Set(terms)) {
      const postings = this.#byTerm.get(term)
      if (postings === undefined) this.#byTerm.set(term, { slots: [slot], live: 1 })
      else {
        postings.slots.push(slot)
        postings.live++
      }
    }
    for (const trigram of trigrams) {
      const slots = this.#byTrigram.get(trigram)
      if (slots) slots.push(slot)
      else this.#byTrigram.set(trigram, [slot])
    }
    if (vector !== null) this.#vectors.set(vector, slot * this.#dims)
  }

  /** Removes the document, if present. */
  remove(itemId: string): void {
    const slot = this.#slotOf.get(itemId)
    if (slot === undefined) return
    const { reading } = this.#slots[slot] as Slot
    for (const term of new Set(documentTerms(reading))) (this.#byTerm.get(term) as Postings).live--
    this.#lengthTotal -= this.#lengths[slot] as number
    this.#slots[slot] = undefined
    this.#slotOf.delete(itemId)
    if (this.#slots.length - this.#slotOf.size > this.#slotOf.size * DEAD_SHARE_MAX + DEAD_MIN) this.#compact()
  }

  /** The k documents with the largest cosine that pass the filter, best first, ties by id. Expects a unit vector. */
  nearest(vector: Float32Array, k: number, filter: SearchFilter = {}): Candidate[] {
    const top = new TopK(k)
    const isPassing = passes(filter)
    for (let slot = 0; slot < this.#slots.length; slot++) {
      const document = this.#slots[slot]
      if (!document?.isEmbedded || !isPassing(document)) continue
      top.offer(document, dotProduct(vector, this.#vectors, slot * this.#dims))
    }
    return top.best().map(({ document, score }) => candidateOf(document, score))
  }

  /**
   * The k best documents that pass the filter, and have a term of the query or a spelling like its rare words. The
   * score is BM25 of the terms, as a share of the query's whole weight, plus the cosine of the trigram sets.
   */
  lexical(query: string, k: number, filter: SearchFilter = {}): Candidate[] {
    const terms = queryTerms(query)
    const { documents, counts } = this.frequencies(terms.map(({ term }) => term))
    const weights = terms.map(({ weight }, i) => weight * idfOf({ documents, count: counts[i] as number }))
    const weightTotal = weights.reduce((sum, value) => sum + value, 0)
    const scores = this.#scores
    const lengths = this.#lengths
    // BM25 with a term frequency of 1: a repeated word makes a name no better.
    const perLength = (TERM_SATURATION * B * Math.max(1, documents)) / Math.max(1, this.#lengthTotal)
    const isLeadingTerm = leadingTerms(counts, { documents, wanted: k })
    const addTerms = (isLeading: boolean) => {
      for (const [i, { term }] of terms.entries()) {
        if (isLeadingTerm[i] !== isLeading) continue
        const weight = ((weights[i] as number) / weightTotal) * (TERM_SATURATION + 1)
        for (const slot of this.#byTerm.get(term)?.slots ?? []) {
          if (!isLeading && scores[slot] === 0) continue
          scores[slot] =
            (scores[slot] as number) + weight / (1 + TERM_SATURATION * (1 - B) + perLength * (lengths[slot] as number))
        }
      }
    }
    addTerms(true)
    this.#addTrigramSimilarity(trigramsOf(rareWords(terms, counts)))
    addTerms(false)
    const top = new TopK(k)
    const isPassing = passes(filter)
    for (let slot = 0; slot < this.#slots.length; slot++) {
      const score = scores[slot] as number
      if (score === 0) continue
      scores[slot] = 0
      if (score < top.worst) continue
      const document = this.#slots[slot]
      if (document !== undefined && isPassing(document)) top.offer(document, score)
    }
    return top.best().map(({ document }) => candidateOf(document, null))
  }

  /** Adds the cosine of the trigram sets above chance level: "in" is spelled a little like "interior". */
  #addTrigramSimilarity(trigrams: ReadonlySet<string>): void {
    const [scores, shared] = [this.#scores, this.#shared]
    const lists = [...trigrams].map((trigram) => this.#byTrigram.get(trigram) ?? [])
    for (const slots of lists) for (const slot of slots) shared[slot] = (shared[slot] as number) + 1
    const scale = 1 / Math.sqrt(Math.max(1, trigrams.size))
    for (const slots of lists) {
      for (const slot of slots) {
        const similarity = (shared[slot] as number) * scale * (this.#trigramScales[slot] as number)
        shared[slot] = 0
        if (similarity >= TRIGRAM_COSINE_MIN) scores[slot] = (scores[slot] as number) + similarity
      }
    }
  }

  frequencies(terms: readonly string[]): { documents: number; counts: number[] } {
    return { documents: this.#slotOf.size, counts: terms.map((term) => this.#byTerm.get(term)?.live ?? 0) }
  }

  /** Used slots, including those of replaced and removed documents. */
  get slots(): number {
    return this.#slots.length
  }

  #reserve(slots: number): void {
    if (slots <= this.#lengths.length) return
    const room = Math.ceil(slots * 1.5)
    this.#vectors = grown(this.#vectors, new Float32Array(room * this.#dims))
    this.#lengths = grown(this.#lengths, new Uint16Array(room))
    this.#trigramScales = grown(this.#trigramScales, new Float32Array(room))
    this.#scores = new Float32Array(room)
    this.#shared = new Uint16Array(room)
  }

  /** Drops the dead slots and renumbers the others in their order. */
  #compact(): void {
    const renumbered = new Int32Array(this.#slots.length).fill(-1)
    const live: Slot[] = []
    // Copies only to lower slots, in order, so that no slot is overwritten before its copy.
    this.#slots.forEach((document, slot) => {
      if (document === undefined) return
      const to = live.push(document) - 1
      renumbered[slot] = to
      this.#slotOf.set(document.itemId, to)
      this.#vectors.copyWithin(to * this.#dims, slot * this.#dims, (slot + 1) * this.#dims)
      this.#lengths.copyWithin(to, slot, slot + 1)
      this.#trigramScales.copyWithin(to, slot, slot + 1)
    })
    this.#slots = live
    const renumber = (slots: readonly number[]) =>
      slots.map((slot) => renumbered[slot] as number).filter((slot) => slot >= 0)
    for (const [term, postings] of this.#byTerm) {
      postings.slots = renumber(postings.slots)
      if (postings.slots.length === 0) this.#byTerm.delete(term)
    }
    for (const [trigram, slots] of this.#byTrigram) {
      const renumberedSlots = renumber(slots)
      if (renumberedSlots.length > 0) this.#byTrigram.set(trigram, renumberedSlots)
      else this.#byTrigram.delete(trigram)
    }
  }
}

type Slot = Omit<SearchDocument, 'seq' | 'vector'> & { readonly isEmbedded: boolean; readonly reading: Reading }

/** The slots of a term, including dead ones, and the number of live ones. */
type Postings = { slots: number[]; live: number }

/** Grows by half from there. */
const SLOTS_MIN = 1024
/** Terms of a document, in 16 bits. */
const LENGTH_MAX = 65_535

function grown<Numbers extends Float32Array | Uint16Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from)
  return to
}

/** The usual length normalisation of BM25. */
const B = 0.75
/** Dead slots beside the live ones: at most a third more to scan, and no renumbering of small sets. */
const DEAD_SHARE_MAX = 0.33
const DEAD_MIN = 1000

function passes({ region, categoryIds, kind, itemIds }: SearchFilter): (document: Slot) => boolean {
  const categories = categoryIds === undefined ? undefined : new Set(categoryIds)
  const items = itemIds === undefined ? undefined : new Set(itemIds)
  return (document) =>
    (items === undefined || items.has(document.itemId)) &&
    (region === undefined || document.regions.includes(region)) &&
    (kind === undefined || document.kind === kind) &&
    (categories === undefined || (document.categoryId !== null && categories.has(document.categoryId)))
}

function candidateOf(
  { isEmbedded: _, regions: __, categoryId: ___, ...shown }: Slot,
  cosine: number | null,
): Candidate {
  return { ...shown, cosine }
}

/** Collects the k best documents, ties by id. */
class TopK {
  readonly #k: number
  #offered: { document: Slot; score: number }[] = []
  /** A lower score is not among the best. */
  worst = Number.NEGATIVE_INFINITY
  #worstId = ''
  constructor(k: number) {
    this.#k = k
  }
  offer(document: Slot, score: number): void {
    // Compare ids too: many names tie, as sizes do by vector, and all of them would stay and be sorted.
    if (score < this.worst || (score === this.worst && document.itemId > this.#worstId)) return
    this.#offered.push({ document, score })
    // Sorts only after doubling, which is cheaper than a heap at these sizes.
    if (this.#offered.length < 2 * this.#k + 64) return
    this.best()
    const last = this.#offered.at(-1)
    if (last === undefined) return
    this.worst = last.score
    this.#worstId = last.document.itemId
  }
  best(): readonly { document: Slot; score: number }[] {
    this.#offered.sort((a, b) => b.score - a.score || (a.document.itemId < b.document.itemId ? -1 : 1))
    this.#offered.length = Math.min(this.#offered.length, this.#k)
    return this.#offered
  }
}
