import { type Concept, LANGUAGES, SOURCE_WEIGHTS } from './concepts.ts'

/** Two strings of one concept, as indices into the texts, and the number of its group. */
export type Pair = Readonly<{ a: number; b: number; group: number }>

export type Pairs = Readonly<{
  /** All strings of all concepts. */
  texts: readonly string[]
  /** At most `count` pairs of distinct concepts. */
  draw: (count: number, random: () => number) => Pair[]
}>

/**
 * Draws concepts with replacement, in proportion to the weight of their source, and drops repeats. Then it draws two
 * strings of each, usually in different languages.
 */
export function openPairs(concepts: readonly Concept[]): Pairs {
  const texts: string[] = []
  const languages: number[] = []
  const groups = new Map<string, number>()
  const entries = concepts.map(({ strings, group }) => {
    const from = texts.length
    for (const [number, language] of LANGUAGES.entries()) {
      for (const text of strings[language] ?? []) {
        texts.push(text)
        languages.push(number)
      }
    }
    if (!groups.has(group)) groups.set(group, groups.size)
    return { from, count: texts.length - from, group: groups.get(group) as number }
  })
  const bySource = Map.groupBy(concepts.keys(), (at) => (concepts[at] as Concept).source)
  const sources = Array.from(bySource, ([source, members]) => {
    return { members, weight: SOURCE_WEIGHTS[source] * members.length }
  })
  const total = sources.reduce((sum, { weight }) => sum + weight, 0)

  function drawConcept(random: () => number): number {
    let place = random() * total
    const source = sources.find(({ weight }) => {
      place -= weight
      return place < 0
    })
    const { members } = source ?? (sources.at(-1) as (typeof sources)[number])
    return members[Math.floor(random() * members.length)] as number
  }

  function drawPair({ from, count, group }: (typeof entries)[number], random: () => number): Pair {
    const a = from + Math.floor(random() * count)
    for (;;) {
      const b = from + Math.floor(random() * count)
      const keep = languages[a] !== languages[b] ? 1 : a === b ? SAME_STRING_KEPT : SAME_LANGUAGE_KEPT
      if (keep === 1 || random() < keep) return { a, b, group }
    }
  }

  return {
    texts,
    draw(count, random) {
      const drawn = new Set<number>()
      for (let i = 0; i < count; i++) drawn.add(drawConcept(random))
      return Array.from(drawn, (at) => drawPair(entries[at] as (typeof entries)[number], random))
    },
  }
}

/**
 * Share of draws of one string twice that stay. Dropout makes the two differ, so that one typing error should not
 * matter.
 */
const SAME_STRING_KEPT = 0.06
/** Share of draws of two strings in one language that stay. These are synonyms, which spelling does not connect. */
const SAME_LANGUAGE_KEPT = 0.5
