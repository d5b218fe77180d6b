import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** A span as a collector got it. */
export type ReceivedSpan = Readonly<{
  service: string
  name: string
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  links: readonly string[]
  isFailed: boolean
}>

type Exported = {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] }
    scopeSpans: { spans: ExportedSpan[] }[]
  }[]
}
type ExportedSpan = Pick<ReceivedSpan, 'name' | 'traceId' | 'spanId' | 'parentSpanId'> & {
  links?: { spanId: string }[]
  status?: { code?: number }
}
const FAILED = 2

/** A collector of OpenTelemetry that keeps the spans which it gets. */
export async function startTraceReceiver(): Promise<
  AsyncDisposable & { readonly endpoint: string; readonly spans: readonly ReceivedSpan[] }
> {
  const spans: ReceivedSpan[] = []
  const server = createServer(async (request, response) => {
    const { resourceSpans } = (await json(request)) as Exported
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? ''
      for (const { name, traceId, spanId, parentSpanId, links = [], status } of scopeSpans.flatMap(
        ({ spans }) => spans,
      ))
        spans.push({
          service,
          name,
          traceId,
          spanId,
          parentSpanId: parentSpanId || undefined,
          links: links.map((link) => link.spanId),
          isFailed: status?.code === FAILED,
        })
    }
    response.writeHead(request.url === '/v1/traces' ? 200 : 404, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
