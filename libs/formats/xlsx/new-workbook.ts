import { writeXlsx } from 'hucre/xlsx'

/** An XLSX workbook of one sheet with these rows; texts are never read as formulas. */
export async function newWorkbook(
  sheet: string,
  rows: readonly (readonly (string | number | null)[])[],
): Promise<Buffer> {
  return Buffer.from(await writeXlsx({ sheets: [{ name: sheet, rows: rows.map((row) => [...row]) }] }))
}
