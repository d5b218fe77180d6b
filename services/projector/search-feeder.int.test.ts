import { openBuiltinEmbedder } from '@catalog/embed/builtin/builtin.ts'
import { type Embedder, EmbedderUnavailable } from '@catalog/embed/embed.ts'
import { openExactIndex } from '@catalog/search/exact/exact.ts'
import { readQuestion } from '@catalog/search/query/question.ts'
import { search } from '@catalog/search/ranking/fuse.ts'
import type { SearchIndex } from '@catalog/search/search.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { rowsParameter } from '@catalog/store/db.ts'
import { readSearchCheckpoint } from '@catalog/store/search/search-docs.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { feedIndex, followChanges } from './search-feeder.ts'

const embedder = openBuiltinEmbedder()
const store = await storeOfFile()

beforeEach(async () => {
  await store.query('truncate changes, categories, search_docs, search_indexes')
})

const openIndex = (fingerprint = embedder.fingerprint) =>
  openExactIndex({ store, embedder: { fingerprint, dims: embedder.dims }, now: () => performance.now() })

test('makes an item findable by meaning, category and unit, in its regions', async () => {
  await store.query(`insert into categories (category_id, parent_id, name, depth)
    values ('c1', null, 'Albañilería', 0), ('c2', 'c1', 'Tabiquería seca', 1)`)
  await change(1, 'ci_a', { name: 'Placa de yeso laminado 13 mm', unit: 'm²', categoryId: 'c2', regions: ['ES', 'EU'] })
  await change(2, 'ci_b', { name: 'Barra corrugada B500S' })
  const index = openIndex()

  expect(await feedIndex({ store, index, embedder })).toEqual({ applied: 2, reachedEnd: true })

  const [vector = null] = await embedder.embed(['drywall'], 'query')
  const answer = await search({
    question: readQuestion('drywall'),
    vector,
    index,
    filter: { region: 'EU' },
    limit: 5,
  })
  expect(answer).toMatchObject({ mode: 'vector', results: [{ itemId: 'ci_a' }] })
  const [byCategory] = await index.lexical('albanileria', 5, { categoryIds: ['c2'] })
  expect(byCategory).toMatchObject({ itemId: 'ci_a', name: 'Placa de yeso laminado 13 mm' })
  expect(byCategory?.body).toBe('m2 albanileria tabiqueria seca')
})

test('counts only the last change of an item, and removes a deleted one', async () => {
  await change(1, 'ci_a', { name: 'Placa' })
  await change(2, 'ci_b', { name: 'Tubo' })
  await change(3, 'ci_a', { name: 'Panel' })
  await change(4, 'ci_b', null)
  await change(5, 'ci_c', { name: 'Viga' })
  const index = openIndex()
  const embedded: string[] = []
  const watched: Embedder = {
    ...embedder,
    embed: (texts, kind) => {
      embedded.push(...texts)
      return embedder.embed(texts, kind)
    },
  }
  expect(await feedIndex({ store, index, embedder: watched })).toEqual({ applied: 5, reachedEnd: true })
  expect(embedded).toEqual(['Panel', 'Viga'])
  expect(await names(index)).toEqual(['Panel', 'Viga'])
  expect(await index.state()).toEqual({ seq: 5n, documents: 2, vectors: 2 })
})

test('calls the index with rising seq, so that readers who follow by seq miss nothing', async () => {
  for (let seq = 1; seq <= 6; seq++) await change(seq, `ci_${seq}`, seq % 3 === 0 ? null : { name: `Placa ${seq}` })
  const index = openIndex()
  const sent: bigint[][] = []
  const watched: SearchIndex = {
    ...index,
    put: (documents) => index.put(documents).then(() => void sent.push(documents.map(({ seq }) => seq))),
    remove: (removed) => index.remove(removed).then(() => void sent.push(removed.map(({ seq }) => seq))),
  }
  await feedIndex({ store, index: watched, embedder })
  expect(sent).toEqual([[1n, 2n], [3n], [4n, 5n], [6n]])
})

test('applies new changes at a second call, and nothing without any', async () => {
  const index = openIndex()
  expect(await feedIndex({ store, index, embedder })).toEqual({ applied: 0, reachedEnd: true })
  await change(1, 'ci_a', { name: 'Placa' })
  expect((await feedIndex({ store, index, embedder })).applied).toBe(1)
  expect((await feedIndex({ store, index, embedder })).applied).toBe(0)
  await change(2, 'ci_b', { name: 'Tubo' })
  expect((await feedIndex({ store, index, embedder })).applied).toBe(1)
  expect(await checkpoint(index)).toBe(3n)
})

test('feeds more changes than one batch holds', async () => {
  await store.query(
    `insert into changes (seq, item_id, op, version, updated_us, state_sha, state)
     select seq, 'ci_' || seq, 'upsert', 1, seq, '', replace($1, '#', seq::text) from generate_series(1, 2500) seq`,
    [stateOf('ci_#', { name: 'Placa n#x' })],
  )
  const index = openIndex()
  expect(await feedIndex({ store, index, embedder })).toEqual({ applied: 2500, reachedEnd: true })
  expect(await index.frequencies(['placa', 'n2500x'])).toEqual({ documents: 2500, counts: [2500, 1] })
})

test('sends a batch again after a crash before the checkpoint, without effect', async () => {
  await change(1, 'ci_a', { name: 'Placa' })
  const index = openIndex()
  await feedIndex({ store, index, embedder })
  await store.query('update search_indexes set next = 1')
  expect(await feedIndex({ store, index, embedder })).toEqual({ applied: 1, reachedEnd: true })
  expect(await names(index)).toEqual(['Placa'])
})

test('leaves the checkpoint before the batch when the embedder fails', async () => {
  await change(1, 'ci_a', { name: 'Placa' })
  const failing: Embedder = {
    ...embedder,
    embed: async () => {
      throw new EmbedderUnavailable('over budget', 60)
    },
  }
  const index = openIndex()
  await expect(feedIndex({ store, index, embedder: failing })).rejects.toThrow('over budget')
  expect(await checkpoint(index)).toBe(0n)
  expect((await feedIndex({ store, index, embedder })).applied).toBe(1)
})

test('feeds all documents anew for a new embedder, while those of the old one stay findable', async () => {
  await change(1, 'ci_a', { name: 'Placa' })
  await change(2, 'ci_b', { name: 'Tubo' })
  const old = openIndex()
  await feedIndex({ store, index: old, embedder })
  const renewed: Embedder = { ...embedder, fingerprint: 'renewed' }
  const index = openIndex('renewed')
  const ask = async () => {
    await index.refresh()
    const [vector = null] = await renewed.embed(['placa'], 'query')
    const { mode, results } = await search({ question: readQuestion('placa'), vector, index, limit: 5 })
    return { mode, ids: results.map(({ itemId }) => itemId) }
  }
  expect(await ask()).toEqual({ mode: 'fallback_no_ai', ids: ['ci_a'] })
  expect(await feedIndex({ store, index, embedder: renewed })).toEqual({ applied: 2, reachedEnd: true })
  expect(await ask()).toEqual({ mode: 'vector', ids: ['ci_a'] })
  expect(await index.state()).toEqual({ seq: 2n, documents: 2, vectors: 2 })
  expect(await old.state()).toEqual({ seq: 2n, documents: 2, vectors: 2 })
})

test("lets feeders of two embedders finish side by side without undoing each other's work", async () => {
  const renewed: Embedder = { ...embedder, fingerprint: 'renewed' }
  const feeders = [
    { index: openIndex(), embedder },
    { index: openIndex('renewed'), embedder: renewed },
  ]
  for (let seq = 1; seq <= 3; seq++) {
    await change(seq, `ci_${seq}`, { name: `Placa ${seq}` })
    for (const feeder of feeders) {
      expect(await feedIndex({ store, ...feeder })).toEqual({ applied: 1, reachedEnd: true })
    }
  }
  for (const { index } of feeders) expect(await index.state()).toEqual({ seq: 3n, documents: 3, vectors: 3 })
})

test('drops an index that nobody has fed for a week, and keeps a fed one', async () => {
  await change(1, 'ci_a', { name: 'Placa' })
  const feederOf = (fingerprint: string) => ({ index: openIndex(fingerprint), embedder: { ...embedder, fingerprint } })
  for (const fingerprint of ['abandoned', 'rival', 'present']) await feedIndex({ store, ...feederOf(fingerprint) })
  await store.query(
    `update search_indexes set seen_at = now() - case identity
       when 'exact abandoned' then interval '7 days 1 minute' when 'exact rival' then interval '6 days'
       else interval '61 minutes' end`,
  )
  await feedIndex({ store, ...feederOf('present') })
  expect(await store.query(`select identity from search_indexes order by identity`)).toEqual([
    { identity: 'exact present' },
    { identity: 'exact rival' },
  ])
  expect(await store.query(`select distinct fingerprint from search_docs order by fingerprint`)).toEqual([
    { fingerprint: 'present' },
    { fingerprint: 'rival' },
  ])
})

describe('a feeder with an unavailable provider', () => {
  test('waits as long as the provider says, reports each wait, and resumes at its checkpoint', async () => {
    await change(1, 'ci_a', { name: 'Placa' })
    const stopping = new AbortController()
    const index = openIndex()
    const waits: number[] = []
    let calls = 0
    const recovering: Embedder = {
      ...embedder,
      embed: async (texts, kind) => {
        if (++calls <= 2) throw new EmbedderUnavailable('overloaded', calls === 1 ? 0 : 1.5)
        stopping.abort()
        return embedder.embed(texts, kind)
      },
    }
    const onWait = (error: Error, waitMs: number) => {
      expect(error.message).toBe('overloaded')
      waits.push(waitMs)
    }
    await followChanges({ store, index, embedder: recovering, signal: stopping.signal, onWait })
    expect(waits).toEqual([1_000, 1_500])
    expect((await index.state()).documents).toBe(1)
  })

  test('bounds its wait, and stops at once on abort', async () => {
    await change(1, 'ci_a', { name: 'Placa' })
    const stopping = new AbortController()
    const spent: Embedder = {
      ...embedder,
      embed: async () => {
        throw new EmbedderUnavailable('over budget', 86_400)
      },
    }
    const waited = Promise.withResolvers<number>()
    const onWait = (_: Error, waitMs: number) => waited.resolve(waitMs)
    const following = followChanges({ store, index: openIndex(), embedder: spent, signal: stopping.signal, onWait })
    expect(await waited.promise).toBe(600_000)
    stopping.abort()
    await following
  })

  test('aborts a request in progress', async () => {
    await change(1, 'ci_a', { name: 'Placa' })
    const stopping = new AbortController()
    const hanging: Embedder = {
      ...embedder,
      embed: (_texts, _kind, signal) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason))
          stopping.abort()
        }),
    }
    const index = openIndex()
    const fed = await feedIndex({ store, index, embedder: hanging, signal: stopping.signal })
    expect(fed).toEqual({ applied: 0, reachedEnd: false })
    expect(await checkpoint(index)).toBe(0n)
  })
})

test('feeds an index that lost its documents from the first change at the next one', async () => {
  await change(1, 'ci_a', { name: 'Placa' })
  const index = openIndex()
  await feedIndex({ store, index, embedder })
  await store.query('truncate search_docs')
  await change(2, 'ci_b', { name: 'Tubo' })
  expect((await feedIndex({ store, index, embedder })).applied).toBe(2)
  expect(await index.state()).toMatchObject({ seq: 2n, documents: 2 })
})

test('fills an index that somebody deleted though nothing changes, when it looks', async () => {
  await change(1, 'ci_a', { name: 'Placa' })
  const index = openIndex()
  await feedIndex({ store, index, embedder })
  await store.query('truncate search_docs')
  expect(await feedIndex({ store, index, embedder })).toEqual({ applied: 0, reachedEnd: true })
  expect(await feedIndex({ store, index, embedder, looks: true })).toEqual({ applied: 1, reachedEnd: true })
  expect(await index.state()).toMatchObject({ seq: 1n, documents: 1 })
})

test('feeds documents without vectors when there is no embedder', async () => {
  await change(1, 'ci_a', { name: 'Placa' })
  const index = openExactIndex({ store, embedder: null, now: () => performance.now() })
  await feedIndex({ store, index, embedder: null })
  expect(await index.state()).toEqual({ seq: 1n, documents: 1, vectors: 0 })
})

test('stops before the next batch on abort', async () => {
  await change(1, 'ci_a', { name: 'Placa' })
  const index = openIndex()
  const stopped = await feedIndex({ store, index, embedder, signal: AbortSignal.abort() })
  expect(stopped).toEqual({ applied: 0, reachedEnd: false })
  expect((await index.state()).documents).toBe(0)
})

test('leaves the same index with two feeders as with one', async () => {
  for (let seq = 1; seq <= 20; seq++)
    await change(seq, `ci_${seq % 7}`, seq % 5 === 0 ? null : { name: `Placa ${seq}` })
  const index = openIndex()
  await Promise.all([feedIndex({ store, index, embedder }), feedIndex({ store, index: openIndex(), embedder })])
  // The last changes of the 7 items are 14 to 20; 15 and 20 are deletes.
  expect(await names(index)).toEqual(['Placa 14', 'Placa 16', 'Placa 17', 'Placa 18', 'Placa 19'])
  expect(await checkpoint(index)).toBe(21n)
})

type Shown = { name: string; unit?: string; categoryId?: string; regions?: readonly string[] }

function stateOf(itemId: string, { name, unit, categoryId, regions }: Shown): string {
  return JSON.stringify({
    item: { id: itemId, name, unit: unit ?? null, category_id: categoryId ?? null },
    regions: regions ?? [],
    state: 'active',
  })
}

/** Appends a change of the feed; null deletes. */
async function change(seq: number, itemId: string, shown: Shown | null): Promise<void> {
  await store.query(
    `insert into changes (seq, item_id, op, version, updated_us, state_sha, state)
     select seq, item_id, op, 1, seq, '', state
     from jsonb_to_recordset($1::jsonb) as batch (seq bigint, item_id text, op text, state text)`,
    [
      rowsParameter([
        { seq, item_id: itemId, op: shown ? 'upsert' : 'delete', state: shown && stateOf(itemId, shown) },
      ]),
    ],
  )
}

async function checkpoint({ identity }: SearchIndex): Promise<bigint> {
  return (await readSearchCheckpoint(store, identity)).next
}

async function names(index: SearchIndex): Promise<string[]> {
  const found = await index.lexical('placa panel tubo viga', 50)
  return found.map(({ name }) => name).sort()
}
