import { type RecipeRecorded, RecipeRecorded as RecipeSchema } from '@catalog/core/events/recipes.ts'
import type { SourceRef } from '@catalog/core/events/sources.ts'
import { parsePrice } from '@catalog/core/money/money.ts'
import { instant } from '@catalog/core/time.ts'
import type { Bc3Entry, DecompositionEntry } from '@catalog/formats/bc3/entries.ts'
import { bc3Entries, DiagnosticLog } from '@catalog/formats/bc3/entry-stream.ts'
import type { Bc3Header } from '@catalog/formats/bc3/header.ts'
import type { Concept } from '@catalog/formats/bc3/price-book/price-book.ts'
import { decodeStream, type Encoding } from '@catalog/formats/bytes/encoding.ts'
import type { ByteSource } from '@catalog/formats/bytes/record.ts'
import { recordableText } from '@catalog/formats/bytes/vendor-text.ts'
import { parseDate } from '@catalog/formats/mapping/dates.ts'
import { HELD_CHARS_MAX, type RecipeBook, type Rereading, readRecipeBook, UNREAD } from './recipe-book.ts'

/** A recipe before it gets its id, its crawl, its position and the time of recording. */
export type RecipeContent = Omit<RecipeRecorded, 'type' | 'v' | 'event_id' | 'recorded_at' | 'crawl_id' | 'position'>

/** A recipe with its position, or why it cannot be recorded. */
export type RecipeOutcome = Readonly<{ position: string }> &
  (Readonly<{ content: RecipeContent }> | Readonly<{ reason: RecipeRefusal; detail: string }>)

/**
 * TOO_LARGE: the file's concepts, or its open recipes, exceed the memory bound, and reading stops. BAD_RECORD: an event
 * cannot carry a code or a unit. NO_COLUMN: a table of the mapping lacks a column. Further reasons: NO_LINES, NO_DATE, NO_CURRENCY, FUTURE_OBSERVATION, BAD_NUMBER,
 * UNREADABLE, and PARSER_KILLED or PARSER_FAILED for a file that a process of its own could not read to its end.
 */
export type RecipeRefusal =
  | 'TOO_LARGE'
  | 'NO_LINES'
  | 'NO_DATE'
  | 'NO_CURRENCY'
  | 'FUTURE_OBSERVATION'
  | 'BAD_NUMBER'
  | 'BAD_RECORD'
  | 'NO_COLUMN'
  | 'UNREADABLE'
  | 'PARSER_KILLED'
  | 'PARSER_FAILED'

export type RecipeOptions = Readonly<{
  /** The result of {@link readBc3Header}, and the encoding of the file. */
  header: Bc3Header
  encoding: Encoding
  source: SourceRef
  /** Defaults for a file that names none, as for its prices. */
  currency?: string | undefined
  observedAt?: string | undefined
  notAfter: Date
  /** Bounds the characters of held concepts. */
  charsMax?: number | undefined
  /** Approximate number of recipe lines that infer the rule. */
  ruleLinesMax?: number | undefined
}>

const COMPONENTS_MAX = 10_000
/** Recipe lines that wait for a further record. Programs write a recipe in one piece, or its pieces in a row. */
const OPEN_LINES_MAX = 500_000
/** Bounds a yielded batch by recipes and by their lines. */
const BATCH_RECIPES = 100
const BATCH_LINES = 10_000

/**
 * Reads the recipes (~D, continued by ~Y) of a BC3 file, each once, in the order of their last record.
 *
 * A recipe belongs to the SKU of its price. So there is one for each price of the concept, under the reference of that
 * price: `code`, or `code@label` where the concept has several. Components take the price of the same label, or their
 * last price where they have fewer. The reference of that price names them, so source and reference identify the
 * component's SKU. A concept without a price, which FIEBDC computes, has one recipe for each label in the file.
 * Chapters, the root, percentages and parametric families have no recipe.
 *
 * Each recipe has the rule that reproduces most declared prices of the file, as `catalog bc3 read` reports it. After ~B
 * changes a code, a concept keeps the reference of its observed price, which may be the former code.
 *
 * Prices and kinds of components may follow the recipe. So this reads the bytes twice: first for the concepts, which it
 * holds, then for one recipe at a time.
 */
export async function* readRecipes(
  source: ByteSource,
  options: RecipeOptions,
): AsyncGenerator<readonly RecipeOutcome[], void, undefined> {
  try {
    const { charsMax = HELD_CHARS_MAX, ruleLinesMax } = options
    const { labels } = options.header
    const book = await readRecipeBook(entriesOf(source, options), { labels, charsMax, ruleLinesMax })
    if (book === null) {
      const detail = `the concepts have more than ${charsMax} characters`
      yield [{ position: source.name, reason: 'TOO_LARGE', detail }]
      return
    }
    /** Recipes that a later record of the file continues or replaces. */
    const open = new Map<Concept, ComponentLine[]>()
    const rereading = book.reread()
    let openLines = 0
    let found: RecipeOutcome[] = []
    let foundLines = 0
    for await (const entry of entriesOf(source, options)) {
      rereading.advance(entry)
      const isDeletion = entry.letter === 'B' && entry.newCode === ''
      if (entry.letter !== 'D' && entry.letter !== 'Y' && !isDeletion) continue
      const concept = rereading.at(entry.code)
      if (concept === undefined || !book.hasRecipe(concept)) continue
      const before = open.get(concept) ?? []
      openLines -= before.length
      if (entry.letter === 'B') {
        open.delete(concept)
        continue
      }
      const lines = entry.letter === 'D' && entry.lines.length > 0 ? [] : before
      // One line above the event's limit is enough for a refusal.
      for (const line of linesOf(entry, rereading)) if (lines.length <= COMPONENTS_MAX) lines.push(line)
      if (!rereading.isLast(concept)) {
        open.set(concept, lines)
        openLines += lines.length
        if (openLines <= OPEN_LINES_MAX) continue
        const detail = `more than ${OPEN_LINES_MAX} lines of recipes are continued later in the file`
        found.push({ position: positionOf(source.name, entry.line, entry.code), reason: 'TOO_LARGE', detail })
        yield found
        return
      }
      open.delete(concept)
      for (const place of book.placesOf(concept)) {
        found.push(recipeAt({ concept, lines, place, line: entry.line }, { book, name: source.name, options }))
        foundLines += lines.length
        if (found.length < BATCH_RECIPES && foundLines < BATCH_LINES) continue
        yield found
        found = []
        foundLines = 0
      }
    }
    if (found.length > 0) yield found
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    yield [{ position: source.name, reason: 'UNREADABLE', detail: error.message }]
  }
}

/** The bytes cannot be read. Their content never throws. */
class Unreadable extends Error {
  override name = 'Unreadable'
}

async function* entriesOf(source: ByteSource, { encoding }: RecipeOptions): AsyncGenerator<Bc3Entry, void, undefined> {
  async function* bytes() {
    try {
      yield* source.open()
    } catch (cause) {
      throw new Unreadable((cause as Error).message, { cause })
    }
  }
  const { text } = decodeStream(bytes(), { given: encoding })
  for await (const batch of bc3Entries(text, new DiagnosticLog())) yield* batch
}

/** An unreadable number is {@link UNREAD}. */
type ComponentLine = Named & Readonly<{ factor: string; yield: string; percentages: readonly Named[] }>
/** The code in the line, and the concept that it names there. */
type Named = Readonly<{ code: string; concept: Concept | undefined }>

function linesOf({ lines, unread = [] }: DecompositionEntry, { at }: Rereading): ComponentLine[] {
  const isUnread = unread.some(({ field }) => field === 1 || field === 2)
  return lines.flatMap(({ code, factor, yield: rate, percentages }) => {
    if (code === '') return []
    // One unreadable number of a record leaves the places of the others uncertain.
    const named = percentages.map((code) => ({ code, concept: at(code) }))
    const numbers = { factor: isUnread ? UNREAD : (factor ?? ''), yield: rate ?? '' }
    return [{ code, concept: at(code), ...numbers, percentages: named }]
  })
}

type Found = Readonly<{ concept: Concept; lines: readonly ComponentLine[]; place: number; line: number }>

function recipeAt(
  { concept, lines, place, line }: Found,
  { book, name, options }: Readonly<{ book: RecipeBook; name: string; options: RecipeOptions }>,
): RecipeOutcome {
  const position = positionOf(name, line, concept.code)
  try {
    const rule = book.ruleAt(place)
    const content: RecipeContent = {
      source: options.source,
      vendor_ref: book.referenceOf(concept, place),
      unit: concept.unit || null,
      components: lines.map((component, at) => componentOf(component, { at, place, book })),
      declared_price: priceAt(concept, place, book),
      ...(rule && { rule }),
      currency: currencyOf(options),
      observed_at: observedAt(concept, { place, book, options }),
    }
    if (lines.length === 0) throw new Refused('NO_LINES', 'the recipe has no component')
    const checked = CONTENT.safeParse(content)
    if (checked.success) return { position, content }
    const [issue] = checked.error.issues
    return { position, reason: 'BAD_RECORD', detail: `${issue?.path.join('.')}: ${issue?.message}` }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { position, reason: error.reason, detail: error.message }
  }
}

class Refused extends Error {
  readonly reason: RecipeRefusal
  constructor(reason: RecipeRefusal, message: string) {
    super(message)
    this.reason = reason
  }
}

/** What a recipe must be to fit into an event. */
export const CONTENT = RecipeSchema.omit({
  type: true,
  v: true,
  event_id: true,
  recorded_at: true,
  crawl_id: true,
  position: true,
})

function componentOf(
  { code, concept, factor, yield: rate, percentages }: ComponentLine,
  { at, place, book }: Readonly<{ at: number; place: number; book: RecipeBook }>,
): RecipeContent['components'][number] {
  const referenceOf = ({ code, concept }: Named) =>
    concept === undefined ? recordableText(code) : book.referenceOf(concept, place)
  return {
    position: at + 1,
    kind: book.isShareAt(concept ?? { code, unit: '' }, place) ? 'percentage' : kindOf(concept, book),
    vendor_ref: referenceOf({ code, concept }),
    name: concept?.summary ?? '',
    unit: concept?.unit || null,
    // A blank means 1; an explicit 0 stays 0.
    factor: decimalOf(factor, 'factor') ?? '1',
    yield: decimalOf(rate, 'yield') ?? '1',
    price: concept === undefined ? null : priceAt(concept, place, book),
    ...(percentages.length > 0 && { percentages: percentages.map(referenceOf) }),
  }
}

/** Classifies a component by its own recipe and by the type of its concept; unclassified where the file has neither. */
function kindOf(concept: Concept | undefined, book: RecipeBook): RecipeContent['components'][number]['kind'] {
  if (concept === undefined) return 'unclassified'
  if (book.hasRecipe(concept)) return 'auxiliary'
  return TYPES.find(({ type }) => type.test(concept.type))?.kind ?? 'unclassified'
}
/** The numbers of all versions, and the letters that 2004 and later versions add. */
const TYPES = [
  { type: /^(1|H)$/i, kind: 'labor' },
  { type: /^(2|Q)$/i, kind: 'machinery' },
  { type: /^(3|M[A-Z]{0,2})$/i, kind: 'material' },
  { type: /^[45]$/, kind: 'waste' },
] as const

/** Null also for a price that does not fit into an event. */
function priceAt(concept: Concept, place: number, book: RecipeBook): string | null {
  const price = book.priceAt(concept, place)
  return price === null ? null : plainDecimal(price)
}

/** A factor or a yield; null for a blank. */
function decimalOf(text: string, what: string): string | null {
  if (text === '') return null
  const decimal = plainDecimal(text)
  if (decimal !== null) return decimal
  throw new Refused('BAD_NUMBER', `a ${what} is no decimal of at most 18 digits`)
}

/** A number that fits into an event; null for any other text. */
function plainDecimal(text: string): string | null {
  return /^-?\d{1,18}(\.\d{1,18})?$/.test(text) ? text : null
}

function currencyOf({ header, currency: given }: RecipeOptions): string {
  const named = header.currency ?? given?.trim() ?? ''
  if (named === '') throw new Refused('NO_CURRENCY', 'neither the file nor the command line names one')
  return parsePrice(`1 ${named}`)?.currency ?? named.toUpperCase()
}

/** The date of the price at this place, or that of the file, or the operator's. */
function observedAt(
  concept: Concept,
  { place, book, options }: Readonly<{ place: number; book: RecipeBook; options: RecipeOptions }>,
): string {
  const { header } = options
  const { dates } = concept
  const own = dates[Math.min(book.effectiveAt(concept, place) ?? place, dates.length - 1)]
  const written = own ?? header.date ?? options.observedAt ?? ''
  if (written === '') throw new Refused('NO_DATE', 'neither the file nor the command line gives a date')
  const date = parseDate(written, { order: 'ymd', hasTwoDigitYears: false })
  if (date === null) throw new Refused('NO_DATE', `'${written.slice(0, 40)}': expected a date`)
  if (date > options.notAfter) throw new Refused('FUTURE_OBSERVATION', `${instant(date)} is in the future`)
  return instant(date)
}

function positionOf(name: string, line: number, code: string): string {
  return `${name.slice(-400)} line ${line} ~D ${code.slice(0, 60)}`
}
