import { newKey, ROTATION_OVERLAP_MS } from '@catalog/access/keys.ts'
import type { AttemptLimits } from '@catalog/console/pages/attempt-limits.ts'
import type { ConsoleContext } from '@catalog/console/pages/context.ts'
import { formText, NAME_CHARS_MAX, nameProblem, queryText } from '@catalog/console/pages/form.ts'
import {
  copyField,
  field,
  form,
  type Markup,
  notice,
  type Page,
  sendPage,
  table,
  timeElement,
} from '@catalog/console/pages/html.ts'
import { notFound, PageError } from '@catalog/console/pages/page-error.ts'
import {
  confirmation,
  formatCount,
  isAtLeast,
  type Membership,
  monthsUntil,
  notAllowed,
  pathId,
  recordAudit,
  requireMember,
  workspaceNav,
  workspacePath,
} from '@catalog/console/sessions/membership.ts'
import { HOUR_MS, instant } from '@catalog/core/time.ts'
import {
  countStandingKeys,
  insertKey,
  type KeyRow,
  listKeys,
  readUses,
  revokeKey,
  rotateKey,
} from '@catalog/store/accounts/accounts.ts'
import { lockWorkspace } from '@catalog/store/accounts/members.ts'
import type { Queryable } from '@catalog/store/db.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { html } from 'ghtml'

/** Neither revoked nor rotated; more are a mistake of some program that issues them. */
export const KEYS_MAX = 100
/** Those that are valid come first, and rotated ones are for a day only: of others the oldest are not shown. */
const KEYS_SHOWN_MAX = 300
/** With the present one: of how many months requests are shown. */
const MONTHS_SHOWN = 3
const OVERLAP_HOURS = ROTATION_OVERLAP_MS / HOUR_MS

/** Organization keys: all members see which there are and what they used, admins issue, rotate and revoke them. */
export function keyRoutes(
  app: FastifyInstance,
  { store, origin, now, attemptLimits }: ConsoleContext & { attemptLimits: Pick<AttemptLimits, 'issueKey'> },
): void {
  app.get('/workspaces/:id/keys', async (request, reply) => {
    const membership = await requireMember(store, request)
    return sendPage(reply, await keysPage(membership, { done: queryText(request, 'done') }))
  })

  app.post('/workspaces/:id/keys', async (request, reply) => {
    const membership = await requirePaidAdmin(store, request)
    const { workspace_id: workspaceId } = membership.workspace
    const name = formText(request, 'name')
    const problem = nameProblem(name)
    if (problem !== undefined) return sendPage(reply, await keysPage(membership, { problem, name }), 400)
    await attemptLimits.issueKey(workspaceId)
    const { key, mark } = newKey('org')
    const at = instant(now())
    await store.transaction(async (tx) => {
      await lockWorkspace(tx, workspaceId)
      if ((await countStandingKeys(tx, workspaceId)) >= KEYS_MAX) throw TOO_MANY_KEYS
      await insertKey(tx, { kind: 'org', ...mark, workspaceId, name, at })
      await recordAudit(tx, membership, { at, action: 'key.issued', target: mark.displayPrefix, details: { name } })
    })
    return sendPage(reply, newKeyPage(membership, { key, name, origin }), 201)
  })

  app.post('/workspaces/:id/keys/:keyId/rotate', async (request, reply) => {
    const membership = await requirePaidAdmin(store, request)
    const former = await keyOf(membership, pathId(request, 'keyId'))
    await attemptLimits.issueKey(membership.workspace.workspace_id)
    const { key, mark } = newKey('org')
    const [at, until] = [instant(now()), instant(new Date(now().getTime() + ROTATION_OVERLAP_MS))]
    await store.transaction(async (tx) => {
      if (!(await rotateKey(tx, { keyId: former.key_id, until, successor: mark, at }))) throw KEY_ENDED
      const details = { name: former.name ?? '', successor: mark.displayPrefix }
      await recordAudit(tx, membership, { at, action: 'key.rotated', target: former.display_prefix, details })
    })
    const replaced = { prefix: former.display_prefix, until }
    return sendPage(reply, newKeyPage(membership, { key, name: former.name ?? '', origin, replaced }), 201)
  })

  app.post('/workspaces/:id/keys/:keyId/revoke', async (request, reply) => {
    const membership = await requireMember(store, request, 'admin')
    const key = await keyOf(membership, pathId(request, 'keyId'))
    const at = instant(now())
    await store.transaction(async (tx) => {
      if (!(await revokeKey(tx, { keyId: key.key_id, at }))) throw KEY_ENDED
      const details = { name: key.name ?? '' }
      await recordAudit(tx, membership, { at, action: 'key.revoked', target: key.display_prefix, details })
    })
    return reply.redirect(`${workspacePath(membership.workspace)}/keys?done=revoked`, 303)
  })

  async function keyOf({ workspace }: Membership, keyId: string): Promise<KeyRow> {
    const [key] = await listKeys(store, { keyId, workspaceId: workspace.workspace_id, limit: 1 })
    if (key === undefined) throw notFound('The workspace has no such key.')
    return key
  }

  async function keysPage(
    { workspace }: Membership,
    { done, problem, name = '' }: { done?: string; problem?: string; name?: string },
  ): Promise<Page> {
    const { workspace_id: workspaceId, plan, role } = workspace
    const mayChange = isAtLeast(role, 'admin')
    const keys = await listKeys(store, { workspaceId, validAt: instant(now()), limit: KEYS_SHOWN_MAX })
    const months = monthsUntil(now(), MONTHS_SHOWN)
    const ids = keys.map(({ key_id }) => key_id)
    const uses = await readUses(store, ids, months[0] as string)
    const used = new Map(uses.map(({ subject, month, requests }) => [`${subject} ${month}`, requests]))
    const mayIssue = mayChange && plan === 'paid'
    return {
      title: 'Keys',
      nav: workspaceNav(workspace, 'Keys'),
      body: html`
<p>Programs call the API with keys of the workspace ${workspace.name}. Each is shown once, when it is issued.</p>
!${done === 'revoked' ? notice('done', 'The key is revoked. It is refused within 30 seconds.') : ''}
!${plan === 'free' ? html`<p>This workspace is on the free plan. ${FREE_PLAN_NOTE}</p>` : ''}
!${keys.length === 0 ? html`<p>There are no keys.</p>` : keyTable(keys, { months, used, now: now(), path: workspacePath(workspace), mayChange, mayIssue })}
!${mayIssue ? issueForm(workspacePath(workspace), { problem, name }) : ''}
!${mayChange ? '' : html`<p>Owners and admins issue, rotate and revoke keys.</p>`}`,
    }
  }
}

/** Whoever may have keys made. */
async function requirePaidAdmin(db: Queryable, request: FastifyRequest): Promise<Membership> {
  const membership = await requireMember(db, request, 'admin')
  if (membership.workspace.plan === 'free') throw notAllowed(`This workspace is on the free plan. ${FREE_PLAN_NOTE}`)
  return membership
}

export const FREE_PLAN_NOTE =
  'It has no organization keys: the operator of this catalog sets the plan, and a paid one has them. Agents may be connected.'
const TOO_MANY_KEYS = new PageError(
  409,
  'Too many keys',
  `The workspace has ${KEYS_MAX} keys. Revoke one that nobody needs, then issue another.`,
)
const KEY_ENDED = new PageError(409, 'It has ended', 'The key was revoked or rotated before. Look at the list again.')

// Its parts -----------------------------------------------------------------------------------------------------------

type Listed = Readonly<{
  /** Ascending, 'YYYY-MM'. */
  months: readonly string[]
  /** By key and month. */
  used: ReadonlyMap<string, number>
  now: Date
  path: string
  mayChange: boolean
  mayIssue: boolean
}>

function keyTable(keys: readonly KeyRow[], { months, used, now, path, mayChange, mayIssue }: Listed): Markup {
  const columns = ['Key', 'State', 'Issued', 'Last used', ...months.toReversed().map(monthName)]
  return table({
    caption: 'Keys and their requests',
    columns: mayChange ? [...columns, 'Action'] : columns,
    rows: keys.map((key) => [
      html`${key.name ?? ''}<br><code>${key.display_prefix}…</code>`,
      stateOf(key, now),
      timeElement(key.created_at),
      timeElement(key.last_used_at),
      ...months.toReversed().map((month) => html`${formatCount(used.get(`${key.key_id} ${month}`) ?? 0)}`),
      ...(mayChange ? [actions(key, { now, path, mayIssue })] : []),
    ]),
  })
}

const monthName = (month: string) =>
  new Date(`${month}-01T00:00:00Z`).toLocaleString('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' })

const isValid = ({ revoked_at, expires_at }: KeyRow, now: Date) =>
  revoked_at === null && (expires_at === null || Date.parse(expires_at) > now.getTime())

function stateOf(key: KeyRow, now: Date): Markup {
  if (key.revoked_at !== null) return html`revoked !${timeElement(key.revoked_at)}`
  if (key.expires_at === null) return html`valid`
  return html`rotated, ${isValid(key, now) ? 'valid until' : 'ended'} !${timeElement(key.expires_at)}`
}

function actions(key: KeyRow, { now, path, mayIssue }: Pick<Listed, 'now' | 'path' | 'mayIssue'>): Markup {
  if (!isValid(key, now)) return html`none`
  const about = `${key.display_prefix} ${key.name ?? ''}`
  const of = `${path}/keys/${key.key_id}`
  const rotate = confirmation(
    'Rotate',
    about,
    html`<p>A new key takes its place. This one stays valid for ${OVERLAP_HOURS} hours.</p>
      !${form({ action: `${of}/rotate`, submit: 'Rotate it', about })}`,
  )
  const revoke = confirmation(
    'Revoke',
    about,
    html`<p>Whoever calls with it is refused within 30 seconds, for ever.</p>
      !${form({ action: `${of}/revoke`, submit: 'Revoke it', about, isDangerous: true })}`,
  )
  return html`!${mayIssue && key.expires_at === null ? rotate : ''}!${revoke}`
}

function issueForm(path: string, { problem, name }: { problem: string | undefined; name: string }): Markup {
  const fields = field({
    name: 'name',
    label: 'Name',
    value: name,
    autocomplete: 'off',
    maxLength: NAME_CHARS_MAX,
    hint: 'What it is for, so that you know it among others.',
    error: problem,
  })
  return html`<h2>Issue a key</h2>!${form({ action: `${path}/keys`, submit: 'Issue', fields })}`
}

type Issued = Readonly<{
  key: string
  name: string
  origin: string
  replaced?: Readonly<{ prefix: string; until: string }>
}>

function newKeyPage({ workspace }: Membership, { key, name, origin, replaced }: Issued): Page {
  return {
    title: 'New key',
    nav: workspaceNav(workspace, 'Keys'),
    body: html`
!${notice('info', 'Copy the key now: it is shown this once, and only its hash is kept.')}
!${copyField(name, key)}
!${replaced === undefined ? '' : html`<p>It takes the place of <code>${replaced.prefix}…</code>, which is valid until !${timeElement(replaced.until)}.</p>`}
<p>Try it:</p>
!${copyField('Command', curlLine(origin, key))}
<p><a href="${workspacePath(workspace)}/keys">Done, back to the keys</a></p>`,
  }
}

/** A line for a terminal that asks something with the key. */
export const curlLine = (origin: string, key: string) =>
  `curl -H "Authorization: Bearer ${key}" '${origin}/v1/items?region=ES&limit=5'`
