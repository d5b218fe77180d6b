import { table } from '@catalog/cli/shared/terminal.ts'
import { moneyText } from '@catalog/core/money/money-text.ts'
import { csvTable } from '@catalog/formats/tables/csv-line.ts'
import { percentText, priceText } from '@catalog/operations/price-change.ts'
import type { PriceChange, WhatIfAnswer } from '@catalog/operations/what-if/answer.ts'
import type { Carried, ValueUsed } from '@catalog/operations/what-if/carry.ts'
import { DIFFERENT, differing, type Group, isDifferent, type Line, total } from '@catalog/operations/what-if/report.ts'
import {
  baselineText,
  binText,
  carriedText,
  eventsText,
  hypothesisText,
  notesOf,
  TITLES,
} from '@catalog/operations/what-if/words.ts'

/** The answer as text for a terminal, and as CSV with a line for every price that differs. */

/** Characters of a text in a table. */
const TEXT_CHARS = 40

/** `top` bounds the lists; 0 leaves only the sums. */
export function textOf(answer: WhatIfAnswer, top: number): string {
  const { items, changes, regions, categories, largest, carry_forward } = answer
  const lists = DIFFERENT.filter((kind) => top > 0 && largest[kind].length > 0).flatMap((kind) => [
    '',
    `${TITLES[kind]}:`,
    '',
    ...largest[kind].flatMap((change) => priceChangeLines(change, carry_forward?.to)),
  ])
  return [
    `${hypothesisText(answer)}, against ${baselineText(answer)}`,
    '',
    table([{ items: total(items), ...items }]),
    eventsText(answer),
    ...notesOf(answer),
    ...(changes.items === 0
      ? []
      : [
          '',
          `${changes.rises} rise and ${changes.falls} fall:`,
          '',
          table(
            changes.quantiles.map(({ part, relative }) => ({
              quantile: `${100 * part} %`,
              change: percentText(relative),
            })),
          ),
          '',
          table(
            changes.histogram
              .filter(({ items }) => items > 0)
              .map(({ from, to, items }) => ({ change: binText({ from, to }), items })),
          ),
        ]),
    ...(top === 0
      ? []
      : ['', groupTable('region', regions, regions.length), '', groupTable('category', categories, top)]),
    ...lists,
  ].join('\n')
}

function groupTable(what: string, groups: readonly Group[], top: number): string {
  const shown = groups.slice(0, top)
  const rows = shown.map(({ name, counts, median }) => ({
    [what]: name.slice(0, TEXT_CHARS),
    items: total(counts),
    differ: differing(counts),
    changed: counts.changed,
    gained: counts.gained,
    lost: counts.lost,
    other_currency: counts.other_currency,
    median_change: percentText(median),
  }))
  return groups.length > shown.length ? `${table(rows)}\nand ${groups.length - shown.length} more` : table(rows)
}

function priceChangeLines(change: PriceChange, to: ValueUsed | undefined): string[] {
  const { item_id, name, unit, before, after, relative, before_basis, after_basis, carried } = change
  return [
    `  ${name.slice(0, TEXT_CHARS)} (${unit ?? 'no unit'}), ${item_id}`,
    `    ${[priceText(before), '→', priceText(after), percentText(relative)].join(' ').trimEnd()}`,
    `    before ${basisText(before_basis)}`,
    `    then   ${basisText(after_basis, to && { to, carried })}`,
  ]
}

/** "2 votes: Norte 1.00 EUR × 50, Sur 1.20 EUR × 40; left out: Este SOURCE_DISABLED". */
function basisText(
  { currency, votes, excluded, voters }: PriceChange['before_basis'],
  carrying?: { to: ValueUsed; carried: readonly Carried[] | undefined },
): string {
  const carriedOf = (id: string) => carrying?.carried?.find(({ observation_id }) => observation_id === id)
  const voting = votes.filter((vote) => vote.currency === currency)
  const said = voting.map((vote) => {
    const carried = carriedOf(vote.observation_id)
    const now = carrying && carried ? ` (${carriedText(carried, { to: carrying.to, currency: vote.currency })})` : ''
    return `${vote.source_name ?? vote.source_id} ${moneyText({ cents: vote.price_cents, currency: vote.currency })}${now} × ${vote.trust}`
  })
  const left = excluded.map(({ source_name, id, reason }) => `${source_name ?? id} ${reason}`)
  const votesText = voters === 0 ? 'no votes' : `${voters === 1 ? '1 vote' : `${voters} votes`}: ${said.join(', ')}`
  return left.length === 0 ? votesText : `${votesText}; left out: ${left.join(', ')}`
}

const TABLE = csvTable<Line>({
  item_id: ({ itemId }) => itemId,
  name: ({ name }) => name,
  unit: ({ unit }) => unit,
  category: ({ category }) => category,
  change: ({ kind }) => kind,
  before_cents: ({ before }) => before?.cents,
  before_currency: ({ before }) => before?.currency,
  after_cents: ({ after }) => after?.cents,
  after_currency: ({ after }) => after?.currency,
  relative: ({ relative }) => relative,
  before_voters: ({ preview }) => preview.present.repriced.basis.voters,
  after_voters: ({ preview }) => preview.next.basis.voters,
  before_trust: ({ preview }) => preview.present.repriced.basis.trust_total,
  after_trust: ({ preview }) => preview.next.basis.trust_total,
})
export const CSV_HEAD = TABLE.head

/** Empty for a price that stays, or that is absent before and after. */
export const csvRow = (line: Line): string => (isDifferent(line.kind) ? TABLE.line(line) : '')
