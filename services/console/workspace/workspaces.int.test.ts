import { newId, newKey } from '@catalog/access/keys.ts'
import { newToken } from '@catalog/console/pages/token.ts'
import {
  createTestWorkspace,
  getPage,
  ORIGIN,
  postForm,
  signedInPerson,
  useTestConsole,
} from '@catalog/stack/testing/console.ts'
import { insertKey, leaseWindows } from '@catalog/store/accounts/accounts.ts'
import { connectAgent } from '@catalog/store/accounts/agents.ts'
import { appendAudit } from '@catalog/store/accounts/members.ts'
import { insertLink } from '@catalog/store/accounts/people.ts'
import { describe, expect, test } from 'vitest'

/** Who may see a workspace and change it. */
const { app, store } = await useTestConsole({ startsAt: '2026-11-20T12:00:00Z' })
const at = '2026-11-20T12:00:00Z'

let people = 0
const person = () => signedInPerson(store, { email: `person${++people}@example.org`, at })
const given = async (name = `Obras ${++people}`) => {
  const [owner, former, admin] = [await person(), await person(), await person()]
  const [member, other] = [await person(), await person()]
  const members = [
    [owner, 'owner'],
    [former, 'owner'],
    [admin, 'admin'],
    [member, 'member'],
    [other, 'member'],
  ] as const
  const workspaceId = await createTestWorkspace(store, { name, members, at })
  const { mark } = newKey('org')
  await insertKey(store, { kind: 'org', ...mark, workspaceId, name: 'site', at })
  const agentId = newId('agt_')
  await connectAgent(store, {
    agentId,
    workspaceId,
    userId: other.userId,
    clientId: 'client',
    clientName: 'Planner',
    at,
    redirectHost: 'planner.example',
    scope: 'catalog:read',
    grantId: agentId,
  })
  const { sha: linkSha } = newToken()
  const expiresAt = '2027-01-01T00:00:00Z'
  const email = 'guest@example.org'
  await insertLink(store, { purpose: 'invite', linkSha, email, at, expiresAt, workspaceId, role: 'member' })
  const path = `/console/workspaces/${workspaceId}`
  const things = {
    KEY: mark.keyId,
    AGENT: agentId,
    OTHER: other.userId,
    OWNER: former.userId,
    INVITATION: linkSha.toString('hex'),
  }
  return { workspaceId, path, owner, admin, member, other, things, foreign: await person(), nobody: undefined }
}
type Given = Awaited<ReturnType<typeof given>>

/** Everything that a request could change. */
const everything = async () => {
  const tables = ['workspace_members', 'api_keys', 'agents', 'mailed_links', 'audit_log', 'mail_outbox']
  const rows = tables.map((table) => store.query<{ row: string }>(`select t::text as row from ${table} t order by 1`))
  return (await Promise.all(rows)).flat().map(({ row }) => row)
}

describe('the pages of a workspace', () => {
  test.each([
    ['', [303, 404, 200, 200, 200]],
    ['/keys', [303, 404, 200, 200, 200]],
    ['/agents', [303, 404, 200, 200, 200]],
    ['/members', [303, 404, 200, 200, 200]],
    ['/audit', [303, 404, 403, 200, 200]],
  ] as const)('GET %s leads nobody to sign in, and is for its people', async (url, expected) => {
    const { path, ...those } = await given()
    const found: number[] = []
    for (const who of ['nobody', 'foreign', 'member', 'admin', 'owner'] as const) {
      const response = await getPage(app, path + url, those[who])
      found.push(response.statusCode)
      expect(response.headers['cache-control']).toBe('no-store')
      if (who === 'nobody') {
        expect(response.headers.location).toBe(`/console/sign-in?${new URLSearchParams({ next: path + url })}`)
      }
    }
    expect(found).toEqual(expected)
  })

  test.each([
    ['/keys', { name: 'office' }, [401, 404, 403, 201, 201]],
    ['/keys/KEY/rotate', {}, [401, 404, 403, 201, 201]],
    ['/keys/KEY/revoke', {}, [401, 404, 403, 303, 303]],
    ['/agents/AGENT/revoke', {}, [401, 404, 404, 303, 303]],
    ['/invitations', { email: 'new@example.org', role: 'admin' }, [401, 404, 403, 303, 303]],
    ['/invitations', { email: 'new@example.org', role: 'owner' }, [401, 404, 403, 403, 303]],
    ['/invitations/INVITATION/withdraw', {}, [401, 404, 403, 303, 303]],
    ['/members/OTHER/role', { role: 'admin' }, [401, 404, 403, 303, 303]],
    ['/members/OTHER/role', { role: 'owner' }, [401, 404, 403, 403, 303]],
    ['/members/OWNER/role', { role: 'member' }, [401, 404, 403, 403, 303]],
    ['/members/OTHER/remove', {}, [401, 404, 403, 303, 303]],
    ['/members/OWNER/remove', {}, [401, 404, 403, 403, 303]],
  ] as const)('POST %s %o is for some, and whoever is refused changes nothing', async (address, fields, expected) => {
    const found: number[] = []
    for (const who of ['nobody', 'foreign', 'member', 'admin', 'owner'] as const) {
      const { path, things, ...those } = await given()
      const url = path + address.replace(/[A-Z]+/g, (thing) => things[thing as keyof Given['things']])
      const before = await everything()
      const { statusCode } = await postForm(app, url, those[who], fields)
      found.push(statusCode)
      const after = await everything()
      if (statusCode >= 400) expect([who, after]).toEqual([who, before])
      // Every change is recorded under the name of the person who made it.
      else expect(after.filter((row) => !before.includes(row)).join()).toContain(`,${those[who]?.email},`)
    }
    expect(found).toEqual(expected)
  })

  test('do not find objects of another workspace', async () => {
    const [here, there] = [await given(), await given()]
    for (const address of ['keys/KEY/rotate', 'keys/KEY/revoke', 'agents/AGENT/revoke', 'members/OTHER/remove']) {
      const url = `${here.path}/${address.replace(/[A-Z]+/, (thing) => there.things[thing as keyof Given['things']])}`
      expect([address, (await postForm(app, url, here.owner)).statusCode]).toEqual([address, 404])
    }
    const role = await postForm(app, `${here.path}/members/${there.other.userId}/role`, here.owner, { role: 'admin' })
    const withdrawn = await postForm(app, `${here.path}/invitations/${there.things.INVITATION}/withdraw`, here.owner)
    expect([role.statusCode, withdrawn.statusCode]).toEqual([404, 404])
  })

  test('answer 404 for malformed ids without a query', async () => {
    const { path, owner } = await given()
    for (const url of ['/console/workspaces/%00', `/console/workspaces/${'a'.repeat(90)}`, `${path}/nothing`]) {
      expect([url, (await getPage(app, url, owner)).statusCode]).toEqual([url, 404])
    }
    for (const url of ['/keys/%00/revoke', '/members/%ff/remove', "/agents/'--/revoke", '/invitations/zz/withdraw']) {
      expect([url, [400, 404].includes((await postForm(app, path + url, owner)).statusCode)]).toEqual([url, true])
    }
  })

  test('refuse forms of other sites, whoever is signed in', async () => {
    const { path, owner, things } = await given()
    const before = await everything()
    for (const url of ['/keys', `/keys/${things.KEY}/revoke`, '/invitations', `/members/${things.OTHER}/remove`]) {
      const response = await app.inject({
        method: 'POST',
        url: path + url,
        payload: 'name=a&email=a@b.co&role=member',
        headers: { cookie: owner.cookie, origin: 'https://evil.example', ...FORM },
      })
      expect([url, response.statusCode]).toEqual([url, 403])
    }
    expect(await everything()).toEqual(before)
  })

  test('show names with markup as text', async () => {
    const evil = `<script>alert("x")</script><img src=x onerror='y'>`
    const { path, workspaceId, owner, other } = await given(evil)
    const { mark } = newKey('org')
    await insertKey(store, { kind: 'org', ...mark, workspaceId, name: evil, at })
    await connectAgent(store, {
      agentId: newId('agt_'),
      workspaceId,
      userId: other.userId,
      clientId: 'evil',
      clientName: evil,
      at,
      redirectHost: evil,
      scope: evil,
      grantId: newId('agt_'),
    })
    await appendAudit(store, {
      workspaceId,
      at,
      actor: evil,
      action: 'key.issued',
      target: evil,
      details: { name: evil },
    })
    for (const url of ['', '/keys', '/agents', '/members', '/audit']) {
      const { body } = await getPage(app, path + url, owner)
      expect(body).toContain('&#60;script')
      expect([url, /<script|<img|onerror='/.test(body)]).toEqual([url, false])
    }
    const { body } = await postForm(app, `${path}/keys`, owner, { name: '"><script>' })
    expect(body).not.toContain('<script')
  })
})
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

describe('the home page', () => {
  test('explains what to do without a workspace, opens the only one, and lists several', async () => {
    const { owner, workspaceId } = await given('Primera')
    const alone = await getPage(app, '/console', await person())
    expect([alone.statusCode, alone.body]).toEqual([200, expect.stringContaining('belongs to no workspace')])
    expect((await getPage(app, '/console', owner)).headers.location).toBe(`/console/workspaces/${workspaceId}`)
    const second = await createTestWorkspace(store, { name: 'Segunda', plan: 'free', members: [[owner, 'member']], at })
    const { body } = await getPage(app, '/console', owner)
    for (const text of ['Primera', 'Segunda', `/console/workspaces/${workspaceId}`, `/console/workspaces/${second}`]) {
      expect(body).toContain(text)
    }
    expect((await getPage(app, '/console')).headers.location).toBe('/console/sign-in')
  })

  test("shows the plan, the month's usage and reset, and how to connect", async () => {
    const { path, workspaceId, owner, member } = await given()
    const window = { bucket: `month workspace ${workspaceId}`, startsAt: '2026-11-01T00:00:00Z' }
    await leaseWindows(store, [{ ...window, want: 1_234, limit: 100_000, keepUntil: '2027-12-01T00:00:00Z' }])
    const { body } = await getPage(app, path, owner)
    for (const text of [
      '1,234 of 100,000 requests',
      '1 Dec 2026',
      '1,000 requests',
      `${ORIGIN}/api/mcp`,
      `${ORIGIN}/v1/items`,
      '1 key',
      '1 connected agent',
      '5 members',
    ]) {
      expect(body).toContain(text)
    }
    expect(body).toMatch(/<meter min="0" max="100000" value="1234"/)
    expect((await getPage(app, path, member)).body).toContain('0 connected agents of yours')
  })

  test('shows the limits of a free plan', async () => {
    const owner = await person()
    const id = await createTestWorkspace(store, { name: 'Gratis', plan: 'free', members: [[owner, 'owner']], at })
    const { body } = await getPage(app, `/console/workspaces/${id}`, owner)
    expect(body).toContain('0 of 50,000 requests')
    expect(body).toContain('120 requests')
    expect(body).not.toContain('curl')
  })
})

describe('the audit log', () => {
  test('is read in pages of 50 sentences, newest first', async () => {
    const { path, workspaceId, owner } = await given()
    for (let i = 1; i <= 101; i++) {
      await appendAudit(store, { workspaceId, at, actor: 'operator', action: 'key.revoked', target: `svc_org_${i}x` })
    }
    const numbers = (body: string) => [...body.matchAll(/revoked the key svc_org_(\d+)x/g)].map(([, i]) => Number(i))
    const pages: number[][] = []
    for (let url: string | undefined = `${path}/audit`; url !== undefined; ) {
      const { body } = await getPage(app, url, owner)
      pages.push(numbers(body))
      url = /href="([^"]+)" rel="next"/.exec(body)?.[1]?.replaceAll('&#61;', '=')
    }
    expect(pages.map((page) => page.length)).toEqual([50, 50, 1])
    expect(pages.flat()).toEqual(Array.from({ length: 101 }, (_, i) => 101 - i))
    expect((await getPage(app, `${path}/audit?before=0`, owner)).body).toContain('Nothing older')
    for (const before of ['x', '-1', '1e3', '9'.repeat(30), '%00']) {
      expect((await getPage(app, `${path}/audit?before=${before}`, owner)).statusCode).toBe(400)
    }
  })

  test('describes every action and leaves out missing details', async () => {
    const { path, workspaceId, owner } = await given()
    for (const [action, details] of [
      ['workspace.created', {}],
      ['member.invited', { role: 'admin' }],
      ['member.joined', { role: 'admin' }],
      ['member.role_changed', { from: 'admin', to: 'member' }],
      ['member.removed', {}],
      ['invitation.withdrawn', {}],
      ['key.issued', { name: 'site' }],
      ['key.rotated', { name: 'site', successor: 'svc_org_wxyz' }],
      ['key.revoked', {}],
      ['agent.connected', {}],
      ['agent.revoked', { of: 'ana@example.org' }],
      ['plan.set', { plan: 'paid' }],
    ] as const) {
      await appendAudit(store, { workspaceId, at, actor: 'operator', action, target: 'IT', details })
    }
    const { body } = await getPage(app, `${path}/audit`, owner)
    const told = [...body.matchAll(/data-label="What"><div>([^<]*)</g)].map(([, words]) => words)
    expect(told.toReversed()).toEqual([
      'created the workspace IT',
      'invited IT as admin',
      'joined as admin',
      'changed the role of IT from admin to member',
      'removed IT',
      'withdrew the invitation of IT',
      'issued the key IT… for site',
      'rotated the key IT… for site, now svc_org_wxyz',
      'revoked the key IT…',
      'connected the agent IT',
      'disconnected the agent IT of ana@example.org',
      'set the plan of IT to paid',
    ])
  })
})
