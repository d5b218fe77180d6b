import type { CatalogEvent } from '@catalog/core/events/events.ts'
import { vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import type { PublicState } from '@catalog/core/events/items.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import type { EventLog } from '@catalog/log/log.ts'
import { verify } from '@catalog/projector/verify/verify.ts'
import { NOW_MS } from '@catalog/stack/path/path.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import {
  event,
  itemsMerged,
  observation,
  observationRetracted,
  registration,
  sourceNamed,
  trustChanged,
} from '@catalog/stack/testing/events.ts'
import { allItemIds, runById } from '@catalog/store/vendor/runs.ts'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { dryRun } from './differences.ts'
import { openEvaluator } from './evaluate.ts'
import { aggregate, RunRefused } from './run.ts'

const path = await pathOfFile()
beforeEach(() => path.reset())

const item = async () => {
  const [row] = await path.store.query<{ item_json: string; state: string }>(`select item_json, state from items`)
  return row === undefined ? undefined : { ...JSON.parse(row.item_json), state: row.state }
}
const names = async () => {
  const [row] = await path.store.query<{ public_state: string }>(`select public_state from items`)
  return row && (JSON.parse(row.public_state) as PublicState).names
}
const points = async (market = '') =>
  (
    await path.store.query<{ line: string }>(
      `select to_char(recorded_at, 'MM-DD') || ' ' || coalesce(cents::text, 'none') as line from price_points
       where market = $1 order by recorded_at`,
      [market],
    )
  ).map(({ line }) => line)

describe('a run', () => {
  test('makes three history points and one root of three dated files, in all six orders', async () => {
    const files = [
      observation({ at: '2026-01-15T00:00:00Z', cents: 100, crawl: 'january' }),
      observation({ at: '2026-02-15T00:00:00Z', cents: 110, crawl: 'february' }),
      observation({ at: '2026-03-15T00:00:00Z', cents: 120, crawl: 'march' }),
    ]
    const roots = new Set<string>()
    for (const order of ['012', '021', '102', '120', '201', '210']) {
      await path.reset()
      await path.append([registration(), ...[...order].map((i) => files[Number(i)] as CatalogEvent)])
      for (const asOf of ['2026-01-20', '2026-02-20', '2026-03-20']) await path.run(`${asOf}T00:00:00Z`)
      expect(await points()).toEqual(['01-20 100', '02-20 110', '03-20 120'])
      roots.add((await path.roots()).catalog)
    }
    expect(roots.size).toBe(1)
  })

  test('is refused before the last one or in the future, and keeps seq', async () => {
    await path.append([registration(), observation()])
    await path.run('2026-01-10T00:00:00Z')
    const seq = await path.seq()
    path.nowMs = Date.parse('2026-01-11T00:00:00Z')
    const codes = await Promise.all(
      ['2026-01-09T23:59:59Z', '2026-01-11T00:10:01Z'].map((asOf) =>
        path.run(asOf).then(
          () => 'ran',
          (error: unknown) => (error instanceof RunRefused ? error.code : error),
        ),
      ),
    )
    expect(codes).toEqual(['AS_OF_PAST', 'AS_OF_FUTURE'])
    expect(await path.seq()).toBe(seq)
    path.nowMs = NOW_MS
  })

  test('of several processes one publishes for an instant', async () => {
    await path.append([registration(), observation()])
    const run = (holder: string) => path.run('2026-01-10T00:00:00Z', { holder, once: true })
    const both = await Promise.all(['one', 'two'].map(run))
    expect(both.map((reports) => reports.length).toSorted()).toEqual([0, 1])
    expect(await path.store.query('select as_of from run_marks')).toHaveLength(1)
  })

  test('gives an item to every SKU below its positions, also to those appended while it began', async () => {
    await path.append([registration(), observation({ ref: 'A1', name: 'Brick' })])
    let isLate = true
    const meanwhile: EventLog = {
      ...path.log,
      async partitions(topic) {
        if (isLate) {
          isLate = false
          const late = observation({ ref: 'B2', name: 'Sand' })
          await path.log.append(TOPICS.observations, [{ key: 'late', value: JSON.stringify(late) }])
        }
        return path.log.partitions(topic)
      },
    }
    await path.run('2026-01-10T00:00:00Z', { log: meanwhile })
    expect(await path.store.query(`select item_id from items`)).toHaveLength(2)
  })

  test('is not resumed when its beginning came late, after a run that had read as much', async () => {
    await path.append([registration(), observation()])
    await path.run('2026-01-10T00:00:00Z')
    const [begun] = await path.store.query<{ payload: string }>(
      `select payload from decisions where type = 'RunStarted'`,
    )
    await path.append([
      event({ ...JSON.parse(begun?.payload as string), run_id: 'late' }),
      observation({ at: '2026-01-11T06:00:00Z', cents: 110, crawl: 'crawl-2' }),
    ])
    const reports = await path.run('2026-01-12T00:00:00Z')
    expect(reports.map(({ asOf, resumed }) => ({ asOf, resumed }))).toEqual([
      { asOf: '2026-01-12T00:00:00Z', resumed: false },
    ])
    expect(await points()).toEqual(['01-10 100', '01-12 110'])
  })

  test('of nothing reads no item, since nobody would handle the failure of that read', async () => {
    const read: string[] = []
    const store: typeof path.store = {
      ...path.store,
      query: (sql, parameters) => {
        read.push(sql)
        return path.store.query(sql, parameters)
      },
    }
    const { log, project: catchUp } = path
    const deps = {
      store,
      log,
      catchUp,
      now: () => new Date(path.nowMs),
      newRunId: () => 'run_of_nothing',
      holder: 'test',
    }
    const [report] = await aggregate(deps, { asOf: '2026-01-10T00:00:00Z' })
    expect(report).toMatchObject({ itemsEvaluated: 0, changed: 0 })
    expect(read.filter((sql) => /from items where item_id = any/.test(sql))).toEqual([])
  })

  test('publishes nothing for a re-observation at the same price', async () => {
    await path.append([registration(), observation({ at: '2026-01-05T00:00:00Z' })])
    await path.run('2026-01-06T00:00:00Z')
    const before = await item()
    await path.append([observation({ at: '2026-01-12T00:00:00Z', crawl: 'crawl-2' })])
    const [report] = await path.run('2026-01-13T00:00:00Z')
    expect(report).toMatchObject({ itemsEvaluated: 1, changed: 0, basisOnly: 0 })
    expect(await path.seq()).toBe(1)
    expect(await item()).toEqual(before)
  })

  test('shows the present price of a vote that moves no median', async () => {
    const vendors = ['A', 'B', 'C']
    await path.append([
      ...vendors.map((vendor) => registration({ vendor })),
      ...vendors.map((vendor, n) => observation({ vendor, cents: 100 + 100 * n, at: '2026-01-05T00:00:00Z' })),
    ])
    await path.run('2026-01-06T00:00:00Z')
    await path.append([observation({ vendor: 'C', cents: 350, at: '2026-01-12T00:00:00Z', crawl: 'crawl-2' })])
    const [report] = await path.run('2026-01-13T00:00:00Z')
    expect(report).toMatchObject({ changed: 0, basisOnly: 1 })
    expect(await path.run('2026-01-14T00:00:00Z', { full: true })).toMatchObject([{ changed: 0, basisOnly: 0 }])
  })

  test('expires a vote exactly at its validity and records the loss as a point', async () => {
    await path.append([registration(), observation({ at: '2026-01-01T00:00:00Z' })])
    await path.run('2026-01-30T23:59:59Z')
    expect((await item()).median_price.cents).toBe(100)
    await path.run('2026-01-31T00:00:00Z')
    expect((await item()).median_price).toBeNull()
    expect(await points()).toEqual(['01-30 100', '01-31 none'])
  })

  test('follows a change of trust from its decided_at on', async () => {
    await path.append([
      registration({ vendor: 'One', trust: 60 }),
      registration({ vendor: 'Two', trust: 50 }),
      observation({ vendor: 'One', cents: 100, more: { gtin: '4006381333931' } }),
      observation({ vendor: 'Two', cents: 200, more: { gtin: '4006381333931' } }),
    ])
    await path.run('2026-01-10T00:00:00Z')
    expect(await item()).toMatchObject({ vendor_count: 2, median_price: { cents: 100 } })
    await path.append([trustChanged(sourceNamed('Two').id, 90, '2026-01-12T00:00:00Z')])
    await path.run('2026-01-11T00:00:00Z')
    expect((await item()).median_price.cents).toBe(100)
    await path.run('2026-01-12T00:00:00Z')
    expect((await item()).median_price).toEqual({ cents: 200, currency: 'EUR', recorded_at: '2026-01-12T00:00:00Z' })
  })

  test('renews the names when trust moves, without a change of price', async () => {
    const gtin = { gtin: '4006381333931' }
    await path.append([
      registration({ vendor: 'One', trust: 60 }),
      registration({ vendor: 'Two', trust: 50 }),
      registration({ vendor: 'Tres', region: 'MX', trust: 90 }),
      observation({ vendor: 'One', name: 'Codo 22 mm', more: { ...gtin, lang: 'es' } }),
      observation({ vendor: 'Two', name: 'Codo curvo 22 mm', more: { ...gtin, lang: 'es' } }),
      observation({ vendor: 'Tres', region: 'MX', name: 'Codo cobre 22 mm', more: { ...gtin, lang: 'es' } }),
    ])
    await path.run('2026-01-10T00:00:00Z')
    const headline = { lang: 'es', name: 'Codo cobre 22 mm', regions: ['LATAM', 'MX'] }
    expect(await names()).toEqual([headline, { lang: 'es', name: 'Codo 22 mm', regions: ['ES', 'EU'] }])
    const before = await item()
    await path.append([trustChanged(sourceNamed('Two').id, 80, '2026-01-11T00:00:00Z')])
    const [report] = await path.run('2026-01-11T00:00:00Z')
    expect(report).toMatchObject({ itemsEvaluated: 1, changed: 1 })
    expect(await names()).toEqual([headline, { lang: 'es', name: 'Codo curvo 22 mm', regions: ['ES', 'EU'] }])
    expect(await item()).toEqual({ ...before, updated_at: '2026-01-11T00:00:00Z' })
    expect((await verify(path)).filter(({ ok }) => !ok)).toEqual([])
  })

  test('removes an item when its last observation is retracted, and leaves its number unused', async () => {
    const only = observation()
    await path.append([registration(), only])
    await path.run('2026-01-10T00:00:00Z')
    await path.append([observationRetracted(only.source.id, { scope: 'observation', observation_id: only.event_id })])
    await path.run('2026-01-11T00:00:00Z')
    expect(await item()).toMatchObject({ state: 'gone' })
    expect(await path.store.query(`select seq, op from changes order by seq`)).toEqual([
      { seq: 1n, op: 'upsert' },
      { seq: 2n, op: 'delete' },
    ])
    expect(await points()).toEqual(['01-10 100', '01-11 none'])
  })

  test('gives the same bytes whatever the clock says', async () => {
    const roots = new Set<string>()
    for (const now of ['2026-06-01T00:00:00Z', '2031-06-01T12:34:56Z']) {
      await path.reset()
      path.nowMs = Date.parse(now)
      await path.append([registration(), observation(), observation({ vendor: 'Two', ref: 'Z', name: 'Sand 0-4' })])
      await path.run('2026-01-10T00:00:00Z')
      roots.add(
        JSON.stringify([
          await path.roots(),
          await path.store.query(`select seq::text, state from changes order by seq`),
        ]),
      )
    }
    path.nowMs = NOW_MS
    expect(roots.size).toBe(1)
  })
})

describe('the second of three runs', () => {
  test('is reproduced to the cent after a merge and a retraction of a later crawl', async () => {
    const other = observation({ vendor: 'Two', ref: 'B', name: 'Another cement', cents: 300 })
    const later = observation({ at: '2026-02-10T00:00:00Z', cents: 180, crawl: 'crawl-late' })
    await path.append([registration(), registration({ vendor: 'Two' }), observation({ cents: 100 }), other])
    await path.run('2026-01-10T00:00:00Z')
    const [second] = await path.run('2026-01-15T00:00:00Z')
    await path.append([later])
    await path.run('2026-02-11T00:00:00Z')
    const [from, into] = await allItemIds(path.store)
    await path.append([
      itemsMerged(from as string, into as string, '2026-02-12T00:00:00Z'),
      observationRetracted(later.source.id, { scope: 'crawl', crawl_id: 'crawl-late' }),
    ])
    await path.run('2026-02-13T00:00:00Z')
    const run = await runById(path.store, second?.runId as string)
    const evaluator = await openEvaluator(path.store, { asOf: run?.asOf as string, positions: run?.positions ?? null })
    const medians = (await evaluator.evaluate(await allItemIds(path.store))).map(
      ({ repriced }) => repriced.headline?.cents,
    )
    expect(medians.sort()).toEqual([100, 300])
  })
})

describe('a killed run', () => {
  /** A log whose n-th append fails, either after or before it writes. */
  const failing = (log: EventLog, at: number, written: boolean): EventLog => {
    let appends = 0
    return {
      ...log,
      async append(topic, events) {
        if (++appends !== at) return log.append(topic, events)
        if (written) await log.append(topic, events)
        throw new Error('killed')
      },
    }
  }
  const market = [
    registration({ vendor: 'One' }),
    registration({ vendor: 'Two', trust: 70 }),
    ...['A', 'B', 'C', 'D'].flatMap((ref, i) => [
      observation({ vendor: 'One', ref, name: `Product ${ref}`, cents: 100 + i }),
      observation({ vendor: 'Two', ref, name: `Product ${ref}`, cents: 120 + i }),
    ]),
  ]

  test('ends with the catalog of an undisturbed run, wherever it was killed', async () => {
    await path.append(market)
    await path.run('2026-01-10T00:00:00Z')
    const undisturbed = { roots: await path.roots(), seq: await path.seq() }
    for (const at of [1, 2, 3, 4]) {
      for (const written of [true, false]) {
        await path.reset()
        await path.append(market)
        await expect(path.run('2026-01-10T00:00:00Z', { log: failing(path.log, at, written) })).rejects.toThrow(
          'killed',
        )
        await path.run('2026-01-10T00:00:00Z')
        expect({ roots: await path.roots(), seq: await path.seq() }).toEqual(undisturbed)
        expect((await verify(path)).filter(({ ok }) => !ok)).toEqual([])
      }
    }
  })
})

describe('incremental runs', () => {
  const day = (n: number) => instant(new Date(Date.UTC(2026, 0, 1) + n * DAY_MS))
  const vendors = ['One', 'Two', 'Three']
  const banks = ['Bank', 'Public works']
  /** One publisher, for the country and two of its subdivisions. */
  const places = ['ES', 'ES-AN', 'ES-GA']
  const refs = ['A', 'B', 'C']
  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('observe' as const),
        vendor: fc.constantFrom(...vendors),
        ref: fc.constantFrom(...refs),
        cents: fc.constantFrom(100, 110, 130, 400, 100),
        unit: fc.constantFrom('kg', 'kg', 'tramex'),
        ago: fc.constantFrom(0, 0, 1, 5, 29, 30, 31),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('observe' as const),
        vendor: fc.constantFrom(...banks),
        ref: fc.constantFrom(...refs),
        cents: fc.constantFrom(100, 110, 130),
        ago: fc.constantFrom(0, 0, 1, 31),
        edition: fc.constantFrom('2024', '2025', '2025-07', '2026-01', undefined),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('observe' as const),
        vendor: fc.constant('Atlas'),
        region: fc.constantFrom(...places),
        ref: fc.constantFrom(...refs),
        cents: fc.constantFrom(90, 110, 140),
        ago: fc.constantFrom(0, 1),
        edition: fc.constantFrom('2026', undefined),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('retractCrawl' as const), nth: fc.nat(20) }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('pass' as const), days: fc.constantFrom(1, 7, 29, 30) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('trust' as const),
        vendor: fc.constantFrom(...vendors),
        score: fc.constantFrom(0, 20, 90),
        ahead: fc.constantFrom(0, 3),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('switch' as const),
        vendor: fc.constantFrom(...vendors),
        enabled: fc.boolean(),
        ahead: fc.constantFrom(0, 3),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('spelling' as const),
        vendor: fc.constantFrom('One', 'Two'),
        canonical: fc.constantFrom('Three', 'Bank', null),
        ahead: fc.constantFrom(0, 3),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('unit' as const),
        canonical: fc.constantFrom('m2', 'kg', null),
        ahead: fc.constantFrom(0, 3),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('retract' as const), nth: fc.nat(20) }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('retractSource' as const), vendor: fc.constantFrom(...vendors) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('quarantine' as const), nth: fc.nat(20), release: fc.boolean() }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('split' as const),
        vendor: fc.constantFrom(...vendors),
        ref: fc.constantFrom(...refs),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('merge' as const), from: fc.nat(5), into: fc.nat(5) }) },
  )

  test('equal a full run after any history of observations, editions, subdivisions, trust, switches, spellings, units, retractions, verdicts, splits and merges', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        await path.reset()
        await path.append([
          ...vendors.map((vendor) => registration({ vendor })),
          ...places.map((region) => registration({ vendor: 'Atlas', region, kind: 'bank' })),
          ...banks.map((vendor) => registration({ vendor, kind: 'bank', validity: 'until_superseded' })),
        ])
        let today = 60
        let count = 0
        const seen: ReturnType<typeof observation>[] = []
        for (const action of steps) {
          count += 1
          const now = day(today)
          const nth = 'nth' in action ? seen[action.nth % Math.max(seen.length, 1)] : undefined
          if (action.kind === 'observe') {
            const made = observation({
              ...action,
              name: action.cents === 110 ? `PRODUCT ${action.ref}` : `Product ${action.ref}`,
              at: day(today - action.ago),
              crawl: `crawl-${count}`,
              recordedAt: now,
              ...('edition' in action && action.edition && { more: { edition: action.edition } }),
            })
            seen.push(made)
            await path.append([made])
          } else if (action.kind === 'trust') {
            await path.append([
              trustChanged(sourceNamed(action.vendor).id, action.score, day(today + action.ahead), `step ${count}`),
            ])
          } else if (action.kind === 'switch') {
            const decided_at = day(today + action.ahead)
            const source_id = sourceNamed(action.vendor).id
            const { enabled } = action
            await path.append([
              event({ type: 'SourceSwitched', decided_at, source_id, enabled, reason: `step ${count}` }),
            ])
          } else if (action.kind === 'spelling') {
            const { vendor, canonical, ahead } = action
            const canonical_id = canonical && sourceNamed(canonical).id
            const decision = { decided_at: day(today + ahead), source_id: sourceNamed(vendor).id, canonical_id }
            await path.append([event({ type: 'SourceAliased', ...decision, reason: `step ${count}` })])
          } else if (action.kind === 'unit') {
            const decision = { decided_at: day(today + action.ahead), unit: 'Tramex', canonical: action.canonical }
            await path.append([event({ type: 'UnitAliased', ...decision, reason: `step ${count}` })])
          } else if (action.kind === 'retract' && nth) {
            await path.append([
              observationRetracted(
                nth.source.id,
                { scope: 'observation', observation_id: nth.event_id },
                `step ${count}`,
              ),
            ])
          } else if (action.kind === 'retractCrawl' && nth) {
            await path.append([
              observationRetracted(nth.source.id, { scope: 'crawl', crawl_id: nth.crawl_id }, `step ${count}`),
            ])
          } else if (action.kind === 'retractSource') {
            const taken = observationRetracted(sourceNamed(action.vendor).id, { scope: 'source' }, `step ${count}`)
            await path.append([{ ...taken, recorded_at: now }])
          } else if (action.kind === 'quarantine' && nth) {
            await path.append([
              event({
                type: action.release ? 'ObservationReleased' : 'ObservationQuarantined',
                decided_at: now,
                observation_id: nth.event_id,
                reason: `step ${count}`,
              }),
            ])
          } else if (action.kind === 'split') {
            const sourceId = sourceNamed(action.vendor).id
            await path.append([
              event({
                type: 'SkuSplit',
                decided_at: now,
                vendor_sku_id: vendorSkuIdOf(sourceId, action.ref),
                source_id: sourceId,
                item_id: `ci_split${count}`,
                founding: { n: count, unit: 'kg' },
                reason: `step ${count}`,
              }),
            ])
          } else if (action.kind === 'merge') {
            const ids = await allItemIds(path.store)
            const [from, into] = [
              ids[action.from % Math.max(ids.length, 1)],
              ids[action.into % Math.max(ids.length, 1)],
            ]
            if (from === undefined || into === undefined) continue
            await path.append([itemsMerged(from, into, now, `step ${count}`)])
          } else if (action.kind === 'pass') {
            today += action.days
          }
          await path.run(day(today))
          const differences = await dryRun({ store: path.store, now: () => new Date(path.nowMs) }, { asOf: day(today) })
          expect(differences.map(({ kind, event }) => [kind, event.item_id])).toEqual([])
        }
        expect((await verify(path)).filter(({ ok }) => !ok)).toEqual([])
      }),
      { numRuns: 3 },
    )
  })
})
