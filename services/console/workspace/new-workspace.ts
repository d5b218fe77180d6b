import { newId } from '@catalog/access/keys.ts'
import { formText, NAME_CHARS_MAX, nameProblem } from '@catalog/console/pages/form.ts'
import { sendPage } from '@catalog/console/pages/html.ts'
import { PageError } from '@catalog/console/pages/page-error.ts'
import type { PagesContext } from '@catalog/console/sessions/pages-context.ts'
import { requireSession } from '@catalog/console/sessions/session.ts'
import { instant } from '@catalog/core/time.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import { field, form } from '@catalog/pages/parts.ts'
import { createWorkspace } from '@catalog/store/accounts/accounts.ts'
import { addMember, appendAudit, workspacesOf } from '@catalog/store/accounts/members.ts'
import type { Queryable } from '@catalog/store/db.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Each workspace has its own limits, so their number bounds what one person can read. */
const OWNED_MAX = 5
/** Names are unique; after this many suffixes the person chooses another name. */
const NAMES_TRIED_MAX = 50

/** Creates a further workspace, or the first one of a person who came by an invitation or a password reset. */
export function newWorkspaceRoutes(pages: FastifyInstance, { store, now, attemptLimits }: PagesContext): void {
  pages.get('/new', async (request, reply) => {
    requireSession(request)
    return renderForm(reply, {})
  })

  pages.post('/new', async (request, reply) => {
    const { userId, email } = requireSession(request)
    const name = formText(request, 'workspace')
    const problem = nameProblem(name)
    if (problem !== undefined) return renderForm(reply, { name, problem }, 400)
    const owned = (await workspacesOf(store, userId)).filter(({ role }) => role === 'owner')
    if (owned.length >= OWNED_MAX) {
      throw new PageError(409, 'Too many workspaces', `One person owns at most ${OWNED_MAX} workspaces.`)
    }
    await attemptLimits.createWorkspace(email)
    const at = instant(now())
    const workspaceId = await store.transaction((tx) => createOwnedWorkspace(tx, { userId, email, name, at }))
    return reply.redirect(`/console/workspaces/${workspaceId}`, 303)
  })
}

/**
 * Creates a workspace on the free plan owned by the person; answers its id. A taken name gets ' 2', ' 3' ... appended,
 * without revealing whose it is.
 */
export async function createOwnedWorkspace(
  tx: Queryable,
  { userId, email, name, at }: { userId: string; email: string; name: string; at: string },
): Promise<string> {
  const workspaceId = newId('ws_')
  for (let i = 1; i <= NAMES_TRIED_MAX; i++) {
    const unique = i === 1 ? name : `${name} ${i}`
    if (!(await createWorkspace(tx, { workspaceId, name: unique, plan: 'free', at }))) continue
    await addMember(tx, { workspaceId, userId, role: 'owner', at })
    await appendAudit(tx, { workspaceId, at, actor: email, action: 'workspace.created', target: unique })
    return workspaceId
  }
  throw new PageError(409, 'The name is taken', 'Go back and choose another name for the workspace.')
}

export const workspaceField = ({ value, error }: { value: string; error?: string | undefined }): Markup =>
  field({
    name: 'workspace',
    label: 'Name of your workspace',
    value,
    autocomplete: 'organization',
    hint: 'The name by which people know your company or team.',
    maxLength: NAME_CHARS_MAX,
    error,
  })

type New = Readonly<{ name?: string; problem?: string }>

function renderForm(reply: FastifyReply, { name = '', problem }: New, status = 200): FastifyReply {
  const body = html`<p>People share a workspace, and the agents that they connect belong to it.</p>
    !${form({ action: '/console/new', submit: 'Create the workspace', fields: workspaceField({ value: name, error: problem }) })}`
  return sendPage(reply, { title: 'New workspace', body }, status)
}
