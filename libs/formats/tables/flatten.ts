import { ExactNumber, parseExactJson } from '@catalog/formats/bytes/exact-json.ts'
import { COLUMNS_MAX, type ReadRecord } from '@catalog/formats/bytes/record.ts'

/** Column with the key of a record in an object of records. */
const KEY_COLUMN = '_key'
/** Levels that become columns; deeper values stay JSON text. */
const DEPTH_MAX = 6

export type ObjectPlace = Readonly<{
  position: string
  /** The record as written; defaults to the text itself. */
  raw?: string
  /** Becomes the column `_key`, unless the object has one. */
  key?: string | undefined
}>

/**
 * Flattens the text of one JSON object to a record: nested values become columns "a.b" and "a.0", null becomes blank.
 * Numbers keep their digits, so prices never pass through a float. Prices beside a `currency_minor_unit` of 2
 * (WooCommerce shops) are hundredths, and become decimals.
 *
 * Broken are a text that is no object (BAD_JSON) and an object with more than {@link COLUMNS_MAX} values
 * (TOO_MANY_COLUMNS).
 */
export function recordOfObject(text: string, { position, raw = text, key }: ObjectPlace): ReadRecord {
  try {
    const fields: Record<string, string> = Object.create(null)
    if (key !== undefined) fields[KEY_COLUMN] = key
    const numbers = new Set<string>()
    const count = flatten(parseObject(text), { path: '', depth: 0, fields, numbers })
    if (text.includes(MINOR_UNIT)) inMajorUnits(fields, numbers)
    if (count <= COLUMNS_MAX) return { position, raw, fields, numbers }
    const detail = `the object has more than ${COLUMNS_MAX} values`
    return { position, raw, reason: 'TOO_MANY_COLUMNS', detail }
  } catch (error) {
    return { position, raw, reason: 'BAD_JSON', detail: (error as Error).message.slice(0, 500) }
  }
}

/** Converts prices in minor units, which otherwise would be a hundredfold too high. */
function inMajorUnits(fields: Record<string, string>, numbers: Set<string>): void {
  for (const [column, places] of Object.entries(fields)) {
    if (!column.endsWith(MINOR_UNIT) || !/^[1-4]$/.test(places)) continue
    const beside = column.slice(0, -MINOR_UNIT.length)
    for (const [priced, amount] of Object.entries(fields)) {
      if (!priced.startsWith(beside) || !PRICED.test(priced.slice(beside.length)) || !/^\d{1,40}$/.test(amount))
        continue
      const digits = amount.padStart(Number(places) + 1, '0')
      fields[priced] = `${digits.slice(0, -Number(places))}.${digits.slice(-Number(places))}`
      numbers.add(priced)
    }
  }
}
const MINOR_UNIT = 'currency_minor_unit'
/** "price", "sale_price", "price_range.min_amount"; an inner object has its own minor unit. */
const PRICED = /^(?:\w*price|price_range\.(?:min|max)_amount)$/

function parseObject(text: string): object {
  const value = parseExactJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof ExactNumber) {
    throw new SyntaxError('expected an object')
  }
  return value
}

type Flattening = Readonly<{ path: string; depth: number; fields: Record<string, string>; numbers: Set<string> }>

/** Puts the values of an object or array into fields; returns their number, counted up to the limit. */
function flatten(value: object, { path, depth, fields, numbers }: Flattening): number {
  let count = 0
  for (const [key, member] of Object.entries(value)) {
    if (++count > COLUMNS_MAX) return count
    const column = path === '' ? key : `${path}.${key}`
    if (member instanceof ExactNumber) {
      fields[column] = member.digits
      numbers.add(column)
    } else if (typeof member === 'object' && member !== null && depth + 1 < DEPTH_MAX) {
      count += flatten(member, { path: column, depth: depth + 1, fields, numbers }) - 1
      if (count > COLUMNS_MAX) return count
    } else if (typeof member === 'object' && member !== null) {
      fields[column] = JSON.stringify(member, (_key, inner) => (inner instanceof ExactNumber ? inner.digits : inner))
    } else fields[column] = member === null ? '' : String(member)
  }
  return count
}
