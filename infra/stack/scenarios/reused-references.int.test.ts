import { reproduceRun } from '@catalog/cli/aggregate/aggregate.ts'
import { REUSED } from '@catalog/cli/review/review-lists.ts'
import { showList } from '@catalog/cli/shared/list.ts'
import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import { retract } from '@catalog/operations/decisions/retract.ts'
import { verify } from '@catalog/projector/verify/verify.ts'
import { catalogOf, heardBy } from '@catalog/stack/path/commands.ts'
import type { Path } from '@catalog/stack/path/path.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { observation, registration } from '@catalog/stack/testing/events.ts'
import { beforeEach, describe, expect, test } from 'vitest'

/** A vendor uses one reference for one article after the other: each keeps its own prices. */

const path = await pathOfFile()
beforeEach(() => path.reset())

const offer = (month: number, name: string, cents: number, say: { vendor?: string; ref?: string } = {}) =>
  observation({
    vendor: say.vendor ?? 'Norte',
    ref: say.ref ?? 'A1',
    name,
    unit: 'ud',
    cents,
    at: `2026-0${month}-01T06:00:00Z`,
    crawl: `crawl-${say.vendor ?? 'Norte'}-${month}-${name}`,
    recordedAt: `2026-0${month}-01T07:00:00Z`,
    more: { lang: 'es' },
  })
const runAt = (month: number, options = {}) => path.run(`2026-0${month}-02T00:00:00Z`, options)

const CEMENT_25 = offer(1, 'Cemento 25 kg', 500)
const CEMENT_20 = offer(2, 'Cemento 20 kg', 410)
const PAINT = offer(3, 'Pintura', 3000)
/** Another vendor of the first article. */
const SUR = [1, 2, 3].map((month) => offer(month, 'Cemento 25 kg', 520, { vendor: 'Sur', ref: 'S1' }))
/** Prices of a year hold, so none of these expires. */
const MARKET = ['Norte', 'Sur'].map((vendor) => registration({ vendor, kind: 'bank' }))

/** Name → median in cents and vendors of every active item. */
async function items({ store }: Path = path) {
  const rows = await store.query<{ name: string; cents: number | null; vendors: number }>(
    `select item_json::jsonb->>'name' as name, (item_json::jsonb->'median_price'->>'cents')::int as cents,
       (item_json::jsonb->>'vendor_count')::int as vendors from items where state = 'active' order by 1`,
  )
  return Object.fromEntries(rows.map(({ name, cents, vendors }) => [name, [cents, vendors]]))
}
async function history(name: string) {
  const rows = await path.store.query<{ cents: number | null }>(
    `select cents::int from price_points p join items i using (item_id) where i.name = $1 and market = '' order by p.recorded_at`,
    [name],
  )
  return rows.map(({ cents }) => cents)
}
const problems = async () => (await verify(path)).filter(({ ok }) => !ok)
const observed = (months: readonly ObservationRecorded[], month: number) =>
  months.filter(({ observed_at }) => observed_at.startsWith(`2026-0${month}`))

async function month(number: number, options = {}) {
  await path.append(observed([CEMENT_25, CEMENT_20, PAINT, ...SUR], number))
  const [report] = await runAt(number, options)
  return report
}

describe('a reference that a vendor uses again', () => {
  test('leaves the item when the size changes, and the old prices stay where they were', async () => {
    await path.append(MARKET)
    await month(1)
    expect(await items()).toEqual({ 'Cemento 25 kg': [510, 2] })
    expect(await month(2)).toMatchObject({ referencesReused: 1, itemsFounded: 1 })
    expect(await items()).toEqual({ 'Cemento 25 kg': [520, 2], 'Cemento 20 kg': [410, 1] })
    expect(await month(3)).toMatchObject({ referencesReused: 1, itemsFounded: 1 })
    expect(await items()).toEqual({ 'Cemento 25 kg': [520, 2], 'Cemento 20 kg': [null, 1], Pintura: [3000, 1] })
    expect(await history('Cemento 25 kg')).toEqual([510, 520])
    expect(await history('Cemento 20 kg')).toEqual([410, null])
    expect(await problems()).toEqual([])
  })

  test('is told to people', async () => {
    await path.append(MARKET)
    for (const number of [1, 2, 3]) await month(number)
    const { text } = await heardBy(catalogOf(path), (catalog, terminal) =>
      showList(REUSED, { catalog, terminal }, { limit: 50 }),
    )
    expect(text).toContain('Norte | A1 | since 2026-03-01T06:00:00Z | article')
    expect(text).toContain('was Cemento 25 kg, u')
    expect(text).toMatch(/is {2}Cemento 20 kg, u \| vsku_\w+ in ci_\w+/)
  })

  test('gives the same by increments, in full, in one run, and when the log is folded again', async () => {
    await path.append(MARKET)
    for (const number of [1, 2, 3]) await month(number)
    const [stepwise, roots] = [await items(), await path.roots()]
    await path.rebuild()
    expect(await path.roots()).toEqual(roots)
    expect(await problems()).toEqual([])
    await runAt(3, { full: true })
    expect(await path.roots()).toEqual(roots)

    await path.reset()
    await path.append([...MARKET, CEMENT_25, CEMENT_20, PAINT, ...SUR])
    await runAt(3)
    // Nobody saw an item whose only vendor had left it before the first run.
    expect(await items()).toEqual(stepwise)
  })

  test('is the same for a history that comes in one list, the newest first', async () => {
    await path.append(MARKET)
    for (const number of [1, 2, 3]) await month(number)
    const stepwise = await items()
    await path.reset()
    const list = [PAINT, CEMENT_20, CEMENT_25, ...SUR].map((one) => ({ ...one, crawl_id: 'crawl-list' }))
    await path.append([...MARKET, ...list])
    for (const number of [1, 2, 3]) await runAt(number)
    expect(await items()).toEqual(stepwise)
    expect(await problems()).toEqual([])
  })

  test('computes a past run again as it was', async () => {
    await path.append(MARKET)
    const runs: string[] = []
    for (const number of [1, 2, 3]) runs.push((await month(number))?.runId as string)
    const reproduced = async (runId: string) => {
      const { answers } = await heardBy(catalogOf(path), (catalog, terminal) => reproduceRun(catalog, terminal, runId))
      return (answers[0] as { items: { name: string; cents: number }[] }).items
        .map(({ cents }) => cents)
        .sort((a, b) => a - b)
    }
    expect(await Promise.all(runs.map(reproduced))).toEqual([[510], [410, 520], [520, 3000]])
  })

  test('comes back to its item with the first article', async () => {
    await path.append(MARKET)
    for (const number of [1, 2]) await month(number)
    await path.append([offer(3, 'Cemento 25 kg', 504)])
    await runAt(3)
    expect(await items()).toEqual({ 'Cemento 25 kg': [512, 2], 'Cemento 20 kg': [null, 1] })
    expect(await problems()).toEqual([])
  })

  test('keeps what is known when an older text arrives late', async () => {
    await path.append([...MARKET, CEMENT_25, SUR[0] as ObservationRecorded])
    await runAt(1)
    await path.append([PAINT, SUR[2] as ObservationRecorded])
    await runAt(3)
    await path.append([CEMENT_20, offer(2, 'Cemento 25 kg', 520, { vendor: 'Sur', ref: 'S1' })])
    expect((await path.run('2026-03-03T00:00:00Z'))[0]).toMatchObject({ referencesReused: 1 })
    expect(await items()).toEqual({ 'Cemento 25 kg': [520, 2], 'Cemento 20 kg': [null, 1], Pintura: [3000, 1] })
    expect(await problems()).toEqual([])
  })

  test('stands for the former article again when the observation is retracted', async () => {
    await path.append(MARKET)
    for (const number of [1, 2]) await month(number)
    await heardBy(catalogOf(path), (catalog) =>
      retract(catalog, { reason: 'a slip', dryRun: false, observation: CEMENT_20.event_id }),
    )
    expect((await path.run('2026-02-03T00:00:00Z'))[0]).toMatchObject({ referencesReused: 1 })
    expect(await items()).toEqual({ 'Cemento 25 kg': [510, 2] })
    expect(await problems()).toEqual([])
  })

  test('appends nothing where a vendor rewords its texts', async () => {
    await path.append(MARKET)
    await month(1)
    await path.append([offer(2, 'Saco de cemento Holcim 25 kg', 505)])
    expect((await runAt(2))[0]).toMatchObject({ referencesReused: 0 })
    expect(await path.store.query(`select from decisions where type = 'ReferenceReused'`)).toEqual([])
  })
})
