import type { Limits } from '@catalog/api/callers/limits.ts'
import { type GuideFacts, licenceText } from '@catalog/api/docs/guide.ts'
import { type ApiError, asApiError, type ErrorCode } from '@catalog/api/http/errors.ts'
import { HOUR_MS } from '@catalog/core/time.ts'
import { readItems } from '@catalog/store/catalog/listing.ts'
import type { Store } from '@catalog/store/db.ts'
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
import { categoriesText, itemUri, TOOLS, type Tool, type ToolContext } from './mcp-tools.ts'

/** What agents are offered, in either era of the protocol: the tools, three resources and two prompts. */

export const SERVER_NAME = 'construction-catalog'
export const SERVER_TITLE = 'Construction Cost Catalog'
/** Of what is offered here; additive for as long as the first number stays. */
export const SERVER_VERSION = '1.0.0'

/** What the endpoint knows of one message when it hands it on. */
export type MessageContext = Readonly<{
  requestId: string
  /** The one that is called. */
  tool?: Tool
  /** Why a call must not be answered: the agent is told so in the answer, where it can read it. */
  refused?: ApiError
}>

type ServerDeps = Readonly<{
  client: InProcessClient
  store: Store
  facts: GuideFacts
  onFailure: (error: ApiError, requestId: string) => void
}>

/** Lists change with a deployment alone. */
const LISTS: CacheHint = { ttlMs: 300_000, cacheScope: 'public' }
/** Medians are recomputed nightly. */
const READS: CacheHint = { ttlMs: HOUR_MS, cacheScope: 'public' }

/** Of the protocol: a completion has no more. */
const COMPLETIONS_MAX = 100
/** More roots are had by list_categories. */
const ROOTS_MAX = 100

/** How messages to the agent endpoint are counted; REST counts by COUNTING_RULE. */
export const AGENT_COUNTING_RULE =
  'Messages to the agent endpoint are counted with the requests of the same caller to REST, in the same buckets: a call of search_catalog as a search, a call of any other tool, a read of a resource and a completion as a request, and all else (initialize, lists, ping, notifications) in the minute alone and not in the month. Each counts once, whatever its answer, and not when it is refused because a limit is reached. What is refused with 401 counts as a request of its address.'

/** A server for one message: cheap, and without memory of any other. */
export function openServerFactory({ client, store, facts, onFailure }: ServerDeps): McpServerFactory {
  const baseUrl = `${facts.origin}/v1`
  const licence = licenceText(facts.dataLicence)
  const terms = termsText(facts)
  const context: ToolContext = { client, baseUrl, licence }

  return ({ authInfo }) => {
    const message = authInfo?.extra as MessageContext
    const server = new McpServer(
      { name: SERVER_NAME, title: SERVER_TITLE, version: SERVER_VERSION, websiteUrl: `${facts.origin}/docs` },
      {
        instructions: INSTRUCTIONS,
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
    for (const tool of message.tool === undefined ? TOOLS : [message.tool]) {
      const { name, title, description, input, output, annotations, scopes } = tool
      server.registerTool(
        name,
        {
          title,
          description,
          annotations,
          inputSchema: input,
          outputSchema: output,
          scopeChallenge: requireScopes(...scopes),
        },
        (args) => call(tool, args, message),
      )
    }
    // A call meets its own tool alone: offering the rest takes longer than all else that is done here.
    if (message.tool !== undefined) return server
    const text = (uri: URL, read: () => Promise<string>) => readText(uri, read, message)
    server.registerResource(
      'item',
      new ResourceTemplate(itemUri('{id}'), { list: undefined, complete: { id: (prefix) => ids(prefix, message) } }),
      {
        title: 'An item',
        description: 'The item as Markdown: its prices with sources and dates, and 90 days of history',
        mimeType: 'text/markdown',
        cacheHint: READS,
        scopeChallenge: requireScopes('catalog:read'),
      },
      (uri, { id }) =>
        text(uri, async () => {
          const { markdown } = await client.item({ id: String(id), priceRegion: undefined })
          return `${markdown}\n${licence}\n`
        }),
    )
    server.registerResource(
      'categories',
      'catalog://categories',
      {
        title: 'Categories',
        description: 'The roots of the category tree, with item counts',
        mimeType: 'text/markdown',
        cacheHint: READS,
        scopeChallenge: requireScopes('catalog:read'),
      },
      (uri) =>
        text(uri, async () =>
          categoriesText(
            await client.categories({ parent: undefined, tree: false, cursor: undefined, limit: ROOTS_MAX }),
          ),
        ),
    )
    server.registerResource(
      'terms',
      'catalog://terms',
      {
        title: 'How to read and use the prices',
        description: 'What a price is, how calls are counted, and under which terms the data may be used',
        mimeType: 'text/markdown',
        cacheHint: READS,
      },
      (uri) => text(uri, async () => terms),
    )
    registerPrompts(server)
    return server
  }

  /** What can be put right is told in the result, where the agent reads it, and not as an error of the protocol. */
  async function call(tool: Tool, args: unknown, message: MessageContext): Promise<CallToolResult> {
    try {
      if (message.refused !== undefined) throw message.refused
      const { structured, text, links = [] } = await tool.answer(args, context)
      return { content: [{ type: 'text', text }, ...links], structuredContent: { ...structured } }
    } catch (thrown) {
      const error = failed(thrown, message)
      return { content: [{ type: 'text', text: adviceOf(error) }], isError: true }
    }
  }

  async function readText(uri: URL, read: () => Promise<string>, message: MessageContext) {
    const answer = await read().catch((thrown: unknown) => failed(thrown, message))
    if (typeof answer === 'string') return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text: answer }] }
    if (answer.status === 404) throw new ResourceNotFoundError(uri.href, answer.details)
    throw new ProtocolError(ProtocolErrorCode.InternalError, adviceOf(answer), answer.body)
  }

  /** None when the store cannot be asked: a completion is a convenience. */
  async function ids(prefix: string, message: MessageContext): Promise<string[]> {
    return await idsFrom(store, prefix).catch((thrown: unknown) => {
      failed(thrown, message)
      return []
    })
  }

  function failed(thrown: unknown, { requestId }: MessageContext): ApiError {
    const error = asApiError(thrown)
    if (error.status >= 500) onFailure(error, requestId)
    return error
  }
}

async function idsFrom(store: Store, prefix: string): Promise<string[]> {
  // U+0000 is in no id, and Postgres takes no text that holds it.
  const after = prefix.replaceAll('\0', '')
  const { rows } = await readItems(store, { order: 'id', after, limit: COMPLETIONS_MAX })
  return rows.map(({ item_id }) => item_id).filter((id) => id.startsWith(prefix))
}

const INSTRUCTIONS =
  'Observed prices of construction materials and works. Search first (search_catalog, any language), then read an item by its id (get_item), or what a work is made of (get_decomposition). Prices are integers of minor currency units and are never converted between currencies; give region for the median of one market. Cite the source, its address and the date of every price that you state; null means that no price is known.'

/** What an agent does next. */
const NEXT: Partial<Record<ErrorCode, string>> = {
  item_not_found: 'Find the id with search_catalog, and give it as it stands there.',
  recipe_not_found:
    'Leave source out, or search for a work (not a material) with search_catalog; get_item has the prices of this item.',
  category_not_found: 'Begin with list_categories without parent, and give an id that it shows.',
  invalid_cursor: 'Call again without cursor, and with the same arguments for the next pages.',
  invalid_parameter: 'Correct the argument, and call again.',
  rate_limited_minute: 'InProcessClient for fewer things at once.',
  search_rate_limited: 'Until then get_item, list_categories and get_decomposition answer.',
  monthly_cap: 'A workspace plan has a higher cap.',
  search_unavailable: 'Until then get_item, list_categories and get_decomposition answer.',
}

/** An error for whoever has to go on after it: what happened, when to come back, what to do instead. */
function adviceOf({ code, details, retryAfterSeconds }: ApiError): string {
  const wait = retryAfterSeconds === undefined ? [] : [`Wait ${retryAfterSeconds} seconds, then call again.`]
  return [`${code}: ${details}.`, ...wait, ...(NEXT[code] === undefined ? [] : [NEXT[code]])].join(' ')
}

function termsText({ origin, limits, dataLicence }: GuideFacts): string {
  return `# How to read and use the prices

- \`median_price\` is the trust-weighted median of what vendors ask, recomputed nightly; null while no price is eligible.
- \`cents\` are minor units of \`currency\`; currencies are never converted, and CLP has no minor unit.
- \`unit\` is what the price buys, with its pack: "25 kg" is a bag.
- \`region\` gives the median of one market; without it the headline, in the currency that carries most trust.
- A vendor's \`trust_score\` (0 to 100) is the weight of its vote; \`observed_at\` is when its price was seen.
- A CPV code is there only when a source gave one.

## Limits

${limitLines(limits)}

${AGENT_COUNTING_RULE}

## Licence

${licenceText(dataLicence)} State the source, its address and the date with every price. Reference: ${origin}/docs
`
}

function limitLines(limits: Limits): string {
  return `- free developer key (\`svc_pub_\`): ${limits.publicDevPerMinute} requests and ${limits.searchPerMinute} searches a minute, ${limits.publicDevPerMonth} a month
- workspace key (\`svc_org_\`): ${limits.orgPerMinute} requests and ${limits.searchPerMinute} searches a minute, ${limits.orgPerMonth} a month, with all keys of the workspace together`
}
