import { writeXlsx } from 'hucre/xlsx'

type Rows = readonly (readonly (string | number | null)[])[]

/** An XLSX workbook with these rows by the names of its sheets; texts are never read as formulas. */
export async function newWorkbook(sheets: Readonly<Record<string, Rows>>): Promise<Buffer> {
  const written = Object.entries(sheets).map(([name, rows]) => ({ name, rows: rows.map((row) => [...row]) }))
  return Buffer.from(await writeXlsx({ sheets: written }))
}
