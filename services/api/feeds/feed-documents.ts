import { itemPage, siteOf } from '@catalog/api/http/context.ts'
import { chainStart } from '@catalog/core/changes/change.ts'
import {
  CCM_NAMESPACE,
  type FeedChange,
  type FeedState,
  feedVersionOf,
  PROTOCOL,
  pageChangesOf,
} from '@catalog/core/changes/protocol.ts'
import { type Signer, signedBy } from '@catalog/core/changes/signature.ts'
import type { PublicState } from '@catalog/core/events/items.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import {
  ATOM_NAMESPACES,
  CATALOG,
  FEED_TYPES,
  type FeedFormat,
  feedTag,
  HISTORY,
  htmlOf,
  isoMicroseconds,
  itemTag,
  type Link,
  RSS_NAMESPACES,
  rfc822,
} from './feed-fields.ts'
import { departureOf, nameOf, summaryOf, titleOf } from './feed-text.ts'
import { finished, type Steps } from './render-queue.ts'
import { container, element, XML_DECLARATION } from './xml.ts'

/**
 * The feed documents of docs/mirror-protocol.md, as pure functions of changes: equal changes give equal bytes,
 * whichever process renders them. An archive therefore never changes, and tests can render the bytes that a server
 * would.
 */
export type FeedPage = Readonly<{
  /** https://HOST/v1 */
  baseUrl: string
  gen: string
  scope: string
  kind: 'subscription' | 'archive' | 'since'
  /** Number of the page, for an archive. */
  page?: number
  floor: bigint
  /** Ascending, without a gap. */
  changes: readonly FeedChange[]
  /** The chain at the floor, for a document without changes; absent: chain_0. */
  startChain?: Uint8Array
  /** Addresses below /feeds/ of a `since` answer: its own, and the next one, which is null at the head. */
  since?: Readonly<{ self: string; next: string | null }>
}>

/** Atom (RFC 4287) with paging (5005) and tombstones (6721). */
export const atomOf = (page: FeedPage): string => finished(atomSteps(page))

export function* atomSteps(page: FeedPage): Steps<string> {
  const { baseUrl, scope } = page
  const head = [
    element('id', feedTag(scope, baseUrl)),
    element('title', feedTitle(scope)),
    element('subtitle', SUBTITLES[page.kind]),
    element('updated', isoMicroseconds(page.changes.at(-1)?.updatedUs ?? 0n)),
    container('author', [element('name', CATALOG)]),
    ...linksOf(page, 'atom').map(({ rel, href, type }) => element('link', undefined, { rel, type, href })),
    ...(page.kind === 'archive' ? [element('fh:archive')] : []),
    ...protocolHead(page),
  ]
  // Extension elements precede all entries: the grammar of RFC 4287 allows none after the first.
  const foreign: string[] = []
  const entries: string[] = []
  for (const { change, isSuperseded } of shownOf(page)) {
    if (isSuperseded) foreign.push(supersededOf(change))
    else if (change.op === 'upsert') entries.push(atomEntry(change, page))
    else foreign.push(deletedEntry(change, baseUrl))
    yield
  }
  return `${XML_DECLARATION}${container('feed', [...head, ...foreign, ...entries], { ...ATOM_NAMESPACES, ...PROTOCOL_NAMESPACES })}\n`
}

/** RSS 2.0 with the same `ccm:` elements. A tombstone is an ordinary item, because RSS has no form for it. */
export const rssOf = (page: FeedPage): string => finished(rssSteps(page))

export function* rssSteps(page: FeedPage): Steps<string> {
  const { baseUrl, scope, changes } = page
  const newest = changes.at(-1)
  const head = [
    element('title', feedTitle(scope)),
    element('link', siteOf(baseUrl)),
    element('description', SUBTITLES[page.kind]),
    ...(newest === undefined ? [] : [element('lastBuildDate', rfc822(newest.updatedUs))]),
    ...linksOf(page, 'rss')
      .filter(({ rel }) => rel !== 'alternate')
      .map(({ rel, href, type }) => element('atom:link', undefined, { rel, type, href })),
    ...(page.kind === 'archive' ? [element('fh:archive')] : []),
    ...protocolHead(page),
  ]
  const items: string[] = []
  const superseded: string[] = []
  for (const { change, isSuperseded, isNewest } of shownOf(page)) {
    // A document may hold a guid once. An item that changed on both sides of a mark uses its own only for the newest
    // change.
    const guid = isNewest ? itemTag(change.itemId, baseUrl) : `${feedTag(scope, baseUrl)}/${change.seq}`
    if (isSuperseded) superseded.push(supersededOf(change))
    else items.push(rssItem(change, { guid, page }))
    yield
  }
  const channel = container('channel', [...head, ...superseded, ...items])
  return `${XML_DECLARATION}${container('rss', [channel], { ...RSS_NAMESPACES, ...PROTOCOL_NAMESPACES })}\n`
}

/** One JSON object per line, ascending, without superseded changes. `state` comes last, in its canonical bytes. */
export const ndjsonOf = (changes: readonly FeedChange[]): string => finished(ndjsonSteps(changes))

export function* ndjsonSteps(changes: readonly FeedChange[]): Steps<string> {
  const lines: string[] = []
  for (const change of changes) {
    lines.push(`${ndjsonLine(change)}\n`)
    yield
  }
  return lines.join('')
}

/** A mirror that gets no newer state.json for so long knows that somebody stopped the one that it reads. */
const STATE_VALID_MS = 2 * DAY_MS

/** The state.json document; with `signing` signed, as of that instant. */
export function stateJson(
  state: FeedState,
  signing: Readonly<{ signer: NonNullable<Signer>; generatedMs: number }> | null = null,
): string {
  if (signing === null) return JSON.stringify(stateDocument(state))
  const { signer, generatedMs } = signing
  const dated = {
    ...stateDocument(state),
    generated_at: instant(new Date(generatedMs)),
    valid_until: instant(new Date(generatedMs + STATE_VALID_MS)),
    keys: KEYS_PATH,
  }
  return JSON.stringify({ ...dated, ...signedBy(signer, 'state', dated) })
}

/** Relative to the address of state.json. */
const KEYS_PATH = 'keys.json'

function stateDocument({ gen, updatedUs, scopes, digest, snapshot }: FeedState) {
  return {
    protocol: PROTOCOL,
    gen,
    page_size: pageChangesOf(gen),
    updated: updatedUs === null ? null : isoMicroseconds(updatedUs),
    scopes: Object.fromEntries(
      scopes.map(({ scope, head, chain, floor }) => [
        scope,
        {
          head: Number(head),
          chain: hex(chain),
          floor: Number(floor),
          closed: closedPages({ gen, head }),
          subscription: subscriptionPath(scope, 'atom'),
          archive: archivePath({ gen, scope, page: '{page}', format: 'atom' }),
        },
      ]),
    ),
    digest: digest && {
      mark: Number(digest.mark),
      scopes: Object.fromEntries(
        digest.scopes.map(({ scope, seq, chain, stateRoot }) => [
          scope,
          {
            seq: Number(seq),
            chain: hex(chain),
            state_root: stateRoot,
            url: `digest/${gen}/${scope}/${seq}.json`,
          },
        ]),
      ),
    },
    snapshot: snapshot && {
      seq: Number(snapshot.seq),
      created_at: snapshot.createdAt,
      count: snapshot.count,
      bytes: snapshot.bytes,
      url: `snapshots/${gen}/${snapshot.seq}/manifest.json`,
      sha256: snapshot.manifestSha,
    },
  }
}

// Pages and addresses

/** Number of closed pages of a scope at this head. */
export const closedPages = ({ gen, head }: { gen: string; head: bigint }): number =>
  Number(head / BigInt(pageChangesOf(gen)))

/** The number before the first change of a page. */
export const pageStart = (gen: string, page: number): bigint => BigInt(page) * BigInt(pageChangesOf(gen))

/**
 * The number before the first change of a subscription, which holds the open page and, if retained, the one before it.
 */
export function subscriptionStart({ gen, head, floor }: { gen: string; head: bigint; floor: bigint }): bigint {
  const start = pageStart(gen, Math.max(0, closedPages({ gen, head }) - 1))
  return start < floor ? floor : start
}

/** Relative to the address of state.json, like all addresses of the protocol. */
export function subscriptionPath(scope: string, format: FeedFormat): string {
  return scope === 'items' ? `items.${format}` : scope
}

export function archivePath({
  gen,
  scope,
  page,
  format,
}: {
  gen: string
  scope: string
  page: number | '{page}'
  format: FeedFormat
}): string {
  return `archive/${gen}/${scope}/${page}.${format}`
}

function linksOf(page: FeedPage, format: FeedFormat): Link[] {
  const { baseUrl, gen, scope, kind, floor, changes } = page
  const type = FEED_TYPES[format]
  const link = (rel: string, path: string): Link => ({ rel, href: `${baseUrl}/feeds/${path}`, type })
  const archive = (k: number) => archivePath({ gen, scope, page: k, format })
  const subscription = subscriptionPath(scope, format)
  const alternate: Link = { rel: 'alternate', href: siteOf(baseUrl), type: undefined }
  const current = link('current', subscription)
  if (kind === 'since') {
    const { self, next } = page.since ?? { self: subscription, next: null }
    return [link('self', self), alternate, current, ...(next === null ? [] : [link('next', next)])]
  }
  // An archive has its page number; a subscription takes the number of its first page.
  const first = page.page ?? Number((firstOf(changes, floor) - 1n) / BigInt(pageChangesOf(gen)))
  // An archive never changes: neither when retention drops the page before it, nor when the next page closes.
  const hasPrevious = first > 0 && (kind === 'archive' || pageStart(gen, first - 1) >= floor)
  return [
    link('self', kind === 'archive' ? archive(first) : subscription),
    alternate,
    current,
    ...(hasPrevious ? [link('prev-archive', archive(first - 1))] : []),
    ...(kind === 'archive' ? [link('next-archive', archive(first + 1))] : []),
  ]
}

// Elements

const SUBTITLES: Readonly<Record<FeedPage['kind'], string>> = {
  subscription: 'Items whose price or description changed, newest first',
  archive: 'Items whose price or description changed: a closed page, newest first',
  since: 'Items whose price or description changed after a number, oldest first',
}
const PROTOCOL_NAMESPACES = { 'xmlns:fh': HISTORY, 'xmlns:ccm': CCM_NAMESPACE }

export function feedTitle(scope: string): string {
  return scope === 'items' ? CATALOG : `${CATALOG}: ${regionOfScope(scope)}`
}

/** Undefined for the scope of all items. */
export const regionOfScope = (scope: string): string | undefined =>
  scope.startsWith('region/') ? scope.slice('region/'.length) : undefined

const firstOf = (changes: readonly FeedChange[], floor: bigint) => changes[0]?.seq ?? floor + 1n

function protocolHead({ gen, scope, kind, floor, changes, startChain }: FeedPage): string[] {
  const newest = changes.at(-1)
  const last = newest?.seq ?? floor
  const chain = newest?.chain ?? startChain ?? chainStart(gen, scope)
  return [
    element('ccm:gen', gen),
    element('ccm:scope', scope),
    element('ccm:first', String(firstOf(changes, floor))),
    element('ccm:last', String(last)),
    element('ccm:chain', hex(chain)),
    // An archive must not contain the head, which moves.
    ...(kind === 'subscription' ? [element('ccm:head', String(last))] : []),
  ]
}

/**
 * The changes in document order. Superseded: a later change of the same item replaces it.
 *
 * Law: no change is superseded across a mark, so that a reader can build the state at each mark.
 */
function shownOf({ kind, changes }: FeedPage): { change: FeedChange; isSuperseded: boolean; isNewest: boolean }[] {
  const later = new Set<string>()
  const laterOfRun = new Set<string>()
  const newestFirst = changes.toReversed().map((change) => {
    if (change.isMarked) laterOfRun.clear()
    const isSuperseded = laterOfRun.has(change.itemId)
    const isNewest = !later.has(change.itemId)
    laterOfRun.add(change.itemId)
    later.add(change.itemId)
    return { change, isSuperseded, isNewest }
  })
  return kind === 'since' ? newestFirst.toReversed() : newestFirst
}

function supersededOf({ seq, op, itemId, stateSha }: FeedChange): string {
  const sha256 = op === 'upsert' ? hex(stateSha) : undefined
  return element('ccm:superseded', undefined, { seq: String(seq), op, id: itemId, sha256 })
}

function deletedEntry(change: FeedChange, baseUrl: string): string {
  return container('at:deleted-entry', protocolElements(change), {
    ref: itemTag(change.itemId, baseUrl),
    when: isoMicroseconds(change.updatedUs),
  })
}

function atomEntry(change: FeedChange, page: FeedPage): string {
  const { baseUrl } = page
  const state = stateOf(change)
  const region = pricedRegionOf(page)
  return container('entry', [
    element('id', itemTag(change.itemId, baseUrl)),
    element('title', titleOf(change, state, region)),
    element('summary', summaryOf(change, state, region)),
    element('updated', isoMicroseconds(change.updatedUs)),
    element('link', undefined, { rel: 'alternate', href: itemLink(change.itemId, page) }),
    ...state.regions.map((sold) => element('category', undefined, { term: `region:${sold}` })),
    ...protocolElements(change),
  ])
}

function rssItem(change: FeedChange, { guid, page }: { guid: string; page: FeedPage }): string {
  const { scope } = page
  const state = change.op === 'upsert' ? stateOf(change) : null
  const region = pricedRegionOf(page)
  // An item that left the catalog has no page; link the item that it was merged into.
  const linked = change.op === 'delete' ? change.mergedInto : change.itemId
  return container('item', [
    element('title', state === null ? departureOf(change, scope) : titleOf(change, state, region)),
    ...(linked === null ? [] : [element('link', itemLink(linked, page))]),
    element('guid', guid, { isPermaLink: 'false' }),
    element('pubDate', rfc822(change.updatedUs)),
    ...(state?.regions ?? []).map((sold) => element('category', `region:${sold}`)),
    ...(state === null
      ? []
      : [element('description', htmlOf(`${nameOf(state.item)}. ${summaryOf(change, state, region)}`))]),
    ...protocolElements(change),
  ])
}

/**
 * The region whose price texts say first: that of a region's feed, from version 2 of the texts on. Its former price is not
 * kept with a change, and a closed page must not depend on what retention drops.
 */
const pricedRegionOf = ({ gen, scope }: FeedPage): string | undefined =>
  feedVersionOf(gen) < 2 ? undefined : regionOfScope(scope)

/** Where people see the item: its page, from version 3 of the texts on, in the market of a region's feed. */
function itemLink(itemId: string, { gen, scope, baseUrl }: FeedPage): string {
  if (feedVersionOf(gen) < 3) return `${baseUrl}/items/${itemId}`
  return itemPage(itemId, { baseUrl, region: regionOfScope(scope) })
}

/** The machine-readable part of a change. */
function protocolElements({ seq, op, version, stateSha, state, mergedInto }: FeedChange): string[] {
  const numbered = [element('ccm:seq', String(seq)), element('ccm:op', op)]
  if (op !== 'upsert') return mergedInto === null ? numbered : [...numbered, element('ccm:merged-into', mergedInto)]
  return [
    ...numbered,
    element('ccm:version', String(version)),
    element('ccm:sha256', hex(stateSha)),
    element('ccm:state', state as string),
  ]
}

function ndjsonLine({ seq, op, itemId, version, updatedUs, stateSha, chain, state, mergedInto }: FeedChange): string {
  const fields = JSON.stringify({
    seq: Number(seq),
    op,
    id: itemId,
    version,
    updated: isoMicroseconds(updatedUs),
    ...(op === 'upsert' ? { sha256: hex(stateSha) } : {}),
    chain: hex(chain),
    ...(mergedInto === null ? {} : { merged_into: mergedInto }),
  })
  return op === 'upsert' ? `${fields.slice(0, -1)},"state":${state}}` : fields
}

/** For an upsert, which always has a state. */
export const stateOf = ({ state }: FeedChange) => JSON.parse(state as string) as PublicState
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
