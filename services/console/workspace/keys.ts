import { newKey, ROTATION_OVERLAP_MS } from '@catalog/access/keys.ts'
import type { AttemptLimits } from '@catalog/console/pages/attempt-limits.ts'
import type { ConsoleContext } from '@catalog/console/pages/context.ts'
import { formText, nameProblem, queryText } from '@catalog/console/pages/form.ts'
import { type Page, sendPage } from '@catalog/console/pages/html.ts'
import { notFound, refusal } from '@catalog/console/pages/page-error.ts'
import {
  type Membership,
  monthsUntil,
  notAllowed,
  pathId,
  recordAudit,
  requireMember,
  workspacePath,
} from '@catalog/console/sessions/membership.ts'
import { instant } from '@catalog/core/time.ts'
import {
  countActiveKeys,
  insertKey,
  type KeyRow,
  listKeys,
  readUsage,
  revokeKey,
  rotateKey,
} from '@catalog/store/accounts/accounts.ts'
import { lockWorkspace } from '@catalog/store/accounts/members.ts'
import type { Queryable } from '@catalog/store/db.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { FREE_PLAN_NOTE, keyListPage, newKeyPage } from './keys-page.ts'

/** Counts keys that are neither revoked nor rotated; more are a mistake of an issuing program. */
export const KEYS_MAX = 100
/** Valid keys come first and rotated ones last a day; the list omits the oldest of the rest. */
const KEYS_SHOWN_MAX = 300
/** Months of usage shown, the current one included. */
const MONTHS_SHOWN = 3

type KeysContext = ConsoleContext & Readonly<{ attemptLimits: Pick<AttemptLimits, 'issueKey'> }>

/** Organization keys: all members see keys and their usage; admins issue, rotate and revoke them. */
export function keyRoutes(app: FastifyInstance, context: KeysContext): void {
  const { store } = context
  app.get('/workspaces/:id/keys', async (request, reply) => {
    const membership = await requireMember(store, request)
    return sendPage(reply, await keysPage(context, membership, { done: queryText(request, 'done') }))
  })
  app.post('/workspaces/:id/keys', async (request, reply) => issue(context, request, reply))
  app.post('/workspaces/:id/keys/:keyId/rotate', async (request, reply) => rotate(context, request, reply))
  app.post('/workspaces/:id/keys/:keyId/revoke', async (request, reply) => revoke(context, request, reply))
}

async function issue(context: KeysContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { store, origin, now, attemptLimits } = context
  const membership = await requirePaidAdmin(store, request)
  const { workspace_id: workspaceId } = membership.workspace
  const name = formText(request, 'name')
  const problem = nameProblem(name)
  if (problem !== undefined) return sendPage(reply, await keysPage(context, membership, { problem, name }), 400)
  await attemptLimits.issueKey(workspaceId)
  const { key, mark } = newKey('org')
  const at = instant(now())
  await store.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId)
    if ((await countActiveKeys(tx, workspaceId)) >= KEYS_MAX) throw refusal('keys_full', KEYS_MAX)
    await insertKey(tx, { kind: 'org', ...mark, workspaceId, name, at })
    await recordAudit(tx, membership, { at, action: 'key.issued', target: mark.displayPrefix, details: { name } })
  })
  return sendPage(reply, newKeyPage(membership, { key, name, origin }), 201)
}

async function rotate(
  { store, origin, now, attemptLimits }: KeysContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const membership = await requirePaidAdmin(store, request)
  const former = await findKey(store, membership, pathId(request, 'keyId'))
  await attemptLimits.issueKey(membership.workspace.workspace_id)
  const { key, mark } = newKey('org')
  const [at, until] = [instant(now()), instant(new Date(now().getTime() + ROTATION_OVERLAP_MS))]
  await store.transaction(async (tx) => {
    if (!(await rotateKey(tx, { keyId: former.key_id, until, successor: mark, at }))) throw refusal('key_ended')
    const details = { name: former.name ?? '', successor: mark.displayPrefix }
    await recordAudit(tx, membership, { at, action: 'key.rotated', target: former.display_prefix, details })
  })
  const replaced = { prefix: former.display_prefix, until }
  return sendPage(reply, newKeyPage(membership, { key, name: former.name ?? '', origin, replaced }), 201)
}

async function revoke(
  { store, now }: KeysContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const membership = await requireMember(store, request, 'admin')
  const key = await findKey(store, membership, pathId(request, 'keyId'))
  const at = instant(now())
  await store.transaction(async (tx) => {
    if (!(await revokeKey(tx, { keyId: key.key_id, at }))) throw refusal('key_ended')
    const details = { name: key.name ?? '' }
    await recordAudit(tx, membership, { at, action: 'key.revoked', target: key.display_prefix, details })
  })
  return reply.redirect(`${workspacePath(membership.workspace)}/keys?done=revoked`, 303)
}

async function findKey(db: Queryable, { workspace }: Membership, keyId: string): Promise<KeyRow> {
  const [key] = await listKeys(db, { keyId, workspaceId: workspace.workspace_id, limit: 1 })
  if (key === undefined) throw notFound('The workspace has no such key.')
  return key
}

async function keysPage(
  { store, now }: ConsoleContext,
  { workspace }: Membership,
  shown: { done?: string; problem?: string; name?: string },
): Promise<Page> {
  const keys = await listKeys(store, {
    workspaceId: workspace.workspace_id,
    validAt: instant(now()),
    limit: KEYS_SHOWN_MAX,
  })
  const months = monthsUntil(now(), MONTHS_SHOWN)
  const ids = keys.map(({ key_id }) => key_id)
  const uses = await readUsage(store, ids, months[0] as string)
  const used = new Map(uses.map(({ subject, month, requests }) => [`${subject} ${month}`, requests]))
  return keyListPage(workspace, { ...shown, keys, months, used, now: now() })
}

/** Requires an admin of a workspace on the paid plan. */
async function requirePaidAdmin(db: Queryable, request: FastifyRequest): Promise<Membership> {
  const membership = await requireMember(db, request, 'admin')
  if (membership.workspace.plan === 'free') throw notAllowed(`This workspace is on the free plan. ${FREE_PLAN_NOTE}`)
  return membership
}
