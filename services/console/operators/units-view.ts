import { formText, queryText } from '@catalog/console/pages/form.ts'
import { aliasUnit, unknownUnits } from '@catalog/operations/decisions/units.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import { choice, field, form, notice } from '@catalog/pages/parts.ts'
import type { UnknownUnit } from '@catalog/store/vendor/unknown-units.ts'
import {
  act,
  nextPage,
  OPERATOR_PATH,
  type RegisterView,
  ROWS_OF_PAGE,
  readAsked,
  reasonField,
  requireOperator,
  sendView,
} from './operator-views.ts'

const PATH = `${OPERATOR_PATH}/units`

/** Units of present prices that nobody knows, most articles first, each with a box for what it means. */
export const unitsView: RegisterView = (pages, context) => {
  const { catalog } = context
  pages.get('/operator/units', async (request, reply) => {
    await requireOperator(context, request)
    const after = queryText(request, 'after') || undefined
    const { units, cursor } = await readAsked(() =>
      unknownUnits(catalog, { limit: ROWS_OF_PAGE, ...(after !== undefined && { after }) }),
    )
    const body = html`!${units.length === 0 ? notice('info', 'Every unit is known.') : units.map(unitForm).join('')}
!${nextPage('/units', cursor)}<p class="hint">An alias counts from the next run on; catalog units aliases lists all, and takes them back.</p>`
    return sendView(reply, context, {
      title: 'Unknown units',
      path: '/units',
      command: 'catalog units alias UNIT MEANING --reason "..."',
      body,
    })
  })
  pages.post('/operator/units', async (request, reply) => {
    const [unit, canonical, source, reason] = ['unit', 'canonical', 'source', 'reason'].map((name) =>
      formText(request, name),
    ) as [string, string, string, string]
    const content = { unit, canonical, reason, ...(source !== '' && { source }) }
    return act(
      context,
      { request, reply },
      {
        path: PATH,
        action: 'unit.aliased',
        subject: `${unit} → ${canonical}`,
        content,
        work: () => aliasUnit(catalog, content),
      },
    )
  })
}

function unitForm({ unit, skus, sources, example, reason }: UnknownUnit, i: number): Markup {
  const where = sources.map(({ source_id: value, name }) => ({ value, text: `in ${name} only` }))
  const names = sources.slice(0, 5).map(({ name }) => name)
  const fields = [
    field({ id: `canonical-${i}`, name: 'canonical', label: 'It means, such as m², kg or bag 25 kg' }),
    choice({
      id: `source-${i}`,
      name: 'source',
      label: 'Where',
      options: [{ value: '', text: 'in all sources' }, ...where],
    }),
    reasonField(`reason-${i}`),
  ]
  return html`<section><h2>${unit}</h2>
<p>${skus} articles of ${names.join(', ')}, as “${example}” (${reason})</p>
!${form({ action: PATH, submit: 'Alias', about: unit, hidden: { unit }, fields: fields.join('') })}</section>`
}
