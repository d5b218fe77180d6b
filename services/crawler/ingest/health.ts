import { type CrawlHealth, type CrawlProblem, EXAMPLES_MAX, PROBLEMS_MAX } from '@catalog/core/events/crawls.ts'
import type { SourceKind } from '@catalog/core/events/sources.ts'
import { pricedText, problemWith, skuText } from '@catalog/crawler/quality/examples.ts'
import { RecordFigures } from '@catalog/crawler/quality/record-figures.ts'
import type { ObservationContent } from '@catalog/formats/mapping/candidate.ts'
import type { Findings, SelectorField, Selectors } from '@catalog/formats/pages/selectors.ts'
import { FingerprintMap, fingerprintOf } from './fingerprint-map.ts'
import { type FormerPrice, type HealthExamples, PriceExamples } from './health-examples.ts'

/**
 * Limits on how a crawl may differ from the one before. They catch a new layout, prices in another currency, and one
 * notice at every address: pages that break no rule of their format.
 */
export type HealthLimits = Readonly<{
  /** Least number of readable records in a crawl of the whole source. */
  recordsMin: number
  /** Least share of readable records, from 0 to 1. */
  parseRateMin: number
  /** Share of its former value by which the parse rate may fall. */
  parseRateFall: number
  /** Share of the former crawl's SKUs that may be missing. */
  vanishedMax: number
  /** Share of the common SKUs whose price may have changed. */
  changedMax: number
  /** Bounds the median of new to old price, and its inverse. */
  priceRatioMax: number
  /** Bounds the fall in the share of records that have a field. */
  driftMax: number
}>

const SHOP: HealthLimits = {
  recordsMin: 0,
  parseRateMin: 0.5,
  parseRateFall: 0.1,
  vanishedMax: 0.3,
  changedMax: 0.8,
  priceRatioMax: 2,
  driftMax: 0.5,
}
/** A bank's yearly edition changes every price; every bid has other lines. */
export const HEALTH_LIMITS: Readonly<Record<SourceKind, HealthLimits>> = {
  shop: SHOP,
  bank: { ...SHOP, changedMax: 1 },
  bid: { ...SHOP, vanishedMax: 1, changedMax: 1, priceRatioMax: 10 },
}

/** Even the smallest shop may remove so many SKUs in a day. */
const FEW_SKUS = 3
/** Fewer changed pages say too little about a shop. */
const FEW_RECORDS = 10

/** The former crawl: the source's last one that was recorded whole. */
export type Former = Readonly<{
  /** Null for a crawl without a profile. */
  layout: CrawlHealth['layout'] | null
  prices: AsyncIterable<readonly FormerPrice[]>
}>

/** Fields whose share among the records characterises a layout. */
const FIELDS = Object.entries<(content: ObservationContent) => boolean>({
  unit: ({ unit }) => unit !== null,
  description: ({ description }) => description !== undefined,
  category: ({ category_path }) => category_path !== undefined,
  gtin: ({ gtin }) => gtin !== undefined,
  manufacturer_ref: ({ manufacturer_ref }) => manufacturer_ref !== undefined,
  pack: ({ pack }) => pack !== undefined,
  url: ({ url }) => url !== undefined,
  tax_included: ({ price }) => price.tax.included === true,
  tax_excluded: ({ price }) => price.tax.included === false,
  tax_rate: ({ price }) => price.tax.rate !== undefined,
})
/** Currencies that the profile counts. More mean that the column holds something else. */
const CURRENCIES_MAX = 20

/** Statistics of one source in a crawl, built record by record, and their comparison with the former crawl. */
export class SourceProfile {
  #records = 0
  readonly #filled = new Map<string, number>(FIELDS.map(([field]) => [field, 0]))
  /** The lowest price of each SKU: among its tiers, markets and dates the one that every crawl chooses. */
  readonly #prices = new FingerprintMap()
  readonly #products = new FingerprintMap()
  /** The first records without a field. */
  readonly #lacking = new Map<string, string[]>(FIELDS.map(([field]) => [field, []]))
  /** For the thresholds of the source, and for the comparison with other vendors. */
  readonly figures: RecordFigures

  constructor({ isSampled = true } = {}) {
    this.figures = new RecordFigures({ isSampled })
  }

  /** `ref` and `product`: hashes in hex of the reference, and of the product under it. */
  add(content: ObservationContent, { ref, product }: Readonly<{ ref: string; product: string }>): void {
    this.#records++
    for (const [field, has] of FIELDS) {
      if (has(content)) this.#count(field)
      else this.#addLacking(field, content)
    }
    const { cents, currency, per_quantity } = content.price
    if (this.#filled.has(currency) || this.#filled.size < FIELDS.length + CURRENCIES_MAX) this.#count(currency)
    putLeast(this.#prices, fingerprintOf(ref), cents / per_quantity)
    this.#products.set(fingerprintOf(product), 0)
    this.figures.add(content, ref)
  }

  #addLacking(field: string, content: ObservationContent): void {
    const known = this.#lacking.get(field)
    if (known !== undefined && known.length < EXAMPLES_MAX) known.push(skuText(content))
  }

  #count(field: string): void {
    this.#filled.set(field, (this.#filled.get(field) ?? 0) + 1)
  }

  /** The share of records that have each field and each currency; for `names`, distinct products per SKU. */
  layout(): CrawlHealth['layout'] {
    if (this.#records === 0) return {}
    const shares = [...this.#filled].map(([field, count]) => [field, rounded(count / this.#records)] as const)
    return { ...Object.fromEntries(shares), names: rounded(Math.min(1, this.#products.size / this.#prices.size)) }
  }

  /**
   * The figures of this crawl compared with the former one, and SKUs that show the differences. `refOf` hashes a reference as for {@link add}. A `partial`
   * crawl leaves out unchanged documents, so nothing counts as vanished.
   */
  async compare(
    former: Former | null,
    { refOf, partial }: Readonly<{ refOf: (vendorRef: string) => string; partial: boolean }>,
  ): Promise<{ health: CrawlHealth; examples: HealthExamples }> {
    const before = new FingerprintMap()
    const examples = new PriceExamples()
    for await (const page of former?.prices ?? []) {
      for (const price of page) {
        const ref = refOf(price.vendor_ref)
        const sku = fingerprintOf(ref)
        putLeast(before, sku, price.cents / price.per_quantity)
        if (this.#prices.get(sku) === undefined) examples.addVanished(price)
        else examples.addKnown(price, { ref, record: this.figures.sampled(ref) })
      }
    }
    let vanished = 0
    let changed = 0
    const ratios = new Ratios()
    for (const [sku, old] of before.entries()) {
      const price = this.#prices.get(sku)
      if (price === undefined) vanished++
      else {
        if (price !== old) changed++
        ratios.add(price / old)
      }
    }
    const ratio = ratios.median()
    const layout = this.layout()
    const priceOf = (prices: FingerprintMap, ref: string) => prices.get(fingerprintOf(ref)) ?? 0
    const falls = Object.entries(former?.layout ?? {}).map(([field, was]) => was - (layout[field] ?? 0))
    const health = {
      changed,
      ...(former?.layout && { drift: rounded(Math.max(0, ...falls)) }),
      known: partial ? before.size - vanished : before.size,
      layout,
      ...(ratio !== null && { price_ratio: ratio }),
      vanished: partial ? 0 : vanished,
    }
    const changedPrice = (ref: string) => ({ was: priceOf(before, ref), is: priceOf(this.#prices, ref) })
    return {
      health,
      examples: {
        vanished: examples.vanished(),
        changed: examples.changed(changedPrice),
        lacking: (field) => this.#lackingField(field),
      },
    }
  }

  /** Records without a field; for a currency, sampled records in another one; for `names`, sampled records. */
  #lackingField(field: string): readonly string[] {
    const known = this.#lacking.get(field)
    if (known !== undefined) return known
    const others = this.figures.sample.filter(({ price }) => price.currency !== field)
    return others.slice(0, EXAMPLES_MAX).map(pricedText)
  }
}

/** On how many pages of a crawl each selector of the source finds a text. */
export class SelectorPages {
  #pages = 0
  readonly #found = new Map<string, number>()

  /** Adds one page. */
  add(findings: Findings): void {
    this.#pages++
    for (const [field, { texts }] of Object.entries(findings)) {
      this.#found.set(field, (this.#found.get(field) ?? 0) + (texts.length > 0 ? 1 : 0))
    }
  }

  get pages(): number {
    return this.#pages
  }

  /** The share of pages by field; empty without pages. */
  shares(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#found].map(([field, found]) => [field, rounded(found / this.#pages)]))
  }
}

function putLeast(prices: FingerprintMap, sku: number, price: number): void {
  prices.set(sku, Math.min(price, prices.get(sku) ?? price))
}

const rounded = (share: number) => Math.round(share * 1000) / 1000

/**
 * A histogram of ratios by thousandths of their logarithm, which gives the median to one in a thousand in constant
 * memory.
 */
class Ratios {
  readonly #bins = new Uint32Array(2 * BINS + 1)
  #count = 0

  add(ratio: number): void {
    const bin = BINS + Math.max(-BINS, Math.min(BINS, Math.round(Math.log(ratio) * BINS_PER_E)))
    this.#bins[bin] = (this.#bins[bin] ?? 0) + 1
    this.#count++
  }

  /** The lower median; null without ratios. */
  median(): number | null {
    if (this.#count === 0) return null
    let below = 0
    const at = this.#bins.findIndex((count) => {
      below += count
      return below * 2 >= this.#count
    })
    return rounded(Math.exp((at - BINS) / BINS_PER_E))
  }
}
const BINS_PER_E = 1000
/** e^10 is 22,000 times the price. */
const BINS = 10 * BINS_PER_E

/** The result of a crawl over all its sources. */
export type CrawlTotals = Readonly<{
  read: number
  parsed: number
  partial: boolean
  /** Enough of its documents came. */
  isWhole: boolean
}>

const isSignificant = ({ read, partial }: CrawlTotals) => !partial || read >= FEW_RECORDS

/**
 * Why to hold a crawl for its share of readable records; null for none. `before` is the parse rate of the former crawl.
 */
export function rateProblem(
  crawl: CrawlTotals,
  before: number | null,
  { limits, parked }: Readonly<{ limits: HealthLimits; parked: readonly string[] }>,
): CrawlProblem | null {
  if (crawl.read === 0) {
    const detail = 'no record in the fetched documents; expected at least one'
    return crawl.partial ? null : { code: 'NOTHING_READ', detail }
  }
  // After you accept a low rate, only a further fall holds a crawl.
  const rateMin = before !== null && before < limits.parseRateMin ? 0 : limits.parseRateMin
  const least = Math.max(rateMin, (before ?? 0) * (1 - limits.parseRateFall))
  const rate = crawl.parsed / crawl.read
  if (!isSignificant(crawl) || rate >= least) return null
  const was = before === null ? '' : `, ${percent(before)} before`
  const detail = `${percent(rate)} of the records can be read${was}; expected at least ${percent(least)}`
  return problemWith({ code: 'PARSE_RATE_FELL', detail }, parked)
}

/** Why to hold a crawl that reads fewer records than the source has; null for none. */
export function fewRecordsProblem(
  { parsed, partial }: Pick<CrawlTotals, 'parsed' | 'partial'>,
  { recordsMin }: Pick<HealthLimits, 'recordsMin'>,
): CrawlProblem | null {
  if (partial || parsed >= recordsMin) return null
  return { code: 'TOO_FEW_RECORDS', detail: `${parsed} records can be read; expected at least ${recordsMin}` }
}

/** Why to hold a crawl for its profile of one source; empty where it resembles the former crawl. */
export function problemsOf(
  health: CrawlHealth,
  {
    crawl,
    former,
    limits,
    examples,
  }: Readonly<{
    crawl: CrawlTotals
    former: Pick<Former, 'layout'> | null
    limits: HealthLimits
    examples: HealthExamples
  }>,
): CrawlProblem[] {
  const problems: CrawlProblem[] = []
  const { known, vanished, changed, price_ratio: ratio } = health
  const common = known - vanished
  // Missing documents explain missing SKUs, so they do not speak against the documents that came.
  const isMissing = vanished >= FEW_SKUS ? vanished > limits.vanishedMax * known : known > 0 && common === 0
  if (crawl.isWhole && isMissing) {
    const share = percent(vanished / known)
    const detail = `${vanished} of ${known} SKUs are missing, ${share}; expected at most ${percent(limits.vanishedMax)}`
    problems.push(problemWith({ code: 'SKUS_VANISHED', detail }, examples.vanished))
  }
  if (!crawl.partial && changed >= FEW_SKUS && changed > limits.changedMax * common) {
    const share = percent(changed / common)
    const detail = `${changed} of ${common} SKUs have another price, ${share}; expected at most ${percent(limits.changedMax)}`
    problems.push(problemWith({ code: 'PRICES_CHANGED', detail }, examples.changed))
  }
  if (ratio !== undefined && common >= FEW_SKUS && Math.max(ratio, 1 / ratio) > limits.priceRatioMax) {
    const detail = `the median price is ${ratio} times what it was; expected from ${rounded(1 / limits.priceRatioMax)} to ${limits.priceRatioMax} times`
    problems.push(problemWith({ code: 'PRICES_JUMPED', detail }, examples.changed))
  }
  for (const [field, was] of Object.entries((isSignificant(crawl) && former?.layout) || {})) {
    const is = health.layout[field] ?? 0
    if (was - is <= limits.driftMax) continue
    const detail = `${field}: ${percent(is)} of the records, ${percent(was)} before; expected a fall of at most ${percent(limits.driftMax)}`
    problems.push(problemWith({ code: 'LAYOUT_DRIFTED', detail }, examples.lacking(field)))
  }
  return problems.slice(0, PROBLEMS_MAX)
}

type Selecting = Readonly<{
  source: Readonly<{ id: string; selectors: Selectors }>
  /** Shares of the former crawl; undefined where it had no selectors. */
  former: Readonly<Record<string, number>> | undefined
  partial: boolean
  limits: HealthLimits
}>

/** Why to hold a crawl for what its selectors find; empty where they find what they found before. */
export function selectorProblems(found: SelectorPages, { source, former, partial, limits }: Selecting): CrawlProblem[] {
  if (found.pages === 0 || (partial && found.pages < FEW_RECORDS)) return []
  return Object.entries(found.shares()).flatMap(([field, is]): CrawlProblem[] => {
    const was = former?.[field]
    const isFirst = was === undefined
    const isFallen = !isFirst && was >= MOST_PAGES && is < was * (1 - limits.driftMax)
    const isGone = is === 0 && (isFirst || (field === 'price' && was > 0))
    if (!isFallen && !isGone) return []
    const selector = `${field} '${source.selectors[field as SelectorField]?.slice(0, SELECTOR_SHOWN_CHARS)}'`
    const finds = `${selector} finds a text on ${percent(is)} of ${found.pages} pages${isFirst ? '' : `, on ${percent(was)} before`}`
    const next = `Correct it in the sources file and crawl again, or record this crawl as it is: catalog sources accept ${source.id}`
    return [{ code: isFirst ? 'SELECTOR_FINDS_NOTHING' : 'SELECTOR_DRIFTED', detail: `${finds}. ${next}` }]
  })
}
/** A selector that found less before belongs to some pages only, such as a note of sold out goods. */
const MOST_PAGES = 0.5
const SELECTOR_SHOWN_CHARS = 100

const percent = (share: number) => `${Math.round(share * 1000) / 10} %`
