import { type CatalogEvent, parseEvent } from '@catalog/core/events/events.ts'
import type { Topic } from '@catalog/core/events/topics.ts'
import type { EventLog } from './log.ts'

/** No projector can read this event. The message names its type, and each field with what it expects. */
export class UnreadableEvent extends Error {
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

export type KeyedEvent = Readonly<{ key: string; event: CatalogEvent }>

/** Gets what an event left out of an append was, and what is wrong with it. */
export type OnUnreadable = (problem: string) => void

/**
 * Appends events by the schema that the projector reads with. Every producer of events appends through it, or checks each event by
 * {@link readableEvent} before. Law: an event that the projector could not read is not appended, and costs no other one: the append
 * leaves it out and calls `onUnreadable`. Without that it throws UnreadableEvent and appends nothing.
 */
export async function appendEvents(
  log: Pick<EventLog, 'append'>,
  topic: Topic,
  events: readonly KeyedEvent[],
  onUnreadable?: OnUnreadable,
): Promise<void> {
  const readable = events.filter(({ key, event }) => {
    try {
      readableEvent(topic, event)
      return true
    } catch (error) {
      if (onUnreadable === undefined || !(error instanceof UnreadableEvent)) throw error
      onUnreadable(`${event.type} of ${key}: ${error.message}`)
      return false
    }
  })
  if (readable.length === 0) return
  await log.append(
    topic,
    readable.map(({ key, event }) => ({ key, value: JSON.stringify(event) })),
  )
}
