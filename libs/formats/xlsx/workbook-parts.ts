import { posix } from 'node:path'
import { BadArchive } from '@catalog/formats/bytes/zip.ts'
import { Parser } from 'htmlparser2'

/** A worksheet of a workbook, in the order of its tabs. */
export type Sheet = Readonly<{
  name: string
  /** Its part inside the archive, such as "xl/worksheets/sheet1.xml". */
  path: string
  /** Its place among all sheets, from 1. */
  number: number
  /** A person who opens the workbook sees its tab: `hidden` and `veryHidden` sheets have none (ECMA-376 part 1, §18.2.19). */
  isVisible: boolean
  /** Serials of the workbook's dates count from 1904. */
  is1904: boolean
}>

/**
 * The worksheets of a workbook. Packages name their parts by relationships (ECMA-376 part 2, §9), so the path itself tells
 * nothing. `textOf` reads a part. Throws {@link BadArchive} for a workbook without any.
 */
export function sheetsOf(textOf: (path: string) => string): readonly [Sheet, ...Sheet[]] {
  const workbook = workbookPath(textOf)
  const { dir, base } = posix.parse(workbook)
  const workbookText = textOf(workbook)
  const is1904 = elementsIn(workbookText, 'workbookpr').some(({ date1904 = '' }) => /^(1|true|on)$/i.test(date1904))
  const parts = relationships(textOf(`${dir}/_rels/${base}.rels`))
  const sheets = elementsIn(workbookText, 'sheet').flatMap((sheet, i): Sheet | [] => {
    const id = Object.entries(sheet).find(([name]) => /:id$/i.test(name))?.[1]
    // Charts have sheets of their own, which hold no cells.
    const part = parts.find((part) => part.id === id && /\/worksheet$/i.test(part.type))
    if (part === undefined) return []
    const { name = '', state = 'visible' } = sheet
    return { name, path: pathOf(part, dir), number: i + 1, isVisible: !/hidden$/i.test(state), is1904 }
  })
  const [first, ...others] = sheets
  if (first === undefined) throw new BadArchive(NO_SHEET)
  return [first, ...others]
}

/** The part that names the sheets. */
export const workbookPath = (textOf: (path: string) => string): string =>
  targetOf(relationships(textOf('_rels/.rels')), '', ({ type }) => type.endsWith('/officeDocument'))

/** The sheet that a person sees first. */
export function firstVisible(sheets: readonly [Sheet, ...Sheet[]]): Sheet {
  return sheets.find(({ isVisible }) => isVisible) ?? sheets[0]
}

const NO_SHEET = 'no sheet is named by the workbook: expected an XLSX workbook'

type Relationship = Readonly<{ id: string; type: string; target: string }>

function relationships(xml: string): Relationship[] {
  return elementsIn(xml, 'relationship').map(({ Id = '', Type = '', Target = '' }) => ({
    id: Id,
    type: Type,
    target: Target,
  }))
}

function targetOf(parts: readonly Relationship[], folder: string, isWanted: (part: Relationship) => boolean): string {
  const found = parts.find(isWanted)
  if (found === undefined) throw new BadArchive(NO_SHEET)
  return pathOf(found, folder)
}

function pathOf({ target }: Relationship, folder: string): string {
  return posix.join('/', target.startsWith('/') ? '' : folder, target).slice(1)
}

/** The attributes of every element of a name, whatever its prefix, in order; of those within another element. */
export function elementsIn(xml: string, name: string, within?: string): Record<string, string>[] {
  const found: Record<string, string>[] = []
  let isWithin = within === undefined
  const nameOf = (tag: string) => tag.replace(/^.*:/, '').toLowerCase()
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        if (nameOf(tag) === within) isWithin = true
        if (isWithin && nameOf(tag) === name) found.push(attributes)
      },
      onclosetag(tag) {
        if (nameOf(tag) === within) isWithin = false
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  return found
}
