import type { RawRecord } from '@catalog/formats/bytes/record.ts'

/** One change that a mapping makes to the records of a file. A step may remember records, so each reading opens its own. */
export type Step = Readonly<{
  /** Prepares the step for a file: the columns after it, and what it misses among those before it. */
  begin(columns: readonly string[]): Readonly<{ columns: readonly string[]; missing: readonly string[] }>
  apply(record: RawRecord): readonly RawRecord[]
}>

/** A record with other texts; a changed text is no longer a number of the format. */
export function withTexts(record: RawRecord, texts: Readonly<Record<string, string>>): RawRecord {
  const fields: Record<string, string> = Object.assign(Object.create(null), record.fields, texts)
  if (record.numbers === undefined) return { ...record, fields }
  const numbers = new Set([...record.numbers].filter((column) => !Object.hasOwn(texts, column)))
  return { ...record, fields, numbers }
}
