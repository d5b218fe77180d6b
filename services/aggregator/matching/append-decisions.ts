import { type DecisionEvent, subjectOf } from '@catalog/core/events/events.ts'
import { eventId } from '@catalog/core/events/ids.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { appendEvents, type OnUnreadable } from '@catalog/log/append-events.ts'
import type { EventLog } from '@catalog/log/log.ts'
import type { Store } from '@catalog/store/db.ts'
import type { Cut } from '@catalog/store/vendor/as-of-queries.ts'

type ContentOf<Event> = Event extends DecisionEvent ? Omit<Event, 'v' | 'event_id' | 'recorded_at'> : never

/** Where and when decisions are recorded, and what becomes of those that no projector could read: see {@link appendEvents}. */
export type Recording = Readonly<{
  log: Pick<EventLog, 'append'>
  recordedAt: string
  onUnreadable?: OnUnreadable | undefined
}>

/** What the matching of a run reads and writes. */
export type Matching = Recording & Readonly<{ log: EventLog; store: Store; cut: Cut; catchUp: () => Promise<void> }>

/** Appends what rules decide, and returns how many events. Equal decisions have equal ids, whenever they are recorded. */
export async function appendDecisions(
  { log, recordedAt, onUnreadable }: Recording,
  contents: readonly ContentOf<DecisionEvent>[],
): Promise<number> {
  const records = contents.map(({ type, ...content }) => {
    const whole = { type, v: 1 as const, ...content }
    const event = { ...whole, event_id: eventId(whole), recorded_at: recordedAt } as DecisionEvent
    return { key: subjectOf(event), event }
  })
  await appendEvents(log, TOPICS.decisions, records, onUnreadable)
  return records.length
}
