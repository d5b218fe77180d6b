import { eventId, type ObservationRetracted, observationKey, TOPICS } from '@catalog/core/events/events.ts'
import { instant } from '@catalog/core/time.ts'
import type { EventLog } from '@catalog/log/log.ts'

/**
 * What is taken back: one observation of a vendor's reference, everything that a crawl delivered for these sources, or
 * everything of a source up to now.
 */
export type Retraction =
  | Readonly<{ scope: 'observation'; sourceId: string; vendorRef: string; observationId: string }>
  | Readonly<{ scope: 'crawl'; crawlId: string; sourceIds: readonly string[] }>
  | Readonly<{ scope: 'source'; sourceId: string }>

/**
 * The events of a retraction: one, or one for each source of a crawl; none for a crawl without sources. They are facts of
 * the moment `now`: a whole source is retracted in what was recorded until then (DESIGN §2, law 3).
 */
export function retractions(
  retraction: Retraction,
  { reason, now }: Readonly<{ reason: string; now: Date }>,
): { key: string; event: ObservationRetracted }[] {
  const recordedAt = instant(now)
  const event = (
    sourceId: string,
    vendorRef: string | undefined,
    target: ObservationRetracted['target'],
  ): { key: string; event: ObservationRetracted } => {
    const content = {
      type: 'ObservationRetracted' as const,
      v: 1 as const,
      source_id: sourceId,
      ...(vendorRef !== undefined && { vendor_ref: vendorRef }),
      target,
      reason,
    }
    // Taking back the same source again later covers more, so the moment is part of what the event says.
    const id = eventId(target.scope === 'source' ? { ...content, until: recordedAt } : content)
    return {
      key: observationKey(sourceId, vendorRef ?? ''),
      event: { ...content, event_id: id, recorded_at: recordedAt },
    }
  }
  switch (retraction.scope) {
    case 'observation': {
      const target = { scope: 'observation' as const, observation_id: retraction.observationId }
      return [event(retraction.sourceId, retraction.vendorRef, target)]
    }
    case 'crawl': {
      const target = { scope: 'crawl' as const, crawl_id: retraction.crawlId }
      return retraction.sourceIds.map((sourceId) => event(sourceId, undefined, target))
    }
    case 'source':
      return [event(retraction.sourceId, undefined, { scope: 'source' })]
  }
}

/** Appends a retraction and gives back its events. */
export async function retract(
  retraction: Retraction,
  { log, ...said }: Readonly<{ log: Pick<EventLog, 'append'>; reason: string; now: Date }>,
): Promise<ObservationRetracted[]> {
  const events = retractions(retraction, said)
  if (events.length > 0) {
    await log.append(
      TOPICS.observations,
      events.map(({ key, event }) => ({ key, value: JSON.stringify(event) })),
    )
  }
  return events.map(({ event }) => event)
}
