import { parseEvent } from '@catalog/core/events/events.ts'
import type { EventLog } from './log.ts'

/** A producer wrote an event that no projector can read: a defect of the producer. */
class UnreadableEvent extends Error {
  override name = 'UnreadableEvent'
}

/**
 * A log that takes only events which the projector can read, by the schemas that it reads with. An append with another one throws
 * UnreadableEvent, which names topic, key and field, and appends nothing. Tests hold their producers with it.
 */
export function readableLog<Log extends Pick<EventLog, 'append'>>(log: Log): Log {
  return {
    ...log,
    async append(topic, events) {
      for (const { key, value } of events) {
        try {
          parseEvent(topic, JSON.parse(value))
        } catch (error) {
          throw new UnreadableEvent(`${topic}, key '${key}': ${(error as Error).message}`, { cause: error })
        }
      }
      await log.append(topic, events)
    },
  }
}
