import { type Bench, type Comparison, type Figure, interleaved, type Row } from '@catalog/bench/harness/report.ts'
import { openBuiltinEmbedder } from '@catalog/embed/builtin/builtin.ts'
import { lexiconConcepts } from '@catalog/embed/concepts/lexicon.ts'
import type { Embedder } from '@catalog/embed/embed.ts'
import { openElasticsearchIndex } from '@catalog/search/elasticsearch/elasticsearch.ts'
import { nearestRequest } from '@catalog/search/elasticsearch/queries.ts'
import { openExactIndex } from '@catalog/search/exact/exact.ts'
import { type Question, readQuestion } from '@catalog/search/query/question.ts'
import { search } from '@catalog/search/ranking/fuse.ts'
import type { SearchDocument, SearchFilter, SearchIndex } from '@catalog/search/search.ts'
import { startElasticsearch } from '@catalog/stack/servers/elasticsearch.ts'
import { startPostgres } from '@catalog/stack/servers/postgres.ts'
import { openStore } from '@catalog/store/db.ts'
import { migrate } from '@catalog/store/migrations/migrate.ts'
import { Client, type estypes } from '@elastic/elasticsearch'

/**
 * Whole searches (words, vectors and score) beside a bare nearest-neighbour call of the same index, and Elasticsearch's
 * approximate neighbours beside exact ones.
 */
export const searchBench: Bench = {
  title: 'search in both indexes: times, recall, rates beside a bare kNN call, and building',
  async run(say, { isBrief = false, items: sizes = isBrief ? BRIEF_SIZES : SIZES } = {}) {
    const rows: Row[] = []
    const embedder = openBuiltinEmbedder()
    await using postgres = await startPostgres()
    await using elasticsearch = await startElasticsearch()
    await using store = await openStore({ kind: 'postgres', connection: { url: postgres.url } })
    await migrate(store)
    for (const items of sizes) {
      await store.query('truncate search_docs, search_indexes')
      say(`${items} items are being embedded ...`)
      const documents = await itemsOf(items, embedder)
      const queries = await queriesOf(isBrief ? BRIEF_QUERIES : QUERIES, embedder)
      const exact = openExactIndex({ store, embedder, now: () => performance.now() })
      await using elastic = openElasticsearchIndex({
        url: elasticsearch.url,
        prefix: 'bench',
        gen: `g${items}`,
        embedder,
      })
      for (const [name, index] of [
        ['exact', exact],
        ['Elasticsearch', elastic],
      ] as const) {
        say(`${items} items are being put into the ${name} index ...`)
        rows.push(...(await built(`${name}, ${items} items`, { index, documents })))
      }
      await using client = openClient(elasticsearch.url)
      const bare: Record<string, Bare> = {
        exact: (vector) => exact.nearest(vector, NEAREST),
        Elasticsearch: (vector) => client.search(bareRequest(`bench-g${items}`, vector)),
      }
      rows.push(...(await missed(`${items} items`, { exact, elastic, queries })))
      for (const [name, index] of [
        ['exact', exact],
        ['Elasticsearch', elastic],
      ] as const) {
        say(`${name} is being searched ...`)
        rows.push(...(await timed(`${name}, ${items} items`, { index, queries })))
        rows.push(await rate(`${name}, ${items} items`, { index, queries, bare: bare[name] }))
      }
    }
    return rows
  },
}

const SIZES = [10_000, 100_000]
const BRIEF_SIZES = [300]
/** Enough for a 99th percentile. */
const QUERIES = 400
const BRIEF_QUERIES = 20
const BATCH = 1_000
const RESULTS = 10
/** Neighbours that a search requests. */
const NEAREST = 100
/** Concurrent searches, as of so many readers. */
const AT_ONCE = 8
/** Cosines return as a rounded score. */
const TIE = 1e-6
const FILTERS: Readonly<Record<string, SearchFilter>> = {
  plain: {},
  'one region in 20': { region: 'R7' },
  'one category in 100': { categoryIds: ['c42'] },
}

type Query = Readonly<{ question: Question; vector: Float32Array; cosineMin: number }>

async function built(
  of: string,
  { index, documents }: { index: SearchIndex; documents: readonly SearchDocument[] },
): Promise<Figure[]> {
  const begun = performance.now()
  for (let at = 0; at < documents.length; at += BATCH) await index.put(documents.slice(at, at + BATCH))
  const put = performance.now()
  // Search once: the exact index loads into memory, and Elasticsearch refreshes its last segment.
  await index.lexical('placa', 1)
  const shown = performance.now()
  const perSecond = (ms: number) => Math.round((documents.length / ms) * 1_000)
  return [
    { stage: `building: ${of}`, figure: perSecond(put - begun), unit: 'items/s', max: null },
    { stage: `and until it is searched: ${of}`, figure: Math.round(shown - put), unit: 'ms', max: null },
  ]
}

/** The number of 1,000 exact neighbours that Elasticsearch misses: 20 are a recall of .98. */
async function missed(
  of: string,
  { exact, elastic, queries }: { exact: SearchIndex; elastic: SearchIndex; queries: readonly Query[] },
): Promise<Figure[]> {
  const rows: Figure[] = []
  for (const [name, filter] of Object.entries(FILTERS)) {
    let wanted = 0
    let found = 0
    for (const { vector } of queries) {
      const expected = await exact.nearest(vector, RESULTS, filter)
      // Names that differ only in a number tie: every neighbour as near counts.
      const least = (expected.at(-1)?.cosine ?? 1) - TIE
      const given = await elastic.nearest(vector, RESULTS, filter)
      found += given.filter(({ cosine }) => (cosine as number) >= least).length
      wanted += expected.length
    }
    const misses = Math.round((1 - found / wanted) * 1_000)
    rows.push({ stage: `neighbours missed, ${name}: ${of}`, figure: misses, unit: 'in 1,000', max: 20 })
  }
  return rows
}

async function timed(
  of: string,
  { index, queries }: { index: SearchIndex; queries: readonly Query[] },
): Promise<Figure[]> {
  const times: number[] = []
  for (const warm of [true, false]) {
    for (const question of queries) {
      const begun = performance.now()
      await asked(index, question)
      if (!warm) times.push(performance.now() - begun)
    }
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => Math.round((times[Math.floor(times.length * share)] as number) * 10) / 10
  return [
    { stage: `a search, p50: ${of}`, figure: at(0.5), unit: 'ms', max: null },
    { stage: `a search, p99: ${of}`, figure: at(0.99), unit: 'ms', max: null },
  ]
}

/** At least .6 times as many whole searches as bare calls for the same vectors. */
async function rate(
  of: string,
  { index, queries, bare }: { index: SearchIndex; queries: readonly Query[]; bare: Bare | undefined },
): Promise<Comparison> {
  if (bare === undefined) throw new Error(`no bare call of ${of}`)
  const ms = await interleaved({
    ours: () => atOnce(queries, (question) => asked(index, question)),
    bare: () => atOnce(queries, ({ vector }) => bare(vector)),
  })
  return {
    stage: `${queries.length} searches, ${AT_ONCE} at once: ${of}`,
    beside: `its bare kNN call, k = ${NEAREST}`,
    oursMs: ms.ours,
    besideMs: ms.bare,
    ratioMax: 1 / 0.6,
  }
}

type Bare = (vector: Float32Array) => Promise<unknown>

/** What a program would write that asks the server itself for the nearest documents. */
function bareRequest(index: string, vector: Float32Array): estypes.SearchRequest {
  const { knn, size } = nearestRequest(vector, NEAREST)
  return {
    index,
    _source: ['item_id', 'name', 'body', 'unit', 'kind'],
    track_total_hits: false,
    ...(knn && { knn }),
    ...(size && { size }),
  }
}

function openClient(url: string): Client & AsyncDisposable {
  const client = new Client({ node: url })
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() })
}

async function atOnce(queries: readonly Query[], ask: (question: Query) => Promise<unknown>): Promise<void> {
  const left = queries.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const question of left) await ask(question)
    }),
  )
}

const asked = (index: SearchIndex, question: Query) => search({ ...question, index, limit: RESULTS })

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

/** Items of any product in the lexicon, in any of its languages, with quality, size and number. */
async function itemsOf(count: number, embedder: Embedder): Promise<SearchDocument[]> {
  const draw = drawing(1)
  const terms = lexiconConcepts().flatMap(({ terms }) => terms.map(({ term }) => term))
  const names = Array.from({ length: count }, (_, n) =>
    [draw(terms), draw(QUALITIES), draw(SIZE_UNITS), draw(COLOURS), `R${100_000 + n}`].join(' '),
  )
  const vectors = await embedder.embed(names, 'document')
  return names.map((name, n) => {
    const vector = vectors[n] ?? null
    return {
      itemId: `ci_${n}`,
      seq: BigInt(n + 1),
      name,
      body: 'u',
      regions: [`R${n % 20}`, 'EU'],
      categoryId: `c${n % 100}`,
      vector,
    }
  })
}

/** Typical queries: a product, mostly with a size, sometimes with a typo. */
async function queriesOf(count: number, embedder: Embedder): Promise<Query[]> {
  const draw = drawing(7)
  const terms = lexiconConcepts().flatMap(({ terms }) => terms.map(({ term }) => term))
  const texts = Array.from({ length: count }, (_, n) => {
    const term = n % 10 === 0 ? draw(terms).replace(/(?<=.{3})(.)/, '$1$1') : draw(terms)
    return n % 3 === 0 ? term : `${term} ${draw(SIZE_UNITS)}`
  })
  const vectors = await embedder.embed(texts, 'query')
  return texts.flatMap((query, n) => {
    const vector = vectors[n] ?? null
    const question = readQuestion(query)
    return vector === null ? [] : [{ question, vector, cosineMin: embedder.cosineMin(query, vector) }]
  })
}
