import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Concept, LANGUAGES, type Language } from '@catalog/research/embedder/corpus/concepts.ts'
import { isEvaluated } from '@catalog/research/embedder/corpus/split.ts'
import { rowsOf } from '@catalog/research/files/tab-separated.ts'
import { randomOf } from '@catalog/sample-files/seeded-random.ts'
import { indexTexts, placeOf, type TextSearch } from './search-index.ts'

/** An index of the English names of all building concepts in the evaluated sources, some 12,000, and search over it. */
export type EvaluationIndex = Readonly<{ searching: TextSearch; names: readonly string[] }>

export async function openJudging(
  concepts: readonly Concept[],
  embedder: Parameters<typeof indexTexts>[1],
): Promise<EvaluationIndex> {
  const names = concepts.filter(isEvaluated).flatMap(({ strings }) => strings.en?.[0] ?? [])
  return { searching: await indexTexts(names, embedder), names }
}

const linesOf = (file: string, columns: readonly string[]) =>
  rowsOf(readFileSync(join(import.meta.dirname, file), 'utf8'), { file, columns, hasComments: true }).map(
    ({ cells }) => cells as [string, string, string],
  )

/** The synonyms of probes.tsv that the first results miss, with the first result of each. */
export async function missedProbes({
  searching,
  names,
}: EvaluationIndex): Promise<{ probes: number; missed: Missed[] }> {
  const probes = linesOf('probes.tsv', ['query', 'locale', 'right'])
  const missed: Missed[] = []
  for (const [query, locale, right] of probes) {
    const results = await searching.ranked(query, PROBE_RESULTS)
    const found = results.map(({ itemId }) => names[placeOf(itemId)] as string)
    if (!found.some((name) => new RegExp(right, 'i').test(name))) missed.push({ query, locale, found })
  }
  return { probes: probes.length, missed }
}
export type Missed = Readonly<{ query: string; locale: string; found: readonly string[] }>
const PROBE_RESULTS = 3

export type Refusals = Readonly<{ queries: number; refused: number; answered: readonly string[] }>

/**
 * How many queries of foreign.txt search refuses for lack of anything near, by kind; and the queries that it answers.
 */
export async function foreignRefusals(evaluationIndex: EvaluationIndex): Promise<Record<string, Refusals>> {
  const byKind = Map.groupBy(linesOf('foreign.txt', ['kind', 'language', 'query']), ([kind]) => kind)
  const refusals: Record<string, Refusals> = {}
  for (const [kind, lines] of byKind)
    refusals[kind] = await refusalsOf(
      evaluationIndex,
      lines.map(([, , query]) => query),
    )
  return refusals
}

/** The same for held-out concepts, queried in every language except English. */
export function heldOutRefusals(evaluationIndex: EvaluationIndex, concepts: readonly Concept[]): Promise<Refusals> {
  const others = LANGUAGES.filter((language) => language !== 'en')
  const queries = concepts.flatMap(({ strings }) => others.flatMap((language) => strings[language]?.[0] ?? []))
  return refusalsOf(evaluationIndex, queries)
}

async function refusalsOf({ searching }: EvaluationIndex, queries: readonly string[]): Promise<Refusals> {
  const answered: string[] = []
  for (const query of queries) {
    const { mode } = await searching.answer(query, 1)
    if (mode === 'vector') answered.push(query)
  }
  return { queries: queries.length, refused: queries.length - answered.length, answered }
}

const TYPO_SEED = 7
const TYPO_LANGUAGES: readonly Language[] = ['en', 'es', 'de', 'pt']
/** Words of two letters become unreadable with an error. */
const TYPO_LETTERS_MIN = 4

/** Held-out names with one or two mistyped words, to find among the correct ones of their language. */
export function typoQueries(concepts: readonly Concept[]): { language: Language; concept: Concept; query: string }[] {
  const random = randomOf(TYPO_SEED)
  return TYPO_LANGUAGES.flatMap((language) =>
    concepts.flatMap((concept) => {
      const name = concept.strings[language]?.[0]
      return name === undefined ? [] : [{ language, concept, query: mistyped(name, random) }]
    }),
  )
}

/**
 * Mistypes one or two of the longer words: a letter left out, doubled, swapped with the next, or replaced by a
 * neighbouring key.
 */
export function mistyped(text: string, random: () => number): string {
  const words = [...new Set(text.match(/\p{L}+/gu) ?? [])].filter(({ length }) => length >= TYPO_LETTERS_MIN)
  const count = Math.min(words.length, 1 + Math.floor(random() * 2))
  let result = text
  for (let i = 0; i < count; i++) {
    const [word] = words.splice(Math.floor(random() * words.length), 1) as [string]
    result = result.replace(word, withTypo(word, random))
  }
  return result
}

function withTypo(word: string, random: () => number): string {
  // The first letter is rarely wrong.
  const at = 1 + Math.floor(random() * (word.length - 2))
  const [before, letter, next, after] = [word.slice(0, at), word[at], word[at + 1], word.slice(at + 2)]
  const struck = 'abcdefghijklmnopqrstuvwxyz'[Math.floor(random() * 26)]
  return [
    `${before}${next}${after}`,
    `${before}${letter}${letter}${next}${after}`,
    `${before}${next}${letter}${after}`,
    `${before}${struck}${next}${after}`,
  ][Math.floor(random() * 4)] as string
}
