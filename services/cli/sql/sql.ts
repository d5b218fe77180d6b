import type { Readable } from 'node:stream'
import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { analystViews, createViews, grantViews, type View } from '@catalog/store/builds/analyst.ts'
import { queryViews } from '@catalog/store/builds/analyst-query.ts'

/** `catalog sql`: read-only SQL over views that stay stable when tables change. */

const TIMEOUT_SECONDS_DEFAULT = 60
/** Enough to read; --limit raises it. */
const ROWS_DEFAULT = 1_000
/** Of a query on the standard input. */
const QUERY_CHARS_MAX = 100_000

export type SqlFlags = Readonly<{
  format?: 'table' | 'csv' | 'json'
  limit?: number
  timeout?: number
  views?: boolean
  grant?: string
}>

type SqlContext = Readonly<{ catalog: Catalog; terminal: Terminal; write: (text: string) => void }>

/** Answers the query, or the one on the standard input, or shows or grants the views. Returns whether it succeeded. */
export async function sql(
  context: SqlContext & { stdin: Readable & { isTTY?: boolean } },
  query: string | undefined,
  flags: SqlFlags,
): Promise<boolean> {
  const { catalog, terminal, stdin } = context
  await createViews(catalog.store)
  if (flags.views) {
    terminal.answer({ views: analystViews().map(({ name, about, columns }) => ({ name, about, columns })) }, () =>
      analystViews().map(viewText).join('\n\n'),
    )
    return true
  }
  if (flags.grant !== undefined) {
    await grantViews(catalog.store, flags.grant)
    terminal.answer({ role: flags.grant, views: analystViews().map(({ name }) => name) }, () =>
      [
        `${flags.grant} may read the views of schema analyst and nothing else.`,
        `Give it to a user: grant ${flags.grant} to ...`,
      ].join('\n'),
    )
    return true
  }
  return await answerQuery(context, query ?? (await piped(stdin)), flags)
}

/** The query of the standard input. */
async function piped(stdin: Readable & { isTTY?: boolean }): Promise<string> {
  if (stdin.isTTY) throw new Error('catalog sql: expected a query, or one on the standard input')
  let query = ''
  stdin.setEncoding('utf8')
  for await (const chunk of stdin as AsyncIterable<string>) {
    query += chunk
    if (query.length > QUERY_CHARS_MAX) throw new Error(`a query has more than ${QUERY_CHARS_MAX} characters`)
  }
  return query
}

/** Returns false, after a note with the reason, if PostgreSQL refuses the query. */
async function answerQuery({ catalog, terminal, write }: SqlContext, query: string, flags: SqlFlags): Promise<boolean> {
  const rowsMax = flags.limit ?? ROWS_DEFAULT
  const timeoutMs = (flags.timeout ?? TIMEOUT_SECONDS_DEFAULT) * 1000
  const request = { sql: query.trim().replace(/;+$/, ''), timeoutMs, rowsMax }
  const format = flags.format ?? (terminal.json ? 'json' : 'table')
  const tableRows: Record<string, unknown>[] = []
  let isFirst = true
  try {
    const rows = await queryViews(catalog.store, request, (page) => {
      if (format === 'table') tableRows.push(...page)
      else if (format === 'json') for (const row of page) write(`${JSON.stringify(row, exact)}\n`)
      else {
        if (isFirst)
          write(
            `${Object.keys(page[0] as object)
              .map(csvField)
              .join(',')}\n`,
          )
        isFirst = false
        for (const row of page) write(`${Object.values(row).map(csvField).join(',')}\n`)
      }
    })
    if (format === 'table') write(tableRows.length === 0 ? 'no rows\n' : `${table(tableRows.map(textCells))}\n`)
    if (rows >= rowsMax) terminal.note(`the first ${rowsMax} rows; --limit shows more`)
    return true
  } catch (error) {
    const { message, position, hint } = error as Error & { position?: string; hint?: string }
    // PostgreSQL also counts the prefix that we put before the query.
    const at =
      position === undefined ? '' : ` at character ${Number(position) - 'declare answer no scroll cursor for '.length}`
    const details = `${message}${at}${hint === undefined ? '' : `; ${hint}`}`
    // Rows may stand on stdout already: the error is then the last line.
    if (terminal.json) terminal.answer({ error: 'QueryRefused', details }, () => '')
    else terminal.note(details)
    return false
  }
}

const viewText = ({ name, about, columns }: View): string =>
  [`${name}: ${about}`, table(Object.entries(columns).map(([column, meaning]) => ({ column, meaning })))].join('\n')

const textCells = (row: Record<string, unknown>): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'number' ? value : textOf(value)]),
  )

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Buffer.isBuffer(value)) return value.toString('hex')
  return typeof value === 'object' ? JSON.stringify(value, exact) : String(value)
}

/** Quotes by RFC 4180. */
function csvField(value: unknown): string {
  const text = textOf(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Whole numbers beyond 2^53 become text, so that nothing is rounded. */
function exact(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? (Number.isSafeInteger(Number(value)) ? Number(value) : value.toString()) : value
}
