import type { CatalogEvent } from '@catalog/core/events/events.ts'
import type { RunStarted } from '@catalog/core/events/runs.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { type Method, TWM_1 } from '@catalog/core/median/median.ts'
import { UnknownMethod } from '@catalog/core/median/methods.ts'
import { TWM_2 } from '@catalog/core/median/midmean.ts'
import { instant } from '@catalog/core/time.ts'
import type { EventLog } from '@catalog/log/log.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { event, observation, registration, sourceNamed, trustChanged } from '@catalog/stack/testing/events.ts'
import { type Cut, methodAt } from '@catalog/store/vendor/as-of-queries.ts'
import { allItemIds, lastFinishedRun, latestRuns, runById } from '@catalog/store/vendor/runs.ts'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  AcceptedDiffersFromPreview,
  AcceptRefused,
  acceptRule,
  openDifferences,
  type RulePreview,
} from './accept-rule.ts'
import { dryRun, previewRule } from './differences.ts'
import { openEvaluator, type Rule } from './evaluate.ts'

let runs = 0
const path = await pathOfFile()
beforeEach(() => path.reset())

const DAY = '2026-01-10T02:00:00Z'
const NEXT = '2026-01-11T02:00:00Z'
const idOf = (vendor: string) => sourceNamed(vendor).id

/**
 * Each vendor's price and the public result. One has trust 60, Two 40, Three 50.
 *
 *         One   Two   Three   twm/1   twm/2
 *   A     100   200     400     200     182
 *   B     300     -     330     300     312
 *   C       -    50       -      50      50
 */
const MARKET = [
  registration({ vendor: 'One', trust: 60 }),
  registration({ vendor: 'Two', trust: 40 }),
  registration({ vendor: 'Three', trust: 50 }),
  ...[
    { vendor: 'One', name: 'A', cents: 100 },
    { vendor: 'Two', name: 'A', cents: 200 },
    { vendor: 'Three', name: 'A', cents: 400 },
    { vendor: 'One', name: 'B', cents: 300 },
    { vendor: 'Three', name: 'B', cents: 330 },
    { vendor: 'Two', name: 'C', cents: 50 },
  ].map((asked) => observation({ ...asked, ref: asked.name, name: `Product ${asked.name}` })),
]

/** A rule other than the current one. */
type Asked = Readonly<{ method?: Method; trust?: Record<string, number>; enabled?: Record<string, boolean> }>
const ruleOf = (present: Rule, { method = present.method, trust = {}, enabled = {} }: Asked): Rule => ({
  method,
  taxRules: present.taxRules,
  sources: new Map(
    [...present.sources].map(([id, source]) => [
      id,
      { ...source, trust: trust[source.name] ?? source.trust, enabled: enabled[source.name] ?? source.enabled },
    ]),
  ),
})

const deps = (log: EventLog) => ({
  store: path.store,
  log,
  catchUp: () => path.project(),
  now: () => new Date(path.nowMs),
  newRunId: () => `run_accepted_${++runs}`,
  holder: 'test',
})

async function lookAt(cut: Cut, asked: Asked): Promise<RulePreview> {
  const evaluator = await openEvaluator(path.store, cut)
  const rule = ruleOf(evaluator.rule, asked)
  const differences = openDifferences()
  const itemIds = await allItemIds(path.store)
  for await (const outlooks of previewRule(deps(path.log), { evaluator, rule, itemIds, baseline: 'public' })) {
    for (const { difference } of outlooks) if (difference !== null) differences.add(difference)
  }
  return { present: evaluator.rule, rule, differences: differences.result() }
}

const accept = (asked: Asked, { log = path.log, reason = 'audited' } = {}) =>
  acceptRule(deps(log), { reason, preview: (run) => lookAt(run, asked) })

/** The public price of each product. */
async function prices(): Promise<Record<string, number | null>> {
  const rows = await path.store.query<{ item_json: string }>(`select item_json from items order by name`)
  return Object.fromEntries(
    rows.map(({ item_json }) => {
      const { name, median_price } = JSON.parse(item_json)
      return [name.replace('Product ', ''), median_price?.cents ?? null]
    }),
  )
}

async function ends(): Promise<readonly string[]> {
  const all = await Promise.all(Object.values(TOPICS).map((topic) => path.log.partitions(topic)))
  return all.flat().map(({ next }) => String(next))
}

/** Everything a reader can see, except the ids of runs. */
async function standing() {
  return {
    roots: await path.roots(),
    changes: await path.store.query(`select seq, item_id, version, updated_us, state from changes order by seq`),
    points: await path.store.query(`select * from price_points order by item_id, market, recorded_at`),
    bases: await path.store.query(`select item_id, basis, as_of from items order by item_id`),
    decided: await path.store.query(
      `select type, subject, decided_at from decisions where type not in ('RunStarted') order by "offset"`,
    ),
  }
}

describe('an accepted rule', () => {
  beforeEach(async () => {
    await path.append(MARKET)
    await path.run(DAY)
    expect(await prices()).toEqual({ A: 200, B: 300, C: 50 })
  })

  test.each<[string, Asked, Record<string, number | null>, object]>([
    ['trust', { trust: { Three: 100, Two: 39 } }, { A: 400, B: 330, C: 50 }, { changed: 2, basisOnly: 0 }],
    ['a source without a say', { enabled: { Two: false } }, { A: 100, B: 300, C: null }, { changed: 2, basisOnly: 0 }],
    // B loses a source at the same price.
    ['a source without a say', { enabled: { Three: false } }, { A: 100, B: 300, C: 50 }, { changed: 1, basisOnly: 1 }],
    ['another method', { method: TWM_2 }, { A: 182, B: 312, C: 50 }, { changed: 2, basisOnly: 0 }],
    [
      'all three',
      { method: TWM_2, trust: { One: 1 }, enabled: { Two: false } },
      { A: 400, B: 330, C: null },
      { changed: 3, basisOnly: 0 },
    ],
  ])('%s publishes exactly the preview, and nothing when repeated', async (_what, asked, expected, counts) => {
    // It came too late for the previewed run and waits for the next one.
    await path.append([
      observation({ vendor: 'Two', ref: 'A', name: 'Product A', cents: 210, at: '2026-01-09T00:00:00Z' }),
    ])
    const before = await path.seq()
    const { previewed: looked, accepted } = await accept(asked)
    expect(accepted.run).toMatchObject({ ...counts, asOf: DAY, resumed: false })
    expect(looked.differences).toMatchObject(counts)
    expect(await prices()).toEqual(expected)
    expect(await path.seq()).toBe(before + looked.differences.changed)
    const changed = await path.store.query<{ item_id: string }>(`select item_id from changes where seq > $1`, [before])
    for (const { item_id } of changed) expect(looked.differences.itemIds).toContain(item_id)

    const after = [await ends(), await standing()]
    const again = await accept(asked)
    expect(again.accepted).toEqual({ decisions: [], run: null })
    expect(again.previewed.differences.itemIds).toEqual([])
    expect([await ends(), await standing()]).toEqual(after)
  })

  test('holds in every later run, and the run before keeps its own rule', async () => {
    const before = await lastFinishedRun(path.store)
    await accept({ method: TWM_2, enabled: { Two: false } })
    const accepted = await lastFinishedRun(path.store)
    expect(accepted).toMatchObject({ asOf: DAY, method: 'twm/2', finished: true })
    expect(accepted?.positions[TOPICS.observations]).toEqual(before?.positions[TOPICS.observations])
    expect((await latestRuns(path.store, 1))[0]).toEqual(accepted)

    // One has 130 of 220 and Three has 90: 100^(130/220) · 400^(90/220) = 176.3; the other price is 110 instead of 100.
    await path.append([
      observation({ vendor: 'One', ref: 'A', name: 'Product A', cents: 110, at: '2026-01-11T00:00:00Z' }),
    ])
    const [next] = await path.run(NEXT)
    expect(next).toMatchObject({ itemsEvaluated: 1, changed: 1 })
    expect((await runById(path.store, next?.runId as string))?.method).toBe('twm/2')
    expect(await dryRun(deps(path.log), { asOf: NEXT })).toEqual([])

    const headlines = async (runId = '') => {
      const cut = (await runById(path.store, runId)) as Cut
      const evaluated = await (await openEvaluator(path.store, cut)).evaluate(await allItemIds(path.store))
      return evaluated.flatMap(({ repriced }) => repriced.headline?.cents ?? []).sort((a, b) => a - b)
    }
    expect(await headlines(before?.runId)).toEqual([50, 200, 300])
    expect(await headlines(accepted?.runId)).toEqual([176, 312])
    expect(await headlines(next?.runId)).toEqual([187, 312])
  })

  test('replaces the value of its instant in the price history', async () => {
    await path.run(NEXT)
    await accept({ method: TWM_2 })
    const points = await path.store.query<{ line: string }>(
      `select to_char(recorded_at, 'MM-DD') || ' ' || cents as line from price_points join items using (item_id)
       where market = '' and name = 'Product A' order by recorded_at`,
    )
    expect(points.map(({ line }) => line)).toEqual(['01-10 200', '01-11 182'])
    const [change] = await path.store.query<{ rises: boolean }>(
      `select bool_and(later.updated_us > changes.updated_us) as rises
       from changes join changes later on later.seq = changes.seq + 1`,
    )
    expect(change?.rises).toBe(true)
  })

  test('is undone by accepting the former rule', async () => {
    const before = await prices()
    await accept({ method: TWM_2, trust: { One: 10 }, enabled: { Two: false } })
    const { accepted } = await accept({ method: TWM_1, trust: { One: 60 }, enabled: { Two: true } })
    expect(accepted.decisions.map(({ type }) => type).sort()).toEqual([
      'MethodChanged',
      'SourceSwitched',
      'TrustChanged',
    ])
    expect(await prices()).toEqual(before)
  })

  test('holds even when no price changes', async () => {
    const { accepted } = await accept({ trust: { Two: 41 } })
    expect(accepted.run).toMatchObject({ changed: 0, basisOnly: 0 })
    const { rule } = await openEvaluator(path.store, { asOf: NEXT, positions: null })
    expect(rule.sources.get(idOf('Two'))?.trust).toBe(41)
  })
})

describe('a killed accept', () => {
  /** A log whose n-th append fails, either after or before it writes. */
  const failing = (at: number, written: boolean): EventLog => {
    let appends = 0
    return {
      ...path.log,
      async append(topic, events) {
        if (++appends !== at) return path.log.append(topic, events)
        if (written) await path.log.append(topic, events)
        throw new Error('killed')
      },
    }
  }
  /** A log that writes only the first decision of an append, as a log without transactions may. */
  const torn = (): EventLog => ({
    ...path.log,
    async append(topic, events) {
      await path.log.append(topic, events.slice(0, 1))
      throw new Error('killed')
    },
  })
  const begin = async () => {
    await path.reset()
    await path.append(MARKET)
    await path.run(DAY)
  }
  const asked: Asked = { method: TWM_2, trust: { One: 1 }, enabled: { Two: false } }

  test('at any append ends as if undisturbed when repeated', async () => {
    await begin()
    await accept(asked)
    const undisturbed = await standing()
    /** The appends: decisions, RunStarted, the differences, RunMarked. */
    const appends = [1, 2, 3, 4]
    for (const log of [...appends.flatMap((at) => [true, false].map((written) => failing(at, written))), torn()]) {
      await begin()
      await expect(accept(asked, { log })).rejects.toThrow('killed')
      const { accepted } = await accept(asked, { reason: 'again, in other words' })
      expect(await standing()).toEqual(undisturbed)
      // Only a written last append leaves no work.
      expect(accepted.run !== null || (await lastFinishedRun(path.store))?.method === 'twm/2').toBe(true)
      const after = await ends()
      expect((await accept(asked)).accepted.run).toBeNull()
      expect(await ends()).toEqual(after)
    }
  })

  test('leaves a state that the next run finishes or publishes', async () => {
    await begin()
    await accept(asked)
    await path.run(NEXT)
    const undisturbed = { prices: await prices(), seq: await path.seq() }
    for (const at of [1, 2, 3, 4]) {
      await begin()
      await expect(accept(asked, { log: failing(at, true) })).rejects.toThrow('killed')
      await path.run(NEXT)
      expect({ prices: await prices(), seq: await path.seq() }).toEqual(undisturbed)
      expect(await dryRun(deps(path.log), { asOf: NEXT })).toEqual([])
    }
  })

  test('keeps a request for another rule from publishing it too', async () => {
    await begin()
    await expect(accept(asked, { log: failing(2, false) })).rejects.toThrow('killed')
    await expect(accept({ method: TWM_2 })).rejects.toThrow(
      /TrustChanged of .* counts at 2026-01-10T02:00:00Z and came after run 'run_\d+'/,
    )
    await expect(accept(asked, { log: failing(1, true) })).rejects.toThrow('killed')
    await expect(accept({ method: TWM_2 })).rejects.toThrow(/run 'run_accepted_\d+' is not finished/)
  })
})

describe('accepting appends nothing', () => {
  const refused = async (asked: Asked, says: string | RegExp) => {
    const before = await ends()
    const refusal = await accept(asked).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(AcceptRefused)
    expect((refusal as Error).message).toMatch(says)
    expect(await ends()).toEqual(before)
  }
  const trustOf = (vendor: string, trust_score: number, decided_at: string) =>
    trustChanged(idOf(vendor), trust_score, decided_at)
  const begun = (content: Partial<RunStarted>) =>
    event({
      type: 'RunStarted',
      run_id: 'run_other',
      as_of: DAY,
      decided_at: DAY,
      method: 'twm/1',
      positions: {},
      ...content,
    })

  test('before anything is published', async () => {
    await path.append(MARKET)
    await refused({ method: TWM_2 }, 'nothing is published yet')
  })

  test('while another run is unfinished', async () => {
    await path.append(MARKET)
    await path.run(DAY)
    await path.append([begun({ as_of: NEXT, decided_at: NEXT })])
    await refused({ method: TWM_2 }, "run 'run_other' is not finished: catalog aggregate finishes it")
  })

  test.each<[string, () => CatalogEvent, string]>([
    ['a trust decided late', () => trustOf('Two', 90, '2026-01-09T00:00:00Z'), 'TrustChanged of'],
    [
      'a match of a run that was killed before it began',
      () =>
        event({
          type: 'SkuMatched',
          decided_at: NEXT,
          vendor_sku_id: 'vsku_new',
          source_id: idOf('Two'),
          item_id: 'ci_new',
          founding: { n: 0, unit: 'kg' },
          rule_version: 'keys/1',
          keys: [],
          evidence: {},
          by: 'rule',
        }),
      'SkuMatched of',
    ],
    [
      'a method of that day',
      () => event({ type: 'MethodChanged', decided_at: DAY, method: 'twm/2', reason: 'x' }),
      'Met',
    ],
  ])('when %s would be published with it', async (_what, decision, says) => {
    await path.append(MARKET)
    await path.run(DAY)
    await path.append([decision()])
    await refused(
      { trust: { One: 1 } },
      new RegExp(`^${says}.* came after run .*: catalog aggregate first, and look again$`),
    )
  })

  test('when a later decision on the same subject would replace it, and only then', async () => {
    await path.append(MARKET)
    await path.run(DAY)
    await path.append([trustOf('Two', 90, '2026-01-10T09:00:00Z')])
    await refused({ trust: { Two: 1 } }, /^TrustChanged of src_\w+ was decided at 2026-01-10T09:00:00Z, after run/)
    expect((await accept({ trust: { One: 10 } })).accepted.run).toMatchObject({ changed: 2, basisOnly: 0 })
  })
})

test('a registration during the preview counts, and the error reports the difference', async () => {
  // The source Four is trusted less than most, and no decision says so.
  await path.append([...MARKET, observation({ vendor: 'Four', ref: 'C', name: 'Product C', cents: 70 })])
  await path.run(DAY)
  expect(await prices()).toMatchObject({ C: 70 })
  const look = async (run: Cut) => {
    const looked = await lookAt(run, { trust: { Two: 60 } })
    expect(looked.differences.changed).toBe(1)
    await path.append([registration({ vendor: 'Four', trust: 90 })])
    return looked
  }
  const accepting = acceptRule(deps(path.log), { reason: 'audited', preview: look })
  await expect(accepting).rejects.toThrow(AcceptedDiffersFromPreview)
  expect(await lastFinishedRun(path.store)).toMatchObject({ asOf: DAY, finished: true })
  expect((await accept({ trust: { Two: 60 } })).accepted.run).toBeNull()
})

test('an unknown method is named together with the known ones', async () => {
  await path.append([
    ...MARKET,
    event({ type: 'MethodChanged', decided_at: DAY, method: 'twm/9', reason: 'a later version' }),
  ])
  const running = path.run(DAY)
  await expect(running).rejects.toThrow(UnknownMethod)
  await expect(running).rejects.toThrow(
    /^method 'twm\/9' of MethodChanged at catalog\.decisions offset \d+: this version knows twm\/1, twm\/2/,
  )
  // Before the decision, the run uses a known method.
  await path.run('2026-01-09T02:00:00Z')
  expect(await prices()).toEqual({ A: 200, B: 300, C: 50 })
})

test('after any history of rules each run equals a full run and is reproduced by its own rule', async () => {
  const day = (n: number) => instant(new Date(Date.UTC(2026, 0, 6 + n, 2)))
  const vendor = fc.constantFrom('One', 'Two', 'Three')
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('observe' as const),
      vendor,
      ref: fc.constantFrom('A', 'B', 'C'),
      cents: fc.integer({ min: 100, max: 130 }),
    }),
    fc.record({ kind: fc.constant('switch' as const), vendor, enabled: fc.boolean(), ahead: fc.nat(2) }),
    fc.record({ kind: fc.constant('method' as const), name: fc.constantFrom('twm/1', 'twm/2'), ahead: fc.nat(2) }),
    fc.record({
      kind: fc.constant('accept' as const),
      method: fc.constantFrom(TWM_1, TWM_2),
      enabled: fc.dictionary(vendor, fc.boolean()),
      trust: fc.dictionary(vendor, fc.integer({ min: 0, max: 100 })),
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
      await path.reset()
      await path.append(MARKET)
      await path.run(day(0))
      const published = new Map<string, readonly (number | null)[]>()
      for (const [i, action] of steps.entries()) {
        const [now, reason] = [day(i + 1), `step ${i}`]
        if (action.kind === 'accept') {
          await accept(action).catch((error: unknown) => expect(error).toBeInstanceOf(AcceptRefused))
        } else if (action.kind === 'observe') {
          await path.append([observation({ ...action, name: `Product ${action.ref}`, at: day(i), crawl: reason })])
        } else {
          const decided_at = day(i + 1 + action.ahead)
          await path.append([
            action.kind === 'method'
              ? event({ type: 'MethodChanged', decided_at, method: action.name, reason })
              : event({
                  type: 'SourceSwitched',
                  decided_at,
                  source_id: idOf(action.vendor),
                  enabled: action.enabled,
                  reason,
                }),
          ])
        }
        if (action.kind !== 'accept') await path.run(now)
        const last = await lastFinishedRun(path.store)
        expect(await dryRun(deps(path.log), { asOf: last?.asOf as string })).toEqual([])
        expect((await methodAt(path.store, last as Cut)).name).toBe(last?.method)
        published.set(last?.runId as string, Object.values(await prices()))
      }
      for (const [runId, expected] of published) {
        const cut = (await runById(path.store, runId)) as Cut
        const evaluated = await (await openEvaluator(path.store, cut)).evaluate(await allItemIds(path.store))
        const byName = evaluated.toSorted((a, b) => (a.name < b.name ? -1 : 1))
        expect(byName.map(({ repriced }) => repriced.headline?.cents ?? null)).toEqual(expected)
      }
    }),
    { numRuns: 4 },
  )
})
