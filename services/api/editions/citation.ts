import type { PublicState } from '@catalog/core/events/items.ts'
import { exponentOf, formatMoney } from '@catalog/core/money/money.ts'
import { editionId } from '@catalog/store/history/editions.ts'

/** Lines for a list of references. A line depends on frozen facts and the public address alone. */

type Cited = Readonly<{ edition: string; asOf: string; url: string }>

/** "Construction Cost Catalog, edition 2026-10: …" */
export function citeEdition({ edition, asOf, url }: Cited): string {
  return `Construction Cost Catalog, edition ${edition}: median prices as of ${asOf}. ${editionId(edition)}. ${url}`
}

/** The item with its median in a region, or the headline: "«Cement», 25 kg: median 4.85 EUR per 25 kg, ES. …" */
export function citeItem(
  { item, markets }: Pick<PublicState, 'item' | 'markets'>,
  { edition, asOf, url, region }: Cited & { readonly region: string | undefined },
): string {
  const median =
    region === undefined ? item.median_price : markets.find((market) => market.region === region)?.median_price
  const place = region === undefined ? '' : ` in ${region}`
  const per = item.unit === null ? '' : ` per ${item.unit}`
  const price = median == null ? `no median${place}` : `median ${money(median)}${per}${place}`
  return `Construction Cost Catalog, edition ${edition}: “${item.name}”, ${price} as of ${asOf}. ${editionId(edition, item.id)}. ${url}`
}

const money = ({ cents, currency }: { cents: number; currency: string }) =>
  exponentOf(currency) === null ? `${cents} minor units of ${currency}` : formatMoney(cents, currency)
