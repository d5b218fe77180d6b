import type { Terminal } from '@catalog/cli/shared/terminal.ts'
import type { Basis } from '@catalog/core/events/items.ts'
import type { ItemConfirmed } from '@catalog/core/events/matching.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { dispersionOf } from '@catalog/core/matching/dispersion.ts'
import { formatMoney } from '@catalog/core/money/money.ts'
import { parseRational, roundHalfEven } from '@catalog/core/money/rational.ts'
import { instant } from '@catalog/core/time.ts'
import { appendDecisions } from '@catalog/operations/append-decision.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
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
export async function* apartItems({ store }: Pick<Catalog, 'store'>, after: string): AsyncGenerator<ApartItem> {
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

/** `catalog review apart`: items whose vendors stand apart, with the split that would mend each. */
export async function listApart(
  catalog: Catalog,
  terminal: Terminal,
  { after = '', limit }: { after?: string; limit: number },
): Promise<void> {
  const items: ApartItem[] = []
  let cursor: string | null = null
  for await (const item of apartItems(catalog, after)) {
    if (items.length === limit) {
      cursor = items.at(-1)?.item_id ?? null
      break
    }
    items.push(item)
  }
  terminal.answer({ items, cursor }, () =>
    [
      items.length === 0 ? 'no item whose vendors stand apart' : items.map(apartText).join('\n\n'),
      ...(cursor === null ? [] : ['', `more: catalog review apart --after ${cursor}`]),
    ].join('\n'),
  )
  if (items.length > 0)
    terminal.next('catalog review split SKU... --reason "..." or catalog review keep ITEM --reason "..."')
}

/** An item with its groups, and the command that splits it. */
export function apartText({ item_id, name, unit, region, ratio, groups }: ApartItem): string {
  const offer = ({ source, article, cents, currency, vendor_sku_id }: ApartOffer) =>
    `    ${formatMoney(cents, currency)} | ${article ?? '-'} | ${source ?? '-'} | ${vendor_sku_id}`
  const smallest = groups.toSorted((a, b) => a.length - b.length)[0] as readonly ApartOffer[]
  return [
    `${name} (${unit ?? 'no unit'}), ${item_id}: vendors in ${region} stand ${ratio} times apart`,
    ...groups.flatMap((group, n) => [`  group ${n + 1}`, ...group.map(offer)]),
    `  split: catalog review split ${smallest.map(({ vendor_sku_id }) => vendor_sku_id).join(' ')} --reason "..."`,
  ].join('\n')
}

/** `catalog review keep`: the SKUs of an item are one product, though their prices stand apart. */
export async function confirmItem(
  catalog: Catalog,
  terminal: Terminal,
  { itemId, reason }: { itemId: string; reason: string },
): Promise<void> {
  const membership = await loadMembership(catalog.store, { vendorSkuIds: [], itemIds: [itemId] })
  const skuIds = [...(membership.skusOf.get(itemId)?.values() ?? [])].sort()
  if (skuIds.length === 0)
    throw new Error(`item '${itemId}': expected one with vendors, as catalog review apart lists it`)
  const confirmed: Omit<ItemConfirmed, 'v' | 'event_id' | 'recorded_at'> = {
    type: 'ItemConfirmed',
    decided_at: instant(catalog.now()),
    item_id: itemId,
    vendor_sku_ids: skuIds,
    reason,
  }
  await appendDecisions(catalog, TOPICS.decisions, [confirmed])
  terminal.answer(confirmed, () => `${itemId} stays one product of ${skuIds.length} vendor SKUs until another joins it`)
  terminal.next('catalog review apart')
}
