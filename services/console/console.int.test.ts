import { asApiError } from '@catalog/api/http/errors.ts'
import { queryText } from '@catalog/console/pages/form.ts'
import { sendPage } from '@catalog/console/pages/html.ts'
import { requireSession } from '@catalog/console/sessions/session.ts'
import { Browser, mailedLinkPath, PASSWORD, signUpInBrowser } from '@catalog/stack/testing/browser.ts'
import { ORIGIN, useTestConsole } from '@catalog/stack/testing/console.ts'
import type { FastifyError } from 'fastify'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

/** Rules of every page: for a browser, another site and an unknown client. */
let person: Browser
const problems: FastifyError[] = []

const { app, store } = await useTestConsole({
  startsAt: '2026-11-20T12:00:00Z',
  toApiError(error) {
    problems.push(error)
    return asApiError(error)
  },
  moreRoutes(pages) {
    pages.get('/consent/:uid', async (request, reply) => {
      const { email } = requireSession(request)
      const targets = ['https://client.example.org', 'cursor:', 'http://127.0.0.1:*']
      return sendPage(reply, { title: 'Consent', body: email, formTargets: targets })
    })
    pages.post('/consent/:uid', async (request) => requireSession(request).email)
    pages.get('/target', async (request, reply) =>
      sendPage(reply, { title: 'Target', body: '', formTargets: [queryText(request, 'target')] }),
    )
    pages.get('/problem', async () => {
      throw new Error('relation "users" has the password hunter2')
    })
    pages.get('/away', async () => {
      throw Object.assign(new Error('connect ECONNREFUSED /secret/socket'), { code: 'ECONNREFUSED' })
    })
  },
})
beforeAll(async () => {
  person = await signUpInBrowser(app, store, { email: 'person@example.org' })
})
beforeEach(async () => {
  problems.length = 0
})

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

describe('an answer', () => {
  test.each([
    ['/console/sign-in', 200],
    ['/console/sign-up', 200],
    ['/console/forgot', 200],
    ['/console/account', 200],
    ['/console/new', 200],
    ['/console', 303],
    ['/console/nothing', 404],
    ['/console/verify?token=x', 404],
    ['/console/problem', 500],
  ])('of %s is private, unframed, free of scripts and unreadable for other origins', async (path, status) => {
    const reader = path.includes('sign') ? new Browser(app) : person
    const { statusCode, headers, body } = await reader.get(path)
    expect(statusCode).toBe(status)
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': POLICY,
      'referrer-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      'strict-transport-security': 'max-age=31536000',
    })
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(body).not.toMatch(/<script|javascript:|\son\w+=/i)
  })

  test('of a page has a language, a title, one heading, a skip link, and a label on every field', async () => {
    for (const [path, reader] of [
      ['/console/sign-in', new Browser(app)],
      ['/console/sign-up', new Browser(app)],
      ['/console/forgot', new Browser(app)],
      ['/console/account', person],
      ['/console/new', person],
      ['/console/nothing', person],
    ] as const) {
      const { body } = await reader.get(path)
      expect(body).toContain('<html lang="en">')
      expect(body.match(/<h1>/g)).toHaveLength(1)
      expect(body).toMatch(/<a class="skip" href="#content">[\s\S]*<main id="content"/)
      for (const [field, name] of body.matchAll(/<input id="(\w+)"[^>]*>/g)) {
        expect(body).toContain(`<label for="${name}">`)
        expect(field).toMatch(/autocomplete="(?!")/)
      }
    }
  })

  test('names further form targets of a page, and refuses a malformed one', async () => {
    const { headers } = await person.get('/console/consent/abc')
    const targets = 'https://client.example.org cursor: http://127.0.0.1:*'
    expect(headers['content-security-policy']).toBe(POLICY.replace("'self'", `'self' ${targets}`))
    for (const target of ["https://a.example; script-src 'unsafe-inline'", 'https://a b', "'unsafe-inline'", '*', '']) {
      problems.length = 0
      expect((await person.get(`/console/target?${new URLSearchParams({ target })}`)).statusCode).toBe(500)
      expect(problems[0]?.message).toMatch(/^form target/)
    }
  })
})

describe('a form', () => {
  const send = (headers: Record<string, string | undefined>, path = '/console/account/sign-out-elsewhere') =>
    app.inject({
      method: 'POST',
      url: path,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        cookie: `__Host-session=${person.cookie}`,
        ...headers,
      },
    })

  test.each([
    [{ origin: 'https://evil.example.org' }],
    [{ origin: 'https://evil.example.org', 'sec-fetch-site': 'same-origin' }],
    [{ origin: 'null' }],
    [{ origin: '' }],
    [{ origin: `${ORIGIN}.evil.example.org` }],
    [{ origin: `${ORIGIN}:8443` }],
    [{ origin: ORIGIN.replace('https', 'http') }],
    [{ origin: ORIGIN.replace('catalog', 'other') }],
    [{}],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ 'sec-fetch-site': 'none' }],
    [{ referer: `${ORIGIN}/console/account` }],
  ])('of another site is refused (CSRF): %j', async (headers) => {
    const answer = await send(headers)
    expect(answer.statusCode).toBe(403)
    expect(answer.body).toContain(`did not come from a page of ${ORIGIN}`)
    expect((await send(headers, '/console/consent/abc')).statusCode).toBe(403)
    expect((await send(headers, '/console/sign-in')).statusCode).toBe(403)
    expect((await send(headers, '/console/sign-out')).statusCode).toBe(403)
    expect((await person.get('/console/account')).statusCode).toBe(200)
  })

  test('of this site is accepted by its Origin, or by Sec-Fetch-Site when the browser hides it', async () => {
    expect((await send({ origin: ORIGIN })).statusCode).toBe(303)
    expect((await send({ 'sec-fetch-site': 'same-origin' })).statusCode).toBe(303)
    expect((await person.post('/console/consent/abc')).body).toBe('person@example.org')
  })

  test('of a signed-out person is refused with advice', async () => {
    const answer = await new Browser(app).post('/console/account/password', {})
    expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([401, 'Cookie realm="console"'])
    expect(answer.body).toContain('href="/console/sign-in"')
  })

  test.each([
    ['application/json', '{"email":"a@b.co"}', 415],
    ['text/plain', 'email=a@b.co', 415],
    ['multipart/form-data; boundary=x', '--x--', 415],
    ['application/x-www-form-urlencoded', `email=${'a'.repeat(16_384)}`, 413],
  ])('of the type %s and the body %.20j is answered with a page of status', async (type, payload, status) => {
    const headers = { 'content-type': type, origin: ORIGIN }
    const answer = await app.inject({ method: 'POST', url: '/console/sign-in', payload, headers })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8'])
  })

  test('treats repeated, missing and prototype fields as empty', async () => {
    for (const payload of ['email=a@b.co&email=c@d.co', '', '__proto__=x&constructor=y', 'email', '%', '&&==']) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN }
      const answer = await app.inject({ method: 'POST', url: '/console/sign-in', payload, headers })
      expect([payload, answer.statusCode]).toEqual([payload, 400])
    }
    const bare = await app.inject({ method: 'POST', url: '/console/sign-in', headers: { origin: ORIGIN } })
    expect(bare.statusCode).toBe(400)
  })
})

describe('a failure', () => {
  test('is a page with the request id that reveals nothing internal', async () => {
    const { headers, body } = await person.get('/console/problem')
    expect(problems.map(({ message }) => message)).toEqual(['relation "users" has the password hunter2'])
    expect(body).toContain(`Request ${headers['x-request-id']}`)
    expect(body).not.toMatch(/hunter2|relation/)
  })

  test('of an unavailable store names a retry time', async () => {
    const { statusCode, headers, body } = await person.get('/console/away')
    expect([statusCode, headers['retry-after'], body.includes('socket')]).toEqual([503, '5', false])
  })

  test('of a missing page is a page too, whatever its address, and is not logged as an error', async () => {
    for (const path of ['/console/<script>', '/console/%3Cscript%3E', '/console/sign-out', '/console/a/b/c']) {
      const { statusCode, headers, body } = await person.get(path)
      expect([path, statusCode, headers['content-type']]).toEqual([path, 404, 'text/html; charset=utf-8'])
      expect(body).not.toContain('script')
    }
    expect(problems).toEqual([])
  })
})

describe('typed text', () => {
  const NASTY = `"><img src=x onerror=alert(1)>'&lt;`
  const isText = (body: string) => {
    expect(body).not.toContain('<img')
    expect(body).toContain('&#60;img src&#61;x')
  }

  test('is shown as text', async () => {
    isText((await new Browser(app).post('/console/sign-in', { email: NASTY })).body)
    isText((await new Browser(app).post('/console/sign-up', { email: NASTY })).body)
    isText((await new Browser(app).post('/console/forgot', { email: NASTY })).body)
    isText((await person.post('/console/new', { workspace: NASTY.padEnd(90, 'x') })).body)
    const made = await person.post('/console/new', { workspace: NASTY })
    isText((await person.get(made.headers.location as string)).body)
    isText((await person.get('/console')).body)
  })

  test('is shown as text when a link repeats it', async () => {
    const email = 'typed@example.org'
    await new Browser(app).post('/console/sign-up', { email, new_password: PASSWORD })
    const token = new URL(await mailedLinkPath(store, email), ORIGIN).searchParams.get('token') as string
    isText((await new Browser(app).post('/console/verify', { token, workspace: NASTY.padEnd(90, 'x') })).body)
  })
})
