/**
 * What the records of a FIEBDC-3 file say, from 3/95 to 3/2020: one type for each letter.
 *
 * In all of them: a code is without the `#` of a chapter and the `##` of the root, which are its `suffix`, for both spell
 * one concept. A number is a plain decimal (`-0.25`), never rounded; where the file leaves it blank it is null, in lists
 * ''. A date is YYYY-MM-DD, or ''. A text is '' where the file says nothing (the former text holds, by the standard) and
 * `NUL` where it says that there is none; its lines end with \n. Lists end at their last value that is not blank.
 */
export type Bc3Entry =
  | VersionEntry
  | CoefficientsEntry
  | ConceptEntry
  | DecompositionEntry
  | TextEntry
  | MeasurementEntry
  | SpecificationEntry
  | ParagraphReferencesEntry
  | ParagraphEntry
  | ScopesEntry
  | GraphicsEntry
  | FilesEntry
  | EntityEntry
  | CommercialEntry
  | TechnicalEntry
  | WasteEntry
  | KeysEntry
  | RecodeEntry
  | ParametricEntry
  | RawEntry

export type Suffix = '' | '#' | '##'

/** What every typed entry may hold beside its values, so that nothing of the file is lost. */
type Kept = Readonly<{
  /** Line of the record's `~`, from 1. */
  line: number
  /** Fields after the last one that the layout knows (of 3/95, or of a version to come). */
  rest?: readonly (readonly string[])[]
  /** Texts that stand where a number or a date belongs, or beyond the last value of their field. */
  unread?: readonly Unread[]
}>
/** Field and subfield, from 0, where the text stands once the record is written anew. */
export type Unread = Readonly<{ field: number; subfield: number; text: string }>

/** ~V: who wrote the file, and in which version, charset and price columns. */
export type VersionEntry = Kept &
  Readonly<{
    letter: 'V'
    owner: string
    /** "FIEBDC-3/2020" */
    version: string
    date: string
    program: string
    /** Title of the labels. */
    header: string
    /** Names of the prices of each concept (region, epoch), in order. */
    labels: readonly string[]
    /** As declared; blank means 850. */
    charset: string
    comment: string
    /** 1 price base, 2 budget, 3 certification, 4 update. */
    informationType: string
    certificationNumber: string
    certificationDate: string
    url: string
  }>

/** ~K: decimals and the coefficients of the work. */
export type CoefficientsEntry = Kept &
  Readonly<{
    letter: 'K'
    /** One for each label of ~V, or one for all. */
    decimals: readonly Decimals[]
    /** Per cent: indirect cost, overhead (GG), profit (BI), tender discount (BAJA), value added tax (IVA). */
    indirect: string | null
    overhead: string | null
    profit: string | null
    discount: string | null
    tax: string | null
    /**
     * The list that supersedes `decimals` where it is given, by position and as it stands, for its layout changed without
     * notice: DRC, DC, -, DFS, DRS, -, DUO, DI, DES, DN, DD, DS, (DSP, DEC,) currency; 13 values in 3/2004, 15 in 3/2016.
     */
    extended: readonly string[]
    /** Meaning unverified; kept. */
    n: string
  }>
/** Decimals, by the standard's names: a negative number means "up to". */
export type Decimals = Readonly<{
  /** Number of equal parts, dimensions and subtotals of a measurement. */
  dn: string | null
  dd: string | null
  ds: string | null
  /** Yield and factor; line amount; direct cost; total with indirect cost; amount of a measurement. */
  dr: string | null
  di: string | null
  dp: string | null
  dc: string | null
  dm: string | null
  currency: string
}>

/** ~C: a concept, that is a material, a unit of work, a chapter, the root. */
export type ConceptEntry = Kept &
  Readonly<{
    letter: 'C'
    code: string
    suffix: Suffix
    synonyms: readonly string[]
    unit: string
    summary: string
    /** By the labels of ~V; the last one holds for all further labels. '' and "0" are none. */
    prices: readonly string[]
    /** YYYY-MM-DD, by the prices; the last one holds for all further prices. */
    dates: readonly string[]
    /** 0 none, 1 labour, 2 machinery, 3 material, 4 and 5 waste; letters and `%` occur. */
    type: string
  }>

/** ~D: what a concept is made of, in place of all before; ~Y: further lines of it. */
export type DecompositionEntry = Kept &
  Readonly<{
    letter: 'D' | 'Y'
    code: string
    suffix: Suffix
    lines: readonly DecompositionLine[]
    /** The list without percentages, where it is not the other one without them. */
    plainLines?: readonly DecompositionLine[]
  }>
export type DecompositionLine = Readonly<{
  code: string
  suffix: Suffix
  factor: string | null
  yield: string | null
  /** Codes of the percentages that apply to the line, since 3/2012; none where the file names none. */
  percentages: readonly string[]
}>

/** ~T: the long text of a concept. */
export type TextEntry = Kept & Readonly<{ letter: 'T'; code: string; suffix: Suffix; text: string }>

/** ~M: the measurement of a concept inside another, in place of the one before; ~N: further lines of it. */
export type MeasurementEntry = Kept &
  Readonly<{
    letter: 'M' | 'N'
    /** '' in a list of measurements without structure. */
    parent: string
    parentSuffix: Suffix
    code: string
    suffix: Suffix
    /** The path by positions, from 1; the last one is that in the parent's ~D. */
    position: readonly string[]
    total: string | null
    lines: readonly MeasurementLine[]
    label: string
  }>
export type MeasurementLine = Readonly<{
  /** '' a measurement, 1 partial and 2 running subtotal, 3 an expression in the comment. */
  type: string
  /** May end with `#` and the identifiers of a BIM model, since 3/2016. */
  comment: string
  units: string | null
  length: string | null
  width: string | null
  height: string | null
}>

/** ~L: texts of the specifications of a concept; without a code, the names of their sections. */
export type SpecificationEntry = Kept &
  Readonly<{
    letter: 'L'
    code: string
    suffix: Suffix
    sections: readonly Readonly<{ section: string; text: string }>[]
    rtf: readonly Readonly<{ section: string; file: string }>[]
    html: readonly Readonly<{ section: string; file: string }>[]
  }>

/** ~Q: which paragraphs make up the specifications of concepts. */
export type ParagraphReferencesEntry = Kept &
  Readonly<{
    letter: 'Q'
    codes: readonly string[]
    sections: readonly Readonly<{ section: string; paragraph: string; scopes: readonly string[] }>[]
  }>

/** ~J: a paragraph of specifications. */
export type ParagraphEntry = Kept &
  Readonly<{ letter: 'J'; code: string; text: string; rtf: string; rtfFile: string; htmlFile: string }>

/** ~W: names of the regions that specifications hold in. */
export type ScopesEntry = Kept &
  Readonly<{ letter: 'W'; scopes: readonly Readonly<{ abbreviation: string; name: string }>[] }>

/** ~G: pictures of a concept. */
export type GraphicsEntry = Kept &
  Readonly<{ letter: 'G'; code: string; suffix: Suffix; files: readonly string[]; url: string }>

/** ~F: other files of a concept. */
export type FilesEntry = Kept &
  Readonly<{
    letter: 'F'
    code: string
    suffix: Suffix
    files: readonly Readonly<{ type: string; names: readonly string[]; description: string }>[]
    url: string
  }>

/** ~E: a company or public body. */
export type EntityEntry = Kept &
  Readonly<{
    letter: 'E'
    code: string
    summary: string
    name: string
    offices: readonly Readonly<{
      /** C head office, D branch, R representative. */
      type: string
      name: string
      address: string
      postcode: string
      town: string
      province: string
      country: string
      phones: readonly string[]
      faxes: readonly string[]
      contacts: readonly string[]
    }>[]
    taxId: string
    web: string
    email: string
  }>

/**
 * ~O: the commercial products behind a concept. The list of 3/95 has three values a product and that of 3/98 two, which
 * nothing in the record tells apart: kept by position.
 */
export type CommercialEntry = Kept &
  Readonly<{ letter: 'O'; code: string; tariffs: readonly string[]; products: readonly string[] }>

/** ~X: technical values of a concept (mass, energy, CO2, LER); without a code, what they are called and measured in. */
export type TechnicalEntry = Kept &
  Readonly<{
    letter: 'X'
    code: string
    suffix: Suffix
    terms: readonly Readonly<{ code: string; description: string; unit: string }>[]
    values: readonly Readonly<{ code: string; value: string }>[]
  }>

/**
 * ~R: the waste that a concept makes; each field one way, as it stands: kind of decomposition, code of the waste, then
 * name, value and unit of each property. The layout is of 3/2012 by other programs' word: kept by position.
 */
export type WasteEntry = Kept &
  Readonly<{ letter: 'R'; code: string; suffix: Suffix; wastes: readonly (readonly string[])[] }>

/** ~A: words of the thesaurus. */
export type KeysEntry = Kept & Readonly<{ letter: 'A'; code: string; suffix: Suffix; keys: readonly string[] }>

/** ~B: a new code for a concept; none deletes it. */
export type RecodeEntry = Kept &
  Readonly<{ letter: 'B'; code: string; suffix: Suffix; newCode: string; newSuffix: Suffix }>

/** ~P: a parametric family, or without a code what all families share; the description is a program, kept as it stands. */
export type ParametricEntry = Kept &
  Readonly<{ letter: 'P'; code: string; suffix: Suffix; description: string; dll: string }>

/** A record of a letter that nobody knows, without the code that it is about, or too long to be read. */
export type RawEntry = Readonly<{
  letter: 'raw'
  line: number
  /** The letter of the record. */
  of: string
  raw: string
  fields: readonly (readonly string[])[]
  /** Its end is missing: the writer leaves it out. */
  isCut: boolean
}>

/** Something odd in a file: the line of the record's `~`, what it is (UPPER_SNAKE), and a sentence with the value. */
export type Bc3Diagnostic = Readonly<{ line: number; code: string; message: string }>
