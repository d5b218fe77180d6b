import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aggregateRuns } from '@catalog/cli/aggregate/aggregate.ts'
import { crawlInputs, inputsOf } from '@catalog/cli/crawl/crawl-inputs.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { readEnvironment } from '@catalog/runtime/env.ts'
import { listening, openTestCatalog } from '@catalog/stack/testing/cli.ts'
import { published } from '@catalog/stack/testing/events.ts'
import { closedAfterAll } from '@catalog/stack/testing/fixtures.ts'
import { beforeAll, expect, test } from 'vitest'
import { priceWork } from './price.ts'
import { readBc3File } from './read.ts'

const env = readEnvironment({ PUBLIC_BASE_URL: 'https://catalog.example.org/v1' })

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

type Answer = {
  stated: Record<string, unknown>
  lines: { [key: string]: unknown; unit_price: object | null; cost: object | null; item: { name: string } | null }[]
}
type Heard = { value: Answer; text: string }

function fileOf(name: string, text: string): string {
  mkdirSync(join(folder, 'works'), { recursive: true })
  writeFileSync(join(folder, 'works', name), text)
  return join(folder, 'works', name)
}

async function priced(flags: Parameters<typeof priceWork>[2], { json }: { json?: boolean } = {}): Promise<Heard> {
  const { heard, terminal } = listening({ json: json ?? true })
  const path = fileOf('work.bc3', WORK)
  await priceWork({ catalog, env, terminal }, path, { region: 'ES', ...flags })
  return { value: heard.answers[0] as Answer, text: heard.text }
}

test('prices a work by codes, else by texts, and compares it with what the file states', async () => {
  const { value } = await priced({})
  const eur = (amount: string, cents: number) => [
    { amount, currency: 'EUR' },
    { cents, currency: 'EUR' },
  ]
  expect(
    value.lines.map(({ position, code, price, amount, unit_price, cost, vendor_sku_id, reason }) => [
      ...[position, code, price, amount, unit_price, cost, reason ?? (vendor_sku_id ? 'code' : 'search')],
    ]),
  ).toEqual([
    ['work.bc3 1.1', 'WALL', '25.50', '255.00', ...eur('30.00', 30_000), 'code'],
    ['work.bc3 1.2', 'SAND', '0.015', '7.50', ...eur('0.02', 1_000), 'code'],
    ['work.bc3 1.3', 'CEM', '0.10', '0.20', ...eur('0.12', 24), 'search'],
    ['work.bc3 1.4', 'ODD', '7', '7.00', null, null, 'nothing_near'],
    ['work.bc3 1.5', 'COIL', '7', '21.00', null, null, 'unit_differs'],
  ])
  expect(value.lines[0]).toMatchObject({ quantity: '10', item: { name: 'Brick wall', unit: 'm²' }, recipe: null })
  expect(value).toMatchObject({
    matched: 3,
    unmatched: 2,
    priced: 3,
    priced_share: 0.6,
    costs: [{ cents: 31_024, currency: 'EUR' }],
    quantities: [
      { unit: 'kg', quantity: 502, priced_share: 1 },
      { unit: 'm²', quantity: 10, priced_share: 1 },
      { unit: 'u', quantity: 4, priced_share: 0 },
    ],
    stated: {
      currency: 'EUR',
      amount: '290.70',
      priced_share: 0.904,
      compared: { lines: 3, amount: '262.70', cost: '310.24', difference: '47.54' },
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
  await priceWork({ catalog, env, terminal }, fileOf('recipes.bc3', RECIPES('2')), { region: 'ES' })
  const { lines, ...totals } = heard.answers[0] as Answer
  // 80 kg at 12 cents and 2 pieces as declared, where 80 kg at 10 cents were: 10.30 x 11.60 / 10.
  expect(lines[0]).toMatchObject({
    status: 'matched',
    reason: null,
    vendor_sku_id: null,
    item: null,
    unit_price: { amount: '11.948', currency: 'EUR' },
    cost: { cents: 11_948, currency: 'EUR' },
    recipe: { components: 3, priced: 2, covered_share: 0.8 },
  })
  expect(lines[1]).toMatchObject({ status: 'unmatched', cost: null, recipe: null })
  expect(totals).toMatchObject({ matched: 1, unmatched: 1, priced: 1, priced_share: 0.5 })
  const table = listening({ json: false })
  await priceWork({ catalog, env, terminal: table.terminal }, fileOf('recipes.bc3', RECIPES('2')), { region: 'ES' })
  expect(table.heard.text).toContain('recipe 80 %')
  await priceWork({ catalog, env, terminal }, fileOf('recipes.bc3', RECIPES('4')), { region: 'ES' })
  expect((heard.answers[1] as Answer).lines[0]).toMatchObject({ status: 'unmatched', cost: null })
})

test('takes no price of a recipe that is many times the declared one', async () => {
  const { heard, terminal } = listening({ json: true })
  const dear = RECIPES('2').replace('Portland cement|0.10|', 'Portland cement|0.02|')
  await priceWork({ catalog, env, terminal }, fileOf('recipes.bc3', dear), { region: 'ES' })
  expect((heard.answers[0] as Answer).lines[0]).toMatchObject({ status: 'unmatched', cost: null })
})

test('prices a work without a region in the market of its currency, and compares no other money', async () => {
  const { heard, terminal } = listening({ json: true })
  await priceWork({ catalog, env, terminal }, fileOf('work.bc3', WORK), {})
  expect(heard.answers[0]).toMatchObject({ currency: 'EUR', region: 'ES', prices: { region: 'ES' } })
  const dollars = WORK.replace(V, `${V}\n~K|2\\2\\2\\4\\2\\2\\2\\2\\USD\\|0\\0\\0\\0\\0\\|`)
  const foreign = listening({ json: false })
  await priceWork({ catalog, env, terminal: foreign.terminal }, fileOf('dollars.bc3', dollars), {
    region: 'ES',
    source: 'work',
  })
  expect(foreign.heard.text).toContain('310.24 EUR is not compared with USD; --region chooses another market')
})

test('takes no code that words, sizes or unit contradict, nor one of an unnamed list that several items have', async () => {
  const other = fileOf('other.bc3', WORK.replaceAll('WALL', 'SAND2').replace('CEM|kg|Portland', 'WALL|kg|Portland'))
  const { heard, terminal } = listening()
  const byCode = async (flags: object, path = other) => {
    await priceWork({ catalog, env, terminal }, path, { region: 'ES', ...flags })
    return (heard.answers.at(-1) as Answer).lines.filter((line) => line.vendor_sku_id !== null).map(({ code }) => code)
  }
  expect(await byCode({})).toEqual(['SAND'])
  expect(await byCode({ source: 'WORK' })).toEqual(['SAND'])
  expect(await byCode({}, fileOf('tons.bc3', WORK.replace('SAND|kg', 'SAND|m2')))).toEqual(['WALL'])
  expect(await byCode({}, fileOf('coarse.bc3', WORK.replace('River sand 0/4', 'River sand 4/8')))).toEqual(['WALL'])
})

test('prices by one source, or as of a day, and says so', async () => {
  const { value } = await priced({ priceSource: 'work' })
  expect(value.lines.map(({ cost }) => cost !== null)).toEqual([true, true, false, false, false])
  expect((await priced({ priceSource: 'work' }, { json: false })).text).toMatch(
    /items of ES, prices of ES on \d{4}-\d\d-\d\d by src_/,
  )
  const past = await priced({ asOf: '2020-01-01' })
  expect(past.value).toMatchObject({
    matched: 3,
    priced: 0,
    prices: { region: 'ES', as_of: '2020-01-01T00:00:00Z' },
  })
})

test('shows a table, and writes CSV or JSON files', async () => {
  const { text } = await priced({}, { json: false })
  expect(text).toMatch(
    /1\.1 +WALL +Brick wall +10 +m2 +matched: code +Brick wall \(m²\) +25\.50 +30\.00 EUR +300\.00 EUR/,
  )
  expect(text).toContain('items of ES, prices of ES')
  expect(text).toContain('3 lines are compared: stated 262.70, now 310.24, difference 47.54 EUR')
  const csv = await priced({ format: 'csv' }, { json: false })
  expect(csv.text.split('\r\n')[1]).toMatch(
    /^work\.bc3 1\.1,Brick wall,10,m2,matched,.*,code,,WALL,25\.50,255\.00,2026-11-20T00:00:00Z,,,,,ES,2026-\S+,medians,run_\w+,work 2026-11-20 30 EUR weight 50,https:\S+$/,
  )
  const out = join(folder, 'priced.json')
  await priced({ out }, { json: false })
  expect(JSON.parse(readFileSync(out, 'utf8')).lines).toHaveLength(5)
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
  [{ source: 'Nobody' }, /source 'Nobody': expected the id or name of a source/],
  [{ region: 'XX' }, /--region: expected one of ES/],
])("%j is refused with the flag's name", async (flags, says) => {
  await expect(priced(flags)).rejects.toThrow(says)
})

test('refuses a file without measured lines by name', async () => {
  await expect(
    priceWork({ catalog, env, terminal: listening().terminal }, fileOf('bank.bc3', BANK), {}),
  ).rejects.toThrow(/bank\.bc3': no measured lines/)
})
