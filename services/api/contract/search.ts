import { z } from 'zod'
import { CanonicalItem } from './items.ts'
import { Integer, Key, kindParameter, lang, priceRegion, Region, Text } from './parameters.ts'

export const SEARCH_MODES = ['vector', 'fallback_no_ai', 'vector_no_match', 'empty_embedding'] as const

export const SearchResult = CanonicalItem.extend({ score: z.number().min(0) }).meta({ id: 'SearchResult' })
export const SearchResponse = z
  .strictObject({
    query: z.string(),
    results: z.array(SearchResult),
    mode: z.enum(SEARCH_MODES),
  })
  .meta({ id: 'SearchResponse' })

export const SearchQuery = z.object({
  q: Text({ min: 2, max: 256, description: 'What is looked for, in any language' }),
  limit: Integer({ min: 1, max: 50, ifAbsent: 10 }),
  region: Region('Additive: only items that are sold in this region').optional(),
  category: Key('Additive: id of a category; only items in it, or in any below it').optional(),
  kind: kindParameter,
  price_region: priceRegion,
  lang,
})

/** How the ranking of @catalog/search scores results, for readers. */
export const SCORE_MEANING =
  'A `score` compares results of one answer: 10 and more where the query says the GTIN or the reference of the item’s ' +
  'manufacturer, 3 to 7 where the item has a code of the query, and below 3 the likeness in meaning (0 to 1) and up to ' +
  '1.05 for words, sizes and spelling in common.'
