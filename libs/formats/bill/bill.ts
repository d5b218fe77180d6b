/** A bill of quantities as its file states it, whoever made it: sections, lines and sums in the order of the file. */
export type Bill = Readonly<{
  /** Of the file. */
  name: string
  /** What the file is by its content: "csv", "xlsx", "bc3", "gaeb". */
  format: string
  title: string | null
  /** ISO 4217 code; null where the file names none. */
  currency: string | null
  rows: readonly BillRow[]
  /** The grand total that the file states, a plain decimal in major units; null where it states none. */
  total: string | null
  /**
   * For people, what the rows do not show: a stated total that differs from the lines and why, sheets that are left out, whose prices
   * of several bidders are read.
   */
  notes: readonly string[]
  /** The sheets of a workbook that hold lines; absent elsewhere. */
  sheets?: readonly BillSheet[]
}>

/** Where the lines of a sheet stand, so that answers can be written beside them. */
export type BillSheet = Readonly<{
  /** The place of the sheet among all, from 1. */
  number: number
  /** The row of its first headings, from 1. */
  headingRow: number
}>

export type BillRow = BillSection | BillLine | BillSum

/** A chapter, a lot, a title: its lines follow until a section of the same or a higher level. */
export type BillSection = Readonly<{
  kind: 'section'
  /** For people: "list.xlsx sheet Abstract line 17". */
  position: string
  /** From 1, the outermost. */
  level: number
  code: string | null
  text: string
}>

/** Something to do or to buy. A line that cannot be read keeps what can be read of it. */
export type BillLine = Readonly<{
  kind: 'line'
  position: string
  /** As the file numbers or codes it: "01.02.0010", "SINAPI 87879"; null without one. */
  code: string | null
  /** The short text; the code where the file has no text. */
  text: string
  /** The rest of what the file says of it: it adds attributes, and names nothing. */
  longText: string | null
  /** As written. */
  unit: string | null
  /** A plain decimal; null where none is stated. */
  quantity: string | null
  /** The stated price of a unit, a plain decimal in major units; null where none is stated. */
  price: string | null
  /** The stated amount, a plain decimal in major units. */
  amount: string | null
  region: string | null
  /** How the line counts in the sum of the bill. */
  counts: LineCounts
  /** Why the line cannot be priced as it stands, with what was expected; null for a line that is read whole. */
  problem: string | null
  /** The program cut the text off, so that it may mean several items. */
  isCut?: true
  /** Where the line stands in a workbook; absent elsewhere. */
  cell?: BillCell
}>

/** The row of a line in a workbook. */
export type BillCell = Readonly<{
  /** {@link BillSheet.number} */
  sheet: number
  /** From 1. */
  row: number
  /** The column of the quantity, from 0, where its cell is a number, which formulas can use; null elsewhere. */
  quantityColumn: number | null
}>

/**
 * | | |
 * |---|---|
 * | yes | in the sum |
 * | option | asked for and left out of the sum until somebody awards it |
 * | no | does not apply, or is counted by another line |
 */
export type LineCounts = 'yes' | 'option' | 'no'

/** A subtotal or total that the file states. */
export type BillSum = Readonly<{
  kind: 'sum'
  position: string
  text: string
  /** A plain decimal in major units; null where the file leaves it blank. */
  amount: string | null
}>

/** Characters kept of the text of a row; no material needs more. */
export const LINE_CHARS_MAX = 512
/** Characters kept of a unit. */
export const UNIT_CHARS_MAX = 100
