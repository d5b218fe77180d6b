import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { bucketHashes, rootOf, sha256Bytes, sha256Hex } from '@catalog/core/digest.ts'
import { sourceIdOf } from '@catalog/core/events/ids.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { BATCH_RECORDS_MAX, type EventLog } from '@catalog/log/log.ts'
import { verify } from '@catalog/projector/verify/verify.ts'
import type { Path } from '@catalog/stack/path/path.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { listening } from '@catalog/stack/testing/cli.ts'
import { observation, registration } from '@catalog/stack/testing/events.ts'
import { vendorRoot } from '@catalog/store/builds/status.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ExportFlags, exportLog } from './export.ts'
import { importLog } from './import.ts'
import type { Manifest } from './log-file.ts'

/** Five sources: a crawl retraction emptied the west, a source retraction the Andes. */
const GOLDEN = resolve(import.meta.dirname, '../../../libs/core/golden/log-1.ndjson')
const NORTE = sourceIdOf({ name: 'Almacenes Norte', region: 'ES' })

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
async function exportToFile(flags: Partial<ExportFlags>, { log = path.log, name = 'out.ndjson' } = {}) {
  const out = join(folder, name)
  const { heard, terminal } = listening()
  await exportLog({ catalog: { log, mode: 'embedded' }, terminal, signal }, { out, ...flags })
  const lines = readFileSync(out, 'utf8').trimEnd().split('\n')
  const { manifest } = JSON.parse(lines.at(-1) as string) as { manifest: Manifest }
  return { out, heard, manifest, records: lines.slice(0, -1).map((line) => JSON.parse(line) as Line) }
}

/** The vendor root of one source, from the tables of the exporting catalog. */
async function rootOfSource(sourceId: string): Promise<string> {
  const rows = await path.store.query<{ id: string; payload: string }>(
    `select encode(observation_id, 'hex') as id, payload from observations join vendor_skus using (sku)
     join sources using (source) where source_id = $1 and observation not in (select observation from hidden_observations('{}'))`,
    [sourceId],
  )
  return rootOf(bucketHashes(rows.map(({ id, payload }) => ({ id, sha: sha256Bytes(payload) }))))
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
    const { out } = await exportToFile({}, { name: 'kept.ndjson' })
    const before = readFileSync(out, 'utf8')
    const log: EventLog = {
      ...path.log,
      read: (topic, ...place) =>
        topic === TOPICS.items ? Promise.reject(new Error('the broker is away')) : path.log.read(topic, ...place),
    }
    await expect(exportToFile({}, { log, name: 'kept.ndjson' })).rejects.toThrow('the broker is away')
    await expect(exportToFile({}, { log, name: 'new.ndjson' })).rejects.toThrow('the broker is away')
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
    const { manifest } = await exportToFile({}, { log })
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
  const { manifest } = await exportToFile({}, { log })
  expect(manifest.types).toMatchObject({ ObservationRecorded: 28, SourceRegistered: 6, ItemPublished: 33 })
})

describe('a slice of a source', () => {
  const sources = ['Almacenes Norte', 'Comercial Sur', 'Banco de precios', 'Baustoffe West', 'Ferretería Andina']
  test.each(sources)('%s is self-contained: its facts equal those of the whole catalog', async (source) => {
    const { out, records } = await exportToFile({ source })
    const [registered] = records.filter(({ event }) => event.type === 'SourceRegistered')
    const sourceId = registered?.event.source?.id as string
    const named = records.map(({ event }) => event.source_id ?? event.source?.id ?? sourceId)
    expect(new Set(named)).toEqual(new Set([sourceId]))
    await importFiles(out, copy)
    expect(await vendorRoot(copy.store)).toBe(await rootOfSource(sourceId))
    expect((await verify(copy)).filter(({ ok }) => !ok)).toEqual([])
    expect(await copy.store.query(`select name, trust_score from sources`)).toMatchObject([{ name: source }])
    const parked = `select count(*)::int as count from parked where source_id = $1`
    expect(await copy.store.query(parked, [sourceId])).toEqual(await path.store.query(parked, [sourceId]))
  })

  test("has decisions on its observations and SKUs, and none of a catalog's own events", async () => {
    const typesOf = async (source: string) => (await exportToFile({ source })).manifest.types
    expect(await typesOf(NORTE)).toEqual({
      SourceRegistered: 1,
      ObservationRecorded: 13,
      RecordParked: 1,
      ParkedResolved: 1,
      CrawlFinished: 2,
      ObservationRetracted: 1,
      ObservationReleased: 1,
      SkusKeptApart: 2,
    })
    expect(await typesOf('COMERCIAL SUR')).toEqual({
      SourceRegistered: 1,
      ObservationRecorded: 5,
      CrawlFinished: 1,
      ObservationQuarantined: 1,
      SkusKeptApart: 1,
    })
    expect(await typesOf('baustoffe west')).toEqual({
      SourceRegistered: 1,
      TrustChanged: 1,
      ObservationRecorded: 3,
      CrawlFinished: 1,
      ObservationRetracted: 1,
      SkusKeptApart: 1,
    })
    expect(await typesOf('Banco de precios')).toMatchObject({ RecipeRecorded: 1 })
  })
})

describe('a slice of time', () => {
  test('has the records of the interval, and earlier decisions', async () => {
    const { manifest, records } = await exportToFile({ from: '2026-01-20T07:00:00Z', to: '2026-02-05T07:00:00Z' })
    expect(manifest).toMatchObject({
      slice: { source: null, from: '2026-01-20T07:00:00Z', to: '2026-02-05T07:00:00Z' },
      types: { ObservationRecorded: 3, SourceRegistered: 5, TrustChanged: 1, SkusKeptApart: 2 },
    })
    const times = records.filter(({ topic }) => topic === TOPICS.observations).map(({ event }) => event.recorded_at)
    expect(new Set(times)).toEqual(new Set(['2026-01-20T07:00:00Z']))
  })

  test('shares no fact with the next one, even within a second', async () => {
    const factsOf = async (flags: Partial<ExportFlags>) =>
      (await exportToFile(flags)).records.flatMap((record) =>
        record.topic === TOPICS.observations ? JSON.stringify(record) : [],
      )
    const at = '2026-01-05T07:20:00.500Z'
    const [before, after, all] = [await factsOf({ to: at }), await factsOf({ from: at }), await factsOf({})]
    expect([...before, ...after].sort()).toEqual(all.sort())
    expect(before.some((line) => line.includes('Andina'))).toBe(false)
    expect(after.some((line) => line.includes('Andina'))).toBe(true)
  })
})

describe('an invalid flag', () => {
  test.each<[Partial<ExportFlags>, RegExp]>([
    [{ source: 'Nobody' }, /--source 'Nobody': expected an id or a name: Almacenes Norte \(src_/],
    [{ from: 'yesterday' }, /--from 'yesterday': expected a date or instant/],
    [{ to: '2026-02-30x' }, /--to '2026-02-30x': expected a date or instant/],
    [{ from: '2026-02-01', to: '2026-02-01' }, /expected the end after the beginning/],
  ])('%j is refused without writing anything', async (flags, refusal) => {
    await expect(exportToFile(flags, { name: 'refused.ndjson' })).rejects.toThrow(refusal)
    expect(existsSync(join(folder, 'refused.ndjson'))).toBe(false)
  })

  test('an ambiguous source name is refused with the ids', async () => {
    await copy.append([registration({ vendor: 'Twin' }), registration({ vendor: 'Twin', region: 'GB' }), observation()])
    const refused = exportToFile({ source: 'twin' }, { log: copy.log })
    await expect(refused).rejects.toThrow(
      /expected an id, because several have that name: Twin \(src_\w+\), Twin \(src_/,
    )
  })
})
