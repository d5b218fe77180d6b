import { z } from 'zod'
import { Count, decision, Instant, Pack, text } from './fields.ts'

/** Measures that a rule decided on, for audits. */
const Evidence = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))

/** A unit of 100 characters with the contents of a pack, where neither is known. */
const FOUNDING_UNIT_MAX = 200

/** Puts a vendor SKU into an item. `founding` is present when the match creates the item. */
export const SkuMatched = decision('SkuMatched', {
  vendor_sku_id: text(100),
  source_id: text(80),
  item_id: text(100),
  founding: z.object({ n: Count, unit: text(FOUNDING_UNIT_MAX).nullable(), pack: Pack.optional() }).optional(),
  rule_version: text(100),
  /** Keys by which the matcher finds this SKU later: "gtin:...", "ref:...", "name:...", and "b:..." of blocking.ts. */
  keys: z.array(text(4000)).max(16),
  /** rule: a matching rule decided; person: a person decided. Matches by a rule count at every as_of. */
  by: z.enum(['rule', 'person']),
  evidence: Evidence,
})
export type SkuMatched = Readonly<z.infer<typeof SkuMatched>>

/**
 * From `since` on a vendor's reference stands for another article, `vendor_sku_id`. Observations before keep their SKU; of decisions
 * for one instant the last holds.
 */
export const ReferenceReused = decision('ReferenceReused', {
  vendor_sku_id: text(100),
  /** The SKU of the reference before any decision: it stands for the reference. */
  first_sku_id: text(100),
  source_id: text(80),
  vendor_ref: text(300),
  since: Instant,
  /** "article", "unit", or the attribute in which the texts contradict each other. */
  about: text(100),
  before: text(2000),
  after: text(2000),
  rule_version: text(100),
})
export type ReferenceReused = Readonly<z.infer<typeof ReferenceReused>>

/** A person takes a vendor SKU out of its item; it founds an item of its own. */
export const SkuSplit = decision('SkuSplit', {
  vendor_sku_id: text(100),
  source_id: text(80),
  item_id: text(100),
  founding: z.object({ n: Count, unit: text(FOUNDING_UNIT_MAX).nullable(), pack: Pack.optional() }),
  reason: text(1000),
})
export type SkuSplit = Readonly<z.infer<typeof SkuSplit>>

/**
 * Two items are one. The fold parks it as MERGE_CONFLICT when both hold a SKU of one source, or SKUs that a person keeps
 * apart.
 */
export const ItemsMerged = decision('ItemsMerged', {
  from_item_id: text(100),
  into_item_id: text(100),
  reason: text(1000),
  /** Absent where a person decided. A rule joins only unpublished items; its merges count at every as_of. */
  by: z.literal('rule').optional(),
  rule_version: text(100).optional(),
  /** From a rule: the two SKUs behind the decision, their score, and the strongest reasons. */
  evidence: Evidence.optional(),
})
export type ItemsMerged = Readonly<z.infer<typeof ItemsMerged>>

/** The smaller id first, so that one pair has one spelling. */
const SkuPair = z.tuple([text(100), text(100)]).refine(([a, b]) => a < b, 'expected two ids, the smaller one first')

/** Most SKUs of one item that a person confirms at once. */
const CONFIRMED_SKUS_MAX = 10_000

/** A person says that two vendor SKUs are two products: from now on no rule and no merge puts both into one item. */
export const SkusKeptApart = decision('SkusKeptApart', {
  vendor_sku_ids: SkuPair,
  reason: text(1000),
})
export type SkusKeptApart = Readonly<z.infer<typeof SkusKeptApart>>

/** A person says that these vendor SKUs of one item are one product, though their prices stand far apart. */
export const ItemConfirmed = decision('ItemConfirmed', {
  item_id: text(100),
  vendor_sku_ids: z.array(text(100)).min(1).max(CONFIRMED_SKUS_MAX),
  reason: text(1000),
})
export type ItemConfirmed = Readonly<z.infer<typeof ItemConfirmed>>

/** Most reasons that a proposal lists. */
export const REASONS_MAX = 10
const ProposedPair = z.object({
  vendor_sku_ids: SkuPair,
  score: z.number().min(0).max(1),
  /** Why the rule did not decide: 'score', and every other reason that kept their items apart. */
  why: z.array(text(100)).min(1).max(REASONS_MAX),
})
export type ProposedPair = Readonly<z.infer<typeof ProposedPair>>
/** Whether an event can carry the pair. */
export const isReadablePair = (pair: ProposedPair): boolean => ProposedPair.safeParse(pair).success

/** Most pairs in one event, so that it stays small. */
export const PROPOSALS_MAX = 500
/** Similar vendor SKUs that a rule leaves to people. A later proposal of a pair replaces the earlier one. */
export const PairsProposed = decision('PairsProposed', {
  rule_version: text(100),
  pairs: z.array(ProposedPair).min(1).max(PROPOSALS_MAX),
})
export type PairsProposed = Readonly<z.infer<typeof PairsProposed>>
