import { once } from 'node:events'
import { mkdtempDisposableSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { npmPrograms } from '@catalog/judge/harness/tools.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { judgeAuthorization } from './authorization.ts'
import { type CatalogEndpoint, openCatalogEndpoint } from './catalog-endpoint.ts'
import { clientJudges } from './clients.ts'
import { judgeConformance, REVISIONS } from './conformance-suite.ts'
import { type Endpoint, startKeyProxy } from './key-proxy.ts'
import { oauthJudges } from './oauth.ts'

const folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-judge-'))
const running = new AsyncDisposableStack()
let endpoint: CatalogEndpoint
let openCatalog: Endpoint

beforeAll(async () => {
  // Installs the judges on a fresh machine.
  await npmPrograms()
  endpoint = running.use(await openCatalogEndpoint({ folder: folder.path }))
  openCatalog = running.use(await startKeyProxy(endpoint.task))
})
afterAll(async () => {
  await running.disposeAsync()
  folder.remove()
})

test.each(REVISIONS)('the MCP endpoint conforms to revision %s', async (revision) => {
  const { verdict, says, details } = await judgeConformance({ url: openCatalog.url, revision, folder: folder.path })
  expect([verdict, details], says).toEqual(['passed', ''])
})

test('an endpoint that refuses the key does not conform', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-judge-'))
  await using refusing = await startKeyProxy({ ...endpoint.task, key: 'svc_pub_none' })
  const options = { url: refusing.url, revision: '2026-07-28', folder: folder.path } as const
  const { verdict, details } = await judgeConformance(options)
  expect([verdict, details]).toEqual(['failed', expect.stringContaining('tools-list:')])
})

/** The newest revision has every check; `npm run judge` covers all revisions. */
const NEWEST = { revisions: [REVISIONS[0]] }

describe('the authorization server', () => {
  const runJudge = async (metadata: { issuer: string }) => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-judge-'))
    const { task, authorize, registerClient } = endpoint
    const options = { resource: task.url, clientId: await registerClient(), authorize, folder: folder.path }
    return await judgeAuthorization({ ...metadata, ...options, ...NEWEST })
  }

  test('conforms', async () => {
    const { verdict, says, details } = await runJudge(endpoint)
    expect([verdict, details], says).toEqual(['passed', ''])
  })

  test.for<[string, object, string]>([
    ['plain proof keys', { code_challenge_methods_supported: ['plain'] }, 'code_challenge_methods_supported'],
    ['another name than its answers', {}, 'Invalid iss parameter'],
  ])('does not conform with %s in its metadata', async ([, edit, message]) => {
    await using edited = await editedMetadata(endpoint.issuer, edit)
    const { verdict, details } = await runJudge(edited)
    expect([verdict, details]).toEqual(['failed', expect.stringContaining(message)])
  })
})

/** Serves the authorization server's metadata with an edit, at an address that it names as issuer. */
async function editedMetadata(issuer: string, edit: object): Promise<{ issuer: string } & AsyncDisposable> {
  const { origin, pathname } = new URL(issuer)
  const server = createServer(async (request, response) => {
    const metadata = (await (await fetch(origin + request.url)).json()) as object
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ ...metadata, issuer: mine, ...edit }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const mine = `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`
  return {
    issuer: mine,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

// One judge for each era, with tools that other tests here need anyway; `npm run judge` runs all.
test.for(['inspector, modern', 'Python, legacy, registering'])(
  '%s gets what REST answers',
  async (wanted, { skip }) => {
    const judges = [...clientJudges(endpoint.task), ...oauthJudges(endpoint)]
    const judge = judges.find(({ name }) => name === wanted)
    const { verdict, says, details } = (await judge?.run()) ?? expect.unreachable(wanted)
    skip(verdict === 'skipped', says)
    expect([verdict, details], says).toEqual(['passed', ''])
  },
)
