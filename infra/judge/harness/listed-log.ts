import { parseEvent } from '@catalog/core/events/events.ts'
import type { Topic } from '@catalog/core/events/topics.ts'

type Event = ReturnType<typeof parseEvent>

/** A log that lists what a crawl appends, and checks each event by the contract. */
export function openListedLog() {
  const events: Event[] = []
  return {
    log: {
      async append(topic: Topic, records: readonly { value: string }[]) {
        for (const { value } of records) events.push(parseEvent(topic, JSON.parse(value)))
      },
    },
    observations: () => events.filter((event) => event.type === 'ObservationRecorded'),
    parked: () => events.filter((event) => event.type === 'RecordParked'),
  }
}
