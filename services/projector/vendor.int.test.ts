import type { CatalogEvent } from '@catalog/core/events/events.ts'
import { observationKey, TOPICS, type Topic } from '@catalog/core/events/topics.ts'
import type { LogRecord } from '@catalog/log/log.ts'
import { LogHole } from '@catalog/log/log.ts'
import { openTableLog } from '@catalog/log/table.ts'
import {
  event,
  itemsMerged,
  observation,
  observationRetracted,
  registration,
  sourceNamed,
} from '@catalog/stack/testing/events.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { openDeadLetters, readCounts, vendorRoot } from '@catalog/store/builds/status.ts'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { applyBatch, checkLog, drain, follow, Halt, type HaltCode, untilProjected } from './pump.ts'
import { vendorProjection as projection } from './vendor.ts'

const store = await storeOfFile()
beforeEach(async () => {
  await store.query(
    `truncate checkpoints, sources, vendor_skus, observations, crawls, redeliveries, retractions, crawl_reports, parked,
       parked_resolutions, recipes, recipe_deliveries, decisions, item_keys, memberships, match_keys, log_heads, log_records
       restart identity`,
  )
  await store.query(`delete from meta where key in ('log_id', 'folded_log_id')`)
})

const crawled = [
  observation({ ref: 'A1', cents: 100 }),
  observation({ ref: 'A1', cents: 105, at: '2026-01-12T06:00:00Z', crawl: 'crawl-2' }),
  // Another crawl saw the same price: one observation, two deliveries.
  observation({ ref: 'A1', cents: 105, at: '2026-01-12T06:00:00Z', crawl: 'crawl-3' }),
  observation({ ref: 'B2', name: 'Rebar 12 mm', crawl: 'crawl-1' }),
  observation({ vendor: 'Materiales Sur', ref: 'A1', crawl: 'crawl-4' }),
  observation({ vendor: 'Materiales Sur', ref: 'C3', crawl: 'crawl-4', recordedAt: '2026-01-20T00:00:00Z' }),
]
const southId = sourceNamed('Materiales Sur').id
const retractions: CatalogEvent[] = [
  observationRetracted(crawled[3]?.source.id as string, {
    scope: 'observation',
    observation_id: crawled[3]?.event_id as string,
  }),
  observationRetracted(crawled[1]?.source.id as string, { scope: 'crawl', crawl_id: 'crawl-2' }),
  observationRetracted(southId, { scope: 'source' }),
]
const everything: CatalogEvent[] = [...crawled, ...retractions]

/** Feeds the events as a log of their own, in batches of the given size, each batch as often as `times` says. */
async function project(events: readonly CatalogEvent[], { batch = 1_000, times = 1, partitions = 1 } = {}) {
  await store.query(`truncate checkpoints, sources, vendor_skus, observations, crawls, redeliveries, retractions,
    crawl_reports, parked, parked_resolutions, recipes, recipe_deliveries, decisions, item_keys, memberships, match_keys
    restart identity`)
  const logs = Array.from({ length: partitions }, () => [] as LogRecord[])
  for (const value of events) {
    const key = 'source' in value && 'vendor_ref' in value ? observationKey(value.source.id, value.vendor_ref) : ''
    const partition = [...key].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % partitions
    const log = logs[partition] as LogRecord[]
    log.push(recordOf(TOPICS.observations, partition, BigInt(log.length), value))
  }
  for (const log of logs) {
    for (let start = 0; start < log.length; start += batch) {
      for (let time = 0; time < times; time++) {
        await applyBatch({ store, projection }, log.slice(start, start + batch))
      }
    }
  }
}

const recordOf = (topic: Topic, partition: number, offset: bigint, value: object): LogRecord => ({
  topic,
  partition,
  offset,
  key: 'k',
  value: JSON.stringify(value),
})

describe('the vendor side', () => {
  test('is the same for any order, batch size, partitions and redeliveries', async () => {
    await project(everything)
    const root = await vendorRoot(store)
    const counts = await readCounts(store)
    // A1 at 105 stays, since crawl-3 was not retracted. A1 at 100 stays. The south's C3 was recorded after the
    // retraction.
    expect(counts).toMatchObject({ observations: 3, vendor_skus: 4, sources: 2 })
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(everything, { minLength: everything.length }),
        fc.integer({ min: 1, max: 10 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 3 }),
        async (events, batch, times, partitions) => {
          await project(events, { batch, times, partitions })
          expect(await vendorRoot(store)).toBe(root)
          expect(await readCounts(store)).toEqual(counts)
        },
      ),
      { numRuns: 12 },
    )
  })

  test('keeps an observation retracted by its id when a later crawl brings it again', async () => {
    await project([...everything, { ...(crawled[3] as (typeof crawled)[0]), crawl_id: 'crawl-9' }])
    expect(await readCounts(store)).toMatchObject({ observations: 3 })
  })

  test('restores an observation retracted with its crawl when another crawl brings it', async () => {
    await project([crawled[1] as CatalogEvent, retractions[1] as CatalogEvent])
    expect(await readCounts(store)).toMatchObject({ observations: 0 })
    await project([crawled[1] as CatalogEvent, retractions[1] as CatalogEvent, crawled[2] as CatalogEvent])
    expect(await readCounts(store)).toMatchObject({ observations: 1 })
  })

  test('parks a record that cannot be applied with its position, and applies the rest of its batch', async () => {
    const records = [
      recordOf(TOPICS.observations, 0, 0n, crawled[0] as object),
      { ...recordOf(TOPICS.observations, 0, 1n, {}), value: 'not json' },
      recordOf(TOPICS.observations, 0, 2n, { ...crawled[3], v: 7 }),
      // The schema accepts it, and PostgreSQL refuses it: an id that is no hexadecimal number.
      recordOf(TOPICS.observations, 0, 3n, { ...crawled[3], event_id: 'zz', vendor_ref: 'D4' }),
      recordOf(TOPICS.observations, 0, 4n, crawled[4] as object),
    ]
    expect(await applyBatch({ store, projection }, records)).toBe(5)
    expect(await readCounts(store)).toMatchObject({ observations: 2, parked: 3 })
    const parked = await openDeadLetters(store, { limit: 10 })
    expect(parked.map(({ parked_id, reason }) => [parked_id, reason])).toEqual([
      ['vendor.observations/0/1', 'INVALID_EVENT'],
      ['vendor.observations/0/2', 'UNKNOWN_EVENT'],
      ['vendor.observations/0/3', 'NOT_APPLICABLE'],
    ])
    expect(parked[0]?.raw).toBe('not json')
  })

  test('keeps the first registration of a source, also when its observations came first', async () => {
    await project(crawled)
    const decisions = [registration({ trust: 80 }), registration({ trust: 20 })]
    await applyBatch(
      { store, projection },
      decisions.map((value, i) => recordOf(TOPICS.decisions, 0, BigInt(i), value)),
    )
    const [row] = await store.query(`select trust_score, name from sources where source_id = $1`, [
      decisions[0]?.source.id,
    ])
    expect(row).toEqual({ trust_score: 80, name: 'Almacenes Norte' })
  })
})

describe('memberships', () => {
  const sku = (n: number) => `vsku_${n}`
  const matched = (n: number, itemId: string, source: string, founding = false) =>
    event({
      type: 'SkuMatched',
      decided_at: '2026-01-06T00:00:00Z',
      vendor_sku_id: sku(n),
      source_id: source,
      item_id: itemId,
      ...(founding ? { founding: { n: 0, unit: 'kg' } } : {}),
      keys: [`name:${n}`],
      rule_version: 'exact/1',
      by: 'rule',
      evidence: {},
    })
  const merged = (from: string, into: string) => itemsMerged(from, into, '2026-01-07T00:00:00Z')
  const decide = (events: readonly CatalogEvent[], from = 0) =>
    applyBatch(
      { store, projection },
      events.map((value, i) => recordOf(TOPICS.decisions, 0, BigInt(from + i), value)),
    )
  const members = async () =>
    (
      await store.query<{ line: string }>(
        `select vendor_sku_id || ' in ' || item_id as line from memberships join vendor_skus using (sku)
         join item_keys using (item) order by 1`,
      )
    ).map(({ line }) => line)

  test('moves the SKUs of a merge, and a later match to the merged item to the survivor', async () => {
    await decide([matched(1, 'ci_a', 's1', true), matched(2, 'ci_b', 's2', true), merged('ci_b', 'ci_a')])
    await decide([matched(3, 'ci_b', 's3')], 3)
    expect(await members()).toEqual(['vsku_1 in ci_a', 'vsku_2 in ci_a', 'vsku_3 in ci_a'])
  })

  test('parks a merge of two SKUs of one source as MERGE_CONFLICT, which changes nothing', async () => {
    await decide([matched(1, 'ci_a', 's1', true), matched(2, 'ci_b', 's1', true), merged('ci_b', 'ci_a')])
    expect(await members()).toEqual(['vsku_1 in ci_a', 'vsku_2 in ci_b'])
    expect(await openDeadLetters(store, { limit: 5 })).toMatchObject([{ reason: 'MERGE_CONFLICT' }])
  })

  test('takes one SKU out by a split, and never restores a merged item', async () => {
    await decide([matched(1, 'ci_a', 's1', true), matched(2, 'ci_b', 's2', true), merged('ci_b', 'ci_a')])
    await decide(
      [
        event({
          type: 'SkuSplit',
          decided_at: '2026-01-08T00:00:00Z',
          vendor_sku_id: sku(2),
          source_id: 's2',
          item_id: 'ci_c',
          founding: { n: 1, unit: 'kg' },
          reason: 'another grade',
        }),
      ],
      3,
    )
    expect(await members()).toEqual(['vsku_1 in ci_a', 'vsku_2 in ci_c'])
  })
})

describe('the pump', () => {
  const halted = async (work: Promise<unknown>): Promise<HaltCode | undefined> => {
    const error = await work.then(() => undefined).catch((error: unknown) => error)
    return error instanceof Halt ? error.code : undefined
  }
  const keyed = (values: readonly CatalogEvent[]) => values.map((value) => ({ key: 'k', value: JSON.stringify(value) }))

  test('halts at a hole in the log with LOG_GAP before it applies anything after it', async () => {
    const records = [0n, 2n].map((offset) => recordOf(TOPICS.observations, 0, offset, crawled[0] as object))
    await applyBatch({ store, projection }, records.slice(0, 1))
    expect(await halted(applyBatch({ store, projection }, records.slice(1)))).toBe('LOG_GAP')
    expect(await readCounts(store)).toMatchObject({ observations: 1 })
  })

  test('halts at a hole that the log reports while it follows it', async () => {
    const log = await openTableLog(store, { observationPartitions: 1 })
    const torn = { ...log, subscribe: () => Promise.reject(new LogHole('expected offset 5, found 7')) }
    const following = follow({ store, log: torn, projections: [projection], signal: new AbortController().signal })
    expect(await halted(following)).toBe('LOG_GAP')
  })

  test('a checkpoint that a failover set back ends the subscription, and the next one begins there', async () => {
    const log = await openTableLog(store, { observationPartitions: 1 })
    await log.append(TOPICS.observations, keyed(crawled.slice(0, 3)))
    const records = await log.read(TOPICS.observations, 0, 0n, 3)
    const begun: bigint[] = []
    const following = (places: { from?: bigint } = {}) =>
      follow({
        store,
        log: {
          ...log,
          async subscribe({ position, handler }) {
            const next = places.from ?? (await position(TOPICS.observations, 0))
            begun.push(next)
            if (next < 3n) await handler(TOPICS.observations, 0, records.slice(Number(next)))
          },
        },
        projections: [projection],
        signal: new AbortController().signal,
      })
    // The subscription stands at 2, the checkpoint at 0.
    const ended = following({ from: 2n })
    await expect(ended).rejects.toThrow('the checkpoint went back')
    expect(await halted(ended)).toBeUndefined()
    await following()
    await following()
    expect(begun).toEqual([2n, 0n, 3n])
  })

  test('halts by name on a shortened, a rewritten and an exchanged log', async () => {
    const log = await openTableLog(store, { observationPartitions: 1 })
    await log.append(TOPICS.observations, keyed(crawled))
    await drain({ store, log, projections: [projection] })
    const check = () => halted(checkLog({ store, log, projection }, TOPICS.observations))
    expect(await check()).toBeUndefined()

    await store.query(`update log_records set value = '{}' where topic = $1 and "offset" = 5`, [TOPICS.observations])
    expect(await check()).toBe('LOG_DIVERGED')
    await store.query(`update log_heads set next = 3 where topic = $1`, [TOPICS.observations])
    expect(await check()).toBe('LOG_TRUNCATED')
    await store.query(`update meta set value = 'another log' where key = 'log_id'`)
    expect(await check()).toBe('LOG_DIVERGED')
  })

  test('resolves untilProjected when all is projected, and rejects by name when no projector runs', async () => {
    const log = await openTableLog(store, { observationPartitions: 3 })
    await log.append(TOPICS.observations, keyed(everything.slice(0, 50)))
    const deps = { store, log, projections: [projection] }
    await expect(untilProjected(deps, { standstillMs: 200 })).rejects.toThrow(/PROJECTOR_NOT_RUNNING: \d+ records/)
    const waiting = untilProjected(deps)
    await drain(deps)
    await waiting
  })
})
