import { type DecisionEvent, subjectOf } from '@catalog/core/events/events.ts'
import { eventId } from '@catalog/core/events/ids.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { appendEvents, type OnUnreadable } from '@catalog/log/append-events.ts'
import type { EventLog } from '@catalog/log/log.ts'

type ContentOf<Event> = Event extends DecisionEvent ? Omit<Event, 'v' | 'event_id' | 'recorded_at'> : never

/** When decisions are recorded, and what becomes of those that no projector could read: see {@link appendEvents}. */
export type Recording = Readonly<{ recordedAt: string; onUnreadable?: OnUnreadable | undefined }>

/** Appends what rules decide. Equal decisions have equal ids, whenever they are recorded. */
export async function appendDecisions(
  log: Pick<EventLog, 'append'>,
  contents: readonly ContentOf<DecisionEvent>[],
  { recordedAt, onUnreadable }: Recording,
): Promise<void> {
  const records = contents.map(({ type, ...content }) => {
    const whole = { type, v: 1 as const, ...content }
    const event = { ...whole, event_id: eventId(whole), recorded_at: recordedAt } as DecisionEvent
    return { key: subjectOf(event), event }
  })
  await appendEvents(log, TOPICS.decisions, records, onUnreadable)
}
