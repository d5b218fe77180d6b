import { readDataFile } from '@catalog/core/data-file.ts'

/** The name of each subdivision of these countries, by the rest of its code. */
const TABLE = readDataFile(import.meta.url, 'subdivisions.yaml') as Readonly<Record<string, Record<string, string>>>

/** The name of each subdivision, by its code ("BR-SP"). */
export const SUBDIVISIONS: ReadonlyMap<string, string> = new Map(
  Object.entries(TABLE).flatMap(([country, names]) =>
    Object.entries(names).map(([code, name]) => [`${country}-${code}`, name] as const),
  ),
)
/** The countries whose subdivisions are markets. */
export const SUBDIVIDED: readonly string[] = Object.keys(TABLE)

export const isSubdivision = (region: string): boolean => SUBDIVISIONS.has(region)

/** The country of a region: that of a subdivision, or the region itself. */
export function countryOf(region: string): string {
  return isSubdivision(region) ? region.slice(0, 2) : region
}
