import { execFile } from 'node:child_process'
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { newId, newKey } from '@catalog/access/keys.ts'
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
import { createWorkspace, insertKey } from '@catalog/store/accounts/accounts.ts'
import { readMeta } from '@catalog/store/checkpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

/**
 * Runs the table of docs/api.md line by line with curl against live servers: every documented status and every error
 * code. Then runs further requests that end in one of them.
 */
const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/api.md'), 'utf8')
const [, SECTION = ''] = PAGE.split('\n## Statuses\n')
const PREAMBLE = /^```sh\n(.*?)^```$/ms.exec(SECTION)?.[1] as string
const rowOf = (status: number, error: string | undefined, command: string, server?: string) => ({
  status,
  error,
  says: error ?? 'success',
  command,
  server,
})
const ROWS = [...SECTION.matchAll(/^\| (\d{3})(?: `(\w+)`)? \| (?:([^|`]+): )?`(.*)` \|$/gm)].map(
  ([, status, error, server, command]) => rowOf(Number(status), error, command as string, server),
)
/** Needed by requests that the table leaves out. */
const FURTHER_PREAMBLE = `
HEAD=$(printf '%s' "$STATE" | grep -o '"head":[0-9]*' | head -1 | cut -d : -f 2)
CURSOR=$(curl -s "$V1/items?region=ES&price_region=ES&limit=1" | grep -o '"cursor":"[^"]*' | cut -d '"' -f 4)
`
const FURTHER: readonly Parameters<typeof rowOf>[] = [
  [200, undefined, 'curl "$V1/items?region=ES&price_region=ES&limit=1"'],
  [200, undefined, `curl -H 'Accept: text/markdown' "$V1/items/$ID"`],
  [200, undefined, 'curl "$V1/categories/tree"'],
  [200, undefined, 'curl "$V1/categories/changes?days=30"'],
  [200, undefined, 'curl "$V1/indices?region=FR"'],
  [200, undefined, 'curl "$V1/items.csv?limit=200"'],
  [200, undefined, 'curl "$V1/editions"'],
  [200, undefined, 'curl -H "Authorization: Bearer $KEY" "$V1/usage"'],
  [200, undefined, `curl -H 'Accept: application/x-ndjson' "$V1/feeds/items.atom?since=0"`],
  [200, undefined, 'curl "$V1/feeds/region/ES?limit=20"'],
  [200, undefined, 'curl "$V1/feeds/item/$ID.rss?price_region=ES"'],
  [200, undefined, 'curl "$V1/items?regoin=ES&strict=false"'],
  [200, undefined, `curl -H 'Accept: text/html' "$V1/status"`, 'without its database'],
  [
    204,
    undefined,
    `curl -X OPTIONS -H 'Origin: https://example.org' -H 'Access-Control-Request-Method: GET' "$V1/items"`,
  ],
  [304, undefined, 'curl "$V1/feeds/items.atom?since=$HEAD"'],
  [400, 'invalid_parameter', 'curl "$V1/search"'],
  [400, 'invalid_parameter', 'curl "$V1/search?q=a"'],
  [400, 'invalid_parameter', 'curl "$V1/items?q=a"'],
  [400, 'invalid_parameter', 'curl "$V1/items?region=XX"'],
  [400, 'invalid_parameter', 'curl "$V1/items?limit=101"'],
  [400, 'invalid_parameter', 'curl "$V1/search?q=drywall&limit=51"'],
  [400, 'invalid_parameter', 'curl "$V1/items?price_region=XX"'],
  [400, 'invalid_parameter', 'curl "$V1/feeds/items.atom?limit=101"'],
  [400, 'invalid_parameter', `curl "$V1/keys/signup" -H "$JSON" -d '{"email":"nobody"}'`],
  [400, 'unknown_parameter', `curl "$V1/match" -H "$JSON" -d '{"lines":[{"text":"drywall"}],"regoin":"ES"}'`],
  [400, 'invalid_cursor', 'curl "$V1/items?region=MX&price_region=MX&cursor=$CURSOR"'],
  [400, 'bad_request', `curl "$V1/keys/signup" -H "$JSON" -d '{"email":'`],
  [401, 'invalid_key', `curl -H 'Authorization: Bearer svc_pub_nonsense' "$V1/items"`],
  [401, 'invalid_key', `curl -H 'Authorization: Basic YTpi' "$V1/items"`],
  [401, 'invalid_key', 'curl -X POST "$V1/keys/revoke"'],
  [401, 'invalid_key', 'curl -X POST -H "Authorization: Bearer $ORG_KEY" "$V1/keys/revoke"'],
  [404, 'item_not_found', 'curl "$V1/feeds/item/ci_none"'],
  [404, 'category_not_found', 'curl "$V1/feeds/category/cat_none"'],
  [404, 'feed_not_found', 'curl "$V1/feeds/archive/$GEN/items/999.atom"'],
  [406, 'not_acceptable', `curl -H 'Accept-Encoding: identity;q=0' "$V1/items"`],
  [409, 'generation_changed', 'curl "$V1/feeds/items.atom?gen=another"'],
  [
    415,
    'unsupported_media_type',
    `curl "$V1/keys/signup" -H 'Content-Type: text/plain' -d '{"email":"you@example.org"}'`,
  ],
]
/** The last row of the table revokes the key. */
const WITH_REVOKED_KEY = rowOf(401, 'invalid_key', 'curl -H "Authorization: Bearer $KEY" "$V1/items"')

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
  const preamble = (PREAMBLE + FURTHER_PREAMBLE).replace('http://127.0.0.1:8080/v1', await listen(healthy))
  const names = [...preamble.matchAll(/^(\w+)=/gm)].map(([, name]) => name as string)
  const { stdout } = await shell(
    `set -eo pipefail\n${preamble}\nfor name in ${names.join(' ')}; do echo "\${!name}"; done`,
  )
  for (const [i, value] of stdout.trimEnd().split('\n').entries()) {
    expect(value).not.toBe('')
    variables[names[i] as string] = value
  }
  variables.ORG_KEY = await workspaceKey()
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

async function workspaceKey(): Promise<string> {
  const at = '2026-11-20T12:00:00Z'
  const workspaceId = newId('ws_')
  await createWorkspace(store, { workspaceId, name: 'Constructora', plan: 'paid', at })
  const { key, mark } = newKey('org')
  await insertKey(store, { kind: 'org', workspaceId, name: null, at, ...mark })
  return key
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

test.each([...FURTHER.map((row) => rowOf(...row)), ...ROWS, WITH_REVOKED_KEY])(
  '$status $says: $command',
  async ({ status, error, server, command }) => {
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
      if (/^invalid_(parameter|cursor)$/.test(error))
        expect(body.details).toMatch(new RegExp(`^${parameterOf(command)}: `))
      if (status === 429 || status === 503) expect(body.retry_after_seconds).toBeGreaterThanOrEqual(1)
    }
    if (api !== healthy) {
      api.server.closeAllConnections()
      void api.close()
    }
  },
)

/** Returns the invalid parameter of a command line: the last one it gives. */
function parameterOf(command: string): string {
  const parameters = [...command.matchAll(/[?&](\w+)=/g)].map(([, name]) => name)
  return parameters.at(-1) ?? (command.includes('signup') ? 'email' : 'q')
}
