import { LIMITS } from '@catalog/api/callers/rate-limits.ts'
import type { Context } from '@catalog/cli/shared/context.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { readEnvironment } from '@catalog/runtime/env.ts'
import { heardOf } from '@catalog/stack/testing/cli.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { addUsage, type Plan } from '@catalog/store/accounts/accounts.ts'
import { connectAgent } from '@catalog/store/accounts/agents.ts'
import { claimDueMail } from '@catalog/store/accounts/mail.ts'
import { addMember, type Role, readAudit } from '@catalog/store/accounts/members.ts'
import { insertUser } from '@catalog/store/accounts/people.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { issueKey, revokeKey, rotateKey } from './keys.ts'
import {
  createWorkspace,
  inviteMember,
  listMembers,
  listWorkspaces,
  setWorkspacePlan,
  showAudit,
  showWorkspace,
} from './workspaces.ts'

const NOON = '2026-11-20T12:00:00Z'
const ORIGIN = 'https://catalog.example'
const LINK = /^https:\/\/catalog\.example\/console\/invite\?token=[\w-]{43}$/

const store = await storeOfFile()
const catalog = { store, now: () => new Date(NOON) } as Catalog
const env = readEnvironment({ PUBLIC_BASE_URL: `${ORIGIN}/v1` })
const { signal } = new AbortController()
/** Runs a command in its environment. */
const heardIn = <Value>(work: (context: Context) => Promise<void>) =>
  heardOf<Value>((terminal) => work({ catalog, env, signal, terminal }))
beforeEach(async () => {
  await store.query(`truncate workspaces, users, mail_outbox, limit_windows, usage_counts cascade`)
})

type Key = { key: string; key_id: string }
type Invitation = {
  workspace_id: string
  invitation: { email: string; role: string; link: string; expires_at: string }
}
const create = (name: string, { plan = 'paid', ...given }: { plan?: Plan; owner?: string } = {}) =>
  heardIn<Invitation>((context) => createWorkspace(context, name, { plan, ...given }))
const make = async (name: string, plan: Plan = 'paid') => (await create(name, { plan })).value.workspace_id
const invite = (workspace: string, email: string, role: Role = 'member') =>
  heardIn<Invitation>((context) => inviteMember(context, workspace, email, { role }))
const issue = async (workspace: string) =>
  (await heardIn<Key>((context) => issueKey(context, { workspace, name: 'estimating' }))).value
const rotate = (keyId: string) => heardIn<Key>((context) => rotateKey(context, keyId))
const revoke = (keyId: string) => heardIn((context) => revokeKey(context, keyId))
const set = (workspace: string, plan: Plan) => heardIn((context) => setWorkspacePlan(context, workspace, plan))
const show = (named: string) => heardIn((context) => showWorkspace(context, named))
const members = (named: string) => heardIn((context) => listMembers(context, named))
const audit = (workspace: string, limit = 9) =>
  heardIn((context) => showAudit(context, workspace, { limit: String(limit) }))
const person = async (name: string) => {
  const [userId, email] = [`usr_${name}`, `${name}@example.org`]
  await insertUser(store, { userId, email, passwordHash: 'none', at: NOON })
  return { userId, email }
}
/** The actions of a workspace's audit log, the oldest first. */
const done = async (workspaceId: string) =>
  (await readAudit(store, { workspaceId, limit: 99 }))
    .reverse()
    .map(({ actor, action, target }) => [actor, action, target])
const mails = () => claimDueMail(store, { at: NOON, max: 99 })

describe('a workspace', () => {
  test('invites its owner by mail and by the link in the answer', async () => {
    const { value, text } = await create(' Obras del Sur ', { owner: 'Ana@example.org' })
    expect(value).toMatchObject({ name: 'Obras del Sur', plan: 'paid', created_at: NOON })
    const { link, ...invitation } = value.invitation
    expect(invitation).toEqual({ email: 'Ana@example.org', role: 'owner', expires_at: '2026-11-27T12:00:00Z' })
    expect(link).toMatch(LINK)
    expect(text).toContain(`\n${link}\n`)
    const [mail] = await mails()
    expect(mail).toMatchObject({ recipient: 'Ana@example.org' })
    expect(mail?.body).toContain(link)
    expect(mail?.body).toContain('The operator invites you')
    expect(await done(value.workspace_id)).toEqual([
      ['operator', 'workspace.created', 'Obras del Sur'],
      ['operator', 'member.invited', 'Ana@example.org'],
    ])
    // Only the mail and the answer contain the link.
    const { value: log } = await audit(value.workspace_id)
    const { value: people } = await members('Obras del Sur')
    expect(people).toEqual({
      workspace_id: value.workspace_id,
      members: [],
      invitations: [{ ...invitation, created_at: NOON }],
    })
    expect(JSON.stringify([log, people], (_, of) => (typeof of === 'bigint' ? String(of) : of))).not.toContain('token')
  })

  test('is not created with a duplicate name or an invalid owner address', async () => {
    const id = await make('Obras')
    const owned = (name: string, owner: string) => create(name, { owner })
    await expect(owned('Obras', 'ana@example.org')).rejects.toThrow(`workspace 'Obras': expected a name`)
    await expect(owned('Puentes', 'ana')).rejects.toThrow('e-mail "ana": expected one address')
    await expect(owned('Pu\nentes', 'ana@example.org')).rejects.toThrow('name of the workspace "Pu\\nentes": expected')
    expect(await mails()).toEqual([])
    expect((await heardIn(listWorkspaces)).value).toMatchObject({
      workspaces: [{ workspace_id: id, plan: 'paid' }],
    })
  })

  test('changes its plan, with one audit entry per change', async () => {
    const id = await make('Obras', 'free')
    await expect(set('Obras', 'free')).rejects.toThrow(`workspace 'Obras': it is on the free plan already`)
    expect((await set('Obras', 'paid')).value).toEqual({ workspace_id: id, name: 'Obras', plan: 'paid', valid_keys: 0 })
    await issue('Obras')
    expect((await set('Obras', 'free')).text).toContain('its 1 keys are refused')
    expect((await done(id)).filter(([, action]) => action === 'plan.set')).toHaveLength(2)
    expect((await audit(id, 1)).text).toMatch(/set the plan of Obras to free/)
  })

  test('shows plan, people, agents and keys, with usage by month', async () => {
    const id = await make('Obras')
    const { userId, email } = await person('ana')
    await addMember(store, { workspaceId: id, userId, role: 'owner', at: NOON })
    const { key_id } = await issue(id)
    const agentId = await connectAgent(store, {
      agentId: 'agt_1',
      workspaceId: id,
      userId,
      clientId: 'c',
      clientName: 'Assistant',
      redirectHost: 'x.org',
      scope: 'catalog:read',
      grantId: 'secret-grant',
      at: NOON,
    })
    const use = { lastUsedAt: NOON, month: '2026-11-01', requests: 7 }
    await addUsage(store, [
      { ...use, subject: key_id },
      { ...use, subject: key_id, month: '2026-10-01', requests: 5 },
      { ...use, subject: key_id, month: '2026-07-01', requests: 3 },
      { ...use, subject: agentId, requests: 2 },
    ])
    const { value, text } = await show('Obras')
    expect(value).toMatchObject({
      workspace_id: id,
      plan: 'paid',
      monthly_cap: LIMITS.orgPerMonth,
      rate_limit_per_min: LIMITS.orgPerMinute,
      members: [{ email, role: 'owner' }],
      agents: [{ agent_id: agentId, name: 'Assistant', email, usage: [{ month: '2026-11', requests: 2 }] }],
      keys: [
        {
          key_id,
          usage: [
            { month: '2026-10', requests: 5 },
            { month: '2026-11', requests: 7 },
          ],
        },
      ],
    })
    expect(JSON.stringify(value)).not.toContain('secret-grant')
    expect(text).toMatch(/KEY_ID .* 2026-09 +2026-10 +2026-11\n.*valid.* 0 +5 +7$/s)
    await set(id, 'free')
    expect((await show(id)).value).toMatchObject({
      plan: 'free',
      monthly_cap: LIMITS.publicDevPerMonth,
      rate_limit_per_min: LIMITS.publicDevPerMinute,
    })
  })
})

describe('an invitation', () => {
  test('of a member is refused without mail', async () => {
    const id = await make('Obras')
    const { userId, email } = await person('ana')
    await addMember(store, { workspaceId: id, userId, role: 'member', at: NOON })
    await expect(invite(id, email.toUpperCase())).rejects.toThrow("ANA@EXAMPLE.ORG': This person is a member already")
    await expect(invite(id, 'a@example.org, b@example.org')).rejects.toThrow('expected one address')
    await expect(invite('Other', 'ben@example.org')).rejects.toThrow(`workspace 'Other': expected an id or a name`)
    expect(await mails()).toEqual([])
  })
})

describe('an organization key', () => {
  test('is issued to paid workspaces only', async () => {
    const id = await make('Obras', 'free')
    await expect(issue('Obras')).rejects.toThrow(
      `workspace 'Obras': expected one on the paid plan, which organization keys require; catalog workspace plan ${id} paid`,
    )
    expect((await show(id)).value).toMatchObject({ keys: [] })
  })

  test('has its issue, rotation and revocation in the audit log, by prefix', async () => {
    const id = await make('Obras')
    const key = await issue(id)
    const { value: next } = await rotate(key.key_id)
    await revoke(key.key_id)
    await expect(rotate(key.key_id)).rejects.toThrow('neither revoked nor rotated')
    await expect(revoke(key.key_id)).rejects.toThrow('revoked already')
    const start = key.key.slice(0, 12)
    expect((await done(id)).slice(1)).toEqual([
      ['operator', 'key.issued', start],
      ['operator', 'key.rotated', start],
      ['operator', 'key.revoked', start],
    ])
    const { text } = await audit(id)
    expect(text).toContain(`rotated the key ${start}… for estimating, now ${next.key.slice(0, 12)}`)
    expect(text).not.toContain(key.key.slice(0, 13))
  })
})
