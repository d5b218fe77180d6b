import { z } from 'zod'
import { Count, Currency, Decimal, event, Instant, text, wellFormed } from './fields.ts'
import { SourceRef } from './sources.ts'

const Decimals = z.int().min(0).max(12).nullable()
const RecipeComponent = z.object({
  position: Count,
  kind: z.enum(['labor', 'machinery', 'material', 'auxiliary', 'percentage', 'waste', 'unclassified']),
  vendor_ref: text(300),
  name: wellFormed(2000),
  unit: text(100).nullable(),
  factor: Decimal,
  yield: Decimal,
  price: Decimal.nullable(),
  /** References of the percentages that apply to the line, where the recipe names them; otherwise their masks decide. */
  percentages: z.array(text(300)).max(100).optional(),
})
export type RecipeComponent = Readonly<z.infer<typeof RecipeComponent>>

/** How the program that wrote a file computes prices from the lines of its recipes. */
export const RecipeRule = z.object({
  /** A percentage is a share of the lines before it; or, from one converter, price × yield like any other line. */
  percentages: z.enum(['share', 'price']),
  /** Decimals of each line; null: not rounded. */
  line_decimals: Decimals,
  /** How they are rounded: half away from zero unless it says down, which cuts further decimals off. */
  rounding: z.enum(['half', 'down']).optional(),
  /** Indirect cost on the sum of the lines: 0.05 for 5 %. */
  indirect_rate: Decimal,
  /** Decimals of the price; null: not rounded. */
  total_decimals: Decimals,
})
export type RecipeRule = Readonly<z.infer<typeof RecipeRule>>

export const RecipeRecorded = event('RecipeRecorded', {
  source: SourceRef,
  vendor_ref: text(300),
  unit: text(100).nullable(),
  components: z.array(RecipeComponent).max(10_000),
  declared_price: Decimal.nullable(),
  /** The rule of the whole file; absent when the prices of the file fit no rule. */
  rule: RecipeRule.optional(),
  currency: Currency,
  observed_at: Instant,
  crawl_id: text(100),
  /** Place of the recipe in its file. */
  position: text(600),
})
export type RecipeRecorded = Readonly<z.infer<typeof RecipeRecorded>>

/** A recipe without the fields that differ between the crawls that delivered it. */
export type Recipe = Omit<RecipeRecorded, 'type' | 'v' | 'event_id' | 'recorded_at' | 'crawl_id' | 'position'>
