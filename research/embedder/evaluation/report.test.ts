import type { Embedder } from '@catalog/embed/embed.ts'
import type { Concept } from '@catalog/research/embedder/corpus/concepts.ts'
import type { Corpus } from '@catalog/research/embedder/corpus/corpus.ts'
import { expect, test } from 'vitest'
import { evaluateSearch, reportText } from './report.ts'

/** Knows four concepts in two languages exactly; any other text is near none of them. */
const THINGS = [
  ['brick', 'ladrillo'],
  ['beam', 'viga'],
  ['gutter', 'canalón'],
  ['paint', 'pintura'],
] as const
const embedder: Embedder = {
  model: 'knowing',
  dims: 32,
  fingerprint: 'knowing/1',
  embed: async (texts) =>
    texts.map((text) => {
      const at = THINGS.findIndex((names) => names.some((name) => name === text.toLowerCase()))
      return Float32Array.from({ length: 32 }, (_, d) => (d === (at < 0 ? 31 : at) ? 1 : 0))
    }),
}
const concepts = (['cpv', 'cwicr'] as const).flatMap((source) =>
  THINGS.map(
    ([en, es], i): Concept => ({ id: `${source}:44${i}`, source, group: en, strings: { en: [en], es: [es] } }),
  ),
)
const corpus: Corpus = {
  concepts,
  training: concepts,
  learnable: concepts,
  inputs: [],
  heldOut: { test: new Set(concepts.map(({ id }) => id)), dev: new Set() },
}

const heard: string[] = []
const report = await evaluateSearch({
  corpus,
  embedder,
  part: 'test',
  onStep: ({ label }) => heard.push(label),
})
const figuresOf = (scorer: string, relevant = 'group') =>
  report.across.find((row) => row.source === 'cwicr' && row.scorer === scorer && row.relevant === relevant)?.all

test('the report compares vector and search with two scorers of one language', () => {
  expect(figuresOf('vector')).toEqual({ queries: 8, r1: 1, r10: 1, mrr10: 1 })
  expect(figuresOf('search', 'name')).toMatchObject({ queries: 8, r1: 1 })
  expect(figuresOf('BM25')).toMatchObject({ queries: 8, r1: 0, r10: 0 })
})

test('typing errors are found by spelling, not by a model that knows whole words', () => {
  const of = (scorer: string) => report.typos.find((row) => row.source === 'cpv' && row.scorer === scorer)?.figures
  expect(of('search')?.r10).toBeGreaterThan(of('vector')?.r1 as number)
  expect(of('search')?.queries).toBe(8)
})

test('refuses foreign queries, answers held-out ones, and lists unknown synonyms', () => {
  const kinds = Object.entries(report.refused)
  expect(kinds.filter(([kind]) => !kind.startsWith('held-out')).length).toBeGreaterThan(3)
  for (const [kind, { queries, refused }] of kinds) expect(refused / queries).toBe(kind.startsWith('held-out') ? 0 : 1)
  expect(report.probes.probes).toBe(60)
  expect(report.probes.missed.map(({ query }) => query)).toContain('drywall')
})

test('prints the report as tables, with every pair on request', () => {
  const text = reportText(report, { pairs: false })
  expect(text).toMatch(/^knowing knowing\/1, held-out test set/)
  expect(text).toMatch(/cwicr +name +search +100\.0\/100\.0 +100\.0\/100\.0/)
  expect(text).not.toContain('en>es 100.0/100.0  ')
  expect(reportText(report, { pairs: true })).toContain('cpv by group, vector\nes>en 100.0/100.0  en>es 100.0/100.0')
})
