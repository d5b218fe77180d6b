import type { Blocks } from '@catalog/core/matching/blocking.ts'
import {
  type Assignment,
  assign,
  type ExistingItems,
  type MatchSku,
  matchKeys,
  RULE_VERSION,
} from '@catalog/core/matching/match.ts'
import { foundingUnit, type StatedPrice } from '@catalog/core/median/item-unit.ts'
import { conceptsOf } from '@catalog/embed/concepts/concepts.ts'
import type { Store } from '@catalog/store/db.ts'
import { textsAt, type Visibility, visibilityAt } from '@catalog/store/vendor/as-of-queries.ts'
import { foundedCounts, itemsByKeys, matchedItems, unmatchedSkuIds } from '@catalog/store/vendor/matching.ts'
import { appendDecisions, type Matching } from './append-decisions.ts'
import { type DecidedAliases, decidedAliasesAt, matchSku } from './match-sku.ts'
import { appendProposals } from './proposals.ts'
import { type Reopened, reopenedSkus } from './reopen.ts'

/** SKUs matched between two reads of the store; bounds memory, changes no result. */
const CHUNK_SKUS = 1_000

export type MatchReport = Readonly<{ matched: number; founded: number }>

/**
 * Gives an item to every SKU that has an observation at the cut but no item. Law: it takes SKUs in ascending id order
 * and each decision depends only on earlier ones, so a killed run that repeats decides the same.
 */
export async function matchNewSkus({
  blocks,
  onProgress = () => {},
  ...matching
}: Matching & {
  /** Blocking keys, beside the exact ones, that later joins find a SKU by. */
  blocks?: ((sku: MatchSku) => Blocks) | undefined
  onProgress?: (matched: number) => void
}): Promise<MatchReport> {
  const { store, cut } = matching
  const visibility = await visibilityAt(store, cut)
  const aliases = await decidedAliasesAt(store, cut)
  const reopened = await reopenedSkus(store, { visibility, aliases })
  let matched = 0
  let founded = 0
  let after: string | null = null
  for (;;) {
    // Those that lost their link first: whoever follows finds them where they now stand.
    const skuIds: readonly string[] =
      after === null ? [...reopened.keys()] : await unmatchedSkuIds(store, { visibility, after, limit: CHUNK_SKUS })
    const last = skuIds.at(-1)
    if (after === null && last === undefined) {
      after = ''
      continue
    }
    if (last === undefined) return { matched, founded }
    const texts = await textsAt(store, skuIds, visibility)
    const unmatched = [...texts.values()].map((text) => matchSku(text, aliases))
    const known = new Map(
      unmatched.map((sku) => [sku.vendorSkuId, { sku, price: texts.get(sku.vendorSkuId)?.payload.price }]),
    )
    const assignments = assign(unmatched, await existingItems(store, unmatched, { visibility, aliases }))
    const events = assignments.map(({ vendorSkuId, itemId, founding, n, keys, evidence }) => {
      const { sku, price } = known.get(vendorSkuId) as { sku: MatchSku; price: StatedPrice }
      return {
        type: 'SkuMatched' as const,
        decided_at: cut.asOf,
        vendor_sku_id: vendorSkuId,
        source_id: sku.sourceId,
        item_id: itemId,
        ...(founding ? { founding: { n, unit: foundingUnit(sku, price) } } : {}),
        keys: [...keys, ...(blocks?.(sku).stored ?? [])],
        rule_version: RULE_VERSION,
        by: 'rule' as const,
        evidence: {
          ...evidence,
          ...(reopened.has(vendorSkuId) && { reopened: (reopened.get(vendorSkuId) as Reopened).with }),
        },
      }
    })
    await appendDecisions(matching, events)
    await appendProposals(matching, RULE_VERSION, doubtsOf(assignments, reopened))
    await matching.catchUp()
    matched += assignments.length
    founded += assignments.filter(({ founding }) => founding).length
    after = after === null ? '' : last
    onProgress(matched)
  }
}

/** A SKU whose observations are retracted: it holds its place, and says nothing. */
function unseen(vendorSkuId: string, sourceId: string, { voices }: DecidedAliases): MatchSku {
  const voiceId = voices.get(sourceId)
  return { vendorSkuId, sourceId, ...(voiceId !== undefined && { voiceId }), name: '', unit: null, isSilent: true }
}

/** Reads, at once for a chunk of SKUs, all that `assign` needs to know of existing items. */
export async function existingItems(
  store: Store,
  unmatched: readonly MatchSku[],
  { visibility, aliases }: { visibility: Visibility; aliases: DecidedAliases },
): Promise<ExistingItems> {
  const found = await itemsByKeys(store, [...new Set(unmatched.flatMap(matchKeys))])
  const held = await matchedItems(store, [...new Set(found.map(({ itemId }) => itemId))])
  const heldIds = held.flatMap(({ members }) => members.map(({ skuId }) => skuId))
  const texts = await textsAt(store, heldIds, visibility)
  const skuOf = ({ skuId, sourceId }: { skuId: string; sourceId: string }) => {
    const text = texts.get(skuId)
    return text ? matchSku(text, aliases) : unseen(skuId, sourceId, aliases)
  }
  const items = new Map(
    held.map(({ itemId, founderId: founderVendorSkuId, members }) => [
      itemId,
      { itemId, founderVendorSkuId, members: members.map(skuOf) },
    ]),
  )
  const byKey = Map.groupBy(found, ({ key }) => key)
  const counts = await foundedCounts(
    store,
    unmatched.map(({ vendorSkuId }) => vendorSkuId),
  )
  return {
    byKey: (key) => (byKey.get(key) ?? []).flatMap(({ itemId }) => items.get(itemId) ?? []),
    foundedBefore: (vendorSkuId) => counts.get(vendorSkuId) ?? 0,
    haveOneMeaning: (a, b) => !conceptsOf(a.name).isDisjointFrom(conceptsOf(b.name)),
  }
}

/** For people: what a number alone would have joined, and the SKUs that lost their link beside what stays in their former item. */
function doubtsOf(assignments: readonly Assignment[], reopened: ReadonlyMap<string, Reopened>) {
  return assignments.flatMap(({ vendorSkuId, doubt }) => {
    const beside = reopened.get(vendorSkuId)?.beside
    return [
      ...(doubt === null ? [] : [{ other: doubt.with, why: `same ${doubt.key.split(':')[0]}, no common word` }]),
      ...(beside == null ? [] : [{ other: beside, why: 'its link is retracted or without trust' }]),
    ].map(({ other, why }) => ({
      vendor_sku_ids: [vendorSkuId, other].sort() as [string, string],
      score: DOUBT_SCORE,
      why: [why],
    }))
  })
}
/** As likely as not: no rule scored these pairs. */
const DOUBT_SCORE = 0.5
