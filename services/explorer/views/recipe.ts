import type { Decomposition, DecompositionLine } from '@catalog/api/contract/contract.ts'
import { columnsIn, sayCode } from '@catalog/explorer/languages/language.ts'
import type { Page } from '@catalog/explorer/pages/frame.ts'
import { timeOf } from '@catalog/explorer/pages/parts.ts'
import type { PageRecord } from '@catalog/explorer/pages/records.ts'
import { linkTo, type View } from '@catalog/explorer/pages/view.ts'
import { html, type Markup, text } from '@catalog/pages/markup.ts'
import { table } from '@catalog/pages/table.ts'

/** What a work is made of: its lines with their prices in the file and today, and the shares by kind of resource. */
export function recipePage(view: View, answer: Decomposition): Page {
  const { say, origin } = view
  const { item, recipe, now, warnings } = answer
  const address = `${origin}/v1/items/${item.id}/decomposition`
  const amount = (decimal: string | null) => decimalText(view, decimal, recipe.currency)
  const facts = [
    html`<li>!${sourceOf(view, answer)}</li>`,
    html`<li>!${timeOf(recipe.observed_at, view)}</li>`,
    ...(recipe.unit === null ? [] : [html`<li>${say('perUnit', { unit: recipe.unit })}</li>`]),
  ]
  const today =
    now === null
      ? ''
      : html`<p>${say('recipeToday', { total: amount(now.total), priced: now.priced_lines, lines: now.lines })}</p>`
  return {
    title: `${item.name}: ${say('recipe')}`,
    hasOwnHeading: true,
    body: [
      html`<p><a href="${linkTo(view, `/items/${item.id}`)}">${item.name}</a></p>`,
      html`<h1>${say('recipe')}</h1><ul class="facts">!${facts.join('')}</ul>`,
      html`<p class="price"><strong>${amount(answer.totals.total)}</strong></p>!${today}`,
      ...warnings.map((warning) => html`<p class="note">${warning}</p>`),
      sharesOf(view, answer),
      linesTable(view, answer),
      answer.truncated ? html`<p class="dim">${say('recipeTruncated')}</p>` : '',
    ].join('\n'),
    data: { json: address },
    records: recordsOf(answer.lines, recipe.currency, ''),
  }
}

/** The lines, numbered as in the bill. */
function recordsOf(lines: readonly DecompositionLine[], currency: string, number: string): PageRecord[] {
  return lines.flatMap((line) => {
    const own = number === '' ? String(line.position) : `${number}.${line.position}`
    const { name, kind, quantity, unit, unit_price, amount, item, now, children } = line
    const record = {
      line: own,
      name,
      kind,
      quantity,
      unit,
      unit_price,
      amount,
      amount_now: now?.amount ?? null,
      currency,
    }
    return [{ ...record, item_id: item?.id ?? null }, ...recordsOf(children, currency, own)]
  })
}

const sourceOf = (view: View, { recipe: { source, vendor_ref } }: Decomposition): Markup =>
  html`<a href="${linkTo(view, `/sources/${source.id}`)}">${source.name}</a> ${vendor_ref}`

/** An exact decimal of the file as money; the decimals beyond those of the currency are rounded for reading. */
const decimalText = ({ formats }: View, decimal: string | null, currency: string): string =>
  decimal === null ? '—' : formats.decimalMoney(decimal, currency)

const KINDS = ['labor', 'machinery', 'material', 'auxiliary', 'percentage', 'waste', 'unclassified'] as const

/** The shares of labour, machinery, material and the rest in the whole, as bars and as text. */
function sharesOf(view: View, { resources, recipe }: Decomposition): Markup {
  const { say, formats } = view
  const amounts = KINDS.map((kind) => ({ kind, amount: Number(resources[kind]) })).filter(({ amount }) => amount > 0)
  const total = amounts.reduce((sum, { amount }) => sum + amount, 0)
  if (total === 0) return ''
  const rows = amounts.map(({ kind, amount }) => [
    text(sayCode(say, 'line', kind)),
    text(decimalText(view, resources[kind], recipe.currency)),
    html`<meter value="${(amount / total).toFixed(4)}" aria-label="${sayCode(say, 'line', kind)}"></meter> ${formats.percent(amount / total)}`,
  ])
  const columns = columnsIn(say, 'kind', '#amount', 'share')
  return table({ caption: say('shares'), columns, rows })
}

function linesTable(view: View, { lines, recipe }: Decomposition): Markup {
  const { say } = view
  const columns = columnsIn(say, 'line', '#quantity', 'unit', '#price', '#amount', '#now')
  const rows = lines.flatMap((line) => rowsOf(view, line, { currency: recipe.currency, number: '' }))
  return table({ caption: say('lines'), columns, rows })
}

/** A line and those below it, each numbered as in the bill: 2.1 is the first of the second. */
function rowsOf(
  view: View,
  line: DecompositionLine,
  { currency, number }: { currency: string; number: string },
): Markup[][] {
  const { say } = view
  const own = number === '' ? String(line.position) : `${number}.${line.position}`
  const name =
    line.item === null ? html`${line.name}` : html`<a href="${linkTo(view, `/items/${line.item.id}`)}">${line.name}</a>`
  const amount = (decimal: string | null) => text(decimalText(view, decimal, currency))
  return [
    [
      html`${own} !${name} <span class="dim">${sayCode(say, 'line', line.kind)}</span>`,
      text(view.formats.decimal(line.quantity)),
      text(line.unit ?? ''),
      amount(line.unit_price),
      amount(line.amount),
      amount(line.now?.amount ?? null),
    ],
    ...line.children.flatMap((child) => rowsOf(view, child, { currency, number: own })),
  ]
}
