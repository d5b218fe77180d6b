import { hash } from 'node:crypto'
import { newId } from '@catalog/access/keys.ts'
import {
  createTestWorkspace,
  getPage,
  ORIGIN,
  type Person,
  postForm,
  signedInPerson,
  useTestConsole,
} from '@catalog/stack/testing/console.ts'
import { addUsage } from '@catalog/store/accounts/accounts.ts'
import { connectAgent, findAgent } from '@catalog/store/accounts/agents.ts'
import { addMember, membersOf, type Role, readAudit } from '@catalog/store/accounts/members.ts'
import { findLink, openInvitations } from '@catalog/store/accounts/people.ts'
import { beforeEach, describe, expect, test } from 'vitest'

/** Members and their agents after invitations, role changes and departures. */
const { app, store } = await useTestConsole({ startsAt: '2026-11-20T12:00:00Z' })
let owner: Person
let workspaceId: string
let path: string
const at = '2026-11-20T12:00:00Z'

beforeEach(async () => {
  owner = await person()
  workspaceId = await createTestWorkspace(store, { name: `Obras ${++people}`, members: [[owner, 'owner']], at })
  path = `/console/workspaces/${workspaceId}`
})

let people = 0
const person = (email = `person${++people}@example.org`) => signedInPerson(store, { email, at })
const joined = async (role: Role) => {
  const member = await person()
  await addMember(store, { workspaceId, userId: member.userId, role, at })
  return member
}
const roles = async () =>
  Object.fromEntries((await membersOf(store, workspaceId)).map(({ email, role }) => [email, role]))
const done = async () => (await readAudit(store, { workspaceId, limit: 99 })).map(({ action }) => action)
const invite = (email: string, role: Role = 'member', who = owner) =>
  postForm(app, `${path}/invitations`, who, { email, role })
const mails = async () =>
  (await store.query<{ recipient: string; subject: string; body: string }>(
    `select recipient, subject, body from mail_outbox order by mail_id`,
  )) as readonly { recipient: string; subject: string; body: string }[]
const tokenIn = (body: string | undefined) => /\/console\/invite\?token=([\w-]{43})/.exec(body ?? '')?.[1] as string
const linkOf = (token: string) => findLink(store, { linkSha: hash('sha256', token, 'buffer'), at })

describe('an invitation', () => {
  test('is mailed with a link for a week, listed for admins, and admits the person', async () => {
    const guest = await person()
    const sent = await invite(` ${guest.email.toUpperCase()} `, 'admin')
    expect([sent.statusCode, sent.headers.location]).toEqual([303, `${path}/members?done=invited`])
    const [mail] = await mails()
    expect(mail).toMatchObject({
      recipient: guest.email.toUpperCase(),
      subject: 'Invitation · Construction Cost Catalog',
    })
    expect(mail?.body).toContain(`${owner.email} invites you`)
    const token = tokenIn(mail?.body)
    expect(mail?.body).toContain(`\n${ORIGIN}/console/invite?token=${token}\n`)
    expect(await linkOf(token)).toMatchObject({ role: 'admin', expires_at: '2026-11-27T12:00:00Z' })

    const page = (await getPage(app, `${path}/members?done=invited`, owner)).body
    expect(page).toContain('on its way by mail')
    expect(page).toContain(guest.email.toUpperCase())
    expect(page).not.toContain(token)
    expect((await getPage(app, `${path}/members`, await joined('member'))).body).not.toContain(
      guest.email.toUpperCase(),
    )

    const accepted = await postForm(app, '/console/invite', guest, { token })
    expect([accepted.statusCode, accepted.headers.location]).toEqual([303, path])
    expect((await roles())[guest.email]).toBe('admin')
    expect(await done()).toEqual(['member.joined', 'member.invited'])
    expect((await getPage(app, `${path}/audit`, guest)).body).toContain('joined as admin')
  })

  test('names no workspace, so that nobody can send text of their own with it', async () => {
    const name = 'Win a prize at evil.example'
    const id = await createTestWorkspace(store, { name, members: [[owner, 'owner']], at })
    await postForm(app, `/console/workspaces/${id}/invitations`, owner, { email: 'guest@example.org', role: 'member' })
    expect(JSON.stringify(await mails())).not.toContain('prize')
  })

  test('replaces the former one when sent again', async () => {
    await invite('guest@example.org')
    await invite('GUEST@example.org', 'admin')
    const tokens = (await mails()).map(({ body }) => tokenIn(body))
    expect([await linkOf(tokens[0] as string), (await linkOf(tokens[1] as string))?.role]).toEqual([undefined, 'admin'])
    expect(await openInvitations(store, { workspaceId, at })).toHaveLength(1)
  })

  test('stops working when withdrawn, and is withdrawn once', async () => {
    await invite('guest@example.org')
    const token = tokenIn((await mails())[0]?.body)
    const { body } = await getPage(app, `${path}/members`, owner)
    const withdraw = /action="([^"]+\/withdraw)"/.exec(body)?.[1] as string
    expect((await postForm(app, withdraw, owner)).headers.location).toBe(`${path}/members?done=withdrawn`)
    expect(await linkOf(token)).toBeUndefined()
    expect((await postForm(app, withdraw, owner)).statusCode).toBe(404)
    expect(await done()).toEqual(['invitation.withdrawn', 'member.invited'])
  })

  test.each([
    ['leaves', (id: string) => postForm(app, `${path}/members/${id}/remove`, owner)],
    ['may invite no more', (id: string) => postForm(app, `${path}/members/${id}/role`, owner, { role: 'member' })],
  ])('ends when its sender %s, and no other one does', async (_, end) => {
    const sender = await joined('admin')
    await invite('first@example.org', 'admin', sender)
    await invite('second@example.org')
    const [first, second] = (await mails()).map(({ body }) => tokenIn(body)) as [string, string]
    expect((await end(sender.userId)).statusCode).toBe(303)
    expect([await linkOf(first), (await linkOf(second))?.role]).toEqual([undefined, 'member'])
    expect((await done()).slice(0, 2)).toContain('invitation.withdrawn')
  })

  test("goes to one e-mail that is no member's, and the form keeps the typed text", async () => {
    for (const email of [
      '',
      'nobody',
      'a@b.co, c@d.co',
      'a@b.co\r\nBcc: c@d.co',
      '<b>@example.org',
      `${'a'.repeat(250)}@b.co`,
    ]) {
      const refused = await invite(email, 'admin')
      expect([email, refused.statusCode]).toEqual([email, 400])
      expect(refused.body).toMatch(/<input id="email"[^>]*aria-invalid="true"/)
      expect(refused.body).toContain('<option value="admin" selected>')
    }
    const member = await invite(owner.email.toUpperCase())
    expect([member.statusCode, member.body]).toEqual([409, expect.stringContaining('is a member already')])
    for (const role of ['', 'Owner', 'operator']) {
      const { statusCode } = await postForm(app, `${path}/invitations`, owner, { email: 'guest@example.org', role })
      expect([role, statusCode]).toEqual([role, 400])
    }
    expect([await mails(), await done()]).toEqual([[], []])
  })

  test('is sent to one person a few times a day, then refused with a retry time', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 11; i++) statuses.push((await invite('guest@example.org')).statusCode)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 303), 429])
    const refused = await invite('guest@example.org')
    expect(Number(refused.headers['retry-after'])).toBe(12 * 3_600)
    expect(await mails()).toHaveLength(10)
  })
})

describe('a role', () => {
  test('is changed with a notice, and stays when it is the same', async () => {
    const member = await joined('member')
    const set = (role: string) => postForm(app, `${path}/members/${member.userId}/role`, owner, { role })
    expect((await set('owner')).headers.location).toBe(`${path}/members?done=changed`)
    expect(await roles()).toEqual({ [owner.email]: 'owner', [member.email]: 'owner' })
    await set('owner')
    expect(await readAudit(store, { workspaceId, limit: 9 })).toMatchObject([
      { action: 'member.role_changed', target: member.email, details: { from: 'member', to: 'owner' } },
    ])
    expect((await set('king')).statusCode).toBe(400)
  })

  test('of the last owner is kept, and the page explains what to do', async () => {
    await joined('admin')
    for (const [url, fields] of [
      ['role', { role: 'member' }],
      ['remove', {}],
    ] as const) {
      const refused = await postForm(app, `${path}/members/${owner.userId}/${url}`, owner, fields)
      expect([url, refused.statusCode]).toEqual([url, 409])
      expect(refused.body).toContain('Make another member an owner first')
    }
    expect((await roles())[owner.email]).toBe('owner')
    expect(await done()).toEqual([])
  })

  test('decides which forms a page shows', async () => {
    const [admin, member] = [await joined('admin'), await joined('member')]
    const forms = async (who: Person) =>
      [...(await getPage(app, `${path}/members`, who)).body.matchAll(/action="[^"]*\/members\/(\w+)\/(\w+)"/g)]
        .map(([, userId, what]) => `${userId} ${what}`)
        .sort()
    const both = ({ userId }: Person) => [`${userId} remove`, `${userId} role`]
    expect(await forms(member)).toEqual([`${member.userId} remove`])
    expect(await forms(admin)).toEqual([...both(admin), ...both(member)].sort())
    expect(await forms(owner)).toEqual([...both(owner), ...both(admin), ...both(member)].sort())
    expect((await getPage(app, `${path}/members`, admin)).body).not.toContain('value="owner"')
  })
})

describe('an agent', () => {
  const connected = async (of: Person, clientName: string) => {
    const agentId = newId('agt_')
    await connectAgent(store, {
      agentId,
      workspaceId,
      userId: of.userId,
      clientId: clientName,
      clientName,
      at,
      redirectHost: 'planner.example',
      scope: 'catalog:read catalog:search other',
      grantId: agentId,
    })
    return agentId
  }

  test('is shown with its permissions and usage to its person and to admins', async () => {
    const [admin, member] = [await joined('admin'), await joined('member')]
    const agentId = await connected(member, 'Planner of a member')
    await connected(admin, 'Planner of an admin')
    const used = { subject: agentId, lastUsedAt: '2026-11-20T11:00:00Z' }
    await addUsage(store, [
      { ...used, month: '2026-10-01', requests: 99 },
      { ...used, month: '2026-11-01', requests: 4_321 },
    ])
    const seen = async (who: Person) =>
      [...(await getPage(app, `${path}/agents`, who)).body.matchAll(/Planner of an? (\w+)<br>/g)]
        .map(([, of]) => of)
        .sort()
    expect([await seen(member), await seen(admin), await seen(owner)]).toEqual([
      ['member'],
      ['admin', 'member'],
      ['admin', 'member'],
    ])
    const { body } = await getPage(app, `${path}/agents`, member)
    for (const text of [
      'planner.example',
      member.email,
      'read items, categories and recipes, search, other',
      '4,321',
      '20 Nov 2026, 11:00 UTC',
    ]) {
      expect(body).toContain(text)
    }
  })

  test('is disconnected by its person and by admins, once', async () => {
    const [admin, member] = [await joined('admin'), await joined('member')]
    const [one, other] = [await connected(member, 'One'), await connected(owner, 'Other')]
    const end = (agentId: string, who: Person) => postForm(app, `${path}/agents/${agentId}/revoke`, who)
    expect((await end(other, member)).statusCode).toBe(404)
    const ended = await end(one, member)
    expect(ended.headers.location).toBe(`${path}/agents?done=revoked`)
    expect((await getPage(app, `${path}/agents?done=revoked`, member)).body).toContain('refused within 30 seconds')
    expect(await findAgent(store, one)).toMatchObject({ revoked_at: at })
    expect((await end(one, member)).statusCode).toBe(404)
    expect((await end(other, admin)).statusCode).toBe(303)
    expect(await readAudit(store, { workspaceId, limit: 9 })).toMatchObject([
      { action: 'agent.revoked', actor: admin.email, target: 'Other', details: { of: owner.email } },
      { action: 'agent.revoked', actor: member.email, target: 'One' },
    ])
  })

  test('is disconnected with its person and does not return with the person', async () => {
    const member = await joined('member')
    const agents = [await connected(member, 'One'), await connected(member, 'Two')]
    const kept = await connected(owner, 'Kept')
    const left = await postForm(app, `${path}/members/${member.userId}/remove`, member)
    expect(left.headers.location).toBe('/console')
    expect((await getPage(app, path, member)).statusCode).toBe(404)
    await addMember(store, { workspaceId, userId: member.userId, role: 'member', at })
    for (const agentId of agents) expect(await findAgent(store, agentId)).toMatchObject({ revoked_at: at })
    expect(await findAgent(store, kept)).toMatchObject({ revoked_at: null })
    expect(await done()).toEqual(['agent.revoked', 'agent.revoked', 'member.removed'])
    const { body } = await getPage(app, `${path}/audit`, owner)
    expect(body).toContain('>left<')
  })
})
