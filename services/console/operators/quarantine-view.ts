import { formatMoney } from '@catalog/core/money/money.ts'
import { overrideObservation } from '@catalog/operations/decisions/items.ts'
import { waitingPage } from '@catalog/operations/decisions/waiting-prices.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import { form, notice, timeElement } from '@catalog/pages/parts.ts'
import type { WaitingPrice } from '@catalog/store/catalog/quarantine.ts'
import { addForm, addView, nextPage, OPERATOR_PATH, type RegisterView, reasonField } from './operator-views.ts'

const PATH = `${OPERATOR_PATH}/quarantine`

/** First prices far from the others, which wait for a second crawl or a person. */
export const quarantineView: RegisterView = (pages, context) => {
  const { catalog } = context
  const path = '/quarantine'
  addView(pages, context, {
    path,
    async read(_request, paging) {
      const { prices, cursor } = await waitingPage(catalog, paging)
      return {
        title: 'First prices in quarantine',
        command: 'catalog review waiting, catalog review release OBSERVATION --reason "..."',
        body: html`!${prices.length === 0 ? notice('info', 'No first price waits.') : prices.map(priceForms)}
!${nextPage(path, cursor)}
<p class="hint">A released price votes from the next run on.</p>`,
      }
    },
  })
  addForm(pages, context, {
    path,
    asked(text) {
      const [observationId, reason] = [text('observation'), text('reason')]
      const isReleased = text('decide') === 'release'
      const type = isReleased ? 'ObservationReleased' : 'ObservationQuarantined'
      return {
        action: isReleased ? 'price.released' : 'price.quarantined',
        subject: text('subject'),
        content: { observation_id: observationId, reason },
        work: () => overrideObservation(catalog, { type, observationId, reason }),
      }
    },
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
