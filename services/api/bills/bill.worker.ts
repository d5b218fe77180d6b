import { type ReaderAnswer, TAKEN } from '@catalog/runtime/reader-process.ts'
import { billDownload } from './bill-downloads.ts'
import { BadBill, readBillFile } from './bill-file.ts'
import type { BillOrder, BillPiece } from './bill-reader.ts'

/** The process that opens uploaded bills: it reads one after the other, and writes the prices into them. */

async function pieceOf(order: BillOrder): Promise<BillPiece> {
  if (order.work === 'download') return { download: await billDownload(order.bill, order) }
  try {
    return { bill: await readBillFile(order, order) }
  } catch (error) {
    if (error instanceof BadBill) return { problem: error.problem, detail: error.message }
    throw error
  }
}

const answer = (message: ReaderAnswer<BillPiece>) => process.send?.(message)

process.on('message', async (order: BillOrder | typeof TAKEN) => {
  if (order === TAKEN) return
  try {
    answer({ ...(await pieceOf(order)), bytes: 0 })
    answer({ done: true, bytes: 0 })
  } catch (error) {
    answer({ failed: (error as Error).message, bytes: 0 })
  }
})
process.on('disconnect', () => process.exit())
