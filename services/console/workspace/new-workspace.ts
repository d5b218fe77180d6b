import { newId } from '@catalog/access/keys.ts'
import { PageError } from '@catalog/console/pages/page-error.ts'
import { NAME_CHARS_MAX, nameFault, typed } from '@catalog/console/pages/form.ts'
import { field, form, type Markup, sendPage } from '@catalog/console/pages/html.ts'
import type { PagesContext } from '@catalog/console/sessions/pages-context.ts'
import { signedIn } from '@catalog/console/sessions/session.ts'
import { instant } from '@catalog/core/time.ts'
import { createWorkspace } from '@catalog/store/accounts/accounts.ts'
import { addMember, appendAudit, workspacesOf } from '@catalog/store/accounts/members.ts'
import type { Queryable } from '@catalog/store/db.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { html } from 'ghtml'

/** Each has limits of its own: nobody gets more of the catalog by making more of them. */
const OWNED_MAX = 5
/** Names are unique. Of a name that is taken so often the person chooses another. */
const NAMES_TRIED_MAX = 50

/** A further workspace, and the first of whoever came by an invitation or a new password. */
export function newWorkspaceRoutes(pages: FastifyInstance, { store, now, attempts }: PagesContext): void {
  pages.get('/new', async (request, reply) => {
    signedIn(request)
    return sendNew(reply, {})
  })

  pages.post('/new', async (request, reply) => {
    const { userId, email } = signedIn(request)
    const name = typed(request, 'workspace')
    const fault = nameFault(name)
    if (fault !== undefined) return sendNew(reply, { name, fault }, 400)
    const owned = (await workspacesOf(store, userId)).filter(({ role }) => role === 'owner')
    if (owned.length >= OWNED_MAX) {
      throw new PageError(409, 'Too many workspaces', `One person owns at most ${OWNED_MAX} workspaces.`)
    }
    await attempts.makeWorkspace(email)
    const at = instant(now())
    const workspaceId = await store.transaction((tx) => makeWorkspace(tx, { userId, email, name, at }))
    return reply.redirect(`/console/workspaces/${workspaceId}`, 303)
  })
}

/**
 * A workspace of the free plan, and the person its owner; answers its id. Where the name is taken, ' 2', ' 3' ... is put
 * after it: whoever asked for it is not told whose it is.
 */
export async function makeWorkspace(
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
    hint: 'As people know your company or team.',
    maxLength: NAME_CHARS_MAX,
    error,
  })

type New = Readonly<{ name?: string; fault?: string }>

function sendNew(reply: FastifyReply, { name = '', fault }: New, status = 200): FastifyReply {
  const body = html`<p>People share a workspace, and the agents that they connect belong to it.</p>
    !${form({ action: '/console/new', submit: 'Make the workspace', fields: workspaceField({ value: name, error: fault }) })}`
  return sendPage(reply, { title: 'New workspace', body }, status)
}
