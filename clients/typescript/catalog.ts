import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './api.ts'
import { type Change, type ChangesOptions, type Position, readChanges, readPosition } from './changes.ts'
import { CatalogError, errorOf } from './errors.ts'
import type {
  BinaryMedia,
  Call,
  Get,
  GetPath,
  Init,
  Json,
  PagedPath,
  Post,
  PostPath,
  Query,
  Rest,
  TextMedia,
} from './operations.ts'
import { politeFetch, RETRY_LIMITS, type RetryLimits } from './retry.ts'

type Schemas = components['schemas']
export type Item = Schemas['CanonicalItem']
export type ItemDetail = Schemas['ExtendedItemDetailResponse']
/** Lines of a bill of materials, at most 500. */
export type Bill = Schemas['MatchRequest']
export type PricedBill = Schemas['MatchResponse']
export type Found = Schemas['ExtendedSearchResponse']

export type CatalogOptions = Readonly<{
  /** Address of the API with its version: `https://HOST/v1`. */
  baseUrl: string
  /** A developer or organization key; reads need none. */
  key?: string
  /** Bounds that differ from RETRY_LIMITS. */
  retry?: Partial<RetryLimits>
  /** Takes the place of the global fetch. */
  fetch?: (request: Request, init: { signal: AbortSignal }) => Promise<Response>
}>

/** A client of one catalog. Every call rejects with CatalogError where it gets no answer of use. */
export interface Catalog {
  /** Yields every item that the query selects, once, page after page. */
  items(query?: Omit<Query<Get<'/items'>>, 'cursor'>, call?: Call): AsyncGenerator<Item, void, undefined>

  /** One item with its vendors' prices and 90 days of history; with `accept: 'text/markdown'` as text for language models. */
  item(id: string, init?: ItemInit & { accept?: 'application/json' }): Promise<ItemDetail>
  item(id: string, init: ItemInit & { accept: 'text/markdown' }): Promise<string>

  /** The items that fit a question best; `pages('/search', ...)` continues. */
  search(query: Query<Get<'/search'>>, call?: Call): Promise<Found>

  /** Prices a bill of materials: an item, its median and the cost of the quantity for each line that one item fits. */
  match(bill: Bill, call?: Call): Promise<PricedBill>

  /** Yields what changed, in order, none left out; goes on for ever with `pollSeconds`. */
  changes(options?: ChangesOptions): AsyncGenerator<Change, void, undefined>
  /** Where the changes stand now: read it before `items()` to make a copy, and follow `changes({ since })` from it. */
  position(options?: Pick<ChangesOptions, 'region' | 'signal'>): Promise<Position>

  /** Any operation that reads, by its path in the OpenAPI document: as JSON, or as `accept` says. */
  get<Path extends GetPath>(path: Path, ...init: Rest<Init<Get<Path>> & JsonOnly>): Promise<Json<Get<Path>>>
  get<Path extends GetPath>(path: Path, init: Init<Get<Path>> & { accept: TextMedia<Get<Path>> }): Promise<string>
  get<Path extends GetPath>(
    path: Path,
    init: Init<Get<Path>> & { accept: BinaryMedia<Get<Path>> },
  ): Promise<ArrayBuffer>
  /** Any operation that takes a body. */
  post<Path extends PostPath>(path: Path, ...init: Rest<Init<Post<Path>>>): Promise<Json<Post<Path>>>
  /** Yields the pages of any list. */
  pages<Path extends PagedPath>(
    path: Path,
    ...init: Rest<Init<Get<Path>>>
  ): AsyncGenerator<Json<Get<Path>>, void, undefined>

  /** openapi-fetch's client with the same key and retries, where an answer's headers matter. */
  readonly http: Client<paths>
}

type JsonOnly = { accept?: 'application/json' }
type ItemInit = Query<Get<'/items/{id}'>> & Call

/** Operations that read although they are POST: asking twice does nothing twice. */
const READS_BY_POST = ['/match']
/** The largest page, for the fewest requests. */
const PAGE_ITEMS = 100

/** A client of the catalog at `baseUrl`. */
export function createCatalog({ baseUrl, key, retry, fetch = globalThis.fetch }: CatalogOptions): Catalog {
  const http = createClient<paths>({
    baseUrl,
    headers: { authorization: key === undefined ? null : `Bearer ${key}` },
    fetch: politeFetch({ fetch, limits: { ...RETRY_LIMITS, ...retry }, isRead }),
  })
  const ask = (path: string, given: Given) => send(http, { method: 'get', operation: path, ...given })
  const get = async (path: string, given: Given = {}) => (await ask(path, given)).data
  const post = async (path: string, given: Given = {}) =>
    (await send(http, { method: 'post', operation: path, ...given })).data
  const pages = (path: string, given: Given = {}) => readPages((query) => ask(path, { ...given, query }), given.query)
  return {
    http,
    get,
    post,
    pages,
    async *items(query, call) {
      const chosen = { limit: PAGE_ITEMS, ...query }
      const listed: AsyncGenerator<{ items: Item[] }> = pages('/items', { ...call, query: chosen })
      for await (const { items } of listed) yield* items
    },
    async item(id: string, { accept = JSON_TYPE, signal, ...query }: ItemInit & { accept?: string } = {}) {
      // The path without an id is that of the list.
      if (id === '') throw new TypeError("item: '' is no id: expected one such as ci_4pkz6qjxw2h7mtd3ruvy5cnaeo")
      return await get('/items/{id}', { path: { id }, query, accept, ...(signal && { signal }) })
    },
    search: (query, call) => get('/search', { ...call, query }),
    match: (body, call) => post('/match', { ...call, body }),
    changes: (options = {}) => readChanges(http, options),
    position: (options = {}) => readPosition(http, options),
  }
}

const JSON_TYPE = 'application/json'

/** The arguments of a call, whatever the operation: {@link Catalog} knows which it takes. */
type Given = Call & {
  accept?: string
  path?: Values
  query?: Values
  body?: unknown
}
type Values = Readonly<Record<string, unknown>>
function isRead({ method, url }: Request): boolean {
  return method === 'GET' || READS_BY_POST.some((path) => new URL(url).pathname.endsWith(path))
}

/**
 * Sends one request with its retries; returns the answer as its media type says, or throws CatalogError. The data have
 * whatever type {@link Catalog} gives them.
 */
async function send(
  http: Client<paths>,
  { method, operation, accept = JSON_TYPE, path, query, body, signal }: Given & { method: string; operation: string },
): Promise<{ data: never; response: Response }> {
  const init = {
    params: { path, query },
    headers: { accept },
    parseAs: parserOf(accept),
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
  }
  const asked = `${method.toUpperCase()} ${operation}`
  const { data, error, response } = await http
    .request(method as 'get', operation as GetPath, init as never)
    .catch((cause: unknown) => {
      // A body that is not what its answer promised; everything else is thrown as it is.
      if (!(cause instanceof SyntaxError)) throw cause
      const details = `expected ${accept}: ${cause.message}`
      throw new CatalogError({ status: 200, code: 'unexpected_answer', details, request: asked }, { cause })
    })
  if (!response.ok) throw errorOf(response, error, asked)
  return { data: data as never, response }
}

function parserOf(accept: string): 'json' | 'text' | 'arrayBuffer' {
  if (accept === JSON_TYPE) return 'json'
  return /^text\/|\+xml$|\/x-ndjson$/.test(accept) ? 'text' : 'arrayBuffer'
}

/** The cursor of the next page: in the body, else in the header Link; undefined at the end. */
function nextCursor({ data, response }: { data: { cursor?: string | null }; response: Response }): string | undefined {
  const [, url] = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? []
  return data.cursor ?? (url === undefined ? undefined : (new URL(url).searchParams.get('cursor') ?? undefined))
}

/** Yields page after page until none names a next one. */
async function* readPages(
  read: (query: Values) => Promise<{ data: never; response: Response }>,
  query: Values = {},
): AsyncGenerator<never, void, undefined> {
  const seen = new Set<string>()
  let next: Values = query
  for (;;) {
    const answer = await read(next)
    yield answer.data
    const cursor = nextCursor(answer)
    if (cursor === undefined) return
    if (seen.has(cursor)) throw repeated(cursor)
    seen.add(cursor)
    next = { ...query, cursor }
  }
}

/** Pages that lead back to themselves would never end. */
function repeated(cursor: string): CatalogError {
  const details = `expected a page that was not read before, found cursor '${cursor}' again`
  return new CatalogError({ status: 200, code: 'cursor_repeated', details, request: 'GET pages' })
}
