import {
  markMutual,
  type RivalModel,
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

/** Learns the pair scorer of libs/core/matching/sku-pair.ts from labelled pairs. Pure and seeded. */

/** `groups` are the product groups of the two. A pair trains without its own groups' share in the values of words. */
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

/** Fewer trees than the defaults, because every start of the product reads the shipped model. */
const TREES = { seeds: [1, 2], iterations: 120, learningRate: 0.1 }
const TREES_AMONG = { seeds: [1, 2, 3, 4], iterations: 80, learningRate: 0.06, leavesMax: 8, rowsInLeafMin: 30 }

/** The first pass: a pair by itself. */
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

/** Pairs among their rivals, with first-pass scores by models that had not seen their groups. */
export type LabelledScoredPair = ScoredPair & Readonly<{ isMatch: boolean }>

/**
 * The second pass, from parts of the pairs that share no group. It also returns judgements of each part by a model of
 * the other parts, for the choice of a threshold.
 */
export function learnRivalModel<Pair extends LabelledScoredPair>(parts: readonly (readonly Pair[])[]) {
  const firstRows = parts.map(rivalFeatures)
  const first = learnParts(firstRows, parts)
  const secondRows = parts.map((pairs, part) => secondFeatures(pairs, first.across(part)))
  const second = learnParts(secondRows, parts)
  return {
    model: { first: first.whole(), second: second.whole() } satisfies RivalModel,
    judged: parts.map((pairs, part) => markMutual(pairs, second.across(part))),
  }
}

function learnParts(rows: readonly (readonly number[][])[], parts: readonly (readonly LabelledScoredPair[])[]) {
  const learn = (except: number | null) => {
    const taken = [...parts.keys()].filter((part) => part !== except)
    return trainTrees(
      taken.flatMap((part) => rows[part] as number[][]),
      taken.flatMap((part) => (parts[part] as readonly LabelledScoredPair[]).map(({ isMatch }) => Number(isMatch))),
      TREES_AMONG,
    )
  }
  return {
    whole: () => learn(null),
    /** Chances of a part's pairs by a model of the other parts. */
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
  // No text has the empty word, so its rarity stands for every unknown word.
  const rarest = twoDecimals(rarityAmong(''))
  const rarities = words.map((word) => [word, twoDecimals(rarityAmong(word))] as const)
  return { rarity: Object.fromEntries(rarities.filter(([, rarity]) => rarity < rarest)), rarest }
}

/** Weight of the prior, in groups. */
const PRIOR_GROUPS = 1
/** Pairs at which one group reaches half of its weight: many pairs of few products still count as one group. */
const HALF_WEIGHT_PAIRS = 5
/** The table leaves out weaker verdicts. */
const VERDICT_MIN = 0.1

/**
 * Learns the effect of a word that only one of two names has: "with" means little, "hydrofuge" much. Each group of
 * products counts once per word, so a word that separates variants of many kinds of products weighs most.
 */
function learnVerdicts(pairs: readonly LabelledSkuPair[]) {
  /** Word → group → pairs with the word on one side only, and the matches among them. */
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
      const say = count.pairs / (count.pairs + HALF_WEIGHT_PAIRS)
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
