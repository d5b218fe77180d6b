import {
  type Context,
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'

export type SpanOptions = Readonly<{
  kind?: 'producer' | 'consumer' | 'server'
  attributes?: Readonly<Record<string, string | number>>
  /** The trace contexts (W3C traceparent) that the work comes from: it continues the first and links the others. */
  causes?: readonly string[]
}>

export interface Tracing extends AsyncDisposable {
  span<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T>
  traceparent(): string | undefined
}

/** A command waits at its end for a collector that does not answer, and a person for the command. */
const EXPORT_MS_MAX = 3_000
const KINDS = { producer: SpanKind.PRODUCER, consumer: SpanKind.CONSUMER, server: SpanKind.SERVER } as const

/** Import it only where traces are asked for: it takes 50 ms and some megabytes. */
export function openOtlpTracing({ endpoint, service }: { endpoint: string; service: string }): Tracing {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': service })),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url, timeoutMillis: EXPORT_MS_MAX }),
        exportTimeoutMillis: EXPORT_MS_MAX,
      }),
    ],
  })
  // Libraries that trace by themselves, as the client of Elasticsearch does, find both.
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(provider)
  const tracer = provider.getTracer('construction-cost-catalog')
  return {
    async span(name, { kind, attributes = {}, causes = [] }, work) {
      const [cause, ...others] = causes.flatMap((header) => parseTraceparent(header) ?? [])
      const parent: Context = cause === undefined ? context.active() : trace.setSpanContext(ROOT_CONTEXT, cause)
      const options = {
        attributes,
        links: others.map((other) => ({ context: other })),
        ...(kind && { kind: KINDS[kind] }),
      }
      return tracer.startActiveSpan(name, options, parent, async (span) => {
        try {
          return await work()
        } catch (error) {
          span.recordException(error as Error)
          span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).message })
          throw error
        } finally {
          span.end()
        }
      })
    },
    traceparent() {
      const active = trace.getActiveSpan()?.spanContext()
      if (active === undefined || !isSpanContextValid(active)) return undefined
      return `00-${active.traceId}-${active.spanId}-${active.traceFlags.toString(16).padStart(2, '0')}`
    },
    async [Symbol.asyncDispose]() {
      trace.disable()
      context.disable()
      await provider.shutdown().catch(() => {})
    },
  }
}

function parseTraceparent(header: string): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(header) ?? []
  const found = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true }
  return isSpanContextValid(found) ? found : undefined
}
