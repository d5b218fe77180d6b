import { described, openShape, shape } from '@catalog/api/contract/shared/described.ts'
import { Count, facetShapes } from '@catalog/api/contract/shared/fields.ts'
import {
  Cursor,
  include,
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
const SearchReason = shape('SearchReason', {
  meaning: Share,
  words: Share,
  concepts: Share,
  sizes: z.number().min(-0.5).max(1),
  spelling: Share,
  codes: z.int().min(0),
  agreed: z.array(z.string()),
  contradicted: z.array(z.string()),
  differs: z.array(z.strictObject({ about: z.string(), asked: z.string(), stocked: z.string() })),
}).meta({ id: 'SearchReason' })

/** What a question was read as. */
export const Interpretation = shape('Interpretation', {
  thing: z.string(),
  spelling: z.string().optional(),
  filler: z.array(z.string()).optional(),
  market: z.string().optional(),
  unit: z.string().optional(),
  kind: z.string().optional(),
  short_names: z.record(z.string(), z.string()).optional(),
  brands: z.array(z.string()).optional(),
  concepts: z.array(z.string()).optional(),
  attributes: z.record(z.string(), z.array(z.string())).optional(),
  sizes: z.array(z.string()).optional(),
  pack: z.string().optional(),
}).meta({ id: 'Interpretation' })

const Counted = { count: Count.meta({ description: 'Results with it, on all pages' }) }
/** What the results of a search have in common, to filter them further. */
export const SearchFacets = shape('SearchFacets', {
  found: Count,
  ...facetShapes(Counted),
  sources: z.array(z.strictObject({ id: z.string(), name: z.string().nullable(), ...Counted })),
}).meta({ id: 'SearchFacets', description: 'The most frequent values first, at most 20 of each' })
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
export const ExtendedSearchResponse = SearchResponse.extend(
  described('ExtendedSearchResponse', {
    results: z.array(
      SearchResult.extend(
        described('ExtendedSearchResponse.results', {
          page_url: z.url().optional(),
          why: SearchReason.optional(),
        }),
      ).meta({ id: 'FoundItem' }),
    ),
    cursor: z.string().optional(),
    facets: SearchFacets.optional(),
    interpreted: Interpretation.optional(),
  }),
).meta({ id: 'ExtendedSearchResponse', ...additionsTo(SearchResponse) })

export const SearchQuery = openShape('SearchQuery', {
  q: Words({ min: 2, max: 256 }),
  limit: pageLimit({ max: 50, ifAbsent: 10, counted: 'results' }),
  cursor: Cursor,
  region: Market('Search one market: only items that are sold in this region').optional(),
  ...shownFilters,
  price_region: priceRegion,
  lang,
  include: include({
    page_url: 'the page of each item for people',
    cursor: 'the cursor of the next page, which the header Link has',
    facets: 'the results by category, kind, unit, currency and source, to offer filters',
    explain: 'what the question was read as, and why each result was found',
  }),
}).superRefine(refusePriceRange)
