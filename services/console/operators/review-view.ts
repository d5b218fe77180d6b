import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { formText } from '@catalog/console/pages/form.ts'
import { PageError } from '@catalog/console/pages/page-error.ts'
import { formatMoney } from '@catalog/core/money/money.ts'
import { DecisionRefused } from '@catalog/operations/append-decision.ts'
import { type ReviewPair, type ReviewSide, reviewPairs } from '@catalog/operations/decisions/pairs.ts'
import {
  decidePair,
  type PairDecision,
  PENDING_MAX,
  pendingPairs,
  recordDuePairs,
  UNDO_MS,
} from '@catalog/operations/decisions/pending-pairs.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import { field, hiddenFields, notice, timeElement } from '@catalog/pages/parts.ts'
import { table } from '@catalog/pages/table.ts'
import { undoDecision } from '@catalog/store/accounts/operators.ts'
import type { FastifyInstance } from 'fastify'
import {
  addView,
  backTo,
  OPERATOR_PATH,
  type OperatorContext,
  REASON_CHARS_MAX,
  type RegisterView,
  requireOperator,
} from './operator-views.ts'

const PATH = `${OPERATOR_PATH}/review`
const REASON = 'decided in the console'

/** Presses the button of a key; without it, the buttons work. */
const KEYS = readFileSync(new URL('./review-keys.js', import.meta.url))
const KEYS_PATH = `/operator/review-keys-${createHash('sha256').update(KEYS).digest('base64url').slice(0, 12)}.js`

/** Pairs that look like one product, one after the other: the same, not the same, or skip, each by one key; and undo. */
export const reviewView: RegisterView = (pages, context) => {
  serveKeys(pages)
  addView(pages, context, {
    path: '/review',
    async read(_request, { after }) {
      const pending = await pendingPairs(context.catalog)
      const isPending = new Set(pending.map(({ pair }) => keyOf(pair)))
      const { pair, cursor } = await nextPair(context, { after, isPending })
      return {
        title: 'Review of pairs',
        command: 'catalog review',
        script: `/console${KEYS_PATH}`,
        body: html`!${pair === undefined ? notice('info', 'No further pair waits for a decision.') : pairForm(pair, { after, cursor })}
!${pendingTable(pending, after)}
<p class="hint">Keys: s the same, n not the same, k skip, u undo the last one.</p>`,
      }
    },
  })
  pages.post('/operator/review', async (request, reply) => {
    const { email } = await requireOperator(context, request)
    const after = formText(request, 'after') || undefined
    const decide = formText(request, 'decide')
    if (decide !== 'same' && decide !== 'different') throw notThisPair('The form decides nothing.')
    const skuIds = [formText(request, 'a_sku'), formText(request, 'b_sku')] as const
    const reason = formText(request, 'reason').slice(0, REASON_CHARS_MAX) || REASON
    if ((await pendingPairs(context.catalog)).length >= PENDING_MAX)
      throw notThisPair(`${PENDING_MAX} decisions wait: record yours now, or wait ${UNDO_MS / 60_000} minutes.`)
    try {
      await decidePair(context.catalog, { same: decide === 'same', skuIds, reason, actor: email })
    } catch (error) {
      throw error instanceof DecisionRefused ? notThisPair(error.message) : error
    }
    return reply.redirect(addressAfter(after), 303)
  })
  pages.post('/operator/review/undo', async (request, reply) => {
    const { email } = await requireOperator(context, request)
    const decision = formText(request, 'decision')
    if (!/^\d{1,18}$/.test(decision)) throw new PageError(400, 'Invalid request', 'There is no such decision.')
    const isUndone = await undoDecision(context.catalog.store, { decision, actor: email })
    const text = isUndone
      ? 'The decision is taken back.'
      : 'The decision is recorded already, or is that of another person.'
    const path = addressAfter(formText(request, 'after') || undefined)
    return backTo(reply, { catalog: context.catalog, path }, { isDone: isUndone, text })
  })
  pages.post('/operator/review/record', async (request, reply) => {
    const { email } = await requireOperator(context, request)
    const ended = await recordDuePairs(context.catalog, { actor: email })
    const text = `${ended} decisions are recorded.`
    return backTo(reply, { catalog: context.catalog, path: PATH }, { isDone: true, text })
  })
}

function serveKeys(pages: FastifyInstance): void {
  pages.get(KEYS_PATH, async (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'private, max-age=31536000, immutable')
      .send(KEYS),
  )
}

const addressAfter = (after: string | undefined) =>
  after === undefined ? PATH : `${PATH}?${new URLSearchParams({ after })}`

const notThisPair = (text: string) => new PageError(400, 'Not decided', `${text} Go back to the review.`)

const keyOf = ({ a, b }: PairDecision) => `${a.skuId} ${b.skuId}`

/** The first pair that nobody has decided, and the place behind it. */
async function nextPair(
  { catalog }: OperatorContext,
  { after, isPending }: { after: string | undefined; isPending: ReadonlySet<string> },
): Promise<{ pair: ReviewPair | undefined; cursor: string | null }> {
  let at = after
  for (let tries = 0; tries <= isPending.size; tries++) {
    const { pairs, cursor } = await reviewPairs(catalog, { after: at, limit: 1 })
    const [pair] = pairs
    if (pair === undefined || !isPending.has(`${pair.a.vendor_sku_id} ${pair.b.vendor_sku_id}`)) return { pair, cursor }
    if (cursor === null) break
    at = cursor
  }
  return { pair: undefined, cursor: null }
}

function pairForm(pair: ReviewPair, { after, cursor }: { after: string | undefined; cursor: string | null }): Markup {
  const { a, b, score, why, contradiction, price_ratio: ratio } = pair
  const kept = { after: after ?? '', a_sku: a.vendor_sku_id, b_sku: b.vendor_sku_id }
  const reasons = [
    ...why,
    ...(contradiction === null ? [] : [`${contradiction.about} ${contradiction.a} and ${contradiction.b}`]),
    ...(ratio === null ? [] : [`prices ${ratio} times apart`]),
  ]
  const skip = cursor === null ? '' : html` <a href="${addressAfter(cursor)}" data-key="k">Skip</a>`
  return html`!${sidesTable(pair)}
<p>Alike by ${score.toFixed(3)}; not joined by a rule: ${reasons.join('; ')}</p>
<form method="post" action="${PATH}">!${hiddenFields(kept)}
!${field({ name: 'reason', label: 'Reason', placeholder: REASON, maxLength: REASON_CHARS_MAX, isRequired: false })}
<button class="main" name="decide" value="same" data-key="s">The same</button>
<button class="danger" name="decide" value="different" data-key="n">Not the same</button>!${skip}</form>`
}

function sidesTable({ a, b }: ReviewPair): Markup {
  const rows: [name: string, of: (side: ReviewSide) => Markup][] = [
    ['Name', ({ name }) => html`${name ?? 'no observation left'}`],
    ['Unit', ({ unit }) => html`${unit ?? '—'}`],
    ['Price', ({ price }) => html`${priceText(price)}`],
    ['Vendor', ({ source }) => html`${source ?? '—'}`],
    ['Read in the name', ({ attributes }) => html`${attributesText(attributes)}`],
    ['Item', ({ item_id: id }) => html`<a href="/items/${id}">${id}</a>`],
  ]
  return table({
    caption: 'One product?',
    columns: ['What', 'One', 'Other'],
    rows: rows.map(([name, of]) => [html`${name}`, of(a), of(b)]),
  })
}

function priceText(price: ReviewSide['price']): string {
  if (price === null) return '—'
  const { cents, currency, per_quantity: quantity, unit } = price
  return `${formatMoney(cents, currency)} for ${quantity === 1 ? 'a' : quantity} ${unit ?? 'unit'}`
}

const attributesText = (attributes: ReviewSide['attributes']) =>
  Object.entries(attributes)
    .map(([role, values]) => `${role} ${values.join(' x ')}`)
    .join('; ') || '—'

function pendingTable(pending: Awaited<ReturnType<typeof pendingPairs>>, after: string | undefined): Markup {
  if (pending.length === 0) return ''
  const rows = pending.map(({ decision, subject, actor, due_at, pair }, i) => [
    html`${subject}`,
    html`${pair.same ? 'the same' : 'not the same'}`,
    html`${actor}`,
    timeElement(due_at),
    html`<form method="post" action="${PATH}/undo">!${hiddenFields({ decision, after: after ?? '' })}<button class="plain"!${i === 0 ? ' data-key="u"' : ''}>Undo <span class="unseen">${subject}</span></button></form>`,
  ])
  return html`!${table({ caption: 'Not recorded yet', columns: ['Pair', 'Decision', 'Who', 'Recorded at', 'Undo'], rows })}
<p>A decision can be undone for ${UNDO_MS / 60_000} minutes; the log keeps it for ever then, and the next run applies it.</p>
<form method="post" action="${PATH}/record"><button class="plain">Record mine now</button></form>`
}
