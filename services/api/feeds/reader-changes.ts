import { itemPage, siteOf } from '@catalog/api/http/context.ts'
import { type FeedChange, PAGE_CHANGES } from '@catalog/core/changes/protocol.ts'
import type { PublicState } from '@catalog/core/events/items.ts'
import { readerOf, shownName } from '@catalog/core/names/shown-name.ts'
import { archivePath, feedTitle, regionOfScope, stateOf, subscriptionPath } from './feed-documents.ts'
import { type FeedFormat, feedTag, itemTag } from './feed-fields.ts'
import { departureOf, type Market, type Median, nameOf, summaryOf, titleOf } from './feed-text.ts'
import type { ReaderEntry, ReaderFeed } from './reader-feed.ts'

/**
 * The newest changes of a scope for feed readers: `items.atom?limit=20`. Law: together with the documents that `prev-archive`
 * leads to, it holds the newest kept change of every item of the scope.
 */
export function readerChanges({
  baseUrl,
  gen,
  scope,
  format,
  limit,
  floor,
  changes,
  formers,
}: Readonly<{
  /** https://HOST/v1 */
  baseUrl: string
  gen: string
  scope: string
  format: FeedFormat
  limit: number
  floor: bigint
  /** Ascending and without a gap up to the head. */
  changes: readonly FeedChange[]
  /** Public state of an item before its change, as JSON; null: it had left. Items without one are not compared. */
  formers: ReadonlyMap<string, string | null>
}>): ReaderFeed {
  const shown = newestOfEach(changes, limit)
  const path = subscriptionPath(scope, format)
  const at = (place: string) => `${baseUrl}/feeds/${place}`
  const self = at(`${path}?limit=${limit}`)
  const first = shown.at(-1)?.seq ?? 1n
  // The changes before the first one begin on this page. The open page answers with the subscription, which has them too.
  const page = Number((first - 2n) / BigInt(PAGE_CHANGES))
  const hasEarlier = first > floor + 1n
  return {
    id: feedTag(scope, baseUrl),
    title: feedTitle(scope),
    subtitle: `The items whose price or description changed last, at most ${limit}, newest first`,
    site: siteOf(baseUrl),
    links: [
      { rel: 'self', href: self },
      { rel: 'current', href: self },
      ...(hasEarlier ? [{ rel: 'prev-archive', href: at(archivePath({ gen, scope, page, format })) }] : []),
    ],
    entries: shown.map((change) => entryOf(change, { scope, baseUrl, formers })),
  }
}

/** The newest change of each item, newest first, at most `limit`. */
export function newestOfEach(changes: readonly FeedChange[], limit: number): FeedChange[] {
  const newest = new Map<string, FeedChange>()
  for (let i = changes.length - 1; i >= 0 && newest.size < limit; i--) {
    const change = changes[i] as FeedChange
    if (!newest.has(change.itemId)) newest.set(change.itemId, change)
  }
  return [...newest.values()]
}

function entryOf(
  change: FeedChange,
  { scope, baseUrl, formers }: { scope: string; baseUrl: string; formers: ReadonlyMap<string, string | null> },
): ReaderEntry {
  const { itemId, op, mergedInto, updatedUs } = change
  const region = regionOfScope(scope)
  const addressed = op === 'delete' ? mergedInto : itemId
  const entry = {
    id: itemTag(itemId, baseUrl),
    link: addressed === null ? null : itemPage(addressed, { baseUrl, region }),
    updatedUs,
  }
  if (op !== 'upsert') return { ...entry, title: departureOf(change, scope), summary: null, categories: [] }
  const state = stateFor(change, region)
  const market = region === undefined ? undefined : marketOf(region, formers.get(itemId))
  return {
    ...entry,
    title: titleOf(change, state, market),
    summary: `${nameOf(state.item)}. ${summaryOf(change, state, market)}`,
    categories: state.regions.map((region) => `region:${region}`),
  }
}

/** The state with the name that readers in the region know. */
function stateFor(change: FeedChange, region: string | undefined): PublicState {
  const state = stateOf(change)
  const { names = [], item } = state
  return { ...state, item: { ...item, name: shownName(names, { headline: item.name, ...readerOf(region, []) }) } }
}

function marketOf(region: string, former: string | null | undefined): Market {
  if (former === undefined) return { region }
  return { region, former: former === null ? null : medianIn(JSON.parse(former) as PublicState, region) }
}

const medianIn = ({ markets }: PublicState, region: string): Median | null =>
  markets.find((market) => market.region === region)?.median_price ?? null
