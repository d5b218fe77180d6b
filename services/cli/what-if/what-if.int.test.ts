import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aggregateRuns } from '@catalog/cli/aggregate/aggregate.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import type { WhatIfAnswer } from '@catalog/operations/what-if/answer.ts'
import { total } from '@catalog/operations/what-if/report.ts'
import { Stopped } from '@catalog/runtime/run.ts'
import { listening, openTestCatalog, tell } from '@catalog/stack/testing/cli.ts'
import {
  event,
  observation,
  published,
  registration,
  sourceNamed,
  trustChanged,
} from '@catalog/stack/testing/events.ts'
import { closedAfterAll } from '@catalog/stack/testing/fixtures.ts'
import { catalogRoot, readCounts, vendorRoot } from '@catalog/store/builds/status.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { answerWhatIf, type WhatIfFlags } from './what-if.ts'

/** Names that break markup, and a formula, as vendors may write them. */
const SUR = 'Sur & <b>Hijos</b>'
const CEMENT = 'Cement <script>alert("1")</script>'
const BRICK = '=Brick'
const DAY = '2026-01-10T00:00:00Z'
const LATER = '2026-01-20T00:00:00Z'

/**
 * The prices of each source, by item; `-` is nothing. All EUR, but Oeste's USD. The medians of 10 January:
 *
 *            Norte ES 60 Sur ES 40 Este FR 50 Oeste US 70 Nadie ES 0 headline
 *   cement 100 200 400 - - 200 EUR
 *   sand - 50 - - - 50 EUR
 *   brick 300 - 330 - - 300 EUR
 *   steel 1000 - - 900 - 900 USD
 *   pipe - - - - 700 none
 *
 * Nobody sees pipe, because a source of trust 0 says nothing of an item. On 15 January Este asks 350 for cement: no median changes, so the run of the 20th publishes nothing for it.
 */
const SOURCES = [
  { vendor: 'Norte', region: 'ES', trust: 60 },
  { vendor: SUR, region: 'ES', trust: 40 },
  { vendor: 'Este', region: 'FR', trust: 50 },
  { vendor: 'Oeste', region: 'US', trust: 70 },
  { vendor: 'Nadie', region: 'ES', trust: 0 },
]
const ITEMS = [
  { name: CEMENT, gtin: '4006381333931', path: ['Walls', 'Cement'], asked: [100, 200, 400, null, null] },
  { name: 'Sand', gtin: '4006381333948', path: ['Walls', 'Sand'], asked: [null, 50, null, null, null] },
  { name: BRICK, gtin: '4006381333955', path: ['Walls', 'Brick'], asked: [300, null, 330, null, null] },
  { name: 'Steel', gtin: '4006381333962', path: null, asked: [1000, null, null, 900, null] },
  { name: 'Pipe', gtin: '4006381333979', path: ['Pipes'], asked: [null, null, null, null, 700] },
]
type Asked = { name: string; gtin: string; path: string[] | null }
const asking = ({ name, gtin, path }: Asked, source: { vendor: string; region: string }, cents: number, at: string) =>
  observation({
    vendor: source.vendor,
    region: source.region,
    ref: gtin,
    name,
    cents,
    at,
    currency: source.region === 'US' ? 'USD' : 'EUR',
    crawl: `crawl-${at}`,
    more: { gtin, ...(path === null ? {} : { category_path: path }) },
  })

let folder: string
let catalog: Catalog
const runAt = (asOf: string) => aggregateRuns(catalog, listening().terminal, { asOfs: [asOf], full: false })

const opened = closedAfterAll(await openTestCatalog())
beforeAll(async () => {
  ;({ catalog, folder } = opened)
  mkdirSync(join(folder, 'out'))
  const observations = ITEMS.flatMap((item) =>
    item.asked.flatMap((cents, i) =>
      cents === null ? [] : asking(item, SOURCES[i] as (typeof SOURCES)[number], cents, '2026-01-05T06:00:00Z'),
    ),
  )
  await tell(catalog, [...SOURCES.map((source) => registration(source)), ...observations])
})

async function asked(flags: Partial<WhatIfFlags>, { signal }: { signal?: AbortSignal } = {}) {
  const { heard, terminal } = listening({ json: false })
  await answerWhatIf({ catalog, terminal, signal: signal ?? new AbortController().signal }, { top: '20', ...flags })
  return { answer: heard.answers[0] as WhatIfAnswer, ...heard }
}
const fileOf = (name: string, text: string) => {
  writeFileSync(join(folder, 'out', name), text)
  return join(folder, 'out', name)
}

/** The non-zero counts. */
const counted = ({ items }: Pick<WhatIfAnswer, 'items'>) =>
  Object.fromEntries(Object.entries(items).filter(([, count]) => count > 0))
const moved = ({ largest }: WhatIfAnswer) =>
  Object.values(largest)
    .flat()
    .map(({ name, before, after, relative }) => [name, before?.cents ?? null, after?.cents ?? null, relative])
const eur = (cents: number) => ({ cents, currency: 'EUR' })

/** Everything that a publication would move. */
async function standing() {
  const ends = await Promise.all(
    Object.values(TOPICS).map(async (topic) => (await catalog.log.partitions(topic)).map(({ next }) => next)),
  )
  return {
    ends,
    roots: [await catalogRoot(catalog.store), await vendorRoot(catalog.store)],
    counts: await readCounts(catalog.store),
  }
}

test('before the first run what-if needs an instant, and changes nothing', async () => {
  await expect(asked({ without: ['Norte'] })).rejects.toThrow('nothing is published yet')
  // Only runs match: SKUs that no run has seen are in no item.
  const { answer } = await asked({ without: ['Norte'], asOf: DAY })
  expect(total(answer.items)).toBe(0)
})

describe('against the published prices', () => {
  beforeAll(async () => {
    await runAt(DAY)
  })

  test('without a source its prices disappear, and other medians take over', async () => {
    const { answer } = await asked({ without: [SUR] })
    expect(counted(answer)).toEqual({ unchanged: 2, changed: 1, lost: 1 })
    expect(moved(answer)).toEqual([
      // Between 100 × 60 and 400 × 50, the cheaper has more than half the trust.
      [CEMENT, 200, 100, -0.5],
      ['Sand', 50, null, null],
    ])
    expect(answer.without).toEqual([{ source_id: sourceNamed(SUR).id, name: SUR }])
    expect(answer.as_of).toBe(DAY)
    expect(answer.run_id).toMatch(/^run_/)

    const [cement] = answer.largest.changed
    expect(cement).toMatchObject({ before: eur(200), after: eur(100), category: 'Materials / Cement and binders' })
    const votesOf = (basis: WhatIfAnswer['largest']['changed'][number]['before_basis'] | undefined) =>
      basis?.votes.map(({ source_name, price_cents, trust }) => [source_name, price_cents, trust]).sort()
    expect(votesOf(cement?.before_basis)).toEqual([
      ['Este', 400, 50],
      ['Norte', 100, 60],
      [SUR, 200, 40],
    ])
    expect(votesOf(cement?.after_basis)).toEqual([
      ['Este', 400, 50],
      ['Norte', 100, 60],
    ])
    expect(cement?.before_basis).toMatchObject({ voters: 3, trust_total: 150, excluded: [] })
    expect(cement?.after_basis).toMatchObject({
      voters: 2,
      trust_total: 110,
      excluded: [{ reason: 'SOURCE_DISABLED', source_name: SUR }],
    })
  })

  test('other trust moves medians, gives a price, and changes the currency', async () => {
    const { answer } = await asked({ trust: ['Norte=90', `${sourceNamed('Nadie').id}=10`, 'Oeste=89'] })
    expect(moved(answer)).toEqual([
      // 100 × 90 is just half of 180: the mean of 100 and 200.
      [CEMENT, 200, 150, -0.25],
      ['Pipe', null, 700, null],
      ['Steel', 900, 1000, null],
    ])
    expect(counted(answer)).toEqual({ unchanged: 2, changed: 1, gained: 1, other_currency: 1 })
    expect(answer.largest.other_currency[0]).toMatchObject({
      before: { cents: 900, currency: 'USD' },
      after: eur(1000),
    })
    expect(answer.trust).toEqual([
      { source_id: sourceNamed('Norte').id, name: 'Norte', before: 60, after: 90 },
      { source_id: sourceNamed('Nadie').id, name: 'Nadie', before: 0, after: 10 },
      { source_id: sourceNamed('Oeste', 'US').id, name: 'Oeste', before: 70, after: 89 },
    ])
  })

  test('twm/2 prices by the geometric mean of the middle half of the trust', async () => {
    const { answer } = await asked({ method: 'twm/2' })
    expect(moved(answer)).toEqual([
      // Shares 90, 160 and 50 of 300: 100^0.3 · 200^0.5333 · 400^0.1667 = 182.3.
      [CEMENT, 200, 182, -0.09],
      // Shares 130 and 90 of 220: 300^0.5909 · 330^0.4091 = 311.9.
      [BRICK, 300, 312, 0.04],
    ])
    expect(answer.method).toEqual({ before: 'twm/4', after: 'twm/2' })
    const [cement] = answer.largest.changed
    expect([cement?.before_basis.method_version, cement?.after_basis.method_version]).toEqual(['twm/4', 'twm/2'])
    expect(answer.regions.find(({ name }) => name === 'ES')).toMatchObject({
      // Norte and Sur alone: shares 140 and 60 of 200, 100^0.7 · 200^0.3 = 123.1.
      counts: { changed: 1, unchanged: 3, unpriced: 0 },
      median: 0.23,
    })
  })
})

describe('with later facts', () => {
  beforeAll(async () => {
    await tell(catalog, [asking(ITEMS[0] as Asked, { vendor: 'Este', region: 'FR' }, 350, '2026-01-15T06:00:00Z')])
    await runAt(LATER)
  })

  test('both prices rest on the facts of the last run, published or not', async () => {
    const { answer } = await asked({ without: ['Norte'] })
    expect(moved(answer)).toEqual([
      // Between 200 × 40 and 350 × 50, the dearer has more than half the trust.
      [CEMENT, 200, 350, 0.75],
      [BRICK, 300, 330, 0.1],
    ])
    const [cement] = answer.largest.changed
    const esteOf = (basis: WhatIfAnswer['largest']['changed'][number]['before_basis'] | undefined) =>
      basis?.votes.find(({ source_name }) => source_name === 'Este')?.price_cents
    expect([esteOf(cement?.before_basis), esteOf(cement?.after_basis)]).toEqual([350, 350])
    expect(answer.not_reproduced).toBe(0)
  })

  test('--as-of compares with the present rule at that instant, not with public prices', async () => {
    const { answer } = await asked({ without: ['Norte'], asOf: '2026-01-10' })
    expect([answer.as_of, answer.run_id]).toEqual([DAY, null])
    expect(moved(answer)[0]).toEqual([CEMENT, 200, 400, 1])
    // Before the first price there was nothing.
    expect(total((await asked({ without: ['Norte'], asOf: '2026-01-05' })).answer.items)).toBe(0)
    // By 5 February the prices of 5 January have expired: only Este's later one votes, while 200 is still public.
    const late = (await asked({ without: ['Este'], asOf: '2026-02-05' })).answer
    expect(moved(late)).toEqual([[CEMENT, 350, null, null]])
    expect(counted(late)).toEqual({ lost: 1, unpriced: 3 })
  })

  test('ignores decisions recorded after the last run, whatever their date', async () => {
    const before = await asked({ method: 'twm/2' })
    await tell(catalog, [trustChanged(sourceNamed('Norte').id, 1, '2026-01-19T00:00:00Z')])
    const after = await asked({ method: 'twm/2' })
    expect(after.answer).toEqual(before.answer)
    expect((await asked({ trust: ['Norte=60'], asOf: '2026-01-22' })).answer.trust[0]).toMatchObject({ before: 1 })
  })

  test('the same rule reproduces the published prices', async () => {
    const { answer, text } = await asked({ method: 'twm/4' })
    expect(counted(answer)).toEqual({ unchanged: 4 })
    expect(answer.events).toEqual({ changes: 0, basis_only: 0 })
    expect(answer.not_reproduced).toBe(0)
    expect(text).toContain('by the same rule, twm/4, against what run run_')
  })

  test('writes no event and no row, and moves no root', async () => {
    const before = await standing()
    for (const flags of [{ without: [SUR] }, { method: 'twm/2', asOf: DAY }, { trust: ['Norte=1'] }]) await asked(flags)
    expect(await standing()).toEqual(before)
  })

  test('refuses its answer when a run began meanwhile', async () => {
    const store = { ...catalog.store }
    let asks = 0
    store.query = async (text, values) => {
      const rows = await catalog.store.query(text, values)
      const isAboutRuns = text.includes("type = 'RunStarted' order by") && ++asks === 2
      return (isAboutRuns ? rows.map((row) => ({ ...row, payload: '{"run_id":"run_other"}' })) : rows) as never
    }
    const { terminal, heard } = listening()
    const asking = answerWhatIf(
      { catalog: { ...catalog, store } as Catalog, terminal, signal: new AbortController().signal },
      { top: '1', without: [SUR] },
    )
    await expect(asking).rejects.toThrow("run 'run_other' began meanwhile")
    expect(heard.answers).toEqual([])
  })
})

describe('a custom method', () => {
  test('loads as in docs/what-if.md, with a warning, and prices every item', async () => {
    const guide = readFileSync(new URL('../../../docs/what-if.md', import.meta.url), 'utf8')
    const file = fileOf('cheapest.ts', /```ts\n(.*?)```/s.exec(guide)?.[1] as string)
    const { answer, notes } = await asked({ method: file })
    expect(notes).toEqual([`${file} is your code: it runs with all rights, and only its answers are checked`])
    expect(answer.method).toEqual({ before: 'twm/4', after: 'cheapest-of-three/1' })
    expect(answer.method_file).toBe(file)
    // Only cement has three vendors; the method makes no price of the others.
    expect(moved(answer)[0]).toEqual([CEMENT, 200, 100, -0.5])
    expect(counted(answer)).toEqual({ changed: 1, lost: 3 })
  })

  test('may answer only a price or null', async () => {
    // It passes the probes and fails on the catalog's votes.
    const late = `export default { name: 'late/1', price: (votes) => ({ cents: votes[0].price.n === 50n ? 1.5 : 1n }) }`
    await expect(asked({ method: fileOf('late.mjs', late) })).rejects.toThrow(
      /method late\/1 of '.*late\.mjs' answered \{"cents":1\.5\} at 50 × 40: expected null or \{ cents \}, a bigint/,
    )
  })

  test.each([
    ['none.mjs', 'export const price = 1', 'no default export that is an object'],
    ['name.mjs', 'export default { name: "mine", price: () => null }', 'name "mine": expected a name and a version'],
    [
      'ours.mjs',
      'export default { name: "twm/1", price: () => null }',
      "name 'twm/1' is the name of a built-in method",
    ],
    ['price.mjs', 'export default { name: "a/1", price: 5 }', 'price 5: expected a function of the votes'],
    ['number.mjs', 'export default { name: "a/1", price: () => ({ cents: 5 }) }', 'answered {"cents":5} at 100 × 50'],
    ['below.mjs', 'export default { name: "a/1", price: () => ({ cents: -1n }) }', 'answered {"cents":"-1n"}'],
    ['waits.mjs', 'export default { name: "a/1", price: async () => null }', 'answered {} at 100 × 50'],
    ['fails.mjs', 'export default { name: "a/1", price: (v) => v.none.such }', 'failed at 100 × 50'],
    [
      'order.mjs',
      'export default { name: "a/1", price: (v) => ({ cents: v[0].price.n }) }',
      'answered 100n and then 200n at 100 × 50, 200/3 × 40: expected a pure function that ignores the order',
    ],
    [
      'whim.mjs',
      'let n = 0n; export default { name: "a/1", price: () => ({ cents: n++ }) }',
      'answered 0n and then 1n at 100 × 50',
    ],
    ['syntax.mjs', 'export default {', 'expected a module that can be loaded'],
  ])('%s is refused with the expectation', async (name, text, says) => {
    await expect(asked({ method: fileOf(name, text) })).rejects.toThrow(says)
  })
})

describe('--csv', () => {
  const outOf = (name: string) => join(folder, 'out', name)
  const written = (name: string) => readFileSync(outOf(name), 'utf8')

  test('writes every changed price as CSV, however few the text shows', async () => {
    await asked({ method: 'twm/2', without: ['Oeste'], trust: ['Nadie=5'], asOf: DAY, top: '0', csv: outOf('all.csv') })
    const [head, ...lines] = written('all.csv').trimEnd().split('\r\n')
    expect(head?.split(',').slice(3)).toEqual(
      'category,change,before_cents,before_currency,after_cents,after_currency,relative,before_voters,after_voters,before_trust,after_trust'.split(
        ',',
      ),
    )
    expect(lines.map((line) => line.replace(/^ci_[a-z0-9]+,/, '')).sort()).toEqual([
      '"Cement <script>alert(""1"")</script>",kg,Materials / Cement and binders,changed,200,EUR,182,EUR,-0.09,3,3,150,150',
      // A text that a spreadsheet would run is escaped.
      "'=Brick,kg,Materials / Bricks and blocks,changed,300,EUR,312,EUR,0.04,2,2,110,110",
      'Pipe,kg,Materials / Plumbing / Pipes,gained,,,700,EUR,,0,1,0,5',
      'Steel,kg,Materials,other_currency,900,USD,1000,EUR,,1,1,70,60',
    ])
  })

  test('appears whole or not at all, even when stopped', async () => {
    const stopped = AbortSignal.abort(new Stopped())
    await expect(asked({ without: [SUR], csv: outOf('never.csv') }, { signal: stopped })).rejects.toThrow(Stopped)
    const failing = fileOf(
      'failing.mjs',
      'let n = 0; export default { name: "a/1", price: () => { if (++n > 9) throw 1; return null } }',
    )
    await expect(asked({ method: failing, csv: outOf('never-too.csv') })).rejects.toThrow('method a/1')
    expect(readdirSync(join(folder, 'out')).filter((name) => /never|part/.test(name))).toEqual([])
  })
})

test.each<[Partial<WhatIfFlags>, string]>([
  [{}, 'expected --without, --with, --trust, --method or --carry-forward'],
  [{ without: ['Norte'], reason: 'why' }, '--reason: expected together with --accept'],
  [{ without: ['Norte'], accept: true }, '--accept: expected --reason "...", which is kept with the decision'],
  [
    { without: ['Norte'], accept: true, reason: 'why', asOf: '2026-01-10' },
    "--accept --as-of '2026-01-10': only the difference from the public prices can be published; expected no --as-of",
  ],
  [
    // The module is not even looked up.
    { method: './mine.ts', accept: true, reason: 'why' },
    "--accept --method './mine.ts': only a built-in method can publish, because every process must know it: expected twm/1, twm/2, twm/3",
  ],
  [{ without: ['Nobody'] }, "--without 'Nobody': expected an id or a name: "],
  [{ trust: ['Norte'] }, "--trust 'Norte': expected SOURCE=SCORE"],
  [{ trust: ['Norte=101'] }, "--trust 'Norte=101': expected SOURCE=SCORE with a whole number from 0 to 100"],
  [{ trust: ['Nobody=4'] }, "--trust 'Nobody': expected an id or a name"],
  [{ without: ['Norte'], trust: ['norte=4'] }, "--trust 'norte': Norte is named twice"],
  [{ method: 'twm/9' }, "--method 'twm/9': expected twm/1, twm/2, twm/3, twm/4 or a file that exports a method"],
  [{ without: ['Norte'], asOf: 'then' }, "--as-of 'then'"],
  [{ without: ['Norte'], top: '-1' }, "--top '-1': expected a whole number from 0 to 1000"],
])("%j is refused with the flag's name", async (flags, says) => {
  await expect(asked(flags)).rejects.toThrow(says)
})

test('counts public prices that the present rule does not reproduce, and refuses an unfinished run', async () => {
  const { answer } = await asked({ without: [SUR] })
  const id = answer.largest.lost[0]?.item_id as string
  await tell(catalog, [published({ id, cents: 77, version: 9, name: 'Sand' })])
  const odd = (await asked({ without: [SUR] })).answer
  expect([odd.not_reproduced, odd.largest.lost[0]?.before]).toEqual([1, eur(77)])

  const begun = { run_id: 'run_begun', as_of: LATER, decided_at: LATER, method: 'twm/1', positions: {} }
  await tell(catalog, [event({ type: 'RunStarted', ...begun })])
  await expect(asked({ without: [SUR] })).rejects.toThrow("run 'run_begun' is not finished")
  expect(total((await asked({ without: [SUR], asOf: LATER })).answer.items)).toBe(4)
})

test('reports an accepted rule, and the opposite flags undo it', async () => {
  // The next run finishes the one that was begun above.
  await runAt(LATER)
  const before = await asked({ without: [SUR] })
  expect(before.next).toBe('the same command with --accept --reason "..." publishes it')
  const { answer, text, next } = await asked({ without: [SUR], accept: true, reason: 'A & <b>B</b>' })
  const { events, published } = answer
  expect(before.answer).toEqual({ ...answer, published: null })
  expect(events).toMatchObject({ changes: 2 })
  expect(published).toMatchObject({
    resumed: false,
    changes: events.changes,
    basis_only: events.basis_only,
    decisions: [{ type: 'SourceSwitched', decided_at: LATER, enabled: false, reason: 'A & <b>B</b>' }],
  })
  const says = `run ${published?.run_id} published 2 changes, and 0 events that only change the voters`
  expect(text).toContain(says)
  expect(next).toBe(`catalog explain ITEM --run ${published?.run_id}`)

  const again = await asked({ without: [SUR], accept: true, reason: 'again' })
  expect(again.answer.published).toEqual({
    run_id: null,
    resumed: false,
    decisions: [],
    changes: 0,
    basis_only: 0,
  })
  expect(again.text).toContain('nothing was published: this rule already makes the prices')
  const { answer: back, text: hypothesis } = await asked({ with: [SUR] })
  expect(back.with).toEqual([{ source_id: sourceNamed(SUR).id, name: SUR }])
  expect(hypothesis).toContain(`with ${SUR}, against what run ${published?.run_id} published`)
  expect(back.events.changes).toBe(2)
  // A custom method cannot be published, so nothing proposes it.
  const mine = fileOf('mine.mjs', 'export default { name: "mine/1", price: () => ({ cents: 7n }) }')
  expect((await asked({ method: mine })).next).toBe('catalog explain ITEM')
})

test('a refused publication leaves no file and no event', async () => {
  const csv = join(folder, 'out', 'refused.csv')
  await tell(catalog, [trustChanged(sourceNamed('Este').id, 9, LATER)])
  const before = await standing()
  await expect(asked({ method: 'twm/2', accept: true, reason: 'why', csv })).rejects.toThrow(
    /TrustChanged of .* counts at .* and came after run .*: catalog aggregate first, and look again/,
  )
  expect(await standing()).toEqual(before)
  expect(readdirSync(join(folder, 'out')).filter((name) => name.startsWith('refused'))).toEqual([])
})
