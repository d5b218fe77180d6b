import type { Component, Concept, Measurement } from './price-book.ts'

/** A concept while the records of a file build it. */
export type Draft = { -readonly [Key in keyof Concept]: Concept[Key] } & {
  components: Component[]
  measurements: Map<number, Measurement>
  /** Line of the first record about it other than ~C; null when other records only refer to it. */
  firstLine: number | null
}

/** Reports a diagnostic about the record on a line. */
export type Report = (line: number, code: string, message: string) => void

/** Shared by all concepts without measurements, which are nearly all; replaced before the first write. */
export const NO_MEASUREMENTS = new Map<number, Measurement>()
export const NO_TEXTS: readonly string[] = []

export function newDraft(code: string): Draft {
  return {
    code,
    suffix: '',
    line: null,
    firstLine: null,
    unit: '',
    summary: '',
    type: '',
    text: '',
    synonyms: NO_TEXTS,
    prices: NO_TEXTS,
    dates: NO_TEXTS,
    components: [],
    measurements: NO_MEASUREMENTS,
  }
}

/** Whether a record describes the concept; other records may only refer to it. */
export function isDescribed({ line, firstLine }: Draft): boolean {
  return line !== null || firstLine !== null
}
