import { EXAMPLES_MAX } from '@catalog/core/events/crawls.ts'
import { skuText, unitPriceText } from '@catalog/crawler/quality/examples.ts'
import type { SampledRecord } from '@catalog/crawler/quality/record-figures.ts'
import { type StorableRecord, storable } from './crawl-events.ts'

/** A price of the former crawl. */
export type FormerPrice = Readonly<{
  vendor_ref: string
  cents: number
  currency: string
  per_quantity: number
}>

/** Lines for a person, at most {@link EXAMPLES_MAX} of each. */
export type HealthExamples = Readonly<{
  /** Former SKUs that are missing now, with their price before. */
  vanished: readonly string[]
  /** SKUs with another price, before and now: those that changed most. */
  changed: readonly string[]
  /** Records that lack a field of the layout. */
  lacking: (field: string) => readonly string[]
}>

/** Chooses examples among the former prices while these pass by, in constant memory and whatever their order. */
export class PriceExamples {
  /** The first missing SKUs by reference, each with its lowest price. */
  #vanished: FormerPrice[] = []
  /** SKUs of the sample by the hash of their reference. */
  readonly #known = new Map<string, Readonly<{ record: SampledRecord; currency: string }>>()

  addVanished(price: FormerPrice): void {
    const same = this.#vanished.find(({ vendor_ref }) => vendor_ref === price.vendor_ref)
    if (same !== undefined && unitCents(same) <= unitCents(price)) return
    const others = this.#vanished.filter((one) => one !== same)
    this.#vanished = [...others, price].sort((a, b) => (a.vendor_ref < b.vendor_ref ? -1 : 1)).slice(0, EXAMPLES_MAX)
  }

  /** `record`: the SKU's record in the sample of this crawl; only such SKUs become examples. */
  addKnown(
    { currency }: FormerPrice,
    { ref, record }: Readonly<{ ref: string; record: SampledRecord | undefined }>,
  ): void {
    if (record !== undefined) this.#known.set(ref, { record, currency })
  }

  vanished(): readonly string[] {
    return this.#vanished.map(
      (one) => `${one.vendor_ref}: ${unitPriceText(unitCents(one), one.currency)} before, missing now`,
    )
  }

  /** `pricesOf` gives the lowest price of a SKU before and now, in minor units for one unit. */
  changed(pricesOf: (ref: string) => Readonly<{ was: number; is: number }>): readonly string[] {
    const changes = [...this.#known]
      .map(([ref, known]) => ({ ...known, ...pricesOf(ref) }))
      .filter(({ was, is }) => was !== is)
    const size = ({ was, is }: { was: number; is: number }) => Math.abs(Math.log(is / was))
    changes.sort((a, b) => size(b) - size(a) || (a.record.vendor_ref < b.record.vendor_ref ? -1 : 1))
    return changes.slice(0, EXAMPLES_MAX).map(({ record, currency, was, is }) => {
      const now = unitPriceText(is, record.price.currency)
      return `${skuText(record)}: ${unitPriceText(was, currency)} before, ${now} now`
    })
  }
}

const unitCents = ({ cents, per_quantity }: FormerPrice) => cents / per_quantity

/** Distinct reasons that are counted. */
const REASONS_MAX = 50
/** Characters of a record's raw text in an example. */
const RAW_CHARS_MAX = 80

/** The first parked record of each reason, and how many there are. */
export class ParkedExamples {
  readonly #byReason = new Map<string, { count: number; first: StorableRecord }>()

  add(record: StorableRecord): void {
    const known = this.#byReason.get(record.reason)
    if (known !== undefined) known.count++
    else if (this.#byReason.size < REASONS_MAX) this.#byReason.set(record.reason, { count: 1, first: storable(record) })
  }

  /** "NO_PRICE, 3 records: a.csv row 2: expected a price, in S-1;Brick;", the most frequent reason first. */
  lines(): readonly string[] {
    const most = [...this.#byReason.values()].sort((a, b) => b.count - a.count).slice(0, EXAMPLES_MAX)
    return most.map(({ count, first: { position, reason, detail, raw } }) => {
      const records = count === 1 ? '1 record' : `${count} records`
      return `${reason}, ${records}: ${position}: ${detail}, in ${raw.slice(0, RAW_CHARS_MAX)}`
    })
  }
}
