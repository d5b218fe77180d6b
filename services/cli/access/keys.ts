import { newKey, ROTATION_OVERLAP_MS } from '@catalog/access/keys.ts'
import type { Stage } from '@catalog/cli/shared/context.ts'
import { table } from '@catalog/cli/shared/terminal.ts'
import { rowLimit } from '@catalog/cli/shared/whole-number.ts'
import { NAME_CHARS_MAX, nameProblem } from '@catalog/console/pages/form.ts'
import { KEYS_MAX } from '@catalog/console/workspace/keys.ts'
import { instant } from '@catalog/core/time.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import {
  countActiveKeys,
  revokeKey as endKey,
  insertKey,
  type KeyRow,
  listKeys as readKeys,
  listWorkspaces as readWorkspaces,
  rotateKey as replaceKey,
  type WorkspaceRow,
} from '@catalog/store/accounts/accounts.ts'
import { appendAudit, lockWorkspace } from '@catalog/store/accounts/members.ts'

/** Operators' commands on API keys. They write to the store alone: access rights are not part of the log. */

/** The actor that the audit log of a workspace names. */
export const OPERATOR = 'operator'

type Issue = { workspace: string; name: string }

export async function issueKey({ catalog, terminal }: Stage, { workspace, name: given }: Issue): Promise<void> {
  const { workspace_id: workspaceId, plan } = await workspaceNamed(catalog, workspace)
  if (plan === 'free') {
    throw new Error(
      `workspace '${workspace}': expected one on the paid plan, which organization keys require; catalog workspace plan ${workspaceId} paid`,
    )
  }
  const name = validName(given, 'key')
  const { key, mark } = newKey('org')
  const at = instant(catalog.now())
  await catalog.store.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId)
    if ((await countActiveKeys(tx, workspaceId)) >= KEYS_MAX) {
      throw new Error(`workspace '${workspace}': expected fewer than ${KEYS_MAX} keys; revoke an unused one`)
    }
    await insertKey(tx, { kind: 'org', ...mark, workspaceId, name, at })
    const target = mark.displayPrefix
    await appendAudit(tx, { workspaceId, at, actor: OPERATOR, action: 'key.issued', target, details: { name } })
  })
  terminal.answer({ key, key_id: mark.keyId, workspace_id: workspaceId, name, created_at: at }, () =>
    [key, '', `${mark.keyId}, '${name}' of ${workspaceId}`, SHOWN_ONCE].join('\n'),
  )
}
const SHOWN_ONCE = 'The key is shown only once: the catalog stores its hash.'

type KeyFilter = { workspace?: string; email?: string; limit: string }

export async function listKeys({ catalog, terminal }: Stage, { workspace, email, limit }: KeyFilter): Promise<void> {
  const workspaceId = workspace === undefined ? undefined : (await workspaceNamed(catalog, workspace)).workspace_id
  const keys = await readKeys(catalog.store, {
    limit: rowLimit(limit),
    ...(workspaceId === undefined ? {} : { workspaceId }),
    ...(email === undefined ? {} : { email }),
  })
  const now = catalog.now()
  terminal.answer({ keys: keys.map(keyJson) }, () => table(keys.map((key) => keyLine(key, now))))
  terminal.next('catalog keys rotate KEY_ID, or catalog keys revoke KEY_ID')
}

/** Makes a new key of the same workspace and name; the former one expires a day later. */
export async function rotateKey({ catalog, terminal }: Stage, keyId: string): Promise<void> {
  const { key, mark } = newKey('org')
  const now = catalog.now()
  const [at, until] = [instant(now), instant(new Date(now.getTime() + ROTATION_OVERLAP_MS))]
  const former = await keyWithId(catalog, keyId)
  await catalog.store.transaction(async (tx) => {
    if (!(await replaceKey(tx, { keyId, until, successor: mark, at }))) {
      throw new Error(`key '${keyId}': expected an organization key that is neither revoked nor rotated already`)
    }
    await appendAudit(tx, {
      workspaceId: former.workspace_id as string,
      at,
      actor: OPERATOR,
      action: 'key.rotated',
      target: former.display_prefix,
      details: { name: former.name ?? '', successor: mark.displayPrefix },
    })
  })
  const value = { key, key_id: mark.keyId, workspace_id: former.workspace_id, name: former.name }
  terminal.answer({ ...value, replaces: { key_id: keyId, expires_at: until } }, () =>
    [key, '', `${mark.keyId} in the place of ${keyId}, which is valid until ${until}`, SHOWN_ONCE].join('\n'),
  )
}

export async function revokeKey({ catalog, terminal }: Stage, keyId: string): Promise<void> {
  const at = instant(catalog.now())
  const { workspace_id: workspaceId, display_prefix: target, name } = await keyWithId(catalog, keyId)
  await catalog.store.transaction(async (tx) => {
    if (!(await endKey(tx, { keyId, at }))) throw new Error(`key '${keyId}': it is revoked already`)
    // A developer key belongs to no workspace.
    if (workspaceId === null) return
    const details = { name: name ?? '' }
    await appendAudit(tx, { workspaceId, at, actor: OPERATOR, action: 'key.revoked', target, details })
  })
  terminal.answer(
    { revoked: true, key_id: keyId, revoked_at: at },
    () => `${keyId} is revoked; servers that know it refuse it within 30 seconds`,
  )
}

export async function workspaceNamed({ store, now }: Catalog, named: string): Promise<WorkspaceRow> {
  const [workspace] = await readWorkspaces(store, { named, at: instant(now()) })
  if (workspace !== undefined) return workspace
  throw new Error(`workspace '${named}': expected an id or a name, as catalog workspace list shows them`)
}

async function keyWithId({ store }: Catalog, keyId: string): Promise<KeyRow> {
  const [key] = await readKeys(store, { keyId, limit: 1 })
  if (key !== undefined) return key
  // Somebody who passes the key itself must not find it in a log.
  const shown = keyId.startsWith('svc_') ? `${keyId.slice(0, 12)}...` : keyId
  throw new Error(`key '${shown}': expected the id of a key, key_..., as catalog keys list shows them`)
}

/** Checks a name by the console's rules. */
export function validName(given: string, of: string): string {
  const name = given.trim()
  if (nameProblem(name) === undefined) return name
  const shown = JSON.stringify(name.slice(0, NAME_CHARS_MAX))
  throw new Error(`name of the ${of} ${shown}: expected 1 to ${NAME_CHARS_MAX} visible characters`)
}

export const keyJson = ({ display_prefix, ...key }: KeyRow) => ({ ...key, prefix: display_prefix })

export const keyLine = (key: KeyRow, now: Date) => ({
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
