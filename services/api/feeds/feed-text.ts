import type { FeedChange } from '@catalog/core/changes/protocol.ts'
import type { PublicState } from '@catalog/core/events/items.ts'
import { moneyText } from '@catalog/core/money/money-text.ts'

/** Texts that explain a change to people. Plain text: escape it for XML or HTML. */

export type Median = NonNullable<PublicState['item']['median_price']>

/** A price beside the one before it. */
export type Moved = Readonly<{
  present: Median | null
  former: Median | null
  isNew: boolean
  /** When it moved, in microseconds since 1970. */
  updatedUs: bigint
}>

/**
 * "Portland cement CEM II 42.5 R, 25 kg: 4.85 EUR, +3.2 % since 2 Nov, 7 vendors"; with a region whose price it says first
 * "4.85 EUR in ES, headline 5.20 USD, +3.2 % since 2 Nov, 7 vendors".
 */
export function titleOf(change: FeedChange, state: PublicState, region?: string): string {
  const { item } = state
  const headline = headlineOf(change, state)
  const facts =
    region === undefined
      ? [priceText(headline.present)]
      : [`${priceText(medianIn(state, region))} in ${region}`, `headline ${priceText(headline.present)}`]
  const shown = [...facts, movement(headline), vendors(item.vendor_count)]
  return `${nameOf(item)}: ${shown.filter((part) => part !== null).join(', ')}`
}

/** A few sentences: the price and the former one, vendors and observations, and the price of each region. */
export function summaryOf(change: FeedChange, state: PublicState, region?: string): string {
  return sentencesOf([
    region === undefined ? null : `in ${region} ${priceText(medianIn(state, region))}`,
    `${region === undefined ? '' : 'headline: '}${priceSentence(headlineOf(change, state))}`,
    ...standingOf(state),
  ])
}

/** Vendors and observations, editions, and where the item is sold at which price. */
export const standingOf = ({ item, markets, regions, editions }: PublicState): (string | null)[] => [
  `${vendors(item.vendor_count)}, ${item.observation_count === 1 ? '1 observation' : `${item.observation_count} observations`}`,
  editions === undefined ? null : `${editions.length === 1 ? 'edition' : 'editions'} ${editions.join(', ')}`,
  regions.length === 0 ? null : `sold in ${regions.join(', ')}`,
  markets.length === 0
    ? null
    : `by region: ${markets.map(({ region, median_price }) => `${region} ${priceText(median_price)}`).join(', ')}`,
]

/** Sentences of these parts, without those that are null. */
export function sentencesOf(parts: readonly (string | null)[]): string {
  return parts
    .filter((part) => part !== null)
    .map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}.`)
    .join(' ')
}

/** The title of a delete or a leave, for feeds without tombstones. */
export function departureOf({ itemId, op, mergedInto }: FeedChange, scope: string): string {
  if (op === 'leave') return `${itemId} is no longer sold in ${scope.replace('region/', '')}`
  return mergedInto === null ? `${itemId} left the catalog` : `${itemId} was merged into ${mergedInto}`
}

/** The name with the unit. */
export function nameOf({ name, unit }: PublicState['item']): string {
  return unit === null ? name : `${name}, ${unit}`
}

export const priceText = (median: Median | null): string => (median === null ? 'no price' : moneyText(median))

export const headlineOf = ({ formerMedian, version, updatedUs }: FeedChange, { item }: PublicState): Moved => ({
  present: item.median_price,
  former: formerMedian === null ? null : (JSON.parse(formerMedian) as Median),
  isNew: version === 1,
  updatedUs,
})

/** The median in a region; null without one. */
export const medianIn = ({ markets }: PublicState, region: string): Median | null =>
  markets.find((market) => market.region === region)?.median_price ?? null

export function priceSentence({ present, former, isNew, updatedUs }: Moved): string {
  if (isNew) return present === null ? 'new, without a price' : `new, at ${moneyText(present)}`
  if (former === null) return present === null ? 'no price' : `${moneyText(present)}, before without a price`
  const before = `${moneyText(former)}${since(former, updatedUs)}`
  if (present === null) return `no price any more, before that ${before}`
  return isEqual(former, present) ? `unchanged at ${before}` : `${moneyText(present)}, before that ${before}`
}

/** The price movement; null when the price stayed the same, or has nothing to compare with. */
export function movement({ present, former, isNew, updatedUs }: Moved): string | null {
  if (isNew) return 'new'
  if (former === null) return present === null ? null : 'before without a price'
  if (present === null || present.currency !== former.currency) return `before ${moneyText(former)}`
  if (isEqual(former, present)) return null
  return former.cents <= 0 ? null : `${percent(former.cents, present.cents)}${since(former, updatedUs)}`
}

export const isEqual = (a: Median, b: Median): boolean => a.cents === b.cents && a.currency === b.currency
export const vendors = (count: number): string => (count === 1 ? '1 vendor' : `${count} vendors`)

/** "+3.2 %": exact tenths, rounded half away from zero. A change that rounds to 0.0 becomes words. */
function percent(before: number, after: number): string {
  const [old, difference] = [BigInt(before), BigInt(after) - BigInt(before)]
  const size = difference < 0n ? -difference : difference
  const tenths = (2000n * size + old) / (2n * old)
  const isLess = difference < 0n
  if (tenths === 0n) return `${isLess ? 'down' : 'up'} by less than 0.1 %`
  return `${isLess ? '-' : '+'}${tenths / 10n}.${tenths % 10n} %`
}

/** " since 2 Nov", with the year where it differs from that of the change; empty for an unknown date. */
export function since({ recorded_at }: Median, updatedUs: bigint): string {
  if (recorded_at === null) return ''
  const date = new Date(recorded_at)
  const year = date.getUTCFullYear()
  const isOfThisYear = new Date(Number(updatedUs / 1000n)).getUTCFullYear() === year
  return ` since ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}${isOfThisYear ? '' : ` ${year}`}`
}
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
