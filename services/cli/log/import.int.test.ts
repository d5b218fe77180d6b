import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { sha256Hex } from '@catalog/core/digest.ts'
import type { ParkedResolved } from '@catalog/core/events/crawls.ts'
import { TOPICS, type Topic } from '@catalog/core/events/topics.ts'
import type { EventLog } from '@catalog/log/log.ts'
import { openTableLog } from '@catalog/log/table.ts'
import { verify } from '@catalog/projector/verify/verify.ts'
import { openPath, type Path } from '@catalog/stack/path/path.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { listening } from '@catalog/stack/testing/cli.ts'
import { event, observation, registration } from '@catalog/stack/testing/events.ts'
import { openTestStore } from '@catalog/stack/testing/store.ts'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { exportLog } from './export.ts'
import { importLog } from './import.ts'
import { type Manifest, manifestLine } from './log-file.ts'

/** A whole log of 119 records with every type of event. */
const GOLDEN = resolve(import.meta.dirname, '../../../libs/core/golden/log-1.ndjson')
const GOLDEN_RECORDS = 119
const GOLDEN_LINES = readFileSync(GOLDEN, 'utf8').trimEnd().split('\n')
/** Portable records among them: facts, sources, trust, and decisions on observations and pairs. */
const PORTABLE = 50

const path = await pathOfFile()
const folder = mkdtempSync(join(tmpdir(), 'log-import-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => path.reset())

const signal = new AbortController().signal
type Answer = {
  copy: boolean
  files: { file: string; records: number; appended: number; known: number; left_out: number }[]
}

type Bringing = { to?: Path; dryRun?: boolean; log?: EventLog }
async function importFiles(paths: readonly string[], { to = path, dryRun = false, log = to.log }: Bringing = {}) {
  const { heard, terminal } = listening()
  const catalog = { log, mode: 'embedded' as const, catchUp: () => to.project(), spoolDir: join(folder, 'spool') }
  await importLog({ catalog, terminal, signal }, paths, { dryRun })
  return heard.answers[0] as Answer
}
async function exportToFile({ log }: { log: EventLog } = path): Promise<string> {
  const out = join(folder, 'exported.ndjson')
  const { terminal } = listening()
  await exportLog({ catalog: { log, mode: 'embedded' }, terminal, signal }, { out })
  return out
}
function written(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}
/** A file of the records of the present log that `keeps` chooses, as former versions wrote parts of a log. */
async function partOf(name: string, keeps: (line: string) => boolean): Promise<string> {
  const lines = readFileSync(await exportToFile(), 'utf8')
    .trimEnd()
    .split('\n')
  const { manifest } = JSON.parse(lines.pop() as string) as { manifest: Manifest }
  const kept = lines.filter(keeps)
  const text = kept.map((line) => `${line}\n`).join('')
  return written(name, text + manifestLine({ ...manifest, records: kept.length, sha256: sha256Hex(text), slice: {} }))
}
const ends = async ({ log }: { log: EventLog } = path) =>
  Promise.all(Object.values(TOPICS).map(async (topic) => (await log.partitions(topic)).map(({ next }) => Number(next))))
const held = async () => (await ends()).flat().reduce((sum, next) => sum + next, 0)
const failures = async (of = path) => (await verify(of)).filter(({ ok }) => !ok)

describe('a file of the whole log', () => {
  test('copies runs and items into an empty catalog; importing again appends nothing', async () => {
    expect(await importFiles([GOLDEN])).toMatchObject({ copy: true, files: [{ appended: GOLDEN_RECORDS, known: 0 }] })
    const before = { ends: await ends(), roots: await path.roots(), seq: await path.seq() }
    expect(await importFiles([GOLDEN])).toMatchObject({ copy: true, files: [{ appended: 0, known: GOLDEN_RECORDS }] })
    expect({ ends: await ends(), roots: await path.roots(), seq: await path.seq() }).toEqual(before)
    expect(await failures()).toEqual([])
    // A copy of the copy equals the file byte for byte.
    expect(readFileSync(await exportToFile(), 'utf8')).toBe(readFileSync(GOLDEN, 'utf8'))
  })

  test('resumes after a failed import', async () => {
    await importFiles([GOLDEN])
    const whole = { ends: await ends(), roots: await path.roots() }
    await path.reset()
    const log: EventLog = {
      ...path.log,
      append: (topic, events) =>
        topic === TOPICS.items ? Promise.reject(new Error('the broker is away')) : path.log.append(topic, events),
    }
    await expect(importFiles([GOLDEN], { log })).rejects.toThrow('the broker is away')
    expect(await held()).toBeGreaterThan(0)
    expect(await importFiles([GOLDEN])).toMatchObject({
      copy: true,
      files: [{ appended: 38, known: GOLDEN_RECORDS - 38 }],
    })
    expect({ ends: await ends(), roots: await path.roots() }).toEqual(whole)
  })

  test('merges only facts into the log of another catalog', async () => {
    await path.append([registration({ vendor: 'Own' }), observation({ vendor: 'Own' })])
    const before = await held()
    const left = GOLDEN_RECORDS - PORTABLE
    const answer = { copy: false, files: [{ appended: PORTABLE, known: 0, left_out: left }] }
    expect(await importFiles([GOLDEN])).toMatchObject(answer)
    expect(await held()).toBe(before + PORTABLE)
    const roots = await path.roots()
    expect(await importFiles([GOLDEN])).toMatchObject({ files: [{ appended: 0, known: PORTABLE, left_out: left }] })
    expect([await held(), await path.roots(), await path.seq()]).toEqual([before + PORTABLE, roots, 0])
    expect(await failures()).toEqual([])
  })

  test('is merged, not copied, into another number of partitions, where run positions are invalid', async () => {
    const store = await openTestStore()
    await using other = await openPath({
      parts: { store, log: await openTableLog(store, { observationPartitions: 2 }) },
    })
    expect(await importFiles([GOLDEN], { to: other })).toMatchObject({ copy: false, files: [{ appended: PORTABLE }] })
    await importFiles([GOLDEN])
    expect((await other.roots()).vendor).toBe((await path.roots()).vendor)
  })

  test('stops before its runs when another process appends', async () => {
    let isLate = false
    const log: EventLog = {
      ...path.log,
      async append(topic, events) {
        await path.log.append(topic, events)
        if (isLate) return
        isLate = true
        await path.log.append(topic, [{ key: 'other', value: JSON.stringify(observation({ vendor: 'Other' })) }])
      },
    }
    await expect(importFiles([GOLDEN], { log })).rejects.toThrow(
      /vendor.observations partition \d ends at \d+, expected \d+/,
    )
    expect((await ends()).slice(1)).toEqual([[0], [0]])
    // The missing records arrive as facts.
    expect(await importFiles([GOLDEN])).toMatchObject({ copy: false, files: [{ appended: 10, known: 40 }] })
  })

  test('keeps records that this version cannot read, and parks them again', async () => {
    await path.append([registration(), observation()])
    await path.log.append(TOPICS.observations, [{ key: 'k', value: 'no event, nor JSON\n' }])
    const newer = JSON.stringify({ ...observation({ ref: 'newer' }), v: 2 })
    await path.log.append(TOPICS.observations, [{ key: 'k', value: newer }])
    await path.project()
    await using other = await openPath()
    const file = await exportToFile()
    expect(await importFiles([file], { to: other })).toMatchObject({ copy: true, files: [{ appended: 4 }] })
    expect(await ends(other)).toEqual(await ends())
    expect(await failures(other)).toEqual([])
    // In a merged log nobody could tell what it means.
    await other.reset()
    await other.append([observation({ ref: 'own' })])
    expect(await importFiles([file], { to: other })).toMatchObject({ files: [{ appended: 2, left_out: 2 }] })
  })
})

describe('parts of a log', () => {
  test('add each record once, even when they overlap', async () => {
    await importFiles([GOLDEN])
    const { vendor } = await path.roots()
    const files = [
      await partOf('all-but-ten.ndjson', (line) => Number(JSON.parse(line).offset) < 10),
      await partOf('all-but-five.ndjson', (line) => Number(JSON.parse(line).offset) >= 5),
    ]
    await path.reset()
    const dry = await importFiles(files, { dryRun: true })
    expect(await held()).toBe(0)
    expect(await importFiles(files)).toEqual({ ...dry, dry_run: false })
    expect(dry.files.reduce((sum, { appended }) => sum + appended, 0)).toBe(PORTABLE)
    expect([await held(), (await path.roots()).vendor]).toEqual([PORTABLE, vendor])
    for (const file of files) expect(await importFiles([file])).toMatchObject({ files: [{ appended: 0 }] })
    expect(await held()).toBe(PORTABLE)
  })

  test('give the same catalog when aggregated at the same instant', async () => {
    const gtin = { more: { gtin: '4006381333931' } }
    await path.append([
      registration({ vendor: 'One' }),
      registration({ vendor: 'Two', trust: 80 }),
      observation({ vendor: 'One', ...gtin }),
      observation({ vendor: 'Two', cents: 120, ...gtin }),
      observation({ vendor: 'Two', ref: 'B', name: 'Sand' }),
    ])
    const files = [
      await partOf('one.ndjson', (line) => line.includes('"One"')),
      await partOf('two.ndjson', (line) => line.includes('"Two"')),
    ]
    await path.run('2026-01-10T00:00:00Z')
    const roots = await path.roots()
    await path.reset()
    await importFiles(files)
    await path.run('2026-01-10T00:00:00Z')
    expect(await path.roots()).toEqual(roots)
  })

  test('bring no runs, unless they begin the whole log', async () => {
    await importFiles([GOLDEN])
    const decisions = await partOf('decisions.ndjson', (line) => line.startsWith(`{"topic":"${TOPICS.decisions}"`))
    const shortened: EventLog = {
      ...path.log,
      partitions: async (topic) => (await path.log.partitions(topic)).map((range) => ({ ...range, earliest: 1n })),
    }
    const rest = await exportToFile({ log: shortened })
    for (const file of [decisions, rest]) {
      await path.reset()
      expect(await importFiles([file])).toMatchObject({ copy: false, files: [{ known: 0 }] })
      expect(await path.store.query(`select from decisions where type in ('RunStarted', 'SkuMatched')`)).toEqual([])
    }
  })

  test('close no dead letter of another log with the same position', async () => {
    await path.log.append(TOPICS.observations, [{ key: 'k', value: 'unreadable' }])
    await path.project()
    const parked = (parkedId: string): ParkedResolved =>
      event({ type: 'ParkedResolved', source_id: 'src_a', parked_id: parkedId, resolution: 'dropped', reason: 'junk' })
    const place = (await path.store.query<{ id: string }>(`select parked_id as id from parked`))[0]?.id as string
    await path.append([parked(place), parked('a'.repeat(64))])
    const file = await partOf('resolved.ndjson', (line) => line.includes('"ParkedResolved"'))
    await path.reset()
    expect(await importFiles([file])).toMatchObject({ files: [{ records: 2, appended: 1, left_out: 1 }] })
    expect(await path.store.query(`select parked_id from parked_resolutions`)).toEqual([{ parked_id: 'a'.repeat(64) }])
  })
})

describe('an altered file', () => {
  const lines = GOLDEN_LINES
  const manifest = lines.at(-1) as string
  const joined = (all: readonly string[]) => `${all.join('\n')}\n`
  const altered = (at: number, change: (line: string) => string) =>
    joined(lines.map((line, i) => (i === at ? change(line) : line)))
  const priced = lines.findIndex((line) => line.includes('"ObservationRecorded"'))
  const swapped = lines.findIndex((line) => line.includes('"CrawlFinished"'))
  test.each<[string, string, RegExp]>([
    ['cut in a line', joined(lines).slice(0, 50_000), /line \d+: the file is truncated in this line/],
    ['cut after a line', joined(lines.slice(0, 60)), /line 61: expected the manifest as the last line, found the end/],
    ['empty', '', /line 1: expected the manifest/],
    ['one line less', joined(lines.toSpliced(7, 1)), /line 119: the manifest counts 119 records, found 118/],
    ['one line twice', joined(lines.toSpliced(7, 0, lines[7] as string)), /counts 119 records, found 120/],
    ['two lines exchanged', joined([lines[1], lines[0], ...lines.slice(2)] as string[]), /they were altered/],
    [
      'another price',
      altered(priced, (line) => line.replace(/"cents":(\d)/, '"cents":1$1')),
      new RegExp(`altered; the id of the observation in line ${priced + 1} is not that of its content`),
    ],
    ['another count', altered(swapped, (line) => line.replace(/"read":\d+/, '"read":999')), /they were altered/],
    [
      'a negative count',
      altered(swapped, (line) => line.replace(/"read":\d+/, '"read":-1')),
      new RegExp(`line ${swapped + 1}: expected an event of vendor.observations: read: `),
    ],
    ['a newer version', altered(3, (line) => line.replace('"v":1', '"v":2')), /line 4: expected an event .* version 2/],
    ['another topic', altered(3, (line) => line.replace('vendor.obs', 'v.obs')), /line 4: expected a record \{ topic/],
    ['no JSON', altered(3, () => 'PAR1'), /line 4: expected one JSON value/],
    ['a line after the manifest', joined([...lines, lines[0] as string]), /line 121: expected the end of the file/],
    [
      'another format',
      altered(119, () => manifest.replace('log/1', 'log/9')),
      /line 120: expected a manifest of catalog-log\/1/,
    ],
    ['other line ends', lines.join('\r\n'), /they were altered/],
  ])('is refused before the first append: %s', async (name, text, refusal) => {
    const bad = written(`${name}.ndjson`, text)
    await expect(importFiles([GOLDEN, bad])).rejects.toThrow(refusal)
    await expect(importFiles([bad])).rejects.toThrow(bad)
    expect(await held()).toBe(0)
  })

  test('is named when it does not exist', async () => {
    await expect(importFiles([join(folder, 'nowhere.ndjson')])).rejects.toThrow(/nowhere.ndjson: no such file/)
  })
})

test('an import removes its spool', async () => {
  await path.append([observation({ vendor: 'Own' })])
  await importFiles([GOLDEN])
  expect(readdirSync(folder).includes('spool') ? readdirSync(join(folder, 'spool')) : []).toEqual([])
})

test('the golden log covers all three topics', () => {
  const topics = new Set(GOLDEN_LINES.slice(0, -1).map((line) => (JSON.parse(line) as { topic: Topic }).topic))
  expect([...topics]).toEqual([TOPICS.observations, TOPICS.decisions, TOPICS.items])
})
