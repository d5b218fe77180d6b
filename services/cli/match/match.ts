import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, extname, resolve } from 'node:path'
import { billDownload } from '@catalog/api/bills/bill-downloads.ts'
import { BILL_FORMATS, type BillFile, type BillFormat, type FileLine, readBill } from '@catalog/api/bills/bill-file.ts'
import { type BillTotals, billTotals } from '@catalog/api/bills/bill-totals.ts'
import { matchLines } from '@catalog/api/bills/match.ts'
import { candidatesOf, type MatchedLine } from '@catalog/api/bills/matched-line.ts'
import { type PricedLine, pricedLine } from '@catalog/api/bills/priced-bill.ts'
import { MatchRequest, type MatchResponse } from '@catalog/api/contract/contract.ts'
import { openFinder } from '@catalog/api/search/finder.ts'
import { publicOriginOf } from '@catalog/cli/access/public-origin.ts'
import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import type { Catalog } from '@catalog/cli/shared/wire.ts'
import { sha256Hex } from '@catalog/core/digest.ts'
import { regionOf } from '@catalog/core/events/sources.ts'
import { moneyText } from '@catalog/core/money/money-text.ts'
import type { BillColumns } from '@catalog/formats/bill/bill-of-quantities.ts'
import type { Environment } from '@catalog/runtime/env.ts'
import { correctionsOf } from './corrections.ts'

export type LineFlags = Readonly<{
  region?: string
  priceRegion?: string
  column?: string
  unitColumn?: string
  quantityColumn?: string
  regionColumn?: string
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
 * `catalog match FILE`: the item and the cost of each line in a bill. Returns whether it could read every
 * line.
 */
export async function matchFile(
  catalog: Catalog,
  terminal: Terminal,
  path: string,
  { env, ...flags }: LineFlags & Readonly<{ env: Pick<Environment, 'PUBLIC_BASE_URL' | 'PORT'> }>,
): Promise<boolean> {
  const outFormat = flags.out === undefined ? null : outFormatOf(path, flags.out)
  const { bytes, ...bill } = await readBillFile(path, flags)
  const corrections = await correctionsOf(
    catalog,
    bill.lines.map(({ text }) => text),
    flags,
  )
  const find = openFinder(catalog)
  const progress = terminal.progress('lines matched')
  const lines: PricedLine[] = []
  for (let at = 0; at < bill.lines.length; at += CHUNK_LINES) {
    const chunk = bill.lines.slice(at, at + CHUNK_LINES)
    const answer = await matchLines({ store: catalog.store, find, corrections }, requestOf(chunk, flags))
    lines.push(...chunk.map((line, i) => pricedLine(line, answer.lines[i] as MatchResponse['lines'][number], null)))
    progress.to(lines.length, bill.lines.length)
  }
  progress.done()
  if (flags.out !== undefined && outFormat !== null) {
    const region = regionOf(flags.priceRegion ?? flags.region ?? '') ?? null
    const priced = { ...bill, lines, region, pricedAt: catalog.now().toISOString(), fileSha256: sha256Hex(bytes) }
    const given = { format: outFormat, file: bytes, baseUrl: `${publicOriginOf(env)}/v1` }
    await writeFile(flags.out, await billDownload(priced, given))
  }
  const counts = Object.fromEntries(
    (['matched', 'ambiguous', 'unmatched'] as const).map((status) => [
      status,
      lines.filter((line) => line.status === status).length,
    ]),
  )
  const totals = billTotals(lines)
  const { unread: broken, unreadCount } = bill
  const answers = lines.map(({ matchedUnit: _, isCut: __, askedText: ___, isQuantityNumber: ____, ...line }) => line)
  terminal.answer({ file: path, ...counts, ...totals, broken, broken_count: unreadCount, lines: answers }, () =>
    [
      table(lines.map(rowOf)),
      ...broken.map(({ position, detail }) => `${position}: ${detail}`),
      `${counts.matched} matched, ${counts.ambiguous} ambiguous, ${counts.unmatched} unmatched${unreadCount > 0 ? `, ${unreadCount} not read` : ''}`,
      `${totals.priced} of ${lines.length} lines (${Math.round(totals.priced_share * 100)} %) priced${totals.costs.length > 0 ? `: ${totals.costs.map(moneyText).join(' + ')}` : ''}`,
      ...(totals.quantities.length > 0
        ? [`priced by quantity: ${totals.quantities.map(quantityText).join(', ')}`]
        : []),
    ].join('\n'),
  )
  terminal.next(flags.out === undefined ? `catalog match ${path} --out matched.csv` : 'catalog explain ITEM')
  return unreadCount === 0
}

async function readBillFile(path: string, flags: LineFlags): Promise<BillFile & { bytes: Buffer }> {
  if (!existsSync(path)) throw new Error(`input '${path}': no such file`)
  const bytes = await readFile(path)
  if (bytes.length > FILE_BYTES_MAX)
    throw new Error(`input '${path}': ${bytes.length} bytes, expected at most ${FILE_BYTES_MAX}`)
  const columns: Partial<BillColumns> = {
    ...(flags.column !== undefined && { text: flags.column }),
    ...(flags.unitColumn !== undefined && { unit: flags.unitColumn }),
    ...(flags.quantityColumn !== undefined && { quantity: flags.quantityColumn }),
    ...(flags.regionColumn !== undefined && { region: flags.regionColumn }),
  }
  return { ...(await readBill({ name: basename(path), bytes }, { linesMax: Infinity, columns })), bytes }
}

/** The format that the name of the file of answers says. Throws for a name that no format has, before the work is done. */
function outFormatOf(path: string, out: string): BillFormat {
  const [own, ending] = [path, out].map((name) => extname(name).toLowerCase()) as [string, string]
  const workbook = /^\.xls[xm]$/.test(own) ? own : '.xlsx'
  const format = ending === workbook ? 'xlsx' : BILL_FORMATS.find((known) => known !== 'xlsx' && ending === `.${known}`)
  if (format === undefined)
    throw new Error(`--out '${out}': expected a name that ends in .csv, ${workbook} or .bc3, such as matched.csv`)
  if (resolve(out) === resolve(path)) throw new Error(`--out '${out}': expected another file than the list itself`)
  return format
}

/** The request of the API, so that files have the same bounds. */
function requestOf(lines: readonly FileLine[], flags: LineFlags): MatchRequest {
  const request = MatchRequest.safeParse({
    lines: lines.map(({ text, matchedUnit: unit, quantity, region }) => ({
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
