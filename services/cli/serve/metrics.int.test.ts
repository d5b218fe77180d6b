import { TOPICS } from '@catalog/core/events/topics.ts'
import { endOf } from '@catalog/log/log.ts'
import { openTestCatalog, tell } from '@catalog/stack/testing/cli.ts'
import { appendTo, observation, registration } from '@catalog/stack/testing/events.ts'
import { closedAfterAll } from '@catalog/stack/testing/fixtures.ts'
import { claimDueMail, markFailed, markSent, queueMail } from '@catalog/store/accounts/mail.ts'
import { createBuild, dropBuild, updateBuildSettings } from '@catalog/store/builds/builds.ts'
import { saveJobRun } from '@catalog/store/jobs.ts'
import { acquireLease } from '@catalog/store/lease.ts'
import { readWork, workNotes } from '@catalog/store/work.ts'
import { expect, test } from 'vitest'
import { serveMetrics } from './metrics.ts'

const opened = closedAfterAll(await openTestCatalog())
const { catalog } = opened

const HERE = { component: 'project', host: '127.0.0.1', port: 0 }
const get = async (port: number, path: string, method = 'GET') => {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method })
  return { status: answer.status, type: answer.headers.get('content-type') ?? '', text: await answer.text() }
}
/** Value of each sample by its name and labels. */
const samplesIn = (text: string) =>
  new Map(
    text.split('\n').flatMap((line) => {
      const [, name, value] = /^(\S+?(?:\{.*\})?) (\S+)$/.exec(line) ?? []
      return line.startsWith('#') || name === undefined
        ? []
        : [[name.replace(/,?component="project",?/, ''), Number(value)]]
    }),
  )

test('metrics say what waits, how the nights went, and what the process takes', async () => {
  await tell(catalog, [registration()])
  const seen = observation()
  await appendTo(catalog.log, [seen])
  await saveJobRun(catalog.store, {
    job: 'aggregate',
    due_at: '2026-11-26T02:00:00Z',
    process: 'host:7',
    began_at: '2026-11-26T02:00:00Z',
    ended_at: '2026-11-26T02:00:09Z',
    outcome: 'failed',
    attempt: 1,
    failure: 'away',
  })
  const lease = { name: 'aggregator', holder: 'host:7', ttlMs: 60_000 }
  await acquireLease(catalog.store, lease)
  workNotes(catalog.store, lease, () => 0)({ stage: 'match', done: 3, total: 9 })
  await expect.poll(() => readWork(catalog.store)).toHaveLength(1)
  await using server = await serveMetrics(catalog, HERE)
  const { status, type, text } = await get(server.port, '/metrics')
  expect([status, type]).toEqual([200, expect.stringMatching(/^text\/plain; version=0\.0\.4/)])
  const samples = samplesIn(text)
  expect(samples.get('catalog_part_up{part="store"}')).toBe(1)
  expect(text).toMatch(/^catalog_build_info\{version="\d+\.\d+\.\d+",component="project"\} 1$/m)
  expect(samples.get('catalog_log_lag_records{projection="vendor",topic="vendor.observations",partition="0"}')).toBe(1)
  expect(samples.get('catalog_job_failed{name="aggregate"}')).toBe(1)
  const stage = '{lease="aggregator",stage="match"}'
  expect([samples.get(`catalog_work_done${stage}`), samples.get(`catalog_work_total${stage}`)]).toEqual([3, 9])
  expect(samples.get('catalog_job_end_timestamp_seconds{name="aggregate"}')).toBe(
    Date.parse('2026-11-26T02:00:09Z') / 1_000,
  )
  expect(samples.get('catalog_changes_seq{}') ?? samples.get('catalog_changes_seq')).toBe(0)
  // Nothing was compared or published yet, which is no figure.
  expect(text).not.toMatch(/^catalog_(verified_ok|run_timestamp_seconds)\b.* /m)
  expect(text).toContain('process_resident_memory_bytes')
  // The projection applied the record.
  await catalog.catchUp()
  const later = samplesIn((await get(server.port, '/metrics')).text)
  expect(later.get('catalog_log_lag_records{projection="vendor",topic="vendor.observations",partition="0"}')).toBe(0)
})

test('a running replay tells what it has still to fold, and whether it is paused', async () => {
  const { build } = await createBuild(catalog.store)
  try {
    await updateBuildSettings(catalog.store, build, { paused: true })
    await using server = await serveMetrics(catalog, HERE)
    const samples = samplesIn((await get(server.port, '/metrics')).text)
    const decisions = '{projection="vendor",topic="catalog.decisions",partition="0"}'
    expect(samples.get('catalog_replay_paused{}')).toBe(1)
    expect(samples.get(`catalog_replay_lag_records${decisions}`)).toBe(
      samples.get(`catalog_log_applied_records${decisions}`),
    )
  } finally {
    await dropBuild(catalog.store, build)
  }
  await using server = await serveMetrics(catalog, HERE)
  expect((await get(server.port, '/metrics')).text).not.toMatch(/^catalog_replay_/m)
})

test('lag grows while nobody projects, whatever the clock of its reader and of the record, and a lost log is told', async () => {
  const place = 'projection="vendor",topic="vendor.observations",partition="0"'
  const seen = observation({ ref: 'late', recordedAt: '2026-11-26T02:00:00Z' })
  const at = async (instant: string, log = catalog.log) => {
    await using server = await serveMetrics({ ...catalog, log, now: () => new Date(instant) }, HERE)
    return samplesIn((await get(server.port, '/metrics')).text)
  }
  await catalog.catchUp()
  expect((await at('2026-11-27T02:00:00Z')).get(`catalog_log_lag_seconds{${place}}`)).toBe(0)
  const before = await endOf(catalog.log, TOPICS.observations)
  await catalog.log.append(TOPICS.observations, [
    // No event, and so without a date.
    { key: 'k', value: 'null' },
    { key: 'k', value: '{' },
    { key: 'k', value: JSON.stringify(seen) },
  ])
  const after = await endOf(catalog.log, TOPICS.observations)
  const [partition] = Object.keys(after).filter((at) => after[at] !== before[at])
  const waiting = `projection="vendor",topic="vendor.observations",partition="${partition}"`
  expect((await at('2026-11-26T02:01:00Z')).get(`catalog_log_lag_seconds{${waiting}}`)).toBe(60)
  expect((await at('2026-11-26T03:00:00Z')).get(`catalog_log_lag_seconds{${waiting}}`)).toBe(3_600)
  expect((await at('2026-11-26T01:00:00Z')).get(`catalog_log_lag_seconds{${waiting}}`)).toBe(0)
  // The log is another one, and ends before what was applied.
  const replaced = {
    ...catalog.log,
    identity: async () => 'another',
    partitions: async () => [{ partition: 0, earliest: 0n, next: 0n }],
  }
  const lost = await at('2026-11-26T03:00:00Z', replaced)
  expect(lost.get(`catalog_log_lag_records{${place}}`)).toBeLessThan(0)
  expect(lost.get(`catalog_log_lag_seconds{${place}}`)).toBeUndefined()
  expect([...lost].filter(([name]) => name.startsWith('catalog_log_replaced'))).toEqual([[expect.anything(), 1]])
})

test('mails that wait and what the embeddings provider took are figures', async () => {
  const at = '2026-11-26T02:00:00Z'
  const { store } = catalog
  for (const recipient of ['a@x.org', 'b@x.org', 'c@x.org'])
    await queueMail(store, { recipient, subject: 'Hola', body: '', at })
  const [failing, sent] = await claimDueMail(store, { at, max: 2 })
  await markFailed(store, { mailId: failing?.mail_id as bigint, attempts: 1, at, error: '451 not now', forGood: false })
  await markSent(store, { mailId: sent?.mail_id as bigint, at })
  const spending = async () => ({ month: '2026-11', tokens: 70n, tokensMax: 100 })
  await using server = await serveMetrics({ ...catalog, spending }, HERE)
  const { text } = await get(server.port, '/metrics')
  for (const line of [
    'mail_waiting{component="project"} 2',
    'mail_failing{component="project"} 1',
    'embedder_tokens{component="project"} 70',
    'embedder_tokens_max{component="project"} 100',
  ])
    expect(text).toContain(`\ncatalog_${line}\n`)
  await using builtin = await serveMetrics(catalog, HERE)
  expect((await get(builtin.port, '/metrics')).text).not.toMatch(/^catalog_embedder_tokens/m)
})

test('a part that is away is 0, its figures are absent, and the others stand', async () => {
  const partitions = () => Promise.reject(new Error('away'))
  await using server = await serveMetrics({ ...catalog, log: { ...catalog.log, partitions } }, HERE)
  const { status, text } = await get(server.port, '/metrics')
  expect(status).toBe(200)
  expect(samplesIn(text).get('catalog_part_up{part="log"}')).toBe(0)
  expect(samplesIn(text).get('catalog_part_up{part="store"}')).toBe(1)
  expect(text).not.toMatch(/^catalog_log_lag_records\{/m)
})

test('a store that takes no writes is 0, keeps its figures, and readiness says so', async () => {
  const store = { ...catalog.store, refusedWrite: () => 'disk' as const }
  await using server = await serveMetrics({ ...catalog, store }, HERE)
  const { text } = await get(server.port, '/metrics')
  expect(samplesIn(text).get('catalog_part_up{part="store"}')).toBe(0)
  expect(text).toMatch(/^catalog_changes_seq\b/m)
  expect(await get(server.port, '/readyz')).toMatchObject({
    status: 200,
    text: 'degraded: the store takes no writes\n',
  })
})

test('health is that of the process, readiness that of its store', async () => {
  const query = () => Promise.reject(new Error('away'))
  await using server = await serveMetrics({ ...catalog, store: { ...catalog.store, query } }, HERE)
  expect((await get(server.port, '/healthz')).status).toBe(200)
  expect((await get(server.port, '/readyz')).status).toBe(503)
  expect((await get(server.port, '/')).status).toBe(404)
  expect((await get(server.port, '/metrics', 'POST')).status).toBe(405)
  await using ready = await serveMetrics(catalog, HERE)
  expect((await get(ready.port, '/readyz')).status).toBe(200)
})

test('a port that is taken is named by its variable', async () => {
  await using server = await serveMetrics(catalog, HERE)
  const again = serveMetrics(catalog, { ...HERE, port: server.port })
  await expect(again).rejects.toThrow(`METRICS_PORT=${server.port} takes no listener: expected a free port`)
})
