import type { SourceRef } from '@catalog/core/events/sources.ts'
import { parsePrice } from '@catalog/core/money/money.ts'
import { instant } from '@catalog/core/time.ts'
import { translatedUnit } from '@catalog/core/units/unit-translator.ts'
import type { BrokenRecord, ByteSource, RawRecord } from '@catalog/formats/bytes/record.ts'
import { isBroken } from '@catalog/formats/bytes/record.ts'
import { recordableText } from '@catalog/formats/bytes/vendor-text.ts'
import { type Format, hasKeyedRecords } from '@catalog/formats/format.ts'
import { recordsOf, stepsOf } from '@catalog/formats/format-readers.ts'
import { parseDate } from '@catalog/formats/mapping/dates.ts'
import type { Mapping } from '@catalog/formats/mapping/mapping.ts'
import { nothingDetected } from '@catalog/formats/read-options.ts'
import type { MappedRule, RecipeColumns } from '@catalog/formats/recipes/recipe-mapping.ts'
import { CONTENT, type RecipeContent, type RecipeOutcome, type RecipeRefusal } from './recipes.ts'

export type MappedRecipeOptions = Readonly<{
  format: Exclude<Format, 'zip'>
  mapping: Mapping
  source: SourceRef
  /** Where neither the mapping nor the price of a component names one. */
  currency?: string | undefined
  observedAt?: string | undefined
  notAfter: Date
}>

type RecipeMapping = NonNullable<Mapping['recipes']>
/** The keys of a mapping that say how rows are read. */
type Reading = Omit<RecipeMapping, 'columns' | 'kinds' | 'rule' | 'prices'>
type Component = RecipeContent['components'][number]

/** One more than an event carries is enough for a refusal. */
const COMPONENTS_MAX = 10_000
const BATCH_RECIPES = 100
/** References of tables of prices that are held: the longest lists have some 25,000. */
const LISTED_MAX = 1_000_000

/**
 * Reads the recipes of a table or of XML by the `recipes` of a mapping: the rows of one work follow each other. Prices of
 * components that do not stand on their rows come from other tables of the file. Reasons are those of {@link RecipeOutcome}.
 */
export async function* readMappedRecipes(
  source: ByteSource,
  options: MappedRecipeOptions,
): AsyncGenerator<readonly RecipeOutcome[], void, undefined> {
  try {
    yield* recipesOf(source, options)
  } catch (error) {
    if (!(error instanceof UnreadableTable)) throw error
    yield [{ position: source.name, reason: error.reason, detail: error.message }]
  }
}

/** A sheet that does not exist, or a table without a column of the mapping: its prices would seem to be missing. */
class UnreadableTable extends Error {
  readonly reason: 'UNREADABLE' | 'NO_COLUMN'
  constructor(reason: UnreadableTable['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

async function* recipesOf(
  source: ByteSource,
  options: MappedRecipeOptions,
): AsyncGenerator<readonly RecipeOutcome[], void, undefined> {
  const { recipes } = options.mapping
  if (recipes === undefined) return
  const { columns, kinds, rule, prices: tables = [], ...reading } = recipes
  const listed = await listedComponents(source, options, tables)
  if (listed === null) {
    const detail = `more than ${LISTED_MAX} components in the tables of prices`
    yield [{ position: source.name, reason: 'TOO_LARGE', detail }]
    return
  }
  const apart = new Set(tables.flatMap(({ of }) => of ?? []))
  const work = openWork({ columns, kinds: kinds ?? {}, rule, listed, apart, options })
  let found: RecipeOutcome[] = []
  for await (const record of rowsOf(source, options, { reading, named: Object.values(columns) })) {
    found.push(...work.add(record))
    if (found.length < BATCH_RECIPES) continue
    yield found
    found = []
  }
  found.push(...work.end())
  if (found.length > 0) yield found
}

/** A component in a table of prices. `kind`: the text that says what it is; empty where the table says nothing. */
type Listed = Readonly<{ price: string | null; kind: string }>

/** The components of the tables of prices by reference; null for too many. A later price replaces an earlier one. */
async function listedComponents(
  source: ByteSource,
  options: MappedRecipeOptions,
  tables: NonNullable<RecipeMapping['prices']>,
): Promise<ReadonlyMap<string, Listed> | null> {
  const listed = new Map<string, Listed>()
  for (const { columns, of, ...reading } of tables) {
    for await (const record of rowsOf(source, options, { reading, named: Object.values(columns) })) {
      const code = cell(record, columns.ref)
      if (code === '') continue
      const ref = of === undefined ? code : apartRef(of, code)
      const known = listed.get(ref)
      listed.set(ref, {
        price: decimalAt(record, columns.price, options) ?? known?.price ?? null,
        kind: (columns.kind === undefined ? '' : cell(record, columns.kind)) || (known?.kind ?? ''),
      })
      if (listed.size > LISTED_MAX) return null
    }
  }
  return listed
}

/** The reference of a component whose kind has codes of its own. */
const apartRef = (kind: string, code: string): string => `${kind}|${code}`

type Rows = Readonly<{
  reading: Partial<Reading>
  /** The columns that are read, by which the heading of a table is found. */
  named: readonly (string | undefined)[]
}>

async function* rowsOf(
  source: ByteSource,
  { format, mapping, source: ref, notAfter }: MappedRecipeOptions,
  { reading, named }: Rows,
): AsyncGenerator<RawRecord, void, undefined> {
  const category_path = [...new Set(named.filter((column) => column !== undefined))]
  const rowMapping: Mapping = { ...rowsLike(mapping, reading), columns: { category_path }, constants: ANY }
  const options = { format, mapping: rowMapping, defaults: { source: ref.name, notAfter } }
  const detected = nothingDetected(source.name, format, ref)
  const steps = stepsOf(options, {})
  let hasBegun = false
  for await (const batch of recordsOf(source, format, options, detected)) {
    const records = batch.filter((record): record is RawRecord => !isBroken(record))
    if (!hasBegun && records.length > 0) {
      const { columns } = steps.begin([...new Set(records.flatMap(({ fields }) => Object.keys(fields)))])
      const missing = hasKeyedRecords(format) ? [] : category_path.filter((column) => !columns.includes(column))
      if (missing.length > 0) throw new UnreadableTable('NO_COLUMN', `no column '${missing.join("', '")}'`)
      hasBegun = true
    }
    for (const record of records) yield* steps.of(record)
    const end = batch.find((record): record is BrokenRecord => isBroken(record) && record.endsFile === true)
    if (end !== undefined) throw new UnreadableTable('UNREADABLE', end.detail)
  }
}

/** What a record of prices must have, and a row of a recipe need not. */
const ANY = { vendor_ref: '-', name: '-', price: '0' }

/** How rows are read: as those of the mapping, unless they stand in another table, which has steps and a heading of its own. */
function rowsLike(mapping: Mapping, reading: Partial<Reading>): Partial<Mapping> {
  const { delimiter, encoding, decimal, sheet, records, skip_rows, header_row, short_rows } = mapping
  const isElsewhere = reading.sheet !== undefined || reading.records !== undefined
  const same = isElsewhere ? {} : { sheet, records, skip_rows, header_row, short_rows }
  const like = { delimiter, encoding, decimal, ...same, ...reading }
  return Object.fromEntries(Object.entries(like).filter(([, value]) => value !== undefined))
}

type WorkOptions = Readonly<{
  columns: RecipeColumns
  kinds: Readonly<Record<string, Component['kind']>>
  rule: MappedRule | undefined
  listed: ReadonlyMap<string, Listed>
  /** Kinds with codes of their own. */
  apart: ReadonlySet<string>
  options: MappedRecipeOptions
}>
type Work = {
  ref: string
  unit: string
  position: string
  declared: string | null
  lines: Component[]
  problem: Readonly<{ reason: RecipeRefusal; detail: string }> | null
}

/** Collects the rows of one work after the other; `add` gives the work that a row ends. */
function openWork(settings: WorkOptions) {
  const { columns, options } = settings
  let work: Work | null = null
  const end = (): RecipeOutcome[] => {
    const ended = work
    work = null
    return ended === null ? [] : [outcomeOf(ended, settings)]
  }
  return {
    end,
    add(record: RawRecord): RecipeOutcome[] {
      const ref = cell(record, columns.vendor_ref)
      const isNext = work === null || (ref !== '' && ref !== work.ref)
      const ended = isNext ? end() : []
      if (isNext) {
        if (ref === '') return ended
        work = { ref, unit: '', position: record.position, declared: null, lines: [], problem: null }
      }
      const now = work as Work
      if (columns.declared_price !== undefined) now.declared ??= decimalAt(record, columns.declared_price, options)
      if (cell(record, columns.component_ref) === '') {
        if (columns.unit !== undefined) now.unit = unitAt(record, columns.unit, options)
      } else addLine(now, record, settings)
      return ended
    },
  }
}

function addLine(work: Work, record: RawRecord, { columns, kinds, listed, apart, options }: WorkOptions): void {
  if (work.lines.length > COMPONENTS_MAX) return
  const kind = columns.kind === undefined ? '' : cell(record, columns.kind)
  const code = cell(record, columns.component_ref)
  const ref = apart.has(kind) ? apartRef(kind, code) : code
  const quantity = decimalAt(record, columns.quantity, options)
  if (quantity === null) {
    const written = cell(record, columns.quantity).slice(0, 40)
    work.problem ??= { reason: 'BAD_NUMBER', detail: `${ref}: '${written}' is no quantity of at most 18 digits` }
    return
  }
  const price = columns.price === undefined ? null : decimalAt(record, columns.price, options)
  const entry = listed.get(ref)
  work.lines.push({
    position: work.lines.length + 1,
    kind: kinds[entry?.kind ?? ''] ?? kinds[kind] ?? 'unclassified',
    vendor_ref: ref,
    name: columns.name === undefined ? '' : cell(record, columns.name),
    unit: (columns.unit === undefined ? '' : unitAt(record, columns.unit, options)) || null,
    factor: '1',
    yield: quantity,
    price: price ?? entry?.price ?? null,
  })
}

function outcomeOf(work: Work, { rule, listed, options }: WorkOptions): RecipeOutcome {
  const { position } = work
  if (work.problem !== null) return { position, ...work.problem }
  if (work.lines.length === 0) return { position, reason: 'NO_LINES', detail: 'the recipe has no component' }
  const { currency, observedAt, notAfter, source } = options
  if (currency === undefined)
    return { position, reason: 'NO_CURRENCY', detail: 'neither the mapping nor the command line names one' }
  const date = observedAt === undefined ? null : parseDate(observedAt, { order: 'ymd', hasTwoDigitYears: false })
  if (date === null)
    return { position, reason: 'NO_DATE', detail: 'neither the mapping nor the command line gives one' }
  if (date > notAfter) return { position, reason: 'FUTURE_OBSERVATION', detail: `${instant(date)} is in the future` }
  const content: RecipeContent = {
    source,
    vendor_ref: work.ref,
    unit: work.unit || null,
    components: work.lines,
    declared_price: withDecimals(work.declared ?? listed.get(work.ref)?.price ?? null, rule?.total_decimals ?? 0),
    ...(rule && { rule: { percentages: 'share' as const, ...rule } }),
    currency,
    observed_at: instant(date),
  }
  const checked = CONTENT.safeParse(content)
  if (checked.success) return { position, content }
  const [issue] = checked.error.issues
  return { position, reason: 'BAD_RECORD', detail: `${issue?.path.join('.')}: ${issue?.message}` }
}

/** The unit as prices of the list record it, so that a line and the item that it names are sold by one. */
function unitAt(record: RawRecord, column: string, { mapping, source }: MappedRecipeOptions): string {
  const text = cell(record, column)
  const { region = source.region, lang } = mapping.constants ?? {}
  return text === '' ? '' : translatedUnit(text, mapping.units ?? null, { region, kind: 'bank', lang })
}

/** A price with the zeros that a cell leaves out: 57.8 is 57.80 where prices have two decimals, and is compared to the cent. */
function withDecimals(price: string | null, least: number): string | null {
  if (price === null) return null
  const [whole = '', fraction = ''] = price.split('.')
  return fraction.length >= least ? price : `${whole}.${fraction.padEnd(least, '0')}`
}

/** The text of a cell in one line. */
const cell = ({ fields }: RawRecord, column: string): string =>
  recordableText(fields[column] ?? '')
    .replace(/\s+/g, ' ')
    .trim()

/** The number of a cell that fits into an event; null for any other text. */
function decimalAt(record: RawRecord, column: string, { mapping }: MappedRecipeOptions): string | null {
  const text = cell(record, column)
  if (text === '') return null
  const decimal = record.numbers?.has(column) ? '.' : (mapping.recipes?.decimal ?? mapping.decimal)
  const number = parsePrice(text, { decimal })?.decimal ?? null
  return number !== null && /^-?\d{1,18}(\.\d{1,18})?$/.test(number) ? number : null
}
