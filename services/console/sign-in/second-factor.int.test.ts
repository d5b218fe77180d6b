import { CODE_PATH } from '@catalog/console/sessions/second-factor.ts'
import { createInvitation } from '@catalog/console/workspace/invitation.ts'
import { HOUR_MS, instant, MINUTE_MS } from '@catalog/core/time.ts'
import { Browser, mailedLinkPath, PASSWORD, signUpInBrowser, tokenOf } from '@catalog/stack/testing/browser.ts'
import { mailsTo, useTestConsole } from '@catalog/stack/testing/console.ts'
import { createWorkspace } from '@catalog/store/accounts/accounts.ts'
import { Secret, TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'

/** A second factor at every door: nobody has a session without a code of it. */
const { app, store, clock } = await useTestConsole()
const STEP_MS = 30_000
const NEXT = 'four blue scaffolds'

const isIn = async (browser: Browser) => (await browser.get('/console/account')).statusCode === 200
/** The key as the page writes it, in groups of four. */
const secretIn = (page: string) => (/<code>([A-Z2-7 ]+)<\/code>/.exec(page)?.[1] ?? '').replaceAll(' ', '')
const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.at.getTime() })
const signIn = async (email: string, { password = PASSWORD, ip = '192.0.2.1' } = {}) => {
  const browser = new Browser(app, { ip })
  const answer = await browser.post('/console/sign-in', { email, password, next: '/console/account' })
  return { browser, answer }
}
const enter = (browser: Browser, code: string) => browser.post(CODE_PATH, { code })

let people = 0
/** Somebody whose second factor is on, with its secret and recovery codes. */
async function withFactor() {
  const email = `person${++people}@example.org`
  const browser = await signUpInBrowser(app, store, { email })
  const begun = await browser.post('/console/account/second-factor/begin', { password: PASSWORD })
  const secret = secretIn(begun.body)
  const on = await browser.post('/console/account/second-factor/confirm', { code: codeOf(secret) })
  const recovery = [...on.body.matchAll(/<code>([A-Z2-7-]{19})<\/code>/g)].map(([, code]) => code as string)
  // The code that turned it on is used.
  clock.advance(STEP_MS)
  return { email, browser, secret, recovery, begun, on }
}

describe('turning it on', () => {
  test('needs the password and a first code, shows ten recovery codes once, and is mailed', async () => {
    const email = 'new@example.org'
    const browser = await signUpInBrowser(app, store, { email })
    const refused = await browser.post('/console/account/second-factor/begin', { password: 'wrong' })
    expect([refused.statusCode, refused.body.includes('This is not your password.')]).toEqual([403, true])
    const begun = await browser.post('/console/account/second-factor/begin', { password: PASSWORD })
    expect(begun.body).toMatch(/otpauth:&#47;&#47;totp|otpauth:\/\/totp/)
    expect(begun.body).toContain('<svg')
    expect((await browser.post('/console/account/second-factor/confirm', { code: '000000' })).statusCode).toBe(403)
    // Until then signing in is as before.
    expect((await signIn(email)).answer.headers.location).toBe('/console/account')

    const { email: other, recovery, on } = await withFactor()
    expect([on.statusCode, new Set(recovery).size]).toEqual([200, 10])
    expect((await mailsTo(store, other)).at(-1)?.subject).toBe('The second factor is on · Construction Cost Catalog')
  })

  test('keeps neither the secret of codes nor recovery codes readable in the database', async () => {
    const { recovery } = await withFactor()
    const rows = JSON.stringify(await store.query(`select code_sha::text as sha from recovery_codes`))
    for (const code of recovery) expect(rows).not.toContain(code.replaceAll('-', ''))
  })

  test('is over after an hour without a first code', async () => {
    const browser = await signUpInBrowser(app, store, { email: 'slow@example.org' })
    const begun = await browser.post('/console/account/second-factor/begin', { password: PASSWORD })
    const secret = secretIn(begun.body)
    clock.advance(HOUR_MS)
    const late = await browser.post('/console/account/second-factor/confirm', { code: codeOf(secret) })
    expect([late.statusCode, late.headers.location]).toEqual([303, '/console/account/second-factor'])
  })
})

describe('signing in', () => {
  test('asks for a code after the password, and then returns to the requested page', async () => {
    const { email, secret } = await withFactor()
    const { browser, answer } = await signIn(email)
    expect([answer.statusCode, answer.headers.location, await isIn(browser)]).toEqual([303, CODE_PATH, false])
    expect((await browser.get(CODE_PATH)).body).toContain('one-time-code')
    const entered = await enter(browser, codeOf(secret))
    expect([entered.statusCode, entered.headers.location, await isIn(browser)]).toEqual([303, '/console/account', true])
    // A sign-in ends with its code: the page asks for the password again.
    expect((await browser.get(CODE_PATH)).headers.location).toBe('/console/sign-in')
  })

  test('takes each code once, also of two at a time, and codes of one step beside the present one', async () => {
    const { email, secret } = await withFactor()
    const [one, two] = [(await signIn(email)).browser, (await signIn(email)).browser]
    const code = codeOf(secret)
    const answers = await Promise.all([enter(one, code), enter(two, code)])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 403])
    clock.advance(2 * STEP_MS)
    const late = codeOf(secret)
    clock.advance(STEP_MS)
    expect((await enter((await signIn(email)).browser, late)).statusCode).toBe(303)
    const older = codeOf(secret)
    clock.advance(2 * STEP_MS)
    expect((await enter((await signIn(email)).browser, older)).statusCode).toBe(403)
  })

  test('takes a recovery code once, and says so by mail', async () => {
    const { email, recovery } = await withFactor()
    const code = (recovery[3] as string).toLowerCase()
    expect((await enter((await signIn(email)).browser, code)).statusCode).toBe(303)
    expect((await mailsTo(store, email)).at(-1)?.subject).toContain('A recovery code was used')
    expect((await enter((await signIn(email)).browser, code)).statusCode).toBe(403)
  })

  test('makes guesses of codes wait, which a right password does not shorten', async () => {
    const { email, secret } = await withFactor()
    const statuses = []
    for (let i = 0; i < 4; i++) {
      const { browser } = await signIn(email, { ip: '203.0.113.9' })
      statuses.push((await enter(browser, `00000${i}`)).statusCode)
    }
    expect(statuses).toEqual([403, 403, 403, 429])
    const { browser } = await signIn(email, { ip: '203.0.113.9' })
    expect((await enter(browser, codeOf(secret))).statusCode).toBe(429)
  })

  test('waits ten minutes for the code, and not beyond a change of the password', async () => {
    const { email, secret, browser: own } = await withFactor()
    const { browser } = await signIn(email)
    const changed = await own.post('/console/account/password', { password: PASSWORD, new_password: NEXT })
    expect(changed.statusCode).toBe(303)
    expect((await enter(browser, codeOf(secret))).headers.location).toBe('/console/sign-in')
    const again = (await signIn(email, { password: NEXT })).browser
    clock.advance(10 * MINUTE_MS)
    expect((await enter(again, codeOf(secret))).headers.location).toBe('/console/sign-in')
  })
})

describe('no other door', () => {
  test('a mailed link sets a password, and still asks for the code', async () => {
    const { email, secret } = await withFactor()
    const browser = new Browser(app)
    await browser.post('/console/forgot', { email })
    const token = tokenOf(await mailedLinkPath(store, email))
    const reset = await browser.post('/console/reset', { token, new_password: NEXT })
    expect([reset.headers.location, await isIn(browser)]).toEqual([CODE_PATH, false])
    await enter(browser, codeOf(secret))
    expect(await isIn(browser)).toBe(true)
  })

  test('an invitation asks for it', async () => {
    const { email, secret } = await withFactor()
    const at = instant(clock.at)
    await createWorkspace(store, { workspaceId: `ws_${email}`, name: `Works of ${email}`, plan: 'free', at })
    await store.transaction((tx) =>
      createInvitation(tx, {
        workspaceId: `ws_${email}`,
        email,
        role: 'member',
        actor: 'operator',
        origin: 'https://catalog.example.org',
        at,
      }),
    )
    const browser = new Browser(app)
    const token = tokenOf(await mailedLinkPath(store, email))
    const joined = await browser.post('/console/invite', { token, password: PASSWORD })
    expect([joined.headers.location, await isIn(browser)]).toEqual([CODE_PATH, false])
    const entered = await enter(browser, codeOf(secret))
    expect(entered.headers.location).toBe(`/console/workspaces/ws_${email}`)
  })

  test('an unused link of the sign-up asks for it', async () => {
    const email = 'twice@example.org'
    const stale = new Browser(app)
    await stale.post('/console/sign-up', { email, new_password: PASSWORD })
    const first = tokenOf(await mailedLinkPath(store, email))
    await stale.post('/console/sign-up', { email, new_password: PASSWORD })
    const token = tokenOf(await mailedLinkPath(store, email))
    const browser = new Browser(app)
    await browser.post('/console/verify', { token, password: PASSWORD, workspace: 'Obras Dos' })
    const begun = await browser.post('/console/account/second-factor/begin', { password: PASSWORD })
    const secret = secretIn(begun.body)
    expect((await browser.post('/console/account/second-factor/confirm', { code: codeOf(secret) })).statusCode).toBe(
      200,
    )
    const other = new Browser(app)
    await other.post('/console/verify', { token: first, password: PASSWORD, workspace: 'Obras Tres' })
    expect(await isIn(other)).toBe(false)
  })
})

describe('turning it off, and new recovery codes', () => {
  test('need a code: the session alone does not do', async () => {
    const { email, browser, secret, recovery } = await withFactor()
    const path = '/console/account/second-factor'
    for (const [action, fields] of [
      ['off', { off_code: '000000' }],
      ['codes', { code: '000000' }],
    ] as const) {
      expect((await browser.post(`${path}/${action}`, fields)).statusCode).toBe(403)
    }
    const renewed = await browser.post(`${path}/codes`, { code: codeOf(secret) })
    expect(renewed.body.match(/<code>[A-Z2-7-]{19}<\/code>/g)).toHaveLength(10)
    expect((await enter((await signIn(email)).browser, recovery[0] as string)).statusCode).toBe(403)
    clock.advance(STEP_MS)
    expect((await browser.post(`${path}/off`, { off_code: codeOf(secret) })).headers.location).toBe(path)
    expect((await mailsTo(store, email)).at(-1)?.subject).toContain('The second factor is off')
    expect((await signIn(email)).answer.headers.location).toBe('/console/account')
  })
})
