import { readDataFile } from '@catalog/core/data-file.ts'
import type { Availability } from '@catalog/core/events/observations.ts'
import { foldText } from '@catalog/core/text.ts'

/** Whether goods can be had, in the words of schema.org, shop systems, merchant feeds and price lists. */

const BY_WORD: ReadonlyMap<string, Availability> = new Map(
  Object.entries(readDataFile(import.meta.url, 'availability.yaml') as Record<Availability, string>).flatMap(
    ([availability, words]) => words.split(/,\s+/).map((word) => [keyOf(word), availability as Availability] as const),
  ),
)

/** "http://schema.org/InStock", "in stock", "IN_STOCK", "En stock" → InStock; null for any other text. */
export function availabilityOf(text: string): Availability | null {
  if (text === '') return null
  const name = /[/#]([a-z]+)\/?$/i.exec(text.trim())?.[1] ?? text
  return BY_WORD.get(keyOf(name)) ?? null
}

/** Letters and digits alone: shops write one word in many ways. */
function keyOf(word: string): string {
  return foldText(word).replace(/[^\p{L}\p{N}]+/gu, '')
}
