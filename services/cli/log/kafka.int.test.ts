import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openKafkaLog } from '@catalog/log/kafka/kafka.ts'
import { openTableLog } from '@catalog/log/table.ts'
import { verify } from '@catalog/projector/verify/verify.ts'
import { openPath, type Path } from '@catalog/stack/path/path.ts'
import { sharedServer, unavailable } from '@catalog/stack/servers/servers.ts'
import { listening } from '@catalog/stack/testing/cli.ts'
import { openTestStore } from '@catalog/stack/testing/store.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportLog } from './export.ts'
import { importLog } from './import.ts'

const GOLDEN = resolve(import.meta.dirname, '../../../libs/core/golden/log-1.ndjson')
const AS_OF = '2026-03-20T02:00:00Z'
const signal = new AbortController().signal

const missing = unavailable('kafka')
describe.skipIf(missing !== null)(missing ?? 'a log in Kafka', () => {
  let folder: string
  let origin: Path
  let laptop: Path
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'log-kafka-'))
    const store = await openTestStore()
    ;[origin, laptop] = [await inKafka(), await openPath({ parts: { store, log: await openTableLog(store) } })]
    await importFiles(GOLDEN, origin, 'distributed')
    await origin.run(AS_OF)
  })
  afterAll(async () => {
    for (const path of [origin, laptop]) {
      await path?.log[Symbol.asyncDispose]()
      await path?.[Symbol.asyncDispose]()
    }
    rmSync(folder, { recursive: true, force: true })
  })

  async function inKafka(): Promise<Path> {
    const log = await openKafkaLog({ brokers: await sharedServer('kafka'), prefix: `${randomUUID()}.` })
    return openPath({ parts: { store: await openTestStore(), log } })
  }
  type Mode = 'embedded' | 'distributed'
  async function importFiles(file: string, to: Path, mode: Mode) {
    const { heard, terminal } = listening()
    const catalog = { log: to.log, mode, catchUp: () => to.project(), spoolDir: folder }
    await importLog({ catalog, terminal, signal }, [file], { dryRun: false })
    return heard.answers[0]
  }
  async function exportToFile(from: Path, mode: Mode, name: string): Promise<string> {
    const out = join(folder, name)
    const { terminal } = listening()
    await exportLog({ catalog: { log: from.log, mode }, terminal, signal }, { out })
    return out
  }

  test('imports into a table log as facts only, since runs name Kafka positions; importing again appends nothing', async () => {
    const file = await exportToFile(origin, 'distributed', 'laptop.ndjson')
    expect(await importFiles(file, laptop, 'embedded')).toMatchObject({
      copy: false,
      files: [{ appended: 50, known: 0 }],
    })
    expect(await importFiles(file, laptop, 'embedded')).toMatchObject({ files: [{ appended: 0, known: 50 }] })
    await laptop.run(AS_OF)
    expect(await laptop.roots()).toEqual(await origin.roots())
    expect((await verify(laptop)).filter(({ ok }) => !ok)).toEqual([])
  })

  test('copies unchanged into another Kafka, with runs and items', async () => {
    const file = await exportToFile(origin, 'distributed', 'kafka.ndjson')
    await using other = await inKafka()
    await using _ = other.log
    expect(await importFiles(file, other, 'distributed')).toMatchObject({
      copy: true,
      files: [{ known: 0, left_out: 0 }],
    })
    expect(await importFiles(file, other, 'distributed')).toMatchObject({ copy: true, files: [{ appended: 0 }] })
    expect([await other.roots(), await other.seq()]).toEqual([await origin.roots(), await origin.seq()])
    expect(readFileSync(await exportToFile(other, 'distributed', 'again.ndjson'))).toEqual(readFileSync(file))
    expect((await verify(other)).filter(({ ok }) => !ok)).toEqual([])
  })
})
