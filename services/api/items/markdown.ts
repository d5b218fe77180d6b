import type { ItemDetail } from '@catalog/api/contract/contract.ts'
import { moneyText } from '@catalog/core/money/money-text.ts'

/** An item for language models: short, with a currency at each price, and an address and a date at each source. */
export function itemMarkdown(
  { item, vendors, price_history }: ItemDetail,
  /** The caveat of the median (see noteOf), the kind of the item, and its name elsewhere. */
  { note = null, kind = null, headline }: { note?: string | null; kind?: string | null; headline?: string } = {},
): string {
  const median = item.median_price
  const facts = [
    median == null
      ? 'Price: none at present'
      : `Price: ${moneyText(median)}${item.unit == null ? '' : ` per ${plain(item.unit)}`}, trust-weighted median${
          median.recorded_at === null ? '' : `, unchanged since ${median.recorded_at}`
        }${note === null ? '' : `, ${note}`}`,
    ...(headline === undefined || headline === item.name ? [] : [`Also called: ${plain(headline)}`]),
    `Id: ${item.id}`,
    ...(kind === null ? [] : [`Kind: ${plain(kind)}`]),
    ...(item.cpv == null ? [] : [`CPV: ${plain(item.cpv)}`]),
    ...(item.category_id == null ? [] : [`Category: ${plain(item.category_id)}`]),
    `Vendors: ${item.vendor_count}, observations: ${item.observation_count}`,
    `Updated: ${item.updated_at}`,
  ]
  const sections = [`# ${plain(item.name)}`, facts.map((fact) => `- ${fact}`).join('\n')]
  if (vendors.length > 0) {
    const rows = vendors.map(({ source, price, unit, observed_at }) => [
      source.url === null ? plain(source.name) : linked(source.name, source.url),
      source.region ?? '-',
      String(source.trust_score),
      moneyText(price),
      unit === null ? '-' : plain(unit),
      observed_at,
    ])
    sections.push('## Vendors', table(['Source', 'Region', 'Trust (0-100)', 'Price', 'Per', 'Observed'], rows))
  }
  if (price_history.length > 0) {
    const rows = price_history.map(({ recorded_at, price_cents, currency }) => [
      recorded_at,
      moneyText({ cents: price_cents, currency }),
    ])
    sections.push('## Price history, 90 days', table(['From', 'Median'], rows))
  }
  return `${sections.join('\n\n')}\n`
}

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Escapes text, so that a vendor's wording cannot create markup, lines or cells. */
export function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]()<>#+!|~&$]/g, '\\$&')
}

/** A link for a web address; otherwise the name alone. */
function linked(name: string, url: string): string {
  if (!/^https?:\/\//i.test(url)) return plain(name)
  return `[${plain(name)}](<${url.replace(/[<>|\\\s]/g, (letter) => encodeURIComponent(letter))}>)`
}
