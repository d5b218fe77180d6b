import type { CatalogEvent } from '@catalog/core/events/events.ts'
import { eventId } from '@catalog/core/events/ids.ts'
import { TOPICS, type Topic } from '@catalog/core/events/topics.ts'
import { instant } from '@catalog/core/time.ts'
import { readableEvent } from '@catalog/log/append-events.ts'
import { readPublishers } from '@catalog/store/indices/index-points.ts'
import { type Cut, type SourceAt, sourcesAt } from '@catalog/store/vendor/as-of-queries.ts'
import type { Catalog } from './catalog.ts'
import { findSource, findSources } from './naming.ts'

/** A decision that does not apply to the catalog as it is: asked again, it is refused again. Other errors may pass. */
export class DecisionRefused extends Error {
  override name = 'DecisionRefused'
}

/** A decision before it is recorded. */
export type Content<Event> = Omit<Event, 'v' | 'event_id' | 'recorded_at'>

/** The facts of now. */
export const presentOf = ({ now }: Pick<Catalog, 'now'>): Cut => ({ asOf: instant(now()), positions: null })

export const sourcesNow = (catalog: Pick<Catalog, 'store' | 'now'>): Promise<ReadonlyMap<string, SourceAt>> =>
  sourcesAt(catalog.store, presentOf(catalog))

/** Appends one decision of now, and returns it when the read models show it. */
export async function decide<Decided extends { type: CatalogEvent['type'] }>(
  catalog: Catalog,
  { type, ...content }: Decided,
): Promise<Decided & { decided_at: string }> {
  const decision = { type, decided_at: instant(catalog.now()), ...content } as unknown as Decided & {
    decided_at: string
  }
  await appendDecisions(catalog, [decision])
  return decision
}

/** Appends what an operator decided and returns when the read models show it. */
export async function appendDecisions(
  catalog: Catalog,
  contents: readonly { type: CatalogEvent['type'] }[],
  topic: Topic = TOPICS.decisions,
): Promise<void> {
  const recordedAt = instant(catalog.now())
  const events = contents.map((content) => {
    const event = { v: 1, ...content }
    const id = eventId({ ...event, recorded_at: undefined, at: recordedAt })
    return readable(topic, { ...event, event_id: id, recorded_at: recordedAt })
  })
  await catalog.log.append(
    topic,
    events.map((event) => ({ key: keyOf(event), value: JSON.stringify(event) })),
  )
  await catalog.catchUp()
}

/** Throws DecisionRefused, which names the field, for an event that the projector cannot read. */
function readable(topic: Topic, event: object): CatalogEvent {
  try {
    return readableEvent(topic, event)
  } catch (error) {
    throw new DecisionRefused((error as Error).message, { cause: error })
  }
}

export const keyOf = (event: CatalogEvent) => ('source_id' in event ? `${event.source_id}/` : event.type)

/** As {@link sourceIdsOf}, and the publishers of indices, which need not be sources of prices. */
export async function publisherIdsOf(catalog: Catalog, named: Named): Promise<readonly string[]> {
  const sources = await sourcesNow(catalog)
  const publishers = (await readPublishers(catalog.store)).filter(({ sourceId }) => !sources.has(sourceId))
  return idsOf([...sources.values(), ...publishers], named)
}

/** The ids of a source given by id or name; of all sources of a name with `isAll`. */
export const sourceIdsOf = async (catalog: Catalog, named: Named): Promise<readonly string[]> =>
  idsOf((await sourcesNow(catalog)).values(), named)

type Named = Readonly<{ source: string; isAll?: boolean | undefined }>
const idsOf = (sources: Parameters<typeof findSources>[0], { source: given, isAll = false }: Named) =>
  findSources(sources, { option: 'source', given, isAll, wanted: 'an id, or --all' }).map(({ sourceId }) => sourceId)

/** The id of a source given by id or name; `option` names it in the error of one that is unknown. */
export const sourceIdOf = async (catalog: Catalog, given: string, option = 'source'): Promise<string> =>
  findSource((await sourcesNow(catalog)).values(), { option, given }).sourceId
