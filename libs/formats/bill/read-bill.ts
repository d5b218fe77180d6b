import type { ByteSource } from '@catalog/formats/bytes/record.ts'
import { formatOfHead, headOf } from '@catalog/formats/bytes/sniff.ts'
import { bc3Bill } from './bc3-bill.ts'
import type { Bill } from './bill.ts'
import type { GivenColumns } from './bill-columns.ts'
import { tableBill } from './table-bill.ts'

export type BillOptions = Readonly<{
  /** Headings of a table, where they are not the usual ones. */
  columns?: GivenColumns
}>

/**
 * Reads a bill of quantities by the content of its file: BC3, CSV or XLSX. A line that cannot be read is a line with its problem.
 * Throws for another file, and for a table without a heading.
 */
export async function readBill(source: ByteSource, { columns = {} }: BillOptions = {}): Promise<Bill> {
  const format = formatOfHead(await headOf(source))
  if (format === 'bc3') return bc3Bill(source)
  if (format === 'csv' || format === 'xlsx') return tableBill(source, { format, columns })
  throw new Error(`'${source.name}' looks like ${format}: expected a BC3, CSV or XLSX file`)
}
