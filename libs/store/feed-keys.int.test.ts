import { trustedKeys } from '@catalog/core/changes/signature.ts'
import { DAY_MS } from '@catalog/core/time.ts'
import { openTestStore } from '@catalog/stack/testing/store.ts'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { KEY_OVERLAP_MS, openSigner, readFeedKeys, readSigner, rotateFeedKey } from './feed-keys.ts'

/** The keys of the feeds while several processes need the first one, and through rotations. */

const store = await openTestStore()
const sealed = (byte: number) => ({ ...store, sealing: { keys: [Buffer.alloc(32, byte).toString('base64')] } })
const day = (days: number) => new Date(Date.parse('2026-01-05T00:00:00Z') + days * DAY_MS)
const idsAt = async (now: Date) => (await readSigner(store, now)).keys.map(({ id }) => id)
beforeEach(() => store.query('truncate feed_keys'))

test('processes that need the first key at once get the same one', async () => {
  const signers = await Promise.all(Array.from({ length: 8 }, () => readSigner(store, day(0))))
  const ids = new Set(signers.map(({ keys }) => keys.map(({ id }) => id).join()))
  const { keys } = await readFeedKeys(store)
  expect([...ids]).toEqual([keys.map(({ id }) => id).join()])
  expect(keys).toMatchObject([{ created_at: '2026-01-05T00:00:00Z', signs_until: null, endorsements: [] }])
})

test('a rotated key signs beside the new one for 90 days; then its secret goes and its public part stays', async () => {
  const [first] = await idsAt(day(0))
  await rotateFeedKey(store, day(10))
  const both = await idsAt(day(10))
  expect(both[0]).toBe(first)
  expect(both).toHaveLength(2)
  expect(await idsAt(new Date(day(100).getTime() - 1))).toEqual(both)
  expect(KEY_OVERLAP_MS).toBe(90 * DAY_MS)
  expect(await idsAt(day(100))).toEqual([both[1]])
  const secrets = await store.query<{ id: string }>('select key_id as id from feed_keys where secret is not null')
  expect(secrets).toEqual([{ id: both[1] }])
  const { keys } = await readFeedKeys(store)
  expect(keys.map(({ id, signs_until }) => [id, signs_until])).toEqual([
    [first, '2026-04-15T00:00:00Z'],
    [both[1], null],
  ])
})

test('who trusts the first key trusts all that rotations made', async () => {
  const [first] = await idsAt(day(0))
  for (const days of [1, 2, 200]) await rotateFeedKey(store, day(days))
  const known = await readFeedKeys(store)
  expect(known.keys).toHaveLength(4)
  expect([...trustedKeys(known, [first as string]).keys()].sort()).toEqual(known.keys.map(({ id }) => id).sort())
})

test('rotations at once leave one present key, and an unbroken chain', async () => {
  const [first] = await idsAt(day(0))
  await Promise.all([1, 2, 3].map(() => rotateFeedKey(store, day(1))))
  const known = await readFeedKeys(store)
  expect(known.keys.filter(({ signs_until }) => signs_until === null)).toHaveLength(1)
  expect(trustedKeys(known, [first as string]).size).toBe(4)
})

test('a key that this process cannot open signs nothing: one warning says why, and no rotation loses it', async () => {
  await readSigner(sealed(1), day(0))
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  onTestFinished(() => void warn.mockRestore())
  expect([await openSigner(store), await openSigner(store)]).toEqual([null, null])
  expect(warn.mock.calls).toEqual([
    [expect.stringMatching(/go without signatures: feed_keys [0-9a-f]{32} is sealed by the key/), 'CatalogWarning'],
  ])
  const failing = { ...store, query: () => Promise.reject(new Error('connection lost')) }
  await expect(openSigner(failing)).rejects.toThrow('connection lost')
  await expect(rotateFeedKey(store, day(1))).rejects.toThrow('expected that key in SECRETS_KEY')
  expect((await readFeedKeys(store)).keys).toHaveLength(1)
  expect((await openSigner(sealed(1), day(1)))?.keys).toHaveLength(1)
})
