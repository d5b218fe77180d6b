/**
 * The decimal mark that the prices of one file prove; null without proof, or with contradicting proof. A mark is proved
 * decimal when it cannot group thousands: the last of two kinds, one before other than three digits, or one after a
 * lone zero or more than three digits.
 */
export function detectDecimalMark(prices: Iterable<string>): ',' | '.' | null {
  let commas = 0
  let points = 0
  for (const price of prices) {
    const number = /\d[\d.,'’\s]*\d/.exec(price)?.[0] ?? ''
    const marks = number.match(/[.,]/g) ?? []
    const last = marks.at(-1)
    if (last === undefined) continue
    const at = number.lastIndexOf(last)
    const whole = number.slice(0, at)
    const kinds = new Set(marks)
    const repeated = kinds.size === 1 && marks.length > 1
    const proved =
      kinds.size === 2 || (!repeated && (number.length - at - 1 !== 3 || /^0*$/.test(whole) || /^\d{4,}$/.test(whole)))
    // A repeated mark groups thousands, so the other one is the decimal mark.
    if (repeated) last === ',' ? points++ : commas++
    else if (proved) last === ',' ? commas++ : points++
  }
  if (commas > 0 && points === 0) return ','
  if (points > 0 && commas === 0) return '.'
  return null
}
