import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, extname, resolve } from 'node:path'
import { billDownload } from '@catalog/api/bills/bill-downloads.ts'
import { BILL_FORMATS, type BillFile, type BillFormat, readBillFile } from '@catalog/api/bills/bill-file.ts'
import { apiAddress, type Context, type Stage } from '@catalog/cli/shared/context.ts'
import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { evidencedLines, type PriceFlags, priceLines, summaryOf, tableOf } from './price-lines.ts'

type LineFlags = PriceFlags &
  Readonly<{
    column?: string
    unitColumn?: string
    quantityColumn?: string
    regionColumn?: string
    request?: string
    out?: string
  }>

/** Enough for a list that people wrote; vendors' prices are crawled instead. */
const LINES_MAX = 100_000
const FILE_BYTES_MAX = 64 * 1024 * 1024

/**
 * `catalog match FILE`: the item and the cost of each line in a list of materials. Returns whether it could read every
 * line.
 */
export async function matchFile(stage: Stage & Pick<Context, 'env'>, path: string, flags: LineFlags): Promise<boolean> {
  const { terminal, catalog, env } = stage
  const format = formatOfOut(path, flags)
  const { bill, bytes } = await billOf(path, flags)
  const { lines, currency, notes } = bill
  const broken = lines.flatMap(({ position, problem }) => (problem === null ? [] : [{ position, detail: problem }]))
  const priced = await priceLines(stage, { lines, ...(currency !== null && { currency }) }, flags)
  const report = { ...priced, lines: await evidencedLines(stage, priced, flags) }
  if (flags.out !== undefined && format !== undefined) {
    const answered = { ...bill, ...report, pricedAt: catalog.now().toISOString() }
    await writeFile(flags.out, await billDownload(answered, { format, file: bytes, baseUrl: apiAddress(env) }))
  }
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
  const bytes = await bytesOf(path)
  const request =
    flags.request === undefined ? undefined : bytesSource(basename(flags.request), await bytesOf(flags.request))
  const columns = {
    ...(flags.column !== undefined && { text: flags.column }),
    ...(flags.unitColumn !== undefined && { unit: flags.unitColumn }),
    ...(flags.quantityColumn !== undefined && { quantity: flags.quantityColumn }),
    ...(flags.regionColumn !== undefined && { region: flags.regionColumn }),
  }
  const bill = await readBillFile({ name: basename(path), bytes }, { linesMax: LINES_MAX, columns, request })
  return { bill, bytes }
}

async function bytesOf(path: string): Promise<Buffer> {
  if (!existsSync(path)) throw new Error(`input '${path}': no such file`)
  const bytes = await readFile(path)
  if (bytes.length > FILE_BYTES_MAX)
    throw new Error(`input '${path}': ${bytes.length} bytes, expected at most ${FILE_BYTES_MAX}`)
  return bytes
}

const extensionOf = (path: string) => extname(path).slice(1).toLowerCase()

/** What the answers are written as. Throws for a file that could not be written, before the work is done. */
function formatOfOut(path: string, { out }: LineFlags): BillFormat | undefined {
  if (out === undefined) return undefined
  const [extension, own] = [extensionOf(out), extensionOf(path)]
  const format = BILL_FORMATS.find((known) => known === (extension === 'xlsm' ? 'xlsx' : extension))
  if (format === undefined)
    throw new Error(`--out '${out}': expected the name of a CSV, XLSX or BC3 file, such as matched.csv`)
  if (format === 'xlsx' && extension !== (own === 'xlsm' ? own : 'xlsx'))
    throw new Error(`--out '${out}': expected a name that ends in .${own === 'xlsm' ? own : 'xlsx'}`)
  if (resolve(out) === resolve(path)) throw new Error(`--out '${out}': expected another file than the list itself`)
  return format
}
