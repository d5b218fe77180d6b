import { Bytes, Count, Currency, DecimalText, EXAMPLE, Id, Instant } from '@catalog/api/contract/shared/fields.ts'
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

/** One line of a recipe. An auxiliary has the lines of its own recipe below it. */
const DecompositionLine = z
  .strictObject({
    position: Count.meta({ description: 'Position in its recipe, from 1' }),
    kind: z.enum(['labor', 'machinery', 'material', 'auxiliary', 'percentage', 'waste', 'unclassified']).meta({
      description: 'auxiliary: has its own recipe; percentage: a share of the amounts before it',
    }),
    code: z.string().meta({ description: 'The vendor’s own reference', examples: ['M001'] }),
    name: z.string(),
    unit: z.string().nullable(),
    factor: DecimalText,
    yield: DecimalText.meta({ description: 'Quantity per unit of the recipe' }),
    quantity: DecimalText.meta({
      description: 'For the requested quantity of the item; for a percentage, its rate per 1',
    }),
    unit_price: DecimalText.nullable().meta({ description: 'In the currency of the recipe; null when unknown' }),
    price_basis: z.enum(['file', 'recipe']).nullable().meta({
      description: 'file: the price in the file; recipe: computed from the lines below, because the file has none',
    }),
    base_amount: DecimalText.nullable().meta({ description: 'For a percentage: the amount that it is a share of' }),
    amount: DecimalText.nullable(),
    item: LinkedItem.nullable().meta({ description: 'The item that the component is matched with' }),
    now: z
      .strictObject({
        basis: z.enum(['item', 'components']).meta({
          description:
            'item: the median of the item, converted to the unit of the line; components: the medians of the lines ' +
            'below',
        }),
        unit_price: DecimalText.nullable(),
        amount: DecimalText,
      })
      .nullable()
      .meta({ description: 'Cost today; null where no median gives one' }),
    get children() {
      return z.array(DecompositionLine)
    },
    omitted: z.enum(['depth', 'size', 'cycle']).nullable().meta({
      description: 'Why an auxiliary has no lines here: deeper than `depth`, too many lines, or part of itself',
    }),
  })
  .meta({ id: 'DecompositionLine' })
export type DecompositionLine = z.infer<typeof DecompositionLine>

const RecipeHead = z
  .strictObject({
    vendor_sku_id: Id('vsku_', 'Vendor SKU id'),
    vendor_ref: z.string(),
    unit: z.string().nullable().meta({ description: 'The unit that the recipe makes' }),
    currency: Currency,
    declared_price: DecimalText.nullable().meta({ description: 'null: the file leaves the price to its recipe' }),
    observed_at: Instant,
    source: z.strictObject({
      id: Id('src_', 'Source id'),
      name: z.string(),
      region: z.string().nullable(),
      trust_score: z.int().min(0).max(100),
      url: z.string().nullable(),
    }),
  })
  .meta({ id: 'RecipeHead' })

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
export const DecompositionResponse = z
  .strictObject({
    item: LinkedItem,
    recipe: RecipeHead,
    alternatives: z.array(RecipeHead).meta({ description: 'Other recipes of the item: `source` chooses one' }),
    region: z.string().nullable(),
    quantity: DecimalText,
    lines: z.array(DecompositionLine),
    totals: z
      .strictObject({
        ...amountsByKind,
        indirect: DecimalText.meta({ description: 'Indirect cost of the lines, and the rounding of the total' }),
        total: DecimalText,
      })
      .meta({ description: 'Amounts of the lines by kind, for the requested quantity' }),
    resources: z.strictObject(amountsByKind).meta({
      description:
        'The lines with auxiliaries resolved into their components, without indirect cost; `auxiliary` holds the ' +
        'unresolved ones',
    }),
    computed_price: DecimalText.nullable().meta({
      description: 'Price of one unit by its lines and the rule; null when a line has no price',
    }),
    difference: DecimalText.nullable().meta({ description: 'computed_price − declared_price' }),
    reconciles: z.boolean().nullable().meta({
      description: 'Whether the declared price equals that of the recipe, within one unit of its last decimal',
    }),
    rule: z.string().meta({
      description:
        'How the price is computed: by the rule that most recipes of the file are found to follow. Decimals of the ' +
        'lines, then, where there are such, indirect cost in per cent, other decimals of the total, percentages ' +
        'that are prices',
      examples: ['line_rounded_2', 'line_rounded_2_with_ci_5_total_0', 'unrounded'],
    }),
    now: z
      .strictObject({
        total: DecimalText.meta({ description: 'At today’s medians, other lines at the file’s prices' }),
        at_file_prices: DecimalText.meta({ description: 'The part of the total at the file’s prices' }),
        priced_lines: Count.meta({ description: 'Lines, percentages aside, that a median prices, at least in part' }),
        lines: Count.meta({ description: 'Lines, percentages aside' }),
      })
      .nullable()
      .meta({ description: 'In the currency of the recipe; null where no median prices any line' }),
    warnings: z.array(z.string()).meta({ description: 'For people: caveats of the numbers' }),
    truncated: z.boolean().meta({ description: 'Some lines are missing: see `omitted`' }),
  })
  .meta({ id: 'Decomposition' })
export type Decomposition = z.infer<typeof DecompositionResponse>

const QUANTITY_EXPECTED = 'expected a decimal such as 12.5, of at most 9 digits before the point and 6 behind'
export const DecompositionQuery = z.object({
  depth: Integer({ min: 1, max: 50, ifAbsent: 10 }).meta({
    description: 'See the outline or every detail: how many levels of lines to answer with',
    examples: [2],
  }),
  region: Market('Cost the work in one market: recipes of this region go first, and medians are its own').optional(),
  quantity: z
    .string(QUANTITY_EXPECTED)
    .regex(/^[0-9]{1,9}(\.[0-9]{1,6})?$/, QUANTITY_EXPECTED)
    .default('1')
    .meta({ description: 'Cost your own amount: how much of the unit of the recipe', examples: ['12.5'] }),
  source: Key('Choose between several recipes: the one of the source of this id', EXAMPLE.source).optional(),
})
export const PriceBook = Bytes.meta({ format: 'binary', description: 'A file of FIEBDC-3/2020 (BC3), windows-1252' })
