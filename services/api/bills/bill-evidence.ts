import type { MatchRequest, MatchResponse } from '@catalog/api/contract/match.ts'
import { itemPage } from '@catalog/api/http/context.ts'
import type { Basis } from '@catalog/core/events/items.ts'
import { knownMethod } from '@catalog/core/median/methods.ts'
import { exponentOf } from '@catalog/core/money/money.ts'
import { majorOf, parseRational } from '@catalog/core/money/rational.ts'
import { decimalText } from '@catalog/core/recipes/amounts.ts'
import type { NewSheet } from '@catalog/formats/xlsx/new-sheet.ts'
import { readBases } from '@catalog/store/catalog/queries.ts'
import type { BasisRow } from '@catalog/store/catalog/snapshot-facts.ts'
import type { Queryable } from '@catalog/store/db.ts'
import { readSourceNames } from '@catalog/store/vendor/sources.ts'
import { PRICE_PLACES, votesOf } from './line-answers.ts'
import type { MatchedLine } from './priced-bill.ts'

/** What the prices of a bill stand on, so that a person can check them away from the catalog. */

/** Votes that are told of one line: an item has some tens of vendors in a market. */
const VOTES_MAX = 100
/** Rows of the sheet, below Excel's 1,048,576. */
const ROWS_MAX = 1_000_000

/** A line with a row for each vote behind its price; without a price of an item it has none. */
export type EvidencedLine = MatchedLine & Readonly<{ votes: ReturnType<typeof votesOfLine> }>

type Choice = Pick<MatchRequest, 'region' | 'price_region'> & Pick<MatchResponse, 'prices'> & { baseUrl: string }

/** The lines of a priced bill with their evidence, as the catalog has it now. */
export async function withEvidence<Line extends MatchedLine>(
  store: Queryable,
  lines: readonly Line[],
  choice: Choice,
): Promise<readonly (Line & EvidencedLine)[]> {
  const ids = new Set(lines.flatMap(({ item, unit_price }) => (item === null || unit_price === null ? [] : [item.id])))
  const rows = new Map((await readBases(store, [...ids])).map((row) => [row.item_id, row]))
  const names = new Map((await readSourceNames(store)).map(({ id, name }) => [id, name]))
  return lines.map((line) => {
    const row = line.unit_price === null ? undefined : rows.get(line.item?.id ?? '')
    return { ...line, votes: row === undefined ? [] : votesOfLine(line, { row, names, ...choice }) }
  })
}

/** Instants are RFC 3339. A price is that of a unit of the item, net of tax, in major units. */
function votesOfLine(
  line: MatchedLine,
  { row, names, region, price_region, prices, baseUrl }: Choice & { row: BasisRow; names: ReadonlyMap<string, string> },
) {
  const market = price_region ?? line.region ?? region ?? undefined
  const { as_of, source_id: sourceId } = prices
  const basis = JSON.parse(row.basis) as Basis
  const { votes, newest } = votesOf(basis, { priceRegion: market, sourceId: sourceId ?? undefined })
  const weighed = votes.map(({ price, trust }) => ({ price: parseRational(price), weight: trust }))
  const median = knownMethod(basis.method_version, 'its basis').price(weighed)?.cents
  const isOfPrice =
    newest?.observed_at === line.price_observed_at &&
    (sourceId !== null || Number(median) === line.item?.median_price?.cents)
  // Only a price of a past day has no newest observation.
  const isPast = line.price_observed_at === null
  const told = isPast || votes.length === 0 ? [undefined] : votes.slice(0, VOTES_MAX)
  return told.map((vote) => ({
    market: market ?? 'every market',
    prices_as_of: as_of,
    prices_by: sourceId === null ? 'medians' : (names.get(sourceId) ?? sourceId),
    run: row.run_id,
    run_as_of: row.as_of,
    method: basis.method_version,
    vendor: vote === undefined ? null : (names.get(vote.source_id) ?? vote.source_id),
    seen: vote?.observed_at ?? null,
    price: vote === undefined ? null : majorNumber(vote),
    currency: vote?.currency ?? null,
    weight: vote?.trust ?? null,
    observation_id: vote?.observation_id ?? null,
    note: isPast ? PAST : isOfPrice ? (votes.length > VOTES_MAX ? `${votes.length} votes: see the link` : null) : OTHER,
    link: itemPage(row.item_id, { baseUrl, region: market }),
  }))
}
const PAST = 'a median of the past, whose votes are not kept'
const OTHER = 'these votes do not give this price: price the bill again'

const majorNumber = ({ price, currency }: Basis['votes'][number]) =>
  Number(decimalText(majorOf(parseRational(price), exponentOf(currency) ?? 0), { places: PRICE_PLACES, least: 0 }))

/** The votes in one text: "North 2026-11-01 4.85 EUR weight 80; South ...", and the note. */
export function votesText(rows: EvidencedLine['votes']): string {
  const votes = rows.map(({ vendor, seen, price, currency, weight }) =>
    vendor === null ? '' : `${vendor} ${seen?.slice(0, 10)} ${price} ${currency} weight ${weight}`,
  )
  return [...votes, rows[0]?.note].filter(Boolean).join('; ')
}

/** All evidence of a line in one text; '' without any. */
export function evidenceText(rows: EvidencedLine['votes']): string {
  const [first] = rows
  if (first === undefined) return ''
  return `${first.market}, ${first.prices_as_of}, ${first.prices_by}, run ${first.run}: ${votesText(rows)}; ${first.link}`
}

/** A sheet with a row for each vote of each line. */
export function evidenceSheet(lines: readonly EvidencedLine[]): NewSheet {
  const rows = lines.flatMap(({ position, votes }) => votes.map((row) => ({ line: position, ...row })))
  const headings = Object.keys(rows[0] ?? { line: '' })
  const cells = rows
    .slice(0, ROWS_MAX)
    .map((row) => Object.values(row).map((cell) => (typeof cell === 'number' ? { number: cell } : cell)))
  const widths = headings.map(() => WIDTH)
  return { name: 'Evidence', headingRow: 1, headings, widths, rows: new Map(cells.map((row, i) => [i + 2, row])) }
}
/** Characters of a column: an instant, or the beginning of a name. */
const WIDTH = 22
