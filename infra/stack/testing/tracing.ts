import { json } from 'node:stream/consumers'
import { serveHttp } from '@catalog/stack/servers/machine.ts'

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
  const server = await serveHttp(async (request, response) => {
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
  return { endpoint: server.url, spans, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}
