import { openShape, shape } from '@catalog/api/contract/shared/described.ts'
import { Bytes, Count, Currency, DecimalText, Id, Instant } from '@catalog/api/contract/shared/fields.ts'
import { Integer, Key, Market } from '@catalog/api/contract/shared/parameters.ts'
import { z } from 'zod'
import { CanonicalItem } from './items.ts'

/** Exact, as text: FIEBDC prices have more decimals than cents, so a float would round them. */

const LinkedItem = z.strictObject({
  id: Id('ci_', 'Item id'),
  name: z.string(),
  unit: z.string().nullish(),
  median_price: CanonicalItem.shape.median_price,
})

const lineWithoutChildren = shape('DecompositionLine', {
  position: Count,
  kind: z.enum(['labor', 'machinery', 'material', 'auxiliary', 'percentage', 'waste', 'unclassified']),
  code: z.string(),
  name: z.string(),
  unit: z.string().nullable(),
  factor: DecimalText,
  yield: DecimalText,
  quantity: DecimalText,
  unit_price: DecimalText.nullable(),
  price_basis: z.enum(['file', 'recipe']).nullable(),
  base_amount: DecimalText.nullable(),
  amount: DecimalText.nullable(),
  item: LinkedItem.nullable(),
  now: shape('DecompositionLine.now', {
    basis: z.enum(['item', 'components']),
    unit_price: DecimalText.nullable(),
    amount: DecimalText,
  }).nullable(),
  omitted: z.enum(['depth', 'size', 'cycle']).nullable(),
})

/** One line of a recipe. An auxiliary has the lines of its own recipe below it. */
export type DecompositionLine = z.infer<typeof lineWithoutChildren> & { children: DecompositionLine[] }
const DecompositionLine: z.ZodType<DecompositionLine> = lineWithoutChildren
  .extend({
    get children() {
      return z.array(DecompositionLine)
    },
  })
  .meta({ id: 'DecompositionLine' })

const RecipeHead = shape('RecipeHead', {
  vendor_sku_id: Id('vsku_', 'Vendor SKU id'),
  vendor_ref: z.string(),
  unit: z.string().nullable(),
  currency: Currency,
  declared_price: DecimalText.nullable(),
  observed_at: Instant,
  source: z.strictObject({
    id: Id('src_', 'Source id'),
    name: z.string(),
    region: z.string().nullable(),
    trust_score: z.int().min(0).max(100),
    url: z.string().nullable(),
  }),
}).meta({ id: 'RecipeHead' })

const amountsByKind = {
  labor: DecimalText,
  machinery: DecimalText,
  material: DecimalText,
  auxiliary: DecimalText,
  percentage: DecimalText,
  waste: DecimalText,
  unclassified: DecimalText,
}

/** The recipe of an item. */
export const DecompositionResponse = shape('DecompositionResponse', {
  item: LinkedItem,
  recipe: RecipeHead,
  alternatives: z.array(RecipeHead),
  region: z.string().nullable(),
  quantity: DecimalText,
  lines: z.array(DecompositionLine),
  totals: shape('DecompositionResponse.totals', {
    ...amountsByKind,
    indirect: DecimalText,
    total: DecimalText,
  }),
  resources: z.strictObject(amountsByKind),
  computed_price: DecimalText.nullable(),
  difference: DecimalText.nullable(),
  reconciles: z.boolean().nullable(),
  rule: z.string(),
  now: shape('DecompositionResponse.now', {
    total: DecimalText,
    at_file_prices: DecimalText,
    priced_lines: Count,
    lines: Count,
  }).nullable(),
  warnings: z.array(z.string()),
  truncated: z.boolean(),
}).meta({ id: 'Decomposition' })
export type Decomposition = z.infer<typeof DecompositionResponse>

const QUANTITY_EXPECTED = 'expected a decimal such as 12.5, of at most 9 digits before the point and 6 behind'
export const DecompositionQuery = openShape('DecompositionQuery', {
  depth: Integer({ min: 1, max: 50, ifAbsent: 10 }),
  region: Market('Cost the work in one market: recipes of this region go first, and medians are its own').optional(),
  quantity: z
    .string(QUANTITY_EXPECTED)
    .regex(/^[0-9]{1,9}(\.[0-9]{1,6})?$/, QUANTITY_EXPECTED)
    .default('1'),
  source: Key.optional(),
})
export const PriceBook = Bytes.meta({ format: 'binary', description: 'A file of FIEBDC-3/2020 (BC3), windows-1252' })
