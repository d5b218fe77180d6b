import { type Kind, percentText, priceText } from '@catalog/cli/shared/price-change.ts'
import { table } from '@catalog/cli/shared/terminal.ts'
import { moneyText } from '@catalog/core/money/money-text.ts'
import { parseRational, roundHalfEven } from '@catalog/core/money/rational.ts'
import { csvLine } from '@catalog/formats/tables/csv-line.ts'
import type { Hypothesis, PriceChange, WhatIfAnswer } from './answer.ts'
import type { Carried, CarryForward, ValueUsed } from './carry.ts'
import { DIFFERENT, differing, type Group, type Line, total } from './report.ts'

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

export const TITLES: Readonly<Record<(typeof DIFFERENT)[number], string>> = {
  changed: 'largest changes',
  lost: 'items that lose their price',
  gained: 'items that gain a price',
  other_currency: 'items with another currency',
}

/** The events that publication would append, or has appended. */
export function eventsText({ events, carry_forward, published }: WhatIfAnswer): string {
  if (carry_forward !== undefined) return 'nothing of this can be published: a carried price was never observed'
  if (published === null) {
    return `publication would append ${events.changes} changes, and ${events.basis_only} events that only change the voters`
  }
  const { run_id, resumed, changes, basis_only } = published
  if (run_id === null) return 'nothing was published: this rule already makes the prices'
  const says = `run ${run_id} published ${changes} changes, and ${basis_only} events that only change the voters`
  return resumed ? `${says}: the rest of an interrupted run` : says
}

/** The hypothesis as text: "without Norte, trust of Sur 40 instead of 50, method twm/2". */
export function hypothesisText(hypothesis: Hypothesis): string {
  const { without, with: reenabled, trust, method, method_file, carry_forward } = hypothesis
  const parts = [
    ...(without.length === 0 ? [] : [`without ${without.map(({ name }) => name).join(' and ')}`]),
    ...(reenabled.length === 0 ? [] : [`with ${reenabled.map(({ name }) => name).join(' and ')}`]),
    ...trust.map(({ name, before, after }) => `trust of ${name} ${after} instead of ${before}`),
    ...(method.before === method.after
      ? []
      : [`method ${method.after}${method_file === null ? '' : ` of ${method_file}`}`]),
    ...(carry_forward === undefined ? [] : [`older prices carried forward by ${carry_forward.title}`]),
  ]
  return parts.length === 0 ? `by the same rule, ${method.after}` : parts.join(', ')
}

export const baselineText = ({ as_of, run_id }: Hypothesis) =>
  run_id === null ? `the present rule at ${as_of}` : `what run ${run_id} published at ${as_of}`

/** Caveats beside the numbers. */
export function notesOf({ not_reproduced, changes, carry_forward }: WhatIfAnswer): string[] {
  return [
    ...(carry_forward === undefined ? [] : carryNotes(carry_forward)),
    ...(changes.from_zero === 0 ? [] : [`${changes.from_zero} changed from 0, which no ratio says`]),
    ...(not_reproduced === 0
      ? []
      : [
          `${not_reproduced} public prices differ from what the present rule makes of these facts: catalog aggregate --full publishes the difference`,
        ]),
  ]
}

/** What was carried, and where the index had no value of its own. */
function carryNotes({ title, region, to, votes, last_known, before_first }: CarryForward): string[] {
  const where = region === null ? '' : ` in ${region}`
  return [
    `${votes} votes${where} carried forward by ${title} to ${to.value} of ${to.period}`,
    ...(to.period === to.wanted ? [] : [`the index has no value of ${to.wanted}: the last known one was taken`]),
    ...(last_known === 0
      ? []
      : [`${last_known} of them are of a period without a value: the last known one before it was taken`]),
    ...(before_first === 0 ? [] : [`${before_first} votes are older than its first value, and kept their price`]),
  ]
}

/** How a carried vote came to its price: "× 131/120 (2026-01 to 2026-03) = 1.21 EUR". */
export function carriedText(
  { from, factor, price }: Carried,
  { to, currency }: { to: ValueUsed; currency: string },
): string {
  const money = moneyText({ cents: Number(roundHalfEven(parseRational(price))), currency })
  const known = from.period === from.wanted ? '' : ` for ${from.wanted}`
  return `carried × ${factor} (${from.period}${known} to ${to.period}) = ${money}`
}

/** "−5 % to −2 %". */
export function binText({ from, to }: { from: number | null; to: number | null }): string {
  const edge = (relative: number) => `${relative > 0 ? '+' : ''}${Math.round(100 * relative)} %`
  if (from === null) return to === null ? 'any' : `below ${edge(to)}`
  return to === null ? `${edge(from)} and more` : `${edge(from)} to ${edge(to)}`
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

const isDifferent = (kind: Kind) => DIFFERENT.some((different) => different === kind)
