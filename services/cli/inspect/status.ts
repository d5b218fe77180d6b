import { heldCommands, heldNext, heldText, problemLines } from '@catalog/cli/crawl/crawl-problems.ts'
import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { type AgedPosition, agedPositions } from '@catalog/operations/log-positions.ts'
import { readBuilds } from '@catalog/store/builds/builds.ts'
import { catalogRoot, isReadOnly, readCounts, readSeq, vendorRoot } from '@catalog/store/builds/status.ts'
import { readVerified, type Verified } from '@catalog/store/builds/verify.ts'
import { type JobRun, readJobRuns } from '@catalog/store/jobs.ts'
import { readLeases } from '@catalog/store/lease.ts'
import { readSearchCheckpoint } from '@catalog/store/search/search-docs.ts'
import { type CrawlSummary, parseRateOf, readCrawlSummary } from '@catalog/store/vendor/crawls.ts'

/** Status details this many sources with problems at most: more have one cause. */
const SOURCES_WITH_PROBLEMS_MAX = 50
/** Problems of one source in the text for people. */
const PROBLEMS_SHOWN = 3

/** Exit codes of a status that lacks a part, beside 1 for one without a store. */
const AWAY_EXIT_CODES = { log: 3, index: 4 } as const
type Part = keyof typeof AWAY_EXIT_CODES

/**
 * `catalog status`: positions, lag, counts, crawls and roots. What a part that is away would tell is left out, and `away` names
 * it. Returns the exit code.
 */
export async function status(catalog: Catalog, terminal: Terminal): Promise<number> {
  const value = await readStatus(catalog)
  terminal.answer(value, () => statusText(value))
  const [away] = value.away
  if (away !== undefined) terminal.next('catalog doctor')
  else terminal.next(nextOf(value))
  return away === undefined ? 0 : AWAY_EXIT_CODES[away.part]
}

type Status = Awaited<ReturnType<typeof readStatus>>

function nextOf({ projections, crawls }: Status): string {
  if (projections.some(({ lag }) => lag > 0)) return 'catalog project'
  if (crawls.held === 0) return 'catalog verify'
  const held = crawls.problems.filter(({ held_crawl }) => held_crawl !== null)
  return heldNext(
    held.map(({ source_id }) => source_id),
    crawls.held,
  )
}

async function readStatus(catalog: Catalog) {
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

function statusText(value: Status): string {
  const { index, embedder } = value
  const budget = embedder.budget
  return [
    `mode ${value.mode}, seq ${value.seq}`,
    ...(value.read_only ? ['THE DATABASE TAKES NO WRITES: name the primary server in DATABASE_URL'] : []),
    ...value.away.map(({ part, reason }) => `THE ${part.toUpperCase()} DOES NOT ANSWER: ${reason}`),
    '',
    table([value.counts]),
    '',
    table(value.projections.map(projectionRow)),
    '',
    ...crawlsText(value.crawls),
    '',
    index.seq === null
      ? `index    ${index.adapter}: does not answer`
      : `index    ${index.adapter}: ${index.docs} documents, ${index.vectors} with vectors, at seq ${index.seq}`,
    `embedder ${embedder.model}, ${embedder.dims} dimensions, ${embedder.fingerprint}`,
    ...(budget
      ? [`budget   ${budget.tokens} of ${budget.tokens_max ?? 'unlimited'} tokens spent in ${budget.month}`]
      : []),
    `jobs     ${value.jobs.map(jobText).join('\n         ') || 'none has run yet'}`,
    `leaders  ${value.leaders.map(({ name, holder }) => `${name} ${holder}`).join(', ') || 'none at work'}`,
    `builds   ${value.builds.map(({ build, state }) => `${build} ${state}`).join(', ')}`,
    `catalog  ${value.roots.catalog}`,
    `vendor   ${value.roots.vendor}`,
    `verified ${verifiedText(value.verified)}`,
  ].join('\n')
}

const projectionRow = ({ lag_seconds: seconds, ...position }: AgedPosition) => ({
  ...position,
  lag_seconds: seconds && Math.round(seconds),
})

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

function crawlsText({ problems, ...figures }: ReturnType<typeof crawlsJson>): readonly string[] {
  const { sources, failing, held, with_problems } = figures
  const summary = `crawls   ${sources} sources, ${failing} failing, ${held} held, ${with_problems} with problems`
  if (problems.length === 0) return [summary]
  const rows = problems.map((row) => ({
    source: row.name,
    id: row.source_id,
    outcome: row.outcome,
    at: row.started_at ?? row.finished_at,
    parsed: row.parse_rate === null ? '' : `${(100 * row.parse_rate).toFixed(1)} %`,
    missed: row.missed,
    vanished: row.vanished,
    changed: row.changed,
    drift: row.drift,
    last_complete: row.last_complete_crawl?.finished_at ?? 'never',
    held: row.held_crawl,
  }))
  const details = problems.flatMap(({ name, source_id: sourceId, held_crawl: crawlId, problems }) => [
    ...problems
      .slice(0, PROBLEMS_SHOWN)
      .flatMap(problemLines)
      .map((line) => `  ${name}: ${line}`),
    ...(problems.length > PROBLEMS_SHOWN ? [`  ${name}: and ${problems.length - PROBLEMS_SHOWN} more`] : []),
    ...(crawlId === null ? [] : [`  ${name}: ${heldText({ crawlId, sourceId })}`]),
  ])
  const left = with_problems - problems.length
  return [summary, table(rows), ...(left > 0 ? [`and ${left} more sources`] : []), ...details]
}

function jobText({ job, due_at, process, ended_at, outcome, attempt, failure }: JobRun): string {
  const how = outcome === 'done' ? `done at ${ended_at}` : `FAILED at ${ended_at}: ${failure}`
  return `${job} of ${due_at} on ${process}, attempt ${attempt}: ${how}`
}

function verifiedText(verified: Verified | null): string {
  if (verified === null) return 'never'
  const { at, duration_s, ok, first_difference } = verified
  return `${at}, in ${duration_s} s: ${ok ? 'the tables are what the log gives' : `NOT EQUAL: ${first_difference}`}`
}
