import { readFileSync } from 'node:fs'
import { MCP_PATH } from '@catalog/api/contract/shared/mcp-paths.ts'
import { documentOf, JSON_TYPE, type RenderedDocument, sendDocument } from '@catalog/api/http/documents.ts'
import { ERRORS, type ErrorCode } from '@catalog/api/http/errors.ts'
import { PAGE_HEADERS } from '@catalog/api/http/headers.ts'
import { frame, html, ICON, type Markup } from '@catalog/pages/markup.ts'
import { STYLE } from '@catalog/pages/style.ts'
import type { FastifyInstance } from 'fastify'
import { load } from 'js-yaml'
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
  serveText('/.well-known/api-catalog', JSON.stringify(addressesAt(origin).api_catalog), {
    'content-type': `application/linkset+json; profile="${API_CATALOG_PROFILE}"`,
    link: `<${origin}/.well-known/api-catalog>; rel="api-catalog"`,
  })
}

const SCRIPT_TYPE = 'text/javascript; charset=utf-8'
const API_CATALOG_PROFILE = 'https://www.rfc-editor.org/info/rfc9727'

/** GET /: links to everything. */
export const entrance = ({ origin, dataLicence }: GuideFacts): object => ({
  ...addressesAt(origin).entrance,
  data_licence: dataLicence,
})

/** addresses.yaml for this origin. */
const addressesAt = (origin: string) =>
  load(
    textOf('addresses.yaml')
      .replaceAll('{mcp}', origin + MCP_PATH)
      .replaceAll('{origin}', origin),
  ) as Readonly<Record<'entrance' | 'api_catalog', object>>
const textOf = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')

/** The Link header of GET /, for tools that discover APIs (RFC 8631, RFC 9727). */
export function entranceLinks(origin: string): string {
  return [
    `<${origin}/.well-known/api-catalog>; rel="api-catalog"`,
    `<${origin}/v1/openapi.json>; rel="service-desc"`,
    `<${origin}/docs>; rel="service-doc"`,
  ].join(', ')
}

/** The file of llmstxt.org: how a language model uses the API. */
function llmsText({ origin, limits, dataLicence }: GuideFacts, openapi: OpenApi): string {
  const codes = Object.entries(ERRORS).map(([code, { status, meaning }]) => `- \`${code}\` (${status}): ${meaning}`)
  const values: Readonly<Record<string, string>> = {
    origin,
    mcp: origin + MCP_PATH,
    operations: operationLines(openapi),
    limits: limitsTable(limits),
    errors: codes.join('\n'),
    licence: licenceText(dataLicence),
  }
  return textOf('llms.txt').replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place)
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
