import type { SearchDocument, SearchFilter, SearchIndex } from '@catalog/search/search.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

/** Dimensions of the suite's vectors. */
export const CONFORMANCE_DIMS = 8

export type IndexUnderTest = AsyncDisposable & {
  /** Empty, for vectors of {@link CONFORMANCE_DIMS}. */
  readonly index: SearchIndex
  /** Opens another client of the same documents; a different fingerprint gives it other vectors. */
  reopen(fingerprint?: string): Promise<SearchIndex>
}

/** Tests the promises of the SearchIndex port; every adapter passes the same suite on its real server. */
export function describeSearchIndex(name: string, open: () => Promise<IndexUnderTest>): void {
  describe(`the ${name} search index`, () => {
    let subject: IndexUnderTest
    let index: SearchIndex
    beforeAll(async () => {
      subject = await open()
      index = subject.index
    })
    afterAll(() => subject[Symbol.asyncDispose]())

    test('is empty at first', async () => {
      expect(await index.state()).toEqual({ seq: 0n, documents: 0, vectors: 0 })
      expect(await index.nearest(axis(0), 5)).toEqual([])
      expect(await index.lexical('placa', 5)).toEqual([])
      expect(await index.frequencies(['placa'])).toEqual({ documents: 0, counts: [0] })
      // An empty index lacks no vector.
      expect(await index.isEmbedded()).toBe(true)
    })

    test('returns documents unchanged, and counts them', async () => {
      await index.put([
        document('ci_a', 1n, 'Placa de yeso 12,5 mm', {
          vector: axis(0),
          regions: ['ES', 'EU'],
          categoryId: 'board',
          kind: 'work',
        }),
        document('ci_b', 2n, 'Plasterboard sheet', {
          vector: axis(0, 1),
          regions: ['GB'],
          categoryId: 'board',
          kind: 'material',
        }),
        document('ci_c', 3n, 'Barra corrugada B500S', {
          vector: axis(2),
          regions: ['ES', 'EU'],
          body: 'kg acero',
          categoryId: 'steel',
        }),
        document('ci_d', 4n, '4711', { vector: null, regions: ['ES', 'EU'] }),
      ])
      expect(await index.state()).toEqual({ seq: 4n, documents: 4, vectors: 3 })
      const [first] = await index.lexical('corrugada', 5)
      const texts = { itemId: 'ci_c', name: 'Barra corrugada B500S', body: 'kg acero' }
      expect(first).toMatchObject({ ...texts, cosine: null })
      const [nearest] = await index.nearest(axis(2), 1)
      expect(nearest).toMatchObject({ ...texts, cosine: expect.closeTo(1, 2) })
    })

    test('finds an item by any of its names, and returns them with its unit and kind', async () => {
      const texts = { otherNames: ['Sanitary silicone', 'Silicone sanitaire'], unit: '300 ml', kind: 'material' }
      await index.put([document('ci_o', 5n, 'Masilla 4711', texts)])
      const [found] = await index.lexical('silicone sanitaire', 1)
      expect(found).toMatchObject({ itemId: 'ci_o', name: 'Masilla 4711', ...texts })
      // Only the contents of its unit are 300 ml.
      expect(await ids(index.lexical('0.3 l', 1))).toEqual(['ci_o'])
      await index.remove([{ itemId: 'ci_o', seq: 6n }])
    })

    test('nearest returns at most k, in the order of cosines', async () => {
      const found = await index.nearest(axis(0), 2)
      expect(found.map(({ itemId }) => itemId)).toEqual(['ci_a', 'ci_b'])
      expect(found[0]?.cosine).toBeCloseTo(1, 2)
      expect(found[1]?.cosine).toBeCloseTo(Math.SQRT1_2, 2)
    })

    test('nearest returns no document without a vector', async () => {
      expect(await ids(index.nearest(axis(0), 10))).not.toContain('ci_d')
    })

    test.each<[string, string]>([
      ['a folded word', 'SHÉET'],
      ['a word with a typing error', 'plasterbord'],
    ])('lexical finds by %s', async (_, query) => {
      expect(await ids(index.lexical(query, 5))).toEqual(['ci_b'])
    })

    test('lexical finds by either spelling of a number, by a code and by the body', async () => {
      expect(await ids(index.lexical('12.5', 5))).toEqual(['ci_a'])
      expect(await ids(index.lexical('b500s', 5))).toEqual(['ci_c'])
      expect(await ids(index.lexical('4711', 5))).toEqual(['ci_d'])
      expect(await ids(index.lexical('acero', 5))).toEqual(['ci_c'])
    })

    test.each([
      ['another word for it, of another language', 'drywall', ['ci_a', 'ci_b']],
      ['a size that is sold as its own', '1/2 in', ['ci_a']],
      ['a size in another unit', '1.25 cm', ['ci_a']],
    ])('lexical finds by %s', async (_, query, expected) => {
      expect((await ids(index.lexical(query, 5))).sort()).toEqual(expected)
    })

    test("lexical ranks the query's own words before synonyms", async () => {
      expect(await ids(index.lexical('plasterboard', 5))).toEqual(['ci_b', 'ci_a'])
    })

    test('lexical finds nothing for an unknown word', async () => {
      expect(await index.lexical('zzyzx', 5)).toEqual([])
    })

    test('frequencies count the documents with a token in name or body', async () => {
      expect(await index.frequencies(['placa', 'kg', '12.5', 'zzyzx'])).toEqual({ documents: 4, counts: [1, 1, 1, 0] })
    })

    test('frequencies count the documents that name a concept', async () => {
      const { counts } = await index.frequencies(['concept:plasterboard', 'concept:rebar', 'concept:window'])
      expect(counts).toEqual([2, 1, 0])
    })

    test.each<[SearchFilter, string[]]>([
      [{ region: 'GB' }, ['ci_b']],
      [{ region: 'ES' }, ['ci_a', 'ci_c']],
      [{ categoryIds: ['board'] }, ['ci_a', 'ci_b']],
      [{ categoryIds: ['steel', 'board'] }, ['ci_a', 'ci_b', 'ci_c']],
      [{ categoryIds: [] }, []],
      [{ region: 'EU', categoryIds: ['board'] }, ['ci_a']],
      [{ kind: 'work' }, ['ci_a']],
      [{ kind: 'material', categoryIds: ['board'] }, ['ci_b']],
      [{ kind: 'labour' }, []],
      [{ region: 'US' }, []],
      [{ itemIds: ['ci_c', 'ci_b', 'ci_unknown'] }, ['ci_b', 'ci_c']],
      [{ itemIds: ['ci_c', 'ci_b'], region: 'GB' }, ['ci_b']],
      [{ itemIds: [] }, []],
    ])('the filter %j admits exactly the matching documents', async (filter, expected) => {
      expect((await ids(index.nearest(axis(0, 1, 2), 5, filter))).sort()).toEqual(expected)
      const words = await ids(index.lexical('placa sheet barra', 5, filter))
      expect(words.sort()).toEqual(expected)
    })

    test('a filter leaves k matching documents: it finds rare ones behind many others', async () => {
      const many = Array.from({ length: 300 }, (_, i) =>
        document(`ci_n${i}`, BigInt(10 + i), `Tubo ${i}`, { vector: axis(3), regions: ['AR'] }),
      )
      await index.put([...many, document('ci_rare', 400n, 'Tubo', { vector: axis(3, 4), regions: ['PE'] })])
      expect(await ids(index.nearest(axis(3), 5, { region: 'PE' }))).toEqual(['ci_rare'])
      expect(await ids(index.lexical('tubo', 5, { region: 'PE' }))).toEqual(['ci_rare'])
      await index.remove(many.map(({ itemId }, i) => ({ itemId, seq: BigInt(401 + i) })))
      expect((await index.state()).documents).toBe(5)
    })

    test('a newer put replaces a document, an older one changes nothing', async () => {
      await index.put([document('ci_a', 801n, 'Cartongesso lastra', { vector: axis(5), regions: ['EU'] })])
      await index.put([document('ci_a', 800n, 'Placa vieja', { vector: axis(0), regions: ['ES'] })])
      expect(await ids(index.nearest(axis(5), 1))).toEqual(['ci_a'])
      expect(await ids(index.lexical('cartongesso', 1))).toEqual(['ci_a'])
      expect(await ids(index.lexical('vieja', 5))).toEqual([])
      expect(await index.frequencies(['placa'])).toMatchObject({ counts: [0] })
    })

    test('put and remove are idempotent', async () => {
      const put = [document('ci_e', 802n, 'Geotextil', { vector: axis(6) })]
      await index.put(put)
      await index.put(put)
      expect(await ids(index.nearest(axis(6), 1))).toEqual(['ci_e'])
      const before = (await index.state()).documents
      await index.remove([{ itemId: 'ci_e', seq: 803n }])
      await index.remove([{ itemId: 'ci_e', seq: 803n }])
      expect(await index.state()).toMatchObject({ seq: 803n, documents: before - 1 })
      expect(await ids(index.lexical('geotextil', 5))).toEqual([])
    })

    test('a removal outlives an older put, and a newer one replaces it', async () => {
      await index.put([document('ci_e', 802n, 'Geotextil', { vector: axis(6) })])
      expect(await ids(index.lexical('geotextil', 5))).toEqual([])
      await index.put([document('ci_e', 804n, 'Geotextil nuevo', { vector: axis(6) })])
      expect(await ids(index.lexical('geotextil', 5))).toEqual(['ci_e'])
    })

    test('an older removal changes nothing, and the removal of an unknown document leaves a tombstone', async () => {
      await index.remove([{ itemId: 'ci_e', seq: 803n }])
      expect(await ids(index.lexical('geotextil', 5))).toEqual(['ci_e'])
      await index.remove([{ itemId: 'ci_f', seq: 806n }])
      await index.put([document('ci_f', 805n, 'Llegado tarde')])
      expect(await ids(index.lexical('tarde', 5))).toEqual([])
      expect((await index.state()).seq).toBe(806n)
    })

    test('another client finds the same documents', async () => {
      const other = await subject.reopen()
      expect(await other.state()).toEqual(await index.state())
      expect(await ids(other.nearest(axis(2), 1))).toEqual(['ci_c'])
      expect(await ids(other.lexical('cartongesso', 1))).toEqual(['ci_a'])
    })

    test('vectors of another fingerprint never count, and their documents are found by words', async () => {
      const other = await subject.reopen('another-model')
      expect((await other.state()).vectors).toBe(0)
      expect(await other.nearest(axis(2), 10)).toEqual([])
      expect(await ids(other.lexical('cartongesso', 1))).toEqual(['ci_a'])
    })

    test('is embedded while all documents are of its fingerprint, with or without a vector', async () => {
      expect(await index.isEmbedded()).toBe(true)
      expect(await (await subject.reopen()).isEmbedded()).toBe(true)
      expect(await (await subject.reopen('another-model')).isEmbedded()).toBe(false)
    })
  })
}

/** Opens another client of the same documents, with vectors of this fingerprint or none. */
export type OpenClient = (fingerprint: string | null) => SearchIndex & { refresh?(): Promise<void> }

/** Tests what becomes of an index when its embedder changes; `begin` gives clients of an empty place. */
export function describeNewEmbedder(begin: () => Promise<OpenClient>): void {
  describe('of a new embedder', () => {
    const placas = (seqs: readonly number[], at: number) =>
      seqs.map((i) => document(`i${i}`, BigInt(i), `Placa ${i}`, { vector: axis(at) }))
    const words = async (client: SearchIndex) => (await ids(client.lexical('placa', 9))).sort()
    const near = async (client: SearchIndex, at: number) => (await ids(client.nearest(axis(at), 9))).sort()
    let open: OpenClient
    let old: SearchIndex
    beforeEach(async () => {
      open = await begin()
      old = open('old-model')
      await old.put(placas([1, 2, 3, 4], 0))
      await old.remove([{ itemId: 'i4', seq: 5n }])
      // Other readers see it from here on.
      expect((await old.state()).documents).toBe(3)
    })

    test('finds words of the old one, and no vectors, until the new one is filled', async () => {
      const fresh = open('new-model')
      const seen = async () => {
        await fresh.refresh?.()
        const { vectors } = await fresh.state()
        return { words: await words(fresh), near: await near(fresh, 1), isEmbedded: await fresh.isEmbedded(), vectors }
      }
      const [three, four] = [
        ['i1', 'i2', 'i3'],
        ['i1', 'i2', 'i3', 'i6'],
      ]
      const unfilled = { words: three, near: [], isEmbedded: false, vectors: 0 }
      expect(await seen()).toEqual(unfilled)
      for (const seqs of [[1], [2, 3]]) {
        await fresh.put(placas(seqs, 1))
        expect(await seen()).toEqual(unfilled)
      }
      await fresh.remove([{ itemId: 'i4', seq: 5n }])
      expect(await seen()).toEqual({ words: three, near: three, isEmbedded: true, vectors: 3 })
      await fresh.put(placas([6], 1))
      expect(await seen()).toEqual({ words: four, near: four, isEmbedded: true, vectors: 4 })
    })

    test('does not disturb readers of the old one, which is still fed', async () => {
      const fresh = open('new-model')
      await fresh.put(placas([1, 2, 3, 6], 1))
      await fresh.put(placas([7], 1))
      expect(await near(old, 0)).toEqual(['i1', 'i2', 'i3'])
      expect(await words(old)).toEqual(['i1', 'i2', 'i3'])
      await old.put(placas([6, 7], 0))
      expect(await near(old, 0)).toEqual(['i1', 'i2', 'i3', 'i6', 'i7'])
      expect(await old.isEmbedded()).toBe(true)
      expect(await near(fresh, 1)).toEqual(['i1', 'i2', 'i3', 'i6', 'i7'])
    })

    test('that returns after many missed changes is refilled before its vectors count', async () => {
      await open('new-model').put(placas([6, 2_000], 1))
      const back = open('old-model')
      await back.put(placas([6], 0))
      expect(await words(back)).toEqual(['i2000', 'i6'])
      expect(await near(back, 0)).toEqual([])
      await back.put(placas([2_000], 0))
      await back.refresh?.()
      expect(await near(back, 0)).toEqual(['i1', 'i2', 'i2000', 'i3', 'i6'])
    })

    test('is dropped by identity, unless readers use its words', async () => {
      const fresh = open('new-model')
      expect(await fresh.drop(old.identity)).toBe(false)
      expect(await fresh.drop('another adapter')).toBe(false)
      await fresh.put(placas([1, 2, 6], 1))
      expect(await fresh.drop(old.identity)).toBe(true)
      expect(await near(fresh, 1)).toEqual(['i1', 'i2', 'i6'])
      expect(await words(open('old-model'))).toEqual(['i1', 'i2', 'i6'])
    })
  })

  test('without an embedder finds by words', async () => {
    const index = (await begin())(null)
    await index.put([document('a', 1n, 'Placa de yeso')])
    expect(await ids(index.lexical('yeso', 5))).toEqual(['a'])
    expect(await index.state()).toEqual({ seq: 1n, documents: 1, vectors: 0 })
  })
}

/** A document with defaults for everything that a test leaves out. */
export function document(
  itemId: string,
  seq: bigint,
  name: string,
  rest: Partial<Omit<SearchDocument, 'itemId' | 'seq' | 'name'>> = {},
): SearchDocument {
  return { itemId, seq, name, body: '', regions: [], categoryId: null, vector: null, ...rest }
}

/** The unit vector with equal components along these axes. */
export function axis(...along: number[]): Float32Array {
  const vector = new Float32Array(CONFORMANCE_DIMS)
  for (const at of along) vector[at] = 1 / Math.sqrt(along.length)
  return vector
}

async function ids(found: Promise<readonly { readonly itemId: string }[]>): Promise<string[]> {
  return (await found).map(({ itemId }) => itemId)
}
