import { z } from 'zod'

export type ProductKind = z.infer<typeof ProductKind>
export const ProductKind = z.enum(['material', 'labour', 'machinery', 'work'])

/** Invented price level of a region relative to Spain, by kind of product: labour differs most. */
export const PRICE_LEVELS: Readonly<Record<string, Readonly<Record<ProductKind, number>>>> = {
  ES: { material: 1, labour: 1, machinery: 1, work: 1 },
  PT: { material: 0.95, labour: 0.72, machinery: 0.9, work: 0.82 },
  FR: { material: 1.16, labour: 1.65, machinery: 1.2, work: 1.4 },
  DE: { material: 1.18, labour: 1.75, machinery: 1.25, work: 1.45 },
  EU: { material: 1.1, labour: 1.35, machinery: 1.1, work: 1.2 },
  GB: { material: 1.2, labour: 1.9, machinery: 1.3, work: 1.55 },
  US: { material: 1.25, labour: 2.6, machinery: 1.4, work: 1.9 },
  MX: { material: 0.88, labour: 0.3, machinery: 0.75, work: 0.55 },
  BR: { material: 0.85, labour: 0.28, machinery: 0.72, work: 0.52 },
  AR: { material: 0.95, labour: 0.4, machinery: 0.85, work: 0.62 },
  CL: { material: 0.94, labour: 0.42, machinery: 0.85, work: 0.65 },
  CO: { material: 0.84, labour: 0.26, machinery: 0.72, work: 0.5 },
  PE: { material: 0.82, labour: 0.27, machinery: 0.7, work: 0.5 },
  UY: { material: 1.08, labour: 0.5, machinery: 0.95, work: 0.75 },
  LATAM: { material: 1, labour: 0.35, machinery: 0.85, work: 0.6 },
}

/** Units of a currency for one euro. They turn invented euro prices into local ones, and never apply to real prices. */
export const PER_EURO: Readonly<Record<string, number>> = {
  EUR: 1,
  USD: 1.15,
  GBP: 0.87,
  MXN: 21.4,
  BRL: 6.2,
  ARS: 1650,
  CLP: 1090,
  COP: 4480,
  PEN: 3.95,
  UYU: 46.2,
}

/** Currencies without decimals in shops. */
export const WITHOUT_DECIMALS: ReadonlySet<string> = new Set(['CLP', 'COP'])

export function perEuro(currency: string): number {
  return PER_EURO[currency] ?? Number.NaN
}
