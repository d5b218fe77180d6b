import { openMemo } from '@catalog/core/memo.ts'
import { Vectors } from '@catalog/embed/vectors.ts'
import { Reading } from '@catalog/search/query/reading.ts'
import { documentTerms, documentTrigrams, leadingTerms, queryTerms, rareWords } from '@catalog/search/query/terms.ts'
import { idfOf, TERM_SATURATION, TRIGRAM_COSINE_MIN, trigramsOf } from '@catalog/search/query/text.ts'
import type { Candidate, SearchDocument, SearchFilter } from '@catalog/search/search.ts'
import { Facets } from './facets.ts'
import { Postings } from './postings.ts'

/**
 * Documents in memory, searched by an exact scan of their vectors and by inverted lists of their terms and trigrams.
 * Takes about 1.1 kB a document at 96 dimensions: docs/capacity.md.
 *
 * A repeated put uses a new slot. The old slot stays dead in the lists until a compaction pays off.
 */
export class MemoryIndex {
  readonly #slotOf = new Map<string, number>()
  readonly #byTerm = new Postings()
  readonly #byTrigram = new Postings()
  /** Dead slots in the lists of terms. */
  readonly #deadByTerm = new Map<string, number>()
  readonly #facets = new Facets()
  readonly #vectors: Vectors
  #ids: (string | undefined)[] = []
  /** One text a slot: the garbage collector visits every object. */
  #texts: string[] = []
  /** Further data by slot, in typed arrays: every object would slow the scan. */
  #facetsOf = new Uint32Array(SLOTS_MIN)
  #lengths = new Uint16Array(SLOTS_MIN)
  #trigramScales = new Float32Array(SLOTS_MIN)
  /** All 0 between two calls. */
  #scores = new Float32Array(SLOTS_MIN)
  #shared = new Uint16Array(SLOTS_MIN)
  #lengthTotal = 0

  constructor(dims: number) {
    this.#vectors = new Vectors(dims)
  }

  /** Adds the document or replaces the one with its id; a vector must have the index's dimensions. */
  put(document: Omit<SearchDocument, 'seq'>): void {
    this.remove(document.itemId)
    const slot = this.#ids.length
    this.#reserve(slot + 1)
    const reading = new Reading(document)
    const terms = documentTerms(reading)
    const { trigrams, count } = documentTrigrams(reading)
    this.#ids.push(document.itemId)
    this.#texts.push(packed(document))
    this.#slotOf.set(document.itemId, slot)
    this.#facetsOf[slot] = this.#facets.numberOf(document)
    this.#lengths[slot] = Math.min(LENGTH_MAX, terms.length)
    this.#trigramScales[slot] = count > 0 ? 1 / Math.sqrt(count) : 0
    this.#lengthTotal += this.#lengths[slot] as number
    for (const term of new Set(terms)) this.#byTerm.add(term, slot)
    for (const trigram of trigrams) this.#byTrigram.add(trigram, slot)
    this.#vectors.set(slot, document.vector)
  }

  /** Removes the document, if present. */
  remove(itemId: string): void {
    const slot = this.#slotOf.get(itemId)
    if (slot === undefined) return
    for (const term of new Set(documentTerms(new Reading(unpacked(this.#texts[slot] as string))))) {
      this.#deadByTerm.set(term, (this.#deadByTerm.get(term) ?? 0) + 1)
    }
    this.#lengthTotal -= this.#lengths[slot] as number
    this.#ids[slot] = undefined
    this.#texts[slot] = ''
    this.#slotOf.delete(itemId)
    this.#vectors.set(slot, null)
    if (this.slots - this.#slotOf.size > this.#slotOf.size * DEAD_SHARE_MAX + DEAD_MIN) this.#compact()
  }

  /** The k documents with the largest cosine that pass the filter, best first, ties by id. Expects a unit vector. */
  nearest(vector: Float32Array, k: number, filter: SearchFilter = {}): Candidate[] {
    const best = new TopK(k, this.#ids)
    this.#vectors.scan(vector, { slots: this.slots, isPassing: this.#passing(filter), best })
    return best.found().map(({ slot, score }) => this.#candidateOf(slot, score))
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
        const slots = this.#byTerm.slotsOf(term)
        for (let at = 0; at < slots.length; at++) {
          const slot = slots[at] as number
          if (!isLeading && scores[slot] === 0) continue
          scores[slot] =
            (scores[slot] as number) + weight / (1 + TERM_SATURATION * (1 - B) + perLength * (lengths[slot] as number))
        }
      }
    }
    addTerms(true)
    this.#addTrigramSimilarity(trigramsOf(rareWords(terms, counts)))
    addTerms(false)
    return this.#takeScored(k, filter).map(({ slot }) => this.#candidateOf(slot, null))
  }

  /** The k best scores of live documents that pass the filter; leaves all scores 0. */
  #takeScored(k: number, filter: SearchFilter): readonly Scored[] {
    const scores = this.#scores
    const best = new TopK(k, this.#ids)
    const isPassing = this.#passing(filter)
    for (let slot = 0; slot < this.slots; slot++) {
      const score = scores[slot] as number
      if (score === 0) continue
      scores[slot] = 0
      if (score < best.worst || this.#ids[slot] === undefined || !isPassing(slot)) continue
      best.offer(slot, score)
    }
    return best.found()
  }

  /** Adds the cosine of the trigram sets above chance level: "in" is spelled a little like "interior". */
  #addTrigramSimilarity(trigrams: ReadonlySet<string>): void {
    const [scores, shared] = [this.#scores, this.#shared]
    const lists = [...trigrams].map((trigram) => this.#byTrigram.slotsOf(trigram))
    for (const slots of lists) {
      for (let at = 0; at < slots.length; at++)
        shared[slots[at] as number] = (shared[slots[at] as number] as number) + 1
    }
    const scale = 1 / Math.sqrt(Math.max(1, trigrams.size))
    for (const slots of lists) {
      for (let at = 0; at < slots.length; at++) {
        const slot = slots[at] as number
        const similarity = (shared[slot] as number) * scale * (this.#trigramScales[slot] as number)
        shared[slot] = 0
        if (similarity >= TRIGRAM_COSINE_MIN) scores[slot] = (scores[slot] as number) + similarity
      }
    }
  }

  frequencies(terms: readonly string[]): { documents: number; counts: number[] } {
    const count = (term: string) => this.#byTerm.slotsOf(term).length - (this.#deadByTerm.get(term) ?? 0)
    return { documents: this.#slotOf.size, counts: terms.map(count) }
  }

  /** Used slots, including those of replaced and removed documents. */
  get slots(): number {
    return this.#ids.length
  }

  #passing(filter: SearchFilter): (slot: number) => boolean {
    const isPassing = this.#facets.passing(filter)
    const facetsOf = this.#facetsOf
    if (filter.itemIds === undefined) return (slot) => isPassing(facetsOf[slot] as number)
    const admitted = new Set(filter.itemIds.map((itemId) => this.#slotOf.get(itemId)))
    return (slot) => admitted.has(slot) && isPassing(facetsOf[slot] as number)
  }

  #candidateOf(slot: number, cosine: number | null): Candidate {
    const kind = this.#facets.kindOf(this.#facetsOf[slot] as number)
    return { itemId: this.#ids[slot] as string, ...readTexts(this.#texts[slot] as string), kind, cosine }
  }

  #reserve(slots: number): void {
    this.#vectors.reserve(slots)
    if (slots <= this.#lengths.length) return
    const room = Math.ceil(slots * 1.25)
    this.#facetsOf = grown(this.#facetsOf, new Uint32Array(room))
    this.#lengths = grown(this.#lengths, new Uint16Array(room))
    this.#trigramScales = grown(this.#trigramScales, new Float32Array(room))
    this.#scores = new Float32Array(room)
    this.#shared = new Uint16Array(room)
  }

  /** Drops the dead slots and renumbers the others in their order. */
  #compact(): void {
    const renumbered = new Int32Array(this.slots).fill(-1)
    let live = 0
    // Copies only to lower slots, in order, so that no slot is overwritten before its copy.
    for (const [slot, itemId] of this.#ids.entries()) {
      if (itemId === undefined) continue
      const to = live++
      renumbered[slot] = to
      this.#slotOf.set(itemId, to)
      if (to === slot) continue
      this.#ids[to] = itemId
      this.#texts[to] = this.#texts[slot] as string
      this.#vectors.move(slot, to)
      for (const data of [this.#facetsOf, this.#lengths, this.#trigramScales]) data.copyWithin(to, slot, slot + 1)
    }
    this.#ids.length = live
    this.#texts.length = live
    this.#byTerm.renumber(renumbered)
    this.#byTrigram.renumber(renumbered)
    this.#deadByTerm.clear()
  }
}

type Texts = Pick<SearchDocument, 'name' | 'otherNames' | 'body' | 'unit'>

function packed({ name, otherNames, body, unit }: Texts): string {
  return JSON.stringify([name, body, unit ?? null, ...(otherNames ?? [])])
}

function unpacked(text: string): Texts {
  const [name, body, unit, ...otherNames] = JSON.parse(text) as [string, string, string | null, ...string[]]
  return { name, ...(otherNames.length > 0 && { otherNames }), body, unit }
}

/** The texts of candidates with their readings, some 2 kB each: consecutive queries often have the same. */
const read = openMemo<Texts & { readonly reading: Reading }>(20_000)

const readTexts = (text: string) =>
  read(text, () => {
    const texts = unpacked(text)
    return { ...texts, reading: new Reading(texts) }
  })

/** Grows by a quarter from there. */
const SLOTS_MIN = 1024
/** Terms of a document, in 16 bits. */
const LENGTH_MAX = 65_535

function grown<Numbers extends Float32Array | Uint16Array | Uint32Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from)
  return to
}

/** The usual length normalisation of BM25. */
const B = 0.75
/** Dead slots beside the live ones: at most a third more to scan, and no renumbering of small sets. */
const DEAD_SHARE_MAX = 0.33
const DEAD_MIN = 1000

type Scored = Readonly<{ slot: number; score: number }>

/** Collects the k best slots, ties by the ids of their documents. */
class TopK {
  readonly #k: number
  readonly #ids: readonly (string | undefined)[]
  #offered: Scored[] = []
  /** A lower score is not among the best. */
  worst = Number.NEGATIVE_INFINITY
  #worstId = ''
  constructor(k: number, ids: readonly (string | undefined)[]) {
    this.#k = k
    this.#ids = ids
  }
  offer(slot: number, score: number): void {
    // Compare ids too: many names tie, as sizes do by vector, and all of them would stay and be sorted.
    if (score < this.worst || (score === this.worst && this.#idOf(slot) > this.#worstId)) return
    this.#offered.push({ slot, score })
    // Sorts only after doubling, which is cheaper than a heap at these sizes.
    if (this.#offered.length < 2 * this.#k + 64) return
    this.found()
    const last = this.#offered.at(-1)
    if (last === undefined) return
    this.worst = last.score
    this.#worstId = this.#idOf(last.slot)
  }
  found(): readonly Scored[] {
    this.#offered.sort((a, b) => b.score - a.score || (this.#idOf(a.slot) < this.#idOf(b.slot) ? -1 : 1))
    this.#offered.length = Math.min(this.#offered.length, this.#k)
    return this.#offered
  }
  #idOf(slot: number): string {
    return this.#ids[slot] as string
  }
}
