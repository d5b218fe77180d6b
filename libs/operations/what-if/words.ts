import { moneyText } from '@catalog/core/money/money-text.ts'
import { parseRational, roundHalfEven } from '@catalog/core/money/rational.ts'
import { countOf } from '@catalog/core/text.ts'
import type { Hypothesis, WhatIfAnswer } from './answer.ts'
import type { Carried, CarryForward, ValueUsed } from './carry.ts'
import type { Moves } from './records.ts'
import { type DIFFERENT, total } from './report.ts'

/** The answer in words. */

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

/** "of 12 items, 3 would change their median, 1 gain one, 0 lose one; 2 new items". */
export function movesText({ records, isWhole, items, newItems }: Moves): string {
  const { changed, gained, lost, other_currency } = items
  const all = total(items)
  const of = isWhole ? '' : `by ${countOf(records, 'record')} and ${countOf(all, 'item')}, more were not looked at: `
  const added = countOf(newItems, 'new item')
  if (all === 0) return `${of}nothing: no item has these goods yet, ${added}`
  const currencies = other_currency === 0 ? '' : `, ${other_currency} change its currency`
  return `${of}of ${countOf(all, 'item')}, ${changed} would change their median, ${gained} gain one, ${lost} lose one${currencies}; ${added}`
}
