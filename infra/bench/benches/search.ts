import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Bench, type Figure, quantile, type Row, tenths } from '@catalog/bench/harness/report.ts'
import { itemBatches, queriesOf, type SearchQuery } from '@catalog/bench/workload/search-items.ts'
import { openBuiltinEmbedder } from '@catalog/embed/builtin/builtin.ts'
import { dotProduct } from '@catalog/embed/dot-product.ts'
import type { Embedder } from '@catalog/embed/embed.ts'
import { openElasticsearchIndex } from '@catalog/search/elasticsearch/elasticsearch.ts'
import { openExactIndex } from '@catalog/search/exact/exact.ts'
import { search } from '@catalog/search/ranking/fuse.ts'
import type { SearchFilter, SearchIndex } from '@catalog/search/search.ts'
import { startElasticsearch } from '@catalog/stack/servers/elasticsearch.ts'
import { startPostgres } from '@catalog/stack/servers/postgres.ts'
import { openStore } from '@catalog/store/db.ts'
import { migrate } from '@catalog/store/migrations/migrate.ts'
import { Client } from '@elastic/elasticsearch'

/**
 * Both indexes at growing sizes: building, memory, recall against a plain scan of the exact vectors, and the time of whole
 * searches (words, vectors and score).
 */
export const searchBench: Bench = {
  title: 'search in both indexes: building, memory, recall and times',
  async run(say, { isBrief = false, items: sizes = isBrief ? BRIEF_SIZES : SIZES } = {}) {
    const rows: Row[] = []
    const embedder = openBuiltinEmbedder()
    await using postgres = await startPostgres()
    await using elasticsearch = await startElasticsearch(isBrief ? {} : { heapMegabytes: HEAP_MEGABYTES })
    await using store = await openStore({ kind: 'postgres', connection: { url: postgres.url } })
    await migrate(store)
    await using client = openClient(elasticsearch.url)
    const queries = await queriesOf(isBrief ? BRIEF_QUERIES : QUERIES, embedder)
    for (const items of sizes) {
      await store.query('truncate search_docs, search_indexes')
      say(`neighbours among ${items} items are being found by a plain scan ...`)
      const expected = await plainNeighbours(items, { embedder, queries: queries.slice(0, RECALL_QUERIES) })
      const gen = `g${items}`
      await using elastic = openElasticsearchIndex({ url: elasticsearch.url, prefix: 'bench', gen, embedder })
      const adapters: readonly [string, () => SearchIndex, () => Promise<Figure[]>][] = [
        ['Elasticsearch', () => elastic, () => serverMemory(client, { of: `Elasticsearch, ${items} items`, gen })],
        ['exact', () => openExactIndex({ store, embedder, now: () => performance.now() }), async () => []],
      ]
      for (const [name, open, memory] of adapters) {
        const of = `${name}, ${items} items`
        say(`${items} items are being put into the index: ${name} ...`)
        const { index, figures } = await built(of, { open, items, embedder })
        rows.push(...figures, ...(await memory()))
        say(`${name} is being searched ...`)
        rows.push(...(await missed(of, { index, expected, queries })))
        rows.push(...(await timed(of, { index, queries })))
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
/** Of {@link RESULTS} neighbours each. */
const RECALL_QUERIES = 100
const RESULTS = 10
/** Cosines return as a rounded score. */
const TIE = 1e-6
/** Enough for a million items. */
const HEAP_MEGABYTES = 2_048
const MEGABYTE = 1e6
const MERGE_POLL_MS = 200
const FILTERS: Readonly<Record<string, SearchFilter>> = {
  plain: {},
  'one region in 20': { region: 'R7' },
  'one category in 100': { categoryIds: ['c42'] },
}

type Expected = Readonly<Record<string, readonly Float64Array[]>>

/** The cosines of the nearest items of each query, ascending, by filter. */
async function plainNeighbours(
  items: number,
  { embedder, queries }: { embedder: Embedder; queries: readonly SearchQuery[] },
): Promise<Expected> {
  const nearest = () => queries.map(() => new Float64Array(RESULTS).fill(Number.NEGATIVE_INFINITY))
  const expected = Object.fromEntries(Object.keys(FILTERS).map((name) => [name, nearest()]))
  for await (const documents of itemBatches(items, embedder)) {
    for (const { vector, regions, categoryId } of documents) {
      const passed = Object.entries(FILTERS).flatMap(([name, { region, categoryIds }]) =>
        (region === undefined || regions.includes(region)) && (categoryIds?.includes(categoryId ?? '') ?? true)
          ? [expected[name] as Float64Array[]]
          : [],
      )
      for (const [q, query] of queries.entries()) {
        const cosine = vector === null ? Number.NEGATIVE_INFINITY : dotProduct(query.vector, vector, 0)
        for (const lists of passed) {
          const best = lists[q] as Float64Array
          if (cosine <= (best[0] as number)) continue
          best[0] = cosine
          best.sort()
        }
      }
    }
  }
  return expected
}

async function built(
  of: string,
  { open, items, embedder }: { open: () => SearchIndex; items: number; embedder: Embedder },
): Promise<{ index: SearchIndex; figures: Figure[] }> {
  const before = memoryUsed()
  const index = open()
  let putMs = 0
  for await (const documents of itemBatches(items, embedder)) {
    const begun = performance.now()
    await index.put(documents)
    putMs += performance.now() - begun
  }
  const begun = performance.now()
  // Search once: the exact index loads into memory, and Elasticsearch refreshes its last segment.
  await index.lexical('placa', 1)
  const loadMs = performance.now() - begun
  const megabytes = (memoryUsed() - before) / MEGABYTE
  return {
    index,
    figures: [
      { stage: `building: ${of}`, figure: Math.round((items / putMs) * 1_000), unit: 'items/s', max: null },
      { stage: `and until a started process finds: ${of}`, figure: Math.round(loadMs), unit: 'ms', max: null },
      { stage: `memory of the process: ${of}`, figure: Math.max(0, Math.round(megabytes)), unit: 'MB', max: null },
    ],
  }
}

/** Bytes in use by this process's objects and buffers, without garbage. */
function memoryUsed(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** The server's own memory, and the files that its system should keep in memory beside it. */
async function serverMemory(client: Client, { of, gen }: { of: string; gen: string }): Promise<Figure[]> {
  const index = `bench-${gen}`
  // Merges go on after the last write; a server at rest has done them.
  let stats = await client.indices.stats({ index })
  while ((stats._all.total?.merges?.current ?? 0) > 0) {
    await delay(MERGE_POLL_MS)
    stats = await client.indices.stats({ index })
  }
  const { nodes } = await client.nodes.stats({ metric: ['jvm'] })
  const jvm = Object.values(nodes).reduce((sum, { jvm }) => sum + (jvm?.mem?.heap_committed_in_bytes ?? 0), 0)
  const files = stats._all.total?.store?.size_in_bytes ?? 0
  return [
    { stage: `heap of the server: ${of}`, figure: Math.round(jvm / MEGABYTE), unit: 'MB', max: null },
    { stage: `files of the index: ${of}`, figure: Math.round(files / MEGABYTE), unit: 'MB', max: null },
  ]
}

/** The number of 1,000 neighbours that an index misses: 20 are a recall@10 of .98. */
async function missed(
  of: string,
  { index, expected, queries }: { index: SearchIndex; expected: Expected; queries: readonly SearchQuery[] },
): Promise<Figure[]> {
  const rows: Figure[] = []
  for (const [name, filter] of Object.entries(FILTERS)) {
    let wanted = 0
    let found = 0
    for (const [q, best] of (expected[name] as readonly Float64Array[]).entries()) {
      const cosines = best.filter((cosine) => cosine > Number.NEGATIVE_INFINITY)
      // Names that differ only in a number tie: every neighbour as near counts.
      const least = (cosines[0] ?? 1) - TIE
      const given = await index.nearest((queries[q] as SearchQuery).vector, RESULTS, filter)
      found += given.filter(({ cosine }) => (cosine as number) >= least).length
      wanted += cosines.length
    }
    const misses = Math.round((1 - found / wanted) * 1_000)
    rows.push({ stage: `of the 10 nearest missed, ${name}: ${of}`, figure: misses, unit: 'in 1,000', max: 20 })
  }
  return rows
}

async function timed(
  of: string,
  { index, queries }: { index: SearchIndex; queries: readonly SearchQuery[] },
): Promise<Figure[]> {
  const times: number[] = []
  for (const warm of [true, false]) {
    for (const question of queries) {
      const begun = performance.now()
      await asked(index, question)
      if (!warm) times.push(performance.now() - begun)
    }
  }
  const at = (share: number) => tenths(quantile(times, share))
  return [
    { stage: `a search, p50: ${of}`, figure: at(0.5), unit: 'ms', max: null },
    { stage: `a search, p99: ${of}`, figure: at(0.99), unit: 'ms', max: null },
  ]
}

function openClient(url: string): Client & AsyncDisposable {
  const client = new Client({ node: url })
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() })
}

const asked = (index: SearchIndex, question: SearchQuery) => search({ ...question, index, limit: RESULTS })
