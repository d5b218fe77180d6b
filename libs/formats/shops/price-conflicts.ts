import { parsePrice } from '@catalog/core/money/money.ts'
import { isObject, type JsonObject, plainText } from './json-values.ts'

/** Other prices beside the one that is read, which make it doubtful: a discount, or the text that people see. */

export type PriceConflict = Readonly<{ reason: string; detail: string }>

/** Names of a price after a discount, which no platform defines: some hold the discount itself, or a price for some. */
const DISCOUNTS: ReadonlySet<string> = new Set(
  `special, special price, price special, sale, sale price, sales price, price sale, discounted price, discount price,
  price discounted, price discount, price after discount, offer price, price offer, promo, promo price, price promo,
  promotion price, promotional price, price promotional, reduced price, price reduced, deal price, clearance price,
  now price, price now, your price, our price, actual price, final, oferta, precio oferta, precio de oferta,
  precio promocional, precio rebajado, precio con descuento, preco promocional, preco com desconto, prix promo,
  prix promotionnel, prix remise, prix solde, aktionspreis, angebotspreis, sonderpreis, prezzo scontato, prezzo offerta`
    .split(',')
    .map((name) => name.trim().replace(/\s+/g, ' ')),
)
/** Names of the price as people see it. */
const SHOWN: ReadonlySet<string> = new Set(
  `price formatted, formatted price, price display, display price, price text, text price, price str, price string,
  price label, formatted, formatted value, display`
    .split(',')
    .map((name) => name.trim().replace(/\s+/g, ' ')),
)
/** Names remembered; beyond the limit only speed suffers. */
const NAMES_MAX = 10_000
type Kind = 'discount' | 'shown' | null
const kinds = new Map<string, Kind>()

/** "discountedPrice" and "Discounted price" are one name. */
function kindOf(column: string): Kind {
  const known = kinds.get(column)
  if (known !== undefined) return known
  const name = column
    .slice(column.lastIndexOf('.') + 1)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()
  const kind = DISCOUNTS.has(name) ? 'discount' : SHOWN.has(name) ? 'shown' : null
  if (kinds.size < NAMES_MAX) kinds.set(column, kind)
  return kind
}

/**
 * Why the price in `column` is doubtful; null when nothing beside it speaks against it. AMBIGUOUS_OFFER: another column
 * has a lower price, by a name that may be the price after a discount. OFFER_CONFLICT: the text for people says another
 * amount, as "€120.50" beside 12050.
 */
export function conflictBeside(fields: Readonly<Record<string, string>>, column: string): PriceConflict | null {
  const price = amountsIn(fields[column] ?? '')[0]
  if (price === undefined) return null
  const parent = column.slice(0, Math.max(0, column.lastIndexOf('.')))
  for (const key in fields) {
    const kind = kindOf(key)
    if (kind === null || key === column) continue
    const own = key.slice(0, Math.max(0, key.lastIndexOf('.')))
    if (own !== '' && own !== parent) continue
    const written = (fields[key] ?? '').slice(0, 40)
    const pair = `${column} is ${(fields[column] ?? '').slice(0, 40)}, and ${key} ${written}`
    const amounts = amountsIn(written)
    if (kind === 'discount' && amounts.some((amount) => isLower(amount, price))) {
      return {
        reason: 'AMBIGUOUS_OFFER',
        detail: `${pair}: expected a mapping that names the price that the shop asks`,
      }
    }
    if (kind === 'shown' && amounts.length > 0 && !amounts.some((amount) => agree(amount, price))) {
      return { reason: 'OFFER_CONFLICT', detail: `${pair}: expected the same amount` }
    }
  }
  return null
}

/** The amounts that a text may mean: both readings of an open decimal mark. */
function amountsIn(text: string): readonly string[] {
  if (!/\d/.test(text)) return []
  const settled = parsePrice(text)
  if (settled !== null) return [settled.decimal]
  const readings = [parsePrice(text, { decimal: '.' }), parsePrice(text, { decimal: ',' })]
  return readings.flatMap((reading) => (reading === null ? [] : [reading.decimal]))
}

/** Zero is no price, and one is a flag. */
const isLower = (amount: string, price: string) =>
  Number(amount) > 0 && amount !== '1' && Number(amount) < Number(price)

/** Whether a text for people rounds the price, at most. */
function agree(shown: string, price: string): boolean {
  const places = /\.(\d+)$/.exec(shown)?.[1]?.length ?? 0
  return Math.abs(Number(shown) - Number(price)) < 10 ** -places
}

/** The texts of an object and of the objects in it, by path, as the columns of a list have them. */
export function fieldsOf(object: JsonObject): Readonly<Record<string, string>> {
  const fields: Record<string, string> = Object.create(null)
  for (const [key, value] of Object.entries(object)) {
    if (!isObject(value)) fields[key] = plainText(value)
    else for (const [inner, one] of Object.entries(value)) fields[`${key}.${inner}`] = plainText(one)
  }
  return fields
}
