import { spellingKey } from '@catalog/core/text.ts'
import { z } from 'zod'
import { CrawlFinished, ParkedResolved, RecordParked } from './crawls.ts'
import { IndexRecorded } from './indices.ts'
import { ItemPublished } from './items.ts'
import {
  ItemConfirmed,
  ItemsMerged,
  PairsProposed,
  ReferenceReused,
  SkuMatched,
  SkuSplit,
  SkusKeptApart,
} from './matching.ts'
import { parseOrdinaryObservation } from './observation-parser.ts'
import {
  ObservationQuarantined,
  ObservationRecorded,
  ObservationReleased,
  ObservationRetracted,
} from './observations.ts'
import { RecipeRecorded } from './recipes.ts'
import {
  BuildFlipped,
  MatchRuleChanged,
  MethodChanged,
  RunMarked,
  RunStarted,
  RunTakenBack,
  TaxRuleChanged,
} from './runs.ts'
import {
  SourceAliased,
  SourceLicensed,
  SourceRegistered,
  SourceSwitched,
  SourcesKeptApart,
  TrustChanged,
  UnitAliased,
} from './sources.ts'
import { TOPICS, type Topic } from './topics.ts'

/** Events of vendor.observations. */
export const VendorEvent = z.discriminatedUnion('type', [
  ObservationRecorded,
  ObservationRetracted,
  RecordParked,
  ParkedResolved,
  CrawlFinished,
  RecipeRecorded,
  IndexRecorded,
])
export type VendorEvent = Readonly<z.infer<typeof VendorEvent>>

/** Events of catalog.decisions. */
export const DecisionEvent = z.discriminatedUnion('type', [
  SourceRegistered,
  TrustChanged,
  SourceSwitched,
  SourceAliased,
  SourcesKeptApart,
  SourceLicensed,
  UnitAliased,
  MethodChanged,
  MatchRuleChanged,
  TaxRuleChanged,
  RunStarted,
  ReferenceReused,
  SkuMatched,
  SkuSplit,
  ItemsMerged,
  SkusKeptApart,
  ItemConfirmed,
  PairsProposed,
  ObservationQuarantined,
  ObservationReleased,
])
export type DecisionEvent = Readonly<z.infer<typeof DecisionEvent>>

/** Events of catalog.items. */
export const ItemEvent = z.discriminatedUnion('type', [ItemPublished, RunMarked, RunTakenBack, BuildFlipped])
export type ItemEvent = Readonly<z.infer<typeof ItemEvent>>

export type CatalogEvent = VendorEvent | DecisionEvent | ItemEvent

/** The subject of a decision: the id of a source, a run, a SKU, an item or an observation, a region, or the name of a rule. */
export function subjectOf(event: DecisionEvent): string {
  switch (event.type) {
    case 'SourceRegistered':
      return event.source.id
    case 'TrustChanged':
    case 'SourceSwitched':
    case 'SourceAliased':
    case 'SourceLicensed':
      return event.source_id
    case 'SourcesKeptApart':
      return event.source_ids.join(' ')
    // One spelling of one source, or of all.
    case 'UnitAliased':
      return `${event.source_id ?? '*'} ${spellingKey(event.unit)}`
    // The catalog has one method, so every decision on it has the same subject.
    case 'MethodChanged':
      return 'method'
    case 'MatchRuleChanged':
      return 'match rule'
    case 'TaxRuleChanged':
      return event.region
    case 'RunStarted':
      return event.run_id
    case 'ReferenceReused':
      return event.first_sku_id
    case 'SkuMatched':
    case 'SkuSplit':
      return event.vendor_sku_id
    case 'ItemsMerged':
      return event.from_item_id
    case 'ItemConfirmed':
      return event.item_id
    case 'SkusKeptApart':
      return event.vendor_sku_ids[0]
    case 'PairsProposed':
      return event.rule_version
    case 'ObservationQuarantined':
    case 'ObservationReleased':
      return event.observation_id
  }
}

/**
 * Parses one event of a topic from its JSON value. Throws ZodError naming the field, or UnknownEvent for an unknown type or
 * version.
 */
export function parseEvent(topic: Topic, value: unknown): CatalogEvent {
  const schema = topic === TOPICS.observations ? VendorEvent : topic === TOPICS.decisions ? DecisionEvent : ItemEvent
  const { type, v } = (value ?? {}) as { type?: unknown; v?: unknown }
  const known = schema.options.some((option) => option.shape.type.value === type)
  if (!known || v !== 1) {
    throw new UnknownEvent(`type ${JSON.stringify(type)} version ${JSON.stringify(v)} is unknown on ${topic}`)
  }
  return (schema === VendorEvent ? parseOrdinaryObservation(value) : null) ?? (schema.parse(value) as CatalogEvent)
}

class UnknownEvent extends Error {
  override name = 'UnknownEvent'
}
