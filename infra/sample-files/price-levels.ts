import { readDataFile } from '@catalog/core/data-file.ts'
import { z } from 'zod'

export type ProductKind = z.infer<typeof ProductKind>
export const ProductKind = z.enum(['material', 'labour', 'machinery', 'work'])

export const { levels: PRICE_LEVELS, per_euro: PER_EURO } = z
  .strictObject({
    levels: z.record(z.string(), z.record(ProductKind, z.number())),
    per_euro: z.record(z.string(), z.number()),
  })
  .parse(readDataFile(import.meta.url, 'price-levels.yaml'))

/** Currencies without decimals in shops. */
export const WITHOUT_DECIMALS: ReadonlySet<string> = new Set(['CLP', 'COP'])

export const perEuro = (currency: string): number => PER_EURO[currency] ?? Number.NaN
