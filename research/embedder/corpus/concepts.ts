import { foldText } from '@catalog/core/text.ts'
import { wordsOf } from '@catalog/embed/builtin/features.ts'

/** The languages of a concept's strings, as ISO 639-1. */
export const LANGUAGES = ['en', 'es', 'de', 'pt', 'fr', 'it'] as const
export type Language = (typeof LANGUAGES)[number]

/**
 * A meaning with its strings in several languages. Concepts of one group (sizes of one product, say) are never
 * negatives of each other, and never stand on both sides of a split.
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

/** Weight of a source in the draw of concepts. */
export const SOURCE_WEIGHTS: Readonly<Record<Source, number>> = {
  cwicr: 3,
  headings: 1.5,
  cpv: 2,
  shopify: 1,
  values: 0.4,
  osm: 0.7,
  lexicon: 3,
}

/** Whether a text has a word to embed. */
function isUsable(text: string): boolean {
  return wordsOf(text).length > 0
}

/** A concept is trainable with a usable string in English and in one more language. */
export function isTrainable({ strings }: Concept): boolean {
  const usable = LANGUAGES.filter((language) => strings[language]?.some(isUsable))
  return usable.includes('en') && usable.length > 1
}

/** The group of an English name. It leaves out sizes and grades, so that they never straddle a split. */
export function groupOf(english: string): string {
  return wordsOf(english).join(' ')
}

/** The present strings, each once, in the given order; languages without one are left out. */
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
 * The concepts that share no folded string with a held-out concept in any language. Otherwise a model would learn a
 * held-out label from another source.
 */
export function withoutLeaks(concepts: readonly Concept[], heldOut: readonly Concept[]): Concept[] {
  const all = ({ strings }: Concept) => Object.values(strings).flat().map(foldText)
  const seen = new Set(heldOut.flatMap(all))
  return concepts.filter((concept) => !all(concept).some((text) => seen.has(text)))
}
