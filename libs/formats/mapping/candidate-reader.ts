import { SourceKind, type SourceRef, TRUST_DEFAULT, UNTIL_SUPERSEDED } from '@catalog/core/events/sources.ts'
import { regionsExpected } from '@catalog/core/median/regions.ts'
import { isTradeLetter } from '@catalog/core/units/trade-letters.ts'
import type { UnitContext } from '@catalog/core/units/unit.ts'
import { translatedUnit, type UnitNames, type UnitOrigin } from '@catalog/core/units/unit-translator.ts'
import type { RawRecord } from '@catalog/formats/bytes/record.ts'
import { holdsEmail, visibleText } from '@catalog/formats/bytes/vendor-text.ts'
import { availabilityOf } from '@catalog/formats/vocabulary/availability.ts'
import {
  type Candidate,
  type ObservationContent,
  RecordRefused,
  type Refusal,
  type RefusedRecord,
  type Registration,
  readAsOf,
} from './candidate.ts'
import { columnsOf, type ResolvedMapping } from './columns.ts'
import type { SourcesRule } from './mapping.ts'
import { IDENTITY_KEYS, type MappingKey, REQUIRED_KEYS } from './mapping-keys.ts'
import { type DateOptions, DateReader } from './record-dates.ts'
import { type PriceOptions, PriceReader, packInWords, packOf } from './record-price.ts'
import { kindOf, type ResolvedSource, sourceReader } from './record-source.ts'
import { categoryReader, type TextReaders, textReaders } from './record-text.ts'
import { isCarriable, isGtin, isWebAddress, oneLine, requireCarriable } from './text-checks.ts'

export type CandidateOptions = PriceOptions &
  DateOptions &
  Readonly<{
    mapping: ResolvedMapping
    /** Units of the operator, which outrank the vendor's spellings. */
    units?: UnitNames | undefined
    /** What the file may say of its sources. */
    sources?: SourcesRule | undefined
  }>

/** Cached units of one file; beyond the limit only speed suffers. */
const UNITS_CACHED_MAX = 10_000
/** The greatest trust score. */
const TRUST_MAX = 100
/** Allowed sources that a refusal lists. */
const SOURCES_LISTED_MAX = 10

/**
 * Reads the records of one file as observations. An observation needs a reference, a name, a price above zero in a
 * known currency, and a date. A record without one of them, or with an unreadable one, is refused with its reason:
 *
 * NO_VENDOR_REF, NO_NAME, NO_PRICE, BAD_PRICE (also: an unreadable base quantity or kind), PRICE_TOO_PRECISE,
 * NO_CURRENCY, UNKNOWN_CURRENCY, NOT_A_SALE (a rent), NO_DATE, BAD_DATE, BAD_EDITION, FUTURE_OBSERVATION, NOT_YET_VALID, EXPIRED, BAD_REGION, SOURCE_NOT_ALLOWED, BAD_TEXT (too long, or characters
 * that XML cannot carry or that were not decoded), PERSONAL_DATA (the reference is an e-mail address).
 *
 * Texts lose their invisible characters and e-mail addresses before anything else: {@link recordableText}.
 *
 * An invalid optional field (GTIN with a wrong check digit, malformed CPV, URL, tax, pack, language, trust) is left
 * out: a vendor's wrong digit should not cost the price.
 *
 * Law: every candidate parses by the contract. The rule for each part is as narrow as its schema or narrower, because
 * parsing the whole again would take longer than everything else.
 */
export class CandidateReader {
  /** The source of records that name none. */
  readonly source: SourceRef
  readonly #options: CandidateOptions
  readonly #text: TextReaders
  readonly #prices: PriceReader
  readonly #dates: DateReader
  readonly #categories: (record: RawRecord) => string[]
  readonly #resolveSource: ReturnType<typeof sourceReader>
  readonly #sourceKind: SourceKind
  readonly #units = new Map<string, string>()

  constructor(options: CandidateOptions) {
    const { mapping, defaults } = options
    this.#options = options
    this.#text = textReaders(mapping)
    this.#prices = new PriceReader(this.#text, {
      ...options,
      column: mapping.columns.price,
      currency: defaults.currency,
    })
    this.#dates = new DateReader(this.#text, options)
    this.#categories = categoryReader(mapping.columns.category_path, mapping.constants.category_path)
    this.#resolveSource = sourceReader(defaults, {
      rule: options.sources,
      constantId: mapping.constants.source_id ?? '',
      isFromFile: mapping.columns.source !== undefined,
    })
    this.#sourceKind = SourceKind.safeParse((defaults.kind ?? '').trim().toLowerCase()).data ?? 'shop'
    this.source = this.#sourceOf({ position: '', raw: '', fields: {} }).ref
  }

  read(record: RawRecord): Candidate | Refusal {
    const source = this.#sourceOf(record)
    if (!source.isAllowed) return this.#notAllowed(source.ref)
    try {
      return this.#candidate(record, source)
    } catch (error) {
      if (!(error instanceof RecordRefused)) throw error
      const refused = this.#refused(record)
      return { reason: error.reason, detail: error.message, source: source.ref, refused }
    }
  }

  /** What can be read of a refused record. */
  #refused(record: RawRecord): RefusedRecord {
    const { decimal, dateOrder } = this.#options
    const vendorRef = this.#text.vendor_ref(record).trim()
    const observedAt = this.#instantOf(record)
    const readAs = readAsOf({ fields: this.#fields(record), decimal, date_order: dateOrder })
    return {
      ...(vendorRef !== '' && isCarriable(vendorRef, 300) && { vendorRef }),
      ...(observedAt !== null && { observedAt }),
      ...(readAs && { readAs }),
    }
  }

  #instantOf(record: RawRecord): string | null {
    try {
      return this.#dates.observedAt(record)
    } catch (error) {
      if (error instanceof RecordRefused) return null
      throw error
    }
  }

  /** The texts by key, with the operator's defaults; without those that say who speaks. */
  #fields(record: RawRecord): Record<string, string> {
    const { defaults } = this.#options
    const given = {
      currency: defaults.currency,
      observed_at: defaults.observedAt,
      lang: defaults.lang,
      kind: defaults.kind,
    }
    const fields = Object.entries({ ...this.#text, category_path: () => this.#categories(record).join(' > ') })
      .filter(([key]) => key === 'kind' || !IDENTITY_KEYS.has(key as MappingKey))
      .map(
        ([key, read]) => [key, oneLine(read(record)).toWellFormed() || given[key as keyof typeof given] || ''] as const,
      )
      .filter(([key, text]) => text !== '' || REQUIRED_KEYS.some((required) => required === key))
    return Object.fromEntries(fields)
  }

  /** Refused in the name of the operator's source: a file must not register the sources that it invents. */
  #notAllowed({ name }: SourceRef): Refusal {
    const { allow } = this.#options.sources ?? { allow: [] }
    const listed = allow === 'any' ? [] : allow.slice(0, SOURCES_LISTED_MAX)
    const detail = `source '${name.slice(0, 80)}': expected one of sources.allow of the mapping: ${listed.join(', ') || 'none'}`
    return { reason: 'SOURCE_NOT_ALLOWED', detail, source: this.source }
  }

  #sourceOf(record: RawRecord): ResolvedSource {
    return this.#resolveSource({
      name: this.#text.source(record),
      region: this.#text.region(record),
      url: this.#text.source_url(record),
    })
  }

  #candidate(record: RawRecord, source: ResolvedSource): Candidate {
    if (source.badRegion !== null) {
      const detail = `region '${source.badRegion}': ${regionsExpected(source.badRegion.trim().toUpperCase())}`
      throw new RecordRefused('BAD_REGION', detail)
    }
    const text = this.#text
    const texts = this.#texts(record)
    const kind = kindOf(text.kind(record) || this.#options.defaults.kind || '', this.#sourceKind)
    const lang = text.lang(record) || this.#options.defaults.lang || ''
    const language = /^[a-z]{2}([-_].*)?$/i.test(lang) ? lang.slice(0, 2).toLowerCase() : null
    const gtin = text.gtin(record).replace(/[\s-]/g, '')
    const cpv = text.cpv(record).trim()
    const url = text.url(record).trim()
    const { vendorRef, name, description, unit, category, manufacturerRef } = texts
    const packUnit = oneLine(text.pack_unit(record))
    const pack = packOf(text.pack_quantity(record), packUnit) ?? packInWords(text.pack_quantity(record), unit)
    const availability = availabilityOf(oneLine(text.availability(record)))
    const content: ObservationContent = {
      source: source.ref,
      ...(availability && { availability }),
      vendor_ref: vendorRef,
      name,
      ...(description !== '' && isCarriable(description, 20_000) && { description }),
      unit:
        unit &&
        this.#unitOf(unit, {
          region: source.ref.region,
          kind: kind.source,
          article: name,
          ...(language && { lang: language }),
        }),
      price: { ...this.#prices.read(record, { isShop: kind.source === 'shop' }), kind: kind.price },
      ...(pack && { pack }),
      ...(/^\d{8}(-\d)?$/.test(cpv) && { cpv }),
      ...(category.length > 0 && category.every((level) => isCarriable(level, 300)) && { category_path: category }),
      ...(isGtin(gtin) && { gtin }),
      ...(manufacturerRef !== '' && isCarriable(manufacturerRef, 200) && { manufacturer_ref: manufacturerRef }),
      ...(isWebAddress(url) && { url }),
      observed_at: this.#dates.validAt(record),
      ...(language && { lang: language }),
    }
    const edition = this.#dates.editionOf(record)?.edition
    return { content, registration: this.#registration(record, kind.source), ...(edition !== undefined && { edition }) }
  }

  /** The free texts of a record. Throws RecordRefused without reference or name, and for texts that must not be kept. */
  #texts(record: RawRecord) {
    const text = this.#text
    const vendorRef = text.vendor_ref(record).trim()
    if (/^\|*$/.test(vendorRef)) throw this.#noReference(record)
    const name = oneLine(text.name(record))
    if (name === '') throw new RecordRefused('NO_NAME', 'the name is blank')
    const unit = oneLine(text.unit(record)) || null
    const description = text.description(record).trim()
    const category = this.#categories(record)
    const manufacturerRef = oneLine(text.manufacturer_ref(record))
    requireCarriable({ field: 'vendor_ref', value: vendorRef, max: 300 })
    requireCarriable({ field: 'name', value: name, max: 2000 })
    requireCarriable({ field: 'unit', value: unit ?? '', max: 100 })
    return { vendorRef, name, unit, description, category, manufacturerRef }
  }

  #noReference({ fields }: RawRecord): RecordRefused {
    const columns = this.#options.mapping.columns.vendor_ref
    const written = columns === undefined ? [] : columnsOf(columns).map((column) => visibleText(fields[column] ?? ''))
    // The message must not repeat the address, because messages are kept.
    return written.some(holdsEmail)
      ? new RecordRefused('PERSONAL_DATA', 'the vendor reference is an e-mail address, expected a code of the vendor')
      : new RecordRefused('NO_VENDOR_REF', 'the vendor reference is blank')
  }

  /** The unit to record: what the operator calls it, else what the vendor wrote. Caches, because few units fill a file. */
  #unitOf(text: string, origin: UnitOrigin & UnitContext): string {
    // The article decides about one letter alone.
    const article = isTradeLetter(text) ? origin.article : ''
    const key = `${text}\n${origin.region}\n${origin.kind}\n${origin.lang}\n${article}`
    const known = this.#units.get(key)
    if (known !== undefined) return known
    const unit = translatedUnit(text, this.#options.units ?? null, origin)
    if (this.#units.size < UNITS_CACHED_MAX) this.#units.set(key, unit)
    return unit
  }

  #registration(record: RawRecord, kind: SourceKind): Registration {
    const { defaults } = this.#options
    const trust = this.#trustOf(record)
    const validityDays = Number(this.#text.validity_days(record) || defaults.validityDays)
    const validity = (this.#text.validity(record) || defaults.validity || '').trim().toLowerCase()
    return {
      kind,
      ...(Number.isInteger(trust) && trust >= 0 && trust <= TRUST_MAX && { trust }),
      ...(validity === UNTIL_SUPERSEDED && { validity: UNTIL_SUPERSEDED }),
      ...(Number.isInteger(validityDays) && validityDays >= 1 && validityDays <= 3650 && { validityDays }),
    }
  }

  /** A column never gives more trust than the operator allows; a constant is the operator's own. */
  #trustOf(record: RawRecord): number {
    const { mapping, defaults, sources } = this.#options
    const written = this.#text.trust(record)
    if (written === '') return Number(defaults.trust)
    const trust = Number(written)
    if (mapping.columns.trust === undefined || !(trust <= TRUST_MAX)) return trust
    return Math.min(trust, sources?.trust_max ?? defaults.trust ?? TRUST_DEFAULT)
  }
}
