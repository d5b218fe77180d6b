import { readDataFile } from '@catalog/core/data-file.ts'
import { LANGUAGES, readVocabulary, SUBJECTS } from '@catalog/core/kinds/vocabulary.ts'
import { openMemo } from '@catalog/core/memo.ts'
import { foldText } from '@catalog/core/text.ts'

const { regions, small_words: smallWords } = readDataFile(import.meta.url, 'languages.yaml') as Readonly<{
  regions: Record<string, readonly string[]>
  small_words: Record<(typeof LANGUAGES)[number], string>
}>

/** The language of a name (ISO 639-1), and what told it; null where nothing does. */
export type NameLanguage = Readonly<{ lang: string | null; by: 'words' | 'stated' | 'region' | null }>

/**
 * The language of a vendor's name. The language that the source states holds, unless two words of the name belong to
 * another one and none to it. Without a statement the words tell it, and where they do not, the region of the source
 * does. Pure.
 */
export function nameLanguage({
  name,
  lang,
  region,
}: {
  name: string
  lang?: string | undefined
  region: string | null
}): NameLanguage {
  const scores = languageScores(name)
  const [first, second] = [...scores].sort(([, a], [, b]) => b - a)
  const told = first !== undefined && first[1] > (second?.[1] ?? 0) ? first[0] : null
  if (lang !== undefined) {
    const contradicts = told !== null && !scores.has(lang) && (scores.get(told) ?? 0) >= CONTRADICTING_WORDS
    return contradicts ? { lang: told, by: 'words' } : { lang, by: 'stated' }
  }
  if (told !== null) return { lang: told, by: 'words' }
  const spoken = mainLanguage(region)
  return { lang: spoken, by: spoken === null ? null : 'region' }
}

/** The language in which the vendors of a region write; null for regions and countries of several. */
export function mainLanguage(region: string | null): string | null {
  return (region !== null && MAIN_LANGUAGES.get(region)) || null
}

const MAIN_LANGUAGES: ReadonlyMap<string, string> = new Map(
  Object.entries(regions).flatMap(([lang, spoken]) => spoken.map((region) => [region, lang] as const)),
)

/** So many words of a language, and none of the stated one, outweigh the statement. */
const CONTRADICTING_WORDS = 2
/** Words of a name that are looked at. */
const WORDS_MAX = 40

/** How many words of a name belong to each language. A word of several languages counts for each. */
const languageScores = (name: string) => SCORES(name, () => countedWords(name))
const SCORES = openMemo<ReadonlyMap<string, number>>(20_000)

function countedWords(name: string): ReadonlyMap<string, number> {
  const scores = new Map<string, number>()
  const count = (languages: Iterable<string>) => {
    for (const language of languages) scores.set(language, (scores.get(language) ?? 0) + 1)
  }
  const words = name.toLowerCase().match(/\p{L}+/gu) ?? []
  for (const word of words.slice(0, WORDS_MAX)) {
    const letter = LETTERS.find(([letters]) => letters.test(word))
    count(letter ? [letter[1]] : (languagesOfWord(foldText(word)) ?? []))
  }
  return scores
}

/** Letters that one of the languages alone writes. */
const LETTERS: readonly (readonly [RegExp, string])[] = [
  [/ñ/, 'es'],
  [/[ãõ]/, 'pt'],
  [/[ßäö]/, 'de'],
]

/** The languages of a folded word: of the articles and prepositions, and of the vocabularies that tell kinds. */
function languagesOfWord(word: string): ReadonlySet<string> | undefined {
  read ??= languagesByWord()
  return read.get(word)
}
/** One read a process, at the first name. */
let read: ReadonlyMap<string, ReadonlySet<string>> | undefined

function languagesByWord(): Map<string, Set<string>> {
  const byWord = new Map<string, Set<string>>()
  const enter = (text: string, language: string) => {
    for (const word of foldText(text).match(/\p{L}{2,}/gu) ?? []) {
      byWord.set(word, (byWord.get(word) ?? new Set()).add(language))
    }
  }
  for (const language of LANGUAGES) enter(smallWords[language], language)
  for (const subject of SUBJECTS) {
    for (const { anywhere, head, categories } of readVocabulary(subject)) {
      for (const words of [anywhere, head, categories]) {
        for (const language of LANGUAGES) {
          // A suffix of compounds is no word.
          for (const text of words?.[language] ?? []) if (!text.startsWith('*')) enter(text, language)
        }
      }
    }
  }
  return byWord
}
