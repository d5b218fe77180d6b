import { formText, queryText } from '@catalog/console/pages/form.ts'
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
  act,
  nextPage,
  OPERATOR_PATH,
  type OperatorContext,
  type RegisterView,
  ROWS_OF_PAGE,
  reasonField,
  requireOperator,
  sendView,
} from './operator-views.ts'

const PATH = `${OPERATOR_PATH}/parked`
const GROUPS_SHOWN = 20
/** Characters of a raw text on a page; a download has all that is kept. */
const RAW_CHARS_SHOWN = 4_000

/** Records that could not be read or applied, each with its raw text, to retry or to close. */
export const parkedView: RegisterView = (pages, context) => {
  const { catalog } = context
  pages.get('/operator/parked', async (request, reply) => {
    await requireOperator(context, request)
    const asked = Object.entries({ after: '', reason: '', source: '' }).map(([name]) => [
      name,
      queryText(request, name),
    ])
    const given: Readonly<Record<string, string>> = Object.fromEntries(asked.filter(([, value]) => value !== ''))
    const { groups, parked, cursor } = await deadLetters(catalog, { ...given, limit: ROWS_OF_PAGE })
    const isWhole = Object.keys(given).length === 0
    return sendView(reply, context, {
      title: 'Dead letters',
      path: '/parked',
      command: 'catalog parked, catalog parked retry',
      body: html`!${isWhole ? groupTable(groups.slice(0, GROUPS_SHOWN)) : html`<p><a href="${PATH}">All dead letters</a></p>`}
!${parked.length === 0 ? notice('info', 'No record waits here.') : listOf(parked)}!${nextPage('/parked', cursor, given)}
!${form({ action: `${PATH}/retry`, submit: 'Retry all that the projection parked', isPlain: true })}`,
    })
  })
  pages.get('/operator/parked/:id', async (request, reply) => {
    await requireOperator(context, request)
    const record = await recordOf(context, request)
    return sendView(reply, context, {
      title: `Dead letter: ${record.reason}`,
      path: '/parked',
      command: `catalog parked show ${record.parked_id}`,
      body: recordPage(record),
    })
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
  actions(pages, context)
}

const actions: RegisterView = (pages, context) => {
  const { catalog } = context
  pages.post('/operator/parked/retry', async (request, reply) => {
    const id = formText(request, 'id')
    const ids = id === '' ? [] : [id]
    return act(
      context,
      { request, reply },
      {
        path: PATH,
        action: 'parked.retried',
        subject: id === '' ? 'all of the projection' : id,
        content: { ids },
        async work() {
          const results = await retryDeadLetters(catalog, ids)
          if (id !== '' && results.length === 0) throw new Error('No open dead letter has this id.')
          return { said: results.map(resultText).join('; ') || 'No record of the projection waits.' }
        },
      },
    )
  })
  pages.post('/operator/parked/resolve', async (request, reply) => {
    const [id, reason] = ['id', 'reason'].map((name) => formText(request, name)) as [string, string]
    const as = formText(request, 'as') === 'recorded' ? 'recorded' : 'dropped'
    return act(
      context,
      { request, reply },
      {
        path: PATH,
        action: `parked.${as}`,
        subject: id,
        content: { id, as, reason },
        work: () => resolveDeadLetters(catalog, { ids: [id], as, reason }),
      },
    )
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
