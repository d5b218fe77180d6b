import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import openWabt from 'wabt'
import { dotProduct } from './dot-product.ts'
import { Vectors } from './vectors.ts'

/** No multiple of 16: the rest of a row must not count. */
const DIMS = 20

test('a scan offers every passing slot that reaches the worst, with its exact dot product', () => {
  // Near each other, so that rounding to 8 bits changes their order.
  const unitVector = fc
    .array(fc.double({ min: -0.05, max: 0.05, noNaN: true }), { minLength: DIMS, maxLength: DIMS })
    .map((offsets) => Float32Array.from(offsets, (offset, d) => (d === 0 ? 1 : 0) + offset))
    .map((components) => components.map((component) => component / Math.hypot(...components)))
  fc.assert(
    fc.property(
      fc.array(fc.option(unitVector), { minLength: 1, maxLength: 200 }),
      unitVector,
      fc.nat(),
      (all, query, rank) => {
        const vectors = new Vectors(DIMS)
        vectors.reserve(all.length)
        for (const [slot, vector] of all.entries()) vectors.set(slot, vector)
        const exact = all.map((vector) => (vector ? dotProduct(query, vector, 0) : null))
        const scores = exact.filter((score) => score !== null).sort((a, b) => b - a)
        const worst = scores[rank % scores.length] ?? 1
        const offered = new Map<number, number>()
        vectors.scan(query, {
          slots: all.length,
          isPassing: (slot) => slot % 3 > 0,
          best: { worst, offer: (slot, score) => offered.set(slot, score) },
        })
        for (const [slot, score] of exact.entries()) {
          if (score === null || slot % 3 === 0) expect(offered.has(slot)).toBe(false)
          else if (score >= worst) expect(offered.get(slot)).toBe(score)
        }
      },
    ),
  )
})

test('a scan reads few exact vectors', () => {
  const vectors = new Vectors(2)
  vectors.reserve(5_000)
  for (let slot = 0; slot < 5_000; slot++) {
    vectors.set(slot, Float32Array.of(Math.cos(slot / 1_000), Math.sin(slot / 1_000)))
  }
  const offered: number[] = []
  const best = { worst: 0.99, offer: (slot: number) => offered.push(slot) }
  vectors.scan(Float32Array.of(Math.cos(4.5), Math.sin(4.5)), { slots: 5_000, isPassing: () => true, best })
  // A cosine of .99 is an angle of .1415.
  expect(offered).toContain(4_359)
  expect(offered).toContain(4_641)
  expect(offered.length).toBeLessThan(340)
})

test('a moved vector, or none, is found at its new slot alone', () => {
  const vectors = new Vectors(2)
  vectors.reserve(5_000)
  vectors.set(0, Float32Array.of(0.6, 0.8))
  vectors.set(4_999, Float32Array.of(0.8, 0.6))
  vectors.move(4_999, 1)
  vectors.move(2, 0)
  const offered: [number, number][] = []
  const best = { worst: 0.5, offer: (slot: number, score: number) => offered.push([slot, score]) }
  vectors.scan(Float32Array.of(0, 1), { slots: 5_000, isPassing: () => true, best })
  expect(offered).toEqual([[1, Math.fround(0.6)]])
})

test('dot-products.wasm is dot-products.wat, assembled', async () => {
  const file = (name: string) => readFileSync(new URL(name, import.meta.url))
  const text = file('dot-products.wat').toString()
  const assembled = (await openWabt()).parseWat('dot-products.wat', text, { simd: true })
  expect(file('dot-products.wasm').equals(assembled.toBinary({}).buffer)).toBe(true)
})
