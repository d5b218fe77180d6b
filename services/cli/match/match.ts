import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, extname, resolve } from 'node:path'
import { matchedCsv } from '@catalog/api/bills/matched-csv.ts'
import { matchedWorkbook } from '@catalog/api/bills/matched-workbook.ts'
import type { Stage } from '@catalog/cli/shared/context.ts'
import {
  type BillColumns,
  type BillHeading,
  type BillLine,
  readBillOfQuantities,
} from '@catalog/formats/bill/bill-of-quantities.ts'
import { type BrokenRecord, bytesSource } from '@catalog/formats/bytes/record.ts'
import { type PriceFlags, priceLines, summaryOf, tableOf } from './price-lines.ts'

type LineFlags = PriceFlags &
  Readonly<{
    column?: string
    unitColumn?: string
    quantityColumn?: string
    regionColumn?: string
    format?: string
    out?: string
  }>

/** Enough for a list that people wrote; vendors' prices are crawled instead. */
const FILE_BYTES_MAX = 64 * 1024 * 1024

/**
 * `catalog match FILE`: the item and the cost of each line in a list of materials. Returns whether it could read every
 * line.
 */
export async function matchFile(stage: Stage, path: string, flags: LineFlags): Promise<boolean> {
  const { terminal } = stage
  checkOut(path, flags)
  const { lines, broken, heading, bytes } = await linesOf(path, flags)
  const report = await priceLines(stage, { lines }, flags)
  if (flags.out !== undefined)
    await writeFile(
      flags.out,
      isCsv(flags.out) ? matchedCsv(report.lines) : await matchedWorkbook(bytes, { lines: report.lines, heading }),
    )
  terminal.answer({ file: path, ...report, broken }, () =>
    [
      tableOf(report),
      ...broken.map(({ position, detail }) => `${position}: ${detail}`),
      summaryOf(report),
      ...(broken.length > 0 ? [`${broken.length} lines not read`] : []),
    ].join('\n'),
  )
  terminal.next(flags.out === undefined ? `catalog match ${path} --out matched.csv` : 'catalog explain ITEM')
  return broken.length === 0
}

type ReadList = Readonly<{ lines: BillLine[]; broken: BrokenRecord[]; heading: BillHeading | null; bytes: Buffer }>

async function linesOf(path: string, flags: LineFlags): Promise<ReadList> {
  if (!existsSync(path)) throw new Error(`input '${path}': no such file`)
  const bytes = await readFile(path)
  if (bytes.length > FILE_BYTES_MAX)
    throw new Error(`input '${path}': ${bytes.length} bytes, expected at most ${FILE_BYTES_MAX}`)
  const format = formatOf(path, flags)
  if (format !== 'csv' && format !== 'xlsx') throw new Error(`--format '${format}': expected csv or xlsx`)
  const columns: Partial<BillColumns> = {
    ...(flags.column !== undefined && { text: flags.column }),
    ...(flags.unitColumn !== undefined && { unit: flags.unitColumn }),
    ...(flags.quantityColumn !== undefined && { quantity: flags.quantityColumn }),
    ...(flags.regionColumn !== undefined && { region: flags.regionColumn }),
  }
  const lines: BillLine[] = []
  const broken: BrokenRecord[] = []
  let heading: BillHeading | null = null
  const onHeading = (found: BillHeading) => {
    heading = found
  }
  for await (const line of readBillOfQuantities(bytesSource(basename(path), bytes), { format, columns, onHeading })) {
    if ('reason' in line) broken.push(line)
    else lines.push(line)
  }
  if (lines.length + broken.length === 0)
    throw new Error(`input '${path}': expected a row of headings with a description, and lines below it; found no line`)
  return { lines, broken, heading, bytes }
}

const isCsv = (path: string) => extname(path).toLowerCase() === '.csv'
const isWorkbook = (path: string) => /^\.xls[xm]$/i.test(extname(path))
const formatOf = (path: string, { format }: LineFlags) => format ?? (isWorkbook(path) ? 'xlsx' : 'csv')

/** Throws for a file of answers that could not be written, before the work is done. */
function checkOut(path: string, flags: LineFlags): void {
  const { out } = flags
  if (out === undefined || isCsv(out)) return
  if (!isWorkbook(out)) throw new Error(`--out '${out}': expected the name of a CSV or XLSX file, such as matched.csv`)
  if (formatOf(path, flags) !== 'xlsx')
    throw new Error(`--out '${out}': '${path}' is a CSV file: expected the name of a CSV file, such as matched.csv`)
  if (extname(out).toLowerCase() !== extname(path).toLowerCase())
    throw new Error(
      `--out '${out}': a copy of '${path}' with the answers: expected a name that ends in ${extname(path)}`,
    )
  if (resolve(out) === resolve(path)) throw new Error(`--out '${out}': expected another file than the list itself`)
}
