import { openEvaluator } from '@catalog/aggregator/evaluate.ts'
import type { ItemBasis } from '@catalog/api/contract/basis.ts'
import { explanationOf, noteOf } from '@catalog/api/items/explain.ts'
import { evaluatedCategory } from '@catalog/api/items/item-category.ts'
import { cutOf } from '@catalog/cli/shared/run-cut.ts'
import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import type { Basis } from '@catalog/core/events/items.ts'
import { formatMoney } from '@catalog/core/money/money.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { latestRuns } from '@catalog/store/vendor/runs.ts'

/** `catalog explain ITEM`: the votes, weights and exclusions behind a median. */
export async function explain(
  catalog: Catalog,
  terminal: Terminal,
  { itemId, region, ...at }: { itemId: string; asOf?: string; runId?: string; region?: string },
): Promise<void> {
  const [last] = await latestRuns(catalog.store, 1)
  // By default explain the published median.
  const cut = await cutOf(catalog, at.asOf === undefined && at.runId === undefined && last ? { asOf: last.asOf } : at)
  const evaluator = await openEvaluator(catalog.store, cut)
  const [item] = await evaluator.evaluate([itemId])
  if (item === undefined) throw new Error(`item '${itemId}': expected the id of an item, as in GET /v1/items`)
  const { headline, markets } = item.repriced
  const whole = await explanationOf(catalog.store, {
    itemId,
    name: item.name,
    unit: item.unit,
    kind: item.kind,
    names: item.names,
    category: evaluatedCategory(item.category),
    mergedInto: item.members.mergedInto,
    runId: at.runId ?? null,
    asOf: cut.asOf,
    median: headline,
    markets,
    vendorSkuIds: item.members.skuIds,
    basis: item.repriced.basis,
  })
  const value = region === undefined ? whole : explanationIn(whole, { region, basis: item.repriced.basis })
  const { basis } = value
  const priced = whole.markets.flatMap(({ region, median }) => (median === null ? [] : [region]))
  const hasEditions = basis.votes.some(({ edition }) => edition !== undefined)
  const hasFractions = basis.votes.some(({ price, price_cents }) => price !== String(price_cents))
  terminal.answer(value, () =>
    [
      `${item.name} (${[item.unit ?? 'no unit', ...(item.kind === null ? [] : [item.kind])].join(', ')}), ${itemId}`,
      item.members.mergedInto === null ? '' : `merged into ${item.members.mergedInto}\n`,
      `at ${cut.asOf} by ${basis.method_version}: ${medianText(value, { region, priced })}`,
      `${basis.voters === 1 ? '1 voter' : `${basis.voters} voters`} with a total trust of ${basis.trust_total}` +
        (basis.note === null ? '' : `: the price ${basis.note}`),
      `tax: ${Object.entries(basis.tax)
        .map(([state, count]) => `${state.replaceAll('_', ' ')} ${count}`)
        .join(', ')}`,
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
    ].join('\n'),
  )
  terminal.next(`catalog review quarantine OBSERVATION_ID --reason "..." or catalog trust SOURCE SCORE --reason "..."`)
}

/** The votes of one market, and its median. Tax and what is excluded remain those of the headline; it has no quartiles. */
function explanationIn(whole: ItemBasis, { region, basis }: { region: string; basis: Basis }): ItemBasis {
  const markets = whole.markets.filter((market) => market.region === region)
  const votes = whole.basis.votes.filter((vote) => vote.markets.includes(region))
  const trust_total = votes.reduce((sum, { trust }) => sum + trust, 0)
  const note = votes.length === 0 ? null : noteOf(basis, region)
  const counts = { voters: votes.length, single_voter: votes.length === 1, trust_total, note, p25: null, p75: null }
  return { ...whole, median: markets[0]?.median ?? null, markets, basis: { ...whole.basis, ...counts, votes } }
}

/** "1.20 EUR, quartiles 1.10 EUR to 1.32 EUR", "no price in BR-SP; it has prices in BR, BR-PA". */
function medianText(
  { median, basis: { p25, p75 } }: ItemBasis,
  { region, priced }: Readonly<{ region: string | undefined; priced: readonly string[] }>,
): string {
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
