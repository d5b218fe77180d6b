import type { Region } from '@catalog/core/events/sources.ts'
import type { BillFile, FileLine } from './bill-file.ts'
import type { Matched } from './line-answers.ts'

/** A bill with the answers for its lines. */

/** A line of the bill with its answer; `text` is that of the bill. */
export type PricedLine = FileLine &
  Omit<Matched, 'text'> &
  Readonly<{
    /** The words that a person asked for instead of the text; null: the text itself. */
    askedText: string | null
  }>

export type PricedBill = Omit<BillFile, 'lines'> &
  Readonly<{
    lines: readonly PricedLine[]
    /** The market of items and prices; null: any item, headline prices. */
    region: Region | null
    /** When it was priced, RFC 3339. */
    pricedAt: string
    /** SHA-256 of the file in hexadecimal. */
    fileSha256: string
  }>
