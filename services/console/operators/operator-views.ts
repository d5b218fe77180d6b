import { cursorsOf } from '@catalog/api/http/cursor.ts'
import type { Session } from '@catalog/console/pages/context.ts'
import { queryText } from '@catalog/console/pages/form.ts'
import { sendPage } from '@catalog/console/pages/html.ts'
import { notFound, PageError } from '@catalog/console/pages/page-error.ts'
import { requireSession } from '@catalog/console/sessions/session.ts'
import { instant } from '@catalog/core/time.ts'
import type { CrawlContext } from '@catalog/operations/held-crawls.ts'
import { BadCursor } from '@catalog/operations/naming.ts'
import type { Outcome } from '@catalog/operations/outcome.ts'
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
type ViewPath = (typeof VIEWS)[number][0]

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

export type OperatorPage = Readonly<{
  title: string
  path: ViewPath
  body: Markup
  /** The command that shows or does the same. */
  command: string
  script?: string
}>

/** Sends a view, above it what the form before said. */
export async function sendView(
  reply: FastifyReply,
  { catalog }: OperatorContext,
  { title, path, body, command, script }: OperatorPage,
): Promise<FastifyReply> {
  const nav = VIEWS.map(([view, text]) => ({ href: `${OPERATOR_PATH}${view}`, text, isCurrent: view === path }))
  const said = await outcomeOf(catalog, queryText(reply.request, 'said'))
  return sendPage(reply, {
    title,
    nav,
    navLabel: 'Operator',
    ...(script !== undefined && { script }),
    body: html`!${said === undefined ? '' : notice(said.isDone ? 'done' : 'error', said.text)}
!${body}
<p class="hint">By command: <code>${command}</code></p>`,
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

const invalid = (message: string) => new PageError(400, 'Invalid request', message)

/** What a cursor of the address gives. Throws a page for one that no view made. */
export async function readAsked<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw error instanceof BadCursor ? invalid(error.message) : error
  }
}

/** A form: where it stands, what it decides, and the operation that does it. */
type Decided = Readonly<{
  /** The view that the browser goes back to. */
  path: string
  action: string
  subject: string
  content: object
  work: () => Promise<Pick<Outcome, 'said' | 'remarks'>>
}>

/**
 * Does an operation that a form asks for, keeps who did it, and sends the browser back to the view, with what it did or why it
 * refused.
 */
export async function act(
  context: OperatorContext,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { path, action, subject, content, work }: Decided,
): Promise<FastifyReply> {
  const { catalog } = context
  const { email: actor } = await requireOperator(context, request)
  let text: string
  try {
    const { said, remarks = [] } = await work()
    text = [...remarks, said].join('. ')
  } catch (error) {
    return backTo(reply, { catalog, path }, { isDone: false, text: (error as Error).message })
  }
  const at = instant(catalog.now())
  const decision = { decided_at: at, actor, action, subject, content: JSON.stringify(content), due_at: at }
  await insertDecision(catalog.store, { ...decision, state: 'recorded' })
  return backTo(reply, { catalog, path }, { isDone: true, text })
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
