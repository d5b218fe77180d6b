import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { bloomOf } from '@catalog/embed/builtin/bloom.ts'
import { fingerprintOf, MODEL_FILES, openModel } from '@catalog/embed/builtin/model.ts'
import { packRows } from '@catalog/embed/builtin/rows.ts'
import { SOURCE_WEIGHTS } from '@catalog/research/embedder/corpus/concepts.ts'
import { corpusFolder, readCorpus } from '@catalog/research/embedder/corpus/corpus.ts'
import { lexicon } from '@catalog/research/embedder/corpus/lexicon.ts'
import { evaluateAcross, vocabularyOf } from '@catalog/research/embedder/evaluation/evaluation.ts'
import type { Figures } from '@catalog/research/embedder/evaluation/ranking.ts'
import { vectorScorer } from '@catalog/research/embedder/evaluation/scorers.ts'
import { progressBar } from './progress.ts'
import { train } from './trainer.ts'

/**
 * `node research/embedder/training/train.ts --out DIR [--data DIR] [--steps N] [--batch N] [--dims N] [--seed S]
 * [--leaks]`: trains the embedder and writes its files into DIR. The same data, settings and Node give the same bytes.
 * With --leaks it also learns from concepts that share a string with a held-out one. The committed weights do, while
 * published figures come from weights that do not.
 */
const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    out: { type: 'string' },
    steps: { type: 'string', default: '10000' },
    batch: { type: 'string', default: '1024' },
    dims: { type: 'string', default: '96' },
    seed: { type: 'string', default: '0' },
    leaks: { type: 'boolean', default: false },
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
const learned = values.leaks ? corpus.learnable : corpus.training
const { table, features, parts } = train(learned, settings, progressBar(settings.steps))
const weights = { table: packRows(table, settings.dims), features: bloomOf(features), parts }
const identity = { dims: settings.dims, fingerprint: fingerprintOf(weights, settings.dims) }
const { embedText } = openModel(weights, identity)

const vocabulary = vocabularyOf(corpus.training)
const figures: Record<string, unknown> = {}
for (const name of ['cpv', 'cwicr']) {
  const source = corpus.concepts.filter((concept) => concept.source === name)
  const scorer = vectorScorer({ embed: async (texts) => texts.map(embedText), dims: settings.dims })
  const found = await evaluateAcross({ source, heldOut: corpus.heldOut.test, vocabulary, scorer })
  const { six, all, intoGerman } = found.group
  figures[name] = { six: rounded(six), all: rounded(all), intoGerman: rounded(intoGerman) }
}

const metadata = {
  ...identity,
  settings,
  /** Whether training included concepts that share a string with a held-out one; the figures are then too good. */
  leaks: values.leaks,
  concepts: Object.fromEntries(
    Object.keys(SOURCE_WEIGHTS).map((name) => [name, learned.filter(({ source }) => source === name).length]),
  ),
  /** Shares of held-out concepts found first, and among the first ten, across languages. */
  figures,
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
stdout.write(
  `${identity.fingerprint} in ${out}, ${minutes.toFixed(1)} min\n${JSON.stringify({ figures: metadata.figures })}\n`,
)

function rounded({ queries, r1, r10, mrr10 }: Figures) {
  return { queries, r1: round(r1), r10: round(r10), mrr10: round(mrr10) }
}

function round(share: number): number {
  return Math.round(share * 10_000) / 10_000
}
