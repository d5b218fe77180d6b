import { isIP } from 'node:net'
import { MCP_PATH, RESOURCE_METADATA_PATH } from '@catalog/api/contract/shared/mcp-paths.ts'
import type { GuideFacts } from '@catalog/api/docs/guide.ts'
import { documentOf, JSON_TYPE, sendDocument } from '@catalog/api/http/documents.ts'
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import type { FastifyInstance } from 'fastify'
import { SERVER_NAME, SERVER_TITLE, SERVER_VERSION } from './mcp-server.ts'
import { TEXTS } from './mcp-texts.ts'
import { SCOPES, TOOLS } from './mcp-tools.ts'

/**
 * The documents by which agents discover the endpoint before they have a key. The code makes them from the tools and
 * the limits, so they always agree with both. They are outside all limits.
 */
export function discoveryRoutes(
  app: FastifyInstance,
  facts: GuideFacts,
  /** Issuers of access tokens that the endpoint accepts beside keys. */
  authorizationServers: readonly string[] = [],
): void {
  const card = serverCard(facts, authorizationServers)
  const resource = protectedResource(facts, authorizationServers)
  const serve = (path: string, content: object, type: string) => {
    const document = documentOf(JSON.stringify(content), { 'content-type': type, 'cache-control': 'max-age=3600' })
    app.get(path, { schema: { hide: true } }, async (request, reply) => sendDocument(request, reply, document))
  }
  serve('/.well-known/mcp.json', card, JSON_TYPE)
  serve(`${MCP_PATH}/server-card`, card, CARD_TYPE)
  // Scanners built on an earlier draft read this path.
  serve('/.well-known/mcp/server-card.json', card, CARD_TYPE)
  serve('/.well-known/ai-catalog.json', aiCatalog(facts), 'application/ai-catalog+json')
  // Some clients know only one of the two paths.
  serve(RESOURCE_METADATA_PATH, resource, JSON_TYPE)
  serve('/.well-known/oauth-protected-resource', resource, JSON_TYPE)
}

const CARD_TYPE = 'application/mcp-server-card+json'
const DESCRIPTION = 'Observed prices of construction materials and works, with sources and dates'

/** The stateless revision, which the library lists separately. */
const MODERN_REVISION = '2026-07-28'
const REVISIONS = [MODERN_REVISION, ...SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version !== MODERN_REVISION)]

/** The server card of SEP-2127, with the tools and the limits of each caller. */
function serverCard({ origin, limits }: GuideFacts, authorizationServers: readonly string[]): object {
  const perMinute = (requests: number) => ({
    requests_per_minute: requests,
    searches_per_minute: limits.searchPerMinute,
  })
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${reversed(new URL(origin).hostname)}/${SERVER_NAME}`,
    title: SERVER_TITLE,
    version: SERVER_VERSION,
    description: DESCRIPTION,
    websiteUrl: `${origin}/docs`,
    remotes: [{ type: 'streamable-http', url: origin + MCP_PATH, supportedProtocolVersions: REVISIONS }],
    tools: TOOLS.map(({ name, title, description, input, output, annotations, scopes }) => ({
      name,
      title,
      description,
      inputSchema: input['~standard'].jsonSchema.input({ target: 'draft-2020-12' }),
      outputSchema: output['~standard'].jsonSchema.output({ target: 'draft-2020-12' }),
      annotations,
      scopes,
    })),
    authentication: {
      required: true,
      type: authorizationServers.length > 0 ? 'oauth2' : 'bearer',
      scopes: SCOPES,
      resource_metadata: origin + RESOURCE_METADATA_PATH,
      keys: { prefixes: ['svc_pub_', 'svc_org_'], signup: `POST ${origin}/v1/keys/signup` },
    },
    limits: {
      ...perMinute(limits.publicDevPerMinute),
      callers: [
        {
          tier: 'public_dev',
          ...perMinute(limits.publicDevPerMinute),
          requests_per_month: limits.publicDevPerMonth,
        },
        { tier: 'org', ...perMinute(limits.orgPerMinute), requests_per_month: limits.orgPerMonth },
      ],
      counting: TEXTS.counting_rule,
    },
  }
}

function aiCatalog({ origin }: GuideFacts): object {
  const { host } = new URL(origin)
  return {
    specVersion: '1.0',
    host: { displayName: SERVER_TITLE, identifier: host },
    entries: [
      {
        identifier: `urn:air:${host}:mcp:catalog`,
        displayName: SERVER_TITLE,
        description: DESCRIPTION,
        type: CARD_TYPE,
        url: `${origin}${MCP_PATH}/server-card`,
      },
    ],
  }
}

/** The metadata of a protected resource (RFC 9728). */
function protectedResource({ origin }: GuideFacts, authorizationServers: readonly string[]): object {
  return {
    resource: origin + MCP_PATH,
    ...(authorizationServers.length > 0 && { authorization_servers: authorizationServers }),
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: SERVER_TITLE,
    resource_documentation: `${origin}/docs`,
  }
}

/** Reverses a domain: example.org becomes org.example. An IP address has no domain, so it becomes localhost. */
function reversed(hostname: string): string {
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname.split('.').reverse().join('.') : 'localhost'
}
