import { sourceIdOf } from '@catalog/core/events/ids.ts'
import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import { TWM_3 } from '@catalog/core/median/median.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import { verify } from '@catalog/projector/verify/verify.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { event, observation, observationRetracted, registration } from '@catalog/stack/testing/events.ts'
import { methodAt } from '@catalog/store/vendor/as-of-queries.ts'
import { lastFinishedRun } from '@catalog/store/vendor/runs.ts'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { dryRun } from './differences.ts'
import { openEvaluator } from './evaluate.ts'
import { aggregate } from './run.ts'

const path = await pathOfFile()
beforeEach(() => path.reset())

const day = (n: number) => instant(new Date(Date.UTC(2026, 0, 1) + n * DAY_MS))
const byTwm3 = () => event({ type: 'MethodChanged', decided_at: day(0), method: 'twm/3', reason: 'tried' })
const deps = () => ({ store: path.store, now: () => new Date(path.nowMs), newRunId: () => 'dry' })

describe('the method of a new catalog', () => {
  const run = (asOf: string, methodOfNewCatalogs = TWM_3) =>
    aggregate(
      {
        ...deps(),
        log: path.log,
        catchUp: path.project,
        newRunId: () => `run of ${asOf}`,
        holder: 'test',
        methodOfNewCatalogs,
      },
      { asOf },
    )

  test('is decided by its first run, as of that run', async () => {
    await path.append([registration(), observation({ at: day(4) })])
    await run(day(5))
    expect(await lastFinishedRun(path.store)).toMatchObject({ method: 'twm/3' })
    expect((await methodAt(path.store, { asOf: day(4), positions: null })).name).toBe('twm/1')
    await run(day(6))
    const decided = await path.store.query(`select from decisions where type = 'MethodChanged'`)
    expect(decided).toHaveLength(1)
  })

  test('is not decided where a run or a person came first', async () => {
    await path.append([registration(), observation({ at: day(4) })])
    await path.run(day(5))
    await run(day(6))
    expect(await lastFinishedRun(path.store)).toMatchObject({ method: 'twm/1' })
    await path.reset()
    await path.append([event({ type: 'MethodChanged', decided_at: day(1), method: 'twm/2', reason: 'asked' })])
    await path.append([registration(), observation({ at: day(4) })])
    await run(day(5))
    expect(await lastFinishedRun(path.store)).toMatchObject({ method: 'twm/2' })
  })
})

describe('a first price in quarantine', () => {
  const cement = { ref: 'C', name: 'Cement' }
  const honest = ['One', 'Two', 'Three'].map((vendor, i) =>
    observation({ ...cement, vendor, cents: 470 + i, at: day(1), crawl: `crawl ${vendor}` }),
  )
  const far = observation({ ...cement, vendor: 'Far', cents: 5, at: day(2), crawl: 'first' })
  const basis = async (asOf: string) => {
    const [item] = await (await openEvaluator(path.store, { asOf, positions: null })).evaluate(
      (await path.store.query<{ id: string }>('select item_id as id from item_keys')).map(({ id }) => id),
    )
    return item?.repriced.basis
  }
  beforeEach(async () => {
    await path.append([byTwm3(), ...['One', 'Two', 'Three', 'Far'].map((vendor) => registration({ vendor }))])
    await path.append([...honest, far])
    await path.run(day(3))
  })

  test('waits until another crawl delivers the same price', async () => {
    expect(await basis(day(3))).toMatchObject({
      voters: 3,
      excluded: [{ id: far.event_id, reason: 'FIRST_PRICE_QUARANTINED' }],
    })
    await path.append([{ ...far, crawl_id: 'second' }])
    expect((await path.run(day(4)))[0]).toMatchObject({ itemsEvaluated: 1 })
    expect(await basis(day(4))).toMatchObject({ voters: 4, excluded: [] })
  })

  test('a crawl that was retracted confirms nothing', async () => {
    await path.append([{ ...far, crawl_id: 'second' }])
    const target = { scope: 'crawl' as const, crawl_id: 'second' }
    const sourceId = sourceIdOf({ name: 'Far', region: 'ES' })
    await path.append([observationRetracted(sourceId, target)])
    await path.run(day(4))
    expect(await basis(day(4))).toMatchObject({ voters: 3 })
  })

  test('the same crawl again confirms nothing, a delivery after the cut neither', async () => {
    await path.append([{ ...far, recorded_at: day(3) }])
    expect(await basis(day(3))).toMatchObject({ voters: 3 })
    const last = await lastFinishedRun(path.store)
    await path.append([{ ...far, crawl_id: 'second' }])
    const evaluator = await openEvaluator(path.store, { asOf: day(3), positions: last?.positions ?? null })
    const ids = await path.store.query<{ id: string }>('select item_id as id from item_keys')
    const [item] = await evaluator.evaluate(ids.map(({ id }) => id))
    expect(item?.repriced.basis.voters).toBe(3)
  })

  test('is let go by a person', async () => {
    await path.append([
      event({ type: 'ObservationReleased', decided_at: day(4), observation_id: far.event_id, reason: 'a sale' }),
    ])
    await path.run(day(4))
    expect(await basis(day(4))).toMatchObject({ voters: 4 })
    expect(await basis(day(3))).toMatchObject({ voters: 3 })
  })
})

describe('incremental runs by twm/3', () => {
  const vendors = ['One', 'Two', 'Three', 'Four', 'Five']
  const kinds = <K extends string>(kind: K) => fc.constant(kind)
  const step = fc.oneof(
    {
      weight: 7,
      arbitrary: fc.record({
        kind: kinds('observe'),
        vendor: fc.constantFrom(...vendors),
        ref: fc.constantFrom('A', 'B'),
        cents: fc.constantFrom(100, 100, 105, 110, 130, 5, 1500),
        tax: fc.constantFrom<ObservationRecorded['price']['tax']>(
          { included: false },
          { included: null },
          { included: true },
          { included: true, rate: '0.21' },
        ),
        tier: fc.constantFrom(undefined, undefined, '10', '100'),
        crawl: fc.constantFrom('a', 'b', 'c', 'd'),
        ago: fc.constantFrom(0, 0, 1, 5, 29, 30),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: kinds('deliver'), nth: fc.nat(20), crawl: fc.constantFrom('e', 'f') }) },
    { weight: 2, arbitrary: fc.record({ kind: kinds('pass'), days: fc.constantFrom(1, 7, 29, 30) }) },
    { weight: 1, arbitrary: fc.record({ kind: kinds('release'), nth: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ kind: kinds('retract'), nth: fc.nat(20) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: kinds('tax'),
        ahead: fc.constantFrom(0, 3),
        notStated: fc.constantFrom('as_is' as const, 'majority' as const),
        gross: fc.constantFrom('as_is' as const, 'standard_rate' as const),
      }),
    },
  )

  test('equal a full run after any history of observations, deliveries, retractions, releases and tax rules', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
        await path.reset()
        await path.append([byTwm3(), ...vendors.map((vendor) => registration({ vendor }))])
        let today = 60
        const seen: ObservationRecorded[] = []
        for (const [count, action] of steps.entries()) {
          const nth = 'nth' in action ? seen[action.nth % Math.max(seen.length, 1)] : undefined
          const reason = `step ${count}`
          if (action.kind === 'observe') {
            const { vendor, ref, cents, tax, tier, crawl } = action
            const price = { cents, currency: 'EUR', per_quantity: 1, tax, kind: 'list' as const }
            const made = observation({
              vendor,
              ref,
              name: `Product ${ref}`,
              at: day(today - action.ago),
              crawl: `${crawl} of ${today}`,
              recordedAt: day(today),
              more: { price: { ...price, ...(tier && { min_quantity: tier }) } },
            })
            seen.push(made)
            await path.append([made])
          } else if (action.kind === 'deliver' && nth) {
            await path.append([{ ...nth, crawl_id: action.crawl, recorded_at: day(today) }])
          } else if (action.kind === 'release' && nth) {
            await path.append([
              event({ type: 'ObservationReleased', decided_at: day(today), observation_id: nth.event_id, reason }),
            ])
          } else if (action.kind === 'retract' && nth) {
            const target = { scope: 'crawl' as const, crawl_id: nth.crawl_id }
            await path.append([observationRetracted(nth.source.id, target, reason)])
          } else if (action.kind === 'tax') {
            await path.append([
              event({
                type: 'TaxRuleChanged',
                decided_at: day(today + action.ahead),
                region: 'ES',
                not_stated: action.notStated,
                gross_without_rate: action.gross,
                reason,
              }),
            ])
          } else if (action.kind === 'pass') today += action.days
          await path.run(day(today))
          const left = await dryRun(deps(), { asOf: day(today) })
          expect(left.map(({ kind, event }) => [kind, event.item_id])).toEqual([])
        }
        expect((await verify(path)).filter(({ ok }) => !ok)).toEqual([])
      }),
      { numRuns: 3 },
    )
  })
})
