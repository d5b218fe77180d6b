import { aliasUnit } from '@catalog/cli/units/aliases.ts'
import { formText, queryText } from '@catalog/console/pages/form.ts'
import { spellingKey } from '@catalog/core/text.ts'
import { instant } from '@catalog/core/time.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import { choice, field, form, notice } from '@catalog/pages/parts.ts'
import { readUnknownUnits, type UnknownUnit } from '@catalog/store/vendor/unknown-units.ts'
import {
  act,
  nextPage,
  OPERATOR_PATH,
  type RegisterView,
  ROWS_OF_PAGE,
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
    const after = queryText(request, 'after')
    const all = await readUnknownUnits(catalog.store, instant(catalog.now()))
    const start = after === '' ? 0 : 1 + all.findIndex(({ unit }) => spellingKey(unit) === spellingKey(after))
    const page = all.slice(start, start + ROWS_OF_PAGE)
    const cursor = start + ROWS_OF_PAGE < all.length ? (page.at(-1)?.unit ?? null) : null
    const body = html`!${page.length === 0 ? notice('info', 'Every unit is known.') : page.map(unitForm).join('')}
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
      { request, reply, path: PATH },
      {
        action: 'unit.aliased',
        subject: `${unit} → ${canonical}`,
        content,
        work: (terminal) => aliasUnit(catalog, terminal, content),
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
