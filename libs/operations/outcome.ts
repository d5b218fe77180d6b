/** What an operation did: a value for programs, a sentence for people, and what people should know beside it. */
export type Outcome<Value = unknown> = Readonly<{ value: Value; said: string; remarks?: readonly string[] }>

export type Paging = Readonly<{ after?: string | undefined; limit: number }>

/** The first `limit` rows of a list, and the place of the last one where more follow. */
export function pageOf<Row>(
  rows: readonly Row[],
  { limit, placeOf }: { limit: number; placeOf: (row: Row) => string },
): { rows: readonly Row[]; cursor: string | null } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { rows: page, cursor: last !== undefined && rows.length > limit ? placeOf(last) : null }
}
