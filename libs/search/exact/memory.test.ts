import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MemoryIndex } from './memory.ts'

const document = (itemId: string, name: string, vector: Float32Array | null = null) => ({
  itemId,
  name,
  body: '',
  regions: [],
  categoryId: null,
  vector,
})
const ids = (found: readonly { itemId: string }[]) => found.map(({ itemId }) => itemId)

test('any sequence of puts and removes searches like an index of the remaining documents', () => {
  const step = fc.record({
    itemId: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    name: fc.constantFrom('placa de yeso', 'placas', 'tubo de cobre', 'tubo 12,5', 'B500S', ''),
    angle: fc.option(fc.double({ min: 0, max: 6, noNaN: true })),
    remove: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const followed = new MemoryIndex(2)
      const left = new Map<string, ReturnType<typeof document>>()
      for (const { itemId, name, angle, remove } of steps) {
        const vector = angle === null ? null : Float32Array.of(Math.cos(angle), Math.sin(angle))
        if (remove) followed.remove(itemId)
        else followed.put(document(itemId, name, vector))
        if (remove) left.delete(itemId)
        else left.set(itemId, document(itemId, name, vector))
      }
      const fresh = new MemoryIndex(2)
      for (const kept of left.values()) fresh.put(kept)
      expect(followed.nearest(Float32Array.of(1, 0), 3)).toEqual(fresh.nearest(Float32Array.of(1, 0), 3))
      for (const query of ['placa de', 'tubo 12.5', 'plaka yeso']) {
        expect(followed.lexical(query, 3)).toEqual(fresh.lexical(query, 3))
      }
      expect(followed.frequencies(['placa', 'de', '12.5'])).toEqual(fresh.frequencies(['placa', 'de', '12.5']))
    }),
  )
})

test('nearest is the order of all cosines', () => {
  const vector = fc
    .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 6, maxLength: 6 })
    .filter((components) => Math.hypot(...components) > 0.01)
    .map((components) => Float32Array.from(components, (c) => c / Math.hypot(...components)))
  fc.assert(
    fc.property(
      fc.array(vector, { minLength: 1, maxLength: 200 }),
      vector,
      fc.integer({ min: 1, max: 5 }),
      (all, query, k) => {
        const index = new MemoryIndex(6)
        for (const [i, each] of all.entries()) index.put(document(String(i).padStart(3, '0'), 'x', each))
        const cosines = all.map((each) => each.reduce((sum, c, d) => sum + c * (query[d] as number), 0))
        const expected = [...cosines].sort((a, b) => b - a).slice(0, k)
        const found = index.nearest(query, k).map(({ cosine }) => cosine as number)
        expect(found).toHaveLength(expected.length)
        for (const [i, cosine] of found.entries()) expect(cosine).toBeCloseTo(expected[i] as number, 5)
      },
    ),
  )
})

test('the nearest of many documents are all found, however close they are', () => {
  const index = new MemoryIndex(2)
  const angle = (i: number) => (i * 1e-3) / 1_000
  // 7 and 1,000 are coprime, so this visits every document, in a scattered order.
  for (let n = 0; n < 1_000; n++) {
    const i = (n * 7 + 500) % 1_000
    index.put(
      document(String(i).padStart(4, '0'), 'x', Float32Array.of(Math.sin(0.5 - angle(i)), Math.cos(0.5 - angle(i)))),
    )
  }
  expect(ids(index.nearest(Float32Array.of(1, 0), 5))).toEqual(['0000', '0001', '0002', '0003', '0004'])
})

test('repeated puts of the same documents do not grow the index', () => {
  const index = new MemoryIndex(2)
  for (let round = 0; round < 5_000; round++)
    index.put(document(`i${round % 3}`, `placa ${round}`, Float32Array.of(1, 0)))
  expect(index.frequencies(['placa', '4999', '4000'])).toEqual({ documents: 3, counts: [3, 1, 0] })
  expect(ids(index.nearest(Float32Array.of(1, 0), 10))).toEqual(['i0', 'i1', 'i2'])
  expect(index.slots).toBeLessThan(1_100)
})

test('a rarer word weighs more than a common one, and a shorter name ranks first', () => {
  const index = new MemoryIndex(2)
  for (let i = 0; i < 20; i++) index.put(document(`tube${i}`, `Tubo de cobre ${i} mm`))
  index.put(document('long', 'Placa de yeso con borde afinado y cinta para juntas'))
  index.put(document('short', 'Placa de yeso'))
  expect(ids(index.lexical('placa de', 3)).slice(0, 2)).toEqual(['short', 'long'])
})

test('a misspelled word finds by its trigrams', () => {
  const index = new MemoryIndex(2)
  index.put(document('a', 'Plasterboard sheet'))
  index.put(document('b', 'Copper pipe'))
  expect(ids(index.lexical('plasterbord', 5))).toEqual(['a'])
})

test('a query leaves no scores for the next one', () => {
  const index = new MemoryIndex(2)
  for (let i = 0; i < 5; i++) index.put(document(`i${i}`, `Placa de yeso ${i}`))
  index.put(document('tube', 'Tubo de cobre'))
  index.remove('i4')
  const first = index.lexical('cobre', 5)
  index.lexical('placa yeso plaka', 5)
  expect(ids(index.lexical('cobre', 5))).toEqual(ids(first))
  expect(ids(index.lexical('placa', 1))).toEqual(['i0'])
  expect(ids(index.lexical('cobre', 5))).toEqual(['tube'])
})
