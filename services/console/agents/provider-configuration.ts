import { SCOPES } from '@catalog/api/agents/mcp-tools.ts'
import { pageOf } from '@catalog/console/pages/html.ts'
import { notice } from '@catalog/pages/parts.ts'
import type { GuardedFetch } from '@catalog/runtime/fetch.ts'
import { agentOfGrant } from '@catalog/store/accounts/agents.ts'
import { findUser } from '@catalog/store/accounts/people.ts'
import type { Store } from '@catalog/store/db.ts'
import type { JWK } from 'jose'
import { type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider'
import { storedModels } from './oauth-adapter.ts'
import { SIGNING_ALGORITHM, type SigningKeys, TOKEN_TTL_SECONDS } from './signing-keys.ts'

/**
 * Settings of `oidc-provider`: public clients with PKCE, signed tokens for the MCP endpoint, one stored grant for each
 * consent.
 */

export const CONSENT_PATH = '/console/consent'
const DAY_SECONDS = 86_400
export const GRANT_TTL_SECONDS = 30 * DAY_SECONDS
/** Bounds the time from the authorization request to the answer; our own session identifies the person. */
const INTERACTION_TTL_SECONDS = 600

type Options = Readonly<{
  store: Store
  now: () => Date
  /** Fetches the metadata documents of clients. */
  fetch: GuardedFetch
  /** Address of the MCP endpoint, the only audience of tokens. */
  resource: string
  keys: SigningKeys
  jwks: readonly JWK[]
  cookieSecret: string
  /** Whether a request may fetch one more client document. */
  admitDocument: (ctx: KoaContextWithOIDC) => Promise<boolean>
}>

export function providerConfiguration(options: Options): Configuration {
  const { store, now, jwks, cookieSecret } = options
  return {
    adapter: storedModels({ store, now }),
    jwks: { keys: [...jwks] } as Configuration['jwks'],
    cookies: {
      keys: [cookieSecret],
      names: { session: 'oauth_session', interaction: 'oauth_interaction', resume: 'oauth_resume' },
    },
    scopes: ['openid', 'offline_access', ...SCOPES],
    claims: { openid: ['sub'] },
    clientDefaults: {
      id_token_signed_response_alg: SIGNING_ALGORITHM,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      // Accepts loopback addresses on any port (RFC 8252) and asks for consent each time.
      application_type: 'native',
    },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    enabledJWA: { idTokenSigningAlgValues: [SIGNING_ALGORITHM] },
    responseTypes: ['code'],
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    // Agents may run in a browser; these endpoints ignore cookies, so CORS is safe.
    clientBasedCORS: () => true,
    ttl: {
      AccessToken: TOKEN_TTL_SECONDS,
      AuthorizationCode: 60,
      IdToken: TOKEN_TTL_SECONDS,
      RefreshToken: GRANT_TTL_SECONDS,
      Interaction: INTERACTION_TTL_SECONDS,
      Session: INTERACTION_TTL_SECONDS,
      Grant: GRANT_TTL_SECONDS,
    },
    features: featuresOf(options),
    interactions: { url: (_ctx, { uid }) => `${CONSENT_PATH}/${uid}` },
    ...accountLookups(store),
    renderError(ctx, { error, error_description }) {
      ctx.type = 'html'
      const body = notice('error', `${error}: ${error_description ?? 'no more is known'}`)
      ctx.body = pageOf({ title: 'The request cannot be answered', body }, undefined)
    },
    fetch: (url, init) =>
      options.fetch(url as URL, init as Parameters<GuardedFetch>[1]) as unknown as Promise<Response>,
  }
}

function featuresOf({ resource, keys, admitDocument }: Options): NonNullable<Configuration['features']> {
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    dPoP: { enabled: false },
    revocation: {
      enabled: true,
      // RFC 7009 §2.1: a client may revoke only its own tokens.
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
  }
}

function accountLookups(store: Store): Pick<Configuration, 'loadExistingGrant' | 'findAccount' | 'extraTokenClaims'> {
  return {
    // Only a consent names a grant, so no grant is found without a person.
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
  }
}
