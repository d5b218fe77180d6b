import { chainStart, evolve, type Heads, type ItemRow, type ScopeEntry } from '@catalog/core/change.ts'
import {
  bucketHashes,
  canonicalJson,
  type DigestEntry,
  type JsonValue,
  rootOf,
  sha256Bytes,
} from '@catalog/core/digest.ts'
import {
  type CatalogEvent,
  type ObservationRetracted,
  observationPayload,
  parseEvent,
  TOPICS,
  type Topic,
} from '@catalog/core/events.ts'
import { SCOPES } from '@catalog/core/feed.ts'
import { stateSha } from '@catalog/core/item.ts'
import { applyMembership, emptyMembership, MEMBERSHIP_EVENTS, type MembershipEvent } from '@catalog/core/membership.ts'
import { BATCH_RECORDS_MAX, type EventLog } from '@catalog/log/log.ts'
import { readCheckpoint, readMeta } from '@catalog/store/checkpoints.ts'
import type { Store } from '@catalog/store/db.ts'
import { readChainsBegin } from '@catalog/store/generation.ts'
import { loadHeads } from '@catalog/store/items.ts'
import { catalogRoot, vendorRoot } from '@catalog/store/status.ts'
import {
  changeFacts,
  itemFacts,
  membershipFacts,
  type NumberFact,
  numberFacts,
  parkedIds,
  readFloors,
} from '@catalog/store/verify.ts'

export type Check = Readonly<{
  name: string
  ok: boolean
  log: string
  tables: string
  first_difference: string | null
}>

/**
 * Proves that the tables are the fold of the log up to their checkpoints: the log is folded again in memory, without a
 * line of the SQL that made the tables, and compared value by value. Holds one digest an observation in memory.
 */
export async function verify(
  { store, log }: { store: Store; log: EventLog },
  onProgress: (records: number) => void = () => {},
): Promise<readonly Check[]> {
  let seen = 0
  const read = async function* (topic: Topic, projection: string) {
    for (const { partition, earliest } of await log.partitions(topic)) {
      const { next } = await readCheckpoint(store, { projection, topic, partition })
      for (let from = earliest; from < next; ) {
        const records = await log.read(topic, partition, from, BATCH_RECORDS_MAX)
        for (const record of records) {
          if (record.offset >= next) break
          yield { event: parsed(topic, record.value), partition, offset: record.offset }
        }
        from += BigInt(records.length)
        seen += records.length
        onProgress(seen)
      }
    }
  }
  const parked = new Set<string>()
  return [
    await vendorCheck(store, read(TOPICS.observations, 'vendor'), parked),
    await membershipCheck(store, read(TOPICS.decisions, 'vendor'), parked),
    ...(await itemChecks(store, read(TOPICS.items, 'items'), parked)),
    compareSets('parked', parked, new Set(await parkedIds(store))),
  ]
}

type Folded = AsyncGenerator<{ event: CatalogEvent | null; partition: number; offset: bigint }>

function parsed(topic: Topic, value: string): CatalogEvent | null {
  try {
    return parseEvent(topic, JSON.parse(value))
  } catch {
    return null
  }
}

async function vendorCheck(store: Store, records: Folded, parked: Set<string>): Promise<Check> {
  type Delivery = { crawlId: string; recordedAt: string }
  const observations = new Map<string, { sha: Buffer; sourceId: string; deliveries: Delivery[] }>()
  const retractions: ObservationRetracted[] = []
  for await (const { event, partition, offset } of records) {
    if (event === null) parked.add(`${TOPICS.observations}/${partition}/${offset}`)
    else if (event.type === 'ObservationRetracted') retractions.push(event)
    else if (event.type === 'RecordParked') parked.add(event.event_id)
    else if (event.type === 'ObservationRecorded') {
      const known = observations.get(event.event_id)
      const delivery = { crawlId: event.crawl_id, recordedAt: event.recorded_at }
      if (known === undefined) {
        const sha = sha256Bytes(observationPayload(event))
        observations.set(event.event_id, { sha, sourceId: event.source.id, deliveries: [delivery] })
      } else if (!known.deliveries.some(({ crawlId }) => crawlId === event.crawl_id)) known.deliveries.push(delivery)
    }
  }
  const byId = new Set<string>()
  const byCrawl = new Set<string>()
  const bySource = new Map<string, string>()
  for (const { target, source_id, recorded_at } of retractions) {
    if (target.scope === 'observation') byId.add(target.observation_id)
    else if (target.scope === 'crawl') byCrawl.add(`${source_id} ${target.crawl_id}`)
    else bySource.set(source_id, [bySource.get(source_id) ?? '', recorded_at].sort().at(-1) as string)
  }
  const entries: DigestEntry[] = []
  for (const [id, { sha, sourceId, deliveries }] of observations) {
    const until = bySource.get(sourceId)
    const covered = ({ crawlId, recordedAt }: Delivery) =>
      byCrawl.has(`${sourceId} ${crawlId}`) || (until !== undefined && Date.parse(recordedAt) <= Date.parse(until))
    if (!byId.has(id) && !deliveries.every(covered)) entries.push({ id, sha })
  }
  return compare('vendor root', rootOf(bucketHashes(entries)), await vendorRoot(store))
}

async function membershipCheck(store: Store, records: Folded, parked: Set<string>): Promise<Check> {
  const state = emptyMembership()
  for await (const { event, partition, offset } of records) {
    const place = `${TOPICS.decisions}/${partition}/${offset}`
    if (event === null) parked.add(place)
    else if ((MEMBERSHIP_EVENTS as readonly string[]).includes(event.type)) {
      if (applyMembership(state, event as MembershipEvent) !== undefined) parked.add(place)
    }
  }
  const stored = new Set<string>()
  for await (const { skuId, itemId } of membershipFacts(store)) stored.add(`${skuId} in ${itemId}`)
  return compareSets(
    'memberships',
    new Set([...state.itemOf].map(([skuId, itemId]) => `${skuId} in ${itemId}`)),
    stored,
  )
}

async function itemChecks(store: Store, records: Folded, parked: Set<string>): Promise<Check[]> {
  const floors = await readFloors(store)
  let heads: Heads = { gen: (await readMeta(store, 'gen')) as string, updatedUs: 0n, scopes: new Map() }
  const begins = await readChainsBegin(store)
  const rows = new Map<string, ItemRow & { active: boolean; basis: string }>()
  const changes = keptChanges(floors)
  await using numbers = numberCheck(store, floors)
  for await (const { event, partition, offset } of records) {
    const place = `${TOPICS.items}/${partition}/${offset}`
    if (event === null) parked.add(place)
    else if (event.type === 'ItemPublished') {
      const row = rows.get(event.item_id)
      const outcome = evolve(row ?? null, heads, event)
      const basis = canonicalJson(event.basis as unknown as JsonValue)
      if (outcome.kind === 'stale') parked.add(place)
      else if (outcome.kind === 'basis' && row !== undefined) rows.set(event.item_id, { ...row, basis })
      else if (outcome.kind === 'change') {
        const scopes = outcome.scopes.map((entry) => begun(entry, heads.gen, begins))
        heads = {
          ...outcome.heads,
          scopes: new Map([...outcome.heads.scopes, ...scopes.map((entry) => [entry.scope, entry] as const)]),
        }
        rows.set(event.item_id, { ...outcome.row, basis, active: outcome.op === 'upsert' })
        const line = changeLine({ ...outcome, itemId: event.item_id, stateSha: outcome.row.stateSha })
        changes.add({ seq: outcome.seq, itemId: event.item_id, scopes, line })
        await numbers.add(outcome.seq, scopes)
      }
    }
  }
  const expected = [...rows].map(([itemId, row]) => itemLine({ ...row, itemId }))
  const actual: string[] = []
  for await (const fact of itemFacts(store)) {
    // The bytes themselves count, not the hash that stands beside them.
    actual.push(itemLine({ ...fact, stateSha: stateSha(fact.publicState) }))
  }
  const actualChanges = new Set<string>()
  for await (const fact of changeFacts(store)) {
    const line = changeLine(fact)
    if (!changes.mayBeGone.has(line)) actualChanges.add(line)
  }
  const stored = await loadHeads(store)
  const entries = [...rows].filter(([, row]) => row.active).map(([id, { stateSha: sha }]) => ({ id, sha }))
  return [
    compare('catalog root', rootOf(bucketHashes(entries)), await catalogRoot(store)),
    compareSets('items', new Set(expected), new Set(actual)),
    compareSets('changes', changes.kept, actualChanges),
    await numbers.check(),
    compareSets('scope heads', new Set(headLines(heads)), new Set(headLines(stored))),
  ]
}

/** A generation that began after a restore begins its chains where numbers are kept from; the log knows nothing of it. */
function begun(entry: ScopeEntry, gen: string, begins: ReadonlyMap<string, bigint>): ScopeEntry {
  return entry.rseq === begins.get(entry.scope) ? { ...entry, chain: chainStart(gen, entry.scope) } : entry
}

/**
 * The changes that the tables hold after retention: all above the floor of `items`, those that some region still numbers,
 * and of each item the newest up to the floor. The others may be gone.
 */
function keptChanges(floors: ReadonlyMap<string, bigint>) {
  const kept = new Set<string>()
  const mayBeGone = new Set<string>()
  const floorOf = (scope: string) => floors.get(scope) ?? 0n
  /** Of each item the newest change up to the floor, where no region numbers it. */
  const newest = new Map<string, string>()
  return {
    kept,
    mayBeGone,
    add({ seq, itemId, scopes, line }: { seq: bigint; itemId: string; scopes: readonly ScopeEntry[]; line: string }) {
      kept.add(line)
      if (seq > floorOf('items')) return
      const former = newest.get(itemId)
      if (former !== undefined) {
        kept.delete(former)
        mayBeGone.add(former)
      }
      newest.delete(itemId)
      if (!scopes.some(({ scope, rseq }) => scope !== 'items' && rseq > floorOf(scope))) newest.set(itemId, line)
    },
  }
}

/** Compares the numbers and chains of all scopes while the log is folded: one number of each side at a time. */
function numberCheck(store: Store, floors: ReadonlyMap<string, bigint>) {
  const facts = new Map<string, AsyncGenerator<NumberFact>>()
  const factsOf = (scope: string, floor: bigint) => {
    const made = facts.get(scope) ?? numberFacts(store, { scope, floor })
    facts.set(scope, made)
    return made
  }
  const counts = { log: 0, tables: 0 }
  let first: string | null = null
  async function meet(scope: string, log: NumberFact | undefined): Promise<boolean> {
    const { value } = await factsOf(scope, floors.get(scope) ?? 0n).next()
    const table = value as NumberFact | undefined
    if (log !== undefined) counts.log++
    if (table !== undefined) counts.tables++
    const [says, holds] = [log, table].map((fact) => (fact === undefined ? 'nothing' : numberLine(fact)))
    if (says !== holds) first ??= `${scope}: the log gives ${says}, the tables ${holds}`
    return table !== undefined
  }
  return {
    async add(seq: bigint, scopes: readonly ScopeEntry[]) {
      for (const { scope, ...entry } of scopes) {
        if (entry.rseq >= (floors.get(scope) ?? 0n)) await meet(scope, { ...entry, seq })
      }
    },
    async check(): Promise<Check> {
      for (const scope of SCOPES) while (await meet(scope, undefined));
      return {
        name: 'numbers',
        ok: first === null,
        log: `${counts.log}`,
        tables: `${counts.tables}`,
        first_difference: first,
      }
    },
    async [Symbol.asyncDispose]() {
      for (const numbers of facts.values()) await numbers.return(undefined)
    },
  }
}

const numberLine = ({ rseq, seq, op, chain }: NumberFact) => `${rseq} seq ${seq} ${op} chain ${chain.toString('hex')}`
const itemLine = (item: { itemId: string; version: number; seq: bigint; stateSha: Buffer; basis: string }) =>
  `${item.itemId} version ${item.version} seq ${item.seq} state ${item.stateSha.toString('hex')} basis ${sha256Bytes(item.basis).toString('hex')}`
const changeLine = (change: { seq: bigint; itemId: string; op: string; stateSha: Buffer; updatedUs: bigint }) =>
  `seq ${change.seq} ${change.op} ${change.itemId} ${change.stateSha.toString('hex')} at ${change.updatedUs}`
const headLines = ({ scopes }: Heads) =>
  [...scopes].map(([scope, { rseq, chain }]) => `${scope} ${rseq} ${chain.toString('hex')}`)

function compare(name: string, log: string, tables: string): Check {
  const ok = log === tables
  return { name, ok, log, tables, first_difference: ok ? null : `the log gives ${log}, the tables ${tables}` }
}

function compareSets(name: string, log: ReadonlySet<string>, tables: ReadonlySet<string>): Check {
  const missing = [...log.difference(tables)].sort()[0]
  const surplus = [...tables.difference(log)].sort()[0]
  const difference = [
    missing === undefined ? [] : [`only in the log: ${missing}`],
    surplus === undefined ? [] : [`only in the tables: ${surplus}`],
  ].flat()
  return {
    name,
    ok: difference.length === 0,
    log: `${log.size}`,
    tables: `${tables.size}`,
    first_difference: difference.length === 0 ? null : difference.join('; '),
  }
}
