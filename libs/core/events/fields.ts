import { openMemo } from '@catalog/core/memo.ts'
import { z } from 'zod'

/**
 * Fields that several events share. Money is integer minor units with an ISO 4217 code. Instants are UTC in ISO 8601 with
 * `Z`. An unknown value is null or absent; nothing guesses it.
 */

/** XML 1.0 cannot carry these characters. Events refuse them, because one such name would break a whole feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
export const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

/** Non-empty text of at most `max` UTF-16 code units. */
export const text = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((value) => value.isWellFormed() && !NOT_XML.test(value), 'holds a character that XML cannot carry')

/** Text of at most `max` UTF-16 code units without lone surrogates, which no canonical JSON and no database takes. */
export const wellFormed = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => value.isWellFormed(), 'holds a lone surrogate')

/** UTC instant in ISO 8601 with `Z`. Milliseconds appear only when they are not zero, so each instant has one spelling. */
export const Instant = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3})?Z$/, 'expected UTC as YYYY-MM-DDTHH:MM:SSZ')
  .refine(isOneSpelling, 'not an instant in its one spelling')

/** Whether text of this form is a real instant (no 30 February, no hour 24) without milliseconds of zero. */
export function isOneSpelling(value: string): boolean {
  return SPELLINGS(value, () => {
    const date = new Date(value)
    const isReal =
      date.getUTCDate() === Number(value.slice(8, 10)) && date.getUTCHours() === Number(value.slice(11, 13))
    return isReal && !value.endsWith('.000Z')
  })
}
/** All prices of a crawl share a few instants. */
const SPELLINGS = openMemo<boolean>(1_000)

/** Exact decimal as text: digits, optional point and sign, no exponent. */
export const Decimal = z.string().regex(/^-?\d{1,18}(\.\d{1,18})?$/, 'expected a plain decimal')

export const Currency = z.string().regex(/^[A-Z]{3}$/, 'expected an ISO 4217 code')
export const Cents = z.int().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER)
export const Count = z.int().min(0)

/**
 * The edition of a price list: a year, a month or a day. Editions compare as text, so a year stands before its months, and a
 * month before its days.
 */
export const EDITION = /^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$/
export const Edition = z.string().regex(EDITION, 'expected an edition as YYYY, YYYY-MM or YYYY-MM-DD')

/** Contents of one sold unit: a bag of 25 kg is { quantity: "25", unit: "kg" } beside unit "bag". */
export const Pack = z.object({ quantity: Decimal, unit: text(40) })

/** Fields of every event. */
const envelope = { v: z.literal(1), event_id: text(100), recorded_at: Instant }

/** An event of this type, with its own fields behind those of every event. */
export const event = <Type extends string, Fields extends z.core.$ZodLooseShape>(type: Type, fields: Fields) =>
  z.object({ type: z.literal(type), ...envelope, ...fields })

/** An event of catalog.decisions. */
export const decision = <Type extends string, Fields extends z.core.$ZodLooseShape>(type: Type, fields: Fields) =>
  event(type, { decided_at: Instant, ...fields })
