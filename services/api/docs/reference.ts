import Fastify from 'fastify'

/**
 * The reference at /docs: Scalar's interface, served from here alone. Nothing of it is fetched from elsewhere, and its
 * policy forbids a browser to.
 */

/** Addresses are relative to /docs, so that the page also works below a path of a proxy. */
export const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Construction Cost Catalog API</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="reference"></div>
<noscript>This page needs scripts. Without them: <a href="v1/openapi.json">openapi.json</a>,
<a href="llms.txt">llms.txt</a>, <a href="docs/errors">error codes</a>.</noscript>
<script src="docs/reference.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`

const SETTINGS = {
  url: 'v1/openapi.json',
  // Each of these would load from, send to, or lead to the maker's servers.
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  agent: { disabled: true, hideAddApi: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
}

export const START_SCRIPT = `Scalar.createApiReference('#reference', ${JSON.stringify(SETTINGS)})\n`

/** Scripts and requests go to this origin alone, and to that of the API, which may be another for who tries it here. */
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

/** The script of the interface, 3.8 MB. The plugin keeps it inside and gives it out by a route alone. */
export async function referenceScript(): Promise<string> {
  // Loaded when somebody reads the documentation, not with every start.
  const { default: reference } = await import('@scalar/fastify-api-reference')
  await using app = Fastify()
  app.register(reference, { routePrefix: '/reference', configuration: { url: '/' } })
  return (await app.inject('/reference/js/scalar.js')).body
}
