import { scoreTrees, type TreeModel } from './gradient-boosting.ts'

/**
 * The second look at pairs, each among its rivals: a vendor sells a product once, so of two offers of one vendor at most
 * one is it, and what two agree on with a third they should agree on themselves.
 */
export type ScoredPair = Readonly<{
  /** Ids of SKUs of two vendors, and the vendors'. */
  a: string
  b: string
  sourceA: string
  sourceB: string
  /** Chance of the pair alone, in (0, 1). */
  score: number
  isSameLanguage: boolean
}>

/** Of a pair below, alone, nobody hears again: there are many of them, and they say little of others. */
export const PAIR_SCORE_MIN = 0.01

/** `isMutual`: no other offer of the vendor suits either of the two as well. */
export type JudgedPair<Pair extends ScoredPair> = Pair & Readonly<{ chance: number; isMutual: boolean }>

/** Two passes, since what the first says of the rivals tells more than their scores did. */
export type AmongModel = Readonly<{ first: TreeModel; second: TreeModel }>

/**
 * Judges all pairs that were scored, in their order. No order of pairs, nor of the two of a pair, matters; what it says of
 * a pair depends on the pairs that are linked with it, by a SKU of theirs or of one of these.
 */
export function judgeAmong<Pair extends ScoredPair>(
  { first, second }: AmongModel,
  pairs: readonly Pair[],
): JudgedPair<Pair>[] {
  const chances = rivalFeatures(pairs).map((row) => scoreTrees(first, row))
  return markMutual(
    pairs,
    secondFeatures(pairs, chances).map((row) => scoreTrees(second, row)),
  )
}

/** Features of the second pass, given what the first said of each pair. */
export function secondFeatures(pairs: readonly ScoredPair[], chances: readonly number[]): number[][] {
  const again = rivalFeatures(pairs.map((pair, at) => ({ ...pair, score: chances[at] as number })))
  return rivalFeatures(pairs).map((row, at) => [...row, ...(again[at] as number[])])
}

export function markMutual<Pair extends ScoredPair>(
  pairs: readonly Pair[],
  chances: readonly number[],
): JudgedPair<Pair>[] {
  const best = new Map<string, number>()
  const second = new Map<string, number>()
  for (const [at, pair] of pairs.entries()) {
    const chance = chances[at] as number
    for (const place of placesOf(pair)) {
      const former = best.get(place) ?? -1
      if (chance > former) best.set(place, chance)
      second.set(place, Math.max(second.get(place) ?? -1, Math.min(chance, former)))
    }
  }
  return pairs.map((pair, at) => {
    const chance = chances[at] as number
    const isMutual = placesOf(pair).every((place) => best.get(place) === chance && second.get(place) !== chance)
    return { ...pair, chance, isMutual }
  })
}

/** A SKU has one place at each other vendor, which one pair can take. */
function placesOf({ a, b, sourceA, sourceB }: ScoredPair): readonly string[] {
  return [`${a}\n${sourceB}`, `${b}\n${sourceA}`]
}

/** Log-odds above which a rival is one at all, and above which a pair counts as likely. */
const RIVAL_MIN = -3
const LIKELY_MIN = 2

/**
 * One row a pair, the same whichever of the two comes first: its log-odds; by how much it leads the rivals for either
 * place, and how many they are; and of the third offers that both were compared with how many agree and disagree.
 */
export function rivalFeatures(pairs: readonly ScoredPair[]): number[][] {
  const atPlace = new Map<string, ScoredPair[]>()
  const ofSku = new Map<string, Map<string, ScoredPair>>()
  const link = (sku: string, other: string, pair: ScoredPair) => {
    const links = ofSku.get(sku)
    if (links) links.set(other, pair)
    else ofSku.set(sku, new Map([[other, pair]]))
  }
  for (const pair of pairs) {
    for (const place of placesOf(pair)) {
      const rivals = atPlace.get(place)
      if (rivals) rivals.push(pair)
      else atPlace.set(place, [pair])
    }
    link(pair.a, pair.b, pair)
    link(pair.b, pair.a, pair)
  }
  return pairs.map((pair) => {
    const odds = logOdds(pair)
    const rivals = placesOf(pair).map((place) =>
      (atPlace.get(place) as ScoredPair[]).filter((rival) => rival !== pair).map(logOdds),
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
      ...thirds(pair, ofSku),
      Number(pair.isSameLanguage),
    ]
  })
}

function thirds(pair: ScoredPair, ofSku: ReadonlyMap<string, ReadonlyMap<string, ScoredPair>>): number[] {
  const [ofA, ofB] = [ofSku.get(pair.a), ofSku.get(pair.b)] as [Map<string, ScoredPair>, Map<string, ScoredPair>]
  const odds = logOdds(pair)
  let [support, agreeing, disagreeing, better] = [Number.NaN, 0, 0, 0]
  for (const [third, withA] of ofA) {
    if (third === pair.b) continue
    const oddsA = logOdds(withA)
    if (oddsA > odds) better += 1
    const withB = ofB.get(third)
    if (withB) {
      const weaker = Math.min(oddsA, logOdds(withB))
      support = Number.isNaN(support) ? weaker : Math.max(support, weaker)
      if (weaker > LIKELY_MIN / 2) agreeing += 1
      if (Math.max(oddsA, logOdds(withB)) > LIKELY_MIN && weaker < -LIKELY_MIN) disagreeing += 1
    } else if (oddsA > LIKELY_MIN) disagreeing += 1
  }
  for (const [third, withB] of ofB) {
    if (third === pair.a) continue
    const oddsB = logOdds(withB)
    if (oddsB > odds) better += 1
    if (!ofA.has(third) && oddsB > LIKELY_MIN) disagreeing += 1
  }
  return [support, agreeing, disagreeing, better]
}

function logOdds({ score }: ScoredPair): number {
  const chance = Math.min(Math.max(score, CHANCE_MIN), 1 - CHANCE_MIN)
  return Math.log(chance / (1 - chance))
}
/** Nearer to certain the log-odds would run away. */
const CHANCE_MIN = 1e-6
