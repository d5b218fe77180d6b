import { MCP_PATH } from '@catalog/api/contract/shared/mcp-paths.ts'
import { plansUrl } from '@catalog/api/http/context.ts'
import { documentOf, JSON_TYPE, type RenderedDocument, sendDocument } from '@catalog/api/http/documents.ts'
import { ERRORS, type ErrorCode } from '@catalog/api/http/errors.ts'
import { PAGE_HEADERS } from '@catalog/api/http/headers.ts'
import { frame, html, ICON, type Markup } from '@catalog/pages/markup.ts'
import { STYLE } from '@catalog/pages/style.ts'
import type { FastifyInstance } from 'fastify'
import { type GuideFacts, licenceText, limitsTable } from './guide.ts'
import { REFERENCE_PAGE, referencePolicy, referenceScript, START_SCRIPT } from './reference.ts'

/**
 * Documents about the API for developers and their tools, outside all limits: /docs, /docs/errors, /llms.txt and
 * /.well-known/api-catalog.
 */
export function docsRoutes(app: FastifyInstance, facts: GuideFacts): void {
  const { origin } = facts
  const page = { ...PAGE_HEADERS, 'content-security-policy': referencePolicy(origin) }
  const serve = (path: string, render: () => Promise<RenderedDocument>) => {
    // Rendered once: it stays the same while the process runs.
    let document: Promise<RenderedDocument> | undefined
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      document ??= render().catch((error: unknown) => {
        document = undefined
        throw error
      })
      return await sendDocument(request, reply, await document)
    })
  }
  const serveText = (path: string, text: string, headers: Readonly<Record<string, string>>) =>
    serve(path, async () => documentOf(text, headers))

  serveText('/docs', REFERENCE_PAGE, page)
  // Readers at their limit still read the reference.
  serve('/docs/openapi.json', async () => documentOf(JSON.stringify(app.swagger()), { 'content-type': JSON_TYPE }))
  serveText('/docs/start.js', START_SCRIPT, { 'content-type': SCRIPT_TYPE })
  serve('/docs/reference.js', async () => documentOf(await referenceScript(), { 'content-type': SCRIPT_TYPE }))
  serveText('/docs/errors', errorPage(), PAGE_HEADERS)
  serve('/llms.txt', async () =>
    documentOf(llmsText(facts, app.swagger() as unknown as OpenApi), { 'content-type': 'text/plain; charset=utf-8' }),
  )
  serveText('/.well-known/api-catalog', JSON.stringify(apiCatalog(origin)), {
    'content-type': `application/linkset+json; profile="${API_CATALOG_PROFILE}"`,
    link: `<${origin}/.well-known/api-catalog>; rel="api-catalog"`,
  })
}

const SCRIPT_TYPE = 'text/javascript; charset=utf-8'
const API_CATALOG_PROFILE = 'https://www.rfc-editor.org/info/rfc9727'

/** GET /: links to everything. */
export function entrance({ origin, dataLicence }: GuideFacts): object {
  return {
    name: 'Construction Cost Catalog',
    items: `${origin}/v1/items`,
    search: `${origin}/v1/search?q=cement`,
    categories: `${origin}/v1/categories`,
    sources: `${origin}/v1/sources`,
    feeds: [`${origin}/v1/feeds/items.atom`, `${origin}/v1/feeds/items.rss`],
    pricing: `${origin}/v1/pricing`,
    plans: plansUrl(`${origin}/v1`),
    status: `${origin}/v1/status`,
    openapi: `${origin}/v1/openapi.json`,
    docs: `${origin}/docs`,
    errors: `${origin}/docs/errors`,
    llms: `${origin}/llms.txt`,
    data_licence: dataLicence,
  }
}

/** The Link header of GET /, for tools that discover APIs (RFC 8631, RFC 9727). */
export function entranceLinks(origin: string): string {
  return [
    `<${origin}/.well-known/api-catalog>; rel="api-catalog"`,
    `<${origin}/v1/openapi.json>; rel="service-desc"`,
    `<${origin}/docs>; rel="service-doc"`,
  ].join(', ')
}

/** The API catalog of RFC 9727: the APIs and their descriptions. */
function apiCatalog(origin: string): object {
  return {
    linkset: [
      {
        anchor: `${origin}/.well-known/api-catalog`,
        item: [
          { href: `${origin}/v1`, title: 'Construction Cost Catalog, version 1' },
          { href: origin + MCP_PATH, title: 'The same for agents, over MCP' },
        ],
      },
      {
        anchor: origin + MCP_PATH,
        'service-meta': [
          { href: `${origin}/.well-known/mcp.json`, type: 'application/json', title: 'Tools and ceilings' },
        ],
      },
      {
        anchor: `${origin}/v1`,
        'service-desc': [{ href: `${origin}/v1/openapi.json`, type: JSON_TYPE.split(';')[0], title: 'OpenAPI 3.1' }],
        'service-doc': [
          { href: `${origin}/docs`, type: 'text/html', title: 'Reference and quick start' },
          { href: `${origin}/llms.txt`, type: 'text/plain', title: 'For language models' },
        ],
        status: [
          { href: `${origin}/v1/status`, type: 'application/json' },
          { href: `${origin}/readyz`, type: 'application/json' },
        ],
      },
    ],
  }
}

/** The file of llmstxt.org: how a language model uses the API. */
function llmsText({ origin, limits, dataLicence }: GuideFacts, openapi: OpenApi): string {
  const codes = Object.entries(ERRORS).map(([code, { status, meaning }]) => `- \`${code}\` (${status}): ${meaning}`)
  return `# Construction Cost Catalog

> What construction materials and works cost in Spain, Latin America, the United States and the United Kingdom: canonical items, each with a trust-weighted median of vendors' prices net of tax, recomputed nightly. Open to read, without a key.

Prices are integers of minor currency units; currencies are never converted. \`median_price\` is null while no price is eligible. \`vendors[].price\` is as published, with tax or without. A price that rests on one vendor alone says so in Markdown and in \`/basis\`. Base address: ${origin}/v1

Lists have \`limit\` and \`cursor\`: follow it until it is null. \`Accept: text/markdown\` gives a text made for you.

## Call

${operationLines(openapi)}

## Call as an agent

- [MCP](${origin}/.well-known/mcp.json): ${origin}${MCP_PATH}, streamable HTTP; tools search_catalog, get_item, list_categories and get_decomposition, by OAuth or with a key as bearer

## Docs

- [OpenAPI 3.1](${origin}/v1/openapi.json): every path, parameter and shape
- [Reference](${origin}/docs): for people, with a quick start in curl, JavaScript and Python
- [Errors](${origin}/docs/errors): every code

## Limits

${limitsTable(limits)}

A free key: POST ${origin}/v1/keys/signup with \`{"email"}\`, then \`Authorization: Bearer\`. On 429 and 503 wait \`retry_after_seconds\`. Send \`If-None-Match\`: an answer of 304 is free.

## Errors

${codes.join('\n')}

## Licence

${licenceText(dataLicence)}
`
}

/** What a language model needs seldom: mirrors, keys and the service itself. */
const LEFT_OUT = ['Mirrors', 'Keys', 'Service']

type Operation = Readonly<{ tags?: readonly string[]; summary?: string; description?: string }>
type OpenApi = Readonly<{ paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>> }>

/** Each operation with its summary and the first sentence of its description. */
function operationLines({ paths = {} }: OpenApi): string {
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
    )
    .filter(({ tags = [] }) => tags.length > 0 && !tags.some((tag) => LEFT_OUT.includes(tag)))
    .map(({ path, method, summary, description = '' }) => {
      const [sentence] = description.split(/(?<=\.)\s/)
      return `- \`${method.toUpperCase()} ${path}\`: ${summary}. ${sentence}`
    })
    .join('\n')
}

const ERRORS_STYLE =
  'section:target{background:light-dark(#fff3c4,#4a3c00);outline:.5rem solid light-dark(#fff3c4,#4a3c00)}'

function errorPage(): Markup {
  const sections = (Object.keys(ERRORS) as ErrorCode[]).map((code) => {
    const { status, meaning } = ERRORS[code]
    const sentence = `${meaning[0]?.toUpperCase()}${meaning.slice(1)}.`
    return html`<section id="${code}">
<h2><code>${code}</code> <small>${status}</small></h2>
<p>${sentence}</p>
</section>`
  })
  return frame({
    title: 'Error codes of the Construction Cost Catalog API',
    style: STYLE + ERRORS_STYLE,
    head: ICON,
    body: html`<main><h1>Error codes</h1>
<p>The value of <code>error</code> in every answer that is not a success. Its <code>details</code> are for people; retry after
<code>retry_after_seconds</code> where there are any. <a href="../docs">The whole reference</a></p>
!${sections.join('\n')}</main>`,
  })
}
