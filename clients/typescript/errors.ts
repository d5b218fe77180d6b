/** Codes of this client's own errors; those of the API stand in its reference, at /docs/errors of every server. */
export type ClientErrorCode = 'unreachable' | 'unexpected_answer' | 'changes_missing' | 'cursor_repeated'

type Problem = Readonly<{
  status: number | null
  code: string
  details: string | null
  retryAfterSeconds?: number | null
  requestId?: string | null
  snapshotUrl?: string | null
  /** The request, as `GET https://HOST/v1/items`. */
  request: string
}>

/** A request that got no answer of use, after all retries. */
export class CatalogError extends Error {
  override readonly name = 'CatalogError'
  /** HTTP status of the answer; null when there was none. */
  readonly status: number | null
  /** A stable code of the API, such as `item_not_found`, or one of {@link ClientErrorCode}. */
  readonly code: string
  /** For people: the value found, and the expectation. */
  readonly details: string | null
  /** The API's hint when to come back, in whole seconds; null without one. */
  readonly retryAfterSeconds: number | null
  /** Finds the request in the service's log. */
  readonly requestId: string | null
  /** The manifest of the snapshot at which a copy begins again; with `changes_expired` only. */
  readonly snapshotUrl: string | null

  constructor(problem: Problem, options?: ErrorOptions) {
    super(messageOf(problem), options)
    this.status = problem.status
    this.code = problem.code
    this.details = problem.details
    this.retryAfterSeconds = problem.retryAfterSeconds ?? null
    this.requestId = problem.requestId ?? null
    this.snapshotUrl = problem.snapshotUrl ?? null
  }
}

function messageOf({ status, code, details, retryAfterSeconds, request }: Problem): string {
  const answer = [status, code].filter((part) => part !== null).join(' ')
  const explained = details === null ? answer : `${answer}: ${details}`
  const hint = retryAfterSeconds ? `; come back in ${retryAfterSeconds} s` : ''
  return `${explained}${hint} (${request})`
}

/** Text of an answer that is not the API's own, such as a proxy's page, that an error repeats. */
const FOREIGN_CHARS_MAX = 200

/** The error that an answer says; `body` is its parsed JSON or its text. */
export function errorOf(response: Response, body: unknown, request: string): CatalogError {
  const { status, headers } = response
  const said = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  const isOurs = typeof said.error === 'string'
  return new CatalogError({
    status,
    code: isOurs ? (said.error as string) : 'unexpected_answer',
    details: isOurs ? textOrNull(said.details) : `expected an answer of the API, found '${excerpt(body)}'`,
    retryAfterSeconds: retryAfterOf(headers),
    requestId: headers.get('x-request-id'),
    snapshotUrl: linkOf(headers, 'snapshot'),
    request,
  })
}

const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null)

function excerpt(body: unknown): string {
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
  return text.slice(0, FOREIGN_CHARS_MAX)
}

/** Whole seconds that Retry-After asks to wait, from a number or a date; null without it. */
export function retryAfterOf(headers: Headers, nowMs = Date.now()): number | null {
  const value = headers.get('retry-after')?.trim()
  if (value === undefined || value === '') return null
  if (/^\d+$/.test(value)) return Number(value)
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1000))
}

/** The address of a header Link of this relation; null without one. */
export function linkOf(headers: Headers, relation: string): string | null {
  const links = (headers.get('link') ?? '').matchAll(/<([^>]*)>((?:\s*;\s*[^,;]*)*)/g)
  for (const [, address = '', parameters = ''] of links) {
    if (new RegExp(`;\\s*rel="?${relation}"?\\s*(;|$)`).test(parameters)) return address
  }
  return null
}
