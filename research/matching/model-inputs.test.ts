import { readFileSync } from 'node:fs'
import type { SkuPairModel } from '@catalog/core/matching/sku-pair.ts'
import { openBuiltinEmbedder } from '@catalog/embed/builtin/builtin.ts'
import { expect, test } from 'vitest'
import { modelInputs } from './model-inputs.ts'

test('the shipped pair model learned from the vocabularies, labels, weights and readings of today', () => {
  const file = new URL(import.meta.resolve('@catalog/core/matching/pair-model.json'))
  const { vectors, inputs } = JSON.parse(readFileSync(file, 'utf8')) as SkuPairModel
  expect(
    { vectors, ...inputs },
    'the pair model is stale; retrain: npm run evaluate -- match --out libs/core/matching/pair-model.json',
  ).toEqual({ vectors: openBuiltinEmbedder().fingerprint, ...modelInputs() })
})
