import { DEVICE_COOKIE } from '@catalog/console/pages/known-device.ts'
import { PENDING_COOKIE } from '@catalog/console/sessions/second-factor.ts'
import { SESSION_COOKIE } from '@catalog/console/sessions/session.ts'
import type { Store } from '@catalog/store/db.ts'
import type { LightMyRequestResponse } from 'fastify'
import { type Console, mailsTo, ORIGIN } from './console.ts'

/** For tests only: browsers that keep their cookies, and the mail that was sent. */

export const PASSWORD = 'three green ladders'

/** Sends the Origin header with forms, as browsers do. */
export class Browser {
  /** Value of the session cookie, as the browser would send it. */
  cookie: string | undefined
  /** Value of the cookie by which the browser is known to people who signed in with it. */
  device: string | undefined
  /** Value of the cookie of a sign-in that waits for its code. */
  pending: string | undefined
  readonly #app: Console
  readonly #ip: string

  constructor(app: Console, { ip = '192.0.2.1' } = {}) {
    this.#app = app
    this.#ip = ip
  }

  get(path: string): Promise<LightMyRequestResponse> {
    return this.#send({ method: 'GET', url: path })
  }

  post(path: string, fields: Readonly<Record<string, string>> = {}, headers: Record<string, string> = {}) {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const payload = new URLSearchParams(fields).toString()
    return this.#send({ method: 'POST', url: path, payload, headers: { ...type, origin: ORIGIN, ...headers } })
  }

  async #send(request: { method: 'GET' | 'POST'; url: string; payload?: string; headers?: Record<string, string> }) {
    const cookies = [
      ...(this.cookie === undefined ? [] : [`${SESSION_COOKIE}=${this.cookie}`]),
      ...(this.device === undefined ? [] : [`${DEVICE_COOKIE}=${this.device}`]),
      ...(this.pending === undefined ? [] : [`${PENDING_COOKIE}=${this.pending}`]),
    ]
    const answer = await this.#app.inject({
      ...request,
      remoteAddress: this.#ip,
      headers: { 'user-agent': 'Test browser', cookie: cookies.join('; '), ...request.headers },
    })
    for (const { name, value } of answer.cookies) {
      if (name === SESSION_COOKIE) this.cookie = value || undefined
      if (name === DEVICE_COOKIE) this.device = value || undefined
      if (name === PENDING_COOKIE) this.pending = value || undefined
    }
    return answer
  }
}

/** Path and query of the newest mailed link with a token for this address. */
export async function mailedLinkPath(store: Store, email: string): Promise<string> {
  const links = (await mailsTo(store, email)).flatMap(({ body }) => body.match(/https:\S+token=\S+/g) ?? [])
  const { pathname, search } = new URL(links.at(-1) as string)
  return pathname + search
}

export const tokenOf = (path: string): string => new URL(path, ORIGIN).searchParams.get('token') as string

/** Signs up and verifies the e-mail; the browser is then signed in, with a workspace of this name. */
export async function signUpInBrowser(
  app: Console,
  store: Store,
  { email, workspace = `Obras ${email}`, ip = '192.0.2.1' }: { email: string; workspace?: string; ip?: string },
): Promise<Browser> {
  const browser = new Browser(app, { ip })
  await browser.post('/console/sign-up', { email, new_password: PASSWORD })
  const token = tokenOf(await mailedLinkPath(store, email))
  await browser.post('/console/verify', { token, password: PASSWORD, workspace })
  return browser
}
