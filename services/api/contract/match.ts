import { Cents, Count, Currency, DecimalText, Instant } from '@catalog/api/contract/shared/fields.ts'
import { InstantParameter, lang, Market, Text } from '@catalog/api/contract/shared/parameters.ts'
import { z } from 'zod'
import { SearchResult } from './search.ts'

/** Matching of bills of materials with items. */

const LineEvidence = z
  .strictObject({
    words: z.number().min(0).max(1).meta({ description: 'Share of the words that the name contains, in any language' }),
    meaning: z.number().min(0).max(1).meta({ description: 'Similarity in meaning; 0 when only words found it' }),
    sizes: z.enum(['equal', 'unknown', 'none']).meta({
      description:
        'equal: the item has every size of the line; unknown: the item lacks one; none: the line has no size',
    }),
    unit: z
      .enum(['equal', 'convertible', 'unknown'])
      .meta({ description: 'The unit of the line compared with the item’s' }),
  })
  .meta({ id: 'LineEvidence' })

const Conversion = z
  .strictObject({
    text: z.string().meta({ examples: ['6 × 19 l', '0.888 kg/m'] }),
    exactness: z.enum(['exact', 'nominal', 'approximate']).meta({
      description:
        'exact: by the units, or by a stated size; nominal: by a standard, or a piece taken for one pack; approximate: by a ' +
        'bulk density, or bricks of a wall',
    }),
    source: z.string().meta({ description: 'The standard, or where the size is stated' }),
  })
  .meta({ id: 'LineConversion' })

export const LINE_STATUSES = ['matched', 'ambiguous', 'unmatched'] as const
export const LINE_REASONS = ['nothing_near', 'size_differs', 'designation_differs', 'unit_differs'] as const

/** Lines of a bill of materials with the matching items. */
export const MatchResponse = z
  .strictObject({
    lines: z.array(
      z.strictObject({
        text: z.string(),
        status: z.enum(LINE_STATUSES).meta({
          description: 'ambiguous: several items fit equally well, or a size or unit is unknown',
        }),
        reason: z.enum(LINE_REASONS).nullable().meta({
          description:
            'For an unmatched line: why the nearest item does not fit; null where a person said that it means no item',
        }),
        decided_by: z.enum(['search', 'correction']).meta({
          description: 'correction: a person of the workspace said what the line means',
        }),
        vendor_sku_id: z
          .string()
          .nullable()
          .meta({
            description:
              'The vendor SKU that has the code of the line, where the code decided it: words, sizes and unit do not ' +
              'contradict its item. Null for all other lines',
          }),
        item: SearchResult.nullable().meta({
          description: 'Its score, 0 to 1, orders candidates by shared words and meaning; it is no probability',
        }),
        evidence: LineEvidence.nullable(),
        conversion: Conversion.nullable().meta({
          description:
            'How a unit of the line becomes units of the item; null where both have one unit, and where nothing converts',
        }),
        item_units: z.number().nullable().meta({
          description:
            "How many of the item's units one unit of a matched line holds, to 12 digits: 1000 for a line in t and an item in kg; null where one does not convert into the other",
        }),
        unit_price: z
          .strictObject({ amount: DecimalText, currency: Currency })
          .nullable()
          .meta({
            description:
              'Exact median price of one unit of a matched line, in major units to 8 decimals; null where the item ' +
              'has no median or the units do not convert',
          }),
        cost: z
          .strictObject({ cents: Cents, currency: Currency })
          .nullable()
          .meta({
            description:
              'Cost of the quantity at the exact median; null for an undecided line, and when quantity, price or ' +
              'units are not known',
          }),
        price_observed_at: Instant.nullable().meta({
          description:
            'When the newest price behind the unit price was observed; null without one, and of a past day, whose prices ' +
            'are not kept',
        }),
        price_is_old: z
          .boolean()
          .meta({ description: 'Whether that is more than 60 days before the day of the prices' }),
        alternatives: z.array(z.strictObject({ item: SearchResult, evidence: LineEvidence })),
      }),
    ),
    matched: Count,
    ambiguous: Count,
    unmatched: Count,
    prices: z
      .strictObject({
        region: z
          .string()
          .nullable()
          .meta({ description: 'The market, where lines name no other; null: the headline' }),
        as_of: Instant.meta({ description: 'The day of the prices' }),
        source_id: z.string().nullable().meta({ description: 'The source of all prices; null: medians' }),
      })
      .meta({ description: 'Which prices the lines have' }),
    mode: z.enum(['vector', 'fallback_no_ai']).meta({ description: 'fallback_no_ai: found by words only' }),
  })
  .meta({ id: 'MatchResponse' })
export type MatchResponse = z.infer<typeof MatchResponse>

/** Most lines of a request, and the lines that count as one search. */
export const LINES_MAX = 500
export const LINES_PER_SEARCH = 10
/** Above any real quantity, and exact to the millionth. */
export const QUANTITY_MAX = 1_000_000_000

const LineRegion = Market(
  'Only items that are sold in this region; the region of a line overrides that of the request',
).nullish()
const CODE =
  'Price the line by the item with this code of a recorded list or vendor, unless words, sizes or unit contradict it, or ' +
  'several items fit'
/** Lists are sources: bills name them loosely, so a word that is unknown names none. */
const CodeSource = (description: string) =>
  Text({ min: 1, max: 200, description: `${description}. Id of a source, or words of its name` })
    .meta({ examples: ['SINAPI'] })
    .nullish()
const PriceSource = Text({
  min: 1,
  max: 200,
  description: 'Price by the newest prices of this source alone: its id or name; absent: by medians',
})
  .meta({ examples: ['SINAPI insumos SP'] })
  .nullish()
export const MatchRequest = z
  .object(
    {
      lines: z
        .array(
          z.object(
            {
              text: Text({ min: 1, max: 512, description: 'The text of the line' }).meta({
                examples: ['cement 25 kg'],
              }),
              unit: Text({ min: 0, max: 100, description: 'Unit of the quantity' }).nullish(),
              quantity: z
                .number('expected a number above 0')
                .positive('expected a number above 0')
                .max(QUANTITY_MAX, `expected at most ${QUANTITY_MAX}`)
                .nullish(),
              region: LineRegion,
              code: Text({ min: 0, max: 100, description: CODE })
                .meta({ examples: ['SINAPI 88309'] })
                .nullish(),
              source: CodeSource('The list that holds the code; absent: the list of the request'),
            },
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
      as_of: InstantParameter('Price by the medians in force then; absent: now', { example: '2026-10-01' }).nullish(),
      price_source: PriceSource,
      lang: lang.unwrap().nullish(),
      source: CodeSource('The list that the codes of the lines belong to; absent: any that the catalog has'),
      alternatives: z
        .int('expected an integer from 0 to 10')
        .min(0, 'expected an integer from 0 to 10')
        .max(10, 'expected an integer from 0 to 10')
        .optional()
        .meta({ description: 'Most alternative items per line; absent: 3' }),
    },
    'expected a JSON object',
  )
  .meta({
    id: 'MatchRequest',
    examples: [
      { region: 'ES', lines: [{ text: 'cement 25 kg', unit: 'kg', quantity: 500 }, { text: 'pladur 13 mm' }] },
    ],
  })
export type MatchRequest = z.infer<typeof MatchRequest>
