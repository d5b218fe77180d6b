import { described, openShape, shape } from '@catalog/api/contract/shared/described.ts'
import { Count, facetShapes, NextCursor } from '@catalog/api/contract/shared/fields.ts'
import {
  Cursor,
  InstantParameter,
  include,
  lang,
  Market,
  pageLimit,
  priceRegion,
  refusePriceRange,
  shownFilters,
  Text,
  Words,
} from '@catalog/api/contract/shared/parameters.ts'
import { additionsTo } from '@catalog/api/contract/shared/responses.ts'
import { matchKeys } from '@catalog/core/matching/match.ts'
import { expectedName } from '@catalog/core/text.ts'
import { z } from 'zod'
import { CanonicalItem } from './items.ts'
import { PublicApiMeta } from './keys.ts'

/** Lists of items: filters, orders, chosen fields and counts. */

const Exact = z.boolean().meta({ description: 'false: the numbers are at least so large' })
const Counted = { count: Count.meta({ description: 'Items with it, on all pages' }) }

const ListFacets = shape('ListFacets', {
  count: Count,
  exact: Exact,
  ...facetShapes(Counted),
  regions: z.array(z.strictObject({ region: z.string(), ...Counted })),
}).meta({ id: 'ListFacets', description: 'The most frequent values first, at most 20 of each' })
export type ListFacets = z.infer<typeof ListFacets>

export const ListItemsResponse = z
  .strictObject({ items: z.array(CanonicalItem), cursor: NextCursor, meta: PublicApiMeta })
  .meta({ id: 'ListItemsResponse' })

/** A page with what `include` names, or of `ids`. */
export const ExtendedListItemsResponse = ListItemsResponse.extend(
  described('ExtendedListItemsResponse', {
    total: z.strictObject({ count: Count, exact: Exact }).optional(),
    facets: ListFacets.optional(),
    not_found: z.array(z.string()).optional(),
    merged: z.array(z.strictObject({ id: z.string(), merged_into: z.string() })).optional(),
  }),
).meta({ id: 'ExtendedListItemsResponse', ...additionsTo(ListItemsResponse) })

/** The fields of an item that `fields` may leave out; the others are always there, as its schema requires. */
const ITEM_FIELDS = Object.keys(CanonicalItem.shape)
const REQUIRED_FIELDS = ITEM_FIELDS.filter(isRequired)
function isRequired(name: string): boolean {
  return !(CanonicalItem.shape as Record<string, z.ZodType>)[name]?.safeParse(undefined).success
}

const FIELD = `(${ITEM_FIELDS.join('|')})`
const fields = z
  .string('expected names of fields')
  .superRefine((value, context) => {
    const unknown = value.split(',').find((name) => !ITEM_FIELDS.includes(name))
    if (unknown === undefined) return
    const shown = JSON.stringify(unknown.slice(0, 100))
    context.addIssue(`field ${shown}: ${expectedName(unknown, ITEM_FIELDS)}`)
  })
  .transform((value) => [...new Set([...REQUIRED_FIELDS, ...value.split(',')])])
  .meta({
    description: `Read less: only these fields of each item, separated by commas. ${REQUIRED_FIELDS.map((name) => `\`${name}\``).join(', ')} are always there`,
    pattern: `^${FIELD}(,${FIELD})*$`,
    examples: ['id,name,median_price'],
  })
  .optional()

/** Ids of one request. */
const IDS_MAX = 100
const IDS_EXPECTED = `expected 1 to ${IDS_MAX} item ids of at most 100 characters, separated by commas`
const ids = z
  .string(IDS_EXPECTED)
  .regex(new RegExp(`^[^,]{1,100}(,[^,]{1,100}){0,${IDS_MAX - 1}}$`), IDS_EXPECTED)
  .transform((value) => [...new Set(value.split(',').map((id) => id.trim()))])
  .meta({
    description: `Read many items in one request: these, at most ${IDS_MAX} ids separated by commas: all on one page, in the order of the ids, each once. Merged items answer as the item into which they were merged (\`merged\`); ids of no item stand in \`not_found\`. No filter, \`sort\`, \`cursor\` or count beside it; \`limit\` does not matter`,
    examples: ['ci_4pkz6qjxw2h7mtd3ruvy5cnaeo,ci_2h7mtd3ruvy5cnaeo4pkz6qjxw'],
  })
  .optional()

const CPV_EXPECTED = 'expected the first 2 to 8 digits of a CPV code, or all 8 with the check digit (45262311-4)'
const cpv = z
  .string(CPV_EXPECTED)
  .regex(/^([0-9]{2,8}|[0-9]{8}-[0-9])$/, CPV_EXPECTED)
  // The first eight digits name the class; vendors write the check digit or leave it out.
  .transform((value) => value.slice(0, 8))
  .optional()

/** The key of the matcher for a GTIN or a manufacturer's reference; undefined for one that identifies no product. */
export function identifyingKey(code: { gtin: string } | { manufacturerRef: string }): string | undefined {
  const product = { vendorSkuId: '', sourceId: '', name: '', unit: null, ...code }
  return matchKeys(product).find((key) => key.startsWith('gtin' in code ? 'gtin:' : 'ref:'))
}

const GTIN_EXPECTED =
  'expected 8, 12, 13 or 14 digits with a right check digit, of a number that is not for use within one shop'
const gtin = z
  .string(GTIN_EXPECTED)
  .regex(/^([0-9]{8}|[0-9]{12,14})$/, GTIN_EXPECTED)
  .refine((value) => identifyingKey({ gtin: value }) !== undefined, GTIN_EXPECTED)
  .optional()

const REF_EXPECTED = 'expected 5 or more letters and digits, with at least one digit'
const manufacturerRef = Text({ min: 5, max: 200 })
  .refine((value) => identifyingKey({ manufacturerRef: value }) !== undefined, REF_EXPECTED)
  .optional()

export const SORTS = ['id', 'updated', '-updated', 'name', 'price', '-price'] as const

const WITHOUT_IDS = [
  ...['region', 'q', 'cursor', 'category_id', 'kind', 'unit', 'currency', 'source', 'price_min', 'price_max'],
  ...['updated_since', 'gtin', 'cpv', 'manufacturer_ref'],
]

/** Filters of lists and exports; with {@link refusePriceRange}. */
export const soldFilters = described('soldFilters', {
  region: Market('See one market: only items that are sold in this region').optional(),
  q: Words({ min: 2, max: 64 }).optional(),
})
export const groupFilters = described('groupFilters', {
  ...shownFilters,
  updated_since: InstantParameter({ isLowest: true }).optional(),
  gtin,
  manufacturer_ref: manufacturerRef,
  cpv,
})

export const ListItemsQuery = openShape('ListItemsQuery', {
  ...soldFilters,
  cursor: Cursor,
  limit: pageLimit({ max: 100, ifAbsent: 50, counted: 'items' }),
  price_region: priceRegion,
  lang,
  sort: z
    .enum(SORTS, `expected one of ${SORTS.join(', ')}`)
    .default('id')
    .meta({
      examples: ['updated'],
      'x-enum-varnames': SORTS.map((sort) => sort.replace(/^-(.*)/, '$1_desc')),
    }),
  ...groupFilters,
  ids,
  fields,
  include: include({
    total: 'how many items the filters select, on all pages',
    facets: 'how many of them are of each category, kind, unit, currency and region, to offer filters',
  }),
})
  .superRefine(refusePriceRange)
  .superRefine(({ sort, currency, region, price_region }, context) => {
    if ((sort !== 'price' && sort !== '-price') || (currency ?? region ?? price_region) !== undefined) return
    context.addIssue({ code: 'custom', path: ['sort'], message: 'expected currency, region or price_region beside it' })
  })
  .superRefine((query, context) => {
    if (query.ids === undefined) return
    const given = WITHOUT_IDS.filter((name) => (query as Record<string, unknown>)[name] !== undefined)
    if (query.sort !== 'id') given.push('sort')
    if (query.include !== undefined) given.push('include')
    for (const name of given) context.addIssue({ code: 'custom', path: [name], message: 'expected none beside ids' })
  })
export type ListItemsQuery = z.infer<typeof ListItemsQuery>
