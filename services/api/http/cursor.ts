import { createHmac, timingSafeEqual } from 'node:crypto'
import { ApiError } from './errors.ts'

export type Parameters = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/** The address with the defined parameters; names of a list are separated by commas. */
export function addressOf(url: string, parameters: Parameters): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return given.length === 0 ? url : `${url}?${new URLSearchParams(given as [string, string][])}`
}

/** The `Link` header to the next page, absolute. The cursor carries the other parameters. */
export const nextLink = (url: string, cursor: string): string => `<${addressOf(url, { cursor })}>; rel="next"`

/** The query of a cursor: the route, and each parameter that selects or orders rows. */
export type CursorScope = readonly (string | undefined)[]

export interface Cursors {
  /**
   * A cursor after `position` (an id or a number as text), valid for this scope only. It carries the parameters, so that the
   * next request needs no others.
   */
  encode(position: string, scope: CursorScope, parameters?: Parameters): string
  /** The position of a cursor; throws invalid_cursor for an altered one, and for one of none of these scopes. */
  decode(cursor: string, ...scopes: readonly CursorScope[]): string
}

/** Versions: cursors of the first carry no parameters. */
const BARE = 1
const CARRYING = 2
const SEAL_BYTES = 8

/**
 * A cursor is base64url: a version byte, in version 2 the parameters as a query string and a zero byte, the position, and
 * the first 8 bytes of an HMAC over all of it and the scope. Cursors do not expire.
 */
export function cursorsOf(secret: string): Cursors {
  const seal = (sealed: Buffer, scope: CursorScope) =>
    createHmac('sha256', secret)
      .update(JSON.stringify(scope.map((part) => part ?? null)))
      .update('\0')
      .update(sealed)
      .digest()
      .subarray(0, SEAL_BYTES)
  return {
    encode(position, scope, parameters = {}) {
      const { cursor: _, ...carried } = parameters
      const query = addressOf('', carried).slice(1)
      const sealed =
        query === ''
          ? Buffer.concat([Buffer.of(BARE), Buffer.from(position)])
          : Buffer.concat([Buffer.of(CARRYING), Buffer.from(`${query}\0${position}`)])
      return Buffer.concat([sealed, seal(sealed, scope)]).toString('base64url')
    },
    decode(cursor, ...scopes) {
      const bytes = Buffer.from(cursor, 'base64url')
      const sealed = bytes.subarray(0, -SEAL_BYTES)
      const genuine =
        isWhole(bytes, cursor) &&
        scopes.some((scope) => timingSafeEqual(bytes.subarray(-SEAL_BYTES), seal(sealed, scope)))
      if (!genuine) throw notOfThisQuery()
      return sealed.subarray(bytes[0] === BARE ? 1 : sealed.indexOf(0) + 1).toString()
    },
  }
}

const notOfThisQuery = () =>
  new ApiError('invalid_cursor', 'cursor: expected the cursor of a page with these very filters')

/** Whether bytes have the form of a cursor. It compares the text too: base64url decoders skip invalid characters. */
const isWhole = (bytes: Buffer, cursor: string) =>
  bytes.length > SEAL_BYTES + 1 &&
  (bytes[0] === BARE || bytes[0] === CARRYING) &&
  bytes.toString('base64url') === cursor

/**
 * Adds the parameters that the cursor of a query carries, where the query itself has none of that name. What is added is as
 * untrusted as any query: {@link Cursors.decode} then refuses an altered cursor, and parameters that contradict it. Throws
 * invalid_cursor for what is no cursor, before somebody looks for what it should have carried.
 */
export function addCarried(query: Record<string, unknown>, names: readonly string[]): void {
  if (typeof query.cursor !== 'string' || !names.includes('cursor')) return
  const bytes = Buffer.from(query.cursor, 'base64url')
  if (!isWhole(bytes, query.cursor)) throw notOfThisQuery()
  if (bytes[0] !== CARRYING) return
  for (const [name, value] of new URLSearchParams(bytes.subarray(1, bytes.indexOf(0)).toString())) {
    if (names.includes(name)) query[name] ??= value
  }
}

/**
 * Cuts a page of at most `limit` rows from a query for one more. `last` is the row before the next page; undefined on
 * the last page.
 */
export function pageOf<Row>(rows: readonly Row[], limit: number): { shown: readonly Row[]; last: Row | undefined } {
  return { shown: rows.slice(0, limit), last: rows.length > limit ? rows[limit - 1] : undefined }
}
