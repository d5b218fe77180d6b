import { createHash } from 'node:crypto'
import { SCOPES } from '@catalog/core/changes/protocol.ts'
import { bucketHashes, rootOf } from '@catalog/core/digest.ts'
import type { ItemPublished } from '@catalog/core/events/items.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { digestOf } from '@catalog/stack/store/replica.ts'
import { event, published } from '@catalog/stack/testing/events.ts'
import { catalogRoot } from '@catalog/store/builds/status.ts'
import { readNewestMark, readScopesAt } from '@catalog/store/catalog/digests.ts'
import { beginGeneration } from '@catalog/store/catalog/generation.ts'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { digestNewestMark } from './digests.ts'

const path = await pathOfFile()
beforeEach(async () => {
  await path.reset()
  await path.store.query('truncate digests, feed_floors')
})

const mark = (run: string) =>
  event({ type: 'RunMarked', run_id: run, as_of: '2026-01-05T00:00:00Z', items_published: 1 })

/** The digest of each scope at the newest mark: seq, number of items, root. */
async function digests() {
  const newest = await readNewestMark(path.store)
  const scopes = newest === undefined ? [] : await readScopesAt(path.store, newest)
  return Object.fromEntries(scopes.map(({ scope, seq, count, stateRoot }) => [scope, { seq, count, stateRoot }]))
}

test('covers the items at the mark, in every scope', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          id: fc.constantFrom('ci_a', 'ci_b', 'ci_c', 'ci_d', 'ci_e'),
          cents: fc.integer({ min: 1, max: 3 }),
          regions: fc.subarray(['ES', 'EU', 'UY']),
          isGone: fc.boolean(),
        }),
        { maxLength: 20 },
      ),
      async (steps) => {
        await path.reset()
        await path.store.query('truncate digests')
        const versions = new Map<string, number>()
        const events = steps.map(({ id, cents, regions, isGone }): ItemPublished => {
          versions.set(id, (versions.get(id) ?? 0) + 1)
          const version = versions.get(id) as number
          return published({ id, cents, regions, version, state: isGone ? 'gone' : 'active' })
        })
        await path.append([...events, mark('run_1')])
        // The digest leaves out changes after the mark.
        const before = await present()
        await path.append([published({ id: 'ci_a', cents: 9, regions: ['UY'], version: 99 })])
        expect(await digestNewestMark(path.store)).toBe(events.length > 0)
        if (events.length === 0) return
        const found = await digests()
        for (const scope of SCOPES) {
          const entries = before.filter(({ regions }) => scope === 'items' || regions.includes(scope.slice(7)))
          expect(found[scope]).toMatchObject({ count: entries.length, stateRoot: rootOf(bucketHashes(entries)) })
        }
      },
    ),
    { numRuns: 10 },
  )
})

async function present() {
  const rows = await path.store.query<{ id: string; state: string }>(
    `select item_id as id, public_state as state from items where state = 'active'`,
  )
  return rows.map(({ id, state }) => ({
    id,
    regions: (JSON.parse(state) as { regions: string[] }).regions,
    sha: createHash('sha256').update(state).digest(),
  }))
}

test('makes digests once for the newest mark only, and finds them by the number of their scope', async () => {
  await path.append([
    published({ id: 'ci_a', regions: ['ES'] }),
    mark('run_1'),
    published({ id: 'ci_b', regions: ['UY'] }),
  ])
  await path.append([published({ id: 'ci_c', regions: ['UY'] }), mark('run_2')])
  expect(await digestNewestMark(path.store)).toBe(true)
  expect(await digestNewestMark(path.store)).toBe(false)
  const marks = await path.store.query(`select distinct mark from digests`)
  expect(marks).toEqual([{ mark: 3n }])
  const found = await digests()
  expect(found).toMatchObject({
    items: { seq: 3n, count: 3, stateRoot: await catalogRoot(path.store) },
    'region/ES': { seq: 1n, count: 1 },
    'region/UY': { seq: 2n, count: 2 },
    'region/GB': { seq: 0n, count: 0 },
  })
  const { gen } = (await readNewestMark(path.store)) ?? { gen: '' }
  const uy = await digestOf(path.store, { gen, scope: 'region/UY', seq: 2n })
  expect(uy).toMatchObject({ count: 2, stateRoot: found['region/UY']?.stateRoot })
  expect(rootOf(uy?.buckets ?? [])).toBe(found['region/UY']?.stateRoot)
  expect(await digestOf(path.store, { gen, scope: 'region/UY', seq: 1n })).toBeUndefined()
  expect(await digestOf(path.store, { gen: 'another', scope: 'items', seq: 3n })).toBeUndefined()
})

test('makes nothing without a run that published', async () => {
  expect(await digestNewestMark(path.store)).toBe(false)
  await path.append([mark('run_1')])
  expect(await digestNewestMark(path.store)).toBe(false)
})

test('deletes old digests, and hides those of another generation', async () => {
  for (let run = 1; run <= 33; run++) {
    await path.append([published({ id: 'ci_a', cents: run, version: run }), mark(`run_${run}`)])
    await digestNewestMark(path.store)
  }
  expect(await path.store.query(`select min(mark), max(mark), count(distinct mark) from digests`)).toEqual([
    { min: 4n, max: 33n, count: 30n },
  ])
  const { gen } = (await readNewestMark(path.store)) ?? { gen: '' }
  await beginGeneration(path.store, { gen: `${gen}-next` })
  expect(await digestOf(path.store, { gen, scope: 'items', seq: 33n })).toBeUndefined()
  // It began with its own.
  expect(await digestNewestMark(path.store)).toBe(false)
  expect((await digests()).items).toMatchObject({ seq: 33n, count: 1 })
  await beginGeneration(path.store, { gen })
})

test('discards a digest when retention deletes changes up to its mark meanwhile', async () => {
  await path.append([published({ id: 'ci_a' }), mark('run_1')])
  await path.store.query(`insert into feed_floors values ('items', 500)`)
  expect(await digestNewestMark(path.store)).toBe(false)
  expect(await path.store.query(`select from digests`)).toEqual([])
})
