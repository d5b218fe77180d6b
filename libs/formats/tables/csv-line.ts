export type CsvCell = string | number | null | undefined

/** One line by RFC 4180, with its line end. */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** The lines of a table with these columns: the one of its headings, and the one of a row. */
export const csvTable = <Row>(columns: Readonly<Record<string, (row: Row) => CsvCell>>, cell = csvCell) => ({
  head: csvLine(Object.keys(columns)),
  line: (row: Row): string => `${Object.values(columns).map((value) => cell(value(row)))}\r\n`,
})

/**
 * Quotes a cell where RFC 4180 requires it, and where a spreadsheet would split it: those of many countries split at
 * semicolons, and what follows one could be a formula. Puts an apostrophe before a text that a spreadsheet would run as a
 * formula. Numbers stay as they are: a negative one is no formula.
 */
export function csvCell(value: CsvCell): string {
  const text = String(value ?? '')
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
/** Spreadsheets also drop a tab or line break before a formula, and some read its full-width signs. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/
