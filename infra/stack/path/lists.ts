import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withCheckDigit } from '@catalog/formats/mapping/text-checks.ts'

/**
 * Writes price lists of three vendors into a new folder for whole-path tests: `first` (CSV, two vendors) and `second`
 * (JSONL, the third) of one week, `third` (CSV, all three) of the next. They resemble real lists: quantity prices,
 * repeated and contradictory lines, goods that come and go. `lone` has one good in the words of two other vendors.
 * `mapping` reads them all: their columns name the vendors.
 */
export function writeLists(folder: string): Record<'first' | 'second' | 'third' | 'lone' | 'mapping', string> {
  mkdirSync(folder)
  const list = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const [north, south, coast] = VENDORS
  return {
    first: list('week-1.csv', csvOf([...offersOf(north, 1), ...offersOf(south, 1)])),
    second: list('week-1.jsonl', jsonlOf(offersOf(coast, 1))),
    third: list('week-2.csv', csvOf(VENDORS.flatMap((vendor) => offersOf(vendor, 2)))),
    lone: list('lone.csv', csvOf(LONE_OFFERS)),
    mapping: list('lists.mapping.json', JSON.stringify(MAPPING)),
  }
}

type Vendor = Readonly<{ name: string; region: string; trust: number; factor: number }>
const VENDORS = [
  { name: 'Almacenes Norte', region: 'ES', trust: 80, factor: 100 },
  { name: 'Obras del Sur', region: 'ES', trust: 60, factor: 112 },
  { name: 'Materiais da Costa', region: 'PT', trust: 35, factor: 93 },
] as const satisfies Vendor[]

/** One good of two vendors, which nothing but a person can know. */
export const LONE_GOODS = [
  { vendor: 'Suministros Sola', name: 'Roof hatch 60x80' },
  { vendor: 'Cubiertas Lejos', name: 'Dachausstieg 600 x 800' },
] as const
const LONE_OFFERS = LONE_GOODS.map(({ vendor, name }) => ({
  vendor,
  country: 'ES',
  trust_score: '50',
  sku: '1',
  name,
  unit: 'u',
  price: '12.50',
  currency: 'EUR',
  moq: '1',
  ean: '',
  category: 'Roofs',
}))

const ALLOWED = [...VENDORS.map(({ name }) => name), ...LONE_GOODS.map(({ vendor }) => vendor)]

const MAPPING = {
  columns: {
    vendor_ref: 'sku',
    name: 'name',
    unit: 'unit',
    price: 'price',
    currency: 'currency',
    min_quantity: 'moq',
    gtin: 'ean',
    category_path: 'category',
    source: 'vendor',
    region: 'country',
    trust: 'trust_score',
  },
  sources: { allow: ALLOWED, trust_max: 100 },
}

const PRODUCTS = 250
const GOODS = ['Cement', 'Sand', 'Brick', 'Rebar', 'Gypsum board', 'Tile adhesive', 'Pipe', 'Cable', 'Paint', 'Plywood']
const UNITS = ['kg', 't', 'm2', 'u', 'bag', 'm', 'l']

/**
 * A vendor's offers of a week. Most goods share one GTIN across vendors; some have two quantity prices, repeated or
 * contradictory lines, or no price.
 */
function offersOf({ name, region, trust, factor }: Vendor, week: number): Record<string, string>[] {
  const offers: Record<string, string>[] = []
  for (let n = 0; n < PRODUCTS; n++) {
    const isListed = week === 1 ? n % 11 !== 0 : n % 13 !== 0
    if (!isListed) continue
    const cents = Math.round(((n + 3) * factor) / 4) + (week === 2 && n % 3 === 0 ? 7 : 0)
    const offer = {
      vendor: name,
      country: region,
      trust_score: String(trust),
      sku: `${region}-${n}`,
      name: `${GOODS[n % GOODS.length]} type ${n}`,
      unit: UNITS[n % UNITS.length] as string,
      price: euros(cents),
      currency: 'EUR',
      moq: '1',
      ean: n % 4 === 0 ? '' : withCheckDigit(String(800_000_000_000 + n * 7_919)),
      category: `Goods > ${GOODS[n % GOODS.length]}`,
    }
    offers.push(offer)
    if (n % 20 === 1) offers.push({ ...offer, moq: '50', price: euros(cents - 1) })
    if (n % 25 === 2) offers.push(offer)
    if (n % 40 === 3) offers.push({ ...offer, name: `${offer.name} and something else` })
    if (n % 50 === 4) offers.push({ ...offer, sku: `${offer.sku}-ask`, price: 'on request' })
  }
  return offers
}

const euros = (cents: number) => (cents / 100).toFixed(2)

function csvOf(offers: readonly Record<string, string>[]): string {
  return [Object.keys(offers[0] ?? {}), ...offers.map((offer) => Object.values(offer))]
    .map((cells) => `${cells.join(';')}\n`)
    .join('')
}

function jsonlOf(offers: readonly Record<string, string>[]): string {
  return offers.map((offer) => `${JSON.stringify(offer)}\n`).join('')
}
