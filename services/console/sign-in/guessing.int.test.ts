import { DAY_MS, HOUR_MS } from '@catalog/core/time.ts'
import { Browser, mailedLinkPath, PASSWORD, signUpInBrowser, tokenOf } from '@catalog/stack/testing/browser.ts'
import { testConsole, useTestConsole } from '@catalog/stack/testing/console.ts'
import { beforeEach, describe, expect, test } from 'vitest'

/** Strangers guess passwords: they wait longer and longer, the owner of the account does not. */
const { app, store, clock } = await useTestConsole()
const HOME_IP = '192.0.2.1'

let owners = 0
let email: string
let home: Browser
beforeEach(async () => {
  email = `owner${++owners}@example.org`
  home = await signUpInBrowser(app, store, { email, ip: HOME_IP })
  await home.post('/console/sign-out')
  await store.query(`truncate mail_outbox`)
})

const signIn = (browser: Browser, fields: Record<string, string> = {}) =>
  browser.post('/console/sign-in', { email, password: PASSWORD, ...fields })
const statusFrom = async (ip: string, fields: Record<string, string> = {}) =>
  (await signIn(new Browser(app, { ip }), fields)).statusCode
/** A hundred networks try twice each, and the owner's own network ten times. */
async function attack() {
  for (let i = 0; i < 200; i++) await statusFrom(`198.51.100.${i % 100}`, { password: 'wrong' })
  for (let i = 0; i < 10; i++) await statusFrom(HOME_IP, { password: 'wrong' })
}

describe('after wrong passwords of strangers from a hundred networks and her own', () => {
  test('the owner signs in at once where she signed in before', async () => {
    await attack()
    expect((await signIn(home)).statusCode).toBe(303)
  })

  test('the owner signs in at once with another browser from another network', async () => {
    await attack()
    expect(await statusFrom('203.0.113.9')).toBe(303)
  })
})

describe('wrong passwords', () => {
  test.each(['an account', 'no account'])(
    'for an e-mail with %s wait twice as long after each, up to 15 minutes',
    async (kind) => {
      const fields = { email: kind === 'an account' ? email : 'nobody@example.org', password: 'wrong' }
      const waits: number[] = []
      for (let i = 0; i < 15; i++) {
        expect(await statusFrom('198.51.100.1', fields)).toBe(403)
        const refused = await signIn(new Browser(app, { ip: '198.51.100.1' }), fields)
        const seconds = Number(refused.headers['retry-after'] ?? 0)
        waits.push(seconds)
        // The first attempts need no wait, so this one was checked.
        if (i === 0) expect(refused.statusCode).toBe(403)
        else
          expect([refused.statusCode, refused.body.includes('Several passwords were tried. Try again in')]).toEqual([
            429,
            true,
          ])
        clock.advance(seconds * 1_000)
      }
      expect(waits).toEqual([0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900])
    },
  )

  test('are refused without a check during the wait, the right one too, and make it no longer', async () => {
    for (let i = 0; i < 6; i++) {
      await statusFrom('198.51.100.1', { password: 'wrong' })
      clock.advance(i === 5 ? 0 : 8_000)
    }
    for (let i = 0; i < 20; i++) expect(await statusFrom('198.51.100.1')).toBe(429)
    clock.advance(7_999)
    expect(await statusFrom('198.51.100.1')).toBe(429)
    clock.advance(1)
    expect(await statusFrom('198.51.100.1')).toBe(303)
    // The right password ends the waits.
    expect(await statusFrom('198.51.100.1', { password: 'wrong' })).toBe(403)
    expect(await statusFrom('198.51.100.1')).toBe(303)
  })

  test('of all networks in one IPv6 site wait together, and those for another e-mail by themselves', async () => {
    for (let i = 0; i < 3; i++) expect(await statusFrom(`2001:db8:1:${i}::1`, { password: 'wrong' })).toBe(403)
    expect(await statusFrom('2001:db8:1:9::1')).toBe(429)
    expect(await statusFrom('2001:db8:2::1')).toBe(303)
    expect(await statusFrom('2001:db8:1:9::1', { email: 'nobody@example.org' })).toBe(403)
  })

  test('of one network for many e-mails stop after a hundred an hour', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 101; i++) statuses.push(await statusFrom('203.0.113.5', { email: `u${i}@b.co` }))
    expect(statuses).toEqual([...Array(100).fill(403), 429])
    // A browser that the owner signed in with counts by itself.
    const browser = new Browser(app, { ip: '203.0.113.5' })
    browser.device = home.device
    expect((await signIn(browser)).statusCode).toBe(303)
  })

  test('count when they come at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 15 }, () => statusFrom('198.51.100.1', { password: 'wrong' })),
    )
    expect(answers.filter((status) => status === 403)).toHaveLength(3)
  })

  test('where the owner signed in before wait by themselves', async () => {
    for (let i = 0; i < 3; i++) expect((await signIn(home, { password: 'wrong' })).statusCode).toBe(403)
    expect((await signIn(home)).statusCode).toBe(429)
    // Those of others in the same network were not counted with them, nor the other way round.
    expect(await statusFrom(HOME_IP)).toBe(303)
    clock.advance(1_000)
    expect((await signIn(home)).statusCode).toBe(303)
  })

  test('and right ones where the owner signed in before are at most sixty an hour', async () => {
    clock.at = new Date(`${clock.at.toISOString().slice(0, 10)}T12:00:00Z`)
    const statuses: number[] = []
    for (let i = 0; i < 61; i++) statuses.push((await signIn(home)).statusCode)
    expect(statuses).toEqual([...Array(60).fill(303), 429])
    // Only her own browsers count.
    clock.advance(HOUR_MS)
    for (let i = 0; i < 100; i++) await statusFrom(`198.51.100.${i}`)
    expect((await signIn(home)).statusCode).toBe(303)
  })

  test('for the present password on the account page are not delayed by strangers either', async () => {
    await signIn(home)
    home.device = undefined
    await attack()
    const fields = { password: PASSWORD, new_password: 'four blue scaffolds' }
    expect((await home.post('/console/account/password', fields)).statusCode).toBe(303)
  })
})

test('while strangers keep all hashes busy the owner signs in where she signed in before', async () => {
  // given: hashes that take some 50 ms each, and strangers who fill their queue again and again
  const busy = testConsole(store, clock, { passwordCost: { N: 2 ** 14, r: 8, p: 1 } })
  const strangers: Promise<unknown>[] = []
  const isFull = Promise.withResolvers<void>()
  for (let i = 0; i < 60; i++)
    strangers.push(
      signIn(new Browser(busy, { ip: `198.51.100.${i}` }), { email: `u${i}@b.co` }).then(({ statusCode }) => {
        if (statusCode === 503) isFull.resolve()
      }),
    )
  await isFull.promise
  // when
  const owner = new Browser(busy, { ip: HOME_IP })
  owner.device = home.device
  let isLeft = true
  const others = Promise.all(strangers).then(() => {
    isLeft = false
  })
  // then: she goes before those who wait
  expect([(await signIn(owner)).statusCode, isLeft]).toEqual([303, true])
  await others
  await busy.close()
})

describe('a browser', () => {
  const isKnown = async (browser: Browser) => {
    for (let i = 0; i < 3; i++) await statusFrom(HOME_IP, { password: 'wrong' })
    const { statusCode } = await signIn(browser)
    await store.query(`truncate sign_in_waits`)
    return statusCode === 303
  }

  test('is known by a cookie that no script reads, and whose hash alone is stored', async () => {
    const { headers } = await signIn(new Browser(app))
    const header = [headers['set-cookie']].flat().find((text) => text?.startsWith('__Host-device')) as string
    const [, token] = /^__Host-device=([\w-]{43}); (.*)$/.exec(header) as unknown as [string, string]
    expect(header.split('; ').slice(1).sort()).toEqual([
      'HttpOnly',
      'Max-Age=15552000',
      'Path=/',
      'SameSite=Strict',
      'Secure',
    ])
    const rows = await store.query(`select known_devices::text as row from known_devices`)
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(token).toString('hex'))
  })

  test('is known to each person who signed in with it, by a token of their own', async () => {
    const other = `other-${email}`
    await signUpInBrowser(app, store, { email: other })
    const [own] = String(home.device).split('.')
    // when: another person signs in there
    await signIn(home, { email: other })
    const [theirs, ...more] = String(home.device).split('.')
    expect([theirs === own, more]).toEqual([false, [own]])
    // then: both are known, and neither by the other's token
    expect(await isKnown(home)).toBe(true)
    const strange = new Browser(app)
    strange.device = theirs
    expect(await isKnown(strange)).toBe(false)
  })

  test('with a made-up or foreign cookie is unknown, and gets a token of its own', async () => {
    for (const device of ['A'.repeat(43), 'x', '.'.repeat(4_000), `${'A'.repeat(43)}.${'B'.repeat(43)}`]) {
      const browser = new Browser(app)
      browser.device = device
      expect(await isKnown(browser)).toBe(false)
      await signIn(browser)
      expect(String(browser.device).split('.')[0]).not.toBe(device.split('.')[0])
      expect(await isKnown(browser)).toBe(true)
    }
  })

  test('stays known for 180 days after the last sign-in', async () => {
    clock.advance(179 * DAY_MS)
    expect(await isKnown(home)).toBe(true)
    clock.advance(179 * DAY_MS)
    expect(await isKnown(home)).toBe(true)
    clock.advance(180 * DAY_MS)
    expect(await isKnown(home)).toBe(false)
  })

  test.each(['a reset', 'a new password', 'signing out elsewhere'])('elsewhere is forgotten by %s', async (what) => {
    const thief = new Browser(app, { ip: HOME_IP })
    await signIn(thief)
    await signIn(home)
    if (what === 'a reset') {
      await home.post('/console/forgot', { email })
      const token = tokenOf(await mailedLinkPath(store, email))
      await home.post('/console/reset', { token, new_password: PASSWORD })
    } else if (what === 'a new password') {
      await home.post('/console/account/password', { password: PASSWORD, new_password: `${PASSWORD}!` })
      await home.post('/console/account/password', { password: `${PASSWORD}!`, new_password: PASSWORD })
    } else await home.post('/console/account/sign-out-elsewhere')
    expect([await isKnown(thief), await isKnown(home)]).toEqual([false, true])
  })
})
