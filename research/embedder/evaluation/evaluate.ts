import { stderr, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { embedderOf } from '@catalog/embed/builtin/builtin.ts'
import { readModel } from '@catalog/embed/builtin/model.ts'
import { corpusFolder, readCorpus } from '@catalog/research/embedder/corpus/corpus.ts'
import { lexicon } from '@catalog/research/embedder/corpus/lexicon.ts'
import { evaluateSearch, reportText } from './report.ts'

/**
 * `node research/embedder/evaluation/evaluate.ts --model DIR [--data DIR] [--part test|dev] [--pairs] [--json]`:
 * measures a model from train.ts, and search with it. It measures held-out concepts across languages, typing errors,
 * synonyms and refusals of other topics, beside BM25 and character n-grams. With --pairs it lists every ordered pair of
 * languages.
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
let label = ''
const report = await evaluateSearch({
  corpus: readCorpus(corpusFolder(values.data), lexicon()),
  embedder: embedderOf(readModel(values.model)),
  part: values.part,
  onStep: (step) => {
    if (step.label !== label) stderr.write(`${step.label}: ${step.all} queries\n`)
    label = step.label
  },
})
stdout.write(values.json ? `${JSON.stringify(report)}\n` : `${reportText(report, values)}\n`)
