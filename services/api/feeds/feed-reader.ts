import { SINCE_CHANGES_MAX } from '@catalog/api/contract/contract.ts'
import type { ReadCatalog } from '@catalog/api/http/catalog-version.ts'
import { feedsVersion, retentionVersion } from '@catalog/api/http/catalog-version.ts'
import type { ApiContext } from '@catalog/api/http/context.ts'
import { addressOf } from '@catalog/api/http/cursor.ts'
import { documentOf, IMMUTABLE, JSON_TYPE, type RenderedDocument, unchangedSince } from '@catalog/api/http/documents.ts'
import { ApiError, helpLink } from '@catalog/api/http/errors.ts'
import { itemJson } from '@catalog/api/items/item-json.ts'
import { type FeedChange, type FeedState, pageChangesOf, type ScopeState } from '@catalog/core/changes/protocol.ts'
import { keysJson } from '@catalog/core/changes/signature.ts'
import type { PublicItem } from '@catalog/core/events/items.ts'
import { readFeedState, readFormerStates, readScopeChanges } from '@catalog/replica/read/feeds.ts'
import { readItemsById, survivorIds } from '@catalog/replica/read/items.ts'
import type { Tables } from '@catalog/replica/tables.ts'
import type { CatalogVersion } from '@catalog/store/catalog/queries.ts'
import { readFeedKeys } from '@catalog/store/feed-keys.ts'
import {
  atomSteps,
  type FeedPage,
  ndjsonOf,
  ndjsonSteps,
  pageStart,
  regionOfScope,
  rssSteps,
  stateJson,
  subscriptionPath,
  subscriptionStart,
} from './feed-documents.ts'
import { contentTypeOf, type FeedFormat, type ReaderFormat } from './feed-fields.ts'
import { type FeedSigning, generatedMs, stateVersion } from './feed-signing.ts'
import { nameOf } from './feed-text.ts'
import { readerChanges, readNews, type Successors } from './reader-changes.ts'
import { readerFeedOf } from './reader-feed.ts'
import { inSlices, type RenderQueue, renderQueue } from './render-queue.ts'

export type FeedsContext = Pick<ApiContext, 'store' | 'read' | 'catchUp' | 'cache' | 'catalogVersion' | 'baseUrl'> &
  Readonly<{ signing: FeedSigning; now: () => Date }>

/** The format of the changes in a document. */
export type Form = FeedFormat | 'ndjson'
export const NDJSON_TYPE = 'application/x-ndjson'

/** A scope at an instant, with the facts that all scopes share. */
export type Scope = ScopeState & Pick<FeedState, 'gen' | 'snapshot'>

/** The parameters of a `since` request. */
export type SinceQuery = Readonly<{ since: number; gen?: string | undefined; limit?: number | undefined }>

/** Renders feed documents, each once. */
export interface FeedReader {
  /** state.json */
  state(): Promise<RenderedDocument>
  /** keys.json, also where this process cannot open them to sign. */
  keys(): Promise<RenderedDocument>
  /**
   * The scope from the cached state, at most 200 ms old. Reads it again when `isPlausible` rejects the cached one: the
   * caller may know newer changes from another process.
   */
  scope(name: string, isPlausible: (scope: Scope) => boolean): Promise<Scope>
  /** The open page and the one before it. */
  subscription(request: { scope: string; form: Form }): Promise<RenderedDocument>
  /** The newest changes of at most `limit` items, in words for readers; as NDJSON whole, and ascending. */
  newest(request: { scope: string; form: Form | ReaderFormat; limit: number }): Promise<RenderedDocument>
  /** The changes after a number that lies from the floor to below the head. */
  since(request: { scope: Scope; form: Form; query: SinceQuery }): Promise<RenderedDocument>
  /** A closed page above the floor. */
  archive(request: { scope: Scope; format: FeedFormat; page: number }): Promise<RenderedDocument>
  /** The error for changes that retention dropped. */
  expired(scope: Scope, details: string): ApiError
}

export function feedReader(context: FeedsContext): FeedReader {
  const { read, catchUp, cache, catalogVersion, baseUrl } = context
  const renders = renderQueue()
  const written = pageWriter(renders)
  const source = feedSource(read, renders)
  const { changesOf } = source
  const knownState = memoizedBy(catalogVersion, feedsVersion, async () => read(readFeedState))
  const expired: FeedReader['expired'] = (scope, details) => expiredError(baseUrl, scope, details)

  return {
    expired,
    ...stateReader(context, knownState),
    async scope(name, isPlausible) {
      const scope = scopeOf(await knownState(), name)
      if (isPlausible(scope)) return scope
      await catchUp()
      return scopeOf(read(readFeedState), name)
    },
    async subscription({ scope, form }) {
      return await cache.get({ key: JSON.stringify(['feed', scope, form]), versionOf: feedsVersion }, async () => {
        const { gen, head, floor, chain } = scopeOf(await knownState(), scope)
        const after = subscriptionStart({ gen, head, floor })
        const changes = await changesOf({ scope, after, limit: Number(head - after) })
        const page = { baseUrl, gen, scope, kind: 'subscription', floor, changes } as const
        return await written(changes.length === 0 ? { ...page, floor: head, startChain: chain } : page, form)
      })
    },
    async newest({ scope, form, limit }) {
      return await cache.get(
        { key: JSON.stringify(['newest', scope, form, limit]), versionOf: feedsVersion },
        async () => {
          const { gen, head, floor } = scopeOf(await knownState(), scope)
          const news = await readNews({ scope, head, floor, limit }, source)
          const changes = news.changes.map(({ change }) => change)
          if (form === 'ndjson') return documentOf(ndjsonOf(changes.toReversed()), { 'content-type': typeOf(form) })
          const successors = read((tables) => successorsOf(tables, { changes, region: regionOfScope(scope) }))
          const feed = readerChanges({ baseUrl, gen, scope, format: form, limit, floor, news, successors })
          return documentOf(readerFeedOf(feed, form), { 'content-type': typeOf(form) })
        },
      )
    },
    async since({ scope: { scope, gen, ...at }, form, query: { since, limit, ...query } }) {
      const key = JSON.stringify(['since', scope, form, since, limit, query.gen])
      return await cache.get({ key, versionOf: feedsVersion }, async () => {
        const following = Number(at.head) - since
        const range = { scope, after: BigInt(since), limit: Math.min(limit ?? SINCE_CHANGES_MAX, following) }
        const changes = await changesOf(range)
        const [first, last] = [changes[0], changes.at(-1)]
        if (first?.seq !== BigInt(since) + 1n) throw expired({ scope, gen, ...at }, keptFrom(since, at.floor))
        const path = subscriptionPath(scope, form === 'rss' ? 'rss' : 'atom')
        const next =
          last === undefined || last.seq >= at.head ? null : addressOf(path, { since: String(last.seq), gen, limit })
        return await written(
          {
            baseUrl,
            gen,
            scope,
            kind: 'since',
            floor: at.floor,
            changes,
            since: { self: addressOf(path, { since, gen: query.gen, limit }), next },
          },
          form,
          next === null ? {} : { link: `<${baseUrl}/feeds/${next}>; rel="next"` },
        )
      })
    },
    async archive({ scope: { scope, gen, ...at }, format, page }) {
      const key = JSON.stringify(['archive', gen, scope, format, page])
      return await cache.get({ key, versionOf: retentionVersion }, async () => {
        const [after, limit] = [pageStart(gen, page), pageChangesOf(gen)]
        const changes = await changesOf({ scope, after, limit })
        // The page was closed, so retention dropped the missing changes in the meantime.
        if (changes[0]?.seq !== after + 1n || changes.length < limit) {
          throw expired({ scope, gen, ...at }, keptFrom(after, at.floor))
        }
        const document = await written(
          { baseUrl, gen, scope, kind: 'archive', page, floor: 0n, changes },
          format,
          IMMUTABLE,
        )
        return { ...document, modified: unchangedSince(Number((changes.at(-1)?.updatedUs ?? 0n) / 1_000n)) }
      })
    },
  }
}

/** state.json, and the keys that sign it. */
function stateReader(
  { store, cache, signing, now }: FeedsContext,
  knownState: () => Promise<FeedState>,
): Pick<FeedReader, 'state' | 'keys'> {
  const versionOf = stateVersion(now)
  return {
    async state() {
      const signed = await signing()
      const key = JSON.stringify(['feeds/state', signed?.signer.keys.map(({ id }) => id)])
      return await cache.get({ key, versionOf }, async () => {
        const state = await knownState()
        const text = stateJson(state, signed && { signer: signed.signer, generatedMs: generatedMs(state, now()) })
        return documentOf(text, { 'content-type': JSON_TYPE })
      })
    },
    async keys() {
      const keys = (await signing())?.keys ?? (await readFeedKeys(store))
      return documentOf(keysJson(keys), { 'content-type': JSON_TYPE })
    },
  }
}

function expiredError(baseUrl: string, { snapshot, gen }: Scope, details: string): ApiError {
  const help = helpLink(baseUrl.replace(/\/v1$/, ''), 'changes_expired')
  const link =
    snapshot === null
      ? help
      : `${help}, <${baseUrl}/feeds/snapshots/${gen}/${snapshot.seq}/manifest.json>; rel="snapshot"`
  return new ApiError('changes_expired', details, { headers: { link } })
}

function feedSource(read: ReadCatalog, renders: RenderQueue) {
  return {
    changesOf: (range: Parameters<typeof readScopeChanges>[1]) =>
      renders.run(range.limit, async () => read((tables) => readScopeChanges(tables, range))),
    formersOf: async (changes: readonly FeedChange[]) => read((tables) => readFormerStates(tables, changes)),
  }
}

/** The present items that the items of these changes were merged into, by the id that the change names. */
function successorsOf(
  tables: Tables,
  { changes, region }: Readonly<{ changes: readonly FeedChange[]; region: string | undefined }>,
): Successors {
  const named = changes.flatMap(({ mergedInto }) => (mergedInto === null ? [] : [mergedInto]))
  const survivors = survivorIds(tables, named)
  const rows = readItemsById(tables, { itemIds: [...survivors.values()], priceRegion: region })
  const names = new Map(
    rows.map((row) => [row.item_id, nameOf(JSON.parse(itemJson(row, { priceRegion: region })) as PublicItem)]),
  )
  return new Map(
    [...survivors].flatMap(([asked, id]) => {
      const name = names.get(id)
      return name === undefined ? [] : [[asked, { id, name }] as const]
    }),
  )
}

const typeOf = (form: Form | ReaderFormat) => (form === 'ndjson' ? NDJSON_TYPE : contentTypeOf(form))

type PageWriter = (page: FeedPage, form: Form, headers?: Readonly<Record<string, string>>) => Promise<RenderedDocument>

const pageWriter =
  (renders: RenderQueue): PageWriter =>
  (page, form, headers = {}) =>
    renders.run(page.changes.length, async () => {
      const steps = form === 'atom' ? atomSteps(page) : form === 'rss' ? rssSteps(page) : ndjsonSteps(page.changes)
      return documentOf(await inSlices(steps), { 'content-type': typeOf(form), ...headers })
    })

export const keptFrom = (after: number | bigint, floor: bigint): string =>
  `changes after ${after}: expected ${floor} or later, since older ones are not kept`

function scopeOf(state: FeedState, name: string): Scope {
  const { gen, snapshot, scopes } = state
  const found = scopes.find(({ scope }) => scope === name)
  if (found === undefined) throw new Error(`scope '${name}' is none of those that there are`)
  return { ...found, gen, snapshot }
}

/** Caches the value of `read` for one version; a failure is not cached. */
function memoizedBy<T>(
  catalogVersion: ApiContext['catalogVersion'],
  versionOf: (head: CatalogVersion) => string,
  read: () => Promise<T>,
) {
  let known: { version: string; answer: Promise<T> } | undefined
  return async (): Promise<T> => {
    const version = versionOf(await catalogVersion.get())
    if (known?.version !== version) {
      const reading = { version, answer: read() }
      known = reading
      reading.answer.catch(() => {
        if (known === reading) known = undefined
      })
    }
    return await known.answer
  }
}
