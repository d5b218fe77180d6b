import { expect, test } from 'vitest'
import { documentCache, documentOf } from './documents.ts'

const rendered = (text: string) => async () => documentOf(text, {})

test('a document is rendered once per version, however many ask for it at once', async () => {
  const cache = documentCache({ bytesMax: 10_000 })
  let renderings = 0
  const render = async () => {
    renderings++
    return documentOf(`rendering ${renderings}`, {})
  }
  const first = await Promise.all([1, 2, 3].map(() => cache.get({ key: 'a', version: '1' }, render)))
  expect(new Set(first.map(({ bytes }) => bytes.toString()))).toEqual(new Set(['rendering 1']))
  expect((await cache.get({ key: 'a', version: '1' }, render)).bytes.toString()).toBe('rendering 1')
  expect((await cache.get({ key: 'a', version: '2' }, render)).bytes.toString()).toBe('rendering 2')
  expect((await cache.get({ key: 'b', version: '2' }, render)).bytes.toString()).toBe('rendering 3')
})

test('the least recently used document goes when the bytes are used up', async () => {
  const cache = documentCache({ bytesMax: 4_000 })
  const kilobyte = 'x'.repeat(1_000)
  const get = (key: string, then = 'again') =>
    cache.get({ key, version: '1' }, rendered(then)).then(({ bytes }) => bytes.toString())
  await get('a', kilobyte)
  await get('b', kilobyte)
  expect(await get('a')).toBe(kilobyte)
  await get('c', kilobyte)
  expect(await get('a')).toBe(kilobyte)
  expect(await get('b')).toBe('again')
  await get('huge', 'x'.repeat(5_000))
  expect(await get('huge')).toBe('again')
})

test('what could not be rendered is tried again', async () => {
  const cache = documentCache({ bytesMax: 10_000 })
  const failing = cache.get({ key: 'a', version: '1' }, async () => {
    throw new Error('away')
  })
  await expect(failing).rejects.toThrow('away')
  expect((await cache.get({ key: 'a', version: '1' }, rendered('there'))).bytes.toString()).toBe('there')
})

test('equal bytes have one entity tag, others another', () => {
  expect(documentOf('a', {}).etag).toBe(documentOf('a', { link: 'x' }).etag)
  expect(documentOf('a', {}).etag).not.toBe(documentOf('b', {}).etag)
})
