import { openJoinRule } from '@catalog/cli/shared/wire.ts'
import { PAY_ITEMS } from '@catalog/stack/road-bids/pay-items.ts'
import { expect, test } from 'vitest'
import { decidedItems } from './decided-items.ts'

/** Bids of several bidders, each in the units of one letting, told apart by name and unit alone: no item codes. */
const bids = [0, 1, 2, 0, 1, 2].flatMap((letting, bidder) =>
  PAY_ITEMS.map(({ code, name, units }) => ({
    vendorSkuId: `bidder-${bidder}/${code}`,
    sourceId: `bidder-${bidder}`,
    name,
    unit: units[letting] as string,
    lang: 'en',
    code,
  })),
)
const itemOf = decidedItems(bids, openJoinRule())
const items = Map.groupBy(bids, ({ vendorSkuId }) => itemOf.get(vendorSkuId) as string)

test('no item mixes two pay items: another type, class, depth, size or action', () => {
  const mixed = [...items.values()].map((members) => [...new Set(members.map(({ name }) => name))])
  expect(mixed.filter((names) => names.length > 1)).toEqual([])
})

test('equal names in equal units are never split', () => {
  const split = [...Map.groupBy(bids, ({ name, unit }) => `${name} | ${unit}`)].filter(
    ([, members]) => new Set(members.map(({ vendorSkuId }) => itemOf.get(vendorSkuId))).size > 1,
  )
  expect(split.map(([name]) => name)).toEqual([])
})
