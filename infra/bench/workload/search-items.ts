import { openBuiltinEmbedder } from '@catalog/embed/builtin/builtin.ts'
import { lexiconConcepts } from '@catalog/embed/concepts/lexicon.ts'
import type { Embedder } from '@catalog/embed/embed.ts'
import { openExactIndex } from '@catalog/search/exact/exact.ts'
import { type Question, readQuestion } from '@catalog/search/query/question.ts'
import type { SearchDocument } from '@catalog/search/search.ts'
import type { Store } from '@catalog/store/db.ts'

/** A seeded picker from lists: the same picks in every run. */
function drawing(seed: number): <T>(from: readonly T[]) => T {
  let state = seed
  return (from) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return from[(state >>> 8) % from.length] as (typeof from)[number]
  }
}

const SIZE_UNITS = [
  '6 mm',
  '9,5 mm',
  '12.5 mm',
  '13 mm',
  '15 mm',
  '1/2 in',
  '40x60 mm',
  '1200x2500 mm',
  '3x1.5 mm2',
  '25 kg',
]
const QUALITIES = 'standard,fire,reforzado,ligero,exterior,galvanisé,verzinkt,industrial,type A,premium'.split(',')
const COLOURS = 'blanco,grey,vert,schwarz,bianco,natural'.split(',')

/** Items in one batch. */
const BATCH = 1_000

/**
 * Items of any product in the lexicon, in any of its languages, with quality, size and number, in batches: a million would
 * take more memory than an index of them. The same items in every call.
 */
export async function* itemBatches(count: number, embedder: Embedder): AsyncGenerator<SearchDocument[]> {
  const draw = drawing(1)
  const terms = productTerms()
  for (let from = 0; from < count; from += BATCH) {
    const names = Array.from({ length: Math.min(BATCH, count - from) }, (_, i) =>
      [draw(terms), draw(QUALITIES), draw(SIZE_UNITS), draw(COLOURS), `R${100_000 + from + i}`].join(' '),
    )
    const vectors = await embedder.embed(names, 'document')
    yield names.map((name, i) => ({
      itemId: `ci_${from + i}`,
      seq: BigInt(from + i + 1),
      name,
      body: 'u',
      regions: [`R${(from + i) % 20}`, 'EU'],
      categoryId: `c${(from + i) % 100}`,
      vector: vectors[i] ?? null,
    }))
  }
}

const productTerms = () => lexiconConcepts().flatMap(({ terms }) => terms.map(({ term }) => term))

export type SearchQuery = Readonly<{ question: Question; vector: Float32Array }>

/** Typical queries: a product, mostly with a size, sometimes with a typo. */
export async function queriesOf(count: number, embedder: Embedder): Promise<SearchQuery[]> {
  const draw = drawing(7)
  const terms = productTerms()
  const texts = Array.from({ length: count }, (_, n) => {
    const term = n % 10 === 0 ? draw(terms).replace(/(?<=.{3})(.)/, '$1$1') : draw(terms)
    return n % 3 === 0 ? term : `${term} ${draw(SIZE_UNITS)}`
  })
  const vectors = await embedder.embed(texts, 'query')
  return texts.flatMap((query, n) => {
    const vector = vectors[n] ?? null
    const question = readQuestion(query)
    return vector === null ? [] : [{ question, vector }]
  })
}

/** Puts the items of a store, or the first ones, into its own search index, as the projector does. */
export async function fillIndex(store: Store, itemsMax = Number.MAX_SAFE_INTEGER): Promise<void> {
  const embedder = openBuiltinEmbedder()
  const index = openExactIndex({ store, embedder, now: () => performance.now() })
  for (let [after, left] = [0, itemsMax]; left > 0; ) {
    const rows = await store.query<{ item_id: string; seq: string; name: string; category_id: string }>(
      'select item_id, seq, name, category_id from items where seq > $1 order by seq limit $2',
      [after, Math.min(BATCH, left)],
    )
    if (rows.length === 0) return
    const vectors = await embedder.embed(
      rows.map(({ name }) => name),
      'document',
    )
    await index.put(
      rows.map((row, i) => ({
        itemId: row.item_id,
        seq: BigInt(row.seq),
        name: row.name,
        body: 'u',
        regions: ['ES', 'EU'],
        categoryId: row.category_id,
        vector: vectors[i] ?? null,
      })),
    )
    after = Number(rows.at(-1)?.seq)
    left -= rows.length
  }
}
