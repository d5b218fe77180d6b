import { table } from '@catalog/cli/shared/terminal.ts'
import type { Embedder } from '@catalog/embed/embed.ts'
import { LANGUAGES } from '@catalog/research/embedder/corpus/concepts.ts'
import type { Corpus } from '@catalog/research/embedder/corpus/corpus.ts'
import type { Part } from '@catalog/research/embedder/corpus/split.ts'
import { type CrossLanguage, evaluateAcross, type Relevance, vocabularyOf } from './evaluation.ts'
import { type Figures, figuresOf, meanOf, rankOf } from './ranking.ts'
import {
  type EvaluationIndex,
  foreignRefusals,
  heldOutRefusals,
  type Missed,
  missedProbes,
  openJudging,
  type Refusals,
  typoQueries,
} from './refusals.ts'
import { bm25Scorer, ngramScorer, type Scorer, vectorScorer } from './scorers.ts'
import { searchScorer } from './search-index.ts'

/** How well an embedder, and search with it, find held-out concepts, beside two scorers without a model. */
export type Report = Readonly<{
  model: string
  fingerprint: string
  part: Part
  across: readonly Across[]
  /** Held-out names with typing errors, searched in their own language; means over the languages. */
  typos: readonly Typos[]
  probes: Readonly<{ probes: number; missed: readonly Missed[] }>
  /** Queries that search refuses for lack of anything near: foreign topics by kind, and held-out names. */
  refused: Readonly<Record<string, Refusals>>
}>
export type Across = CrossLanguage & Readonly<{ source: string; relevant: Relevance; scorer: string }>
export type Typos = Readonly<{ source: string; scorer: string; figures: Figures }>

const SOURCES = ['cpv', 'cwicr'] as const

/** `onStep` receives the current step and its progress in queries. */
export async function evaluateSearch({
  corpus,
  embedder,
  part,
  onStep = () => {},
}: {
  corpus: Corpus
  embedder: Embedder
  part: Part
  onStep?: (step: { label: string; done: number; all: number }) => void
}): Promise<Report> {
  const { concepts, training } = corpus
  const heldOut = corpus.heldOut[part]
  const vocabulary = vocabularyOf(training)
  const scorers: Readonly<Record<string, Scorer>> = {
    BM25: bm25Scorer,
    'TF-IDF 3-5': ngramScorer,
    vector: vectorScorer(embedder),
    search: searchScorer(embedder),
  }
  const across: Across[] = []
  const typos: Typos[] = []
  for (const name of SOURCES) {
    const source = concepts.filter((concept) => concept.source === name)
    const held = source.filter(({ id }) => heldOut.has(id))
    const all = LANGUAGES.flatMap((to) =>
      held.map(({ strings }) => (strings[to] ? Object.keys(strings).length - 1 : 0)),
    )
    for (const [scorer, score] of Object.entries(scorers)) {
      const label = `${name}, ${scorer}`
      let done = 0
      const onQueries = (count: number) => {
        done += count
        onStep({ label, done, all: all.reduce((sum, each) => sum + each, 0) })
      }
      const found = await evaluateAcross({ source, heldOut, vocabulary, scorer: score, onQueries })
      across.push({ source: name, relevant: 'group', scorer, ...found.group })
      // Only the names of resources contain sizes.
      if (name === 'cwicr') across.push({ source: name, relevant: 'name', scorer, ...found.name })
      typos.push({ source: name, scorer, figures: await typoFigures(source, held, score) })
    }
  }
  const evaluationIndex = await openJudging(concepts, embedder)
  const probes = await missedProbes(evaluationIndex)
  const refused = await refusalsOf(evaluationIndex, corpus, heldOut)
  return { model: embedder.model, fingerprint: embedder.fingerprint, part, across, typos, probes, refused }
}

async function typoFigures(source: Corpus['concepts'], held: Corpus['concepts'], scorer: Scorer): Promise<Figures> {
  const byLanguage = Map.groupBy(typoQueries(held), ({ language }) => language)
  const figures: Figures[] = []
  for (const [language, asked] of byLanguage) {
    const entries = source.filter(({ strings }) => strings[language] !== undefined)
    const places = Map.groupBy(entries.keys(), (at) => entries[at]?.group)
    const scoresOf = scorer(entries.map(({ strings }) => strings[language]?.[0] as string))
    const ranks: number[] = []
    for await (const scores of scoresOf(asked.map(({ query }) => query))) {
      ranks.push(rankOf(scores, new Set(places.get(asked[ranks.length]?.concept.group))))
    }
    figures.push(figuresOf(ranks))
  }
  return meanOf(figures)
}

async function refusalsOf(evaluationIndex: EvaluationIndex, { concepts }: Corpus, heldOut: ReadonlySet<string>) {
  const refused: Record<string, Refusals> = await foreignRefusals(evaluationIndex)
  for (const name of SOURCES) {
    const held = concepts.filter(({ id, source }) => source === name && heldOut.has(id))
    refused[`held-out ${name}`] = await heldOutRefusals(evaluationIndex, held)
  }
  return refused
}

type Column<T> = readonly [string, (row: T) => string]

const percent = (share: number) => (share * 100).toFixed(1)
const both = ({ r1, r10 }: Figures) => `${percent(r1)}/${percent(r10)}`

const ACROSS: readonly Column<Across>[] = [
  ['held out', ({ source }) => source],
  ['relevant', ({ relevant }) => relevant],
  ['scorer', ({ scorer }) => scorer],
  ['six pairs', ({ six }) => both(six)],
  ['all pairs', ({ all }) => both(all)],
  ['MRR@10', ({ all }) => percent(all.mrr10)],
  ['into de', ({ intoGerman }) => both(intoGerman)],
  ['known words', ({ known }) => both(known)],
  ['unknown', ({ unknown }) => both(unknown)],
  ['queries', ({ all }) => String(all.queries)],
]

/** The report as tables for people; `pairs` adds every ordered pair of languages. */
export function reportText(report: Report, { pairs }: { pairs: boolean }): string {
  const { model, fingerprint, part, across, typos, probes, refused } = report
  const ofRefusals: readonly Column<[string, Refusals]>[] = [
    ['queries', ([kind]) => kind],
    ['number', ([, { queries }]) => String(queries)],
    ['refused', ([, { queries, refused }]) => percent(refused / queries)],
    ['answered', ([kind, { answered }]) => (kind.startsWith('held-out') ? '' : answered.slice(0, EXAMPLES).join(', '))],
  ]
  return [
    `${model} ${fingerprint}, held-out ${part} set: R@1/R@10 in %, six = en>es es>en de>en pt>es fr>en it>es`,
    tableOf(across, ACROSS),
    '\nOne or two words mistyped, in the same language',
    tableOf(typos, [
      ['held out', ({ source }) => source],
      ['scorer', ({ scorer }) => scorer],
      ['R@1/R@10', ({ figures }) => both(figures)],
      ['queries', ({ figures }) => String(figures.queries)],
    ]),
    `\nSynonyms with a right name among the first three: ${probes.probes - probes.missed.length} of ${probes.probes}`,
    ...probes.missed.map(({ query, locale, found }) => `  ${query} (${locale}): ${found.join(' · ') || 'nothing'}`),
    '\nQueries that search has nothing near to, in %',
    tableOf(Object.entries(refused), ofRefusals),
    ...(pairs ? across.map(pairsText) : []),
  ].join('\n')
}

const EXAMPLES = 4
const PAIRS_A_LINE = 5

function pairsText({ source, relevant, scorer, pairs }: Across): string {
  const cells = Object.entries(pairs).map(([pair, figures]) => `${pair} ${both(figures)}`)
  const lines = Array.from({ length: Math.ceil(cells.length / PAIRS_A_LINE) }, (_, i) =>
    cells.slice(i * PAIRS_A_LINE, (i + 1) * PAIRS_A_LINE).join('  '),
  )
  return `\n${source} by ${relevant}, ${scorer}\n${lines.join('\n')}`
}

const tableOf = <T>(rows: readonly T[], columns: readonly Column<T>[]): string =>
  table(rows.map((row) => Object.fromEntries(columns.map(([title, cell]) => [title, cell(row)]))))
