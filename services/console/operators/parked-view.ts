import { queryText } from '@catalog/console/pages/form.ts'
import { notFound } from '@catalog/console/pages/page-error.ts'
import { formatCount } from '@catalog/console/sessions/membership.ts'
import {
  deadLetters,
  type Retried,
  resolveDeadLetters,
  retryDeadLetters,
} from '@catalog/operations/decisions/dead-letters.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import { choice, form, notice, timeElement } from '@catalog/pages/parts.ts'
import { table } from '@catalog/pages/table.ts'
import { openDeadLetters, type ParkedRecord } from '@catalog/store/builds/status.ts'
import type { FastifyRequest } from 'fastify'
import {
  addForm,
  addView,
  nextPage,
  OPERATOR_PATH,
  type OperatorContext,
  type RegisterView,
  reasonField,
  requireOperator,
} from './operator-views.ts'

const PATH = `${OPERATOR_PATH}/parked`
const GROUPS_SHOWN = 20
/** Characters of a raw text on a page; a download has all that is kept. */
const RAW_CHARS_SHOWN = 4_000

/** Records that could not be read or applied, each with its raw text, to retry or to close. */
export const parkedView: RegisterView = (pages, context) => {
  addView(pages, context, {
    path: '/parked',
    async read(request, paging) {
      const [reason, source] = ['reason', 'source'].map((name) => queryText(request, name) || undefined)
      const filter = { ...(reason !== undefined && { reason }), ...(source !== undefined && { source }) }
      const { groups, parked, cursor } = await deadLetters(context.catalog, { ...filter, ...paging })
      const isWhole = reason === undefined && source === undefined && paging.after === undefined
      return {
        title: 'Dead letters',
        command: 'catalog parked, catalog parked retry',
        body: html`!${isWhole ? groupTable(groups.slice(0, GROUPS_SHOWN)) : html`<p><a href="${PATH}">All dead letters</a></p>`}
!${parked.length === 0 ? notice('info', 'No record waits here.') : listOf(parked)}!${nextPage('/parked', cursor, filter)}
!${form({ action: `${PATH}/retry`, submit: 'Retry all that the projection parked', isPlain: true })}`,
      }
    },
  })
  addView(pages, context, {
    path: '/parked/:id',
    async read(request) {
      const record = await recordOf(context, request)
      const { reason, parked_id: id } = record
      return { title: `Dead letter: ${reason}`, command: `catalog parked show ${id}`, body: recordPage(record) }
    },
  })
  pages.get('/operator/parked/:id/raw', async (request, reply) => {
    await requireOperator(context, request)
    const { raw, parked_id: id } = await recordOf(context, request)
    return reply
      .type('text/plain; charset=utf-8')
      .header('content-disposition', `attachment; filename="${id}.txt"`)
      .header('x-content-type-options', 'nosniff')
      .send(raw)
  })
  addForms(pages, context)
}

const addForms: RegisterView = (pages, context) => {
  const { catalog } = context
  addForm(pages, context, {
    path: '/parked/retry',
    asked(text) {
      const id = text('id')
      const ids = id === '' ? [] : [id]
      const work = async () => {
        const results = await retryDeadLetters(catalog, ids)
        if (id !== '' && results.length === 0) throw new Error('No open dead letter has this id.')
        return { said: results.map(resultText).join('; ') || 'No record of the projection waits.' }
      }
      return { action: 'parked.retried', subject: id || 'all of the projection', content: { ids }, work }
    },
  })
  addForm(pages, context, {
    path: '/parked/resolve',
    asked(text) {
      const [id, reason] = [text('id'), text('reason')]
      const as = text('as') === 'recorded' ? 'recorded' : 'dropped'
      const work = () => resolveDeadLetters(catalog, { ids: [id], as, reason })
      return { action: `parked.${as}`, subject: id, content: { id, as, reason }, work }
    },
  })
}

const resultText = ({ parked_id, result, detail }: Retried) =>
  `${parked_id.slice(0, 12)}: ${result}${detail ? `, ${detail}` : ''}`

async function recordOf({ catalog }: OperatorContext, request: FastifyRequest): Promise<ParkedRecord> {
  const { id } = request.params as { id: string }
  const [record] = /^\w{1,100}$/.test(id) ? await openDeadLetters(catalog.store, { id, limit: 1 }) : []
  if (record === undefined) throw notFound('No open dead letter has this id.')
  return record
}

function groupTable(groups: Awaited<ReturnType<typeof deadLetters>>['groups']): Markup {
  if (groups.length === 0) return ''
  const rows = groups.map(({ reason, source_id: id, source, count, detail }) => [
    html`<a href="${PATH}?${new URLSearchParams({ reason, ...(id !== null && { source: id }) })}">${reason}</a>`,
    html`${source ?? '—'}`,
    html`${formatCount(count)}`,
    html`${detail}`,
  ])
  return table({ caption: 'By reason and source', columns: ['Reason', 'Source', 'Records', 'Example'], rows })
}

function listOf(records: readonly ParkedRecord[]): Markup {
  const rows = records.map(({ parked_id: id, reason, position, detail, recorded_at }) => [
    html`<a href="${PATH}/${id}">${position ?? id.slice(0, 12)}</a>`,
    html`${reason}`,
    html`${detail}`,
    timeElement(recorded_at, '—'),
  ])
  return table({ caption: 'Records', columns: ['Place', 'Reason', 'Detail', 'When'], rows })
}

function recordPage({
  parked_id: id,
  detail,
  position,
  source_id,
  crawl_id,
  raw,
  raw_sha256,
  origin,
}: ParkedRecord): Markup {
  const isCut = raw.length > RAW_CHARS_SHOWN || raw_sha256 !== null
  return html`<p>${detail}</p>
<p class="hint">${position ?? 'unknown place'}; source ${source_id ?? 'unknown'}; crawl ${crawl_id ?? 'none'}</p>
<h2>Raw text</h2><pre tabindex="0">${raw.slice(0, RAW_CHARS_SHOWN)}</pre>
<p>!${isCut ? 'This is its beginning. ' : ''}<a href="${PATH}/${id}/raw">Download what is kept</a></p>
!${
    origin === 'projector'
      ? form({ action: `${PATH}/retry`, submit: 'Retry', hidden: { id } })
      : html`<p>It is a vendor’s record: correct the input or its mapping and crawl it again, or correct it by <code>catalog parked edit ${id}</code>.</p>`
  }
!${form({
    action: `${PATH}/resolve`,
    submit: 'Close',
    hidden: { id },
    fields: html`!${choice({
      name: 'as',
      label: 'Close it as',
      options: [
        { value: 'dropped', text: 'dropped: it is not worth a price' },
        { value: 'recorded', text: 'recorded: its price came in another way' },
      ],
    })}!${reasonField()}`,
  })}`
}
