import type { Embedder } from '@catalog/embed/embed.ts'
import { expect, test } from 'vitest'
import { indexTexts, searchScorer } from './search-index.ts'

const NAMES = ['Placa de yeso 13 mm', 'Placa de yeso 15 mm', 'Ladrillo hueco', 'Hormigón']

/** Knows "drywall" and the words of NAMES by their first letter; nothing is near below a cosine of .9. */
const embedder: Embedder = {
  model: 'test',
  dims: 4,
  fingerprint: 'test',
  embed: async (texts) =>
    texts.map((text) => {
      const at = ['p', 'l', 'h'].indexOf((text.startsWith('drywall') ? 'p' : text.slice(0, 1)).toLowerCase())
      return at < 0
        ? Float32Array.of(0.5, 0.5, 0.5, 0.5)
        : Float32Array.from({ length: 4 }, (_, d) => (d === at ? 1 : 0))
    }),
}

test('texts are found by meaning and told apart by their sizes', async () => {
  const { answer, ranked } = await indexTexts(NAMES, embedder)
  const { mode, results } = await answer('drywall 15', 10)
  expect(mode).toBe('vector')
  expect(results.map(({ itemId }) => NAMES[Number(itemId)])).toEqual([NAMES[1], NAMES[0]])
  expect((await ranked('drywall 15', 1)).map(({ itemId }) => Number(itemId))).toEqual([1])
})

test('refuses a query without anything near, and still ranks it', async () => {
  const { answer, ranked } = await indexTexts(NAMES, embedder)
  expect(await answer('zzz', 10)).toMatchObject({ mode: 'vector_no_match', results: [] })
  expect(await ranked('zzz', 10)).toHaveLength(4)
})

test('as a scorer it gives each result its score, and 0 to all others', async () => {
  const all: number[][] = []
  for await (const scores of searchScorer(embedder)(NAMES)(['drywall 15', 'ladrillo'])) all.push(Array.from(scores))
  const [plates, bricks] = all as [number[], number[]]
  expect(plates[1]).toBeGreaterThan(plates[0] as number)
  expect(plates[0]).toBeGreaterThan(plates[2] as number)
  expect(bricks[2]).toBeGreaterThan(1)
})
