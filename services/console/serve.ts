import type { TokenIssuer } from '@catalog/api/agents/tokens.ts'
import { asApiError } from '@catalog/api/http/errors.ts'
import { consentRoutes } from '@catalog/console/agents/consent.ts'
import { type AuthorizationServer, openAuthorizationServer } from '@catalog/console/agents/oauth.ts'
import { openAddressLimit } from '@catalog/console/pages/address-limit.ts'
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { consoleRoutes } from './console.ts'

/**
 * The services for people and their agents beside the API: pages at /console, and the authorization server at /oauth
 * unless an external issuer is trusted.
 */
export function openConsole(
  given: Omit<Parameters<typeof openAuthorizationServer>[0], 'addresses'>,
  {
    externalIssuer,
    operatorViews = () => {},
  }: { externalIssuer?: TokenIssuer; operatorViews?: (pages: FastifyInstance) => void } = {},
): { tokens: TokenIssuer; mount: (app: FastifyInstance) => void } {
  const context = { ...given, addresses: openAddressLimit(given) }
  const toApiError = (error: FastifyError, request: FastifyRequest) => {
    const failure = asApiError(error)
    if (failure.status >= 500) {
      given.log?.error({ err: failure.cause ?? error, requestId: request.id }, failure.message)
    }
    return failure
  }
  const server = externalIssuer === undefined ? openAuthorizationServer(context) : undefined
  return {
    tokens: externalIssuer ?? (server as AuthorizationServer).tokens,
    mount(app) {
      app.addHook('onClose', () => context.addresses.close())
      server?.mount(app)
      consoleRoutes(app, context, {
        toApiError,
        addresses: context.addresses,
        moreRoutes(pages) {
          if (server !== undefined) consentRoutes(pages, context, server)
          operatorViews(pages)
        },
      })
    },
  }
}
