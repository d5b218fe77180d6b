import { formText, queryText } from '@catalog/console/pages/form.ts'
import { formatMoney } from '@catalog/core/money/money.ts'
import { overrideObservation } from '@catalog/operations/decisions/items.ts'
import { waitingPage } from '@catalog/operations/decisions/waiting-prices.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import { form, notice, timeElement } from '@catalog/pages/parts.ts'
import type { WaitingPrice } from '@catalog/store/catalog/quarantine.ts'
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

const PATH = `${OPERATOR_PATH}/quarantine`

/** First prices far from the others, which wait for a second crawl or a person. */
export const quarantineView: RegisterView = (pages, context) => {
  const { catalog } = context
  pages.get('/operator/quarantine', async (request, reply) => {
    await requireOperator(context, request)
    const after = queryText(request, 'after') || undefined
    const { prices, cursor } = await readAsked(() =>
      waitingPage(catalog, { limit: ROWS_OF_PAGE, ...(after !== undefined && { after }) }),
    )
    return sendView(reply, context, {
      title: 'First prices in quarantine',
      path: '/quarantine',
      command: 'catalog review waiting, catalog review release OBSERVATION --reason "..."',
      body: html`!${prices.length === 0 ? notice('info', 'No first price waits.') : prices.map(priceForms).join('')}
!${nextPage('/quarantine', cursor)}
<p class="hint">A released price votes from the next run on.</p>`,
    })
  })
  pages.post('/operator/quarantine', async (request, reply) => {
    const [observationId, reason] = ['observation', 'reason'].map((name) => formText(request, name)) as [string, string]
    const isReleased = formText(request, 'decide') === 'release'
    return act(
      context,
      { request, reply },
      {
        path: PATH,
        action: isReleased ? 'price.released' : 'price.quarantined',
        subject: formText(request, 'subject'),
        content: { observation_id: observationId, reason },
        work: () =>
          overrideObservation(catalog, {
            type: isReleased ? 'ObservationReleased' : 'ObservationQuarantined',
            observationId,
            reason,
          }),
      },
    )
  })
}

function priceForms(price: WaitingPrice, i: number): Markup {
  const { article, source, item, item_id: id, cents, currency, per_quantity: quantity, vendor_unit: unit } = price
  const median =
    price.median_cents === null || price.median_currency === null
      ? 'has no median'
      : `costs ${formatMoney(price.median_cents, price.median_currency)} for a ${price.unit ?? 'unit'} without it`
  const fields = (name: string) => reasonField(`${name}-${i}`)
  const hidden = { observation: price.observation_id, subject: article }
  return html`<section><h2>${article}</h2>
<p>${source} asks ${formatMoney(cents, currency)} for ${quantity} ${unit ?? 'unit'}, seen !${timeElement(price.observed_at)}; <a href="/items/${id}">${item}</a> ${median}.</p>
!${form({ action: PATH, submit: 'Release', about: article, hidden: { ...hidden, decide: 'release' }, fields: fields('release') })}
!${form({ action: PATH, submit: 'Keep out', about: article, hidden: { ...hidden, decide: 'keep' }, fields: fields('keep'), isDangerous: true })}</section>`
}
