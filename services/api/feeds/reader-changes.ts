import { itemPage, siteOf } from '@catalog/api/http/context.ts'
import { type FeedChange, pageChangesOf } from '@catalog/core/changes/protocol.ts'
import type { PublicState } from '@catalog/core/events/items.ts'
import { readerOf, shownName } from '@catalog/core/names/shown-name.ts'
import { archivePath, feedTitle, regionOfScope, stateOf, subscriptionPath } from './feed-documents.ts'
import { feedTag, itemTag, type ReaderFormat } from './feed-fields.ts'
import { nameOf } from './feed-text.ts'
import type { ReaderEntry, ReaderFeed } from './reader-feed.ts'
import { departureOf, isNews, summaryOf, titleOf } from './reader-text.ts'

/** The newest changes of a scope that mean something to readers. */
export type News = Readonly<{
  /** Newest first, each item once. */
  changes: readonly NewsChange[]
  /** Every change above this number that means something is among them, but for earlier ones of an item that is. */
  after: bigint
}>

/** A change with the item before it, by the name that readers in the region know; undefined: no longer known. */
export type NewsChange = Readonly<{ change: FeedChange; former: PublicState | null | undefined }>

type NewsSource = Readonly<{
  /** Ascending, without a gap. */
  changesOf: (range: Readonly<{ scope: string; after: bigint; limit: number }>) => Promise<readonly FeedChange[]>
  formersOf: (changes: readonly FeedChange[]) => Promise<readonly (string | null | undefined)[]>
}>

/** How far back news are looked for: some nights in which nothing but numbers of vendors changed. */
const NEWS_CHANGES_MAX = 1_000
/** As a rule an item changes once in a run, and the change means something. */
const READ_CHANGES_MIN = 100

/** The news of at most `limit` items, from the head back. */
export async function readNews(
  { scope, head, floor, limit }: Readonly<{ scope: string; head: bigint; floor: bigint; limit: number }>,
  { changesOf, formersOf }: NewsSource,
): Promise<News> {
  const region = regionOfScope(scope)
  const found = new Map<string, NewsChange>()
  const least = laterOf(floor, head - BigInt(NEWS_CHANGES_MAX))
  const step = BigInt(Math.max(2 * limit, READ_CHANGES_MIN))
  let after = head
  while (found.size < limit && after > least) {
    const from = laterOf(least, after - step)
    const changes = await changesOf({ scope, after: from, limit: Number(after - from) })
    const formers = await formersOf(changes)
    for (let i = changes.length - 1; i >= 0 && found.size < limit; i--) {
      const change = changes[i] as FeedChange
      if (found.has(change.itemId)) continue
      const news = { change, former: formerState(formers[i], region) }
      if (change.op !== 'upsert' || isNews({ ...news, state: shownState(change, region) }, region))
        found.set(change.itemId, news)
    }
    after = from
  }
  const changes = [...found.values()]
  const oldest = changes.at(-1)?.change.seq
  return { changes, after: found.size === limit && oldest !== undefined ? oldest - 1n : after }
}

const laterOf = (a: bigint, b: bigint) => (a > b ? a : b)

/**
 * The newest news of a scope for feed readers: `items.atom?limit=20`. Law: together with the documents that `prev-archive`
 * leads to, it holds the newest kept change of every item of the scope that means something to readers.
 */
export function readerChanges({
  baseUrl,
  gen,
  scope,
  format,
  limit,
  floor,
  news,
  successors,
}: Readonly<{
  /** https://HOST/v1 */
  baseUrl: string
  gen: string
  scope: string
  format: ReaderFormat
  limit: number
  floor: bigint
  news: News
  /** The present items that others were merged into, by the id that a merge names; without those that left since. */
  successors: Successors
}>): ReaderFeed {
  const path = format === 'json' ? `${scope}.json` : subscriptionPath(scope, format)
  const at = (place: string) => `${baseUrl}/feeds/${place}`
  const self = at(`${path}?limit=${limit}`)
  // The changes before the first one begin on this page. The open page answers with the subscription, which has them too.
  const page = Number((news.after - 1n) / BigInt(pageChangesOf(gen)))
  const hasEarlier = news.after > floor
  return {
    id: feedTag(scope, baseUrl),
    title: feedTitle(scope),
    subtitle: `The items whose price or description changed last, at most ${limit}, newest first`,
    site: siteOf(baseUrl),
    links: [
      { rel: 'self', href: self },
      { rel: 'current', href: self },
      ...(hasEarlier && format !== 'json'
        ? [{ rel: 'prev-archive', href: at(archivePath({ gen, scope, page, format })) }]
        : []),
    ],
    entries: news.changes.map((change) => entryOf(change, { baseUrl, region: regionOfScope(scope), successors })),
  }
}

/** An item by its id and its name, with the unit. */
export type Successors = ReadonlyMap<string, Readonly<{ id: string; name: string }>>

function entryOf(
  { change, former }: NewsChange,
  { baseUrl, region, successors }: Readonly<{ baseUrl: string; region: string | undefined; successors: Successors }>,
): ReaderEntry {
  const { itemId, op, mergedInto, updatedUs } = change
  const linkTo = (id: string) => itemPage(id, { baseUrl, region })
  const entry = { id: itemTag(itemId, baseUrl), updatedUs }
  if (op === 'upsert') {
    const told = { change, state: shownState(change, region), former }
    return {
      ...entry,
      link: linkTo(itemId),
      title: titleOf(told, region),
      summary: summaryOf(told, region),
      categories: told.state.regions.map((sold) => `region:${sold}`),
    }
  }
  const successor = mergedInto === null ? undefined : successors.get(mergedInto)
  // An item that left one region has its page still.
  const addressed = op === 'leave' ? itemId : successor?.id
  const name = former ? nameOf(former.item) : null
  return {
    ...entry,
    link: addressed === undefined ? null : linkTo(addressed),
    title: departureOf(change, { name, successor: successor?.name ?? null, region }),
    summary: null,
    categories: [],
  }
}

const formerState = (former: string | null | undefined, region: string | undefined) =>
  typeof former === 'string' ? namedFor(JSON.parse(former) as PublicState, region) : former

const shownState = (change: FeedChange, region: string | undefined) => namedFor(stateOf(change), region)

/** The state with the name that readers in the region know. */
function namedFor(state: PublicState, region: string | undefined): PublicState {
  const { names = [], item } = state
  return { ...state, item: { ...item, name: shownName(names, { headline: item.name, ...readerOf(region, []) }) } }
}
