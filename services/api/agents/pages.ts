import type { ApiContext } from '@catalog/api/http/context.ts'
import type { CursorScope } from '@catalog/api/http/cursor.ts'

/** Answers of tools in pages that fit the context of an agent. */

/** Hosts cut or refuse an answer with more tokens. */
export const ANSWER_TOKENS_MAX = 25_000
/** Tokenizers make one token of 2.4 to 3 bytes of the answers' JSON. */
const TOKEN_BYTES = 2

/** Tokens of a value as JSON, never fewer than a host counts in usual text. */
export const tokensOf = (value: unknown) => Math.ceil(Buffer.byteLength(JSON.stringify(value)) / TOKEN_BYTES)

/** The answer with the most rows, at most `limit`, that has at most {@link ANSWER_TOKENS_MAX}; never without a row. */
export async function fitted<Answer extends { rows: number; result: object }>(
  limit: number,
  answerWith: (limit: number) => Promise<Answer>,
): Promise<Answer> {
  const answer = await answerWith(limit)
  const tokens = tokensOf(answer.result)
  const rows = Math.min(limit, answer.rows)
  if (tokens <= ANSWER_TOKENS_MAX || rows <= 1) return answer
  // Rows differ in length: aim a little lower.
  return await fitted(Math.max(1, Math.floor((0.9 * rows * ANSWER_TOKENS_MAX) / tokens)), answerWith)
}

/** A list, and what is beside it, each with the most rows of a page. */
type Lists<Row, Beside> = Readonly<{
  rows: readonly Row[]
  limit: number
  beside: readonly Beside[]
  besideMax: number
}>

/**
 * The next rows of both lists from the cursor on, and the cursor of the rows after them while there are any. A cursor is
 * valid for one scope, which names all that the lists hold.
 */
export async function nextRows<Row, Beside>(
  { rows, limit, beside, besideMax }: Lists<Row, Beside>,
  { cursors, cursor, scope }: { cursors: ApiContext['cursors']; cursor: string | undefined; scope: CursorScope },
): Promise<{ rows: Row[]; beside: Beside[]; next: { next_cursor?: string } }> {
  const { encode, decode } = await cursors.get()
  const [start = 0, besideStart = 0] = cursor === undefined ? [] : decode(cursor, scope).split(' ').map(Number)
  const end = Math.min(start + limit, rows.length)
  const besideEnd = Math.min(besideStart + besideMax, beside.length)
  const isLast = end === rows.length && besideEnd === beside.length
  return {
    rows: rows.slice(start, end),
    beside: beside.slice(besideStart, besideEnd),
    next: isLast ? {} : { next_cursor: encode(`${end} ${besideEnd}`, scope) },
  }
}
