import type { Concept } from './concepts.ts'

/** Divisions of the Common Procurement Vocabulary unrelated to building: food, medicine, teaching ... */
const FOREIGN_DIVISIONS = new Set('03 15 16 18 22 33 37 55 60 63 64 66 73 75 79 80 85 92 98'.split(' '))
/**
 * Verticals of Shopify's taxonomy unrelated to building: apparel, pets, babies, food, beauty, media, office, sports,
 * toys ...
 */
const FOREIGN_VERTICALS = new Set('aa ap bt fb hb ma me os rc sg tg'.split(' '))

/** The topic of a concept unrelated to building; null for building and for anything in between. */
export function foreignTopicOf({ id, source }: Concept): string | null {
  const topic = id.slice(id.indexOf(':') + 1).slice(0, 2)
  const topics = source === 'cpv' ? FOREIGN_DIVISIONS : source === 'shopify' ? FOREIGN_VERTICALS : null
  return topics?.has(topic) ? `${source} ${topic}` : null
}

/**
 * Whether a concept is certainly about building: from the lexicon, the headings of a price list, or Shopify's hardware.
 * Collections with held-out queries do not count, because their other concepts would make every such query look near.
 */
export function isBuilding({ id, source }: Concept): boolean {
  return source === 'lexicon' || source === 'headings' || id.startsWith('shopify:ha')
}
