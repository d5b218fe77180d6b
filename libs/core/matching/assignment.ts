import { scoreTrees, type TreeModel } from './gradient-boosting.ts'

/**
 * Judges each pair among its rivals. A vendor sells a product once, so of two offers of one vendor at most one matches;
 * and two offers should agree on every third one.
 */
export type ScoredPair = Readonly<{
  /** Ids of SKUs of two vendors, and of the vendors. */
  a: string
  b: string
  sourceA: string
  sourceB: string
  /** Chance of the pair alone, in (0, 1). */
  score: number
  isSameLanguage: boolean
}>

/** The caller drops pairs below: there are many, and they say little of others. */
export const PAIR_SCORE_MIN = 0.01

/** `isMutual`: neither vendor has another offer that suits as well. */
export type JudgedPair<Pair extends ScoredPair> = Pair & Readonly<{ chance: number; isMutual: boolean }>

/** Two passes: the first pass's verdicts on rivals say more than their scores. */
export type RivalModel = Readonly<{ first: TreeModel; second: TreeModel }>

/** Scored pairs as columns, because a first import has millions: 17 bytes a pair. SKUs and vendors are numbers from 0. */
export type PairColumns = Readonly<{
  /** The two SKUs of pair n, at 2n and 2n + 1. */
  skus: Int32Array
  /** The vendor of each SKU. */
  sources: Int32Array
  scores: Float64Array
  /** Of each pair, 0 or 1. */
  isSameLanguage: Uint8Array
}>

/** Of each pair its chance, and 1 where it is mutual; see {@link JudgedPair}. */
export type Judgement = Readonly<{ chances: Float64Array; isMutual: Uint8Array }>

/** Judges all scored pairs, each there once, and returns them in the given order. See {@link judgePairs}. */
export function judgeAmongRivals<Pair extends ScoredPair>(
  model: RivalModel,
  pairs: readonly Pair[],
): JudgedPair<Pair>[] {
  return withJudgement(pairs, judgePairs(model, columnsOf(pairs)))
}

/** Adds to each pair what the judgement says of it. */
export function withJudgement<Pair extends ScoredPair>(
  pairs: readonly Pair[],
  { chances, isMutual }: Judgement,
): JudgedPair<Pair>[] {
  return pairs.map((pair, at) => ({ ...pair, chance: chances[at] as number, isMutual: isMutual[at] === 1 }))
}

/**
 * Judges all scored pairs, each there once, in the given order. The result depends neither on the order of pairs, nor on
 * that of the two SKUs, nor on their numbers. It depends only on pairs that share a SKU, directly or through one other
 * pair.
 */
export function judgePairs({ first, second }: RivalModel, pairs: PairColumns): Judgement {
  const links = linksAmong(pairs)
  const odds = oddsOf(pairs.scores)
  const judged = oddsOf(odds.map((_, at) => scoreTrees(first, rivalRow(links, odds, at))))
  // Rows are made again instead of kept: they are many.
  const chances = odds.map((_, at) =>
    scoreTrees(second, [...rivalRow(links, odds, at), ...rivalRow(links, judged, at)]),
  )
  return { chances, isMutual: mutualAmong(links, chances) }
}

/**
 * One row per pair, the same for either order of the two. It holds the log-odds, the leads over the rivals for either
 * place and their numbers, and how many third offers agree and disagree.
 */
export function rivalFeatures(pairs: readonly ScoredPair[]): number[][] {
  const links = linksAmong(columnsOf(pairs))
  const odds = oddsOf(pairs.map(({ score }) => score))
  return pairs.map((_, at) => rivalRow(links, odds, at))
}

/** Features of the second pass: those of the first, and the same from the first pass's chances. */
export function secondFeatures(pairs: readonly ScoredPair[], chances: readonly number[]): number[][] {
  const links = linksAmong(columnsOf(pairs))
  const [odds, judged] = [oddsOf(pairs.map(({ score }) => score)), oddsOf(chances)]
  return pairs.map((_, at) => [...rivalRow(links, odds, at), ...rivalRow(links, judged, at)])
}

export function markMutual<Pair extends ScoredPair>(
  pairs: readonly Pair[],
  chances: readonly number[],
): JudgedPair<Pair>[] {
  const isMutual = mutualAmong(linksAmong(columnsOf(pairs)), chances)
  return withJudgement(pairs, { chances: Float64Array.from(chances), isMutual })
}

function mutualAmong(links: Links, chances: ArrayLike<number>): Uint8Array {
  return links.isSameLanguage.map((_, at) =>
    Number(SIDES.every((side) => !(rivalsOf(links, chances, { at, side }).best >= (chances[at] as number)))),
  )
}

// Rivals --------------------------------------------------------------------------------------------------------------

/** Log-odds from which a pair counts as a rival, and as likely. */
const RIVAL_MIN = -3
const LIKELY_MIN = 2

function rivalRow(links: Links, odds: Float64Array, at: number): number[] {
  const own = odds[at] as number
  const [one, other] = [rivalsOf(links, odds, { at, side: 0 }), rivalsOf(links, odds, { at, side: 1 })]
  const leads = [own - one.best, own - other.best].filter((lead) => !Number.isNaN(lead))
  return [
    own,
    leads.length === 0 ? Number.NaN : Math.min(...leads),
    leads.length < 2 ? Number.NaN : Math.max(...leads),
    Math.min(one.crowd, other.crowd),
    Math.max(one.crowd, other.crowd),
    ...thirds(links, odds, at),
    links.isSameLanguage[at] as number,
  ]
}

/**
 * The other pairs of one SKU of a pair with SKUs of the same vendor: a SKU has one place at each other vendor, and one
 * pair can take it. `best` is the largest of their values, NaN without any; `crowd` counts those that may be right.
 */
function rivalsOf(
  { skus, first, pairs, sources }: Links,
  values: ArrayLike<number>,
  { at, side }: { at: number; side: 0 | 1 },
): { best: number; crowd: number } {
  const sku = skus[2 * at + side] as number
  const source = sources[skus[2 * at + 1 - side] as number]
  let [best, crowd] = [Number.NaN, 0]
  for (let link = first[sku] as number; link < (first[sku + 1] as number); link++) {
    const pair = pairs[link] as number
    if (pair === at || sources[otherOf(skus, pair, sku)] !== source) continue
    const value = values[pair] as number
    if (!(best >= value)) best = value
    if (value > RIVAL_MIN) crowd += 1
  }
  return { best, crowd }
}
const SIDES = [0, 1] as const

/** The best support by a third offer, the thirds that agree and disagree, and the better pairs of either SKU. */
function thirds({ skus, first, pairs }: Links, odds: Float64Array, at: number): number[] {
  const [a, b, own] = [skus[2 * at], skus[2 * at + 1], odds[at]] as [number, number, number]
  const [endA, endB] = [first[a + 1], first[b + 1]] as [number, number]
  let [support, agreeing, disagreeing, better] = [Number.NaN, 0, 0, 0]
  let [linkA, linkB] = [first[a], first[b]] as [number, number]
  // Both lists ascend by the other SKU, so one walk over both finds the thirds that they share.
  while (linkA < endA || linkB < endB) {
    const thirdA = linkA < endA ? otherOf(skus, pairs[linkA] as number, a) : Number.POSITIVE_INFINITY
    const thirdB = linkB < endB ? otherOf(skus, pairs[linkB] as number, b) : Number.POSITIVE_INFINITY
    const oddsA = thirdA <= thirdB ? (odds[pairs[linkA++] as number] as number) : Number.NaN
    const oddsB = thirdB <= thirdA ? (odds[pairs[linkB++] as number] as number) : Number.NaN
    // The pair itself stands in both lists; a smaller third of the other list goes first.
    if ((thirdA === b && thirdA < thirdB) || (thirdB === a && thirdB < thirdA)) continue
    if (oddsA > own) better += 1
    if (oddsB > own) better += 1
    if (thirdA === thirdB) {
      const weaker = Math.min(oddsA, oddsB)
      support = Number.isNaN(support) ? weaker : Math.max(support, weaker)
      if (weaker > LIKELY_MIN / 2) agreeing += 1
      if (Math.max(oddsA, oddsB) > LIKELY_MIN && weaker < -LIKELY_MIN) disagreeing += 1
    } else if (oddsA > LIKELY_MIN || oddsB > LIKELY_MIN) disagreeing += 1
  }
  return [support, agreeing, disagreeing, better]
}

/** The pairs of each SKU, which are read several times. */
type Links = Omit<PairColumns, 'scores'> &
  Readonly<{
    /** The pairs of SKU n stand in `pairs` from first[n] to first[n + 1], ascending by the other SKU. */
    first: Int32Array
    pairs: Int32Array
  }>

const otherOf = (skus: Int32Array, pair: number, sku: number) =>
  (skus[2 * pair] === sku ? skus[2 * pair + 1] : skus[2 * pair]) as number

/** The pairs with numbers instead of ids. */
export function columnsOf(scored: readonly ScoredPair[]): PairColumns {
  const [numberOfSku, numberOfSource] = [new Map<string, number>(), new Map<string, number>()]
  const skus = new Int32Array(2 * scored.length)
  const sources: number[] = []
  for (const [at, { a, b, sourceA, sourceB }] of scored.entries()) {
    skus[2 * at] = numberIn(numberOfSku, a)
    skus[2 * at + 1] = numberIn(numberOfSku, b)
    sources[skus[2 * at] as number] = numberIn(numberOfSource, sourceA)
    sources[skus[2 * at + 1] as number] = numberIn(numberOfSource, sourceB)
  }
  return {
    skus,
    sources: Int32Array.from(sources),
    scores: Float64Array.from(scored, ({ score }) => score),
    isSameLanguage: Uint8Array.from(scored, (pair) => Number(pair.isSameLanguage)),
  }
}

function linksAmong({ skus, sources, isSameLanguage }: Omit<PairColumns, 'scores'>): Links {
  const count = sources.length
  const first = new Int32Array(count + 1)
  for (const sku of skus) first[sku + 1] = (first[sku + 1] as number) + 1
  for (let sku = 0; sku < count; sku++) first[sku + 1] = (first[sku + 1] as number) + (first[sku] as number)
  const unsorted = new Int32Array(skus.length)
  const pairs = new Int32Array(skus.length)
  const next = first.slice()
  const add = (lists: Int32Array, sku: number, pair: number) => {
    lists[next[sku] as number] = pair
    next[sku] = (next[sku] as number) + 1
  }
  for (const [end, sku] of skus.entries()) add(unsorted, sku, end >> 1)
  next.set(first)
  // Adding the pairs of one SKU after the other to their other SKUs sorts all lists.
  for (let sku = 0; sku < count; sku++) {
    for (const pair of unsorted.subarray(first[sku], first[sku + 1])) add(pairs, otherOf(skus, pair, sku), pair)
  }
  return { skus, sources, first, pairs, isSameLanguage }
}

function numberIn(numbers: Map<string, number>, id: string): number {
  const known = numbers.get(id)
  if (known !== undefined) return known
  numbers.set(id, numbers.size)
  return numbers.size - 1
}

function oddsOf(chances: ArrayLike<number>): Float64Array {
  return Float64Array.from(chances, (score) => {
    const chance = Math.min(Math.max(score, CHANCE_MIN), 1 - CHANCE_MIN)
    return Math.log(chance / (1 - chance))
  })
}
/** Closer to certainty the log-odds would grow without bound. */
const CHANCE_MIN = 1e-6
