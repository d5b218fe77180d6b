import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aggregateRuns } from '@catalog/cli/aggregate/aggregate.ts'
import type { PublicState } from '@catalog/core/events/items.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import { parseMapping } from '@catalog/formats/mapping/mapping.ts'
import { kindOf, type Price } from '@catalog/operations/price-change.ts'
import { DIFFERENT } from '@catalog/operations/what-if/report.ts'
import { randomOf } from '@catalog/sample-files/seeded-random.ts'
import { listening, openTestCatalog } from '@catalog/stack/testing/cli.ts'
import { closedAfterAll } from '@catalog/stack/testing/fixtures.ts'
import { allItemIds, type PriorItem, priorItems } from '@catalog/store/vendor/runs.ts'
import { beforeAll, expect, test } from 'vitest'
import { crawlInputs, previewInputs } from './crawl-inputs.ts'

const GOODS = [
  ['4006381333931', 'Portland cement CEM II 32.5'],
  ['4006381333948', 'River sand 0/4'],
  ['4006381333955', 'Solid brick 24x11'],
  ['4006381333962', 'Gypsum plaster'],
  ['4006381333979', 'Roof tile red'],
  ['4006381333986', 'Copper tube 15 mm'],
] as const
/** A list of goods at these prices; the first goods first, null leaves goods out. */
const listOf = (prices: readonly (number | null)[], more = '') =>
  `ref,name,unit,price,gtin,tax_included\n${GOODS.flatMap(([gtin, name], n) => (prices[n] == null ? [] : `r${n},${name},kg,${prices[n].toFixed(2)},${gtin},false\n`)).join('')}${more}`

const opened = closedAfterAll(await openTestCatalog())
let shiftMs = -2 * DAY_MS
const catalog = { ...opened.catalog, now: () => new Date(Date.now() + shiftMs) }
const ends = () => Promise.all(Object.values(TOPICS).map((topic) => catalog.log.partitions(topic)))

const inputOf = (source: string, list: string) => {
  const path = join(opened.folder, `${source}.csv`)
  writeFileSync(path, list)
  const options = { source, region: 'ES', currency: 'EUR', kind: 'shop', observedAt: instant(catalog.now()) }
  return [{ path, options } as never]
}
const crawled = (source: string, list: string) => crawlInputs(catalog, listening().terminal, inputOf(source, list))
const run = () => aggregateRuns(catalog, listening().terminal, { asOfs: [instant(catalog.now())], full: false })

type Shown = Readonly<{
  records: number
  is_whole: boolean
  items: Record<string, number>
  new_items: number
  largest: readonly { item_id: string; name: string; market: string; before: Price; after: Price; relative: number }[]
}>
async function previewed(source: string, list: string) {
  const { heard, terminal } = listening()
  const before = await ends()
  await previewInputs({ catalog, terminal }, inputOf(source, list))
  expect(await ends()).toEqual(before)
  const [{ moves }] = (heard.answers[0] as { inputs: [{ moves: Shown }] }).inputs
  return { moves, text: heard.text }
}
const NOTHING = { unchanged: 0, changed: 0, gained: 0, lost: 0, other_currency: 0, unpriced: 0 }

beforeAll(async () => {
  for (const [source, times] of Object.entries({ Norte: 1, Sur: 1.02, Este: 0.98 })) {
    await crawled(source, listOf(GOODS.map((_, n) => (10 + n) * times)))
  }
  await run()
  shiftMs = -DAY_MS
})

test('given an item of three vendors, when a file moves it, then the change is named', async () => {
  const { moves, text } = await previewed('Este', listOf([12, 10.78]))
  expect(moves).toMatchObject({ records: 2, is_whole: true, items: { ...NOTHING, changed: 1, unchanged: 1 } })
  expect(moves.largest).toMatchObject([
    {
      name: GOODS[0][1],
      market: 'ES',
      before: { cents: 1000, currency: 'EUR' },
      after: { cents: 1020 },
      relative: 0.02,
    },
  ])
  expect(text).toContain('Would move: of 2 items, 1 would change their median, 0 gain one, 0 lose one; 0 new items')
  expect(text).toMatch(/Portland cement CEM II 32.5 +kg +ES +10.00 EUR +10.20 EUR +\+2.00 %/)
})

test('given a slip of a hundred, when the fence or the quarantine holds it back, then nothing moves', async () => {
  const slip = listOf([1200, 1300])
  for (const vendor of ['Este', 'Nuevo']) {
    expect((await previewed(vendor, slip)).moves).toMatchObject({ items: { ...NOTHING, unchanged: 2 }, largest: [] })
  }
})

test('given a new vendor, when an exact key joins its goods to an item, then they move it, and others are new', async () => {
  const { moves } = await previewed('Nuevo', listOf([9], 'x1,Door of oak 203x82,u,150.00,,false\n'))
  expect(moves).toMatchObject({ items: { ...NOTHING, changed: 1 }, new_items: 1 })
  expect(moves.largest).toMatchObject([{ name: GOODS[0][1], before: { cents: 1000 } }])
})

test('given a newer edition, when it leaves goods out, then their prices are lost', async () => {
  const bank = (edition: string, list: string) => {
    const [input] = inputOf('Banco', list) as unknown as [{ path: string; options: object }]
    const mapping = parseMapping(`edition: { name: "Banco_{YYYY}" }\ncolumns: {}\n`, 'mapping.yaml')
    const path = join(opened.folder, `Banco_${edition}.csv`)
    renameSync(input.path, path)
    return [{ path, options: { ...input.options, kind: 'bank', validity: 'until_superseded', mapping } } as never]
  }
  const goods = (of: readonly string[]) =>
    `ref,name,unit,price,tax_included\n${of.map((name, n) => `${name},${name} ${n},u,${10 + n},false\n`).join('')}`
  await crawlInputs(catalog, listening().terminal, bank('2024', goods(['Door', 'Window', 'Gate'])))
  await run()
  const { heard, terminal } = listening()
  await previewInputs({ catalog, terminal }, bank('2025', goods(['Door', 'Window'])))
  const [{ moves }] = (heard.answers[0] as { inputs: [{ moves: Shown }] }).inputs
  expect(moves).toMatchObject({ records: 2, items: { ...NOTHING, unchanged: 2, lost: 1 } })
  expect(moves.largest).toMatchObject([{ name: 'Gate 2', before: { cents: 1200 }, after: null }])
})

test('given a catalog without items, when a file is previewed, then it says that none has its goods', async () => {
  await using empty = await openTestCatalog()
  const { heard, terminal } = listening()
  await previewInputs({ catalog: empty.catalog, terminal }, inputOf('Este', listOf([12, 13])))
  expect(heard.text).toContain('Would move: nothing: no item has these goods yet, 2 new items')
})

test('given any file, when it is crawled and a run follows, then the medians are those of the preview', async () => {
  const random = randomOf(7)
  let moved = 0
  const pricesNow = async () => {
    const items = await priorItems(catalog.store, await allItemIds(catalog.store))
    const inSpain = ({ publicState }: PriorItem) =>
      (JSON.parse(publicState) as PublicState).markets.find(({ region }) => region === 'ES')?.median_price
    return new Map(
      [...items].map(([id, item]) => {
        const { cents, currency } = inSpain(item) ?? { cents: 0, currency: '' }
        return [id, currency === '' ? null : { cents, currency }]
      }),
    )
  }
  for (let file = 0; file < 8; file++) {
    const factors = [null, 0.01, 0.7, 1, 1, 1.1, 1.6, 2.9, 3.5, 100]
    const prices = GOODS.map((_, n) => {
      const factor = factors[Math.floor(random() * factors.length)] ?? null
      return factor === null ? null : (10 + n) * factor
    })
    const vendor = ['Norte', 'Este', 'Nuevo', 'Oeste'][file % 4] as string
    shiftMs += 60_000
    const { moves } = await previewed(vendor, listOf(prices))
    const before = await pricesNow()
    await crawled(vendor, listOf(prices))
    await run()
    const after = await pricesNow()
    const kinds = [...after].map(([id, price]) => kindOf(before.get(id) ?? null, price))
    moved += moves.largest.length
    expect(moves.new_items).toBe(0)
    for (const kind of DIFFERENT) expect(moves.items[kind]).toBe(kinds.filter((one) => one === kind).length)
    for (const move of moves.largest) {
      expect([move.before, move.after]).toEqual([before.get(move.item_id), after.get(move.item_id)])
    }
  }
  expect(moved).toBeGreaterThan(5)
}, 60_000)

test('given a reference that stands for another article, when it is shown or crawled, then the report tells it', async () => {
  shiftMs += 60_000
  await crawled('Reusing', 'ref,name,unit,price\nA1,Cement 25 kg,bag,5.00\nB2,Solid brick,u,1.00\n')
  shiftMs += DAY_MS / 24
  const list = 'ref,name,unit,price\nA1,Paint white 5 l,l,30.00\nB2,"Brick, solid, red",u,1.10\n'
  const said = 'REFERENCES_REUSED: references that stand for another article than before: 1'
  const example = 'A1: was Cement 25 kg, bag, is Paint white 5 l, l'
  const { heard, terminal } = listening()
  await previewInputs({ catalog, terminal }, inputOf('Reusing', list))
  expect(heard.notes.join('\n')).toContain(said)
  expect(heard.notes.join('\n')).toContain(example)
  const [report] = await crawled('Reusing', list)
  expect(report?.problems).toEqual([
    { code: 'REFERENCES_REUSED', detail: expect.stringContaining('before: 1'), examples: [example] },
  ])
  expect(report).toMatchObject({ outcome: 'recorded', complete: true })
})
