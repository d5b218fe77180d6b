import { randomBytes } from 'node:crypto'
import { IncomingMessage } from 'node:http'
import { openLimiter, secondsUntil } from '@catalog/access/limits.ts'
import { SCOPES } from '@catalog/api/agents/mcp-tools.ts'
import type { TokenIssuer } from '@catalog/api/agents/tokens.ts'
import { networkOf } from '@catalog/api/callers/caller.ts'
import { MCP_PATH } from '@catalog/api/contract/mcp-paths.ts'
import type { AddressLimit } from '@catalog/console/pages/address-limit.ts'
import type { ConsoleContext } from '@catalog/console/pages/context.ts'
import { keepPrivate, notice, pageOf } from '@catalog/console/pages/html.ts'
import { instant } from '@catalog/core/time.ts'
import type { GuardedFetch } from '@catalog/runtime/fetch.ts'
import { agentOfGrant } from '@catalog/store/accounts/agents.ts'
import { purgePayloads } from '@catalog/store/accounts/oauth.ts'
import { findUser } from '@catalog/store/accounts/people.ts'
import { claimMeta } from '@catalog/store/checkpoints.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { JWK } from 'jose'
import { type Configuration, errors, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { storedModels } from './oauth-adapter.ts'
import { openSigningKeys, renewSigningKeys, SIGNING_ALGORITHM, TOKEN_TTL_SECONDS } from './signing-keys.ts'

/**
 * The authorization server at /oauth: `oidc-provider` on the store, for agents of the MCP endpoint alone. Clients register
 * themselves or publish a document about themselves, PKCE is required, tokens are signed and made out to the endpoint.
 * Whom a person lets in is asked on the page of consent.ts.
 */
export interface AuthorizationServer {
  readonly issuer: string
  /** How its tokens are checked. */
  readonly tokens: TokenIssuer
  /** Its endpoints: below /oauth, and its metadata where RFC 8414 looks for them. */
  mount(app: FastifyInstance): void
  /** The library, for the page of consent. */
  provider(): Promise<Provider>
}

const OAUTH_PATH = '/oauth'
export const CONSENT_PATH = '/console/consent'

type Deps = ConsoleContext &
  Readonly<{
    addresses: AddressLimit
    /** Fetches what clients publish about themselves. */
    fetch: GuardedFetch
    /** Judges that register clients without end have their own. */
    registrations?: typeof REGISTRATIONS
  }>

/** Clients that may register: of an address an hour and a day, and of all together a day. */
const REGISTRATIONS = { perHour: 10, perDay: 30, perDayOfAll: 2_000 }
/** Documents about clients that are fetched for an address, an hour. */
const DOCUMENTS_PER_HOUR = 60

const BODY_BYTES_MAX = 8_192
const REDIRECT_URIS_MAX = 10
const DAY_SECONDS = 86_400
export const GRANT_TTL_SECONDS = 30 * DAY_SECONDS
const PURGE_EVERY_MS = 600_000
const PURGE_MAX = 5_000

export function openAuthorizationServer(deps: Deps): AuthorizationServer {
  const { store, origin, now, log, addresses, registrations = REGISTRATIONS } = deps
  const issuer = origin + OAUTH_PATH
  const resource = origin + MCP_PATH
  const keys = openSigningKeys({ store, now })
  const limiter = openLimiter({ store, now })
  let opened: Readonly<{ kids: string; provider: Provider; serve: ReturnType<Provider['callback']> }> | undefined

  /** One for each state of the key set: the library takes its keys when it is made. */
  async function open(): Promise<NonNullable<typeof opened>> {
    const { jwks } = await keys.current()
    const kids = jwks.map(({ kid }) => kid).join()
    if (opened?.kids === kids) return opened
    const secret = await claimMeta(store, 'oauth_cookie_secret', randomBytes(32).toString('hex'))
    const made = new Provider(issuer, configuration(jwks, secret))
    // What the issuer says of itself decides how the library sees a request, not how it came to us.
    made.proxy = true
    made.on('server_error', (_ctx, err) => log?.error({ err }, 'the authorization server failed'))
    opened = { kids, provider: made, serve: made.callback() }
    return opened
  }

  function configuration(jwks: readonly JWK[], secret: string): Configuration {
    return {
      adapter: storedModels({ store, now }),
      jwks: { keys: [...jwks] } as Configuration['jwks'],
      cookies: {
        keys: [secret],
        names: { session: 'oauth_session', interaction: 'oauth_interaction', resume: 'oauth_resume' },
      },
      scopes: ['openid', 'offline_access', ...SCOPES],
      claims: { openid: ['sub'] },
      clientDefaults: {
        id_token_signed_response_alg: SIGNING_ALGORITHM,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        // Loopback addresses on any port (RFC 8252), and consent each time.
        application_type: 'native',
      },
      clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
      enabledJWA: { idTokenSigningAlgValues: [SIGNING_ALGORITHM] },
      responseTypes: ['code'],
      pkce: { required: () => true },
      rotateRefreshToken: true,
      issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
      expiresWithSession: async () => false,
      // A browser may be where an agent runs; no cookie has a say at these endpoints.
      clientBasedCORS: () => true,
      ttl: {
        AccessToken: TOKEN_TTL_SECONDS,
        AuthorizationCode: 60,
        IdToken: TOKEN_TTL_SECONDS,
        RefreshToken: GRANT_TTL_SECONDS,
        Interaction: 600,
        // From the request to the answer: who is signed in is known by our own session.
        Session: 600,
        Grant: GRANT_TTL_SECONDS,
      },
      features: {
        devInteractions: { enabled: false },
        userinfo: { enabled: false },
        rpInitiatedLogout: { enabled: false },
        pushedAuthorizationRequests: { enabled: false },
        dPoP: { enabled: false },
        revocation: {
          enabled: true,
          // RFC 7009 §2.1: each ends its own tokens alone.
          allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId,
        },
        registration: { enabled: true, issueRegistrationAccessToken: false },
        clientIdMetadataDocument: { enabled: true, ack: 'draft-02', allowFetch: admitDocument },
        resourceIndicators: {
          enabled: true,
          defaultResource: () => resource,
          useGrantedResource: () => true,
          async getResourceServerInfo(_ctx, indicator) {
            if (indicator !== resource) throw new errors.InvalidTarget()
            return {
              scope: SCOPES.join(' '),
              audience: resource,
              accessTokenTTL: TOKEN_TTL_SECONDS,
              accessTokenFormat: 'jwt',
              jwt: { sign: { alg: SIGNING_ALGORITHM, kid: (await keys.current()).kid } },
            }
          },
        },
      },
      interactions: { url: (_ctx, { uid }) => `${CONSENT_PATH}/${uid}` },
      // Each consent names its grant; what was granted before is found there, and nowhere without a person.
      async loadExistingGrant(ctx) {
        const grantId = ctx.oidc.result?.consent?.grantId
        return grantId === undefined ? undefined : await ctx.oidc.provider.Grant.find(grantId)
      },
      async findAccount(_ctx, userId) {
        const user = await findUser(store, { userId })
        return user && { accountId: userId, claims: async () => ({ sub: userId }) }
      },
      async extraTokenClaims(_ctx, token) {
        const grantId = 'grantId' in token ? token.grantId : undefined
        const agent = grantId === undefined ? undefined : await agentOfGrant(store, grantId)
        if (agent === undefined) throw new errors.InvalidGrant('the agent is not connected any more')
        return { agent: agent.agent_id, wid: agent.workspace_id }
      },
      renderError(ctx, { error, error_description }) {
        ctx.type = 'html'
        const body = notice('error', `${error}: ${error_description ?? 'no more is known'}`)
        ctx.body = pageOf({ title: 'The request cannot be answered', body }, undefined)
      },
      fetch: (url, init) => deps.fetch(url as URL, init as Parameters<GuardedFetch>[1]) as unknown as Promise<Response>,
    }
  }

  async function admitDocument(ctx: KoaContextWithOIDC): Promise<boolean> {
    const full = await limiter.takeOnce([
      {
        owner: { kind: 'ip', id: networkOf(ctx.ip) },
        counts: 'oauth-documents',
        period: 'hour',
        limit: DOCUMENTS_PER_HOUR,
      },
    ])
    return full === undefined
  }

  async function admitRegistration(ip: string): Promise<number | undefined> {
    const owner = { kind: 'ip', id: networkOf(ip) } as const
    const { perHour, perDay, perDayOfAll } = registrations
    const endMs = await limiter.takeOnce([
      { owner, counts: 'oauth-reg-hour', period: 'hour', limit: perHour },
      { owner, counts: 'oauth-reg-day', period: 'day', limit: perDay },
      { owner: { kind: 'everybody', id: 'oauth' }, counts: 'oauth-reg-day', period: 'day', limit: perDayOfAll },
    ])
    return endMs && secondsUntil(endMs, now().getTime())
  }

  /** Clients name the resource in several ways, and all mean the one that there is. */
  function withOneResource(parameters: URLSearchParams): URLSearchParams {
    const given = parameters.getAll('resource')
    if (given.length === 0) return parameters
    parameters.delete('resource')
    const ours = new Set([resource, `${resource}/`, origin, `${origin}/`])
    for (const one of new Set(given.map((name) => (ours.has(name) ? resource : name))))
      parameters.append('resource', one)
    return parameters
  }

  /** Whoever asks for no scope in particular asks for all that there is; the page of consent says so. */
  function withDefaultScope(url: string): string {
    const parameters = withOneResource(new URLSearchParams(url.split('?')[1]))
    if (!parameters.get('scope')) parameters.set('scope', SCOPES.join(' '))
    return `/auth?${parameters}`
  }

  async function answer(request: FastifyRequest, reply: FastifyReply, url: string): Promise<FastifyReply> {
    const path = url.split('?')[0] as string
    const waitSeconds =
      (await addresses.admit(request.ip)) ?? (path === '/reg' ? await admitRegistration(request.ip) : undefined)
    if (waitSeconds !== undefined) {
      const description = `too many requests; try again in ${waitSeconds} s`
      return refuse(reply.header('retry-after', waitSeconds), 429, 'temporarily_unavailable', description)
    }
    let body = request.body as Buffer | undefined
    if (path === '/reg' && body !== undefined) {
      const registration = parsedJson(body)
      const { redirect_uris } = Object(registration) as { redirect_uris?: unknown }
      if (Array.isArray(redirect_uris) && redirect_uris.length > REDIRECT_URIS_MAX) {
        return refuse(
          reply,
          400,
          'invalid_redirect_uri',
          `redirect_uris: expected at most ${REDIRECT_URIS_MAX}, found ${redirect_uris.length}`,
        )
      }
      // Whoever registers without a scope that it asks for later would be refused then; what it may do is decided by people.
      if (registration !== undefined) body = Buffer.from(JSON.stringify({ ...registration, scope: undefined }))
    }
    if (path === '/token' && body !== undefined)
      body = Buffer.from(`${withOneResource(new URLSearchParams(body.toString()))}`)
    const inner = innerRequest(request, { origin, url: path === '/auth' ? withDefaultScope(url) : url, body })
    const { serve } = await open()
    reply.hijack()
    // Its pages have the same policies as ours; what other origins may read is for it to say.
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    await serve(inner, reply.raw)
    return reply
  }

  return {
    issuer,
    provider: async () => (await open()).provider,
    tokens: { issuer, audience: resource, keys: keys.verifying, algorithms: [SIGNING_ALGORITHM], typ: 'at+jwt' },
    mount(app) {
      app.register((oauth, _options, done) => {
        oauth.removeAllContentTypeParsers()
        const takeBytes = { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX } as const
        oauth.addContentTypeParser('*', takeBytes, (_request, bytes, next) => next(null, bytes))
        oauth.addHook('onRequest', (_request, reply, next) => {
          keepPrivate(reply)
          next()
        })
        const hidden = { schema: { hide: true } }
        const handle = async (request: FastifyRequest, reply: FastifyReply) =>
          answer(request, reply, (request.raw.url as string).slice(OAUTH_PATH.length))
        oauth.get(`${OAUTH_PATH}/*`, hidden, handle)
        oauth.post(`${OAUTH_PATH}/*`, hidden, handle)
        // RFC 8414 puts the path of the issuer behind the well-known name.
        for (const name of ['oauth-authorization-server', 'openid-configuration']) {
          oauth.get(`/.well-known/${name}${OAUTH_PATH}`, hidden, async (request, reply) =>
            answer(request, reply, `/.well-known/${name}`),
          )
        }
        done()
      })
      const upkeepTimer = setInterval(() => {
        const at = instant(now())
        const upkeep = Promise.all([purgePayloads(store, { at, max: PURGE_MAX }), renewSigningKeys({ store, now })])
        upkeep.catch((err: unknown) =>
          log?.error({ err }, 'what the authorization server remembers could not be tended'),
        )
      }, PURGE_EVERY_MS).unref()
      app.addHook('onClose', async () => {
        clearInterval(upkeepTimer)
        await limiter.close()
      })
    },
  }
}

function refuse(reply: FastifyReply, status: number, error: string, description: string): FastifyReply {
  return reply.code(status).send({ error, error_description: description })
}

/** Undefined for what is no JSON object: the library says so. */
function parsedJson(bytes: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = JSON.parse(bytes.toString()) as unknown
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/**
 * The request as the library reads it: below its own root, by the name of the issuer whatever name it came by, with the body
 * that was read within our limit.
 */
function innerRequest(
  { raw, ip }: FastifyRequest,
  { origin, url, body }: { origin: string; url: string; body: Buffer | undefined },
): IncomingMessage {
  const { host, protocol } = new URL(origin)
  const inner = new IncomingMessage(raw.socket)
  const { 'transfer-encoding': _, cookie, ...headers } = raw.headers
  inner.method = raw.method as string
  inner.url = url
  Object.assign(inner, { originalUrl: OAUTH_PATH + url })
  inner.headers = {
    ...headers,
    host,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-forwarded-for': ip,
    // Who was let in before is not let in again unasked: each request begins without a session of the library.
    ...(cookie !== undefined && !url.startsWith('/auth?') && { cookie }),
    ...(body !== undefined && { 'content-length': String(body.length) }),
  }
  if (body !== undefined && body.length > 0) inner.push(body)
  inner.push(null)
  // Read to its end: nothing is destroyed when it is closed.
  inner.complete = true
  return inner
}
