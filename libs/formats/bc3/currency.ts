/** First day on which Spain paid in euros only. */
const EURO_SINCE = '2002-01-01'

/** Spain's currency on a day (YYYY-MM-DD) as its ISO 4217 code: pesetas until the end of 2001; '' for ''. */
export function spanishCurrencyOn(date: string): string {
  if (date === '') return ''
  return date >= EURO_SINCE ? 'EUR' : 'ESP'
}
