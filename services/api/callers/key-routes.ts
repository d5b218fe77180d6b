import { newKey } from '@catalog/access/keys.ts'
import {
  CreateDeveloperKeyRequest,
  CreateDeveloperKeyResponse,
  operation,
  RevokeKeyResponse,
  UsageResponse,
} from '@catalog/api/contract/contract.ts'
import { type ApiContext, docsUrl, plansUrl, type V1 } from '@catalog/api/http/context.ts'
import { ApiError } from '@catalog/api/http/errors.ts'
import { instant } from '@catalog/core/time.ts'
import { insertKey, revokeKey } from '@catalog/store/accounts/accounts.ts'
import type { Callers, Credential } from './caller.ts'
import type { Limits } from './rate-limits.ts'

type AccountsContext = Pick<ApiContext, 'store' | 'baseUrl'> &
  Readonly<{ callers: Callers; limits: Limits; now: () => Date }>

/** A bearer key only. */
const KEY_ONLY = [{ bearer: [] }]

/** POST /keys/signup, POST /keys/revoke and GET /usage. */
export function accountRoutes(v1: V1, context: AccountsContext): void {
  signupRoute(v1, context)
  revocationRoute(v1, context)
  usageRoute(v1, context)
}

function signupRoute(v1: V1, { store, baseUrl, callers, limits, now }: AccountsContext): void {
  v1.post(
    '/keys/signup',
    {
      config: { bucket: 'service' },
      ...operation('createDeveloperKey', { body: CreateDeveloperKeyRequest, answer: CreateDeveloperKeyResponse }),
    },
    async (request, reply) => {
      const { email, name } = request.body
      await callers.admitSignup(request, reply, email)
      const { key, mark } = newKey('pub')
      // Postgres cannot store U+0000.
      const storable = name?.replaceAll('\0', '\ufffd') || null
      await insertKey(store, { kind: 'pub', ...mark, email, name: storable, at: instant(now()) })
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({
          key,
          rate_limit_per_min: limits.publicDevPerMinute,
          tier: 'public_dev',
          docs: docsUrl(baseUrl),
          note: `Send it as "Authorization: Bearer <key>". It is shown only this once and cannot be recovered; POST ${baseUrl}/keys/revoke ends it.`,
        })
    },
  )
}

function revocationRoute(v1: V1, { store, callers, now }: AccountsContext): void {
  v1.register((scope, _options, done) => {
    // The operation has no body. Ignore one, and its type, rather than refuse the request.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, next) => {
      payload.resume()
      next(null)
    })
    scope.post(
      '/keys/revoke',
      {
        config: { bucket: 'account', key: 'public_dev' },
        ...operation('revokeKey', { security: KEY_ONLY, answer: RevokeKeyResponse }),
      },
      async (request, reply) => {
        const { key, found } = request.credential as Credential
        const at = instant(now())
        const isFirst = await revokeKey(store, { keyId: found.key_id, at })
        callers.revoke(key, at)
        if (!isFirst) throw new ApiError('key_not_found', 'this key was revoked before')
        return reply.header('cache-control', 'no-store').send({ revoked: true, id: found.key_id })
      },
    )
    done()
  })
}

function usageRoute(v1: V1, { baseUrl, callers }: AccountsContext): void {
  v1.get(
    '/usage',
    {
      config: { bucket: 'account', key: 'any' },
      ...operation('getUsage', { security: KEY_ONLY, answer: UsageResponse }),
    },
    async (request, reply) => {
      const { tier, perMinute, perMonth } = request.caller
      const cap = perMonth as number
      const { used, resetMs } = await callers.usedThisMonth(request.credential as Credential)
      return reply.header('cache-control', 'no-store').send({
        tier,
        rate_limit_per_min: perMinute,
        monthly_cap: cap,
        monthly_used: used,
        monthly_remaining: Math.max(0, cap - used),
        reset_at: instant(new Date(resetMs)),
        upgrade_url: plansUrl(baseUrl),
      })
    },
  )
}
