import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'

/** "12.50 EUR per 1000 u", "2.50 EUR on 2026-03-01": unit and day are compared where the fact names them. */
const Fact = z.string().transform((text, context) => {
  const [, amount = '', currency = '', unit, day] =
    /^(\d+(?:\.\d+)?) ([A-Z]{3})(?: per (.+?))?(?: on (\S+))?$/.exec(text) ?? []
  if (amount === '') context.addIssue({ code: 'custom', message: `'${text}': expected AMOUNT CURRENCY` })
  return { text, amount, currency, unit, day }
})
export type Fact = Readonly<z.infer<typeof Fact>>
const Code = z.string().regex(/^[A-Z][A-Z0-9_]*$/)

/** What is right for a file, or for each file of a case that no other row names. */
const Row = z.strictObject({
  case: z.string(),
  file: z.string().optional(),
  /** Facts by reference. No other record may be recorded. */
  recorded: z.record(z.string(), Fact).default({}),
  /** Reasons by reference. */
  parked: z.record(z.string(), Code).default({}),
  /** Nothing of the file may be recorded, for this reason. */
  refused: Code.optional(),
  /** A fact may also be parked, or its unit unknown. */
  may_refuse: z.boolean().default(false),
})
export type Truth = Readonly<z.infer<typeof Row>>

export const Truths = z.array(Row)

/** Reads a table of truth; throws for rows of another form. */
export const readTruth = (path: string): readonly Truth[] => Truths.parse(parse(readFileSync(path, 'utf8')))

export const truthOf = (rows: readonly Truth[], one: Readonly<{ case: string; file: string }>): Truth | undefined =>
  rows.find((row) => row.case === one.case && row.file === one.file) ??
  rows.find((row) => row.case === one.case && row.file === undefined)
