import { eventId } from '@catalog/core/events/ids.ts'
import type { ObservationRetracted } from '@catalog/core/events/observations.ts'
import { observationKey, TOPICS } from '@catalog/core/events/topics.ts'
import { instant } from '@catalog/core/time.ts'
import { appendEvents } from '@catalog/log/append-events.ts'
import type { EventLog } from '@catalog/log/log.ts'

/**
 * The scope of a retraction: one observation of a vendor's reference, everything that a crawl delivered for these
 * sources, or everything of some sources up to now.
 */
export type Retraction =
  | Readonly<{ scope: 'observation'; sourceId: string; vendorRef: string; observationId: string }>
  | Readonly<{ scope: 'crawl'; crawlId: string; sourceIds: readonly string[] }>
  | Readonly<{ scope: 'source'; sourceIds: readonly string[] }>

/**
 * The events of a retraction: one, or one for each source. They take effect at `now`: retracting a whole
 * source covers what was recorded until then.
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
    // A later retraction of the same source covers more, so the instant is part of its identity.
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
      return retraction.sourceIds.map((sourceId) => event(sourceId, undefined, { scope: 'source' }))
  }
}

/** Appends a retraction and returns its events. */
export async function retract(
  retraction: Retraction,
  { log, ...stamp }: Readonly<{ log: Pick<EventLog, 'append'>; reason: string; now: Date }>,
): Promise<ObservationRetracted[]> {
  const events = retractions(retraction, stamp)
  await appendEvents(log, TOPICS.observations, events)
  return events.map(({ event }) => event)
}
