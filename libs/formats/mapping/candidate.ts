import { type ObservationRecorded, SourceKind, type SourceRef, sourceIdOf } from '@catalog/core/events/events.ts'
import {
  exponentOf,
  MoneyOutOfRange,
  moneyFromDecimal,
  type ParsedPrice,
  parsePrice,
  priceOfThousands,
  priceWithoutDecimals,
  withoutFloatDebris,
} from '@catalog/core/money/money.ts'
import { readNumber } from '@catalog/core/money/rational.ts'
import { instant } from '@catalog/core/time.ts'
import type { RawRecord } from '@catalog/formats/bytes/record.ts'
import { type Columns, columnsOf, type MappingKey, type ResolvedMapping } from './columns.ts'
import { dateIn } from './locale.ts'
import type { DateOrder } from './mapping.ts'

/** What an observation says, before it gets its id, its crawl and the time of recording. */
export type ObservationContent = Omit<ObservationRecorded, 'type' | 'v' | 'event_id' | 'recorded_at' | 'crawl_id'>

/** What a record says of its source beyond the reference that every observation carries. */
export type Registration = Readonly<{ kind: SourceKind; trust?: number; validityDays?: number }>

export type Candidate = Readonly<{ content: ObservationContent; registration: Registration }>
/** Why a record cannot be recorded, and for which source, as far as it says. */
export type Refusal = Readonly<{ reason: string; detail: string; source: SourceRef }>

/** What the operator says of a whole input; columns and constants of the mapping come first. */
export type Defaults = Readonly<{
  /** Name of the source where the input names none. */
  source: string
  sourceId?: string | undefined
  sourceUrl?: string | undefined
  region?: string | undefined
  trust?: number | undefined
  validityDays?: number | undefined
  /** shop, list, net, bid or bank. */
  kind?: string | undefined
  currency?: string | undefined
  observedAt?: string | undefined
  lang?: string | undefined
  /** Observations later than this are refused: their clock is wrong. */
  notAfter: Date
}>

export type CandidateOptions = Readonly<{
  mapping: ResolvedMapping
  /** Decimal mark of prices; null: each price must say it by itself. */
  decimal: ',' | '.' | null
  /** The format or the operator says how prices are written: those in a currency without minor unit too are as they stand. */
  decimalGiven?: boolean
  /** Numbers of the format are those that a person sees (a spreadsheet), not what a program made of a text (JSON). */
  numbersSeen?: boolean
  dateOrder: DateOrder
  /** The operator gave the order, so that years of two digits may be read. */
  twoDigitYears: boolean
  defaults: Defaults
}>

export type CandidateReader = Readonly<{
  read(record: RawRecord): Candidate | Refusal
  /** The source of what no record says: constants and the operator's word. */
  source: SourceRef
}>

/**
 * Reads records of one file as observations. Needed are a reference, a name, a price above zero with a known currency,
 * and a date: without one of them, or where it cannot be read, the record is refused with its reason:
 *
 * NO_VENDOR_REF, NO_NAME, NO_PRICE, BAD_PRICE (also: a base quantity or a kind that cannot be read), PRICE_TOO_PRECISE,
 * NO_CURRENCY, UNKNOWN_CURRENCY, NO_DATE, BAD_DATE, FUTURE_OBSERVATION, BAD_REGION, BAD_TEXT (too long, characters that
 * XML cannot carry or that were not decoded), PERSONAL_DATA (an e-mail address).
 *
 * An optional field that is invalid (GTIN with a wrong check digit, malformed CPV, URL, tax, pack, language, trust) is
 * left out: the price stands without it, and the vendor's wrong digit should not cost it.
 *
 * Law: what is read parses as the contract has it. Each part is held to a rule as narrow as its schema, or narrower, and
 * the whole is not parsed once more, which would take longer than all the rest.
 */
export function candidateReader(options: CandidateOptions): CandidateReader {
  const { mapping, defaults } = options
  const text = Object.fromEntries(
    KEYS_READ.map((key) => [key, reader(mapping.columns[key], mapping.constants[key] ?? '', key)]),
  ) as Record<MappingKey, (record: RawRecord) => string>
  const sourceOf = sourceReader(defaults)
  const categories = categoryReader(mapping.columns.category_path, mapping.constants.category_path)
  const ofSource = SourceKind.safeParse(folded(defaults.kind ?? '')).data ?? 'shop'

  /** Few dates and currencies fill a file, so the last ones read are remembered. */
  let lastDate: Readonly<{ written: string; instant: string }> | null = null
  let lastCurrency: Readonly<{ written: string; code: string }> | null = null
  const sourceNamedBy = (record: RawRecord) =>
    sourceOf({
      id: text.source_id(record),
      name: text.source(record),
      region: text.region(record),
      url: text.source_url(record),
    })

  return {
    source: sourceNamedBy({ position: '', raw: '', fields: {} }).ref,
    read(record) {
      const source = sourceNamedBy(record)
      try {
        return observation(record, source)
      } catch (error) {
        if (error instanceof Refused) return { reason: error.reason, detail: error.message, source: source.ref }
        throw error
      }
    },
  }

  function observation(record: RawRecord, source: ResolvedSource): Candidate {
    if (source.badRegion !== null) {
      throw new Refused('BAD_REGION', `region '${source.badRegion}': expected two letters of ISO 3166, or LATAM`)
    }
    const vendorRef = text.vendor_ref(record).trim()
    if (/^\|*$/.test(vendorRef)) throw new Refused('NO_VENDOR_REF', 'the vendor reference is blank')
    const name = oneLine(text.name(record))
    if (name === '') throw new Refused('NO_NAME', 'the name is blank')
    const unit = oneLine(text.unit(record)) || null
    const description = text.description(record).trim()
    const category = categories(record)
    const manufacturerRef = oneLine(text.manufacturer_ref(record))
    carriable({ field: 'vendor_ref', value: vendorRef, max: 300 })
    carriable({ field: 'name', value: name, max: 2000 })
    carriable({ field: 'unit', value: unit ?? '', max: 100 })
    for (const value of [vendorRef, name, description, manufacturerRef, ...category]) {
      // The address itself stays out of the message: it would be kept.
      if (holdsEmail(value)) throw new Refused('PERSONAL_DATA', 'the record holds an e-mail address')
    }
    const kind = kindOf(text.kind(record) || defaults.kind || '', ofSource)
    const lang = text.lang(record) || defaults.lang || ''
    const gtin = text.gtin(record).replace(/[\s-]/g, '')
    const cpv = text.cpv(record).trim()
    const url = text.url(record).trim()
    const pack = packOf(text.pack_quantity(record), oneLine(text.pack_unit(record)))

    const content: ObservationContent = {
      source: source.ref,
      vendor_ref: vendorRef,
      name,
      ...(description !== '' && isCarriable(description, 20_000) && { description }),
      unit,
      price: { ...price(record), kind: kind.price },
      ...(pack && { pack }),
      ...(/^\d{8}(-\d)?$/.test(cpv) && { cpv }),
      ...(category.length > 0 && category.every((level) => isCarriable(level, 300)) && { category_path: category }),
      ...(isGtin(gtin) && { gtin }),
      ...(manufacturerRef !== '' && isCarriable(manufacturerRef, 200) && { manufacturer_ref: manufacturerRef }),
      ...(isWebAddress(url) && { url }),
      observed_at: observedAt(record),
      ...(/^[a-z]{2}([-_].*)?$/i.test(lang) && { lang: lang.slice(0, 2).toLowerCase() }),
    }
    const trust = Number(text.trust(record) || defaults.trust)
    const validityDays = Number(text.validity_days(record) || defaults.validityDays)
    const registration: Registration = {
      kind: kind.source,
      ...(Number.isInteger(trust) && trust >= 0 && trust <= 100 && { trust }),
      ...(Number.isInteger(validityDays) && validityDays >= 1 && validityDays <= 3650 && { validityDays }),
    }
    return { content, registration }
  }

  function price(record: RawRecord): Omit<ObservationContent['price'], 'kind'> {
    const written = text.price(record).trim()
    if (written === '') throw new Refused('NO_PRICE', 'the price is blank')
    const exact = isExact(record, mapping.columns.price)
    const literal = exact ? exactNumber(written) : parsePrice(written, { decimal: options.decimal ?? undefined })
    // What a text says of its currency, it says with either mark.
    const readable = literal ?? (exact ? null : parsePrice(written, { decimal: '.' }))
    const named = text.currency(record).trim()
    const currency = named === '' ? (readable?.currency ?? defaults.currency?.trim() ?? '') : named
    const code = codeOf(currency)
    const isLiteral = options.decimalGiven || (exact && options.numbersSeen)
    const isWhole = !isLiteral && exponentOf(code) === 0
    const parsed = isWhole && readable !== null ? inWholeUnits(written, { exact, literal, readable }) : literal
    if (parsed === null) {
      const hint = literal !== null ? MAY_BE_THOUSANDS : options.decimal === null ? MARK_UNKNOWN : ''
      throw new Refused('BAD_PRICE', `'${written.slice(0, 80)}' is not one number${hint}`)
    }
    if (code === '')
      throw new Refused('NO_CURRENCY', 'neither a column, a constant, the price nor the command line names one')
    if (exponentOf(code) === null)
      throw new Refused('UNKNOWN_CURRENCY', `'${currency.slice(0, 40)}': expected an ISO 4217 code`)
    if (parsed.currency !== null && parsed.currency !== code) {
      throw new Refused('BAD_PRICE', `the price is in ${parsed.currency}, the record says ${code}`)
    }
    if (parsed.decimal.startsWith('-') || /^[0.]*$/.test(parsed.decimal)) {
      throw new Refused('BAD_PRICE', `'${written.slice(0, 80)}': expected a price above zero`)
    }
    const base = text.per_quantity(record).trim()
    const perQuantity = base === '' ? 1 : Number(quantityIn(base) ?? Number.NaN)
    if (!Number.isSafeInteger(perQuantity) || perQuantity < 1) {
      throw new Refused('BAD_PRICE', `base quantity '${base.slice(0, 40)}': expected a whole number from 1`)
    }
    const money = moneyOf(parsed.decimal, code)
    const per = money.per_quantity * perQuantity
    if (per > PER_QUANTITY_MAX)
      throw new Refused('PRICE_TOO_PRECISE', `${parsed.decimal} ${code} for ${perQuantity} units`)
    const minimum = quantityIn(text.min_quantity(record))
    const included = YES_NO.get(oneLine(text.tax_included(record)).toLowerCase()) ?? null
    const rate = rateIn(text.tax_rate(record))
    return {
      cents: money.cents,
      currency: code,
      per_quantity: per,
      ...(minimum !== null && { min_quantity: minimum }),
      tax: { included, ...(rate !== null && { rate }) },
    }
  }

  /** The code that a currency's code, symbol or name stands for; what stands for none is left as it is, in upper case. */
  function codeOf(written: string): string {
    if (written === lastCurrency?.written) return lastCurrency.code
    const code = written === '' ? '' : (parsePrice(`1 ${written}`)?.currency ?? written.toUpperCase())
    lastCurrency = { written, code }
    return code
  }

  function observedAt(record: RawRecord): string {
    const written = text.observed_at(record).trim() || defaults.observedAt || ''
    if (written === lastDate?.written) return lastDate.instant
    if (written === '') throw new Refused('NO_DATE', 'neither a column, a constant nor the command line gives a date')
    const date = dateIn(written, { order: options.dateOrder, twoDigitYears: options.twoDigitYears })
    if (date === null || date.getTime() < OBSERVED_MIN_MS) {
      throw new Refused(
        'BAD_DATE',
        `'${written.slice(0, 40)}': expected a date since 1970, read as ${options.dateOrder}`,
      )
    }
    if (date > defaults.notAfter) throw new Refused('FUTURE_OBSERVATION', `${instant(date)} has not come yet`)
    lastDate = { written, instant: instant(date) }
    return lastDate.instant
  }
}

class Refused extends Error {
  readonly reason: string
  constructor(reason: string, message: string) {
    super(message)
    this.reason = reason
  }
}

const MAY_BE_THOUSANDS = ', as its currency has no decimals and these may be thousands: give `decimal` in the mapping'
const MARK_UNKNOWN = ', or its decimal mark cannot be told: give `decimal` in the mapping'
const PER_QUANTITY_MAX = 1_000_000_000_000_000
/** Dates before are typing errors or zeros of some program. */
const OBSERVED_MIN_MS = 0

type KeyRead = Exclude<MappingKey, 'category_path'>
const KEYS_READ: readonly KeyRead[] = [
  ...(['vendor_ref', 'name', 'description', 'unit', 'price', 'currency', 'per_quantity', 'min_quantity'] as const),
  ...([
    'pack_quantity',
    'pack_unit',
    'tax_included',
    'tax_rate',
    'kind',
    'observed_at',
    'source',
    'source_id',
  ] as const),
  ...(['source_url', 'region', 'trust', 'validity_days', 'gtin', 'manufacturer_ref', 'cpv', 'url', 'lang'] as const),
]

/** The text of a key: its column, or columns joined; the constant where the record leaves it blank. */
function reader(columns: Columns | undefined, constant: string, key: MappingKey): (record: RawRecord) => string {
  if (columns === undefined) return () => constant
  const names = columnsOf(columns)
  const [only] = names
  if (names.length === 1 && only !== undefined) return ({ fields }) => fields[only] || constant
  const joint = key === 'vendor_ref' ? '|' : ' '
  return ({ fields }) => {
    const parts = names.map((name) => (fields[name] ?? '').trim())
    return parts.every((part) => part === '') ? constant : parts.join(joint).trim()
  }
}

function categoryReader(columns: Columns | undefined, constant: string | undefined): (record: RawRecord) => string[] {
  const split = (path: string, separator: string | RegExp) =>
    path
      .split(separator)
      .map(oneLine)
      .filter((level) => level !== '')
  const ofConstant = split(constant ?? '', PATH_SEPARATOR).slice(0, CATEGORY_LEVELS_MAX)
  if (columns === undefined) return () => ofConstant
  return ({ fields }) => {
    const levels =
      typeof columns === 'string'
        ? split(fields[columns] ?? '', PATH_SEPARATOR)
        : 'column' in columns
          ? split(fields[columns.column] ?? '', columns.separator)
          : columns.map((column) => oneLine(fields[column] ?? '')).filter((level) => level !== '')
    return levels.length === 0 ? ofConstant : levels.slice(0, CATEGORY_LEVELS_MAX)
  }
}
/** "Materials > Cement": marks that stand in no name of a category. Any other one is said in the mapping. */
const PATH_SEPARATOR = /[>»]/
const CATEGORY_LEVELS_MAX = 12

type ResolvedSource = Readonly<{ ref: SourceRef; badRegion: string | null }>
/** Sources of one file whose ids are remembered; more are only slower. */
const SOURCES_REMEMBERED_MAX = 10_000

/** The source that a record names, completed by the defaults; remembers what it made, since few sources fill a file. */
function sourceReader(defaults: Defaults) {
  const known = new Map<string, ResolvedSource>()
  return (named: Readonly<{ id: string; name: string; region: string; url: string }>): ResolvedSource => {
    const key = `${named.id}\n${named.name}\n${named.region}\n${named.url}`
    const found = known.get(key)
    if (found !== undefined) return found
    const name = sourceName(named.name) || sourceName(defaults.source) || 'unnamed'
    const written = named.region || defaults.region || ''
    const region = regionOf(written)
    const badRegion = region !== '' && !/^([A-Z]{2}|LATAM)$/.test(region) ? written.slice(0, 40) : null
    const url = (named.url || defaults.sourceUrl || '').trim()
    // An id of the command line names the command line's source, not those that a column tells apart.
    const id = named.id.trim() || (named.name.trim() === '' ? defaults.sourceId?.trim() : '') || ''
    const place = { name, region: badRegion === null && region !== '' ? region : null }
    const ref: SourceRef = {
      id: id !== '' && isCarriable(id, 80) ? id : sourceIdOf(place),
      ...place,
      url: isWebAddress(url) ? url : null,
    }
    const source = { ref, badRegion }
    if (known.size < SOURCES_REMEMBERED_MAX) known.set(key, source)
    return source
  }
}
/** A region's code as sources carry it, from how it is written; what is no code is none afterwards either. */
export function regionOf(written: string): string {
  const code = written.trim().toUpperCase()
  return REGION_ALIASES.get(code) ?? code
}
/** Codes in use that ISO 3166 writes otherwise. */
const REGION_ALIASES: ReadonlyMap<string, string> = new Map([
  ['UK', 'GB'],
  ['EL', 'GR'],
])

/** A name as sources may carry it: one line, without what XML cannot carry, cut at 200 characters. */
function sourceName(text: string): string {
  return oneLine(text.replace(NOT_CARRIABLE_ALL, ' ')).slice(0, 200).toWellFormed().trim()
}

/**
 * Price kind and source kind behind one word of the record, else of the operator: a bank is a bank, a bid is a bid. "list"
 * and "net" say nothing of the source, which is what the operator says it is, else a shop.
 */
function kindOf(word: string, ofSource: SourceKind): { price: 'list' | 'net' | 'bid' | 'bank'; source: SourceKind } {
  switch (folded(word)) {
    case '':
    case 'shop':
    case 'list':
      return { price: 'list', source: ofSource }
    case 'net':
      return { price: 'net', source: ofSource }
    case 'bid':
      return { price: 'bid', source: 'bid' }
    case 'bank':
      return { price: 'bank', source: 'bank' }
    default:
      throw new Refused('BAD_PRICE', `kind '${word.slice(0, 40)}': expected shop, list, net, bid or bank`)
  }
}

const folded = (word: string) => word.trim().toLowerCase()

function isExact(record: RawRecord, columns: Columns | undefined): boolean {
  return typeof columns === 'string' && record.numbers?.has(columns) === true
}

/** A number of the format itself (JSON, XLSX, BC3), where "1.234" is never 1234; exponents are written out. */
function exactNumber(text: string): Amount | null {
  const match = /^([+-]?)(\d{0,40})(?:\.(\d{0,40}))?(?:e([+-]?\d{1,2}))?$/i.exec(withoutFloatDebris(text))
  if (!match) return null
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  if (whole === '' && fraction === '') return null
  return {
    decimal: shifted({ whole, fraction, places: Number(exponent), sign: sign === '-' ? '-' : '' }),
    currency: null,
  }
}

type Amount = Pick<ParsedPrice, 'decimal' | 'currency'>

/** `literal` is a price as its mark alone has it, null where that cannot be told. Null: it may have lost its thousands. */
function inWholeUnits(
  text: string,
  { exact, literal, readable }: Readonly<{ exact: boolean; literal: Amount | null; readable: Amount }>,
): Amount | null {
  const meant = priceWithoutDecimals(text, { exact })
  if (meant === undefined && literal !== null) return literal
  const decimal = meant === undefined ? priceOfThousands(text) : meant
  return decimal === null ? null : { decimal, currency: readable.currency }
}

function shifted(number: { whole: string; fraction: string; places: number; sign: string }): string {
  const { whole, fraction, places, sign } = number
  const digits = whole + fraction
  const point = whole.length + places
  const padded = point < 0 ? '0'.repeat(-point) + digits : digits.padEnd(point, '0')
  const at = Math.max(0, point)
  const before = padded.slice(0, at).replace(/^0+(?=\d)/, '') || '0'
  const after = padded.slice(at).replace(/0+$/, '')
  return `${sign}${before}${after === '' ? '' : `.${after}`}`
}

function moneyOf(decimal: string, currency: string): { cents: number; per_quantity: number } {
  let failure: Error
  try {
    return moneyFromDecimal(decimal, currency)
  } catch (error) {
    failure = error as Error
  }
  throw new Refused(failure instanceof MoneyOutOfRange ? 'PRICE_TOO_PRECISE' : 'BAD_PRICE', failure.message)
}

/** A quantity above zero as plain decimal; null for none. A lone comma is the decimal mark, as quantities are small. */
function quantityIn(text: string): string | null {
  const value = text.trim()
  if (value === '') return null
  const number = readNumber(value) ?? readNumber(value, { decimal: value.includes(',') ? ',' : '.' })
  return number !== null && /^\d{1,18}(\.\d{1,18})?$/.test(number) && /[1-9]/.test(number) ? number : null
}

/** A tax rate as fraction: "21 %", "21" and "0.21" are 0.21. Null where it is none, or above 100 %. */
function rateIn(text: string): string | null {
  const match = /^(\d{1,3})(?:[.,](\d{1,6}))?\s*(%?)$/.exec(text.trim())
  if (!match) return null
  const [, whole = '', fraction = '', sign] = match
  const isPercent = sign === '%' || Number(whole) >= 1
  const rate = shifted({ whole, fraction, places: isPercent ? -2 : 0, sign: '' })
  return Number(rate) <= 1 ? rate : null
}

function packOf(quantityText: string, unit: string): { quantity: string; unit: string } | null {
  const quantity = quantityIn(quantityText)
  return quantity !== null && unit !== '' && isCarriable(unit, 40) ? { quantity, unit } : null
}

const YES_NO: ReadonlyMap<string, boolean> = new Map([
  ...[
    'yes',
    'y',
    'true',
    '1',
    'si',
    'sí',
    's',
    'sim',
    'oui',
    'ja',
    'incl',
    'included',
    'incluido',
    'inkl',
    'inkl.',
  ].map((word) => [word, true] as const),
  ...['no', 'n', 'false', '0', 'nao', 'não', 'non', 'nein', 'excl', 'excluded', 'zzgl', 'zzgl.'].map(
    (word) => [word, false] as const,
  ),
])

/** GTIN-8, 12, 13 or 14 whose check digit is right (weights 3 and 1 from the right, sum divisible by 10; GS1). */
function isGtin(text: string): boolean {
  if (!/^(\d{8}|\d{12,14})$/.test(text) || /^0+$/.test(text)) return false
  let sum = 0
  for (let i = 0; i < text.length; i++) sum += Number(text[text.length - 1 - i]) * (i % 2 === 0 ? 1 : 3)
  return sum % 10 === 0
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s]+$/i.test(text) && text.length <= 2000 && URL.canParse(text) && isCarriable(text, 2000)
}

/** Bounded as RFC 5321 bounds its parts, so that no text makes it slow. */
const EMAIL = /[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}/u
function holdsEmail(text: string): boolean {
  return text.includes('@') && EMAIL.test(text)
}

/** A text without e-mail addresses: what is kept of a refused record must hold none either. */
export function withoutEmails(text: string): string {
  return text.includes('@') ? text.replace(new RegExp(EMAIL.source, 'gu'), '[e-mail address removed]') : text
}

function oneLine(text: string): string {
  // Most texts are one line already, and looking is several times faster than replacing each blank by itself.
  const line = /[^\S ]| {2}/.test(text) ? text.replace(/\s+/g, ' ') : text
  return line.trim().normalize('NFC')
}

/** What XML 1.0 cannot carry, and U+FFFD: a character that was lost in decoding makes another name of the name. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const NOT_CARRIABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffd-\uffff]|\p{Surrogate}/u
const NOT_CARRIABLE_ALL = new RegExp(NOT_CARRIABLE.source, 'gu')

function isCarriable(text: string, max: number): boolean {
  return text.length <= max && !NOT_CARRIABLE.test(text)
}

function carriable({ field, value, max }: Readonly<{ field: string; value: string; max: number }>): void {
  if (value.length > max) throw new Refused('BAD_TEXT', `${field} has ${value.length} characters, at most ${max}`)
  if (NOT_CARRIABLE.test(value)) {
    throw new Refused('BAD_TEXT', `${field} holds a character that was not decoded, or that XML cannot carry`)
  }
}
