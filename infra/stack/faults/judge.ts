import type { HistoryRecord } from '@catalog/stack/faults/system/history.ts'
import { expectedOf, rootOf } from '@catalog/stack/model/model.ts'
import { compared, type Evidence, missesOf, sameRows, told } from '@catalog/stack/model/verdict.ts'

export type Verdict = Readonly<{
  counts: Readonly<
    Record<
      | 'acknowledged'
      | 'uncertain'
      | 'applied'
      | 'published'
      | 'fed'
      | 'mirrored'
      | 'reads'
      | 'refusedSearches'
      /** Reads that a busy server refused at once and asked to repeat. */
      | 'shed'
      | 'agentReads',
      number
    >
  >
  /** Sentences that name what is lost, doubled or wrong; empty when nothing is. */
  misses: readonly string[]
}>

/** When runs fall due. */
export type Schedule = Readonly<{
  runEveryMs: number
  /** Whether each due instant has to be published; else a later one may take the place of one that failed. */
  isEveryInstant: boolean
  /** Instants up to this one need not be published. */
  afterMs: number
}>

/** What the catalog shows at the end, from its tables, its log, its API and its mirror. */
export type Shown = Omit<Evidence, 'sent' | 'dueMs' | 'broken'> &
  Readonly<{
    mirrored: Readonly<{ gen: string; seq: number }>
    /** The origin's last digest of everything. */
    digest: Readonly<{ seq: number; root: string }>
    /** What the API lists: cents by name. */
    prices: ReadonlyMap<string, string>
    /** `catalog verify`, and whether search finds products. */
    isVerified: boolean
    isSearchBack: boolean
  }>

/** Compares what the catalog shows with the model of its log, and with what its clients did and were told. */
export function judge(history: readonly HistoryRecord[], shown: Shown, schedule: Schedule): Verdict {
  const expected = expectedOf(shown.texts, shown.generation)
  const reads = all(history, 'read')
  const feed = shown.read.get('items') ?? []
  const sent = new Map([['vendor.observations', all(history, 'hostile').flatMap(({ values }) => values)]])
  const appended = appendedIn(history)
  const misses = [
    // Those whose append failed or stayed unknown may be applied too.
    ...compared('acknowledged observations', shown.tables.observations, appended.acknowledged, appended.known),
    ...missesOf({ ...shown, sent, dueMs: Number.NEGATIVE_INFINITY, broken: [] }, expected),
    ...scheduleMisses(
      expected.published.map(({ asOf }) => asOf),
      schedule,
      all(history, 'fault'),
    ),
    ...mirrorMisses(shown, { head: feed.length, root: rootOf(expected.active), steps: all(history, 'mirror') }),
    ...sameRows('prices that the API lists', shown.prices, pricesIn([...expected.active.values()].map(stateOf))),
    ...readMisses(reads, all(history, 'away'), pricesOf(feed.flatMap(({ state }) => state ?? []))),
    ...(shown.isVerified ? [] : ['catalog verify does not hold']),
    ...(shown.isSearchBack ? [] : ['search does not find what it found before']),
    ...(appended.acknowledged.size > 0 ? [] : ['no observation was acknowledged']),
    ...(expected.published.length > 0 ? [] : ['no run ended']),
    ...(reads.some(({ status }) => status === 200) ? [] : ['no read was answered']),
  ]
  const answered = (client: string) => reads.filter((read) => read.client === client && read.status === 200).length
  return {
    counts: {
      acknowledged: appended.acknowledged.size,
      uncertain: appended.known.size - appended.acknowledged.size,
      applied: shown.tables.observations.length,
      published: expected.published.length,
      fed: feed.length,
      mirrored: shown.mirror.rows.size,
      reads: answered('reader'),
      refusedSearches: reads.filter((read) => read.status === 503 && !isShed(read)).length,
      shed: reads.filter(isShed).length,
      agentReads: answered('agent'),
    },
    misses,
  }
}

type Of<Kind extends HistoryRecord['kind']> = Extract<HistoryRecord, { kind: Kind }>

const all = <Kind extends HistoryRecord['kind']>(history: readonly HistoryRecord[], kind: Kind): Of<Kind>[] =>
  history.filter((record): record is Of<Kind> => record.kind === kind)

/** Names of observations that clients appended. */
type Appended = Readonly<{ acknowledged: ReadonlySet<string>; known: ReadonlySet<string> }>

/** The observations of appends that ended before a time of the run. */
export function appendedIn(history: readonly HistoryRecord[], beforeMs = Number.POSITIVE_INFINITY): Appended {
  const appends = all(history, 'append').filter(({ endedMs }) => endedMs < beforeMs)
  return {
    acknowledged: new Set(appends.flatMap((append) => (append.result === 'acknowledged' ? append.observations : []))),
    known: new Set(appends.flatMap(({ observations }) => observations)),
  }
}

/**
 * Runs are at instants of the schedule. None is left out where each has to be published, unless a fault took half of the
 * time until the next instant, which then takes its place.
 */
function scheduleMisses(
  instants: readonly string[],
  { runEveryMs, isEveryInstant, afterMs }: Schedule,
  faults: readonly Of<'fault'>[],
): string[] {
  const isTaken = (at: number) =>
    faults.some(({ from, to }) => {
      const [began, ended] = [Math.max(at, Date.parse(from)), Math.min(at + runEveryMs, Date.parse(to))]
      return ended - began >= runEveryMs / 2
    })
  const times = instants.map((instant) => Date.parse(instant))
  const unpublished: string[] = []
  for (let at = (Math.floor(afterMs / runEveryMs) + 1) * runEveryMs; at <= (times.at(-1) ?? 0); at += runEveryMs) {
    if (!times.includes(at) && !isTaken(at)) unpublished.push(new Date(at).toISOString())
  }
  return [
    ...told(
      'runs are at no instant of the schedule',
      instants.filter((_, i) => (times[i] as number) % runEveryMs !== 0),
    ),
    ...(isEveryInstant ? told('due instants are not published', unpublished) : []),
  ]
}

/** The mirror is at the origin's head, whose digest has the model's root, and it never went back. */
function mirrorMisses(
  { mirrored, digest, generation }: Shown,
  { head, root, steps }: { head: number; root: string; steps: readonly Of<'mirror'>[] },
): string[] {
  const back = steps.filter(({ seq }, i) => seq < (steps[i - 1]?.seq ?? 0)).map(({ seq }) => String(seq))
  const [is, should] = [`${mirrored.gen} ${mirrored.seq}`, `${generation} ${head}`]
  return [
    ...told('the mirror went back', back),
    ...(is === should ? [] : [`the mirror stands at ${is}, the feed at ${should}`]),
    ...(digest.seq === head ? [] : [`the last digest stands at ${digest.seq}, the feed at ${head}`]),
    ...(digest.seq !== head || digest.root === root ? [] : [`the digest has another root than the model at ${head}`]),
  ]
}

type State = Readonly<{ item: Readonly<{ name: string; median_price: Readonly<{ cents: number }> | null }> }>

const stateOf = (text: string) => JSON.parse(text) as State
const pricesIn = (states: readonly State[]): Map<string, string> =>
  new Map(states.flatMap(({ item: { name, median_price: price } }) => (price ? [[name, String(price.cents)]] : [])))
const pricesOf = (states: readonly State[]): Set<string> =>
  new Set(states.map(({ item }) => `${item.name} for ${item.median_price?.cents}`))

/**
 * Readers get answers, never an empty one, and no price that was not published. Search may say 503, a busy server may refuse
 * and say when to come back, and nobody answers while the harness keeps the server away.
 */
function readMisses(
  reads: readonly Of<'read'>[],
  aways: readonly Of<'away'>[],
  published: ReadonlySet<string>,
): string[] {
  const moment = ({ client, asked, atMs }: Of<'read'>) => `${asked} of the ${client} at ${Math.round(atMs / 1000)} s`
  const mayFail = ({ asked, status, failure = '', beganMs, atMs }: Of<'read'>) =>
    (asked === 'search' && status === 503) ||
    isShed({ status, failure }) ||
    (status === 0 && aways.some(({ fromMs, toMs }) => beganMs <= toMs && atMs >= fromMs))
  const failed = reads.filter((read) => read.status !== 200 && !mayFail(read))
  const prices = reads.flatMap((read) =>
    read.prices.map(([name, cents]) => ({ price: `${name} for ${cents}`, where: moment(read) })),
  )
  return [
    ...told(
      'reads failed',
      failed.map((read) => `${read.status} for ${moment(read)} (${read.failure ?? ''})`),
    ),
    ...told('reads answered 200 with nothing', reads.filter(({ isEmpty }) => isEmpty).map(moment)),
    ...told(
      'read prices were never published',
      prices.flatMap(({ price, where }) => (published.has(price) ? [] : `${price} in ${where}`)),
    ),
  ]
}

const isShed = ({ status, failure = '' }: Pick<Of<'read'>, 'status' | 'failure'>) =>
  status === 503 && failure.includes('"overloaded"')
