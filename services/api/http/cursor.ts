import { createHmac, timingSafeEqual } from 'node:crypto'
import { ApiError } from './errors.ts'

/** The query of a cursor: the route, and each parameter that selects or orders rows. */
export type CursorScope = readonly (string | undefined)[]

export interface Cursors {
  /** A cursor after `position` (an id or a number as text), valid for this scope only. */
  encode(position: string, scope: CursorScope): string
  /** The position of a cursor; throws invalid_cursor for an altered one, and for one of none of these scopes. */
  decode(cursor: string, ...scopes: readonly CursorScope[]): string
}

const VERSION = 1
const SEAL_BYTES = 8

/**
 * A cursor is base64url: a version byte, the position, and the first 8 bytes of an HMAC over both and the scope.
 * Cursors do not expire.
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
    encode(position, scope) {
      const sealed = Buffer.concat([Buffer.of(VERSION), Buffer.from(position)])
      return Buffer.concat([sealed, seal(sealed, scope)]).toString('base64url')
    },
    decode(cursor, ...scopes) {
      const bytes = Buffer.from(cursor, 'base64url')
      const sealed = bytes.subarray(0, -SEAL_BYTES)
      // Compare the text too: base64url decoders skip invalid characters.
      const genuine =
        bytes.length > SEAL_BYTES + 1 &&
        bytes[0] === VERSION &&
        bytes.toString('base64url') === cursor &&
        scopes.some((scope) => timingSafeEqual(bytes.subarray(-SEAL_BYTES), seal(sealed, scope)))
      if (!genuine) {
        throw new ApiError('invalid_cursor', 'cursor: expected the cursor of a page with these very filters')
      }
      return sealed.subarray(1).toString()
    },
  }
}

/**
 * Cuts a page of at most `limit` rows from a query for one more. `last` is the row before the next page; undefined on
 * the last page.
 */
export function pageOf<Row>(rows: readonly Row[], limit: number): { shown: readonly Row[]; last: Row | undefined } {
  return { shown: rows.slice(0, limit), last: rows.length > limit ? rows[limit - 1] : undefined }
}
