import { parseUnit } from '@catalog/core/units/parse-unit.ts'
import { conceptsOf, headConcepts } from '@catalog/embed/concepts/concepts.ts'
import { WHOLE_NUMBERS } from '@catalog/search/query/size-words.ts'
import { tokensOf } from '@catalog/search/query/text.ts'

/** The words of a line of a bill, and what they say of an item's name. */
export type LineWords = Readonly<{
  /** The descriptive words, in order, with their concepts. */
  words: ReadonlyMap<string, ReadonlySet<string>>
  /** The word that names the thing; null where its place tells nothing. */
  head: string | null
  /** How many of something the line says: see {@link countsOf}. */
  counts: ReadonlyMap<string, string>
}>

/** The words of an item's name, read once for all lines. */
export type NameWords = Readonly<{
  words: readonly string[]
  concepts: ReadonlySet<string>
  /** What it is about: see {@link headConcepts}. */
  subject: ReadonlySet<string>
  /** Concepts of the first word. */
  headConcepts: ReadonlySet<string>
  counts: ReadonlyMap<string, string>
}>

export function nameWords(name: string): NameWords {
  const [words, subject, concepts] = [wordsIn(name), headConcepts(name), conceptsOf(name)]
  return { words, subject, concepts, headConcepts: conceptsOf(words[0] ?? ''), counts: countsOf(name) }
}

/** The descriptive words of a text: letters only, without function words and units. */
export function wordsIn(text: string): string[] {
  const words = tokensOf(text).filter((token) => /^\p{L}{3,}$/u.test(token) && parseUnit(token) === null)
  return [...new Set(words)]
}

/** Share of the words in the name, allowing other endings and synonyms. */
export function shareOf(words: LineWords['words'], name: NameWords): number {
  if (words.size === 0) return 0
  const found = [...words].filter(
    ([word, concepts]) =>
      name.words.some((other) => isSameWord(word, other)) || !name.concepts.isDisjointFrom(concepts),
  )
  return found.length / words.size
}

/** Equal except for an ending: "placa" and "placas", "Zement" and "Zemente". */
function isSameWord(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length)
  const stem = Math.max(STEM_LETTERS_MIN, length - ENDING_LETTERS_MAX)
  return (
    a === b ||
    (length >= stem && Math.abs(a.length - b.length) <= ENDING_LETTERS_MAX && a.slice(0, stem) === b.slice(0, stem))
  )
}
const STEM_LETTERS_MIN = 4
const ENDING_LETTERS_MAX = 2

/**
 * Whether the item is another thing by the first words, which name the thing in most languages: "riego de adherencia" is no
 * "lámina", and "compuerta mural" no "válvula de compuerta". Builders often drop the first word of an item ("multicapa" for
 * "tubo multicapa"), so that counts only where little else agrees.
 */
export function isOtherHead(
  { words, head }: Pick<LineWords, 'words' | 'head'>,
  {
    names,
    words: share,
    meaning,
    score,
  }: { names: readonly NameWords[]; words: number; meaning: number; score: number },
): boolean {
  if (head === null || share >= LITTLE_WORDS || meaning >= LITTLE_MEANING) return false
  const concepts = conceptsOf(head)
  const isIn = (name: NameWords) =>
    name.words.some((other) => isSameWord(head, other) || other.startsWith(head)) ||
    !name.concepts.isDisjointFrom(concepts)
  if (score < LINE_HEAD_SCORE && !names.some(isIn)) return true
  const isTold = ({ words: [other], headConcepts }: NameWords) =>
    other === undefined ||
    [...words].some(
      ([word, of]) => isSameWord(other, word) || other.startsWith(word) || !headConcepts.isDisjointFrom(of),
    )
  return score < ITEM_HEAD_SCORE && !names.some(isTold)
}
/** From this share of words or this cosine on, the first word does not matter. */
const LITTLE_WORDS = 0.66
const LITTLE_MEANING = 0.8
/** From these scores on, enough else agrees. */
const LINE_HEAD_SCORE = 0.9
const ITEM_HEAD_SCORE = 0.8

/** Whether the name is about what the line only adds to its thing: a frame with cistern, and "WC with frame and cistern". */
export function isOfPart(line: string, names: readonly NameWords[]): boolean {
  const subject = headConcepts(line)
  if (subject.size === 0 || names.some((name) => !name.subject.isDisjointFrom(subject))) return false
  return names.some((name) => !name.subject.isDisjointFrom(conceptsOf(line)))
}

/** How many of something a text says, by the beginning of the word, whatever its ending: "due tubi", "8 furos". Units are sizes instead. */
export function countsOf(text: string): ReadonlyMap<string, string> {
  const tokens = tokensOf(text)
  return new Map(
    tokens.flatMap((token, i) => {
      const counted = tokens[i + 1] ?? ''
      const count = (counted === 'pie' ? /^\d+(\.\d+)?$/ : /^\d{1,2}$/).test(token) ? token : WHOLE_NUMBERS.get(token)
      // Masons count the thickness of a wall in bricks: "un pie", "1/2 pie".
      const isThing = counted === 'pie' || (/^\p{L}{4,}$/u.test(counted) && isNoMeasure(counted, token))
      // The last number of a size counts nothing: "2x4x8 framing".
      const isOfSize = /\d$/.test(tokens[i - 1] ?? '')
      return count !== undefined && isThing && !isOfSize
        ? [[counted.replace(/[aeious]+$/, '').slice(0, STEM_LETTERS_MIN), count]]
        : []
    }),
  )
}
/** "2 tubos" is how many are wanted, "de dos tubos" how many the thing has. */
const isNoMeasure = (counted: string, count: string) => {
  const unit = parseUnit(counted)
  return unit === null || (WHOLE_NUMBERS.has(count) && unit.dimension.startsWith('count:'))
}

/** Whether line and name count the same thing differently: walls shuttered on one face and on two. */
export function countsDiffer(
  { counts }: Pick<LineWords, 'counts'>,
  { counts: named }: Pick<NameWords, 'counts'>,
): boolean {
  return [...counts].some(([counted, count]) => named.has(counted) && named.get(counted) !== count)
}
