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

/** Access tokens of an authorization server, ours or another: whoever it is, its tokens are checked here and nowhere else. */
export type TokenIssuer = Readonly<{
  /** As its tokens and its metadata name it. */
  issuer: string
  /** For whom its tokens must be made out (RFC 8707): the address of the agent endpoint. */
  audience: string
  /** Its public keys, of the signature's algorithm. */
  keys: JWTVerifyGetKey
  algorithms: readonly string[]
  /** What a token must say that it is; undefined: whatever the issuer writes. */
  typ?: 'at+jwt'
}>

/** An authorization server that is not ours; its keys are fetched when a token names one that is not known. */
export function externalIssuer({
  issuer,
  jwksUri,
  audience,
}: {
  issuer: string
  jwksUri: string
  audience: string
}): TokenIssuer {
  return { issuer, audience, keys: createRemoteJWKSet(new URL(jwksUri)), algorithms: EXTERNAL_ALGORITHMS }
}
/** Asymmetric ones: no secret of ours is shared with anybody. */
const EXTERNAL_ALGORITHMS = [
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
]

/**
 * Tokens beside keys. A token names an agent that was connected here (`agent`), or, of an issuer elsewhere, a workspace
 * (`wid`); what it may do stands in `scope`. Whether the agent may still come is asked of the store, so that a revoked one
 * is refused within 30 seconds whatever its token says.
 */
export function tokenVerifier(
  { issuer, audience, keys, algorithms, typ }: TokenIssuer,
  {
    store,
    callers,
    now,
    keyed,
  }: {
    store: Store
    callers: Pick<Callers, 'admitAgent' | 'stopGuessing' | 'refuse'>
    now: () => Date
    /** Takes what is no token. */
    keyed: AgentVerifier
  },
): AgentVerifier {
  const agents = openKeyCache<FoundAgent>({
    now,
    async find(name) {
      if (!name.startsWith('ws_')) return await findAgent(store, name)
      const workspace = await findWorkspace(store, name)
      // Who its agents are is known to their issuer alone.
      return workspace && { ...workspace, agent_id: name, revoked_at: null }
    },
  })

  async function payloadOf(token: string): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: [...algorithms],
        currentDate: now(),
        requiredClaims: ['exp', 'sub'],
        ...(typ && { typ }),
      })
      return payload
    } catch (cause) {
      const { code, message } = cause as { code?: unknown; message: string }
      // What is not about the token, as a server of keys that does not answer, is not its fault.
      if (typeof code !== 'string' || !TOKEN_FAULTS.test(code)) {
        throw keysUnreadable(cause)
      }
      throw refused(message, cause)
    }
  }

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
      const payload = await payloadOf(token)
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

/** Three parts of base64url, the last of which an unsigned token leaves empty; a key has no dot. */
const TOKEN = /^Bearer +([\w-]+\.[\w-]+\.[\w-]*) *$/i
/** What the library says of a token, or of a key that is not there. */
const TOKEN_FAULTS = /^ERR_(JWT|JWS|JOSE_ALG_NOT_ALLOWED|JOSE_NOT_SUPPORTED|JWKS_NO_MATCHING_KEY)/

function keysUnreadable(cause: unknown): ApiError {
  return new ApiError('store_unavailable', 'the keys of the authorization server cannot be read', { cause })
}

function refused(why: string, cause?: unknown): ApiError {
  return new ApiError('invalid_key', `access token: ${why}`, { headers: { 'www-authenticate': 'Bearer' }, cause })
}
