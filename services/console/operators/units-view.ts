import { aliasUnit, unknownUnits } from '@catalog/operations/decisions/units.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import { choice, field, form, notice } from '@catalog/pages/parts.ts'
import type { UnknownUnit } from '@catalog/store/vendor/unknown-units.ts'
import { addForm, addView, nextPage, OPERATOR_PATH, type RegisterView, reasonField } from './operator-views.ts'

/** Units of present prices that nobody knows, most articles first, each with a box for what it means. */
export const unitsView: RegisterView = (pages, context) => {
  const { catalog } = context
  const path = '/units'
  addView(pages, context, {
    path,
    async read(_request, paging) {
      const { units, cursor } = await unknownUnits(catalog, paging)
      return {
        title: 'Unknown units',
        command: 'catalog units alias UNIT MEANING --reason "..."',
        body: html`!${units.length === 0 ? notice('info', 'Every unit is known.') : units.map(unitForm)}
!${nextPage(path, cursor)}<p class="hint">An alias counts from the next run on; catalog units aliases lists all, and takes them back.</p>`,
      }
    },
  })
  addForm(pages, context, {
    path,
    asked(text) {
      const [unit, canonical, source] = [text('unit'), text('canonical'), text('source')]
      const content = { unit, canonical, reason: text('reason'), ...(source !== '' && { source }) }
      const subject = `${unit} → ${canonical}`
      return { action: 'unit.aliased', subject, content, work: () => aliasUnit(catalog, content) }
    },
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
!${form({ action: `${OPERATOR_PATH}/units`, submit: 'Alias', about: unit, hidden: { unit }, fields: fields.join('') })}</section>`
}
