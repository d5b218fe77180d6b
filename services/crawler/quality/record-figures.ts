import { soldUnit } from '@catalog/core/units/sold-unit.ts'
import type { ObservationContent } from '@catalog/formats/mapping/candidate.ts'

/** What a comparison with other vendors needs of a record. */
export type SampledRecord = Pick<
  ObservationContent,
  'vendor_ref' | 'name' | 'lang' | 'unit' | 'pack' | 'gtin' | 'manufacturer_ref' | 'price' | 'observed_at'
>

/** A record, and the ratio of its price to the lower median of other vendors' prices, above 0. */
export type ComparedRecord = Readonly<{ record: SampledRecord; ratio: number }>

/** Figures of one source's records in a crawl, in constant memory, and a sample of them for comparison with others. */
export class RecordFigures {
  readonly #isSampled: boolean
  #records = 0
  /** Records by unit text; the texts past {@link UNITS_MAX} count under ''. */
  readonly #unknownUnits = new Map<string, number>()
  #taxNotStated = 0
  #newest = ''
  /** By the hash of the reference. */
  readonly #sample = new Map<string, SampledRecord>()
  /** Only smaller hashes can still enter the sample. */
  #bound = '~'

  /** Without `isSampled` the sample stays empty: an input with many sources would keep too many records. */
  constructor({ isSampled }: { isSampled: boolean }) {
    this.#isSampled = isSampled
  }

  /** `ref`: the hash in hex of the vendor's reference. */
  add(content: ObservationContent, ref: string): void {
    this.#records++
    const { dimension, label } = soldUnit({ unit: content.unit, pack: content.pack, lang: content.lang })
    if (dimension === null && label !== null) {
      const unit = content.unit ?? content.pack?.unit ?? ''
      const key = this.#unknownUnits.size < UNITS_MAX || this.#unknownUnits.has(unit) ? unit : ''
      this.#unknownUnits.set(key, (this.#unknownUnits.get(key) ?? 0) + 1)
    }
    if (content.price.tax.included === null) this.#taxNotStated++
    if (this.#newest === '' || Date.parse(content.observed_at) > Date.parse(this.#newest)) {
      this.#newest = content.observed_at
    }
    if (this.#isSampled && ref < this.#bound && !this.#sample.has(ref)) {
      this.#sample.set(ref, sampled(content))
      if (this.#sample.size >= 2 * SAMPLE_MAX) this.#shrink()
    }
  }

  /**
   * Share of the records in a unit that the catalog does not know, and that no alias `isNamed`; null without records.
   */
  unknownUnits(isNamed: (unit: string) => boolean): number | null {
    const open = this.unknownUnitCounts(isNamed)
    return this.#shareOf(open.reduce((sum, [, count]) => sum + count, 0))
  }

  /** These units with their records, the most frequent first; '' for those past the first thousand. */
  unknownUnitCounts(isNamed: (unit: string) => boolean): readonly (readonly [unit: string, records: number])[] {
    return [...this.#unknownUnits].filter(([unit]) => !isNamed(unit)).sort(([, one], [, other]) => other - one)
  }

  /** The sampled record of a hash of a reference. */
  sampled(ref: string): SampledRecord | undefined {
    return this.#sample.get(ref)
  }

  /** Share of the records that state no tax; null without records. */
  get taxNotStated(): number | null {
    return this.#shareOf(this.#taxNotStated)
  }

  /** Instant of the newest price; null without records. */
  get newestObservedAt(): string | null {
    return this.#newest === '' ? null : this.#newest
  }

  /** At most {@link SAMPLE_MAX} SKUs, one record each: those of the smallest hashes, whatever the order of the input. */
  get sample(): readonly SampledRecord[] {
    this.#shrink()
    return [...this.#sample].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, content]) => content)
  }

  #shareOf(count: number): number | null {
    return this.#records === 0 ? null : count / this.#records
  }

  #shrink(): void {
    if (this.#sample.size <= SAMPLE_MAX) return
    const hashes = [...this.#sample.keys()].sort()
    for (const ref of hashes.slice(SAMPLE_MAX)) this.#sample.delete(ref)
    this.#bound = hashes[SAMPLE_MAX - 1] as string
  }
}
/** Distinct unknown units that are kept: more of them are invented. */
const UNITS_MAX = 1_000

/** Gives a share of one half to within 6 points, at 95 % confidence. */
export const SAMPLE_MAX = 300

function sampled(content: ObservationContent): SampledRecord {
  const { vendor_ref, name, lang, unit, pack, gtin, manufacturer_ref, price, observed_at } = content
  return { vendor_ref, name, lang, unit, pack, gtin, manufacturer_ref, price, observed_at }
}
