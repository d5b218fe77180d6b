import { DAY_MS } from '@catalog/core/time.ts'
import type { Priced, SkuAsOf, SkuPrices } from './sku-prices.ts'
import type { Verdicts } from './verdict.ts'

/**
 * Which observations vote, and everything that can change it: the evaluator of runs, `aggregate --run`, what-if and explain
 * read the first, and the query of items that a run evaluates reads the second.
 */

/** Everything that can change the votes on an item between two runs; `dirty-items.ts` of the store finds the items of each. */
export const VOTE_CAUSES = [
  /** A delivery that the earlier run did not read. */
  'delivery',
  /** An observation or a price that is dated between the runs. */
  'appearance',
  /** A price whose validity ended between the runs ({@link expiryMs}). */
  'expiry',
  'retraction',
  /** What `settingsOf` and the rules for open taxes say of a source. */
  'settings',
  /** A person's decision on an observation. */
  'verdict',
  /** What a spelling of a unit means. */
  'unit',
  /** SKUs that moved between items, and items that were merged. */
  'membership',
  /** An item that no run has published. */
  'founding',
] as const
export type VoteCause = (typeof VOTE_CAUSES)[number]

/** A price votes after this instant and at or before as_of: validity is the only window of time. */
export const expiryMs = (validityDays: number, asOfMs: number): number => asOfMs - validityDays * DAY_MS

/**
 * Whether a source says anything of an item. One of trust 0 does not: it names nothing, is counted nowhere and links nothing, by
 * every method.
 */
export const isHeard = ({ trust }: Pick<SkuPrices, 'trust'>): boolean => trust >= 1

/** Why no price of a source votes; null where they may. */
export function sourceRefusal(source: Pick<SkuPrices, 'enabled' | 'trust'>) {
  if (!source.enabled) return 'SOURCE_DISABLED'
  return isHeard(source) ? null : 'NO_TRUST'
}

/** Why an observation of such a source does not vote, by the first rule that applies; null where it may. */
export function refusalOf({ sku, asOfMs }: SkuAsOf, observation: Priced, excluded: Verdicts['excluded']) {
  const verdict = excluded.get(observation.observationId)
  if (verdict !== undefined) return verdict
  if (observation.observedAtMs <= expiryMs(sku.validityDays, asOfMs)) return 'EXPIRED'
  const { editionInForce } = sku
  return editionInForce !== undefined && observation.edition !== editionInForce ? 'SUPERSEDED' : null
}
