import { survivorOf } from '@catalog/core/matching/membership.ts'
import { openMemo } from '@catalog/core/memo.ts'
import type { Store } from '@catalog/store/db.ts'
import { type PendingSku, pendingDecisions, pendingMerges, pendingSkus } from '@catalog/store/vendor/matching.ts'
import type { SkuRef } from './sku-descriptions.ts'

/**
 * SKUs that the matcher placed and no run has joined yet, as of an instant, with their items before the first join.
 * Law: a run that was killed while joining reads the same again, plus what it has joined; a run of an earlier day in
 * between changes nothing.
 */
export type PendingSkus = Readonly<{
  /** Those that brought their item a new text, ordered by block, so that similar SKUs mostly share a chunk. */
  skus: readonly PendingSku[]
  /** The item of a pending SKU before joining; undefined for any other SKU. */
  itemOf: (skuId: string) => string | undefined
  /** The pending SKUs of an item before joining. */
  skusOf: (itemId: string) => readonly SkuRef[]
  /**
   * The founder of an item that a rule may join to another; undefined for an older item or one that a person merged.
   */
  founderOf: (itemId: string) => string | undefined
  /** For each item merged since then, the item that holds its SKUs now. */
  joinedTo: ReadonlyMap<string, string>
}>

/** Decisions read at once, some 300 bytes each; bounds memory, changes no result. */
const PAGE_DECISIONS = 100_000

export async function readPendingSkus(store: Store, asOf: string): Promise<PendingSkus> {
  const waiting = await pendingDecisions(store)
  const merges = await pendingMerges(store, waiting)
  const into = targetsOf(merges)
  const byPerson = new Set(merges.filter(({ byRule }) => !byRule).flatMap((merge) => [merge.from, merge.into]))
  const skus: PendingSku[] = []
  const itemOf = new Map<string, string>()
  const skusOf = new Map<string, SkuRef[]>()
  const founders = new Map<string, string>()
  const texts = openMemo<string>(SHARED_MAX)
  const shared = (id: string) => texts(id, () => id)
  for (let from = waiting.firstOffset; from < waiting.endOffset; from += BigInt(PAGE_DECISIONS)) {
    const page = await pendingSkus(store, { pendingDecisions: waiting, asOf, from, count: PAGE_DECISIONS })
    for (const sku of page) {
      const { skuId, givenItemId } = sku
      // A SKU that moved with its item still counts for it; one that a person moved does not.
      const itemId = shared(survivorOf(into, givenItemId) === sku.itemId ? givenItemId : sku.itemId)
      itemOf.set(skuId, itemId)
      const held = skusOf.get(itemId) ?? []
      skusOf.set(itemId, held)
      held.push({ skuId, sourceId: shared(sku.sourceId) })
      if (sku.founded) founders.set(givenItemId, skuId)
      if (!sku.hasKnownText) skus.push(sku)
    }
  }
  return {
    skus: skus.sort(compareBlocks),
    itemOf: (skuId) => itemOf.get(skuId),
    skusOf: (itemId) => skusOf.get(itemId) ?? [],
    founderOf: (itemId) => (byPerson.has(itemId) ? undefined : founders.get(itemId)),
    joinedTo: new Map([...into.keys()].map((itemId) => [itemId, survivorOf(into, itemId)])),
  }
}

/** The item into which each merged item went, of merges in order. One that would close a circle does nothing. */
export function targetsOf(merges: Iterable<Readonly<{ from: string; into: string }>>): ReadonlyMap<string, string> {
  const targets = new Map<string, string>()
  for (const merge of merges) {
    const [from, into] = [survivorOf(targets, merge.from), survivorOf(targets, merge.into)]
    if (from !== into) targets.set(from, into)
  }
  return targets
}

/** Ids of items and sources of which one text serves all copies: a first run reads a million rows of some thousand. */
const SHARED_MAX = 1_000_000

function compareBlocks(a: PendingSku, b: PendingSku): number {
  const [one, other] = [a.firstBlock ?? '', b.firstBlock ?? '']
  return one < other ? -1 : one > other ? 1 : a.skuId < b.skuId ? -1 : 1
}
