import { PublicState, REGIONS } from '@catalog/core/events.ts'
import { type ChangeRow, readNewestChanges } from '@catalog/store/catalog.ts'
import { Feed } from 'feed'
import type { ApiContext, V1 } from './context.ts'
import { answers, Feed as FeedDocument, RegionParams } from './contract.ts'
import { documentOf, type RenderedDocument, sendDocument } from './documents.ts'
import { ApiError } from './errors.ts'
import { asOfPublication } from './head.ts'
import { moneyText } from './money.ts'

/** Changes looked back at for one document. */
const CHANGES_MAX = 500

type FeedsContext = Pick<ApiContext, 'store' | 'cache' | 'baseUrl'>
type Format = 'atom' | 'rss'

/** The three feeds of SPEC §4.8: the newest changes, newest first, each item once. */
export function feedRoutes(v1: V1, context: FeedsContext): void {
  const { cache } = context

  async function feed(asked: {
    scope: string
    path: string
    title: string
    format: Format
  }): Promise<RenderedDocument> {
    return await cache.get({ key: JSON.stringify(['feed', asked.path]), asOf: asOfPublication }, () =>
      renderFeed(context, asked),
    )
  }

  v1.get(
    '/feeds/items.atom',
    {
      schema: {
        operationId: 'getItemsAtom',
        summary: 'The latest changed items, Atom',
        description: 'Newest first; polled with If-None-Match it costs no more than a header.',
        tags: ['Feeds'],
        response: answers('An Atom feed', { [MEDIA_TYPE.atom]: FeedDocument }),
      },
    },
    async (request, reply) =>
      sendDocument(
        request,
        reply,
        await feed({ scope: 'items', path: '/feeds/items.atom', title: TITLE, format: 'atom' }),
      ),
  )

  v1.get(
    '/feeds/items.rss',
    {
      schema: {
        operationId: 'getItemsRss',
        summary: 'The latest changed items, RSS',
        description: 'The entries of the Atom feed, for readers of RSS.',
        tags: ['Feeds'],
        response: answers('An RSS feed', { [MEDIA_TYPE.rss]: FeedDocument }),
      },
    },
    async (request, reply) =>
      sendDocument(
        request,
        reply,
        await feed({ scope: 'items', path: '/feeds/items.rss', title: TITLE, format: 'rss' }),
      ),
  )

  v1.get(
    '/feeds/region/:region',
    {
      schema: {
        operationId: 'getRegionAtom',
        summary: 'The latest changed items of one region, Atom',
        description: 'Of the items that are sold in the region; newest first.',
        tags: ['Feeds'],
        params: RegionParams,
        response: answers('An Atom feed', { [MEDIA_TYPE.atom]: FeedDocument }, [404]),
      },
    },
    async (request, reply) => {
      const region = REGIONS.find((region) => region === request.params.region.toUpperCase())
      if (region === undefined) {
        throw new ApiError('feed_not_found', `region '${request.params.region}': expected one of ${REGIONS.join(', ')}`)
      }
      const asked = {
        scope: `region/${region}`,
        path: `/feeds/region/${region}`,
        title: `${TITLE}: ${region}`,
      } as const
      return sendDocument(request, reply, await feed({ ...asked, format: 'atom' }))
    },
  )
}

const TITLE = 'Construction Cost Catalog'
const MEDIA_TYPE = { atom: 'application/atom+xml', rss: 'application/rss+xml' }

async function renderFeed(
  { store, baseUrl }: FeedsContext,
  { scope, path, title, format }: { scope: string; path: string; title: string; format: Format },
): Promise<RenderedDocument> {
  const changes = await readNewestChanges(store, { scope, limit: CHANGES_MAX })
  const { hostname } = new URL(baseUrl)
  const updated = dateOf(changes[0])
  const feed = new Feed({
    id: `tag:${hostname},2026:feed/${scope}`,
    title,
    description: 'Items whose price or description changed, newest first',
    link: baseUrl.replace(/\/v1$/, '/'),
    feed: `${baseUrl}${path}`,
    updated,
    author: { name: TITLE },
    generator: false,
  })
  for (const { change, state } of livingItems(changes)) {
    const date = dateOf(change)
    const { item, regions } = state
    feed.addItem({
      id: `tag:${hostname},2026:item/${item.id}`,
      // The writer marks titles as HTML.
      title: escapeHtml(titleOf(item)),
      description: escapeHtml(titleOf(item)),
      link: `${baseUrl}/items/${item.id}`,
      date,
      published: date,
      category: regions.map((region) => ({ name: `region:${region}`, term: `region:${region}` })),
    })
  }
  return documentOf(format === 'atom' ? feed.atom1() : feed.rss2(), {
    'content-type': `${MEDIA_TYPE[format]}; charset=utf-8`,
  })
}

/** Of each item the newest change, where it shows the item: an older one, and an item that left, is no entry. */
function* livingItems(changes: readonly ChangeRow[]): Generator<{ change: ChangeRow; state: PublicState }> {
  const seen = new Set<string>()
  for (const change of changes) {
    if (seen.has(change.item_id)) continue
    seen.add(change.item_id)
    if (change.op === 'upsert' && change.state !== null) {
      yield { change, state: PublicState.parse(JSON.parse(change.state)) }
    }
  }
}

/** When it changed; the beginning of 1970 for a feed without changes. */
function dateOf(change: ChangeRow | undefined): Date {
  return new Date(Number((change?.updated_us ?? 0n) / 1000n))
}

function titleOf(item: PublicState['item']): string {
  const what = item.unit === null ? item.name : `${item.name}, ${item.unit}`
  return `${what}: ${item.median_price === null ? 'no price' : moneyText(item.median_price)}`
}

/** For a title of type="html" inside XML, without the characters that XML 1.0 cannot carry at all. */
function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_XML, '\ufffd')
    .replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
