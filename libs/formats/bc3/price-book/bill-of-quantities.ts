import { spanishCurrencyOn } from '@catalog/formats/bc3/currency.ts'
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
 * The bill of quantities of a price book. It starts at the root, or else at the chapters that nothing contains, and descends
 * to the first concepts that are no chapters. Chapters have `#`; a concept whose program omitted the `#` counts as one when
 * it has no unit and either measures its components or contains a chapter.
 *
 * In a fragment without recipes, each measurement becomes a line under the parent that it names. `log` receives lines whose
 * measurement differs from their yield: the measurement wins, because the standard computes the yield from it.
 */
export function billOfQuantities(book: PriceBook, options: BillOptions = {}): BillOfQuantities {
  const { label = 0, log } = options
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

  function structuredLines(book: PriceBook, options: BillOptions): MeasuredLine[] {
    const chapters = chaptersOf(book)
    const lines: MeasuredLine[] = []
    // A stack. A single root is no part of a path.
    const roots = book.root === null ? topChapters(book, chapters) : [book.root]
    const pending = roots.map(
      (concept, i): Placed<Concept> => ({
        concept,
        path: roots.length === 1 ? [] : [i + 1],
        chapters: [],
        quantity: ONE,
      }),
    )
    pending.reverse()
    let isCut = false
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (lines.length >= LINES_MAX || next.path.length > LEVELS_MAX) isCut = true
      else if (!chapters.has(next.concept)) lines.push(lineOf(next, priceIn(next.concept, options)))
      else if (!book.cyclic.has(next.concept)) pending.push(...contentsOf(next, log).reverse())
      if (lines.length >= LINES_MAX) pending.length = Math.min(pending.length, 1)
    }
    if (isCut) {
      const message = `the work has more than ${LINES_MAX} lines or ${LEVELS_MAX} levels; the others are left out`
      log?.add({ line: 1, code: 'BILL_CUT', message })
    }
    return lines
  }
}
