import type { DecisionEvent, VendorEvent } from '@catalog/core/events/events.ts'
import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import {
  applyMembership,
  MEMBERSHIP_EVENTS,
  type Membership,
  type MembershipEvent,
} from '@catalog/core/matching/membership.ts'
import type { Queryable, Transaction } from '@catalog/store/db.ts'
import { insertIndexPoints } from '@catalog/store/indices/index-points.ts'
import type { LoggedEvent } from '@catalog/store/logged-event.ts'
import { insertCrawlReports } from '@catalog/store/vendor/crawls.ts'
import { deadLetterRow, insertDeadLetters, insertResolutions } from '@catalog/store/vendor/dead-letter.ts'
import {
  insertDecisions,
  insertKeptApart,
  insertReferenceUses,
  loadMembership,
  loadPlaces,
  registerSources,
  saveMembership,
  upsertProposals,
} from '@catalog/store/vendor/decisions.ts'
import { insertObservations, loadObservations } from '@catalog/store/vendor/observations.ts'
import { insertRecipes } from '@catalog/store/vendor/recipes.ts'
import { insertRetractions } from '@catalog/store/vendor/retraction.ts'
import { openKnownKeys, openMemory } from '@catalog/store/vendor/row-keys.ts'
import { type Placed, type Projection, parkEvent } from './pump.ts'

/**
 * The vendor side, with the memory of one process. Law: events of vendor.observations are commutative and idempotent, so
 * any partition count, batch size, order, crash or redelivery leaves the same facts. catalog.decisions has one partition
 * and is folded in order.
 */
export function openVendorProjection(): Projection {
  const memory = openMemory()
  return {
    name: 'vendor',
    // Decisions first, so that a waiting registration of a source precedes its waiting observations.
    topics: [TOPICS.decisions, TOPICS.observations],
    apply: (tx, events) =>
      events[0]?.topic === TOPICS.decisions
        ? applyDecisions(tx, events as readonly (Placed & { event: DecisionEvent })[])
        : applyObservations(tx, events as readonly (Placed & { event: VendorEvent })[], async (tx, records) =>
            insertObservations(tx, records, await memory(tx)),
          ),
  }
}

/** The vendor side of this process. */
export const vendorProjection = openVendorProjection()

/**
 * The vendor side for the bulk load of a build, whose observations have no keys yet. Only one process may write to its
 * tables; see loadObservations.
 */
export function vendorLoading(): Projection {
  const known = openKnownKeys()
  return {
    ...vendorProjection,
    apply: (tx, events) =>
      events[0]?.topic === TOPICS.decisions
        ? vendorProjection.apply(tx, events)
        : applyObservations(tx, events as readonly (Placed & { event: VendorEvent })[], (tx, records) =>
            loadObservations(tx, records, known),
          ),
  }
}

type OfType<E, T> = Extract<E, { type: T }>
const ofType = <E extends { type: string }, T extends E['type']>(events: readonly (Placed & { event: E })[], type: T) =>
  events.filter(({ event }) => event.type === type) as unknown as readonly LoggedEvent<OfType<E, T>>[]

async function applyObservations(
  tx: Transaction,
  events: readonly (Placed & { event: VendorEvent })[],
  insert: (tx: Transaction, records: readonly LoggedEvent<ObservationRecorded>[]) => Promise<void>,
): Promise<void> {
  await insert(tx, ofType(events, 'ObservationRecorded'))
  await insertRetractions(tx, ofType(events, 'ObservationRetracted'))
  await insertDeadLetters(
    tx,
    ofType(events, 'RecordParked').map((record) => deadLetterRow(TOPICS.observations, record)),
  )
  await insertResolutions(tx, ofType(events, 'ParkedResolved'))
  await insertCrawlReports(tx, ofType(events, 'CrawlFinished'))
  await insertRecipes(tx, ofType(events, 'RecipeRecorded'))
  await insertIndexPoints(tx, ofType(events, 'IndexRecorded'))
}

async function applyDecisions(tx: Queryable, events: readonly (Placed & { event: DecisionEvent })[]): Promise<void> {
  await insertDecisions(tx, events)
  await registerSources(tx, ofType(events, 'SourceRegistered'))
  await insertReferenceUses(tx, ofType(events, 'ReferenceReused'))
  const memberships = events.filter(({ event }) =>
    (MEMBERSHIP_EVENTS as readonly string[]).includes(event.type),
  ) as readonly (Placed & { event: MembershipEvent })[]
  if (memberships.length > 0) await foldMemberships(tx, memberships)
  // Runs after the fold, which may need earlier decisions of this batch.
  await insertKeptApart(tx, ofType(events, 'SkusKeptApart'))
  await upsertProposals(tx, ofType(events, 'PairsProposed'))
}

/** The membership that these events touch. Most only put SKUs into places, which takes less than their whole items. */
async function membershipBefore(tx: Queryable, events: readonly MembershipEvent[]): Promise<Membership> {
  const matched = events.flatMap((event) => (event.type === 'SkuMatched' ? event : []))
  const places = matched.map((event) => ({
    skuId: event.vendor_sku_id,
    itemId: event.item_id,
    sourceId: event.source_id,
  }))
  const plain = matched.length === events.length ? await loadPlaces(tx, places) : null
  if (plain !== null) return plain
  const named = events.map((event) => {
    if (event.type === 'ItemsMerged') return { skuIds: [], itemIds: [event.from_item_id, event.into_item_id] }
    if (event.type === 'SkusKeptApart') return { skuIds: event.vendor_sku_ids, itemIds: [] }
    return { skuIds: [event.vendor_sku_id], itemIds: [event.item_id] }
  })
  return loadMembership(tx, {
    vendorSkuIds: named.flatMap(({ skuIds }) => skuIds),
    itemIds: named.flatMap(({ itemIds }) => itemIds),
  })
}

async function foldMemberships(tx: Queryable, events: readonly (Placed & { event: MembershipEvent })[]): Promise<void> {
  const state = await membershipBefore(
    tx,
    events.map(({ event }) => event),
  )
  const before = {
    itemOf: new Map(state.itemOf),
    foundings: new Set(state.foundings.keys()),
    merged: new Set(state.mergedInto.keys()),
  }
  for (const { event, topic, partition, offset } of events) {
    const outcome = applyMembership(state, event)
    if (outcome === undefined) continue
    const reason = event.type === 'ItemsMerged' ? 'MERGE_CONFLICT' : 'MATCH_CONFLICT'
    await parkEvent(tx, { event, topic, partition, offset }, { reason, detail: outcome.conflict })
  }
  const sources = new Map<string, string>()
  for (const skus of state.skusOf.values()) for (const [sourceId, skuId] of skus) sources.set(skuId, sourceId)
  await saveMembership(tx, {
    foundings: [...state.foundings.values()].filter(({ itemId }) => !before.foundings.has(itemId)),
    merges: [...state.mergedInto].filter(([from]) => !before.merged.has(from)).map(([from, into]) => ({ from, into })),
    moved: [...state.itemOf]
      .filter(([skuId, itemId]) => before.itemOf.get(skuId) !== itemId)
      .map(([skuId, itemId]) => ({
        skuId,
        itemId,
        sourceId: sources.get(skuId) as string,
        isPlaced: before.itemOf.has(skuId),
      })),
    keys: events.flatMap(({ event }) =>
      event.type === 'SkuMatched' && state.itemOf.has(event.vendor_sku_id)
        ? event.keys.map((key) => ({ skuId: event.vendor_sku_id, sourceId: event.source_id, key }))
        : [],
    ),
  })
}
