import type { IndexRecorded } from '@catalog/core/events/indices.ts'
import type { Licence } from '@catalog/core/events/sources.ts'
import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { describe, expect, test } from 'vitest'
import { importIndex, type StandingIndex } from './import-index.ts'
import { indexFolderOf, parseIndexPreset, readIndexPreset, readIndexPresets } from './index-preset.ts'
import { testIndexPreset } from './test-index-preset.ts'

const PRESETS = await readIndexPresets()

const TEXT = `
preset: 1
id: xx-index
title: Index
publisher: Office
website: https://office.example/
about: An index.
licence: { checked_on: 2026-11-28 }
file: { obtain: From the office. }
index:
  publisher_id: xx-office
  region: ES
  read: { format: csv, period: month, value: value, series: series }
  series: [{ code: A, title: All, base: "2021=100", frequency: month }]
`
const preset = parseIndexPreset(TEXT, 'preset.yaml')
const file = (text: string) => bytesSource('index.csv', Buffer.from(text))
const HEAD = 'series,month,value\n'

/** An import into a catalog that begins empty, and keeps what was appended. */
function catalog() {
  const events: IndexRecorded[] = []
  const licences: unknown[] = []
  let imports = 0
  const held = new Map<string, StandingIndex>()
  const deps = {
    log: {
      async append(_topic: string, records: readonly { value: string }[]) {
        for (const { value } of records) {
          const event = JSON.parse(value)
          if (event.type === 'IndexRecorded') events.push(event)
          else licences.push(event)
        }
        return []
      },
    },
    standing: async (id: string) => held.get(id) ?? null,
    licenceOf: async (): Promise<Licence | null> => (licences.length > 0 ? preset.licence : null),
    newCrawlId: () => `import-${++imports}`,
    now: () => new Date('2026-11-28T00:00:00Z'),
  } as unknown as Parameters<typeof importIndex>[2]
  const run = async (text: string, more: { preset?: typeof preset; dryRun?: boolean } = {}) => {
    const report = await importIndex(
      file(text),
      { preset: more.preset ?? preset, observedAt: undefined, dryRun: more.dryRun ?? false },
      deps,
    )
    for (const { index_id } of more.dryRun ? [] : report.series) {
      const {
        value: _v,
        period: _p,
        event_id: _e,
        recorded_at: _r,
        crawl_id: _c,
        ...rest
      } = events.at(-1) as IndexRecorded
      const { type: _t, v: _n, observed_at: _o, ...description } = rest
      held.set(index_id, { description, values: new Map(events.map(({ period, value }) => [period, value])) })
    }
    return report
  }
  return { events, licences, run }
}

describe('each index preset', () => {
  test.each(PRESETS.map((one) => [one.id, one] as const))('%s reads its sample as expected', async (id, one) => {
    const tested = await testIndexPreset(one, indexFolderOf(id))
    expect(tested.wrong).toEqual([])
    expect(tested.records).toBeGreaterThan(1)
    expect(one.licence.checked_on).toMatch(/^20/)
  })

  test('there are some, one with each format', () => {
    expect(new Set(PRESETS.map(({ index }) => index.read.format))).toEqual(new Set(['csv', 'json', 'sdmx']))
  })

  test('of an unknown id is refused with those that exist', async () => {
    await expect(readIndexPreset('us-bls')).rejects.toThrow(/^index preset 'us-bls': expected one of .*us-bls-ppi/)
  })
})

describe('an import', () => {
  test('appends what is news: nothing again, a revision once, and all under another description', async () => {
    const { events, licences, run } = catalog()
    const text = `${HEAD}A,2026-01,100.5\nA,2026-02,101\nB,2026-01,7\n`
    expect(await run(text)).toMatchObject({
      read: 3,
      other_series: 1,
      crawl_id: 'import-1',
      series: [{ series: 'A', points: 2, appended: 2, revised: 0 }],
    })
    expect(events[0]).toMatchObject({
      source_id: 'xx-office',
      publisher: 'Office',
      region: 'ES',
      base: '2021=100',
      period: '2026-01',
      value: '100.5',
      observed_at: '2026-11-28T00:00:00Z',
    })
    expect(licences).toMatchObject([{ type: 'SourceLicensed', source_id: 'xx-office' }])
    expect((await run(text)).series).toMatchObject([{ points: 2, appended: 0 }])
    expect((await run(text.replace('101', '102'))).series).toMatchObject([{ appended: 1, revised: 1 }])
    expect(events).toHaveLength(3)
    expect(licences).toHaveLength(1)
    const rebased = parseIndexPreset(TEXT.replace('2021=100', '2026=100'), 'preset.yaml')
    expect((await run(text, { preset: rebased })).series).toMatchObject([{ appended: 2, revised: 1 }])
  })

  test('without appending shows the same', async () => {
    const { events, licences, run } = catalog()
    expect(await run(`${HEAD}A,2026-01,100.5\n`, { dryRun: true })).toMatchObject({
      series: [{ appended: 1 }],
    })
    expect([events, licences]).toEqual([[], []])
  })

  test.each([
    [
      `${HEAD}A,2026-13,1\n`,
      "index.csv line 2: '2026-13': expected a period such as 2026-09, 2026 Q3 or 2026 in month",
    ],
    [`${HEAD}A,2026-01,1.2.3\n`, "index.csv line 2: '1.2.3': expected a number with the decimal mark . in value"],
    [`${HEAD}A,2026-01,1\nA,2026-01,2\n`, "index.csv line 3: '2': expected one value for A in 2026-01, found 1 before"],
    [`${HEAD}B,2026-01,1\n`, 'index.csv: expected points of A, found 1 rows of others'],
    ['serie,month,value\nA,2026-01,1\n', 'index.csv: expected the columns series, found serie, month, value'],
    [`${HEAD}A,2026-01,1\nA,2026-02\n`, 'index.csv line 3: WRONG_COLUMN_COUNT'],
  ])('of %j is refused as a whole: %s', async (text, message) => {
    const { events, run } = catalog()
    await expect(run(text)).rejects.toThrow(message)
    expect(events).toEqual([])
  })
})

test.each([
  ['publisher_id: xx-office', 'publisher: xx-office', 'index.publisher_id is missing'],
  ['value: value, ', '', 'expected the column of the values, here or in each series'],
  ['frequency: month', 'frequency: week', 'index.series[0].frequency'],
  ['format: csv', 'format: xls', 'index.read.format'],
])('a preset with %s as %j is refused', (from, to, message) => {
  expect(() => parseIndexPreset(TEXT.replace(from, to), 'preset.yaml')).toThrow(message)
})
