import { DAY_MS, HOUR_MS } from '@catalog/core/time.ts'
import { Browser, mailedLinkPath, PASSWORD, signUpInBrowser, tokenOf } from '@catalog/stack/testing/browser.ts'
import { mailsTo, useTestConsole } from '@catalog/stack/testing/console.ts'
import { describe, expect, test } from 'vitest'

/** Only the mailed link resets a forgotten password. */
const { app, store, clock } = await useTestConsole()
const NEXT = 'four blue scaffolds'

const forgot = (email: string, ip = '192.0.2.1') => new Browser(app, { ip }).post('/console/forgot', { email })
const reset = (token: string, browser = new Browser(app), password = NEXT) =>
  browser.post('/console/reset', { token, new_password: password })
const isIn = async (browser: Browser) => (await browser.get('/console/account')).statusCode === 200
const signIn = async (email: string, password: string) =>
  (await new Browser(app).post('/console/sign-in', { email, password })).statusCode

test('the link sets the password, signs in, ends all other sessions and links, and sends a notice', async () => {
  const email = 'forgot@example.org'
  const elsewhere = await signUpInBrowser(app, store, { email })
  await forgot(email)
  const first = tokenOf(await mailedLinkPath(store, email))
  await forgot(email)
  const browser = new Browser(app)
  const link = await mailedLinkPath(store, email)
  expect((await browser.get(link)).body).toContain(`value="${email}"`)
  expect([await isIn(elsewhere), browser.cookie]).toEqual([true, undefined])

  expect((await reset(tokenOf(link), browser)).statusCode).toBe(303)
  expect([await isIn(browser), await isIn(elsewhere)]).toEqual([true, false])
  expect([await signIn(email, PASSWORD), await signIn(email, NEXT)]).toEqual([403, 303])
  expect((await reset(first)).statusCode).toBe(404)
  expect((await reset(tokenOf(link))).statusCode).toBe(404)
  expect((await mailsTo(store, email)).at(-1)?.subject).toBe('Your password was changed · Construction Cost Catalog')
})

test('a request is answered alike for known and unknown e-mails, and only the known get mail', async () => {
  await signUpInBrowser(app, store, { email: 'here@example.org' })
  await store.query(`truncate mail_outbox`)
  const shape = async (email: string) => {
    const { statusCode, headers, body } = await forgot(email)
    const { 'x-request-id': _, date: _d, 'content-length': _l, ...rest } = headers
    return { statusCode, rest, body: body.replaceAll(email, 'EMAIL') }
  }
  const known = await shape('here@example.org')
  expect(known.statusCode).toBe(200)
  expect(await shape('gone@example.org')).toEqual(known)
  expect(await store.query(`select recipient from mail_outbox`)).toEqual([{ recipient: 'here@example.org' }])
})

test('requests for an unknown e-mail are limited like others', async () => {
  await signUpInBrowser(app, store, { email: 'limited@example.org' })
  await store.query(`truncate limit_windows`)
  for (const email of ['limited@example.org', 'unlimited@example.org']) {
    const statuses = []
    for (let i = 0; i < 6; i++) statuses.push((await forgot(email)).statusCode)
    expect(statuses).toEqual([...Array(5).fill(200), 429])
  }
})

describe('after strangers from a hundred networks asked for mail', () => {
  const attack = async (email: string) => {
    const statuses = new Set<number>()
    for (let i = 0; i < 100; i++) {
      const ip = `198.51.100.${i}`
      statuses.add((await forgot(email, ip)).statusCode)
      await new Browser(app, { ip }).post('/console/sign-up', { email, new_password: PASSWORD })
    }
    // They share a number of links, whether there is an account or not.
    expect([...statuses]).toEqual([200, 429])
  }
  const asked = async (browser: Browser, email: string, times = 1) => {
    const statuses: number[] = []
    for (let i = 0; i < times; i++) statuses.push((await browser.post('/console/forgot', { email })).statusCode)
    return statuses
  }

  test.each(['signed out', 'signed in'])('the link that the owner asks for arrives where she was %s', async (how) => {
    // given
    const email = `asks-${how.replace(' ', '-')}@example.org`
    const home = await signUpInBrowser(app, store, { email })
    if (how === 'signed out') await home.post('/console/sign-out')
    else home.device = undefined
    await attack(email)
    await attack('nobody-asks@example.org')
    const before = (await mailsTo(store, email)).length
    // when
    expect(await asked(home, email)).toEqual([200])
    // then
    expect(await mailsTo(store, email)).toHaveLength(before + 1)
    expect((await reset(tokenOf(await mailedLinkPath(store, email)), home)).statusCode).toBe(303)
    // Elsewhere, and for somebody else's address, the browser is as any other.
    expect(await asked(new Browser(app), email)).toEqual([429])
    expect(await asked(home, 'nobody-asks@example.org')).toEqual([429])
  })

  test('one address gets at most 25 of these mails a day, those that the owner asked for included', async () => {
    const email = 'bounded@example.org'
    const home = await signUpInBrowser(app, store, { email })
    clock.advance(DAY_MS)
    await home.post('/console/sign-out')
    await store.query(`truncate mail_outbox`)
    clock.at = new Date(`${clock.at.toISOString().slice(0, 10)}T00:00:00Z`)
    await attack(email)
    for (let hour = 0; hour < 23; hour++) {
      expect((await asked(home, email, 6)).at(-1)).toBe(429)
      clock.advance(HOUR_MS)
    }
    expect(await mailsTo(store, email)).toHaveLength(25)
  })
})

test('the link works once, under concurrent use too, and for an hour', async () => {
  const email = 'once@example.org'
  await signUpInBrowser(app, store, { email })
  await forgot(email)
  const token = tokenOf(await mailedLinkPath(store, email))
  const passwords = ['five red bricks and', 'six grey bricks and']
  const answers = await Promise.all(passwords.map((password) => reset(token, new Browser(app), password)))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 404])
  const winner = answers.findIndex(({ statusCode }) => statusCode === 303)
  expect(await signIn(email, passwords[winner] as string)).toBe(303)
  expect(await signIn(email, passwords[1 - winner] as string)).toBe(403)

  await forgot(email)
  clock.advance(HOUR_MS)
  expect((await reset(tokenOf(await mailedLinkPath(store, email)))).statusCode).toBe(404)
})

test('a refused password leaves the link usable', async () => {
  const email = 'short@example.org'
  await signUpInBrowser(app, store, { email })
  await forgot(email)
  const token = tokenOf(await mailedLinkPath(store, email))
  const answer = await reset(token, new Browser(app), 'short')
  expect(answer.statusCode).toBe(400)
  expect(answer.body).toContain('id="new_password-error" role="alert"')
  expect((await reset(token, new Browser(app), 'qwertyuiop12')).body).toContain('attackers try this one')
  expect((await reset(token)).statusCode).toBe(303)
})

test('the link verifies an unverified e-mail and locks out a stranger who signed up with it', async () => {
  const email = 'never@example.org'
  await new Browser(app).post('/console/sign-up', { email, new_password: 'a password of a stranger' })
  const verification = await mailedLinkPath(store, email)
  await forgot(email)
  const browser = new Browser(app)
  await reset(tokenOf(await mailedLinkPath(store, email)), browser)
  expect(await isIn(browser)).toBe(true)
  expect(await signIn(email, 'a password of a stranger')).toBe(403)
  expect((await new Browser(app).get(verification)).statusCode).toBe(404)
  // A later sign-up changes nothing.
  await new Browser(app).post('/console/sign-up', { email, new_password: 'a password of a stranger' })
  expect([await signIn(email, 'a password of a stranger'), await signIn(email, NEXT)]).toEqual([403, 303])
})
