import { BILL_FORMATS, type BillFormat } from '@catalog/api/bills/bill-file.ts'
import { additionsTo, billTotals, MARKUPS, type PricedBill, type PricedLine } from '@catalog/api/bills/priced-bill.ts'
import { LINES_MAX } from '@catalog/api/contract/contract.ts'
import { columnsIn, sayCode } from '@catalog/explorer/languages/language.ts'
import type { Page } from '@catalog/explorer/pages/frame.ts'
import { amountOf, marketOptions } from '@catalog/explorer/pages/parts.ts'
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
  const { say, now } = view
  return {
    title: say('bill'),
    current: '/bill',
    body: html`<p>${say('billIntro')}</p>
!${notice === undefined ? '' : noticeOf(notice)}
<form class="upload" action="${actionOf(view)}" method="post" enctype="multipart/form-data" aria-label="${say('bill')}">
<div class="drop"><label for="bill">${say('billFile', { size: '2 MB', lines: LINES_MAX })}</label>
<input id="bill" name="bill" type="file" required></div>
<div><label for="bill-market">${say('market')}</label><select id="bill-market" name="region">!${marketOptions(view)}</select></div>
<div><label for="bill-day">${say('billDay')}</label><input id="bill-day" name="as_of" type="date" max="${now.toISOString().slice(0, 10)}"></div>
<div><label for="bill-source">${say('billSource')}</label><input id="bill-source" name="price_source" maxlength="200"></div>
<div class="buttons"><button>${say('billPrice')}</button><button class="plain" name="example" value="yes" formnovalidate>${say('billExample')}</button></div></form>
<p class="dim">${say('billLarger')} <code>catalog match</code>, <code>catalog bc3 price</code>, <code>POST /v1/match</code></p>`,
  }
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
  const { region, prices, source } = bill
  const facts = [
    region === null ? say('allMarkets') : sayCode(say, 'region', region),
    say('billPrices', { day: formats.day(prices.as_of) }),
    source === null ? say('medianPrice') : `${say('source')}: ${source}, ${say('taxNet')}`,
  ]
  return {
    title: `${say('bill')}: ${bill.name}`,
    current: '/bill',
    body: html`<p id="bill-said" class="unseen" role="status"></p>
<div id="bill-priced">!${sumsOf(view, bill)}
<ul class="facts">!${facts.map((fact) => html`<li>${fact}</li>`)}</ul>
!${unknownIds.map((id) => noticeOf({ text: say('itemMissing', { id }) })).join('')}
!${notesOf(view, bill)}
<form action="${actionOf(view)}" method="post" enctype="multipart/form-data" aria-label="${say('billCorrect')}">
<input type="hidden" name="sealed" value="${sealed}"><input type="hidden" name="file" value="${file.toString('base64')}">
<fieldset class="additions"><legend>${say('billAdd')}</legend>!${MARKUPS.map((name) => shareField(view, bill, name))}</fieldset>
!${buttons(view)}
<p class="dim keys">${say('billKeys')}</p>
!${linesOf(view, bill)}
!${buttons(view)}
</form></div>
<p><a href="${linkTo(view, '/bill')}">${say('billAnother')}</a></p>`,
  }
}

const shareField = ({ say }: View, { markups }: PricedBill, name: (typeof MARKUPS)[number]): Markup =>
  html`<label>${say(`bill_${name}`)} <input name="${name}" type="number" min="0" max="100" step="0.01" value="${markups[name] ?? ''}"></label>`

function buttons({ say }: View): Markup {
  const downloads = BILL_FORMATS.map(
    (format) =>
      html`<button class="plain" name="download" value="${format}">${say('billDownload', { format: FORMAT_NAMES[format] })}</button>`,
  )
  return html`<div class="buttons"><button>${say('billApply')}</button>!${downloads.join('')}</div>`
}
const FORMAT_NAMES: Readonly<Record<BillFormat, string>> = { bc3: 'BC3', csv: 'CSV', xlsx: 'XLSX' }

const STATES = ['priced', 'unpriced', 'open', 'missing', 'unread'] as const

function stateOf({ problem, status, cost }: PricedLine): (typeof STATES)[number] {
  if (problem !== null) return 'unread'
  if (status === 'matched') return cost === null ? 'unpriced' : 'priced'
  return status === 'ambiguous' ? 'open' : 'missing'
}

/** The total, how many lines and how much of the stated amount it covers, and what is added to the sum of the lines. */
function sumsOf(view: View, { lines, currency, markups }: PricedBill): Markup {
  const { say, formats } = view
  const { priced, costs, stated } = billTotals(lines, { currency: currency ?? '' })
  const sums = costs.map(({ cents, currency }) => {
    const added = additionsTo(cents, markups).map((one) => [
      one.percent === null ? say('billTotal') : `${say(`bill_${one.name}`)}: ${formats.decimal(one.percent)} %`,
      formats.money({ cents: one.cents, currency }),
    ])
    return [[say('billSum'), formats.money({ cents, currency })], ...added]
  })
  const rows = sums.some((sum) => sum.length > 1) ? sums.flat().map((row) => row.map(text)) : []
  const inState = Map.groupBy(lines, stateOf)
  const counts = STATES.map((state) => [state, inState.get(state)?.length ?? 0] as const).filter(
    ([, count]) => count > 0,
  )
  const states = counts.map(([state, count]) => html`<li>!${statusOf(view, state)} ${formats.number(count)}</li>`)
  return html`<div class="price">!${sums.map((sum) => html`<strong>${sum.at(-1)?.[1]}</strong>`).join(' ')}<span>${say('billPriced', { priced, lines: lines.length })}</span></div>
!${barOf(counts, lines.length)}
<ul class="facts">!${states}</ul>
!${stated === null ? '' : html`<p>${say('billStated', { share: formats.percent(stated.priced_share) })}</p>!${barOf([['priced', stated.priced_share]], 1)}`}
!${rows.length === 0 ? '' : table({ caption: say('billTotal'), columns: columnsIn(say, 'line', '#amount'), rows })}`
}

/** A bar of parts of a whole, each by its state; the words beside it say the same. */
function barOf(parts: readonly (readonly [string, number])[], whole: number): Markup {
  let x = 0
  const drawn = parts.map(([state, part]) => {
    x += part
    return html`<rect class="${state}" x="${x - part}" width="${part}" height="1"/>`
  })
  return html`<svg class="coverage" viewBox="0 0 ${whole} 1" preserveAspectRatio="none" aria-hidden="true">!${drawn}</svg>`
}

/** What the rows do not show, and how many lines do not stand as they were read. */
function notesOf({ say }: View, { notes, lines }: PricedBill): Markup {
  const doubtful = lines.filter(({ problem }) => problem !== null).length
  if (doubtful + notes.length === 0) return ''
  const count = doubtful === 0 ? '' : html`<p>${say('billUnread', { count: doubtful })}</p>`
  return html`<div class="note">!${count}!${notes.map((note) => html`<p>${note}</p>`).join('')}</div>`
}

const statusOf = ({ say }: View, state: (typeof STATES)[number]): Markup =>
  html`<span class="status ${state}">${say(`bill_${state}`)}</span>`

function linesOf(view: View, bill: PricedBill): Markup {
  const { say, formats } = view
  const { lines, others } = bill
  const titlesAt = (at: number) =>
    others.flatMap((row, i) => {
      if (row.linesBefore !== at) return []
      const own = row.kind === 'sum' ? (row.amount === null ? '' : formats.decimal(row.amount)) : null
      const { priced, count, costs } = own === null ? chapterOf(bill, i) : { priced: 0, count: 0, costs: [] }
      const covered = count === 0 ? '' : html`<span class="dim">${say('billPriced', { priced, lines: count })}</span>`
      return [[html`<strong>${row.text}</strong>`, '', covered, '', text(own ?? costs.map(formats.money).join(' '))]]
    })
  const rows = lines.flatMap((line, i) => {
    const { text: written, code, quantity, unit, unit_price: price, cost, problem } = line
    const own = [
      html`!${code === null ? '' : html`<span class="dim">${code}</span> `}${written}!${problem === null ? '' : html` <span class="dim">${problem}</span>`}`,
      text(quantity === null ? '—' : `${formats.decimal(quantity)} ${unit ?? ''}`),
      answerOf(view, bill, i),
      text(price === null ? '—' : formats.decimalMoney(price.amount, price.currency)),
      text(amountOf(cost, view)),
    ]
    return [...titlesAt(i), own]
  })
  rows.push(...titlesAt(lines.length))
  const columns = columnsIn(say, 'line', '#quantity', 'item', '#price', '#amount')
  return table({ caption: say('billLines', { count: lines.length }), columns, rows })
}

/** The lines of a section, until one of the same or a higher level. */
function chapterOf({ lines, others }: PricedBill, at: number) {
  const section = others[at]
  const end = others.find(
    (row, i) => i > at && row.kind === 'section' && section?.kind === 'section' && row.level <= section.level,
  )
  const own = lines.slice(section?.linesBefore, end?.linesBefore)
  return { ...billTotals(own), count: own.length }
}

/** What the line means, and the other choices. No score: it orders candidates, and a reader takes it for a chance. */
function answerOf(view: View, { lines }: PricedBill, at: number): Markup {
  const { say, formats } = view
  const line = lines[at] as PricedLine
  const { status, item, decided_by: by, askedText, conversion, price_observed_at: seen, former } = line
  const state = stateOf(line)
  const facts = [
    ...whyOf(view, line),
    ...(conversion === null ? [] : [`${conversion.text} (${say(`exact_${conversion.exactness}`)})`]),
    ...(seen === null ? [] : [say('priceAge', { when: formats.ago(seen) })]),
    ...(line.price_is_old ? [say('billOld', { date: formats.day(seen ?? '') })] : []),
    ...(askedText === null ? [] : [`“${askedText}”`]),
    ...(by === 'correction' ? [say('billPerson')] : []),
  ]
  const named = status === 'matched' && item !== null ? itemLink(view, item) : ''
  const next = lines.findIndex(({ status: other }, i) => i > at && other === 'ambiguous')
  const take =
    status !== 'ambiguous' || item === null
      ? ''
      : html`<button class="plain take" id="line-${at}" name="take" value="${at}:${item.id}" formaction="${actionOf(view)}#line-${next}">${say('billTake')}: !${candidateOf(view, item)}</button>`
  const undo =
    former === null
      ? ''
      : html`<button class="plain undo" id="undo-${at}" name="undo" value="${at}" formaction="${actionOf(view)}#line-${at}">${say('billUndo')}</button>`
  return html`!${statusOf(view, state)} !${named}<span class="dim">${facts.join(' · ')}</span>!${take}!${undo}!${choicesOf(view, line, at)}`
}

/** Why a line has no cost, in a builder's words. */
function whyOf({ say }: View, { status, reason, isCut, decided_by: by, ...line }: PricedLine): readonly string[] {
  const { evidence, unit, item, counts, quantity, unit_price: price } = line
  if (reason !== null) return [say(`bill_${reason}`)]
  if (status === 'matched') {
    if (counts !== 'yes') return [say('billOption')]
    return [...(price === null ? [say('noPrice')] : []), ...(quantity === null ? [say('billNoQuantity')] : [])]
  }
  if (status === 'unmatched') return []
  const reasons = [
    ...(isCut && by === 'search' ? [say('billCut')] : []),
    ...(evidence?.sizes === 'unknown' ? [say('billSizeUnknown')] : []),
    ...(evidence?.unit === 'unknown'
      ? [unit === null ? say('billUnitMissing') : say('billUnitOther', { unit: item?.unit ?? '' })]
      : []),
  ]
  return reasons.length > 0 ? reasons : [say(line.alternatives.length > 0 ? 'billSeveral' : 'billUnsure')]
}

type Item = NonNullable<PricedLine['item']>

const itemLink = (view: View, { id, name }: Item): Markup =>
  html`<a href="${linkTo(view, `/items/${id}`)}">${name}</a> `

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
