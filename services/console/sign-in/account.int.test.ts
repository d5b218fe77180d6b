import { Browser, mailedLinkPath, PASSWORD, signUpInBrowser, tokenOf } from '@catalog/stack/testing/browser.ts'
import { mailsTo, useTestConsole } from '@catalog/stack/testing/console.ts'
import { expect, test } from 'vitest'

/** Which sessions survive a password change and a sign-out. */
const { app, store } = await useTestConsole()
const NEXT = 'four blue scaffolds'

async function signedIn(email: string, password = PASSWORD) {
  const browser = new Browser(app)
  const { statusCode } = await browser.post('/console/sign-in', { email, password })
  return Object.assign(browser, { statusCode })
}
const isIn = async (browser: Browser) => (await browser.get('/console/account')).statusCode === 200
const change = (browser: Browser, password: string, next = NEXT) =>
  browser.post('/console/account/password', { password, new_password: next })

test('changing the password needs the old one, renews this session, and ends all others and mailed links', async () => {
  const email = 'change@example.org'
  const here = await signUpInBrowser(app, store, { email })
  const there = await signedIn(email)
  await new Browser(app).post('/console/forgot', { email })
  const reset = tokenOf(await mailedLinkPath(store, email))
  const former = here.cookie

  const answer = await change(here, PASSWORD)
  expect([answer.statusCode, answer.headers.location]).toEqual([303, '/console/account?done=password'])
  expect((await here.get('/console/account?done=password')).body).toContain('role="status">The password is changed')
  expect([here.cookie === former, await isIn(there)]).toEqual([false, false])
  const stale = new Browser(app)
  stale.cookie = former
  expect(await isIn(stale)).toBe(false)
  expect([(await signedIn(email)).statusCode, (await signedIn(email, NEXT)).statusCode]).toEqual([403, 303])
  expect((await new Browser(app).post('/console/reset', { token: reset, new_password: PASSWORD })).statusCode).toBe(404)
  expect((await mailsTo(store, email)).at(-1)?.subject).toBe('Your password was changed · Construction Cost Catalog')
})

test('a wrong old password or a refused new one changes nothing', async () => {
  const email = 'keep@example.org'
  const here = await signUpInBrowser(app, store, { email })
  const there = await signedIn(email)
  const wrong = await change(here, 'wrong')
  expect([wrong.statusCode, wrong.body.includes('id="password-error" role="alert"')]).toEqual([403, true])
  const short = await change(here, PASSWORD, 'short')
  expect([short.statusCode, short.body.includes('id="new_password-error" role="alert"')]).toEqual([400, true])
  const guessed = await change(here, PASSWORD, 'password12345')
  expect([guessed.statusCode, guessed.body.includes('attackers try this one')]).toEqual([400, true])
  expect([await isIn(here), await isIn(there)]).toEqual([true, true])
  expect((await signedIn(email)).statusCode).toBe(303)
})

test('guesses of the old password wait', async () => {
  const here = await signUpInBrowser(app, store, { email: 'found@example.org' })
  const statuses = []
  for (let i = 0; i < 4; i++) statuses.push((await change(here, `guess ${i}`)).statusCode)
  expect(statuses).toEqual([403, 403, 403, 429])
})

test('of two concurrent changes one succeeds', async () => {
  const email = 'race@example.org'
  const here = await signUpInBrowser(app, store, { email })
  const there = await signedIn(email)
  const answers = await Promise.all([
    change(here, PASSWORD, 'five red bricks and'),
    change(there, PASSWORD, 'six grey bricks and'),
  ])
  expect(answers.filter(({ statusCode }) => statusCode === 303)).toHaveLength(1)
})

test("own browsers are listed by name and can be signed out; other people's are not", async () => {
  const email = 'several@example.org'
  const here = await signUpInBrowser(app, store, { email })
  const stranger = await signUpInBrowser(app, store, { email: 'stranger@example.org' })
  expect((await here.get('/console/account')).body).not.toContain('sign-out-elsewhere')
  const there = await signedIn(email)
  await there.post(
    '/console/sign-in',
    { email, password: PASSWORD },
    { 'user-agent': `<img src=x> ${'x'.repeat(500)}` },
  )
  const { body } = await here.get('/console/account')
  expect(body.match(/<tr role="row"><th role="rowheader"/g)).toHaveLength(2)
  expect(body).toContain('This browser')
  expect(body).toContain('&#60;img src&#61;x&#62;')
  expect(body).not.toContain('x'.repeat(200))

  const answer = await here.post('/console/account/sign-out-elsewhere')
  expect(answer.headers.location).toBe('/console/account?done=elsewhere')
  expect([await isIn(here), await isIn(there), await isIn(stranger)]).toEqual([true, false, true])
})

test('the page shows only messages of ours, whatever the address says', async () => {
  const here = await signUpInBrowser(app, store, { email: 'message@example.org' })
  for (const done of ['<b>you won</b>', 'constructor', '__proto__', 'toString']) {
    const { statusCode, body } = await here.get(`/console/account?${new URLSearchParams({ done })}`)
    expect([done, statusCode, body.includes('class="notice')]).toEqual([done, 200, false])
  }
})
