import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JoinRule } from '@catalog/aggregator/matching/join-rule.ts'
import { crawl } from '@catalog/crawler/ingest/crawl.ts'
import type { CrawlReport } from '@catalog/crawler/ingest/report.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { plainRule } from '@catalog/stack/path/plain-rule.ts'
import { observation, registration } from '@catalog/stack/testing/events.ts'
import { registeredSources } from '@catalog/store/builds/status.ts'
import { beforeEach, expect, test } from 'vitest'

/** No projector refuses an event of ours: producers at the edges of what their inputs can hold, and one with a defect. */

let evidence: ReturnType<JoinRule['evidence']>
const path = await pathOfFile({ joinRule: plainRule({ evidence: () => evidence }).rule })
beforeEach(async () => {
  evidence = { meaning: 1 }
  await path.reset()
})

/** What the projector could not read. */
const refused = () =>
  path.store.query(`select reason, detail, left(raw, 200) as raw from parked where origin = 'projector'`)

/** Crawls records of JSON as `catalog crawl FILE` does. */
async function send(records: readonly object[], file: string): Promise<CrawlReport> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'own-events-'))
  const input = join(folder.path, file)
  await writeFile(input, records.map((record) => JSON.stringify(record)).join('\n'))
  const options = { source: 'Edge', region: 'ES', currency: 'EUR', observedAt: '2026-01-05' }
  const [report] = await crawl([{ path: input, options }], {
    log: path.log,
    now: () => new Date(path.nowMs),
    newCrawlId: () => 'crawl-1',
    spoolDir: join(folder.path, 'spool'),
    registeredSources: (ids) => registeredSources(path.store, ids),
  })
  await path.project()
  return report as CrawlReport
}

const ODD = ['\u0000', '\u0007', '\ud800', '\udfff', '\ufffe', '\u202e', '\ufdfa', '😀', '|', '\\u0000', ' ']
/** Values that a text of a record may have. */
const EDGES = [null, '', ' ', [], {}, 0, -1, 1e300, ...ODD, ...ODD.map((odd) => `Ladrillo ${odd} hueco`)]
/** Longest texts; most are two code units of UTF-16 longer or shorter than an event takes. */
const LONG = [98, 100, 102, 198, 202, 298, 302, 1_998, 2_002, 19_998, 20_002, 70_000].flatMap((length) => [
  'x'.repeat(length),
  `${'x'.repeat(length - 1)}😀`,
  'ﷺ '.repeat(length / 2),
])
const FIELDS = 'ref name unit price currency observed_at lang gtin url category_path pack_quantity pack_unit'.split(' ')

test('a crawl of records at their edges', async () => {
  const records = FIELDS.flatMap((field, f) =>
    [...EDGES, ...LONG].map((value, v) => ({
      ref: `R-${f}-${v}`,
      name: `Ladrillo hueco ${f} ${v}`,
      unit: 'ud',
      price: 1.25,
      [field]: value,
    })),
  )
  const report = await send(records, `${'p'.repeat(240)}.jsonl`)
  expect(report.appended).toBeGreaterThan(100)
  expect(report.parked.INVALID_EVENT).toBeUndefined()
  const [run] = await path.run('2026-01-06T00:00:00Z')
  expect(run?.matched).toBe(report.appended)
  expect(await refused()).toEqual([])
})

test('an item founded with a unit and a pack that are both unknown and as long as can be', async () => {
  const pack = { quantity: '123456789012345678.123456789012345678', unit: 'q'.repeat(40) }
  await path.append([registration(), observation({ unit: 'z'.repeat(100), more: { pack } })])
  await path.run('2026-01-06T00:00:00Z')
  expect(await path.store.query(`select state from items`)).toEqual([{ state: 'active' }])
  expect(await refused()).toEqual([])
})

test('law: an event that no projector could read costs no other, and the run names it', async () => {
  const offer = (vendor: string, name: string, lang: string) =>
    observation({ vendor, ref: name, name, unit: 'm2', more: { lang } })
  await path.append([
    ...['Norte', 'Leeds', 'Lyon'].map((vendor) => registration({ vendor })),
    offer('Norte', 'Placa de yeso laminado 12,5 mm', 'es'),
    offer('Leeds', 'Plasterboard 12.5 mm', 'en'),
    offer('Lyon', 'Ciment Portland 25 kg', 'fr'),
  ])
  evidence = { meaning: ['more than one'] as never }
  await expect(path.run('2026-01-06T00:00:00Z')).rejects.toThrow(/left out ItemsMerged of ci_\w+: evidence.meaning: /)
  expect(await path.store.query(`select count(*)::int as items from items where state = 'active'`)).toEqual([
    { items: 3 },
  ])
  expect(await path.store.query(`select count(*)::int as marks from run_marks`)).toEqual([{ marks: 1 }])
  expect(await refused()).toEqual([])
  // Nothing of the defect is left: a run without it goes on.
  evidence = { meaning: 1 }
  await path.run('2026-01-07T00:00:00Z')
})
