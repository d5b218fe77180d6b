import { table } from '@catalog/cli/shared/terminal.ts'
import { moneyText } from '@catalog/core/money/money-text.ts'
import { csvTable } from '@catalog/formats/tables/csv-line.ts'
import { percentText, priceText } from '@catalog/operations/price-change.ts'
import type { DiffAnswer } from './answer.ts'
import type { ItemChange, PriceMove, VoteMove } from './item-change.ts'

/** The answer as text for a terminal, and as CSV with a line for every price that differs. */

/** Characters of a name in a table. */
const NAME_CHARS = 60

export function textOf(answer: DiffAnswer): string {
  const { changes, counts, rises, falls, left_out } = answer
  return [
    titleOf(answer),
    ...methodNote(answer),
    '',
    table([{ ...counts, rises, falls }]),
    ...changes.flatMap((change) => ['', ...changeLines(change, answer)]),
    ...(left_out === 0 ? [] : ['', `and ${left_out} more: --limit shows them, --csv FILE writes all`]),
  ].join('\n')
}

/** "run_a (2026-11-01T02:00:00Z) → run_b (2026-11-02T02:00:00Z), ES". */
function titleOf({ from, to, region }: DiffAnswer): string {
  const title = `${from.run_id} (${from.as_of}) → ${to.run_id} (${to.as_of})`
  return region === null ? title : `${title}, ${region}`
}

function methodNote({ from, to }: DiffAnswer): string[] {
  return from.method === to.method ? [] : [`the method changed from ${from.method} to ${to.method}`]
}

/** "headline", or the market. */
const marketText = (region: string | null) => region ?? 'headline'

function changeLines({ item_id, name, unit, change, merged_into, prices, votes }: ItemChange, answer: DiffAnswer) {
  const state = change === 'price' ? '' : `${change}${merged_into === null ? '' : ` into ${merged_into}`}: `
  return [
    `${state}${name.slice(0, NAME_CHARS)} (${unit ?? 'no unit'}), ${item_id}`,
    ...prices.map(({ region, before, after, relative }) =>
      `  ${marketText(region).padEnd(8)} ${priceText(before)} → ${priceText(after)} ${percentText(relative)}`.trimEnd(),
    ),
    ...votes.map((vote) => `  ${voteText(vote, answer)}`),
  ]
}

/** "out  Norte 12.00 EUR × 50: EXPIRED". */
function voteText(vote: VoteMove, { sources }: Pick<DiffAnswer, 'sources'>): string {
  const { change, source_id, before, after, reasons } = vote
  const side = (one: VoteMove['before']) =>
    one === null ? '' : `${moneyText({ cents: one.price_cents, currency: one.currency })} × ${one.trust}`
  const moved = [side(before), side(after)].filter((text) => text !== '').join(' → ')
  return `${change.padEnd(7)}  ${sources[source_id] ?? source_id} ${moved}: ${reasons.join(', ')}`
}

type Row = Readonly<{ item: ItemChange; price: PriceMove; reasons: string }>
const count = ({ item }: Row, kind: VoteMove['change']) => item.votes.filter(({ change }) => change === kind).length

const TABLE = csvTable<Row>({
  item_id: ({ item }) => item.item_id,
  name: ({ item }) => item.name,
  unit: ({ item }) => item.unit,
  change: ({ item }) => item.change,
  merged_into: ({ item }) => item.merged_into,
  region: ({ price }) => price.region,
  before_cents: ({ price }) => price.before?.cents,
  before_currency: ({ price }) => price.before?.currency,
  after_cents: ({ price }) => price.after?.cents,
  after_currency: ({ price }) => price.after?.currency,
  relative: ({ price }) => price.relative,
  votes_in: (row) => count(row, 'in'),
  votes_out: (row) => count(row, 'out'),
  votes_changed: (row) => count(row, 'changed'),
  reasons: ({ reasons }) => reasons,
})
export const CSV_HEAD = TABLE.head

/** A line for each price of the item. */
export function csvRows(item: ItemChange): string {
  const reasons = [...new Set(item.votes.flatMap((vote) => vote.reasons))].sort().join(' ')
  return item.prices.map((price) => TABLE.line({ item, price, reasons })).join('')
}
