/** The response headers of each operation. */

type HeaderDoc = Readonly<{ description: string; schema: Readonly<{ type: 'string' | 'integer' }> }>
export const text = (description: string): HeaderDoc => ({ description, schema: { type: 'string' } })
const integer = (description: string): HeaderDoc => ({ description, schema: { type: 'integer' } })

const ALWAYS: Readonly<Record<string, HeaderDoc>> = {
  'X-Request-Id': text('Identifies this request in the log of the service'),
  'X-RateLimit-Limit': integer('Limit of the bucket that counted or refused the request'),
  'X-RateLimit-Remaining': integer('Requests left in the window, as far as this process knows'),
  'X-RateLimit-Reset': integer('Start of the next window, in seconds since 1970'),
  'RateLimit-Policy': text('The same limit, and the monthly one if there is one, in the format of the IETF draft'),
  RateLimit: text('Requests left of each limit, and seconds until it resets'),
}
const CACHED: Readonly<Record<string, HeaderDoc>> = {
  'Cache-Control': text('Permissions of caches'),
  Vary: text('The request headers that the answer depends on'),
}
const CODED = { 'Content-Encoding': text('br or gzip, when Accept-Encoding allows it and the body is long enough') }
const TAGGED: Readonly<Record<string, HeaderDoc>> = {
  ...CACHED,
  ETag: text('Strong entity tag of the body in this coding; send it back in If-None-Match'),
}
const CONDITIONAL: Readonly<Record<string, HeaderDoc>> = {
  ...TAGGED,
  ...CODED,
  'Last-Modified': text(
    'When the part of the catalog that this shows last changed; absent for the first seconds after that. Send it back in If-Modified-Since if you cannot store the ETag',
  ),
}
const NEXT = { Link: text('rel="next", absolute; absent on the last page') }
const SURVIVOR = {
  'Content-Location': text('Address of the surviving item, when the requested one was merged into it'),
}
const MONEY = {
  'Price-Region': text(
    'Whose medians these are: the region of `price_region`; or `headline`, in the currency with the most trust',
  ),
}

const EXPORTED: Readonly<Record<string, HeaderDoc>> = {
  ...CACHED,
  ...CODED,
  ...MONEY,
  ETag: text(
    'Weak entity tag of the catalog, the parameters and the format; send it back in If-None-Match, and get 304 until something is published',
  ),
  'Content-Disposition': text('attachment, with the name of the file'),
  Trailer: text(
    'Fields after the body: Export-Complete (true or false), Export-Items (how many), Export-After (where to continue), Export-Seq-From and Export-Seq-To (newest change of the catalog at the beginning and at the end)',
  ),
}

/** Headers of a 200 answer beside {@link ALWAYS}. Operations with an ETag also answer 304. */
const OF_SUCCESS: Readonly<Record<string, Readonly<Record<string, HeaderDoc>>>> = {
  listItems: { ...CONDITIONAL, ...NEXT, ...MONEY },
  exportItemsCsv: EXPORTED,
  exportItemsNdjson: EXPORTED,
  getItem: { ...CONDITIONAL, ...SURVIVOR, ...MONEY },
  getItemBasis: { ...CONDITIONAL, ...SURVIVOR },
  getItemHistory: { ...CONDITIONAL, ...NEXT, ...SURVIVOR },
  getItemDecomposition: { ...CONDITIONAL, ...SURVIVOR },
  getItemDecompositionBc3: { ...CONDITIONAL, ...SURVIVOR },
  listCategories: { ...CONDITIONAL, ...NEXT },
  getCategory: CONDITIONAL,
  getCategoryBc3: CONDITIONAL,
  getCategoryTree: CONDITIONAL,
  getCategoryChanges: CONDITIONAL,
  listSources: { ...CONDITIONAL, ...NEXT },
  getSource: CONDITIONAL,
  listIndices: { ...CONDITIONAL, ...NEXT },
  getIndex: CONDITIONAL,
  getItemsAtom: { ...CONDITIONAL, ...NEXT },
  getItemsRss: { ...CONDITIONAL, ...NEXT },
  getRegionAtom: { ...CONDITIONAL, ...NEXT },
  getItemsJsonFeed: CONDITIONAL,
  getRegionJsonFeed: CONDITIONAL,
  getItemFeed: { ...CONDITIONAL, ...SURVIVOR, ...MONEY },
  getCategoryFeed: { ...CONDITIONAL, ...MONEY },
  getFeedKeys: { ...TAGGED, ...CODED },
  getFeedState: CONDITIONAL,
  getItemsArchiveAtom: CONDITIONAL,
  getItemsArchiveRss: CONDITIONAL,
  getRegionArchiveAtom: CONDITIONAL,
  getItemsDigest: CONDITIONAL,
  getRegionDigest: CONDITIONAL,
  listEditions: { ...TAGGED, ...CODED },
  getEdition: CONDITIONAL,
  listEditionItems: { ...CONDITIONAL, ...NEXT },
  getEditionItem: CONDITIONAL,
  listSnapshots: { ...TAGGED, ...CODED },
  getSnapshotFile: {
    ...TAGGED,
    'Last-Modified': text('When the file was written'),
    'Accept-Ranges': text('bytes'),
  },
  getOpenApi: { ...TAGGED, ...CODED },
  getPricing: { ...TAGGED, ...CODED },
  search: { ...CACHED, ...CODED, ...NEXT, ...MONEY },
  getStatus: { ...CACHED, ...CODED },
  matchLines: { 'Cache-Control': text('Permissions of caches') },
}
/** Whether only some answers have the header. */
export function isOptional(header: string, status: number): boolean {
  if (status >= 400) return status === 503 && /ratelimit/i.test(header)
  return ['Link', 'Content-Location', 'Content-Encoding', 'Last-Modified'].includes(header)
}

/** Operations that may answer 307. */
const REDIRECTS: Readonly<Record<string, string>> = {
  getItemsArchiveAtom: 'The page is still open: it stands in the subscription',
  getItemsArchiveRss: 'The page is still open: it stands in the subscription',
  getRegionArchiveAtom: 'The page is still open: it stands in the subscription',
}
/** The description of the 307 answer; undefined for an operation without one. */
export const redirectOf = (operationId: string): string | undefined => REDIRECTS[operationId]

const HELP = { Link: text('rel="help": explanation of the code') }
const HELP_AND_SNAPSHOT = {
  Link: text('rel="help": explanation of the code; rel="snapshot": the snapshot to restart a copy from'),
}
const RETRY = { 'Retry-After': integer('Equal to retry_after_seconds') }

/** The response headers of an operation, as OpenAPI describes them. */
export function headersOf(operationId: string, status: number): Readonly<Record<string, HeaderDoc>> {
  if (status === 206)
    return { ...headersOf(operationId, 200), 'Content-Range': text('Position of the range in the file') }
  if (status < 300) return { ...ALWAYS, ...OF_SUCCESS[operationId] }
  if (status === 307) return { ...ALWAYS, Location: text('Absolute address of the subscription') }
  if (status === 410) return { ...ALWAYS, ...HELP_AND_SNAPSHOT }
  if (status === 304)
    return {
      ...ALWAYS,
      ...TAGGED,
      ...pick(OF_SUCCESS[operationId], 'ETag', 'Content-Location', 'Link', 'Price-Region'),
    }
  if (status === 416) return { ...ALWAYS, ...HELP, 'Content-Range': text('Length of the file: bytes */LENGTH') }
  if (status === 415) return { ...ALWAYS, ...HELP, Accept: text('The accepted media type') }
  if (status === 401) return { ...ALWAYS, ...HELP, 'WWW-Authenticate': text('Bearer') }
  return { ...ALWAYS, ...HELP, ...(status === 429 || status === 503 ? RETRY : {}) }
}

function pick(
  headers: Readonly<Record<string, HeaderDoc>> = {},
  ...names: readonly string[]
): Record<string, HeaderDoc> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)))
}

export function answersConditionally(operationId: string): boolean {
  return OF_SUCCESS[operationId]?.ETag !== undefined
}
