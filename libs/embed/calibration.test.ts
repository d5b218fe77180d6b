import { openBuiltinEmbedder } from '@catalog/embed/builtin/builtin.ts'
import { describe, expect, test } from 'vitest'
import { calibrate, worthOf } from './calibration.ts'
import type { Embedder } from './embed.ts'

const builtin = openBuiltinEmbedder()
const NAMES = [
  'cement',
  'Ziegel',
  'ventana',
  'pintura blanca',
  'tubo de cobre',
  'door lock',
  'Kies',
  'câble',
  'vite',
  'telha',
]

/** The built-in model with a common direction in every vector: cosines from .7 to 1, as those of e5. */
const narrow: Embedder = {
  ...builtin,
  async embed(texts, kind) {
    const vectors = await builtin.embed(texts, kind)
    return vectors.map((vector) => vector && Float32Array.of(Math.sqrt(0.7), ...vector.map((x) => Math.sqrt(0.3) * x)))
  },
}

describe('a calibration', () => {
  test('gives the narrow cosines of a model the worth of the built-in ones', async () => {
    const calibration = await calibrate(NAMES, { embedder: narrow, scale: builtin })
    for (const cosine of [-0.3, 0, 0.2, 0.4, 0.6, 0.8, 1]) {
      expect(worthOf(0.7 + 0.3 * cosine, calibration)).toBeCloseTo(cosine, 4)
    }
  })

  test('keeps what a cosine is worth within -1 and 1, and in order', () => {
    const steep = { slope: 8, offset: -6.6 }
    expect([-1, 0.7, 0.8, 0.9, 0.99, 1].map((cosine) => Number(worthOf(cosine, steep).toFixed(2)))).toEqual([
      -1, -1, -0.2, 0.6, 1, 1,
    ])
  })

  test('of a model that tells no names apart is refused, also where it has no vector at all', async () => {
    const constant = async (texts: readonly string[]) => texts.map(() => Float32Array.of(1, 0))
    const none = async (texts: readonly string[]) => texts.map(() => null)
    for (const embed of [constant, none]) {
      const calibrating = calibrate(NAMES, { embedder: { ...builtin, model: 'flat', embed }, scale: builtin })
      await expect(calibrating).rejects.toThrow('flat tells no names apart')
    }
  })
})
