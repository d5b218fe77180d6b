import { createHash } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseInstant } from '@catalog/cli/shared/instants.ts'
import { findSource } from '@catalog/cli/shared/naming.ts'
import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import { writeWhole } from '@catalog/cli/shared/whole-file.ts'
import type { Catalog } from '@catalog/cli/shared/wire.ts'
import type { CatalogEvent } from '@catalog/core/events/events.ts'
import { vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import { TOPICS, type Topic } from '@catalog/core/events/topics.ts'
import { BATCH_RECORDS_MAX, type EventLog, type LogRecord, type PartitionRange } from '@catalog/log/log.ts'
import { createTable } from '@catalog/snapshot/parquet.ts'
import {
  type FileRecord,
  isPortable,
  type Manifest,
  manifestLine,
  readable,
  recordLine,
  type Slice,
  typeOf,
} from './log-file.ts'

/** `catalog log export`: writes the log, or a slice of it, as a file that another catalog can import. */
export type ExportFlags = Readonly<{
  /** A file, which appears whole or not at all, or - for stdout. */
  out: string
  /** Parquet is for analysis; imports read NDJSON. */
  format?: 'ndjson' | 'parquet'
  topic?: readonly string[]
  source?: string
  from?: string
  to?: string
}>

type Exporting = Pick<Catalog, 'log' | 'mode'>

export async function exportLog(
  { log, mode }: Exporting,
  terminal: Terminal,
  {
    flags,
    signal,
    stdout = process.stdout,
  }: { flags: ExportFlags; signal: AbortSignal; stdout?: NodeJS.WritableStream },
): Promise<void> {
  const slice = sliceOf(flags)
  const { out, format = 'ndjson' } = flags
  if (format === 'parquet' && out === '-')
    throw new Error("--out '-': expected a file, because Parquet cannot be streamed")
  const progress = terminal.progress('records read')
  let manifest: Manifest | undefined
  async function* chosenRecords() {
    const running = createHash('sha256')
    const types: Record<string, number> = {}
    const ends = await endsOf(log)
    const wanted = await selectionOf({ log, ends }, slice)
    let records = 0
    for await (const { batch, done, total } of read(log, ends, wanted.topics)) {
      const chosen = batch
        .map(({ value, ...place }) => ({ ...place, text: value, event: readable(place.topic, value) }))
        .filter((record) => wanted.has(record))
      const text = chosen.map(recordLine).join('')
      for (const { event } of chosen) types[typeOf(event)] = (types[typeOf(event)] ?? 0) + 1
      records += chosen.length
      running.update(text)
      progress.to(done, total)
      if (text !== '') yield { chosen, text }
    }
    const partitions = Object.fromEntries([...ends].map(([topic, ranges]) => [topic, ranges.length]))
    const kind = mode === 'distributed' ? ('kafka' as const) : ('table' as const)
    manifest = { records, sha256: running.digest('hex'), types, log: { kind, partitions }, slice }
  }
  async function* lines() {
    for await (const { text } of chosenRecords()) yield text
    yield manifestLine(manifest as unknown as Manifest)
  }
  try {
    if (out === '-') await pipeline(Readable.from(lines()), stdout, { signal, end: false })
    else if (format === 'ndjson') await writeWhole(out, lines(), signal)
    else await writeParquet(chosenRecords(), { out, signal, manifestOf: () => JSON.stringify(manifest) })
  } finally {
    progress.done()
  }
  const { records, sha256, types } = manifest as unknown as Manifest
  const says = () =>
    [
      `${flags.out}: ${records} records, SHA-256 ${sha256}`,
      '',
      table(Object.entries(types).map(([type, count]) => ({ type, records: count }))),
    ].join('\n')
  // Stdout carries the file.
  if (flags.out === '-') return terminal.note(`${records} records, SHA-256 ${sha256}`)
  terminal.answer({ file: flags.out, records, sha256, types, slice }, says)
  terminal.next(`catalog log import ${flags.out} --data ANOTHER_FOLDER`)
}

/** Writes a table that appears whole or not at all, with events as JSON text and the manifest in its footer. */
async function writeParquet(
  batches: AsyncIterable<Readonly<{ chosen: readonly FileRecord[] }>>,
  { out, signal, manifestOf }: { out: string; signal: AbortSignal; manifestOf: () => string },
): Promise<void> {
  const part = `${out}.part`
  try {
    const records = createTable(part, {
      topic: 'VARCHAR',
      partition: 'INTEGER',
      offset: 'BIGINT',
      key: 'VARCHAR',
      recorded_at: 'TIMESTAMPTZ',
      event: 'VARCHAR',
    })
    for await (const { chosen } of batches) {
      signal.throwIfAborted()
      records.add(
        chosen.map(({ offset, text, event, ...record }) => ({
          ...record,
          offset: Number(offset),
          recorded_at: event?.recorded_at,
          event: text,
        })),
      )
    }
    await records.finish({ manifest: manifestOf() })
    await rename(part, out)
  } finally {
    await rm(part, { force: true })
  }
}

/** The order of topics in a file: records come before the decisions that name them. */
const ORDER: readonly Topic[] = [TOPICS.observations, TOPICS.decisions, TOPICS.items]
/** The topics that another catalog needs; it makes items itself. */
const SLICE_TOPICS: readonly Topic[] = [TOPICS.observations, TOPICS.decisions]

/** The slice that the flags choose; null is the whole log. Throws an error that names the flag and its expectation. */
function sliceOf({ topic: named, source, from, to }: ExportFlags): Slice | null {
  const unknown = named?.find((name) => !(ORDER as readonly string[]).includes(name))
  if (unknown !== undefined) throw new Error(`--topic '${unknown}': expected one of ${ORDER.join(', ')}`)
  const bounds = {
    from: from === undefined ? null : parseInstant(from, '--from'),
    to: to === undefined ? null : parseInstant(to, '--to'),
  }
  if (bounds.from !== null && bounds.to !== null && Date.parse(bounds.from) >= Date.parse(bounds.to)) {
    throw new Error(`--from ${bounds.from} --to ${bounds.to}: expected the end after the beginning`)
  }
  const isPart = source !== undefined || from !== undefined || to !== undefined
  const topics = ORDER.filter((topic) => (named ?? (isPart ? SLICE_TOPICS : ORDER)).includes(topic))
  if (!isPart && topics.length === ORDER.length) return null
  return { topics, source: source ?? null, ...bounds }
}

type Wanted = Readonly<{
  /** The topics to read. */
  topics: readonly Topic[]
  has: (record: Pick<FileRecord, 'topic' | 'event'>) => boolean
}>

/**
 * Selects the records of a slice; call it in the order of a file.
 *
 * A slice of a source is self-contained. It has the source's registration and trust, the records, dead letters and
 * retractions of its crawls, and decisions on its observations and SKUs that are {@link isPortable}. A kept-apart pair
 * comes with either of its SKUs and takes effect once both exist. From `catalog.items`, on request, come the events
 * that rest on a vote of the source.
 *
 * An interval bounds when records were recorded. Earlier decisions still apply in it, so only its end bounds decisions.
 */
async function selectionOf({ log, ends }: { log: EventLog; ends: Ends }, slice: Slice | null): Promise<Wanted> {
  if (slice === null) return { topics: ORDER, has: () => true }
  const { topics, source, from, to } = slice
  // Without bounds a topic is copied as it is, unreadable records included.
  if (source === null && from === null && to === null) return { topics, has: () => true }
  const fromMs = from === null ? -Infinity : Date.parse(from)
  const toMs = to === null ? Infinity : Date.parse(to)
  const isOfSource = source === null ? () => true : await sourceFilter({ log, ends }, source)
  return {
    // Always read the observations: decisions name them.
    topics: source === null ? topics : ORDER.filter((topic) => topic !== TOPICS.items || topics.includes(topic)),
    has({ topic, event }) {
      if (event === null || !isOfSource(event) || !topics.includes(topic)) return false
      if (topic !== TOPICS.items && !isPortable(event)) return false
      const atMs = Date.parse(event.recorded_at)
      return (topic === TOPICS.decisions || atMs >= fromMs) && atMs < toMs
    },
  }
}

/**
 * Returns a test whether an event concerns the source, from the log alone. Throws an error that lists sources unless
 * the name means exactly one.
 */
async function sourceFilter({ log, ends }: { log: EventLog; ends: Ends }, source: string) {
  const names = new Map<string, string>()
  /** Publishers of indices have a licence, and need no registration. */
  const licensed = new Set<string>()
  /** SKUs and observations that decisions name: few, whatever the size of the log. */
  const named = new Set<string>()
  for await (const { batch } of read(log, ends, [TOPICS.decisions])) {
    for (const { topic, value } of batch) {
      const event = readable(topic, value)
      if (event?.type === 'SourceRegistered') {
        if (!names.has(event.source.id)) names.set(event.source.id, event.source.name)
      } else if (event?.type === 'SourceLicensed') licensed.add(event.source_id)
      else if (event?.type === 'SkusKeptApart') for (const id of event.vendor_sku_ids) named.add(id)
      else if (event !== null && 'observation_id' in event) named.add(event.observation_id)
    }
  }
  for (const sourceId of licensed) if (!names.has(sourceId)) names.set(sourceId, sourceId)
  const sources = [...names].map(([sourceId, name]) => ({ sourceId, name }))
  const { sourceId } = findSource(sources, { option: '--source', given: source })
  const own = new Set<string>()
  return (event: CatalogEvent): boolean => {
    switch (event.type) {
      case 'ObservationRecorded': {
        if (event.source.id !== sourceId) return false
        const skuId = named.size === 0 ? '' : vendorSkuIdOf(sourceId, event.vendor_ref)
        for (const id of [event.event_id, skuId]) if (named.has(id)) own.add(id)
        return true
      }
      case 'RecipeRecorded':
      case 'SourceRegistered':
        return event.source.id === sourceId
      case 'SkusKeptApart':
        return event.vendor_sku_ids.some((id) => own.has(id))
      case 'ObservationQuarantined':
      case 'ObservationReleased':
        return own.has(event.observation_id)
      case 'ItemPublished':
        return event.basis.votes.some((vote) => vote.source_id === sourceId)
      default:
        return 'source_id' in event && event.source_id === sourceId
    }
  }
}

type Ends = ReadonlyMap<Topic, readonly PartitionRange[]>

/** The present ends of the topics. It reads referring topics first, so that no record refers beyond the file. */
async function endsOf(log: EventLog): Promise<Ends> {
  const ends = new Map<Topic, readonly PartitionRange[]>()
  for (const topic of ORDER.toReversed()) ends.set(topic, await log.partitions(topic))
  return ends
}

/** The records of the topics up to these ends, partition by partition. */
async function* read(log: EventLog, ends: Ends, topics: readonly Topic[]) {
  const ranges = topics.flatMap((topic) => (ends.get(topic) ?? []).map((range) => ({ topic, ...range })))
  const total = ranges.reduce((sum, { earliest, next }) => sum + Number(next - earliest), 0)
  let done = 0
  for (const { topic, partition, earliest, next } of ranges) {
    for (let from = earliest; from < next; ) {
      const records = await log.read(topic, partition, from, BATCH_RECORDS_MAX)
      const last = records.at(-1)
      if (last === undefined) throw new Error(`${topic} partition ${partition} gives nothing at ${from}`)
      const batch: readonly LogRecord[] = records.filter(({ offset }) => offset < next)
      from = last.offset + 1n
      done += batch.length
      yield { batch, done, total }
    }
  }
}
