import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** A pay item of a road department: its code, its name, and the unit as each of the three lettings spells it. */
export type PayItem = Readonly<{
  code: string
  name: string
  units: readonly [string, string, string]
  /** Middle of the bids, US cents per unit. */
  cents: number
}>

export const PAY_ITEMS: readonly PayItem[] = parse(readFileSync(new URL('./pay-items.yaml', import.meta.url), 'utf8'))
