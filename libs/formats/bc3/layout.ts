import type {
  ConceptEntry,
  DecompositionEntry,
  DecompositionLine,
  MeasurementEntry,
  MeasurementLine,
  TextEntry,
} from './entries.ts'

/**
 * Where each value of a FIEBDC-3 record stands: one table, which the reader follows in one direction and the writer in the
 * other. Layouts up to 3/98 are the specification's. Those of 2004 to 2020 are put together from what independent programs
 * read and write: the further fields of ~V, ~K, ~L, ~J and ~E, the second list of ~D, the label of ~M, ~F and ~R.
 */

/**
 * How a subfield is read. `word`: without outer blanks. `text`: with those before it. `opaque`: the whole field as it
 * stands, backslashes and all. `code`: with its `#` or `##` apart. `number`: a plain decimal or null. `price`: or ''.
 * `date`: YYYY-MM-DD or ''. `words`: several, each followed by a semicolon.
 */
export type Kind = 'word' | 'text' | 'opaque' | 'code' | 'number' | 'price' | 'date' | 'words'

export type Column = Readonly<{ name: string; kind: Kind; suffix?: string }>

/** Values by their names. */
export type Values = Record<string, unknown>

export type FieldLayout = Readonly<{
  /** Subfields that stand once, at the head of the field. */
  head: readonly Column[]
  /** What is repeated behind them: objects of several columns, or plain values where the one column has no name. */
  each: Readonly<{ into: string; columns: readonly Column[]; atLeast: number; blank: () => object }> | null
  /** The first one of the head is left out where there is one less. */
  firstMayLack?: true
  /** A separator before the first group is no value (3/95 prints one). */
  mayLead?: true
}>

export type RecordLayout = Readonly<{
  fields: readonly FieldLayout[]
  /** An entry that says nothing, to be filled: all of a letter have their values in one order. */
  blank: () => object
  /** A record with fewer fields says nothing. */
  fieldsMin: number
  /** Without its first value the record is about nothing. */
  needsCode: boolean
  /** Every further field is a list of words, in order, under this name. */
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
 * For the records that files consist of. V8 takes ten times as long to copy objects of a dozen shapes in one place as to
 * make one from a literal, which is half of the time that a record takes; a test holds these against the layout.
 */
const made = <Entry extends object>(layout: RecordLayout, blank: () => Entry): RecordLayout => ({ ...layout, blank })
const mayLackCode = (layout: RecordLayout): RecordLayout => ({ ...layout, needsCode: false })

const LINE = [code(), number('factor'), number('yield')]
const blankLine = (): DecompositionLine => ({ code: '', suffix: '', factor: null, yield: null, percentages: NONE })
/** The second list stands for the first since 3/2012, and names the percentages of each line. */
const DECOMPOSITION = made(
  record(
    2,
    one(code()),
    groups('plainLines', LINE, { blank: blankLine }),
    groups('lines', [...LINE, words('percentages')], { atLeast: LINE.length, blank: blankLine }),
  ),
  (): DecompositionEntry => ({ letter: 'D', line: 0, code: '', suffix: '', lines: NONE }),
)
const MEASUREMENT = made(
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
const CONCEPT = made(
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
  // Of the dictionary as well.
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
    // 3/98 has no currency.
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
  T: made(
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

/** The layout of a record by its letter and whether it has a code; null for a letter that the format does not know. */
export function layoutOf(letter: string, { hasCode }: { readonly hasCode: boolean }): RecordLayout | null {
  if (letter === 'X' && !hasCode) return LAYOUTS['X#']
  return (LAYOUTS as Readonly<Record<string, RecordLayout>>)[letter] ?? null
}
