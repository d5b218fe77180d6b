import { foldText } from '@catalog/core/text.ts'
import { isCommonWord } from '@catalog/embed/builtin/builtin.ts'
import { stem } from '@catalog/embed/concepts/concepts.ts'
import { COUNTRIES, lexiconConcepts } from '@catalog/embed/concepts/lexicon.ts'
import { meaningOf } from './question-words.ts'

/**
 * A folded question with abbreviated words written in full, as estimators abbreviate: cut off before a dot ("coloc." is
 * "colocacion"), or without inner letters ("shgl" is "shingle"). Short names with a meaning of their own stay as they are, and so
 * does what several words of the trade may mean. Pure.
 */
export function inFull(folded: string, market: string | null): string {
  const others = new Set((folded.match(/\p{L}{3,}(?!\p{L}|\.)/gu) ?? []).map(stem))
  return folded.replace(TOKEN, (written, word: string, dot: string) => {
    if (meaningOf(word, market) !== null || meaningOf(`${word}.`, market) !== null) return written
    return fullWord(word, { isCut: dot === '.', others, market }) ?? written
  })
}
/** A word with a dot behind it, or with few vowels. */
const TOKEN = /(?<![\p{L}\p{N}/.'-])(\p{L}{3,9})(\.?)(?![\p{L}\p{N}'/-]|\.\p{L})/gu

function fullWord(
  word: string,
  { isCut, others, market }: { isCut: boolean; others: ReadonlySet<string>; market: string | null },
): string | null {
  const { words, byInitial } = vocabularyOf(market)
  if (words.has(word) || (!isCut && isCommonWord(word))) return null
  const candidates = (byInitial.get(word[0] as string) ?? []).filter(
    ({ text }) =>
      isContracted(word, text, isCut ? 1 : 0) || (isCut && text.length > word.length + 1 && text.startsWith(word)),
  )
  // A term with another word of the question decides: "areia media lav." is "lavada", not "lavatorio".
  const ranked = [...Map.groupBy(candidates, ({ text }) => stem(text)).values()]
    .map((forms) => ({
      text: (forms.toSorted((a, b) => b.count - a.count)[0] as Word).text,
      weight: forms.reduce(
        (sum, { count, beside }) =>
          sum + count + BESIDE_WEIGHT * [...others].filter((other) => beside.has(other)).length,
        0,
      ),
    }))
    .sort((a, b) => b.weight - a.weight)
  const [first, second] = ranked
  return first !== undefined && first.weight >= LEAD_MIN * (second?.weight ?? 0) ? first.text : null
}
/** Terms of the lexicon that one term with another word of the question outweighs. */
const BESIDE_WEIGHT = 20
/** How much more often the trade writes the first word than the next. */
const LEAD_MIN = 2

/** "jst" of "joist": the same first letter, the others in order, the last consonant at the end, and few of several vowels. */
function isContracted(word: string, text: string, vowelsMax: number): boolean {
  if (text.length < word.length + 2 || text.length * SHARE_MIN > word.length) return false
  if (vowelsIn(word) > vowelsMax || vowelsIn(text) < vowelsIn(word) + 1) return false
  if (word.at(-1) !== text.replace(LAST_VOWELS, '').at(-1)) return false
  let at = 0
  for (const letter of text) if (letter === word[at]) at += 1
  return at === word.length
}
/** Fewer letters are the beginning of too many words. */
const SHARE_MIN = 0.4
const LAST_VOWELS = /[aeiou]+s?$/u
const vowelsIn = (word: string) => word.match(/[aeiou]/gu)?.length ?? 0

type Word = Readonly<{
  text: string
  /** Terms that hold it. */
  count: number
  /** Stems of the words beside it in these terms. */
  beside: ReadonlySet<string>
}>
type Vocabulary = Readonly<{ words: ReadonlySet<string>; byInitial: ReadonlyMap<string, readonly Word[]> }>

const LANGUAGE_OF: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(COUNTRIES).flatMap(([language, countries]) => countries.map((country) => [country, language])),
)
const vocabularies = new Map<string, Vocabulary>()

/** The words of the lexicon in the language of a market; in all languages where it has several. */
function vocabularyOf(market: string | null): Vocabulary {
  const language = LANGUAGE_OF[market ?? ''] ?? ''
  const known = vocabularies.get(language)
  if (known) return known
  const words = new Map<string, { text: string; count: number; beside: Set<string> }>()
  for (const { term, lang } of lexiconConcepts().flatMap(({ terms }) => terms)) {
    if (language !== '' && lang !== language) continue
    const ofTerm = foldText(term).match(/\p{L}{3,}/gu) ?? []
    for (const text of new Set(ofTerm)) {
      const word = words.get(text) ?? { text, count: 0, beside: new Set<string>() }
      word.count += 1
      for (const other of ofTerm) if (other !== text) word.beside.add(stem(other))
      words.set(text, word)
    }
  }
  const found = {
    words: new Set(words.keys()),
    byInitial: Map.groupBy(words.values(), ({ text }) => text[0] as string),
  }
  vocabularies.set(language, found)
  return found
}
