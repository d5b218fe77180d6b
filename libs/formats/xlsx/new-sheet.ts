import { posix } from 'node:path'
import { BadArchive } from '@catalog/formats/bytes/zip.ts'
import { colToLetter } from 'hucre/xlsx'
import { type NewColumns, sheetWithCells } from './sheet-cells.ts'
import { elementsIn, workbookPath } from './workbook-parts.ts'

/** A sheet behind the others of a workbook. Where another one has its name, it gets a number. */
export type NewSheet = NewColumns & Readonly<{ name: string }>

const CONTENT_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml'

/** The parts, by their paths, that a workbook with a further sheet has anew. `textOf` reads a part. */
export function partsWithSheet(
  textOf: (path: string) => string,
  { name, ...cells }: NewSheet,
): Readonly<Record<string, string>> {
  const path = workbookPath(textOf)
  const { dir, base } = posix.parse(path)
  const relationsPath = `${dir}/_rels/${base}.rels`
  const [workbook, relations] = [textOf(path), textOf(relationsPath)]
  const sheets = elementsIn(workbook, 'sheet')
  const used = [...sheets.map(({ sheetId }) => sheetId), ...relations.matchAll(/(\d{1,9})\.xml/g).map(([, n]) => n)]
  const number = Math.max(0, ...used.map((n) => Number(n) || 0)) + 1
  const isTaken = sheets.some((sheet) => sheet.name?.toLowerCase() === name.toLowerCase())
  // Some readers know a sheet by the name that Excel gives its part, and an attribute by the usual prefix.
  const [id, target] = [`added${number}`, `worksheets/sheet${number}.xml`]
  const part = `${dir}/${target}`
  const prefix =
    Object.keys(sheets[0] ?? {})
      .find((key) => key.endsWith(':id'))
      ?.slice(0, -3) ?? 'r'
  const sheet = `name="${name}${isTaken ? ` ${number}` : ''}" sheetId="${number}" ${prefix}:id="${id}"`
  const type = elementsIn(relations, 'relationship').find(({ Type = '' }) => Type.endsWith('/worksheet'))?.Type
  const empty = `<worksheet xmlns="${spaceOf(workbook, 'main')}"><dimension ref="A1"/><sheetData></sheetData></worksheet>`
  return {
    [part]: sheetWithCells(empty, { ...cells, letterOf: colToLetter, moneyStyle: null }),
    [path]: withLast(workbook, 'sheets', `sheet xmlns:${prefix}="${spaceOf(workbook, 'relationships')}" ${sheet}`),
    [relationsPath]: withLast(relations, 'Relationships', `Relationship Id="${id}" Type="${type}" Target="${target}"`),
    [TYPES_PATH]: withLast(textOf(TYPES_PATH), 'Types', `Override PartName="/${part}" ContentType="${CONTENT_TYPE}"`),
  }
}
const TYPES_PATH = '[Content_Types].xml'

/** The namespace that ends so: a strict workbook has others than a transitional one (ECMA-376 part 1, annex A). */
const spaceOf = (workbook: string, end: string) =>
  workbook
    .match(/http:\/\/(?:schemas\.openxmlformats|purl\.oclc)\.org\/[^"']{1,80}/g)
    ?.find((one) => one.endsWith(`/${end}`))

/** The text of a part with a further child, without content, at the end of an element; it has the prefix of the element. */
function withLast(xml: string, element: string, child: string): string {
  const [end, prefix] = new RegExp(`</(\\w*:?)${element}\\s*>`).exec(xml) ?? []
  if (end === undefined) throw new BadArchive(`no end of <${element}>: expected an XLSX workbook`)
  return xml.replace(end, () => `<${prefix}${child}/>${end}`)
}
