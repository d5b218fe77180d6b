import type { SearchDocument, SearchIndex } from '@catalog/search/search.ts'
import {
  axis,
  CONFORMANCE_DIMS,
  describeNewEmbedder,
  describeSearchIndex,
  document,
} from '@catalog/stack/conformance/search-index.ts'
import { BOTH_STORES } from '@catalog/stack/testing/fixtures.ts'
import { openTestStore } from '@catalog/stack/testing/store.ts'
import type { Store } from '@catalog/store/db.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openExactBuild, openExactIndex } from './exact.ts'

const embedder = (fingerprint: string) => ({ fingerprint, dims: CONFORMANCE_DIMS })
const now = () => performance.now()

const onStore = (openStore: () => Promise<Store>) => async () => {
  const store = await openStore()
  return {
    index: openExactIndex({ store, embedder: embedder('one-model'), now }),
    reopen: async (fingerprint = 'one-model') => openExactIndex({ store, embedder: embedder(fingerprint), now }),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}
describeSearchIndex('exact', onStore(openTestStore))

test('an index that nobody wrote since is read by one statement', async () => {
  await using store = await openTestStore()
  const heard: string[] = []
  const query: Store['query'] = (sql, parameters) => {
    heard.push(sql)
    return store.query(sql, parameters)
  }
  let clock = 0
  const index = openExactIndex({ store: { ...store, query }, embedder: embedder('one-model'), now: () => clock })
  await index.put([document('ci_1', 1n, 'Placa')])
  expect(await index.lexical('placa', 9)).toHaveLength(1)

  heard.length = 0
  clock += 1_000
  expect(await index.lexical('placa', 9)).toHaveLength(1)
  expect(heard).toHaveLength(1)
})

/** A store whose answers to the statements that `isHeld` accepts wait for `release`; `reached` resolves at the first one. */
function holding(store: Store, isHeld: (sql: string, parameters: readonly unknown[]) => boolean) {
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow: Store = {
    ...store,
    async query<Row extends object>(sql: string, parameters: readonly unknown[] = []) {
      const rows = await store.query<Row>(sql, parameters)
      if (sql.startsWith('select item_id') && isHeld(sql, parameters)) {
        reached.resolve()
        await gate.promise
      }
      return rows
    },
  }
  return { slow, reached: reached.promise, release: gate.resolve }
}

for (const [name, openStore, missing] of BOTH_STORES) {
  describe.skipIf(missing !== null)(
    `a reader on ${name}, when the tables of another build are put in the place of those it read`,
    () => {
      let store: Store
      let served: string
      let clock = 0
      const open = () => openExactIndex({ store, embedder: embedder('one-model'), now: () => clock })
      const names = async (index: SearchIndex) => (await index.lexical('placa', 9)).map(({ name }) => name).sort()
      /**
       * Creates the tables of a build, fills them through the build's index, and swaps the schemas in one transaction.
       */
      async function flip(build: string, documents: readonly SearchDocument[]): Promise<void> {
        await store.query(`create schema ${build}`)
        for (const table of ['search_docs', 'search_indexes']) {
          await store.query(`create table ${build}.${table} (like ${served}.${table} including all)`)
        }
        const ofBuild: Store = {
          ...store,
          query: (sql, parameters) =>
            store.query(sql.replace(/\b(?<!\.)search_(docs|indexes)\b/g, `${build}.$&`), parameters),
        }
        const beside = openExactBuild({ store: ofBuild, embedder: embedder('one-model'), now: () => clock })
        await beside.put(documents)
        await beside.takeOver()
        await store.transaction(async (tx) => {
          await tx.query(`alter schema ${served} rename to ${build}_former`)
          await tx.query(`alter schema ${build} rename to ${served}`)
        })
      }
      const placa = (id: string, seq: bigint, name: string) => document(id, seq, `Placa ${name}`, { vector: axis(0) })

      beforeEach(async () => {
        store = await openStore()
        const [row] = await store.query<{ schema: string }>(
          `select relnamespace::regnamespace::text as schema from pg_class where oid = to_regclass('search_docs')`,
        )
        served = row?.schema as string
        await open().put([placa('a', 1n, 'uno'), placa('b', 2n, 'dos')])
      })
      afterEach(() => store[Symbol.asyncDispose]())

      test('finds equal documents, and later puts', async () => {
        const reader = open()
        const before = await names(reader)
        await flip('equal', [placa('a', 1n, 'uno'), placa('b', 2n, 'dos')])
        clock += 250
        await reader.refresh()
        expect(await names(reader)).toEqual(before)
        expect(await reader.isEmbedded()).toBe(true)
        await open().put([placa('c', 3n, 'tres')])
        clock += 250
        expect(await names(reader)).toEqual([...before, 'Placa tres'].sort())
        expect(await reader.state()).toEqual({ seq: 3n, documents: 3, vectors: 3 })
      })

      test('finds the new documents where those of equal seq differ or are missing', async () => {
        const reader = open()
        expect(await names(reader)).toEqual(['Placa dos', 'Placa uno'])
        await flip('other', [placa('a', 1n, 'otra'), placa('d', 2n, 'nueva')])
        clock += 250
        await reader.refresh()
        expect(await names(reader)).toEqual(['Placa nueva', 'Placa otra'])
        await flip('again', [placa('a', 1n, 'vuelta')])
        clock += 250
        await reader.refresh()
        expect(await names(reader)).toEqual(['Placa vuelta'])
      })

      test('answers from the former documents while it loads the new ones', async () => {
        let flipped = false
        const { slow, reached, release } = holding(store, (_sql, [, after]) => flipped && after === -1n)
        const reader = openExactIndex({ store: slow, embedder: embedder('one-model'), now: () => clock })
        const before = await names(reader)
        await flip('slow', [placa('a', 1n, 'otra'), placa('b', 2n, 'dos')])
        flipped = true
        const refreshed = reader.refresh()
        await reached
        clock += 250
        expect(await names(reader)).toEqual(before)
        release()
        await refreshed
        expect(await names(reader)).toEqual(['Placa dos', 'Placa otra'])
      })
    },
  )
}

describe('a reader of the exact index', () => {
  let store: Store
  let clock = 0
  const open = (fingerprint: string | null = 'one-model') =>
    openExactIndex({ store, embedder: fingerprint === null ? null : embedder(fingerprint), now: () => clock })
  const ids = async (found: Promise<readonly { readonly itemId: string }[]>) =>
    (await found).map(({ itemId }) => itemId).sort()

  beforeAll(async () => {
    store = await openTestStore()
  })
  beforeEach(() => store.query('truncate search_docs, search_indexes'))
  afterAll(() => store[Symbol.asyncDispose]())

  test("sees another process's write after at most 250 ms", async () => {
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

  test('sees it at once after a refresh', async () => {
    const reader = open()
    expect(await ids(reader.lexical('placa', 5))).toEqual([])
    await open().put([document('a', 1n, 'Placa')])
    await reader.refresh()
    expect(await ids(reader.lexical('placa', 5))).toEqual(['a'])
  })

  test('sees its own writes at once, despite an earlier load that ends after them', async () => {
    const { slow, reached, release } = holding(store, () => true)
    const index = openExactIndex({ store: slow, embedder: embedder('one-model'), now: () => clock })
    const loading = index.refresh()
    await reached
    await index.put([document('a', 1n, 'Placa')])
    const found = ids(index.lexical('placa', 5))
    release()
    expect(await found).toEqual(['a'])
    await loading
  })

  test('loads several pages of documents', async () => {
    const documents = Array.from({ length: 4_500 }, (_, i) => document(`i${i}`, BigInt(i + 1), `Tubo n${i}x`))
    await open().put(documents)
    const { documents: counted, counts } = await open().frequencies(['tubo', 'n0x', 'n4499x'])
    expect([counted, ...counts]).toEqual([4_500, 4_500, 1, 1])
  })

  describeNewEmbedder(async () => (fingerprint) => open(fingerprint))

  describe('of a new embedder', () => {
    const placas = (seqs: readonly number[], at: number) =>
      seqs.map((i) => document(`i${i}`, BigInt(i), `Placa ${i}`, { vector: axis(at) }))
    const words = (index: SearchIndex) => ids(index.lexical('placa', 9))
    const near = (index: SearchIndex, at: number) => ids(index.nearest(axis(at), 9))
    let old: ReturnType<typeof open>
    beforeEach(async () => {
      old = open('old-model')
      await old.put(placas([1, 2, 3, 4], 0))
      await old.remove([{ itemId: 'i4', seq: 5n }])
    })

    test('finds words of the newest of several filled ones', async () => {
      await open('newer-model').put(placas([1, 2, 3, 8], 1))
      const reader = open('newest-model')
      expect(await words(reader)).toEqual(['i1', 'i2', 'i3', 'i8'])
      expect(await reader.state()).toEqual({ seq: 0n, documents: 4, vectors: 0 })
    })

    test('answers from the old one while it loads the new one', async () => {
      const { slow, reached, release } = holding(store, (_sql, [fingerprint]) => fingerprint === 'new-model')
      const reader = openExactIndex({ store: slow, embedder: embedder('new-model'), now: () => clock })
      expect(await words(reader)).toEqual(['i1', 'i2', 'i3'])
      await open('new-model').put(placas([1, 2, 6], 1))
      const refreshed = reader.refresh()
      await reached
      clock += 250
      expect(await words(reader)).toEqual(['i1', 'i2', 'i3'])
      expect(await reader.isEmbedded()).toBe(false)
      release()
      await refreshed
      expect(await words(reader)).toEqual(['i1', 'i2', 'i6'])
      expect(await near(reader, 1)).toEqual(['i1', 'i2', 'i6'])
    })
  })

  test('refuses a vector of other dimensions and names its document', async () => {
    const index = open()
    await expect(index.put([document('a', 1n, 'Placa', { vector: new Float32Array(3) })])).rejects.toThrow(
      'vector of a: 3 components, expected 8',
    )
    await expect(index.nearest(new Float32Array(3), 5)).rejects.toThrow('vector of the query')
  })
})
