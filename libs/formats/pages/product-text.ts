import { foldText } from '@catalog/core/text.ts'
import { textOfMarkup } from './page.ts'

/** Texts of products as pages and answers of shops write them, in the form of a record. */

/** Longer texts are cut before their markup is read; an observation carries 20,000 characters, brand included. */
export const MARKUP_CHARS_MAX = 19_000

/** One line without markup. */
export function lineOf(text: string): string {
  return textOfMarkup(text.slice(0, MARKUP_CHARS_MAX)).replace(/\s+/g, ' ').trim()
}

/** Replaces the signs that would split a level: "Cables > 10 mm". */
export function levelOf(name: string): string {
  return name.replace(/[>»]/g, '›')
}

/** The description, with the brand in front unless name or description hold it: a record has no brand field. */
export function describedWith(brand: string, { name, description }: { name: string; description: string }): string {
  const isTold = brand === '' || foldText(`${name} ${description}`).includes(foldText(brand))
  return isTold ? description : [brand, description].filter((text) => text !== '').join('. ')
}

/** What is rented, booked or taken part in, by its kind. */
export function notSold(kind: string): Readonly<{ reason: string; detail: string }> {
  return { reason: 'NOT_A_SALE', detail: `kind '${kind.slice(0, 40)}': expected goods that are sold by the piece` }
}
