import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { aggregateRuns } from '@catalog/cli/aggregate/aggregate.ts'
import { explain } from '@catalog/cli/inspect/explain.ts'
import { answerWhatIf, type WhatIfFlags } from '@catalog/cli/what-if/what-if.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { type Mirror, openMirror } from '@catalog/mirror/mirror.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import type { Published, WhatIfAnswer } from '@catalog/operations/what-if/answer.ts'
import { digestNewestMark } from '@catalog/projector/digests.ts'
import { verify } from '@catalog/projector/verify/verify.ts'
import { openSampleDay } from '@catalog/stack/path/sample-catalog.ts'
import { freePort } from '@catalog/stack/servers/machine.ts'
import { testApi } from '@catalog/stack/testing/api.ts'
import { listening } from '@catalog/stack/testing/cli.ts'
import { type TestClock, testClock } from '@catalog/stack/testing/clock.ts'
import { catalogRoot, readSeq } from '@catalog/store/builds/status.ts'
import { lastFinishedRun } from '@catalog/store/vendor/runs.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const NEXT_DAY = '2026-11-21'
const NOW = new Date('2026-11-21T06:00:00Z')

let folder: string
let stack: AsyncDisposableStack
let catalog: Catalog
let mirror: Mirror
let clock: TestClock
beforeAll(async () => {
  stack = new AsyncDisposableStack()
  const opened = stack.use(await openSampleDay({ day: '2026-11-20', now: NOW }))
  ;({ folder, catalog } = opened)

  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  clock = testClock(NOW.toISOString())
  const api = testApi(catalog.store, clock, { publicBaseUrl: origin })
  stack.defer(() => api.close())
  await api.listen({ host: '127.0.0.1', port })
  const copy = stack.adopt(new DatabaseSync(':memory:'), (database) => database.close())
  mirror = stack.use(
    openMirror({ url: `${origin}/v1`, scope: 'items', into: copy, now: () => clock.at, wait: async () => {} }),
  )
  await synced()
})
afterAll(() => stack.disposeAsync())

async function runAt(day: string) {
  const { heard, terminal } = listening()
  await aggregateRuns(catalog, terminal, { asOfs: [`${day}T00:00:00Z`], full: false })
  return (heard.answers[0] as { runs: readonly { run_id: string; changed: number }[] }).runs
}

/** Number of changes that the mirror received; afterwards it equals the origin. */
async function synced(): Promise<number> {
  await digestNewestMark(catalog.store)
  clock.advance(POLL_MS)
  const { applied, repaired, state } = await mirror.sync()
  expect(repaired).toBe(0)
  expect(state).toMatchObject({
    seq: Number(await readSeq(catalog.store)),
    proved: { root: await catalogRoot(catalog.store) },
  })
  return applied
}

/** Outlasts the API's memory of where its feeds end. */
const POLL_MS = 60_000

async function asked(flags: Partial<WhatIfFlags>) {
  const { heard, terminal } = listening({ json: false })
  const signal = new AbortController().signal
  await answerWhatIf({ catalog, terminal, signal }, { top: '5', ...flags })
  return { answer: heard.answers[0] as WhatIfAnswer, ...heard }
}

/** The ids in a CSV file. */
const listed = (path: string) =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',')[0] as string)

async function ends() {
  const topics = await Promise.all(Object.values(TOPICS).map((topic) => catalog.log.partitions(topic)))
  return topics.flat().map(({ next }) => next)
}

test('the same facts give the same report, byte for byte', async () => {
  const report = async () => JSON.stringify((await asked({ without: ['Almacenes Ribazo'], method: 'twm/2' })).answer)
  const made = await report()
  expect(made).toMatch(/twm\/2.*Almacenes Ribazo/)
  expect(await report()).toBe(made)
})

describe('accepting a report publishes exactly it, and no mirror misses any of it', () => {
  test.each<[string, Partial<WhatIfFlags>]>([
    [
      'other trust, a source without a say, and another method',
      {
        method: 'twm/2',
        without: ['Base de Precios Altozano'],
        trust: ['Almacenes Ribazo=1', 'Contratas Valdeherrera=99'],
      },
    ],
    [
      'all of it taken back',
      {
        method: 'twm/3',
        with: ['Base de Precios Altozano'],
        trust: ['Almacenes Ribazo=50', 'Contratas Valdeherrera=50'],
      },
    ],
  ])('%s', async (_what, question) => {
    const [seq, run] = [await readSeq(catalog.store), await lastFinishedRun(catalog.store)]
    const { answer: report, next } = await asked({ ...question, csv: join(folder, 'report.csv') })
    expect(report.published).toBeNull()
    expect(report.events.changes).toBeGreaterThan(0)
    expect(next).toContain('--accept --reason')
    expect(await synced()).toBe(0)

    const accepting = { ...question, accept: true, reason: 'audited' }
    const { answer, text, next: then } = await asked({ ...accepting, csv: join(folder, 'accepted.csv') })
    expect({ ...answer, published: null }).toEqual(report)
    const { run_id, decisions, ...published } = answer.published as Published
    expect(published).toEqual({
      resumed: false,
      changes: report.events.changes,
      basis_only: report.events.basis_only,
    })
    expect(text).toContain(`run ${run_id} published ${report.events.changes} changes, and`)
    expect(then).toBe(`catalog explain ITEM --run ${run_id}`)
    expect(decisions.length).toBeGreaterThan(0)
    for (const { decided_at, reason } of decisions) expect([decided_at, reason]).toEqual([run?.asOf, 'audited'])

    // The feed has those items, each once, and the mirror equals the catalog.
    expect(await synced()).toBe(report.events.changes)
    const changed = await catalog.store.query<{ id: string }>(`select item_id as id from changes where seq > $1`, [seq])
    const ids = new Set(changed.map(({ id }) => id))
    expect([ids.size, changed.length]).toEqual([report.events.changes, report.events.changes])
    const different = listed(join(folder, 'accepted.csv'))
    expect(different).toEqual(listed(join(folder, 'report.csv')))
    for (const id of different) expect(ids).toContain(id)
    const renewed = await catalog.store.query(`select from items where run_id = $1`, [run_id])
    expect(renewed.length).toBe(report.events.changes + report.events.basis_only)
    expect(await lastFinishedRun(catalog.store)).toMatchObject({ runId: run_id, asOf: run?.asOf })

    const after = await ends()
    const again = await asked(accepting)
    expect(again.answer.published).toEqual({
      run_id: null,
      resumed: false,
      decisions: [],
      changes: 0,
      basis_only: 0,
    })
    expect(again.text).toContain('nothing was published: this rule already makes the prices')
    expect(await ends()).toEqual(after)
    expect(await synced()).toBe(0)
  })

  test('later runs, and explanations, use the accepted method', async () => {
    const { answer } = await asked({ method: 'twm/2', accept: true, reason: 'audited' })
    const [mover] = answer.largest.changed
    const explained = async (at: { runId?: string }) => {
      const { heard, terminal } = listening()
      await explain(catalog, terminal, { itemId: mover?.item_id as string, ...at })
      return heard.answers[0] as { median: object; basis: { method_version: string } }
    }
    const [before, then] = [answer.run_id as string, answer.published?.run_id as string]
    expect(await explained({ runId: before })).toMatchObject({
      median: mover?.before,
      basis: { method_version: 'twm/3' },
    })
    expect(await explained({ runId: then })).toMatchObject({ median: mover?.after, basis: { method_version: 'twm/2' } })
    expect(await explained({})).toMatchObject({ median: mover?.after, basis: { method_version: 'twm/2' } })

    expect(await runAt(NEXT_DAY)).toMatchObject([{ changed: 0 }])
    expect(await lastFinishedRun(catalog.store)).toMatchObject({ asOf: `${NEXT_DAY}T00:00:00Z`, method: 'twm/2' })
    expect(await synced()).toBe(answer.events.changes)
    const sums = await asked({ method: 'twm/2' })
    expect([sums.answer.method, sums.answer.not_reproduced]).toEqual([{ before: 'twm/2', after: 'twm/2' }, 0])
    expect((await verify(catalog)).filter(({ ok }) => !ok)).toEqual([])
  })
})
