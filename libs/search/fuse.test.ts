import { describe, expect, test } from 'vitest'
import { distinctTokens, rank, search } from './fuse.ts'
import { MemoryIndex } from './memory.ts'
import type { Candidate, SearchIndex } from './search.ts'

const candidate = (itemId: string, name: string, cosine: number | null = null, body = ''): Candidate => ({
  itemId,
  name,
  body,
  cosine,
})

/** Ranks candidates as if each query token stood in one of 100 documents. */
const ranked = (query: string, ...candidates: Candidate[]) =>
  rank({ query, candidates, frequencies: { documents: 100, counts: distinctTokens(query).map(() => 1) } })
const ids = (scored: readonly { itemId: string }[]) => scored.map(({ itemId }) => itemId)

describe('the score', () => {
  test('is cosine, coverage, numbers and trigrams, weighted', () => {
    const [only] = ranked('placa 13 mm', candidate('a', 'Placa 13', 0.8))
    // 2 of 3 equal tokens; the one number; trigrams of "placa mm" (5 + 2) against "placa" (5).
    expect(only?.cov).toBeCloseTo(2 / 3, 10)
    expect(only?.num).toBe(1)
    expect(only?.tri).toBeCloseTo(5 / Math.sqrt(35), 10)
    expect(only?.score).toBeCloseTo(0.8 + 0.3 * (2 / 3) + 0.3 + 0.3 * (5 / Math.sqrt(35)), 10)
  })

  test('tells sizes apart that are equal by vector', () => {
    const sizes = ['10', '13', '15'].map((mm) => candidate(mm, `Placa de yeso ${mm} mm`, 0.9))
    expect(ids(ranked('placa de yeso 13 mm', ...sizes))[0]).toBe('13')
  })

  test('reads 12,5 and 12.5 as one number', () => {
    const found = ranked('placa 12,5', candidate('a', 'Placa 13', 0.9), candidate('b', 'Placa 12.50', 0.9))
    expect(ids(found)).toEqual(['b', 'a'])
    expect(found[0]?.num).toBe(1)
  })

  test('puts the exact code before everything that is near', () => {
    const found = ranked(
      'rodamiento SKF6204',
      candidate('near', 'Rodamiento rodamiento', 0.99),
      candidate('exact', 'Cojinete skf6204 2RS', null),
    )
    expect(ids(found)).toEqual(['exact', 'near'])
  })

  test('finds a GTIN in the body, with or without its leading zero', () => {
    const [first] = ranked(
      '08412345678905',
      candidate('a', 'Placa', 0.9),
      candidate('b', 'Losa', null, '8412345678905'),
    )
    expect(first?.itemId).toBe('b')
    expect(first?.codes).toBe(1)
  })

  test('helps a word with a typing error by its trigrams', () => {
    const found = ranked('impermeabilisante', candidate('a', 'Imprimación'), candidate('b', 'Impermeabilizante'))
    expect(found[0]?.itemId).toBe('b')
    expect(found[0]?.tri).toBeGreaterThan(0.6)
    expect(found[0]?.cov).toBe(0)
  })

  test('is never below 0, and equal scores stand in the order of ids', () => {
    const found = ranked('日本', candidate('c', 'x', -0.5), candidate('a', 'x', -0.1), candidate('b', 'x', null))
    expect(found.map(({ itemId, score }) => [itemId, score])).toEqual([
      ['a', 0],
      ['b', 0],
      ['c', 0],
    ])
  })

  test('gives a common word little weight and an unknown one much', () => {
    const query = 'de placa'
    const [only] = rank({
      query,
      candidates: [candidate('a', 'Tubo de cobre')],
      frequencies: { documents: 100, counts: [90, 0] },
    })
    expect(only?.cov).toBeLessThan(0.05)
  })

  test('of a query without tokens is the cosine', () => {
    expect(ranked('///', candidate('a', 'x', 0.6))[0]?.score).toBe(0.6)
  })
})

describe('the answer', () => {
  const unit = (...components: number[]) => Float32Array.from(components, (c) => c / Math.hypot(...components))

  /** Three documents with vectors in the plane. */
  function indexOf({ embedded = true } = {}): SearchIndex {
    const memory = new MemoryIndex(2)
    const put = (itemId: string, name: string, vector: Float32Array) =>
      memory.put({ itemId, name, body: '', regions: ['ES'], categoryId: null, vector: embedded ? vector : null })
    put('a', 'Placa de yeso laminado 13 mm', unit(1, 0))
    put('b', 'Plasterboard 12.5 mm', unit(1, 0.3))
    put('c', 'Barra corrugada B500S', unit(0, 1))
    return {
      adapter: 'memory',
      put: async () => {},
      remove: async () => {},
      nearest: async (vector, k, filter) => (embedded ? memory.nearest(vector, k, filter) : []),
      lexical: async (query, k, filter) => memory.lexical(query, k, filter),
      frequencies: async (tokens) => memory.frequencies(tokens),
      state: async () => ({ seq: 3n, documents: 3, vectors: embedded ? 3 : 0 }),
    }
  }

  test('by vector holds what is near, best first, and leaves out what is far', async () => {
    const answer = await search({ query: 'drywall', vector: unit(1, 0.1), index: indexOf(), limit: 10 })
    expect(answer.mode).toBe('vector')
    expect(ids(answer.results)).toEqual(['a', 'b'])
    expect(answer.results[0]?.score).toBeGreaterThan(answer.results[1]?.score as number)
  })

  test('is cut to the limit', async () => {
    const { results } = await search({ query: 'drywall', vector: unit(1, 0.1), index: indexOf(), limit: 1 })
    expect(ids(results)).toEqual(['a'])
  })

  test('without anything near holds what the words find, and says so', async () => {
    const answer = await search({ query: 'yeso laminado', vector: unit(-1, -1), index: indexOf(), limit: 10 })
    expect(answer).toEqual({ mode: 'vector_no_match', results: [{ itemId: 'a', score: expect.any(Number) }] })
  })

  test('to a foreign topic is empty', async () => {
    const answer = await search({ query: 'sushi', vector: unit(-1, -1), index: indexOf(), limit: 10 })
    expect(answer).toEqual({ mode: 'vector_no_match', results: [] })
  })

  test('to a code without vector holds what has the code', async () => {
    const answer = await search({ query: 'B500S', vector: null, index: indexOf(), limit: 10 })
    expect(answer.mode).toBe('empty_embedding')
    expect(ids(answer.results)).toEqual(['c'])
  })

  test('to a number without vector holds what has the number', async () => {
    const answer = await search({ query: '12,5', vector: null, index: indexOf(), limit: 10 })
    expect(answer.mode).toBe('empty_embedding')
    expect(ids(answer.results)).toEqual(['b'])
  })

  test('to nothing that can be read is empty', async () => {
    const answer = await search({ query: '日本', vector: null, index: indexOf(), limit: 10 })
    expect(answer).toEqual({ mode: 'empty_embedding', results: [] })
  })

  test('without an embedder comes from the words, typing errors included', async () => {
    const answer = await search({ query: 'plasterbord', vector: 'no_embedder', index: indexOf(), limit: 10 })
    expect(answer.mode).toBe('fallback_no_ai')
    expect(ids(answer.results)).toEqual(['b'])
  })

  test('from an index without vectors of this embedder comes from the words', async () => {
    const index = indexOf({ embedded: false })
    const answer = await search({ query: 'plasterboard', vector: unit(1, 0), index, limit: 10 })
    expect(answer.mode).toBe('fallback_no_ai')
    expect(ids(answer.results)).toEqual(['b'])
  })

  test('keeps to the filter', async () => {
    const index = indexOf()
    const answer = await search({
      query: 'plasterboard',
      vector: unit(1, 0),
      index,
      filter: { region: 'US' },
      limit: 10,
    })
    expect(answer.results).toEqual([])
  })
})
