import { notFound } from '@catalog/console/pages/page-error.ts'
import { formatCount } from '@catalog/console/sessions/membership.ts'
import { acceptCrawl, dropCrawl, heldCrawls } from '@catalog/operations/held-crawls.ts'
import { percentText, priceText } from '@catalog/operations/price-change.ts'
import { movesOfHeld } from '@catalog/operations/what-if/held-crawl.ts'
import type { Moves } from '@catalog/operations/what-if/records.ts'
import { movesText } from '@catalog/operations/what-if/words.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import { form, notice, timeElement } from '@catalog/pages/parts.ts'
import { numberColumn, table } from '@catalog/pages/table.ts'
import { addForm, addView, OPERATOR_PATH, type RegisterView, ROWS_OF_PAGE, reasonField } from './operator-views.ts'

const PATH = `${OPERATOR_PATH}/crawls`

/** Crawls that differ too much from the ones before, with the comparison, to accept or drop. */
export const crawlsView: RegisterView = (pages, context) => {
  addView(pages, context, {
    path: '/crawls',
    async read() {
      const held = (await heldCrawls(context)).held.slice(0, ROWS_OF_PAGE)
      return {
        title: 'Held crawls',
        command: 'catalog sources accept SOURCE, catalog sources drop SOURCE --reason "..."',
        body: html`!${held.length === 0 ? notice('info', 'No crawl is held.') : held.map(heldCrawl)}`,
      }
    },
  })
  addView(pages, context, {
    path: '/crawls/:crawl',
    async read(request) {
      const { crawl: id } = request.params as { crawl: string }
      const held = (await heldCrawls(context)).held.find(({ crawl }) => crawl.crawl_id === id)
      if (held === undefined) throw notFound('No held crawl has this id.')
      const moves = await movesOfHeld(context, held.crawl)
      const body = 'absent' in moves ? notice('error', moves.absent) : movesPage(moves)
      return { title: `${held.name}: what would move`, command: `catalog sources test ${held.sourceId}`, body }
    },
  })
  addForm(pages, context, {
    path: '/crawls/accept',
    asked(text) {
      const id = text('crawl')
      const work = async () => {
        await acceptCrawl(context, id)
        return { said: `The crawl ${id} is recorded; the next run uses it.` }
      }
      return { action: 'crawl.accepted', subject: text('source'), content: { crawl_id: id }, work }
    },
  })
  addForm(pages, context, {
    path: '/crawls/drop',
    asked(text) {
      const [given, reason] = [text('crawl'), text('reason')]
      const content = { crawl_id: given, reason }
      const work = () => dropCrawl(context, { given, reason })
      return { action: 'crawl.dropped', subject: text('source'), content, work }
    },
  })
}

/** What accepting a held crawl would move, with the largest changes. */
const movesPage = (moves: Moves): Markup => html`<p>If you accept the crawl, it would move: ${movesText(moves)}.</p>
!${
  moves.largest.length === 0
    ? ''
    : table({
        caption: 'The largest changes of medians',
        columns: ['Item', 'Unit', 'Market', ...['Before', 'After', 'Change'].map(numberColumn)],
        rows: moves.largest.map(({ name, unit, market, before, after, relative }) =>
          [name, unit ?? '—', market ?? 'all', priceText(before), priceText(after), percentText(relative)].map(
            (cell) => html`${cell}`,
          ),
        ),
      })
}`

type Held = Awaited<ReturnType<typeof heldCrawls>>['held'][number]

function heldCrawl({ crawl: held, whole, name }: Held, i: number): Markup {
  const { health, problems } = held
  const share = (part: number) => (health && health.known > 0 ? ` (${Math.round((100 * part) / health.known)} %)` : '')
  const compared: [what: string, before: string, now: string][] = [
    ['Crawl', whole?.crawl_id ?? 'none', held.crawl_id],
    ['Records read', whole === null ? '—' : formatCount(whole.read), formatCount(held.read)],
    ['Refused records', whole === null ? '—' : formatCount(whole.parked), formatCount(held.parked)],
    ['Articles known before', health === null ? '—' : formatCount(health.known), '—'],
    ['Of these gone', '—', health === null ? '—' : `${formatCount(health.vanished)}${share(health.vanished)}`],
    [
      'Of these with another price',
      '—',
      health === null ? '—' : `${formatCount(health.changed)}${share(health.changed)}`,
    ],
    ['Median of new price to old price', '—', String(health?.price_ratio ?? '—')],
    ['Greatest fall of a field', '—', String(health?.drift ?? '—')],
  ]
  const reasons = problems.map(
    ({ code, detail, examples = [] }) =>
      html`<li><strong>${code}</strong>: ${detail}!${examples.length === 0 ? '' : html`<ul>!${examples.map((one) => html`<li>${one}</li>`)}</ul>`}</li>`,
  )
  const hidden = { crawl: held.crawl_id, source: name }
  return html`<section><h2>${name}</h2><p>Crawled !${timeElement(held.started_at ?? held.recorded_at)}, and held because:</p><ul>!${reasons}</ul>
!${table({
    caption: `${name}: compared with the crawl before`,
    columns: ['What', 'Before', 'Held crawl'],
    rows: compared
      .filter((row) => row.slice(1).some((cell) => cell !== '—'))
      .map((row) => row.map((cell) => html`${cell}`)),
  })}
<p><a href="${PATH}/${held.crawl_id}">What the crawl of ${name} would move</a></p>
!${form({ action: `${PATH}/accept`, submit: 'Accept', about: name, hidden })}
!${form({
    action: `${PATH}/drop`,
    submit: 'Drop',
    about: name,
    hidden,
    isDangerous: true,
    fields: reasonField(`reason-${i}`, 'Reason to drop it'),
  })}</section>`
}
