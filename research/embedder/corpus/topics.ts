import type { Concept } from './concepts.ts'

/** Divisions of the Common Procurement Vocabulary that have nothing to do with building: food, medicine, teaching ... */
const FOREIGN_DIVISIONS = new Set('03 15 16 18 22 33 37 55 60 63 64 66 73 75 79 80 85 92 98'.split(' '))
/** Verticals of Shopify's taxonomy likewise: apparel, pets, babies, food, beauty, media, office, sports, toys ... */
const FOREIGN_VERTICALS = new Set('aa ap bt fb hb ma me os rc sg tg'.split(' '))

/** The topic of a concept that is not about building, null for all others: those of building, and those in between. */
export function foreignTopicOf({ id, source }: Concept): string | null {
  const topic = id.slice(id.indexOf(':') + 1).slice(0, 2)
  const topics = source === 'cpv' ? FOREIGN_DIVISIONS : source === 'shopify' ? FOREIGN_VERTICALS : null
  return topics?.has(topic) ? `${source} ${topic}` : null
}

/**
 * Whether a concept is surely about building: of the lexicon, of the headings of a price list, of Shopify's hardware. Not
 * of the collections that held-out queries come from, whose like would make every one of these look near.
 */
export function isBuilding({ id, source }: Concept): boolean {
  return source === 'lexicon' || source === 'headings' || id.startsWith('shopify:ha')
}
