import { expect, test } from 'vitest'
import { bm25Scorer, ngramScorer, type Scorer, vectorScorer } from './scorers.ts'

const INDEX = ['Placa de yeso 13 mm', 'Placa de acero', 'Ladrillo hueco', 'Ladrillos huecos de yeso']

const scoresOf = async (scorer: Scorer, queries: readonly string[], index = INDEX) => {
  const all: number[][] = []
  // The scorer may reuse the array for the next query.
  for await (const scores of scorer(index)(queries)) all.push(Array.from(scores))
  return all
}

test('BM25 scores shared words, the rare ones more, and is 0 without one', async () => {
  const [plate, nothing] = (await scoresOf(bm25Scorer, ['PLACA acero', 'Ziegel'])) as [number[], number[]]
  expect(nothing).toEqual([0, 0, 0, 0])
  expect(plate[1]).toBeGreaterThan(plate[0] as number)
  expect(plate.slice(2)).toEqual([0, 0])
  // ln(1 + 3.5/1.5) × 2.2 / (1 + 1.2 (.25 + .75 × 3/3.5)), for a word of one document in four, once in 3 words
  const [rare] = (await scoresOf(bm25Scorer, ['acero'])) as [number[]]
  expect(rare[1]).toBeCloseTo((Math.log(1 + 3.5 / 1.5) * 2.2) / (1 + 1.2 * (0.25 + (0.75 * 3) / 3.5)), 10)
})

test('n-grams find other endings, and an equal text at a cosine of 1', async () => {
  const [bricks, same] = (await scoresOf(ngramScorer, ['ladrillos huecos', 'ladrillo hueco'])) as [number[], number[]]
  expect(bricks[3]).toBeGreaterThan(bricks[0] as number)
  expect(bricks[2]).toBeGreaterThan(0.5)
  expect(bricks[1]).toBe(0)
  expect(same[2]).toBeCloseTo(1, 10)
})

test('the vector scorer gives cosines for any number of texts, 0 where there is no vector', async () => {
  const embed = (text: string) => {
    const angle = Number(text)
    return Number.isNaN(angle)
      ? null
      : Float32Array.from({ length: 32 }, (_, d) => [Math.cos(angle), Math.sin(angle)][d] ?? 0)
  }
  const index = ['0', '1', 'none', '2', '3']
  const queries = Array.from({ length: 131 }, (_, i) => (i === 130 ? 'none' : String(i / 100)))
  const embedder = { embed: async (texts: readonly string[]) => texts.map(embed), dims: 32 }
  const scores = await scoresOf(vectorScorer(embedder), queries, index)
  expect(scores).toHaveLength(131)
  for (const [i, row] of scores.entries()) {
    const expected = index.map((at) => (i === 130 || at === 'none' ? 0 : Math.cos(i / 100 - Number(at))))
    expect(row).toHaveLength(5)
    for (const [j, score] of row.entries()) expect(score).toBeCloseTo(expected[j] as number, 5)
  }
})
