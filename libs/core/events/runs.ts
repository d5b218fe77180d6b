import { z } from 'zod'
import { Count, decision, event, Instant, text } from './fields.ts'

/**
 * Selects the method that computes prices. The latest decision holds; before the first one it is twm/1. The log accepts
 * names that this version does not know: only the code that computes prices has to know them.
 */
export const MethodChanged = decision('MethodChanged', {
  method: text(100),
  reason: text(1000),
})
export type MethodChanged = Readonly<z.infer<typeof MethodChanged>>

/**
 * From this decision on the items that exist follow a matching rule: what it decides otherwise was published with it. The
 * log accepts names that this version does not know.
 */
export const MatchRuleChanged = decision('MatchRuleChanged', {
  rule_version: text(100),
  reason: text(1000),
})
export type MatchRuleChanged = Readonly<z.infer<typeof MatchRuleChanged>>

/**
 * How the prices of one region's sources vote where the vendor leaves their tax open; the latest decision on a region
 * holds. Before the first one both are `as_is`. Only methods with guarded votes (twm/3) read it.
 */
export const TaxRuleChanged = decision('TaxRuleChanged', {
  /** The region as sources carry it. */
  region: z.string().regex(/^[A-Z]{2}$|^LATAM$/),
  /** `majority`: prices without a statement count as those of the item's sources there that state one. */
  not_stated: z.enum(['as_is', 'majority']),
  /** `standard_rate`: a gross price without a rate loses the region's standard rate of its day (tax-rules.ts). */
  gross_without_rate: z.enum(['as_is', 'standard_rate']),
  reason: text(1000),
})
export type TaxRuleChanged = Readonly<z.infer<typeof TaxRuleChanged>>

/** Log positions: topic → partition → next offset, as decimal text. */
export const Positions = z.record(z.string(), z.record(z.string(), z.string().regex(/^\d+$/)))
export type Positions = Readonly<z.infer<typeof Positions>>

/** Start of a run, with every input of its medians. */
export const RunStarted = decision('RunStarted', {
  run_id: text(100),
  as_of: Instant,
  method: text(100),
  /** The rule that the items follow; absent until a rematch was accepted. */
  match_rule: text(100).optional(),
  positions: Positions,
})
export type RunStarted = Readonly<z.infer<typeof RunStarted>>

/** End of a run: the cut of snapshot and digest. */
export const RunMarked = event('RunMarked', {
  run_id: text(100),
  as_of: Instant,
  items_published: Count,
})
export type RunMarked = Readonly<z.infer<typeof RunMarked>>

/**
 * A person took a run back that was dated in the future, by a wrong clock. From then on the run counts as one of `decided_at`: the next
 * run comes after that, and publishes what differs from the facts. Its points leave the price histories. Law: runs after it in the
 * log are taken back with it.
 */
export const RunTakenBack = decision('RunTakenBack', {
  run_id: text(100),
  /** The instant of the run. */
  as_of: Instant,
  /** Monthly editions that readers have because of it: they stay as they are. */
  editions: z.array(text(7)).max(1_200),
  reason: text(1000),
})
export type RunTakenBack = Readonly<z.infer<typeof RunTakenBack>>

/** The read model changed to another build. */
export const BuildFlipped = event('BuildFlipped', { build: text(100) })
