import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { matchedCsv, pricedAgain } from '@catalog/api/bills/bill-downloads.ts'
import { linesOfWork } from '@catalog/api/bills/bill-file.ts'
import { evidencedLines, type PriceFlags, priceLines, summaryOf, tableOf } from '@catalog/cli/match/price-lines.ts'
import type { Context, Stage } from '@catalog/cli/shared/context.ts'
import type { Terminal } from '@catalog/cli/shared/terminal.ts'
import { writeWhole } from '@catalog/cli/shared/whole-file.ts'
import { regionOf } from '@catalog/core/events/sources.ts'
import { DiagnosticLog } from '@catalog/formats/bc3/entry-stream.ts'
import { billOfQuantities } from '@catalog/formats/bc3/price-book/bill-of-quantities.ts'
import { recipesOf } from '@catalog/formats/bc3/price-book/recipe-prices.ts'
import { fileSource, readBc3File } from './read.ts'

type WorkFlags = PriceFlags & Readonly<{ format?: string; out?: string }>

/** `catalog bc3 price FILE`: what `catalog match` does, for a measured work with its codes, recipes and stated prices. */
export async function priceWork(stage: Stage & Pick<Context, 'env'>, path: string, flags: WorkFlags): Promise<void> {
  const { terminal } = stage
  const format = formatOf(flags, terminal)
  const priced = await pricedWork(stage, path, flags)
  const report = { ...priced, lines: await evidencedLines(stage, priced, flags) }
  const { out } = flags
  const texts = {
    table: () => `${tableOf(report)}\n\n${summaryOf(report)}`,
    csv: () => matchedCsv(report.lines),
    json: () => JSON.stringify(report),
  }
  if (format === 'bc3') {
    const log = new DiagnosticLog()
    const pricedAt = stage.catalog.now().toISOString()
    await writeWhole(
      out as string,
      await pricedAgain({ lines: report.lines, pricedAt }, { source: fileSource(path), log }),
    )
    const replaced = log.counts.values().reduce((sum, count) => sum + count, 0)
    if (replaced > 0)
      terminal.note(`${replaced} records have characters that the file's charset lacks; they are replaced`)
  } else if (out !== undefined) await writeFile(out, `${texts[format]().trimEnd()}\n`)
  terminal.answer({ ...report, ...(out !== undefined && { out }) }, () =>
    out === undefined && format !== 'bc3' ? texts[format]() : `${summaryOf(report)}\nwritten to ${out}`,
  )
}

/** A measured work with its present prices. Throws for a file without measured lines. */
export async function pricedWork(stage: Stage, path: string, flags: PriceFlags) {
  const { book, repriced, log } = await readBc3File(path)
  const { lines: measured, currency } = billOfQuantities(book, { repriced, log })
  if (measured.length === 0)
    throw new Error(`file '${path}': no measured lines; expected chapters (~D) or measurements (~M)`)
  const region = flags.region ?? (flags.priceRegion === undefined ? marketOf(currency) : undefined)
  const codes = measured.map(({ code }) => code)
  // A crawl of the file names its source so.
  const source = flags.source === undefined ? { source: basename(path).replace(/\.[^.]+$/, '') } : {}
  const bill = {
    lines: linesOfWork(book, measured, basename(path)).map((line) => ({ ...line, ...source })),
    recipes: { recipes: recipesOf(book, codes), currency },
    currency,
  }
  return { file: path, currency, ...(await priceLines(stage, bill, { ...flags, ...(region && { region }) })) }
}

/** Where a work is that names no market: FIEBDC-3 in euros is Spain's format, and other currencies begin with their country. */
const marketOf = (currency: string) => (currency === 'EUR' ? 'ES' : regionOf(currency.slice(0, 2)))

const FORMATS = ['table', 'csv', 'bc3', 'json'] as const
function formatOf({ format = 'table', out }: WorkFlags, terminal: Terminal): (typeof FORMATS)[number] {
  const named = FORMATS.find((known) => known === format)
  if (named === undefined) throw new Error(`--format '${format}': expected one of ${FORMATS.join(', ')}`)
  if (named === 'bc3' && out === undefined)
    throw new Error('--format bc3: expected --out FILE, which the price book is written to')
  return named === 'table' && (terminal.json || out !== undefined) ? 'json' : named
}
