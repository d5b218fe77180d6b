import { PAIR_SCORE_MIN, type PairColumns } from '@catalog/core/matching/assignment.ts'
import { SCORED_MAX } from '@catalog/core/matching/blocking.ts'

/** A SKU that was compared, with its item before any join. */
export type ComparedSku = Readonly<{ skuId: string; sourceId: string; itemId: string; lang: string | undefined }>

/**
 * The scores of all compared pairs, each pair once. SKUs have numbers in the order in which they came; each query has a
 * row of up to SCORED_MAX others, in columns: a first import compares millions of pairs.
 */
export class ScoredPairs {
  readonly #numberOf = new Map<string, number>()
  readonly #skus: ComparedSku[] = []
  /** By number of a SKU; undefined for one that was no query. */
  readonly #rowOf: (number | undefined)[] = []
  #rows = 0
  #counts = new Uint8Array(0)
  #others = new Int32Array(0)
  #queries = new Int32Array(0)
  #scores = new Float64Array(0)

  /** Makes room for so many further queries. Memory is taken when they are noted. */
  reserve(queries: number): void {
    const rows = this.#rows + queries
    const [counts, others, of, scores] = [this.#counts, this.#others, this.#queries, this.#scores]
    this.#counts = new Uint8Array(rows)
    this.#queries = new Int32Array(rows)
    this.#others = new Int32Array(rows * SCORED_MAX)
    this.#scores = new Float64Array(rows * SCORED_MAX)
    this.#counts.set(counts.subarray(0, this.#rows))
    this.#queries.set(of.subarray(0, this.#rows))
    this.#others.set(others.subarray(0, this.#rows * SCORED_MAX))
    this.#scores.set(scores.subarray(0, this.#rows * SCORED_MAX))
  }

  numberOf(sku: ComparedSku): number {
    const known = this.#numberOf.get(sku.skuId)
    if (known !== undefined) return known
    this.#numberOf.set(sku.skuId, this.#skus.length)
    return this.#skus.push(sku) - 1
  }

  sku(number: number): ComparedSku {
    return this.#skus[number] as ComparedSku
  }

  /** The item of a compared SKU before any join. */
  itemOf(skuId: string): string {
    return this.sku(this.#numberOf.get(skuId) as number).itemId
  }

  /** Whether the SKU was compared with any. */
  isCompared(skuId: string): boolean {
    return this.#numberOf.has(skuId)
  }

  /** Whether the pair was scored with either as the query. */
  has(one: number, otherId: string): boolean {
    const other = this.#numberOf.get(otherId)
    return other !== undefined && (this.#isInRow(one, other) || this.#isInRow(other, one))
  }

  /** Notes a score of a query, at most SCORED_MAX; of a low one only that the pair was compared. */
  note(query: number, other: number, score: number): void {
    const row = this.#rowOf[query] ?? this.#rows++
    this.#rowOf[query] = row
    this.#queries[row] = query
    const at = row * SCORED_MAX + (this.#counts[row] as number)
    this.#others[at] = other
    this.#scores[at] = score >= PAIR_SCORE_MIN ? score : 0
    this.#counts[row] = (this.#counts[row] as number) + 1
  }

  #isInRow(query: number, other: number): boolean {
    const row = this.#rowOf[query]
    if (row === undefined) return false
    const from = row * SCORED_MAX
    for (let at = from; at < from + (this.#counts[row] as number); at++) if (this.#others[at] === other) return true
    return false
  }

  /** The pairs from PAIR_SCORE_MIN on, `skus` by numbers. */
  columns(): PairColumns {
    const count = this.#scores.reduce((sum, score) => sum + Number(score > 0), 0)
    const columns = {
      skus: new Int32Array(2 * count),
      sources: new Int32Array(this.#skus.length),
      scores: new Float64Array(count),
      isSameLanguage: new Uint8Array(count),
    }
    const sources = new Map<string, number>()
    for (const [number, { sourceId }] of this.#skus.entries()) {
      const source = sources.get(sourceId) ?? sources.size
      sources.set(sourceId, source)
      columns.sources[number] = source
    }
    let pair = 0
    for (const [at, score] of this.#scores.entries()) {
      if (score === 0) continue
      const [query, other] = [this.#queries[Math.floor(at / SCORED_MAX)], this.#others[at]] as [number, number]
      columns.skus[2 * pair] = query
      columns.skus[2 * pair + 1] = other
      columns.scores[pair] = score
      columns.isSameLanguage[pair] = Number(this.sku(query).lang === this.sku(other).lang)
      pair += 1
    }
    return columns
  }

  /** Holds the pairs at places that pass; answers for two ids in any order, and keeps no scores. */
  pairSet(skus: Int32Array, passes: (at: number) => boolean): (a: string, b: string) => boolean {
    const numberOf = this.#numberOf
    const keyOf = (one: number, other: number) => Math.min(one, other) * numberOf.size + Math.max(one, other)
    const keys = new Float64Array(skus.length / 2)
    let count = 0
    for (let at = 0; at < keys.length; at++) {
      if (passes(at)) keys[count++] = keyOf(skus[2 * at] as number, skus[2 * at + 1] as number)
    }
    const sorted = keys.slice(0, count).sort()
    return (a, b) => {
      const [one, other] = [numberOf.get(a), numberOf.get(b)]
      return one !== undefined && other !== undefined && isAmong(sorted, keyOf(one, other))
    }
  }
}

/** Binary search. */
function isAmong(ascending: Float64Array, value: number): boolean {
  let [from, to] = [0, ascending.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((ascending[middle] as number) < value) from = middle + 1
    else to = middle
  }
  return ascending[from] === value
}
