/**
 * The records of a FIEBDC-3 file, from 3/95 to 3/2020: one type for each letter that changes concepts, and one for all others.
 *
 * Rules for all of them:
 * - A code excludes the `#` of a chapter and the `##` of the root, which are its `suffix`: both spellings name one
 *   concept.
 * - A number is a plain decimal (`-0.25`), never rounded. A blank is null, in lists ''.
 * - A date is YYYY-MM-DD, or ''.
 * - A text is '' when the record leaves it blank (the standard keeps the former text) and `NUL` when the record removes
 *   it. Its lines end with \n.
 * - Lists end at their last value that is not blank.
 */
export type Bc3Entry =
  | VersionEntry
  | CoefficientsEntry
  | ConceptEntry
  | DecompositionEntry
  | TextEntry
  | MeasurementEntry
  | KeysEntry
  | RecodeEntry
  | RawEntry

export type Suffix = '' | '#' | '##'

/** Parts of a typed entry that keep the file lossless. */
type EntryBase = Readonly<{
  /** Line of the record's `~`, from 1. */
  line: number
  /** Fields beyond the known layout, of 3/95 or a future version. */
  rest?: readonly (readonly string[])[]
  /** Texts in place of a number or a date, or beyond the last value of their field. */
  unread?: readonly Unread[]
}>
/** A text and its position (field and subfield, from 0), where the writer puts it back. */
export type Unread = Readonly<{ field: number; subfield: number; text: string }>

/** ~V: author of the file, its version, charset and price columns. */
export type VersionEntry = EntryBase &
  Readonly<{
    letter: 'V'
    owner: string
    /** "FIEBDC-3/2020" */
    version: string
    date: string
    program: string
    /** Title of the price labels. */
    header: string
    /** Names of the prices of each concept (region, epoch), in order. */
    labels: readonly string[]
    /** The declared charset; blank means 850. */
    charset: string
    comment: string
    /** 1 price base, 2 budget, 3 certification, 4 update. */
    informationType: string
    certificationNumber: string
    certificationDate: string
    url: string
  }>

/** ~K: decimals and the coefficients of the work. */
export type CoefficientsEntry = EntryBase &
  Readonly<{
    letter: 'K'
    /** One set for each label of ~V, or one for all. */
    decimals: readonly Decimals[]
    /** Percentages: indirect cost, overhead (GG), profit (BI), tender discount (BAJA), value added tax (IVA). */
    indirect: string | null
    overhead: string | null
    profit: string | null
    discount: string | null
    tax: string | null
    /**
     * The list that supersedes `decimals`, kept by position and as written, because its layout changed without notice:
     * DRC, DC, -, DFS, DRS, -, DUO, DI, DES, DN, DD, DS, (DSP, DEC,) currency. 3/2004 has 13 values, 3/2016 has 15.
     */
    extended: readonly string[]
    /** Unverified meaning; kept. */
    n: string
  }>
/** Decimals by their names in the standard; a negative number means "up to". */
export type Decimals = Readonly<{
  /** Decimals of the number of equal parts, dimensions and subtotals of a measurement. */
  dn: string | null
  dd: string | null
  ds: string | null
  /** Decimals of yield and factor; line amount; direct cost; total with indirect cost; amount of a measurement. */
  dr: string | null
  di: string | null
  dp: string | null
  dc: string | null
  dm: string | null
  currency: string
}>

/** ~C: a concept, such as a material, a unit of work, a chapter or the root. */
export type ConceptEntry = EntryBase &
  Readonly<{
    letter: 'C'
    code: string
    suffix: Suffix
    synonyms: readonly string[]
    unit: string
    summary: string
    /** One price for each label of ~V; the last one holds for all further labels. '' and "0" mean no price. */
    prices: readonly string[]
    /** YYYY-MM-DD for each price; the last one holds for all further prices. */
    dates: readonly string[]
    /** 0 none, 1 labour, 2 machinery, 3 material, 4 and 5 waste; letters and `%` occur. */
    type: string
  }>

/** ~D: the recipe of a concept, which replaces any earlier one; ~Y: further lines of it. */
export type DecompositionEntry = EntryBase &
  Readonly<{
    letter: 'D' | 'Y'
    code: string
    suffix: Suffix
    lines: readonly DecompositionLine[]
    /** The list without percentages, when it differs from the other list by more than them. */
    plainLines?: readonly DecompositionLine[]
  }>
export type DecompositionLine = Readonly<{
  code: string
  suffix: Suffix
  factor: string | null
  yield: string | null
  /** Codes of the percentages that apply to the line, since 3/2012; empty when the file names none. */
  percentages: readonly string[]
}>

/** ~T: the long text of a concept. */
export type TextEntry = EntryBase & Readonly<{ letter: 'T'; code: string; suffix: Suffix; text: string }>

/** ~M: the measurement of a concept inside another, which replaces any earlier one; ~N: further lines of it. */
export type MeasurementEntry = EntryBase &
  Readonly<{
    letter: 'M' | 'N'
    /** '' in a list of measurements without structure. */
    parent: string
    parentSuffix: Suffix
    code: string
    suffix: Suffix
    /** Path of positions, from 1; the last one counts the lines of the parent's ~D. */
    position: readonly string[]
    total: string | null
    lines: readonly MeasurementLine[]
    label: string
  }>
export type MeasurementLine = Readonly<{
  /** '' measurement, 1 partial subtotal, 2 running subtotal, 3 expression in the comment. */
  type: string
  /** Since 3/2016 it may end with `#` and the identifiers of a BIM model. */
  comment: string
  units: string | null
  length: string | null
  width: string | null
  height: string | null
}>

/** ~A: thesaurus words. */
export type KeysEntry = EntryBase & Readonly<{ letter: 'A'; code: string; suffix: Suffix; keys: readonly string[] }>

/** ~B: a new code for a concept; a blank one deletes it. */
export type RecodeEntry = EntryBase &
  Readonly<{ letter: 'B'; code: string; suffix: Suffix; newCode: string; newSuffix: Suffix }>

/**
 * A record as written: one with a letter of {@link KEPT_LETTERS} or an unknown one, without its code, or too long to read.
 */
export type RawEntry = Readonly<{
  letter: 'raw'
  line: number
  /** The letter of the record. */
  of: string
  raw: string
  fields: readonly (readonly string[])[]
  /** Its end is missing, so the writer omits it. */
  isCut: boolean
}>

/** An irregularity of a file: the line of the record's `~`, its kind (UPPER_SNAKE), and a sentence with the value. */
export type Bc3Diagnostic = Readonly<{ line: number; code: string; message: string }>
