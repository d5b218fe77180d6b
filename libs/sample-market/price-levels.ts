import { readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import { z } from 'zod'

export type ProductKind = z.infer<typeof ProductKind>
export const ProductKind = z.enum(['material', 'labour', 'machinery', 'work'])

export const { levels: PRICE_LEVELS, per_euro: PER_EURO } = z
  .strictObject({
    levels: z.record(z.string(), z.record(ProductKind, z.number())),
    per_euro: z.record(z.string(), z.number()),
  })
  .parse(load(readFileSync(new URL('price-levels.yaml', import.meta.url), 'utf8')))

/** Currencies without decimals in shops. */
export const WITHOUT_DECIMALS: ReadonlySet<string> = new Set(['CLP', 'COP'])

export const perEuro = (currency: string): number => PER_EURO[currency] ?? Number.NaN
