import { itemPage, siteOf } from '@catalog/api/http/context.ts'
import type { PublicItem } from '@catalog/core/events/items.ts'
import type { PriceChange } from '@catalog/replica/read/price-changes.ts'
import { CATALOG, feedTag, itemTag } from './feed-fields.ts'
import { type Median, type Moved, movement, nameOf, priceSentence, priceText, sentencesOf } from './feed-text.ts'
import type { ReaderEntry, ReaderFeed } from './reader-feed.ts'

/** Feeds of price changes for people's readers and webhooks: each entry is one change, with the price before and after it. */

/** A change with the item as readers of the market see it. */
export type PricedChange = Readonly<{ item: PublicItem; change: PriceChange }>

type Place = Readonly<{
  /** https://HOST/v1 */
  baseUrl: string
  /** The market of the prices; undefined: the headline. */
  region: string | undefined
  /** Absolute address of the document. */
  self: string
}>

/** A merge of the item that was asked for. */
export type Merge = Readonly<{
  requested: string
  /** Microseconds since 1970; null where the change is no longer kept. */
  updatedUs: bigint | null
}>

export function itemPriceFeed({
  baseUrl,
  region,
  self,
  item,
  changes,
  merge,
}: Place & Readonly<{ item: PublicItem; changes: readonly PriceChange[]; merge: Merge | null }>): ReaderFeed {
  const subject = `changes of its median price net of tax${region === undefined ? '' : ` in ${region}`}`
  const merged = merge === null ? [] : mergeEntries(merge, { item, baseUrl, region })
  return {
    id: feedTag(`item/${merge?.requested ?? item.id}${region === undefined ? '' : `/${region}`}`, baseUrl),
    title: `${CATALOG}: ${nameOf(item)}`,
    subtitle:
      merge === null ? `${capitalized(subject)}, newest first` : `${mergeText(merge, item)}; ${subject}, newest first`,
    site: itemPage(item.id, { baseUrl, region }),
    links: linksOf(self),
    entries: newestFirst([...merged, ...changes.map((change) => entryOf({ item, change }, { baseUrl, region }))]),
  }
}

export function categoryPriceFeed({
  baseUrl,
  region,
  self,
  category,
  changes,
}: Place & Readonly<{ category: { id: string; name: string }; changes: readonly PricedChange[] }>): ReaderFeed {
  return {
    id: feedTag(`category/${category.id}${region === undefined ? '' : `/${region}`}`, baseUrl),
    title: `${CATALOG}: ${category.name}`,
    subtitle: `The last change of the median price${region === undefined ? '' : ` in ${region}`} of each item in it and below it, newest first`,
    site: `${siteOf(baseUrl)}categories/${category.id}`,
    links: linksOf(self),
    entries: newestFirst(changes.map((change) => entryOf(change, { baseUrl, region }))),
  }
}

const linksOf = (self: string) => ['self', 'current'].map((rel) => ({ rel, href: self }))
const newestFirst = (entries: readonly ReaderEntry[]) => entries.toSorted((a, b) => Number(b.updatedUs - a.updatedUs))
const capitalized = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** An id names the instant of the change, so that it stays over every replay and every new generation of the feeds. */
function entryOf({ item, change }: PricedChange, place: Pick<Place, 'baseUrl' | 'region'>): ReaderEntry {
  const { baseUrl, region } = place
  const moved = movedOf(change)
  const where = region === undefined ? '' : ` in ${region}`
  const facts = [`${priceText(moved.present)}${where}`, beforeText(moved), movedText(moved)]
  const sentence = region === undefined ? priceSentence(moved) : `in ${region} ${priceSentence(moved)}`
  return {
    id: `${itemTag(item.id, baseUrl)}/price/${region ?? 'headline'}/${change.recorded_at}`,
    title: `${nameOf(item)}: ${facts.filter((fact) => fact !== null).join(', ')}`,
    summary: `${nameOf(item)}. ${sentencesOf([sentence])}`,
    link: itemPage(item.id, place),
    updatedUs: moved.updatedUs,
    categories: region === undefined ? [] : [`region:${region}`],
  }
}

function movedOf({ recorded_at, cents, currency, updated_us, former }: PriceChange): Moved {
  return {
    present: medianOf({ cents, currency, recorded_at }),
    former: former === null ? null : medianOf(former),
    isNew: former === null,
    updatedUs: updated_us ?? BigInt(Date.parse(recorded_at)) * 1000n,
  }
}

const medianOf = ({ cents, currency, recorded_at }: NonNullable<PriceChange['former']>): Median | null =>
  cents === null || currency === null ? null : { cents, currency, recorded_at }

/** "before 4.70 EUR"; null for a first price, and for one after a gap, of which the movement says it. */
const beforeText = ({ former }: Moved) => (former === null ? null : `before ${priceText(former)}`)

/** "+3.2 %", without the date, which the summary says; null where the price before says it all. */
function movedText(moved: Moved): string | null {
  const { former, present } = moved
  const isComparable = former === null || (present !== null && present.currency === former.currency)
  return isComparable ? movement({ ...moved, former: former && { ...former, recorded_at: null } }) : null
}

const mergeText = ({ requested }: Merge, item: PublicItem) => `${requested} was merged into ${item.id}`

function mergeEntries(
  merge: Merge,
  { item, ...place }: Pick<Place, 'baseUrl' | 'region'> & Readonly<{ item: PublicItem }>,
): ReaderEntry[] {
  const { requested, updatedUs } = merge
  if (updatedUs === null) return []
  return [
    {
      id: `${itemTag(requested, place.baseUrl)}/merged`,
      title: mergeText(merge, item),
      summary: `The prices of this feed are those of ${nameOf(item)} (${item.id}).`,
      link: itemPage(item.id, place),
      updatedUs,
      categories: [],
    },
  ]
}
