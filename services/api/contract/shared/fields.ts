import { z } from 'zod'

/** Fields that several answers share. */

export const Id = (prefix: string, what: string) =>
  z.string().meta({
    description: `${what}: \`${prefix}\` and a unique suffix`,
    examples: [`${prefix}4pkz6qjxw2h7mtd3ruvy5cnaeo`],
  })
export const Instant = z.iso.datetime()
/** The edition of the price list that states a price. */
export const EditionStated = z.string().meta({
  description: 'Edition of the price list: a year, a month or a day; absent where the source states none',
  examples: ['2023', '2026-10'],
})
export const Count = z.int().min(0)
export const Currency = z.string().meta({ description: 'ISO 4217 code', examples: ['EUR'] })
export const DecimalText = z.string().meta({ description: 'A decimal number as text, exact', examples: ['2.06'] })
export const Cents = z.int().meta({ description: 'Minor units of the currency: 485 of EUR are 4.85 euros' })
export const MoneyAmount = z.strictObject({ cents: Cents, currency: Currency })

export const NextCursor = z
  .string()
  .nullable()
  .meta({ description: 'Send it as `cursor` for the next page; null when no page follows' })

export const Seq = Count.meta({ description: 'Number of a change within its feed: 1, 2, 3 and so on, without a gap' })
export const Sha256 = z.string().meta({ description: 'SHA-256, hexadecimal' })
export const Bytes = z.string().meta({ format: 'binary' })
export const Markdown = z.string().meta({ description: 'The item for language models' })

/** The facets that lists and searches share; `counted` describes what their counts count. */
export const facetShapes = (counted: { count: typeof Count }) => ({
  categories: z.array(z.strictObject({ id: z.string(), name: z.string(), ...counted })),
  kinds: z.array(z.strictObject({ kind: z.string(), ...counted })),
  units: z.array(z.strictObject({ unit: z.string(), ...counted })),
  currencies: z
    .array(z.strictObject({ currency: z.string(), ...counted, price_min: Cents, price_max: Cents }))
    .meta({ description: 'Of the prices as shown, with the lowest and the highest in cents' }),
})

/** Ids, a cursor and a generation of the examples. */
export const EXAMPLE = {
  item: 'ci_4pkz6qjxw2h7mtd3ruvy5cnaeo',
  category: 'cat_m5xwq2zk7hjd4ty6',
  source: 'src_7yqk2mzh4xwd6tjr',
  index: 'idx_h7yqk2mzh4xwd6tj',
  cursor: 'AWNpXzRwa3o2cWp4dzJoN210ZDNydXZ5NWNuYWVvh0Jm2nqX5Zs',
  gen: '5f0c1a2b3d4e6f70',
}
