/** A number of a BC3 file as a plain decimal, and how it departs from the standard's notation. */
export type ParsedNumber = Readonly<{ decimal: string; oddity: 'CURRENCY_IN_NUMBER' | 'NUMBER_REPAIRED' | null }>

/**
 * Reads the decimal that a text writes, digit for digit; null for any other text. The standard has a point and no
 * thousands.
 *
 * Silently accepts a comma, a plus and a bare point (`.5`, `5.`). Accepts with an oddity: a currency beside the number,
 * unambiguous thousands (`1.234,56`), and the exponents that programs print (`1E-05`).
 */
export function parseNumber(text: string): ParsedNumber | null {
  if (text.length > NUMBER_CHARS_MAX) return null
  if (isUsual(text)) return { decimal: text, oddity: null }
  const plain = plainDecimal(text)
  if (plain !== null) return { decimal: plain, oddity: null }
  const priced = CURRENCY.exec(text)?.groups
  const bare = priced?.before ?? priced?.behind
  if (bare !== undefined) {
    const read = plainDecimal(bare) ?? groupedDecimal(bare)
    return read === null ? null : { decimal: read, oddity: 'CURRENCY_IN_NUMBER' }
  }
  const repaired = groupedDecimal(text) ?? exponentDecimal(text)
  return repaired === null ? null : { decimal: repaired, oddity: 'NUMBER_REPAIRED' }
}

/** Longest number of a price bank; programs print up to 17 digits. */
export const NUMBER_CHARS_MAX = 60

/**
 * Whether a text is digits with at most one point between them. A loop instead of a pattern: nearly every number passes
 * it.
 */
function isUsual(text: string): boolean {
  let points = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0x30 && code <= 0x39) continue
    const isBetween = at > 0 && at < text.length - 1
    if (code !== 0x2e || !isBetween || ++points > 1) return false
  }
  return text !== ''
}

/** A currency on either side of the number: its sign, its three letters or its Spanish name. */
const NAME = String.raw`(?:[€$£]|[a-z]{3}|ptas?\.?|pts\.?|euros?|pesetas?)`
const CURRENCY = new RegExp(String.raw`^(?:${NAME} ?(?<behind>[-+\d.,]+)|(?<before>[-+\d.,]+) ?${NAME})$`, 'i')

function plainDecimal(text: string): string | null {
  const match = /^([+-]?)(\d*)(?:[.,](\d*))?$/.exec(text)
  const [, sign = '', whole = '', fraction = ''] = match ?? []
  if (whole === '' && fraction === '') return null
  return `${sign === '-' ? '-' : ''}${whole || '0'}${fraction === '' ? '' : `.${fraction}`}`
}

/** Thousands in groups of three, by one mark that repeats or that the other mark follows. */
function groupedDecimal(text: string): string | null {
  const match =
    /^([+-]?)(\d{1,3}(?:\.\d{3})+)(?:,(\d+))?$/.exec(text) ?? /^([+-]?)(\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/.exec(text)
  const [, sign = '', whole = '', fraction = ''] = match ?? []
  if (match === null || (fraction === '' && whole.length <= 7)) return null
  return `${sign === '-' ? '-' : ''}${whole.replace(/[.,]/g, '')}${fraction === '' ? '' : `.${fraction}`}`
}

const EXPONENT_MAX = 30

function exponentDecimal(text: string): string | null {
  const match = /^([+-]?)(\d+)(?:[.,](\d*))?e([+-]?\d{1,3})$/i.exec(text)
  const [, sign = '', whole = '', fraction = '', power = '0'] = match ?? []
  const exponent = Number(power)
  if (match === null || Math.abs(exponent) > EXPONENT_MAX) return null
  const digits = '0'.repeat(Math.max(0, -exponent)) + whole + fraction + '0'.repeat(Math.max(0, exponent))
  const point = Math.max(0, -exponent) + whole.length + exponent
  const integer = digits.slice(0, point).replace(/^0+(?=\d)/, '') || '0'
  const decimals = digits.slice(point).replace(/0+$/, '')
  return `${sign === '-' ? '-' : ''}${integer}${decimals === '' ? '' : `.${decimals}`}`
}
