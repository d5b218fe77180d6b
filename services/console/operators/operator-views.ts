import { cursorsOf } from '@catalog/api/http/cursor.ts'
import type { Session } from '@catalog/console/pages/context.ts'
import { formText, queryText } from '@catalog/console/pages/form.ts'
import { sendPage } from '@catalog/console/pages/html.ts'
import { notFound, PageError } from '@catalog/console/pages/page-error.ts'
import { requireSession } from '@catalog/console/sessions/session.ts'
import { instant } from '@catalog/core/time.ts'
import type { CrawlContext } from '@catalog/operations/held-crawls.ts'
import { BadCursor } from '@catalog/operations/naming.ts'
import type { Outcome, Paging } from '@catalog/operations/outcome.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import { field, notice } from '@catalog/pages/parts.ts'
import { insertDecision, isOperator } from '@catalog/store/accounts/operators.ts'
import { readCursorSecret } from '@catalog/store/catalog/queries.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** The frame of the operators' views in /console/operator, and what all of them share. */

const VIEWS = [
  ['', 'Status'],
  ['/review', 'Review'],
  ['/units', 'Units'],
  ['/crawls', 'Held crawls'],
  ['/parked', 'Dead letters'],
  ['/quarantine', 'Quarantine'],
  ['/trust', 'Trust'],
  ['/runs', 'Runs'],
  ['/decisions', 'Decisions'],
] as const

export const OPERATOR_PATH = '/console/operator'

/** What the views work with: the catalog and environment of the process that serves them. */
export type OperatorContext = CrawlContext

/** Rows of a page. */
export const ROWS_OF_PAGE = 50
export const REASON_CHARS_MAX = 500

/** The session of an operator. Throws "not found" for everybody else: the views do not exist for them. */
export async function requireOperator({ catalog }: OperatorContext, request: FastifyRequest): Promise<Session> {
  const session = requireSession(request)
  if (!(await isOperator(catalog.store, session.userId))) throw notFound()
  return session
}

type OperatorPage = Readonly<{
  title: string
  body: Markup
  /** The command that shows or does the same. */
  command: string
  script?: string
}>

/** The entry of the menu that a path belongs to: '/parked' for '/parked/:id'. */
const entryOf = (path: string) => path.replace(/(?<=.)\/.*/, '')

/** Adds a view at a path, for operators alone; above it stands what the form before said. Refuses cursors of no view. */
export function addView(
  pages: FastifyInstance,
  context: OperatorContext,
  { path, read }: { path: string; read: (request: FastifyRequest, paging: Paging) => Promise<OperatorPage> },
): void {
  pages.get(`/operator${path}`, async (request, reply) => {
    await requireOperator(context, request)
    const paging = { after: queryText(request, 'after') || undefined, limit: ROWS_OF_PAGE }
    const { title, body, command, script } = await read(request, paging).catch((error: unknown) => {
      throw error instanceof BadCursor ? new PageError(400, 'Invalid request', error.message) : error
    })
    const isCurrent = (view: string) => view === entryOf(path)
    const said = await outcomeOf(context.catalog, queryText(request, 'said'))
    return sendPage(reply, {
      title,
      nav: VIEWS.map(([view, text]) => ({ href: `${OPERATOR_PATH}${view}`, text, isCurrent: isCurrent(view) })),
      navLabel: 'Operator',
      ...(script !== undefined && { script }),
      body: html`!${said === undefined ? '' : notice(said.isDone ? 'done' : 'error', said.text)}
!${body}
<p class="hint">By command: <code>${command}</code></p>`,
    })
  })
}

type Shown = Readonly<{ isDone: boolean; text: string }>

/** An outcome in the address of the next page is sealed: a link of somebody else can say nothing here. */
const OUTCOME_SCOPE = ['operator outcome']
const OUTCOME_CHARS_MAX = 500

/** Sends the browser to a path of the console, which then shows the outcome. */
export async function backTo(
  reply: FastifyReply,
  { catalog, path }: { catalog: OperatorContext['catalog']; path: string },
  { isDone, text }: Shown,
): Promise<FastifyReply> {
  const shown = JSON.stringify({ isDone, text: text.slice(0, OUTCOME_CHARS_MAX) })
  const said = cursorsOf(await readCursorSecret(catalog.store)).encode(shown, OUTCOME_SCOPE)
  return reply.redirect(`${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ said })}`, 303)
}

async function outcomeOf({ store }: OperatorContext['catalog'], said: string): Promise<Shown | undefined> {
  if (said === '') return undefined
  try {
    return JSON.parse(cursorsOf(await readCursorSecret(store)).decode(said, OUTCOME_SCOPE)) as Shown
  } catch {
    return undefined
  }
}

/** What a form asks for: the operation that does it, and what is kept of it. */
type Decided = Readonly<{
  action: string
  subject: string
  content: object
  work: () => Promise<Pick<Outcome, 'said' | 'remarks'>>
}>

/**
 * Adds a form at a path, for operators alone: does the operation that it asks for, keeps who did it, and sends the browser back,
 * by default to the view of the path, with what the operation did or why it refused.
 */
export function addForm(
  pages: FastifyInstance,
  context: OperatorContext,
  { path, asked }: { path: string; asked: (text: (name: string) => string) => Decided & Readonly<{ back?: string }> },
): void {
  pages.post(`/operator${path}`, async (request, reply) => {
    const { catalog } = context
    const { email: actor } = await requireOperator(context, request)
    const parameters = request.params as Readonly<Record<string, string>>
    const decided = asked((name) => parameters[name] ?? formText(request, name))
    const { action, subject, content, work, back = entryOf(path) } = decided
    const place = { catalog, path: `${OPERATOR_PATH}${back}` }
    let text: string
    try {
      const { said, remarks = [] } = await work()
      text = [...remarks, said].join('. ')
    } catch (error) {
      return backTo(reply, place, { isDone: false, text: (error as Error).message })
    }
    const at = instant(catalog.now())
    const decision = { decided_at: at, actor, action, subject, content: JSON.stringify(content), due_at: at }
    await insertDecision(catalog.store, { ...decision, state: 'recorded' })
    return backTo(reply, place, { isDone: true, text })
  })
}

/** Why somebody decides so; `id` is for pages with several of them. */
export const reasonField = (id = 'reason', label = 'Reason'): Markup =>
  field({ id, name: 'reason', label, maxLength: REASON_CHARS_MAX })

/** A button to the next page of a list. */
export const nextPage = (path: string, cursor: string | null, kept: Readonly<Record<string, string>> = {}): Markup =>
  cursor === null
    ? ''
    : html`<p><a href="${OPERATOR_PATH}${path}?${new URLSearchParams({ ...kept, after: cursor })}" rel="next">Next page</a></p>`

export type RegisterView = (pages: FastifyInstance, context: OperatorContext) => void
