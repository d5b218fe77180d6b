import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aggregateRuns } from '@catalog/cli/aggregate/aggregate.ts'
import { crawlInputs, inputsOf } from '@catalog/cli/crawl/crawl-inputs.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { listening, openTestCatalog } from '@catalog/stack/testing/cli.ts'
import { published } from '@catalog/stack/testing/events.ts'
import { closedAfterAll } from '@catalog/stack/testing/fixtures.ts'
import { beforeAll, expect, test } from 'vitest'
import { priceBill } from './price.ts'
import { readBc3File } from './read.ts'

const V = '~V|Ours|FIEBDC-3/2016\\20112026|test|\\|ANSI|'
/** A crawled bank whose wall has become dearer since the work was measured. */
const BANK = `${V}
~C|WALL|m2|Brick wall|30.00|201126|0|
~C|SAND|t|River sand 0/4|20.00|201126|3|`
const WORK = `${V}
~C|R##||The work|1000||0|
~D|R|C1\\\\1\\|
~C|C1#||Walls|500||0|
~D|C1|WALL\\\\10\\SAND\\\\500\\CEM\\\\2\\ODD\\\\1\\COIL\\\\3\\|
~M|C1\\WALL|1\\1\\|10|\\North; wall\\2\\5\\\\\\|
~C|WALL|m2|Brick wall|25.50|010110|0|
~D|WALL|B\\\\50\\|
~C|B|u|Brick|0.51|010110|3|
~C|SAND|kg|River sand 0/4|0.015|010110|3|
~C|CEM|kg|Portland cement|0.10|010110|3|
~C|ODD|u|Qwxz vbnm|7|010110|0|
~C|COIL|u|Portland cement|7|010110|3|`

let folder: string
let catalog: Catalog
const opened = closedAfterAll(await openTestCatalog())
beforeAll(async () => {
  ;({ catalog, folder } = opened)
  const bank = fileOf('work.bc3', BANK)
  await crawlInputs(catalog, listening().terminal, inputsOf([bank], { region: 'ES', currency: 'EUR', kind: 'bank' }))
  await aggregateRuns(catalog, listening().terminal, { asOfs: ['2026-11-21T00:00:00Z'], full: false })
  const cement = published({ id: `ci_${'0'.repeat(20)}`, name: 'Portland cement', cents: 12 })
  await catalog.log.append(TOPICS.items, [{ key: cement.item_id, value: JSON.stringify(cement) }])
  await catalog.catchUp()
})

type Heard = { value: Answer; text: string }
type Answer = { totals: Record<string, unknown>; lines: Record<string, unknown>[] }

function fileOf(name: string, text: string): string {
  mkdirSync(join(folder, 'works'), { recursive: true })
  writeFileSync(join(folder, 'works', name), text)
  return join(folder, 'works', name)
}

async function priced(flags: Parameters<typeof priceBill>[2], { json }: { json?: boolean } = {}): Promise<Heard> {
  const { heard, terminal } = listening({ json: json ?? true })
  const path = fileOf('work.bc3', WORK)
  await priceBill({ catalog, terminal }, path, { region: 'ES', ...flags })
  return { value: heard.answers[0] as Answer, text: heard.text }
}

test('prices a work by references of its own bank, else by texts, and reports lines without a price', async () => {
  const { value } = await priced({})
  expect(
    value.lines.map(({ path, code, declared, now, difference, basis }) => [
      path,
      code,
      declared,
      now,
      difference,
      basis,
    ]),
  ).toEqual([
    [
      '1.1',
      'WALL',
      { price: '25.50', amount: '255.00' },
      { price: '30.00', amount: '300.00', currency: 'EUR' },
      '45.00',
      'reference',
    ],
    [
      '1.2',
      'SAND',
      { price: '0.015', amount: '7.50' },
      { price: '0.02', amount: '10.00', currency: 'EUR' },
      '2.50',
      'reference',
    ],
    [
      '1.3',
      'CEM',
      { price: '0.10', amount: '0.20' },
      { price: '0.12', amount: '0.24', currency: 'EUR' },
      '0.04',
      'match',
    ],
    ['1.4', 'ODD', { price: '7', amount: '7.00' }, null, null, 'unmatched'],
    ['1.5', 'COIL', { price: '7', amount: '21.00' }, null, null, 'unit_differs'],
  ])
  expect(value.lines[0]).toMatchObject({ chapter: 'Walls', quantity: '10', item: { name: 'Brick wall', unit: 'm²' } })
  expect(value.totals).toEqual({
    lines: 5,
    declared: '290.70',
    compared: { lines: 3, declared: '262.70', now: '310.24', difference: '47.54' },
    by_basis: { reference: 2, match: 1, unmatched: 1, unit_differs: 1 },
    now: [{ currency: 'EUR', lines: 3, amount: '310.24' }],
    unpriced: ['ODD', 'COIL'],
    priced: {
      lines: 3,
      lines_share: 0.6,
      amount_share: 0.903,
      quantities: [
        { unit: 'kg', quantity: '502', priced_share: 1 },
        { unit: 'm²', quantity: '10', priced_share: 1 },
        { unit: 'u', quantity: '4', priced_share: 0 },
      ],
    },
  })
})

/** A work that the catalog does not know, of cement, sand, something unknown and 3 % of all. */
const RECIPES = (unknown: string) => `${V}
~C|R##||The work|1000||0|
~D|R|W1\\\\10\\W2\\\\1\\|
~C|W1|m2|Zqx wvut|10.30|201126|0|
~D|W1|CEM\\\\40\\MIX\\\\2\\ODD\\\\${unknown}\\%CI\\\\0.03\\|
~C|CEM|kg|Portland cement|0.10|201126|3|
~C|MIX|l|Zqx mixture|2.00|201126|0|
~D|MIX|CEM\\\\20\\|
~C|ODD|u|Qwxz vbnm|1.00|201126|3|
~C|%CI|%|Indirect|3|201126|0|
~C|W2|m2|Wvut zqx|5|201126|0|
~D|W2|ODD\\\\5\\|`

test('prices a work without an item from its recipe, where enough of it has a price', async () => {
  const { heard, terminal } = listening({ json: true })
  await priceBill({ catalog, terminal }, fileOf('recipes.bc3', RECIPES('2')), { region: 'ES' })
  const { lines, totals } = heard.answers[0] as Answer
  // 80 kg at 12 cents and 2 pieces as declared, where 80 kg at 10 cents were: 10.30 x 11.60 / 10.
  expect(lines[0]).toMatchObject({
    basis: 'recipe',
    now: { price: '11.948', amount: '119.48', currency: 'EUR' },
    recipe: { components: 3, priced: 2, covered_share: 0.8 },
  })
  expect(lines[1]).toMatchObject({ basis: 'unmatched', now: null, recipe: null })
  expect(totals).toMatchObject({ by_basis: { recipe: 1, unmatched: 1 }, priced: { lines: 1, lines_share: 0.5 } })
  const table = listening({ json: false })
  await priceBill({ catalog, terminal: table.terminal }, fileOf('recipes.bc3', RECIPES('2')), { region: 'ES' })
  expect(table.heard.text).toContain('recipe 80 %')
  await priceBill({ catalog, terminal }, fileOf('recipes.bc3', RECIPES('4')), { region: 'ES' })
  expect((heard.answers[1] as Answer).lines[0]).toMatchObject({ basis: 'unmatched', now: null })
})

test('takes no price of a recipe that is many times the declared one', async () => {
  const { heard, terminal } = listening({ json: true })
  const dear = RECIPES('2').replace('Portland cement|0.10|', 'Portland cement|0.02|')
  await priceBill({ catalog, terminal }, fileOf('recipes.bc3', dear), { region: 'ES' })
  expect((heard.answers[0] as Answer).lines[0]).toMatchObject({ basis: 'unmatched', now: null })
})

test('prices a work without a region in the market of its currency, and compares no other money', async () => {
  const { heard, terminal } = listening({ json: true })
  await priceBill({ catalog, terminal }, fileOf('work.bc3', WORK), {})
  expect(heard.answers[0]).toMatchObject({ currency: 'EUR', region: 'ES', price_region: 'ES' })
  const dollars = WORK.replace(V, `${V}\n~K|2\\2\\2\\4\\2\\2\\2\\2\\USD\\|0\\0\\0\\0\\0\\|`)
  const foreign = listening({ json: false })
  await priceBill({ catalog, terminal: foreign.terminal }, fileOf('dollars.bc3', dollars), {
    region: 'ES',
    source: 'work',
  })
  expect(foreign.heard.text).toContain('3 lines have a price in EUR (310.24), which is not compared with USD')
})

test('ignores equal codes of other banks', async () => {
  const other = fileOf('other.bc3', WORK.replaceAll('WALL', 'SAND2').replace('Brick wall', 'Qwxz vbnm zzz'))
  const { heard, terminal } = listening()
  const linesOf = (at: number) => (heard.answers[at] as Answer).lines
  await priceBill({ catalog, terminal }, other, { region: 'ES' })
  expect(linesOf(0).map(({ basis }) => basis)).not.toContain('reference')
  await priceBill({ catalog, terminal }, other, { region: 'ES', source: 'WORK' })
  expect(
    linesOf(1)
      .filter(({ basis }) => basis === 'reference')
      .map(({ code }) => code),
  ).toEqual(['SAND'])
})

test('shows a table, and writes CSV or JSON files', async () => {
  const { text } = await priced({}, { json: false })
  expect(text).toMatch(/1\.1 +WALL +Brick wall +10 +m2 +25\.50 +30\.00 +45\.00 +reference +Brick wall \(m²\)/)
  expect(text).toContain('items of ES, prices of ES')
  expect(text).toContain('3 of them are compared: declared 262.70, now 310.24, difference 47.54 EUR')
  expect(text).toContain('without a price today: ODD, COIL')
  const csv = await priced({ format: 'csv' }, { json: false })
  expect(csv.text.split('\r\n')[1]).toMatch(
    /^1\.1,Walls,WALL,Brick wall,m2,10,25\.50,255\.00,30\.00,300\.00,EUR,45\.00,reference,ci_/,
  )
  const out = join(folder, 'priced.json')
  await priced({ out }, { json: false })
  expect(JSON.parse(readFileSync(out, 'utf8')).totals.lines).toBe(5)
})

test('writes a price book with present and declared prices, without contradicting recipes', async () => {
  const out = join(folder, 'today.bc3')
  await priced({ format: 'bc3', out })
  const { book, encoding } = await readBc3File(out)
  expect(encoding.declared).toBe('ANSI')
  expect(book.version).toMatchObject({ version: 'FIEBDC-3/2020', labels: ['Today', 'Declared'] })
  const of = (code: string) => book.concepts.get(code)
  expect(of('WALL')).toMatchObject({ prices: ['30.00', '25.50'], components: [] })
  expect(of('ODD')?.prices).toEqual(['7'])
  expect(of('C1')?.prices).toEqual([])
  expect(of('C1')?.components).toHaveLength(5)
  expect(of('C1')?.measurements.get(1)?.lines[0]?.comment).toBe('North; wall')
})

test.each([
  [{ format: 'pdf' }, /--format 'pdf': expected one of table, csv, bc3, json/],
  [{ format: 'bc3' }, /--format bc3: expected --out FILE/],
  [{ source: 'Nobody' }, /--source 'Nobody': expected the id or name of a source/],
  [{ region: 'XX' }, /--region: expected one of ES/],
])("%j is refused with the flag's name", async (flags, says) => {
  await expect(priced(flags)).rejects.toThrow(says)
})

test('refuses a file without measured lines by name', async () => {
  await expect(priceBill({ catalog, terminal: listening().terminal }, fileOf('bank.bc3', BANK), {})).rejects.toThrow(
    /bank\.bc3': no measured lines/,
  )
})
