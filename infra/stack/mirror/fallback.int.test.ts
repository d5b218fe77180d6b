import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMirrorList } from '@catalog/cli/mirror/fallback.ts'
import { openMirror } from '@catalog/mirror/mirror.ts'
import { writeTree } from '@catalog/mirror/tree/tree.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ModelOrigin, openModelOrigin } from './mirror-model.ts'
import { type ModelServer, pythonAvailable, serveFolder, serveModel } from './mirror-server.ts'
import { type ModelSigning, modelSigning } from './origin-documents.ts'

/** A mirror whose origin does not answer reads from another mirror, and believes only what the catalog signed. */

const LOOPBACK = ['127.0.0.0/8']
const missing = pythonAvailable()
const now = () => new Date('2026-01-06T00:00:00Z')
let stack: AsyncDisposableStack
let root: string
let origin: ModelOrigin
let server: ModelServer
beforeEach(async () => {
  stack = new AsyncDisposableStack()
  root = stack.adopt(mkdtempDisposableSync(join(tmpdir(), 'mirror-')), (made) => made.remove()).path
  await serve(modelSigning(now))
})
afterEach(() => stack.disposeAsync())

async function serve(signing: ModelSigning | undefined): Promise<void> {
  origin = openModelOrigin({ pageSize: 5, signing })
  server = stack.use(await serveModel(origin))
  publish(6)
}
function publish(items: number): void {
  for (let item = 0; item < items; item++)
    origin.publish({ item, cents: items + item, regions: ['ES'], name: `Item ${item}` })
  origin.mark()
}
/** A static copy of the present state behind a server of its own; answers its address. */
async function copied(name: string): Promise<string> {
  const tree = join(root, name)
  await writeTree({
    url: server.url,
    tree,
    into: join(root, `${name}-copies`),
    scopes: ['items'],
    now,
    wait: async () => {},
  })
  return stack.use(await serveFolder(tree)).url
}
const isAway: ModelServer['behave'] = () => ({ status: 503 })
/** The origin lists these mirrors from now on. */
function list(...mirrors: readonly { url: string; scopes?: readonly string[]; lag?: number }[]): void {
  const listed = mirrors.map(({ url, scopes = ['items'], lag = 0 }) => ({
    url,
    scopes,
    lag: { changes: lag, seconds: 0 },
  }))
  server.behave = (path) =>
    path === '/v1/mirrors' ? { body: Buffer.from(JSON.stringify({ mirrors: listed })) } : undefined
}
function opened({ allowed = LOOPBACK, name = 'copy' }: { allowed?: readonly string[]; name?: string } = {}) {
  const into = join(root, name)
  const fallback = openMirrorList({ url: server.url, into, allowed })
  const mirror = stack.use(openMirror({ url: server.url, scope: 'items', into, now, wait: async () => {}, fallback }))
  return { mirror, remember: () => fallback.remember(AbortSignal.timeout(10_000)) }
}
const rowsOf = ({ items }: ReturnType<typeof opened>['mirror']) =>
  new Map([...items()].map(({ id, state }) => [id, state]))

test.skipIf(missing)('while the origin is away, goes on from the listed mirror that lacks least', async () => {
  const { mirror, remember } = opened()
  await mirror.sync()
  const behind = await copied('behind')
  publish(3)
  const current = await copied('current')
  list({ url: behind, lag: 4 }, { url: current, lag: 1 }, { url: current, scopes: ['region/ES'] })
  await remember()
  server.behave = isAway
  const synced = await mirror.sync()
  expect(synced).toMatchObject({ from: current, state: { seq: origin.head('items') } })
  expect(rowsOf(mirror)).toEqual(origin.stateAt({ gen: origin.gen(), scope: 'items', seq: origin.head('items') }))
  server.behave = () => undefined
  publish(2)
  expect(await mirror.sync()).toMatchObject({ from: server.url, state: { seq: origin.head('items') } })
})

test.skipIf(missing)('takes nothing from a mirror of another catalog, and says that the origin is away', async () => {
  const { mirror, remember } = opened()
  await mirror.sync()
  const ours = server
  const before = rowsOf(mirror)
  await serve(modelSigning(now))
  publish(9)
  const foreign = await copied('foreign')
  server = ours
  list({ url: foreign })
  await remember()
  ours.behave = isAway
  await expect(mirror.sync()).rejects.toMatchObject({ kind: 'unreachable', message: expect.stringContaining('503') })
  expect(rowsOf(mirror)).toEqual(before)
})

test.skipIf(missing)(
  'asks no listed mirror without a known signer, and none in a network that is not allowed',
  async () => {
    for (const { signing, allowed } of [
      { signing: undefined, allowed: LOOPBACK },
      { signing: modelSigning(now), allowed: [] },
    ]) {
      await serve(signing)
      const { mirror, remember } = opened({ allowed })
      await mirror.sync().catch(() => {})
      const url = await copied(`tree-${allowed.length}`)
      list({ url })
      await remember()
      server.behave = isAway
      await expect(mirror.sync()).rejects.toMatchObject({ kind: 'unreachable' })
      mirror[Symbol.dispose]()
    }
  },
)

test('keeps an earlier list where the next answer is none, and takes that of no other origin', async () => {
  const { remember } = opened()
  list({ url: 'http://mirror.example/v1' }, { url: 'file:///etc', lag: 0 })
  await remember()
  const listOf = (url: string) => openMirrorList({ url, into: join(root, 'copy'), allowed: [] })
  server.behave = () => ({ body: Buffer.from('{"mirrors":[{"url":7}]}') })
  const again = listOf(server.url)
  await again.remember(AbortSignal.timeout(10_000))
  expect(again.addresses('items')).toEqual(['http://mirror.example/v1'])
  expect(listOf('http://other.example/v1').addresses('items')).toEqual([])
})
