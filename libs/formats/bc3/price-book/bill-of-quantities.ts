import type { MeasurementLine } from '@catalog/formats/bc3/entries.ts'
import type { DiagnosticLog } from '@catalog/formats/bc3/entry-stream.ts'
import { compareExact, type Exact, exact, exactText, plus, roundedTo, times, UNIT, ZERO } from './decimal.ts'
import { type Component, type Concept, isChapter, type Measurement, type PriceBook, priceOf } from './price-book.ts'
import type { Repriced } from './reprice.ts'

/** A work as it was measured: what its chapters hold, in their order, each with its quantity and its declared price. */
export type Bill = Readonly<{
  /** Of the root; '' without one. */
  title: string
  /** ISO 4217 code of the declared prices; '' where nobody can tell. */
  currency: string
  lines: readonly MeasuredLine[]
}>

export type MeasuredLine = Readonly<{
  /** Positions from the root on, from 1: [1, 3, 2] is the second line of the third part of the first chapter. */
  path: readonly number[]
  /** The chapters around it, the outermost first. */
  chapters: readonly Readonly<{ code: string; title: string }>[]
  code: string
  text: string
  unit: string
  /** What was measured, else factor × yield of the line; null where neither is a number. */
  quantity: string | null
  /** Declared, else computed from its recipe; null where it has neither. */
  price: string | null
  /** price × quantity, to {@link AMOUNT_DECIMALS}. */
  amount: string | null
}>

/** Decimals of an amount. */
const AMOUNT_DECIMALS = 2
/** Lines of a work; chapters that hold each other's chapters could make as many as there are ways through them. */
const LINES_MAX = 50_000
/** Of chapters in chapters; works have four. */
const LEVELS_MAX = 100

/**
 * The bill of a book: its root, or what no other concept holds, gone through down to what is no chapter any more. Chapters
 * are concepts with `#`, and those of programs that forget it: without a unit, measuring what they hold or holding such.
 * Measurements of a fragment without recipes are lines under what they name as their parent. `log` is told where the
 * measurement and the yield of a line differ; the measurement holds, for the standard has it computed anew.
 */
export function billOf(
  book: PriceBook,
  { label = 0, repriced, log }: Readonly<{ label?: number; repriced?: Repriced; log?: DiagnosticLog }> = {},
): Bill {
  const chapters = chaptersOf(book)
  const priceIn = (concept: Concept) => {
    const declared = exact(priceOf(concept, label))
    const isNone = declared === null || (declared.units === 0n && concept.components.length > 0)
    return isNone ? exact(repriced?.recipes.get(concept.code)?.computed ?? null) : declared
  }
  const lineOf = ({ concept, path, above, quantity }: Step): MeasuredLine => {
    const price = priceIn(concept)
    const amount = price && quantity && roundedTo(times(price, quantity), AMOUNT_DECIMALS)
    return {
      path,
      chapters: above,
      code: concept.code,
      text: concept.summary,
      unit: concept.unit,
      quantity: quantity && exactText(quantity),
      price: price && exactText(price, Math.min(price.places, AMOUNT_DECIMALS)),
      amount: amount && exactText(amount, AMOUNT_DECIMALS),
    }
  }
  const inside = ({ concept, path, above, quantity }: Step): Step[] => {
    const within = path.length === 0 ? above : [...above, { code: concept.code, title: concept.summary }]
    return concept.components.map((component, i) => {
      const own = quantityOf(component, { measurement: concept.measurements.get(i + 1), of: concept.code, log })
      const inAll = own && quantity && times(own, quantity)
      return { concept: component.concept, path: [...path, i + 1], above: within, quantity: inAll }
    })
  }

  const lines: MeasuredLine[] = []
  // The next step is the last one. A single root is no part of a path.
  const roots = book.root === null ? unheld(book, chapters) : [book.root]
  const open = roots.map(
    (concept, i): Step => ({ concept, path: roots.length === 1 ? [] : [i + 1], above: [], quantity: UNIT }),
  )
  open.reverse()
  let isCut = false
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    if (lines.length >= LINES_MAX || step.path.length > LEVELS_MAX) isCut = true
    else if (!chapters.has(step.concept)) lines.push(lineOf(step))
    else if (!book.cyclic.has(step.concept)) for (const below of inside(step).reverse()) open.push(below)
    if (lines.length >= LINES_MAX) open.length = Math.min(open.length, 1)
  }
  if (isCut) {
    const message = `the work has more than ${LINES_MAX} lines or ${LEVELS_MAX} levels; the others are left out`
    log?.add({ line: 1, code: 'BILL_CUT', message })
  }
  for (const { parent, code, position, total, lines: measured } of book.loose) {
    if (lines.length >= LINES_MAX) break
    const concept = book.concepts.get(code)
    const holder = book.concepts.get(parent)
    const quantity = exact(total) ?? sumOf(measured)
    const above = parent === '' ? [] : [{ code: parent, title: holder?.summary ?? '' }]
    const step = { path: position.map(Number), above, quantity }
    if (concept !== undefined) lines.push(lineOf({ concept, ...step }))
    else
      lines.push({
        path: step.path,
        chapters: above,
        code,
        text: '',
        unit: '',
        price: null,
        amount: null,
        quantity: quantity && exactText(quantity),
      })
  }
  return { title: book.root?.summary ?? '', currency: currencyOf(book, label), lines }
}

/** A concept where it stands in the work. */
type Step = Readonly<{
  concept: Concept
  path: readonly number[]
  above: MeasuredLine['chapters']
  quantity: Exact | null
}>

function chaptersOf({ order }: PriceBook): ReadonlySet<Concept> {
  const chapters = new Set<Concept>()
  for (const concept of order) {
    const isUnnamed =
      concept.unit === '' &&
      concept.components.length > 0 &&
      (concept.measurements.size > 0 || concept.components.some((component) => chapters.has(component.concept)))
    if (isChapter(concept) || isUnnamed) chapters.add(concept)
  }
  return chapters
}

/** Chapters that nothing holds: where a fragment without a root begins. */
function unheld({ order, concepts }: PriceBook, chapters: ReadonlySet<Concept>): Concept[] {
  const held = new Set<Concept>()
  for (const { components } of order) for (const { concept } of components) held.add(concept)
  return [...concepts.values()].filter((concept) => chapters.has(concept) && !held.has(concept))
}

function quantityOf(
  { concept, factor, yield: yielded }: Component,
  { measurement, of, log }: { measurement: Measurement | undefined; of: string; log: DiagnosticLog | undefined },
): Exact | null {
  const [a, b] = [factor === null ? UNIT : exact(factor), yielded === null ? UNIT : exact(yielded)]
  const stated = a && b && times(a, b)
  if (measurement === undefined) return stated
  const measured = exact(measurement.total) ?? sumOf(measurement.lines)
  if (measured !== null && stated !== null && compareExact(measured, stated) !== 0) {
    const message = `${of}\\${concept.code}: measured ${exactText(measured)}, in the recipe ${exactText(stated)}`
    log?.add({ line: measurement.line, code: 'MEASUREMENT_DIFFERS', message })
  }
  return measured ?? stated
}

/**
 * What the lines of a measurement come to: units × length × width × height, of which those that are blank count as 1, and
 * a line that has none is a remark. Null where there is no such line, or one of them is an expression.
 */
function sumOf(lines: readonly MeasurementLine[]): Exact | null {
  let sum: Exact | null = null
  for (const { type, units, length, width, height } of lines) {
    if (type === '3') return null
    const sizes = [units, length, width, height].flatMap((size) => exact(size) ?? [])
    // Types 1 and 2 are subtotals of other lines.
    if (sizes.length > 0 && type !== '1' && type !== '2') sum = plus(sum ?? ZERO, sizes.reduce(times))
  }
  return sum
}

/** What ~K names; else Spain's cash: pesetas for a file that knows no date after 2001, and euro for all others. */
function currencyOf({ coefficients, version, concepts }: PriceBook, label: number): string {
  const { decimals = [], extended = [] } = coefficients ?? {}
  const named = decimals[label]?.currency || decimals[0]?.currency || (extended.at(-1) ?? '')
  const spelled = named.trim().toUpperCase()
  if (/^(PTA|PTS|PTAS|PESETAS?)\.?$/.test(spelled)) return 'ESP'
  if (/^(€|EUROS?)$/.test(spelled)) return 'EUR'
  if (/^[A-Z]{3}$/.test(spelled)) return spelled
  let newest = version?.date ?? ''
  for (const { dates } of concepts.values()) for (const date of dates) if (date > newest) newest = date
  if (newest === '') return ''
  return newest < EURO_SINCE ? 'ESP' : 'EUR'
}
const EURO_SINCE = '2002-01-01'
