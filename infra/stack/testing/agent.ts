import { createHash, randomBytes } from 'node:crypto'

/** For tests and judges: a headless browser, and an agent that its user admits. */

export type Browser = Readonly<{
  /** Sends one request without following redirects. It keeps cookies by name and path, as browsers do. */
  send(url: string, fields?: Readonly<Record<string, string>>): Promise<Response>
  /** Follows redirects until it reaches a page or an address of another origin. */
  follow(url: string): Promise<{ url: string; page: string | null }>
  setCookie(line: string): void
}>

/** Far more than any flow here needs. */
const REDIRECTS_MAX = 10

export function openBrowser(origin: string): Browser {
  const jar = new Map<string, { pair: string; path: string }>()
  function setCookie(line: string): void {
    const [pair = '', ...attributes] = line.split(/; */)
    const path = attributes.find((text) => /^path=/i.test(text))?.slice(5) ?? '/'
    const isOver = attributes.some((text) => /^max-age=0$|^expires=thu, 01 jan 1970/i.test(text))
    const name = `${pair.split('=')[0]} ${path}`
    if (isOver) jar.delete(name)
    else jar.set(name, { pair, path })
  }
  async function send(url: string, fields?: Readonly<Record<string, string>>): Promise<Response> {
    const { pathname } = new URL(url)
    const cookies = [...jar.values()].filter(
      ({ path }) => pathname === path || pathname.startsWith(path.replace(/\/?$/, '/')),
    )
    const response = await fetch(url, {
      redirect: 'manual',
      headers: {
        cookie: cookies.map(({ pair }) => pair).join('; '),
        ...(fields && { origin, 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
    })
    for (const line of response.headers.getSetCookie()) setCookie(line)
    return response
  }
  async function follow(start: string): Promise<{ url: string; page: string | null }> {
    let url = start
    for (let i = 0; i < REDIRECTS_MAX; i++) {
      if (!url.startsWith(`${origin}/`)) return { url, page: null }
      const response = await send(url)
      const location = response.headers.get('location')
      if (location === null) return { url, page: await response.text() }
      await response.body?.cancel()
      url = new URL(location, url).href
    }
    throw new Error(`more than ${REDIRECTS_MAX} redirects from ${start}`)
  }
  return { send, follow, setCookie }
}

/** Submits the consent page that the browser is led to; answers the address that follows. */
export async function answerConsent(
  browser: Browser,
  url: string,
  { workspace, decision = 'allow' }: { workspace: string; decision?: 'allow' | 'deny' },
): Promise<string> {
  const consent = await browser.follow(url)
  if (consent.page === null || !new URL(consent.url).pathname.startsWith('/console/consent/')) {
    throw new Error(`expected a page of consent, found ${consent.url}: ${consent.page?.slice(0, 500)}`)
  }
  const answered = await browser.send(consent.url, { decision, workspace })
  const location = answered.headers.get('location')
  if (location === null) throw new Error(`consent was answered with ${answered.status}: ${await answered.text()}`)
  return (await browser.follow(new URL(location, consent.url).href)).url
}

export const REDIRECT_URI = 'http://127.0.0.1:33418/callback'

export type Tokens = Readonly<{ access_token: string; refresh_token?: string; scope: string; expires_in: number }>

/** A proof key for code exchange (RFC 7636). */
export function proofKey(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

export async function register(
  origin: string,
  metadata: object = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${origin}/oauth/reg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Test agent', redirect_uris: [REDIRECT_URI], ...metadata }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

export function authorizationUrl(
  origin: string,
  parameters: Readonly<{ client_id: string; code_challenge: string } & Record<string, string>>,
): string {
  const query = new URLSearchParams({
    response_type: 'code',
    redirect_uri: REDIRECT_URI,
    code_challenge_method: 'S256',
    state: 'st',
    ...parameters,
  })
  return `${origin}/oauth/auth?${query}`
}

export async function requestToken(origin: string, parameters: Readonly<Record<string, string>>) {
  const response = await fetch(`${origin}/oauth/token`, { method: 'POST', body: new URLSearchParams(parameters) })
  return { status: response.status, body: (await response.json()) as Tokens & { error?: string } }
}

/** The whole flow of an agent: it registers, gets consent for the workspace, and exchanges its code for tokens. */
export async function connectAgent(
  origin: string,
  browser: Browser,
  { workspace, ...parameters }: Readonly<{ workspace: string; clientId?: string } & Record<string, string>>,
): Promise<{ clientId: string; tokens: Tokens }> {
  const { clientId = String((await register(origin)).body.client_id), ...more } = parameters
  const { verifier, challenge } = proofKey()
  const url = authorizationUrl(origin, { client_id: clientId, code_challenge: challenge, ...more })
  const back = new URL(await answerConsent(browser, url, { workspace }))
  const code = back.searchParams.get('code')
  if (code === null) throw new Error(`expected a code, found ${back}`)
  const { status, body } = await requestToken(origin, {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
  })
  if (status !== 200) throw new Error(`the token endpoint answered ${status} ${JSON.stringify(body)}`)
  return { clientId, tokens: body }
}

/** Revisions of the protocol: the newest, and the last one whose clients shake hands first. */
export const [MODERN, LEGACY] = ['2026-07-28', '2025-11-25'] as const
export type Era = typeof MODERN | typeof LEGACY

/** Where the agents' endpoint is. */
export const MCP_ENDPOINT = '/api/mcp'

/** A request that calls a tool. */
export function toolCall(
  { tool, args, era = MODERN }: Readonly<{ tool: string; args: object; era?: Era | undefined }>,
  key: string,
) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  }
  const params = { name: tool, arguments: args, ...(era === MODERN && { _meta }) }
  const headers: Readonly<Record<string, string>> = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': era,
    ...(era === MODERN && { 'mcp-method': 'tools/call', 'mcp-name': tool }),
  }
  return { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }) }
}
