import type { Basis } from '@catalog/core/events/items.ts'
import type { ItemConfirmed } from '@catalog/core/events/matching.ts'
import { dispersionOf } from '@catalog/core/matching/dispersion.ts'
import { parseRational, roundHalfEven } from '@catalog/core/money/rational.ts'
import { type Content, decide } from '@catalog/operations/append-decision.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { type Outcome, type Paging, pageOf } from '@catalog/operations/outcome.ts'
import { readSkuNames } from '@catalog/store/catalog/detail.ts'
import { type ItemBasisRow, itemsOfVendors } from '@catalog/store/catalog/dispersed.ts'
import { loadMembership } from '@catalog/store/vendor/decisions.ts'

/** An offer of an item whose vendors stand apart. */
export type ApartOffer = Readonly<{
  vendor_sku_id: string
  source: string | null
  article: string | null
  cents: number
  currency: string
}>

/** An item whose vendors stand apart in one market, with the split that would bring them back together. */
export type ApartItem = Readonly<{
  item_id: string
  name: string
  unit: string | null
  region: string
  ratio: number
  /** Offers of like prices, the cheapest group first. */
  groups: readonly (readonly ApartOffer[])[]
}>

/** Items read at once. */
const PAGE_ITEMS = 500

/** Items whose vendors stand apart, in id order after `after`, without those that a person confirmed. */
async function* apartItems({ store }: Pick<Catalog, 'store'>, after: string): AsyncGenerator<ApartItem> {
  for (let from = after; ; ) {
    const page = await itemsOfVendors(store, { after: from, limit: PAGE_ITEMS })
    const last = page.at(-1)
    if (last === undefined) return
    for (const row of page) {
      const found = await apartItem(store, row)
      if (found !== null) yield found
    }
    from = last.itemId
  }
}

async function apartItem(store: Catalog['store'], row: ItemBasisRow): Promise<ApartItem | null> {
  const { votes } = JSON.parse(row.basis) as Basis
  const { groups, region, ratio } = dispersionOf(votes)
  if (groups === null || groups.flat().every((skuId) => row.confirmed.includes(skuId))) return null
  const ofMarket = new Map(
    votes.filter(({ markets }) => markets.includes(region as string)).map((vote) => [vote.vendor_sku_id, vote]),
  )
  const names = await readSkuNames(store, {
    skuIds: [],
    observationIds: [...ofMarket.values()].map(({ observation_id }) => observation_id),
  })
  return {
    item_id: row.itemId,
    name: row.name,
    unit: row.unit,
    region: region as string,
    ratio: ratio as number,
    groups: groups.map((group) =>
      group.map((skuId): ApartOffer => {
        const vote = ofMarket.get(skuId) as Basis['votes'][number]
        const name = names.get(vote.observation_id)
        return {
          vendor_sku_id: skuId,
          source: name?.source_name ?? vote.source_id,
          article: name?.name ?? null,
          cents: Number(roundHalfEven(parseRational(vote.price))),
          currency: vote.currency,
        }
      }),
    ),
  }
}

/** One page of them. */
export async function apartPage(catalog: Catalog, { after = '', limit }: Paging) {
  const found: ApartItem[] = []
  for await (const item of apartItems(catalog, after)) if (found.push(item) > limit) break
  const { rows: items, cursor } = pageOf(found, { limit, placeOf: ({ item_id }) => item_id })
  return { items, cursor }
}

/** Keeps the SKUs of an item together as one product, though their prices stand apart. */
export async function confirmItem(
  catalog: Catalog,
  { itemId, reason }: { itemId: string; reason: string },
): Promise<Outcome<Content<ItemConfirmed>>> {
  const membership = await loadMembership(catalog.store, { vendorSkuIds: [], itemIds: [itemId] })
  const skuIds = [...(membership.skusOf.get(itemId)?.values() ?? [])].sort()
  if (skuIds.length === 0)
    throw new Error(`item '${itemId}': expected one with vendors, as catalog review apart lists it`)
  const content = { type: 'ItemConfirmed' as const, item_id: itemId, vendor_sku_ids: skuIds, reason }
  const value = await decide(catalog, content)
  return { value, said: `${itemId} stays one product of ${skuIds.length} vendor SKUs until another joins it` }
}
