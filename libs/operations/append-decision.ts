import { type CatalogEvent, parseEvent } from '@catalog/core/events/events.ts'
import { eventId } from '@catalog/core/events/ids.ts'
import type { Topic } from '@catalog/core/events/topics.ts'
import { instant } from '@catalog/core/time.ts'
import { readPublishers } from '@catalog/store/indices/index-points.ts'
import { sourcesAt } from '@catalog/store/vendor/as-of-queries.ts'
import type { Catalog } from './catalog.ts'
import { findSource } from './naming.ts'

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
    return readable(topic, whole)
  })
  await catalog.log.append(
    topic,
    events.map((event) => ({ key: keyOf(event), value: JSON.stringify(event) })),
  )
  await catalog.catchUp()
}

/** The event as the projector reads it. Throws DecisionRefused, which names the field, for one that it cannot read. */
function readable(topic: Topic, event: object): CatalogEvent {
  try {
    return parseEvent(topic, event)
  } catch (error) {
    const { issues } = error as { issues?: readonly { path: readonly PropertyKey[]; message: string }[] }
    if (issues === undefined) throw error
    const fields = issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw new DecisionRefused(fields.join('; '), { cause: error })
  }
}

export const keyOf = (event: CatalogEvent) => ('source_id' in event ? `${event.source_id}/` : event.type)

/** As {@link sourceIdOf}, and the publishers of indices, which need not be sources of prices. */
export async function publisherIdOf(catalog: Catalog, given: string): Promise<string> {
  const sources = await sourcesAt(catalog.store, { asOf: instant(catalog.now()), positions: null })
  const publishers = (await readPublishers(catalog.store)).filter(({ sourceId }) => !sources.has(sourceId))
  return findSource([...sources.values(), ...publishers], { option: 'source', given }).sourceId
}

/** The id of a source given by id or name. */
export async function sourceIdOf(catalog: Catalog, given: string): Promise<string> {
  const sources = await sourcesAt(catalog.store, { asOf: instant(catalog.now()), positions: null })
  return findSource(sources.values(), { option: 'source', given }).sourceId
}
