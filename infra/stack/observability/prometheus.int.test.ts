import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { aggregate } from '@catalog/aggregator/run.ts'
import { openCatalog } from '@catalog/cli/shared/wire.ts'
import { observationKey, TOPICS } from '@catalog/core/events/topics.ts'
import { instant, MINUTE_MS } from '@catalog/core/time.ts'
import { readEnvironment } from '@catalog/runtime/env.ts'
import { addressOf, freePort, startCatalog } from '@catalog/stack/servers/command.ts'
import { type Prometheus, prometheusAvailable, startPrometheus } from '@catalog/stack/servers/prometheus.ts'
import { observation, registration } from '@catalog/stack/testing/events.ts'
import { testDataDir } from '@catalog/stack/testing/store.ts'
import { saveVerified } from '@catalog/store/builds/verify.ts'
import { saveJobRun } from '@catalog/store/jobs.ts'
import { acquireLease } from '@catalog/store/lease.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ALERTS, FOLDER, QUERIES } from './queries.ts'

const missing = prometheusAvailable()
if (missing !== null) process.stderr.write(`skipped: the dashboard on a real Prometheus: ${missing}\n`)

/** Two scrapes and some rest. */
const RATE_INTERVAL = '10s'
const POLL_MS = 500
const DATA_WITHIN_MS = 40_000
/** The built-in model spends no tokens. */
const EMPTY = 'Tokens of this month'

describe.skipIf(missing !== null)('Prometheus beside a running catalog', () => {
  const running = new AsyncDisposableStack()
  let prometheus: Prometheus
  let address: string
  beforeAll(async () => {
    const data = await testDataDir()
    running.defer(() => rmSync(data, { recursive: true, force: true }))
    await fill(data)
    const port = await freePort()
    // The test asks again and again.
    const env = { METRICS_PORT: String(port), RATE_LIMIT_ANON_PER_MIN: '100000' }
    const catalog = running.use(startCatalog(['up', '--port', '0', '--json'], { data, env }))
    address = await addressOf(catalog)
    await lead(data)
    prometheus = running.use(await startPrometheus({ target: `127.0.0.1:${port}`, rules: join(FOLDER, 'alerts.yaml') }))
  })
  afterAll(() => running.disposeAsync())

  const holds = async (expr: string) => {
    const { result } = (await prometheus.get('query', {
      query: expr.replaceAll('$__rate_interval', RATE_INTERVAL),
    })) as { result: readonly { value: readonly [number, string] }[] }
    return result.some(({ value: [, text] }) => text !== 'NaN')
  }

  test('every query of the dashboard is accepted and has data', async () => {
    const withoutData = async () => {
      await Promise.all(['/items?limit=5', '/nothing'].map((path) => fetch(`${address}${path}`)))
      const found = await Promise.all(QUERIES.map(async (query) => ({ ...query, holds: await holds(query.expr) })))
      return found
        .filter(({ title, holds }) => holds === (title === EMPTY))
        .map(({ title, expr }) => `${title}: ${expr}`)
    }
    await expect.poll(withoutData, { timeout: DATA_WITHIN_MS, interval: POLL_MS }).toEqual([])
  })

  test('every alert is evaluated without an error, and none even waits to fire for a catalog that is well', async () => {
    type Rules = { groups: { rules: { name: string; health: string; lastError?: string; state: string }[] }[] }
    const rules = async () => ((await prometheus.get('rules')) as Rules).groups.flatMap(({ rules }) => rules)
    await expect
      .poll(async () => (await rules()).map(({ name, health, state }) => `${name} ${health} ${state}`).sort(), {
        timeout: DATA_WITHIN_MS,
      })
      .toEqual(ALERTS.map(({ name }) => `${name} ok inactive`).sort())
  })
})

const open = (data: string) => openCatalog(readEnvironment({ CATALOG_DATA: data, LOG_LEVEL: 'silent' }))

/** A leader that goes on: one before the start would be void with its process. */
async function lead(data: string): Promise<void> {
  await using catalog = await open(data)
  await acquireLease(catalog.store, { name: 'a leader', holder: 'host:7', ttlMs: 10 * MINUTE_MS })
}

/** A catalog with a price, a dead letter, a night and a comparison. */
async function fill(data: string): Promise<void> {
  await using catalog = await open(data)
  const { store, log } = catalog
  const source = registration()
  await log.append(TOPICS.decisions, [
    { key: source.source.id, value: JSON.stringify(source) },
    { key: 'no event', value: '{}' },
  ])
  const seen = observation()
  await log.append(TOPICS.observations, [
    { key: observationKey(seen.source.id, seen.vendor_ref), value: JSON.stringify(seen) },
  ])
  await catalog.catchUp()
  const now = instant(catalog.now())
  await aggregate(catalog.aggregator, { asOf: now })
  await catalog.catchUp()
  const night = { due_at: now, process: 'host:7', began_at: now, ended_at: now, attempt: 1, failure: null }
  await saveJobRun(store, { ...night, job: 'aggregate', outcome: 'done' })
  await saveVerified(store, { at: now, duration_s: 1, ok: true, positions: {}, first_difference: null })
}
