import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { instant } from '@catalog/core/time.ts'
import { withCheckDigit } from '@catalog/formats/mapping/text-checks.ts'
import type { KnownPrice } from './verdict.ts'

/** Every product is in each list. */
const PRODUCTS = 400
/** One product of so many has a new price in a turn. */
const MOVING = 4
const VENDORS = ['Northern Materials', 'Coast Supplies', 'Hill Builders'] as const
/** What every product is, and what readers search for. */
export const PRODUCT = 'Ceramic brick'
const FIRST_CENTS = 1_000

/** A list of one vendor. The vendors take turns; in one turn of all, each asks the same price for a product. */
export type PriceList = Readonly<{
  path: string
  vendor: string
  observedAt: string
  prices: readonly KnownPrice[]
  /** Whether all vendors ask the prices of this list now. */
  endsTurn: boolean
}>

/** Writes the n-th list (from 0) as seen at this instant, in whole seconds. */
export function writePriceList(folder: string, n: number, seenAt: Date): PriceList {
  const vendor = VENDORS[n % VENDORS.length] as string
  const observedAt = instant(new Date(Math.floor(seenAt.getTime() / 1000) * 1000))
  const turn = Math.floor(n / VENDORS.length)
  const prices = Array.from({ length: PRODUCTS }, (_, product) => ({
    ref: refOf(n % VENDORS.length, product),
    observedAt,
    cents: FIRST_CENTS + product + Math.floor((turn + product) / MOVING),
  }))
  const rows = prices.map(({ ref, cents }, product) =>
    [ref, nameOf(product), 'u', (cents / 100).toFixed(2), withCheckDigit(String(4_000_000 + product))].join(','),
  )
  const path = join(folder, `list-${n}.csv`)
  writeFileSync(path, `ref,name,unit,price,gtin\n${rows.join('\n')}\n`)
  return { path, vendor, observedAt, prices, endsTurn: n % VENDORS.length === VENDORS.length - 1 }
}

/** The price of each product in a list, by the product's name. */
export const askedIn = ({ prices }: PriceList): Map<string, number> =>
  new Map(prices.map(({ cents }, product) => [nameOf(product), cents]))

const refOf = (vendor: number, product: number) => `${vendor}-${product}`
const nameOf = (product: number) => `${PRODUCT} type ${product}`
