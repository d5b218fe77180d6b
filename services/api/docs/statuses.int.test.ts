import { execFile } from 'node:child_process'
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { LIMITS } from '@catalog/api/callers/rate-limits.ts'
import { ErrorBody } from '@catalog/api/contract/contract.ts'
import { ERRORS } from '@catalog/api/http/errors.ts'
import { LOAD_MAX } from '@catalog/api/http/load-shedding.ts'
import type { Api } from '@catalog/api/server.ts'
import {
  embedderOf,
  noteSnapshot,
  observe,
  publish,
  testApi,
  testId,
  wordIndex,
  writeSnapshotFiles,
} from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { readMeta } from '@catalog/store/checkpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

/**
 * Runs the table of docs/api.md line by line with curl against live servers: every documented status and every error
 * code.
 */
const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/api.md'), 'utf8')
const [, SECTION = ''] = PAGE.split('\n## Statuses\n')
const PREAMBLE = /^```sh\n(.*?)^```$/ms.exec(SECTION)?.[1] as string
const ROWS = [...SECTION.matchAll(/^\| (\d{3})(?: `(\w+)`)? \| (?:([^|`]+): )?`(.*)` \|$/gm)].map(
  ([, status, error, server, command]) => ({
    status: Number(status),
    error,
    says: error ?? 'success',
    command: command as string,
    server,
  }),
)

const store = await storeOfFile()
const clock = testClock()
let healthy: Api
const folder = mkdtempDisposableSync(join(tmpdir(), 'statuses-'))
const variables: Record<string, string> = { CURL_HOME: folder.path }

beforeAll(async () => {
  await observe(store, { vendor_sku_id: testId('vsku_', 'a'), observed_at: '2026-11-01T00:00:00Z', cents: 100 })
  await publish(store, { id: testId('ci_', 'a'), name: 'Drywall', vendor_sku_ids: [testId('vsku_', 'a')] })
  await publish(store, { id: testId('ci_', 'b'), name: 'Drywall screws' })
  const gen = (await readMeta(store, 'gen')) as string
  const snapshotDir = join(folder.path, 'snapshots')
  writeSnapshotFiles(snapshotDir, { gen, seq: 1 })
  await noteSnapshot(store, { seq: 1n })
  healthy = testApi(store, clock, { limits: LIMITS, snapshotDir })
  // curl prints the status on its own line after the body.
  writeFileSync(join(folder.path, '.curlrc'), 'silent\nmax-time = 20\n')
  const preamble = PREAMBLE.replace('http://127.0.0.1:8080/v1', await listen(healthy))
  const names = [...preamble.matchAll(/^(\w+)=/gm)].map(([, name]) => name as string)
  const { stdout } = await shell(
    `set -eo pipefail\n${preamble}\nfor name in ${names.join(' ')}; do echo "\${!name}"; done`,
  )
  for (const [i, value] of stdout.trimEnd().split('\n').entries()) {
    expect(value).not.toBe('')
    variables[names[i] as string] = value
  }
  writeFileSync(join(folder.path, '.curlrc'), 'silent\nmax-time = 20\nwrite-out = "\\n%{http_code}\\n"\n')
})
afterAll(async () => {
  await healthy.close()
  folder.remove()
})

const shell = (command: string) =>
  promisify(execFile)('bash', ['-c', command], { env: { PATH: process.env.PATH, ...variables } })

async function listen(api: Api): Promise<string> {
  if (!api.server.listening) await api.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${(api.server.address() as { port: number }).port}/v1`
}

const away = async () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))

/** Starts faulty servers, keyed by the words of the third column. */
const SERVERS: Record<string, () => Promise<Api>> = {
  async 'after 30 s'() {
    const api = testApi(store, clock)
    api.server.headersTimeout = 300
    api.server.requestTimeout = 300
    return api
  },
  'with a cap of 2 requests a month': async () =>
    testApi(store, clock, { limits: { ...LIMITS, publicDevPerMonth: 2 } }),
  async 'with a fault'() {
    const fault = async () => Promise.reject(new Error('secret'))
    return testApi({ ...store, query: fault }, clock)
  },
  async 'with 1,000 requests under way'() {
    const api = testApi(store, clock, { embedder: embedderOf(() => new Promise(() => {})) })
    await api.ready()
    for (let i = 0; i < LOAD_MAX.requestsInFlight; i++) void api.inject('/v1/search?q=drywall')
    return api
  },
  async 'that stops'() {
    const api = testApi(store, clock)
    api.drain()
    return api
  },
  'without its index': async () => testApi(store, clock, { index: { ...wordIndex(store), lexical: away } }),
  'without its database': async () => testApi({ ...store, query: away, transaction: away }, clock),
}

test('the table lists every error code with its status, and every status of the contract', () => {
  const coded = ROWS.flatMap(({ error, status }) => (error === undefined ? [] : [[error, status] as const]))
  expect(new Set(coded.map(([error]) => error))).toEqual(new Set(Object.keys(ERRORS)))
  for (const [error, status] of coded)
    expect([error, ERRORS[error as keyof typeof ERRORS].status]).toEqual([error, status])
  for (const status of [200, 201, 400, 401, 404, 429, 503]) expect(ROWS.map((row) => row.status)).toContain(status)
  // Every table line parsed as a row.
  expect(ROWS.length).toBe(SECTION.match(/^\| \d/gm)?.length)
})

test.each(ROWS)('$status $says: $command', async ({ status, error, server, command }) => {
  // Each row starts in a new minute, so rows do not share limits.
  clock.advance(60_000)
  const api = server === undefined ? healthy : await (SERVERS[server] as () => Promise<Api>)()
  variables.V1 = await listen(api)
  const lines = (await shell(command)).stdout.trimEnd().split('\n')
  expect(Number(lines.at(-1))).toBe(status)
  if (error !== undefined) {
    const body = ErrorBody.parse(JSON.parse(lines.at(-2) as string))
    expect(body.error).toBe(error)
    expect(body.details).not.toContain('secret')
    if (/^invalid_(parameter|cursor)$/.test(error)) {
      const [, parameter] = /[?&](\w+)=/.exec(command) ?? []
      expect(body.details).toMatch(new RegExp(`^${parameter}: `))
    }
    if (status === 429 || status === 503) expect(body.retry_after_seconds).toBeGreaterThanOrEqual(1)
  }
  if (api !== healthy) {
    api.server.closeAllConnections()
    void api.close()
  }
})
