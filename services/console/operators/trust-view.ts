import { notFound } from '@catalog/console/pages/page-error.ts'
import { sourcesNow } from '@catalog/operations/append-decision.ts'
import { changeTrust } from '@catalog/operations/decisions/trust.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import { field, form, timeElement } from '@catalog/pages/parts.ts'
import { table } from '@catalog/pages/table.ts'
import { type TrustStep, trustHistory } from '@catalog/store/vendor/decisions.ts'
import { addForm, addView, OPERATOR_PATH, type RegisterView, reasonField } from './operator-views.ts'

const PATH = `${OPERATOR_PATH}/trust`
const STEPS_SHOWN = 100

/** The trust in each source, and for one its history and a form to change it. */
export const trustView: RegisterView = (pages, context) => {
  const { catalog } = context
  addView(pages, context, {
    path: '/trust',
    async read() {
      const rows = [...(await sourcesNow(catalog)).values()].map(({ sourceId, name, region, trust, enabled }) => [
        html`<a href="${PATH}/${sourceId}">${name}</a>`,
        html`${region}`,
        meter(trust),
        html`${enabled ? 'on' : 'switched off'}`,
      ])
      const body = table({ caption: 'Sources', columns: ['Source', 'Region', 'Trust', 'State'], rows })
      return { title: 'Trust', command: 'catalog trust', body }
    },
  })
  addView(pages, context, {
    path: '/trust/:id',
    async read({ params }) {
      const { id } = params as { id: string }
      const source = (await sourcesNow(catalog)).get(id)
      if (source === undefined) throw notFound('No source has this id.')
      const steps = await trustHistory(catalog.store, { sourceId: id, limit: STEPS_SHOWN })
      const score = field({ name: 'score', label: 'Trust, 0 to 100', value: String(source.trust), maxLength: 3 })
      return {
        title: `Trust in ${source.name}`,
        command: `catalog trust ${id} SCORE --reason "..."`,
        body: html`<p>Its vote weighs <strong>${source.trust}</strong> of 100.</p>!${historyOf(steps)}
!${form({ action: `${PATH}/${id}`, submit: 'Change the trust', fields: score + reasonField() })}`,
      }
    },
  })
  addForm(pages, context, {
    path: '/trust/:id',
    asked(text) {
      const content = { source: text('id'), score: text('score'), reason: text('reason') }
      const { source } = content
      const back = `/trust/${encodeURIComponent(source)}`
      return { back, action: 'trust.changed', subject: source, content, work: () => changeTrust(catalog, content) }
    },
  })
}

const meter = (trust: number): Markup =>
  html`<meter min="0" max="100" value="${trust}" aria-label="trust"></meter> ${trust}`

function historyOf(steps: readonly TrustStep[]): Markup {
  if (steps.length === 0) return html`<p>It was never changed.</p>`
  const rows = steps.map(({ decided_at: at, trust_score: score, reason }) => [
    timeElement(at),
    meter(score),
    html`${reason}`,
  ])
  return table({ caption: 'Changes, the newest first', columns: ['From', 'Trust', 'Reason'], rows })
}
