/**
 * "C" and "M" of the United States: a hundred and a thousand, of what the article is sold by. Pieces are counted, wire and pipe
 * are measured in feet, lumber in board feet. Elsewhere an "M" is a metre.
 */

const LETTER = /^(?:per\s+|\/\s*)?([CM])\.?$/

/** Whether a text may be such a letter. */
export const isTradeLetter = (text: string) => LETTER.test(text.trim())

/** Counted also where the name has another word: a wire nut, a cable tie. */
const COUNTED =
  /\b(?:screws?|bolts?|nuts?|washers?|nails?|brads?|staples?|rivets?|anchors?|fasteners?|bricks?|blocks?|pavers?|ties|tie|connectors?|couplings?|fittings?|elbows?|lugs?|clips?|clamps?|straps?|hangers?|shims?|spacers?|dowels?|pins?|shakes?|hooks?|bushings?|terminals?|plugs?)\b/i
const MEASURED =
  /\b(?:wires?|cables?|conduits?|tubing|tubes?|pipes?|ropes?|chains?|strands?|hoses?|thhn|thwn|xhhw|romex|emt|imc|mc-?lite|cord)\b/i
const LUMBER = /\b(?:lumber|timbers?|joists?|studs?|planks?|spf|douglas fir|yellow pine|framing)\b/i
const METAL = /\b(?:metal|steel|galvani[sz]ed|alumin(?:i?um))\b/i

/**
 * The unit of such a letter in a list of the United States: one that an alias can name where the article does not tell; null for
 * any other text or country.
 */
export function tradeLetterUnit(text: string, region: string | null, article: string): string | null {
  const letter = LETTER.exec(text.trim())?.[1]
  if (letter === undefined || (region !== 'US' && region?.startsWith('US-') !== true)) return null
  const [count, word] = letter === 'C' ? (['100', 'hundred'] as const) : (['1000', 'thousand'] as const)
  if (COUNTED.test(article)) return word
  if (MEASURED.test(article)) return `${count} foot`
  if (LUMBER.test(article) && !METAL.test(article)) return `${count} board ft`
  return `${letter} of the US trade`
}
