import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import type { Catalog } from '@catalog/cli/shared/wire.ts'
import { type CatalogEvent, parseEvent } from '@catalog/core/events/events.ts'
import { TOPICS, type Topic } from '@catalog/core/events/topics.ts'
import { openDeadLetters } from '@catalog/store/builds/status.ts'
import { appendDecisions, keyOf } from './append-decision.ts'

export async function listParked(
  catalog: Catalog,
  terminal: Terminal,
  options: { reason?: string; after?: string; limit: number },
): Promise<void> {
  const { reason, after } = options
  const rows = await openDeadLetters(catalog.store, { reason, after, limit: options.limit + 1 })
  const page = rows.slice(0, options.limit)
  const cursor = rows.length > options.limit ? (page.at(-1)?.parked_id ?? null) : null
  terminal.answer({ parked: page, cursor }, () =>
    [
      table(
        page.map(({ parked_id, reason, position, detail, raw }) => ({
          parked_id,
          reason,
          position,
          detail,
          raw: oneLine(raw),
        })),
      ),
      cursor === null ? '' : `\nmore: catalog parked --after ${cursor}`,
    ].join('\n'),
  )
  terminal.next('correct the input or its mapping and crawl again, then catalog parked resolve ID --as recorded')
}

const oneLine = (raw: string) => raw.replace(/\s+/g, ' ').slice(0, 60)

/** Retries records that the projector parked: appends those that it can apply now at the end of their topic. */
export async function retryParked(catalog: Catalog, terminal: Terminal, ids: readonly string[]): Promise<void> {
  const waiting = await openDeadLetters(catalog.store, { limit: RETRY_MAX })
  const chosen = waiting.filter(({ origin, parked_id }) =>
    ids.length === 0 ? origin === 'projector' : ids.includes(parked_id),
  )
  const results: Record<'parked_id' | 'result' | 'detail', string>[] = []
  for (const record of chosen) {
    if (record.origin === 'crawler') {
      results.push({ parked_id: record.parked_id, result: 'refused', detail: 'a vendor record: crawl its input again' })
      continue
    }
    try {
      const event = parseEvent(record.topic as Topic, JSON.parse(record.raw))
      await catalog.log.append(record.topic as Topic, [{ key: keyOfRecorded(event), value: record.raw }])
      await appendResolutions(catalog, [record.parked_id], { resolution: 'recorded', reason: 'retried' })
      results.push({ parked_id: record.parked_id, result: 'recorded', detail: '' })
    } catch (error) {
      results.push({ parked_id: record.parked_id, result: 'still parked', detail: (error as Error).message })
    }
  }
  terminal.answer({ retried: results }, () => table(results))
  terminal.next('catalog parked')
}

/** Open records that one command considers. */
const RETRY_MAX = 10_000

const keyOfRecorded = (event: CatalogEvent) =>
  event.type === 'ObservationRecorded' ? `${event.source.id}/${event.vendor_ref}` : keyOf(event)

export type Resolution = 'recorded' | 'dropped'

/** Closes records that a person has dealt with. */
export async function resolveParked(
  catalog: Catalog,
  terminal: Terminal,
  { ids, as, reason }: { ids: readonly string[]; as: Resolution; reason: string },
): Promise<void> {
  await appendResolutions(catalog, ids, { resolution: as, reason })
  terminal.answer({ resolved: ids, as }, () => `resolved ${ids.length} as ${as}`)
}

async function appendResolutions(
  catalog: Catalog,
  ids: readonly string[],
  { resolution, reason }: { resolution: Resolution; reason: string },
): Promise<void> {
  const waiting = await openDeadLetters(catalog.store, { limit: RETRY_MAX })
  const events = ids.map((id) => {
    const record = waiting.find(({ parked_id }) => parked_id === id)
    if (record === undefined)
      throw new Error(`parked record '${id}': expected the id of an open one, as catalog parked lists them`)
    return { type: 'ParkedResolved' as const, source_id: record.source_id ?? 'none', parked_id: id, resolution, reason }
  })
  await appendDecisions(catalog, TOPICS.observations, events)
}
