import type { KafkaClientOptions } from '@catalog/log/kafka/client/client.ts'
import { type BaseOptions, NetworkError, UserError } from '@platformatic/kafka'

/** A broker answers a request within this time, or the connection is closed. Longer than a send may wait for replicas. */
const REQUEST_TIMEOUT_MS = 35_000
const CONNECT_TIMEOUT_MS = 5_000
/** A broker that no longer leads says so; this is for partitions that were added. */
const METADATA_AGE_MS_MAX = 60_000
const MECHANISMS = { plain: 'PLAIN', 'scram-sha-256': 'SCRAM-SHA-256', 'scram-sha-512': 'SCRAM-SHA-512' } as const

/** Requests are tried once: {@link throughFailover} repeats them, with fresh metadata. */
export function connectionTo({ brokers, prefix = '', connection }: KafkaClientOptions): BaseOptions {
  const { tls, sasl } = connection ?? {}
  return {
    clientId: `${prefix}catalog`,
    bootstrapBrokers: brokers.split(','),
    connectTimeout: CONNECT_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    retries: 0,
    metadataMaxAge: METADATA_AGE_MS_MAX,
    autocreateTopics: false,
    ...(tls && { tls: tls.ca === undefined ? {} : { ca: tls.ca } }),
    ...(sasl && { sasl: { ...sasl, mechanism: MECHANISMS[sasl.mechanism] } }),
  }
}

/**
 * Whether another attempt cannot help: brokers refuse who we are, or we them, or the request itself. A connection that breaks
 * while it is made also fails as a refusal, and is none. A topic that a broker does not know may be new: brokers learn of it one
 * after the other, and the protocol has clients ask again, while the library calls it an error of its user.
 */
export function isFinal(error: unknown): boolean {
  return chainOf(error).some(
    (cause) =>
      (cause.canRetry === false && !isUnknownTopic(cause) && !chainOf(cause.cause).some(isBroken)) ||
      /CERT|SIGNED|ERR_TLS/.test(String(cause.code)),
  )
}

export function isOutage(error: unknown): boolean {
  return !isFinal(error) && chainOf(error).some((cause) => isBroken(cause) || cause.canRetry === true)
}

const isBroken = ({ code }: Cause) => code === NetworkError.code
const isUnknownTopic = ({ code, message }: Cause) =>
  code === UserError.code && String(message).startsWith('Unknown topic ')

/** Whether a broker answered with this error of the protocol. */
export function says(error: unknown, id: string): boolean {
  return chainOf(error).some(({ apiId }) => apiId === id)
}

/** The same error with the message of its innermost cause: the outer ones say that something failed. */
export function explained(error: unknown): Error {
  const causes = chainOf(error)
  const innermost = causes.at(-1) as unknown as Error
  return causes.length > 1 ? new Error(innermost.message, { cause: error }) : innermost
}

/** What the library's errors, and those of sockets in them, say about themselves. */
type Cause = Readonly<{
  code?: unknown
  message?: unknown
  canRetry?: unknown
  apiId?: unknown
  cause?: unknown
  errors?: unknown[]
}>

/** The error, the errors in it and their causes, outer ones first. */
function chainOf(error: unknown): Cause[] {
  if (error == null) return []
  const { errors = [], cause } = error as Cause
  return [error as Cause, ...errors.flatMap(chainOf), ...chainOf(cause)]
}
