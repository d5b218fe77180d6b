import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { aggregate } from '@catalog/aggregator/run.ts'
import { buildApi } from '@catalog/api/server.ts'
import { limitsOf } from '@catalog/cli/access/rate-limits.ts'
import { catalogChecks } from '@catalog/cli/doctor/catalog-checks.ts'
import { status } from '@catalog/cli/inspect/status.ts'
import { calibrateEmbedder, expectCalibrated, saveCalibration } from '@catalog/cli/shared/calibrations.ts'
import type { Terminal } from '@catalog/cli/shared/terminal.ts'
import { openCatalog } from '@catalog/cli/shared/wire.ts'
import { sha256Bytes } from '@catalog/core/digest.ts'
import { builtinVector } from '@catalog/embed/builtin/builtin.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { readEnvironment } from '@catalog/runtime/env.ts'
import { openLogger } from '@catalog/runtime/run.ts'
import { memoryReplica } from '@catalog/stack/store/replica.ts'
import { listening } from '@catalog/stack/testing/cli.ts'
import { appendTo, observation, registration } from '@catalog/stack/testing/events.ts'
import { testDataDir } from '@catalog/stack/testing/store.ts'
import { readCounts } from '@catalog/store/builds/status.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Loading } from './loading.ts'
import { project } from './project.ts'
import { serve } from './serve.ts'
import { up } from './up.ts'

const hashed = (model: string, text: string) => Array.from(sha256Bytes(`${model} ${text}`), (byte) => byte - 127.5)
/** The built-in model's vector with a common direction: cosines from .7 to 1, as those of e5. */
const narrow = (text: string) => [Math.sqrt(0.7), ...(builtinVector(text) ?? []).map((part) => Math.sqrt(0.3) * part)]

/** An embeddings provider that fails while `isAway`. */
let provider: Server
let isAway: boolean
let asked: number
let folder: string
let url: string
beforeEach(async () => {
  ;[isAway, asked] = [false, 0]
  provider = createServer(async (request, response) => {
    asked++
    const body = (await request.setEncoding('utf8').toArray()).join('')
    if (isAway) {
      response.writeHead(401).end()
      return
    }
    const { input, model } = JSON.parse(body) as { input: string[]; model: string }
    const data = input.map((text, index) => ({ index, embedding: model === 'e5' ? narrow(text) : hashed(model, text) }))
    response.end(JSON.stringify({ data, usage: { total_tokens: 5 * input.length } }))
  }).listen(0, '127.0.0.1')
  await once(provider, 'listening')
  url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`
  folder = await testDataDir()
})
afterEach(() => {
  provider.closeAllConnections()
  provider.close()
  rmSync(folder, { recursive: true, force: true })
})

const environment = (more: Record<string, string> = {}) =>
  readEnvironment({
    CATALOG_DATA: folder,
    LOG_LEVEL: 'silent',
    EMBEDDINGS_URL: url,
    EMBEDDINGS_MODEL: 'one',
    EMBEDDINGS_DIMS: '32',
    EMBEDDINGS_KEY: 'sk-secret',
    ...more,
  })

const listed = (ref: string, name: string) =>
  observation({ vendor: 'Norte', ref, name, unit: 'u', crawl: 'c1', cents: 100, at: '2026-01-01T00:00:00Z' })

/** Opens the catalog, with a calibration that leaves cosines as they are. */
async function openCalibrated(more: Record<string, string> = {}): Promise<Catalog> {
  {
    await using catalog = await openCatalog(environment(more))
    await saveCalibration(catalog.store, catalog.embedder, { slope: 1, offset: 0 })
  }
  return openCatalog(environment(more))
}

/** Publishes two items. */
async function publish(catalog: Catalog): Promise<void> {
  const listings = [listed('R1', 'Ceramic brick'), listed('R2', 'Roof window')]
  await appendTo(catalog.log, [registration({ vendor: 'Norte', trust: 50 }), ...listings])
  await aggregate(catalog.aggregator, { asOf: '2026-01-02T00:00:00Z' })
}

async function ask({ store, index, embedder }: Catalog, q: string) {
  await using replica = memoryReplica(store)
  const api = buildApi({
    store,
    replica,
    index,
    embedder,
    publicBaseUrl: 'http://127.0.0.1',
    limits: limitsOf(environment()),
    dataLicence: null,
    trustedProxies: [],
    snapshotDir: folder,
    now: () => new Date(),
    log: openLogger('silent', 'mail'),
  })
  try {
    const answer = await api.inject({ url: `/v1/search?q=${encodeURIComponent(q)}` })
    const { mode, results, retry_after_seconds: retryAfterSeconds } = answer.json()
    const names = (results as { name: string }[] | undefined)?.map(({ name }) => name)
    return answer.statusCode === 200 ? { mode, names } : { status: answer.statusCode, retryAfterSeconds }
  } finally {
    await api.close()
  }
}

async function statusOf(catalog: Catalog): Promise<{ value: Record<string, unknown>; text: string }> {
  const { heard, terminal } = listening()
  await status(catalog, terminal)
  return { value: heard.answers[0] as Record<string, unknown>, text: heard.text }
}

test('an unavailable provider delays only the index: runs publish, and the index catches up later', async () => {
  isAway = true
  await using catalog = await openCalibrated()
  await publish(catalog)
  await catalog.catchUp()
  expect(await readCounts(catalog.store)).toMatchObject({ observations: 2, items: 2 })
  expect(await catalog.index.state()).toEqual({ seq: 0n, documents: 0, vectors: 0 })
  expect(await ask(catalog, 'ceramic brick')).toEqual({ status: 503, retryAfterSeconds: 60 })

  isAway = false
  await catalog.catchUp()
  expect(await catalog.index.state()).toEqual({ seq: 2n, documents: 2, vectors: 2 })
  expect(await ask(catalog, 'Ceramic brick')).toMatchObject({ mode: 'vector', names: ['Ceramic brick'] })
})

test('while a provider is unavailable, projection goes on and retries it only after a pause', async () => {
  isAway = true
  const env = environment()
  await using catalog = await openCatalog(env)
  await publish(catalog)
  const stopping = new AbortController()
  const terminal = {} as Terminal
  const projecting = project({ catalog, env, terminal, signal: stopping.signal })
  await appendTo(catalog.log, [listed('R3', 'Oak door')])
  await expect.poll(async () => (await readCounts(catalog.store)).observations, { timeout: 60_000 }).toBe(3)
  await expect.poll(() => asked, { timeout: 60_000 }).toBeGreaterThan(0)
  // Several polls of the changes.
  await catalog.store.query(`select pg_sleep(1)`)
  expect(asked).toBe(1)
  stopping.abort()
  await projecting
})

test("a new model searches by words until its index is full, and the old model's index stays unchanged", async () => {
  {
    await using catalog = await openCalibrated()
    await publish(catalog)
    await catalog.catchUp()
    expect(await ask(catalog, 'Roof window')).toMatchObject({ mode: 'vector' })
  }
  {
    await using catalog = await openCalibrated({ EMBEDDINGS_MODEL: 'two' })
    expect(await ask(catalog, 'Roof window')).toEqual({ mode: 'fallback_no_ai', names: ['Roof window'] })
    await catalog.catchUp()
    await expect.poll(() => first(catalog, 'Roof window')).toEqual(['vector', 'Roof window'])
  }
  await using catalog = await openCalibrated()
  expect(await first(catalog, 'Roof window')).toEqual(['vector', 'Roof window'])

  async function first(of: Catalog, query: string) {
    const { mode, names } = await ask(of, query)
    return [mode, names?.[0]]
  }
})

test("status shows the month's budget, and a spent budget refuses queries with Retry-After", async () => {
  await using catalog = await openCalibrated({ EMBEDDINGS_BUDGET_TOKENS: '60' })
  await publish(catalog)
  await catalog.catchUp()
  const month = new Date().toISOString().slice(0, 7)
  const { value, text } = await statusOf(catalog)
  expect(value.embedder).toEqual({
    model: 'one',
    dims: 32,
    fingerprint: catalog.embedder.fingerprint,
    budget: { month, tokens: 10, tokens_max: 60 },
  })
  expect(value.index).toEqual({ adapter: 'exact', seq: 2, docs: 2, vectors: 2 })
  expect(text).toContain(`10 of 60 tokens spent in ${month}`)
  expect(JSON.stringify(value) + text).not.toContain('sk-secret')

  const answer = await ask(catalog, 'a query that has more letters than there are tokens left')
  expect(answer.status).toBe(503)
  expect(answer.retryAfterSeconds).toBeGreaterThan(0)
  expect(answer.retryAfterSeconds).toBeLessThanOrEqual(3_600)
})

test('an uncalibrated model is refused; once calibrated, every process refuses what is not stocked', async () => {
  const env = environment({ EMBEDDINGS_MODEL: 'e5', EMBEDDINGS_DIMS: '97' })
  {
    await using catalog = await openCatalog(env)
    await publish(catalog)
    await catalog.catchUp()
    const context = { catalog, env, terminal: listening().terminal, signal: AbortSignal.timeout(60_000) }
    const options = { host: '127.0.0.1', sample: true, loading: { to() {} } as unknown as Loading }
    for (const command of [serve, up]) {
      await expect(command(context, options)).rejects.toThrow('run catalog embedder calibrate')
    }
    expect(await embedderCheck(catalog)).toMatchObject({ state: 'error' })
    expect(await ask(catalog, 'ceramic brick')).toMatchObject({ status: 503 })
    const { heard, terminal } = listening()
    await calibrateEmbedder({ ...context, terminal })
    expect(heard.text).toContain('e5 is calibrated')
  }
  await using catalog = await openCatalog(env)
  expect(await embedderCheck(catalog)).toMatchObject({ state: 'ok' })
  expect(await ask(catalog, 'clay bricks')).toMatchObject({ mode: 'vector', names: ['Ceramic brick'] })
  expect(await ask(catalog, 'winter tyres')).toEqual({ mode: 'vector_no_match', names: [] })

  async function embedderCheck(of: Catalog) {
    return (await catalogChecks(of)).find(({ check }) => check === 'embedder')
  }
})

test('the built-in model needs no calibration', async () => {
  await using catalog = await openCatalog(readEnvironment({ CATALOG_DATA: folder, LOG_LEVEL: 'silent' }))
  expectCalibrated(catalog.embedder)
  const stage = { catalog, terminal: listening().terminal, signal: AbortSignal.timeout(60_000) }
  await expect(calibrateEmbedder(stage)).rejects.toThrow('expected EMBEDDINGS_URL')
})
