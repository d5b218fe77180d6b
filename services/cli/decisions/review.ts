import { foundingUnit } from '@catalog/aggregator/matching/match.ts'
import { sourceMeant } from '@catalog/cli/shared/naming.ts'
import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import type { Catalog } from '@catalog/cli/shared/wire.ts'
import {
  type CatalogEvent,
  eventId,
  type ItemsMerged,
  itemIdOf,
  parseEvent,
  type SkuSplit,
  type SkusKeptApart,
  TOPICS,
  type Topic,
} from '@catalog/core/events/events.ts'
import { applyMembership, type MembershipConflict } from '@catalog/core/matching/membership.ts'
import { instant } from '@catalog/core/time.ts'
import { retract as appendRetraction, type Retraction } from '@catalog/crawler/ingest/retract.ts'
import { openParked } from '@catalog/store/builds/status.ts'
import { foundedCounts, sightAt, sourcesAt, textsAt } from '@catalog/store/vendor/as-of-queries.ts'
import { loadMembership } from '@catalog/store/vendor/decisions.ts'
import { openProposals } from '@catalog/store/vendor/matching.ts'
import {
  type RetractionEffect,
  retractionEffect,
  skuOfObservation,
  sourcesOfCrawl,
} from '@catalog/store/vendor/retraction.ts'

/** Operator commands only append; the projector does the rest. Each waits until its event shows. */
async function decide(
  catalog: Catalog,
  topic: Topic,
  contents: readonly { type: CatalogEvent['type'] }[],
): Promise<void> {
  const recordedAt = instant(catalog.now())
  const events = contents.map((content) => {
    const event = { v: 1, ...content }
    const whole = {
      ...event,
      event_id: eventId({ ...event, recorded_at: undefined, at: recordedAt }),
      recorded_at: recordedAt,
    }
    // What a command appends must be what the projector can read.
    return parseEvent(topic, whole)
  })
  await catalog.log.append(
    topic,
    events.map((event) => ({ key: keyOf(event), value: JSON.stringify(event) })),
  )
  await catalog.catchUp()
}

const keyOf = (event: CatalogEvent) => ('source_id' in event ? `${event.source_id}/` : event.type)

/** A source by its id or its name. */
async function sourceIdOf(catalog: Catalog, given: string): Promise<string> {
  const sources = await sourcesAt(catalog.store, { asOf: instant(catalog.now()), positions: null })
  return sourceMeant(sources.values(), { option: 'source', given }).sourceId
}

export async function listTrust(catalog: Catalog, terminal: Terminal): Promise<void> {
  const sources = await sourcesAt(catalog.store, { asOf: instant(catalog.now()), positions: null })
  const rows = [...sources.values()].map(({ sourceId, name, region, kind, trust, validityDays, enabled }) => ({
    source_id: sourceId,
    name,
    region,
    kind,
    trust_score: trust,
    validity_days: validityDays,
    enabled,
  }))
  terminal.answer({ sources: rows }, () => table(rows))
  terminal.next('catalog trust SOURCE SCORE --reason "..."')
}

export async function changeTrust(
  catalog: Catalog,
  terminal: Terminal,
  { source, score, reason }: { source: string; score: string; reason: string },
): Promise<void> {
  if (!/^\d{1,3}$/.test(score) || Number(score) > 100)
    throw new Error(`score '${score}': expected a whole number from 0 to 100`)
  const sourceId = await sourceIdOf(catalog, source)
  const event = {
    type: 'TrustChanged' as const,
    decided_at: instant(catalog.now()),
    source_id: sourceId,
    trust_score: Number(score),
    reason,
  }
  await decide(catalog, TOPICS.decisions, [event])
  terminal.answer(event, () => `${source} has trust ${score} from ${event.decided_at} on`)
  terminal.next('catalog aggregate')
}

export type RetractOptions = Readonly<{
  observation?: string
  crawl?: string
  source?: string
  reason?: string
  dryRun: boolean
}>

export async function retract(catalog: Catalog, terminal: Terminal, options: RetractOptions): Promise<void> {
  const given = [options.observation, options.crawl, options.source].filter((value) => value !== undefined)
  if (given.length !== 1) throw new Error('retract: expected exactly one of --observation, --crawl and --source')
  const { store } = catalog
  const now = catalog.now()
  // What a killed crawl left in the log belongs to it as well.
  await catalog.catchUp()
  let retraction: Retraction
  let effect: RetractionEffect
  if (options.observation !== undefined) {
    const found = await skuOfObservation(store, options.observation)
    if (found === undefined) {
      throw new Error(`observation '${options.observation}': expected the id of a stored one, 64 hexadecimal digits`)
    }
    retraction = { scope: 'observation', observationId: options.observation, ...found }
    effect = await retractionEffect(store, { observationId: options.observation })
  } else if (options.crawl !== undefined) {
    const sourceIds = await sourcesOfCrawl(store, options.crawl)
    if (sourceIds.length === 0) {
      throw new Error(`crawl '${options.crawl}': expected one that delivered something, as catalog crawl names it`)
    }
    retraction = { scope: 'crawl', crawlId: options.crawl, sourceIds }
    effect = await retractionEffect(store, { crawlId: options.crawl })
  } else {
    const sourceId = await sourceIdOf(catalog, options.source as string)
    retraction = { scope: 'source', sourceId }
    effect = await retractionEffect(store, { sourceId, until: instant(now) })
  }
  const value = { dry_run: options.dryRun, retraction, ...effect }
  const says = () => effectText(effect, options)
  if (options.dryRun) {
    terminal.answer(value, says)
    terminal.next('the same command without --dry-run, with --reason "..."')
    return
  }
  if (!options.reason)
    throw new Error('retract: expected --reason "..."; a retraction is for ever, look first with --dry-run')
  await appendRetraction(retraction, { log: catalog.log, reason: options.reason, now })
  await catalog.catchUp()
  terminal.answer(value, says)
  terminal.next('catalog aggregate')
}

function effectText({ covered, hidden, items, recipes }: RetractionEffect, { dryRun }: { dryRun: boolean }): string {
  const others = 'also delivered by other crawls or are gone already'
  if (hidden === 0 && recipes === 0) {
    return `${dryRun ? 'would take' : 'took'} back nothing more: all ${covered} observations were ${others}`
  }
  return [
    `${dryRun ? 'would take' : 'took'} back ${hidden} of ${covered} observations in ${items} items`,
    recipes === 0 ? '' : ` and ${recipes} recipes`,
    hidden < covered ? `; the others were ${others}` : '',
  ].join('')
}

export async function listParked(
  catalog: Catalog,
  terminal: Terminal,
  options: { reason?: string; after?: string; limit: number },
): Promise<void> {
  const { reason, after } = options
  const rows = await openParked(catalog.store, { reason, after, limit: options.limit + 1 })
  const page = rows.slice(0, options.limit)
  const cursor = rows.length > options.limit ? (page.at(-1)?.parked_id ?? null) : null
  terminal.answer({ parked: page, cursor }, () =>
    [
      table(
        page.map(({ parked_id, reason, position, detail, raw }) => ({
          parked_id,
          reason,
          position,
          detail,
          raw: oneLine(raw),
        })),
      ),
      cursor === null ? '' : `\nmore: catalog parked --after ${cursor}`,
    ].join('\n'),
  )
  terminal.next('correct the input or its mapping and crawl again, then catalog parked resolve ID --as recorded')
}

const oneLine = (raw: string) => raw.replace(/\s+/g, ' ').slice(0, 60)

/** Tries records that the projector parked again: what can be applied now is appended at the end of its topic. */
export async function retryParked(catalog: Catalog, terminal: Terminal, ids: readonly string[]): Promise<void> {
  const waiting = await openParked(catalog.store, { limit: RETRY_MAX })
  const chosen = waiting.filter(({ origin, parked_id }) =>
    ids.length === 0 ? origin === 'projector' : ids.includes(parked_id),
  )
  const results: Record<'parked_id' | 'result' | 'detail', string>[] = []
  for (const record of chosen) {
    if (record.origin === 'crawler') {
      results.push({ parked_id: record.parked_id, result: 'refused', detail: 'a vendor record: crawl its input again' })
      continue
    }
    try {
      const event = parseEvent(record.topic as Topic, JSON.parse(record.raw))
      await catalog.log.append(record.topic as Topic, [{ key: keyOfRecorded(event), value: record.raw }])
      await resolveParked(catalog, [record.parked_id], { resolution: 'recorded', reason: 'retried' })
      results.push({ parked_id: record.parked_id, result: 'recorded', detail: '' })
    } catch (error) {
      results.push({ parked_id: record.parked_id, result: 'still parked', detail: (error as Error).message })
    }
  }
  terminal.answer({ retried: results }, () => table(results))
  terminal.next('catalog parked')
}

/** Records that one retry looks at. */
const RETRY_MAX = 10_000

const keyOfRecorded = (event: CatalogEvent) =>
  event.type === 'ObservationRecorded' ? `${event.source.id}/${event.vendor_ref}` : keyOf(event)

export async function resolveParked(
  catalog: Catalog,
  ids: readonly string[],
  { resolution, reason }: { resolution: 'recorded' | 'dropped'; reason: string },
): Promise<void> {
  const waiting = await openParked(catalog.store, { limit: RETRY_MAX })
  const events = ids.map((id) => {
    const record = waiting.find(({ parked_id }) => parked_id === id)
    if (record === undefined)
      throw new Error(`parked record '${id}': expected the id of an open one, as catalog parked lists them`)
    return { type: 'ParkedResolved' as const, source_id: record.source_id ?? 'none', parked_id: id, resolution, reason }
  })
  await decide(catalog, TOPICS.observations, events)
}

/** `catalog review`: pairs that a rule found alike and left to a person, the surest first. */
export async function listReview(
  catalog: Catalog,
  terminal: Terminal,
  { after, limit }: { after?: string; limit: number },
): Promise<void> {
  const { store } = catalog
  const found = await openProposals(store, { after: after === undefined ? null : placeOf(after), limit: limit + 1 })
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : undefined
  const cut = { asOf: instant(catalog.now()), positions: null }
  const sources = await sourcesAt(store, cut)
  const skuIds = [...new Set(page.flatMap(({ a, b }) => [a, b]))]
  const texts = new Map((await textsAt(store, skuIds, await sightAt(store, cut))).map((text) => [text.skuId, text]))
  const side = (skuId: string, itemId: string) => {
    const text = texts.get(skuId)
    return {
      vendor_sku_id: skuId,
      item_id: itemId,
      name: text?.payload.name ?? null,
      unit: text === undefined ? null : foundingUnit(text.payload),
      source: text === undefined ? null : (sources.get(text.sourceId)?.name ?? text.sourceId),
    }
  }
  const pairs = page.map(({ a, b, itemA, itemB, score, why, ruleVersion, decidedAt }) => ({
    score,
    why,
    a: side(a, itemA),
    b: side(b, itemB),
    rule_version: ruleVersion,
    decided_at: decidedAt,
  }))
  const cursor = last === undefined ? null : `${last.score}/${last.a}/${last.b}`
  terminal.answer({ pairs, cursor }, () =>
    [
      ...pairs.map(({ score, why, a, b }) =>
        [
          `${score.toFixed(3)}  not automatic: ${why.join('; ')}`,
          ...[a, b].map(
            ({ name, unit, source, vendor_sku_id, item_id }) =>
              `  ${name ?? 'no observation any more'} | ${unit ?? 'no unit'} | ${source ?? '-'} | ${vendor_sku_id} in ${item_id}`,
          ),
        ].join('\n'),
      ),
      pairs.length === 0 ? 'nothing is waiting for a person' : '',
      cursor === null ? '' : `more: catalog review --after ${cursor}`,
    ]
      .filter((line) => line !== '')
      .join('\n'),
  )
  if (pairs.length > 0)
    terminal.next('catalog review merge FROM INTO --reason "..." or catalog review reject SKU_A SKU_B --reason "..."')
}

/** Where a page of the list ended: score/SKU/SKU. */
function placeOf(cursor: string): { score: number; a: string; b: string } {
  const [, score, a, b] = /^(\d(?:\.\d+)?)\/(vsku_[a-z0-9]+)\/(vsku_[a-z0-9]+)$/.exec(cursor) ?? []
  if (score === undefined || a === undefined || b === undefined)
    throw new Error(`--after '${cursor}': expected what catalog review gave as the place to go on from`)
  return { score: Number(score), a, b }
}

/** `catalog review reject`: two vendor SKUs are two products, for ever. */
export async function rejectPair(
  catalog: Catalog,
  terminal: Terminal,
  { a, b, reason }: { a: string; b: string; reason: string },
): Promise<void> {
  if (a === b) throw new Error(`vendor SKU '${a}': expected two different ones`)
  const membership = await loadMembership(catalog.store, { vendorSkuIds: [a, b], itemIds: [] })
  const [itemA, itemB] = [a, b].map((skuId) => {
    const itemId = membership.itemOf.get(skuId)
    if (itemId === undefined)
      throw new Error(`vendor SKU '${skuId}': expected one that is in an item, as catalog review lists them`)
    return itemId
  })
  if (itemA === itemB)
    throw new Error(`${a} and ${b} are in one item, ${itemA}: take one out with catalog review split SKU`)
  const before = membership.apart.get(a)?.get(b)
  if (before !== undefined)
    throw new Error(`${a} and ${b} are kept apart since ${before.since} already: ${before.reason}`)
  const apart = apartContent({ a, b, at: instant(catalog.now()), reason })
  await decide(catalog, TOPICS.decisions, [apart])
  terminal.answer({ kept_apart: apart.vendor_sku_ids }, () => `${a} and ${b} never come into one item`)
  terminal.next('catalog review')
}

type ApartContent = Omit<SkusKeptApart, 'v' | 'event_id' | 'recorded_at'>

function apartContent({ a, b, at, reason }: { a: string; b: string; at: string; reason: string }): ApartContent {
  return { type: 'SkusKeptApart', decided_at: at, vendor_sku_ids: a < b ? [a, b] : [b, a], reason }
}

export async function mergeItems(
  catalog: Catalog,
  terminal: Terminal,
  { from, into, replace, reason }: { from: string; into: string; replace?: string; reason: string },
): Promise<void> {
  const events: (Omit<ItemsMerged, 'v' | 'event_id' | 'recorded_at'> | SplitContent)[] = []
  const membership = await loadMembership(catalog.store, { vendorSkuIds: [], itemIds: [from, into] })
  if (replace !== undefined) {
    const split = await splitContent(catalog, { skuId: replace, reason: `replaced in ${into}: ${reason}` })
    events.push(split)
    applyMembership(membership, { v: 1, event_id: '', recorded_at: '', ...split })
  }
  const merge = {
    type: 'ItemsMerged' as const,
    decided_at: instant(catalog.now()),
    from_item_id: from,
    into_item_id: into,
    reason,
  }
  const refused = applyMembership(membership, { v: 1, event_id: '', recorded_at: '', ...merge })
  if (refused !== undefined) {
    throw new Error(`merge ${from} into ${into}: ${refused.conflict}${MERGE_HINTS[refused.code]}`)
  }
  await decide(catalog, TOPICS.decisions, [...events, merge])
  terminal.answer({ merged: from, into, detached: replace ?? null }, () => `${from} is now part of ${into}`)
  terminal.next('catalog aggregate')
}

const MERGE_HINTS: Readonly<Record<MembershipConflict['code'], string>> = {
  ONE_SOURCE: '; an item holds one SKU of a source, detach one with --replace SKU',
  KEPT_APART: '; what a person keeps apart stays apart',
  NOT_FOUNDED: '',
}

type SplitContent = Omit<SkuSplit, 'v' | 'event_id' | 'recorded_at'>

async function splitContent(
  catalog: Catalog,
  { skuId, reason }: { skuId: string; reason: string },
): Promise<SplitContent> {
  const now = instant(catalog.now())
  const [text] = await textsAt(catalog.store, [skuId], await sightAt(catalog.store, { asOf: now, positions: null }))
  const membership = await loadMembership(catalog.store, { vendorSkuIds: [skuId], itemIds: [] })
  if (text === undefined || !membership.itemOf.has(skuId)) {
    throw new Error(`vendor SKU '${skuId}': expected one that is in an item, as catalog explain ITEM lists them`)
  }
  const n = (await foundedCounts(catalog.store, [skuId])).get(skuId) ?? 0
  return {
    type: 'SkuSplit',
    decided_at: now,
    vendor_sku_id: skuId,
    source_id: text.sourceId,
    item_id: itemIdOf(skuId, n),
    founding: { n, unit: foundingUnit(text.payload) },
    reason,
  }
}

/** `catalog review split`: the SKU founds an item of its own, and never comes back to those it was with. */
export async function splitSku(catalog: Catalog, terminal: Terminal, options: { skuId: string; reason: string }) {
  const split = await splitContent(catalog, options)
  const { vendor_sku_id: skuId, item_id: itemId, decided_at: at } = split
  const membership = await loadMembership(catalog.store, { vendorSkuIds: [skuId], itemIds: [] })
  const left = membership.itemOf.get(skuId)
  const others = [...(membership.skusOf.get(left ?? '')?.values() ?? [])].filter((other) => other !== skuId)
  const apart = others.map((other) => apartContent({ a: skuId, b: other, at, reason: options.reason }))
  await decide(catalog, TOPICS.decisions, [split, ...apart])
  terminal.answer({ vendor_sku_id: skuId, item_id: itemId, kept_apart_from: others }, () =>
    [`${skuId} founds ${itemId}`, ...others.map((other) => `for ever apart from ${other}`)].join(', '),
  )
  terminal.next('catalog aggregate')
}

export async function overrideObservation(
  catalog: Catalog,
  terminal: Terminal,
  {
    type,
    observationId,
    reason,
  }: { type: 'ObservationQuarantined' | 'ObservationReleased'; observationId: string; reason: string },
): Promise<void> {
  if (!/^[0-9a-f]{64}$/.test(observationId))
    throw new Error(
      `observation '${observationId}': expected 64 hexadecimal digits, as catalog explain --json gives them`,
    )
  const event = { type, decided_at: instant(catalog.now()), observation_id: observationId, reason }
  await decide(catalog, TOPICS.decisions, [event])
  terminal.answer(event, () => `${observationId} is ${type === 'ObservationQuarantined' ? 'quarantined' : 'released'}`)
  terminal.next('catalog aggregate')
}
