import type { ItemBasis } from '@catalog/api/contract/basis.ts'
import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import { TaxState } from '@catalog/core/events/items.ts'
import { formatMoney } from '@catalog/core/money/money.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { explainItem } from '@catalog/operations/explain.ts'

/** `catalog explain ITEM`: the votes, weights and exclusions behind a median. */
export async function explain(
  catalog: Catalog,
  terminal: Terminal,
  asked: Parameters<typeof explainItem>[1],
): Promise<void> {
  const { value, priced } = await explainItem(catalog, asked)
  terminal.answer(value, () => explanationText(value, { region: asked.region, priced }))
  terminal.next(`catalog review quarantine OBSERVATION_ID --reason "..." or catalog trust SOURCE SCORE --reason "..."`)
}

type Asked = Readonly<{ region: string | undefined; priced: readonly string[] }>

function explanationText(value: ItemBasis, asked: Asked): string {
  const { basis } = value
  const hasEditions = basis.votes.some(({ edition }) => edition !== undefined)
  const hasFractions = basis.votes.some(({ price, price_cents }) => price !== String(price_cents))
  return [
    `${value.name} (${[value.unit ?? 'no unit', ...(value.kind === null ? [] : [value.kind])].join(', ')}), ${value.item_id}`,
    value.merged_into === null ? '' : `merged into ${value.merged_into}\n`,
    `at ${value.as_of} by ${basis.method_version}: ${medianText(value, asked)}`,
    `${basis.voters === 1 ? '1 voter' : `${basis.voters} voters`} with a total trust of ${basis.trust_total}` +
      (basis.note === null ? '' : `: the price ${basis.note}`),
    `tax: ${TaxState.options.map((state) => `${state.replaceAll('_', ' ')} ${basis.tax[state]}`).join(', ')}`,
    '',
    table(
      basis.votes.map((vote) => ({
        source: vote.source_name ?? vote.source_id,
        trust: vote.trust,
        price: formatMoney(vote.price_cents, vote.currency),
        ...(hasFractions && { 'exact cents': vote.price }),
        article: shortened(vote.vendor_sku_name ?? vote.vendor_ref ?? vote.vendor_sku_id),
        kind: vote.kind,
        tax: taxText(vote.tax),
        from: vote.min_quantity,
        flags: vote.flags.join(' '),
        observed_at: vote.observed_at,
        ...(hasEditions && { edition: vote.edition ?? '' }),
        markets: vote.markets.join(' '),
        observation: vote.observation_id.slice(0, 12),
      })),
    ),
    '',
    basis.excluded.length === 0 ? 'nothing excluded' : 'excluded:',
    ...basis.excluded.map(({ id, reason, source_name, vendor_sku_name }) =>
      `  ${reason.padEnd(23)} ${id} ${source_name ?? ''} ${vendor_sku_name ?? ''}`.trimEnd(),
    ),
    '',
    table(
      value.markets.map(({ region, median, voters, vendor_count }) => ({
        market: region,
        median: priceOf(median) ?? 'none',
        voters,
        vendors: vendor_count,
      })),
    ),
  ].join('\n')
}

/** "1.20 EUR, quartiles 1.10 EUR to 1.32 EUR", "no price in BR-SP; it has prices in BR, BR-PA". */
function medianText({ median, basis: { p25, p75 } }: ItemBasis, { region, priced }: Asked): string {
  const place = region === undefined ? '' : ` in ${region}`
  if (median === null) return `no price${place}${priced.length === 0 ? '' : `; it has prices in ${priced.join(', ')}`}`
  const quartiles = p25 === null || p75 === null ? [] : [p25, p75].map((cents) => formatMoney(cents, median.currency))
  return `${priceOf(median)}${place}${quartiles.length === 0 ? '' : `, quartiles ${quartiles.join(' to ')}`}`
}

const priceOf = (money: { cents: number; currency: string } | null) => money && formatMoney(money.cents, money.currency)

/** Characters of an article's name in the table; --json has it whole. */
const ARTICLE_CHARS = 40
const shortened = (name: string) => (name.length > ARTICLE_CHARS ? `${name.slice(0, ARTICLE_CHARS - 1)}…` : name)

/** "net", "gross - 0.21", "not stated - 0.21 (majority)". */
function taxText(tax: ItemBasis['basis']['votes'][number]['tax']): string {
  if (tax === null) return ''
  const state = tax.state === 'gross_with_rate' ? 'gross' : tax.state.replaceAll('_', ' ')
  const by = tax.by === null || tax.by === 'vendor' ? '' : ` (${tax.by.replaceAll('_', ' ')})`
  return `${state}${tax.rate === null ? '' : ` - ${tax.rate}`}${by}`
}
