import { stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { readModel } from '@catalog/embed/model.ts'
import { corpusFolder, readCorpus } from './corpus.ts'
import { type CrossLanguage, evaluateAcross, type Relevance, vocabularyOf } from './evaluation.ts'
import { lexicon } from './lexicon.ts'
import type { Figures } from './ranking.ts'
import { bm25Scorer, ngramScorer, type Scorer, vectorScorer } from './scorers.ts'
import type { Part } from './split.ts'

const SETS = [
  { name: 'cpv', relevant: 'group' },
  { name: 'cwicr', relevant: 'group' },
  { name: 'cwicr', relevant: 'name' },
] as const

type Result = CrossLanguage & Readonly<{ source: string; relevant: Relevance; scorer: string }>
type Column = readonly [string, (result: Result) => string]

const PAIRS_A_LINE = 5
const percent = (share: number) => (share * 100).toFixed(1)
const both = ({ r1, r10 }: Figures) => `${percent(r1)}/${percent(r10)}`

const COLUMNS: readonly Column[] = [
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

/**
 * `node libs/embed/train/evaluate.ts --model DIR [--data DIR] [--part test|dev] [--pairs] [--json]`: how well a model
 * finds held-out concepts across languages, beside BM25 and character n-grams. With --pairs every ordered pair of
 * languages too.
 */
const { values } = parseArgs({
  options: {
    model: { type: 'string' },
    data: { type: 'string' },
    part: { type: 'string', default: 'test' },
    pairs: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
if (values.model === undefined) throw new Error('expected --model DIR, the folder that a model was written to')
if (values.part !== 'test' && values.part !== 'dev') throw new Error(`--part ${values.part}: expected test or dev`)
const part: Part = values.part
const model = readModel(values.model)
const corpus = readCorpus(corpusFolder(values.data), lexicon())
const vocabulary = vocabularyOf(corpus.training)
const scorers: Readonly<Record<string, Scorer>> = {
  BM25: bm25Scorer,
  'TF-IDF 3-5': ngramScorer,
  vector: vectorScorer(model.embedText, model.dims),
}
const results = SETS.flatMap(({ name, relevant }) => {
  const source = corpus.concepts.filter((concept) => concept.source === name)
  const heldOut = corpus.heldOut[part]
  return Object.entries(scorers).map(([scorer, score]) => {
    return {
      source: name,
      relevant,
      scorer,
      ...evaluateAcross({ source, heldOut, vocabulary, scorer: score, relevant }),
    }
  })
})

if (values.json) {
  stdout.write(`${JSON.stringify({ model: model.fingerprint, part, results })}\n`)
} else {
  stdout.write(`${model.fingerprint}, ${part}: R@1/R@10 in %, six = en>es es>en de>en pt>es fr>en it>es\n`)
  stdout.write(`${tableOf(results, COLUMNS)}\n`)
  if (values.pairs) {
    for (const { source, relevant, scorer, pairs } of results) {
      const cells = Object.entries(pairs).map(([pair, figures]) => `${pair} ${both(figures)}`)
      stdout.write(`\n${source} by ${relevant}, ${scorer}\n${lines(cells, PAIRS_A_LINE)}\n`)
    }
  }
}

function tableOf(rows: readonly Result[], columns: readonly Column[]): string {
  const cells = [columns.map(([title]) => title), ...rows.map((row) => columns.map(([, cell]) => cell(row)))]
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => (line[at] as string).length)))
  return cells
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] as number))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function lines(cells: readonly string[], width: number): string {
  return Array.from({ length: Math.ceil(cells.length / width) }, (_, i) =>
    cells.slice(i * width, (i + 1) * width).join('  '),
  ).join('\n')
}
