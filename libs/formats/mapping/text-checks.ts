import { foldText } from '@catalog/core/text.ts'
import { RecordRefused } from './candidate.ts'

/** Checks of single texts of a record, and their normal form. */

/** Collapses white space to single blanks and composes characters (NFC). */
export function oneLine(text: string): string {
  // Most texts are one line already, and the test is several times faster than the replacement.
  const line = /[^\S ]| {2}/.test(text) ? text.replace(/\s+/g, ' ') : text
  return line.trim().normalize('NFC')
}

/** Characters that XML 1.0 cannot carry, and U+FFFD: a character lost in decoding would change a name. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const NOT_CARRIABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffd-\uffff]|\p{Surrogate}/u
const NOT_CARRIABLE_ALL = new RegExp(NOT_CARRIABLE.source, 'gu')

/** Whether XML can carry a text of at most `max` characters. */
export function isCarriable(text: string, max: number): boolean {
  return text.length <= max && !NOT_CARRIABLE.test(text)
}

/** The text with blanks for the characters that XML cannot carry. */
export function carriableText(text: string): string {
  return text.replace(NOT_CARRIABLE_ALL, ' ')
}

/** Throws RecordRefused (BAD_TEXT) for a text that is too long or that XML cannot carry. */
export function requireCarriable({ field, value, max }: Readonly<{ field: string; value: string; max: number }>): void {
  if (value.length > max) throw new RecordRefused('BAD_TEXT', `${field} has ${value.length} characters, at most ${max}`)
  if (NOT_CARRIABLE.test(value)) {
    throw new RecordRefused('BAD_TEXT', `${field} holds a character that was not decoded, or that XML cannot carry`)
  }
}

/** GTIN-8, 12, 13 or 14 with a correct check digit (GS1: weights 3 and 1 from the right, sum divisible by 10). */
export function isGtin(text: string): boolean {
  if (!/^(\d{8}|\d{12,14})$/.test(text) || /^0+$/.test(text)) return false
  return text === withCheckDigit(text.slice(0, -1))
}

/** The GTIN of 7, 11, 12 or 13 digits: with the check digit of GS1 behind them. */
export function withCheckDigit(digits: string): string {
  let sum = 0
  for (let i = 0; i < digits.length; i++) sum += Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 3 : 1)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s]+$/i.test(text) && text.length <= 2000 && URL.canParse(text) && isCarriable(text, 2000)
}

/** A part number with its brand in front: two brands may use one number. '' without a part number. */
export function brandedPartNumber(brand: string, mpn: string): string {
  return mpn === '' || brand === '' || foldText(mpn).startsWith(foldText(brand)) ? mpn : `${brand} ${mpn}`
}
