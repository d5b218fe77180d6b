import type { CatalogEvent } from '@catalog/core/events/events.ts'
import { observationKey, TOPICS, type Topic } from '@catalog/core/events/topics.ts'
import { DAY_MS, HOUR_MS, instant } from '@catalog/core/time.ts'
import { type Retraction, retractions } from '@catalog/crawler/ingest/retract.ts'
import { event, observation, registration, sourceNamed } from '@catalog/stack/testing/events.ts'
import type { Fault } from './scheduler.ts'

/**
 * A history as plain data: its commands, its nights and the calls that fail. A history
 * and its seed give the same run again, and parts of it can be left out.
 */
export type History = Readonly<{
  /** Orders the processes, and draws latencies and batches. */
  seed: number
  partitions: number
  isShared: boolean
  batchMax: number
  /** How the aggregator waits for the projector: it projects by itself, or waits for others. */
  catchUp: 'drain' | 'wait'
  /** The scope of the mirror. */
  mirrored: string
  commands: readonly Command[]
  /** `drawn`: faults with these chances, drawn by the seed; a list: exactly these. */
  faults: Chances | readonly PlannedFault[]
}>

export type Chances = Readonly<{ kind: 'drawn'; each: number; kinds: readonly Fault['kind'][] }>
export type PlannedFault = Readonly<{ role: string; nth: number; fault: Fault }>

/** A price of a list. All lists of a vendor and day differ in their time of day, by `list`. */
export type Price = Readonly<{ product: number; cents: number }>
export type List = Readonly<{ vendor: number; day: number; list: number; prices: readonly Price[] }>
export type Command = Readonly<{ afterMs: number }> &
  Readonly<
    | { kind: 'register'; vendor: number; trust: number }
    | { kind: 'list'; list: List; crawl: string }
    | { kind: 'retract'; list: List; scope: 'observation'; product: number }
    | { kind: 'retract'; list: List; scope: 'crawl'; crawl: string }
    | { kind: 'retract'; list: List; scope: 'source' }
    | { kind: 'trust'; vendor: number; trust: number; day: number }
    | { kind: 'judge'; list: List; product: number; isReleased: boolean; day: number }
    /** A record that nobody can read. */
    | { kind: 'poison'; topic: 'observations' | 'decisions'; text: string }
    /** The nightly instant of a day. */
    | { kind: 'night'; day: number }
  >

const [VENDORS, PRODUCTS, REGIONS] = [3, 4, ['ES', 'PT', 'MX']]
const FIRST_DAY_MS = Date.UTC(2026, 1, 1)
export const nightOf = (day: number): string => instant(new Date(FIRST_DAY_MS + day * DAY_MS + 2 * HOUR_MS))
/** The wall clock at the beginning of the night of a day. */
export const nightMs = (day: number): number => FIRST_DAY_MS + day * DAY_MS + 2 * HOUR_MS
const [CENTS_MIN, CENTS_SPAN] = [100, 80]

type Random = () => number
const below = (random: Random, end: number) => Math.floor(random() * end)
const oneOf = <T>(random: Random, of: readonly T[]): T => of[below(random, of.length)] as T

const FAULT_KINDS: readonly Fault['kind'][] = ['crash', 'reset', 'freeze', 'clock', 'twice', 'part', 'again', 'restart']

/** A history of some days. */
export function drawHistory(seed: number, random: Random): History {
  const commands: Command[] = []
  const lists: Drawn[] = []
  const afterMs = () => (random() < 0.3 ? 0 : below(random, 20_000))
  // The crawl that first meets a source registers it before it records its prices; some sources nobody registers.
  const registered = Array.from({ length: VENDORS }, (_, vendor) => vendor).filter(() => random() < 0.9)
  for (const vendor of registered)
    commands.push({ afterMs: 0, kind: 'register', vendor, trust: 1 + below(random, 100) })
  const nights = oneOf(random, [1, 1, 2, 2, 3])
  for (let night = 0, day = 0; night < nights; night++) {
    for (let left = 1 + below(random, 4); left > 0; left--)
      commands.push(drawCommand(random, { day, lists, registered, afterMs }))
    commands.push({ afterMs: afterMs(), kind: 'night', day })
    day += oneOf(random, [1, 1, 2, 14, 31])
  }
  return {
    seed,
    partitions: oneOf(random, [1, 2, 3]),
    isShared: random() < 0.5,
    batchMax: oneOf(random, [2, 5, 100]),
    catchUp: random() < 0.4 ? 'drain' : 'wait',
    mirrored: oneOf(random, ['items', 'region/EU', 'region/MX']),
    commands,
    faults: {
      kind: 'drawn',
      each: oneOf(random, [0.005, 0.02, 0.05]),
      kinds: FAULT_KINDS.filter(() => random() < 0.6),
    },
  }
}

type Drawn = Readonly<{ list: List; crawl: string }>

function drawCommand(
  random: Random,
  {
    day,
    lists,
    registered,
    afterMs,
  }: { day: number; lists: Drawn[]; registered: readonly number[]; afterMs: () => number },
): Command {
  const given = { afterMs: afterMs() }
  const known = lists.length === 0 ? undefined : oneOf(random, lists)
  if (known === undefined) return { ...given, ...drawList(random, day, lists) }
  const { list, crawl } = known
  const product = oneOf(random, list.prices)?.product ?? 0
  const kind: (typeof KINDS)[number] = oneOf(random, registered.length === 0 ? KINDS_UNREGISTERED : KINDS)
  switch (kind) {
    case 'list':
      return { ...given, ...drawList(random, day, lists) }
    case 'again': {
      const again = random() < 0.5 ? crawl : `again-${lists.length}`
      lists.push({ list, crawl: again })
      return { ...given, kind: 'list', list, crawl: again }
    }
    case 'retract': {
      const scope = oneOf(random, ['observation', 'crawl', 'crawl', 'source'] as const)
      if (scope === 'observation') return { ...given, kind: 'retract', list, scope, product }
      return scope === 'crawl'
        ? { ...given, kind: 'retract', list, scope, crawl }
        : { ...given, kind: 'retract', list, scope }
    }
    case 'register':
      return { ...given, kind: 'register', vendor: oneOf(random, registered), trust: 1 + below(random, 100) }
    case 'trust':
      return { ...given, kind: 'trust', vendor: list.vendor, trust: below(random, 101), day: day + below(random, 2) }
    case 'judge':
      return { ...given, kind: 'judge', list, product, isReleased: random() < 0.3, day: day + below(random, 2) }
    case 'poison':
      return {
        ...given,
        kind: 'poison',
        topic: oneOf(random, ['observations', 'decisions']),
        text: oneOf(random, POISON),
      }
  }
}

function drawList(random: Random, day: number, lists: Drawn[]) {
  const chosen = Array.from({ length: PRODUCTS }, (_, product) => product).filter(() => random() < 0.7)
  const prices = chosen.map((product) => ({ product, cents: CENTS_MIN + below(random, CENTS_SPAN) }))
  const list = { vendor: below(random, VENDORS), day: day + 1 - below(random, 4), list: lists.length, prices }
  const crawl = `crawl-${lists.length}`
  lists.push({ list, crawl })
  return { kind: 'list', list, crawl } as const
}

const KINDS = [
  'list',
  'list',
  'list',
  'again',
  'again',
  'retract',
  'retract',
  'register',
  'trust',
  'judge',
  'judge',
  'poison',
] as const
const KINDS_UNREGISTERED = KINDS.filter((kind) => kind !== 'register')
const POISON = ['{', '{"type":"Unheard"}', '{"type":"ObservationRecorded","v":1}', 'null']

/** A batch for one append; all its records have one topic. */
export type Batch = Readonly<{ topic: Topic; records: readonly Readonly<{ key: string; value: string }>[] }>

const vendorName = (vendor: number) => `Vendor ${vendor}`
const sourceOf = (vendor: number) => sourceNamed(vendorName(vendor), REGIONS[vendor] as string)
const refOf = (product: number) => `R${product}`
const recordedAt = (day: number) => new Date(FIRST_DAY_MS + day * DAY_MS + HOUR_MS)

const priced = ({ vendor, day, list }: List, { product, cents }: Price, crawl: string) =>
  observation({
    vendor: vendorName(vendor),
    region: REGIONS[vendor] as string,
    ref: refOf(product),
    name: `Ceramic brick type ${product}`,
    unit: 'u',
    cents,
    crawl,
    at: instant(new Date(FIRST_DAY_MS + day * DAY_MS + list * 1000)),
    recordedAt: instant(recordedAt(day)),
    more: { gtin: String(40_000_000 + product) },
  })

/** What a command appends; null for what concerns the clock. */
export function batchOf(command: Command): Batch | null {
  switch (command.kind) {
    case 'register': {
      const { vendor, trust } = command
      return decided(registration({ vendor: vendorName(vendor), region: REGIONS[vendor] as string, trust }))
    }
    case 'list': {
      const events = command.list.prices.map((price) => priced(command.list, price, command.crawl))
      const keyed = events.map((event) => ({
        key: observationKey(event.source.id, event.vendor_ref),
        value: JSON.stringify(event),
      }))
      return { topic: TOPICS.observations, records: keyed }
    }
    case 'retract':
      return {
        topic: TOPICS.observations,
        records: retractions(retraction(command), { reason: 'wrong', now: recordedAt(command.list.day) }).map(
          ({ key, event }) => ({ key, value: JSON.stringify(event) }),
        ),
      }
    case 'trust': {
      const { vendor, trust, day } = command
      const [source_id, decided_at] = [sourceOf(vendor).id, instant(recordedAt(day))]
      return decided(event({ type: 'TrustChanged', decided_at, source_id, trust_score: trust, reason: 'audit' }))
    }
    case 'judge': {
      const { list, product, isReleased, day } = command
      const type = isReleased ? ('ObservationReleased' as const) : ('ObservationQuarantined' as const)
      const observation_id = observationIdOf(list, product)
      return decided(
        event({ type, decided_at: instant(recordedAt(day)), observation_id, reason: 'looked at' } as never),
      )
    }
    case 'poison':
      return { topic: TOPICS[command.topic], records: [{ key: 'poison', value: command.text }] }
    case 'night':
      return null
  }
}

const observationIdOf = (list: List, product: number): string =>
  priced(list, list.prices.find((price) => price.product === product) ?? { product, cents: CENTS_MIN }, '').event_id

function retraction(command: Command & { kind: 'retract' }): Retraction {
  const sourceId = sourceOf(command.list.vendor).id
  switch (command.scope) {
    case 'observation': {
      const { list, product } = command
      return {
        scope: 'observation',
        sourceId,
        vendorRef: refOf(product),
        observationId: observationIdOf(list, product),
      }
    }
    case 'crawl':
      return { scope: 'crawl', crawlId: command.crawl, sourceIds: [sourceId] }
    case 'source':
      return { scope: 'source', sourceIds: [sourceId] }
  }
}

const keyedBy = (event: CatalogEvent) => ({ key: event.event_id, value: JSON.stringify(event) })
const decided = (event: CatalogEvent): Batch => ({ topic: TOPICS.decisions, records: [keyedBy(event)] })

/** A history as lines for people. */
export function describeHistory({
  seed,
  partitions,
  isShared,
  batchMax,
  catchUp,
  commands,
  faults,
}: History): string[] {
  const told =
    'kind' in faults
      ? [`faults: each call fails with chance ${faults.each}: ${faults.kinds.join(', ')}`]
      : faults.map(({ role, nth, fault }) => `fault: call ${nth} of ${role}: ${JSON.stringify(fault)}`)
  return [
    `seed ${seed}: ${partitions} partitions, ${isShared ? 'shared' : 'all read'} by two projectors in batches of at most ${batchMax}, aggregator: ${catchUp}`,
    ...commands.map(({ afterMs, ...command }) => `after ${afterMs} ms: ${JSON.stringify(command)}`),
    ...told,
  ]
}
