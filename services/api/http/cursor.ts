import { createHmac, timingSafeEqual } from 'node:crypto'
import { ApiError } from './errors.ts'

/** What a cursor is good for: the route and every parameter that decides which rows come, and in which order. */
export type CursorScope = readonly (string | undefined)[]

export interface Cursors {
  /** The page after `position` (an id or a number as text), for this scope alone. */
  encode(position: string, scope: CursorScope): string
  /** The position again; throws invalid_cursor when it was altered, or given out for another scope. */
  decode(cursor: string, scope: CursorScope): string
}

const VERSION = 1
const SEAL_BYTES = 8

/** Version byte, position, first 8 bytes of an HMAC over these and the scope; in base64url. Cursors do not expire. */
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
    decode(cursor, scope) {
      const bytes = Buffer.from(cursor, 'base64url')
      const sealed = bytes.subarray(0, -SEAL_BYTES)
      // The text is compared too: a decoder of base64url passes over letters that do not belong there.
      const genuine =
        bytes.length > SEAL_BYTES + 1 &&
        bytes[0] === VERSION &&
        bytes.toString('base64url') === cursor &&
        timingSafeEqual(bytes.subarray(-SEAL_BYTES), seal(sealed, scope))
      if (!genuine) {
        throw new ApiError('invalid_cursor', 'cursor: expected the cursor of a page with these very filters')
      }
      return sealed.subarray(1).toString()
    },
  }
}

/**
 * A page of at most `limit` rows. It was asked for with one more, which tells whether another follows: `last` is then the
 * row that the next page comes after, and undefined otherwise.
 */
export function pageOf<Row>(rows: readonly Row[], limit: number): { shown: readonly Row[]; last: Row | undefined } {
  return { shown: rows.slice(0, limit), last: rows.length > limit ? rows[limit - 1] : undefined }
}
