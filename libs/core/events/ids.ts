import { canonicalJson, idSuffix, type JsonValue, sha256Hex } from '@catalog/core/digest.ts'
import { foldText } from '@catalog/core/text.ts'
import type { ObservationRecorded } from './observations.ts'

/**
 * The canonical payload of an observation: the event without type, v, event_id, recorded_at and crawl_id, absent
 * optionals left out, `|null` fields present, in canonical JSON. `observation_id` is the SHA-256 of exactly these bytes.
 * The crawler computes it once; upcasting keeps it.
 */
export function observationPayload(
  event: Omit<ObservationRecorded, 'type' | 'v' | 'event_id' | 'recorded_at' | 'crawl_id'>,
): string {
  const { type: _t, v: _v, event_id: _e, recorded_at: _r, crawl_id: _c, ...payload } = event as ObservationRecorded
  return canonicalJson(payload as unknown as JsonValue)
}

/**
 * The payload of an event that parseEvent returned, in a third of the time: its parts are in order, and none of its texts
 * holds a lone surrogate.
 */
export function parsedPayload(event: ObservationRecorded): string {
  const others = { type: undefined, v: undefined, event_id: undefined, recorded_at: undefined, crawl_id: undefined }
  return JSON.stringify({ ...event, ...others })
}

export function observationId(payload: string): string {
  return sha256Hex(payload)
}

/** Deterministic id of an event other than an observation. Equal content gives an equal id, so appends are idempotent. */
export function eventId(event: object): string {
  const { event_id: _e, recorded_at: _r, ...content } = event as { event_id?: string; recorded_at?: string }
  return sha256Hex(canonicalJson(content as JsonValue))
}

/** Default id of a source: hash of its folded name and region. */
export function sourceIdOf(source: { readonly name: string; readonly region: string | null }): string {
  return `src_${idSuffix(canonicalJson(['source', foldText(source.name), source.region]))}`
}

/** Id of a vendor SKU: hash of its source's id, the vendor's own reference, and n, the articles that the reference stood for before. */
export function vendorSkuIdOf(sourceId: string, vendorRef: string, n = 0): `vsku_${string}` {
  return `vsku_${idSuffix(canonicalJson(['sku', sourceId, vendorRef, ...(n === 0 ? [] : [n])]))}`
}

/** Id of an item: hash of its founding vendor SKU and n, the number of items that SKU founded before. */
export function itemIdOf(foundingVendorSkuId: string, n: number): `ci_${string}` {
  return `ci_${idSuffix(canonicalJson(['item', foundingVendorSkuId, n]))}`
}
