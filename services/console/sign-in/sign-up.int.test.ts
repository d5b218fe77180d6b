import { LIMITS } from '@catalog/api/callers/rate-limits.ts'
import { DAY_MS } from '@catalog/core/time.ts'
import { Browser, mailedLinkPath, PASSWORD, signUpInBrowser, tokenOf } from '@catalog/stack/testing/browser.ts'
import { mailsTo, testConsole, useTestConsole } from '@catalog/stack/testing/console.ts'
import { readAudit, workspacesOf } from '@catalog/store/accounts/members.ts'
import { findUser } from '@catalog/store/accounts/people.ts'
import { describe, expect, test } from 'vitest'

/** Who owns an account after sign-ups and mailed links. */
const { app, store, clock } = await useTestConsole()

const signUp = (email: string, password = PASSWORD, ip = '192.0.2.1') =>
  new Browser(app, { ip }).post('/console/sign-up', { email, new_password: password })

/** Opens the newest mailed link and submits its form. */
async function verify(email: string, fields: Record<string, string> = {}, browser = new Browser(app)) {
  const token = tokenOf(await mailedLinkPath(store, email))
  return await browser.post('/console/verify', { token, password: PASSWORD, workspace: `Obras ${email}`, ...fields })
}

describe('signing up', () => {
  test('mails a link; with the password it signs in, with a workspace on the free plan', async () => {
    const email = 'first@example.org'
    expect((await signUp(email)).statusCode).toBe(200)
    const [mail] = await mailsTo(store, email)
    expect(mail?.subject).toBe('Verify your e-mail · Construction Cost Catalog')
    expect(mail?.body).not.toContain(PASSWORD)
    const link = await mailedLinkPath(store, email)
    const browser = new Browser(app)
    const page = await browser.get(link)
    expect([page.statusCode, browser.cookie]).toEqual([200, undefined])
    expect(page.body).toContain('value="first@example.org"')

    const answer = await verify(email, { workspace: ' Obras del Sur ' }, browser)
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/console'])
    expect((await browser.get('/console/account')).statusCode).toBe(200)
    const user = await findUser(store, { email })
    const [workspace] = await workspacesOf(store, user?.user_id as string)
    expect(workspace).toMatchObject({ name: 'Obras del Sur', plan: 'free', role: 'owner' })
    const [audited] = await readAudit(store, { workspaceId: workspace?.workspace_id as string, limit: 9 })
    expect(audited).toMatchObject({ action: 'workspace.created', actor: email, target: 'Obras del Sur' })
  })

  test('answers alike for a known, a pending and a new e-mail; only the mail differs', async () => {
    await signUpInBrowser(app, store, { email: 'known@example.org' })
    await signUp('waiting@example.org')
    await store.query(`truncate mail_outbox`)
    const shape = async (email: string) => {
      const { statusCode, headers, body } = await signUp(email)
      const { 'x-request-id': _, date: _d, 'content-length': _l, ...rest } = headers
      return { statusCode, rest, body: body.replaceAll(email, 'EMAIL') }
    }
    const known = await shape('known@example.org')
    expect(await shape('waiting@example.org')).toEqual(known)
    expect(await shape('new@example.org')).toEqual(known)
    const subjects = async (email: string) =>
      (await mailsTo(store, email)).map(({ subject }) => subject.split(' · ')[0])
    expect(await subjects('known@example.org')).toEqual(['You have an account'])
    expect(await subjects('waiting@example.org')).toEqual(['Verify your e-mail'])
    expect(await subjects('new@example.org')).toEqual(['Verify your e-mail'])
  })

  test('with a known e-mail in other case changes nothing', async () => {
    const email = 'mine@example.org'
    await signUpInBrowser(app, store, { email })
    const before = await findUser(store, { email })
    await signUp('MINE@example.org', 'a password of a stranger')
    expect(await findUser(store, { email })).toEqual(before)
    expect(await mailsTo(store, email)).toHaveLength(2)
    expect(await mailsTo(store, 'MINE@example.org')).toEqual([])
  })

  test.each([
    [{ email: 'nobody', new_password: PASSWORD }, 'email-error'],
    [{ email: '', new_password: PASSWORD }, 'email-error'],
    [{ email: `${'a'.repeat(250)}@b.co`, new_password: PASSWORD }, 'email-error'],
    [{ email: 'a@b.co, c@d.co', new_password: PASSWORD }, 'email-error'],
    [{ email: 'a@b.co\r\nbcc: c@d.co', new_password: PASSWORD }, 'email-error'],
    [{ email: 'a@b.co', new_password: 'too short' }, 'new_password-error'],
    [{ email: 'a@b.co', new_password: 'Password1234' }, 'new_password-error'],
    [{ email: 'long.email@b.co', new_password: 'LONG.email@b.co' }, 'new_password-error'],
  ])('with %j is answered 400 with the field', async (fields, id) => {
    const answer = await new Browser(app).post('/console/sign-up', fields)
    expect(answer.statusCode).toBe(400)
    expect(answer.body).toContain(`id="${id}" role="alert"`)
    expect(await store.query(`select from mail_outbox`)).toEqual([])
  })

  test('is limited by network and by e-mail, known or not, with a retry time', async () => {
    const strict = testConsole(store, clock, { limits: { ...LIMITS, signupsPerHour: 2, signupsPerEmailPerDay: 3 } })
    const ask = (email: string, ip: string) =>
      new Browser(strict, { ip }).post('/console/sign-up', { email, new_password: PASSWORD })
    clock.at = new Date('2027-03-01T10:59:15Z')
    const statuses = []
    for (const email of ['l1@b.co', 'l2@b.co', 'l3@b.co']) statuses.push((await ask(email, '192.0.2.9')).statusCode)
    expect(statuses).toEqual([200, 200, 429])
    const refused = await ask('l4@b.co', '192.0.2.9')
    expect(refused.headers['retry-after']).toBe('45')
    expect(refused.body).toContain('Try again after 11:00 UTC, in 45 seconds.')
    const ofOne = []
    for (let i = 1; i <= 4; i++) ofOne.push((await ask('L5@b.co', `198.51.100.${i}`)).statusCode)
    expect(ofOne).toEqual([200, 200, 200, 429])
    await strict.close()
  })
})

describe('the link', () => {
  test('signs in only with the password chosen last', async () => {
    const email = 'victim@example.org'
    await signUp(email)
    // A stranger signs up with the same e-mail and hopes that the person opens the link.
    await signUp(email, 'a password of a stranger')
    const answer = await verify(email)
    expect(answer.statusCode).toBe(403)
    expect(answer.body).toContain('id="password-error" role="alert"')
    expect((await findUser(store, { email }))?.verified_at).toBeNull()
    const stranger = await new Browser(app).post('/console/sign-in', { email, password: 'a password of a stranger' })
    expect([stranger.statusCode, stranger.cookies]).toEqual([403, []])
    // The link still works for the person with the right password.
    expect((await verify(email, { password: 'a password of a stranger' })).statusCode).toBe(303)
  })

  test('works once, under concurrent use too', async () => {
    const email = 'twice@example.org'
    await signUp(email)
    const answers = await Promise.all([1, 2, 3].map(() => verify(email)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 404, 404])
    const { user_id: userId } = (await findUser(store, { email })) ?? { user_id: '' }
    expect(await workspacesOf(store, userId)).toHaveLength(1)
    expect((await verify(email)).statusCode).toBe(404)
    expect((await new Browser(app).get(await mailedLinkPath(store, email))).statusCode).toBe(404)
  })

  test('expires after 24 hours', async () => {
    const email = 'late@example.org'
    await signUp(email)
    clock.advance(DAY_MS - 1)
    expect((await new Browser(app).get(await mailedLinkPath(store, email))).statusCode).toBe(200)
    clock.advance(1)
    const page = await new Browser(app).get(await mailedLinkPath(store, email))
    expect([page.statusCode, page.body.includes('has expired')]).toEqual([404, true])
    expect((await verify(email)).statusCode).toBe(404)
  })

  test.each([
    ['another purpose', '/console/reset'],
    ['an invitation', '/console/invite'],
  ])('opens nothing for %s', async (_, path) => {
    const email = `wrong${path.length}@example.org`
    await signUp(email)
    const token = tokenOf(await mailedLinkPath(store, email))
    expect((await new Browser(app).get(`${path}?token=${token}`)).statusCode).toBe(404)
    const fields = { token, new_password: PASSWORD, password: PASSWORD }
    expect((await new Browser(app).post(path, fields)).statusCode).toBe(404)
    expect((await verify(email)).statusCode).toBe(303)
  })

  test.each([[''], ['x'], ['a'.repeat(43)], ['../../etc'], ['%00'], ['a'.repeat(3000)]])(
    'of the token %j is no link',
    async (token) => {
      expect((await new Browser(app).get(`/console/verify?token=${token}`)).statusCode).toBe(404)
      expect((await new Browser(app).post('/console/verify', { token })).statusCode).toBe(404)
    },
  )

  test('counts wrong passwords as sign-in attempts', async () => {
    const email = 'guess@example.org'
    await signUp(email)
    const statuses = []
    for (let i = 0; i < 4; i++) statuses.push((await verify(email, { password: `guess number ${i}` })).statusCode)
    expect(statuses).toEqual([403, 403, 403, 429])
  })
})

describe('the workspace', () => {
  test('gets a number appended when its name is taken', async () => {
    const names = []
    for (const email of ['n1@example.org', 'n2@example.org', 'n3@example.org']) {
      await signUpInBrowser(app, store, { email, workspace: 'Acme' })
      const user = await findUser(store, { email })
      names.push((await workspacesOf(store, user?.user_id as string))[0]?.name)
    }
    expect(names).toEqual(['Acme', 'Acme 2', 'Acme 3'])
  })

  test('asks again for a missing name, and the link still works', async () => {
    const email = 'noname@example.org'
    await signUp(email)
    const answer = await verify(email, { workspace: '  ' })
    expect(answer.statusCode).toBe(400)
    expect(answer.body).toContain('id="workspace-error" role="alert"')
    expect((await verify(email)).statusCode).toBe(303)
  })

  test('can be followed by others, up to five in all and three a day', async () => {
    const email = 'many@example.org'
    const browser = await signUpInBrowser(app, store, { email })
    const more = async (name: string) => (await browser.post('/console/new', { workspace: name })).statusCode
    expect([await more('M2'), await more('M3'), await more('M4'), await more('M5')]).toEqual([303, 303, 303, 429])
    clock.advance(DAY_MS)
    expect([await more('M5'), await more('M6')]).toEqual([303, 409])
    expect((await browser.post('/console/new', { workspace: 'a\u202eb' })).statusCode).toBe(400)
  })

  test('is created only by a signed-in person', async () => {
    expect((await new Browser(app).post('/console/new', { workspace: 'Nobody' })).statusCode).toBe(401)
    const answer = await new Browser(app).get('/console/new')
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/console/sign-in?next=%2Fconsole%2Fnew'])
  })
})
