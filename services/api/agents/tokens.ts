import { type CacheEntry, openKeyCache } from '@catalog/access/key-cache.ts'
import type { Callers } from '@catalog/api/callers/caller.ts'
import { ApiError } from '@catalog/api/http/errors.ts'
import { findWorkspace } from '@catalog/store/accounts/accounts.ts'
import { type FoundAgent, findAgent } from '@catalog/store/accounts/agents.ts'
import type { Store } from '@catalog/store/db.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createRemoteJWKSet, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import type { AgentVerifier } from './mcp.ts'
import { SCOPES } from './mcp-tools.ts'

/** An authorization server, ours or an external one, whose access tokens this module verifies. */
export type TokenIssuer = Readonly<{
  /** The issuer as its tokens and its metadata name it. */
  issuer: string
  /** The required audience (RFC 8707): the address of the agent endpoint. */
  audience: string
  /** Its public signing keys. */
  keys: JWTVerifyGetKey
  algorithms: readonly string[]
  /** The required type of a token; undefined: any type. */
  typ?: 'at+jwt'
}>

/** An external authorization server. Fetches its keys when a token names an unknown one. */
export function externalIssuer({ jwksUri, ...named }: External): TokenIssuer {
  return { ...named, keys: createRemoteJWKSet(new URL(jwksUri)), algorithms: ASYMMETRIC }
}
type External = Readonly<{ issuer: string; audience: string; jwksUri: string }>
/** The two servers share no secret. */
const ASYMMETRIC = ['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519', 'PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512']

/**
 * Verifies access tokens, and leaves keys to `keyed`. A token names an agent that connected here (`agent`), or a
 * workspace (`wid`) when an external issuer made it; `scope` holds its permissions. The store decides whether the agent
 * is still allowed, so that a revoked agent is refused within 30 seconds whatever its token says.
 */
export function tokenVerifier(
  issuer: TokenIssuer,
  {
    store,
    callers,
    now,
    keyed,
  }: {
    store: Store
    callers: Pick<Callers, 'admitAgent' | 'stopGuessing' | 'refuse'>
    now: () => Date
    /** Verifies requests without a token. */
    keyed: AgentVerifier
  },
): AgentVerifier {
  const agents = openKeyCache<FoundAgent>({
    now,
    async find(name) {
      if (!name.startsWith('ws_')) return await findAgent(store, name)
      const workspace = await findWorkspace(store, name)
      // Only the issuer knows the agents of the workspace.
      return workspace && { ...workspace, agent_id: name, revoked_at: null }
    },
  })

  async function agentOf(payload: JWTPayload): Promise<CacheEntry<FoundAgent>> {
    const name = typeof payload.agent === 'string' ? payload.agent : payload.wid
    if (typeof name !== 'string') throw refused('it names no agent and no workspace')
    const entry = agents.get(name) ?? (await agents.load(name))
    if (entry.row === undefined) throw refused('its agent is not known here')
    if (entry.row.revoked_at !== null) throw refused('its agent is not connected any more')
    return entry
  }

  return async (request: FastifyRequest, reply: FastifyReply) => {
    const token = TOKEN.exec(request.headers.authorization ?? '')?.[1]
    if (token === undefined) return keyed(request, reply)
    callers.stopGuessing(request, reply)
    try {
      const payload = await verifiedPayload(token, issuer, now())
      callers.admitAgent(request, await agentOf(payload))
      const granted = String(payload.scope ?? '').split(' ')
      return {
        token,
        clientId: String(payload.client_id ?? payload.azp ?? payload.sub),
        scopes: SCOPES.filter((scope) => granted.includes(scope)),
      }
    } catch (error) {
      if (error instanceof ApiError && error.code === 'invalid_key') return callers.refuse(request, reply, error)
      throw error
    }
  }
}

/** Throws invalid_key for a token that the issuer did not sign for this audience, or that has expired. */
async function verifiedPayload(
  token: string,
  { issuer, audience, keys, algorithms, typ }: TokenIssuer,
  currentDate: Date,
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience,
      algorithms: [...algorithms],
      currentDate,
      requiredClaims: ['exp', 'sub'],
      ...(typ && { typ }),
    })
    return payload
  } catch (cause) {
    const { code, message } = cause as { code?: unknown; message: string }
    // An error of the key server, such as no answer, is not the token's fault.
    if (typeof code !== 'string' || !TOKEN_FAULTS.test(code)) throw keysUnreadable(cause)
    throw refused(message, cause)
  }
}

/** Three parts of base64url. An unsigned token leaves the last one empty; a key has no dot. */
const TOKEN = /^Bearer +([\w-]+\.[\w-]+\.[\w-]*) *$/i
/** The library's codes for a bad token or an unknown key. */
const TOKEN_FAULTS = /^ERR_(JWT|JWS|JOSE_ALG_NOT_ALLOWED|JOSE_NOT_SUPPORTED|JWKS_NO_MATCHING_KEY)/

function keysUnreadable(cause: unknown): ApiError {
  return new ApiError('store_unavailable', 'the keys of the authorization server cannot be read', { cause })
}

function refused(why: string, cause?: unknown): ApiError {
  return new ApiError('invalid_key', `access token: ${why}`, { headers: { 'www-authenticate': 'Bearer' }, cause })
}
