import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import { instant } from '@catalog/core/time.ts'
import { withCheckDigit } from '@catalog/formats/mapping/text-checks.ts'
import { nameOf as observationName } from '@catalog/stack/model/model.ts'
import { observation, registration, sourceNamed } from '@catalog/stack/testing/events.ts'

/** Every vendor has every product; a number of the product joins them to one item. */
export const PRODUCTS = 400
/** What every product is, and what readers search for. */
export const PRODUCT = 'Ceramic brick'
/** Vendors whose lists `catalog crawl` reads, and vendors whose prices a program appends. Weights make unequal medians. */
export const CRAWLED = ['Northern Materials', 'Coast Supplies', 'Hill Builders'] as const
export const STREAMED = ['River Depot', 'Valley Stores'] as const
const TRUST: Readonly<Record<string, number>> = {
  'Northern Materials': 60,
  'Coast Supplies': 25,
  'Hill Builders': 40,
  'River Depot': 35,
  'Valley Stores': 80,
}
const VENDORS = [...CRAWLED, ...STREAMED]
const REGION = 'ES'
const FIRST_CENTS = 1_000
/** Prices of one product stay within a few percent, so that no fence excludes one. */
const SPREAD_CENTS = 40

const nameOf = (product: number) => `${PRODUCT} type ${product}`
const gtinOf = (product: number) => withCheckDigit(String(4_000_000 + product))

/** What a vendor asks in a turn: a plain mixture, so that the middle vendor differs by product and turn. */
const centsOf = (vendor: string, product: number, turn: number) =>
  FIRST_CENTS + product + ((product * 7 + VENDORS.indexOf(vendor as never) * 13 + turn * 17) % SPREAD_CENTS)

/** A list of one vendor as seen at an instant. */
export type PriceList = Readonly<{ path: string; vendor: string; observedAt: string; observations: readonly string[] }>

/** Writes the n-th list (from 0), seen at this instant in whole seconds. The vendors take turns. */
export function writePriceList(folder: string, n: number, seenAt: Date): PriceList {
  const vendor = CRAWLED[n % CRAWLED.length] as string
  const observedAt = instant(new Date(Math.floor(seenAt.getTime() / 1000) * 1000))
  const cents = Array.from({ length: PRODUCTS }, (_, product) => centsOf(vendor, product, n))
  const rows = cents.map((asked, product) =>
    [`R${product}`, nameOf(product), 'u', (asked / 100).toFixed(2), gtinOf(product)].join(','),
  )
  const path = join(folder, `list-${n}.csv`)
  writeFileSync(path, `ref,name,unit,price,gtin\n${rows.join('\n')}\n`)
  const [source, atMs] = [sourceNamed(vendor, REGION).id, Date.parse(observedAt)]
  const observations = cents.map((asked, product) =>
    observationName({ source, ref: `R${product}`, atMs, cents: asked }),
  )
  return { path, vendor, observedAt, observations }
}

/** The arguments of `catalog crawl` for a list. */
export const crawlArguments = ({ path, vendor, observedAt }: PriceList) => [
  ...['crawl', path, '--source', vendor, '--region', REGION, '--currency', 'EUR'],
  ...['--trust', String(TRUST[vendor]), '--observed-at', observedAt],
]

/** The n-th events of a program that appends: products in turn, of one vendor, at an instant. */
export function streamed(n: number, count: number, at: Date): { vendor: string; events: ObservationRecorded[] } {
  const vendor = STREAMED[n % STREAMED.length] as string
  const first = Math.floor(n / STREAMED.length) * count
  const events = Array.from({ length: Math.min(count, PRODUCTS) }, (_, i) => {
    const product = (first + i) % PRODUCTS
    return observation({
      vendor,
      region: REGION,
      ref: `R${product}`,
      name: nameOf(product),
      unit: 'u',
      cents: centsOf(vendor, product, n),
      crawl: `stream-${n}`,
      at: instant(at),
      recordedAt: instant(at),
      more: {
        gtin: gtinOf(product),
        price: {
          cents: centsOf(vendor, product, n),
          currency: 'EUR',
          per_quantity: 1,
          tax: { included: null },
          kind: 'list',
        },
      },
    })
  })
  return { vendor, events }
}

export const registrations = () =>
  STREAMED.map((vendor) => registration({ vendor, region: REGION, trust: TRUST[vendor] as number }))
