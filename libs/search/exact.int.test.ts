import type { Store } from '@catalog/store/db.ts'
import { openTestStore } from '@catalog/store/testing.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { axis, CONFORMANCE_DIMS, describeSearchIndex, document } from './conformance.ts'
import { openExactIndex } from './exact.ts'

const embedder = (fingerprint: string) => ({ fingerprint, dims: CONFORMANCE_DIMS })
const now = () => performance.now()

describeSearchIndex('exact', async () => {
  const store = await openTestStore()
  return {
    index: openExactIndex({ store, embedder: embedder('one-model'), now }),
    reopen: async (fingerprint = 'one-model') => openExactIndex({ store, embedder: embedder(fingerprint), now }),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
})

describe('a reader of the exact index', () => {
  let store: Store
  let clock = 0
  const open = (fingerprint = 'one-model') =>
    openExactIndex({ store, embedder: embedder(fingerprint), now: () => clock })
  const ids = async (found: Promise<readonly { readonly itemId: string }[]>) =>
    (await found).map(({ itemId }) => itemId).sort()

  beforeAll(async () => {
    store = await openTestStore()
  })
  beforeEach(() => store.query('truncate search_docs'))
  afterAll(() => store[Symbol.asyncDispose]())

  test('sees what another process wrote at most 250 ms ago', async () => {
    const writer = open()
    const reader = open()
    await writer.put([document('a', 1n, 'Placa', { vector: axis(0) })])
    expect(await ids(reader.lexical('placa', 5))).toEqual(['a'])
    await writer.put([document('b', 2n, 'Placa', { vector: axis(0) })])
    await writer.remove([{ itemId: 'a', seq: 3n }])
    clock += 249
    expect(await ids(reader.lexical('placa', 5))).toEqual(['a'])
    clock += 1
    expect(await ids(reader.lexical('placa', 5))).toEqual(['b'])
    expect(await ids(reader.nearest(axis(0), 5))).toEqual(['b'])
  })

  test('sees it at once when told to', async () => {
    const reader = open()
    expect(await ids(reader.lexical('placa', 5))).toEqual([])
    await open().put([document('a', 1n, 'Placa')])
    await reader.refresh()
    expect(await ids(reader.lexical('placa', 5))).toEqual(['a'])
  })

  test('sees its own writes at once, even when a load that began before them ends after them', async () => {
    const read = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const slow: Store = {
      ...store,
      async query<Row extends object>(sql: string, parameters?: readonly unknown[]) {
        const rows = await store.query<Row>(sql, parameters)
        if (sql.startsWith('select')) {
          read.resolve()
          await gate.promise
        }
        return rows
      },
    }
    const index = openExactIndex({ store: slow, embedder: embedder('one-model'), now: () => clock })
    const loading = index.refresh()
    await read.promise
    await index.put([document('a', 1n, 'Placa')])
    const found = ids(index.lexical('placa', 5))
    gate.resolve()
    expect(await found).toEqual(['a'])
    await loading
  })

  test('loads more documents than one page holds', async () => {
    const documents = Array.from({ length: 4_500 }, (_, i) => document(`i${i}`, BigInt(i + 1), `Tubo n${i}x`))
    await open().put(documents)
    const { documents: counted, counts } = await open().frequencies(['tubo', 'n0x', 'n4499x'])
    expect([counted, ...counts]).toEqual([4_500, 4_500, 1, 1])
  })

  test('of a new embedder gets each vector as soon as its document is fed again', async () => {
    const old = open('old-model')
    await old.put([1, 2, 3, 4].map((i) => document(`i${i}`, BigInt(i), `Placa ${i}`, { vector: axis(0) })))
    await old.remove([{ itemId: 'i4', seq: 5n }])
    const reader = open('new-model')
    expect(await ids(reader.lexical('placa', 5))).toEqual(['i1', 'i2', 'i3'])
    expect(await ids(reader.nearest(axis(1), 5))).toEqual([])

    const feeder = open('new-model')
    await feeder.put([document('i1', 1n, 'Placa 1', { vector: axis(1) })])
    await reader.refresh()
    expect(await ids(reader.nearest(axis(1), 5))).toEqual(['i1'])

    await feeder.put([2, 3].map((i) => document(`i${i}`, BigInt(i), `Placa ${i}`, { vector: axis(1) })))
    await feeder.remove([{ itemId: 'i4', seq: 5n }])
    await feeder.put([document('i6', 6n, 'Placa 6', { vector: axis(1) })])
    await reader.refresh()
    expect(await ids(reader.nearest(axis(1), 5))).toEqual(['i1', 'i2', 'i3', 'i6'])
    expect(await reader.state()).toEqual({ seq: 6n, documents: 4, vectors: 4 })
  })

  test('without an embedder finds by words', async () => {
    const index = openExactIndex({ store, embedder: null, now: () => clock })
    await index.put([document('a', 1n, 'Placa de yeso')])
    expect(await ids(index.lexical('yeso', 5))).toEqual(['a'])
    expect(await index.state()).toEqual({ seq: 1n, documents: 1, vectors: 0 })
  })

  test('refuses a vector of other dimensions, naming whose it is', async () => {
    const index = open()
    await expect(index.put([document('a', 1n, 'Placa', { vector: new Float32Array(3) })])).rejects.toThrow(
      'vector of a: 3 components, expected 8',
    )
    await expect(index.nearest(new Float32Array(3), 5)).rejects.toThrow('vector of the query')
  })
})
