import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, extname, resolve } from 'node:path'
import { type BillFile, readBillFile } from '@catalog/api/bills/bill-file.ts'
import { matchedCsv } from '@catalog/api/bills/matched-csv.ts'
import { matchedWorkbook } from '@catalog/api/bills/matched-workbook.ts'
import type { Stage } from '@catalog/cli/shared/context.ts'
import { type PriceFlags, priceLines, summaryOf, tableOf } from './price-lines.ts'

type LineFlags = PriceFlags &
  Readonly<{
    column?: string
    unitColumn?: string
    quantityColumn?: string
    regionColumn?: string
    out?: string
  }>

/** Enough for a list that people wrote; vendors' prices are crawled instead. */
const LINES_MAX = 100_000
const FILE_BYTES_MAX = 64 * 1024 * 1024

/**
 * `catalog match FILE`: the item and the cost of each line in a list of materials. Returns whether it could read every
 * line.
 */
export async function matchFile(stage: Stage, path: string, flags: LineFlags): Promise<boolean> {
  const { terminal } = stage
  checkOut(path, flags)
  const { bill, bytes } = await billOf(path, flags)
  const { lines, currency, notes, sheets } = bill
  const broken = lines.flatMap(({ position, problem }) => (problem === null ? [] : [{ position, detail: problem }]))
  const report = await priceLines(stage, { lines, ...(currency !== null && { currency }) }, flags)
  if (flags.out !== undefined)
    await writeFile(
      flags.out,
      isCsv(flags.out) ? matchedCsv(report.lines) : await matchedWorkbook(bytes, { lines: report.lines, sheets }),
    )
  terminal.answer({ file: path, ...report, broken, notes }, () =>
    [
      tableOf(report),
      ...broken.map(({ position, detail }) => `${position}: ${detail}`),
      ...notes,
      summaryOf(report),
      ...(broken.length > 0 ? [`${broken.length} of the lines are in doubt`] : []),
    ].join('\n'),
  )
  terminal.next(flags.out === undefined ? `catalog match ${path} --out matched.csv` : 'catalog explain ITEM')
  return broken.length === 0
}

async function billOf(path: string, flags: LineFlags): Promise<{ bill: BillFile; bytes: Buffer }> {
  if (!existsSync(path)) throw new Error(`input '${path}': no such file`)
  const bytes = await readFile(path)
  if (bytes.length > FILE_BYTES_MAX)
    throw new Error(`input '${path}': ${bytes.length} bytes, expected at most ${FILE_BYTES_MAX}`)
  const columns = {
    ...(flags.column !== undefined && { text: flags.column }),
    ...(flags.unitColumn !== undefined && { unit: flags.unitColumn }),
    ...(flags.quantityColumn !== undefined && { quantity: flags.quantityColumn }),
    ...(flags.regionColumn !== undefined && { region: flags.regionColumn }),
  }
  const bill = await readBillFile({ name: basename(path), bytes }, { linesMax: LINES_MAX, columns })
  if (flags.out !== undefined && !isCsv(flags.out) && bill.format !== 'xlsx')
    throw new Error(
      `--out '${flags.out}': '${path}' is a ${bill.format.toUpperCase()} file: expected the name of a CSV file, such as matched.csv`,
    )
  return { bill, bytes }
}

const isCsv = (path: string) => extname(path).toLowerCase() === '.csv'
const isWorkbook = (path: string) => /^\.xls[xm]$/i.test(extname(path))

/** Throws for a file of answers that could not be written, before the work is done. */
function checkOut(path: string, flags: LineFlags): void {
  const { out } = flags
  if (out === undefined || isCsv(out)) return
  if (!isWorkbook(out)) throw new Error(`--out '${out}': expected the name of a CSV or XLSX file, such as matched.csv`)
  if (isWorkbook(path) && extname(out).toLowerCase() !== extname(path).toLowerCase())
    throw new Error(
      `--out '${out}': a copy of '${path}' with the answers: expected a name that ends in ${extname(path)}`,
    )
  if (resolve(out) === resolve(path)) throw new Error(`--out '${out}': expected another file than the list itself`)
}
