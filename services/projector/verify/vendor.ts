import { canonicalJson, type DigestEntry, type JsonValue, sha256Hex } from '@catalog/core/digest.ts'
import { type CrawlFinished, type ParkedResolved, RAW_BYTES_MAX } from '@catalog/core/events/crawls.ts'
import { type CatalogEvent, type DecisionEvent, subjectOf } from '@catalog/core/events/events.ts'
import { observationPayload, vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import { type IndexRecorded, indexIdOf } from '@catalog/core/events/indices.ts'
import type { ObservationRecorded, ObservationRetracted } from '@catalog/core/events/observations.ts'
import type { RecipeRecorded } from '@catalog/core/events/recipes.ts'
import type { SourceRegistered } from '@catalog/core/events/sources.ts'
import { MEMBERSHIP_EVENTS, type MembershipEvent } from '@catalog/core/matching/membership.ts'
import type { LogRecord } from '@catalog/log/log.ts'
import { type Ledger, plainDecimal, rowText } from './ledger.ts'
import { MembershipFold } from './membership.ts'

/** A record of the log with its event, or with the reason why it cannot be read. */
export type ParsedRecord = Readonly<{ record: LogRecord; event: CatalogEvent | null; poison: string | null }>

type Place = Pick<LogRecord, 'topic' | 'partition' | 'offset'>

/**
 * Folds the vendor side into the ledger, without any of the SQL that the projector uses. Law: events of vendor.observations
 * commute, so the partitions follow one another; catalog.decisions is folded in its order.
 */
export class VendorFold {
  readonly #ledger: Ledger
  readonly #memberships: MembershipFold
  readonly #retracted = { byId: new Set<string>(), byCrawl: new Set<string>(), bySource: new Map<string, number>() }
  readonly #reports = new Map<string, { recordedMs: number; eventId: string }>()

  constructor(ledger: Ledger) {
    this.#ledger = ledger
    this.#memberships = new MembershipFold(ledger)
    ledger.exec(`create table recipe_places (delivery text primary key, recorded_at text, position text) without rowid`)
  }

  observations({ record, event }: ParsedRecord): void {
    if (event?.type === 'ObservationRecorded') this.#observed(event, record)
    else if (event?.type === 'ObservationRetracted') this.#retract(event, record)
    else if (event?.type === 'CrawlFinished') this.#finished(event)
    else if (event?.type === 'RecipeRecorded') this.#booked(event, record)
    else if (event?.type === 'IndexRecorded') this.#indexed(event, record)
    else if (event?.type === 'RecordParked') {
      const { read_as, vendor_ref: ref } = event
      const readAs = read_as === undefined ? null : canonicalJson(read_as)
      const sku = ref === undefined ? null : vendorSkuIdOf(event.source_id, ref)
      const said = { ...record, ...event, read_as: readAs, vendor_sku_id: sku }
      const value = parkedValue({ ...said, origin: 'crawler' })
      this.#ledger.setFirst('parked', event.event_id, value, record.partition)
    } else if (event?.type === 'ParkedResolved') this.#resolved(event)
  }

  decisions({ record, event }: ParsedRecord): void {
    if (event !== null) this.#decide(event as DecisionEvent, record)
  }

  /**
   * Marks observations as retracted: by their id, or because retractions of crawls or of the source cover every
   * delivery.
   */
  async markRetracted(signal: AbortSignal | undefined): Promise<void> {
    if (this.#retracted.byId.size + this.#retracted.byCrawl.size + this.#retracted.bySource.size === 0) return
    for await (const { key: id, value } of this.#ledger.each('observations', signal)) {
      const sourceId = sourceOf(value)
      const until = this.#retracted.bySource.get(sourceId) ?? Number.NEGATIVE_INFINITY
      const isCovered = (delivery: { key: string; value: string }) =>
        this.#retracted.byCrawl.has(`${sourceId} ${delivery.key.slice(id.length + 1)}`) ||
        recordedMsOf(delivery.value) <= until
      if (this.#retracted.byId.has(id) || this.#ledger.startingWith('deliveries', id).every(isCovered)) {
        this.#ledger.setFirst('retracted', id, 'retracted')
      }
    }
  }

  #observed(event: ObservationRecorded, { partition, offset }: Place): void {
    const sha = sha256Hex(observationPayload(event))
    const id = event.event_id
    this.#ledger.setFirst('observations', id, observationValue({ sourceId: event.source.id, id, sha }), partition)
    const delivery = deliveryValue({ partition, offset, recordedAt: event.recorded_at })
    this.#ledger.setFirst('deliveries', `${id} ${event.crawl_id}`, delivery, partition)
    nameSku(this.#ledger, { sourceId: event.source.id, vendorRef: event.vendor_ref })
    const { edition } = event
    if (edition !== undefined)
      this.#ledger.setFirst('editions', `${event.source.id} ${edition}`, rowText({ is: 'stated' }))
    const { key, columns } = termsOf(event)
    this.#ledger.setFirst('price terms', key, rowText(columns))
  }

  #retract(event: ObservationRetracted, { partition, offset }: Place): void {
    const { event_id, source_id, target, recorded_at, reason } = event
    const isFirst = this.#ledger.get('retractions', event_id) === undefined
    const columns = {
      scope: target.scope,
      source_id,
      observation_id: target.scope === 'observation' ? target.observation_id : null,
      crawl_id: target.scope === 'crawl' ? target.crawl_id : null,
      reason,
      partition,
      offset,
      recorded_at,
    }
    this.#ledger.setFirst('retractions', event_id, rowText(columns), partition)
    if (this.#ledger.isCatchUp || !isFirst) return
    if (target.scope === 'observation') this.#retracted.byId.add(target.observation_id)
    else if (target.scope === 'crawl') this.#retracted.byCrawl.add(`${source_id} ${target.crawl_id}`)
    else {
      const until = Math.max(this.#retracted.bySource.get(source_id) ?? 0, Date.parse(recorded_at))
      this.#retracted.bySource.set(source_id, until)
    }
  }

  #finished(event: CrawlFinished): void {
    const key = `${event.crawl_id} ${event.source_id}`
    // The latest report wins. Which one the table held when it was read is unknown.
    if (this.#ledger.isCatchUp) {
      this.#ledger.acceptAny('crawl reports', key)
      return
    }
    const recordedMs = Date.parse(event.recorded_at)
    const known = this.#reports.get(key)
    if (known !== undefined) {
      const isLater = recordedMs === known.recordedMs ? event.event_id > known.eventId : recordedMs > known.recordedMs
      if (!isLater) return
    }
    this.#reports.set(key, { recordedMs, eventId: event.event_id })
    const { event_id, outcome = 'recorded', complete, partial = false, etag, last_modified, read, appended } = event
    const { duplicates, parked, missed = 0, problems = [], health, started_at, recorded_at } = event
    const columns = {
      event_id,
      outcome,
      complete,
      partial,
      etag,
      last_modified,
      read,
      appended,
      duplicates,
      parked,
      missed,
      problems: canonicalJson(problems),
      health: health && canonicalJson(health),
      started_at,
      recorded_at,
    }
    this.#ledger.setLast('crawl reports', key, rowText(columns))
  }

  #resolved({ parked_id, event_id, resolution, reason, recorded_at }: ParkedResolved): void {
    const value = rowText({ event_id, resolution, reason, recorded_at })
    this.#ledger.setFirst('parked resolutions', parked_id, value)
    // The first applied resolution wins, and within a batch the earliest, so each of them may be right.
    if (!this.#ledger.isCatchUp) this.#ledger.addAlternative('parked resolutions', parked_id, value)
  }

  #booked(event: RecipeRecorded, { partition }: Place): void {
    const { type: _t, v: _v, event_id, recorded_at, crawl_id, position, ...recipe } = event
    nameSku(this.#ledger, { sourceId: recipe.source.id, vendorRef: recipe.vendor_ref })
    const columns = {
      vendor_sku_id: vendorSkuIdOf(recipe.source.id, recipe.vendor_ref),
      observed_at: recipe.observed_at,
      payload: canonicalJson(recipe as unknown as JsonValue),
    }
    this.#ledger.setFirst('recipes', event_id, rowText(columns), partition)
    const key = `${event_id} ${crawl_id}`
    // The least of a crawl's deliveries wins. Which ones the table held when it was read is unknown.
    if (this.#ledger.isCatchUp) {
      this.#ledger.acceptAny('recipe deliveries', key)
      return
    }
    const known = this.#ledger.prepare(`select recorded_at, position from recipe_places where delivery = ?`).get(key) as
      | { recorded_at: string; position: string }
      | undefined
    const least = {
      recorded_at: known && Date.parse(known.recorded_at) <= Date.parse(recorded_at) ? known.recorded_at : recorded_at,
      position:
        known && Buffer.compare(Buffer.from(known.position), Buffer.from(position)) <= 0 ? known.position : position,
    }
    this.#ledger
      .prepare(`insert or replace into recipe_places values (?, ?, ?)`)
      .run(key, least.recorded_at, least.position)
    this.#ledger.setLast('recipe deliveries', key, rowText(least))
  }

  #indexed(event: IndexRecorded, { partition, offset }: Place): void {
    const { event_id, source_id, publisher, url, series, title, region, base, frequency, period, value } = event
    const { crawl_id, observed_at, recorded_at } = event
    const columns = { index_id: indexIdOf(source_id, series), source_id, publisher, url, series, title, region, base }
    const stated = { ...columns, frequency, period, value, crawl_id, observed_at, recorded_at, partition, offset }
    this.#ledger.setFirst('index points', event_id, rowText(stated), partition)
  }

  #decide(event: DecisionEvent, place: Place): void {
    const { type, decided_at } = event
    const payload = canonicalJson(event as unknown as JsonValue)
    this.#ledger.setFirst(
      'decisions',
      numberKey(place.offset),
      rowText({ type, subject: subjectOf(event), decided_at, payload }),
    )
    if (event.type === 'SourceRegistered') registered(this.#ledger, event, place)
    if (event.type === 'ReferenceReused') {
      const { first_sku_id, vendor_sku_id, source_id, vendor_ref } = event
      this.#ledger.setFirst('sources', source_id, UNREGISTERED)
      for (const id of [first_sku_id, vendor_sku_id])
        this.#ledger.setLast('vendor skus', id, rowText({ source_id, vendor_ref, first_sku_id }))
    }
    if (event.type === 'PairsProposed') {
      for (const { vendor_sku_ids, score, why } of event.pairs) {
        const columns = { score, why, rule_version: event.rule_version, decided_at }
        this.#ledger.setLast('proposals', vendor_sku_ids.join(' '), rowText(columns))
      }
    }
    if (event.type === 'SkusKeptApart') {
      this.#ledger.setFirst(
        'kept apart',
        event.vendor_sku_ids.join(' '),
        rowText({ since: decided_at, reason: event.reason }),
      )
    }
    if ((MEMBERSHIP_EVENTS as readonly string[]).includes(type)) {
      const { conflict, named } = this.#memberships.apply(event as MembershipEvent)
      for (const sku of named) nameSku(this.#ledger, sku)
      if (conflict)
        parkEvent(this.#ledger, event, {
          ...place,
          reason: type === 'ItemsMerged' ? 'MERGE_CONFLICT' : 'MATCH_CONFLICT',
        })
    }
  }
}

/** An observation's source, and its payload where that differs from what its id says. */
export function observationValue({ sourceId, id, sha }: { sourceId: string; id: string; sha: string }): string {
  return rowText({ source_id: sourceId, ...(sha === id ? {} : { payload: sha }) })
}

/** The terms of an observation's price: their columns, and their key, which is their JSON. */
export function termsOf({
  availability,
  edition,
  price,
  pack,
  unit,
  lang,
}: Pick<ObservationRecorded, 'availability' | 'edition' | 'price' | 'pack' | 'unit' | 'lang'>) {
  const discontinued = availability === 'Discontinued'
  const { currency, per_quantity, min_quantity = null, tax, kind } = price
  const { included: tax_included, rate: tax_rate = null } = tax
  const [pack_quantity, pack_unit] = [pack?.quantity ?? null, pack?.unit ?? null]
  const spelled = { currency, per_quantity, min_quantity, tax_included, tax_rate, kind, unit, pack_quantity, pack_unit }
  const decimals = { min_quantity, tax_rate, pack_quantity }
  const plain = Object.fromEntries(
    Object.entries(decimals).map(([name, value]) => [name, value && plainDecimal(value)]),
  )
  return {
    key: JSON.stringify({
      ...spelled,
      lang: lang ?? null,
      ...(discontinued && { discontinued }),
      ...(edition !== undefined && { edition }),
    }),
    columns: { ...spelled, ...plain, lang: lang ?? null, discontinued, edition: edition ?? null },
  }
}

const sourceOf = (value: string) => JSON.parse(/^source_id ("(?:[^"\\]|\\.)*")/.exec(value)?.[1] ?? '""') as string

/** The entry of an observation in the vendor root. */
export const observationEntry = (id: string, value: string): DigestEntry => ({
  id,
  sha: Buffer.from(/payload "([0-9a-f]{64})"/.exec(value)?.[1] ?? id, 'hex'),
})

export const deliveryValue = ({
  partition,
  offset,
  recordedAt,
}: {
  partition: number
  offset: bigint
  recordedAt: string
}) => rowText({ at: `${partition}/${offset}`, recorded_at: recordedAt })
const recordedMsOf = (value: string) => Date.parse(/recorded_at "([^"]*)"$/.exec(value)?.[1] ?? '')

/** A number as a key that sorts numerically. */
export const numberKey = (number: bigint | number) => String(number).padStart(19, '0')

const UNREGISTERED = rowText({
  registered_offset: null,
  name: null,
  region: null,
  url: null,
  trust_score: null,
  validity_days: null,
  validity: null,
  kind: null,
  enabled: null,
})

/** A source's first registration wins over events that only name it. */
function registered(ledger: Ledger, event: SourceRegistered, { offset }: Place): void {
  const { source, trust_score, validity_days, validity = null, kind, enabled } = event
  const columns = { registered_offset: offset, name: source.name, region: source.region, url: source.url }
  const value = rowText({ ...columns, trust_score, validity_days, validity, kind, enabled })
  if (ledger.get('sources', source.id) === UNREGISTERED) ledger.setLast('sources', source.id, value)
  else ledger.setFirst('sources', source.id, value)
}

/** Enters a SKU that an event names, and its source. Decisions name it without a reference. */
function nameSku(
  ledger: Ledger,
  sku: { sourceId: string; vendorRef: string } | { sourceId: string; skuId: string },
): void {
  const { sourceId } = sku
  const isBare = 'skuId' in sku
  const id = isBare ? sku.skuId : vendorSkuIdOf(sourceId, sku.vendorRef)
  const bare = rowText({ source_id: sourceId, vendor_ref: null, first_sku_id: null })
  ledger.setFirst('sources', sourceId, UNREGISTERED)
  if (isBare) ledger.setFirst('vendor skus', id, bare)
  else {
    const value = rowText({ source_id: sourceId, vendor_ref: sku.vendorRef, first_sku_id: null })
    if (ledger.get('vendor skus', id) === bare) ledger.setLast('vendor skus', id, value)
    else ledger.setFirst('vendor skus', id, value)
  }
}

/** A parked record without the detail, which is for people only. */
function parkedValue(parked: {
  origin: 'crawler' | 'projector'
  topic: string
  partition: number
  offset: bigint
  source_id: string | null
  crawl_id: string | null
  position: string | null
  reason: string
  raw: string
  raw_sha256?: string | null | undefined
  read_as?: string | null
  vendor_sku_id?: string | null
  observed_at?: string | null | undefined
  recorded_at: string | null
}): string {
  const { origin, topic, partition, offset, source_id, crawl_id, position, reason, raw, recorded_at } = parked
  const { raw_sha256 = null, read_as = null, vendor_sku_id = null, observed_at = null } = parked
  const place = { origin, topic, partition, offset, source_id, crawl_id, position, reason, raw }
  return rowText({ ...place, raw_sha256, read_as, vendor_sku_id, observed_at, recorded_at })
}

/** Parks a record that is unreadable, or contradicts earlier events. */
function parkPlace(
  ledger: Ledger,
  { topic, partition, offset }: Place,
  say: { reason: string; raw: string; recorded_at: string | null },
): void {
  const position = `${topic} partition ${partition} offset ${offset}`
  const place = { topic, partition, offset, position, source_id: null, crawl_id: null }
  ledger.setFirst('parked', `${topic}/${partition}/${offset}`, parkedValue({ origin: 'projector', ...place, ...say }))
}

export function parkEvent(ledger: Ledger, event: CatalogEvent, { reason, ...place }: Place & { reason: string }): void {
  parkPlace(ledger, place, { reason, raw: JSON.stringify(event), recorded_at: event.recorded_at })
}

export function parkPoison(ledger: Ledger, { value, ...place }: LogRecord, reason: string): void {
  const raw = value.replaceAll('\u0000', '\ufffd').slice(0, RAW_BYTES_MAX)
  parkPlace(ledger, place, { reason, raw, recorded_at: null })
}
