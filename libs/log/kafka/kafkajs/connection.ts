import type { KafkaClientOptions } from '@catalog/log/kafka/client/client.ts'
import { FAILOVER, GROUP_RETRIES } from '@catalog/log/kafka/client/retry.ts'
import { Kafka, logLevel, type RetryOptions, type SASLOptions } from 'kafkajs'

export const RETRY = {
  initialRetryTime: FAILOVER.firstWaitMs,
  multiplier: 2,
  factor: 0.2,
  maxRetryTime: FAILOVER.waitMsMax,
  retries: FAILOVER.retries,
} as const
/** kafkajs connects inside each attempt of RETRY: a dead broker must leave time to find another. */
export const CONNECT_RETRY = { ...RETRY, retries: 2 } as const
export const GROUP_RETRY = { ...RETRY, retries: GROUP_RETRIES } as const

export function connectionTo(
  { brokers, prefix = '', logger, connection }: KafkaClientOptions,
  retry: RetryOptions,
): Kafka {
  silenceNegativeTimeouts()
  const { tls, sasl } = connection ?? {}
  return new Kafka({
    ...(tls && { ssl: tls.ca === undefined ? {} : { ca: tls.ca } }),
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
