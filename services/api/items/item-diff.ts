import type { ItemDiff } from '@catalog/api/contract/contract.ts'
import type { PublicState } from '@catalog/core/events/items.ts'
import { compareText } from '@catalog/core/text.ts'

type Money = Readonly<{ cents: number; currency: string }>

/** What an item showed at an instant. */
export type DiffedState = Readonly<{
  /** Values of {@link ItemDiff} fields by name; null: not published then; undefined: not kept. */
  fields: Readonly<Record<string, Value>> | null | undefined
  /** By region; '' for the headline. The vendors are null where they are not kept. */
  markets: ReadonlyMap<string, Readonly<{ median: Money | null; vendors: number | null }>>
}>
type Value = string | number | readonly string[] | null

export function publishedState({ item, regions, markets, kind }: PublicState): DiffedState {
  const { name, unit, cpv, category_id, vendor_count, observation_count } = item
  const money = (median: PublicState['item']['median_price']) =>
    median && { cents: median.cents, currency: median.currency }
  return {
    fields: { name, unit, cpv, category_id, kind: kind ?? null, vendor_count, observation_count, regions },
    markets: new Map([
      ['', { median: money(item.median_price), vendors: vendor_count }],
      ...markets.map(
        ({ region, median_price, vendor_count: vendors }) =>
          [region, { median: money(median_price), vendors }] as const,
      ),
    ]),
  }
}

/**
 * Compares two states: the fields that differ, in the order of the item, and the markets by region, the headline first.
 * Fields are compared only where both are kept; an item that was not published has null for each.
 */
export function differences(from: DiffedState, to: DiffedState): Pick<ItemDiff, 'fields' | 'markets'> {
  return { fields: changedFields(from.fields, to.fields), markets: changedMarkets(from, to) }
}

function changedFields(from: DiffedState['fields'], to: DiffedState['fields']): ItemDiff['fields'] {
  if (from === undefined || to === undefined) return []
  const names = Object.keys(to ?? from ?? {})
  return names.flatMap((field) => {
    const [was, is] = [from?.[field] ?? null, to?.[field] ?? null]
    return JSON.stringify(was) === JSON.stringify(is)
      ? []
      : [{ field, from: was, to: is } as ItemDiff['fields'][number]]
  })
}

function changedMarkets(from: DiffedState, to: DiffedState): ItemDiff['markets'] {
  const regions = [...new Set([...from.markets.keys(), ...to.markets.keys()])].sort(compareText)
  return regions.flatMap((region) => {
    const [was, is] = [from.markets.get(region), to.markets.get(region)]
    const median = { from: was?.median ?? null, to: is?.median ?? null }
    const vendors = { from: vendorsOf(from, region), to: vendorsOf(to, region) }
    const isKept = vendors.from !== null && vendors.to !== null
    const isSame =
      median.from?.cents === median.to?.cents &&
      median.from?.currency === median.to?.currency &&
      (!isKept || vendors.from === vendors.to)
    if (isSame) return []
    return [
      {
        region: region === '' ? null : region,
        median,
        change_percent: changePercent(median.from, median.to),
        vendor_count: vendors,
      },
    ]
  })
}

/** Vendors in a market: 0 where the item is not sold; null where that is not kept. */
function vendorsOf({ fields, markets }: DiffedState, region: string): number | null {
  return fields === undefined ? null : (markets.get(region)?.vendors ?? 0)
}

/** With two decimals; null between two currencies, and from or to no price. */
function changePercent(from: Money | null, to: Money | null): number | null {
  if (from === null || to === null || from.currency !== to.currency || from.cents === 0) return null
  return Math.round((10_000 * (to.cents - from.cents)) / Math.abs(from.cents)) / 100
}
