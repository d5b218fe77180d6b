import { type DecisionEvent, subjectOf } from '@catalog/core/events/events.ts'
import { eventId } from '@catalog/core/events/ids.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import type { EventLog } from '@catalog/log/log.ts'

type ContentOf<Event> = Event extends DecisionEvent ? Omit<Event, 'v' | 'event_id' | 'recorded_at'> : never

/** Appends what rules decide. Equal decisions have equal ids, whenever they are recorded. */
export async function appendDecisions(
  log: Pick<EventLog, 'append'>,
  contents: readonly ContentOf<DecisionEvent>[],
  recordedAt: string,
): Promise<void> {
  if (contents.length === 0) return
  const records = contents.map(({ type, ...content }) => {
    const whole = { type, v: 1 as const, ...content }
    const event = { ...whole, event_id: eventId(whole), recorded_at: recordedAt } as DecisionEvent
    return { key: subjectOf(event), value: JSON.stringify(event) }
  })
  await log.append(TOPICS.decisions, records)
}
