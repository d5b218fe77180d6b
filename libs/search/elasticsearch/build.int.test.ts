import type { SearchDocument, SearchIndex } from '@catalog/search/search.ts'
import { axis, describeSearchIndex, document } from '@catalog/stack/conformance/search-index.ts'
import { sharedServer, unavailable } from '@catalog/stack/servers/servers.ts'
import { freshPrefix, idsOf, openProxy, testServer } from '@catalog/stack/testing/elasticsearch.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

const missing = unavailable('elasticsearch')

describe.skipIf(missing !== null)(missing ?? 'on a real server, the documents of a build', () => {
  const server = testServer()
  beforeAll(async () => server.connect(await sharedServer('elasticsearch')))
  afterAll(() => server[Symbol.asyncDispose]())
  const { open, openBuild, request } = server
  const indexes = async (prefix: string) => Object.keys((await request(`/${prefix}-*/_alias`)).body).sort()
  const named = async (alias: string) => Object.keys((await request(`/_alias/${alias}`)).body).sort()
  const nameOf = ({ identity }: SearchIndex) => identity.slice('elasticsearch '.length)
  const placas = (seqs: readonly number[], at = 0): readonly SearchDocument[] =>
    seqs.map((i) => document(`i${i}`, BigInt(i), `Placa ${i}`, { vector: axis(at) }))

  describeSearchIndex('Elasticsearch, beside the present one', async () => {
    const prefix = freshPrefix()
    const index = openBuild(prefix, 7)
    return {
      index,
      // Readers with another embedder find the document after its takeOver.
      reopen: async (fingerprint) => {
        if (fingerprint === undefined) return openBuild(prefix, 7)
        await index.takeOver()
        return open(prefix, fingerprint)
      },
      [Symbol.asyncDispose]: async () => {},
    }
  })

  describeSearchIndex('Elasticsearch, since a build took over', async () => {
    const prefix = freshPrefix()
    await openBuild(prefix, null).takeOver()
    await openBuild(prefix, 7).takeOver()
    return {
      index: open(prefix),
      reopen: async (fingerprint) => open(prefix, fingerprint),
      [Symbol.asyncDispose]: async () => {},
    }
  })

  describe('of one embedder', () => {
    let prefix: string
    let present: SearchIndex
    let own: string
    beforeEach(async () => {
      prefix = freshPrefix()
      present = open(prefix)
      own = nameOf(present)
      await present.put(placas([1, 2, 3]))
      await present.remove([{ itemId: 'i3', seq: 4n }])
      // Other readers see it from here on.
      expect((await present.state()).documents).toBe(2)
    })

    test('are invisible until their takeOver, and then visible to every running process', async () => {
      const reader = open(prefix)
      expect(await idsOf(reader.lexical('placa', 9))).toEqual(['i1', 'i2'])
      const built = openBuild(prefix, 7)
      await built.put(placas([1, 2, 4, 5], 1))
      expect(await idsOf(reader.lexical('placa', 9))).toEqual(['i1', 'i2'])
      expect(await idsOf(open(prefix).nearest(axis(1), 9))).toEqual(['i1', 'i2'])
      expect(await idsOf(open(prefix, 'another-model').lexical('placa', 9))).toEqual(['i1', 'i2'])
      expect(await present.state()).toEqual({ seq: 4n, documents: 2, vectors: 2 })
      expect(await built.state()).toEqual({ seq: 5n, documents: 4, vectors: 4 })

      await built.takeOver()
      const words = ['i1', 'i2', 'i4', 'i5']
      expect(await idsOf(reader.lexical('placa', 9))).toEqual(words)
      expect((await reader.nearest(axis(1), 9)).map(({ cosine }) => Math.round(cosine as number))).toEqual([1, 1, 1, 1])
      expect(await idsOf(open(prefix, 'another-model').lexical('placa', 9))).toEqual(words)
      expect(await reader.isEmbedded()).toBe(true)
      expect(await named(own)).toEqual([`${own}-docs-b7`])
      expect(await named(`${own}-filled`)).toEqual([`${own}-docs-b7`])
      expect(await named(`${prefix}-g1`)).toEqual([`${own}-docs-b7`])
    })

    test('receive the writes of earlier and of new processes', async () => {
      const built = openBuild(prefix, 7)
      await built.put(placas([1, 2, 5]))
      await built.takeOver()
      await present.put(placas([6]))
      await present.remove([{ itemId: 'i1', seq: 7n }])
      await open(prefix).put([...placas([1]), ...placas([8])])
      expect(await present.state()).toEqual({ seq: 8n, documents: 4, vectors: 4 })
      expect(await idsOf(present.lexical('placa', 9))).toEqual(['i2', 'i5', 'i6', 'i8'])
      expect(await present.isEmbedded()).toBe(true)
      expect(await named(`${prefix}-g1`)).toEqual([`${own}-docs-b7`])
      expect((await openBuild(prefix, null).state()).seq).toBe(4n)
    })

    test('take over once, however many processes repeat the call', async () => {
      const built = openBuild(prefix, 7)
      await built.put(placas([1, 5]))
      await Promise.all([built.takeOver(), openBuild(prefix, 7).takeOver()])
      await present.put(placas([6]))
      // Repeat the call, as a restarted process does.
      await openBuild(prefix, 7).takeOver()
      expect(await idsOf(present.lexical('placa', 9))).toEqual(['i1', 'i5', 'i6'])
      expect(await named(own)).toEqual([`${own}-docs-b7`])
    })

    test('take over from each other, and the former ones stay until discarded', async () => {
      for (const [build, seq] of [
        [7, 5],
        [8, 6],
      ] as const) {
        const built = openBuild(prefix, build)
        await built.put(placas([1, seq]))
        await built.takeOver()
      }
      expect(await idsOf(present.lexical('placa', 9))).toEqual(['i1', 'i6'])
      const [first, seventh, eighth] = [`${own}-docs`, `${own}-docs-b7`, `${own}-docs-b8`]
      expect(await indexes(prefix)).toEqual([first, seventh, eighth])
      expect(await openBuild(prefix, 8).discard()).toBe(false)
      expect(await openBuild(prefix, null).discard()).toBe(true)
      expect(await openBuild(prefix, null).discard()).toBe(true)
      expect(await indexes(prefix)).toEqual([seventh, eighth])
      expect(await openBuild(prefix, 7).discard()).toBe(true)
      // A process that starts now must not recreate the first index.
      const late = open(prefix)
      await late.put(placas([9]))
      expect(await indexes(prefix)).toEqual([eighth])
      expect(await idsOf(late.lexical('placa', 9))).toEqual(['i1', 'i6', 'i9'])
    })

    test('leave no trace when discarded before a takeOver, and can be filled again', async () => {
      const built = openBuild(prefix, 7)
      expect(await built.discard()).toBe(true)
      await built.put(placas([1, 900]))
      expect(await built.discard()).toBe(true)
      expect(await indexes(prefix)).toEqual([`${own}-docs`])
      expect(await built.state()).toEqual({ seq: 0n, documents: 0, vectors: 0 })
      await built.put(placas([1, 5]))
      expect(await built.state()).toEqual({ seq: 5n, documents: 2, vectors: 2 })
    })

    test('do not take over while the present ones are ahead', async () => {
      const built = openBuild(prefix, 7)
      await built.put(placas([1, 2, 3]))
      await expect(built.takeOver()).rejects.toThrow(`${own}-docs-b7 ends at seq 3: expected 4, as in ${own}-docs`)
      expect(await named(own)).toEqual([`${own}-docs`])
      await built.remove([{ itemId: 'i3', seq: 4n }])
      await built.takeOver()
      expect(await idsOf(present.lexical('placa', 9))).toEqual(['i1', 'i2'])
    })

    test('take over from an index with the name of an earlier release', async () => {
      const index = `${own}-docs`
      const plain = [{ remove: { index, alias: own } }, { add: { index, alias: own } }]
      expect((await request('/_aliases', 'POST', { actions: plain })).status).toBe(200)
      const built = openBuild(prefix, 7)
      await built.put(placas([1, 5]))
      await built.takeOver()
      await present.put(placas([6]))
      expect(await idsOf(present.lexical('placa', 9))).toEqual(['i1', 'i5', 'i6'])
    })

    test.each([
      ['from the start', true],
      ['on what the former ones hold', false],
    ])('are fed anew after a loss, %s', async (_, isDiscarded) => {
      const built = openBuild(prefix, 7)
      await built.put(placas([1, 5]))
      await built.takeOver()
      await present.put(placas([6]))
      if (isDiscarded) await openBuild(prefix, null).discard()
      expect((await request(`/${own}-docs-b7`, 'DELETE')).status).toBe(200)
      await expect(present.put(placas([7]))).rejects.toThrow('is lost')
      expect(await present.state()).toEqual({ seq: 0n, documents: 0, vectors: 0 })
      await present.put(placas([1, 5, 6, 7]))
      expect(await idsOf(present.lexical('placa', 9))).toEqual(['i1', ...(isDiscarded ? [] : ['i2']), 'i5', 'i6', 'i7'])
      expect(await named(own)).toEqual([`${own}-docs`])
    })

    test('take over from nothing, and are visible at once', async () => {
      const empty = freshPrefix()
      const built = openBuild(empty, 7)
      await built.put(placas([1, 2]))
      await built.takeOver()
      expect(await idsOf(open(empty).nearest(axis(0), 9))).toEqual(['i1', 'i2'])
      expect(await indexes(empty)).toEqual([`${nameOf(built)}-docs-b7`])
    })

    test('take over under load without a failed or empty search, or a failed or lost put', async () => {
      const many = Array.from({ length: 400 }, (_, i) =>
        document(`m${i}`, BigInt(i + 10), `Tubo ${i}`, { vector: axis(2) }),
      )
      await present.put(many)
      // Other processes see all documents from here on.
      await present.state()
      let isOver = false
      let searches = 0
      const empty: string[] = []
      const search = async (index: SearchIndex) => {
        while (!isOver) {
          const words = await index.lexical('tubo', 5)
          const near = await index.nearest(axis(2), 5)
          const { documents } = await index.frequencies([])
          const isEmbedded = await index.isEmbedded()
          searches++
          if (words.length < 5 || near.length < 5 || documents < 400 || !isEmbedded) {
            empty.push(JSON.stringify([words.length, near.length, documents, isEmbedded]))
          }
        }
      }
      let written = 0n
      const write = async () => {
        const writer = open(prefix)
        for (let seq = 1_000n; !isOver; seq++) {
          await writer.put([document('w', seq, `Codo s${seq}`)])
          written = seq
        }
      }
      const until = (done: () => boolean) => vi.waitUntil(done, { timeout: LOAD_MS_MAX })
      const readers = Array.from({ length: READERS }, () => open(prefix))
      // Warm up one by one: the first search of a connection and of a server is slow, and a reader times out after 5 s.
      for (const reader of readers) await reader.nearest(axis(2), 5)
      const load = Promise.all([...readers.map(search), write()]).finally(() => {
        isOver = true
      })
      // A failure ends the wait below, and fails the test at its end.
      load.catch(() => {})
      for (const build of [7, 8]) {
        const built = openBuild(prefix, build)
        // Ahead of the writer, which keeps writing.
        await built.put([...many, document('ahead', 1_000_000n + BigInt(build), 'Viga')])
        const seen = searches
        await until(() => isOver || searches > seen + ROUNDS)
        await built.takeOver()
        const [before, after] = [searches, written]
        await until(() => isOver || (searches > before + ROUNDS && written > after + 2n))
      }
      isOver = true
      await load
      expect(empty).toEqual([])
      expect((await present.state()).documents).toBe(402)
      expect((await present.lexical('codo', 5)).map(({ name }) => name)).toEqual([`Codo s${written}`])
      expect(await named(own)).toEqual([`${own}-docs-b8`])
    })
  })

  describe('beside those of another embedder', () => {
    let prefix: string
    let old: SearchIndex
    let fresh: SearchIndex
    beforeEach(async () => {
      prefix = freshPrefix()
      old = open(prefix, 'old-model')
      fresh = open(prefix, 'new-model')
      await old.put(placas([1, 2, 3]))
    })
    const serving = () => named(`${prefix}-g1`)

    test('replace only their own index, and leave the other one serving', async () => {
      await fresh.put(placas([1], 1))
      const built = openBuild(prefix, 7, 'new-model')
      await built.put(placas([1, 2], 1))
      await built.takeOver()
      expect(await serving()).toEqual([`${nameOf(old)}-docs`])
      expect(await fresh.isEmbedded()).toBe(false)
      expect(await idsOf(fresh.lexical('placa', 9))).toEqual(['i1', 'i2', 'i3'])
      expect(await idsOf(old.nearest(axis(0), 9))).toEqual(['i1', 'i2', 'i3'])
      await fresh.put(placas([3], 1))
      expect(await fresh.isEmbedded()).toBe(true)
      expect(await serving()).toEqual([`${nameOf(fresh)}-docs-b7`])
      expect(await idsOf(fresh.nearest(axis(1), 9))).toEqual(['i1', 'i2', 'i3'])
    })

    test('serve once they hold all documents of the other one, without a further write', async () => {
      await fresh.put(placas([1], 1))
      const built = openBuild(prefix, 7, 'new-model')
      await built.put(placas([1, 2, 3], 1))
      await built.takeOver()
      expect(await fresh.isEmbedded()).toBe(true)
      expect(await idsOf(fresh.nearest(axis(1), 9))).toEqual(['i1', 'i2', 'i3'])
    })

    test('of each embedder take over independently, and keep the serving one', async () => {
      await fresh.put(placas([1, 2, 3], 1))
      expect(await serving()).toEqual([`${nameOf(fresh)}-docs`])
      for (const fingerprint of ['old-model', 'new-model']) {
        const built = openBuild(prefix, 7, fingerprint)
        await built.put(placas([1, 2, 3], fingerprint === 'old-model' ? 0 : 1))
        await built.takeOver()
      }
      expect(await serving()).toEqual([`${nameOf(fresh)}-docs-b7`])
      expect(await idsOf(old.nearest(axis(0), 9))).toEqual(['i1', 'i2', 'i3'])
      expect(await idsOf(fresh.nearest(axis(1), 9))).toEqual(['i1', 'i2', 'i3'])
      expect(await openBuild(prefix, 7, 'old-model').discard()).toBe(false)
      expect(await openBuild(prefix, 7, 'new-model').discard()).toBe(false)
    })

    test('are dropped with all others of their embedder by identity', async () => {
      const built = openBuild(prefix, 7, 'old-model')
      await built.put(placas([1, 2, 3]))
      await built.takeOver()
      expect(await fresh.drop(old.identity)).toBe(false)
      await fresh.put(placas([1, 2, 3], 1))
      expect(await fresh.drop(old.identity)).toBe(true)
      expect(await indexes(prefix)).toEqual([`${nameOf(fresh)}-docs`])
    })

    test('serve when the former ones were about to', async () => {
      await fresh.put(placas([1], 1))
      const held = Promise.withResolvers<void>()
      const gate = Promise.withResolvers<void>()
      await using proxy = await openProxy(server.url(), async (path) => {
        if (!path.startsWith('/_aliases')) return false
        held.resolve()
        await gate.promise
        return false
      })
      const slow = open(prefix, 'new-model', proxy.url)
      const built = openBuild(prefix, 7, 'new-model')
      await built.put(placas([1, 2, 3], 1))
      const put = slow.put(placas([2, 3], 1))
      await held.promise
      await built.takeOver()
      gate.resolve()
      await put
      expect(await named(`${nameOf(fresh)}-filled`)).toEqual([`${nameOf(fresh)}-docs-b7`])
      expect(await serving()).toEqual([`${nameOf(fresh)}-docs-b7`])
    })
  })
})

const READERS = 20
/** Searches before and after the takeOver, so that each reader makes at least one during it. */
const ROUNDS = 40
/** On a quiet machine the load ends within seconds. */
const LOAD_MS_MAX = 60_000
