import { isGlob, matchesName } from '@catalog/formats/bytes/name-globs.ts'
import { type ByteSource, isBroken, type ReadRecord } from '@catalog/formats/bytes/record.ts'
import { BadArchive, openArchive } from '@catalog/formats/bytes/zip.ts'
import type { Sheet } from '@catalog/formats/xlsx/workbook-parts.ts'
import { isHeadingBy } from './format-readers.ts'
import type { ReadOptions } from './read-options.ts'

/** The sheets of a workbook that hold price lists. */

/** The sheets to read, each as a file of its own, and what to say of the others. */
export type WorkbookSheets = Readonly<{
  sheets: readonly Readonly<{ source: ByteSource; options: ReadOptions }>[]
  /** Names of the sheets that are passed over: hidden ones, and those without a table, such as covers. */
  passedOver: readonly string[]
  /** How to choose another sheet, for a message. */
  hint: string
}>

/** Further visible sheets are read without a look for a table; a workbook of price lists has some dozens at most. */
const SHEETS_LOOKED_AT_MAX = 50
/** Rows with a number and as many filled cells that make a sheet a table: a reference, a name and a price. */
const TABLE_ROWS_MIN = 2
const TABLE_CELLS_MIN = 3
const HINT_CHARS_MAX = 300

/**
 * Chooses the sheets of a workbook: those that the mapping names, else every visible one with a table. A table whose
 * columns nobody knows is read too, so that its refusal names it, and leaves the file incomplete. Without any table it is
 * the first visible sheet.
 */
export async function workbookSheets(source: ByteSource, options: ReadOptions): Promise<WorkbookSheets> {
  const { mapping } = options
  const named = (name: string | number) => ({ ...source, name: `${source.name} sheet ${name}` })
  const given = mapping?.sheet
  const placed = (sheet: string | number, name: string) => ({
    ...options,
    mapping: { ...mapping, sheet },
    place: { file: options.place?.file ?? source.name, sheet: name },
  })
  if (typeof given === 'string' && !isGlob(given))
    return { sheets: [{ source: named(given), options: placed(given, given) }], passedOver: [], hint: '' }
  const all = await sheetsIn(source)
  if (typeof given === 'number') {
    const name = all.find((sheet) => isNamed(sheet, given))?.name ?? String(given)
    return { sheets: [{ source: named(given), options: placed(given, name) }], passedOver: [], hint: '' }
  }
  if (given !== undefined) {
    const wanted = Array.isArray(given) ? given : [given]
    const chosen = all.filter((sheet) => wanted.some((one) => isNamed(sheet, one)))
    // The reader of a sheet that does not exist says which there are.
    const absent = wanted.filter((one) => !all.some((sheet) => isNamed(sheet, one)))
    const sheets = [
      ...chosen.map(({ name, number }) => ({ source: named(name), options: placed(number, name) })),
      ...absent.map((one) => ({ source: named(one), options: placed(one, String(one)) })),
    ]
    return { sheets, passedOver: all.filter((sheet) => !chosen.includes(sheet)).map(({ name }) => name), hint: '' }
  }
  const visible = all.filter(({ isVisible }) => isVisible)
  const [first] = visible
  // A file that is no workbook, or has no visible sheet, is refused by its reader.
  if (first === undefined) return { sheets: [{ source, options }], passedOver: [], hint: '' }
  const chosen: Sheet[] = []
  for (const [i, sheet] of visible.entries()) {
    if (visible.length === 1 || i >= SHEETS_LOOKED_AT_MAX || (await isTable(source, sheet, options))) chosen.push(sheet)
  }
  if (chosen.length === 0) chosen.push(first)
  const sheets = chosen.map((sheet) => ({
    source: sheet === first ? source : named(sheet.name),
    options: placed(sheet.number, sheet.name),
  }))
  const names = visible.map(({ name }) => `'${name}'`).join(', ')
  const hint = visible.length === 1 ? '' : `. Its sheets are ${names}`.slice(0, HINT_CHARS_MAX)
  return {
    sheets,
    passedOver: all.filter((sheet) => !chosen.includes(sheet)).map(({ name }) => name),
    hint: hint === '' ? '' : `${hint}; \`sheet\` of the mapping names the one to read`,
  }
}

/** Whether a name, a glob or a number of the mapping means a sheet. */
function isNamed({ name, number }: Sheet, wanted: string | number): boolean {
  if (typeof wanted === 'number') return number === wanted
  return name === wanted || (isGlob(wanted) && matchesName(wanted, name))
}

async function sheetsIn(source: ByteSource): Promise<readonly Sheet[]> {
  const { worksheetsOf } = await import('@catalog/formats/xlsx/xlsx.ts')
  try {
    using archive = await openArchive(await source.whole())
    return await worksheetsOf(archive)
  } catch (error) {
    if (error instanceof BadArchive) return []
    throw error
  }
}

/** Whether the head of a sheet is a table: with a heading that the mapping or a guess knows, or with rows of goods. */
async function isTable(source: ByteSource, { number }: Sheet, options: ReadOptions): Promise<boolean> {
  const { readXlsx } = await import('@catalog/formats/xlsx/xlsx.ts')
  const isHeading = isHeadingBy(options.mapping)
  let isKnown = false
  const onHeading = ({ columns }: Readonly<{ columns: readonly string[] }>) => {
    isKnown = isHeading(columns)
  }
  for await (const batch of readXlsx(source, { name: source.name, sheet: number, isHeading, onHeading })) {
    // The reader of the whole sheet tells what is wrong.
    return isKnown || batch.some(isBroken) || batch.filter(hasGoods).length >= TABLE_ROWS_MIN
  }
  return isKnown
}

function hasGoods(record: ReadRecord): boolean {
  if (isBroken(record)) return false
  const filled = Object.entries(record.fields).filter(([, text]) => text.trim() !== '')
  const hasNumber = filled.some(([column, text]) => record.numbers?.has(column) || MONEY.test(text.trim()))
  return filled.length >= TABLE_CELLS_MIN && hasNumber
}
/** A price that a person typed as text. */
const MONEY = /^\p{Sc}?\s*\d[\d.,\s]*[.,]\d{2}\s*\p{Sc}?$/u
