import {
  type AmongModel,
  markMutual,
  rivalFeatures,
  type ScoredPair,
  secondFeatures,
} from '@catalog/core/matching/assignment.ts'
import { scoreTrees, type TreeModel } from '@catalog/core/matching/gradient-boosting.ts'
import type { MatchSku } from '@catalog/core/matching/match.ts'
import { readPairText } from '@catalog/core/matching/pair-measures.ts'
import {
  type Meaning,
  skuPairFeatures,
  unexplainedWords,
  type WordTable,
  wordsIn,
} from '@catalog/core/matching/sku-pair.ts'
import { rarityOf } from './rarity.ts'
import { trainTrees } from './train-trees.ts'

/** How the pair scorer of {@link ./sku-pair.ts} is learned from labelled pairs. Pure and seeded. */

/** `groups`: of products, that the two are of. What a word means in a group takes no part in learning from its own pairs. */
export type LabelledSkuPair = Readonly<{
  a: MatchSku
  b: MatchSku
  groups: readonly [string, string]
  meaning: Meaning
  isMatch: boolean
}>

export type PairScorer = Readonly<{
  features: readonly string[]
  trees: TreeModel
  words: WordTable
  score: (pair: Omit<LabelledSkuPair, 'isMatch' | 'groups'>) => number
}>

/** Fewer trees than the defaults: the model is shipped, and read at every start. */
const TREES = { seeds: [1, 2], iterations: 120, learningRate: 0.1 }
const TREES_AMONG = { seeds: [1], iterations: 80, learningRate: 0.06, leavesMax: 8, rowsInLeafMin: 30 }

/** The first look: a pair by itself. */
export function learnScorer(pairs: readonly LabelledSkuPair[]): PairScorer {
  const skus = [...new Set(pairs.flatMap(({ a, b }) => [a, b]))]
  const verdicts = learnVerdicts(pairs)
  const words: WordTable = { ...learnRarity(skus), verdict: verdicts.all() }
  const { rarity } = wordsIn(words)
  const rows = pairs.map((pair) => {
    const verdict = verdicts.without(pair.groups)
    return skuPairFeatures(pair.a, pair.b, { rarity, verdict, meaning: pair.meaning })
  })
  const trees = trainTrees(
    rows.map(({ row }) => row),
    pairs.map(({ isMatch }) => Number(isMatch)),
    TREES,
  )
  const score: PairScorer['score'] = ({ a, b, meaning }) =>
    scoreTrees(trees, skuPairFeatures(a, b, { ...wordsIn(words), meaning }).row)
  return { features: rows[0]?.names ?? [], trees, words, score }
}

/** Pairs among their rivals, by scores of first looks that had not seen their groups. */
export type PairAmong = ScoredPair & Readonly<{ isMatch: boolean }>

/**
 * The second look, from parts of the pairs that no group is in two of. Besides how it judges each part when it has learned
 * from the others alone: on these a threshold is chosen.
 */
export function learnAmong<Pair extends PairAmong>(parts: readonly (readonly Pair[])[]) {
  const firstRows = parts.map(rivalFeatures)
  const first = learnParts(firstRows, parts)
  const secondRows = parts.map((pairs, part) => secondFeatures(pairs, first.across(part)))
  const second = learnParts(secondRows, parts)
  return {
    model: { first: first.whole(), second: second.whole() } satisfies AmongModel,
    judged: parts.map((pairs, part) => markMutual(pairs, second.across(part))),
  }
}

function learnParts(rows: readonly (readonly number[][])[], parts: readonly (readonly PairAmong[])[]) {
  const learn = (except: number | null) => {
    const taken = [...parts.keys()].filter((part) => part !== except)
    return trainTrees(
      taken.flatMap((part) => rows[part] as number[][]),
      taken.flatMap((part) => (parts[part] as readonly PairAmong[]).map(({ isMatch }) => Number(isMatch))),
      TREES_AMONG,
    )
  }
  return {
    whole: () => learn(null),
    /** Chances of a part's pairs by what the others say. */
    across: (part: number) => {
      const model = learn(part)
      return (rows[part] as number[][]).map((row) => scoreTrees(model, row))
    },
  }
}

// Words ---------------------------------------------------------------------------------------------------------------

function learnRarity(skus: readonly MatchSku[]): Pick<WordTable, 'rarity' | 'rarest'> {
  const texts = skus.map(({ name }) => readPairText(name))
  const rarityAmong = rarityOf(texts)
  const words = [...new Set(texts.flatMap(({ distinct }) => [...distinct]))].sort()
  // No text has the empty word: what is said of it is said of every word that none has.
  const rarest = twoDecimals(rarityAmong(''))
  const rarities = words.map((word) => [word, twoDecimals(rarityAmong(word))] as const)
  return { rarity: Object.fromEntries(rarities.filter(([, rarity]) => rarity < rarest)), rarest }
}

/** Groups that say as much as what is expected of a word before any was seen. */
const PRIOR_GROUPS = 1
/** Pairs of one group at which it has half a say: many pairs of few products are still one group's word. */
const HALF_SAY_PAIRS = 5
/** Weaker verdicts are left out of the table. */
const VERDICT_MIN = 0.1

/**
 * What it means that only one of two names has a word: "with" means little, "hydrofuge" much. Each group of products has
 * one say a word, so that a word which tells apart the variants of many kinds of products counts most.
 */
function learnVerdicts(pairs: readonly LabelledSkuPair[]) {
  /** Word → group → pairs with the word on one side only, and how many of them are matches. */
  const counts = new Map<string, Map<string, { pairs: number; matches: number }>>()
  const prior = { pairs: 0, matches: 0 }
  for (const { a, b, groups, isMatch } of pairs) {
    const words = new Set(unexplainedWords(a, b).flat())
    prior.pairs += 1
    prior.matches += Number(isMatch)
    for (const word of words) {
      const ofWord = counts.get(word) ?? new Map<string, { pairs: number; matches: number }>()
      counts.set(word, ofWord)
      for (const group of new Set(groups)) {
        const former = ofWord.get(group) ?? { pairs: 0, matches: 0 }
        ofWord.set(group, { pairs: former.pairs + 1, matches: former.matches + Number(isMatch) })
      }
    }
  }
  const share = prior.matches / prior.pairs
  const verdictOf = (word: string, except: readonly string[]) => {
    let [says, agreeing] = [PRIOR_GROUPS, PRIOR_GROUPS * share]
    for (const [group, count] of counts.get(word) ?? []) {
      if (except.includes(group)) continue
      const say = count.pairs / (count.pairs + HALF_SAY_PAIRS)
      says += say
      agreeing += (say * count.matches) / count.pairs
    }
    return twoDecimals(Math.log(agreeing / (says - agreeing)) - Math.log(share / (1 - share)))
  }
  return {
    without: (groups: readonly string[]) => (word: string) => {
      const verdict = verdictOf(word, groups)
      return Math.abs(verdict) < VERDICT_MIN ? 0 : verdict
    },
    all: () => {
      const verdicts = [...counts.keys()].sort().map((word) => [word, verdictOf(word, [])] as const)
      return Object.fromEntries(verdicts.filter(([, verdict]) => Math.abs(verdict) >= VERDICT_MIN))
    },
  }
}

function twoDecimals(value: number): number {
  return Math.round(value * 100) / 100
}
