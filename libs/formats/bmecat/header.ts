import { parseDate } from '@catalog/formats/mapping/dates.ts'
import { child, children, textOf, type XmlElement } from '@catalog/formats/xml/element.ts'

/** Statements of a BMEcat header about all its articles; '' when missing. */
export type BmecatHeader = Readonly<{
  /** The ISO 639-1 code, and the language as the file writes it: "de" and "deu". */
  language: string
  languageWritten: string
  currency: string
  /** When the catalogue was generated, in ISO 8601 if readable. */
  generatedAt: string
  supplier: string
  territories: readonly string[]
  /** Territories by area id (2005). */
  areas: ReadonlyMap<string, readonly string[]>
}>

export const NO_HEADER: BmecatHeader = {
  language: '',
  languageWritten: '',
  currency: '',
  generatedAt: '',
  supplier: '',
  territories: [],
  areas: new Map(),
}

export function headerOf(header: XmlElement): BmecatHeader {
  const catalog = child(header, 'CATALOG')
  if (catalog === undefined) return NO_HEADER
  const languages = children(catalog, 'LANGUAGE')
  const written = (languages.find(({ attributes }) => attributes.default === 'true') ?? languages[0])?.text ?? ''
  const parties = children(child(header, 'PARTIES') ?? header, 'PARTY')
  const supplier = parties.find((party) => children(party, 'PARTY_ROLE').some(({ text }) => text === 'supplier'))
  const areas = children(child(catalog, 'AREAS') ?? catalog, 'AREA').map((area): [string, readonly string[]] => [
    textOf(area, 'AREA_ID'),
    children(child(area, 'TERRITORIES') ?? area, 'TERRITORY').map(({ text }) => text),
  ])
  return {
    language: languageOf(written),
    languageWritten: written,
    currency: textOf(catalog, 'CURRENCY'),
    generatedAt: dateOf(catalog, 'generation_date'),
    supplier: textOf(header, 'SUPPLIER', 'SUPPLIER_NAME') || (supplier ? textOf(supplier, 'ADDRESS', 'NAME') : ''),
    territories: children(catalog, 'TERRITORY').map(({ text }) => text),
    areas: new Map(areas),
  }
}

/** The ISO 639-1 code of an ISO 639-2 language: "deu" and "ger" are "de"; '' for any other text. */
export function languageOf(written: string): string {
  try {
    return new Intl.Locale(written).language
  } catch {
    return ''
  }
}

/** A date of an element in 1.2 (a DATETIME with a type) or 2005 (an element of that name); '' without one. */
export function dateOf(element: XmlElement, type: 'generation_date' | 'valid_start_date' | 'valid_end_date'): string {
  const typed = children(element, 'DATETIME').find(({ attributes }) => attributes.type === type)
  if (typed === undefined) return textOf(element, type.toUpperCase())
  const [day, clock, zone] = ['DATE', 'TIME', 'TIMEZONE'].map((part) => textOf(typed, part)) as [string, string, string]
  if (clock === '') return day
  // Ignore named zones ("MEZ"): an hour matters less than the price.
  return timeOf(`${day}T${clock}${zone}`) === null ? `${day}T${clock}` : `${day}T${clock}${zone}`
}

/** Milliseconds since 1970; null for a text that is no date. */
export function timeOf(text: string): number | null {
  return parseDate(text, { order: 'ymd' })?.getTime() ?? null
}
