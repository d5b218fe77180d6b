import type { MeasurementLine } from '@catalog/formats/bc3/entries.ts'
import type { DiagnosticLog } from '@catalog/formats/bc3/entry-stream.ts'
import { declaredPriceOf, quantityOf } from './costing.ts'
import { compareDecimals, type Decimal, formatDecimal, ONE, plus, roundTo, times, toDecimal, ZERO } from './decimal.ts'
import { type Component, type Concept, isChapter, type Measurement, type PriceBook } from './price-book.ts'
import type { Repriced } from './reprice.ts'

/** A measured work: the contents of its chapters in their order, each with its quantity and declared price. */
export type BillOfQuantities = Readonly<{
  /** Summary of the root; '' without a root. */
  title: string
  /** ISO 4217 code of the declared prices; '' when unknown. */
  currency: string
  lines: readonly MeasuredLine[]
}>

export type MeasuredLine = Readonly<{
  /** Positions from the root on, from 1: [1, 3, 2] is the second line of the third part of the first chapter. */
  path: readonly number[]
  /** The enclosing chapters, the outermost first. */
  chapters: readonly Readonly<{ code: string; title: string }>[]
  code: string
  text: string
  unit: string
  /** The measured quantity, else factor × yield of the line; null when neither is a number. */
  quantity: string | null
  /** The declared price, else the one computed from the recipe; null without either. */
  price: string | null
  /** price × quantity, to {@link AMOUNT_DECIMALS}. */
  amount: string | null
}>

const AMOUNT_DECIMALS = 2
/** Lines of a work. Chapters that contain each other's chapters could multiply them without end. */
const LINES_MAX = 50_000
/** Levels of nested chapters; works have four. */
const LEVELS_MAX = 100

/** A concept at its place in the work. */
type Placed<Item> = Readonly<{
  concept: Item
  path: readonly number[]
  chapters: MeasuredLine['chapters']
  quantity: Decimal | null
}>

type BillOptions = Readonly<{ label?: number; repriced?: Repriced | undefined; log?: DiagnosticLog | undefined }>

/**
 * The bill of quantities of a price book. It starts at the root, else at the chapters that no other concept contains,
 * and descends to the first concepts that are not chapters. Chapters have `#`. Some programs omit it, so a concept
 * without a unit also counts as a chapter when it measures its components or contains a chapter.
 *
 * In a fragment without recipes, each measurement becomes a line under the parent that it names. `log` receives lines
 * whose measurement differs from their yield: the measurement wins, because the standard computes the yield from it.
 */
export function billOfQuantities(book: PriceBook, options: BillOptions = {}): BillOfQuantities {
  const { label = 0 } = options
  const lines = structuredLines(book, options)
  for (const { parent, code, position, total, lines: measured } of book.loose) {
    if (lines.length >= LINES_MAX) break
    const concept = book.concepts.get(code)
    const chapters = parent === '' ? [] : [{ code: parent, title: book.concepts.get(parent)?.summary ?? '' }]
    const quantity = toDecimal(total) ?? sumOf(measured)
    const place = { path: position.map(Number), chapters, quantity }
    if (concept !== undefined) lines.push(lineOf({ concept, ...place }, priceIn(concept, options)))
    else lines.push(lineOf({ concept: { code, summary: '', unit: '' }, ...place }, null))
  }
  return { title: book.root?.summary ?? '', currency: currencyOf(book, label), lines }
}

/** The lines below the root, by a stack instead of recursion: chapters may nest deeper than a call stack. */
function structuredLines(book: PriceBook, options: BillOptions): MeasuredLine[] {
  const chapters = chaptersOf(book)
  const lines: MeasuredLine[] = []
  const roots = book.root === null ? topChapters(book, chapters) : [book.root]
  const pending = roots.map((concept, i): Placed<Concept> => {
    // A single root is no part of a path.
    return { concept, path: roots.length === 1 ? [] : [i + 1], chapters: [], quantity: ONE }
  })
  pending.reverse()
  let isCut = false
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (lines.length >= LINES_MAX || next.path.length > LEVELS_MAX) isCut = true
    else if (!chapters.has(next.concept)) lines.push(lineOf(next, priceIn(next.concept, options)))
    else if (!book.cyclic.has(next.concept)) {
      for (const component of contentsOf(next, options.log).reverse()) pending.push(component)
    }
    if (lines.length >= LINES_MAX) pending.length = Math.min(pending.length, 1)
  }
  if (isCut) {
    const message = `the work has more than ${LINES_MAX} lines or ${LEVELS_MAX} levels; the rest is left out`
    options.log?.add({ line: 1, code: 'BILL_CUT', message })
  }
  return lines
}

/** The declared price, else the computed one. */
function priceIn(concept: Concept, { label = 0, repriced }: BillOptions): Decimal | null {
  return declaredPriceOf(concept, label) ?? toDecimal(repriced?.recipes.get(concept.code)?.computed ?? null)
}

function lineOf(
  { concept, path, chapters, quantity }: Placed<Pick<Concept, 'code' | 'summary' | 'unit'>>,
  price: Decimal | null,
): MeasuredLine {
  const amount = price && quantity && roundTo(times(price, quantity), AMOUNT_DECIMALS)
  return {
    path,
    chapters,
    code: concept.code,
    text: concept.summary,
    unit: concept.unit,
    quantity: quantity && formatDecimal(quantity),
    price: price && formatDecimal(price, Math.min(price.places, AMOUNT_DECIMALS)),
    amount: amount && formatDecimal(amount, AMOUNT_DECIMALS),
  }
}

function contentsOf(
  { concept, path, chapters, quantity }: Placed<Concept>,
  log: DiagnosticLog | undefined,
): Placed<Concept>[] {
  const within = path.length === 0 ? chapters : [...chapters, { code: concept.code, title: concept.summary }]
  return concept.components.map((component, i) => {
    const own = measuredQuantity(component, { measurement: concept.measurements.get(i + 1), of: concept.code, log })
    const inAll = own && quantity && times(own, quantity)
    return { concept: component.concept, path: [...path, i + 1], chapters: within, quantity: inAll }
  })
}

function chaptersOf({ order }: PriceBook): ReadonlySet<Concept> {
  const chapters = new Set<Concept>()
  for (const concept of order) {
    const isUnmarked =
      concept.unit === '' &&
      concept.components.length > 0 &&
      (concept.measurements.size > 0 || concept.components.some((component) => chapters.has(component.concept)))
    if (isChapter(concept) || isUnmarked) chapters.add(concept)
  }
  return chapters
}

/** Chapters that no other concept contains: the top of a fragment without a root. */
function topChapters({ order, concepts }: PriceBook, chapters: ReadonlySet<Concept>): Concept[] {
  const contained = new Set<Concept>()
  for (const { components } of order) for (const { concept } of components) contained.add(concept)
  return [...concepts.values()].filter((concept) => chapters.has(concept) && !contained.has(concept))
}

function measuredQuantity(
  component: Component,
  { measurement, of, log }: { measurement: Measurement | undefined; of: string; log: DiagnosticLog | undefined },
): Decimal | null {
  const stated = quantityOf(component)
  if (measurement === undefined) return stated
  const measured = toDecimal(measurement.total) ?? sumOf(measurement.lines)
  if (measured !== null && stated !== null && compareDecimals(measured, stated) !== 0) {
    const { code } = component.concept
    const message = `${of}\\${code}: measured ${formatDecimal(measured)}, in the recipe ${formatDecimal(stated)}`
    log?.add({ line: measurement.line, code: 'MEASUREMENT_DIFFERS', message })
  }
  return measured ?? stated
}

/**
 * The sum of a measurement's lines: units × length × width × height each. A blank factor counts as 1, and a line
 * without any is a remark. Null when no line has a factor, or when one of them is an expression.
 */
function sumOf(lines: readonly MeasurementLine[]): Decimal | null {
  let sum: Decimal | null = null
  for (const { type, units, length, width, height } of lines) {
    if (type === '3') return null
    const sizes = [units, length, width, height].flatMap((size) => toDecimal(size) ?? [])
    // Types 1 and 2 are subtotals of other lines.
    if (sizes.length > 0 && type !== '1' && type !== '2') sum = plus(sum ?? ZERO, sizes.reduce(times))
  }
  return sum
}

/** The currency that ~K names; else Spain's currency at the newest date of the file. */
function currencyOf({ coefficients, version, concepts }: PriceBook, label: number): string {
  const { decimals = [], extended = [] } = coefficients ?? {}
  const named = decimals[label]?.currency || decimals[0]?.currency || (extended.at(-1) ?? '')
  const written = named.trim().toUpperCase()
  if (/^(PTA|PTS|PTAS|PESETAS?)\.?$/.test(written)) return 'ESP'
  if (/^(€|EUROS?)$/.test(written)) return 'EUR'
  if (/^[A-Z]{3}$/.test(written)) return written
  let newest = version?.date ?? ''
  for (const { dates } of concepts.values()) for (const date of dates) if (date > newest) newest = date
  if (newest === '') return ''
  return newest >= EURO_SINCE ? 'EUR' : 'ESP'
}
/** First day on which Spain paid in euros only. */
const EURO_SINCE = '2002-01-01'
