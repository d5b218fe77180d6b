import type { Store } from '@catalog/store/db.ts'

/** A price of a list, as the harness wrote it: independent of the product's events and their ids. */
export type KnownPrice = Readonly<{
  ref: string
  /** An instant in UTC, unique for each list. */
  observedAt: string
  cents: number
}>

/** All that is known at the end of a run: from the harness on one side, from the catalog on the other. */
export type Evidence = Readonly<{
  /** Prices of the crawls that ended with success. */
  acknowledged: readonly KnownPrice[]
  applied: readonly KnownPrice[]
  /** Instants of the schedule that passed, in order. */
  due: readonly string[]
  /** Instants at which the log says that a run ended, each as often as another run says so. */
  published: readonly string[]
  /** Cents by reference of the last list; all vendors ask the same, so every median is that price. */
  asked: ReadonlyMap<string, number>
  shown: ReadonlyMap<string, number>
  /** Numbers of the feed that are absent, between the first and the last. */
  feedHoles: number
  roots: Readonly<{ origin: string; mirror: string }>
  /** Whether `catalog verify` found the tables and digests to be the fold of the log. */
  isVerified: boolean
  reads: Readonly<{ answered: number; failed: readonly string[]; empty: readonly string[] }>
  isSearchBack: boolean
}>

/** What the evidence lacks, in sentences; empty when nothing was lost, doubled or wrong. */
export function missesOf(evidence: Evidence): string[] {
  const { lost, doubled, foreign } = appliedOnce(evidence)
  const instants = new Map(evidence.due.map((instant) => [instant, 0]))
  for (const instant of evidence.published) instants.set(instant, (instants.get(instant) ?? 0) + 1)
  const wrong = [...evidence.asked].filter(([ref, cents]) => evidence.shown.get(ref) !== cents).map(([ref]) => ref)
  const misses: readonly (readonly [what: string, found: readonly string[]])[] = [
    ['acknowledged observations are lost', lost],
    ['observations are applied twice', doubled],
    ['observations are applied that no list has', foreign],
    ['due instants are not published', entriesWith(instants, (times) => times === 0)],
    ['instants are published twice', entriesWith(instants, (times) => times > 1)],
    ['items show another price than all vendors ask', wrong],
    ['reads failed', evidence.reads.failed],
    ['reads answered 200 with nothing', evidence.reads.empty],
  ]
  const { origin, mirror } = evidence.roots
  return [
    ...misses.flatMap(([what, found]) => (found.length === 0 ? [] : `${found.length} ${what}: ${sample(found)}`)),
    ...(evidence.acknowledged.length === 0 ? ['no observation was acknowledged'] : []),
    ...(evidence.asked.size === 0 ? ['no price was asked'] : []),
    ...(evidence.due.length === 0 ? ['no instant fell due'] : []),
    ...(evidence.reads.answered === 0 ? ['no read was answered'] : []),
    ...(evidence.feedHoles === 0 ? [] : [`the feed lacks ${evidence.feedHoles} numbers`]),
    ...(origin === mirror ? [] : [`the mirror has root ${mirror}, its origin ${origin}`]),
    ...(evidence.isVerified ? [] : ['catalog verify does not hold']),
    ...(evidence.isSearchBack ? [] : ['search does not find what it found before']),
  ]
}

const MENTIONED_MAX = 3
const sample = (found: readonly string[]) =>
  [...found.slice(0, MENTIONED_MAX), ...(found.length > MENTIONED_MAX ? ['...'] : [])].join(', ')

const entriesWith = (counts: ReadonlyMap<string, number>, holds: (times: number) => boolean) =>
  [...counts].filter(([, times]) => holds(times)).map(([instant]) => instant)

/** Compares by reference, instant and price, so that an observation under another id still counts as doubled. */
export function appliedOnce({ acknowledged, applied }: Pick<Evidence, 'acknowledged' | 'applied'>) {
  const times = new Map<string, number>()
  for (const price of applied) times.set(nameOf(price), (times.get(nameOf(price)) ?? 0) + 1)
  const known = new Set(acknowledged.map(nameOf))
  return {
    lost: [...known].filter((name) => !times.has(name)),
    doubled: entriesWith(times, (count) => count > 1),
    foreign: [...times.keys()].filter((name) => !known.has(name)),
  }
}

const nameOf = ({ ref, observedAt, cents }: KnownPrice) => `${ref} at ${observedAt} for ${cents}`

/** Every observation in the tables. */
export async function readApplied(store: Store): Promise<KnownPrice[]> {
  const rows = await store.query<{ ref: string; at: string; cents: number }>(
    `select k.vendor_ref as ref, o.cents::int as cents,
       to_char(o.observed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at
     from observations o join vendor_skus k using (sku)`,
  )
  return rows.map(({ ref, at, cents }) => ({ ref, observedAt: at, cents }))
}
