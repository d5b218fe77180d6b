/** Prices per unit in one text, as shops write them for people. */

const PER = '(?:/|(?:per|pro|por|je|za|cada|for each|за)[\\s\\u00a0])'
/** "m²", "sq. ft.", "100 m"; neither a second price nor a currency. */
const UNIT = '(?:\\d{1,4}\\s?)?\\p{L}[\\p{L}\\d²³.\\s]{0,19}'
const UNIT_PRICE = new RegExp(`^(.*\\d[^\\d/]{0,20}?)\\s*${PER}\\s*(${UNIT})$`, 'iu')
const BEFORE_UNIT = new RegExp(`^(?:[€$£₽]|eur|usd|gbp|руб\\.?)?\\s*${PER}\\s*(?=\\p{L}|\\d)`, 'iu')
const LONG_PERIODS: ReadonlySet<string> = new Set(
  `week, weeks, month, months, mo, year, years, semana, mes, mês, año, ano, semaine, mois, an, woche, monat, jahr, settimana, mese,
  anno, maand, jaar, неделя, неделю, месяц, мес, год`.split(/,\s+/),
)
const PERIODS: ReadonlySet<string> = new Set([
  ...LONG_PERIODS,
  ...`day, days, night, día, dia, noche, jour, tag, giorno, день, сутки`.split(/,\s+/),
])

/** "12,50 €/tk" is 12,50 € per tk; null for a price without a unit. A price has its number before its unit. */
export function unitPriceOf(text: string): Readonly<{ price: string; unit: string }> | null {
  if (text.length > 80 || !/[/\s]/.test(text)) return null
  const [, price = '', unit = ''] = UNIT_PRICE.exec(text.trim()) ?? []
  return price === '' || /^\p{Lu}{3}$/u.test(unit) ? null : { price: price.trim(), unit: unit.trim() }
}

/** Words of a share: prices per such a "unit" are none. */
const SHARES =
  /^[\d.,+\s-]*(?:[%‰].*|(?:per|pour) ?cent|(?:per|por|pro) ?cento|por ?ciento|tanto por cien(?:to)?|percent(?:age|uale|ual)?|pct|perc|prozent|procento?|prosentt?i?|porcentaje|porcentagem|percentagem|pourcentage|sz[aá]zal[eé]k|y[uü]zde|процент(?:ов|а)?|v\.? ?h\.?)\.?$/i

/** Whether a text is a percentage or another share: "%", "per cento", "% s/ total", "15 %". */
export const isShare = (text: string) => SHARES.test(text.trim())

/** "per m²", "/sqft", "€/tk" and "за м2" name the units m², sqft, tk and м2. */
export function bareUnit(text: string): string {
  if (isShare(text)) return text
  const bare = /^[^\p{L}\d]|\s/u.test(text) || text.includes('/') ? text.replace(BEFORE_UNIT, '') : text
  // "per 1000" counts pieces.
  return bare !== text && PIECES.test(bare) ? `${bare.replace(/\D/g, '')} u` : bare
}
const PIECES = /^[1-9]\d{0,2}(?:[., ]?\d{3})*$/

/** Whether a unit is a time for which goods are let: a price per day or month is no price of a sale. */
export function isPeriod(unit: string): boolean {
  return PERIODS.has(bareUnit(unit).trim().toLowerCase().replace(/\.$/, ''))
}

/** The same of a week or longer. */
export function isLongPeriod(unit: string): boolean {
  return LONG_PERIODS.has(bareUnit(unit).trim().toLowerCase().replace(/\.$/, ''))
}
