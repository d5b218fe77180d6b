import type { TokenIssuer } from '@catalog/api/agents/tokens.ts'
import { MCP_PATH } from '@catalog/api/contract/shared/mcp-paths.ts'
import type { AddressLimit } from '@catalog/console/pages/address-limit.ts'
import type { ConsoleContext } from '@catalog/console/pages/context.ts'
import { keepPrivate } from '@catalog/console/pages/html.ts'
import { instant } from '@catalog/core/time.ts'
import type { GuardedFetch } from '@catalog/runtime/fetch.ts'
import { purgePayloads } from '@catalog/store/accounts/oauth.ts'
import { claimSecret } from '@catalog/store/accounts/secrets.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Provider } from 'oidc-provider'
import { providerConfiguration } from './provider-configuration.ts'
import {
  authorizationAddress,
  OAUTH_PATH,
  type OAuthError,
  providerRequest,
  registrationBody,
  withOneResource,
} from './provider-request.ts'
import { openRegistrationLimits, REGISTRATIONS } from './registration-limits.ts'
import { openSigningKeys, renewSigningKeys, SIGNING_ALGORITHM } from './signing-keys.ts'

/**
 * The authorization server at /oauth: `oidc-provider` on the store, for agents of the MCP endpoint only. Clients register
 * themselves or publish a metadata document, PKCE is required, and signed tokens name the endpoint as audience.
 * The page of consent.ts asks the person which agent to admit.
 */
export interface AuthorizationServer {
  readonly issuer: string
  /** How its tokens are verified. */
  readonly tokens: TokenIssuer
  /** Adds its endpoints below /oauth, and its metadata at the addresses of RFC 8414. */
  mount(app: FastifyInstance): void
  /** The library, for the consent page. */
  provider(): Promise<Provider>
}

type Deps = ConsoleContext &
  Readonly<{
    addresses: AddressLimit
    /** Fetches the metadata documents of clients. */
    fetch: GuardedFetch
    /** Tests that register many clients raise these limits. */
    registrations?: typeof REGISTRATIONS
  }>

const BODY_BYTES_MAX = 8_192
const PURGE_EVERY_MS = 600_000
const PURGE_MAX = 5_000

export function openAuthorizationServer(deps: Deps): AuthorizationServer {
  const { store, origin, now, addresses, registrations = REGISTRATIONS } = deps
  const issuer = origin + OAUTH_PATH
  const resource = origin + MCP_PATH
  const keys = openSigningKeys({ store, now })
  const limits = openRegistrationLimits({ store, now }, registrations)
  const open = providerCache(deps, { issuer, resource, keys, limits })

  async function answer(request: FastifyRequest, reply: FastifyReply, url: string): Promise<FastifyReply> {
    const path = url.split('?')[0] as string
    const waitSeconds =
      (await addresses.admit(request.ip)) ?? (path === '/reg' ? await limits.admitRegistration(request.ip) : undefined)
    if (waitSeconds !== undefined) {
      const description = `too many requests; try again in ${waitSeconds} s`
      return refuse(reply.header('retry-after', waitSeconds), 429, { error: 'temporarily_unavailable', description })
    }
    let body = request.body as Buffer | undefined
    if (path === '/reg' && body !== undefined) {
      const registration = registrationBody(body)
      if ('error' in registration) return refuse(reply, 400, registration)
      body = registration
    }
    const names = { resource, origin }
    if (path === '/token' && body !== undefined) {
      body = Buffer.from(`${withOneResource(new URLSearchParams(body.toString()), names)}`)
    }
    const address = path === '/auth' ? authorizationAddress(url, names) : url
    const { serve } = await open()
    reply.hijack()
    // Its pages get our policies; the library decides its CORS headers.
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    await serve(providerRequest(request, { origin, url: address, body }), reply.raw)
    return reply
  }

  return {
    issuer,
    provider: async () => (await open()).provider,
    tokens: { issuer, audience: resource, keys: keys.verifying, algorithms: [SIGNING_ALGORITHM], typ: 'at+jwt' },
    mount(app) {
      mountEndpoints(app, answer)
      const stopUpkeep = startUpkeep(deps)
      app.addHook('onClose', async () => {
        stopUpkeep()
        await limits.close()
      })
    },
  }
}

/** One library instance for each state of the key set, because the library reads its keys only at construction. */
function providerCache(
  { store, now, log, fetch }: Deps,
  {
    issuer,
    resource,
    keys,
    limits,
  }: Readonly<{
    issuer: string
    resource: string
    keys: ReturnType<typeof openSigningKeys>
    limits: ReturnType<typeof openRegistrationLimits>
  }>,
) {
  let opened: Readonly<{ kids: string; provider: Provider; serve: ReturnType<Provider['callback']> }> | undefined
  return async (): Promise<NonNullable<typeof opened>> => {
    const { jwks } = await keys.current()
    const kids = jwks.map(({ kid }) => kid).join()
    if (opened?.kids === kids) return opened
    const cookieSecret = await claimSecret(store, 'oauth_cookie_secret')
    const admitDocument = ({ ip }: { ip: string }) => limits.admitDocument(ip)
    const provider = new Provider(
      issuer,
      providerConfiguration({ store, now, fetch, resource, keys, jwks, cookieSecret, admitDocument }),
    )
    // The library then reads addresses from the forwarded headers that we set, not from the socket.
    provider.proxy = true
    provider.on('server_error', (_ctx, err) => log?.error({ err }, 'the authorization server failed'))
    opened = { kids, provider, serve: provider.callback() }
    return opened
  }
}

type Answer = (request: FastifyRequest, reply: FastifyReply, url: string) => Promise<FastifyReply>

function mountEndpoints(app: FastifyInstance, answer: Answer): void {
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
    // RFC 8414 puts the issuer's path behind the well-known name.
    for (const name of ['oauth-authorization-server', 'openid-configuration']) {
      oauth.get(`/.well-known/${name}${OAUTH_PATH}`, hidden, async (request, reply) =>
        answer(request, reply, `/.well-known/${name}`),
      )
    }
    done()
  })
}

/** Purges expired payloads and renews signing keys until the returned function is called. */
function startUpkeep({ store, now, log }: Deps): () => void {
  const timer = setInterval(() => {
    const at = instant(now())
    const upkeep = Promise.all([purgePayloads(store, { at, max: PURGE_MAX }), renewSigningKeys({ store, now })])
    upkeep.catch((err: unknown) => log?.error({ err }, 'the upkeep of the authorization server failed'))
  }, PURGE_EVERY_MS).unref()
  return () => clearInterval(timer)
}

function refuse(reply: FastifyReply, status: number, { error, description }: OAuthError): FastifyReply {
  return reply.code(status).send({ error, error_description: description })
}
