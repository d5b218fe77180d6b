import { digest, type Expected, type ExpectedChange, expectedOf, sorted, type Texts } from './model.ts'
import type { Tables } from './tables.ts'

/** A line of a feed as NDJSON. */
export type FeedLine = Readonly<{
  seq: number
  op: string
  id: string
  sha256?: string
  chain: string
  state?: Readonly<{ item: Readonly<{ name: string; median_price: Readonly<{ cents: number }> | null }> }>
}>

/** All that is known at the end of a history: from the harness on one side, from the catalog on the other. */
export type Evidence = Readonly<{
  texts: Texts
  generation: string
  /** Topic → records that the log acknowledged. */
  sent: ReadonlyMap<string, readonly string[]>
  /** The last instant that fell due, in milliseconds since 1970; -Infinity for none. */
  dueMs: number
  tables: Tables
  /** Scope → what a reader of its feed got, in order. */
  read: ReadonlyMap<string, readonly FeedLine[]>
  mirror: Readonly<{ scope: string; rows: ReadonlyMap<string, string> }>
  /** Laws that a process saw broken. */
  broken: readonly string[]
}>

/** What the evidence lacks, in sentences: acknowledged = applied = published = fed = mirrored, or the first differences. */
export function missesOf(evidence: Evidence, expected = expectedOf(evidence.texts, evidence.generation)): string[] {
  return [
    ...evidence.broken,
    ...logged(evidence),
    ...applied(evidence.tables, expected),
    ...expected.wrong,
    ...nightsOf(evidence, expected),
    ...numbered(evidence.tables, expected),
    ...[...evidence.read].flatMap(([scope, lines]) => fed(scope, lines, expected)),
    ...mirrored(evidence.mirror, expected),
  ]
}

function logged({ texts, sent }: Evidence): string[] {
  const stored: Readonly<Record<string, ReadonlySet<string>>> = {
    'vendor.observations': new Set(texts.observations.flat()),
    'catalog.decisions': new Set(texts.decisions),
  }
  const lost = [...sent].flatMap(([topic, values]) => values.filter((value) => !stored[topic]?.has(value)))
  return told('acknowledged records are not in the log', lost)
}

function applied(tables: Tables, expected: Expected): string[] {
  const places = tables.parked.map(({ place, reason }) => (expected.parked.has(place) ? place : `${place} ${reason}`))
  return [
    ...compared('observations', tables.observations, expected.observations),
    ...compared('deliveries', tables.deliveries, expected.deliveries),
    ...compared('dead letters', places, expected.parked),
  ]
}

/** Every night is published, by one run of its own or a later one, and runs go forward. */
function nightsOf({ dueMs }: Evidence, { published }: Expected): string[] {
  const instants = published.map(({ asOf }) => Date.parse(asOf))
  const backwards = published.filter((_, i) => i > 0 && (instants[i] as number) < (instants[i - 1] as number))
  return [
    ...told('runs are published twice', repeated(published.map(({ asOf }) => asOf))),
    ...told(
      'runs went back',
      backwards.map(({ runId, asOf }) => `${runId} at ${asOf}`),
    ),
    ...told('nights are not published', Math.max(...instants) >= dueMs ? [] : ['the last']),
  ]
}

function numbered({ changes, active }: Tables, expected: Expected): string[] {
  const found = Map.groupBy(changes, ({ scope }) => scope)
  const scopes = new Set([...found.keys(), ...expected.changes.keys()])
  return [
    ...[...scopes].flatMap((scope) => {
      const is = (found.get(scope) ?? []).map(({ seq, itemId, op, sha, chain }) => ({
        seq,
        itemId,
        op,
        sha: op === 'upsert' ? sha : null,
        chain,
      }))
      return firstDifference(`changes of ${scope}`, is, expected.changes.get(scope) ?? [])
    }),
    ...sameRows('items', active, expected.active),
  ]
}

function fed(scope: string, lines: readonly FeedLine[], { changes }: Expected): string[] {
  const is = lines.map(({ seq, id, op, sha256, chain }) => ({ seq, itemId: id, op, sha: sha256 ?? null, chain }))
  const altered = lines.filter(({ state, sha256 }) => state && digest(sorted(state)).toString('hex') !== sha256)
  return [
    ...firstDifference(`feed of ${scope}`, is, changes.get(scope) ?? []),
    ...told(
      `feed of ${scope} has states of other hashes`,
      altered.map(({ seq }) => String(seq)),
    ),
  ]
}

function mirrored({ scope, rows }: Evidence['mirror'], { active }: Expected): string[] {
  const region = scope.startsWith('region/') ? scope.slice('region/'.length) : null
  const here = [...active].filter(
    ([, state]) => region === null || (JSON.parse(state) as { regions: string[] }).regions.includes(region),
  )
  return sameRows(`mirror of ${scope}`, rows, new Map(here))
}

// Comparisons

const MENTIONED_MAX = 3
export function told(what: string, found: readonly string[]): string[] {
  if (found.length === 0) return []
  const more = found.length > MENTIONED_MAX ? [`and ${found.length - MENTIONED_MAX} more`] : []
  return [`${what}: ${[...found.slice(0, MENTIONED_MAX), ...more].join(', ')}`]
}

function repeated(names: readonly string[]): string[] {
  const once = new Set<string>()
  return [...new Set(names.filter((name) => once.size === once.add(name).size))]
}

/** Names that must be there once, and names of which nobody knows; `known` may be there. */
export function compared(
  what: string,
  found: readonly string[],
  expected: ReadonlySet<string>,
  known: ReadonlySet<string> = expected,
): string[] {
  const present = new Set(found)
  return [
    ...told(
      `${what} are lost`,
      [...expected].filter((name) => !present.has(name)),
    ),
    ...told(`${what} are doubled`, repeated(found)),
    ...told(
      `${what} nobody appended`,
      [...present].filter((name) => !known.has(name)),
    ),
  ]
}

function firstDifference(
  what: string,
  found: readonly ExpectedChange[],
  expected: readonly ExpectedChange[],
): string[] {
  for (let i = 0; i < Math.max(found.length, expected.length); i++) {
    const [is, should] = [JSON.stringify(found[i]), JSON.stringify(expected[i])]
    if (is !== should) return [`${what}: expected ${should ?? 'its end'}, found ${is ?? 'its end'}`]
  }
  return []
}

export function sameRows(
  what: string,
  found: ReadonlyMap<string, string>,
  expected: ReadonlyMap<string, string>,
): string[] {
  const wrong = [...new Set([...found.keys(), ...expected.keys()])].filter((id) => found.get(id) !== expected.get(id))
  return told(
    `${what} differ`,
    wrong.map((id) => `${id}: expected ${expected.get(id)}, found ${found.get(id)}`),
  )
}
