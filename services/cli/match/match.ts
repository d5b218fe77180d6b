import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, extname, resolve } from 'node:path'
import { type BillTotals, billTotals } from '@catalog/api/bills/bill-totals.ts'
import { itemsOfStore } from '@catalog/api/bills/line-items.ts'
import { matchLines } from '@catalog/api/bills/match.ts'
import { matchedCsv } from '@catalog/api/bills/matched-csv.ts'
import { candidatesOf, type MatchedLine } from '@catalog/api/bills/matched-line.ts'
import { matchedWorkbook } from '@catalog/api/bills/matched-workbook.ts'
import { MatchRequest } from '@catalog/api/contract/contract.ts'
import { openFinder } from '@catalog/api/search/finder.ts'
import type { Stage } from '@catalog/cli/shared/context.ts'
import { table } from '@catalog/cli/shared/terminal.ts'
import { moneyText } from '@catalog/core/money/money-text.ts'
import {
  type BillColumns,
  type BillHeading,
  type BillLine,
  readBillOfQuantities,
} from '@catalog/formats/bill/bill-of-quantities.ts'
import { type BrokenRecord, bytesSource } from '@catalog/formats/bytes/record.ts'
import { correctionsOf } from './corrections.ts'

export type LineFlags = Readonly<{
  region?: string
  priceRegion?: string
  column?: string
  unitColumn?: string
  quantityColumn?: string
  regionColumn?: string
  format?: string
  alternatives?: string
  out?: string
  corrections?: string
  workspace?: string
}>

/** Lines to match between two steps of the progress bar. */
const CHUNK_LINES = 20
/** Enough for a list that people wrote; vendors' prices are crawled instead. */
const FILE_BYTES_MAX = 64 * 1024 * 1024

/**
 * `catalog match FILE`: the item and the cost of each line in a list of materials. Returns whether it could read every
 * line.
 */
export async function matchFile({ catalog, terminal }: Stage, path: string, flags: LineFlags): Promise<boolean> {
  checkOut(path, flags)
  const { lines, broken, heading, bytes } = await linesOf(path, flags)
  const corrections = await correctionsOf(
    catalog,
    lines.map(({ text }) => text),
    flags,
  )
  const find = openFinder(catalog)
  const progress = terminal.progress('lines matched')
  const matched: MatchedLine[] = []
  for (let at = 0; at < lines.length; at += CHUNK_LINES) {
    const chunk = lines.slice(at, at + CHUNK_LINES)
    const answer = await matchLines({ items: itemsOfStore(catalog.store), find, corrections }, requestOf(chunk, flags))
    matched.push(...answer.lines.map((line, i) => ({ ...(chunk[i] as BillLine), ...line })))
    progress.to(matched.length, lines.length)
  }
  progress.done()
  if (flags.out !== undefined)
    await writeFile(
      flags.out,
      isCsv(flags.out) ? matchedCsv(matched) : await matchedWorkbook(bytes, { lines: matched, heading }),
    )
  const counts = Object.fromEntries(
    (['matched', 'ambiguous', 'unmatched'] as const).map((status) => [
      status,
      matched.filter((line) => line.status === status).length,
    ]),
  )
  const totals = billTotals(matched)
  terminal.answer({ file: path, ...counts, ...totals, broken, lines: matched }, () =>
    [
      table(matched.map(rowOf)),
      ...broken.map(({ position, detail }) => `${position}: ${detail}`),
      `${counts.matched} matched, ${counts.ambiguous} ambiguous, ${counts.unmatched} unmatched${broken.length > 0 ? `, ${broken.length} not read` : ''}`,
      `${totals.priced} of ${matched.length} lines (${Math.round(totals.priced_share * 100)} %) priced${totals.costs.length > 0 ? `: ${totals.costs.map(moneyText).join(' + ')}` : ''}`,
      ...(totals.quantities.length > 0
        ? [`priced by quantity: ${totals.quantities.map(quantityText).join(', ')}`]
        : []),
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

/** The request of the API, so that files have the same bounds. */
function requestOf(lines: readonly BillLine[], flags: LineFlags): MatchRequest {
  const request = MatchRequest.safeParse({
    lines: lines.map(({ text, unit, quantity, region }) => ({
      text,
      unit,
      region,
      quantity: quantity === null || Number(quantity) === 0 ? null : Number(quantity),
    })),
    region: flags.region,
    price_region: flags.priceRegion,
    ...(flags.alternatives !== undefined && { alternatives: Number(flags.alternatives) }),
  })
  if (request.success) return request.data
  const [issue] = request.error.issues
  const [, at, key] = issue?.path ?? []
  const place =
    typeof at === 'number' ? `${lines[at]?.position}: ${String(key)}` : `--${String(issue?.path[0]).replace('_', '-')}`
  throw new Error(`${place}: ${issue?.message}`)
}

/** "62 % of 40 m²": how much of each quantity is priced. */
function quantityText({ unit, quantity, priced_share }: BillTotals['quantities'][number]): string {
  return `${Math.round(priced_share * 100)} % of ${quantity} ${unit || 'without a unit'}`
}

function rowOf(line: MatchedLine) {
  const { position, text, quantity, unit, status, reason, cost } = line
  const item = status === 'matched' ? line.item : null
  const shown = ({ name, unit: sold }: ReturnType<typeof candidatesOf>[number]) =>
    `${name.slice(0, 50)} (${sold ?? '-'})`
  return {
    line: position.replace(/^.* line /, ''),
    text: text.slice(0, 40),
    quantity: quantity ?? '',
    unit: unit ?? '',
    status: reason === null ? status : `${status}: ${reason}`,
    item: item === null ? candidatesOf(line).map(shown).join(' | ') : shown(item),
    price: moneyOf(item?.median_price),
    cost: moneyOf(cost),
  }
}

const moneyOf = (money: { cents: number; currency: string } | null | undefined) => (money ? moneyText(money) : '')
