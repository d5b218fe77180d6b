import { openEvaluator } from '@catalog/aggregator/evaluate.ts'
import { explanationOf } from '@catalog/api/items/explain.ts'
import { cutOf } from '@catalog/cli/shared/run-cut.ts'
import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import type { Catalog } from '@catalog/cli/shared/wire.ts'
import { formatMoney } from '@catalog/core/money/money.ts'
import { latestRuns } from '@catalog/store/vendor/runs.ts'

/** `catalog explain ITEM`: the votes, weights and exclusions behind a median. */
export async function explain(
  catalog: Catalog,
  terminal: Terminal,
  { itemId, ...at }: { itemId: string; asOf?: string; runId?: string },
): Promise<void> {
  const [last] = await latestRuns(catalog.store, 1)
  // By default explain the published median.
  const cut = await cutOf(catalog, at.asOf === undefined && at.runId === undefined && last ? { asOf: last.asOf } : at)
  const evaluator = await openEvaluator(catalog.store, cut)
  const [item] = await evaluator.evaluate([itemId])
  if (item === undefined) throw new Error(`item '${itemId}': expected the id of an item, as in GET /v1/items`)
  const { headline, markets } = item.repriced
  const value = await explanationOf(catalog.store, {
    itemId,
    name: item.name,
    unit: item.unit,
    mergedInto: item.members.mergedInto,
    runId: at.runId ?? null,
    asOf: cut.asOf,
    median: headline,
    markets,
    vendorSkuIds: item.members.skuIds,
    basis: item.repriced.basis,
  })
  const { basis } = value
  terminal.answer(value, () =>
    [
      `${item.name} (${item.unit ?? 'no unit'}), ${itemId}`,
      item.members.mergedInto === null ? '' : `merged into ${item.members.mergedInto}\n`,
      `at ${cut.asOf} by ${basis.method_version}: ${priceOf(headline) ?? 'no price'}` +
        (basis.p25 === null ? '' : `, quartiles ${basis.p25} to ${basis.p75}`),
      `${basis.voters === 1 ? '1 voter' : `${basis.voters} voters`} with a total trust of ${basis.trust_total}` +
        (basis.note === null ? '' : `: the price ${basis.note}`),
      '',
      table(
        basis.votes.map((vote) => ({
          source: vote.source_name ?? vote.source_id,
          trust: vote.trust,
          price: `${vote.price_cents} ${vote.currency}`,
          exact: vote.price,
          observed_at: vote.observed_at,
          markets: vote.markets.join(' '),
          observation: vote.observation_id.slice(0, 12),
        })),
      ),
      '',
      basis.excluded.length === 0 ? 'nothing excluded' : 'excluded:',
      ...basis.excluded.map(({ id, reason, source_name }) =>
        `  ${reason.padEnd(16)} ${id} ${source_name ?? ''}`.trimEnd(),
      ),
      '',
      table(
        markets.map(({ region, median, vendorCount }) => ({
          market: region,
          median: priceOf(median) ?? 'none',
          vendors: vendorCount,
        })),
      ),
    ].join('\n'),
  )
  terminal.next(`catalog review quarantine OBSERVATION_ID --reason "..." or catalog trust SOURCE SCORE --reason "..."`)
}

const priceOf = (money: { cents: number; currency: string } | null) => money && formatMoney(money.cents, money.currency)
