import type { FeedChange } from '@catalog/core/changes/protocol.ts'
import type { PublicState } from '@catalog/core/events/items.ts'
import { moneyText } from '@catalog/core/money/money-text.ts'
import {
  headlineOf,
  isEqual,
  type Median,
  type Moved,
  medianIn,
  movement,
  nameOf,
  priceSentence,
  priceText,
  sentencesOf,
  since,
  standingOf,
  vendors,
} from './feed-text.ts'

/**
 * What a change means to people, in plain text. Readers of a region see its prices, names and vendors alone. Texts of
 * mirrors' documents, which a generation keeps: feed-text.ts.
 */

/** A change of an item that is there, with its state before: null: it was not; undefined: that is no longer known. */
export type Told = Readonly<{ change: FeedChange; state: PublicState; former: PublicState | null | undefined }>

/** Whether the change has a meaning for readers: a price, the name, the unit, a region or the category is another. */
export function isNews(told: Told, region: string | undefined): boolean {
  const isChanged = told.former === undefined || !isSame(shownPrice(told, region).moved)
  return isChanged || marketsOf(told, region).length > 0 || notesOf(told, region).length > 0
}

/** "Portland cement, 25 kg: 4.85 EUR in ES, +3.2 % since 2 Nov, 7 vendors": the price, then whatever changed. */
export function titleOf(told: Told, region: string | undefined): string {
  const { text, moved } = shownPrice(told, region)
  const facts = [text, movement(moved)]
  const elsewhere = isSame(moved) ? elsewhereOf(marketsOf(told, region)) : []
  const count = vendors(vendorCount(told.state, region))
  return `${nameOf(told.state.item)}: ${[...facts, ...elsewhere, ...notesOf(told, region), count].filter((fact) => fact !== null).join(', ')}`
}

/** A few sentences: the name, the price with the one before it, whatever else changed, and how the item stands. */
export function summaryOf(told: Told, region: string | undefined): string {
  const { where, moved } = shownPrice(told, region)
  const { state } = told
  const standing =
    region === undefined
      ? standingOf(state)
      : [vendors(vendorCount(state, region)), ...standingOf({ ...state, markets: [] }).slice(1)]
  const sentences = [
    `${where}${isSame(moved) ? standingPrice(moved) : priceSentence(moved)}`,
    ...marketsOf(told, region).map((market) => `${market.region} ${priceSentence(market.moved)}`),
    ...notesOf(told, region),
    ...standing,
  ]
  return `${nameOf(state.item)}. ${sentencesOf(sentences)}`
}

/** The price that the reader sees: that of the region, else the headline. */
function shownPrice(
  { change, state, former }: Told,
  region: string | undefined,
): Readonly<{ text: string; where: string; moved: Moved }> {
  const headline = { ...headlineOf(change, state), ...(isNewTo(former, region) ? { isNew: true } : {}) }
  if (region === undefined) return { text: priceText(headline.present), where: '', moved: headline }
  const [present, before] = [medianIn(state, region), former ? medianIn(former, region) : null]
  if (present === null && before === null)
    return {
      text: `no price in ${region}, headline ${priceText(headline.present)}`,
      where: `no price in ${region}; headline: `,
      moved: headline,
    }
  // Without a known price before, the present one stands alone.
  const moved = { ...headline, present, former: former === undefined ? present : before }
  return { text: `${priceText(present)} in ${region}`, where: `in ${region} `, moved }
}

const isNewTo = (former: PublicState | null | undefined, region: string | undefined): boolean =>
  former === null || (former !== undefined && region !== undefined && !former.regions.includes(region))

const isSame = ({ present, former, isNew }: Moved): boolean => !isNew && isPair(present, former)

const isPair = (a: Median | null, b: Median | null): boolean => (a === null || b === null ? a === b : isEqual(a, b))

const standingPrice = ({ present, updatedUs }: Moved): string =>
  present === null ? 'no price' : `${moneyText(present)}${since(present, updatedUs)}`

type MovedMarket = Readonly<{ region: string; moved: Moved }>

/**
 * The regions whose medians moved otherwise than the headline, for readers of all regions: each movement once, countries
 * first, since the prices of EU and LATAM follow theirs. Notes tell the regions that the item joined or left.
 */
function marketsOf(told: Told, region: string | undefined): MovedMarket[] {
  const { change, state, former } = told
  if (region !== undefined || !former) return []
  const isUnion = (name: string) => Number(name === 'EU' || name === 'LATAM')
  const moves = [shownPrice(told, region).moved]
  const found: MovedMarket[] = []
  for (const name of state.regions.toSorted((a, b) => isUnion(a) - isUnion(b))) {
    const { updatedUs } = change
    const moved = { present: medianIn(state, name), former: medianIn(former, name), isNew: false, updatedUs }
    const isKnown = moves.some((known) => isPair(known.present, moved.present) && isPair(known.former, moved.former))
    if (!former.regions.includes(name) || isSame(moved) || isKnown) continue
    moves.push(moved)
    found.push({ region: name, moved })
  }
  return found
}

/** Most regions whose prices a title says. */
const TITLE_REGIONS_MAX = 2

function elsewhereOf(markets: readonly MovedMarket[]): string[] {
  const more = markets.length - TITLE_REGIONS_MAX
  return [
    ...markets.slice(0, TITLE_REGIONS_MAX).map(({ region, moved }) => {
      const moves = movement(moved)
      return `${region} ${priceText(moved.present)}${moves === null ? '' : ` (${moves})`}`
    }),
    ...(more > 0 ? [`${more} more ${more === 1 ? 'region' : 'regions'}`] : []),
  ]
}

/** What changed besides prices. Readers of a region see no other region's. */
function notesOf({ state, former }: Told, region: string | undefined): string[] {
  if (!former || isNewTo(former, region)) return []
  const without = (these: readonly string[], those: readonly string[]) =>
    region === undefined ? these.filter((name) => !those.includes(name)) : []
  const [joined, left] = [without(state.regions, former.regions), without(former.regions, state.regions)]
  return [
    ...(nameOf(former.item) === nameOf(state.item) ? [] : [`before named "${nameOf(former.item)}"`]),
    ...(joined.length === 0 ? [] : [`now sold in ${joined.join(', ')}`]),
    ...(left.length === 0 ? [] : [`no longer sold in ${left.join(', ')}`]),
    ...(former.item.category_id === state.item.category_id ? [] : ['in another category']),
  ]
}

const vendorCount = ({ item, markets }: PublicState, region: string | undefined): number =>
  markets.find((market) => market.region === region)?.vendor_count ?? item.vendor_count

/** "Portland cement, 25 kg was merged into Cement CEM II, 25 kg". Names are null where they are no longer known. */
export function departureOf(
  { itemId, op, mergedInto }: FeedChange,
  { name, successor, region }: Readonly<{ name: string | null; successor: string | null; region: string | undefined }>,
): string {
  const subject = name ?? itemId
  if (op === 'leave') return `${subject} is no longer sold in ${region}`
  return mergedInto === null ? `${subject} left the catalog` : `${subject} was merged into ${successor ?? mergedInto}`
}
