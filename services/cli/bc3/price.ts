import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { itemsOfStore } from '@catalog/api/bills/line-items.ts'
import { matchLines } from '@catalog/api/bills/match.ts'
import { MatchRequest, type MatchResponse } from '@catalog/api/contract/contract.ts'
import { itemJson } from '@catalog/api/items/item-json.ts'
import { openFinder } from '@catalog/api/search/finder.ts'
import type { Stage } from '@catalog/cli/shared/context.ts'
import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import { writeWhole } from '@catalog/cli/shared/whole-file.ts'
import { vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import type { PublicItem } from '@catalog/core/events/items.ts'
import type { Region } from '@catalog/core/events/sources.ts'
import { exactMedian } from '@catalog/core/median/methods.ts'
import { exponentOf } from '@catalog/core/money/money.ts'
import { majorOf, multiply, parseDecimal } from '@catalog/core/money/rational.ts'
import { foldText } from '@catalog/core/text.ts'
import { instant } from '@catalog/core/time.ts'
import { parseUnit } from '@catalog/core/units/parse-unit.ts'
import { conversionFactor, soldUnit } from '@catalog/core/units/sold-unit.ts'
import { DiagnosticLog } from '@catalog/formats/bc3/entry-stream.ts'
import { billOfQuantities, type MeasuredLine } from '@catalog/formats/bc3/price-book/bill-of-quantities.ts'
import type { PriceBook } from '@catalog/formats/bc3/price-book/price-book.ts'
import { pricedBook } from '@catalog/formats/bc3/price-book/priced-book.ts'
import { wholeTexts } from '@catalog/formats/bc3/price-book/whole-texts.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { sourcesAt } from '@catalog/store/vendor/as-of-queries.ts'
import { readLinkedItems } from '@catalog/store/vendor/recipes.ts'
import { csvOf, type PresentPrice, pricedLine, rowOf, summaryOf, totalsOf } from './priced-lines.ts'
import { fileSource, readBc3File } from './read.ts'
import { recipePrice, resourcesBelow } from './recipe-prices.ts'

export type PriceFlags = Readonly<{
  region?: string
  priceRegion?: string
  source?: string
  format?: string
  out?: string
}>

type BillFlags = Pick<PriceFlags, 'region' | 'priceRegion' | 'source'>

/** Concepts to match between two steps of the progress bar. */
const CHUNK_LINES = 20
/** Bounds of the matcher, in characters. */
const TEXT_CHARS_MAX = 512
const UNIT_CHARS_MAX = 100

/**
 * `catalog bc3 price FILE`: prices a measured work at today's medians, line by line, and reports lines without a price.
 */
export async function priceBill({ catalog, terminal }: Stage, path: string, flags: PriceFlags): Promise<void> {
  const format = formatOf(flags, terminal)
  const { presentPrices, ...report } = await pricedBill(catalog, terminal, path, flags)
  const { lines } = report
  if (format === 'bc3') {
    const log = new DiagnosticLog()
    const date = catalog.now().toISOString().slice(0, 10)
    await writeWhole(flags.out as string, await pricedBook(fileSource(path), { presentPrices, date, log }))
    const replaced = log.counts.values().reduce((sum, count) => sum + count, 0)
    terminal.answer({ ...report, out: flags.out }, () => `${summaryOf(report)}\nwritten to ${flags.out}`)
    if (replaced > 0)
      terminal.note(`${replaced} records have characters that the file's charset lacks; they are replaced`)
  } else if (format === 'csv') {
    if (flags.out !== undefined) await writeFile(flags.out, csvOf(lines))
    terminal.answer(report, () => (flags.out === undefined ? csvOf(lines) : summaryOf(report)))
  } else {
    if (flags.out !== undefined) await writeFile(flags.out, `${JSON.stringify(report)}\n`)
    terminal.answer(report, () =>
      format === 'json' ? JSON.stringify(report) : [table(lines.map(rowOf)), '', summaryOf(report)].join('\n'),
    )
  }
}

/** A measured work with its present prices. Throws for a file without measured lines. */
export async function pricedBill(catalog: Catalog, terminal: Terminal, path: string, given: BillFlags) {
  const { book, repriced, log } = await readBc3File(path)
  const bill = billOfQuantities(book, { repriced, log })
  if (bill.lines.length === 0)
    throw new Error(`file '${path}': no measured lines; expected chapters (~D) or measurements (~M)`)
  const region = given.region ?? (given.priceRegion === undefined ? MARKET_OF_CURRENCY[bill.currency] : undefined)
  const flags = { ...given, ...(region !== undefined && { region }) }
  const presentPrices = await presentPricesOf(catalog, terminal, { book, lines: bill.lines, path, flags })
  await addRecipePrices(catalog, terminal, { book, presentPrices, fileCurrency: bill.currency, path, flags })
  const lines = bill.lines.map((line) => pricedLine(line, bill.currency, presentPrices.get(line.code) as PresentPrice))
  return {
    file: path,
    currency: bill.currency,
    region: region ?? null,
    price_region: flags.priceRegion ?? region ?? null,
    totals: totalsOf(lines),
    lines,
    presentPrices,
  }
}

/** Where a work is that names no market: FIEBDC-3 in euros is Spain's format. */
const MARKET_OF_CURRENCY: Readonly<Record<string, Region>> = {
  EUR: 'ES',
  ARS: 'AR',
  BRL: 'BR',
  CLP: 'CL',
  COP: 'CO',
  GBP: 'GB',
  MXN: 'MX',
  PEN: 'PE',
  USD: 'US',
  UYU: 'UY',
}

/** Prices works without an item by what they are made of; see recipe-prices.ts. */
async function addRecipePrices(
  catalog: Catalog,
  terminal: Terminal,
  {
    book,
    presentPrices,
    fileCurrency,
    path,
    flags,
  }: {
    book: PriceBook
    presentPrices: Map<string, PresentPrice>
    fileCurrency: string
    path: string
    flags: BillFlags
  },
): Promise<void> {
  const unpriced = [...presentPrices].flatMap(([code, { price }]) => (price === null ? [code] : []))
  const below = resourcesBelow(book, unpriced).map(({ code, summary, text, unit }) => {
    return { code, unit, text: summary.trim() === '' ? text : summary }
  })
  const known = new Map(presentPrices)
  const missing = below.filter(({ code }) => !known.has(code))
  for (const [code, price] of await presentPricesOf(catalog, terminal, { book, lines: missing, path, flags }))
    known.set(code, price)
  for (const code of unpriced) {
    const concept = book.concepts.get(code)
    const recipes =
      concept &&
      currenciesOf(known).map((currency) =>
        recipePrice(concept, { book, currency, fileCurrency, presentPrices: known }),
      )
    const [first] = (recipes ?? []).filter((recipe) => recipe !== null)
    if (first !== undefined) presentPrices.set(code, { basis: 'recipe', item: null, ...first })
  }
}

/** The currencies of present prices, the most frequent first. */
function currenciesOf(prices: ReadonlyMap<string, PresentPrice>): string[] {
  const paid = [...prices.values()].flatMap(({ price, currency }) => (price && currency !== null ? [currency] : []))
  return [...Map.groupBy(paid, (currency) => currency)]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([currency]) => currency)
}

const FORMATS = ['table', 'csv', 'bc3', 'json'] as const
function formatOf({ format = 'table', out }: PriceFlags, terminal: Terminal): (typeof FORMATS)[number] {
  const named = FORMATS.find((known) => known === format)
  if (named === undefined) throw new Error(`--format '${format}': expected one of ${FORMATS.join(', ')}`)
  if (named === 'bc3' && out === undefined)
    throw new Error('--format bc3: expected --out FILE, which the price book is written to')
  return named === 'table' && (terminal.json || out !== undefined) ? 'json' : named
}

/** A line, or a resource of its recipe. */
type PricedConcept = Pick<MeasuredLine, 'code' | 'text' | 'unit'> & Readonly<{ isCut?: boolean }>

/** Today's price of each concept in the lines, by code. */
async function presentPricesOf(
  catalog: Catalog,
  terminal: Terminal,
  { book, lines, path, flags }: { book: PriceBook; lines: readonly PricedConcept[]; path: string; flags: BillFlags },
): Promise<Map<string, PresentPrice>> {
  const different = [...new Map(lines.map((line) => [line.code, line])).values()]
  const presentPrices = await byReference(catalog, { book, lines: different, path, flags })
  const textsOf = wholeTexts(book)
  const rest = different.filter(({ code }) => !presentPrices.has(code)).map((line) => ({ ...line, ...textsOf(line) }))
  const progress = terminal.progress('lines matched')
  const find = openFinder(catalog)
  for (let at = 0; at < rest.length; at += CHUNK_LINES) {
    const chunk = rest.slice(at, at + CHUNK_LINES)
    for (const [code, found] of await byText({ items: itemsOfStore(catalog.store), find }, chunk, flags))
      presentPrices.set(code, found)
    progress.to(at + chunk.length, rest.length)
  }
  progress.done()
  return presentPrices
}

/**
 * Prices concepts whose price bank the catalog has crawled: a SKU has the reference `code`, or `code@label` where a
 * concept has several prices. Codes are local to a bank, so it ignores the SKUs of other banks.
 */
async function byReference(
  catalog: Catalog,
  { book, lines, path, flags }: { book: PriceBook; lines: readonly PricedConcept[]; path: string; flags: BillFlags },
): Promise<Map<string, PresentPrice>> {
  const priceRegion = flags.priceRegion ?? flags.region
  const label = book.version?.labels[0] ?? '1'
  const found = new Map<string, PresentPrice>()
  for (const sourceId of await banksOf(catalog, path, flags)) {
    const skuOf = ({ code }: PricedConcept) => {
      const several = (book.concepts.get(code)?.prices.filter((price) => price !== '').length ?? 0) > 1
      return vendorSkuIdOf(sourceId, several ? `${code}@${label}` : code)
    }
    const items = await readLinkedItems(catalog.store, { skuIds: lines.map(skuOf), priceRegion })
    for (const line of lines) {
      const row = items.get(skuOf(line))
      if (row === undefined || found.has(line.code)) continue
      const item = JSON.parse(itemJson(row, { priceRegion })) as PublicItem
      found.set(line.code, pricedBy(item, { unit: line.unit, basis: row.basis, region: priceRegion }))
    }
  }
  return found
}

/** The sources that the flag names, or by default those with the name that a crawl of the file would use. */
async function banksOf(catalog: Catalog, path: string, { source }: BillFlags): Promise<string[]> {
  const name = source ?? basename(path).replace(/\.[^.]+$/, '')
  const known = await sourcesAt(catalog.store, { asOf: instant(catalog.now()), positions: null })
  const banks = [...known.values()].filter((bank) => bank.sourceId === name || foldText(bank.name) === foldText(name))
  if (banks.length === 0 && source !== undefined)
    throw new Error(`--source '${source}': expected the id or name of a source`)
  return banks.map(({ sourceId }) => sourceId).sort()
}

type MatchContext = Pick<Parameters<typeof matchLines>[0], 'items' | 'find'>

async function byText(
  context: MatchContext,
  lines: readonly PricedConcept[],
  flags: BillFlags,
): Promise<Map<string, PresentPrice>> {
  const unmatched: PresentPrice = { basis: 'unmatched', item: null, price: null, currency: null }
  const presentPrices = new Map(lines.map(({ code }) => [code, unmatched]))
  const matchable = lines.filter(({ text }) => text.trim() !== '')
  if (matchable.length === 0) return presentPrices
  const request = MatchRequest.safeParse({
    lines: matchable.map(({ text, unit }) => ({ text: text.trim().slice(0, TEXT_CHARS_MAX), unit: symbolOf(unit) })),
    region: flags.region,
    price_region: flags.priceRegion ?? flags.region,
    alternatives: CANDIDATES - 1,
  })
  if (!request.success)
    throw new Error(
      `--${String(request.error.issues[0]?.path[0]).replace('_', '-')}: ${request.error.issues[0]?.message}`,
    )
  const answer = await matchLines(context, request.data)
  for (const [i, { status, reason, item, unit_price, alternatives }] of answer.lines.entries()) {
    const { code, isCut } = matchable[i] as PricedConcept
    if (reason === 'unit_differs') presentPrices.set(code, { ...unmatched, basis: 'unit_differs' })
    if (status === 'unmatched' || item === null) continue
    if (status === 'ambiguous' || isCut) {
      const candidates = [item, ...alternatives.map((other) => other.item)]
      presentPrices.set(code, { ...unmatched, basis: 'ambiguous', candidates: candidates.map(named) })
    } else if (unit_price !== null) {
      const { amount, currency } = unit_price
      presentPrices.set(code, { basis: 'match', item: named(item), price: parseDecimal(amount), currency })
    } else presentPrices.set(code, unpriced(item))
  }
  return presentPrices
}

/** Normalises the unit: a price bank's "ml" is a running metre, which the matcher would read as millilitre. */
function symbolOf(unit: string): string | null {
  if (unit === '') return null
  return (parseUnit(unit, BC3_UNITS)?.symbol ?? unit).slice(0, UNIT_CHARS_MAX)
}
/** Items that an undecided line shows. */
const CANDIDATES = 3
const named = ({ id, name, unit }: ItemOfLine) => ({ id, name, unit: unit ?? null })

const BC3_UNITS = { lang: 'es', format: 'bc3' } as const

type ItemOfLine = Pick<NonNullable<MatchResponse['lines'][number]['item']>, 'id' | 'name' | 'unit' | 'median_price'>

function pricedBy(
  item: ItemOfLine,
  { unit, basis, region }: { unit: string; basis: string; region: string | undefined },
): PresentPrice {
  const { median_price: median } = item
  const factor = conversionFactor(soldUnit({ unit: item.unit ?? null }), soldUnit({ unit: unit || null, ...BC3_UNITS }))
  if (!median || factor === null) return unpriced(item)
  const { currency } = median
  const minor = multiply(exactMedian(median, { basis: JSON.parse(basis), region }), factor)
  const price = majorOf(minor, exponentOf(currency) ?? 2)
  return { basis: 'reference', item: named(item), price, currency }
}

/** Of an item without a median, or in another kind of unit than the line. */
function unpriced(item: ItemOfLine): PresentPrice {
  const currency = item.median_price?.currency ?? null
  return { basis: currency === null ? 'no_median' : 'unit_differs', item: named(item), price: null, currency }
}
