import { readDataFile } from '@catalog/core/data-file.ts'
import { z } from 'zod'

/** By region: the days on which a standard rate of value added tax began, ascending, each with the rate. */
const RATES = z
  .record(z.string(), z.record(z.iso.date(), z.string()))
  .parse(readDataFile(import.meta.url, 'standard-rates.yaml'))

/** Regions with a standard rate, sorted. */
export const VAT_REGIONS: readonly string[] = Object.keys(RATES).sort()

/** The region's standard rate at that instant as a fraction of the net price ("0.21"); null where none is known. */
export function standardVatRate(region: string | null, atMs: number): string | null {
  const rates = region === null ? undefined : STARTS.get(region)
  return rates?.findLast(({ fromMs }) => fromMs <= atMs)?.rate ?? null
}

const STARTS = new Map(
  Object.entries(RATES).map(([region, rates]) => [
    region,
    Object.entries(rates).map(([day, rate]) => ({ fromMs: Date.parse(day), rate })),
  ]),
)
