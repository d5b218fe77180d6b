import type { ItemName } from '@catalog/core/events/items.ts'
import { readerOf, shownName } from '@catalog/core/names/shown-name.ts'
import type { ItemRow } from '@catalog/replica/read/items-query.ts'

/**
 * What a reader asked to see: the median and the name of a market, and the language of names ("pt", "pt-BR"), or
 * several, the preferred first.
 */
export type Shown = Readonly<{ priceRegion?: string | undefined; lang?: string | readonly string[] | undefined }>

type ShownRow = Pick<ItemRow, 'item_json' | 'median_json' | 'names_json'>

/**
 * The item as lists show it: the stored bytes, with the median of the region, if any, in place of the headline, and the
 * name for its readers. JSON escapes quotes inside strings, so each key occurs once; a median is null or a flat object.
 */
export function itemJson(row: ShownRow, shown: Shown): string {
  const { priceRegion } = shown
  if (priceRegion === undefined) return withName(row.item_json, row, shown)
  const [before, after] = row.item_json.split(MEDIAN_KEY) as [string, string]
  const priced = `${before}${MEDIAN_KEY}${row.median_json ?? 'null'}${after.replace(/^(null|\{[^}]*\})/, '')}`
  return withName(priced, row, shown)
}
const MEDIAN_KEY = '"median_price":'

function withName(json: string, { names_json }: ShownRow, { priceRegion, lang = [] }: Shown): string {
  if (names_json === null) return json
  const reader = readerOf(priceRegion, typeof lang === 'string' ? [lang] : lang)
  const names = JSON.parse(names_json) as readonly ItemName[]
  return json.replace(NAME, (_, key: string, headline: string) => {
    const name = shownName(names, { headline: JSON.parse(headline) as string, ...reader })
    return `${key}${JSON.stringify(name)}`
  })
}
const NAME = /("name":)("(?:[^"\\]|\\.)*")/
