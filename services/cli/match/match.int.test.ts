import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createWorkspace } from '@catalog/cli/access/workspaces.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { readEnvironment } from '@catalog/runtime/env.ts'
import { listening, openTestCatalog, tell } from '@catalog/stack/testing/cli.ts'
import { published } from '@catalog/stack/testing/events.ts'
import { closedAfterAll } from '@catalog/stack/testing/fixtures.ts'
import { openXlsx, writeXlsx } from 'hucre/xlsx'
import { beforeAll, describe, expect, test } from 'vitest'
import { forgetCorrections } from './corrections.ts'
import { matchFile } from './match.ts'

const env = readEnvironment({ PUBLIC_BASE_URL: 'https://catalog.example.org/v1' })
let folder: string
let catalog: Catalog
const opened = closedAfterAll(await openTestCatalog())
beforeAll(async () => {
  ;({ catalog, folder } = opened)
  const items = ['Portland cement', '=Sand 0/4', 'Cable 3x1.5 mm2', 'Cable 3x2.5 mm2'].map((name, i) =>
    published({ id: `ci_${String(i).padStart(20, '0')}`, name, cents: 100 + i }),
  )
  await tell(catalog, items)
})

function fileOf(name: string, text: string): string {
  mkdirSync(join(folder, 'lists'), { recursive: true })
  writeFileSync(join(folder, 'lists', name), text)
  return join(folder, 'lists', name)
}

test('matches and prices a list line by line, and escapes formulas in the CSV', async () => {
  const list = fileOf(
    'list.csv',
    'Descripción;Cant.;Ud\nportland cement;2;t\ncable 3x1.5;;\nsand 0/4;3;kg\nqwxz vbnm;1;u\nsand;2;bag\n',
  )
  const out = join(folder, 'matched.csv')
  const { heard, terminal } = listening()
  expect(await matchFile({ catalog, env, terminal }, list, { out })).toBe(true)
  const [answer] = heard.answers as { matched: number; unmatched: number; lines: Record<string, unknown>[] }[]
  expect(answer).toMatchObject({
    matched: 3,
    ambiguous: 1,
    unmatched: 1,
    broken: [],
    priced: 2,
    costs: [{ cents: 200_303, currency: 'EUR' }],
  })
  expect(answer?.lines.map(({ position, cost }) => [position, cost])).toEqual([
    ['list.csv line 2', { cents: 200_000, currency: 'EUR' }],
    ['list.csv line 3', null],
    ['list.csv line 4', { cents: 303, currency: 'EUR' }],
    ['list.csv line 5', null],
    ['list.csv line 6', null],
  ])
  const written = readFileSync(out, 'utf8').split('\r\n')
  expect([written.length, written[3]]).toEqual([7, expect.stringContaining(",'=Sand 0/4,")])
  // An undecided line has candidates, and no item, price or cost.
  expect(written[5]).toMatch(/^list\.csv line 6,sand,2,bag,ambiguous,,,,,,,,,,ci_\S+/)
})

test('writes the answers of a workbook into a copy, costs as formulas, and reads it as corrections', async () => {
  const list = join(folder, 'list.xlsx')
  const rows = [
    ['Descripción', 'Ud', 'Cantidad'],
    ['portland cement', 't', 2],
    ['sand 0/4', 'kg', '3,5'],
    ['qwxz vbnm', 'u', 1],
  ]
  writeFileSync(list, await writeXlsx({ sheets: [{ name: 'Bill', rows }] }))
  const out = join(folder, 'priced.xlsx')
  const { terminal } = listening()
  expect(await matchFile({ catalog, env, terminal }, list, { out })).toBe(true)
  const [sheet] = (await openXlsx(readFileSync(out))).sheets
  expect(sheet?.rows.map((row) => row.slice(0, 3))).toEqual([...rows, [null, null, null]])
  expect(sheet?.rows[1]?.[8]).toBe('1000 kg (exact)')
  const costs = ['1,10', '2,10', '3,10', '4,10'].map((cell) => sheet?.cells?.get(cell))
  expect(costs.map((cell) => [cell?.formula, cell?.formulaResult])).toEqual([
    ['ROUND(C2*J2,2)', 2_000],
    ['ROUND(3.5*J3,2)', 3.54],
    [undefined, undefined],
    ['SUM(K2:K4)', 2_003.54],
  ])
  const again = listening()
  await matchFile({ catalog, env, terminal: again.terminal }, list, { corrections: out })
  const [answer] = again.heard.answers as { lines: { decided_by: string }[] }[]
  expect(answer?.lines.map(({ decided_by }) => decided_by)).toEqual(['correction', 'correction', 'search'])
})

test('reads a work in BC3 by its content, and prices no line that is in doubt', async () => {
  const work = `~V|X|FIEBDC-3/2020|P||UTF-8|\n~C|O##||Casa||||\n~D|O##|M1\\1\\2\\M2\\1\\3\\|\n~C|M1|t|||||\n~T|M1|Portland cement|`
  const { heard, terminal } = listening()
  expect(await matchFile({ catalog, env, terminal }, fileOf('work.txt', work), {})).toBe(false)
  expect(heard.answers[0]).toMatchObject({
    priced: 1,
    priced_share: 0.5,
    broken: [{ position: 'work.txt 2', detail: expect.stringContaining('M2') }],
    lines: [
      { text: 'Portland cement', code: 'M1', cost: { cents: 200_000, currency: 'EUR' } },
      { text: 'M2', cost: null },
    ],
  })
})

test('reads the bill of a tender by its content, and leaves options out of its sum', async () => {
  const item = (number: string, option: string) =>
    `<Item ID="i${number}" RNoPart="${number}">${option}<Qty>2.000</Qty><QU>t</QU><OutlTxt><p>Portland cement</p></OutlTxt></Item>`
  const option = '<Provis>WithoutTotal</Provis>'
  const tender = `<GAEB><Award><DP>83</DP><BoQ ID="b"><BoQBody><Itemlist>${item('1', '')}${item('2', option)}</Itemlist></BoQBody></BoQ></Award></GAEB>`
  const { heard, terminal } = listening()
  expect(await matchFile({ catalog, env, terminal }, fileOf('tender.x83', tender), {})).toBe(true)
  expect(heard.answers[0]).toMatchObject({
    costs: [{ cents: 200_000, currency: 'EUR' }],
    lines: [
      { code: '1', counts: 'yes', cost: { cents: 200_000 } },
      { code: '2', counts: 'option', unit_price: { currency: 'EUR' }, cost: null },
    ],
  })
})

test('prices a bid without texts by its request', async () => {
  const file = (phase: number, item: string) =>
    `<GAEB><Award><DP>${phase}</DP><BoQ ID="b"><BoQBody><Itemlist><Item ID="i" RNoPart="1">${item}</Item></Itemlist></BoQBody></BoQ></Award></GAEB>`
  const bid = fileOf('bid.x84', file(84, '<UP>900.00</UP><IT>1800.00</IT>'))
  const text = '<Qty>2.000</Qty><QU>t</QU><OutlTxt><p>Portland cement</p></OutlTxt>'
  const alone = listening()
  expect(await matchFile({ catalog, env, terminal: alone.terminal }, bid, {})).toBe(false)
  expect(alone.heard.answers[0]).toMatchObject({ broken: [{ detail: expect.stringContaining('its request') }] })
  const { heard, terminal } = listening()
  expect(await matchFile({ catalog, env, terminal }, bid, { request: fileOf('request.x83', file(83, text)) })).toBe(
    true,
  )
  expect(heard.answers[0]).toMatchObject({
    costs: [{ cents: 200_000, currency: 'EUR' }],
    lines: [{ text: 'Portland cement', price: '900', amount: '1800' }],
  })
})

test('writes the answers of several sheets beside the lines of each', async () => {
  const heading = ['Description', 'Unit', 'Quantity']
  const sheets = [
    { name: 'Cover', rows: [['Client', 'A']] },
    { name: 'Civil', rows: [['Letterhead'], heading, ['portland cement', 't', 2]] },
    { name: 'Roof', rows: [heading, ['sand 0/4', 'kg', 3]] },
  ]
  const list = join(folder, 'sheets.xlsx')
  writeFileSync(list, await writeXlsx({ sheets }))
  const out = join(folder, 'sheets-priced.xlsx')
  await matchFile({ catalog, env, terminal: listening().terminal }, list, { out })
  const written = (await openXlsx(readFileSync(out))).sheets
  expect(written.map(({ name }) => name)).toEqual(['Cover', 'Civil', 'Roof', 'Evidence'])
  expect(written[0]?.rows.at(-1)).toEqual(['Client', 'A'])
  const costs = [written[1]?.cells?.get('2,10'), written[2]?.cells?.get('1,10')]
  expect(costs.map((cell) => [cell?.formula, cell?.formulaResult])).toEqual([
    ['ROUND(C3*J3,2)', 2_000],
    ['ROUND(C2*J2,2)', 3.03],
  ])
})

test('refuses to write answers where it cannot, before it matches', async () => {
  const list = fileOf('plain.csv', 'text\nsand\n')
  for (const [out, error] of [
    ['matched.pdf', /--out 'matched\.pdf': expected the name of a CSV, XLSX or BC3 file/],
    ['matched.xlsm', /--out 'matched\.xlsm': expected a name that ends in \.xlsx/],
  ] as const)
    await expect(matchFile({ catalog, env, terminal: listening().terminal }, list, { out })).rejects.toThrow(error)
  await expect(
    matchFile({ catalog, env, terminal: listening().terminal }, 'a.xlsx', { out: './a.xlsx' }),
  ).rejects.toThrow(/expected another file/)
})

test('writes any list as CSV, XLSX or BC3, each with its prices and their evidence', async () => {
  const work = '~V|X|FIEBDC-3/2020|P||UTF-8|\n~C|O##||Casa||||\n~D|O##|M1\\1\\2\\|\n~C|M1|t|Portland cement||||'
  const lists = { csv: 'text,qty,unit\nportland cement,2,t\n', bc3: work }
  for (const [own, text] of Object.entries(lists)) {
    const list = fileOf(`any.${own}`, text)
    for (const other of ['csv', 'xlsx', 'bc3']) {
      const out = join(folder, `any-${own}.${other}`)
      await matchFile({ catalog, env, terminal: listening().terminal }, list, { out })
      const { heard, terminal } = listening()
      await matchFile({ catalog, env, terminal }, out, {})
      expect(heard.answers[0]).toMatchObject({
        costs: [{ cents: 200_000 }],
        lines: [{ text: expect.stringMatching(/portland cement/i) }],
      })
    }
  }
})

test('names unreadable lines and fails', async () => {
  const { heard, terminal } = listening()
  const list = fileOf('bad.csv', 'item,qty\ncement,many\ncement,2\n')
  expect(await matchFile({ catalog, env, terminal }, list, {})).toBe(false)
  expect(heard.answers[0]).toMatchObject({
    broken: [{ position: 'bad.csv line 2', detail: "quantity 'many': expected a number such as 12.5" }],
  })
})

test.each([
  ['no.csv', null, {}, /no such file/],
  ['titles.csv', 'description,unit,quantity\nCAPITULO 1,,\n', {}, /found no line/],
  ['none.csv', 'a,b\n1,2\n', {}, /none\.csv: no column for the text/],
  ['far.csv', 'item,region\ncement,XX\n', {}, /far\.csv line 2: region: expected one of ES/],
  ['okay.csv', 'item\ncement\n', { alternatives: '99' }, /--alternatives: expected an integer from 0 to 10/],
  ['okay.csv', 'item\ncement\n', { region: 'XX' }, /--region: expected one of ES/],
])('%s %j %j is refused with its name', async (name, text, flags, says) => {
  const path = text === null ? join(folder, name) : fileOf(name, text)
  await expect(matchFile({ catalog, env, terminal: listening().terminal }, path, flags)).rejects.toThrow(says)
})

describe('corrections', () => {
  const list = () => fileOf('corrected.csv', 'item,qty,unit\nnail salad,2,t\nportland cement,3,t\nnail salad,1,kg\n')
  const [cement, sand] = [0, 1].map((i) => `ci_${String(i).padStart(20, '0')}`) as [string, string]
  const answered = async (flags: object) => {
    const { heard, terminal } = listening()
    await matchFile({ catalog, env, terminal }, list(), flags)
    const { lines } = heard.answers[0] as {
      lines: { status: string; decided_by: string; item: { id: string } | null; cost: object | null }[]
    }
    return lines.map(({ status, decided_by, item, cost }) => [status, decided_by, item?.id ?? null, cost])
  }

  test('are used first, by unit before any unit, and kept for the workspace', async () => {
    const { signal } = new AbortController()
    await createWorkspace({ catalog, env, signal, terminal: listening().terminal }, 'Builders', { plan: 'free' })
    const corrections = fileOf(
      'corrections.csv',
      `text,item_id,unit,reason\nNail  SALAD,${sand},kg,\nnail salad,${cement},,\nportland cement,none,,\nundecided,,,\n`,
    )
    const expected = [
      ['matched', 'correction', cement, { cents: 200_000, currency: 'EUR' }],
      ['unmatched', 'correction', null, null],
      ['matched', 'correction', sand, { cents: 101, currency: 'EUR' }],
    ]
    expect(await answered({ corrections })).toEqual(expected)
    expect((await answered({}))[1]?.slice(0, 2)).toEqual(['matched', 'search'])
    await answered({ corrections, workspace: 'Builders' })
    expect(await answered({ workspace: 'Builders' })).toEqual(expected)
    await forgetCorrections({ catalog, terminal: listening().terminal }, 'Builders')
    expect((await answered({ workspace: 'Builders' }))[1]?.slice(0, 2)).toEqual(['matched', 'search'])
  })

  test('are what --out wrote, with an item that a person filled in', async () => {
    const out = join(folder, 'to-correct.csv')
    await matchFile({ catalog, env, terminal: listening().terminal }, list(), { out })
    const written = readFileSync(out, 'utf8').split('\r\n')
    const at = (written[0] as string).split(',').indexOf('item_id')
    const filled = written.map((line, i) => (i === 1 ? line.split(',').with(at, cement).join(',') : line)).join('\r\n')
    expect((await answered({ corrections: fileOf('filled.csv', filled) }))[0]).toEqual([
      'matched',
      'correction',
      cement,
      { cents: 200_000, currency: 'EUR' },
    ])
  })

  test.each([
    [
      'text,item_id\ncement,ci_missing\n',
      /wrong\.csv line 2: item_id 'ci_missing': expected the id of an item, or 'none'/,
    ],
    ['text,item_id,region\ncement,none,XX\n', /wrong\.csv line 2: region 'XX': expected one of ES/],
    ['text,item\ncement,none\n', /--corrections '.*wrong\.csv': expected the columns text, item_id/],
  ])('%j is refused with its place', async (text, says) => {
    await expect(answered({ corrections: fileOf('wrong.csv', text) })).rejects.toThrow(says)
  })
})

test('totals say what share of lines and of each quantity is priced', async () => {
  const { heard, terminal } = listening()
  await matchFile(
    { catalog, env, terminal },
    fileOf('shares.csv', 'item,qty,unit\nportland cement,3,t\nqwxz,1,t\nsand 0/4,2,kg\n'),
    {},
  )
  expect(heard.answers[0]).toMatchObject({
    priced: 2,
    priced_share: 0.667,
    quantities: [
      { unit: 'kg', quantity: 2, priced: 2, priced_share: 1 },
      { unit: 't', quantity: 4, priced: 3, priced_share: 0.75 },
    ],
  })
})
