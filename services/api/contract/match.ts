import { described, shape } from '@catalog/api/contract/shared/described.ts'
import { Cents, Count, Currency, DecimalText, Instant } from '@catalog/api/contract/shared/fields.ts'
import { InstantParameter, lang, Market, Text } from '@catalog/api/contract/shared/parameters.ts'
import { z } from 'zod'
import { SearchResult } from './search.ts'

/** Matching of bills of materials with items. */

const LineEvidence = shape('LineEvidence', {
  words: z.number().min(0).max(1),
  meaning: z.number().min(0).max(1),
  sizes: z.enum(['equal', 'unknown', 'none']),
  unit: z.enum(['equal', 'convertible', 'unknown']),
}).meta({ id: 'LineEvidence' })

const Conversion = shape('Conversion', {
  text: z.string(),
  exactness: z.enum(['exact', 'nominal', 'approximate']),
  source: z.string(),
}).meta({ id: 'LineConversion' })

export const LINE_STATUSES = ['matched', 'ambiguous', 'unmatched'] as const
export const LINE_REASONS = ['nothing_near', 'size_differs', 'designation_differs', 'unit_differs'] as const

/** Lines of a bill of materials with the matching items. */
export const MatchResponse = shape('MatchResponse', {
  lines: z.array(
    shape('MatchResponse.lines', {
      text: z.string(),
      status: z.enum(LINE_STATUSES),
      reason: z.enum(LINE_REASONS).nullable(),
      decided_by: z.enum(['search', 'correction']),
      vendor_sku_id: z.string().nullable(),
      item: SearchResult.nullable(),
      evidence: LineEvidence.nullable(),
      conversion: Conversion.nullable(),
      item_units: z.number().nullable(),
      unit_price: z.strictObject({ amount: DecimalText, currency: Currency }).nullable(),
      cost: z.strictObject({ cents: Cents, currency: Currency }).nullable(),
      price_observed_at: Instant.nullable(),
      price_is_old: z.boolean(),
      alternatives: z.array(z.strictObject({ item: SearchResult, evidence: LineEvidence })),
    }),
  ),
  matched: Count,
  ambiguous: Count,
  unmatched: Count,
  prices: shape('MatchResponse.prices', {
    region: z.string().nullable(),
    as_of: Instant,
    source_id: z.string().nullable(),
  }),
  mode: z.enum(['vector', 'fallback_no_ai']),
}).meta({ id: 'MatchResponse' })
export type MatchResponse = z.infer<typeof MatchResponse>

/** Most lines of a request, and the lines that count as one search. */
export const LINES_MAX = 500
export const LINES_PER_SEARCH = 10
/** Above any real quantity, and exact to the millionth. */
export const QUANTITY_MAX = 1_000_000_000

const LineRegion = Market(
  'Only items that are sold in this region; the region of a line overrides that of the request',
).nullish()
/** Lists are sources: bills name them loosely, so a word that is unknown names none. */
const SourceWords = Text({ min: 1, max: 200 }).nullish()
export const MatchRequest = z
  .object(
    described('MatchRequest', {
      lines: z
        .array(
          z.object(
            described('MatchRequest.lines', {
              text: Text({ min: 1, max: 512 }),
              unit: Text({ min: 0, max: 100 }).nullish(),
              quantity: z
                .number('expected a number above 0')
                .positive('expected a number above 0')
                .max(QUANTITY_MAX, `expected at most ${QUANTITY_MAX}`)
                .nullish(),
              region: LineRegion,
              code: Text({ min: 0, max: 100 }).nullish(),
              source: SourceWords,
            }),
            'expected an object with text',
          ),
          `expected an array of 1 to ${LINES_MAX} lines`,
        )
        .min(1, `expected 1 to ${LINES_MAX} lines`)
        .max(LINES_MAX, `expected 1 to ${LINES_MAX} lines`),
      region: LineRegion,
      price_region: Market(
        'Price the items by the median of this region, and name them as its vendors do; absent: the region of the ' +
          'line, or of the request',
      ).nullish(),
      as_of: InstantParameter().nullish(),
      price_source: SourceWords,
      lang: lang.unwrap().nullish(),
      source: SourceWords,
      alternatives: z
        .int('expected an integer from 0 to 10')
        .min(0, 'expected an integer from 0 to 10')
        .max(10, 'expected an integer from 0 to 10')
        .optional(),
    }),
    'expected a JSON object',
  )
  .meta({
    id: 'MatchRequest',
    examples: [
      { region: 'ES', lines: [{ text: 'cement 25 kg', unit: 'kg', quantity: 500 }, { text: 'pladur 13 mm' }] },
    ],
  })
export type MatchRequest = z.infer<typeof MatchRequest>
