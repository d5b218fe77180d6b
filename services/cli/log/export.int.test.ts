import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { sha256Hex } from '@catalog/core/digest.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { BATCH_RECORDS_MAX, type EventLog } from '@catalog/log/log.ts'
import type { Path } from '@catalog/stack/path/path.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { listening } from '@catalog/stack/testing/cli.ts'
import { observation, registration } from '@catalog/stack/testing/events.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { exportLog } from './export.ts'
import { importLog } from './import.ts'
import type { Manifest } from './log-file.ts'

/** Five sources: a crawl retraction emptied the west, a source retraction the Andes. */
const GOLDEN = resolve(import.meta.dirname, '../../../libs/core/golden/log-1.ndjson')

const [path, copy] = [await pathOfFile(), await pathOfFile()]
const folder = mkdtempSync(join(tmpdir(), 'log-export-'))
beforeAll(() => importFiles(GOLDEN, path))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => copy.reset())

const signal = new AbortController().signal
async function importFiles(file: string, to: Path): Promise<void> {
  const { terminal } = listening()
  const catalog = { log: to.log, mode: 'embedded' as const, catchUp: () => to.project(), spoolDir: folder }
  await importLog({ catalog, terminal, signal }, [file], { dryRun: false })
}
type Line = {
  topic: string
  offset: number
  recorded_at: string
  event: { type: string; recorded_at: string; source_id?: string; source?: { id: string } }
}
async function exportToFile({ log = path.log, name = 'out.ndjson' } = {}) {
  const out = join(folder, name)
  const { heard, terminal } = listening()
  await exportLog({ catalog: { log, mode: 'embedded' }, terminal, signal }, { out })
  const lines = readFileSync(out, 'utf8').trimEnd().split('\n')
  const { manifest } = JSON.parse(lines.at(-1) as string) as { manifest: Manifest }
  return { out, heard, manifest, records: lines.slice(0, -1).map((line) => JSON.parse(line) as Line) }
}

describe('an exported file', () => {
  test('has a line per record, and a manifest with count and checksum', async () => {
    const { out, heard, manifest, records } = await exportToFile({})
    const whole = readFileSync(out, 'utf8')
    const sha256 = sha256Hex(whole.slice(0, whole.lastIndexOf('{"manifest"')))
    expect(manifest).toMatchObject({ records: 119, sha256, slice: null, types: { ItemPublished: 33, BuildFlipped: 1 } })
    expect(manifest.log.partitions).toEqual({ [TOPICS.observations]: 4, [TOPICS.decisions]: 1, [TOPICS.items]: 1 })
    expect(Object.keys(records[0] as Line)).toEqual(['topic', 'partition', 'offset', 'key', 'recorded_at', 'event'])
    expect(heard.answers).toMatchObject([{ file: out, records: 119, sha256, types: manifest.types }])
  })

  test('goes to stdout alone with --out -', async () => {
    const { heard, terminal } = listening()
    const stdout = new PassThrough()
    const content = text(stdout)
    await exportLog({ catalog: { log: path.log, mode: 'embedded' }, terminal, signal }, { out: '-' }, stdout)
    stdout.end()
    expect(await content).toBe(readFileSync(GOLDEN, 'utf8'))
    expect(heard).toMatchObject({ answers: [], notes: [expect.stringMatching(/^119 records, SHA-256 [0-9a-f]{64}$/)] })
  })

  test('leaves the former file in place when the export fails', async () => {
    const { out } = await exportToFile({ name: 'kept.ndjson' })
    const before = readFileSync(out, 'utf8')
    const log: EventLog = {
      ...path.log,
      read: (topic, ...place) =>
        topic === TOPICS.items ? Promise.reject(new Error('the broker is away')) : path.log.read(topic, ...place),
    }
    await expect(exportToFile({ log, name: 'kept.ndjson' })).rejects.toThrow('the broker is away')
    await expect(exportToFile({ log, name: 'new.ndjson' })).rejects.toThrow('the broker is away')
    expect(readFileSync(out, 'utf8')).toBe(before)
    expect(readdirSync(folder).filter((name) => /new|part/.test(name))).toEqual([])
  })

  test('ends at the log end of its start, and reads a batch at a time', async () => {
    const asked: number[] = []
    const log: EventLog = {
      ...path.log,
      async read(topic, partition, from, max) {
        asked.push(max)
        // Another process appends all the time; its records belong to the next file.
        const records = await path.log.read(topic, partition, from, max)
        return [...records, ...records.map((record) => ({ ...record, offset: record.offset + BigInt(records.length) }))]
      },
    }
    const { manifest } = await exportToFile({ log })
    expect(manifest.records).toBe(119)
    expect(Math.max(...asked)).toBe(BATCH_RECORDS_MAX)
  })
})

test('an export contains everything that its decisions and items refer to, despite concurrent appends', async () => {
  await importFiles(GOLDEN, copy)
  let isLate = false
  const log: EventLog = {
    ...copy.log,
    async partitions(topic) {
      const ranges = await copy.log.partitions(topic)
      if (!isLate) await copy.append([observation({ vendor: 'Late' }), registration({ vendor: 'Late' })])
      isLate = true
      return ranges
    },
  }
  const { manifest } = await exportToFile({ log })
  expect(manifest.types).toMatchObject({ ObservationRecorded: 28, SourceRegistered: 6, ItemPublished: 33 })
})
