import { foldText } from '@catalog/core/text.ts'
import { wordsOf } from '@catalog/embed/builtin/features.ts'
import { type Concept, LANGUAGES, type Language } from '@catalog/research/embedder/corpus/concepts.ts'
import { type Figures, figuresOf, meanOf, rankOf } from './ranking.ts'
import type { Scorer } from './scorers.ts'

/** Retrieval of held-out concepts of one source across languages, by ordered pair `query>index`. */
export type CrossLanguage = Readonly<{
  pairs: Readonly<Record<string, Figures>>
  /** Means over the pairs, each with equal weight: all pairs, the six usual ones, and those into German. */
  all: Figures
  six: Figures
  intoGerman: Figures
  /** Over all queries, by whether training saw every word of more than two letters in the query's language. */
  known: Figures
  unknown: Figures
}>

/** The six ordered pairs behind single figures; a source without one of the languages has fewer. */
export const SIX: readonly string[] = ['en>es', 'es>en', 'de>en', 'pt>es', 'fr>en', 'it>es']

/**
 * The relevant entries for a held-out concept: those of its group (sizes of one product share a vector), or only those
 * of its own folded name, numbers included.
 */
export type Relevance = 'group' | 'name'

/**
 * Queries each held-out concept by its first string in one language, among the first strings of all concepts of the
 * source in another, training concepts included. `isAsked` excludes ordered pairs. `onQueries` receives the number of
 * queries since its last call.
 */
export async function evaluateAcross({
  source,
  heldOut,
  vocabulary,
  scorer,
  isAsked = () => true,
  onQueries = () => {},
}: {
  source: readonly Concept[]
  heldOut: ReadonlySet<string>
  vocabulary: Vocabulary
  scorer: Scorer
  isAsked?: (pair: string) => boolean
  onQueries?: (count: number) => void
}): Promise<Readonly<Record<Relevance, CrossLanguage>>> {
  const inLanguage = (language: Language) => source.filter(({ strings }) => strings[language] !== undefined)
  const ranks = { group: new Ranks(), name: new Ranks() }
  for (const to of LANGUAGES) {
    const from = LANGUAGES.filter((language) => language !== to && isAsked(`${language}>${to}`))
    if (from.length === 0) continue
    const entries = inLanguage(to)
    const keys = {
      group: placesBy(entries, groupKey),
      name: placesBy(entries, (concept) => foldText(first(concept, to))),
    }
    const scoresOf = scorer(entries.map((concept) => first(concept, to)))
    for (const language of from) {
      const asked = inLanguage(language).filter(({ id, strings }) => heldOut.has(id) && strings[to] !== undefined)
      let place = 0
      for await (const scores of scoresOf(asked.map((concept) => first(concept, language)))) {
        const concept = asked[place++] as Concept
        const isKnown = vocabulary.knows(first(concept, language), language)
        const pair = `${language}>${to}`
        const same = { group: keys.group.get(groupKey(concept)), name: keys.name.get(foldText(first(concept, to))) }
        ranks.group.note({ pair, isKnown, rank: rankOf(scores, same.group as Set<number>) })
        ranks.name.note({ pair, isKnown, rank: rankOf(scores, same.name as Set<number>) })
        if (place % QUERIES_A_NOTE === 0) onQueries(QUERIES_A_NOTE)
      }
    }
  }
  return { group: ranks.group.figures(), name: ranks.name.figures() }
}

const QUERIES_A_NOTE = 50
const first = ({ strings }: Concept, language: Language) => strings[language]?.[0] as string
const groupKey = ({ group }: Concept) => group

/** Places of entries by their key. */
function placesBy(entries: readonly Concept[], keyOf: (concept: Concept) => string): ReadonlyMap<string, Set<number>> {
  const places = new Map<string, Set<number>>()
  for (const [at, entry] of entries.entries()) {
    places.set(keyOf(entry), (places.get(keyOf(entry)) ?? new Set()).add(at))
  }
  return places
}

/** Ranks of queries, by pair of languages and by whether training saw their words. */
class Ranks {
  readonly #byPair = new Map<string, number[]>()
  readonly #known: number[] = []
  readonly #unknown: number[] = []

  note({ pair, isKnown, rank }: { pair: string; isKnown: boolean; rank: number }): void {
    this.#byPair.set(pair, [...(this.#byPair.get(pair) ?? []), rank])
    ;(isKnown ? this.#known : this.#unknown).push(rank)
  }

  figures(): CrossLanguage {
    const pairs = Object.fromEntries(Array.from(this.#byPair, ([pair, ranks]) => [pair, figuresOf(ranks)]))
    const names = Object.keys(pairs)
    const mean = (names: readonly string[]) => meanOf(names.flatMap((name) => pairs[name] ?? []))
    return {
      pairs,
      all: mean(names),
      six: mean(SIX),
      intoGerman: mean(names.filter((name) => name.endsWith('>de'))),
      known: figuresOf(this.#known),
      unknown: figuresOf(this.#unknown),
    }
  }
}

export type Vocabulary = Readonly<{ knows: (text: string, language: Language) => boolean }>

/**
 * The words of more than two letters in the concepts, by language; decides whether training saw all words of a text.
 */
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
