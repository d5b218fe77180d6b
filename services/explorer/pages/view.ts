import { withoutOrigin } from '@catalog/api/http/methods.ts'
import { regionOf } from '@catalog/core/events/sources.ts'
import { countryOf, isSubdivision } from '@catalog/core/median/subdivisions.ts'
import { exponentOf, plainDecimal } from '@catalog/core/money/money.ts'
import { DAY_MS } from '@catalog/core/time.ts'
import { type Language, languageOf, type Say, sayIn } from '@catalog/explorer/languages/language.ts'
import type { FastifyRequest } from 'fastify'
import { formOf } from './records.ts'

/** How one reader sees a page: language, market and address. */
export type View = Readonly<{
  language: Language
  say: Say
  /** The market whose prices are shown; undefined: the headline. */
  market: string | undefined
  /** Whether the address names the language; links then keep it. */
  isLanguageChosen: boolean
  /** Path and query as asked for. */
  address: URL
  /** The public origin, without a trailing slash. */
  origin: string
  now: Date
  formats: Formats
}>

/** An amount of minor units. */
type Amount = Readonly<{ cents: number; currency: string }>

/** Numbers, money and time as people of a language and market write them. */
export type Formats = Readonly<{
  money: (amount: Amount) => string
  /** The amount as a plain decimal for programs, "4.85". */
  plain: (amount: Amount) => string
  /** An exact decimal with more digits than the currency has, as money. */
  decimalMoney: (decimal: string, currency: string) => string
  decimal: (decimal: string) => string
  number: (value: number) => string
  percent: (share: number) => string
  /** A percentage with its sign, "+2.8%". */
  change: (share: number) => string
  day: (at: string) => string
  instant: (at: string) => string
  /** "3 days ago". */
  ago: (at: string) => string
}>

/**
 * Reads a view from a request. The address decides; where it says nothing, the browser's languages choose the language,
 * and their country the market: a reader of es-MX sees Mexico's prices first.
 */
export function viewOf(
  request: Pick<FastifyRequest, 'url' | 'headers'>,
  { origin, now }: { origin: string; now: Date },
): View {
  const address = urlOf(request.url, origin)
  // Links of the page begin with this path, and two slashes would lead to another host.
  address.pathname = formOf(address.pathname.replace(/^[/\\]+/, '/')).bare
  const asked = address.searchParams.get('lang') ?? undefined
  const { 'accept-language': accepted } = request.headers
  const language = languageOf(asked, accepted)
  const market = marketOf(address, accepted)
  return {
    language,
    say: sayIn(language),
    market,
    isLanguageChosen: asked !== undefined,
    address,
    origin,
    now,
    formats: formatsOf(language, { market, now }),
  }
}

/** The asked address on this site, also where its path begins as another host would. */
export const urlOf = (url: string, origin: string): URL => new URL(origin + withoutOrigin(url))

/** The asked market, else that of the browser. A subdivision is a market of items' pages alone; elsewhere it is its country. */
function marketOf({ searchParams, pathname }: URL, accepted: string | undefined): string | undefined {
  const asked = searchParams.get('price_region')?.toUpperCase()
  if (asked !== undefined && isSubdivision(asked)) return pathname.startsWith('/items/') ? asked : countryOf(asked)
  if (asked !== undefined) return regionOf(asked)
  const country = /^\s*[a-z]{2}-([a-z]{2})\b/i.exec(accepted ?? '')?.[1]
  return country === undefined ? undefined : regionOf(country)
}

export function formatsOf(language: Language, { market, now }: { market?: string | undefined; now: Date }): Formats {
  // A market of several countries has no conventions of its own.
  const tag = market === undefined || market.length > 2 || market === 'EU' ? language : conventionsOf(language, market)
  const number = new Intl.NumberFormat(tag)
  const fine = new Intl.NumberFormat(tag, { maximumFractionDigits: 6 })
  const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 })
  const change = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' })
  const day = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' })
  const instant = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  const ago = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' })
  return {
    money: ({ cents, currency }) => moneyText(tag, cents, currency),
    plain: ({ cents, currency }) => plainDecimal(cents, exponentOf(currency) ?? 2),
    decimalMoney: (decimal, currency) => decimalMoney(tag, decimal, currency),
    decimal: (decimal) => fine.format(decimal as Intl.StringNumericLiteral),
    number: (value) => number.format(value),
    percent: (share) => percent.format(share),
    change: (share) => change.format(share),
    day: (at) => day.format(new Date(at)),
    instant: (at) => `${instant.format(new Date(at))} UTC`,
    ago: (at) => {
      const days = Math.round((Date.parse(at) - now.getTime()) / DAY_MS)
      return Math.abs(days) < 60 ? ago.format(days, 'day') : ago.format(Math.round(days / 30.44), 'month')
    },
  }
}

const conventions = new Map<string, string>()

/**
 * The tag of the language in the market; of the language alone where the market's data (CLDR) writes numbers and money with
 * different decimal marks, as that of English in Spain does: "2.500,5" beside "€1,420.25".
 */
function conventionsOf(language: Language, market: string): string {
  const tag = `${language}-${market}`
  const mark = (format: Intl.NumberFormat) => format.formatToParts(1.5).find(({ type }) => type === 'decimal')?.value
  const isConsistent = () =>
    mark(new Intl.NumberFormat(tag)) === mark(new Intl.NumberFormat(tag, { style: 'currency', currency: 'EUR' }))
  const chosen = conventions.get(tag) ?? (isConsistent() ? tag : language)
  conventions.set(tag, chosen)
  return chosen
}

/** All decimals of the currency; the amount never becomes a binary fraction. */
const moneyText = (tag: string, cents: number, currency: string) =>
  decimalMoney(tag, plainDecimal(cents, exponentOf(currency) ?? 2), currency)

/** Making a format takes longer than using it a hundred times; there are some hundred languages of markets with currencies. */
const moneyFormats = new Map<string, Intl.NumberFormat>()

function decimalMoney(tag: string, decimal: string, currency: string): string {
  const key = `${tag} ${currency}`
  const decimals = exponentOf(currency) ?? 2
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  const format = moneyFormats.get(key) ?? new Intl.NumberFormat(tag, { style: 'currency', currency, ...digits })
  moneyFormats.set(key, format)
  return format.format(decimal as Intl.StringNumericLiteral)
}

/**
 * A path of this site with the reader's market and language and further parameters. A parameter of undefined is left
 * out, also where the view has one.
 */
export function linkTo(
  view: Pick<View, 'market' | 'language' | 'isLanguageChosen' | 'address'>,
  path: string,
  parameters: Readonly<Record<string, string | undefined>> = {},
): string {
  const all: Record<string, string | undefined> = {
    // An empty market is a choice too: the headline, whatever the browser's country.
    price_region: view.address.searchParams.has('price_region') ? (view.market ?? '') : undefined,
    lang: view.isLanguageChosen ? view.language : undefined,
    ...parameters,
  }
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}
