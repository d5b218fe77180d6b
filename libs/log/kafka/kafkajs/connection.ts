import { Kafka, type KafkaConfig, logLevel, type RetryOptions, type SASLOptions } from 'kafkajs'

/** Logs errors that kafkajs recovers from; others are thrown. */
export type KafkaLogger = { error(details: object, message: string): void }

export type KafkaClientOptions = Readonly<{
  /** host:port,host:port of some brokers; they name the others. */
  brokers: string
  /** Prepended to the names of topics and groups, so that several catalogs can share a cluster. */
  prefix?: string
  logger?: KafkaLogger | undefined
  /** TLS, credentials and sockets of connections to brokers. */
  connection?: Pick<KafkaConfig, 'ssl' | 'socketFactory'> &
    Readonly<{ sasl?: { mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; username: string; password: string } }>
}>

/** Kafka replaces a dead leader within 10 s; these attempts together wait about 20 s. */
export const RETRY = { initialRetryTime: 100, multiplier: 2, factor: 0.2, maxRetryTime: 2_000, retries: 14 } as const
/** kafkajs connects inside each attempt of RETRY: a dead broker must leave time to find another. */
export const CONNECT_RETRY = { ...RETRY, retries: 2 } as const
/** About 6 s, long enough for a group's coordinator to load. Then the subscription rejects, and the caller retries. */
export const GROUP_RETRY = { ...RETRY, retries: 6 } as const

export function kafkaClient(
  { brokers, prefix = '', logger, connection }: KafkaClientOptions,
  retry: RetryOptions,
): Kafka {
  silenceNegativeTimeouts()
  const { sasl, ...transport } = connection ?? {}
  return new Kafka({
    ...transport,
    // Its type wants one member of a union for each mechanism.
    ...(sasl && { sasl: sasl as SASLOptions }),
    clientId: `${prefix}catalog`,
    brokers: brokers.split(','),
    retry,
    logLevel: logLevel.ERROR,
    logCreator:
      () =>
      ({ namespace, log: { message, timestamp: _, logger: __, ...details } }) =>
        logger?.error({ kafkajs: namespace, ...details }, message),
  })
}

let negativeTimeoutsSilenced = false
/** kafkajs sets timers in the past. Node 24 warns about each one, and handles them as before. */
function silenceNegativeTimeouts(): void {
  if (negativeTimeoutsSilenced) return
  negativeTimeoutsSilenced = true
  const emitWarning = process.emitWarning as (...args: unknown[]) => void
  process.emitWarning = (...args: unknown[]) => {
    if (args[1] === 'TimeoutNegativeWarning' && new Error().stack?.includes('/kafkajs/')) return
    emitWarning.apply(process, args)
  }
}
