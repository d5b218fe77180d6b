import { createHash } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { type DocumentCache, documentCache } from './cache.ts'
import { documentOf } from './documents.ts'

const NOON = Date.parse('2026-11-20T12:00:00Z')
const now = () => new Date(NOON)
const changed = { seq: NOON, checkpoints: null, bulk: null, floors: null }
const somewhere = { gen: 'g', seq: 1n, checkpoints: '', bulk: '', floors: '0', build: 1, changed }
const catalogVersion = { get: async () => somewhere, peek: () => somewhere }
/** 2,000 characters that hardly compress: each compressed form is about three quarters of their size. */
const NOISE = createHash('shake256', { outputLength: 1_500 }).update('noise').digest('base64')
const rendered = (text: string) => async () => documentOf(text, {})
/** Asks for these keys once, so that the cache keeps what they give next. */
async function askOnce(cache: DocumentCache, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await cache.get({ key, versionOf: () => '0' }, rendered('once'))
}

test('a document is kept when it is asked for a second time, and not before', async () => {
  const cache = documentCache({ catalogVersion, bytesMax: 10_000, now })
  const render = vi.fn(rendered('text'))
  const get = () => cache.get({ key: 'a', versionOf: () => '1' }, render)
  const first = await get()
  expect(first.cachedAs).toBeUndefined()
  const second = await get()
  expect(second.cachedAs?.key).toBe('a')
  expect(await get()).toBe(second)
  expect(render).toHaveBeenCalledTimes(2)
})

test('a document is rendered once per version, even under concurrent requests', async () => {
  const cache = documentCache({ catalogVersion, bytesMax: 10_000, now })
  let renderings = 0
  const render = async () => {
    renderings++
    return documentOf(`rendering ${renderings}`, {})
  }
  await askOnce(cache, 'a', 'b')
  const first = await Promise.all([1, 2, 3].map(() => cache.get({ key: 'a', versionOf: () => '1' }, render)))
  expect(new Set(first.map(({ bytes }) => bytes.toString()))).toEqual(new Set(['rendering 1']))
  expect((await cache.get({ key: 'a', versionOf: () => '1' }, render)).bytes.toString()).toBe('rendering 1')
  expect((await cache.get({ key: 'a', versionOf: () => '2' }, render)).bytes.toString()).toBe('rendering 2')
  expect((await cache.get({ key: 'b', versionOf: () => '2' }, render)).bytes.toString()).toBe('rendering 3')
})

test('the least recently used document is evicted when the byte limit is reached', async () => {
  const cache = documentCache({ catalogVersion, bytesMax: 4_000, now })
  const kilobyte = 'x'.repeat(1_000)
  const get = (key: string, then = 'again') =>
    cache.get({ key, versionOf: () => '1' }, rendered(then)).then(({ bytes }) => bytes.toString())
  await askOnce(cache, 'a', 'b', 'c', 'huge')
  await get('a', kilobyte)
  await get('b', kilobyte)
  expect(await get('a')).toBe(kilobyte)
  await get('c', kilobyte)
  expect(await get('a')).toBe(kilobyte)
  expect(await get('b')).toBe('again')
  await get('huge', 'x'.repeat(5_000))
  expect(await get('huge')).toBe('again')
})

test('compressed forms count towards the byte limit', async () => {
  const cache = documentCache({ catalogVersion, bytesMax: 6_000, now })
  const get = (key: string, text: string) => cache.get({ key, versionOf: () => '1' }, rendered(text))
  await askOnce(cache, 'a', 'b')
  await get('a', NOISE)
  const b = await get('b', NOISE)
  const isCached = async (key: string) => (await get(key, 'again')).bytes.toString() === NOISE
  expect([await isCached('a'), await isCached('b')]).toEqual([true, true])
  await Promise.all([b.coded('br'), b.coded('gzip')])
  expect([await isCached('b'), await isCached('a')]).toEqual([true, false])
})

test('a new version with the same bytes keeps their compressed forms, and has the date of the version', async () => {
  const cache = documentCache({ catalogVersion, bytesMax: 10_000, now: () => new Date(NOON + 3_600_000) })
  const get = (version: number, text: string, headers = {}) => {
    const versionOf = Object.assign(() => `${version}`, { changedMs: () => NOON + 60_000 * version })
    return cache.get({ key: 'a', versionOf }, async () => documentOf(text, headers))
  }
  const dateOf = (version: number) => new Date(NOON + 60_000 * version + 2_000).toUTCString()
  expect((await get(1, 'same')).modified?.date()).toBe(dateOf(1))
  const first = await get(1, 'same')
  const coded = await first.coded('br')
  const second = await get(2, 'same')
  expect([first.modified?.date(), second.modified?.date()]).toEqual([dateOf(1), dateOf(2)])
  expect(await second.coded('br')).toBe(coded)
  expect(second.cachedAs).toEqual(first.cachedAs)
  for (const [version, text, headers] of [
    [3, 'other', {}],
    [4, 'other', { link: 'x' }],
  ] as const) {
    const other = await get(version, text, headers)
    expect([other.headers, other.modified?.date()]).toEqual([headers, dateOf(version)])
    expect(other.cachedAs?.serial).not.toBe(first.cachedAs?.serial)
  }
  const undated = await cache.get({ key: 'b', versionOf: () => '1' }, async () => documentOf('text', {}))
  expect(undated.modified).toBeUndefined()
})

test('a failed rendering is retried', async () => {
  const cache = documentCache({ catalogVersion, bytesMax: 10_000, now })
  const failing = cache.get({ key: 'a', versionOf: () => '1' }, async () => {
    throw new Error('away')
  })
  await expect(failing).rejects.toThrow('away')
  expect((await cache.get({ key: 'a', versionOf: () => '1' }, rendered('there'))).bytes.toString()).toBe('there')
})

test.each(['after', 'while'])('a document replaced %s compression leaves no bytes in the cache', async (when) => {
  const cache = documentCache({ catalogVersion, bytesMax: 6_000, now })
  await askOnce(cache, 'a', 'b')
  for (let version = 0; version < 20; version++) {
    const former = await cache.get({ key: 'a', versionOf: () => `${version}` }, rendered(`${version} ${NOISE}`))
    const compressing = former.coded('gzip')
    if (when === 'after') await compressing
    await cache.get({ key: 'a', versionOf: () => `${version} again` }, rendered(`${version} again ${NOISE}`))
    await compressing
  }
  const render = vi.fn(rendered(NOISE))
  await cache.get({ key: 'b', versionOf: () => '1' }, render)
  await cache.get({ key: 'b', versionOf: () => '1' }, render)
  expect(render).toHaveBeenCalledOnce()
})
