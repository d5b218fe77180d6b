import { findSource } from '@catalog/cli/shared/naming.ts'
import type { Catalog } from '@catalog/cli/shared/wire.ts'
import { type CatalogEvent, parseEvent } from '@catalog/core/events/events.ts'
import { eventId } from '@catalog/core/events/ids.ts'
import type { Topic } from '@catalog/core/events/topics.ts'
import { instant } from '@catalog/core/time.ts'
import { sourcesAt } from '@catalog/store/vendor/as-of-queries.ts'

/** A decision that does not apply to the catalog as it is: asked again, it is refused again. Other errors may pass. */
export class DecisionRefused extends Error {
  override name = 'DecisionRefused'
}

/** Appends what an operator decided and returns when the read models show it. */
export async function appendDecisions(
  catalog: Catalog,
  topic: Topic,
  contents: readonly { type: CatalogEvent['type'] }[],
): Promise<void> {
  const recordedAt = instant(catalog.now())
  const events = contents.map((content) => {
    const event = { v: 1, ...content }
    const whole = {
      ...event,
      event_id: eventId({ ...event, recorded_at: undefined, at: recordedAt }),
      recorded_at: recordedAt,
    }
    // Appends only what the projector can read.
    return parseEvent(topic, whole)
  })
  await catalog.log.append(
    topic,
    events.map((event) => ({ key: keyOf(event), value: JSON.stringify(event) })),
  )
  await catalog.catchUp()
}

export const keyOf = (event: CatalogEvent) => ('source_id' in event ? `${event.source_id}/` : event.type)

/** The id of a source given by id or name. */
export async function sourceIdOf(catalog: Catalog, given: string): Promise<string> {
  const sources = await sourcesAt(catalog.store, { asOf: instant(catalog.now()), positions: null })
  return findSource(sources.values(), { option: 'source', given }).sourceId
}
