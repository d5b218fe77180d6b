import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { MatchRequest, type MatchResponse } from '@catalog/api/contract/contract.ts'
import { matchLines } from '@catalog/api/items/match.ts'
import { openFinder } from '@catalog/api/items/search.ts'
import { csvLine } from '@catalog/cli/shared/csv.ts'
import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import type { Catalog } from '@catalog/cli/shared/wire.ts'
import { moneyText } from '@catalog/core/money/money-text.ts'
import { compareText } from '@catalog/core/text.ts'
import { type BrokenRecord, bytesSource } from '@catalog/formats/bytes/record.ts'
import { type BillColumns, type BillLine, readBillOfQuantities } from '@catalog/formats/tables/bill-of-quantities.ts'

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
}>

/** Lines to match between two steps of the progress bar. */
const CHUNK_LINES = 20
/** Enough for a list that people wrote; vendors' prices are crawled instead. */
const FILE_BYTES_MAX = 64 * 1024 * 1024

type Line = Omit<BillLine, 'text'> & MatchResponse['lines'][number]

/**
 * `catalog match FILE`: the item and the cost of each line in a list of materials. Returns whether it could read every
 * line.
 */
export async function matchFile(
  catalog: Catalog,
  terminal: Terminal,
  path: string,
  flags: LineFlags,
): Promise<boolean> {
  const { lines, broken } = await linesOf(path, flags)
  const find = openFinder(catalog)
  const progress = terminal.progress('lines matched')
  const matched: Line[] = []
  for (let at = 0; at < lines.length; at += CHUNK_LINES) {
    const chunk = lines.slice(at, at + CHUNK_LINES)
    const answer = await matchLines({ store: catalog.store, find }, requestOf(chunk, flags))
    matched.push(...answer.lines.map((line, i) => ({ ...(chunk[i] as BillLine), ...line })))
    progress.to(matched.length, lines.length)
  }
  progress.done()
  if (flags.out !== undefined) await writeFile(flags.out, csvOf(matched))
  const counts = Object.fromEntries(
    (['matched', 'ambiguous', 'unmatched'] as const).map((status) => [
      status,
      matched.filter((line) => line.status === status).length,
    ]),
  )
  const totals = totalsOf(matched)
  terminal.answer({ file: path, ...counts, ...totals, broken, lines: matched }, () =>
    [
      table(matched.map(rowOf)),
      ...broken.map(({ position, detail }) => `${position}: ${detail}`),
      `${counts.matched} matched, ${counts.ambiguous} ambiguous, ${counts.unmatched} unmatched${broken.length > 0 ? `, ${broken.length} not read` : ''}`,
      `${totals.priced} of ${matched.length} lines priced${totals.costs.length > 0 ? `: ${totals.costs.map(moneyText).join(' + ')}` : ''}`,
    ].join('\n'),
  )
  terminal.next(flags.out === undefined ? `catalog match ${path} --out matched.csv` : 'catalog explain ITEM')
  return broken.length === 0
}

async function linesOf(path: string, flags: LineFlags): Promise<{ lines: BillLine[]; broken: BrokenRecord[] }> {
  if (!existsSync(path)) throw new Error(`input '${path}': no such file`)
  const bytes = await readFile(path)
  if (bytes.length > FILE_BYTES_MAX)
    throw new Error(`input '${path}': ${bytes.length} bytes, expected at most ${FILE_BYTES_MAX}`)
  const format = flags.format ?? (/^\.xls[xm]$/i.test(extname(path)) ? 'xlsx' : 'csv')
  if (format !== 'csv' && format !== 'xlsx') throw new Error(`--format '${format}': expected csv or xlsx`)
  const columns: Partial<BillColumns> = {
    ...(flags.column !== undefined && { text: flags.column }),
    ...(flags.unitColumn !== undefined && { unit: flags.unitColumn }),
    ...(flags.quantityColumn !== undefined && { quantity: flags.quantityColumn }),
    ...(flags.regionColumn !== undefined && { region: flags.regionColumn }),
  }
  const lines: BillLine[] = []
  const broken: BrokenRecord[] = []
  for await (const line of readBillOfQuantities(bytesSource(basename(path), bytes), { format, columns })) {
    if ('reason' in line) broken.push(line)
    else lines.push(line)
  }
  return { lines, broken }
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

/** Lines with a cost, and the sum of their costs by currency. */
function totalsOf(lines: readonly Line[]): { priced: number; costs: { cents: number; currency: string }[] } {
  const costs = lines.flatMap(({ cost }) => (cost ? [cost] : []))
  const byCurrency = Map.groupBy(costs, ({ currency }) => currency)
  return {
    priced: costs.length,
    costs: [...byCurrency]
      .map(([currency, all]) => ({ cents: all.reduce((sum, { cents }) => sum + cents, 0), currency }))
      .sort((a, b) => compareText(a.currency, b.currency)),
  }
}

/** The items that an undecided line may mean, the best first. */
function candidatesOf({ item, alternatives }: Line) {
  return [...(item === null ? [] : [item]), ...alternatives.map((other) => other.item)].slice(0, CANDIDATES_SHOWN)
}
const CANDIDATES_SHOWN = 3

function rowOf(line: Line) {
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

const CSV_COLUMNS = [
  'line',
  'text',
  'quantity',
  'unit',
  'status',
  'reason',
  'item_id',
  'item',
  'item_unit',
  'score',
  'price_cents',
  'cost_cents',
  'currency',
  'alternatives',
]

function csvOf(lines: readonly Line[]): string {
  const rows = lines.map((line) => {
    const { position, text, quantity, unit, status, reason, cost, alternatives } = line
    const item = status === 'matched' ? line.item : null
    const others = item === null ? candidatesOf(line) : alternatives.map((other) => other.item)
    return [
      position,
      text,
      quantity,
      unit,
      status,
      reason,
      item?.id,
      item?.name,
      item?.unit,
      item?.score,
      item?.median_price?.cents,
      cost?.cents,
      cost?.currency ?? item?.median_price?.currency,
      others.map(({ id }) => id).join(' '),
    ]
  })
  return [CSV_COLUMNS, ...rows].map(csvLine).join('')
}
