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

/**
 * Judges all scored pairs and returns them in the given order. The result depends neither on the order of pairs nor on
 * that of the two SKUs. It depends only on pairs that share a SKU, directly or through one other pair.
 */
export function judgeAmongRivals<Pair extends ScoredPair>(
  { first, second }: RivalModel,
  pairs: readonly Pair[],
): JudgedPair<Pair>[] {
  const rows = rivalFeatures(pairs)
  const chances = rows.map((row) => scoreTrees(first, row))
  return markMutual(
    pairs,
    secondFeatures(pairs, chances, rows).map((row) => scoreTrees(second, row)),
  )
}

/** Features of the second pass, from the first pass's chances. `rows` are the features of the first. */
export function secondFeatures(
  pairs: readonly ScoredPair[],
  chances: readonly number[],
  rows: readonly (readonly number[])[] = rivalFeatures(pairs),
): number[][] {
  const again = rivalFeatures(pairs.map((pair, at) => ({ ...pair, score: chances[at] as number })))
  return rows.map((row, at) => [...row, ...(again[at] as number[])])
}

export function markMutual<Pair extends ScoredPair>(
  pairs: readonly Pair[],
  chances: readonly number[],
): JudgedPair<Pair>[] {
  const best = new Map<string, number>()
  const second = new Map<string, number>()
  for (const [at, pair] of pairs.entries()) {
    const chance = chances[at] as number
    for (const place of slotsOf(pair)) {
      const former = best.get(place) ?? -1
      if (chance > former) best.set(place, chance)
      second.set(place, Math.max(second.get(place) ?? -1, Math.min(chance, former)))
    }
  }
  return pairs.map((pair, at) => {
    const chance = chances[at] as number
    const isMutual = slotsOf(pair).every((place) => best.get(place) === chance && second.get(place) !== chance)
    return { ...pair, chance, isMutual }
  })
}

/** A SKU has one place at each other vendor, and one pair can take it. */
function slotsOf({ a, b, sourceA, sourceB }: ScoredPair): readonly string[] {
  return [`${a}\n${sourceB}`, `${b}\n${sourceA}`]
}

/** Log-odds from which a pair counts as a rival, and as likely. */
const RIVAL_MIN = -3
const LIKELY_MIN = 2

/**
 * One row per pair, the same for either order of the two. It holds the log-odds, the leads over the rivals for either
 * place and their numbers, and how many third offers agree and disagree.
 */
export function rivalFeatures(pairs: readonly ScoredPair[]): number[][] {
  const atPlace = new Map<string, Rated[]>()
  const ofSku: OddsBySku = new Map()
  const link = (sku: string, other: string, odds: number) => {
    const links = ofSku.get(sku)
    if (links) links.set(other, odds)
    else ofSku.set(sku, new Map([[other, odds]]))
  }
  const rated = pairs.map((pair): Rated => ({ pair, odds: logOdds(pair), slots: slotsOf(pair) }))
  for (const each of rated) {
    for (const place of each.slots) {
      const rivals = atPlace.get(place)
      if (rivals) rivals.push(each)
      else atPlace.set(place, [each])
    }
    link(each.pair.a, each.pair.b, each.odds)
    link(each.pair.b, each.pair.a, each.odds)
  }
  return rated.map((each) => {
    const { pair, odds, slots } = each
    const rivals = slots.map((place) =>
      (atPlace.get(place) as Rated[]).filter((rival) => rival !== each).map((rival) => rival.odds),
    )
    const leads = rivals.map((others) => (others.length === 0 ? Number.NaN : odds - Math.max(...others)))
    const crowds = rivals.map((others) => others.filter((other) => other > RIVAL_MIN).length)
    const known = leads.filter((lead) => !Number.isNaN(lead))
    return [
      odds,
      known.length === 0 ? Number.NaN : Math.min(...known),
      known.length < 2 ? Number.NaN : Math.max(...known),
      Math.min(...crowds),
      Math.max(...crowds),
      ...thirds(each, ofSku),
      Number(pair.isSameLanguage),
    ]
  })
}

type Rated = Readonly<{ pair: ScoredPair; odds: number; slots: readonly string[] }>
/** For each SKU the log-odds of its pairs, by the other SKU. */
type OddsBySku = Map<string, Map<string, number>>

function thirds({ pair, odds }: Rated, ofSku: OddsBySku): number[] {
  const [ofA, ofB] = [ofSku.get(pair.a), ofSku.get(pair.b)] as [Map<string, number>, Map<string, number>]
  let [support, agreeing, disagreeing, better] = [Number.NaN, 0, 0, 0]
  for (const [third, oddsA] of ofA) {
    if (third === pair.b) continue
    if (oddsA > odds) better += 1
    const oddsB = ofB.get(third)
    if (oddsB !== undefined) {
      const weaker = Math.min(oddsA, oddsB)
      support = Number.isNaN(support) ? weaker : Math.max(support, weaker)
      if (weaker > LIKELY_MIN / 2) agreeing += 1
      if (Math.max(oddsA, oddsB) > LIKELY_MIN && weaker < -LIKELY_MIN) disagreeing += 1
    } else if (oddsA > LIKELY_MIN) disagreeing += 1
  }
  for (const [third, oddsB] of ofB) {
    if (third === pair.a) continue
    if (oddsB > odds) better += 1
    if (!ofA.has(third) && oddsB > LIKELY_MIN) disagreeing += 1
  }
  return [support, agreeing, disagreeing, better]
}

function logOdds({ score }: ScoredPair): number {
  const chance = Math.min(Math.max(score, CHANCE_MIN), 1 - CHANCE_MIN)
  return Math.log(chance / (1 - chance))
}
/** Closer to certainty the log-odds would grow without bound. */
const CHANCE_MIN = 1e-6
