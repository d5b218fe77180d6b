import type { Environment } from './env.ts'
import type { SpanOptions, Tracing } from './otlp-tracing.ts'

/** Traces of OpenTelemetry. Where nobody asked for them, nothing of it is loaded and a span is a call. */

let tracing: Tracing | undefined

export const isTracing = (): boolean => tracing !== undefined

/** Does the work within a span, which fails with it. */
export const span = <T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> =>
  tracing === undefined ? work() : tracing.span(name, options, work)

/** The context of the present span for what leaves this process (W3C traceparent); undefined outside of one. */
export const traceparent = (): string | undefined => tracing?.traceparent()

/**
 * Sends the spans of this process to OTEL_EXPORTER_OTLP_ENDPOINT, where that is set; disposal sends the last. A collector that
 * is away costs the spans and nothing else.
 */
export async function openTracing(
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: service }: TracingEnvironment,
  process: string,
): Promise<AsyncDisposable> {
  if (endpoint === undefined) return { async [Symbol.asyncDispose]() {} }
  const { openOtlpTracing } = await import('./otlp-tracing.ts')
  const opened = openOtlpTracing({ endpoint, service: service ?? `catalog-${process}` })
  tracing = opened
  return {
    async [Symbol.asyncDispose]() {
      tracing = undefined
      await opened[Symbol.asyncDispose]()
    },
  }
}

type TracingEnvironment = Pick<Environment, 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_SERVICE_NAME'>
