import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openBuiltinEmbedder } from '@catalog/embed/builtin/builtin.ts'
import type { Concept } from '@catalog/research/embedder/corpus/concepts.ts'
import { readCorpus } from '@catalog/research/embedder/corpus/corpus.ts'
import { lexicon } from '@catalog/research/embedder/corpus/lexicon.ts'
import { evaluateAcross, SIX, vocabularyOf } from '@catalog/research/embedder/evaluation/evaluation.ts'
import { figuresOf, rankOf } from '@catalog/research/embedder/evaluation/ranking.ts'
import {
  foreignRefusals,
  heldOutRefusals,
  missedProbes,
  openJudging,
  typoQueries,
} from '@catalog/research/embedder/evaluation/refusals.ts'
import { vectorScorer } from '@catalog/research/embedder/evaluation/scorers.ts'
import { searchScorer } from '@catalog/research/embedder/evaluation/search-index.ts'
import { describe, expect, test } from 'vitest'

/**
 * Lower bounds for the committed weights and search over them, on held-out data. They lie far enough below the figures
 * of the model card to tolerate chance, and near enough to catch a mistake.
 */
const named = process.env.REAL_INPUTS_DIR
const folder = named ?? fileURLToPath(new URL('../../../../shared/data', import.meta.url))
if (named !== undefined && !existsSync(folder)) throw new Error(`REAL_INPUTS_DIR=${named}: no such folder`)
const present = existsSync(folder)

describe.skipIf(!present)(`the committed weights${present ? '' : ` (no real inputs in ${folder})`}`, () => {
  const embedder = openBuiltinEmbedder()
  const corpus = present ? readCorpus(folder, lexicon()) : (undefined as never)
  const heldOut = (source: string, every: number) => {
    const ids = [...corpus.heldOut.test].filter((id) => id.startsWith(`${source}:`))
    return new Set(ids.filter((_, i) => i % every === 0))
  }
  const across = async (
    source: string,
    scorer: ReturnType<typeof searchScorer>,
    every: number,
    pairs: readonly string[],
  ) =>
    evaluateAcross({
      source: corpus.concepts.filter((concept) => concept.source === source),
      heldOut: heldOut(source, every),
      vocabulary: vocabularyOf([]),
      scorer,
      isAsked: (pair) => pairs.length === 0 || pairs.includes(pair),
    })

  test('find procurement labels across all pairs of languages, by vector alone', async () => {
    const { six, all } = (await across('cpv', vectorScorer(embedder), 1, [])).group
    expect(six.queries).toBe(2514)
    expect([six.r1, six.r10].map(percent)).toSatisfy(atLeast([72, 90]))
    expect([all.r1, all.r10].map(percent)).toSatisfy(atLeast([67, 87]))
  }, 120_000)

  test('find resources across languages, sizes and all, by search', async () => {
    const { six } = (await across('cwicr', searchScorer(embedder), 8, SIX)).name
    expect([six.r1, six.r10].map(percent)).toSatisfy(atLeast([90, 95]))
  }, 120_000)

  test('find mistyped labels, by search', async () => {
    const held = heldOut('cpv', 3)
    const source = corpus.concepts.filter((concept) => concept.source === 'cpv')
    const asked = typoQueries(source.filter(({ id }) => held.has(id))).filter(({ language }) => language === 'es')
    const texts = source.map(({ strings }) => strings.es?.[0] ?? '')
    const ranks: number[] = []
    const groupOf = ({ group }: Concept) => group
    const places = Map.groupBy(source.keys(), (at) => groupOf(source[at] as Concept))
    for await (const scores of searchScorer(embedder)(texts)(asked.map(({ query }) => query))) {
      ranks.push(rankOf(scores, new Set(places.get(asked[ranks.length]?.concept.group as string))))
    }
    expect(percent(figuresOf(ranks).r10)).toBeGreaterThanOrEqual(95)
  }, 120_000)

  test('find synonyms, and separate building from other topics', async () => {
    const judging = await openJudging(corpus.concepts, embedder)
    const { probes, missed } = await missedProbes(judging)
    expect(percent(1 - missed.length / probes)).toBeGreaterThanOrEqual(95)
    const foreign = Object.values(await foreignRefusals(judging))
    const [refused, queries] = [foreign.map((kind) => kind.refused), foreign.map((kind) => kind.queries)].map(sum)
    expect(percent((refused as number) / (queries as number))).toBeGreaterThanOrEqual(85)
    const held = heldOut('cpv', 4).union(heldOut('cwicr', 8))
    const own = await heldOutRefusals(
      judging,
      corpus.concepts.filter(({ id }) => held.has(id)),
    )
    expect(percent(own.refused / own.queries)).toBeLessThanOrEqual(5)
  }, 120_000)
})

const percent = (share: number) => share * 100
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
const atLeast = (floors: readonly number[]) => (found: readonly number[]) =>
  found.every((figure, i) => figure >= (floors[i] as number))
