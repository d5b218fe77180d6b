import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Terminal } from '@catalog/cli/shared/terminal.ts'
import type { ItemEvent } from '@catalog/core/events/events.ts'
import { readEnvironment } from '@catalog/runtime/env.ts'
import { NothingToSnapshot } from '@catalog/snapshot/snapshot.ts'
import { openTestCatalog } from '@catalog/stack/testing/cli.ts'
import { appendTo, event, published } from '@catalog/stack/testing/events.ts'
import { readFeedState } from '@catalog/store/catalog/feeds.ts'
import { readCatalogVersion } from '@catalog/store/catalog/queries.ts'
import { expect, onTestFinished, test } from 'vitest'
import { restored, snapshot } from './snapshot.ts'

/** Opens a catalog in a folder of its own and records its commands' answers. */
async function openStage(variables: Record<string, string> = {}) {
  const opened = await openTestCatalog()
  onTestFinished(() => opened[Symbol.asyncDispose]())
  const { folder, catalog } = opened
  const env = readEnvironment({ CATALOG_DATA: folder, LOG_LEVEL: 'silent', ...variables })
  const output: { values: Record<string, unknown>[]; texts: string[]; next: string[] } = {
    values: [],
    texts: [],
    next: [],
  }
  const terminal: Terminal = {
    json: true,
    answer(value, text) {
      output.values.push(value as Record<string, unknown>)
      output.texts.push(text())
    },
    note() {},
    next: (command) => void output.next.push(command),
    progress: () => ({ to() {}, done() {} }),
  }
  const publish = (...events: ItemEvent[]) => appendTo(catalog.log, events)
  return { folder, output, publish, stage: { catalog, env, terminal, signal: new AbortController().signal } }
}

const mark = (run: string) =>
  event({ type: 'RunMarked', run_id: run, as_of: '2026-01-05T00:00:00Z', items_published: 1 })

test('writes a snapshot into the data folder, reports it, and takes one per run', async () => {
  const { folder, output, publish, stage } = await openStage({ DATA_LICENCE: 'CC BY 4.0' })
  await expect(snapshot(stage, {})).rejects.toThrow(NothingToSnapshot)
  await publish(published({ id: 'ci_a' }), mark('run_1'))
  const before = await readCatalogVersion(stage.catalog.store)
  await snapshot(stage, {})
  await snapshot(stage, {})
  const [first, second] = output.values
  expect(first).toMatchObject({ taken: true, seq: 1, count: 1, removed: [], trimmed: { numbers: 0, changes: 0 } })
  expect(first?.edition).toMatch(/^\d{4}-\d\d$/)
  expect(second).toMatchObject({ taken: false, seq: 1, manifest_sha256: first?.manifest_sha256 })
  expect(output.texts[1]).toContain('nothing was written')
  expect(output.next).toEqual(['catalog serve', 'catalog serve'])
  const place = join(folder, 'snapshots', String(first?.gen), '1')
  expect(first?.folder).toBe(place)
  expect(JSON.parse(readFileSync(join(place, 'manifest.json'), 'utf8')).licence).toEqual({
    name: 'CC BY 4.0',
    url: null,
  })
  const state = await readFeedState(stage.catalog.store)
  expect(state.snapshot).toMatchObject({ seq: 1n, count: 1, manifestSha: first?.manifest_sha256 })
  expect((await readCatalogVersion(stage.catalog.store)).bulk).not.toBe(before.bulk)
})

test('a copy into another folder leaves the published snapshots alone', async () => {
  const { folder, output, publish, stage } = await openStage()
  await publish(published({ id: 'ci_a' }), mark('run_1'))
  await snapshot(stage, {})
  const { snapshot: before } = await readFeedState(stage.catalog.store)
  await snapshot(stage, { out: join(folder, 'copy') })
  expect(output.values[1]).toMatchObject({ taken: true, seq: 1, edition: null })
  expect(readdirSync(join(folder, 'copy'))).toEqual([output.values[1]?.gen])
  expect((await readFeedState(stage.catalog.store)).snapshot).toEqual(before)
})

test('a snapshot trims changes older than FEED_RETENTION_DAYS', async () => {
  const { output, publish, stage } = await openStage({ FEED_RETENTION_DAYS: '30' })
  const events = Array.from({ length: 1_100 }, (_, i) => published({ id: 'ci_a', cents: i + 1, version: i + 1 }))
  await publish(...events.slice(0, 600))
  await publish(...events.slice(600), mark('run_1'))
  await snapshot(stage, {})
  // The last change up to the floor stays, with its number.
  expect(output.values[0]).toMatchObject({ trimmed: { changes: 999 } })
  const [items] = (await readFeedState(stage.catalog.store)).scopes
  expect(items).toMatchObject({ head: 1_100n, floor: 1_000n })
})

test('a restore begins a new generation with its snapshot, beside the old one', async () => {
  const { folder, output, publish, stage } = await openStage()
  await publish(published({ id: 'ci_a' }), mark('run_1'))
  await snapshot(stage, {})
  await restored(stage)
  const [taken, began] = output.values
  expect(began).toMatchObject({ from: taken?.gen, numbers: 3, snapshot_seq: 1 })
  expect(began?.to).toMatch(/^[0-9a-f]{16}t4$/)
  expect(output.texts.at(-1)).toContain('its snapshot at seq 1 was taken first')
  expect(output.next.at(-1)).toBe('catalog serve')
  const state = await readFeedState(stage.catalog.store)
  expect(state).toMatchObject({ gen: began?.to, digest: { mark: 1n }, snapshot: { seq: 1n } })
  const listed = JSON.parse(readFileSync(join(folder, 'snapshots', 'index.json'), 'utf8')).snapshots
  expect(listed.map(({ gen }: { gen: string }) => gen).sort()).toEqual([began?.from, began?.to].sort())
  await snapshot(stage, {})
  expect(output.values[2]).toMatchObject({ taken: false, gen: began?.to, seq: 1, edition: null })
  for (const gen of [began?.from, began?.to]) {
    expect(existsSync(join(folder, 'snapshots', String(gen), '1', 'manifest.json'))).toBe(true)
  }
})
