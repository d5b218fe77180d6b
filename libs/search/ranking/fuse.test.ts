import { MemoryIndex } from '@catalog/search/exact/memory.ts'
import { readQuestion } from '@catalog/search/query/question.ts'
import { distinctTokens } from '@catalog/search/query/terms.ts'
import type { Candidate, SearchIndex } from '@catalog/search/search.ts'
import { describe, expect, test } from 'vitest'
import { SURE_MARGIN, search } from './fuse.ts'
import { rank } from './score.ts'

const candidate = (itemId: string, name: string, cosine: number | null = null, body = ''): Candidate => ({
  itemId,
  name,
  body,
  cosine,
})

/** The query as it stands, without the words that another country uses. */
const asked = (query: string) => readQuestion(query)

/** Ranks candidates with each query token in one of 100 documents. */
const ranked = (query: string, ...candidates: Candidate[]) =>
  rank({
    question: asked(query),
    candidates,
    frequencies: { documents: 100, counts: distinctTokens(query).map(() => 1) },
  })
const ids = (scored: readonly { itemId: string }[]) => scored.map(({ itemId }) => itemId)

describe('the score', () => {
  test('is the weighted sum of cosine, coverage, concepts, head, sizes, trigrams and length', () => {
    const [only] = ranked('plasterboard red 13 mm', candidate('a', 'Plasterboard 13 sheet', 0.8))
    // 2 of 3 tokens besides the unit; the concept; the one number; trigrams of "plasterboard red mm" (12 + 3 + 2) against
    // "plasterboard sheet" (12 + 5).
    const [cov, con, num, tri] = [2 / 3, 1, 1, 12 / Math.sqrt(15 * 17)]
    expect(only).toMatchObject({ cos: 0.8, con, num })
    expect(only?.cov).toBeCloseTo(cov, 10)
    expect(only?.tri).toBeCloseTo(tri, 10)
    // 17 letters against 17.
    expect(only?.score).toBeCloseTo(0.8 + 0.2 * cov + 0.1 * con + 0.15 * 1 + 0.4 * num + 0.15 * tri, 10)
  })

  test('slightly prefers a name as specific as the query to a more specific one', () => {
    const found = ranked('xylo', candidate('a', `Vwqz ${'word '.repeat(500)}`, 0.8), candidate('b', 'Vwqz', 0.75))
    expect(found.map(({ itemId, len }) => [itemId, len])).toEqual([
      ['b', 0],
      ['a', 1.67],
    ])
    expect(ids(ranked('xylo', candidate('a', 'Vwqz '.repeat(500), 0.96), candidate('b', 'Vwqz', 0.75)))[0]).toBe('a')
  })

  test('counts a synonym of the lexicon as near, where both texts name nothing else', () => {
    const found = ranked(
      'drywall',
      candidate('a', 'Rockwool batt', 0.6),
      candidate('b', 'Plaque de plâtre', 0.1),
      candidate('c', 'Plaque de plâtre et chocolat suisse', 0.1),
    )
    expect(ids(found)).toEqual(['b', 'a', 'c'])
  })

  test('prefers a name of the same concept in another language to an equally near one', () => {
    const found = ranked('drywall', candidate('a', 'Rockwool batt', 0.5), candidate('b', 'Plaque de plâtre', 0.5))
    expect(found.map(({ itemId, con }) => [itemId, con])).toEqual([
      ['b', 1],
      ['a', 0],
    ])
  })

  test('separates sizes with equal vectors', () => {
    const sizes = ['10', '13', '15'].map((mm) => candidate(mm, `Placa de yeso ${mm} mm`, 0.9))
    expect(ids(ranked('placa de yeso 13 mm', ...sizes))[0]).toBe('13')
  })

  test.each([
    ['pladur 13 mm', 'Placa de yeso laminado 12,5 mm', ['Placa de yeso laminado 15 mm', 'Placa de yeso laminado']],
    ['drywall 1/2 in', 'Placa de yeso laminado 13 mm', ['Placa de yeso laminado 15 mm', 'Placa 1/4 in']],
    ['drywall 12,5', 'Plasterboard 13 mm 1200x2500', ['Plasterboard 15 mm 1200x2500', 'Plasterboard 9.5 mm']],
    ['drywall 12,5', 'Plasterboard 12.5 mm', ['Plasterboard 13 mm']],
    ['placa 1,3 cm', 'Placa 13 mm', ['Placa 1,5 mm', 'Placa 3 mm']],
    ['cable 3x1.5', 'Cable 3x1,5 mm2', ['Cable 3x2,5 mm2', 'Cable 4x1,5 mm2', 'Cable']],
    ['cable 3x1.5', 'Cable H07V-K 3G1,5', ['Cable 3x2.5', 'Cable H07V-K 3G2,5']],
    [
      'cement 25 kg',
      'Cement CEM II, bag of 25 kg',
      ['Cement 25 lb', 'Cement 50 kg', 'Cement CEM II, bag', 'Cement 25 mm'],
    ],
    ['cement 25 kg', 'Cement 55 lb', ['Cement 25 lb', 'Cement 50 kg']],
    ['panel 1200x2500', 'Panel 1200 x 2500 x 13 mm', ['Panel 1200 x 2000 x 13 mm', 'Panel 13 mm']],
    ['tubo 110', 'Tubo PVC 110 mm', ['Tubo PVC 100 mm', 'Tubo PVC 1100 mm']],
  ])('of %j is highest for %j, however near the other names are', (query, right, wrong) => {
    const others = wrong.map((name) => candidate(`a${name}`, name, 0.85))
    expect(ids(ranked(query, ...others, candidate('z', right, 0.8)))[0]).toBe('z')
  })

  test('is lower for a name with another size than for a name without sizes', () => {
    const found = ranked('placa 13 mm', candidate('a', 'Placa 30 mm', 0.8), candidate('b', 'Placa lisa mm', 0.8))
    expect(found.map(({ itemId, num }) => [itemId, num])).toEqual([
      ['b', 0],
      ['a', -0.5],
    ])
  })

  test('is higher for a name with a nearer size of those that are not the wanted one', () => {
    const boards = [25, 15, 9, 6].map((mm) => candidate(`${mm}`, `Placa ${mm} mm`, 0.8))
    expect(ids(ranked('placa 13 mm', ...boards))).toEqual(['15', '9', '25', '6'])
  })

  test('reads 12,5 and 12.5 as one number', () => {
    const found = ranked('placa 12,5', candidate('a', 'Placa 13', 0.9), candidate('b', 'Placa 12.50', 0.9))
    expect(ids(found)).toEqual(['b', 'a'])
    expect(found[0]?.num).toBe(1)
  })

  test('ranks the exact code above everything near', () => {
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

  test('of one code in three exceeds all similarity, and of three exceeds that of one', () => {
    const query = 'H07V-K1X b500s zz13'
    const found = ranked(
      query,
      candidate('near', 'Barra corrugada', 1),
      candidate('one', 'X zz13'),
      candidate('all', 'Y h07v k1x b500s zz13'),
    )
    expect(ids(found)).toEqual(['all', 'one', 'near'])
    expect(found[1]?.score).toBeGreaterThanOrEqual(3)
    expect(found[2]?.score).toBeLessThan(3)
    expect(found[0]?.score).toBeLessThan(7)
  })

  test('rewards a misspelled word by its trigrams', () => {
    const found = ranked('impermeabilisante', candidate('a', 'Imprimación'), candidate('b', 'Impermeabilizante'))
    expect(found[0]?.itemId).toBe('b')
    expect(found[0]?.tri).toBeGreaterThan(0.6)
    expect(found[0]?.cov).toBe(0)
  })

  test('is never negative, and ties rank by id', () => {
    const found = ranked('日本', candidate('c', 'x', -0.5), candidate('a', 'x', -0.1), candidate('b', 'x', null))
    expect(found.map(({ itemId, score }) => [itemId, score])).toEqual([
      ['a', 0],
      ['b', 0],
      ['c', 0],
    ])
  })

  test('gives a common word little weight and an unknown one a large weight', () => {
    const query = 'de placa'
    const [only] = rank({
      question: asked(query),
      candidates: [candidate('a', 'Tubo de cobre')],
      frequencies: { documents: 100, counts: [90, 0] },
    })
    expect(only?.cov).toBeLessThan(0.05)
  })

  test('of a query without tokens is the cosine', () => {
    expect(ranked('///', candidate('a', 'x', 0.6))[0]?.score).toBe(0.6)
  })
})

/** The part of an index that answers read. */
const indexOver = (memory: MemoryIndex): SearchIndex => ({
  adapter: 'memory',
  identity: 'memory',
  put: async () => {},
  remove: async () => {},
  nearest: async (vector, k, filter) => memory.nearest(vector, k, filter),
  lexical: async (query, k, filter) => memory.lexical(query, k, filter),
  frequencies: async (tokens) => memory.frequencies(tokens),
  isEmbedded: async () => true,
  drop: async () => false,
  state: async () => ({ seq: 3n, documents: 3, vectors: 3 }),
})

describe('the answer', () => {
  const unit = (...components: number[]) => Float32Array.from(components, (c) => c / Math.hypot(...components))
  const FAR = unit(-1, -1)

  /** Three documents with vectors in the plane. */
  function indexOf({ embedded = true } = {}): SearchIndex {
    const memory = new MemoryIndex(2)
    const put = (itemId: string, name: string, vector: Float32Array) =>
      memory.put({
        itemId,
        name,
        body: '',
        regions: ['ES'],
        categoryId: null,
        vector: embedded ? vector : null,
      })
    put('a', 'Placa de yeso laminado 13 mm', unit(1, 0))
    put('b', 'Plasterboard 12.5 mm', unit(1, 0.3))
    put('c', 'Barra corrugada B500S', unit(0, 1))
    return { ...indexOver(memory), isEmbedded: async () => embedded }
  }

  /** The answer from these documents, by default to a question near the first two. */
  const answerTo = (query: string, given: Partial<Parameters<typeof search>[0]> = {}) =>
    search({
      question: asked(query),
      vector: unit(1, -0.3),
      index: indexOf(),
      limit: 10,
      ...given,
    })

  test.each([
    ['by vector contains near documents, best first', 'drywall', unit(1, -0.3), 'vector', ['a', 'b']],
    // The concept alone finds the second one: a synonym of gypsum board.
    ['without near documents contains those with the words', 'yeso laminado', FAR, 'vector', ['a', 'b']],
    ['to a foreign topic is empty', 'sushi', FAR, 'vector_no_match', []],
    ['to a code without vector contains the documents with the code', 'B500S', null, 'empty_embedding', ['c']],
    [
      'to a number contains its documents, then those of a nominally equal size',
      '12,5',
      null,
      'empty_embedding',
      ['b', 'a'],
    ],
    ['to an unreadable query is empty', '日本', null, 'empty_embedding', []],
    [
      'without an embedder comes from the words, misspelled ones too',
      'plasterbord',
      'no_embedder',
      'fallback_no_ai',
      ['b'],
    ],
  ] as const)('%s', async (_what, query, vector, mode, found) => {
    const answer = await answerTo(query, { vector })
    expect([answer.mode, ids(answer.results)]).toEqual([mode, found])
    const scores = answer.results.map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  })

  test('scores many documents that contradict the question at 0 at least, below the one that answers it', async () => {
    const memory = new MemoryIndex(2)
    const put = (itemId: string, name: string) =>
      memory.put({ itemId, name, body: '', regions: [], categoryId: null, vector: unit(1, 0) })
    put('right', 'Plaque de plâtre 13 mm')
    for (let i = 100; i < 300; i++) put(`other-${i}`, `Plaque de plâtre ${i} mm`)
    const given = { vector: unit(1, -20), index: indexOver(memory), limit: 300 }
    const { results } = await answerTo('drywall red moisture resistant 13 mm', given)
    expect(results[0]?.itemId).toBe('right')
    expect(results.length).toBeGreaterThanOrEqual(80)
    expect(results.at(-1)?.score).toBe(0)
    expect(results.every(({ score }) => score >= 0)).toBe(true)
  })

  test('considers no more for a caller that judges itself than the first that is surely the thing', async () => {
    const [own, shown] = [await answerTo('drywall', { isRefusing: false }), await answerTo('drywall')]
    expect(own.margin).toBeGreaterThanOrEqual(SURE_MARGIN)
    expect(ids(own.considered)).toEqual(ids(shown.considered).slice(0, 1))
    expect(ids(shown.considered)).toEqual(['a', 'b', 'c'])
    const unsure = await answerTo('xylofon', { isRefusing: false, vector: FAR })
    expect(unsure.margin).toBeLessThan(SURE_MARGIN)
    expect(unsure.considered).toHaveLength(3)
  })

  test('is cut to the limit', async () => {
    expect(ids((await answerTo('drywall', { limit: 1 })).results)).toEqual(['a'])
  })

  test('from an index without vectors of this embedder comes from the words', async () => {
    const answer = await answerTo('plasterboard', { index: indexOf({ embedded: false }) })
    expect([answer.mode, ids(answer.results)]).toEqual(['fallback_no_ai', ['b', 'a']])
  })

  test('from an index that is not yet embedded comes from the words, despite near vectors', async () => {
    const index = { ...indexOf(), isEmbedded: async () => false }
    const answer = await answerTo('corrugada', { index })
    expect([answer.mode, ids(answer.results)]).toEqual(['fallback_no_ai', ['c']])
  })

  test('starts with the identified items, each once, whether or not the index finds them', async () => {
    const of = (identified: string[], limit = 10) => answerTo('drywall', { vector: unit(1, 0.1), identified, limit })
    const answer = await of(['unknown', 'c', 'b'])
    expect(answer.mode).toBe('vector')
    expect(ids(answer.results)).toEqual(['b', 'c', 'unknown', 'a'])
    expect(answer.results.map(({ score }) => score >= 10)).toEqual([true, true, true, false])
    expect(answer.results[0]?.cos).toBeCloseTo(0.98, 2)
    expect(ids((await of(['unknown'], 1)).results)).toEqual(['unknown'])
  })

  test('with an identified item and no vector is not a vector match', async () => {
    const answer = await answerTo('8412345678905', { vector: null, identified: ['x'] })
    expect(answer).toMatchObject({ mode: 'empty_embedding', results: [{ itemId: 'x', score: 10, cos: 0 }] })
  })

  test('counts what a cosine is worth, not the cosine', async () => {
    const { results } = await answerTo('drywall', { worthOf: () => 0.7 })
    expect(results.map(({ why }) => why?.meaning)).toEqual([0.7, 0.7, 0.7])
  })

  test('respects the filter', async () => {
    expect((await answerTo('plasterboard', { filter: { region: 'US' } })).results).toEqual([])
  })
})

describe('an answer', () => {
  const board = 'Placa de yeso laminado 13 mm'
  type Told = { otherNames?: string[]; unit?: string | null }
  /** What an index of one item, whose meaning is near every question, answers: it, it as near, or nothing. */
  async function answerOf(query: string, name: string, { otherNames = [], unit = null }: Told = {}): Promise<string> {
    const memory = new MemoryIndex(2)
    const vector = Float32Array.of(0.65, Math.sqrt(1 - 0.65 ** 2))
    memory.put({ itemId: 'a', name, otherNames, body: '', unit, regions: [], categoryId: null, vector })
    const question = readQuestion(query)
    const index = indexOver(memory)
    const { results } = await search({ question, vector: Float32Array.of(1, 0), index, limit: 3 })
    if (results[0] === undefined) return 'nothing'
    return results[0].why?.differs.length === 0 ? 'asked' : 'near'
  }

  test('is the thing by any of its names', async () => {
    expect(await answerOf('gypsum board 13 mm', 'Artikel 4711')).toBe('nothing')
    expect(await answerOf('gypsum board 13 mm', 'Artikel 4711', { otherNames: [board] })).toBe('asked')
  })

  test.each<[string, string, string | null, string]>([
    ['placa de yeso laminado 13 mm', board, 'm²', 'asked'],
    ['placa de yeso laminado 18 mm', board, 'm²', 'near'],
    ['hormigón HA-25', 'Hormigón HA-25/B/20', 'm³', 'asked'],
    ['20 tonne excavator with driver', 'Crawler excavator 44,000 lb with operator', 'h', 'asked'],
    ['m16 bolt', 'Hex bolt M16x60', 'u', 'asked'],
    ['m12 bolt', 'Hex bolt M16x60', 'u', 'near'],
    ['road roller 12 t', 'Road roller 12 t', 'day', 'asked'],
    ['mini excavator no operator', 'Mini excavator 2 t with operator', 'h', 'near'],
    ['mini excavator no operator', 'Mini excavator 2 t without operator', 'day', 'asked'],
    ['hormigón HA-30', 'Hormigón HA-25/B/20', 'm³', 'near'],
    ['hora de electricista', 'Oficial 1ª electricista', 'h', 'asked'],
    ['hora de electricista', 'Tijeras de electricista', 'u', 'near'],
    ['saco de cemento', 'Cemento gris', 'bag', 'asked'],
    ['saco de cemento', 'Recrecido de cemento', 'm²', 'near'],
    ['cement 25 kg', 'Portland cement', '25 kg', 'asked'],
    ['cement 25 kg', 'Portland cement', '50 kg', 'near'],
  ])('to %j of %j by the %s is %s', async (query, name, unit, answer) => {
    expect(await answerOf(query, name, { unit })).toBe(answer)
  })
})
