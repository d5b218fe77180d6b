import { table } from '@catalog/cli/shared/terminal.ts'
import { moneyText } from '@catalog/core/money/money-text.ts'
import { csvLine } from '@catalog/formats/tables/csv-line.ts'
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

const CSV_COLUMNS = [
  'item_id',
  'name',
  'unit',
  'category',
  'change',
  'before_cents',
  'before_currency',
  'after_cents',
  'after_currency',
  'relative',
  'before_voters',
  'after_voters',
  'before_trust',
  'after_trust',
]
export const CSV_HEAD = csvLine(CSV_COLUMNS)

/** Empty for a price that stays, or that is absent before and after. */
export function csvRow({ itemId, name, unit, category, kind, before, after, relative, preview }: Line): string {
  if (!isDifferent(kind)) return ''
  const [past, next] = [preview.present.repriced.basis, preview.next.basis]
  return csvLine([
    itemId,
    name,
    unit,
    category,
    kind,
    before?.cents,
    before?.currency,
    after?.cents,
    after?.currency,
    relative,
    past.voters,
    next.voters,
    past.trust_total,
    next.trust_total,
  ])
}
