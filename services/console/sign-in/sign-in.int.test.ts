import { DAY_MS } from '@catalog/core/time.ts'
import { Browser, mailedLinkPath, PASSWORD, signUpInBrowser, tokenOf } from '@catalog/stack/testing/browser.ts'
import { mailsTo, useTestConsole } from '@catalog/stack/testing/console.ts'
import { beforeAll, describe, expect, test } from 'vitest'

/** Which cookie represents whom from sign-in to sign-out. */
const { app, store, clock } = await useTestConsole()
const EMAIL = 'owner@example.org'

beforeAll(async () => {
  await signUpInBrowser(app, store, { email: EMAIL })
})

const signIn = (browser: Browser, fields: Record<string, string> = {}) =>
  browser.post('/console/sign-in', { email: EMAIL, password: PASSWORD, ...fields })
const signedIn = async () => {
  const browser = new Browser(app)
  await signIn(browser)
  return browser
}
const isIn = async (browser: Browser) => (await browser.get('/console/account')).statusCode === 200

describe('signing in', () => {
  test('sets a host-only cookie that no script reads, and stores only its hash', async () => {
    const answer = await signIn(new Browser(app))
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/console'])
    const header = [answer.headers['set-cookie']].flat()[0] as string
    const [, value] = /^__Host-session=([\w-]{43}); (.*)$/.exec(header) as unknown as [string, string]
    expect(header.split('; ').slice(1).sort()).toEqual([
      'HttpOnly',
      'Max-Age=2592000',
      'Path=/',
      'SameSite=Lax',
      'Secure',
    ])
    const rows = await store.query<{ row: string }>(`select sessions::text as row from sessions`)
    expect(JSON.stringify(rows)).not.toContain(value)
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(value).toString('hex'))
  })

  test('accepts the e-mail in any case, with blanks around it', async () => {
    expect((await signIn(new Browser(app), { email: ' Owner@Example.ORG ' })).statusCode).toBe(303)
  })

  test('does not reveal whether the e-mail or the password is wrong', async () => {
    const shape = async (email: string, password: string) => {
      const { statusCode, headers, body } = await signIn(new Browser(app), { email, password })
      const { 'x-request-id': _, date: _d, 'content-length': _l, ...rest } = headers
      return { statusCode, rest, body: body.replaceAll(email, 'EMAIL') }
    }
    const wrong = await shape(EMAIL, 'another green ladder')
    expect(wrong.statusCode).toBe(403)
    expect(wrong.body).toContain('role="alert">The e-mail or the password is wrong.')
    expect(await shape('unknown@example.org', PASSWORD)).toEqual(wrong)
    expect(wrong.body).not.toContain('another green ladder')
  })

  test("always starts a new session and ends the browser's former one", async () => {
    const planted = 'A'.repeat(43)
    const victim = new Browser(app)
    victim.cookie = planted
    await signIn(victim)
    expect(victim.cookie).not.toBe(planted)
    const attacker = new Browser(app)
    attacker.cookie = planted
    expect(await isIn(attacker)).toBe(false)

    const former = victim.cookie
    await signIn(victim)
    const old = new Browser(app)
    old.cookie = former
    expect([await isIn(victim), await isIn(old)]).toEqual([true, false])
  })

  test('returns to the requested page and nowhere else', async () => {
    const asked = await new Browser(app).get('/console/workspaces/ws_1/audit?before=7')
    expect([asked.statusCode, asked.headers.location]).toEqual([
      303,
      '/console/sign-in?next=%2Fconsole%2Fworkspaces%2Fws_1%2Faudit%3Fbefore%3D7',
    ])
    const page = await new Browser(app).get(asked.headers.location as string)
    expect(page.body).toContain('name="next" value="/console/workspaces/ws_1/audit?before&#61;7"')
    const led = await signIn(new Browser(app), { next: '/console/workspaces/ws_1/audit?before=7' })
    expect(led.headers.location).toBe('/console/workspaces/ws_1/audit?before=7')
    for (const next of [
      'https://evil.example.org/',
      '//evil.example.org',
      '/console/..//evil.example.org',
      '/\\evil',
    ]) {
      expect((await signIn(new Browser(app), { next })).headers.location).toBe('/console')
      const open = await (await signedIn()).get(`/console/sign-in?${new URLSearchParams({ next })}`)
      expect([open.statusCode, open.headers.location]).toEqual([303, '/console'])
    }
  })

  test('sends the link again for an unverified e-mail with the right password', async () => {
    const email = 'unverified@example.org'
    await new Browser(app).post('/console/sign-up', { email, new_password: PASSWORD })
    const wrong = await signIn(new Browser(app), { email, password: 'another green ladder' })
    expect(wrong.body).toContain('The e-mail or the password is wrong.')
    expect(await mailsTo(store, email)).toHaveLength(1)
    const answer = await signIn(new Browser(app), { email })
    expect([answer.statusCode, answer.cookies]).toEqual([403, []])
    expect(answer.body).toContain('Verify your e-mail first')
    expect(await mailsTo(store, email)).toHaveLength(2)
    const token = tokenOf(await mailedLinkPath(store, email))
    const verified = await new Browser(app).post('/console/verify', { token, password: PASSWORD, workspace: 'U' })
    expect(verified.statusCode).toBe(303)
  })
})

describe('a session', () => {
  test('ends in the store at sign-out, and a copied cookie becomes worthless', async () => {
    const browser = await signedIn()
    const copy = new Browser(app)
    copy.cookie = browser.cookie
    const answer = await browser.post('/console/sign-out')
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/console/sign-in'])
    expect(String(answer.headers['set-cookie'])).toMatch(/^__Host-session=; Max-Age=0; Path=\/; Expires=.*Secure/)
    expect(browser.cookie).toBeUndefined()
    expect(await isIn(copy)).toBe(false)
  })

  test('expires after seven idle days, and after thirty days in any case', async () => {
    const idle = await signedIn()
    clock.advance(7 * DAY_MS - 1)
    expect(await isIn(idle)).toBe(true)
    clock.advance(7 * DAY_MS)
    expect(await isIn(idle)).toBe(false)

    const busy = await signedIn()
    for (let day = 0; day < 29; day++) {
      clock.advance(DAY_MS)
      expect(await isIn(busy)).toBe(true)
    }
    clock.advance(DAY_MS)
    expect(await isIn(busy)).toBe(false)
  })

  test.each([['x'], [`${'a'.repeat(43)}`], ['%'], ['"'.repeat(43)], ['a'.repeat(4000)]])(
    'of the cookie %j is none',
    async (cookie) => {
      const browser = new Browser(app)
      browser.cookie = cookie
      expect((await browser.get('/console/account')).statusCode).toBe(303)
    },
  )
})
