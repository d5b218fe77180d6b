import { existsSync, readdirSync, renameSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { restored, snapshot } from '@catalog/cli/mirror/snapshot.ts'
import type { ItemEvent } from '@catalog/core/events/events.ts'
import { type MirrorOptions, openMirror } from '@catalog/mirror/mirror.ts'
import { beginWithSnapshot } from '@catalog/snapshot/snapshot.ts'
import { testApi } from '@catalog/stack/testing/api.ts'
import { listening, openTestCatalog, tell } from '@catalog/stack/testing/cli.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { event, published } from '@catalog/stack/testing/events.ts'
import { readFeedState } from '@catalog/store/catalog/feeds.ts'
import { nextGeneration } from '@catalog/store/catalog/generation.ts'
import type { Store } from '@catalog/store/db.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'

/** Mirrors of a catalog that was restored, whose first changes are gone. */
let stack: AsyncDisposableStack
let stage: Parameters<typeof restored>[0]
let url: string
let folder: string
const clock = testClock()
beforeEach(async () => {
  stack = new AsyncDisposableStack()
  const opened = stack.use(await openTestCatalog())
  const { terminal } = listening()
  stage = {
    catalog: opened.catalog,
    env: { ...opened.env, FEED_RETENTION_DAYS: 30 },
    terminal,
    signal: new AbortController().signal,
  }
  folder = join(opened.folder, 'snapshots')
  const api = testApi(opened.catalog.store, clock, { snapshotDir: folder })
  stack.defer(() => api.close())
  await api.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(api.server.address() as AddressInfo).port}/v1`
})
afterEach(() => stack.disposeAsync())

const mark = (run: string) =>
  event({ type: 'RunMarked', run_id: run, as_of: '2026-01-05T00:00:00Z', items_published: 1 })
async function publish(...events: ItemEvent[]): Promise<void> {
  await tell(stage.catalog, events)
  clock.advance(1_000)
}
/** Two items that changed so often that retention let the first thousand changes go. */
async function publishMany(): Promise<void> {
  const changes = Array.from({ length: 1_100 }, (_, i) =>
    published({ id: i % 2 === 0 ? 'ci_a' : 'ci_b', cents: i + 1, version: Math.floor(i / 2) + 1, regions: ['ES'] }),
  )
  await publish(...changes, mark('run_1'))
  await snapshot(stage, {})
  expect((await readFeedState(stage.catalog.store)).scopes[0]).toMatchObject({ head: 1_100n, floor: 1_000n })
}
const mirrorOf = (scope = 'items', options: Partial<MirrorOptions> = {}) =>
  stack.use(
    openMirror({
      url,
      scope,
      into: new DatabaseSync(':memory:'),
      wait: async () => {},
      now: () => clock.at,
      ...options,
    }),
  )

test('those that have its state go on at once, and new ones have where to begin', async () => {
  await publishMany()
  const [mirror, region] = [mirrorOf(), mirrorOf('region/ES')]
  await mirror.sync()
  await region.sync()

  await restored(stage)
  clock.advance(1_000)
  const { gen } = await readFeedState(stage.catalog.store)
  for (const known of [mirror, region]) {
    // state.json twice, past all caches the second time.
    expect(await known.sync()).toMatchObject({ restart: 'adopted', requests: 2, state: { gen, seq: 1_100 } })
  }
  const fresh = mirrorOf()
  expect(await fresh.sync()).toMatchObject({ restart: 'snapshot', state: { gen, seq: 1_100, proved: { seq: 1_100 } } })
  expect([...fresh.items()]).toEqual([...mirror.items()])
})

test('those that have more than it are held, and download what differs once a person accepts it', async () => {
  await publishMany()
  const into = new DatabaseSync(':memory:')
  const mirror = mirrorOf('items', { into })
  await mirror.sync()
  await publish(published({ id: 'ci_c', cents: 1, version: 1, regions: ['ES'] }), mark('run_2'))
  await mirror.sync()
  expect(mirror.state()?.count).toBe(3)

  await stage.catalog.store.transaction(async (tx) => {
    // As a backup of the instant before the last change.
    for (const table of ['change_scopes', 'changes']) await tx.query(`delete from ${table} where seq > 1100`)
    await tx.query(`delete from run_marks where seq > 1100`)
    await tx.query(`delete from digests where mark > 1100`)
    await tx.query(`update scope_heads h set rseq = (select max(rseq) from change_scopes s where s.scope = h.scope)`)
  })
  await restored(stage)
  clock.advance(1_000)
  const { gen } = await readFeedState(stage.catalog.store)
  await expect(mirror.sync()).rejects.toThrow(`run again with --accept-generation ${gen}`)
  const accepting = mirrorOf('items', { into, acceptGeneration: gen })
  expect(await accepting.sync()).toMatchObject({ restart: 'adopted', state: { seq: 1_100, count: 2 } })
})

test('a generation that could not be announced shows nowhere, and its files go', async () => {
  await publishMany()
  const { store, now } = stage.catalog
  const before = await readFeedState(store)
  const gen = nextGeneration(before.gen, now())
  // The power fails between the files and the commit: the transaction goes, the files stay.
  const cut: Store = {
    ...store,
    transaction: (work) =>
      store.transaction(async (tx) => {
        await work(tx)
        renameSync(join(folder, `.unannounced-${gen}`), join(folder, 'mark'))
        throw new Error('power')
      }),
  }
  await expect(beginWithSnapshot({ store: cut, gen, folder, licence: null, now })).rejects.toThrow('power')
  renameSync(join(folder, 'mark'), join(folder, `.unannounced-${gen}`))
  expect(await readFeedState(store)).toEqual(before)
  expect(existsSync(join(folder, gen, '1100', 'manifest.json'))).toBe(true)

  await snapshot(stage, {})
  expect(readdirSync(folder).sort()).toEqual([before.gen, 'index.json'].sort())
})

test('a catalog without a run, and one whose snapshots are elsewhere, begin a generation all the same', async () => {
  await restored(stage)
  expect(await readFeedState(stage.catalog.store)).toMatchObject({ digest: null, snapshot: null })
  expect(existsSync(folder)).toBe(false)
  await publishMany()
  renameSync(folder, `${folder}-elsewhere`)
  await restored(stage)
  expect(await readFeedState(stage.catalog.store)).toMatchObject({ digest: { mark: 1_100n }, snapshot: null })
})
