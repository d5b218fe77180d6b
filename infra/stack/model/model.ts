import { createHash } from 'node:crypto'

/**
 * The model derives the right state of a catalog from the texts of its log alone. Law: it imports nothing of the product. Where the
 * specification says a thing in words, these are the words again, for catalogs of one currency, one unit and no tax.
 */
export type Texts = Readonly<{
  /** Of each partition, in order. */
  observations: readonly (readonly string[])[]
  decisions: readonly string[]
  items: readonly string[]
}>

export type Expected = Readonly<{
  /** ref, instant, price and crawl of every delivery; and of every observation. */
  deliveries: ReadonlySet<string>
  observations: ReadonlySet<string>
  /** Records that nobody can apply, and publications that came after newer ones, as topic/partition/offset. */
  parked: ReadonlySet<string>
  /** Scope → its changes in order. */
  changes: ReadonlyMap<string, readonly ExpectedChange[]>
  /** The catalog after them: item id → canonical public state. */
  active: ReadonlyMap<string, string>
  /** as_of of every finished run, in the order of their first marks. */
  published: readonly { readonly runId: string; readonly asOf: string }[]
  /** In sentences: what no order of events excuses. */
  wrong: readonly string[]
}>

export type ExpectedChange = Readonly<{ seq: number; itemId: string; op: string; sha: string | null; chain: string }>

type Json = { [key: string]: unknown }
type State = { item: Json; regions: string[]; markets: Json[]; state: string }

export function expectedOf(texts: Texts, generation: string): Expected {
  const facts = factsIn(texts)
  const { stale, ...publications } = publicationsIn(texts, facts, generation)
  const { unreadable, ...told } = facts.told
  return { ...told, ...publications, parked: new Set([...unreadable, ...stale]) }
}

/** An observation, wherever it was delivered. */
type Seen = {
  id: string
  ref: string
  product: string
  source: string
  region: string
  atMs: number
  cents: number
  deliveries: { crawl: string; recordedMs: number; partition: number; offset: number }[]
}
type Retraction = { target: Json; source: string; recordedMs: number; partition: number; offset: number }
type Decision = { event: Json; atMs: number; offset: number }

type Facts = Readonly<{
  seen: readonly Seen[]
  retractions: readonly Retraction[]
  decisions: readonly Decision[]
  told: Pick<Expected, 'deliveries' | 'observations'> & Readonly<{ unreadable: ReadonlySet<string> }>
}>

function factsIn({ observations, decisions }: Texts): Facts {
  const seen = new Map<string, Seen>()
  const retractions: Retraction[] = []
  const unreadable = new Set<string>()
  for (const [partition, records] of observations.entries()) {
    for (const [offset, text] of records.entries()) {
      const event = readable(text)
      if (event === null) unreadable.add(`vendor.observations/${partition}/${offset}`)
      else if (event.type === 'ObservationRecorded') addTo(seen, event, { partition, offset })
      else if (event.type === 'ObservationRetracted') {
        const { target, source_id, recorded_at } = event as { target: Json; source_id: string; recorded_at: string }
        retractions.push({ target, source: source_id, recordedMs: Date.parse(recorded_at), partition, offset })
      }
    }
  }
  const decided = decisions.flatMap((text, offset): Decision[] => {
    const event = readable(text)
    if (event !== null) return [{ event, atMs: Date.parse(event.decided_at as string), offset }]
    unreadable.add(`catalog.decisions/0/${offset}`)
    return []
  })
  const all = [...seen.values()]
  const told = {
    observations: new Set(all.map(nameOf)),
    deliveries: new Set(all.flatMap((one) => one.deliveries.map(({ crawl }) => `${nameOf(one)} by ${crawl}`))),
    unreadable,
  }
  return { seen: all, retractions, decisions: decided, told }
}

/** Tells an observation from all others. */
export const nameOf = ({ ref, source, atMs, cents }: Pick<Seen, 'ref' | 'source' | 'atMs' | 'cents'>) =>
  `${source} ${ref} at ${new Date(atMs).toISOString()} for ${cents}`

/** No field of an event is so long. */
const CHARS_MAX = 500_000

function readable(text: string): Json | null {
  // No database holds U+0000.
  if (text.length > CHARS_MAX || text.includes('\\u0000')) return null
  try {
    const event = JSON.parse(text) as Json | null
    return event?.event_id === undefined ? null : event
  } catch {
    return null
  }
}

function addTo(
  seen: Map<string, Seen>,
  event: Json,
  { partition, offset }: { partition: number; offset: number },
): void {
  const {
    event_id: id,
    vendor_ref: ref,
    name: product,
    observed_at,
    crawl_id: crawl,
    recorded_at,
  } = event as Record<string, string>
  const { id: source, region } = event.source as Record<string, string>
  const known = seen.get(id as string) ?? {
    id: id as string,
    ref: ref as string,
    product: product as string,
    source: source as string,
    region: region as string,
    atMs: Date.parse(observed_at as string),
    cents: (event.price as { cents: number }).cents,
    deliveries: [],
  }
  known.deliveries.push({ crawl: crawl as string, recordedMs: Date.parse(recorded_at as string), partition, offset })
  seen.set(id as string, known)
}

/** What a run may know: records below its positions, and what was decided up to its instant. */
type Cut = Readonly<{ asOfMs: number; observations: Record<string, string>; decisions: number }>

type Product = Readonly<{ cents: number | null; vendors: number; regions: readonly string[] }>

/** The catalog at a cut: product → its published facts. */
function catalogAt({ seen, retractions, decisions }: Facts, cut: Cut): Map<string, Product> {
  const isBefore = ({ partition, offset }: { partition: number; offset: number }) =>
    offset < Number(cut.observations[partition] ?? Number.POSITIVE_INFINITY)
  const retracted = retractions.filter(isBefore)
  const products = new Map<string, Seen[]>()
  for (const one of seen) {
    const delivered = one.deliveries.filter(isBefore)
    const covers = ({ target, source, recordedMs }: Retraction, delivery: Seen['deliveries'][number]) =>
      source === one.source &&
      ((target.scope === 'crawl' && target.crawl_id === delivery.crawl) ||
        (target.scope === 'source' && delivery.recordedMs <= recordedMs))
    const isByName = retracted.some(({ target }) => target.scope === 'observation' && target.observation_id === one.id)
    const stands = delivered.some((delivery) => !retracted.some((retraction) => covers(retraction, delivery)))
    if (isByName || !stands || one.atMs > cut.asOfMs) continue
    products.set(one.product, [...(products.get(one.product) ?? []), one])
  }
  const decided = decisions.filter(({ atMs, offset }) => offset < cut.decisions && atMs <= cut.asOfMs)
  const known = { cut, judged: judgedAt(decided), sourceOf: sourcesAt(decisions, decided) }
  return new Map(
    [...products].flatMap(([name, rows]) => {
      // A source of trust 0 says nothing, and an item of such sources alone is not public.
      const heard = rows.filter(({ source }) => known.sourceOf(source).trust > 0)
      return heard.length === 0 ? [] : [[name, productOf(heard, known)]]
    }),
  )
}

/** The ids of quarantined observations. */
function judgedAt(decided: readonly Decision[]): ReadonlySet<unknown> {
  const judgements = decided.filter(({ event }) => /Quarantined|Released/.test(event.type as string))
  const last = [...Map.groupBy(judgements, ({ event }) => event.observation_id)].map(
    ([id, own]) => [id, latest(own)] as const,
  )
  return new Set(last.flatMap(([id, judged]) => (judged?.event.type === 'ObservationQuarantined' ? [id] : [])))
}

type Source = Readonly<{ trust: number; days: number }>

function sourcesAt(all: readonly Decision[], decided: readonly Decision[]): (source: string) => Source {
  const registered = all.filter(({ event }) => event.type === 'SourceRegistered')
  const changed = decided.filter(({ event }) => event.type === 'TrustChanged')
  return (source) => {
    // A registration counts at every cut; the first one holds.
    const first = registered.find(({ event }) => (event.source as Json).id === source)
    const last = latest(changed.filter(({ event }) => event.source_id === source))
    return {
      trust: ((last?.event ?? first?.event)?.trust_score as number | undefined) ?? 50,
      days: (first?.event.validity_days as number | undefined) ?? 30,
    }
  }
}

const latest = (decided: readonly Decision[]) =>
  decided.reduce<Decision | undefined>((a, b) => (a === undefined || b.atMs >= a.atMs ? b : a), undefined)

function productOf(
  rows: readonly Seen[],
  { cut, judged, sourceOf }: { cut: Cut; judged: ReadonlySet<unknown>; sourceOf: (source: string) => Source },
): Product {
  const bySource = Map.groupBy(rows, ({ source }) => source)
  const votes: { cents: number; trust: number }[] = []
  for (const [name, own] of bySource) {
    const { trust, days } = sourceOf(name)
    const eligible = own.filter(({ id, atMs }) => atMs > cut.asOfMs - days * DAY_SECONDS * 1000 && !judged.has(id))
    const newest = eligible.sort((a, b) => b.atMs - a.atMs)[0]
    if (newest !== undefined) votes.push({ cents: newest.cents, trust })
  }
  const regions = new Set(rows.flatMap(({ region }) => EXPANDED[region] ?? []))
  return { cents: weightedMedian(votes), vendors: bySource.size, regions: [...regions].sort() }
}
const DAY_SECONDS = 24 * 60 * 60
const EXPANDED: Record<string, string[]> = { ES: ['ES', 'EU'], PT: ['EU'], MX: ['MX', 'LATAM'] }

/** Between the smallest price at which half of the trust is reached and the smallest at which it is exceeded; half to even. */
export function weightedMedian(votes: readonly { cents: number; trust: number }[]): number | null {
  const total = votes.reduce((sum, { trust }) => sum + trust, 0)
  if (total === 0) return null
  const upTo = (price: number) => votes.reduce((sum, { cents, trust }) => sum + (cents <= price ? trust : 0), 0)
  const prices = votes.map(({ cents }) => cents).sort((a, b) => a - b)
  const low = prices.find((price) => 2 * upTo(price) >= total) as number
  const high = prices.find((price) => 2 * upTo(price) > total) as number
  const [floor, isHalf] = [Math.floor((low + high) / 2), (low + high) % 2 === 1]
  return isHalf && floor % 2 === 1 ? floor + 1 : floor
}

// catalog.items

type Row = { version: number; state: State; text: string }

function publicationsIn({ items, decisions }: Texts, facts: Facts, generation: string) {
  const rows = new Map<string, Row>()
  const changes = new Map<string, ExpectedChange[]>()
  const published: { runId: string; asOf: string }[] = []
  const wrong: string[] = []
  const stale: string[] = []
  const runs = startedRuns(decisions)
  for (const [offset, text] of items.entries()) {
    const event = JSON.parse(text) as Json
    if (event.type === 'RunMarked') {
      const runId = event.run_id as string
      if (published.some((run) => run.runId === runId)) continue
      published.push({ runId, asOf: event.as_of as string })
      wrong.push(...differencesAt(runId, { rows, facts, cut: runs.get(runId) }))
      continue
    }
    if (event.type !== 'ItemPublished') continue
    const state = event.state as State
    const itemId = event.item_id as string
    const old = rows.get(itemId)
    const row = { version: event.version as number, state, text: sorted(state) }
    const isSame = old !== undefined && materialOf(old.state) === materialOf(state)
    if (old !== undefined && (isSame || row.version <= old.version)) {
      // A leader that was frozen at the append sends it late.
      if (isSame ? row.version < old.version : old.text !== row.text) stale.push(`catalog.items/0/${offset}`)
      continue
    }
    rows.set(itemId, row)
    number({ changes, generation }, { itemId, row, old })
  }
  const active = new Map([...rows].flatMap(([id, { state, text }]) => (state.state === 'active' ? [[id, text]] : [])))
  return { changes, published, wrong, stale, active }
}

function startedRuns(decisions: readonly string[]): Map<string, Cut> {
  const runs = new Map<string, Cut>()
  for (const text of decisions) {
    const event = readable(text)
    if (event?.type !== 'RunStarted' || runs.has(event.run_id as string)) continue
    const positions = event.positions as Record<string, Record<string, string>>
    runs.set(event.run_id as string, {
      asOfMs: Date.parse(event.as_of as string),
      observations: positions['vendor.observations'] ?? {},
      decisions: Number(positions['catalog.decisions']?.['0']),
    })
  }
  return runs
}

/** How the catalog at the end of a run differs from what its cut says. */
function differencesAt(
  runId: string,
  { rows, facts, cut }: { rows: ReadonlyMap<string, Row>; facts: Facts; cut: Cut | undefined },
): string[] {
  if (cut === undefined) return [`run ${runId} ended and never began`]
  const found = new Map<string, string[]>()
  for (const { state } of rows.values()) {
    if (state.state !== 'active') continue
    const {
      name,
      median_price: median,
      vendor_count: vendors,
    } = state.item as { name: string; median_price: { cents: number } | null; vendor_count: number }
    const facts = {
      cents: median?.cents ?? null,
      vendors,
      regions: [...state.regions].sort(),
    }
    found.set(name, [...(found.get(name) ?? []), JSON.stringify(facts)])
  }
  const expected = new Map([...catalogAt(facts, cut)].map(([name, product]) => [name, [JSON.stringify(product)]]))
  return [...new Set([...found.keys(), ...expected.keys()])].flatMap((name) => {
    const [is, should] = [found.get(name)?.join(' and '), expected.get(name)?.join()]
    return is === should ? [] : `run ${runId}: ${name}: expected ${should ?? 'no item'}, found ${is ?? 'no item'}`
  })
}

/** Numbers a change in each scope that shows it. */
function number(
  { changes, generation }: { changes: Map<string, ExpectedChange[]>; generation: string },
  { itemId, row, old }: { itemId: string; row: Row; old: Row | undefined },
): void {
  const isActive = row.state.state === 'active'
  const before = old?.state.state === 'active' ? old.state.regions : []
  const after = isActive ? row.state.regions : []
  const scopes = ['items', ...[...new Set([...before, ...after])].sort().map((region) => `region/${region}`)]
  for (const scope of scopes) {
    const isHere = scope === 'items' || after.includes(scope.slice('region/'.length))
    const op = !isActive ? 'delete' : isHere ? 'upsert' : 'leave'
    const history = changes.get(scope) ?? []
    changes.set(scope, history)
    const chain = history.at(-1)?.chain ?? digest(`ccm/1\0${generation}\0${scope}`).toString('hex')
    const sha = op === 'upsert' ? digest(row.text) : null
    const seq = history.length + 1
    history.push({
      seq,
      itemId,
      op,
      sha: sha?.toString('hex') ?? null,
      chain: chained(chain, { seq, op, itemId, sha }),
    })
  }
}

function chained(
  chain: string,
  { seq, op, itemId, sha }: { seq: number; op: string; itemId: string; sha: Buffer | null },
) {
  const number = Buffer.alloc(8)
  number.writeUInt32BE(seq, 4)
  const told = Buffer.from(`${op.charAt(0)}${itemId}\0`)
  return digest(Buffer.concat([Buffer.from(chain, 'hex'), number, told, sha ?? Buffer.alloc(32)])).toString('hex')
}

export const digest = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest()

/** A state without what changes by itself: instants, and how often a price was seen. */
function materialOf(state: State): string {
  const bare = (median: unknown) => {
    const { cents, currency } = (median ?? {}) as Json
    return [cents, currency]
  }
  const { updated_at: _at, observation_count: _count, median_price, ...item } = state.item
  const markets = state.markets.map(({ median_price, ...market }) => ({ ...market, median: bare(median_price) }))
  return sorted({ ...state, item: { ...item, median: bare(median_price) }, markets })
}

/** JSON with sorted keys: the canonical form of values without fractions. */
export function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}

/** The root of a state, item id → public state: the hash over 256 buckets, each the hash over its ids with their states' hashes. */
export function rootOf(states: ReadonlyMap<string, string>): string {
  const buckets = Array.from({ length: 256 }, (): Buffer[] => [])
  for (const [id, state] of [...states].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    buckets[digest(id)[0] as number]?.push(Buffer.from(`${id}\0`), digest(state))
  return digest(Buffer.concat(buckets.map((parts) => digest(Buffer.concat(parts))))).toString('hex')
}
