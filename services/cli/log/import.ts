import { existsSync } from 'node:fs'
import type { Context } from '@catalog/cli/shared/context.ts'
import { table } from '@catalog/cli/shared/terminal.ts'
import { canonicalJson, type JsonValue, sha256Hex } from '@catalog/core/digest.ts'
import { TOPICS, type Topic } from '@catalog/core/events/topics.ts'
import { ConflictIndex } from '@catalog/crawler/conflicts/conflict-index.ts'
import { BATCH_RECORDS_MAX, type EventLog } from '@catalog/log/log.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { BadLogFile, type FileRecord, isPortable, type Manifest, readLogFile } from './log-file.ts'

/**
 * `catalog log import`: appends what files of the log have and this log lacks.
 *
 * Law: importing again, or importing overlapping files, appends nothing. It reads and checks every file to its end
 * before the first append. Then there are two ways:
 *
 * - Copy: one file of the whole log, into a log that is a prefix of it (or empty) with the same partitioning. It
 *   appends the
 *   rest unchanged. Offsets stay, so runs keep the positions that they name, and all roots are equal.
 * - Merge: anything else. It skips records whose canonical event this log or an earlier line has. It leaves out events
 *   that
 *   are not {@link isPortable}, which the next run of this catalog decides anew.
 */
export type ImportFlags = Readonly<{ dryRun?: boolean }>

type ImportTarget = Pick<Catalog, 'log' | 'mode' | 'catchUp' | 'spoolDir'>
type ImportContext = Pick<Catalog, 'log' | 'spoolDir'> &
  Readonly<{ flags: ImportFlags; signal: AbortSignal; onProgress: (appended: number) => void }>

/** Counts of one file: records = appended + known + left_out. */
type Imported = { file: string; records: number; appended: number; known: number; left_out: number }

/** Characters of one append: together large recipes would exceed a sensible parameter size. */
const BATCH_CHARS_MAX = 4 * 1024 ** 2

export async function importLog(
  { catalog, terminal, signal }: Pick<Context, 'terminal' | 'signal'> & Readonly<{ catalog: ImportTarget }>,
  paths: readonly string[],
  flags: ImportFlags,
): Promise<void> {
  const checked: Checked[] = []
  const checking = terminal.progress('records checked')
  try {
    for (const path of paths) checked.push(await check(path, { signal, onProgress: checking.to }))
  } finally {
    checking.done()
  }
  const [only] = checked.length === 1 ? checked : []
  const whole = only !== undefined && (await continuesLog(catalog, only, signal)) ? (only as Whole) : null
  const appending = terminal.progress('records appended')
  const stage: ImportContext = { log: catalog.log, spoolDir: catalog.spoolDir, flags, signal, onProgress: appending.to }
  const files = await (whole === null ? merge(stage, checked) : copy(stage, whole)).finally(appending.done)
  if (!flags.dryRun) {
    const projecting = terminal.progress('records projected')
    await catalog.catchUp((records) => projecting.to(records)).finally(projecting.done)
  }
  const leftOut = files.some(({ left_out }) => left_out > 0)
  terminal.answer({ dry_run: flags.dryRun ?? false, copy: whole !== null, files }, () =>
    [
      table(files),
      ...(flags.dryRun ? ['', 'nothing was appended: it was a dry run'] : []),
      ...(leftOut ? ['', 'left out: matches, runs and items of another catalog; this one makes its own'] : []),
    ].join('\n'),
  )
  terminal.next(flags.dryRun ? 'the same command without --dry-run' : whole ? 'catalog verify' : 'catalog aggregate')
}

type Checked = Readonly<{
  path: string
  manifest: Manifest
  topics: ReadonlySet<Topic>
  /** For a gapless file of the whole log: topic → partition → records; otherwise null. */
  ends: Ends | null
}>
type Ends = ReadonlyMap<Topic, ReadonlyMap<number, bigint>>

/** Reads a file to its end. Throws BadLogFile. */
async function check(
  path: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (records: number) => void },
): Promise<Checked> {
  if (!existsSync(path)) throw new BadLogFile(`${path}: no such file`)
  const ends = new Map<Topic, Map<number, bigint>>(Object.values(TOPICS).map((topic) => [topic, new Map()]))
  let isGapless = true
  let records = 0
  const file = readLogFile(path)
  for (;;) {
    const { value, done } = await file.next()
    signal.throwIfAborted()
    if (done) {
      const topics = new Set([...ends].flatMap(([topic, partitions]) => (partitions.size > 0 ? topic : [])))
      return { path, manifest: value, topics, ends: isGapless && value.slice === null ? ends : null }
    }
    for (const { topic, partition, offset } of value) {
      const partitions = ends.get(topic) as Map<number, bigint>
      isGapless &&= offset === (partitions.get(partition) ?? 0n)
      partitions.set(partition, offset + 1n)
    }
    records += value.length
    onProgress(records)
  }
}

type Whole = Checked & Readonly<{ ends: Ends }>

/** Whether this log is a prefix of the file's whole log, with the same partitioning. */
async function continuesLog({ log, mode }: ImportTarget, file: Checked, signal: AbortSignal): Promise<boolean> {
  const { path, manifest, ends } = file
  if (ends === null || manifest.log.kind !== (mode === 'distributed' ? 'kafka' : 'table')) return false
  const held = new Map<Topic, ReadonlyMap<number, bigint>>()
  for (const topic of Object.values(TOPICS)) {
    const ranges = await log.partitions(topic)
    const inFile = ends.get(topic)
    if (ranges.length !== manifest.log.partitions[topic]) return false
    if (ranges.some(({ partition, earliest, next }) => earliest !== 0n || next > (inFile?.get(partition) ?? 0n)))
      return false
    held.set(topic, new Map(ranges.map(({ partition, next }) => [partition, next])))
  }
  if ([...held.values()].every((partitions) => partitions.values().every((next) => next === 0n))) return true
  for await (const run of partitionGroups(path, signal)) {
    const [{ topic, partition, offset: from }] = run
    const known = run.filter(({ offset }) => offset < (held.get(topic)?.get(partition) ?? 0n))
    const values = await readAll(log, { topic, partition, from, count: known.length })
    if (known.some(({ text }, i) => canonical(text) !== canonical(values[i] as string))) return false
  }
  return true
}

async function copy(context: ImportContext, { path, manifest, ends }: Whole): Promise<Imported[]> {
  const { log, flags, signal } = context
  const held = new Map<Topic, ReadonlyMap<number, bigint>>()
  for (const topic of Object.values(TOPICS)) {
    held.set(topic, new Map((await log.partitions(topic)).map(({ partition, next }) => [partition, next])))
  }
  const batch = new Batch(context)
  const imported = { file: path, records: manifest.records, appended: 0, known: 0, left_out: 0 }
  let last: Topic | undefined
  for await (const run of partitionGroups(path, signal)) {
    const [{ topic, partition }] = run
    if (last !== undefined && topic !== last) {
      await batch.send()
      // Runs name positions: append them only after everything before them stands at its offset.
      if (!flags.dryRun) await expectEnd(log, { path, topic: last, ends })
    }
    last = topic
    const next = held.get(topic)?.get(partition) ?? 0n
    for (const record of run) {
      if (record.offset < next) imported.known++
      else {
        imported.appended++
        await batch.add(record)
      }
    }
  }
  await batch.send()
  if (last !== undefined && !flags.dryRun) await expectEnd(log, { path, topic: last, ends })
  return [imported]
}

async function expectEnd(
  log: EventLog,
  { path, topic, ends }: { path: string; topic: Topic; ends: Ends },
): Promise<void> {
  for (const { partition, next } of await log.partitions(topic)) {
    const expected = ends.get(topic)?.get(partition) ?? 0n
    if (next === expected) continue
    throw new Error(
      `${topic} partition ${partition} ends at ${next}, expected ${expected} as in ${path}: another process appends too, or ` +
        'this log puts keys elsewhere; import again, and what is missing is added without the runs of the file',
    )
  }
}

/** Appends from all files what this log and earlier lines lack. Memory does not grow with the log or the files. */
async function merge(context: ImportContext, files: readonly Checked[]): Promise<Imported[]> {
  const { log, spoolDir, signal } = context
  await using index = new ConflictIndex({ folder: spoolDir })
  const add = async (topic: Topic, text: string) => {
    const id = sha256Hex(`${topic} ${canonical(text)}`)
    index.add({ ref: id, product: id, id })
    if (index.count % BATCH_RECORDS_MAX === 0) await index.spillIfLarge()
  }
  for (const topic of new Set(files.flatMap(({ topics }) => [...topics]))) {
    for (const { partition, earliest, next } of await log.partitions(topic)) {
      for (let from = earliest; from < next; ) {
        signal.throwIfAborted()
        const count = Math.min(BATCH_RECORDS_MAX, Number(next - from))
        const values = await readAll(log, { topic, partition, from, count })
        for (const value of values) await add(topic, value)
        from += BigInt(values.length)
      }
    }
  }
  let candidate = index.count
  for (const { path } of files) {
    for await (const run of partitionGroups(path, signal)) for (const { topic, text } of run) await add(topic, text)
  }
  const { isDuplicate } = await index.finish()

  const all: Imported[] = []
  const batch = new Batch(context)
  for (const { path, manifest } of files) {
    const imported = { file: path, records: manifest.records, appended: 0, known: 0, left_out: 0 }
    for await (const run of partitionGroups(path, signal)) {
      for (const record of run) {
        if (isDuplicate(candidate++)) imported.known++
        else if (record.event === null || !isPortable(record.event)) imported.left_out++
        else {
          imported.appended++
          await batch.add(record)
        }
      }
    }
    await batch.send()
    all.push(imported)
  }
  return all
}

type PartitionGroup = readonly [FileRecord, ...FileRecord[]]

/** The records of a file, grouped where consecutive ones share a partition. */
async function* partitionGroups(path: string, signal: AbortSignal): AsyncGenerator<PartitionGroup> {
  for await (const batch of readLogFile(path)) {
    signal.throwIfAborted()
    for (let at = 0, end = 0; at < batch.length; at = end) {
      const { topic, partition } = batch[at] as FileRecord
      while (batch[end]?.topic === topic && batch[end]?.partition === partition) end++
      yield batch.slice(at, end) as unknown as PartitionGroup
    }
  }
}

/** `count` records of a partition from an offset on. */
async function readAll(
  log: EventLog,
  { topic, partition, from, count }: { topic: Topic; partition: number; from: bigint; count: number },
): Promise<string[]> {
  const values: string[] = []
  while (values.length < count) {
    const records = await log.read(topic, partition, from + BigInt(values.length), count - values.length)
    if (records.length === 0) throw new Error(`${topic} partition ${partition} gives nothing at ${from}`)
    values.push(...records.map(({ value }) => value))
  }
  return values
}

/** One spelling for equal events; a text that is not JSON stays as it is. */
function canonical(text: string): string {
  try {
    return canonicalJson(JSON.parse(text) as JsonValue)
  } catch {
    return text
  }
}

/** Batches records of one topic and appends them in order, one append at a time; a dry run drops them. */
class Batch {
  readonly #stage: ImportContext
  #records: FileRecord[] = []
  #chars = 0
  #done = 0

  constructor(stage: ImportContext) {
    this.#stage = stage
  }

  async add(record: FileRecord): Promise<void> {
    if (this.#records[0] !== undefined && this.#records[0].topic !== record.topic) await this.send()
    this.#records.push(record)
    this.#chars += record.text.length
    if (this.#records.length >= BATCH_RECORDS_MAX || this.#chars >= BATCH_CHARS_MAX) await this.send()
  }

  async send(): Promise<void> {
    const records = this.#records
    const [first] = records
    if (first === undefined) return
    this.#records = []
    this.#chars = 0
    if (this.#stage.flags.dryRun) return
    await this.#stage.log.append(
      first.topic,
      records.map(({ key, text }) => ({ key, value: text })),
    )
    this.#done += records.length
    this.#stage.onProgress(this.#done)
  }
}
