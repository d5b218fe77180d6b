import {
  CanonicalItem,
  DecompositionQuery,
  DecompositionResponse,
  ExtendedItemDetailResponse,
  ExtendedSearchResponse,
  ItemQuery,
  ListCategoriesQuery,
  ListCategoriesResponse,
  MatchRequest,
  MatchResponse,
  SearchQuery,
} from '@catalog/api/contract/contract.ts'
import { described } from '@catalog/api/contract/shared/described.ts'
import { Count } from '@catalog/api/contract/shared/fields.ts'
import { Cursor, EXTENSION, pageLimit, refusePriceRange } from '@catalog/api/contract/shared/parameters.ts'
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { z } from 'zod'

/**
 * Inputs and outputs of the tools: the shapes of REST with one region, in pages, and with sources beside prices. Inputs are
 * strict, so that an agent notices a misspelled filter: see arguments.ts.
 */

/** The longest path segment that the API accepts. */
const ID_CHARS_MAX = 100
const ItemId = z
  .string('expected an item id')
  .max(ID_CHARS_MAX, `expected at most ${ID_CHARS_MAX} characters`)
  .meta({ description: 'Item id (`ci_`...), as search_catalog gives it' })

/** Agents send numbers where a REST address has text. */
const asText = (value: unknown) => (typeof value === 'number' ? String(value) : value)

/** A parameter of REST in words for agents. */
const worded = <Parameter extends z.ZodType>(parameter: Parameter, description: string) =>
  parameter.meta({ description })

const NextCursor = worded(Cursor, 'The next_cursor of the page before, with the same arguments; absent: the first page')

const { shape: search } = SearchQuery
export const SearchInput = z
  .strictObject({
    q: search.q,
    limit: search.limit.meta({ description: 'Results at most' }),
    region: worded(
      search.region,
      `Only items that are sold in this region, priced by its median; absent: any, by the headline. ${EXTENSION}`,
    ),
    category: worded(search.category_id, 'Id of a category (list_categories): only items in it, or in any below it'),
    lang: worded(search.lang, 'Name items in this language (pt, pt-BR); absent: as the region does'),
    kind: worded(search.kind, 'Only materials, labour, machinery, hire, or works'),
    unit: worded(search.unit, 'Only items sold in this unit: m2, kg, 25 kg'),
    currency: worded(search.currency, 'Only items whose median is in this currency: EUR'),
    source: worded(search.source, 'Only items that this source sells (id of a source)'),
    price_min: z.preprocess(asText, search.price_min),
    price_max: z.preprocess(asText, search.price_max),
    cursor: search.cursor,
  })
  .superRefine(refusePriceRange)

export const ItemInput = z.strictObject({
  id: ItemId,
  region: worded(
    ItemQuery.shape.price_region,
    `Price by the median of this region; absent: the headline. ${EXTENSION}`,
  ),
  lang: worded(ItemQuery.shape.lang, 'Name the item in this language (pt, pt-BR); absent: as the region does'),
  cursor: NextCursor,
  limit: pageLimit({ max: 100, ifAbsent: 20, counted: 'vendors' }),
})

export const CategoriesInput = ListCategoriesQuery.pick({ parent: true, cursor: true })
  .extend({ limit: ListCategoriesQuery.shape.limit.meta({ description: 'Categories at most' }) })
  .strict()

export const DecompositionInput = z.strictObject({
  id: ItemId,
  ...DecompositionQuery.shape,
  quantity: z.preprocess(asText, DecompositionQuery.shape.quantity),
  cursor: NextCursor,
  limit: pageLimit({ max: 100, ifAbsent: 50, counted: 'lines of its first level' }),
})

/** Characters of the file of a bill: a workbook of some thousand lines. */
const BILL_CHARS_MAX = 1_000_000
const BillContent = z.string().max(BILL_CHARS_MAX, `expected at most ${BILL_CHARS_MAX} characters`).optional()
const { lines, price_region: _, alternatives, ...billOptions } = MatchRequest.shape
export const BillInput = z
  .strictObject({
    ...described('BillInput', { ...billOptions, lines: lines.optional(), text: BillContent, base64: BillContent }),
    // A line with the longest names of more items would not fit an answer.
    alternatives: alternatives.unwrap().max(3, 'expected an integer from 0 to 3').optional(),
    cursor: NextCursor,
    limit: pageLimit({ max: 50, ifAbsent: 20, counted: 'lines' }),
  })
  .superRefine(({ lines, text, base64 }, context) => {
    if ([lines, text, base64].filter((one) => one !== undefined).length !== 1)
      context.addIssue({ code: 'custom', path: ['lines'], message: 'expected lines, text or base64, and one alone' })
  })

/** The source of a price, and when it was seen. */
const Citation = z
  .strictObject({
    id: z.string().meta({ description: 'Of the item, or of the vendor SKU, whose price it is' }),
    source: z.string(),
    url: z.string().nullable(),
    observed_at: CanonicalItem.shape.updated_at
      .nullable()
      .meta({ description: 'Of a vendor’s price when it was observed; of a median since when it is in force' }),
  })
  .meta({ id: 'Citation' })
export type Citation = z.infer<typeof Citation>

/** Of what REST answers whole. */
const paged = {
  next_cursor: z.string().optional().meta({ description: 'Send it as `cursor` for the next page; absent at the end' }),
}

const cited = { citations: z.array(Citation).meta({ description: 'The source of every price in the answer' }) }

export const SearchOutput = z.strictObject({ ...ExtendedSearchResponse.shape, ...cited })
/** Pages of GET /items/{id}: its vendor prices already name their sources. */
export const ItemOutput = z.strictObject({ ...ExtendedItemDetailResponse.shape, ...paged })
const { lines: matchedLines, prices } = MatchResponse.shape
/** Pages of POST /match; the lines of a file keep what the file says of them. */
export const BillOutput = z.strictObject({
  ...described('BillOutput', { line_count: Count }),
  lines: z.array(
    matchedLines.element.extend(
      described('BillOutput.lines', {
        position: z.string().optional(),
        code: z.string().nullish(),
        quantity: z.union([z.string(), z.number()]).nullish(),
        unit: z.string().nullish(),
        problem: z.string().nullish(),
      }),
    ),
  ),
  prices,
  ...paged,
  ...cited,
})
export const CategoriesOutput = z.strictObject(ListCategoriesResponse.shape)
export const DecompositionOutput = z.strictObject({ ...DecompositionResponse.shape, ...paged, ...cited })

/**
 * Adapts a schema to the protocol's library. Makes its JSON Schema once, because every request creates a server. The library
 * validates inputs alone: outputs come from REST, whose tests hold the shapes, and tools read their arguments themselves, for
 * errors in the words of REST.
 */
export function wireSchema<Schema extends z.ZodType>(
  schema: Schema,
  io: 'input' | 'output',
  { isReadByTool = false } = {},
): StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>> {
  const json = jsonSchemaOf(schema, io)
  const { '~standard': standard } = schema
  const isValidated = io === 'input' && !isReadByTool
  return {
    '~standard': {
      version: 1,
      vendor: 'zod',
      validate: isValidated ? standard.validate : (value) => ({ value: value as z.output<Schema> }),
      jsonSchema: { input: () => json, output: () => json },
    },
  }
}

function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const json = z.toJSONSchema(schema, {
    io,
    /**
     * Removes keywords that zod adds: JavaScript's integer bounds, the 300-character date pattern, and closed outputs.
     */
    override({ jsonSchema }) {
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    },
  })
  return JSON.parse(JSON.stringify(json), oneTypeEach) as Record<string, unknown>
}

/** Splits a list of types into alternatives, for clients whose fields have one type each. */
function oneTypeEach(_key: string, schema: unknown): unknown {
  const { type, ...others } = Object(schema) as { type?: unknown }
  return Array.isArray(type) ? { ...others, anyOf: type.map((one: unknown) => ({ type: one })) } : schema
}
