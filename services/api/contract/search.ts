import { Count, facetShapes } from '@catalog/api/contract/shared/fields.ts'
import {
  Cursor,
  categoryFilter,
  include,
  kindParameter,
  lang,
  Market,
  pageLimit,
  priceRegion,
  refusePriceRange,
  shownFilters,
  Words,
} from '@catalog/api/contract/shared/parameters.ts'
import { additionsTo } from '@catalog/api/contract/shared/responses.ts'
import { z } from 'zod'
import { CanonicalItem } from './items.ts'

export const SEARCH_MODES = ['vector', 'fallback_no_ai', 'vector_no_match', 'empty_embedding'] as const

const Share = z.number().min(0).max(1)

/** Why a result was found. */
const SearchReason = z
  .strictObject({
    meaning: Share.meta({ description: 'Similarity in meaning; 0 when only words found it' }),
    words: Share.meta({ description: 'Share of the question’s words that the item has, rare ones count more' }),
    concepts: Share.meta({ description: 'Share of the question’s things that the item names, in any language' }),
    sizes: z.number().min(-0.5).max(1).meta({ description: 'Overlap of sizes and packs; below 0 another size' }),
    spelling: Share.meta({ description: 'Likeness in spelling' }),
    codes: z.int().min(0).meta({ description: 'Codes of the question that the item has' }),
    agreed: z.array(z.string()).meta({ description: 'Grades, classes, types and kinds that both state' }),
    contradicted: z.array(z.string()).meta({ description: 'Those in which the item is another one' }),
    differs: z
      .array(z.strictObject({ about: z.string(), asked: z.string(), stocked: z.string() }))
      .meta({ description: 'What makes it near and not what is asked: another size, pack, grade or kind. Else empty' }),
  })
  .meta({ id: 'SearchReason' })

/** What a question was read as. */
export const Interpretation = z
  .strictObject({
    thing: z.string().meta({ description: 'What is looked for, in plain words, folded' }),
    spelling: z
      .string()
      .optional()
      .meta({ description: 'The thing as the trade spells it, where the question as typed found nothing' }),
    filler: z.array(z.string()).optional().meta({ description: 'Words that say nothing of the thing' }),
    market: z
      .string()
      .optional()
      .meta({ description: 'The market that the question names; it filters without `region`' }),
    unit: z.string().optional().meta({ description: 'What one price is to buy' }),
    kind: z.string().optional(),
    short_names: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: 'Short names, brands and regional words with the plain words taken for them' }),
    brands: z.array(z.string()).optional(),
    concepts: z.array(z.string()).optional(),
    attributes: z.record(z.string(), z.array(z.string())).optional(),
    sizes: z.array(z.string()).optional(),
    pack: z.string().optional().meta({ description: 'The contents of a container: 25 kg' }),
  })
  .meta({ id: 'Interpretation' })

const Counted = { count: Count.meta({ description: 'Results with it, on all pages' }) }
/** What the results of a search have in common, to filter them further. */
export const SearchFacets = z
  .strictObject({
    found: Count.meta({ description: 'Results on all pages; a search finds at most 200' }),
    ...facetShapes(Counted),
    sources: z.array(z.strictObject({ id: z.string(), name: z.string().nullable(), ...Counted })),
  })
  .meta({ id: 'SearchFacets', description: 'The most frequent values first, at most 20 of each' })
export type SearchFacets = z.infer<typeof SearchFacets>

/** How the ranking of @catalog/search scores results, for readers. */
const SCORE_MEANING = `Compares results of one answer:
- 10 and more: the query says the GTIN or the reference of the item’s manufacturer
- 3 to 7: the item has a code of the query
- up to 2: twice the chance that it is what is asked, learned from judged answers; what is near comes after what is asked
- without vectors, below 3: likeness in meaning, words, sizes and spelling`

export const SearchResult = CanonicalItem.extend({
  score: z.number().min(0).meta({ description: SCORE_MEANING }),
}).meta({ id: 'SearchResult' })

export const SearchResponse = z
  .strictObject({ query: z.string(), results: z.array(SearchResult), mode: z.enum(SEARCH_MODES) })
  .meta({ id: 'SearchResponse' })

/** An answer with what `include` names. */
export const ExtendedSearchResponse = SearchResponse.extend({
  results: z.array(
    SearchResult.extend({
      page_url: z.url().optional().meta({ description: 'The page of the item for people; with `page_url`' }),
      why: SearchReason.optional().meta({ description: 'Why it was found; with `explain`' }),
    }).meta({ id: 'FoundItem' }),
  ),
  cursor: z.string().optional().meta({ description: 'Send it as `cursor` for the next page; absent at the end' }),
  facets: SearchFacets.optional().meta({ description: 'Values to filter by next; with `facets`' }),
  interpreted: Interpretation.optional().meta({ description: 'What the question was read as; with `explain`' }),
}).meta({ id: 'ExtendedSearchResponse', ...additionsTo(SearchResponse) })

export const SearchQuery = z
  .object({
    q: Words({
      min: 2,
      max: 256,
      description: 'What you look for, in any language: words, a size, an article number, a GTIN or a whole question',
      examples: ['drywall 13 mm'],
    }),
    limit: pageLimit({ max: 50, ifAbsent: 10, counted: 'results' }),
    cursor: Cursor,
    region: Market('Search one market: only items that are sold in this region').optional(),
    category_id: categoryFilter,
    kind: kindParameter,
    ...shownFilters,
    price_region: priceRegion,
    lang,
    include: include({
      page_url: 'the page of each item for people',
      cursor: 'the cursor of the next page, which the header Link has',
      facets: 'the results by category, kind, unit, currency and source, to offer filters',
      explain: 'what the question was read as, and why each result was found',
    }),
  })
  .superRefine(refusePriceRange)
