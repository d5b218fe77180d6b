/**
 * Splits compounds that German writes as one word: "gipskartonplatten" into "gips", "karton", "platten". The parts are
 * those of a list, folded, and they must cover the whole word but for the letters that link them. Gives the fewest parts,
 * and among those the fewest linking letters ("eisen" + "bahn", not "eis" + en + "bahn"); nothing for a word that is not
 * made of listed parts, or is longer than any word. Whatever the language of a word: few others happen to be covered.
 */
export function openSplitter(list: Iterable<string>): (word: string) => readonly string[] {
  const parts = new Set(list)
  const longest = Math.max(0, ...Array.from(parts, ({ length }) => length))

  return (word) => {
    const end = word.length
    if (end < COMPOUND_LETTERS_MIN || end > COMPOUND_LETTERS_MAX) return []
    // The cheapest way to each place in the word that a part can begin at.
    const ways: (Way | undefined)[] = [{ parts: [], cost: 0 }]
    const offer = (at: number, way: Way) => {
      const known = ways[at]
      if (known === undefined || way.cost < known.cost) ways[at] = way
    }
    for (let from = 0; from < end; from++) {
      const way = ways[from]
      if (way === undefined) continue
      for (let to = from + PART_LETTERS_MIN; to <= Math.min(end, from + longest); to++) {
        const part = word.slice(from, to)
        if (to - from === end || !parts.has(part)) continue
        for (const link of to === end ? [''] : LINKS) {
          if (to + link.length > end - (to === end ? 0 : 1) || !word.startsWith(link, to)) continue
          offer(to + link.length, { parts: [...way.parts, part], cost: way.cost + PART_COST + link.length })
        }
      }
    }
    return ways[end]?.parts ?? []
  }
}

type Way = Readonly<{ parts: readonly string[]; cost: number }>

const PART_LETTERS_MIN = 3
/** Two parts of three letters and one that links them. */
const COMPOUND_LETTERS_MIN = 7
/** Longer runs of letters are nobody's words, and the ways through them are many. */
const COMPOUND_LETTERS_MAX = 60
/** More than the letters that can link the parts of any word. */
const PART_COST = 100

/** Letters between parts, as in "Bewehrung-s-stahl" and "Blume-n-topf". */
export const LINKS = ['', 's', 'es', 'n', 'en', 'er', 'e']
