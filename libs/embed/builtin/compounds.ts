/**
 * Splits German compounds: "gipskartonplatten" into "gips", "karton", "platten". The parts come from a folded list and
 * must cover the whole word except for linking letters. Prefers the fewest parts, then the fewest linking letters
 * ("eisen" + "bahn", not "eis" + en + "bahn"). Empty for a word that the list does not cover, and for an overlong one.
 * Applies to words of any language, because few others happen to be covered.
 */
export function openSplitter(list: Iterable<string>): (word: string) => readonly string[] {
  const parts = new Set(list)
  const longest = Math.max(0, ...Array.from(parts, ({ length }) => length))

  return (word) => {
    const end = word.length
    if (end < COMPOUND_LETTERS_MIN || end > COMPOUND_LETTERS_MAX) return []
    // The cheapest split up to each position where a part can start.
    const splits: (Split | undefined)[] = [{ parts: [], cost: 0 }]
    const offer = (at: number, split: Split) => {
      const known = splits[at]
      if (known === undefined || split.cost < known.cost) splits[at] = split
    }
    for (let from = 0; from < end; from++) {
      const split = splits[from]
      if (split === undefined) continue
      for (let to = from + PART_LETTERS_MIN; to <= Math.min(end, from + longest); to++) {
        const part = word.slice(from, to)
        if (to - from === end || !parts.has(part)) continue
        for (const link of to === end ? [''] : LINKS) {
          if (to + link.length > end - (to === end ? 0 : 1) || !word.startsWith(link, to)) continue
          offer(to + link.length, { parts: [...split.parts, part], cost: split.cost + PART_COST + link.length })
        }
      }
    }
    return splits[end]?.parts ?? []
  }
}

type Split = Readonly<{ parts: readonly string[]; cost: number }>

const PART_LETTERS_MIN = 3
/** Two parts of three letters and a linking letter. */
const COMPOUND_LETTERS_MIN = 7
/** No word is longer, and splitting long runs is expensive. */
const COMPOUND_LETTERS_MAX = 60
/** More than all linking letters of any word. */
const PART_COST = 100

/** Linking letters, as in "Bewehrung-s-stahl" and "Blume-n-topf". */
export const LINKS = ['', 's', 'es', 'n', 'en', 'er', 'e']
