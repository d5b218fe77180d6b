import { hashOf, shareOf } from '@catalog/sample-files/seeded-random.ts'
import { type Bidder, bidders } from './bidders.ts'
import { PAY_ITEMS, type PayItem } from './pay-items.ts'

/** One opening of bids: a CSV with a line for each contract, bidder and pay item. */
export type Letting = Readonly<{ fileName: string; day: string; csv: string }>

export type RoadBids = Readonly<{
  lettings: readonly Letting[]
  /** The legal bidders, each with the spellings that occur in the lettings. */
  bidders: readonly Bidder[]
  payItems: readonly PayItem[]
  /** Mapping file (YAML) of the lettings: every spelling of a bidder is a source of its own, and allowed. */
  mapping: string
}>

const DAYS = ['2026-07-15', '2026-08-12', '2026-09-16'] as const
const CONTRACTS_OF_LETTING = 8
/** Bids stay within this share of the middle. */
const SPREAD = 0.25
const mappingOf = (sources: readonly string[]) => `columns:
  vendor_ref: Item code
  manufacturer_ref: Item code
  name: Description
  unit: Unit
  price: Unit price
  observed_at: Letting date
  source: Bidder
constants: { currency: USD, kind: bid, region: US, lang: en, tax_included: false }
sources: { allow: ${JSON.stringify(sources)} }
`

/**
 * Bids of 80 invented bidders in three lettings of one US road department, the same bytes at every call. Each letting
 * spells units and bidders in its own way, so a reader of words alone finds several times the bidders and units.
 */
export function roadBids(): RoadBids {
  const everybody = bidders()
  const used = new Map<Bidder, Set<string>>(everybody.map((bidder) => [bidder, new Set()]))
  const lettings = DAYS.map((day, number): Letting => {
    const lines = everybody.flatMap((bidder, i) => {
      const spelling = spellingIn(bidder, number)
      used.get(bidder)?.add(spelling)
      const contract = `R-${42_000 + number * 100 + (i % CONTRACTS_OF_LETTING)}`
      return PAY_ITEMS.map((item) => lineOf({ day, contract, item, number, spelling }))
    })
    const head = 'Letting date,Contract,Item code,Description,Unit,Quantity,Unit price,Bidder'
    return { fileName: `letting-${day}.csv`, day, csv: `${[head, ...lines].join('\n')}\n` }
  })
  const named = everybody.map((bidder) => ({ spellings: [...(used.get(bidder) ?? [])].sort() }))
  const mapping = mappingOf(named.flatMap(({ spellings }) => spellings))
  return { lettings, bidders: named, payItems: PAY_ITEMS, mapping }
}

function spellingIn({ spellings }: Bidder, letting: number): string {
  const [first = ''] = spellings
  return spellings[(hashOf('letting', first) + letting) % spellings.length] ?? first
}

function lineOf({
  day,
  contract,
  item,
  number,
  spelling,
}: Readonly<{ day: string; contract: string; item: PayItem; number: number; spelling: string }>): string {
  const share = 1 + SPREAD * (2 * shareOf('bid', spelling, item.code, day) - 1)
  const cents = Math.max(1, Math.round(item.cents * share))
  const quantity = 1 + (hashOf('quantity', contract, item.code) % 5_000)
  const cells = [
    day,
    contract,
    item.code,
    `"${item.name}"`,
    item.units[number] ?? '',
    quantity,
    (cents / 100).toFixed(2),
  ]
  return `${cells.join(',')},"${spelling}"`
}

/** Sources of the lettings where every spelling counts: what the catalog meets before anybody joins them. */
export function spellingsOf(bids: RoadBids): readonly string[] {
  return bids.bidders.flatMap(({ spellings }) => spellings)
}
