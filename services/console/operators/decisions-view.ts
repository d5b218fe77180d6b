import { queryText } from '@catalog/console/pages/form.ts'
import { PageError } from '@catalog/console/pages/page-error.ts'
import { html } from '@catalog/pages/markup.ts'
import { notice, timeElement } from '@catalog/pages/parts.ts'
import { table } from '@catalog/pages/table.ts'
import { latestDecisions } from '@catalog/store/accounts/operators.ts'
import { nextPage, type RegisterView, ROWS_OF_PAGE, requireOperator, sendView } from './operator-views.ts'

/** Who decided what in the console. */
export const decisionsView: RegisterView = (pages, context) => {
  pages.get('/operator/decisions', async (request, reply) => {
    await requireOperator(context, request)
    const after = queryText(request, 'after')
    // 18 digits fit into any bigint of the database.
    if (!/^\d{0,18}$/.test(after)) throw new PageError(400, 'Invalid request', 'There is no such page.')
    const found = await latestDecisions(context.catalog.store, {
      before: after === '' ? undefined : BigInt(after),
      limit: ROWS_OF_PAGE + 1,
    })
    const shown = found.slice(0, ROWS_OF_PAGE)
    const rows = shown.map(({ decided_at: at, actor, action, subject, state, refusal }) => [
      timeElement(at),
      html`${actor}`,
      html`${action}`,
      html`${subject}`,
      html`${refusal === null ? state : `${state}: ${refusal}`}`,
    ])
    const cursor = found.length > ROWS_OF_PAGE ? (shown.at(-1)?.decision ?? null) : null
    return sendView(reply, context, {
      title: 'Decisions',
      path: '/decisions',
      command: 'catalog operators decisions',
      body: html`!${rows.length === 0 ? notice('info', 'Nobody has decided anything here yet.') : table({ caption: 'Decided in the console', columns: ['When', 'Who', 'What', 'About', 'State'], rows })}
!${nextPage('/decisions', cursor)}`,
    })
  })
}
