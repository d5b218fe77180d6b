import { fold } from '@catalog/core/events.ts'
import { wordsOf } from '@catalog/embed/features.ts'
import { type Concept, LANGUAGES, type Language } from './concepts.ts'
import { type Figures, figuresOf, meanOf, rankOf } from './ranking.ts'
import type { Scorer } from './scorers.ts'

/** Retrieval of held-out concepts of one source across languages, by ordered pair `query>index`. */
export type CrossLanguage = Readonly<{
  pairs: Readonly<Record<string, Figures>>
  /** Means over the pairs, each counting alike: of all, of six that are quoted beside other models, into German. */
  all: Figures
  six: Figures
  intoGerman: Figures
  /** Over all queries: whether every word of more than two letters was seen in training in the query's language. */
  known: Figures
  unknown: Figures
}>

/** The six ordered pairs that single figures are quoted of; a source without one of the languages has fewer. */
const SIX = ['en>es', 'es>en', 'de>en', 'pt>es', 'fr>en', 'it>es']

/**
 * What is relevant for a held-out concept: the entries of its group (sizes of one product have one vector, and telling
 * them apart is not the vector's work), or only those of its own folded name, numbers and all.
 */
export type Relevance = 'group' | 'name'

/**
 * Every held-out concept is asked for by its first string in one language among the first strings of all concepts of the
 * source in another, those of the training among them.
 */
export function evaluateAcross({
  source,
  heldOut,
  vocabulary,
  scorer,
  relevant,
}: {
  source: readonly Concept[]
  heldOut: ReadonlySet<string>
  vocabulary: Vocabulary
  scorer: Scorer
  relevant: Relevance
}): CrossLanguage {
  const inLanguage = (language: Language) => source.filter(({ strings }) => strings[language] !== undefined)
  const first = ({ strings }: Concept, language: Language) => strings[language]?.[0] as string
  const pairs: Record<string, Figures> = {}
  const known: number[] = []
  const unknown: number[] = []
  for (const to of LANGUAGES) {
    const entries = inLanguage(to)
    const keyOf = (concept: Concept) => (relevant === 'group' ? concept.group : fold(first(concept, to)))
    const places = new Map<string, Set<number>>()
    for (const [at, entry] of entries.entries()) {
      places.set(keyOf(entry), (places.get(keyOf(entry)) ?? new Set()).add(at))
    }
    const scoresOf = scorer(entries.map((concept) => first(concept, to)))
    for (const from of LANGUAGES.filter((language) => language !== to)) {
      const asked = inLanguage(from).filter(({ id, strings }) => heldOut.has(id) && strings[to] !== undefined)
      if (asked.length === 0) continue
      const queries = asked.map((concept) => first(concept, from))
      const ranks: number[] = []
      for (const scores of scoresOf(queries)) {
        const concept = asked[ranks.length] as Concept
        const rank = rankOf(scores, places.get(keyOf(concept)) as Set<number>)
        ranks.push(rank)
        const isKnown = vocabulary.knows(first(concept, from), from)
        ;(isKnown ? known : unknown).push(rank)
      }
      pairs[`${from}>${to}`] = figuresOf(ranks)
    }
  }
  const mean = (names: readonly string[]) => meanOf(names.flatMap((name) => pairs[name] ?? []))
  const names = Object.keys(pairs)
  return {
    pairs,
    all: mean(names),
    six: mean(SIX),
    intoGerman: mean(names.filter((name) => name.endsWith('>de'))),
    known: figuresOf(known),
    unknown: figuresOf(unknown),
  }
}

export type Vocabulary = Readonly<{ knows: (text: string, language: Language) => boolean }>

/** Which texts have no word of more than two letters that the concepts do not have in that language. */
export function vocabularyOf(concepts: readonly Concept[]): Vocabulary {
  const words = new Map(
    LANGUAGES.map((language) => {
      return [language, new Set(concepts.flatMap(({ strings }) => (strings[language] ?? []).flatMap(wordsOf)))]
    }),
  )
  return {
    knows: (text, language) => wordsOf(text).every((word) => word.length <= 2 || words.get(language)?.has(word)),
  }
}
