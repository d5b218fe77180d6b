import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { basisOf } from '@catalog/api/bills/price-bill.ts'
import type { MatchedLine } from '@catalog/api/bills/priced-bill.ts'
import { aggregateRuns } from '@catalog/cli/aggregate/aggregate.ts'
import { pricedWork } from '@catalog/cli/bc3/price.ts'
import { crawlInputs, inputsOf } from '@catalog/cli/crawl/crawl-inputs.ts'
import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import { openCatalog } from '@catalog/cli/shared/wire.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { readEnvironment } from '@catalog/runtime/env.ts'

/** Which lines of a work have a price, against one catalog. */
type WorkShare = Readonly<{
  work: string
  /** The sample market, the bank of the work itself, or the banks of all other files. */
  against: 'sample' | 'own bank' | 'other banks'
  lines: number
  priced: number
  linesShare: number
  /** Of the declared amount, 0 to 1. */
  amountShare: number
  byBasis: Readonly<Record<string, number>>
}>

/**
 * `npm run evaluate -- works`: prices each measured FIEBDC-3 file of a folder against the open catalog, against its own bank and
 * against the banks of the other files, and prints what share has a price.
 */
export async function evaluateWorks(
  terminal: Terminal,
  catalog: Catalog,
  { inputs }: { inputs?: string },
): Promise<void> {
  const folder = join(inputs ?? process.env.REAL_INPUTS_DIR ?? '../shared/data', 'bc3')
  const files = (await readdir(folder)).filter((name) => /\.bc3$/i.test(name)).sort()
  const paths = files.map((name) => join(folder, name))
  const shares: WorkShare[] = []
  const skipped: string[] = []
  for (const path of paths) {
    const sample = await shareOf(catalog, path, 'sample').catch((error: Error) => error.message)
    if (typeof sample === 'string') {
      skipped.push(sample)
      continue
    }
    const others = paths.filter((other) => other !== path)
    shares.push(
      sample,
      await withBanks([path], (banks) => shareOf(banks, path, 'own bank')),
      await withBanks(others, (banks) => shareOf(banks, path, 'other banks')),
    )
    terminal.note(`${basename(path)}: ${shares.length} shares`)
  }
  terminal.answer({ folder, shares, skipped }, () =>
    [
      table(
        shares.map(({ work, against, lines, priced, linesShare, amountShare, byBasis }) => ({
          work,
          against,
          lines,
          priced,
          'lines %': percent(linesShare),
          'amount %': percent(amountShare),
          by: Object.entries(byBasis)
            .map(([basis, count]) => `${basis} ${count}`)
            .join(', '),
        })),
      ),
      ...skipped,
    ].join('\n'),
  )
}

const percent = (share: number) => (share * 100).toFixed(1)

async function shareOf(catalog: Catalog, path: string, against: WorkShare['against']): Promise<WorkShare> {
  const stage = { catalog, terminal: QUIET }
  const { lines, priced, priced_share, stated } = await pricedWork(stage, path, { region: 'ES' })
  return {
    work: basename(path),
    against,
    lines: lines.length,
    priced,
    linesShare: priced_share,
    amountShare: stated?.priced_share ?? 0,
    byBasis: Object.fromEntries(
      [...Map.groupBy(lines, shownBasis)].map(([basis, all]) => [basis, all.length] as const),
    ),
  }
}

/** How the price of a line was found, or why there is none. */
const shownBasis = (line: MatchedLine) => (line.unit_price === null ? (line.reason ?? line.status) : basisOf(line))

/** A catalog of its own in which these files are banks of Spain. */
async function withBanks<T>(paths: readonly string[], work: (catalog: Catalog) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-works-'))
  try {
    await using catalog = await openCatalog(readEnvironment({ CATALOG_DATA: folder, LOG_LEVEL: 'silent' }))
    const asOf = catalog.now().toISOString()
    const bank = { region: 'ES', currency: 'EUR', kind: 'bank', observedAt: asOf } as const
    for (const path of paths) {
      const copy = join(folder, basename(path))
      await writeFile(copy, undated(await readFile(path, 'latin1')), 'latin1')
      await crawlInputs(catalog, QUIET, inputsOf([copy], bank))
    }
    await aggregateRuns(catalog, QUIET, { asOfs: [asOf], full: false })
    await catalog.catchUp()
    return await work(catalog)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Works without the dates of their prices, which are decades old and would have no vote today. */
const undated = (text: string) =>
  text.replace(/^(~C(?:\|[^|~]*){4}\|)[^|~]*/gm, '$1').replace(/^(~V\|[^|~]*\|[^|\\~]*)\\[^|~]*/gm, '$1')

/** The commands inside report to nobody. */
const QUIET: Terminal = {
  json: true,
  answer() {},
  note() {},
  next() {},
  progress: () => ({ to() {}, done() {} }),
}
