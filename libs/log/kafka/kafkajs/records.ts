import type { FetchedRecord } from '@catalog/log/kafka/client/client.ts'
import type { KafkaMessage } from 'kafkajs'

export type KafkajsRecord = Pick<KafkaMessage, 'offset' | 'key' | 'value' | 'headers'>

export function recordOf({ offset, key, value, headers }: KafkajsRecord): FetchedRecord {
  const record = { offset: BigInt(offset), key: String(key ?? ''), value: String(value ?? '') }
  return headers?.traceparent === undefined ? record : { ...record, traceparent: String(headers.traceparent) }
}
