import type {
  CoefficientsEntry,
  ConceptEntry,
  MeasurementEntry,
  MeasurementLine,
  VersionEntry,
} from '@catalog/formats/bc3/entries.ts'

/** The price book that the records of a FIEBDC-3 file add up to; `PriceBookBuilder` says how records combine. */
export type PriceBook = Readonly<{
  /** The last ~V; null for a fragment. */
  version: VersionEntry | null
  /** The last ~K; null without one. */
  coefficients: CoefficientsEntry | null
  /** By code, in the order in which records first describe them; concepts that records only refer to are left out. */
  concepts: ReadonlyMap<string, Concept>
  /** The same concepts, components before the recipes that use them; the concepts of a cycle follow each other. */
  order: readonly Concept[]
  /** Concepts whose recipe needs the concept itself, directly or through others. */
  cyclic: ReadonlySet<Concept>
  /** The concept with `##`; null in a fragment. */
  root: Concept | null
  families: readonly Family[]
  /** Measurements that belong to no component: a list without structure. */
  loose: readonly MeasurementEntry[]
}>

export type Concept = Pick<
  ConceptEntry,
  'code' | 'suffix' | 'synonyms' | 'unit' | 'summary' | 'prices' | 'dates' | 'type'
> &
  Readonly<{
    /** Line of its last ~C; null when only other records refer to it. */
    line: number | null
    text: string
    /** Its recipe, or the contents of a chapter; empty for a purchased resource. */
    components: readonly Component[]
    /** Measurements of its components, by their position from 1. */
    measurements: ReadonlyMap<number, Measurement>
  }>

/** The quantity is factor × yield; a blank (null) counts as 1 and "0" as 0. */
export type Component = Readonly<{
  /** The concept itself, so that ~B renames it everywhere; its `line` is null when the file does not define it. */
  concept: Concept
  factor: string | null
  yield: string | null
  /** Codes of the percentages that apply to the line, where the file names them. */
  percentages: readonly string[]
}>

export type Measurement = Readonly<{ line: number; total: string | null; lines: readonly MeasurementLine[] }>

/**
 * A parametric family: a program computes its prices and recipes. Unsupported; `references` counts recipe lines that
 * need it.
 */
export type Family = Readonly<{ code: string; line: number; references: number }>

/**
 * The price as written under a label of ~V (from 0); the last price holds for all further labels. '' without a price.
 */
export function writtenPriceOf(concept: Concept, label: number): string {
  return concept.prices[Math.min(label, concept.prices.length - 1)] ?? ''
}

export function isChapter(concept: Concept): boolean {
  return concept.suffix !== ''
}

/** The vendor's reference that a crawl of this book gives the concept: with a label where it has several prices. */
export function referenceOf({ concepts, version }: PriceBook, code: string): string {
  const prices = concepts.get(code)?.prices.filter((price) => price !== '') ?? []
  return prices.length > 1 ? `${code}@${version?.labels[0] || '1'}` : code
}
