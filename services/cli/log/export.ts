import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Context } from '@catalog/cli/shared/context.ts'
import { parseInstant } from '@catalog/cli/shared/instants.ts'
import { table } from '@catalog/cli/shared/terminal.ts'
import { writeWhole } from '@catalog/cli/shared/whole-file.ts'
import type { CatalogEvent } from '@catalog/core/events/events.ts'
import { vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import { TOPICS, type Topic } from '@catalog/core/events/topics.ts'
import { BATCH_RECORDS_MAX, type EventLog, type LogRecord, type PartitionRange } from '@catalog/log/log.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { findSource } from '@catalog/operations/naming.ts'
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
  source?: string
  from?: string
  to?: string
}>

type Exporting = Pick<Context, 'terminal' | 'signal'> & Readonly<{ catalog: Pick<Catalog, 'log' | 'mode'> }>

export async function exportLog(
  { catalog: { log, mode }, terminal, signal }: Exporting,
  flags: ExportFlags,
  stdout: NodeJS.WritableStream = process.stdout,
): Promise<void> {
  const slice = sliceOf(flags)
  const { out } = flags
  const progress = terminal.progress('records read')
  let manifest: Manifest | undefined
  async function* lines() {
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
      if (text !== '') yield text
    }
    const partitions = Object.fromEntries([...ends].map(([topic, ranges]) => [topic, ranges.length]))
    const kind = mode === 'distributed' ? ('kafka' as const) : ('table' as const)
    manifest = { records, sha256: running.digest('hex'), types, log: { kind, partitions }, slice }
    yield manifestLine(manifest)
  }
  try {
    if (out === '-') await pipeline(Readable.from(lines()), stdout, { signal, end: false })
    else await writeWhole(out, lines(), signal)
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

/** The order of topics in a file: records come before the decisions that name them. */
const ORDER: readonly Topic[] = [TOPICS.observations, TOPICS.decisions, TOPICS.items]
/** The topics that another catalog needs; it makes items itself. */
const SLICE_TOPICS: readonly Topic[] = [TOPICS.observations, TOPICS.decisions]

/** The slice that the flags choose; null is the whole log. Throws an error that names the flag and its expectation. */
function sliceOf({ source, from, to }: ExportFlags): Slice | null {
  if (source === undefined && from === undefined && to === undefined) return null
  const bounds = {
    from: from === undefined ? null : parseInstant(from, '--from'),
    to: to === undefined ? null : parseInstant(to, '--to'),
  }
  if (bounds.from !== null && bounds.to !== null && Date.parse(bounds.from) >= Date.parse(bounds.to)) {
    throw new Error(`--from ${bounds.from} --to ${bounds.to}: expected the end after the beginning`)
  }
  return { topics: SLICE_TOPICS, source: source ?? null, ...bounds }
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
 * comes with either of its SKUs and takes effect once both exist.
 *
 * An interval bounds when records were recorded. Earlier decisions still apply in it, so only its end bounds decisions.
 */
async function selectionOf({ log, ends }: { log: EventLog; ends: Ends }, slice: Slice | null): Promise<Wanted> {
  if (slice === null) return { topics: ORDER, has: () => true }
  const { topics, source, from, to } = slice
  const fromMs = from === null ? -Infinity : Date.parse(from)
  const toMs = to === null ? Infinity : Date.parse(to)
  const isOfSource = source === null ? () => true : await sourceFilter({ log, ends }, source)
  return {
    topics,
    has({ topic, event }) {
      if (event === null || !isOfSource(event) || !isPortable(event)) return false
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
