import { type GuideFacts, licenceText, limitsTable } from '@catalog/api/docs/guide.ts'
import type { ReadCatalog } from '@catalog/api/http/catalog-version.ts'
import type { CacheIdentity } from '@catalog/api/http/documents.ts'
import { type ApiError, asApiError } from '@catalog/api/http/errors.ts'
import { HOUR_MS } from '@catalog/core/time.ts'
import { visibleText } from '@catalog/formats/bytes/vendor-text.ts'
import { readItemsByPrefix } from '@catalog/replica/read/items.ts'
import {
  type CacheHint,
  type CallToolResult,
  McpServer,
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
  requireScopes,
} from '@modelcontextprotocol/server'
import type { InProcessClient } from './in-process-client.ts'
import { registerPrompts } from './mcp-prompts.ts'
import { TEXTS } from './mcp-texts.ts'
import { itemUri, listCategories, TOOLS, type Tool, type ToolContext } from './mcp-tools.ts'

/** The MCP server of both protocol eras: the tools, three resources and two prompts. */

export const SERVER_NAME = 'construction-catalog'
export const SERVER_TITLE = 'Construction Cost Catalog'
/** The version of this offer; changes are additive while the first number stays. */
export const SERVER_VERSION = '1.0.0'

/** The message that a server is created for. */
export type MessageContext = Readonly<{
  requestId: string
  /** Of the key that came with the message, if any. */
  workspaceId?: string | undefined
  /** The tool that the message calls. */
  tool?: Tool
  /** The error that refuses the call; the result reports it where the agent can read it. */
  refused?: ApiError
  /** Called when a tool answered, with the cached document that alone its answer is made of. */
  onAnswer?: (cachedAs: CacheIdentity | undefined) => void
}>

export type ServerDeps = Readonly<{
  client: InProcessClient
  read: ReadCatalog
  facts: GuideFacts
  onFailure: (error: ApiError, requestId: string) => void
}>

/** Lists change only with a deployment. */
const LISTS: CacheHint = { ttlMs: 300_000, cacheScope: 'public' }
/** Medians are recomputed nightly. */
const READS: CacheHint = { ttlMs: HOUR_MS, cacheScope: 'public' }

/** The protocol's limit of a completion. */
const COMPLETIONS_MAX = 100
/** The tool list_categories pages through further roots. */
const ROOTS_MAX = 100

/** Creates a server for one message: cheap, and stateless. */
export function openServerFactory(deps: ServerDeps): McpServerFactory {
  const { facts } = deps
  const licence = licenceText(facts.dataLicence)
  const offer: Offer = {
    ...deps,
    terms: termsText(facts),
    tools: { client: deps.client, baseUrl: `${facts.origin}/v1`, licence, workspaceId: undefined },
  }
  return ({ authInfo }) => {
    const message = authInfo?.extra as MessageContext
    const server = new McpServer(
      { name: SERVER_NAME, title: SERVER_TITLE, version: SERVER_VERSION, websiteUrl: `${facts.origin}/docs` },
      {
        instructions: TEXTS.instructions,
        capabilities: {
          tools: { listChanged: false },
          resources: { listChanged: false },
          prompts: { listChanged: false },
        },
        cacheHints: {
          'tools/list': LISTS,
          'resources/list': LISTS,
          'resources/templates/list': LISTS,
          'prompts/list': LISTS,
          'server/discover': LISTS,
        },
      },
    )
    registerTools(server, offer, message)
    // A tool call needs its own tool alone: registering the rest takes most of the time.
    if (message.tool !== undefined) return server
    registerResources(server, offer, message)
    registerPrompts(server)
    return server
  }
}

/** The parts that all messages share. */
type Offer = ServerDeps & Readonly<{ terms: string; tools: ToolContext }>

function registerTools(server: McpServer, offer: Offer, message: MessageContext): void {
  for (const tool of message.tool === undefined ? TOOLS : [message.tool]) {
    const { name, title, description, annotations, input: inputSchema, output: outputSchema, scopes } = tool
    const about = { title, description, annotations, scopeChallenge: requireScopes(...scopes) }
    server.registerTool(name, { ...about, inputSchema, outputSchema }, (args) => call(offer, { tool, args, message }))
  }
}

function registerResources(server: McpServer, offer: Offer, message: MessageContext): void {
  const { client, terms, tools } = offer
  const text = (uri: URL, read: () => Promise<string>) => readText(offer, { uri, read, message })
  // Completions are a convenience: offer none before there is a catalog.
  const ids = (prefix: string) => {
    try {
      const items = offer.read((tables) => readItemsByPrefix(tables, { prefix, max: COMPLETIONS_MAX }))
      return items.map(({ item_id }) => item_id)
    } catch (thrown) {
      loggedError(offer, thrown, message)
      return []
    }
  }
  const shown = { mimeType: 'text/markdown', cacheHint: READS }
  const reading = { ...shown, scopeChallenge: requireScopes('catalog:read') }
  server.registerResource(
    'item',
    new ResourceTemplate(itemUri('{id}'), { list: undefined, complete: { id: ids } }),
    {
      ...reading,
      title: 'An item',
      description: 'The whole item as Markdown: all its prices with sources and dates, and 90 days of history',
    },
    (uri, { id }) =>
      text(uri, async () => `${await client.itemMarkdown(String(id).toWellFormed())}\n${tools.licence}\n`),
  )
  server.registerResource(
    'categories',
    'catalog://categories',
    { ...reading, title: 'Categories', description: 'The roots of the category tree, with item counts' },
    (uri) => text(uri, async () => (await listCategories.answer({ limit: ROOTS_MAX }, tools)).text),
  )
  server.registerResource(
    'terms',
    'catalog://terms',
    {
      ...shown,
      title: 'How to read and use the prices',
      description: 'What a price is, how calls are counted, and under which terms the data may be used',
    },
    (uri) => text(uri, async () => terms),
  )
}

/** Reports errors in the result, where the agent reads them, rather than as errors of the protocol. */
async function call(
  offer: Offer,
  { tool, args, message }: { tool: Tool; args: unknown; message: MessageContext },
): Promise<CallToolResult> {
  try {
    if (message.refused !== undefined) throw message.refused
    const { result, cachedAs } = await tool.answer(args, { ...offer.tools, workspaceId: message.workspaceId })
    message.onAnswer?.(cachedAs)
    return visible(result)
  } catch (thrown) {
    const error = loggedError(offer, thrown, message)
    return { content: [{ type: 'text', text: adviceOf(error) }], isError: true }
  }
}

async function readText(
  offer: Offer,
  { uri, read, message }: { uri: URL; read: () => Promise<string>; message: MessageContext },
) {
  const answer = await read().catch((thrown: unknown) => loggedError(offer, thrown, message))
  if (typeof answer === 'string')
    return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text: visible(answer) }] }
  if (answer.status === 404) throw new ResourceNotFoundError(uri.href, answer.details)
  throw new ProtocolError(ProtocolErrorCode.InternalError, adviceOf(answer), answer.body)
}

/**
 * The answer without characters that people cannot see. Reading removes them from texts of vendors, but events of former
 * versions hold them, and an agent would read what no person can check.
 */
function visible<T>(value: T): T
function visible(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value)
  if (Array.isArray(value)) return value.map((part) => visible(part))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, visible(part)]))
}

function loggedError({ onFailure }: Offer, thrown: unknown, { requestId }: MessageContext): ApiError {
  const error = asApiError(thrown)
  if (error.status >= 500) onFailure(error, requestId)
  return error
}

/** An error in the words that an agent needs: the problem, when to retry, and an alternative. */
function adviceOf({ code, details, retryAfterSeconds }: ApiError): string {
  const wait = retryAfterSeconds === undefined ? [] : [`Wait ${retryAfterSeconds} seconds, then call again.`]
  return [`${code}: ${details}.`, ...wait, ...[TEXTS.next[code] ?? []].flat()].join(' ')
}

/** The resource of the terms, for this server. */
function termsText({ origin, limits, dataLicence }: GuideFacts): string {
  const values: Readonly<Record<string, string>> = {
    origin,
    limits: limitsTable(limits),
    counting_rule: TEXTS.counting_rule,
    licence: licenceText(dataLicence),
  }
  return TEXTS.terms.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place)
}
