import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type CatalogEvent, parseEvent } from '@catalog/core/events/events.ts'
import { observationId, observationPayload } from '@catalog/core/events/ids.ts'
import { TOPICS, type Topic } from '@catalog/core/events/topics.ts'
import { jsonOrUndefined } from '@catalog/formats/bytes/sound-json.ts'
import portable from './portable-events.json' with { type: 'json' }

/**
 * The log as a file: one line per record, { topic, partition, offset, key, recorded_at, event }. The last line is a
 * manifest with their count and SHA-256, so that readers refuse a truncated or altered file.
 */

const FORMAT = 'catalog-log/1'

export type Manifest = Readonly<{
  records: number
  /** Covers all lines before the manifest, line ends included. */
  sha256: string
  /** Count by event type; 'unreadable' counts records that the exporting catalog could not read. */
  types: Readonly<Record<string, number>>
  /** The partitioning: the kind of log, and topic → number of partitions. */
  log: Readonly<{ kind: 'table' | 'kafka'; partitions: Readonly<Record<string, number>> }>
  /** Null: the whole log at the time of the export. Former versions also wrote parts of it. */
  slice: object | null
}>

/** A record of a file. `text` is its value in the log; `event` is null if this version cannot read it. */
export type FileRecord = Readonly<{
  topic: Topic
  partition: number
  offset: bigint
  key: string
  text: string
  event: CatalogEvent | null
}>

/** Not a file that an export wrote; the message names the file, the line and the expectation. */
export class BadLogFile extends Error {
  override name = 'BadLogFile'
}

/** The line of a record, with its line end. */
export function recordLine({ topic, partition, offset, key, text, event }: FileRecord): string {
  const content =
    event === null ? { recorded_at: null, raw: text } : { recorded_at: event.recorded_at, event: JSON.parse(text) }
  return `${JSON.stringify({ topic, partition, offset: Number(offset), key, ...content })}\n`
}

/** The key of a record in the manifest's counts. */
export const typeOf = (event: CatalogEvent | null): string => event?.type ?? 'unreadable'

/** The event in a value of the log; null if this version cannot read it. */
export function readable(topic: Topic, text: string): CatalogEvent | null {
  try {
    return parseEvent(topic, JSON.parse(text))
  } catch {
    return null
  }
}

/**
 * Whether an event means the same in every catalog: facts, and decisions on sources, observations and pairs of SKUs.
 *
 * Items belong to one catalog: they follow from all its past matches. So matches, splits, merges, proposals, runs and
 * their publications only make sense in a copy of the whole log. Elsewhere the next run decides anew, within kept-apart
 * pairs.
 */
export function isPortable(event: CatalogEvent): boolean {
  // The id of a projector's dead letter is a position, which is another record's in another log.
  if (event.type === 'ParkedResolved') return !event.parked_id.includes('/')
  return PORTABLE.has(event.type)
}
const PORTABLE: ReadonlySet<string> = new Set(portable)

export const manifestLine = (manifest: Manifest): string =>
  `${JSON.stringify({ manifest: { format: FORMAT, ...manifest } })}\n`

/**
 * Yields the records of a file in batches and returns the manifest if everything fits it. Throws BadLogFile at the
 * first wrong line.
 */
export async function* readLogFile(path: string): AsyncGenerator<readonly FileRecord[], Manifest, undefined> {
  const running = createHash('sha256')
  let [number, records] = [0, 0]
  let manifest: Manifest | undefined
  /**
   * Line of the first observation whose id does not match its content: it locates the alteration that the checksum
   * detects.
   */
  let suspect: number | undefined
  const refuse = (line: number, problem: string, cause?: unknown) =>
    new BadLogFile(`${path} line ${line}: ${problem}`, { cause })
  for await (const lines of linesOf(path)) {
    const batch: FileRecord[] = []
    for (const { bytes, isEnded } of lines) {
      number++
      if (manifest !== undefined) throw refuse(number, 'expected the end of the file after the manifest')
      const value = jsonOrUndefined(bytes.toString('utf8'))
      if (value === undefined) {
        throw refuse(number, isEnded ? 'expected one JSON value' : 'the file is truncated in this line')
      }
      if (Object.hasOwn(Object(value), 'manifest')) {
        manifest = manifestOf((value as { manifest: unknown }).manifest)
        if (manifest === undefined) throw refuse(number, `expected a manifest of ${FORMAT}`)
        continue
      }
      const record = recordOf(value, (problem, cause) => refuse(number, problem, cause))
      running.update(bytes).update('\n')
      records++
      if (record.event?.type === 'ObservationRecorded' && suspect === undefined) {
        if (observationId(observationPayload(record.event)) !== record.event.event_id) suspect = number
      }
      batch.push(record)
    }
    if (batch.length > 0) yield batch
  }
  if (manifest === undefined)
    throw refuse(number + 1, 'expected the manifest as the last line, found the end: the file is truncated')
  const sha256 = running.digest('hex')
  if (manifest.records !== records) {
    throw refuse(number, `the manifest counts ${manifest.records} records, found ${records}: lines were lost or added`)
  }
  if (manifest.sha256 !== sha256) {
    const where =
      suspect === undefined ? '' : `; the id of the observation in line ${suspect} is not that of its content`
    throw refuse(
      number,
      `the manifest has SHA-256 ${manifest.sha256}, the records ${sha256}: they were altered${where}`,
    )
  }
  return manifest
}

function recordOf(value: unknown, refuse: (problem: string, cause?: unknown) => BadLogFile): FileRecord {
  const { topic, partition, offset, key, event, raw } = Object(value) as Record<string, unknown>
  const isPlaced = isTopic(topic) && isCount(partition) && isCount(offset) && typeof key === 'string'
  if (!isPlaced || (event === undefined) === (raw === undefined)) {
    throw refuse('expected a record { topic, partition, offset, key, recorded_at, event }, or the manifest')
  }
  const place = { topic, partition, offset: BigInt(offset), key }
  // The text of a record that the exporting catalog could not read replaces its event.
  if (event === undefined) return { ...place, text: String(raw), event: null }
  try {
    return { ...place, text: JSON.stringify(event), event: parseEvent(topic, event) }
  } catch (cause) {
    const [issue] = (cause as { issues?: { path: PropertyKey[]; message: string }[] }).issues ?? []
    const problem = issue === undefined ? (cause as Error).message : `${issue.path.join('.')}: ${issue.message}`
    throw refuse(`expected an event of ${topic}: ${problem}`, cause)
  }
}

function manifestOf(value: unknown): Manifest | undefined {
  const { format, ...manifest } = Object(value) as Manifest & { format: unknown }
  const { records, sha256, types, log, slice } = manifest
  const isWhole = [types, log, log?.partitions].every((part) => typeof part === 'object' && part !== null)
  const isSound = format === FORMAT && isCount(records) && typeof sha256 === 'string' && typeof slice === 'object'
  return isWhole && isSound ? manifest : undefined
}

const isTopic = (value: unknown): value is Topic => (Object.values(TOPICS) as unknown[]).includes(value)
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

/** Far above the largest event, so that a file of another kind does not exhaust the memory. */
const LINE_BYTES_MAX = 64 * 1024 ** 2
const LINE_END = 0x0a

type Line = Readonly<{ bytes: Buffer; isEnded: boolean }>

async function* linesOf(path: string): AsyncGenerator<readonly Line[], void, undefined> {
  let begun: Buffer[] = []
  let begunBytes = 0
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const lines: Line[] = []
    let from = 0
    for (let at = chunk.indexOf(LINE_END); at !== -1; at = chunk.indexOf(LINE_END, from)) {
      lines.push({ bytes: Buffer.concat([...begun, chunk.subarray(from, at)]), isEnded: true })
      begun = []
      begunBytes = 0
      from = at + 1
    }
    if (from < chunk.length) begun.push(chunk.subarray(from))
    begunBytes += chunk.length - from
    if (begunBytes > LINE_BYTES_MAX) throw new BadLogFile(`${path}: a line has more than ${LINE_BYTES_MAX} bytes`)
    yield lines
  }
  if (begunBytes > 0) yield [{ bytes: Buffer.concat(begun), isEnded: false }]
}
