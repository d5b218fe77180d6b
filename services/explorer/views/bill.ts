import { BILL_FORMATS, type BillFormat } from '@catalog/api/bills/bill-file.ts'
import { billTotals, type PricedBill, type PricedLine } from '@catalog/api/bills/priced-bill.ts'
import { LINES_MAX } from '@catalog/api/contract/contract.ts'
import { REGIONS } from '@catalog/core/events/sources.ts'
import { columnsIn, sayCode } from '@catalog/explorer/languages/language.ts'
import { ASSETS } from '@catalog/explorer/pages/assets.ts'
import type { Page } from '@catalog/explorer/pages/frame.ts'
import { amountOf } from '@catalog/explorer/pages/parts.ts'
import { linkTo, type View } from '@catalog/explorer/pages/view.ts'
import { html, type Markup, text } from '@catalog/pages/markup.ts'
import { table } from '@catalog/pages/table.ts'

/** The page on which a bill of quantities is priced, corrected and downloaded. */

/** Bytes of an uploaded bill: a workbook of some thousand lines. */
export const BILL_BYTES_MAX = 2 * 1024 ** 2

/** Why the bill cannot be priced, in the reader's language, and what exactly was found. */
export type BillNotice = Readonly<{ text: string; detail?: string }>

/** The form to upload a bill; with a notice after one that could not be priced. */
export function askBillPage(view: View, notice?: BillNotice): Page {
  const { say } = view
  return {
    title: say('bill'),
    current: '/bill',
    body: html`<p>${say('billIntro')}</p>
!${notice === undefined ? '' : noticeOf(notice)}
<form class="upload" action="${actionOf(view)}" method="post" enctype="multipart/form-data" aria-label="${say('bill')}">
<div class="drop"><label for="bill">${say('billFile', { size: '2 MB', lines: LINES_MAX })}</label>
<input id="bill" name="bill" type="file" required></div>
<div><label for="bill-market">${say('market')}</label><select id="bill-market" name="market">
<option value="">${say('allMarkets')}</option>!${marketOptions(view)}</select></div>
<div><button>${say('billPrice')}</button></div></form>
<p><a href="${ASSETS.exampleBill.path}" download="bill.csv">${say('billExample')}</a></p>
<p class="dim">${say('billLarger')} <code>catalog match</code>, <code>catalog bc3 price</code>, <code>POST /v1/match</code></p>`,
  }
}

function marketOptions({ say, market }: View): Markup {
  const options = REGIONS.map((region) => {
    const selected = region === market ? ' selected' : ''
    return html`<option value="${region}"!${selected}>${sayCode(say, 'region', region)}</option>`
  })
  return options.join('')
}

const actionOf = (view: View) => linkTo(view, '/bill', { price_region: undefined })

const noticeOf = ({ text: said, detail }: BillNotice): Markup =>
  html`<div class="note" role="alert"><p>${said}</p>!${detail === undefined ? '' : html`<p><code>${detail}</code></p>`}</div>`

export type BillAnswers = Readonly<{
  bill: PricedBill
  /** What the page gives back with a correction: the sealed answers and the file. */
  sealed: string
  file: Buffer
  unknownIds: readonly string[]
}>

/** Each line with its answer, a way to correct it, and the downloads. */
export function billPage(view: View, { bill, sealed, file, unknownIds }: BillAnswers): Page {
  const { say, formats } = view
  const { priced, costs } = billTotals(bill.lines)
  const counts = (['matched', 'ambiguous', 'unmatched'] as const).map((status) => {
    const count = bill.lines.filter((line) => line.status === status).length
    return html`<li>!${statusOf(view, status)} ${formats.number(count)}</li>`
  })
  const money = costs.map((cost) => html`<strong>${formats.money(cost)}</strong>`)
  return {
    title: `${say('bill')}: ${bill.name}`,
    current: '/bill',
    body: html`<div class="price">!${money.join(' ')}<span>${say('billPriced', { priced, lines: bill.lines.length })}</span></div>
<ul class="facts">!${counts.join('')}<li>${bill.region === null ? say('allMarkets') : sayCode(say, 'region', bill.region)}</li><li>${formats.instant(bill.pricedAt)}</li></ul>
!${unknownIds.map((id) => noticeOf({ text: say('itemMissing', { id }) })).join('')}
!${notesOf(view, bill)}
<form action="${actionOf(view)}" method="post" enctype="multipart/form-data" aria-label="${say('billCorrect')}">
<input type="hidden" name="sealed" value="${sealed}"><input type="hidden" name="file" value="${file.toString('base64')}">
!${buttons(view)}
!${linesOf(view, bill)}
!${buttons(view)}
</form>
<p><a href="${linkTo(view, '/bill')}">${say('billAnother')}</a></p>`,
  }
}

function buttons({ say }: View): Markup {
  const downloads = BILL_FORMATS.map(
    (format) =>
      html`<button class="plain" name="download" value="${format}">${say('billDownload', { format: FORMAT_NAMES[format] })}</button>`,
  )
  return html`<div class="buttons"><button>${say('billApply')}</button>!${downloads.join('')}</div>`
}
const FORMAT_NAMES: Readonly<Record<BillFormat, string>> = { bc3: 'BC3', csv: 'CSV', xlsx: 'XLSX' }

/** What the rows do not show, and how many lines do not stand as they were read. */
function notesOf({ say }: View, { notes, lines }: PricedBill): Markup {
  const doubtful = lines.filter(({ problem }) => problem !== null).length
  if (doubtful + notes.length === 0) return ''
  const count = doubtful === 0 ? '' : html`<p>${say('billUnread', { count: doubtful })}</p>`
  return html`<div class="note">!${count}!${notes.map((note) => html`<p>${note}</p>`).join('')}</div>`
}

function statusOf({ say }: View, status: PricedLine['status']): Markup {
  return html`<span class="status ${status}">${say(`bill_${status}`)}</span>`
}

function linesOf(view: View, { lines, others }: PricedBill): Markup {
  const { say, formats } = view
  const othersAt = Map.groupBy(others, ({ linesBefore }) => linesBefore)
  const titlesAt = (at: number) =>
    (othersAt.get(at) ?? []).map((row) => {
      const sum = row.kind === 'sum' && row.amount !== null ? formats.decimal(row.amount) : ''
      return [html`<strong>${row.text}</strong>`, '', '', '', text(sum)]
    })
  const rows = lines.flatMap((line, i) => {
    const { text: written, code, quantity, unit, unit_price: price, cost, problem } = line
    const own = [
      html`!${code === null ? '' : html`<span class="dim">${code}</span> `}${written}!${problem === null ? '' : html` <span class="dim">${problem}</span>`}`,
      text(quantity === null ? '—' : `${formats.decimal(quantity)} ${unit ?? ''}`),
      answerOf(view, line, i),
      text(price === null ? '—' : formats.decimalMoney(price.amount, price.currency)),
      text(amountOf(cost, view)),
    ]
    return [...titlesAt(i), own]
  })
  rows.push(...titlesAt(lines.length))
  const columns = columnsIn(say, 'line', '#quantity', 'item', '#price', '#amount')
  return table({ caption: say('billLines', { count: lines.length }), columns, rows })
}

/** What the line means, and the other choices. No score: it orders candidates, and a reader takes it for a chance. */
function answerOf(view: View, line: PricedLine, at: number): Markup {
  const { say, formats } = view
  const { status, item, reason, isCut, decided_by: by, askedText } = line
  const facts = [
    ...(reason === null ? [] : [say(`bill_${reason}`)]),
    ...(isCut && by === 'search' ? [say('billCut')] : []),
    ...(line.price_is_old ? [say('billOld', { date: formats.day(line.price_observed_at ?? '') })] : []),
    ...(askedText === null ? [] : [`“${askedText}”`]),
    ...(by === 'correction' ? [say('billPerson')] : []),
  ]
  const named = status === 'matched' && item !== null ? itemLink(view, item) : ''
  return html`!${statusOf(view, status)} !${named}<span class="dim">${facts.join(' · ')}</span>!${choicesOf(view, line, at)}`
}

type Item = NonNullable<PricedLine['item']>

function itemLink(view: View, { id, name }: Item): Markup {
  return html`<a href="${linkTo(view, `/items/${id}`)}">${name}</a> `
}

function choicesOf(view: View, { item, alternatives, status }: PricedLine, at: number): Markup {
  const { say } = view
  const candidates = [...(item === null ? [] : [item]), ...alternatives.map((other) => other.item)]
  const options = [
    choice({ at, value: '', isChosen: true }, text(say('billKeep'))),
    ...(status === 'matched' ? candidates.slice(1) : candidates).map((each) =>
      choice({ at, value: each.id }, candidateOf(view, each)),
    ),
    choice({ at, value: 'none' }, text(say('billNothing'))),
  ]
  return html`<details><summary>${say('billCorrect')}</summary>
<fieldset><legend class="unseen">${say('billCorrect')}</legend>!${options.join('')}
<label class="words">${say('billWords')} <input name="words-${at}" maxlength="512"></label></fieldset></details>`
}

function choice(
  { at, value, isChosen = false }: { at: number; value: string; isChosen?: boolean },
  label: Markup,
): Markup {
  const checked = isChosen ? ' checked' : ''
  return html`<label><input type="radio" name="choice-${at}" value="${value}"!${checked}> <span>!${label}</span></label>`
}

function candidateOf(view: View, { name, unit, median_price: median }: Item): Markup {
  const { say } = view
  const per = unit == null ? '' : ` ${say('perUnit', { unit })}`
  return html`${name} <span class="dim">${amountOf(median, view)}${median ? per : ''}</span>`
}
