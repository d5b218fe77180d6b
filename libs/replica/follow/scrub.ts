import type { SQLInputValue } from 'node:sqlite'
import { openTables, type Tables } from '@catalog/replica/tables.ts'

/**
 * Reads every row of a file and compares it with its checksum and with its entries in the indexes. SQLite notices a page
 * whose structure is bad, but not another digit in a price.
 */

export type Scrub = Readonly<{
  file: string
  /** Rows read at once; meanwhile the process answers nobody. */
  sliceRows: number
  /** Waits between two slices. Resolves to false to give up. */
  pause: () => Promise<boolean>
}>

export type Finding = 'sound' | 'abandoned' | { readonly damage: unknown }

/** A connection of its own sees what is on the disk, not the pages that readers keep. */
const CACHE_KIB = 4_096

export async function scrub({ file, sliceRows, pause }: Scrub): Promise<Finding> {
  try {
    using tables = openTables(file, CACHE_KIB)
    const names = tables.all<{ name: string }>(`select name from sqlite_schema where type = 'table' order by name`)
    for (const { name } of names) {
      for (const damage of damagesOf(tables, { table: name, rows: sliceRows })) {
        if (damage !== undefined) return { damage }
        if (!(await pause())) return 'abandoned'
      }
    }
    return 'sound'
  } catch (damage) {
    // A bad page, or a number that no row ever had.
    return { damage }
  }
}

/** The damage of each slice of a table; undefined where there is none. Each slice is one statement, and so one state. */
function* damagesOf(tables: Tables, { table, rows }: { table: string; rows: number }): Generator<Error | undefined> {
  const { keys, sql } = statementOf(tables, table)
  let last: readonly SQLInputValue[] | undefined
  let commits = commitsOf(tables)
  for (;;) {
    const before = commitsOf(tables)
    // The last row is read again: where a bad page above it leads elsewhere, it is not the first.
    const found = tables.arrays<SQLInputValue[]>(sql(last !== undefined), ...(last ?? []), rows + 1)
    const damaged = found.find((row) => row[keys] !== 1)
    if (damaged !== undefined) {
      yield new Error(
        `row ${JSON.stringify(damaged.slice(0, keys))} of ${table} does not match its checksum or its index`,
      )
      return
    }
    const now = commitsOf(tables)
    const isFound = last === undefined || found[0]?.slice(0, keys).every((value, i) => value === last?.[i])
    // The process that writes may have deleted the row meanwhile.
    if (!isFound && now === commits) yield new Error(`row ${JSON.stringify(last)} of ${table} cannot be found again`)
    commits = before
    last = found.at(-1)?.slice(0, keys)
    if (found.length <= rows) return
    yield undefined
  }
}

/** Changes when another connection has committed. */
const commitsOf = (tables: Tables) => tables.get<{ data_version: number }>('pragma data_version')?.data_version

type Column = Readonly<{ name: string; pk: number; hidden: number }>
type Index = Readonly<{ name: string; origin: string; partial: number }>

/** The statement that reads the keys of rows and whether each is sound, and the number of the keys. */
function statementOf(tables: Tables, table: string): { keys: number; sql: (isLater: boolean) => string } {
  const columns = tables.all<Column>(`select name, pk, hidden from pragma_table_xinfo(?)`, table)
  const isOfRowids = tables.get<{ wr: number }>('select wr from pragma_table_list where name = ?', table)?.wr === 0
  const keys = columns
    .filter(({ pk }) => pk > 0)
    .sort((a, b) => a.pk - b.pk)
    .map(({ name }) => name)
  const ordinary = columns.filter(({ hidden }) => hidden === 0).map(({ name }) => name)
  const indexes = tables
    .all<Index>(`select name, origin, partial from pragma_index_list(?)`, table)
    // Without rowids, the primary key is the table.
    .filter(({ origin }) => isOfRowids || origin !== 'pk')
  const tests = [
    `r.row_crc is crc_of(${ordinary.map((name) => `r.${name}`).join(', ')})`,
    ...indexes.map((index) => indexTest(tables, { table, index })),
  ]
  const key = keys.join(', ')
  return {
    keys: keys.length,
    sql: (isLater) => `select ${key}, ${tests.join(' and ')} from ${table} r
      ${isLater ? `where (${key}) >= (${keys.map(() => '?').join(', ')})` : ''} order by ${key} limit ?`,
  }
}

/** Whether an index has the entry of row r. */
function indexTest(tables: Tables, { table, index }: { table: string; index: Index }): string {
  const columns = tables
    .all<{ name: string | null }>('select name from pragma_index_xinfo(?)', index.name)
    .flatMap(({ name }) => name ?? [])
  const [first] = columns
  const equal = columns.map((name) => `x.${name} is r.${name}`).join(' and ')
  const isThere = `exists (select 1 from ${table} x indexed by ${index.name} where ${equal}`
  // All our partial indexes hold the rows whose first column is not null.
  return index.partial ? `(r.${first} is null or ${isThere} and x.${first} is not null))` : `${isThere})`
}
