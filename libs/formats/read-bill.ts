import { bc3Bill } from '@catalog/formats/bill/bc3-bill.ts'
import type { Bill } from '@catalog/formats/bill/bill.ts'
import type { GivenColumns } from '@catalog/formats/bill/bill-columns.ts'
import { tableBill } from '@catalog/formats/bill/table-bill.ts'
import type { ByteSource } from '@catalog/formats/bytes/record.ts'
import { formatOfHead, headOf, isTender } from '@catalog/formats/bytes/sniff.ts'
import { joinBid } from '@catalog/formats/gaeb/join-bid.ts'
import { readTender } from '@catalog/formats/gaeb/read-tender.ts'

export type BillOptions = Readonly<{
  /** Headings of a table, where they are not the usual ones. */
  columns?: GivenColumns
  /** Of a bid without texts (GAEB 84): the bill that it prices. */
  request?: ByteSource | undefined
}>

/**
 * Reads a bill of quantities by the content of its file: BC3, CSV, XLSX, GAEB or ÖNORM A 2063. A line that cannot be read is a line with
 * its problem.
 * Throws for another file, for a table without a heading, and for a bid that shares no number with its request.
 */
export async function readBill(source: ByteSource, { request, ...options }: BillOptions = {}): Promise<Bill> {
  if (request !== undefined) return joinBid(await readBill(request, options), await readBill(source, options))
  const { columns = {} } = options
  const format = formatOfHead(await headOf(source))
  if (isTender(format)) return readTender(source, format)
  if (format === 'bc3') return bc3Bill(source)
  if (format === 'csv' || format === 'xlsx') return tableBill(source, { format, columns })
  throw new Error(`'${source.name}' looks like ${format}: expected a BC3, CSV, XLSX, GAEB or ÖNORM file`)
}
