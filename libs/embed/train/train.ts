import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { bloomOf } from '@catalog/embed/bloom.ts'
import { fingerprintOf, MODEL_FILES, openModel, packed } from '@catalog/embed/model.ts'
import { SOURCE_WEIGHTS } from './concepts.ts'
import { corpusFolder, readCorpus } from './corpus.ts'
import { evaluateAcross, vocabularyOf } from './evaluation.ts'
import { lexicon } from './lexicon.ts'
import { progressBar } from './progress.ts'
import type { Figures } from './ranking.ts'
import { vectorScorer } from './scorers.ts'
import { train } from './trainer.ts'

/**
 * `node libs/embed/train/train.ts --out DIR [--data DIR] [--steps N] [--batch N] [--dims N] [--seed S]`: trains the
 * embedder and writes its files into DIR. The same data, settings and Node give the same bytes.
 */
const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    out: { type: 'string' },
    steps: { type: 'string', default: '8000' },
    batch: { type: 'string', default: '1024' },
    dims: { type: 'string', default: '128' },
    seed: { type: 'string', default: '0' },
  },
})
if (values.out === undefined) throw new Error('expected --out DIR, the folder that the model is written to')
const out = resolve(values.out)
const settings = {
  steps: Number(values.steps),
  batch: Number(values.batch),
  dims: Number(values.dims),
  seed: Number(values.seed),
}
const begun = performance.now()
const corpus = readCorpus(corpusFolder(values.data), lexicon())
const { table, features, parts } = train(corpus.training, settings, progressBar(settings.steps))
const weights = { table: packed(table, settings.dims), features: bloomOf(features), parts }
const identity = { dims: settings.dims, fingerprint: fingerprintOf(weights, settings.dims) }
const { embedText } = openModel(weights, identity)

const vocabulary = vocabularyOf(corpus.training)
const figures = ['cpv', 'cwicr'].map((name) => {
  const source = corpus.concepts.filter((concept) => concept.source === name)
  const scorer = vectorScorer(embedText, settings.dims)
  const { six, all, intoGerman } = evaluateAcross({
    source,
    heldOut: corpus.heldOut.test,
    vocabulary,
    scorer,
    relevant: 'group',
  })
  return [name, { six: rounded(six), all: rounded(all), intoGerman: rounded(intoGerman) }] as const
})

const metadata = {
  ...identity,
  settings,
  concepts: Object.fromEntries(
    Object.keys(SOURCE_WEIGHTS).map((name) => [name, corpus.training.filter(({ source }) => source === name).length]),
  ),
  /** Shares of held-out concepts found first and among the first ten, across languages. */
  figures: Object.fromEntries(figures),
  inputs: corpus.inputs,
  licences: [
    'DDC CWICR resource catalogue, DataDrivenConstruction, CC BY 4.0',
    'Common Procurement Vocabulary 2008, as labelled in the eForms SDK, European Union, CC BY 4.0',
    'Shopify product taxonomy 2025-01, Shopify, MIT',
    'iD tagging schema, OpenStreetMap iD contributors, ISC',
  ],
}
mkdirSync(out, { recursive: true })
writeFileSync(join(out, MODEL_FILES.table), weights.table)
writeFileSync(join(out, MODEL_FILES.features), weights.features)
writeFileSync(join(out, MODEL_FILES.parts), `${parts.join('\n')}\n`)
writeFileSync(join(out, MODEL_FILES.metadata), `${JSON.stringify(metadata, null, 2)}\n`)
const minutes = (performance.now() - begun) / 60_000
stdout.write(`${identity.fingerprint} in ${out}, ${minutes.toFixed(1)} min\n${JSON.stringify(metadata.figures)}\n`)

function rounded({ queries, r1, r10, mrr10 }: Figures) {
  const round = (share: number) => Math.round(share * 10_000) / 10_000
  return { queries, r1: round(r1), r10: round(r10), mrr10: round(mrr10) }
}
