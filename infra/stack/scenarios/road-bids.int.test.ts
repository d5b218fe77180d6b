import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Basis, PublicState } from '@catalog/core/events/items.ts'
import { parseUnit } from '@catalog/core/units/parse-unit.ts'
import { crawl } from '@catalog/crawler/ingest/crawl.ts'
import { parseMapping } from '@catalog/formats/mapping/mapping.ts'
import { roadBids, spellingsOf } from '@catalog/sample-market/road-bids/road-bids.ts'
import { openPath, type Path } from '@catalog/stack/path/path.ts'
import { registeredSources } from '@catalog/store/builds/status.ts'
import { readUnknownUnits } from '@catalog/store/vendor/unknown-units.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** Three lettings of a US road department, crawled and aggregated as an operator would: docs/crawling.md, Units. */
const bids = roadBids()
const AS_OF = '2026-09-20T00:00:00Z'

let path: Path
beforeAll(async () => {
  path = await openPath()
  path.nowMs = Date.parse(AS_OF)
  await using folder = await mkdtempDisposable(join(tmpdir(), 'road-bids-'))
  for (const { fileName, csv } of bids.lettings) await writeFile(join(folder.path, fileName), csv)
  const mapping = parseMapping(bids.mapping, 'road-bids.yaml')
  const reports = await crawl(
    bids.lettings.map(({ fileName }) => ({ path: join(folder.path, fileName), options: { mapping } })),
    {
      log: path.log,
      now: () => new Date(path.nowMs),
      newCrawlId: (() => {
        let crawls = 0
        return () => `letting-${++crawls}`
      })(),
      spoolDir: join(folder.path, 'spool'),
      registeredSources: (ids) => registeredSources(path.store, ids),
    },
  )
  const lines = 80 * bids.payItems.length
  expect(reports.map(({ read, appended }) => [read, appended])).toEqual(bids.lettings.map(() => [lines, lines]))
  await path.project()
  await path.run(AS_OF)
}, 240_000)
afterAll(() => path?.[Symbol.asyncDispose]())

test('every unit of the bids is known, none is small, and every pay item is one item in its unit', async () => {
  const written = new Set(bids.payItems.flatMap(({ units }) => units))
  const byWordsAlone = [...written].filter((unit) => parseUnit(unit, { lang: 'en' }) === null)
  const items = (
    await path.store.query<{ item_json: string; basis: string }>(
      `select item_json, basis from items where state = 'active'`,
    )
  ).map(({ item_json, basis }) => ({
    ...(JSON.parse(item_json) as PublicState['item']),
    basis: JSON.parse(basis) as Basis,
  }))
  const unknown = await readUnknownUnits(path.store, AS_OF)
  const small = items.filter(({ unit }) => /^(mg|g|ml|mm)$/.test(unit ?? ''))
  const excluded = items.flatMap(({ basis }) => basis.excluded.filter(({ reason }) => reason.startsWith('UNIT_')))
  process.stdout.write(
    `road bids: ${written.size} spellings of units (${byWordsAlone.length} unknown by words alone: ${byWordsAlone.join(', ')}), ` +
      `${items.length} items, ${small.length} in mg or another small unit, ${unknown.length} unknown units, ` +
      `${excluded.length} prices without a unit, ${spellingsOf(bids).length} spellings of 80 bidders\n`,
  )
  expect(byWordsAlone).toContain('M.G.')
  expect([small, unknown, excluded]).toEqual([[], [], []])
  expect(items.map(({ unit }) => unit)).toEqual(
    expect.arrayContaining(['yd²', 'yd³', '1000 US gal', '1000 board ft', '100 ft']),
  )
  expect(items.map(({ name }) => name).sort()).toEqual(bids.payItems.map(({ name }) => name).sort())
  for (const { name, unit, median_price } of items) {
    const item = bids.payItems.find((one) => one.name === name)
    expect([name, unit]).not.toEqual([name, null])
    // Bids stand within a quarter of the middle.
    expect([name, Math.abs((median_price?.cents ?? 0) / (item?.cents ?? 0) - 1) < 0.25]).toEqual([name, true])
  }
})
