import { createServer } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import { ApiError, helpLink } from '@catalog/api/http/errors.ts'
import { languageOf, sayIn } from '@catalog/explorer/languages/language.ts'
import { startingPage, startingText } from '@catalog/explorer/views/starting.ts'
import type { LoadingPlace } from './loading.ts'

/** Answers while the catalog starts, from a thread of its own, because a start keeps the main one busy for seconds. */
const { host, port, publicBaseUrl } = workerData as LoadingPlace
const RETRY_SECONDS = 2
const JSON_TYPE = 'application/json; charset=utf-8'
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'"

/** How much of the sample is loaded; null before. */
let percent: number | null = null

const server = createServer(({ url = '/', headers }, response) => {
  const { pathname, searchParams } = new URL(url, publicBaseUrl)
  if (pathname === '/livez') {
    response.writeHead(200, { 'content-type': JSON_TYPE }).end('{"status":"ok"}')
    return
  }
  response.statusCode = 503
  response.setHeader('retry-after', RETRY_SECONDS)
  response.setHeader('cache-control', 'no-store')
  if (pathname.startsWith('/v1/') || pathname === '/readyz' || !headers.accept?.includes('text/html')) {
    const error = new ApiError('not_ready', startingText(sayIn('en'), percent), { retryAfterSeconds: RETRY_SECONDS })
    response.setHeader('content-type', JSON_TYPE)
    response.setHeader('link', helpLink(publicBaseUrl, error.code))
    response.end(JSON.stringify(error.body))
    return
  }
  const language = languageOf(searchParams.get('lang') ?? undefined, headers['accept-language'])
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.setHeader('content-security-policy', POLICY)
  response.end(startingPage(language, { percent, refreshSeconds: RETRY_SECONDS }))
})

parentPort?.on('message', (message: number | 'close') => {
  if (message !== 'close') {
    percent = message
    return
  }
  server.close(() => process.exit())
  server.closeAllConnections()
})
server.listen(port, host, () => parentPort?.postMessage('listening'))
