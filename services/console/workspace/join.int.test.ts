import { newId } from '@catalog/access/keys.ts'
import { newToken } from '@catalog/console/pages/token.ts'
import { DAY_MS } from '@catalog/core/time.ts'
import { Browser, mailedLinkPath, PASSWORD, signUpInBrowser, tokenOf } from '@catalog/stack/testing/browser.ts'
import { useTestConsole } from '@catalog/stack/testing/console.ts'
import { createWorkspace } from '@catalog/store/accounts/accounts.ts'
import { membersOf, type Role, readAudit } from '@catalog/store/accounts/members.ts'
import { findUser, insertLink, withdrawInvitation } from '@catalog/store/accounts/people.ts'
import { beforeEach, expect, test } from 'vitest'

/** Who joins the workspace when an invitation is opened. */
const { app, store, clock } = await useTestConsole()
let workspaceId: string
const WEEK_MS = 7 * DAY_MS

beforeEach(async () => {
  workspaceId = newId('ws_')
  await createWorkspace(store, {
    workspaceId,
    name: `Obras <b>${workspaceId}`,
    plan: 'paid',
    at: clock.at.toISOString(),
  })
})

/** Answers the token of the mailed link. */
async function invite(email: string, role: Role = 'member'): Promise<string> {
  const { token, sha } = newToken()
  const expiresAt = new Date(clock.at.getTime() + WEEK_MS).toISOString()
  const at = clock.at.toISOString()
  await insertLink(store, { linkSha: sha, email, at, expiresAt, purpose: 'invite', workspaceId, role })
  return token
}
const open = (token: string, browser = new Browser(app)) => browser.get(`/console/invite?token=${token}`)
const join = (token: string, fields: Record<string, string>, browser = new Browser(app)) =>
  browser.post('/console/invite', { token, ...fields })
const members = async () => (await membersOf(store, workspaceId)).map(({ email, role }) => [email, role])

test('a person without an account chooses a password and is a signed-in member, without another mail', async () => {
  const email = 'guest@example.org'
  const token = await invite(email, 'admin')
  const page = await open(token)
  expect(page.body).toContain('&#60;b&#62;')
  expect(page.body).toContain('as an admin')
  expect(page.body).toContain('name="new_password"')
  const browser = new Browser(app)
  const answer = await join(token, { new_password: PASSWORD }, browser)
  expect([answer.statusCode, answer.headers.location]).toEqual([303, `/console/workspaces/${workspaceId}`])
  expect((await browser.get('/console/account')).statusCode).toBe(200)
  expect(await members()).toEqual([[email, 'admin']])
  expect((await findUser(store, { email }))?.verified_at).not.toBeNull()
  const [audited] = await readAudit(store, { workspaceId, limit: 9 })
  expect(audited).toMatchObject({ action: 'member.joined', actor: email, target: email, details: { role: 'admin' } })
  expect(await store.query(`select from mail_outbox`)).toEqual([])
})

test('a signed-out person with an account enters its password', async () => {
  const email = 'known@example.org'
  await signUpInBrowser(app, store, { email })
  const token = await invite('Known@Example.org')
  const page = await open(token)
  expect([page.body.includes('name="password"'), page.body.includes('name="new_password"')]).toEqual([true, false])
  // A new password would bypass the existing one.
  expect((await join(token, { new_password: 'a password of a stranger' })).statusCode).toBe(403)
  expect((await join(token, { password: 'wrong' })).statusCode).toBe(403)
  expect(await members()).toEqual([])
  const browser = new Browser(app)
  expect((await join(token, { password: PASSWORD }, browser)).statusCode).toBe(303)
  expect((await browser.get('/console/account')).statusCode).toBe(200)
  expect(await members()).toEqual([[email, 'member']])
})

test('a wrong password counts as a sign-in attempt', async () => {
  const email = 'counted@example.org'
  await signUpInBrowser(app, store, { email })
  const token = await invite(email)
  const statuses = []
  for (let i = 0; i < 4; i++) statuses.push((await join(token, { password: 'wrong' })).statusCode)
  expect(statuses).toEqual([403, 403, 403, 429])
})

test('a signed-in person joins by the button and keeps the session', async () => {
  const email = 'inside@example.org'
  const browser = await signUpInBrowser(app, store, { email })
  const { cookie } = browser
  const token = await invite(email)
  expect((await open(token, browser)).body).not.toContain('type="password"')
  expect((await join(token, {}, browser)).statusCode).toBe(303)
  expect([browser.cookie, await members()]).toEqual([cookie, [[email, 'member']]])
})

test('a person signed in with another e-mail gets an explanation, and nothing changes', async () => {
  const browser = await signUpInBrowser(app, store, { email: 'other@example.org' })
  const token = await invite('meant@example.org')
  expect((await open(token, browser)).body).toContain('The invitation is for meant@example.org')
  expect((await join(token, { new_password: PASSWORD }, browser)).statusCode).toBe(403)
  expect(await members()).toEqual([])
  expect((await join(token, { new_password: PASSWORD })).statusCode).toBe(303)
})

test('an unverified account goes to the person who reads the mail', async () => {
  const email = 'pending@example.org'
  await new Browser(app).post('/console/sign-up', { email, new_password: 'a password of a stranger' })
  const verification = await mailedLinkPath(store, email)
  const token = await invite(email)
  expect((await join(token, { new_password: PASSWORD })).statusCode).toBe(303)
  const signIn = async (password: string) =>
    (await new Browser(app).post('/console/sign-in', { email, password })).statusCode
  expect([await signIn('a password of a stranger'), await signIn(PASSWORD)]).toEqual([403, 303])
  const password = 'a password of a stranger'
  const late = await new Browser(app).post('/console/verify', {
    token: tokenOf(verification),
    password,
    workspace: 'X',
  })
  expect(late.statusCode).toBe(404)
})

test('the link works once, under concurrent use too, and not after a week or a withdrawal', async () => {
  const token = await invite('quick@example.org')
  const answers = await Promise.all([1, 2, 3].map(() => join(token, { new_password: PASSWORD })))
  // Later ones may be asked for the password of the account that the first one created.
  expect(answers.filter(({ statusCode }) => statusCode === 303)).toHaveLength(1)
  expect((await join(token, { password: PASSWORD })).statusCode).toBe(404)
  expect(await members()).toEqual([['quick@example.org', 'member']])
  expect(await readAudit(store, { workspaceId, limit: 9 })).toHaveLength(1)

  const late = await invite('late@example.org')
  clock.advance(WEEK_MS)
  expect([(await open(late)).statusCode, (await join(late, { new_password: PASSWORD })).statusCode]).toEqual([404, 404])

  const { token: withdrawn, sha: linkSha } = newToken()
  const at = clock.at.toISOString()
  const expiresAt = new Date(clock.at.getTime() + WEEK_MS).toISOString()
  const link = {
    linkSha,
    email: 'w@example.org',
    at,
    expiresAt,
    purpose: 'invite',
    workspaceId,
    role: 'member',
  } as const
  await insertLink(store, link)
  expect(await withdrawInvitation(store, { workspaceId, linkSha, at })).toBe('w@example.org')
  expect((await join(withdrawn, { new_password: PASSWORD })).statusCode).toBe(404)
})

test('a refused password leaves the invitation open', async () => {
  const token = await invite('weak@example.org')
  const answer = await join(token, { new_password: 'short' })
  expect(answer.statusCode).toBe(400)
  expect(answer.body).toContain('id="new_password-error" role="alert"')
  expect((await join(token, { new_password: PASSWORD })).statusCode).toBe(303)
})

test('a member that is invited again keeps the role', async () => {
  const email = 'again@example.org'
  await join(await invite(email, 'owner'), { new_password: PASSWORD })
  expect((await join(await invite(email, 'member'), { password: PASSWORD })).statusCode).toBe(303)
  expect(await members()).toEqual([[email, 'owner']])
  expect(await readAudit(store, { workspaceId, limit: 9 })).toHaveLength(1)
})
