import { withEvidence } from '@catalog/api/bills/bill-evidence.ts'
import { itemsOfStore } from '@catalog/api/bills/line-items.ts'
import { type BillToPrice, basisOf, lineToPrice, priceBill } from '@catalog/api/bills/price-bill.ts'
import { billTotals, candidatesOf, type MatchedLine } from '@catalog/api/bills/priced-bill.ts'
import { LINES_MAX, MatchRequest, type MatchResponse } from '@catalog/api/contract/match.ts'
import { openFinder } from '@catalog/api/search/finder.ts'
import { apiAddress, type Context, type Stage } from '@catalog/cli/shared/context.ts'
import { table } from '@catalog/cli/shared/terminal.ts'
import { moneyText } from '@catalog/core/money/money-text.ts'
import type { BillLine } from '@catalog/formats/bill/bill.ts'
import { correctionsOf } from './corrections.ts'

/** Prices the lines of a file, whatever its format, and reports them. */

export type PriceFlags = Readonly<{
  region?: string
  priceRegion?: string
  source?: string
  asOf?: string
  priceSource?: string
  alternatives?: string
  corrections?: string
  workspace?: string
}>

type Bill = Pick<BillToPrice, 'recipes'> & Readonly<{ lines: readonly BillLine[]; currency?: string }>

export type Report = ReturnType<typeof reportOf>

/** Throws for a flag or a line beyond the bounds of the API, with its name or place. */
export async function priceLines(
  { catalog, terminal }: Stage,
  { lines, currency, ...bill }: Bill,
  flags: PriceFlags,
): Promise<Report> {
  const asked = requestOf(lines, flags)
  const texts = lines.map(({ text }) => text)
  const corrections = await correctionsOf(catalog, texts, flags)
  const progress = terminal.progress('lines matched')
  let done = 0
  const context = { items: itemsOfStore(catalog.store), find: openFinder(catalog), corrections, now: catalog.now }
  const onAnswer = () => progress.to(++done, Math.max(done, lines.length))
  const { lines: answers, prices } = await priceBill({ ...context, onAnswer }, { ...asked, ...bill })
  progress.done()
  const matched = answers.map((answer, i) => ({ ...(lines[i] as BillLine), ...answer }))
  return reportOf(matched, { region: asked.region ?? null, currency, prices })
}

/** The lines of a report with what their prices stand on. */
export const evidencedLines = (
  { catalog, env }: Pick<Context, 'catalog' | 'env'>,
  { lines, region, prices }: Report,
  { priceRegion }: PriceFlags,
) => withEvidence(catalog.store, lines, { region, price_region: priceRegion, prices, baseUrl: apiAddress(env) })

/** The request of the API, so that files have the same bounds. */
function requestOf(lines: readonly BillLine[], flags: PriceFlags): BillToPrice {
  const asked = lines.map(lineToPrice)
  const of = {
    region: flags.region,
    price_region: flags.priceRegion,
    source: flags.source,
    as_of: flags.asOf,
    price_source: flags.priceSource,
    ...(flags.alternatives !== undefined && { alternatives: Number(flags.alternatives) }),
  }
  let request: BillToPrice = { lines: [] }
  for (let at = 0; at < lines.length; at += LINES_MAX) {
    const chunk = asked.slice(at, at + LINES_MAX)
    const read = MatchRequest.safeParse({ ...of, lines: chunk.map((line) => ({ ...line, quantity: null })) })
    if (!read.success) throw new Error(issueOf(read.error.issues[0], lines.slice(at)))
    const further = chunk.map((line, i) => ({ ...line, region: read.data.lines[i]?.region }))
    request = { ...read.data, lines: [...request.lines, ...further] }
  }
  return request
}

function issueOf(
  issue: { path: readonly PropertyKey[]; message: string } | undefined,
  lines: readonly BillLine[],
): string {
  const [first, at, key] = issue?.path ?? []
  const place =
    typeof at === 'number' ? `${lines[at]?.position}: ${String(key)}` : `--${String(first).replace('_', '-')}`
  return `${place}: ${issue?.message}`
}

function reportOf(
  lines: readonly MatchedLine[],
  { currency, ...of }: Pick<MatchResponse, 'prices'> & { region: string | null; currency: string | undefined },
) {
  const count = (status: MatchedLine['status']) => lines.filter((line) => line.status === status).length
  return {
    ...of,
    matched: count('matched'),
    ambiguous: count('ambiguous'),
    unmatched: count('unmatched'),
    ...billTotals(lines, currency ? { currency } : {}),
    lines,
  }
}

/** For people: what is priced, of which market, and how it compares with what the bill states. */
export function summaryOf({ lines, stated, costs, quantities, ...report }: Report): string {
  const percent = (share: number) => `${Math.round(share * 100)} %`
  const sums = costs.length > 0 ? `: ${costs.map(moneyText).join(' + ')}` : ''
  const shares = quantities.map(
    ({ unit, quantity, priced_share }) => `${percent(priced_share)} of ${quantity} ${unit || 'without a unit'}`,
  )
  return [
    `${report.matched} matched, ${report.ambiguous} ambiguous, ${report.unmatched} unmatched; items of ${report.region ?? 'every market'}, prices of ${pricesText(report)}`,
    `${report.priced} of ${lines.length} lines (${percent(report.priced_share)}) priced${sums}`,
    ...(shares.length > 0 ? [`priced by quantity: ${shares.join(', ')}`] : []),
    ...(stated === null ? [] : statedText(stated, costs)),
  ].join('\n')
}

/** "ES on 2026-10-01", or with the source of all prices. */
const pricesText = ({ prices: { region, as_of, source_id } }: Pick<Report, 'prices'>) =>
  `${region ?? 'every market'} on ${as_of.slice(0, 10)}${source_id === null ? '' : ` by ${source_id}`}`

function statedText(
  { currency, amount, priced_share, compared }: NonNullable<Report['stated']>,
  costs: Report['costs'],
): string[] {
  const foreign = costs.filter((money) => money.currency !== currency)
  return [
    `the bill states ${amount} ${currency}, of which ${Math.floor(priced_share * 100)} % are priced`,
    `${compared.lines} lines are compared: stated ${compared.amount}, now ${compared.cost}, difference ${compared.difference} ${currency}`,
    ...foreign.map((money) => `${moneyText(money)} is not compared with ${currency}; --region chooses another market`),
  ]
}

export const tableOf = ({ lines, stated }: Report): string =>
  table(lines.map((line) => rowOf(line, { isStated: stated !== null })))

function rowOf(line: MatchedLine, { isStated }: { isStated: boolean }) {
  const { position, code, text, quantity, unit, status, reason, cost, unit_price: price } = line
  const by = basisOf(line)
  const item = status === 'matched' ? line.item : null
  const shown = ({ name, unit: sold }: ReturnType<typeof candidatesOf>[number]) =>
    `${name.slice(0, 50)} (${sold ?? '-'})`
  const how = line.recipe ? `recipe ${Math.floor(line.recipe.covered_share * 100)} %` : by
  return {
    line: position.replace(/^.* (?:line )?/, ''),
    ...(isStated && { code: code?.slice(0, 40) ?? '' }),
    text: text.slice(0, 40),
    quantity: quantity ?? '',
    unit: unit ?? '',
    status: reason !== null ? `${status}: ${reason}` : by === 'search' ? status : `${status}: ${how}`,
    item: item === null ? candidatesOf(line).map(shown).join(' | ') : shown(item),
    ...(isStated && { stated: line.price ?? '' }),
    price: price === null ? moneyOf(item?.median_price) : `${price.amount} ${price.currency}`,
    cost: moneyOf(cost),
    seen: `${line.price_observed_at?.slice(0, 10) ?? ''}${line.price_is_old ? ' old' : ''}`,
  }
}

const moneyOf = (money: { cents: number; currency: string } | null | undefined) => (money ? moneyText(money) : '')
