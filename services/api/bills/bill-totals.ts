import { compareText } from '@catalog/core/text.ts'
import { soldUnit } from '@catalog/core/units/sold-unit.ts'
import type { MatchedLine } from './matched-line.ts'

/** How much of a bill has a price, and what that part costs. */
export type BillTotals = Readonly<{
  /** Lines with a cost, and their share of all lines, 0 to 1. */
  priced: number
  priced_share: number
  /** How much of the quantities is priced, by unit: quantities of two units have no sum. */
  quantities: readonly Readonly<{ unit: string; quantity: number; priced: number; priced_share: number }>[]
  /** Sums of costs by currency. */
  costs: { cents: number; currency: string }[]
}>

export function billTotals(lines: readonly MatchedLine[]): BillTotals {
  const costs = lines.flatMap(({ cost }) => (cost ? [cost] : []))
  const byCurrency = Map.groupBy(costs, ({ currency }) => currency)
  const counted = lines.filter(({ quantity }) => quantity !== null)
  const byUnit = Map.groupBy(counted, ({ unit }) => soldUnit({ unit }).label ?? unit ?? '')
  const sum = (of: readonly MatchedLine[]) =>
    Number(of.reduce((total, { quantity }) => total + Number(quantity), 0).toFixed(6))
  return {
    priced: costs.length,
    priced_share: share(costs.length, lines.length),
    quantities: [...byUnit]
      .map(([unit, of]) => {
        const [quantity, priced] = [sum(of), sum(of.filter(({ cost }) => cost !== null))]
        return { unit, quantity, priced, priced_share: share(priced, quantity) }
      })
      .sort((a, b) => compareText(a.unit, b.unit)),
    costs: [...byCurrency]
      .map(([currency, all]) => ({ cents: all.reduce((sum, { cents }) => sum + cents, 0), currency }))
      .sort((a, b) => compareText(a.currency, b.currency)),
  }
}

/** To three decimals; 0 of nothing. */
const share = (part: number, whole: number) => (whole > 0 ? Math.round((part / whole) * 1_000) / 1_000 : 0)
