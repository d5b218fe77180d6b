import { once } from 'node:events'
import { mkdirSync, mkdtempDisposableSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from '@catalog/stack/conformance/mail.ts'
import {
  faultsOf,
  openPerson,
  type Person,
  startBrowser,
  tabThrough,
  unavailable,
} from '@catalog/stack/servers/browser.ts'
import { addressOf, answerOf, freePort, type Running, startCatalog } from '@catalog/stack/servers/command.ts'
import { authorizationUrl, proofKey, register } from '@catalog/stack/testing/agent.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFailed, test, vi } from 'vitest'

const SCREENS = join(import.meta.dirname, '../../../docs/screens')
/** A mail leaves within seconds of the page that announces it. */
const MAIL_TIMEOUT_MS = 60_000
const POLL_MS = 50
const ANON_PER_MINUTE = 60
/** What Chromium shows without any style. */
const DEFAULT_FONT = '"Times New Roman"'
const PASSWORD = 'zement und ziegel 24'
/** A page that does not escape this name shows another one. */
const NAME = 'Obras & Cía'

const FOCUSED_NAME = `document.activeElement.getAttribute('name') ?? document.activeElement.textContent`

const FONT = `(part) => getComputedStyle(part).fontFamily`

const missing = unavailable()

/** One story in a browser: each test continues where the one before it ended. */
describe.skipIf(missing !== null)(`${missing ?? ''}the console`, () => {
  const folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-console-'))
  const data = join(folder.path, 'data')
  let server: Running
  let browser: Browser
  let origin: string
  let env: Record<string, string>
  let ana: Person
  let ben: Person

  beforeAll(async () => {
    const port = String(await freePort())
    env = { PORT: port }
    server = startCatalog(['up', '--json'], { data, env })
    origin = new URL(await addressOf(server)).origin
    browser = await startBrowser()
    ;[ana, ben] = [await openPerson(browser, origin), await openPerson(browser, origin)]
  })
  afterAll(async () => {
    await browser?.close()
    await server?.[Symbol.asyncDispose]()
    folder.remove()
  })
  let isBroken = false
  beforeEach(({ skip }) => {
    skip(isBroken, 'the test before it failed')
    onTestFailed(() => {
      isBroken = true
    })
  })
  afterEach(() => {
    expect([...ana.complaints, ...ben.complaints]).toEqual([])
  })

  const operator = <T>(...args: string[]) => answerOf(args, { data, env }) as Promise<T>

  /** The link in the newest mail to this address whose subject begins so. */
  async function mailed(to: string, subject: string): Promise<string> {
    const dir = join(data, 'mail')
    return await vi.waitFor(
      () => {
        const names = readdirSync(dir)
          .filter((name) => name.endsWith('.eml'))
          .sort()
          .reverse()
        const mails = names.map((name) => parse(readFileSync(join(dir, name))))
        const its = mails.find(({ headers }) => headers.get('to') === to && headers.get('subject')?.startsWith(subject))
        const [link] = /http\S+\?token=\S+/.exec(its?.text ?? '') ?? []
        if (link === undefined) throw new Error(`expected a mail '${subject}' to ${to}`)
        return link
      },
      { timeout: MAIL_TIMEOUT_MS, interval: POLL_MS },
    )
  }

  /** Checks that the page has this heading and no fault. */
  async function see({ page }: Person, heading: string, screen?: string): Promise<void> {
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
    expect(await page.locator('h1').count()).toBe(1)
    if (screen !== undefined && process.env.UPDATE_SCREENS === '1') {
      mkdirSync(SCREENS, { recursive: true })
      await page.screenshot({ path: join(SCREENS, `${screen}.png`), fullPage: true })
    }
    expect([heading, await faultsOf(page)]).toEqual([heading, []])
  }
  const fill = async ({ page }: Person, fields: Record<string, string>, button: string) => {
    for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text)
    await page.getByRole('button', { name: button, exact: true }).click()
  }
  const go = ({ page }: Person, name: string) =>
    page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name }).click()

  test('a person signs up and opens the mailed link', async () => {
    await ana.page.goto(`${origin}/console`)
    await see(ana, 'Sign in', 'sign-in')
    await ana.page.getByRole('link', { name: 'Sign up' }).click()
    await see(ana, 'Sign up')
    await fill(ana, { 'E-mail': 'ana@example.org', 'New password': 'ana@example.org' }, 'Sign up')
    // The form refuses it, and the field says why.
    const password = ana.page.getByLabel('New password')
    expect(await password.getAttribute('aria-invalid')).toBe('true')
    await see(ana, 'Sign up')
    await fill(ana, { 'New password': PASSWORD }, 'Sign up')
    await see(ana, 'Check your mail')
    await ana.page.goto(await mailed('ana@example.org', 'Verify your e-mail'))
    await see(ana, 'Verify your e-mail')
    await fill(ana, { Password: PASSWORD, 'Name of your workspace': NAME }, 'Verify and sign in')
    await see(ana, NAME)
    expect(await ana.page.getByText(/^Free: /).count()).toBe(1)
  })

  test('the cookies are hidden from scripts and other hosts', async () => {
    const cookies = await ana.context.cookies()
    expect(cookies.toSorted((a, b) => a.name.localeCompare(b.name))).toMatchObject([
      { name: '__Host-device', httpOnly: true, secure: true, sameSite: 'Strict', path: '/', domain: '127.0.0.1' },
      { name: '__Host-session', httpOnly: true, secure: true, sameSite: 'Lax', path: '/', domain: '127.0.0.1' },
    ])
  })

  test('the free plan has no keys to issue, until the operator sets the paid one', async () => {
    await go(ana, 'Keys')
    await see(ana, 'Keys')
    expect(await ana.page.getByRole('button', { name: 'Issue' }).count()).toBe(0)
    await operator('workspace', 'plan', NAME, 'paid')
    await ana.page.reload()
    await see(ana, 'Keys')
  })

  let key: string
  test('a key is issued by keyboard alone, shown once, and works', async () => {
    const { page } = ana
    expect(await tabThrough(page)).toEqual([
      'Skip to content',
      'Construction Cost Catalog',
      'ana@example.org',
      'Sign out',
      'Overview',
      'Keys',
      'Agents',
      'Members',
      'Audit log',
      'name',
      'Issue',
    ])
    await page.reload()
    // The skip link, then on from the content.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    for (const step of ['Overview', 'Keys', 'Agents', 'Members', 'Audit log', 'name']) {
      await page.keyboard.press('Tab')
      expect(await page.evaluate(FOCUSED_NAME)).toBe(step)
    }
    await page.keyboard.type('estimating')
    await page.keyboard.press('Enter')
    await see(ana, 'New key', 'key-once')
    key = String(await page.locator('.secret code').first().textContent())
    expect(key).toMatch(/^svc_org_\w{36}$/)
    const usage = await fetch(`${origin}/v1/usage`, { headers: { authorization: `Bearer ${key}` } })
    expect(usage.status).toBe(200)

    await page.getByRole('link', { name: 'Done, back to the keys' }).click()
    await see(ana, 'Keys')
    expect(await page.content()).toContain(`${key.slice(0, 12)}…`)
    expect(await page.content()).not.toContain(key)
    await page.goBack()
    expect(await page.content()).not.toContain(key)
  })

  test('a key is revoked in two steps', async () => {
    const { page } = ana
    await page.goto(`${origin}/console`)
    await go(ana, 'Keys')
    await page.locator('summary', { hasText: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke it' }).click()
    await page.getByText('The key is revoked.').waitFor()
    await see(ana, 'Keys')
    expect(await page.locator('tbody tr').textContent()).toMatch(/revoked/)
  })

  test('an invited person joins by the mailed link and sees what members see', async () => {
    await go(ana, 'Members')
    await fill(ana, { 'E-mail': 'ben@example.org' }, 'Invite')
    await ana.page.getByText('The invitation is on its way by mail.').waitFor()
    await see(ana, 'Members')
    await ben.page.goto(await mailed('ben@example.org', 'Invitation'))
    await see(ben, 'Join a workspace')
    await fill(ben, { 'New password': PASSWORD }, 'Sign up and join')
    await see(ben, NAME)
    await go(ben, 'Keys')
    expect(await ben.page.getByRole('button', { name: 'Issue' }).count()).toBe(0)
    await go(ben, 'Members')
    await see(ben, 'Members')
    expect(await ben.page.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
    // A link works once.
    await ben.page.goto(await mailed('ben@example.org', 'Invitation'))
    await see(ben, 'The link does not work')
  })

  test('the audit log lists the actions', async () => {
    await go(ana, 'Audit log')
    await see(ana, 'Audit log')
    const cells = await ana.page.locator('tbody td').allTextContents()
    const said = cells.flatMap((who, i) => (i % 2 === 0 ? `${who.trim()} ${cells[i + 1]?.trim()}` : []))
    expect(said).toEqual([
      'ben@example.org joined as member',
      'ana@example.org invited ben@example.org as member',
      `ana@example.org revoked the key ${key.slice(0, 12)}… for estimating`,
      `ana@example.org issued the key ${key.slice(0, 12)}… for estimating`,
      `operator set the plan of ${NAME} to paid`,
      `ana@example.org created the workspace ${NAME}`,
    ])
  })

  test('the other pages have no fault either', async () => {
    await ana.page.goto(`${origin}/console/new`)
    await see(ana, 'New workspace')
    await fill(ana, { 'Name of your workspace': 'Puentes' }, 'Create the workspace')
    await see(ana, 'Puentes')
    await ana.page.goto(`${origin}/console`)
    await see(ana, 'Workspaces')
    await ana.page.getByRole('link', { name: NAME }).click()
    await see(ana, NAME, 'console')
    await ana.page.getByRole('link', { name: 'ana@example.org' }).click()
    await see(ana, 'Your account')
    await ana.page.goto(`${origin}/console/workspaces/ws_other`)
    await see(ana, 'Not found')
    await ana.page.goto(`${origin}/console/invite?token=other`)
    await see(ana, 'The link does not work')
  })

  describe('an agent', () => {
    /** Opens a tab in the browser of a signed-in person; returns the tab with the consent page. */
    async function asking(redirectUri: string, screen?: string): Promise<Page> {
      const { body } = await register(origin, { client_name: 'Estimator', redirect_uris: [redirectUri] })
      const parameters = { client_id: String(body.client_id), code_challenge: proofKey().challenge }
      const page = await ana.context.newPage()
      await page.goto(authorizationUrl(origin, { ...parameters, redirect_uri: redirectUri }))
      await see({ ...ana, page }, 'Let Estimator use the catalog?', screen)
      return page
    }
    const letIn = (page: Page) => page.getByRole('button', { name: 'Allow', exact: true }).click({ noWaitAfter: true })
    /** A navigation to this address is no complaint. */
    const wentTo = (start: string) =>
      expect(ana.complaints.splice(0).filter((line) => !line.startsWith(`asked for ${start}`))).toEqual([])

    test('is admitted, and the browser returns to it with a code', async () => {
      const asked: string[] = []
      const agent = createServer((request, response) => {
        asked.push(String(request.url))
        response.end('<!doctype html><html lang="en"><title>Agent</title><h1>Back</h1>')
      }).listen(0, '127.0.0.1')
      await once(agent, 'listening')
      try {
        const home = `http://127.0.0.1:${(agent.address() as AddressInfo).port}`
        const page = await asking(`${home}/callback`, 'consent')
        await letIn(page)
        await page.getByRole('heading', { name: 'Back' }).waitFor()
        expect(asked[0]).toMatch(/^\/callback\?code=.+&state=st/)
        await page.close()
        wentTo(home)
      } finally {
        agent.closeAllConnections()
        agent.close()
      }
    })

    test('on the desktop gets the answer by its scheme', async () => {
      const page = await asking('com.example.estimator:/callback')
      const answered = page.waitForEvent('request', (request) => request.url().startsWith('com.example.estimator:'))
      await letIn(page)
      expect((await answered).url()).toMatch(/^com\.example\.estimator:\/callback\?code=/)
      await page.close()
      wentTo('com.example.estimator:')
    })

    test('is listed, and disconnected in two steps', async () => {
      await ana.page.goto(`${origin}/console`)
      await ana.page.getByRole('link', { name: NAME }).click()
      await go(ana, 'Agents')
      await see(ana, 'Agents')
      await ana.page.locator('summary').first().click()
      await ana.page.locator('details[open] button').click()
      await ana.page.getByText('The agent is disconnected.').waitFor()
      await see(ana, 'Agents')
    })
  })

  test('a person who signs out is out, and returns by a new password', async () => {
    const { page } = ana
    await page.goto(`${origin}/console`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await see(ana, 'Sign in')
    expect((await ana.context.cookies()).map(({ name }) => name)).not.toContain('__Host-session')
    await page.goBack()
    await see(ana, 'Sign in')
    await fill(ana, { 'E-mail': 'ana@example.org', Password: 'not the password' }, 'Sign in')
    await page.getByText('The e-mail or the password is wrong.').waitFor()
    await see(ana, 'Sign in')
    await page.getByRole('link', { name: 'Forgot the password?' }).click()
    await see(ana, 'Forgot the password')
    await fill(ana, { 'E-mail': 'ana@example.org' }, 'Send the link')
    await see(ana, 'Check your mail')
    await page.goto(await mailed('ana@example.org', 'Set a new password'))
    await see(ana, 'Set a new password')
    await fill(ana, { 'New password': `${PASSWORD} neu` }, 'Set the password and sign in')
    await see(ana, 'Workspaces')
  })

  test('an owner invited by the operator joins by the link that the command shows', async () => {
    const made = await operator<{ invitation: { link: string } }>(
      'workspace',
      'create',
      'Grúas',
      '--owner',
      'eva@example.org',
    )
    const eva = await openPerson(browser, origin)
    await eva.page.goto(made.invitation.link)
    await fill(eva, { 'New password': PASSWORD }, 'Sign up and join')
    await see(eva, 'Grúas')
    expect(await eva.page.getByRole('link', { name: 'Audit log' }).count()).toBe(1)
    expect(eva.complaints).toEqual([])
  })

  test('the reference, the error codes and the plans show on a first, a second and a throttled visit', async () => {
    const reader = await openPerson(browser, origin)
    const pages = [
      ['/docs', 'Every address begins with'],
      ['/docs/errors', 'rate_limited_minute'],
      ['/plans', 'Developer key'],
    ] as const
    const visit = async () => {
      for (const [path, text] of pages) {
        await reader.page.goto(`${origin}${path}`)
        const shown = reader.page.getByText(text).first()
        await shown.waitFor()
        expect([path, await shown.evaluate(FONT)]).not.toEqual([path, DEFAULT_FONT])
      }
    }
    await visit()
    // The browser asks again whether its copies still hold.
    await visit()
    let status = 0
    for (let asked = 0; status !== 429 && asked <= ANON_PER_MINUTE; asked++)
      status = (await fetch(`${origin}/v1/items?limit=1`)).status
    expect(status).toBe(429)
    await visit()
    // The reference logs its version.
    expect(reader.complaints.filter((text) => !text.includes(': @scalar/api-reference@'))).toEqual([])
  })
})
