import { skuBlocks } from '@catalog/aggregator/matching/join-rule.ts'
import { candidatesByKeys, KEY_SKUS_MAX, SCORED_MAX } from '@catalog/core/matching/blocking.ts'
import { compatible, matchKeys } from '@catalog/core/matching/match.ts'
import { canBeOneProduct } from '@catalog/core/matching/sku-pair.ts'
import { conversionFactor, soldUnit } from '@catalog/core/units/sold-unit.ts'
import { describe, expect, test } from 'vitest'
import { labelledRecords } from './labelled-offers.ts'

describe('block keys', () => {
  test('find 98.5 of 100 labelled pairs that pass the gates, in all languages, among a dozen candidates', () => {
    const records = labelledRecords().map((record) => {
      const { stored, probes } = skuBlocks(record.sku)
      const exact = matchKeys(record.sku)
      return { ...record, stored: [...exact, ...stored], probes: [...exact, ...probes], sold: soldUnit(record.sku) }
    })
    type Record = (typeof records)[number]
    const byKey = new Map<string, Record[]>()
    for (const record of records) {
      for (const key of record.stored) byKey.set(key, [...(byKey.get(key) ?? []), record])
    }
    const canPair = (a: Record, b: Record) =>
      a.sku.sourceId !== b.sku.sourceId &&
      conversionFactor(a.sold, b.sold) !== null &&
      compatible(a.sku, b.sku) &&
      canBeOneProduct(a.sku, b.sku)
    const found = new Map(
      records.map((record) => {
        const ofKey = (key: string) => {
          const others = byKey.get(key) ?? []
          return others.length > KEY_SKUS_MAX ? [] : others
        }
        const met = candidatesByKeys(record.probes, ofKey).map(([other]) => other)
        return [record, new Set(met.filter((other) => canPair(record, other)).slice(0, SCORED_MAX))]
      }),
    )
    const pairs = [...Map.groupBy(records, ({ product }) => product).values()].flatMap((same) =>
      same.flatMap((a, at) => same.slice(at + 1).flatMap((b) => (canPair(a, b) ? [[a, b] as const] : []))),
    )
    const missed = pairs.filter(([a, b]) => !found.get(a)?.has(b) && !found.get(b)?.has(a))
    const recall = 1 - missed.length / pairs.length
    const candidates = found.values().reduce((sum, { size }) => sum + size, 0) / records.length
    expect(pairs.length).toBeGreaterThan(1_000)
    expect(recall, missed.map(([a, b]) => `${a.sku.name} | ${b.sku.name}`).join('\n')).toBeGreaterThan(0.985)
    expect(candidates).toBeLessThan(13)
  })
})
