type Cell = string | number | null | undefined

export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** Quotes a cell where RFC 4180 requires it, and puts an apostrophe before a text that a spreadsheet would run as a formula. */
export function csvCell(value: Cell): string {
  const text = String(value ?? '')
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
