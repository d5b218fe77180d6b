import { REGIONS } from '@catalog/core/events/sources.ts'
import type { ChangeOp } from './change.ts'

/** What origin and mirrors share of protocol ccm/1 beside chains (change.ts) and digests (digest.ts): docs/mirror-protocol.md. */

export const PROTOCOL = 'ccm/1'

/** Of the elements `ccm:` in feeds. It names the protocol's version, and nothing can be fetched there. */
export const CCM_NAMESPACE = 'urn:construction-cost-catalog:ccm:1'

/** Changes on a closed page. Another number is another generation. */
export const PAGE_CHANGES = 500

/** Every scope that has numbers and a chain of its own. */
export const SCOPES: readonly string[] = ['items', ...REGIONS.map((region) => `region/${region}`)]

/** A change as one scope sees it. */
export type FeedChange = Readonly<{
  /** Within the scope. */
  seq: bigint
  itemId: string
  op: ChangeOp
  version: number
  /** Microseconds since 1970, strictly rising with seq. */
  updatedUs: bigint
  /** SHA-256 of the public state; for a delete or a leave of the one that it left with, which no feed shows. */
  stateSha: Uint8Array
  /** Canonical JSON of the public state; null unless it is an upsert. */
  state: string | null
  mergedInto: string | null
  /** Canonical JSON of the median price before this change; null where there was none, or no item. */
  formerMedian: string | null
  /** Of the scope, with this change. */
  chain: Uint8Array
  /** Whether a run ended between this change and the next one of the scope: a later change of the item supersedes it never. */
  isMarked: boolean
}>

export type ScopeState = Readonly<{
  scope: string
  /** Number of the last change, 0 before the first. */
  head: bigint
  chain: Uint8Array
  /** Changes up to this one are not kept any more: a multiple of PAGE_CHANGES. */
  floor: bigint
}>

/** Where the feeds stand, read at one instant. */
export type FeedState = Readonly<{
  gen: string
  /** Of the newest change; null before the first. */
  updatedUs: bigint | null
  /** All of SCOPES, in their order. */
  scopes: readonly ScopeState[]
  /** At the newest mark that has one; `mark` is a number of scope items, `seq` of the scope itself. */
  digest: Readonly<{
    mark: bigint
    scopes: readonly Readonly<{ scope: string; seq: bigint; stateRoot: string }>[]
  }> | null
  /** The newest. */
  snapshot: Readonly<{ seq: bigint; createdAt: string; count: number; bytes: number; manifestSha: string }> | null
}>

/**
 * The document of a digest. It does not name its mark: a region's state at a seq is the same at every mark for which that
 * is its last change, and so are these bytes.
 */
export function digestJson({
  gen,
  scope,
  seq,
  count,
  buckets,
  stateRoot,
}: {
  gen: string
  scope: string
  seq: bigint
  count: number
  /** 256 hashes. */
  buckets: readonly Uint8Array[]
  stateRoot: string
}): string {
  return JSON.stringify({
    protocol: PROTOCOL,
    gen,
    scope,
    seq: Number(seq),
    count,
    state_root: stateRoot,
    buckets: buckets.map((bucket) => Buffer.from(bucket).toString('hex')),
  })
}
