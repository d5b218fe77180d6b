import type { Store } from '@catalog/store/db.ts'
import { type FreshSku, freshMerges, freshSkus, unlooked } from '@catalog/store/vendor/matching.ts'

/**
 * What a rule matched and no run has looked at yet, as of an instant: the SKUs that are looked at, and their items as they
 * were before the first of them was joined. Law: a run that was killed while joining reads the same again, and besides what
 * it has joined; a run of an earlier day in between changes nothing in that.
 */
export type PendingSkus = Readonly<{
  /** SKUs that are alike stand near each other, so that those who are looked at together are mostly compared together. */
  skus: readonly FreshSku[]
  /** The item of a fresh SKU before joining; undefined of any other. */
  itemOf: (skuId: string) => string | undefined
  /** The fresh SKUs of an item before joining. */
  skusOf: (itemId: string) => readonly FreshSku[]
  /** The founder of an item that a rule may join to another; undefined of one that was there before or that a person merged. */
  founderOf: (itemId: string) => string | undefined
  /** Items that were merged since then, and into which. */
  joinedTo: ReadonlyMap<string, string>
}>

/** Decisions read at once. */
const PAGE_SKUS = 5_000

export async function readPendingSkus(store: Store, asOf: string): Promise<PendingSkus> {
  const waiting = await unlooked(store)
  const skus: FreshSku[] = []
  for (let from = waiting.firstOffset; ; ) {
    const page = await freshSkus(store, { unlooked: waiting, asOf, from, limit: PAGE_SKUS })
    const last = page.at(-1)
    if (last === undefined) break
    skus.push(...page)
    from = last.offset + 1n
  }
  const merges = skus.length === 0 ? [] : await freshMerges(store, waiting)
  const into = new Map(merges.map((merge) => [merge.from, merge.into]))
  const byPerson = new Set(merges.filter(({ byRule }) => !byRule).flatMap((merge) => [merge.from, merge.into]))

  // Where its item went with it, it still is of that item; where a person took it out, it is not.
  const itemOf = new Map(
    skus.map((sku) => [sku.skuId, survivorOf(into, sku.givenItemId) === sku.itemId ? sku.givenItemId : sku.itemId]),
  )
  const skusOf = Map.groupBy(skus, ({ skuId }) => itemOf.get(skuId) as string)
  const founders = new Map(skus.filter(({ founded }) => founded).map((sku) => [sku.givenItemId, sku.skuId]))
  return {
    skus: skus.toSorted(compareBlocks),
    itemOf: (skuId) => itemOf.get(skuId),
    skusOf: (itemId) => skusOf.get(itemId) ?? [],
    founderOf: (itemId) => (byPerson.has(itemId) ? undefined : founders.get(itemId)),
    joinedTo: new Map([...into.keys()].map((itemId) => [itemId, survivorOf(into, itemId)])),
  }
}

/** The item that holds the SKUs of `itemId` after these merges. */
export function survivorOf(into: ReadonlyMap<string, string>, itemId: string): string {
  let at = itemId
  for (let next = into.get(at); next !== undefined; next = into.get(at)) at = next
  return at
}

function compareBlocks(a: FreshSku, b: FreshSku): number {
  const [one, other] = [a.firstBlock ?? '', b.firstBlock ?? '']
  return one < other ? -1 : one > other ? 1 : a.skuId < b.skuId ? -1 : 1
}
