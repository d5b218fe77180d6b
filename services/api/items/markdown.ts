import type { ItemDetail } from '@catalog/api/contract/contract.ts'
import type { Basis } from '@catalog/core/events/items.ts'
import { exponentOf } from '@catalog/core/money/money.ts'
import { moneyText } from '@catalog/core/money/money-text.ts'
import { compare, divide, majorOf, multiply, parseRational, rational } from '@catalog/core/money/rational.ts'
import { decimalText } from '@catalog/core/recipes/amounts.ts'
import { compareText } from '@catalog/core/text.ts'
import { soldUnit } from '@catalog/core/units/sold-unit.ts'

/** The name and the facts of an item: how its Markdown begins. */
export function itemSummary(
  { item }: Pick<Shown, 'item'>,
  { note = null, kind = null, headline, category, market, page, votes = [] }: ItemNotes = {},
): string {
  const median = item.median_price
  const facts = [
    median == null
      ? 'Price: none at present'
      : [
          `Price: ${moneyText(median)}${item.unit == null ? '' : ` per ${plain(item.unit)}`}, ${taxText(votes)}`,
          'trust-weighted median',
          ...newestOf(votes),
          ...(median.recorded_at === null ? [] : [`unchanged since ${median.recorded_at}`]),
          ...(note === null ? [] : [note]),
        ].join(', '),
    ...(market === undefined ? [] : [marketFact(market)]),
    ...(headline === undefined || headline === item.name ? [] : [`Also called: ${plain(headline)}`]),
    `Id: ${item.id}`,
    ...(kind === null ? [] : [`Kind: ${plain(kind)}`]),
    ...(item.cpv == null ? [] : [`CPV: ${plain(item.cpv)}`]),
    ...(item.category_id == null ? [] : [`Category: ${category?.map(plain).join(' › ') ?? plain(item.category_id)}`]),
    `Vendors: ${item.vendor_count}, observations: ${item.observation_count}`,
    `Updated: ${item.updated_at}`,
    ...(page === undefined ? [] : [`Page for people: <${page}>`]),
  ]
  return `# ${plain(item.name)}\n\n${facts.map((fact) => `- ${fact}`).join('\n')}\n`
}

/** An item for language models: short, with a currency at each price, and an address and a date at each source. */
export function itemMarkdown(detail: Shown, notes: ItemNotes = {}): string {
  const { item, vendors, price_history } = detail
  const sections = [itemSummary(detail, notes).trimEnd()]
  if (vendors.length > 0) {
    const { votes = [] } = notes
    const voteOf = new Map(votes.map((vote) => [vote.vendor_sku_id, vote]))
    const rows = vendors.map(({ vendor_sku_id, source, price, unit, observed_at }) => [
      source.url === null ? plain(source.name) : linked(source.name, source.url),
      source.region ?? '-',
      String(source.trust_score),
      moneyText(price),
      unit === null ? '-' : plain(unit),
      unitPriceText(price, unit),
      netText(voteOf.get(vendor_sku_id), observed_at),
      observed_at,
    ])
    const net = `Net of tax${item.unit == null ? '' : ` per ${plain(item.unit)}`}`
    sections.push(
      '## Vendors',
      'Prices are as published, with tax or without. A price without a net one has no vote in this median; a net one of another day is that of the vote.',
      table(['Source', 'Region', 'Trust (0-100)', 'Price', 'Per', 'Unit price', net, 'Observed'], rows),
    )
  }
  if (price_history.length > 0) {
    const rows = price_history.map(({ recorded_at, price_cents: cents, currency }) => [
      recorded_at,
      cents === null || currency === null ? 'no price' : moneyText({ cents, currency }),
    ])
    sections.push(
      '## Price history, 90 days',
      'Each row holds from its run on until the next row; the first one may have held before.',
      table(['From', 'Median, net of tax'], rows),
    )
  }
  return `${sections.join('\n\n')}\n`
}

/** Its history has the gaps too. */
type Shown = Omit<ItemDetail, 'price_history'> &
  Readonly<{
    price_history: readonly Readonly<{ recorded_at: string; price_cents: number | null; currency: string | null }>[]
  }>

type Vote = Pick<Basis['votes'][number], 'vendor_sku_id' | 'price' | 'currency' | 'observed_at' | 'flags'>

/** "newest price of 2026-11-20": a median that nobody changed may rest on old prices. */
function newestOf(votes: readonly Vote[]): string[] {
  const newest = votes
    .map(({ observed_at }) => observed_at.slice(0, 10))
    .sort(compareText)
    .at(-1)
  return newest === undefined ? [] : [`newest price of ${newest}`]
}

/** What a median says of tax: a price with tax at an unknown rate votes as it is. */
function taxText(votes: readonly Vote[]): string {
  const open = votes.filter(({ flags }) => flags?.includes('TAX_UNKNOWN')).length
  return open === 0 ? 'net of tax' : `net of tax, but for ${open} of ${votes.length} prices with tax at an unknown rate`
}

/** The exact price of a vote in major units, with its day where the vendor's price was seen later. */
function netText(vote: Vote | undefined, seenAt: string): string {
  if (vote === undefined) return '-'
  const { price, currency, observed_at } = vote
  const decimals = exponentOf(currency) ?? 0
  const major = majorOf(parseRational(price), decimals)
  const day = observed_at === seenAt ? '' : ` of ${observed_at.slice(0, 10)}`
  return `${decimalText(major, { places: UNIT_PRICE_PLACES, least: decimals })} ${currency}${day}`
}

/** What stands in an item's Markdown beside its JSON. */
type ItemNotes = Readonly<{
  /** The caveat of the median; see noteOf. */
  note?: string | null
  /** The votes behind the median. */
  votes?: readonly Vote[]
  kind?: string | null
  /** The address of its page. */
  page?: string
  /** The name of the item elsewhere. */
  headline?: string
  /** The names of its category from the root. */
  category?: readonly string[] | undefined
  /** The region whose median it shows, and the headline beside it; absent: it shows the headline. */
  market?: Readonly<{ region: string; headline: ItemDetail['item']['median_price'] }> | undefined
}>

function marketFact({ region, headline }: NonNullable<ItemNotes['market']>): string {
  return `Market: ${region}. Headline, in the currency with the most trust: ${headline == null ? 'no price' : moneyText(headline)}`
}

/** The price of one kilogram, metre, m², m³ or litre; "-" where the unit is a piece or unknown. */
function unitPriceText({ cents, currency }: { cents: number; currency: string }, unit: string | null): string {
  const { dimension, quantity } = soldUnit({ unit })
  const measure = dimension === null ? undefined : MEASURES[dimension]
  if (quantity === null || measure === undefined) return '-'
  const isSmall = dimension === 'volume' && compare(quantity, LITRES_BELOW) < 0
  const units = isSmall ? multiply(quantity, rational(1000n)) : quantity
  const decimals = exponentOf(currency) ?? 2
  const amount = divide(majorOf(rational(BigInt(cents)), decimals), units)
  const [whole, places = ''] = decimalText(amount, { places: UNIT_PRICE_PLACES }).split('.')
  const shown = places.replace(/0+$/, '').padEnd(decimals, '0')
  return `${whole}${shown && `.${shown}`} ${currency}/${isSmall ? 'l' : measure}`
}
/** The base units of what is sold by measure. */
const MEASURES: Readonly<Partial<Record<string, string>>> = { mass: 'kg', length: 'm', area: 'm²', volume: 'm³' }
/** Smaller volumes are priced by the litre, as paint is; in m³. */
const LITRES_BELOW = rational(1n, 5n)
const UNIT_PRICE_PLACES = 4

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/**
 * Escapes text, so that a vendor's wording cannot create markup, lines, cells or links. Readers link addresses in bare text, some of
 * them after the escapes, so a blank parts each address: "https: // shop. example".
 */
export function plain(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(SCHEME, '$& ')
    .replace(DOMAIN_DOT, '$& ')
    .replace(/[\\`*_{}[\]()<>#+!|~&$]/g, '\\$&')
}
/** The colon and the slashes of an address, where something follows. */
const SCHEME =
  /:(?=\/\/)|\/\/(?=[^\s/])|(?<![\p{L}\d])(?:mailto|xmpp|tel|sms|sips?|javascript|data|file|ftp|magnet|urn):(?=\S)/giu
/** A dot before a label of a domain: "www.x", "shop.example"; abbreviations such as "S.A." have one letter. */
const DOMAIN_DOT = /(?<=[\p{L}\d])\.(?=\p{L}{2}|xn--)/giu

/** A link for a web address; otherwise the name alone. */
function linked(name: string, url: string): string {
  if (!/^https?:\/\//i.test(url)) return plain(name)
  return `[${plain(name)}](<${url.replace(/[<>|\\\s]/g, (letter) => encodeURIComponent(letter))}>)`
}
