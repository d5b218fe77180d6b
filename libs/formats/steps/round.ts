/** Decimal places that a price may be rounded to; PRICE_TOO_PRECISE begins above some twelve. */
export const PLACES_MAX = 6

/** A decimal above zero with at most so many places, half up: "8.6300000000000008" to 2 is "8.63". */
export function rounded(decimal: string, places: number): string {
  const [whole = '', fraction = ''] = decimal.split('.')
  if (fraction.length <= places) return decimal
  const isUp = (fraction[places] ?? '0') >= '5'
  const digits = (BigInt(`${whole}${fraction.slice(0, places)}`) + (isUp ? 1n : 0n))
    .toString()
    .padStart(places + 1, '0')
  const point = digits.length - places
  const rest = digits.slice(point).replace(/0+$/, '')
  return `${digits.slice(0, point)}${rest === '' ? '' : `.${rest}`}`
}
