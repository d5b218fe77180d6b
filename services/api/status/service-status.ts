import type { Incident, Problem, ServiceState, StatusResponse } from '@catalog/api/contract/contract.ts'
import { type CachedRead, cachedRead } from '@catalog/api/http/cached-read.ts'
import { ageSeconds, type WatchedCatalog } from '@catalog/api/http/catalog-version.ts'
import { instant, MINUTE_MS } from '@catalog/core/time.ts'
import { recordsBehind } from '@catalog/replica/follow/position.ts'
import { lastRunOf, type Replica } from '@catalog/replica/follow/replica.ts'
import type { SearchIndex } from '@catalog/search/search.ts'
import { readServiceFacts, readWriteRefusal, type ServiceFacts } from '@catalog/store/builds/status.ts'
import type { Store } from '@catalog/store/db.ts'
import { AGGREGATOR_LEASE } from '@catalog/store/lease.ts'
import { paceOf, readWork, type Work } from '@catalog/store/work.ts'
import type { Incidents } from './incidents.ts'

/** The state of the service, gathered from its parts. No part that is away delays it for long, or makes it fail. */

/** All callers share one status for this time. */
const STATUS_AGE_MAX_MS = 2_000
/** A part that answers later counts as away. */
const ANSWER_MAX_MS = 1_000
/** Longer than the first statement of a server waits for its database. */
const VERSION_MAX_MS = 2_500

/** A part that has been behind for longer makes the state degraded: crawls and runs take minutes. */
const BEHIND_MAX_MS: Readonly<Record<Part, number>> = {
  replica: MINUTE_MS,
  projections: 15 * MINUTE_MS,
  search: 15 * MINUTE_MS,
}
type Part = 'replica' | 'projections' | 'search'

export type StatusDeps = Readonly<{
  store: Store
  replica: Replica
  catalog: WatchedCatalog
  index: SearchIndex
  /** Records of the log that the tables lack; absent: nobody can tell. */
  unprojected?: (() => Promise<number>) | undefined
  incidents: Incidents
  now: () => Date
}>

export function openServiceStatus(deps: StatusDeps): CachedRead<StatusResponse> {
  const { now } = deps
  const behindSinceMs = new Map<Part, number>()
  let known: ServiceFacts | undefined
  let silentSinceMs: number | undefined

  /** For how long the part has been behind. */
  function lagOf(part: Part, records: number | null): StatusResponse['projections'] {
    if (records === null) return { records: null, seconds: null }
    const nowMs = now().getTime()
    if (records === 0) behindSinceMs.delete(part)
    else if (!behindSinceMs.has(part)) behindSinceMs.set(part, nowMs)
    return { records, seconds: Math.max(0, Math.floor((nowMs - (behindSinceMs.get(part) ?? nowMs)) / 1000)) }
  }

  async function read(): Promise<StatusResponse> {
    const { store, replica, catalog, index, unprojected, incidents } = deps
    const version = await within(catalog.version.get(), VERSION_MAX_MS)
    const nowMs = now().getTime()
    const stored = catalog.awayMs() === undefined ? catalog.stored() : undefined
    const answers = stored !== undefined
    silentSinceMs = answers ? undefined : (silentSinceMs ?? nowMs)
    const awayMs = catalog.awayMs() ?? nowMs - (silentSinceMs ?? nowMs)
    const [facts, refusal, work, records, isSearching, reported] = await Promise.all([
      answers ? within(readServiceFacts(store, index.identity), ANSWER_MAX_MS) : undefined,
      answers ? within(readWriteRefusal(store), ANSWER_MAX_MS) : undefined,
      answers ? within(readWork(store), ANSWER_MAX_MS) : undefined,
      answers && unprojected ? within(unprojected(), ANSWER_MAX_MS) : undefined,
      within(
        index.isEmbedded().then(() => true),
        ANSWER_MAX_MS,
      ),
      incidents(),
    ])
    known = facts ?? known
    const last = replica.last()
    const seq = (stored ?? version)?.seq ?? null
    const searchSeq = known?.searchSeq ?? null
    const status: Omit<StatusResponse, 'state' | 'problems'> = {
      checked_at: instant(now()),
      database: { answers, away_seconds: ageSeconds(awayMs) },
      catalog: {
        seq: seq === null ? null : Number(seq),
        run: known?.run ?? (last ? lastRunOf(last.tables) : null),
        snapshot: known?.snapshot ?? null,
      },
      projections: lagOf('projections', records ?? null),
      replica: last
        ? {
            seq: Number(last.version.seq),
            lag: lagOf('replica', stored ? recordsBehind(last.version, stored) : null),
          }
        : null,
      search: {
        answers: isSearching === true && answers,
        seq: searchSeq,
        lag: lagOf(
          'search',
          seq === null || searchSeq === null || !answers ? null : Math.max(0, Number(seq) - searchSeq),
        ),
      },
      work: (work ?? []).map(workOf),
      incidents: [...reported],
    }
    const problems = problemsOf(status, { isReading: version !== undefined, isWriting: refusal === undefined })
    return { state: stateOf(problems, status.incidents), problems, ...status }
  }

  return cachedRead(read, { ageMaxMs: STATUS_AGE_MAX_MS, now })
}

/** Leases also name their processes, which are no reader's business. */
const workOf = ({ name, stage, done, total, seconds, stale }: Work): StatusResponse['work'][number] => ({
  name: name === AGGREGATOR_LEASE.name ? 'aggregate' : 'crawl',
  stage,
  done,
  total,
  ...paceOf({ done, total }, seconds),
  stale,
})

type Parts = Omit<StatusResponse, 'state' | 'problems'>

function problemsOf(
  { database, projections, replica, search, incidents }: Parts,
  { isReading, isWriting }: { isReading: boolean; isWriting: boolean },
): Problem[] {
  const isLate = (part: Part, { seconds }: StatusResponse['projections']) => (seconds ?? 0) * 1000 > BEHIND_MAX_MS[part]
  const found: Record<Problem, boolean> = {
    database_away: !database.answers,
    database_read_only: !isWriting,
    nothing_to_read: !isReading,
    replica_behind: replica !== null && isLate('replica', replica.lag),
    projections_behind: isLate('projections', projections),
    search_away: !search.answers,
    search_behind: isLate('search', search.lag),
    incident: incidents.some(isOpen),
  }
  return (Object.keys(found) as Problem[]).filter((problem) => found[problem])
}

const isOpen = ({ ended_at, impact }: Incident) => ended_at === null && impact !== 'none'

function stateOf(problems: readonly Problem[], incidents: readonly Incident[]): ServiceState {
  if (problems.includes('nothing_to_read')) return 'down'
  if (incidents.some((incident) => isOpen(incident) && incident.impact === 'down')) return 'down'
  return problems.length === 0 ? 'ok' : 'degraded'
}

/** The value if it arrives in time; undefined for a late one and for a failure. */
async function within<T>(value: Promise<T>, limitMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs).unref()
  })
  try {
    return await Promise.race([value.catch(() => undefined), late])
  } finally {
    clearTimeout(timer)
  }
}
