import type {
  ConceptEntry,
  DecompositionEntry,
  DecompositionLine,
  MeasurementEntry,
  MeasurementLine,
  TextEntry,
} from './entries.ts'

/**
 * The position of each value in a FIEBDC-3 record. Reader and writer follow this one table in opposite directions.
 *
 * Layouts up to 3/98 come from the specification. Those of 2004 to 2020 combine what independent programs read and
 * write: the further fields of ~V and ~K, the second list of ~D and the label of ~M.
 */

/**
 * How to read a subfield:
 * - `word`: trimmed; `text`: with leading blanks;
 * - `code`: without its `#` or `##`; `number`: a plain decimal or null; `price`: a plain decimal or '';
 * - `date`: YYYY-MM-DD or ''; `words`: several, each followed by a semicolon.
 */
export type Kind = 'word' | 'text' | 'code' | 'number' | 'price' | 'date' | 'words'

export type Column = Readonly<{ name: string; kind: Kind; suffix?: string }>

/** Values by name. */
export type Values = Record<string, unknown>

export type FieldLayout = Readonly<{
  /** Subfields that occur once, at the start of the field. */
  head: readonly Column[]
  /** The repeated group after them: objects of several columns, or plain values when the only column has no name. */
  each: Readonly<{ into: string; columns: readonly Column[]; atLeast: number; blank: () => object }> | null
  /** A field with one value less lacks the first one. */
  firstMayLack?: true
}>

export type RecordLayout = Readonly<{
  fields: readonly FieldLayout[]
  /** A new blank entry. All entries of a letter have their values in one order. */
  blank: () => object
  /** A record with fewer fields is incomplete. */
  fieldsMin: number
  /** A record without its first value describes nothing. */
  needsCode: boolean
}>

const word = (name: string): Column => ({ name, kind: 'word' })
const words = (name: string): Column => ({ name, kind: 'words' })
const text = (name: string): Column => ({ name, kind: 'text' })
const number = (name: string): Column => ({ name, kind: 'number' })
const date = (name: string): Column => ({ name, kind: 'date' })
const code = (name = 'code', suffix = 'suffix'): Column => ({ name, kind: 'code', suffix })

const one = (...head: readonly Column[]): FieldLayout => ({ head, each: null })
const list = (into: string, kind: Kind = 'word', head: readonly Column[] = []): FieldLayout => ({
  head,
  each: { into, columns: [{ name: '', kind }], atLeast: 1, blank: () => ({}) },
})
const groups = (
  into: string,
  columns: readonly Column[],
  { atLeast = columns.length, blank }: { atLeast?: number; blank?: () => object } = {},
): FieldLayout => ({ head: [], each: { into, columns, atLeast, blank: blank ?? copiesOf(blankOf(columns)) } })
const record = (fieldsMin: number, ...fields: readonly FieldLayout[]): RecordLayout => ({
  fields,
  blank: copiesOf(
    Object.assign(
      { letter: '', line: 0 },
      ...fields.map(({ head, each }) => ({ ...blankOf(head), ...(each && { [each.into]: NONE }) })),
    ),
  ),
  fieldsMin,
  needsCode: fieldsMin > 0,
})
const NONE: readonly never[] = []

function blankOf(columns: readonly Column[]): object {
  const blanks = columns.map(({ name, kind, suffix }) => ({
    [name]: kind === 'number' ? null : kind === 'words' ? NONE : '',
    ...(suffix !== undefined && { [suffix]: '' }),
  }))
  return Object.assign({}, ...blanks)
}

function copiesOf(blank: object): () => object {
  return () => ({ ...blank })
}

/**
 * Layouts of the most frequent records, with a literal as their blank entry. V8 copies objects of many shapes ten times
 * slower than it creates them from a literal, which would be half of a record's time. A test compares both.
 */
const withBlank = <Entry extends object>(layout: RecordLayout, blank: () => Entry): RecordLayout => ({
  ...layout,
  blank,
})

const LINE = [code(), number('factor'), number('yield')]
const blankLine = (): DecompositionLine => ({ code: '', suffix: '', factor: null, yield: null, percentages: NONE })
/** Since 3/2012 the second list replaces the first, and names the percentages of each line. */
const DECOMPOSITION = withBlank(
  record(
    2,
    one(code()),
    groups('plainLines', LINE, { blank: blankLine }),
    groups('lines', [...LINE, words('percentages')], { atLeast: LINE.length, blank: blankLine }),
  ),
  (): DecompositionEntry => ({ letter: 'D', line: 0, code: '', suffix: '', lines: NONE }),
)
const MEASUREMENT = withBlank(
  record(
    3,
    { ...one(code('parent', 'parentSuffix'), code()), firstMayLack: true },
    list('position'),
    one(number('total')),
    groups('lines', [word('type'), word('comment'), ...['units', 'length', 'width', 'height'].map(number)], {
      blank: (): MeasurementLine => ({ type: '', comment: '', units: null, length: null, width: null, height: null }),
    }),
    one(word('label')),
  ),
  (): MeasurementEntry => ({
    letter: 'M',
    line: 0,
    parent: '',
    parentSuffix: '',
    code: '',
    suffix: '',
    position: NONE,
    total: null,
    lines: NONE,
    label: '',
  }),
)
const CONCEPT = withBlank(
  record(
    3,
    list('synonyms', 'word', [code()]),
    one(word('unit')),
    one(word('summary')),
    list('prices', 'price'),
    list('dates', 'date'),
    one(word('type')),
  ),
  (): ConceptEntry => ({
    letter: 'C',
    line: 0,
    code: '',
    suffix: '',
    synonyms: NONE,
    unit: '',
    summary: '',
    prices: NONE,
    dates: NONE,
    type: '',
  }),
)

/** By letter. */
export const LAYOUTS = {
  V: record(
    0,
    one(word('owner')),
    one(word('version'), date('date')),
    one(word('program')),
    list('labels', 'word', [word('header')]),
    one(word('charset')),
    one(word('comment')),
    one(word('informationType')),
    one(word('certificationNumber')),
    one(date('certificationDate')),
    one(word('url')),
  ),
  K: record(
    0,
    // 3/98 lacks the currency.
    groups('decimals', [...['dn', 'dd', 'ds', 'dr', 'di', 'dp', 'dc', 'dm'].map(number), word('currency')], {
      atLeast: 8,
    }),
    one(...['indirect', 'overhead', 'profit', 'discount', 'tax'].map(number)),
    list('extended'),
    one(word('n')),
  ),
  C: CONCEPT,
  D: DECOMPOSITION,
  Y: DECOMPOSITION,
  T: withBlank(
    record(2, one(code()), one(text('text'))),
    (): TextEntry => ({ letter: 'T', line: 0, code: '', suffix: '', text: '' }),
  ),
  M: MEASUREMENT,
  N: MEASUREMENT,
  A: record(2, one(code()), list('keys')),
  B: record(1, one(code()), one(code('newCode', 'newSuffix'))),
} as const satisfies Readonly<Record<string, RecordLayout>>

/** The layout of a record by its letter; null for a kept or unknown letter. */
export const layoutOf = (letter: string): RecordLayout | null =>
  (LAYOUTS as Readonly<Record<string, RecordLayout>>)[letter] ?? null

/**
 * Records that change neither recipes nor prices, kept as written: specifications (L, Q, J, W), pictures and files (G, F),
 * companies (E), commercial products (O), technical values (X), waste (R) and the programs of parametric families (P).
 */
export const KEPT_LETTERS = 'LQJWGFEOXRP'
