import { type Archive, BadArchive, openArchive } from '@catalog/formats/bytes/zip.ts'
import { zipSync } from 'fflate'
import { colToLetter } from 'hucre/xlsx'
import { type NewSheet, partsWithSheet } from './new-sheet.ts'
import { type NewColumns, sheetWithCells } from './sheet-cells.ts'
import { sheetsOf } from './workbook-parts.ts'

/** 0 → A, 26 → AA. */
export const columnLetter: (column: number) => string = colToLetter

/** What a workbook to copy may inflate to: all of it is in memory. */
const WORKBOOK_BYTES_MAX = 256 * 1024 ** 2

/** Columns for a sheet, by its place among all, from 1. */
export type SheetColumns = NewColumns & Readonly<{ sheet: number }>

/**
 * A copy of an XLSX workbook with further columns at the right of some sheets, and a sheet behind them where one is given. Every
 * other part keeps its bytes, and every present cell its formula, value and style: only new cells are inserted into the text of a
 * sheet. Throws {@link BadArchive} for what is no workbook, or too large to copy.
 */
export async function addColumns(
  workbook: Buffer,
  added: readonly SheetColumns[],
  newSheet?: NewSheet,
): Promise<Buffer> {
  using archive = await openArchive(workbook)
  const parts = await partsOf(archive)
  const sheets = sheetsOf((path) => textOf(parts, path))
  const styles = Object.keys(parts).find((path) => /^xl\/styles\.xml$/i.test(path))
  const money = styles === undefined ? null : moneyStyle(textOf(parts, styles))
  if (styles !== undefined && money !== null) parts[styles] = Buffer.from(money.xml)
  for (const { sheet, ...columns } of added) {
    const path = sheets.find(({ number }) => number === sheet)?.path
    if (path === undefined) throw new BadArchive(`the workbook has no sheet ${sheet}`)
    const options = { ...columns, letterOf: columnLetter, moneyStyle: money?.index ?? null }
    parts[path] = Buffer.from(sheetWithCells(textOf(parts, path), options))
  }
  const more = newSheet === undefined ? {} : partsWithSheet((path) => textOf(parts, path), newSheet)
  for (const [path, text] of Object.entries(more)) parts[path] = Buffer.from(text)
  return Buffer.from(zipSync(parts, { level: 6 }))
}

async function partsOf({ entries }: Archive): Promise<Record<string, Uint8Array>> {
  const size = entries.reduce((sum, entry) => sum + entry.size, 0)
  if (size > WORKBOOK_BYTES_MAX)
    throw new BadArchive(`the workbook inflates to ${size} bytes, at most ${WORKBOOK_BYTES_MAX} are copied`)
  const parts: Record<string, Uint8Array> = Object.create(null)
  for (const entry of entries) {
    const chunks: Uint8Array[] = []
    for await (const chunk of entry.open()) chunks.push(chunk)
    parts[entry.path] = Buffer.concat(chunks)
  }
  return parts
}

function textOf(parts: Readonly<Record<string, Uint8Array>>, path: string): string {
  const part = parts[path]
  if (part === undefined) throw new BadArchive(`no ${path}: expected an XLSX workbook`)
  const text = Buffer.from(part).toString('utf8')
  if (text.includes('�')) throw new BadArchive(`${path} is not UTF-8, which a copy expects`)
  return text
}

/**
 * The styles with one more cell format, "#,##0.00" (built-in number format 4 of ECMA-376 part 1, §18.8.30), and its index;
 * null where the part has no list of formats.
 */
function moneyStyle(xml: string): { xml: string; index: number } | null {
  const found = /<((?:\w+:)?)cellXfs\b[^>]*>([\s\S]*?)<\/\1cellXfs>/.exec(xml)
  if (found === null) return null
  const [whole, prefix, formats] = found as unknown as [string, string, string]
  const index = formats.match(new RegExp(`<${prefix}xf\\b`, 'g'))?.length ?? 0
  const format = `<${prefix}xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`
  const list = `<${prefix}cellXfs count="${index + 1}">${formats}${format}</${prefix}cellXfs>`
  return { xml: xml.replace(whole, () => list), index }
}
