import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Context } from '@catalog/cli/shared/context.ts'
import { table } from '@catalog/cli/shared/terminal.ts'
import { writeWhole } from '@catalog/cli/shared/whole-file.ts'
import { TOPICS, type Topic } from '@catalog/core/events/topics.ts'
import { BATCH_RECORDS_MAX, type EventLog, type LogRecord, type PartitionRange } from '@catalog/log/log.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { type Manifest, manifestLine, readable, recordLine, typeOf } from './log-file.ts'

/** `catalog log export`: writes the log as a file that another catalog can import. */
export type ExportFlags = Readonly<{
  /** A file, which appears whole or not at all, or - for stdout. */
  out: string
}>

type Exporting = Pick<Context, 'terminal' | 'signal'> & Readonly<{ catalog: Pick<Catalog, 'log' | 'mode'> }>

export async function exportLog(
  { catalog: { log, mode }, terminal, signal }: Exporting,
  { out }: ExportFlags,
  stdout: NodeJS.WritableStream = process.stdout,
): Promise<void> {
  const progress = terminal.progress('records read')
  let manifest: Manifest | undefined
  async function* lines() {
    const running = createHash('sha256')
    const types: Record<string, number> = {}
    const ends = await endsOf(log)
    let records = 0
    for await (const { batch, done, total } of read(log, ends)) {
      const lines = batch.map(({ value, ...place }) => ({ ...place, text: value, event: readable(place.topic, value) }))
      const text = lines.map(recordLine).join('')
      for (const { event } of lines) types[typeOf(event)] = (types[typeOf(event)] ?? 0) + 1
      records += lines.length
      running.update(text)
      progress.to(done, total)
      if (text !== '') yield text
    }
    const partitions = Object.fromEntries([...ends].map(([topic, ranges]) => [topic, ranges.length]))
    const kind = mode === 'distributed' ? ('kafka' as const) : ('table' as const)
    manifest = { records, sha256: running.digest('hex'), types, log: { kind, partitions }, slice: null }
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
      `${out}: ${records} records, SHA-256 ${sha256}`,
      '',
      table(Object.entries(types).map(([type, count]) => ({ type, records: count }))),
    ].join('\n')
  // Stdout carries the file.
  if (out === '-') return terminal.note(`${records} records, SHA-256 ${sha256}`)
  terminal.answer({ file: out, records, sha256, types }, says)
  terminal.next(`catalog log import ${out} --data ANOTHER_FOLDER`)
}

/** The order of topics in a file: records come before the decisions that name them. */
const ORDER: readonly Topic[] = [TOPICS.observations, TOPICS.decisions, TOPICS.items]

type Ends = ReadonlyMap<Topic, readonly PartitionRange[]>

/** The present ends of the topics. It reads referring topics first, so that no record refers beyond the file. */
async function endsOf(log: EventLog): Promise<Ends> {
  const ends = new Map<Topic, readonly PartitionRange[]>()
  for (const topic of ORDER.toReversed()) ends.set(topic, await log.partitions(topic))
  return ends
}

/** The records up to these ends, topic by topic and partition by partition. */
async function* read(log: EventLog, ends: Ends) {
  const ranges = ORDER.flatMap((topic) => (ends.get(topic) ?? []).map((range) => ({ topic, ...range })))
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
