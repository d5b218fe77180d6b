import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import { ReadAs } from '@catalog/core/events/crawls.ts'
import { type CatalogEvent, parseEvent } from '@catalog/core/events/events.ts'
import { TOPICS, type Topic } from '@catalog/core/events/topics.ts'
import { instant } from '@catalog/core/time.ts'
import { appendDecisions, keyOf } from '@catalog/operations/append-decision.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { findSource } from '@catalog/operations/naming.ts'
import { deadLetterGroups, openDeadLetters, type ParkedGroup } from '@catalog/store/builds/status.ts'
import { type SourceAt, sourcesAt } from '@catalog/store/vendor/as-of-queries.ts'

export async function listParked(
  catalog: Catalog,
  terminal: Terminal,
  options: { reason?: string; source?: string; after?: string; limit: number },
): Promise<void> {
  const { reason, after } = options
  const known = await sourcesAt(catalog.store, { asOf: instant(catalog.now()), positions: null })
  const sourceId =
    options.source === undefined
      ? undefined
      : findSource(known.values(), { option: '--source', given: options.source }).sourceId
  const rows = await openDeadLetters(catalog.store, { reason, sourceId, after, limit: options.limit + 1 })
  const isWhole = reason === undefined && sourceId === undefined && after === undefined
  const groups = isWhole ? await deadLetterGroups(catalog.store, GROUPS_MAX) : []
  const page = rows.slice(0, options.limit)
  const cursor = rows.length > options.limit ? (page.at(-1)?.parked_id ?? null) : null
  terminal.answer({ groups, parked: page, cursor }, () =>
    [
      ...(groups.length === 0 ? [] : [groupTable(groups, known), '']),
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
  const [largest] = groups
  terminal.next(
    largest === undefined
      ? 'correct the input or its mapping and crawl again, then catalog parked resolve ID --as recorded --reason "..."'
      : `catalog parked list --reason ${largest.reason}, or catalog parked show ${largest.parked_id}`,
  )
}

/** Groups that a list begins with. */
const GROUPS_MAX = 50

function groupTable(groups: readonly ParkedGroup[], known: ReadonlyMap<string, SourceAt>): string {
  return table(
    groups.map(({ reason, source_id, count, detail }) => ({
      reason,
      source: (source_id && known.get(source_id)?.name) ?? source_id ?? '',
      records: count,
      example: oneLine(detail),
    })),
  )
}

/** `catalog parked show ID`: one open record with its raw text. */
export async function showParked(catalog: Catalog, terminal: Terminal, id: string): Promise<void> {
  const [record] = await openDeadLetters(catalog.store, { id, limit: 1 })
  if (record === undefined)
    throw new Error(`parked record '${id}': expected the id of an open one, as catalog parked lists them`)
  terminal.answer(record, () =>
    [
      `${record.reason}: ${record.detail}`,
      `at ${record.position ?? 'an unknown place'}, source ${record.source_id ?? 'unknown'}, crawl ${record.crawl_id ?? 'none'}`,
      '',
      record.raw,
      ...(record.raw_sha256 === null ? [] : [`(the beginning of a record with SHA-256 ${record.raw_sha256})`]),
      ...(record.read_as === null ? [] : ['', readText(record.read_as)]),
    ].join('\n'),
  )
  terminal.next(
    record.read_as === null
      ? `catalog parked resolve ${id} --as recorded --reason "..."`
      : `catalog parked edit ${id} --set KEY=VALUE --reason "...", or catalog parked resolve ${id} --as recorded --reason "..."`,
  )
}

/** The texts of a record by key, as its file reads them. */
function readText(readAs: string): string {
  const { fields } = ReadAs.parse(JSON.parse(readAs))
  return Object.entries(fields)
    .map(([key, text]) => `${key.padEnd(READ_KEY_WIDTH)} ${text}`)
    .join('\n')
}
const READ_KEY_WIDTH = 16

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

type Resolution = 'recorded' | 'dropped'

export type ResolveOptions = Readonly<{
  /** With ids: none. Else every open record of this reason and source. */
  of?: string
  source?: string
  as: Resolution
  reason: string
}>

/** The open records of a reason and a source. */
async function idsOf(
  { store, now }: Catalog,
  { of, source }: { of: string | undefined; source: string | undefined },
): Promise<readonly string[]> {
  const known = await sourcesAt(store, { asOf: instant(now()), positions: null })
  const sourceId =
    source === undefined ? undefined : findSource(known.values(), { option: '--source', given: source }).sourceId
  const open = await openDeadLetters(store, { reason: of, sourceId, limit: RETRY_MAX })
  return open.map(({ parked_id }) => parked_id)
}

/** Closes records that a person has dealt with. */
export async function resolveParked(
  catalog: Catalog,
  terminal: Terminal,
  { ids: given, of, source, as, reason }: ResolveOptions & { ids: readonly string[] },
): Promise<void> {
  const isGroup = of !== undefined || source !== undefined
  if (isGroup === given.length > 0)
    throw new Error('catalog parked resolve: expected ids, or --of CODE and --source NAME')
  const ids = isGroup ? await idsOf(catalog, { of, source }) : given
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
