import { readDataFile } from '@catalog/core/data-file.ts'
import { foldText } from '@catalog/core/text.ts'
import { z } from 'zod'

/** The languages of the vocabularies (ISO 639-1). */
export const LANGUAGES = ['es', 'en', 'pt', 'fr', 'de', 'it'] as const
type Language = (typeof LANGUAGES)[number]

const Words = z.partialRecord(z.enum(LANGUAGES), z.array(z.string().min(2).max(60)).min(1))
/**
 * An entry of a vocabulary: a value, the words that say it by language and by the place where they count, and examples
 * that a test reads back: "name", "name | unit", or "name | unit | category".
 */
const Entry = z.strictObject({
  value: z.string().min(1).max(40),
  anywhere: Words.optional(),
  head: Words.optional(),
  categories: Words.optional(),
  examples: z.array(z.string().min(1)).min(1),
})
export type Entry = Readonly<z.infer<typeof Entry>>

/** The subjects of the vocabularies, each in a file beside this one. */
export const SUBJECTS = ['kinds', 'grades', 'trades', 'machines', 'operators', 'actions'] as const
export type Subject = (typeof SUBJECTS)[number]

/** Reads a vocabulary. Throws an error that names the file and the entry when it has another form. */
export function readVocabulary(subject: Subject): readonly Entry[] {
  const result = z
    .array(Entry)
    .min(1)
    .safeParse(readDataFile(import.meta.url, `${subject}.yaml`))
  if (!result.success) throw new Error(`${subject}.yaml: ${z.prettifyError(result.error)}`)
  return result.data
}

/** What a word says: the value of a subject, and where it has to stand. */
export type Meaning = Readonly<{ subject: Subject; value: string; place: 'anywhere' | 'head'; language: Language }>
type Phrase = Readonly<{ words: readonly string[]; meanings: readonly Meaning[] }>
/** Phrases by their first word, the longest first, and by the suffix of a single word. */
export type PhraseIndex = Readonly<{
  byFirstWord: ReadonlyMap<string, readonly Phrase[]>
  suffixes: readonly (readonly [string, readonly Meaning[]])[]
}>

/** Articles, prepositions and "and", which phrases and names lose before they are compared. */
const GLUE: ReadonlySet<string> = new Set(
  `de del el la los las en con para por y o u the of and for with do da das dos ao aos em com e le les du des et au aux
   avec pour par sur d l s der die das den dem mit fur von und il lo gli di della dello dei delle degli ed per su im zur zum`.split(
    /\s+/,
  ),
)

/**
 * A word of a name, folded. `starts` and `ends`: it is the first or last of a part between commas, dashes, brackets.
 * `isAdded`: a "with" stands before it. `isPurpose`: it follows a "for" in its part. `hasOf`: an "of" follows it.
 */
export type Word = Readonly<{
  text: string
  starts: boolean
  ends: boolean
  isAdded: boolean
  isPurpose: boolean
  hasOf: boolean
}>
const FOR: ReadonlySet<string> = new Set(['for', 'para', 'pour', 'fur', 'zur', 'zum', 'per'])
const WITH: ReadonlySet<string> = new Set(['with', 'con', 'com', 'avec', 'mit'])

/** The words of a text in order without articles and prepositions. Digits and letters stay together ("1a"). */
export function wordsOf(text: string): Word[] {
  const words: Word[] = []
  for (const part of foldText(text).split(PARTS)) {
    const all = part.match(/[\p{L}\p{N}]+/gu) ?? []
    const kept = all
      .entries()
      .filter(([, word]) => !GLUE.has(word))
      .toArray()
    const purpose = all.findIndex((word) => FOR.has(word))
    for (const [order, [at, word]] of kept.entries()) {
      words.push({
        text: word,
        starts: order === 0,
        ends: order === kept.length - 1,
        isAdded: WITH.has(all[at - 1] ?? ''),
        isPurpose: purpose !== -1 && at > purpose,
        hasOf: all[at + 1] === 'of',
      })
    }
  }
  return words
}
const PARTS = /[,;:()[\]/+|]|(?<=\s)[-–—.](?=\s)|\.\s/u

/** Indexes the words of entries, in the language or, for null, in all of them. */
export function indexPhrases(
  vocabularies: Readonly<Partial<Record<Subject, readonly Entry[]>>>,
  { language, places }: { language: Language | null; places: readonly ('anywhere' | 'head' | 'categories')[] },
): PhraseIndex {
  const phrases = new Map<string, { words: string[]; meanings: Meaning[] }>()
  const suffixes = new Map<string, Meaning[]>()
  for (const [subject, entries] of Object.entries(vocabularies) as [Subject, readonly Entry[]][]) {
    for (const entry of entries) {
      for (const place of places) {
        for (const [spoken, texts] of Object.entries(entry[place] ?? {}) as [Language, string[]][]) {
          if (language !== null && spoken !== language) continue
          const meaning = {
            subject,
            value: entry.value,
            place: place === 'head' ? ('head' as const) : ('anywhere' as const),
            language: spoken,
          }
          for (const text of texts) {
            const isSuffix = text.startsWith('*')
            const words = wordsOf(text.replace('*', '')).map((word) => word.text)
            const key = words.join(' ')
            if (isSuffix && words.length === 1) suffixes.set(key, [...(suffixes.get(key) ?? []), meaning])
            else phrases.set(key, { words, meanings: [...(phrases.get(key)?.meanings ?? []), meaning] })
          }
        }
      }
    }
  }
  const byFirstWord = new Map<string, Phrase[]>()
  for (const phrase of [...phrases.values()].sort((a, b) => b.words.length - a.words.length)) {
    const [first] = phrase.words
    if (first === undefined) continue
    byFirstWord.set(first, [...(byFirstWord.get(first) ?? []), phrase])
  }
  return { byFirstWord, suffixes: [...suffixes].sort(([a], [b]) => b.length - a.length) }
}

/** A phrase found in a name: what it means, its words, and the places of its first and last word. */
export type Hit = Readonly<{ meanings: readonly Meaning[]; text: string; at: number; end: number }>

/** Finds the phrases of a text from left to right. At each word the longest phrase wins, and no word counts twice. */
export function findPhrases({ byFirstWord, suffixes }: PhraseIndex, words: readonly Word[]): Hit[] {
  const hits: Hit[] = []
  for (let at = 0; at < words.length; at++) {
    const { text } = words[at] as Word
    const phrase = byFirstWord
      .get(text)
      ?.find(({ words: expected }) => expected.every((word, offset) => words[at + offset]?.text === word))
    if (phrase) {
      const end = at + phrase.words.length - 1
      hits.push({ meanings: phrase.meanings, text: phrase.words.join(' '), at, end })
      at = end
      continue
    }
    if (text.length < COMPOUND_LENGTH_MIN) continue
    const suffix = suffixes.find(([ending]) => text.endsWith(ending) && text.length >= ending.length + 3)
    if (suffix) hits.push({ meanings: suffix[1], text, at, end: at })
  }
  return hits
}
/** Shorter words are no compounds. */
const COMPOUND_LENGTH_MIN = 6
