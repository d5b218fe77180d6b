import type { CrawlFinished } from '@catalog/core/events/crawls.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { heldCommands } from '@catalog/operations/status.ts'
import { heardOf, listening, openTestCatalog } from '@catalog/stack/testing/cli.ts'
import { appendTo, event, registration } from '@catalog/stack/testing/events.ts'
import { closedAfterAll } from '@catalog/stack/testing/fixtures.ts'
import { acquireLease, releaseLease } from '@catalog/store/lease.ts'
import { insertCrawlReports } from '@catalog/store/vendor/crawls.ts'
import { registerSources } from '@catalog/store/vendor/decisions.ts'
import { readWork, workNotes } from '@catalog/store/work.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { status } from './status.ts'

const opened = closedAfterAll(await openTestCatalog())
const { catalog } = opened
beforeEach(() => catalog.store.query('truncate crawl_reports, sources cascade'))

const report = (source_id: string, day: string, more: Partial<CrawlFinished> = {}) =>
  catalog.store.transaction((tx) =>
    insertCrawlReports(tx, [
      {
        event: {
          ...event({
            type: 'CrawlFinished',
            source_id,
            crawl_id: `crawl-${day}`,
            complete: true,
            read: 8,
            appended: 4,
            duplicates: 2,
            parked: 2,
            ...more,
          }),
          recorded_at: `2026-11-${day}T05:00:00Z`,
        },
        partition: 0,
        offset: 0n,
      },
    ]),
  )
test('says what it can while the log or the index is away, and which by its exit code', async () => {
  const away = () => Promise.reject(new Error('connect ECONNREFUSED'))
  const { heard, terminal } = listening()
  const withoutLog = { ...catalog, log: { ...catalog.log, partitions: away } }
  expect(await status(withoutLog, terminal)).toBe(3)
  expect(heard.answers[0]).toMatchObject({
    away: [{ part: 'log', reason: 'connect ECONNREFUSED' }],
    index: { docs: 0 },
  })
  expect(heard.text).toMatch(/\nTHE LOG DOES NOT ANSWER: connect ECONNREFUSED\n/)
  expect(await status({ ...catalog, index: { ...catalog.index, state: away } }, terminal)).toBe(4)
  expect(heard.answers[1]).toMatchObject({ away: [{ part: 'index' }], index: { seq: null, docs: null } })
  expect((heard.answers[1] as { projections: object[] }).projections.length).toBeGreaterThan(1)
  expect(await status(catalog, terminal)).toBe(0)
})

test('says for how long the oldest record waits', async () => {
  const { heard, terminal } = listening()
  await appendTo(catalog.log, [registration({ vendor: 'Sur', at: '2026-01-05T07:00:00Z' })])
  const now = () => new Date('2026-01-05T07:02:00.5Z')
  await status({ ...catalog, now }, terminal)
  const { projections } = heard.answers[0] as { projections: { name: string; topic: string; lag_seconds: number }[] }
  expect(projections.filter(({ topic }) => topic === TOPICS.decisions)).toContainEqual(
    expect.objectContaining({ name: 'vendor', lag: 1, lag_seconds: 120.5 }),
  )
  expect(heard.text).toMatch(/^vendor +catalog\.decisions +0 +0 +1 +1 +121$/m)
})

test('says how far a run is, and of a killed one that it ended', async () => {
  const lease = { name: 'aggregator', holder: 'host:7', ttlMs: 60_000 }
  await acquireLease(catalog.store, lease)
  workNotes(catalog.store, lease, () => 0)({ stage: 'join', done: 3_000, total: 12_000 })
  await expect.poll(() => readWork(catalog.store)).toHaveLength(1)
  expect((await heardOf((to) => status(catalog, to))).text).toContain(
    '\nat work  aggregator: join, 3000 of 12000 (25 %)\n',
  )
  await acquireLease(catalog.store, { ...lease, ttlMs: -1 })
  const { value, text } = await heardOf<{ work: object[] }>((to) => status(catalog, to))
  expect(text).toContain('(25 %), its process ended 0 s ago, run it again\n')
  expect(value.work).toMatchObject([{ name: 'aggregator', done: 3_000, per_second: null, stale: true }])
  await releaseLease(catalog.store, lease)
  expect((await heardOf((to) => status(catalog, to))).text).toContain('\nat work  nothing\n')
})

const shown = async () => {
  const { value, text, next } = await heardOf<{ crawls: Record<string, unknown> }>((to) => status(catalog, to))
  return { crawls: value.crawls, text, next }
}

describe('the crawls of `catalog status`', () => {
  test('are only counted if all went well', async () => {
    expect((await shown()).crawls).toEqual({ sources: 0, failing: 0, held: 0, with_problems: 0, problems: [] })
    await report('src_a', '01')
    await report('src_b', '01', { outcome: 'unchanged' })
    const { crawls, text } = await shown()
    expect(crawls).toEqual({ sources: 2, failing: 0, held: 0, with_problems: 0, problems: [] })
    expect(text).toMatch(/\n\ncrawls {3}2 sources, 0 failing, 0 held, 0 with problems\n\nindex/)
  })

  test('show operators why a source fails or is held, with addresses', async () => {
    const north = registration({ vendor: 'Norte' })
    await catalog.store.transaction((tx) => registerSources(tx, [{ event: north, partition: 0, offset: 0n }]))
    const { id } = north.source
    const health = { known: 20, vanished: 15, changed: 1, drift: 0.125, layout: {} }
    const vanished = {
      code: 'SKUS_VANISHED',
      detail: '15 of 20\nSKUs are missing',
      examples: ['S-1: 4.85 EUR\nbefore'],
    }
    const refused = { code: 'NOT_FETCHED', detail: 'http://10.0.0.7/a: status 500' }
    await report(id, '01')
    await report(id, '02', { outcome: 'held', health, problems: [vanished], started_at: '2026-11-02T04:00:00Z' })
    await report(id, '03', {
      outcome: 'failed',
      complete: false,
      read: 0,
      appended: 0,
      duplicates: 0,
      parked: 0,
      missed: 1,
      problems: [refused, refused, refused],
    })
    await report('src_new', '03', { outcome: 'held', health, problems: [vanished], started_at: '2026-11-03T04:00:00Z' })
    // Lag comes before held crawls.
    await catalog.catchUp()
    const { crawls, text, next } = await shown()
    expect(crawls).toMatchObject({ sources: 2, failing: 1, held: 2, with_problems: 2 })
    expect(next).toMatch(/^2 crawls are held: catalog sources accept src_\w+, or catalog sources drop src_\w+ --reason/)
    expect(crawls.problems).toEqual(
      [
        {
          source_id: id,
          name: 'Norte',
          crawl_id: 'crawl-03',
          outcome: 'failed',
          complete: false,
          missed: 1,
          started_at: null,
          finished_at: '2026-11-03T05:00:00Z',
          parse_rate: null,
          known: null,
          vanished: null,
          changed: null,
          drift: null,
          last_complete_crawl: { id: 'crawl-01', finished_at: '2026-11-01T05:00:00Z' },
          held_crawl: 'crawl-02',
          held_commands: heldCommands(id),
          problems: [
            { crawl_id: 'crawl-02', ...vanished },
            ...Array.from({ length: 3 }, () => ({ crawl_id: 'crawl-03', ...refused })),
          ],
        },
        {
          source_id: 'src_new',
          name: 'src_new',
          crawl_id: 'crawl-03',
          outcome: 'held',
          complete: true,
          missed: 0,
          started_at: '2026-11-03T04:00:00Z',
          finished_at: '2026-11-03T05:00:00Z',
          parse_rate: 0.75,
          known: 20,
          vanished: 15,
          changed: 1,
          drift: 0.125,
          last_complete_crawl: null,
          held_crawl: 'crawl-03',
          held_commands: heldCommands('src_new'),
          problems: [{ crawl_id: 'crawl-03', ...vanished }],
        },
      ].sort((a, b) => (a.source_id < b.source_id ? -1 : 1)),
    )
    expect(text).toContain('\ncrawls   2 sources, 1 failing, 2 held, 2 with problems\nSOURCE ')
    expect(text).toMatch(/\nsrc_new +src_new +held +2026-11-03T04:00:00Z +75\.0 % .* never +crawl-03\n/)
    expect(text).toContain(
      '\n  Norte: SKUS_VANISHED: 15 of 20 SKUs are missing\n  Norte:   for example S-1: 4.85 EUR before\n',
    )
    expect(text).toContain(
      `\n  Norte: crawl-02 waits for catalog sources accept ${id}, or catalog sources drop ${id} --reason "..."`,
    )
    expect(text).toContain('\n  Norte: and 1 more\n')
  })

  test('list at most 50 sources with problems, and count the rest', async () => {
    for (let n = 0; n < 52; n++) await report(`src_${n}`, '01', { outcome: 'failed' })
    const { crawls, text } = await shown()
    expect([crawls.with_problems, (crawls.problems as unknown[]).length]).toEqual([52, 50])
    expect(text).toContain('\nand 2 more sources\n')
  })
})
