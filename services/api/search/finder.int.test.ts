import { openBuiltinEmbedder } from '@catalog/embed/builtin/builtin.ts'
import { openExactIndex } from '@catalog/search/exact/exact.ts'
import { openTestStore } from '@catalog/stack/testing/store.ts'
import { expect, test } from 'vitest'
import { openFinder } from './finder.ts'

test('given mistyped words, then their spelling answers only where it is clearly the thing', async () => {
  await using store = await openTestStore()
  const embedder = openBuiltinEmbedder()
  const index = openExactIndex({ store, embedder, now: () => Date.parse('2026-11-01T00:00:00Z') })
  const names = ['EXCAVACIÓN MANUAL DE POZOS Y ZANJAS', 'Lámina asfáltica LBM-30-FV', 'Placa de yeso laminado 13 mm']
  const vectors = await embedder.embed(names, 'document')
  await index.put(
    names.map((name, i) => {
      const item = {
        itemId: `ci_${i}`,
        seq: BigInt(i + 1),
        regions: ['ES'],
        categoryId: null,
        vector: vectors[i] ?? null,
      }
      return { ...item, name, body: '' }
    }),
  )
  const find = openFinder({ store, index, embedder })
  const found = async (q: string) => {
    const { results } = await find({ q, limit: 1, region: 'ES', categoryId: undefined })
    return results.map(({ itemId }) => itemId)
  }
  expect(await found('lamina asfautica')).toEqual(['ci_1'])
  // "Cavar", to dig, is one letter away, and a little like a trench.
  expect(await found('caviar beluga')).toEqual([])
  expect(await found('cavar')).toEqual(['ci_0'])
})
