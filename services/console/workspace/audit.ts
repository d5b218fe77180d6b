import type { ConsoleContext } from '@catalog/console/pages/context.ts'
import { queryText } from '@catalog/console/pages/form.ts'
import { sendPage } from '@catalog/console/pages/html.ts'
import { PageError } from '@catalog/console/pages/page-error.ts'
import { requireMember, workspaceNav, workspacePath } from '@catalog/console/sessions/membership.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import { timeElement } from '@catalog/pages/parts.ts'
import { table } from '@catalog/pages/table.ts'
import { type AuditAction, type AuditRow, readAudit } from '@catalog/store/accounts/members.ts'
import type { FastifyInstance } from 'fastify'

const ROWS_OF_PAGE = 50

/** Who did what in a workspace, for its admins and owners. */
export function auditRoutes(app: FastifyInstance, { store }: Pick<ConsoleContext, 'store'>): void {
  app.get('/workspaces/:id/audit', async (request, reply) => {
    const { workspace } = await requireMember(store, request, 'admin')
    const { workspace_id: workspaceId } = workspace
    const before = parseCursor(queryText(request, 'before'))
    // One row more than shown reveals whether older ones exist.
    const found = await readAudit(store, { workspaceId, before, limit: ROWS_OF_PAGE + 1 })
    const shown = found.slice(0, ROWS_OF_PAGE)
    const path = `${workspacePath(workspace)}/audit`
    const older = found.length > ROWS_OF_PAGE ? `${path}?before=${shown.at(-1)?.audit_id}` : undefined
    return sendPage(reply, {
      title: 'Audit log',
      nav: workspaceNav(workspace, 'Audit log'),
      body: html`
!${shown.length === 0 ? html`<p>Nothing ${before === undefined ? 'was done yet' : 'older'}.</p>` : auditTable(shown)}
<p>!${before === undefined ? '' : html`<a href="${path}">Newest</a> `}
!${older === undefined ? '' : html`<a href="${older}" rel="next">Older</a>`}</p>`,
    })
  })
}

/** Cursor of the last row shown; undefined for the newest page. */
function parseCursor(before: string): bigint | undefined {
  if (before === '') return undefined
  // 18 digits fit into any bigint of the database.
  if (!/^\d{1,18}$/.test(before)) throw new PageError(400, 'Invalid request', 'The log has no such page.')
  return BigInt(before)
}

function auditTable(rows: readonly AuditRow[]): Markup {
  return table({
    caption: 'What was done',
    columns: ['When', 'Who', 'What'],
    rows: rows.map((row) => [timeElement(row.at), html`${row.actor}`, html`${auditText(row)}`]),
  })
}

/** An action as a sentence without its subject. Missing details are left out. */
export function auditText({ actor, action, target, details }: Omit<AuditRow, 'audit_id' | 'at'>): string {
  const detail = (before: string, name: string) => (details[name] ? `${before}${details[name]}` : '')
  const words = {
    'workspace.created': () => `created the workspace ${target}`,
    'member.invited': () => `invited ${target}${detail(' as ', 'role')}`,
    'member.joined': () => `joined${detail(' as ', 'role')}`,
    'member.role_changed': () => `changed the role of ${target}${detail(' from ', 'from')}${detail(' to ', 'to')}`,
    'member.removed': () => (actor === target ? 'left' : `removed ${target}`),
    'member.second_factor_off': () => `turned off the second factor of ${target}`,
    'invitation.withdrawn': () => `withdrew the invitation of ${target}`,
    'key.issued': () => `issued the key ${target}…${detail(' for ', 'name')}`,
    'key.rotated': () => `rotated the key ${target}…${detail(' for ', 'name')}${detail(', now ', 'successor')}`,
    'key.revoked': () => `revoked the key ${target}…${detail(' for ', 'name')}`,
    'agent.connected': () => `connected the agent ${target}`,
    'agent.revoked': () => `disconnected the agent ${target}${detail(' of ', 'of')}`,
    'plan.set': () => `set the plan of ${target}${detail(' to ', 'plan')}`,
  } satisfies Readonly<Record<AuditAction, () => string>>
  // An action of a later version appears by its code.
  return Object.hasOwn(words, action) ? words[action]() : `${action} ${target}`
}
