import { compatibilityPartitioner } from '@platformatic/kafka'
import fc from 'fast-check'
import { Partitioners } from 'kafkajs'
import { expect, test } from 'vitest'
import { partitionOf } from './partition.ts'

const keys = fc.string({ unit: 'binary', maxLength: 80 })
const counts = fc.integer({ min: 1, max: 200 })

test('keys lie where kafkajs, with which logs were written before, puts them', () => {
  const chosen = Partitioners.DefaultPartitioner()
  fc.assert(
    fc.property(keys, counts, (key, count) => {
      const partitionMetadata = Array.from({ length: count }, (_, partitionId) => ({
        partitionId,
        leader: 0,
        isr: [],
        partitionErrorCode: 0,
        replicas: [],
      }))
      expect(partitionOf(key, count)).toBe(chosen({ topic: 't', partitionMetadata, message: { key, value: '' } }))
    }),
  )
})

test('keys lie where the Java client puts them, as @platformatic/kafka computes it', () => {
  fc.assert(
    fc.property(keys, counts, (key, count) => {
      const hash = compatibilityPartitioner({ topic: 't' }, Buffer.from(key))
      expect(partitionOf(key, count)).toBe(hash % count)
    }),
  )
})

test('spreads the keys of observations over all partitions', () => {
  const used = new Set(Array.from({ length: 1_000 }, (_, n) => partitionOf(`source/R${n}`, 12)))
  expect(used.size).toBe(12)
})
