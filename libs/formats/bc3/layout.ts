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
 * write: the further fields of ~V, ~K, ~L, ~J and ~E, the second list of ~D, the label of ~M, ~F and ~R.
 */

/**
 * How to read a subfield:
 * - `word`: trimmed; `text`: with leading blanks; `opaque`: the whole field as written, backslashes included;
 * - `code`: without its `#` or `##`; `number`: a plain decimal or null; `price`: a plain decimal or '';
 * - `date`: YYYY-MM-DD or ''; `words`: several, each followed by a semicolon.
 */
export type Kind = 'word' | 'text' | 'opaque' | 'code' | 'number' | 'price' | 'date' | 'words'

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
  /** A separator before the first group holds no value (3/95 prints one). */
  mayLead?: true
}>

export type RecordLayout = Readonly<{
  fields: readonly FieldLayout[]
  /** A new blank entry. All entries of a letter have their values in one order. */
  blank: () => object
  /** A record with fewer fields is incomplete. */
  fieldsMin: number
  /** A record without its first value describes nothing. */
  needsCode: boolean
  /** Name for the list of all further fields, each a list of words. */
  allFurther?: string
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
const mayLackCode = (layout: RecordLayout): RecordLayout => ({ ...layout, needsCode: false })

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

const TERMS = groups('terms', [word('code'), word('description'), word('unit')])
const VALUES = groups('values', [word('code'), word('value')])
const TECHNICAL: RecordLayout = {
  ...mayLackCode(record(2, one(code()), VALUES)),
  // The dictionary shares this blank entry.
  blank: record(2, one(code()), TERMS, VALUES).blank,
}

/** By letter; `X#` is the ~X without a code, whose list is a dictionary. */
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
  L: mayLackCode(
    record(
      2,
      one(code()),
      { ...groups('sections', [word('section'), text('text')]), mayLead: true },
      groups('rtf', [word('section'), word('file')]),
      groups('html', [word('section'), word('file')]),
    ),
  ),
  Q: record(2, list('codes'), groups('sections', [word('section'), word('paragraph'), words('scopes')])),
  J: record(
    2,
    one(word('code')),
    one(text('text')),
    one({ name: 'rtf', kind: 'opaque' }),
    one(word('rtfFile')),
    one(word('htmlFile')),
  ),
  W: mayLackCode(record(1, groups('scopes', [word('abbreviation'), word('name')]))),
  G: record(2, one(code()), list('files'), one(word('url'))),
  F: record(2, one(code()), groups('files', [word('type'), words('names'), word('description')]), one(word('url'))),
  E: record(
    1,
    one(word('code')),
    one(word('summary')),
    one(word('name')),
    groups('offices', [
      ...['type', 'name', 'address', 'postcode', 'town', 'province', 'country'].map(word),
      ...['phones', 'faxes', 'contacts'].map(words),
    ]),
    one(word('taxId'), word('web'), word('email')),
  ),
  O: record(2, one(word('code')), list('tariffs'), list('products')),
  X: TECHNICAL,
  'X#': { ...TECHNICAL, fields: [one(code()), TERMS] },
  R: { ...record(2, one(code()), list('wastes')), fields: [one(code())], allFurther: 'wastes' },
  A: record(2, one(code()), list('keys')),
  B: record(1, one(code()), one(code('newCode', 'newSuffix'))),
  P: mayLackCode(record(1, one(code()), one({ name: 'description', kind: 'opaque' }), one(word('dll')))),
} as const satisfies Readonly<Record<string, RecordLayout>>

/** The layout of a record by its letter and whether it has a code; null for an unknown letter. */
export function layoutOf(letter: string, { hasCode }: { readonly hasCode: boolean }): RecordLayout | null {
  if (letter === 'X' && !hasCode) return LAYOUTS['X#']
  return (LAYOUTS as Readonly<Record<string, RecordLayout>>)[letter] ?? null
}
