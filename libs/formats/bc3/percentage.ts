import { isShare } from '@catalog/formats/vocabulary/unit-price.ts'

/** A percentage that its unit alone shows: old programs compute it as any other line. */
export const isPercentageByUnit = (concept: Readonly<{ code: string; unit: string }>) =>
  isPercentage(concept) && !/[%&]/.test(concept.code)

/** Whether a component is a share of the lines before it instead of a concept with a price: by its code, or by its unit. */
export function isPercentage({ code, unit }: Readonly<{ code: string; unit: string }>): boolean {
  return code.includes('%') || code.includes('&') || isShare(unit)
}
