import type { CatalogEvent } from '@catalog/core/events/events.ts'
import { eventId, observationId, observationPayload, sourceIdOf } from '@catalog/core/events/ids.ts'
import type { IndexRecorded } from '@catalog/core/events/indices.ts'
import type { ItemPublished } from '@catalog/core/events/items.ts'
import type { ObservationRecorded, ObservationRetracted } from '@catalog/core/events/observations.ts'
import { type SourceRegistered, validityDaysOf } from '@catalog/core/events/sources.ts'
import { observationKey, TOPICS } from '@catalog/core/events/topics.ts'
import type { EventLog } from '@catalog/log/log.ts'

/** Events for tests: only what a test is about has to be said. */
export type Observing = Readonly<{
  vendor?: string
  region?: string | null
  ref?: string
  name?: string
  unit?: string | null
  cents?: number
  currency?: string
  at?: string
  crawl?: string
  recordedAt?: string
  more?: Partial<ObservationRecorded>
}>

export function observation(say: Observing = {}): ObservationRecorded {
  const source = sourceNamed(say.vendor, say.region)
  const content = {
    source,
    vendor_ref: say.ref ?? 'A1',
    name: say.name ?? 'Portland cement CEM II 42.5 R',
    unit: say.unit === undefined ? 'kg' : say.unit,
    price: {
      cents: say.cents ?? 100,
      currency: say.currency ?? 'EUR',
      per_quantity: 1,
      tax: { included: false },
      kind: 'list' as const,
    },
    observed_at: say.at ?? '2026-01-05T06:00:00Z',
    ...say.more,
  }
  return {
    type: 'ObservationRecorded',
    v: 1,
    ...content,
    event_id: observationId(observationPayload(content)),
    recorded_at: say.recordedAt ?? '2026-01-05T07:00:00Z',
    crawl_id: say.crawl ?? 'crawl-1',
  }
}

/** A point of an index; without more said, of the same one. */
export const indexPoint = (say: Partial<IndexRecorded> = {}): IndexRecorded => {
  const content = {
    type: 'IndexRecorded' as const,
    v: 1 as const,
    crawl_id: 'import-1',
    source_id: 'xx-statistics',
    publisher: 'Office of Statistics',
    url: 'https://statistics.example/',
    series: 'BUILD.1',
    title: 'Cost of building',
    region: 'ES',
    base: '2021=100',
    frequency: 'month' as const,
    period: '2026-01',
    value: '120.4',
    observed_at: '2026-02-15T00:00:00Z',
    ...say,
  }
  return { ...content, event_id: eventId(content), recorded_at: say.recorded_at ?? '2026-02-15T00:00:00Z' }
}

export function sourceNamed(vendor = 'Almacenes Norte', region: string | null = 'ES') {
  return { id: sourceIdOf({ name: vendor, region }), name: vendor, region, url: null }
}

export function registration(
  say: {
    vendor?: string
    region?: string | null
    trust?: number
    kind?: 'shop' | 'bid' | 'bank'
    at?: string
    validity?: SourceRegistered['validity']
  } = {},
): SourceRegistered {
  const kind = say.kind ?? 'shop'
  return event({
    type: 'SourceRegistered',
    decided_at: say.at ?? '2026-01-01T00:00:00Z',
    source: sourceNamed(say.vendor, say.region),
    trust_score: say.trust ?? 50,
    ...(say.validity && { validity: say.validity }),
    validity_days: validityDaysOf(kind, say.validity !== undefined),
    kind,
    enabled: true,
  })
}

/** Any event but an observation, with its envelope. */
export function event<T extends { type: CatalogEvent['type'] }>(
  content: T & Omit<Extract<CatalogEvent, { type: T['type'] }>, 'v' | 'event_id' | 'recorded_at' | 'type'>,
): Extract<CatalogEvent, { type: T['type'] }> {
  const whole = { v: 1, ...content }
  return { ...whole, event_id: eventId(whole), recorded_at: '2026-01-05T07:00:00Z' } as unknown as Extract<
    CatalogEvent,
    { type: T['type'] }
  >
}

/** Decisions of people. */
export const trustChanged = (source_id: string, trust_score: number, decided_at: string, reason = 'audited') =>
  event({ type: 'TrustChanged', decided_at, source_id, trust_score, reason })
export const itemsMerged = (from_item_id: string, into_item_id: string, decided_at: string, reason = 'one product') =>
  event({ type: 'ItemsMerged', decided_at, from_item_id, into_item_id, reason })
export const observationRetracted = (
  source_id: string,
  target: ObservationRetracted['target'],
  reason = 'wrong file',
): ObservationRetracted => event({ type: 'ObservationRetracted', source_id, target, reason })

/** An ItemPublished of one item; regions also are its markets. */
export function published(say: {
  id: string
  cents?: number | null
  currency?: string
  regions?: readonly string[]
  state?: 'active' | 'merged' | 'gone'
  mergedInto?: string
  version?: number
  asOf?: string
  observations?: number
  name?: string
  names?: ItemPublished['state']['names']
  skuIds?: readonly string[]
}): ItemPublished {
  const asOf = say.asOf ?? '2026-01-05T00:00:00Z'
  const cents = say.cents === undefined ? 100 : say.cents
  const median = cents === null ? null : { cents, currency: say.currency ?? 'EUR', recorded_at: asOf }
  const regions = [...(say.regions ?? ['ES', 'EU'])]
  return event({
    type: 'ItemPublished',
    item_id: say.id,
    state: {
      item: {
        id: say.id,
        name: say.name ?? `Item ${say.id}`,
        unit: 'kg',
        cpv: null,
        category_id: null,
        vendor_count: 1,
        observation_count: say.observations ?? 1,
        median_price: median,
        updated_at: asOf,
      },
      regions,
      markets: regions.map((region) => ({ region, median_price: median, vendor_count: 1 })),
      state: say.state ?? 'active',
      merged_into: say.mergedInto ?? null,
      ...(say.names && { names: say.names }),
    },
    version: say.version ?? 1,
    vendor_sku_ids: [...(say.skuIds ?? [])],
    category_path: null,
    basis: {
      method_version: 'twm/1',
      currency: median?.currency ?? null,
      votes: [],
      excluded: [],
      voters: 0,
      trust_total: 0,
      p25: null,
      p75: null,
      last_observed_at: null,
    },
    run_id: 'run_1',
    as_of: asOf,
  })
}

/** Appends events to their topics, in this order. */
export async function appendTo(log: Pick<EventLog, 'append'>, events: readonly CatalogEvent[]): Promise<void> {
  for (let at = 0, end = 0; at < events.length; at = end) {
    const topic = topicOf(events[at] as CatalogEvent)
    while (end < events.length && topicOf(events[end] as CatalogEvent) === topic) end++
    await log.append(
      topic,
      events.slice(at, end).map((event) => ({ key: keyOf(event), value: JSON.stringify(event) })),
    )
  }
}

function topicOf({ type }: CatalogEvent) {
  if (['ItemPublished', 'RunMarked', 'RunTakenBack', 'BuildFlipped'].includes(type)) return TOPICS.items
  return [
    'ObservationRecorded',
    'ObservationRetracted',
    'RecordParked',
    'ParkedResolved',
    'CrawlFinished',
    'RecipeRecorded',
    'IndexRecorded',
  ].includes(type)
    ? TOPICS.observations
    : TOPICS.decisions
}

const keyOf = (event: CatalogEvent) =>
  event.type === 'ObservationRecorded' ? observationKey(event.source.id, event.vendor_ref) : 'key'
