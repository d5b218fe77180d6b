import type { Catalog } from '@catalog/cli/shared/wire.ts'
import { vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { instant } from '@catalog/core/time.ts'
import { endOf } from '@catalog/log/log.ts'
import { Stopped } from '@catalog/runtime/run.ts'
import type { Path } from '@catalog/stack/path/path.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { listening } from '@catalog/stack/testing/cli.ts'
import { event, observation, registration, sourceNamed } from '@catalog/stack/testing/events.ts'
import { readCounts } from '@catalog/store/builds/status.ts'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ReplayPartOptions, replayPart } from './partial-replay.ts'

const path = await pathOfFile()

type Row = { run_id: string; as_of: string; items: number; compared: number; equal: number; differing: number }
type Answer = {
  ok: boolean
  runs: (Row & { not_compared: string | null })[]
  prices: { compared: number; equal: number; differing: number }
  first_difference: Record<string, unknown> | null
}
async function replayed(
  options: Partial<ReplayPartOptions>,
  { store = path.store }: { store?: Path['store'] } = {},
): Promise<{ ok: boolean; answer: Answer; text: string; next: string }> {
  const { heard, terminal } = listening({ json: false })
  const catalog = { store, now: () => new Date(path.nowMs) } as Catalog
  const ok = await replayPart(catalog, terminal, { signal: new AbortController().signal, ...options })
  const answer = heard.answers[0] as Answer
  expect(answer.ok).toBe(ok)
  return { ok, answer, text: heard.text, next: heard.next }
}

const endsOf = () => Promise.all(Object.values(TOPICS).map((topic) => endOf(path.log, topic)))

const day = (n: number) => instant(new Date(Date.UTC(2026, 0, n)))
/** The GTIN brings SKUs of one name together; those without one stay alone. */
const GTINS: Readonly<Record<string, string>> = { Cement: '4006381333931', Brick: '4006381333955' }
const asked = (vendor: string, name: string, cents: number, at = day(5)) =>
  observation({
    vendor,
    ref: name,
    name,
    cents,
    at,
    crawl: `crawl-${at}`,
    region: REGIONS[vendor] ?? null,
    ...(GTINS[name] === undefined ? {} : { more: { gtin: GTINS[name] } }),
  })
const REGIONS: Readonly<Record<string, string>> = { Norte: 'ES', Sur: 'ES', Este: 'FR' }
const sourceId = (vendor: string) => sourceNamed(vendor, REGIONS[vendor]).id
const skuId = (vendor: string, name: string) => vendorSkuIdOf(sourceId(vendor), name)
/** The present item of the SKU. */
const itemOf = async (vendor: string, name: string) => {
  const [row] = await path.store.query<{ id: string }>(
    `select item_id as id from memberships join vendor_skus using (sku) join item_keys using (item) where vendor_sku_id = $1`,
    [skuId(vendor, name)],
  )
  return row?.id as string
}
const trusting = (vendor: string, score: number, at: string) =>
  event({
    type: 'TrustChanged',
    decided_at: at,
    source_id: sourceId(vendor),
    trust_score: score,
    reason: 'audited',
  })

/** Run ids by the day of January 2026 of their as_of; day 45 has two. */
const runs: string[] = []
let ids: Record<'cement' | 'sand' | 'pipe' | 'tube' | 'brick' | 'glass', string>
async function runAt(n: number): Promise<void> {
  const [report] = await path.run(day(n))
  runs.push(report?.runId as string)
}

/** Every way in which facts change prices: trust, retraction, merge, late delivery, split, expiry, verdict, method. */
async function makeHistory(): Promise<void> {
  await path.append([
    ...Object.entries(REGIONS).map(([vendor, region]) =>
      registration({ vendor, region, trust: vendor === 'Este' ? 40 : 30 }),
    ),
    asked('Norte', 'Cement', 100),
    asked('Sur', 'Cement', 200),
    asked('Este', 'Cement', 400),
    asked('Sur', 'Sand', 50),
    asked('Norte', 'Pipe', 700),
    asked('Este', 'Tube', 800),
    asked('Norte', 'Brick', 300),
    asked('Este', 'Brick', 330),
  ])
  await runAt(10)
  await path.append([trusting('Este', 99, day(12))])
  await runAt(17)
  const sand = asked('Sur', 'Sand', 50)
  await path.append([
    event({
      type: 'ObservationRetracted',
      source_id: sourceId('Sur'),
      target: { scope: 'observation', observation_id: sand.event_id },
      reason: 'wrong',
    }),
  ])
  await runAt(24)
  const [pipe, tube] = [await itemOf('Norte', 'Pipe'), await itemOf('Este', 'Tube')]
  await path.append([
    event({
      type: 'ItemsMerged',
      decided_at: day(26),
      from_item_id: tube,
      into_item_id: pipe,
      reason: 'the same',
    }),
    asked('Sur', 'Hose', 750, day(30)),
  ])
  await runAt(31)
  await path.append([
    // Into an item that was itself merged.
    event({
      type: 'ItemsMerged',
      decided_at: day(32),
      from_item_id: await itemOf('Sur', 'Hose'),
      into_item_id: tube,
      reason: 'the same',
    }),
    // Observed before the first run, delivered after the fourth.
    asked('Norte', 'Brick', 310, day(6)),
    event({
      type: 'SkuSplit',
      decided_at: day(32),
      vendor_sku_id: skuId('Sur', 'Cement'),
      source_id: sourceId('Sur'),
      item_id: 'ci_split',
      founding: { n: 1, unit: 'kg' },
      reason: 'another',
    }),
    asked('Sur', 'Cement', 210, day(36)),
    asked('Sur', 'Glass', 900, day(36)),
    asked('Este', 'Brick', 340, day(36)),
    asked('Este', 'Cement', 420, day(36)),
    asked('Norte', 'Cement', 120, day(36)),
  ])
  await runAt(38)
  await path.append([
    event({
      type: 'ObservationQuarantined',
      decided_at: day(40),
      observation_id: asked('Este', 'Cement', 420, day(36)).event_id,
      reason: 'a typing error',
    }),
  ])
  await runAt(45)
  await path.append([trusting('Norte', 40, day(41)), asked('Este', 'Cement', 410, day(44))])
  await runAt(45)
  await path.append([event({ type: 'MethodChanged', decided_at: day(46), method: 'twm/2', reason: 'smoother' })])
  await runAt(47)
  ids = {
    cement: await itemOf('Norte', 'Cement'),
    brick: await itemOf('Norte', 'Brick'),
    pipe,
    tube,
    glass: await itemOf('Sur', 'Glass'),
    sand: await itemOf('Sur', 'Sand'),
  }
}

describe('a history with every kind of fact', () => {
  beforeAll(makeHistory)

  test('reproduces every price, except for runs that a later one at the same instant replaced', async () => {
    const { ok, answer, text, next } = await replayed({ from: day(1) })
    expect(ok).toBe(true)
    expect(answer.first_difference).toBeNull()
    expect(answer.runs.map(({ run_id, as_of }) => [run_id, as_of])).toEqual(
      [10, 17, 24, 31, 38, 45, 45, 47].map((n, i) => [runs[i], day(n)]),
    )
    expect(answer.runs.map(({ not_compared }) => not_compared)).toEqual([
      null,
      null,
      null,
      null,
      null,
      `${runs[6]} of the same instant replaced its points`,
      null,
      null,
    ])
    // Glass and the split-off item came with the fifth run; merged or gone items still count.
    expect(answer.runs.map(({ items }) => items)).toEqual([5, 5, 5, 6, 8, 0, 8, 8])
    for (const { compared, equal, differing } of answer.runs) expect([equal, differing]).toEqual([compared, 0])
    expect(text).toContain(`${answer.prices.compared} of ${answer.prices.compared} prices of the catalog are those`)
    expect(next).toBe('catalog verify')
  })

  test('compares prices that change over time', async () => {
    const points = async (id: string) =>
      (
        await path.store.query<{ cents: number | null }>(
          `select cents::int as cents from price_points where item_id = $1 and market = '' order by recorded_at`,
          [id],
        )
      ).map(({ cents }) => cents)
    // Trust; a price of the 36th day; the later of the two runs on the 45th; twm/2.
    expect(await points(ids.cement)).toEqual([200, 400, 420, 410, 374])
    expect(await points(ids.sand)).toEqual([50, null])
    expect(await points(ids.tube)).toEqual([800, null])
    expect(await points(ids.brick)).toEqual([330, 340])
  })

  test('checks an item from its first run on', async () => {
    const { ok, answer } = await replayed({ items: [ids.glass] })
    expect(ok).toBe(true)
    expect(answer.runs.map(({ items }) => items)).toEqual([0, 0, 0, 0, 1, 0, 1, 1])
    // Its headline, Spain and the EU.
    expect(answer.runs.map(({ compared }) => compared)).toEqual([0, 0, 0, 0, 3, 0, 3, 3])
    await expect(replayed({ items: [ids.glass], to: day(31) })).rejects.toThrow(
      `nothing to compare: up to ${day(31)} there was nothing of ${ids.glass}`,
    )
  })

  test('checks every item that a source had been in by each run, even after it left', async () => {
    const este = await replayed({ source: 'este' })
    expect(este.ok).toBe(true)
    // Cement, brick and tube; after the merge pipe too.
    expect(este.answer.runs.map(({ items }) => items)).toEqual([3, 3, 3, 4, 4, 0, 4, 4])
    expect(este.answer).toMatchObject({ source: { source_id: sourceId('Este'), name: 'Este' }, items: null })
    const sur = await replayed({ source: sourceId('Sur') })
    // Cement, which it was split from, and sand, which nobody has any more; hose; then glass, the split-off item, and
    // pipe.
    expect(sur.answer.runs.map(({ items }) => items)).toEqual([2, 2, 2, 3, 6, 0, 6, 6])
  })

  test('includes the runs at both ends of a range', async () => {
    const { answer } = await replayed({ from: day(17), to: day(31) })
    expect(answer.runs.map(({ as_of }) => as_of)).toEqual([17, 24, 31].map(day))
    expect((await replayed({ from: '2026-01-18', to: '2026-01-24T00:00:00Z' })).answer.runs).toHaveLength(1)
  })

  test.each<[Partial<ReplayPartOptions>, string]>([
    [{}, 'expected --item, --source, --from or --to'],
    [{ items: ['ci_x'], source: 'Sur' }, 'expected --item or --source, not both'],
    [{ items: ['ci_none'] }, "--item 'ci_none': expected the id of an item"],
    [{ source: 'Nobody' }, "--source 'Nobody': expected an id or a name: "],
    [{ from: 'then' }, "--from 'then': expected a date or instant"],
    [{ from: '2026-01-11', to: '2026-01-12' }, `there are those from ${day(10)} to ${day(47)}`],
    [
      { from: '2026-02-01', to: '2026-01-01' },
      `no finished run from ${day(32)} to ${day(1)}: expected a range with one`,
    ],
  ])("%j is refused with the flag's name", async (options, says) => {
    await expect(replayed(options)).rejects.toThrow(says)
  })

  test('writes nothing, and stops without an answer on a signal', async () => {
    const checkpoints = async () => [await path.roots(), await path.seq(), await readCounts(path.store), await endsOf()]
    const before = await checkpoints()
    await replayed({ source: 'Sur' })
    const stopped = { signal: AbortSignal.abort(new Stopped()) }
    await expect(replayed({ from: day(1), ...stopped })).rejects.toThrow(Stopped)
    expect(await checkpoints()).toEqual(before)
  })
})

describe('a price that the facts do not give', () => {
  /** Changes rows by SQL during the check and restores them. */
  async function whileChanged<T>(change: string, ask: () => Promise<T>): Promise<T> {
    const kept = await path.store.query(`select * from price_points`)
    const cents = await path.store.query(`select observation, cents from observations`)
    const changed = await path.store.query(`${change} returning 1`)
    expect(changed).toHaveLength(1)
    try {
      return await ask()
    } finally {
      await path.store.query(`delete from price_points`)
      await path.store.query(
        `insert into price_points select * from jsonb_to_recordset($1::jsonb)
           as kept (item_id text, market text, recorded_at timestamptz, cents bigint, currency text)`,
        [JSON.stringify(kept, (_key, value) => (typeof value === 'bigint' ? Number(value) : value))],
      )
      await path.store.query(
        `update observations set cents = kept.cents from jsonb_to_recordset($1::jsonb) as kept (observation bigint, cents bigint)
         where observations.observation = kept.observation`,
        [JSON.stringify(cents, (_key, value) => (typeof value === 'bigint' ? Number(value) : value))],
      )
    }
  }
  const point = (item: keyof typeof ids, market: string, at: string) =>
    `item_id = '${ids[item]}' and market = '${market}' and recorded_at = '${at}'`
  const eur = (cents: number) => ({ cents, currency: 'EUR' })

  test('is reported with both prices, its oldest public run and the next command', async () => {
    const change = `update price_points set cents = 401 where ${point('cement', '', day(17))}`
    const { ok, answer, text, next } = await whileChanged(change, () => replayed({ from: day(1) }))
    expect(ok).toBe(false)
    expect(answer.first_difference).toEqual({
      run_id: runs[1],
      as_of: day(17),
      item_id: ids.cement,
      region: null,
      published: eur(401),
      recorded_at: day(17),
      recomputed: eur(400),
    })
    // It was in force until the run of the 38th day.
    expect(answer.runs.map(({ differing }) => differing)).toEqual([0, 1, 1, 1, 0, 0, 0, 0])
    expect(answer.prices).toEqual({ ...answer.prices, equal: answer.prices.compared - 3, differing: 3 })
    expect(text).toContain(`run ${runs[1]} at ${day(17)}, item ${ids.cement}, headline`)
    expect(text).toMatch(new RegExp(`published: +4.01 EUR \\(since ${day(17)}\\)\n +by stored observations: +4.00 EUR`))
    expect(next).toBe(`catalog explain ${ids.cement} --run ${runs[1]}`)
    // Checks of another item, another source or another time do not see it.
    const elsewhere = () => [{ items: [ids.sand, ids.glass] }, { to: day(16) }, { items: [ids.cement], from: day(38) }]
    for (const options of elsewhere())
      expect(await whileChanged(change, () => replayed(options))).toMatchObject({ ok: true })
  })

  type First = { run?: number; item_id: keyof typeof ids } & Record<string, unknown>
  test.each<[string, () => string, First]>([
    [
      'of a market, by a cent',
      () => `update price_points set cents = cents - 1 where ${point('brick', 'ES', day(10))}`,
      { item_id: 'brick', region: 'ES', published: eur(299), recomputed: eur(300) },
    ],
    [
      'of another currency',
      () => `update price_points set currency = 'USD' where ${point('brick', 'EU', day(10))}`,
      { item_id: 'brick', region: 'EU', published: { cents: 330, currency: 'USD' }, recomputed: eur(330) },
    ],
    [
      'that nobody has published',
      () => `delete from price_points where ${point('glass', '', day(38))}`,
      { run: 4, item_id: 'glass', published: null, recorded_at: null, recomputed: eur(900) },
    ],
    [
      'in a market that no vendor of the item is in',
      () => `insert into price_points values ('${ids.brick}', 'GB', '${day(16)}', 5, 'GBP')`,
      { run: 1, item_id: 'brick', region: 'GB', published: { cents: 5, currency: 'GBP' }, recomputed: null },
    ],
    [
      'of an item that was not founded by then',
      () => `insert into price_points values ('${ids.glass}', '', '${day(9)}', 5, 'XYZ')`,
      { item_id: 'glass', published: { cents: 5, currency: 'XYZ' }, recomputed: null },
    ],
    [
      'that was to end',
      () => `delete from price_points where ${point('sand', '', day(24))}`,
      { run: 2, item_id: 'sand', published: eur(50), recorded_at: day(10), recomputed: null },
    ],
    [
      'because an observation is another one',
      () => `update observations set cents = 401 where encode(observation_id, 'hex') =
               '${asked('Este', 'Cement', 400).event_id}'`,
      { run: 1, item_id: 'cement', region: null, published: eur(400), recomputed: eur(401) },
    ],
  ])('%s is reported too', async (_name, change, { run = 0, item_id, ...first }) => {
    const { ok, answer } = await whileChanged(change(), () => replayed({ from: day(1) }))
    expect(ok).toBe(false)
    expect(answer.first_difference).toMatchObject({ ...first, run_id: runs[run], item_id: ids[item_id] })
  })
})

describe('while facts arrive', () => {
  /** The store, which runs `work` once at the first query that contains the given text. */
  function doing(asked: string, work: () => Promise<unknown>): Path['store'] {
    let isDone = false
    return {
      ...path.store,
      async query(sql, parameters) {
        if (sql.includes(asked) && !isDone) {
          isDone = true
          await work()
        }
        return path.store.query(sql, parameters) as never
      },
    }
  }

  test('late facts make no difference to the checked run', async () => {
    const store = doing('string_agg', () => path.append([asked('Norte', 'Cement', 105, day(8))]))
    expect(await replayed({ items: [ids.cement] }, { store })).toMatchObject({ ok: true })
    expect(await replayed({ items: [ids.cement] })).toMatchObject({ ok: true })
  })

  test('a new run at the instant of a differing one is not taken for a difference', async () => {
    const store = doing('from price_points where', async () => {
      await path.append([event({ type: 'MethodChanged', decided_at: day(46), method: 'twm/1', reason: 'back' })])
      await runAt(47)
    })
    await expect(replayed({ from: day(47) }, { store })).rejects.toThrow(
      /run 'run_\d+' began meanwhile at the instant of/,
    )
    expect((await replayed({ from: day(47) })).answer.runs.map(({ not_compared }) => not_compared)).toEqual([
      expect.stringContaining(`${runs.at(-1)} of the same instant`),
      null,
    ])
  })
})

test('a run by an unknown method is not proved', async () => {
  await path.append([
    event({ type: 'MethodChanged', decided_at: day(48), method: 'own/1', reason: 'of a later version' }),
  ])
  const positions = Object.fromEntries(
    await Promise.all(Object.values(TOPICS).map(async (topic) => [topic, await endOf(path.log, topic)])),
  )
  await path.append([
    event({ type: 'RunStarted', run_id: 'run_own', as_of: day(49), decided_at: day(49), method: 'own/1', positions }),
    event({ type: 'RunMarked', run_id: 'run_own', as_of: day(49), items_published: 0 }),
  ])
  const { ok, answer, text } = await replayed({ from: day(47) })
  expect(ok).toBe(false)
  expect(answer.runs.at(-1)).toMatchObject({
    run_id: 'run_own',
    compared: 0,
    not_compared: expect.stringContaining('own/1'),
  })
  expect([answer.prices.differing, text.includes('not proved: run_own')]).toEqual([0, true])
})

const VENDORS = Object.keys(REGIONS)
const fact = fc.record({
  kind: fc.constantFrom('price', 'price', 'price', 'retract', 'trust', 'quarantine', 'merge', 'split', 'run', 'run'),
  vendor: fc.constantFrom(...VENDORS),
  name: fc.constantFrom('Cement', 'Brick', 'Sand', 'Pipe'),
  cents: fc.constantFrom(100, 101, 150, 250, 900),
  /** Days before the next run; -1 is a day after it. */
  ago: fc.constantFrom(-1, 0, 1, 6, 29, 30, 31),
  nth: fc.nat(20),
})
type Fact = typeof fact extends fc.Arbitrary<infer T> ? T : never

/** Records the facts one by one; returns the number of runs. */
async function happen(facts: readonly Fact[]): Promise<number> {
  const told: ReturnType<typeof asked>[] = []
  let [now, made] = [40, 0]
  for (const [i, { kind, vendor, name, cents, ago, nth }] of facts.entries()) {
    const at = day(now - ago)
    const reason = `fact ${i}`
    const earlier = told[nth % told.length]
    const itemId = await itemOf(vendor, name)
    const other = VENDORS[(VENDORS.indexOf(vendor) + 1) % VENDORS.length] as string
    const otherId = await itemOf(other, 'Pipe')
    if (kind === 'price') {
      told.push(asked(vendor, name, cents, at))
      await path.append(told.slice(-1))
    } else if (kind === 'retract' && earlier !== undefined) {
      const target = { scope: 'observation' as const, observation_id: earlier.event_id }
      await path.append([event({ type: 'ObservationRetracted', source_id: earlier.source.id, target, reason })])
    } else if (kind === 'trust') {
      await path.append([trusting(vendor, [0, 20, 100][nth % 3] as number, at)])
    } else if (kind === 'quarantine' && earlier !== undefined) {
      const id = { observation_id: earlier.event_id }
      await path.append([event({ type: 'ObservationQuarantined', decided_at: at, ...id, reason })])
    } else if (kind === 'merge' && itemId !== undefined && otherId !== undefined) {
      const merge = { decided_at: at, from_item_id: otherId, into_item_id: itemId, reason }
      await path.append([event({ type: 'ItemsMerged', ...merge })])
    } else if (kind === 'split' && itemId !== undefined) {
      const split = { vendor_sku_id: skuId(vendor, name), source_id: sourceId(vendor), item_id: `ci_${i}` }
      await path.append([
        event({ type: 'SkuSplit', decided_at: at, ...split, founding: { n: i + 1, unit: 'kg' }, reason }),
      ])
    } else if (kind === 'run') {
      now += [0, 1, 7, 25][nth % 4] as number
      await path.run(day(now))
      made++
    }
  }
  return made
}

test('random histories: every run is reproduced from the store', async () => {
  let compared = 0
  let [all, replaced] = [0, 0]
  await fc.assert(
    fc.asyncProperty(fc.array(fact, { minLength: 8, maxLength: 24 }), async (facts) => {
      await path.reset()
      await path.append(VENDORS.map((vendor) => registration({ vendor, region: REGIONS[vendor] ?? null, trust: 40 })))
      await path.append([asked('Norte', 'Cement', 120, day(39)), asked('Sur', 'Pipe', 80, day(38))])
      await path.run(day(40))
      const runs = 1 + (await happen(facts))
      const { ok, answer } = await replayed({ from: day(1) })
      expect([ok, answer.first_difference]).toEqual([true, null])
      expect(answer.runs).toHaveLength(runs)
      compared += answer.prices.compared
      all += runs
      replaced += answer.runs.filter(({ not_compared }) => not_compared !== null).length
    }),
    { numRuns: 7 },
  )
  // Most runs were compared, and on more than an item each.
  expect(all - replaced).toBeGreaterThan(all / 2)
  expect(compared).toBeGreaterThan(3 * all)
})
