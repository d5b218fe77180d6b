import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import type { Readable } from 'node:stream'
import { postgresEnvironment } from '@catalog/cli/shared/postgres-tools.ts'
import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import type { Environment } from '@catalog/runtime/env.ts'
import { analystViews, createViews, grantViews, type View } from '@catalog/store/builds/analyst.ts'
import { prepareRole, QUERY_ROLE, queryViews } from '@catalog/store/builds/analyst-query.ts'

/** `catalog sql`: read-only SQL over views that stay stable when tables change. */

const TIMEOUT_SECONDS_DEFAULT = 60
/** Enough to read; --limit raises it. */
const ROWS_DEFAULT = 1_000
/** Bounds a statement without an end. */
const STATEMENT_CHARS_MAX = 100_000

export type SqlFlags = Readonly<{
  format?: 'table' | 'csv' | 'json'
  limit?: number
  timeout?: number
  views?: boolean
  grant?: string
}>

type SqlContext = Readonly<{ catalog: Catalog; terminal: Terminal; write: (text: string) => void }>

/** Runs the query, the shell without one, or the other flags. Returns whether all succeeded. */
export async function sql(
  context: SqlContext & { env: Environment; stdin: Readable & { isTTY?: boolean } },
  query: string | undefined,
  flags: SqlFlags,
): Promise<boolean> {
  const { catalog, terminal, env, stdin } = context
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
  if (query !== undefined) return await answerQuery(context, query, flags)
  await prepareRole(catalog.store)
  if (stdin.isTTY && env.DATABASE_URL !== undefined && (await psql(env.DATABASE_URL))) return true
  return await shell(context, stdin, flags)
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

const HELP = `a query ends with ";"   \\d lists the views   \\d NAME its columns   \\q ends`

/** Runs statements as they are typed or piped in; the first failure ends piped input. */
async function shell(context: SqlContext, stdin: Readable & { isTTY?: boolean }, flags: SqlFlags): Promise<boolean> {
  const { terminal, write } = context
  const isPerson = stdin.isTTY === true
  const lines = createInterface({ input: stdin, ...(isPerson && { output: process.stderr, prompt: 'catalog=> ' }) })
  if (isPerson) terminal.note(HELP)
  let statement = ''
  if (isPerson) lines.prompt()
  for await (const line of lines) {
    const command = statement === '' ? line.trim() : ''
    if (command === '\\q') break
    if (command === '\\d') write(`${table(analystViews().map(({ name, about }) => ({ view: name, about })))}\n`)
    else if (command.startsWith('\\d ')) write(`${described(command.slice(3).trim())}\n`)
    else if (command.startsWith('\\')) terminal.note(HELP)
    else {
      statement += `${line}\n`
      if (statement.length > STATEMENT_CHARS_MAX) {
        terminal.note(`a statement of more than ${STATEMENT_CHARS_MAX} characters: expected ";" earlier`)
        return false
      }
      if (/;\s*$/.test(statement)) {
        const isAnswered = await answerQuery(context, statement, flags)
        statement = ''
        if (!isAnswered && !isPerson) return false
      }
    }
    if (isPerson) lines.prompt()
  }
  lines.close()
  if (statement.trim() === '') return true
  // Piped input may lack its last semicolon.
  return await answerQuery(context, statement, flags)
}

function described(name: string): string {
  const view = analystViews().find((view) => view.name === name)
  return view === undefined
    ? `there is no view '${name}': expected one of ${analystViews()
        .map(({ name }) => name)
        .join(', ')}`
    : viewText(view)
}

const viewText = ({ name, about, columns }: View): string =>
  [`${name}: ${about}`, table(Object.entries(columns).map(([column, meaning]) => ({ column, meaning })))].join('\n')

/** Opens psql on the views, read-only; returns false where it is not installed. */
async function psql(databaseUrl: string): Promise<boolean> {
  const env = {
    ...postgresEnvironment(databaseUrl),
    PGOPTIONS: `-c role=${QUERY_ROLE} -c search_path=analyst -c default_transaction_read_only=on`,
  }
  const child = spawn('psql', [], { env, stdio: 'inherit' })
  return await once(child, 'exit').then(
    () => true,
    () => false,
  )
}

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
