import { formatCount } from '@catalog/console/sessions/membership.ts'
import { acceptCrawl, dropCrawl, heldCrawls } from '@catalog/operations/held-crawls.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import { form, notice, timeElement } from '@catalog/pages/parts.ts'
import { table } from '@catalog/pages/table.ts'
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
