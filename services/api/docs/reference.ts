import { frame, html, ICON } from '@catalog/pages/markup.ts'
import Fastify from 'fastify'

/**
 * The reference at /docs: the interface of Scalar, with all its files served from here. Its policy stops browsers from
 * loading others.
 */

/** Addresses are relative to /docs, so the page also works below a proxy's path prefix. */
export const REFERENCE_PAGE = frame({
  title: 'Construction Cost Catalog API',
  head: ICON,
  body: html`<div id="reference"></div>
<noscript>This page needs scripts. Without them: <a href="v1/openapi.json">openapi.json</a>,
<a href="llms.txt">llms.txt</a>, <a href="docs/errors">error codes</a>.</noscript>
<script src="docs/reference.js"></script>
<script src="docs/start.js"></script>`,
})

const SETTINGS = {
  url: 'docs/openapi.json',
  // Each of these would contact or link the vendor's servers.
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  agent: { disabled: true, hideAddApi: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
}

export const START_SCRIPT = `Scalar.createApiReference('#reference', ${JSON.stringify(SETTINGS)})\n`

/** Allows scripts and requests to this origin and to the API's, which differs when the page runs elsewhere. */
export function referencePolicy(baseUrl: string): string {
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data:`,
    `font-src 'self' data:`,
    `connect-src 'self' ${new URL(baseUrl).origin}`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ')
}

/** Scalar's script, 3.8 MB. The plugin exposes it only through a route. */
export async function referenceScript(): Promise<string> {
  // Loads the plugin on first use, to keep the start fast.
  const { default: reference } = await import('@scalar/fastify-api-reference')
  await using app = Fastify()
  app.register(reference, { routePrefix: '/reference', configuration: { url: '/' } })
  return (await app.inject('/reference/js/scalar.js')).body
}
