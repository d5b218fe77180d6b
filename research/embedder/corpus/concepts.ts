import { foldText } from '@catalog/core/text.ts'
import { wordsOf } from '@catalog/embed/builtin/features.ts'

/** The languages that a concept may have strings in, as ISO 639-1. */
export const LANGUAGES = ['en', 'es', 'de', 'pt', 'fr', 'it'] as const
export type Language = (typeof LANGUAGES)[number]

/**
 * What is said alike in several languages. Concepts of one group (sizes of one product, say) are never told apart from
 * each other, and are never on both sides of a split.
 */
export type Concept = Readonly<{
  /** Unique over all sources: its source, a colon, the source's own id. */
  id: string
  source: Source
  group: string
  strings: Strings
}>
export type Strings = Readonly<Partial<Record<Language, readonly string[]>>>
export type Source = 'cwicr' | 'headings' | 'cpv' | 'shopify' | 'values' | 'osm' | 'lexicon'

/** How often a concept of a source is drawn, beside one of another source. */
export const SOURCE_WEIGHTS: Readonly<Record<Source, number>> = {
  cwicr: 3,
  headings: 1.5,
  cpv: 2,
  shopify: 1,
  values: 0.4,
  osm: 0.7,
  lexicon: 3,
}

/** Whether a text has a word that can be embedded. */
function isUsable(text: string): boolean {
  return wordsOf(text).length > 0
}

/** A concept can be learned from when English and one more language have a usable string. */
export function isTrainable({ strings }: Concept): boolean {
  const usable = LANGUAGES.filter((language) => strings[language]?.some(isUsable))
  return usable.includes('en') && usable.length > 1
}

/** The group of an English name: sizes and grades are left out of it, so that they never straddle a split. */
export function groupOf(english: string): string {
  return wordsOf(english).join(' ')
}

/** The strings that are there, each once, in the order given; languages without one are left out. */
export function stringsOf(entries: Iterable<readonly [Language, string | undefined]>): Strings {
  const strings: Partial<Record<Language, string[]>> = {}
  for (const [language, text] of entries) {
    if (text === undefined || !isUsable(text)) continue
    const known = strings[language] ?? []
    strings[language] = known.some((other) => foldText(other) === foldText(text)) ? known : [...known, text]
  }
  return strings
}

/**
 * The concepts without those that have a string which, once folded, a held-out concept has in any language: a label that
 * several sources share would be learned from the others.
 */
export function withoutLeaks(concepts: readonly Concept[], heldOut: readonly Concept[]): Concept[] {
  const all = ({ strings }: Concept) => Object.values(strings).flat().map(foldText)
  const seen = new Set(heldOut.flatMap(all))
  return concepts.filter((concept) => !all(concept).some((text) => seen.has(text)))
}
