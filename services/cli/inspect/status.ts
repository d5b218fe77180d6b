import { heldNext, heldText, problemLines } from '@catalog/cli/crawl/crawl-problems.ts'
import { paceText, type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import type { AgedPosition } from '@catalog/operations/log-positions.ts'
import { type Part, readStatus, type Status } from '@catalog/operations/status.ts'
import type { Verified } from '@catalog/store/builds/verify.ts'
import type { JobRun } from '@catalog/store/jobs.ts'

/** Problems of one source in the text for people. */
const PROBLEMS_SHOWN = 3

/** Exit codes of a status that lacks a part, beside 1 for one without a store. */
const AWAY_EXIT_CODES: Readonly<Record<Part, number>> = { log: 3, index: 4 }

/** `catalog status`: positions, lag, counts, crawls and roots. Returns the exit code. */
export async function status(catalog: Catalog, terminal: Terminal): Promise<number> {
  const value = await readStatus(catalog)
  terminal.answer(value, () => statusText(value))
  const [away] = value.away
  if (away !== undefined) terminal.next('catalog doctor')
  else terminal.next(nextOf(value))
  return away === undefined ? 0 : AWAY_EXIT_CODES[away.part]
}

function nextOf({ projections, crawls }: Status): string {
  if (projections.some(({ lag }) => lag > 0)) return 'catalog project'
  if (crawls.held === 0) return 'catalog verify'
  const held = crawls.problems.filter(({ held_crawl }) => held_crawl !== null)
  return heldNext(
    held.map(({ source_id }) => source_id),
    crawls.held,
  )
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
    `at work  ${value.work.map(workText).join('\n         ') || 'nothing'}`,
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

function crawlsText({ problems, ...figures }: Status['crawls']): readonly string[] {
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

function workText({ name, stage, done, total, silent_seconds, stale, ...pace }: Status['work'][number]): string {
  const share = total === null || total === 0 ? '' : ` (${Math.floor((100 * done) / total)} %)`
  const how = stale ? `its process ended ${Math.round(silent_seconds)} s ago, run it again` : paceText(pace)
  return [`${name}: ${stage}`, `${done} of ${total ?? 'an unknown number'}${share}`, how].filter(Boolean).join(', ')
}

function verifiedText(verified: Verified | null): string {
  if (verified === null) return 'never'
  const { at, duration_s, ok, first_difference } = verified
  return `${at}, in ${duration_s} s: ${ok ? 'the tables are what the log gives' : `NOT EQUAL: ${first_difference}`}`
}
