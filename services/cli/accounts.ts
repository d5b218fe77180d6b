import { LIMITS, type Limits } from '@catalog/api/caller.ts'
import { newId, newKey } from '@catalog/api/keys.ts'
import { counterOf, openLimiter } from '@catalog/api/limits.ts'
import { instant } from '@catalog/core/events.ts'
import type { Environment } from '@catalog/runtime/env.ts'
import {
  createWorkspace as addWorkspace,
  revokeKey as endKey,
  insertKey,
  type KeyRow,
  listKeys as readKeys,
  listWorkspaces as readWorkspaces,
  rotateKey as replaceKey,
  type WorkspaceRow,
} from '@catalog/store/accounts.ts'
import { type Terminal, table } from './terminal.ts'
import type { Catalog } from './wire.ts'

/** Operators' commands on workspaces and keys. They write to the store alone: who may call is no fact of the catalog. */

/** The limits of SPEC §8 with what the environment sets instead. */
export function limitsOf(env: Environment): Limits {
  return {
    ...LIMITS,
    anonPerMinute: env.RATE_LIMIT_ANON_PER_MIN,
    publicDevPerMinute: env.RATE_LIMIT_DEV_PER_MIN,
    publicDevPerMonth: env.RATE_LIMIT_DEV_PER_MONTH,
    orgPerMinute: env.RATE_LIMIT_ORG_PER_MIN,
    orgPerMonth: env.RATE_LIMIT_ORG_PER_MONTH,
    searchPerMinute: env.RATE_LIMIT_SEARCH_PER_MIN,
    signupsPerHour: env.RATE_LIMIT_SIGNUPS_PER_HOUR,
    signupsPerDay: env.RATE_LIMIT_SIGNUPS_PER_DAY,
    signupsPerEmailPerDay: env.RATE_LIMIT_SIGNUPS_PER_EMAIL_PER_DAY,
  }
}

/** A rotated key is valid for so long beside its successor. */
const ROTATION_OVERLAP_MS = 24 * 3_600_000
const NAME_CHARS_MAX = 200

export async function createWorkspace(catalog: Catalog, terminal: Terminal, given: string): Promise<void> {
  const name = nameOf(given, 'workspace')
  const workspaceId = newId('ws_')
  const at = instant(catalog.now())
  if (!(await addWorkspace(catalog.store, { workspaceId, name, at }))) {
    throw new Error(`workspace '${name}': expected a name that no other one has`)
  }
  terminal.answer({ workspace_id: workspaceId, name, created_at: at }, () => `${name} is ${workspaceId}`)
  terminal.next(`catalog keys issue --workspace ${workspaceId} --name "..."`)
}

export async function listWorkspaces(catalog: Catalog, terminal: Terminal): Promise<void> {
  const workspaces = await readWorkspaces(catalog.store, { at: instant(catalog.now()) })
  terminal.answer({ workspaces }, () => table(workspaces))
  terminal.next('catalog workspace show WORKSPACE')
}

/** With its keys and what they used of the month; requests that a running process holds count for up to a second. */
export async function showWorkspace(
  catalog: Catalog,
  terminal: Terminal,
  { named, limits }: { named: string; limits: Limits },
): Promise<void> {
  const { workspace_id, name, created_at } = await workspaceNamed(catalog, named)
  const keys = await readKeys(catalog.store, { workspaceId: workspace_id, limit: KEYS_SHOWN_MAX })
  const cap = limits.orgPerMonth
  const month = counterOf({
    ...{ owner: { kind: 'workspace', id: workspace_id }, counts: 'month', period: 'month' },
    limit: cap,
  })
  const used = await openLimiter(catalog).used(month)
  const value = {
    ...{ workspace_id, name, created_at, rate_limit_per_min: limits.orgPerMinute },
    ...{ monthly_cap: cap, monthly_used: used, monthly_remaining: Math.max(0, cap - used) },
    reset_at: instant(new Date(month.endMs)),
    keys: keys.map(keyJson),
  }
  terminal.answer(value, () =>
    [
      `${name}, ${workspace_id}, since ${created_at}`,
      `${used} of ${cap} requests this month, anew from ${value.reset_at}; ${limits.orgPerMinute} a minute`,
      '',
      table(keys.map((key) => keyLine(key, catalog.now()))),
    ].join('\n'),
  )
  terminal.next(`catalog keys issue --workspace ${workspace_id} --name "..."`)
}
const KEYS_SHOWN_MAX = 1_000

export async function issueKey(
  catalog: Catalog,
  terminal: Terminal,
  { workspace, name: given }: { workspace: string; name: string },
): Promise<void> {
  const { workspace_id } = await workspaceNamed(catalog, workspace)
  const name = nameOf(given, 'key')
  const { key, mark } = newKey('org')
  const at = instant(catalog.now())
  await insertKey(catalog.store, { kind: 'org', ...mark, workspaceId: workspace_id, name, at })
  terminal.answer({ key, key_id: mark.keyId, workspace_id, name, created_at: at }, () =>
    [key, '', `${mark.keyId}, '${name}' of ${workspace_id}`, SHOWN_ONCE].join('\n'),
  )
}
const SHOWN_ONCE = 'The key is shown this once: only its hash is kept.'

export async function listKeys(
  catalog: Catalog,
  terminal: Terminal,
  { workspace, email, limit }: { workspace?: string; email?: string; limit: number },
): Promise<void> {
  const workspaceId = workspace === undefined ? undefined : (await workspaceNamed(catalog, workspace)).workspace_id
  const keys = await readKeys(catalog.store, {
    limit,
    ...(workspaceId === undefined ? {} : { workspaceId }),
    ...(email === undefined ? {} : { email }),
  })
  const now = catalog.now()
  terminal.answer({ keys: keys.map(keyJson) }, () => table(keys.map((key) => keyLine(key, now))))
  terminal.next('catalog keys rotate KEY_ID, or catalog keys revoke KEY_ID')
}

/** A new key of the same workspace and name; the former one ends a day later. */
export async function rotateKey(catalog: Catalog, terminal: Terminal, keyId: string): Promise<void> {
  const { key, mark } = newKey('org')
  const now = catalog.now()
  const until = instant(new Date(now.getTime() + ROTATION_OVERLAP_MS))
  const former = await keyWithId(catalog, keyId)
  if (!(await replaceKey(catalog.store, { keyId, until, successor: mark, at: instant(now) }))) {
    throw new Error(`key '${keyId}': expected an organization key that is neither revoked nor rotated already`)
  }
  const value = { key, key_id: mark.keyId, workspace_id: former.workspace_id, name: former.name }
  terminal.answer({ ...value, replaces: { key_id: keyId, expires_at: until } }, () =>
    [key, '', `${mark.keyId} in the place of ${keyId}, which is valid until ${until}`, SHOWN_ONCE].join('\n'),
  )
}

export async function revokeKey(catalog: Catalog, terminal: Terminal, keyId: string): Promise<void> {
  const at = instant(catalog.now())
  await keyWithId(catalog, keyId)
  if (!(await endKey(catalog.store, { keyId, at }))) throw new Error(`key '${keyId}': it was revoked before`)
  terminal.answer(
    { revoked: true, key_id: keyId, revoked_at: at },
    () => `${keyId} is revoked; servers that know it refuse it within 30 seconds`,
  )
}

async function workspaceNamed({ store, now }: Catalog, named: string): Promise<WorkspaceRow> {
  const [workspace] = await readWorkspaces(store, { named, at: instant(now()) })
  if (workspace !== undefined) return workspace
  throw new Error(`workspace '${named}': expected an id or a name, as catalog workspace list shows them`)
}

async function keyWithId({ store }: Catalog, keyId: string): Promise<KeyRow> {
  const [key] = await readKeys(store, { keyId, limit: 1 })
  if (key !== undefined) return key
  // Whoever gives the key itself must not see it again in a log.
  const shown = keyId.startsWith('svc_') ? `${keyId.slice(0, 12)}...` : keyId
  throw new Error(`key '${shown}': expected the id of a key, key_..., as catalog keys list shows them`)
}

function nameOf(given: string, of: string): string {
  const name = given.trim()
  if (name === '' || name.length > NAME_CHARS_MAX) {
    throw new Error(`name of the ${of} '${name.slice(0, NAME_CHARS_MAX)}': expected 1 to ${NAME_CHARS_MAX} characters`)
  }
  return name
}

const keyJson = ({ display_prefix, ...key }: KeyRow) => ({ ...key, prefix: display_prefix })

const keyLine = (key: KeyRow, now: Date) => ({
  key_id: key.key_id,
  prefix: key.display_prefix,
  of: key.workspace_id ?? key.email,
  name: key.name ?? '',
  state:
    key.revoked_at !== null
      ? `revoked ${key.revoked_at}`
      : key.expires_at === null
        ? 'valid'
        : `${Date.parse(key.expires_at) > now.getTime() ? 'valid until' : 'expired'} ${key.expires_at}`,
  created: key.created_at,
  last_used: key.last_used_at ?? 'never',
})
