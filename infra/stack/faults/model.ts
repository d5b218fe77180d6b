import { createHash } from 'node:crypto'
import type { AppliedRow, Change, HistoryRecord, NamedPrice } from '@catalog/stack/faults/system/history.ts'

/**
 * The model computes what the catalog must have applied, published, fed and mirrored. It knows only what the clients did and
 * were told, and shares no code with the catalog.
 */
export type Verdict = Readonly<{
  counts: Readonly<{
    acknowledged: number
    uncertain: number
    applied: number
    published: number
    fed: number
    mirrored: number
    reads: number
    refusedSearches: number
    /** Reads that a busy server refused at once and asked to repeat. */
    shed: number
    agentReads: number
  }>
  lost: number
  doubled: number
  /** Sentences that name what is lost, doubled or wrong; empty when nothing is. */
  misses: readonly string[]
}>

/** Judges a whole history. What a history does not have is a miss too: nothing holds by absence. */
export function judge(history: readonly HistoryRecord[]): Verdict {
  const told = {
    run: one(history, 'run'),
    appends: all(history, 'append'),
    hostile: all(history, 'hostile'),
    reads: all(history, 'read'),
    aways: all(history, 'away'),
    faults: all(history, 'fault'),
    mirrorSteps: all(history, 'mirror'),
    applied: one(history, 'applied'),
    published: one(history, 'published'),
    fed: one(history, 'fed'),
    mirrored: one(history, 'mirrored'),
    digest: one(history, 'digest'),
    shown: one(history, 'shown'),
    deadLetters: one(history, 'dead letters'),
    checked: one(history, 'checked'),
  }
  const once = appliedOnce(told.appends, told.applied.rows)
  const medians = mediansOf(told.appends, told.run.trust)
  const state = stateOf(told.fed.changes)
  const misses = [
    listed('acknowledged observations are lost', once.lost),
    listed('observations are applied twice', once.doubled),
    listed('observations are applied that nobody appended', once.foreign),
    ...publicationMisses(told),
    listed('items are published at another price than the weighted median', otherPrices(medians, pricesOf(state))),
    listed('items show another price than the weighted median', otherPrices(medians, new Map(told.shown.prices))),
    ...feedMisses(told.fed),
    ...mirrorMisses({ ...told, state }),
    ...readMisses(told, told.fed.changes),
    ...hostileMisses(told.hostile, told.deadLetters.count),
    told.checked.isVerified ? '' : 'catalog verify does not hold',
    told.checked.isSearchBack ? '' : 'search does not find what it found before',
    once.acknowledged > 0 ? '' : 'no observation was acknowledged',
    told.published.instants.length > 0 ? '' : 'no run ended',
    told.reads.some(({ status }) => status === 200) ? '' : 'no read was answered',
  ].filter((miss) => miss !== '')
  return {
    counts: {
      acknowledged: once.acknowledged,
      uncertain: once.uncertain,
      applied: told.applied.rows.length,
      published: told.published.instants.length,
      fed: told.fed.changes.length,
      mirrored: told.mirrored.items.length,
      reads: told.reads.filter(({ client, status }) => client === 'reader' && status === 200).length,
      refusedSearches: told.reads.filter((read) => read.status === 503 && !isShed(read)).length,
      shed: told.reads.filter(isShed).length,
      agentReads: told.reads.filter(({ client, status }) => client === 'agent' && status === 200).length,
    },
    lost: once.lost.length,
    doubled: once.doubled.length,
    misses,
  }
}

type Of<Kind extends HistoryRecord['kind']> = Extract<HistoryRecord, { kind: Kind }>

const all = <Kind extends HistoryRecord['kind']>(history: readonly HistoryRecord[], kind: Kind): Of<Kind>[] =>
  history.filter((record): record is Of<Kind> => record.kind === kind)

function one<Kind extends HistoryRecord['kind']>(history: readonly HistoryRecord[], kind: Kind): Of<Kind> {
  const found = all(history, kind)
  if (found.length !== 1) throw new Error(`expected one record '${kind}' in the history, found ${found.length}`)
  return found[0] as Of<Kind>
}

const MENTIONED_MAX = 3

function listed(what: string, found: readonly string[]): string {
  if (found.length === 0) return ''
  const more = found.length > MENTIONED_MAX ? ', ...' : ''
  return `${found.length} ${what}: ${found.slice(0, MENTIONED_MAX).join(', ')}${more}`
}

// Applied -------------------------------------------------------------------------------------------------------------

const nameOfRow = ([vendor, name, observedAt, cents]: AppliedRow) =>
  `${name} of ${vendor} at ${observedAt} for ${cents}`

/** Acknowledged observations are applied once; those whose append failed or stayed unknown, once at most. */
export function appliedOnce(appends: readonly Of<'append'>[], rows: readonly AppliedRow[]) {
  const isAcknowledged = new Map<string, boolean>()
  for (const { vendor, observedAt, prices, result } of appends) {
    for (const [name, cents] of prices) {
      const row = nameOfRow([vendor, name, observedAt, cents])
      isAcknowledged.set(row, isAcknowledged.get(row) === true || result === 'acknowledged')
    }
  }
  const times = new Map<string, number>()
  for (const row of rows.map(nameOfRow)) times.set(row, (times.get(row) ?? 0) + 1)
  const appended = [...isAcknowledged]
  return {
    acknowledged: appended.filter(([, is]) => is).length,
    uncertain: appended.filter(([, is]) => !is).length,
    lost: appended.filter(([row, is]) => is && !times.has(row)).map(([row]) => row),
    doubled: [...times].filter(([, count]) => count > 1).map(([row]) => row),
    foreign: [...times.keys()].filter((row) => !isAcknowledged.has(row)),
  }
}

// Published -----------------------------------------------------------------------------------------------------------

/**
 * Runs go forward, each at an instant of the schedule and once. None is left out where each has to be, unless a fault took
 * half of the time until the next instant, which then takes its place.
 */
function publicationMisses({
  run: { runEveryMs, isEveryInstant, after },
  published: { instants },
  faults,
}: Readonly<{ run: Of<'run'>; published: Of<'published'>; faults: readonly Of<'fault'>[] }>): string[] {
  const isTaken = (at: number) =>
    faults.some(({ from, to }) => {
      const [began, ended] = [Math.max(at, Date.parse(from)), Math.min(at + runEveryMs, Date.parse(to))]
      return ended - began >= runEveryMs / 2
    })
  const times = instants.map((instant) => Date.parse(instant))
  const seen = new Set(times)
  const unpublished: string[] = []
  const first = (Math.floor(Date.parse(after) / runEveryMs) + 1) * runEveryMs
  for (let at = first; at <= (times.at(-1) ?? 0); at += runEveryMs) {
    if (!seen.has(at) && !isTaken(at)) unpublished.push(new Date(at).toISOString())
  }
  return [
    listed(
      'instants are published twice',
      instants.filter((_, i) => times.indexOf(times[i] as number) < i),
    ),
    listed(
      'runs are before the one that precedes them',
      instants.filter((_, i) => (times[i] as number) < (times[i - 1] ?? 0)),
    ),
    listed(
      'runs are at no instant of the schedule',
      instants.filter((_, i) => (times[i] as number) % runEveryMs !== 0),
    ),
    isEveryInstant ? listed('due instants are not published', unpublished) : '',
  ]
}

/**
 * The median of each product: of every vendor the price seen last, sorted; the price at which half of all weight is reached,
 * and where exactly half ends there, the mean with the next one, rounded half to even.
 */
function mediansOf(appends: readonly Of<'append'>[], trust: Readonly<Record<string, number>>): Map<string, number> {
  const latest = new Map<string, Map<string, { atMs: number; cents: number }>>()
  for (const { vendor, observedAt, prices, result } of appends) {
    if (result !== 'acknowledged') continue
    const atMs = Date.parse(observedAt)
    for (const [name, cents] of prices) {
      const votes = latest.get(name) ?? new Map()
      latest.set(name, votes)
      if (atMs >= (votes.get(vendor)?.atMs ?? 0)) votes.set(vendor, { atMs, cents })
    }
  }
  return new Map(
    [...latest].map(([name, votes]) => [
      name,
      weightedMedian([...votes].map(([vendor, { cents }]) => ({ cents, weight: trust[vendor] ?? 0 }))),
    ]),
  )
}

export function weightedMedian(votes: readonly Readonly<{ cents: number; weight: number }>[]): number {
  const sorted = votes.toSorted((a, b) => a.cents - b.cents)
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0)
  let reached = 0
  for (const [i, { cents, weight }] of sorted.entries()) {
    reached += weight
    if (2 * reached > total) return cents
    if (2 * reached === total) return halfEven(cents + (sorted[i + 1]?.cents ?? cents))
  }
  throw new Error('expected a vote with weight')
}

/** Half of a sum of two integers, to the even neighbour. */
function halfEven(sum: number): number {
  const below = Math.floor(sum / 2)
  return sum % 2 === 0 || below % 2 === 0 ? below : below + 1
}

function otherPrices(expected: ReadonlyMap<string, number>, found: ReadonlyMap<string, number>): string[] {
  const names = new Set([...expected.keys(), ...found.keys()])
  return [...names]
    .filter((name) => expected.get(name) !== found.get(name))
    .map((name) => `${name} for ${found.get(name) ?? 'nothing'} instead of ${expected.get(name) ?? 'nothing'}`)
}

// Fed -----------------------------------------------------------------------------------------------------------------

/** Numbers from 1 without a gap, states that are what their hashes say, and a chain that nobody rewrote. */
function feedMisses({ gen, changes }: Of<'fed'>): string[] {
  const wrong: string[] = []
  let chain = sha256(`ccm/1\0${gen}\0items`)
  for (const [i, change] of changes.entries()) {
    const { seq, op, id, sha256: stated, state } = change
    if (seq !== i + 1) return [`the feed has number ${seq} where ${i + 1} was expected`]
    if (op === 'upsert' && sha256(canonical(state)).toString('hex') !== stated)
      wrong.push(`state ${seq} has another hash`)
    const number = Buffer.alloc(8)
    number.writeBigUInt64BE(BigInt(seq))
    const hash = op === 'upsert' ? Buffer.from(stated ?? '', 'hex') : Buffer.alloc(32)
    chain = sha256(Buffer.concat([chain, number, Buffer.from(`${op[0]}${id}\0`), hash]))
    if (chain.toString('hex') !== change.chain) return [...wrong, `the chain of the feed breaks at ${seq}`]
  }
  if (changes.length === 0) return ['the feed is empty']
  return [listed('changes of the feed are wrong', wrong)]
}

/** JSON with sorted keys (RFC 8785; all numbers of a state are integers). */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${entries
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`)
    .join(',')}}`
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

/** The last upsert of each item that was not deleted later. */
function stateOf(changes: readonly Change[]): Map<string, Change> {
  const state = new Map<string, Change>()
  for (const change of changes) {
    if (change.op === 'upsert') state.set(change.id, change)
    else state.delete(change.id)
  }
  return state
}

const pricesOf = (state: ReadonlyMap<string, Change>): Map<string, number> =>
  new Map([...state.values()].flatMap(priceOf))

const priceOf = ({ state }: Change): NamedPrice[] => {
  const price = state?.item.median_price
  return price == null ? [] : [[state?.item.name as string, price.cents]]
}

// Mirrored and read ---------------------------------------------------------------------------------------------------

/** The mirror is the feed's state item by item, has the origin's root, and never went back. */
function mirrorMisses({ state, mirrored, mirrorSteps, fed, digest }: MirrorEvidence): string[] {
  const copied = new Map(mirrored.items)
  const ids = new Set([...copied.keys(), ...state.keys()])
  const differing = [...ids].filter((id) => copied.get(id) !== state.get(id)?.sha256)
  const back = mirrorSteps.filter(({ seq }, i) => seq < (mirrorSteps[i - 1]?.seq ?? 0)).map(({ seq }) => String(seq))
  const head = fed.changes.length
  return [
    listed('items differ between mirror and feed', differing),
    listed('times the mirror went back', back),
    mirrored.gen === fed.gen ? '' : `the mirror has generation ${mirrored.gen}, the feed ${fed.gen}`,
    mirrored.seq === head ? '' : `the mirror stands at ${mirrored.seq}, the feed at ${head}`,
    digest.seq !== head || rootOf(mirrored.items) === digest.root
      ? ''
      : `the mirror's root is not the origin's at ${head}`,
    digest.seq === head ? '' : `the last digest stands at ${digest.seq}, the feed at ${head}`,
  ]
}

type MirrorEvidence = Readonly<{
  state: ReadonlyMap<string, Change>
  mirrored: Of<'mirrored'>
  mirrorSteps: readonly Of<'mirror'>[]
  fed: Of<'fed'>
  digest: Of<'digest'>
}>

/** Hash over 256 buckets, each the hash over its ids in order with their hashes. */
export function rootOf(items: readonly (readonly [id: string, sha256: string])[]): string {
  const buckets = Array.from({ length: 256 }, (): Buffer[] => [])
  for (const [id, hash] of items.toSorted(([a], [b]) => (a < b ? -1 : 1)))
    buckets[sha256(id)[0] as number]?.push(Buffer.from(`${id}\0`), Buffer.from(hash, 'hex'))
  return sha256(Buffer.concat(buckets.map((parts) => sha256(Buffer.concat(parts))))).toString('hex')
}

/**
 * Readers get answers, never an empty one, and no price that was not published. Search may say 503, a busy server may refuse
 * and say when to come back, and nobody answers while the harness keeps the server away.
 */
function readMisses(
  { reads, aways }: Readonly<{ reads: readonly Of<'read'>[]; aways: readonly Of<'away'>[] }>,
  changes: readonly Change[],
): string[] {
  const published = new Set(changes.flatMap(priceOf).map(([name, cents]) => `${name} for ${cents}`))
  const moment = ({ client, asked, atMs }: Of<'read'>) => `${asked} of the ${client} at ${Math.round(atMs / 1000)} s`
  const mayFail = ({ asked, status, failure = '', beganMs, atMs }: Of<'read'>) =>
    (asked === 'search' && status === 503) ||
    isShed({ status, failure }) ||
    (status === 0 && aways.some(({ fromMs, toMs }) => beganMs <= toMs && atMs >= fromMs))
  return [
    listed(
      'reads failed',
      reads
        .filter((read) => read.status !== 200 && !mayFail(read))
        .map((read) => `${read.status} for ${moment(read)} (${read.failure ?? ''})`),
    ),
    listed('reads answered 200 with nothing', reads.filter(({ isEmpty }) => isEmpty).map(moment)),
    listed(
      'read prices were never published',
      reads.flatMap((read) =>
        read.prices
          .map(([name, cents]) => `${name} for ${cents}`)
          .filter((price) => !published.has(price))
          .map((price) => `${price} in ${moment(read)}`),
      ),
    ),
  ]
}

const isShed = ({ status, failure = '' }: Pick<Of<'read'>, 'status' | 'failure'>) =>
  status === 503 && failure.includes('"overloaded"')

/** Each acknowledged hostile record is a dead letter; a repeated send may have stored one twice. */
function hostileMisses(hostile: readonly Of<'hostile'>[], deadLetters: number): string[] {
  const sent = hostile.reduce((sum, { records }) => sum + records, 0)
  if (sent === 0) return deadLetters === 0 ? [] : [`${deadLetters} records are dead letters, though none was hostile`]
  return deadLetters >= sent ? [] : [`${deadLetters} of ${sent} hostile records are dead letters`]
}
