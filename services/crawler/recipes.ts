import { instant, type RecipeRecorded, RecipeRecorded as RecipeSchema, type SourceRef } from '@catalog/core/events.ts'
import { parsePrice } from '@catalog/core/money.ts'
import type { Bc3Entry, ConceptEntry, DecompositionEntry } from '@catalog/formats/bc3-entries.ts'
import { bc3Entries, DiagnosticLog } from '@catalog/formats/bc3-stream.ts'
import type { Bc3Header } from '@catalog/formats/bc3-text.ts'
import { withoutEmails } from '@catalog/formats/candidate.ts'
import { decodeStream, type Encoding } from '@catalog/formats/encoding.ts'
import { dateIn } from '@catalog/formats/evidence.ts'
import type { ByteSource } from '@catalog/formats/record.ts'

/** What a recipe says, before it gets its id, its crawl, its place and the time of recording. */
export type RecipeContent = Omit<RecipeRecorded, 'type' | 'v' | 'event_id' | 'recorded_at' | 'crawl_id' | 'position'>

/** A recipe of a file, and where it stands; or why it is none that can be recorded. */
export type RecipeOutcome = Readonly<{ position: string }> &
  (Readonly<{ content: RecipeContent }> | Readonly<{ reason: RecipeRefusal; detail: string }>)

/**
 * TOO_LARGE: the file's concepts, or recipes in pieces, are more than memory is given for; no further one is read. NO_LINES, NO_DATE,
 * NO_CURRENCY, FUTURE_OBSERVATION, BAD_NUMBER, BAD_RECORD (a code or unit that an event cannot carry), UNREADABLE.
 */
export type RecipeRefusal =
  | 'TOO_LARGE'
  | 'NO_LINES'
  | 'NO_DATE'
  | 'NO_CURRENCY'
  | 'FUTURE_OBSERVATION'
  | 'BAD_NUMBER'
  | 'BAD_RECORD'
  | 'UNREADABLE'

export type RecipeOptions = Readonly<{
  /** What {@link readBc3Header} found, and what the file was read as. */
  header: Bc3Header
  encoding: Encoding
  source: SourceRef
  /** Where the file names none; as for its prices. */
  currency?: string | undefined
  observedAt?: string | undefined
  notAfter: Date
  /** Characters of concepts that are held, at most. */
  charsMax?: number | undefined
}>

/** 70,000 concepts of a price bank are 6 million characters; what is larger is no price bank. */
const HELD_CHARS_MAX = 64 * 1024 ** 2
/** What holding a concept costs beside its texts. */
const CONCEPT_CHARS = 100
const COMPONENTS_MAX = 10_000
/** Lines of recipes that wait for a further record; programs write a recipe in one piece, or its pieces one after another. */
const OPEN_LINES_MAX = 500_000
/** Prices of one concept, as for observations: what has more has none. */
const PRICES_MAX = 1_000
/** Recipes of one yielded batch, and their lines. */
const BATCH_RECIPES = 100
const BATCH_LINES = 10_000

/**
 * The recipes (~D, continued by ~Y) of a BC3 file, each once, in the order of their last record: what readBc3 leaves out.
 *
 * A recipe belongs to the SKU of its price, so there is one for each price of the concept, under the very reference that
 * the price has: `code`, or `code@label` where a concept has several. Its components are priced by the same label (where
 * one has fewer prices, its last one holds) and are named by the reference of that price, so that a component is its SKU
 * by source and reference alone. A concept without any price, which FIEBDC computes, has a recipe for each label that the
 * file's prices use. No recipe: chapters and the root, whose sum is a work and no item; percentages; parametric families.
 *
 * Prices and kinds of components may stand after the recipe, so the bytes are read twice: first for the concepts, which
 * are held, then for the recipes, one at a time.
 */
export async function* readRecipes(
  source: ByteSource,
  options: RecipeOptions,
): AsyncGenerator<readonly RecipeOutcome[], void, undefined> {
  try {
    const book = await conceptsOf(source, options)
    if (book === null) {
      const detail = `the concepts have more than ${options.charsMax ?? HELD_CHARS_MAX} characters`
      yield [{ position: source.name, reason: 'TOO_LARGE', detail }]
      return
    }
    /** Recipes that a later record of the file continues or replaces. */
    const open = new Map<string, { records: number; lines: ComponentLine[] }>()
    let openLines = 0
    let found: RecipeOutcome[] = []
    let foundLines = 0
    for await (const entry of entriesOf(source, options)) {
      if (entry.letter !== 'D' && entry.letter !== 'Y') continue
      const { code } = entry
      const concept = book.concepts.get(code)
      if (concept === undefined || !hasRecipe(code, concept)) continue
      const recipe = open.get(code) ?? { records: 0, lines: [] }
      open.set(code, recipe)
      openLines -= recipe.lines.length
      if (entry.letter === 'D') recipe.lines = []
      // One line more than an event can hold is enough to be refused.
      for (const line of linesOf(entry)) if (recipe.lines.length <= COMPONENTS_MAX) recipe.lines.push(line)
      openLines += recipe.lines.length
      if (++recipe.records < concept.recipeRecords) {
        if (openLines <= OPEN_LINES_MAX) continue
        const detail = `more than ${OPEN_LINES_MAX} lines of recipes are continued later in the file`
        found.push({ position: positionOf(source.name, entry.line, code), reason: 'TOO_LARGE', detail })
        yield found
        return
      }
      open.delete(code)
      openLines -= recipe.lines.length
      const { lines } = recipe
      for (const place of book.placesOf(concept)) {
        found.push(recipeAt({ code, concept, lines, place, line: entry.line }, { book, name: source.name, options }))
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

/** The bytes cannot be had; what they hold never throws. */
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

type Concept = {
  isChapter: boolean
  unit: string
  name: string
  /** By the labels; '' for a blank one, {@link UNREAD} for what is no number. */
  prices: readonly string[]
  /** How many of them are not blank, and whether all of those are 0. */
  priced: number
  isComputed: boolean
  standing: readonly number[]
  dates: readonly string[]
  type: string
  /** How many ~D and ~Y it has; 0 for what is not decomposed. */
  recipeRecords: number
}

/** A number that cannot be read is {@link UNREAD}. */
type ComponentLine = Readonly<{ code: string; factor: string; yield: string }>
const UNREAD = '?'

type Book = Readonly<{
  concepts: ReadonlyMap<string, Concept>
  /** Which of its prices a concept has recipes for, from 0 on. */
  placesOf(concept: Concept): number[]
  /** The reference of the SKU that the concept's price in this place is observed for. */
  referenceOf(code: string, concept: Concept | undefined, place: number): string
}>

/** All concepts of the file; null when they are too large to be held. */
async function conceptsOf(source: ByteSource, options: RecipeOptions): Promise<Book | null> {
  const { charsMax = HELD_CHARS_MAX } = options
  const concepts = new Map<string, Concept>()
  const recipes = new Map<string, number>()
  let chars = 0
  let pricesMax = 1
  for await (const entry of entriesOf(source, options)) {
    if (entry.letter === 'D' || entry.letter === 'Y') {
      if (!recipes.has(entry.code)) chars += entry.code.length + CONCEPT_CHARS
      recipes.set(entry.code, (recipes.get(entry.code) ?? 0) + 1)
    } else if (entry.letter === 'C') {
      const concept = conceptOf(entry, concepts.get(entry.code))
      concepts.set(entry.code, concept)
      pricesMax = Math.max(pricesMax, Math.min(concept.prices.length, PRICES_MAX))
      chars += CONCEPT_CHARS + entry.code.length + concept.unit.length + concept.name.length + sizeOf(concept)
    }
    if (chars > charsMax) return null
  }
  for (const [code, records] of recipes) {
    const concept = concepts.get(code)
    if (concept !== undefined) concept.recipeRecords = records
  }
  const label = (place: number) => options.header.labels[place] || String(place + 1)
  return {
    concepts,
    placesOf({ prices, priced, isComputed }) {
      if (priced > PRICES_MAX) return []
      if (isComputed) return [...Array(Math.max(pricesMax, priced)).keys()]
      return [...prices.keys()].filter((place) => prices[place] !== '')
    },
    referenceOf(code, concept, place) {
      if (concept === undefined) return code
      if (concept.priced > 1) return `${code}@${label(placeOf(concept, place) as number)}`
      return concept.isComputed && pricesMax > 1 && hasRecipe(code, concept) ? `${code}@${label(place)}` : code
    },
  }
}

/** Of a concept that stands twice the later record holds; what it leaves blank is as it was. */
function conceptOf(entry: ConceptEntry, before: Concept | undefined): Concept {
  const prices = [...entry.prices]
  // What is no number stands in its place all the same, where an observation of it was refused.
  for (const { field, subfield } of entry.unread ?? []) if (field === PRICES_FIELD) prices[subfield] = UNREAD
  const written = Array.from(prices, (price) => price ?? '')
  const given = written.length > 0 ? written : (before?.prices ?? [])
  const dates = entry.dates.filter((date) => date !== '')
  return {
    isChapter: entry.suffix !== '' || before?.isChapter === true,
    unit: oneLine(entry.unit) || (before?.unit ?? ''),
    name: nameOf(entry.summary) || (before?.name ?? ''),
    prices: given,
    priced: given.filter((price) => price !== '').length,
    isComputed: given.every((price) => ZERO.test(price)),
    standing: standingOf(given),
    dates: dates.length > 0 ? dates : (before?.dates ?? []),
    type: entry.type || (before?.type ?? ''),
    recipeRecords: 0,
  }
}
/** Of ~C, from 0. */
const PRICES_FIELD = 3
/** Blank, or 0, which says that the recipe has to give the price. */
const ZERO = /^-?[0.]*$/

/** For each place where the price stands that holds there: itself, else the one before, else the first. */
function standingOf(prices: readonly string[]): readonly number[] {
  if (prices.length < 2) return []
  const first = prices.findIndex((price) => price !== '')
  let last = first
  return prices.map((price, place) => {
    if (price !== '') last = place
    return last
  })
}

function sizeOf({ prices, dates }: Concept): number {
  return [...prices, ...dates].reduce((sum, text) => sum + text.length + 1, 0)
}

/** Where the price stands that holds in this place, the last one for all further places; null where there is none. */
function placeOf({ prices, priced, standing }: Concept, place: number): number | null {
  if (priced === 0) return null
  return standing[Math.min(place, prices.length - 1)] ?? 0
}

function hasRecipe(code: string, { isChapter, recipeRecords }: Concept): boolean {
  return recipeRecords > 0 && !isChapter && !PERCENTAGE.test(code) && !code.endsWith('$')
}

const PERCENTAGE = /[%&]/

function linesOf({ lines, unread = [] }: DecompositionEntry): ComponentLine[] {
  const isUnread = unread.some(({ field }) => field === 1 || field === 2)
  return lines.flatMap(({ code, factor, yield: rate }) =>
    // Where one number of the record is none, no other one is sure to stand in its place.
    code === '' ? [] : [{ code, factor: isUnread ? UNREAD : (factor ?? ''), yield: rate ?? '' }],
  )
}

type Found = Readonly<{ code: string; concept: Concept; lines: readonly ComponentLine[]; place: number; line: number }>

function recipeAt(
  { code, concept, lines, place, line }: Found,
  { book, name, options }: Readonly<{ book: Book; name: string; options: RecipeOptions }>,
): RecipeOutcome {
  const position = positionOf(name, line, code)
  try {
    const content: RecipeContent = {
      source: options.source,
      vendor_ref: book.referenceOf(code, concept, place),
      unit: concept.unit || null,
      components: lines.map((component, at) => componentOf(component, { at, place, book })),
      declared_price: priceAt(concept, place),
      currency: currencyOf(options),
      observed_at: observedAt(concept, place, options),
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

const CONTENT = RecipeSchema.omit({
  type: true,
  v: true,
  event_id: true,
  recorded_at: true,
  crawl_id: true,
  position: true,
})

function componentOf(
  { code, factor, yield: rate }: ComponentLine,
  { at, place, book }: Readonly<{ at: number; place: number; book: Book }>,
): RecipeContent['components'][number] {
  const concept = book.concepts.get(code)
  const price = concept === undefined ? null : priceAt(concept, place)
  return {
    position: at + 1,
    kind: kindOf(code, concept),
    vendor_ref: book.referenceOf(code, concept, place),
    name: concept?.name ?? '',
    unit: concept?.unit || null,
    // Blank says 1, an explicit 0 stays one.
    factor: decimalOf(factor, 'factor') ?? '1',
    yield: decimalOf(rate, 'yield') ?? '1',
    price,
  }
}

/** What a component is, by its own recipe and by the type of its concept; what the file does not tell is unclassified. */
function kindOf(code: string, concept: Concept | undefined): RecipeContent['components'][number]['kind'] {
  if (PERCENTAGE.test(code)) return 'percentage'
  if (concept === undefined) return 'unclassified'
  if (hasRecipe(code, concept)) return 'auxiliary'
  return TYPES.find(({ type }) => type.test(concept.type))?.kind ?? 'unclassified'
}
/** Numbers of all versions, and the letters that came in beside them in 2004 and later. */
const TYPES = [
  { type: /^(1|H)$/i, kind: 'labor' },
  { type: /^(2|Q)$/i, kind: 'machinery' },
  { type: /^(3|M[A-Z]{0,2})$/i, kind: 'material' },
  { type: /^[45]$/, kind: 'waste' },
] as const

/**
 * The price of this place; null where none can be read, and for 0 of what has a recipe, which has to give it then. What is
 * bought for 0 costs 0.
 */
function priceAt(concept: Concept, place: number): string | null {
  const at = placeOf(concept, place)
  const price = at === null ? null : plainDecimal(concept.prices[at] as string)
  return price === null || (concept.recipeRecords > 0 && ZERO.test(price)) ? null : price
}

/** A factor or a yield; null for a blank one. */
function decimalOf(text: string, what: string): string | null {
  if (text === '') return null
  const decimal = plainDecimal(text)
  if (decimal !== null) return decimal
  throw new Refused('BAD_NUMBER', `a ${what} is no decimal of at most 18 digits`)
}

/** A number as an event can hold it; null for what is none. */
function plainDecimal(text: string): string | null {
  return /^-?\d{1,18}(\.\d{1,18})?$/.test(text) ? text : null
}

function currencyOf({ header, currency: given, observedAt }: RecipeOptions): string {
  const named = header.currency ?? given?.trim() ?? ''
  if (named !== '') return parsePrice(`1 ${named}`)?.currency ?? named.toUpperCase()
  const newest = header.newest ?? observedAt ?? ''
  if (newest === '') throw new Refused('NO_CURRENCY', 'neither the file nor the command line names one')
  return newest >= EURO_SINCE ? 'EUR' : 'ESP'
}
/** Spain's cash: pesetas until the end of 2001. */
const EURO_SINCE = '2002-01-01'

/** The date of the price in this place, else that of the file, else what the operator says. */
function observedAt(concept: Concept, place: number, { header, ...options }: RecipeOptions): string {
  const { dates } = concept
  const own = dates[Math.min(placeOf(concept, place) ?? place, dates.length - 1)]
  const written = own ?? header.date ?? options.observedAt ?? ''
  if (written === '') throw new Refused('NO_DATE', 'neither the file nor the command line gives a date')
  const date = dateIn(written, { order: 'ymd', twoDigitYears: false })
  if (date === null) throw new Refused('NO_DATE', `'${written.slice(0, 40)}': expected a date`)
  if (date > options.notAfter) throw new Refused('FUTURE_OBSERVATION', `${instant(date)} has not come yet`)
  return instant(date)
}

const NAME_CHARS_MAX = 2_000

/** One line without e-mail addresses, cut where an event ends. */
function nameOf(text: string): string {
  return withoutEmails(oneLine(text)).slice(0, NAME_CHARS_MAX).toWellFormed()
}

function oneLine(text: string): string {
  return text.replace(NOT_CARRIABLE, ' ').replace(/\s+/g, ' ').trim().normalize('NFC')
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const NOT_CARRIABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

function positionOf(name: string, line: number, code: string): string {
  return `${name.slice(-400)} line ${line} ~D ${code.slice(0, 60)}`
}
