import { COLUMNS_MAX, type ReadRecord } from '@catalog/formats/bytes/record.ts'

/** Column of the key under which a record stood in an object of records. */
const KEY_COLUMN = '_key'
/** How deep an object is unfolded into columns; deeper values stay JSON text. */
const DEPTH_MAX = 6

export type ObjectPlace = Readonly<{
  position: string
  /** As the record stands in the input; the text itself when absent. */
  raw?: string
  /** Becomes the column `_key`, unless the object has one of its own. */
  key?: string | undefined
}>

/**
 * The record that the text of one JSON object is. Nested values become columns "a.b" and "a.0"; null becomes blank.
 * Numbers keep the digits of the text, so no price passes through a float. Prices beside a `currency_minor_unit` of 2, as
 * the shops of WooCommerce write them, are hundredths, and become decimals. Broken are a text that is no object
 * (BAD_JSON) and an object of more than {@link COLUMNS_MAX} values (TOO_MANY_COLUMNS).
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

/** Prices in minor units, read as they stand, would be a hundredfold. */
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
/** "price", "sale_price", "price_range.min_amount", not what lies in an object with a minor unit of its own. */
const PRICED = /^(?:\w*price|price_range\.(?:min|max)_amount)$/

/** A JSON number by its own digits. */
type JsonNumber = Readonly<{ digits: string }>
class Digits implements JsonNumber {
  readonly digits: string
  constructor(digits: string) {
    this.digits = digits
  }
}

function parseObject(text: string): object {
  // The third argument of a reviver carries the source text; TypeScript's library does not know it yet.
  const reviver = (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? new Digits(context?.source ?? String(value)) : value
  const value: unknown = JSON.parse(text, reviver as (key: string, value: unknown) => unknown)
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Digits) {
    throw new SyntaxError('expected an object')
  }
  return value
}

type Flattening = Readonly<{ path: string; depth: number; fields: Record<string, string>; numbers: Set<string> }>

/** Puts the values of an object or array into fields; returns how many, counting no further than the limit. */
function flatten(value: object, { path, depth, fields, numbers }: Flattening): number {
  let count = 0
  for (const [key, member] of Object.entries(value)) {
    if (++count > COLUMNS_MAX) return count
    const column = path === '' ? key : `${path}.${key}`
    if (member instanceof Digits) {
      fields[column] = member.digits
      numbers.add(column)
    } else if (typeof member === 'object' && member !== null && depth + 1 < DEPTH_MAX) {
      count += flatten(member, { path: column, depth: depth + 1, fields, numbers }) - 1
      if (count > COLUMNS_MAX) return count
    } else if (typeof member === 'object' && member !== null) {
      fields[column] = JSON.stringify(member, (_key, inner) => (inner instanceof Digits ? inner.digits : inner))
    } else fields[column] = member === null ? '' : String(member)
  }
  return count
}
