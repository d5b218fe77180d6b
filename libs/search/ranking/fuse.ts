import type { Embedder } from '@catalog/embed/embed.ts'
import type { Question } from '@catalog/search/query/question.ts'
import { type Difference, sizeDifferences } from '@catalog/search/query/sizes.ts'
import { distinctTokens } from '@catalog/search/query/terms.ts'
import type { SearchFilter, SearchIndex } from '@catalog/search/search.ts'
import { askedSigns, chanceMin, chanceOf, signsOf } from './refusal.ts'
import { byScore, CODE_SCORE, isNear, rank, type Scored } from './score.ts'

/** The `mode` of `GET /search`. */
export type SearchMode = 'vector' | 'vector_no_match' | 'empty_embedding' | 'fallback_no_ai'

export type SearchAnswer = Readonly<{
  mode: SearchMode
  /** How far the best result lies above the floor, for callers that judge the first {@link SURE_MARGIN}; null without vectors. */
  margin: number | null
  /** Best first, equal scores by id; every score is at least 0. */
  results: readonly Hit[]
  /** What speaks for the best candidates, whether or not they are results: see {@link signsOf}. Empty without vectors. */
  considered: readonly Readonly<{ itemId: string; signs: readonly number[] }>[]
}>

/** `cos` is the semantic part of the score, 0 to 1; 0 without a vector match. */
export type Hit = Readonly<{
  itemId: string
  score: number
  cos: number
  /** False where its name says another thing, or it contradicts a grade or kind of the question. */
  isThing?: boolean
  why?: Why
}>

/** Why a result was found: the parts of its score, rounded for people, and what it agrees and contradicts in. */
export type Why = Readonly<{
  meaning: number
  words: number
  concepts: number
  sizes: number
  spelling: number
  codes: number
  agreed: readonly string[]
  contradicted: readonly string[]
  /** What makes it a neighbour of what is asked: another size, pack, grade or kind. Empty for what is asked. */
  differs: readonly Difference[]
}>

/**
 * Answers a query from an index. `vector` is the query's embedding, null when the embedder returned none, 'no_embedder'
 * when none is configured. `identified` are the items with a GTIN or manufacturer's reference of the query, after the filter; they
 * rank first.
 *
 * | mode | when | results, after the identified ones |
 * |---|---|---|
 * | vector | anything is found | near documents, and documents with the words |
 * | vector_no_match | nothing is found | none |
 * | empty_embedding | the query has no vector | documents with its codes and numbers, or none |
 * | fallback_no_ai | no embedder, or its vectors do not yet cover all documents | by words alone |
 *
 * Throws what the index throws.
 */
export async function search({
  question,
  vector,
  index,
  identified = [],
  filter,
  admitted,
  limit,
  isRefusing = true,
  worthOf,
}: {
  question: Question
  vector: Float32Array | null | 'no_embedder'
  index: SearchIndex
  identified?: readonly string[]
  filter?: SearchFilter
  /** Which of these items pass filters that the index cannot apply; the index is then asked for more candidates. */
  admitted?: (itemIds: readonly string[]) => Promise<readonly string[]>
  limit: number
  /** False for a caller that judges candidates itself: then something like the thing counts too. */
  isRefusing?: boolean
  /** What a cosine of the index is worth to ranking and refusing; absent: itself. */
  worthOf?: Embedder['worthOf'] | undefined
}): Promise<SearchAnswer> {
  const query = question.thing
  const times = admitted ? ADMITTED_FACTOR : isRefusing ? 1 : JUDGED_FACTOR
  const [near, lexical, frequencies, isEmbedded] = await Promise.all([
    vector instanceof Float32Array ? index.nearest(vector, times * CANDIDATES_MAX, filter) : [],
    index.lexical(query, times * (vector instanceof Float32Array ? LEXICAL_MAX : CANDIDATES_MAX), filter),
    index.frequencies(distinctTokens(query)),
    vector instanceof Float32Array ? index.isEmbedded() : false,
  ])
  // A document may come both ways; the copy of the vector search wins, because it has the cosine.
  const weighed = worthOf ? near.map((found) => ({ ...found, cosine: worthOf(found.cosine as number) })) : near
  const candidates = new Map([...lexical, ...(isEmbedded ? weighed : [])].map((found) => [found.itemId, found]))
  const passing = admitted ? new Set(await admitted([...candidates.keys()])) : candidates
  const ranked = answersFirst(
    rank({
      question,
      candidates: [...candidates.values()].filter(({ itemId }) => passing.has(itemId)),
      frequencies,
    }),
  )
  // The chances were learned with vectors: without them, words decide as they are.
  const isLearned = isEmbedded && vector !== null
  const asked = askedSigns(question, frequencies.counts)
  const considered: Considered[] = []
  for (const hit of ranked.slice(0, isLearned ? CONSIDERED_MAX : 0)) {
    const signs = signsOf(hit, question, asked, ranked[0]?.score ?? 0)
    const chance = chanceOf(signs)
    considered.push({ itemId: hit.itemId, signs, hit, chance })
    if (!isRefusing && chance - chanceMin() >= SURE_MARGIN) break
  }
  const margin = isLearned ? Math.max(0, ...considered.map(({ chance }) => chance)) - chanceMin() : null
  // Who writes a code of the thing means it, whatever else the question says.
  const isCoded = considered.some(({ hit }) => hit.codes > 0 && !isDifferent(hit))
  const isAnswered = !isRefusing || margin === null || margin >= 0 || isCoded
  const ordered = isLearned && isRefusing ? likeliestFirst(considered, ranked) : ranked
  const hits = isAnswered ? ordered.filter(isNear) : []
  const shown = identified.length === 0 ? hits.slice(0, limit) : hits
  const results = withIdentifiedFirst(
    identified,
    shown.map((hit) => hitOf(hit, question)),
  ).slice(0, limit)
  return { mode: modeOf(), margin, results, considered }

  function modeOf(): SearchMode {
    if (vector === null) return 'empty_embedding'
    if (!isEmbedded) return 'fallback_no_ai'
    return results.length > 0 ? 'vector' : 'vector_no_match'
  }
}

/**
 * Orders the best candidates by their chance to be the thing, what is asked before what is near. Scores are twice the chance,
 * and more for the item with a code of the question.
 */
function likeliestFirst(considered: readonly Considered[], ranked: readonly Scored[]): readonly Scored[] {
  const likely = considered
    .map(({ hit, chance }) => {
      const code = hit.codes > 0 && !isDifferent(hit) ? CODE_SCORE : 0
      const likely = Math.max(0, chance - (isDifferent(hit) ? DIFFERENT_CHANCE : 0))
      // Leaves of trees give many an equal chance.
      return { ...hit, score: code + 2 * likely + TIE_WEIGHT * hit.score }
    })
    .sort(byScore)
  // The others keep their order below.
  const rest = ranked.slice(considered.length)
  const [least, most] = [likely.at(-1)?.score ?? 0, rest[0]?.score ?? 0]
  const scale = most > 0 ? least / most : 0
  return [...likely, ...rest.map((hit) => ({ ...hit, score: hit.score * scale }))].sort(byScore)
}
type Considered = SearchAnswer['considered'][number] & Readonly<{ hit: Scored; chance: number }>

/** Whether it is the thing in another size, grade or kind. */
const isDifferent = ({ num, differences = [] }: Scored) => num < 0 || differences.length > 0

/** Of the score that ranked before the chance. */
const TIE_WEIGHT = 0.001
/** What another size or grade takes off the chance. */
const DIFFERENT_CHANCE = 0.05

/** Ranks what contradicts the question below the best result that is the thing in the size that the question states. */
function answersFirst(ranked: readonly Scored[]): readonly Scored[] {
  const best = ranked.find(
    ({ cov, con, num, differences }) =>
      num > 0 && differences?.length === 0 && (cov >= NAMED_MIN || (con === 1 && num >= ALL_SIZES_MIN)),
  )
  if (best === undefined) return ranked
  let lowered = 0
  return ranked
    .map((hit) =>
      isDifferent(hit) ? { ...hit, score: Math.max(0, Math.min(hit.score, best.score - BELOW * ++lowered)) } : hit,
    )
    .sort(byScore)
}
/** Share of the words of a question by which a result is the thing: across languages, grades are misread too often. */
const NAMED_MIN = 0.6
/** Overlap of all sizes, one of them nominally, where the concept alone names the thing. */
const ALL_SIZES_MIN = 0.5
/** Any distance: scores of contradicting results are likenesses, and no amounts. */
const BELOW = 0.01

function hitOf(
  { itemId, score, cos, cov, con, num, tri, codes, isOther, agreed = [], differences = [], named }: Scored,
  { sizes }: Question,
): Hit {
  const contradicted = differences.map(({ about }) => about)
  const isThing = contradicted.length === 0 && (!isOther || score >= OTHER_THING_MIN)
  const why = { meaning: rounded(cos), words: rounded(cov), concepts: rounded(con), sizes: rounded(num) }
  return {
    itemId,
    score,
    cos,
    isThing,
    why: {
      ...why,
      spelling: rounded(tri),
      codes,
      agreed,
      contradicted,
      differs: [...differences, ...sizeDifferences(sizes, named.sizes)],
    },
  }
}
/** From this score on, an item is the thing though its name says another one. */
const OTHER_THING_MIN = 1.05
/** Three decimals keep all the information of a part. */
const rounded = (part: number) => Math.round(Math.min(1, part) * 1_000) / 1_000

/** Moves the identified items to the front, each above its own score. */
function withIdentifiedFirst(identified: readonly string[], hits: readonly Hit[]): Hit[] {
  const first = new Set(identified)
  const known = new Map(hits.map((hit) => [hit.itemId, hit]))
  const raised = [...first].map((itemId) => {
    const hit = known.get(itemId) ?? { itemId, score: 0, cos: 0 }
    return { ...hit, score: IDENTIFIED_SCORE + hit.score }
  })
  return [...raised.sort(byScore), ...hits.filter(({ itemId }) => !first.has(itemId))]
}

/** Candidates by vector, or by words without vectors: later ones hardly ever reach the first 50 by score. */
const CANDIDATES_MAX = 100
/**
 * Candidates by words beside those by vector: the maximum result length. Each costs the index as much as one by vector.
 */
const LEXICAL_MAX = 50
/** A caller that judges wants no page of results: a share of the candidates has its twenty. */
const JUDGED_FACTOR = 0.4
/** From this margin on, search is sure that it found the thing. */
export const SURE_MARGIN = 0.35
/** Enough to see why a question is answered or refused. */
const CONSIDERED_MAX = 40
/** Times as many candidates where filters apply after the index: enough where every tenth item passes. */
const ADMITTED_FACTOR = 10
/** The most results of a search, without identified ones. */
export const RESULTS_MAX = CANDIDATES_MAX + LEXICAL_MAX
/** More than a code and all other parts together (6.2). */
const IDENTIFIED_SCORE = 10
