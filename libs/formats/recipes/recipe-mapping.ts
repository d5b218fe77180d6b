import { z } from 'zod'

/** How a mapping reads the recipes of a price list: the components of each work, one row each. */

const Heading = z.string().min(1).max(500)
/** Spellings of kinds in one list. */
const KINDS_MAX = 100
/** Tables in which prices of components stand. */
const PRICE_TABLES_MAX = 10
const DECIMALS = 'expected a whole number from 0 to 12'
const Decimals = z.int({ error: DECIMALS }).min(0, { error: DECIMALS }).max(12, { error: DECIMALS }).nullable()

const RecipeColumns = z.strictObject({
  /** The reference of the work; a row that leaves it blank belongs to the work of the row before. */
  vendor_ref: Heading,
  /** The reference of the component; a row without one describes the work itself. */
  component_ref: Heading,
  /** How much of the component one unit of the work needs. */
  quantity: Heading,
  kind: Heading.optional(),
  name: Heading.optional(),
  unit: Heading.optional(),
  /** Of one unit of the component. */
  price: Heading.optional(),
  /** Of the work, on any of its rows. */
  declared_price: Heading.optional(),
})

const Rule = z.strictObject({
  /** Decimals of each line; null: not rounded. */
  line_decimals: Decimals.default(2),
  /** half: as a trader rounds; down: further decimals are cut off. */
  rounding: z.enum(['half', 'down'], { error: 'expected half or down' }).default('half'),
  /** On the sum of the lines: 0.276 for 27.6 %. */
  indirect_rate: z
    .union([z.string(), z.number()])
    .transform(String)
    .pipe(z.string().regex(/^\d(\.\d{1,12})?$/, { error: 'expected a share such as 0.276' }))
    .default('0'),
  /** Decimals of the price of the work; null: not rounded. */
  total_decimals: Decimals.default(2),
})

/** A table of the same file with a row for each component. */
const PRICE_TABLE = {
  /** The text of the column `kind` on lines of these components, whose codes are apart: a material and a work may share one. */
  of: Heading.optional(),
  columns: z.strictObject({
    ref: Heading,
    price: Heading,
    /** What the component is, where its lines do not say it; the texts of `kinds`. */
    kind: Heading.optional(),
  }),
}

/** What is wrong with the tables of prices; null for nothing. */
export function priceTablesProblem(
  recipes: Readonly<{ columns: RecipeColumns; prices?: readonly Readonly<{ of?: string | undefined }>[] | undefined }>,
): Readonly<{ path: readonly (string | number)[]; message: string }> | null {
  const at = (recipes.prices ?? []).findIndex(({ of }) => of !== undefined)
  if (at < 0 || recipes.columns.kind !== undefined) return null
  return { path: ['prices', at, 'of'], message: 'expected also columns.kind, whose text says which lines these are' }
}

/** The schema under `recipes` of a mapping. `reading`: the keys of a mapping that say how rows are read. */
export function recipeMapping<Reading extends z.ZodRawShape>(reading: Reading) {
  return z.strictObject({
    ...reading,
    columns: RecipeColumns,
    /** What the texts of the columns `kind` mean. */
    kinds: z
      .record(Heading, z.enum(['labor', 'machinery', 'material', 'auxiliary', 'waste', 'unclassified']))
      .refine((kinds) => Object.keys(kinds).length <= KINDS_MAX, { error: `expected at most ${KINDS_MAX}` })
      .optional(),
    /** How the publisher computes a price from the lines. */
    rule: Rule.optional(),
    /** Where prices of components stand if not on their rows. */
    prices: z
      .array(z.strictObject({ ...reading, ...PRICE_TABLE }))
      .max(PRICE_TABLES_MAX)
      .optional(),
  })
}
export type RecipeColumns = Readonly<z.infer<typeof RecipeColumns>>
export type MappedRule = Readonly<z.infer<typeof Rule>>
