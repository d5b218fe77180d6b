import { formText } from '@catalog/console/pages/form.ts'
import { notFound } from '@catalog/console/pages/page-error.ts'
import { sourcesNow } from '@catalog/operations/append-decision.ts'
import { changeTrust } from '@catalog/operations/decisions/trust.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import { field, form, timeElement } from '@catalog/pages/parts.ts'
import { table } from '@catalog/pages/table.ts'
import { type TrustStep, trustHistory } from '@catalog/store/vendor/decisions.ts'
import { act, OPERATOR_PATH, type RegisterView, reasonField, requireOperator, sendView } from './operator-views.ts'

const PATH = `${OPERATOR_PATH}/trust`
const STEPS_SHOWN = 100

/** The trust in each source, and for one its history and a form to change it. */
export const trustView: RegisterView = (pages, context) => {
  const { catalog } = context
  pages.get('/operator/trust', async (request, reply) => {
    await requireOperator(context, request)
    const rows = [...(await sourcesNow(catalog)).values()].map(({ sourceId, name, region, trust, enabled }) => [
      html`<a href="${PATH}/${sourceId}">${name}</a>`,
      html`${region}`,
      html`<meter min="0" max="100" value="${trust}" aria-label="trust"></meter> ${trust}`,
      html`${enabled ? 'on' : 'switched off'}`,
    ])
    const body = table({ caption: 'Sources', columns: ['Source', 'Region', 'Trust', 'State'], rows })
    return sendView(reply, context, { title: 'Trust', path: '/trust', command: 'catalog trust', body })
  })
  pages.get('/operator/trust/:id', async (request, reply) => {
    await requireOperator(context, request)
    const { id } = request.params as { id: string }
    const source = (await sourcesNow(catalog)).get(id)
    if (source === undefined) throw notFound('No source has this id.')
    const steps = await trustHistory(catalog.store, { sourceId: id, limit: STEPS_SHOWN })
    return sendView(reply, context, {
      title: `Trust in ${source.name}`,
      path: '/trust',
      command: `catalog trust ${id} SCORE --reason "..."`,
      body: html`<p>Its vote weighs <strong>${source.trust}</strong> of 100.</p>!${historyOf(steps)}
!${form({
        action: `${PATH}/${id}`,
        submit: 'Change the trust',
        fields: html`!${field({ name: 'score', label: 'Trust, 0 to 100', value: String(source.trust), maxLength: 3 })}!${reasonField()}`,
      })}`,
    })
  })
  pages.post('/operator/trust/:id', async (request, reply) => {
    const { id: source } = request.params as { id: string }
    const [score, reason] = ['score', 'reason'].map((name) => formText(request, name)) as [string, string]
    return act(
      context,
      { request, reply },
      {
        path: `${PATH}/${encodeURIComponent(source)}`,
        action: 'trust.changed',
        subject: source,
        content: { source, score, reason },
        work: () => changeTrust(catalog, { source, score, reason }),
      },
    )
  })
}

function historyOf(steps: readonly TrustStep[]): Markup {
  if (steps.length === 0) return html`<p>It was never changed.</p>`
  const rows = steps.map(({ decided_at: at, trust_score: score, reason }) => [
    timeElement(at),
    html`<meter min="0" max="100" value="${score}" aria-label="trust"></meter> ${score}`,
    html`${reason}`,
  ])
  return table({ caption: 'Changes, the newest first', columns: ['From', 'Trust', 'Reason'], rows })
}
