import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Basis, PublicState } from '@catalog/core/events/items.ts'
import { parseUnit } from '@catalog/core/units/parse-unit.ts'
import { crawl } from '@catalog/crawler/ingest/crawl.ts'
import { parseMapping } from '@catalog/formats/mapping/mapping.ts'
import { acceptSpellings, openSpellings } from '@catalog/operations/decisions/vendor-spellings.ts'
import { verify } from '@catalog/projector/verify/verify.ts'
import { catalogOf } from '@catalog/stack/path/commands.ts'
import { openPath, type Path } from '@catalog/stack/path/path.ts'
import { roadBids, spellingsOf } from '@catalog/stack/road-bids/road-bids.ts'
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

test('the proposed spellings, once accepted, leave every bidder one voice, and join no two bidders', async () => {
  const catalog = catalogOf(path)
  const bidderOf = new Map(
    bids.bidders.flatMap(({ spellings }, bidder) => spellings.map((spelling) => [spelling, bidder] as const)),
  )
  const before = await voicesOf(bidderOf)
  const proposed = await openSpellings(catalog)
  const wrong = proposed.filter(({ source, canonical }) => bidderOf.get(source.name) !== bidderOf.get(canonical.name))
  await acceptSpellings(catalog, { pair: [], all: true, reason: 'one licence number' })
  path.nowMs = Date.parse('2026-09-21T00:00:00Z')
  await path.run('2026-09-21T00:00:00Z')
  const after = await voicesOf(bidderOf)
  process.stdout.write(
    `road bids: ${proposed.length} spellings proposed, ${wrong.length} of another bidder; double voices ${before.double} -> ${after.double}, votes ${before.votes} -> ${after.votes}\n`,
  )
  expect(wrong).toEqual([])
  expect(before.double).toBeGreaterThan(0)
  expect(after.double).toBe(0)
  // Each of the 80 bidders bids on each of the pay items.
  expect(after.votes).toBe(80 * bids.payItems.length)
  expect(await openSpellings(catalog)).toEqual([])
  expect((await verify(path)).filter(({ ok }) => !ok)).toEqual([])
})

/** Votes of all items, and those beyond the first of a bidder in an item. */
async function voicesOf(bidderOf: ReadonlyMap<string, number>): Promise<{ votes: number; double: number }> {
  const names = new Map(
    (await path.store.query<{ id: string; name: string }>(`select source_id as id, name from sources`)).map(
      ({ id, name }) => [id, name],
    ),
  )
  let [votes, double] = [0, 0]
  for (const { basis } of await path.store.query<{ basis: string }>(`select basis from items where state = 'active'`)) {
    const bidders = (JSON.parse(basis) as Basis).votes.map(({ source_id }) =>
      bidderOf.get(names.get(source_id) as string),
    )
    expect(bidders).not.toContain(undefined)
    votes += bidders.length
    double += bidders.length - new Set(bidders).size
  }
  return { votes, double }
}
