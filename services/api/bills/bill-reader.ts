import { fileURLToPath } from 'node:url'
import { ApiError } from '@catalog/api/http/errors.ts'
import { ReaderFailed, ReaderProcesses } from '@catalog/runtime/reader-process.ts'
import type { BillToWrite } from './bill-downloads.ts'
import { BadBill, type BillFile, type BillFormat, type BillProblem } from './bill-file.ts'

/** What this process and the one that opens bills say to each other. */
export type BillOrder =
  | Readonly<{ work: 'read'; name: string; bytes: Uint8Array; linesMax: number }>
  | Readonly<{ work: 'download'; bill: BillToWrite; file: Uint8Array; format: BillFormat; baseUrl: string }>
export type BillPiece =
  | Readonly<{ bill: BillFile }>
  | Readonly<{ problem: BillProblem; detail: string }>
  | Readonly<{ download: Uint8Array }>

const PROGRAM = fileURLToPath(new URL('./bill.worker.ts', import.meta.url))
/** A file of the largest size takes a second or two. */
const BILL_MS_MAX = 20_000
/** Bills that are open at once: each takes a process of its own. */
const OPEN_AT_ONCE = 2
/** Bills that wait for one of those. */
const WAITING_MAX = 8
const RETRY_AFTER_SECONDS = 5

/**
 * Opens uploaded bills in processes of their own, two at once. Throws {@link BadBill} for a file that is none, or exceeds the
 * memory or time of a file, and the error `overloaded` while many wait.
 */
export class BillReader implements Disposable {
  readonly #processes = new ReaderProcesses<BillOrder, BillPiece>(PROGRAM, {
    silenceMsMax: BILL_MS_MAX,
    orderMsMax: BILL_MS_MAX,
  })
  readonly #waiting: (() => void)[] = []
  #open = 0

  async read(file: Readonly<{ name: string; bytes: Uint8Array }>, linesMax: number): Promise<BillFile> {
    const piece = await this.#answer({ work: 'read', ...file, linesMax })
    if ('problem' in piece) throw new BadBill(piece.detail, piece)
    return (piece as Extract<BillPiece, { bill: unknown }>).bill
  }

  async download(order: Omit<Extract<BillOrder, { work: 'download' }>, 'work'>): Promise<Buffer> {
    const piece = await this.#answer({ work: 'download', ...order })
    return Buffer.from((piece as Extract<BillPiece, { download: unknown }>).download)
  }

  async #answer(order: BillOrder): Promise<BillPiece> {
    await this.#enter()
    try {
      let answer: BillPiece | undefined
      for await (const piece of this.#processes.pieces(order)) answer = piece
      return answer as BillPiece
    } catch (error) {
      if (!(error instanceof ReaderFailed)) throw error
      throw new BadBill(error.message, { problem: 'not_a_bill', cause: error })
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#open--
      else next()
    }
  }

  async #enter(): Promise<void> {
    if (this.#open < OPEN_AT_ONCE) this.#open++
    else if (this.#waiting.length >= WAITING_MAX)
      throw new ApiError('overloaded', 'many bills are being read', { retryAfterSeconds: RETRY_AFTER_SECONDS })
    // The one that ends hands its place over.
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  [Symbol.dispose](): void {
    this.#processes[Symbol.dispose]()
  }
}
