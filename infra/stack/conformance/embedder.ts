import type { Embedder } from '@catalog/embed/embed.ts'
import { describe, expect, test } from 'vitest'

/**
 * Tests the promises of the Embedder port; every adapter passes the same suite. `open` returns embedders of one
 * fingerprint.
 */
export function describeEmbedder(name: string, open: () => Promise<Embedder>): void {
  describe(`the ${name} embedder`, () => {
    const texts = ['Placa de yeso laminado 13 mm', 'Ready-mixed concrete', '12,5', 'Béton prêt à l’emploi', 'Fenster']

    test('gives one answer a text, in order', async () => {
      const embedder = await open()
      const together = await embedder.embed(texts, 'document')
      expect(together).toHaveLength(texts.length)
      for (const [i, text] of texts.entries()) {
        const [alone] = await embedder.embed([text], 'document')
        expect(cosine(together[i], alone)).toBeCloseTo(together[i] === null ? 0 : 1, 3)
      }
    })

    test('gives vectors of its dimensions and of length 1', async () => {
      const embedder = await open()
      for (const vector of await embedder.embed(['Ready-mixed concrete', 'Fenster'], 'query')) {
        expect(vector).toHaveLength(embedder.dims)
        expect(Math.abs(Math.sqrt(cosine(vector, vector)) - 1)).toBeLessThan(1e-3)
      }
    })

    test('gives equal vectors for equal texts under one fingerprint', async () => {
      const first = await open()
      const second = await open()
      expect(second.fingerprint).toBe(first.fingerprint)
      expect(await second.embed(texts, 'document')).toEqual(await first.embed(texts, 'document'))
    })

    test('gives different vectors for different texts', async () => {
      const [a, b] = await (await open()).embed(['Fenster', 'Ready-mixed concrete'], 'document')
      expect(cosine(a, b)).toBeLessThan(0.9)
    })

    test('gives an empty list for an empty list', async () => {
      expect(await (await open()).embed([], 'query')).toEqual([])
    })

    test('gives null for a text without letters and digits', async () => {
      expect(await (await open()).embed(['--- ///'], 'query')).toEqual([null])
    })
  })
}

/** Cosine of unit vectors; 0 when one is null. */
export function cosine(a: Float32Array | null | undefined, b: Float32Array | null | undefined): number {
  return a && b ? a.reduce((sum, component, d) => sum + component * (b[d] as number), 0) : 0
}
