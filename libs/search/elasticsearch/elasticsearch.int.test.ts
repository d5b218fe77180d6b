import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openBuiltinEmbedder } from '@catalog/embed/builtin/builtin.ts'
import { openExactIndex } from '@catalog/search/exact/exact.ts'
import { embeddable, readQuestion } from '@catalog/search/query/question.ts'
import { search } from '@catalog/search/ranking/fuse.ts'
import type { SearchDocument, SearchFilter, SearchIndex } from '@catalog/search/search.ts'
import {
  axis,
  CONFORMANCE_DIMS,
  describeNewEmbedder,
  describeSearchIndex,
  document,
} from '@catalog/stack/conformance/search-index.ts'
import { sharedServer, unavailable } from '@catalog/stack/servers/servers.ts'
import { freshPrefix, idsOf, openProxy, testServer } from '@catalog/stack/testing/elasticsearch.ts'
import { openTestStore } from '@catalog/stack/testing/store.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openElasticsearchIndex } from './elasticsearch.ts'

const missing = unavailable('elasticsearch')

describe.skipIf(missing !== null)(missing ?? 'on a real server', () => {
  const server = testServer()
  beforeAll(async () => server.connect(await sharedServer('elasticsearch')))
  afterAll(() => server[Symbol.asyncDispose]())
  const { open, request } = server

  describeSearchIndex('Elasticsearch', async () => {
    const prefix = freshPrefix()
    return {
      index: open(prefix),
      reopen: async (fingerprint) => open(prefix, fingerprint),
      [Symbol.asyncDispose]: async () => {},
    }
  })

  describe('of writes to one index', () => {
    let prefix: string
    let index: SearchIndex
    beforeEach(() => {
      prefix = freshPrefix()
      index = open(prefix)
    })

    test('the newest one wins, in any order of two processes', async () => {
      const writes = Array.from({ length: 150 }, (_, i) => ({ seq: BigInt(i + 1), item: `i${(i * 7) % 23}` }))
      const isRemoval = ({ seq }: { seq: bigint }) => seq % 3n === 0n
      const newest = new Map(writes.map((write) => [write.item, write]))
      const live = [...newest.values()].filter((write) => !isRemoval(write))
      const shuffled = writes.map((_, i) => writes[(i * 73) % 150] as (typeof writes)[number])
      const other = open(prefix)
      await Promise.all(
        [index, other].map(async (sender, parity) => {
          for (const { seq, item } of shuffled.filter((_, i) => i % 2 === parity)) {
            if (isRemoval({ seq })) await sender.remove([{ itemId: item, seq }])
            else await sender.put([document(item, seq, `Tubo s${seq}`)])
          }
        }),
      )
      const found = await index.lexical('tubo', 100)
      const shown = found.map(({ itemId, name }) => `${itemId} ${name}`).sort()
      expect(shown).toEqual(live.map(({ item, seq }) => `${item} Tubo s${seq}`).sort())
      expect(await index.state()).toEqual({ seq: 150n, documents: live.length, vectors: 0 })
    })

    test('a seq beyond 2^53 differs from its neighbours', async () => {
      const seq = 2n ** 53n + 3n
      await index.put([document('a', seq, 'Placa nueva')])
      await index.put([document('a', seq - 1n, 'Placa vieja')])
      await index.remove([{ itemId: 'a', seq: seq - 1n }])
      expect(await idsOf(index.lexical('nueva', 5))).toEqual(['a'])
      expect((await index.state()).seq).toBe(seq)
    })

    test('all arrive, also in several requests', async () => {
      const many = Array.from({ length: 2_300 }, (_, i) => document(`i${i}`, BigInt(i + 1), `Tubo n${i}x`))
      await index.put(many)
      const { documents, counts } = await index.frequencies(['tubo', 'n0x', 'n2299x'])
      expect([documents, ...counts]).toEqual([2_300, 2_300, 1, 1])
    })

    test('an error names the refused document, and the others of its batch arrive', async () => {
      const put = index.put([
        document('good', 1n, 'Placa', { vector: axis(0) }),
        document('bad', 2n, 'Placa', { vector: new Float32Array(CONFORMANCE_DIMS) }),
      ])
      await expect(put).rejects.toThrow(/bulk: 1 refused: bad: status 400, .*magnitude/)
      expect(await idsOf(index.nearest(axis(0), 5))).toEqual(['good'])
    })

    test('a vector of other dimensions is refused before any request', async () => {
      const put = index.put([document('a', 1n, 'Placa', { vector: new Float32Array(3) })])
      await expect(put).rejects.toThrow('vector of a: 3 components, expected 8')
      await expect(index.nearest(new Float32Array(3), 5)).rejects.toThrow('vector of the query')
      expect((await request(`/${prefix}-*`)).body).toEqual({})
    })

    test('writes after its deletion are refused until the feeder has seen the empty index', async () => {
      await index.put([document('a', 1n, 'Placa')])
      const [concrete] = Object.keys((await request(`/${prefix}-*`)).body)
      expect((await request(`/${concrete}`, 'DELETE')).status).toBe(200)
      await expect(index.put([document('b', 2n, 'Placa')])).rejects.toThrow('is lost')
      expect((await request(`/${prefix}-*`)).body).toEqual({})
      expect(await index.state()).toEqual({ seq: 0n, documents: 0, vectors: 0 })
      expect(await index.lexical('placa', 5)).toEqual([])
      await index.put([document('a', 1n, 'Placa')])
      expect(await idsOf(index.lexical('placa', 5))).toEqual(['a'])
    })

    test("a feeder's starting seq includes the last write of another process", async () => {
      const other = open(prefix)
      for (const seq of [1n, 2n, 3n]) {
        await other.put([document('a', seq, 'Placa')])
        expect((await index.state()).seq).toBe(seq)
      }
    })
  })

  describeNewEmbedder(async () => {
    const place = { url: server.url(), prefix: freshPrefix(), gen: 'g1' }
    return (fingerprint) => {
      const embedder = fingerprint === null ? null : { fingerprint, dims: CONFORMANCE_DIMS }
      return server.closedLater(openElasticsearchIndex({ ...place, embedder }))
    }
  })

  describe('the index of a new embedder', () => {
    let prefix: string
    let old: SearchIndex
    beforeEach(async () => {
      prefix = freshPrefix()
      old = open(prefix, 'old-model')
      await old.put([1, 2, 3].map((i) => document(`i${i}`, BigInt(i), `Placa ${i}`, { vector: axis(0) })))
      await old.remove([{ itemId: 'i3', seq: 4n }])
      // Other readers see it from here on.
      expect((await old.state()).documents).toBe(2)
    })
    const serving = async () => Object.keys((await request(`/_alias/${prefix}-g1`)).body)

    test('serves once it is filled, and yields to the old one that is ahead of it', async () => {
      const fresh = open(prefix, 'new-model')
      const [before] = await serving()
      await fresh.put([document('i1', 1n, 'Placa 1', { vector: axis(1) })])
      expect(await serving()).toEqual([before])
      await fresh.put([1, 2, 5].map((i) => document(`i${i}`, BigInt(i), `Placa ${i}`, { vector: axis(1) })))
      const [held, ...more] = await serving()
      expect([held === before, more]).toEqual([false, []])
      await old.put([document('i5', 5n, 'Placa 5', { vector: axis(0) })])
      // Equal in seq to the serving index, so nothing changes.
      expect(await serving()).toEqual([held])
      await old.put([document('i6', 6n, 'Placa 6', { vector: axis(0) })])
      expect(await serving()).toEqual([before])
    })

    test('leaves nothing of the old one that was dropped, and drops none of another generation', async () => {
      const fresh = open(prefix, 'new-model')
      expect(await fresh.drop(old.identity.replace('-g1-', '-g0-'))).toBe(false)
      await fresh.put([document('i5', 5n, 'Placa 5', { vector: axis(1) })])
      for (const _ of ['dropped', 'gone']) expect(await fresh.drop(old.identity)).toBe(true)
      expect(Object.keys((await request(`/${prefix}-*`)).body)).toEqual(await serving())
    })

    test('of another generation starts empty and takes over nothing', async () => {
      const embedder = { fingerprint: 'old-model', dims: CONFORMANCE_DIMS }
      const restored = openElasticsearchIndex({ url: server.url(), prefix, gen: 'g2', embedder })
      server.closedLater(restored)
      await restored.put([document('j1', 1n, 'Barra', { vector: axis(0) })])
      expect(await restored.state()).toEqual({ seq: 1n, documents: 1, vectors: 1 })
      expect(await idsOf(restored.nearest(axis(0), 5))).toEqual(['j1'])
      expect(await idsOf(old.lexical('placa barra', 5))).toEqual(['i1', 'i2'])
    })
  })

  describe('a server that is busy or away', () => {
    /** The proxy's answer to a request; undefined forwards it to the server. */
    let answer: (path: string, body: string) => { status: number; body?: object } | undefined
    let bulks: string[]
    let proxy: Server
    let at: string
    beforeEach(async () => {
      bulks = []
      answer = () => undefined
      const opened = await openProxy(server.url(), (path, body, response) => {
        if (path.includes('_bulk')) bulks.push(body)
        const own = answer(path, body)
        if (own === undefined) return false
        const headers = { 'x-elastic-product': 'Elasticsearch', 'content-type': 'application/json' }
        response.writeHead(own.status, headers).end(JSON.stringify(own.body ?? {}))
        return true
      })
      proxy = opened.server
      at = opened.url
      return () => opened[Symbol.asyncDispose]()
    })
    const docs = [document('a', 1n, 'Placa'), document('b', 2n, 'Placa')]

    test('receives again only the documents that it was too busy for', async () => {
      const items = [
        { index: { _id: 'a', status: 201 } },
        { index: { _id: 'b', status: 429, error: { type: 'full' } } },
      ]
      answer = (path) => (path.includes('_bulk') && bulks.length === 1 ? { status: 200, body: { items } } : undefined)
      const index = open(freshPrefix(), 'one-model', at)
      await index.put(docs)
      expect(bulks.map((body) => [...body.matchAll(/"_id":"(\w)"/g)].map(([, id]) => id))).toEqual([['a', 'b'], ['b']])
      expect(await idsOf(index.lexical('placa', 5))).toEqual(['b'])
    })

    test('receives a refused request again as a whole', async () => {
      answer = (path) => (path.includes('_bulk') && bulks.length <= 2 ? { status: 429 } : undefined)
      const index = open(freshPrefix(), 'one-model', at)
      await index.put(docs)
      expect(await idsOf(index.lexical('placa', 5))).toEqual(['a', 'b'])
    })

    test('fails the write when it stays busy', async () => {
      answer = (path) => (path.includes('_bulk') ? { status: 429 } : undefined)
      await expect(open(freshPrefix(), 'one-model', at).put(docs)).rejects.toThrow('2 documents refused')
      expect(bulks).toHaveLength(5)
    })

    test('makes every call reject during an outage, and none after it', async () => {
      const index = open(freshPrefix(), 'one-model', at)
      await index.put(docs)
      const { port } = proxy.address() as AddressInfo
      proxy.closeAllConnections()
      proxy.close()
      await once(proxy, 'close')
      await expect(index.put([document('c', 3n, 'Placa')])).rejects.toThrow('Elasticsearch, bulk')
      await expect(index.lexical('placa', 5)).rejects.toThrow('Elasticsearch')
      await expect(index.nearest(axis(0), 5)).rejects.toThrow('Elasticsearch')
      await expect(index.state()).rejects.toThrow('Elasticsearch')
      proxy.listen(port, '127.0.0.1')
      await once(proxy, 'listening')
      await index.put([document('c', 3n, 'Placa')])
      expect(await idsOf(index.lexical('placa', 5))).toEqual(['a', 'b', 'c'])
    })
  })

  describe('beside the exact index', () => {
    const builtin = openBuiltinEmbedder()
    let exact: SearchIndex
    let elastic: SearchIndex
    beforeAll(async () => {
      const store = await openTestStore()
      server.closedLater(store)
      exact = openExactIndex({ store, embedder: builtin, now: () => performance.now() })
      const index = openElasticsearchIndex({ url: server.url(), prefix: freshPrefix(), gen: 'g1', embedder: builtin })
      server.closedLater(index)
      elastic = index
      const documents = await catalogOf(ITEMS)
      for (const index of [exact, elastic]) await index.put(documents)
    })

    test.each<[query: string, results: number]>([
      ['placa de yeso laminado 13 mm', 20],
      // Behind its first eight, what words alone found has equal chances, and the indices find other documents by them.
      ['plasterbord fire 15', 8],
      ['cement 32.5', 20],
      ['barra corrugada b500s 12', 20],
      ['ready mixed concrete c25', 20],
      ['aislante', 20],
      ['4710', 20],
      ['REF-0042', 20],
      ['xqzvw', 20],
      ['tubo pvc 110 verde', 20],
      ['12,5', 20],
      ['drywall 1/2 in', 20],
      ['Fensterr aluminium', 20],
      ['cable 3x1.5', 20],
      ['rock wool 1.3 cm', 20],
    ])('answers %j alike, in mode, items and scores', async (query, limit) => {
      const question = readQuestion(query)
      const [vector = null] = await builtin.embed([embeddable(question)], 'query')
      for (const filter of FILTERS) {
        const [theirs, ours] = await Promise.all(
          [exact, elastic].map((index) => search({ question, vector, index, filter, limit })),
        )
        expect(ours?.mode).toBe(theirs?.mode)
        expect(ours?.results.map(({ itemId }) => itemId)).toEqual(theirs?.results.map(({ itemId }) => itemId))
        ours?.results.forEach(({ score }, i) => {
          expect(score).toBeCloseTo(theirs?.results[i]?.score as number, 4)
        })
      }
    })

    test.each(FILTERS)('finds 98 of 100 nearest with the filter %j', async (filter) => {
      let hits = 0
      let wanted = 0
      for (const name of (await catalogOf(QUERIES, 7)).map((asked) => asked.name)) {
        const [vector] = (await builtin.embed([name], 'query')) as [Float32Array]
        const expected = await exact.nearest(vector, NEAREST, filter)
        const found = await elastic.nearest(vector, NEAREST, filter)
        // Names that differ only in a number tie: any document of the same cosine counts, up to the wanted number.
        const least = (expected.at(-1)?.cosine ?? 1) - TIE
        hits += found.filter(({ cosine }) => (cosine as number) >= least).length
        wanted += expected.length
      }
      process.stdout.write(`recall@${NEAREST} ${JSON.stringify(filter)}: ${(hits / wanted).toFixed(4)}\n`)
      expect(hits / wanted).toBeGreaterThanOrEqual(0.98)
    })

    /** Items of several words with sizes and codes; another `seed` combines other words. */
    async function catalogOf(count: number, seed = 1): Promise<SearchDocument[]> {
      let state = seed
      const pick = <T>(from: readonly T[]): T => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
        return from[(state >>> 12) % from.length] as T
      }
      const names = Array.from({ length: count }, (_, i) => {
        const words = [pick(THINGS), pick(MATERIALS), pick(QUALITIES), pick(FINISHES)]
        return [...words, `${pick(SIZES)} mm`, ...(i % 10 === 0 ? [`REF-${String(i).padStart(4, '0')}`] : [])].join(' ')
      })
      const vectors = await builtin.embed(names, 'document')
      return names.map((name, i) => {
        const [regions, categoryId] = [[pick(REGIONS), 'EU'], pick(CATEGORIES)]
        return {
          ...document(`ci_${i}`, BigInt(i + 1), name),
          body: 'u',
          regions,
          categoryId,
          vector: vectors[i] ?? null,
        }
      })
    }
  })
})

const ITEMS = 4_000
const QUERIES = 150
const NEAREST = 10
/** Rounding error of a score as a float32 in [0, 1]. */
const TIE = 1e-6
const FILTERS: SearchFilter[] = [{}, { region: 'PE' }, { region: 'EU', categoryIds: ['k3', 'k9'] }]
const THINGS =
  `placa,tubo,barra,panel,bloque,viga,saco,cable,codo,perfil,tornillo,lastra,ziegel,plasterboard,pipe,brick,
  beam,sheet,board,bag,insulation,aislante,concrete,window,door,fenster`.split(/,\s*/)
const MATERIALS =
  `de yeso,pvc,acero,corrugada b500s,gypsum,cement 32.5,cemento,aluminio,cobre,ready mixed,hormigón,steel,
  copper,holz,madera,lana mineral,rock wool,eps,xps,cerámica,granito`.split(/,\s*/)
const QUALITIES = `laminado,resistente,fire,hidrófugo,standard,reforzado,ligero,acoustic,exterior,interior,c25,double,
  galvanizado,flexible,rígido,premium,industrial`.split(/,\s*/)
const FINISHES = 'blanco,verde,gris,natural,matt,gloss,raw,brushed,pintado,roh,liso,rugoso'.split(',')
const SIZES = ['6', '9.5', '12,5', '13', '15', '20', '32', '40', '50', '110', '160', '200', '1200x2500']
const REGIONS = [...'ES,PT,FR,DE,IT,GB,MX,AR,CL,CO,BR,US,UY,ES,ES,DE,DE,FR,MX'.split(','), 'PE']
const CATEGORIES = ['k1', 'k2', 'k3', 'k4', 'k5', 'k6', 'k7', 'k8', null]
