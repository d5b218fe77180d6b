import { foldText } from '@catalog/core/text.ts'
import { isCommonWord } from '@catalog/embed/builtin/builtin.ts'
import { stem } from '@catalog/embed/concepts/concepts.ts'
import { lexiconConcepts } from '@catalog/embed/concepts/lexicon.ts'
import { TRADE_WORDS } from './question-words.ts'

/**
 * A text with the words that nobody writes replaced by the one trade word that is spelled almost so: "swich" is
 * "switch", "asfautica" "asfaltica". A word of everyday language is no mistake: "concierto" is not "concreto". Null where nothing is to be replaced. The text is folded.
 */
export function respelled(text: string): string | null {
  const words = text.split(' ')
  const spelled = words.map((word) => (WORD.test(word) ? (nearestWord(word) ?? word) : word))
  return spelled.every((word, i) => word === words[i]) ? null : spelled.join(' ')
}
/** Shorter words differ by a letter and mean something else: "cal", "col". */
const WORD = /^\p{L}{5,}$/u
/** Two letters may be wrong from here on. */
const LONG_WORD = 8

function nearestWord(word: string): string | null {
  const known = vocabulary()
  if (known.all.has(word) || isCommonWord(word)) return null
  const max = word.length >= LONG_WORD ? 2 : 1
  // Who mistypes seldom mistypes the first letter.
  const near = (known.byInitial.get(word[0] as string) ?? []).flatMap((other) => {
    const distance = distanceOf(word, other, max)
    return distance <= max ? [{ other, distance }] : []
  })
  const least = Math.min(...near.map(({ distance }) => distance))
  const [only, ...rivals] = near.filter(({ distance }) => distance === least)
  return only !== undefined && rivals.length === 0 ? only.other : null
}

/** Whether a folded word stands in the lexicon or the trade words. */
export function isTradeWord(word: string): boolean {
  return vocabulary().stems.has(stem(word))
}

type Vocabulary = Readonly<{
  all: ReadonlySet<string>
  stems: ReadonlySet<string>
  byInitial: ReadonlyMap<string, readonly string[]>
}>
let words: Vocabulary | undefined

/** The words of the lexicon and of the trade words. */
function vocabulary(): Vocabulary {
  if (words !== undefined) return words
  const texts = [
    ...lexiconConcepts().flatMap(({ terms }) => terms.map(({ term }) => term)),
    ...TRADE_WORDS.flatMap((entry) => [...entry.words, entry.means]),
  ]
  const written = new Set(texts.flatMap((text) => foldText(text).split(/[^\p{L}]+/u)))
  const all = new Set([...written].filter((word) => WORD.test(word)))
  words = { all, stems: new Set([...written].map(stem)), byInitial: Map.groupBy(all, (word) => word[0] as string) }
  return words
}

/**
 * Letters to insert, drop, replace or swap with their neighbour (optimal string alignment); more than `max` where it is
 * certain to be more.
 */
function distanceOf(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const replaced = (last[j - 1] as number) + (isSame ? 0 : 1)
      const least = Math.min(replaced, (last[j] as number) + 1, (row[j - 1] as number) + 1)
      row.push(isSwap ? Math.min(least, (before[j - 2] as number) + 1) : least)
    }
    if (Math.min(...row) > max) return max + 1
    ;[before, last] = [last, row]
  }
  return last[b.length] as number
}
