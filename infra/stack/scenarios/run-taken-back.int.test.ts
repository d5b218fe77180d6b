import { retract } from '@catalog/operations/decisions/retract.ts'
import { verify } from '@catalog/projector/verify/verify.ts'
import { catalogOf } from '@catalog/stack/path/commands.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { testApi } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { observation, registration } from '@catalog/stack/testing/events.ts'
import { freezeEditions } from '@catalog/store/history/editions.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

/** A run that a wrong clock dated in the future, from the log to what readers see, and back. */

const path = await pathOfFile()
const clock = testClock()
let api: ReturnType<typeof testApi>
afterEach(() => api.close())
const PRESENT = '2026-01-10T09:00:00Z'
const FUTURE = '2026-03-20T02:00:00Z'
const catalog = () => ({
  ...catalogOf(path),
  aggregator: {
    store: path.store,
    log: path.log,
    catchUp: path.project,
    now: () => new Date(path.nowMs),
    newRunId: () => 'none',
    holder: 'operator',
  },
})
const takeBack = (more: object = { reason: 'the clock was wrong' }) =>
  retract(catalog(), { run: future, dryRun: false, ...more })
/** A body of the API, after it saw the last publication. */
const read = async (url: string) => {
  clock.advance(1_000)
  return (await api.inject(url)).json()
}
const itemSeen = async () => {
  const { items } = await read('/v1/items?region=ES')
  const { item, price_history } = await read(`/v1/items/${items[0].id}`)
  const history = price_history.map((point: { recorded_at: string; price_cents: number }) => [
    point.recorded_at,
    point.price_cents,
  ])
  return { cents: item.median_price?.cents ?? null, history }
}
const wrongChecks = async () => (await verify(path)).filter(({ ok }) => !ok)
const freeze = () => freezeEditions(path.store, { licence: null })

let past: string
let future: string
beforeEach(async () => {
  await path.reset()
  api = testApi(path.store, clock)
  path.nowMs = Date.parse(PRESENT)
  await path.append([registration(), observation({ cents: 500, at: '2026-01-05T06:00:00Z' })])
  past = (await path.run('2026-01-06T02:00:00Z'))[0]?.runId as string
  // The price is older than its validity there, so readers lose it.
  path.nowMs = Date.parse(FUTURE)
  future = (await path.run(FUTURE))[0]?.runId as string
  path.nowMs = Date.parse(PRESENT)
})

describe('a run of the future', () => {
  test('stops all others, and the error names the way out', async () => {
    await expect(path.run('2026-01-10T02:00:00Z')).rejects.toThrow(`catalog retract --run ${future} --dry-run`)
    expect(await itemSeen()).toMatchObject({ cents: null })
  })

  test('is taken back by a command that names what readers saw', async () => {
    expect(await freeze()).toEqual(['2026-01'])
    // The replica knows the run before it is taken back.
    expect(await itemSeen()).toMatchObject({ cents: null })
    const seen = await takeBack({ dryRun: true })
    expect(seen.said).toBe(`would take back ${future} of ${FUTURE}: readers saw 1 change of 1 item`)
    expect(seen.remarks).toEqual([
      expect.stringMatching(/^items: ci_\w+ Portland cement/),
      expect.stringMatching(/^frozen too early.*2026-01$/),
    ])
    expect(await path.store.query(`select count(*)::int as n from run_marks where taken_back is not null`)).toEqual([
      { n: 0 },
    ])
    await expect(takeBack({})).rejects.toThrow('--reason')
    await takeBack()
    expect(await wrongChecks()).toEqual([])

    const nextRun = '2026-01-10T09:00:00Z'
    await expect(path.run('2026-01-10T08:59:59Z')).rejects.toThrow('AS_OF_PAST')
    await path.run(nextRun)
    expect(await itemSeen()).toEqual({
      cents: 500,
      history: [
        ['2026-01-06T02:00:00Z', 500],
        [nextRun, 500],
      ],
    })
    expect(await wrongChecks()).toEqual([])
    // The edition stays, and a fold of the log from its beginning freezes the same one.
    const edition = () => path.store.query(`select edition, manifest from editions`)
    const before = await edition()
    await path.rebuild()
    await freeze()
    expect(await edition()).toEqual(before)
    expect(await wrongChecks()).toEqual([])
  })

  test('leaves no point behind when its time comes', async () => {
    await itemSeen()
    await takeBack()
    await path.run(PRESENT)
    path.nowMs = Date.parse('2026-03-21T02:00:00Z')
    await path.append([observation({ cents: 510, at: '2026-03-20T22:00:00Z' })])
    await path.run('2026-03-21T02:00:00Z')
    const { history } = await itemSeen()
    expect(history.map(([at]: [string]) => at)).toEqual(['2026-01-06T02:00:00Z', PRESENT, '2026-03-21T02:00:00Z'])
    await path.rebuild()
    expect(await wrongChecks()).toEqual([])
  })

  test('froze no edition: its month then waits for its own end', async () => {
    await takeBack()
    await path.run(PRESENT)
    expect(await freeze()).toEqual([])
  })

  test('that was never finished is refused, and taken back too', async () => {
    await path.reset()
    await path.append([registration(), observation({ cents: 500 })])
    path.nowMs = Date.parse(FUTURE)
    const log = {
      ...path.log,
      append: async (...given: Parameters<typeof path.log.append>) => {
        if (given[0] === 'catalog.items') throw new Error('killed')
        await path.log.append(...given)
      },
    }
    await expect(path.run(FUTURE, { log })).rejects.toThrow('killed')
    path.nowMs = Date.parse(PRESENT)
    const [begun] = await path.store.query<{ run: string }>(
      `select subject as run from decisions where type = 'RunStarted'`,
    )
    await expect(path.run(PRESENT)).rejects.toThrow(/AS_OF_FUTURE.*not finished/)
    await takeBack({ run: begun?.run, reason: 'the clock was wrong' })
    await path.run(PRESENT)
    expect((await itemSeen()).cents).toBe(500)
    expect(await wrongChecks()).toEqual([])
  })

  test('is nothing of the past, and no run at all', async () => {
    await expect(takeBack({ run: past })).rejects.toThrow('is of 2026-01-06T02:00:00Z, which is past')
    await expect(takeBack({ run: 'none' })).rejects.toThrow('expected one that stands')
  })
})
