import { REGIONS } from '@catalog/core/events/sources.ts'
import type { ChangeOp } from './change.ts'

/**
 * Parts of protocol ccm/1 that origin and mirrors share, beside chains (change.ts) and digests (digest.ts):
 * docs/mirror-protocol.md.
 */

export const PROTOCOL = 'ccm/1'

/** Namespace of the elements `ccm:` in feeds. It names the protocol's version; nobody can fetch it. */
export const CCM_NAMESPACE = 'urn:construction-cost-catalog:ccm:1'

/**
 * Version of the form of feed documents: the texts that explain a change to people, and the changes on a page. Closed pages
 * never change their bytes, so every document of a generation has the version that the name of the generation ends with:
 * docs/decisions/0037.
 */
export const FEED_VERSION = 4

/** The version of a generation's documents; 1 for names without one. */
export const feedVersionOf = (gen: string): number => Number(/t(\d+)$/.exec(gen)?.[1] ?? 1)

/** Changes on a closed page of a generation. Feed readers fetch the open page and the one before it. */
export const pageChangesOf = (gen: string): number => (feedVersionOf(gen) < 4 ? PAGE_CHANGES_MAX : 50)

/** Changes on the largest page of any generation, and a multiple of those on every other one. */
export const PAGE_CHANGES_MAX = 500

/** Every scope with its own sequence numbers and chain. */
export const SCOPES: readonly string[] = ['items', ...REGIONS.map((region) => `region/${region}`)]

/** A change as one scope sees it. */
export type FeedChange = Readonly<{
  /** Sequence number within the scope. */
  seq: bigint
  itemId: string
  op: ChangeOp
  version: number
  /** Microseconds since 1970, strictly rising with seq. */
  updatedUs: bigint
  /** SHA-256 of the public state. For a delete or a leave: of the last state, which no feed shows. */
  stateSha: Uint8Array
  /** Canonical JSON of the public state; null unless it is an upsert. */
  state: string | null
  mergedInto: string | null
  /** Canonical JSON of the median price before this change; null where there was none, or no item. */
  formerMedian: string | null
  /** Chain of the scope up to this change. */
  chain: Uint8Array
  /**
   * Whether a run ended between this change and the next one of the scope. If so, no later change of the item
   * supersedes it.
   */
  isMarked: boolean
}>

export type ScopeState = Readonly<{
  scope: string
  /** Number of the last change, 0 before the first. */
  head: bigint
  chain: Uint8Array
  /** Changes up to this one are gone; a multiple of PAGE_CHANGES_MAX. */
  floor: bigint
}>

/** The state of the feeds, read at one instant. */
export type FeedState = Readonly<{
  gen: string
  /** `updated` of the newest change; null before the first. */
  updatedUs: bigint | null
  /** All of SCOPES, in their order. */
  scopes: readonly ScopeState[]
  /** The newest digest. `mark` is a number of scope items, `seq` a number of the scope itself with its `chain`. */
  digest: Readonly<{
    mark: bigint
    scopes: readonly Readonly<{ scope: string; seq: bigint; chain: Uint8Array; stateRoot: string }>[]
  }> | null
  /** The newest snapshot. */
  snapshot: Readonly<{ seq: bigint; createdAt: string; count: number; bytes: number; manifestSha: string }> | null
}>
