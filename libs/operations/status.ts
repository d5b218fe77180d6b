import { readBuilds } from '@catalog/store/builds/builds.ts'
import { catalogRoot, isReadOnly, readCounts, readSeq, vendorRoot } from '@catalog/store/builds/status.ts'
import { readVerified } from '@catalog/store/builds/verify.ts'
import { readJobRuns } from '@catalog/store/jobs.ts'
import { readLeases } from '@catalog/store/lease.ts'
import { readSearchCheckpoint } from '@catalog/store/search/search-docs.ts'
import { type CrawlSummary, parseRateOf, readCrawlSummary } from '@catalog/store/vendor/crawls.ts'
import { paceOf, readWork } from '@catalog/store/work.ts'
import type { Catalog } from './catalog.ts'
import { type AgedPosition, agedPositions } from './log-positions.ts'

/** Status details this many sources with problems at most: more have one cause. */
const SOURCES_WITH_PROBLEMS_MAX = 50

/** A part of the catalog beside its store. */
export type Part = 'log' | 'index'
export type Status = Awaited<ReturnType<typeof readStatus>>

/** The commands that decide about the held crawl of a source, and the one that looks at the source again. */
export const heldCommands = (sourceId: string) => ({
  accept: `catalog sources accept ${sourceId}`,
  drop: `catalog sources drop ${sourceId} --reason "..."`,
  look: `catalog sources test ${sourceId}`,
})

/** Positions, lag, counts, crawls and roots. What a part that is away would tell is left out, and `away` names it. */
export async function readStatus(catalog: Catalog) {
  const { store, index, embedder } = catalog
  const seq = await readSeq(store)
  const away: { part: Part; reason: string }[] = []
  const unless = async <T>(part: Part, read: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await read()
    } catch (error) {
      away.push({ part, reason: (error as Error).message })
      return otherwise
    }
  }
  const positions = await unless('log', () => agedPositions(catalog), [])
  const indexed = await unless('index', () => index.state(), undefined)
  const spent = await catalog.spending?.()
  return {
    mode: catalog.mode,
    read_only: await isReadOnly(store),
    seq: Number(seq),
    counts: await readCounts(store),
    away,
    projections: [...positions, await searchPosition(catalog, seq)],
    crawls: crawlsJson(await readCrawlSummary(store, { limit: SOURCES_WITH_PROBLEMS_MAX })),
    index: {
      adapter: index.adapter,
      seq: indexed === undefined ? null : Number(indexed.seq),
      docs: indexed?.documents ?? null,
      vectors: indexed?.vectors ?? null,
    },
    embedder: {
      model: embedder.model,
      dims: embedder.dims,
      fingerprint: embedder.fingerprint,
      ...(spent && { budget: { month: spent.month, tokens: Number(spent.tokens), tokens_max: spent.tokensMax } }),
    },
    jobs: await readJobRuns(store),
    leaders: await readLeases(store),
    work: (await readWork(store)).map(({ seconds, ...work }) => ({ ...work, ...paceOf(work, seconds) })),
    builds: (await readBuilds(store)).map(({ build, state }) => ({ build, state })),
    roots: { catalog: await catalogRoot(store), vendor: await vendorRoot(store) },
    verified: await readVerified(store),
  }
}

async function searchPosition({ store, index }: Catalog, seq: bigint): Promise<AgedPosition> {
  const { next } = await readSearchCheckpoint(store, index.identity)
  return {
    name: 'search',
    topic: 'changes',
    partition: 0,
    next: Number(next),
    end: Number(seq) + 1,
    // Changes are numbered from 1: before the first one there is nothing to feed.
    lag: Number(seq + 1n - (next > 1n ? next : 1n)),
    // A change carries the instant of its run, not when it was made.
    lag_seconds: null,
  }
}

/** Details of problems may name private addresses: they are for operators, not for the API. */
function crawlsJson({ sources, failing, held, troubled, trouble }: CrawlSummary) {
  return {
    sources,
    failing,
    held,
    with_problems: troubled,
    problems: trouble.map(({ source_id, name, crawls: { last, whole, held } }) => ({
      source_id,
      name,
      crawl_id: last?.crawl_id ?? null,
      outcome: last?.outcome ?? null,
      started_at: last?.started_at ?? null,
      finished_at: last?.recorded_at ?? null,
      complete: last?.complete ?? null,
      missed: last?.missed ?? null,
      parse_rate: last && parseRateOf(last),
      known: last?.health?.known ?? null,
      vanished: last?.health?.vanished ?? null,
      changed: last?.health?.changed ?? null,
      drift: last?.health?.drift ?? null,
      last_complete_crawl: whole && { id: whole.crawl_id, finished_at: whole.recorded_at },
      held_crawl: held?.crawl_id ?? null,
      held_commands: held && heldCommands(source_id),
      problems: [held, last?.crawl_id === held?.crawl_id ? null : last].flatMap(
        (crawl) => crawl?.problems.map((problem) => ({ crawl_id: crawl.crawl_id, ...problem })) ?? [],
      ),
    })),
  }
}
