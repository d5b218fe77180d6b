import { type CatalogEvent, parseEvent } from '@catalog/core/events/events.ts'
import { eventId } from '@catalog/core/events/ids.ts'
import { TOPICS, type Topic } from '@catalog/core/events/topics.ts'
import { appendDecisions, keyOf, sourceIdOf, sourcesNow } from '@catalog/operations/append-decision.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { type Outcome, type Paging, pageOf } from '@catalog/operations/outcome.ts'
import { deadLetterGroups, openDeadLetters, type ParkedRecord } from '@catalog/store/builds/status.ts'

/** Dead letters: records that could not be recorded or applied. */

type Filter = Readonly<{ reason?: string | undefined; source?: string | undefined }>

/** Groups that a list begins with. */
const GROUPS_MAX = 50

/** The open records of a reason and a source, given by id or name. Without a filter, the first page has their groups too. */
export async function deadLetters(catalog: Catalog, { limit, ...filter }: Filter & Paging) {
  const { reason, source, after } = filter
  const isWhole = reason === undefined && source === undefined && after === undefined
  const known = await sourcesNow(catalog)
  const groups = (isWhole ? await deadLetterGroups(catalog.store, GROUPS_MAX) : []).map((group) => {
    return { ...group, source: known.get(group.source_id ?? '')?.name ?? group.source_id }
  })
  const found = await openLetters(catalog, { ...filter, limit: limit + 1 })
  const { rows: parked, cursor } = pageOf(found, { limit, placeOf: ({ parked_id }) => parked_id })
  return { groups, parked, cursor }
}

async function openLetters(catalog: Catalog, { reason, source, after, limit }: Filter & Paging) {
  const sourceId = source === undefined ? undefined : await sourceIdOf(catalog, source, '--source')
  return openDeadLetters(catalog.store, { reason, sourceId, after, limit })
}

/** Throws for a record that is not open. */
export async function deadLetter({ store }: Pick<Catalog, 'store'>, id: string): Promise<ParkedRecord> {
  const [record] = await openDeadLetters(store, { id, limit: 1 })
  if (record === undefined) throw notOpen(id)
  return record
}

const notOpen = (id: string) =>
  new Error(`parked record '${id}': expected the id of an open one, as catalog parked lists them`)

/** Retries records that the projector parked: appends those that it can apply now at the end of their topic. */
export async function retryDeadLetters(catalog: Catalog, ids: readonly string[]): Promise<readonly Retried[]> {
  const waiting = await openDeadLetters(catalog.store, { limit: RETRY_MAX })
  const chosen = waiting.filter(({ origin, parked_id }) =>
    ids.length === 0 ? origin === 'projector' : ids.includes(parked_id),
  )
  const results: Retried[] = []
  for (const record of chosen) {
    if (record.origin === 'crawler') {
      results.push({ parked_id: record.parked_id, result: 'refused', detail: 'a vendor record: crawl its input again' })
      continue
    }
    try {
      const value = repaired(await recordOf(catalog, record))
      const event = parseEvent(record.topic as Topic, JSON.parse(value))
      await catalog.log.append(record.topic as Topic, [{ key: keyOfRecorded(event), value }])
      await appendResolutions(catalog, [record.parked_id], { resolution: 'recorded', reason: 'retried' })
      results.push({ parked_id: record.parked_id, result: 'recorded', detail: '' })
    } catch (error) {
      results.push({ parked_id: record.parked_id, result: 'still parked', detail: (error as Error).message })
    }
  }
  return results
}

/** The record in the log, because a dead letter keeps only the beginning of a long one. */
async function recordOf({ log }: Pick<Catalog, 'log'>, { parked_id, raw }: ParkedRecord): Promise<string> {
  const [, topic, partition, offset] = /^(.+)\/(\d+)\/(\d+)$/.exec(parked_id) ?? []
  if (offset === undefined) return raw
  const [record] = await log.read(topic as Topic, Number(partition), BigInt(offset), 1).catch(() => [])
  return record?.offset === BigInt(offset) ? record.value : raw
}

/**
 * The event without the fault of an earlier version of ours: runs proposed pairs without a reason where the rule had taken other SKUs
 * of their items for two products, and one such pair cost all others of its event.
 */
function repaired(value: string): string {
  const event = JSON.parse(value) as { type?: unknown; pairs?: { why?: unknown[] }[] }
  if (event.type !== 'PairsProposed' || !event.pairs?.some(({ why }) => why?.length === 0)) return value
  const pairs = event.pairs.map((pair) => (pair.why?.length === 0 ? { ...pair, why: ['doubted'] } : pair))
  const content = { ...event, pairs }
  return JSON.stringify({ ...content, event_id: eventId(content) })
}

export type Retried = Readonly<Record<'parked_id' | 'result' | 'detail', string>>

/** Open records that one command considers. */
const RETRY_MAX = 10_000

const keyOfRecorded = (event: CatalogEvent) =>
  event.type === 'ObservationRecorded' ? `${event.source.id}/${event.vendor_ref}` : keyOf(event)

type Resolution = 'recorded' | 'dropped'

export type ResolveOptions = Readonly<{
  /** With ids: none. Else every open record of this reason and source. */
  of?: string
  source?: string
  as: Resolution
  reason: string
}>

/** Closes records that a person has dealt with. */
export async function resolveDeadLetters(
  catalog: Catalog,
  { ids: given, of, source, as, reason }: ResolveOptions & { ids: readonly string[] },
): Promise<Outcome> {
  const isGroup = of !== undefined || source !== undefined
  if (isGroup === given.length > 0)
    throw new Error('catalog parked resolve: expected ids, or --of CODE and --source NAME')
  const open = isGroup ? await openLetters(catalog, { reason: of, source, limit: RETRY_MAX }) : []
  const ids = isGroup ? open.map(({ parked_id }) => parked_id) : given
  await appendResolutions(catalog, ids, { resolution: as, reason })
  return { value: { resolved: ids, as }, said: `resolved ${ids.length} as ${as}` }
}

async function appendResolutions(
  catalog: Catalog,
  ids: readonly string[],
  { resolution, reason }: { resolution: Resolution; reason: string },
): Promise<void> {
  const waiting = await openDeadLetters(catalog.store, { limit: RETRY_MAX })
  const events = ids.map((id) => {
    const record = waiting.find(({ parked_id }) => parked_id === id)
    if (record === undefined) throw notOpen(id)
    return { type: 'ParkedResolved' as const, source_id: record.source_id ?? 'none', parked_id: id, resolution, reason }
  })
  await appendDecisions(catalog, events, TOPICS.observations)
}
