import { listDecisions } from '@catalog/operations/decisions/console-decisions.ts'
import { html } from '@catalog/pages/markup.ts'
import { notice, timeElement } from '@catalog/pages/parts.ts'
import { table } from '@catalog/pages/table.ts'
import { addView, nextPage, type RegisterView } from './operator-views.ts'

/** Who decided what in the console. */
export const decisionsView: RegisterView = (pages, context) => {
  addView(pages, context, {
    path: '/decisions',
    async read(_request, paging) {
      const { decisions, cursor } = await listDecisions(context.catalog, paging)
      const rows = decisions.map(({ decided_at: at, actor, action, subject, state, refusal }) => [
        timeElement(at),
        html`${actor}`,
        html`${action}`,
        html`${subject}`,
        html`${refusal === null ? state : `${state}: ${refusal}`}`,
      ])
      const columns = ['When', 'Who', 'What', 'About', 'State']
      return {
        title: 'Decisions',
        command: 'catalog operators decisions',
        body: html`!${rows.length === 0 ? notice('info', 'Nobody has decided anything here yet.') : table({ caption: 'Decided in the console', columns, rows })}
!${nextPage('/decisions', cursor)}`,
      }
    },
  })
}
