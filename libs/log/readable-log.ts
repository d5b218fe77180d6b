import { type CatalogEvent, parseEvent } from '@catalog/core/events/events.ts'
import type { Topic } from '@catalog/core/events/topics.ts'
import type { EventLog } from './log.ts'

/** A producer wrote an event that no projector can read. The message names each field and what it expects. */
class UnreadableEvent extends Error {
  override name = 'UnreadableEvent'
}

/** The event as the projector reads it. Throws UnreadableEvent. */
export function readableEvent(topic: Topic, event: unknown): CatalogEvent {
  try {
    return parseEvent(topic, event)
  } catch (error) {
    const { issues } = error as { issues?: readonly { path: readonly PropertyKey[]; message: string }[] }
    const fields = issues?.map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw new UnreadableEvent(fields?.join('; ') ?? (error as Error).message, { cause: error })
  }
}

/**
 * A log that takes only events which the projector can read, for producers whose texts come from people: an append with another
 * one throws UnreadableEvent, and appends nothing.
 */
export function readableLog<Log extends Pick<EventLog, 'append'>>(log: Log): Log {
  return {
    ...log,
    async append(topic, events) {
      for (const { value } of events) readableEvent(topic, JSON.parse(value))
      await log.append(topic, events)
    },
  }
}
