import { definedRecord, isBroken, type RawRecord } from '@catalog/formats/bytes/record.ts'
import { describe, expect, test } from 'vitest'
import { openSteps, type StepSpecs } from './steps.ts'
import type { StepTally } from './tally.ts'

const rowsOf = (rows: readonly Readonly<Record<string, string>>[]): RawRecord[] =>
  rows.map((row, i) => definedRecord({ position: `f line ${i + 2}`, raw: `row ${i}`, isExact: 'price' in row }, row))

/** The records after the steps, what the steps miss, and their counts. */
async function run(specs: StepSpecs, rows: readonly RawRecord[]) {
  const tally: StepTally = {}
  const steps = openSteps(specs, tally)
  const { columns, missing } = steps.begin(Object.keys(rows[0]?.fields ?? {}))
  const batches = (async function* () {
    yield rows
  })()
  const records: RawRecord[] = []
  for await (const batch of steps.apply(batches))
    for (const record of batch) if (!isBroken(record)) records.push(record)
  return { columns, missing, records, fields: records.map(textsOf), tally }
}

/** The texts of a record, with those that it inherits. */
function textsOf({ fields }: RawRecord): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const column in fields) texts[column] = fields[column] as string
  return texts
}

describe('replace', () => {
  test('changes the matches in the selected columns', async () => {
    const rows = rowsOf([
      { code: 'ED26/A1', price: '-' },
      { code: 'B2', price: '4' },
    ])
    const { fields, tally, records } = await run(
      {
        replace: [
          { in: 'CODE', pattern: '^[A-Z]{2}(\\d\\d)/', with: '$1-' },
          { in: { matching: '^pri' }, pattern: '^-$', with: '' },
        ],
      },
      rows,
    )
    expect(fields).toEqual([
      { code: '26-A1', price: '' },
      { code: 'B2', price: '4' },
    ])
    expect(tally).toEqual({ replace: { count: 2, example: "f line 2, code: 'ED26/A1' → '26-A1'" } })
    // A text that changed is no number of the format any more.
    expect(records.map(({ numbers }) => numbers?.has('price'))).toEqual([false, true])
  })

  test('sees what the replacement before it made', async () => {
    const replace = [
      { in: 'code', pattern: '^A', with: 'B' },
      { in: 'code', pattern: '^B', with: 'C' },
    ]
    expect((await run({ replace }, rowsOf([{ code: 'A1' }]))).fields).toEqual([{ code: 'C1' }])
  })

  test('takes time linear in any text', async () => {
    const rows = rowsOf([{ code: `${'a'.repeat(200_000)}!` }])
    const begun = performance.now()
    await run({ replace: [{ in: 'code', pattern: '^(a+)+$', with: '' }] }, rows)
    expect(performance.now() - begun).toBeLessThan(3_000)
  })
})

test('lookup changes whole cells, whatever their case, and others by else', async () => {
  const rows = rowsOf([
    { kind: ' mão de obra', unit: 'X' },
    { kind: 'other', unit: 'm' },
    { kind: '', unit: 'm' },
  ])
  const lookup = [
    { in: 'kind', table: { 'MÃO DE OBRA': 'labour' } },
    { in: 'unit', table: { x: 'box' }, else: 'piece' },
  ]
  const { fields, tally } = await run({ lookup }, rows)
  expect(fields).toEqual([
    { kind: 'labour', unit: 'box' },
    { kind: 'other', unit: 'piece' },
    { kind: '', unit: 'piece' },
  ])
  expect(tally.lookup?.count).toBe(4)
})

describe('parents', () => {
  const codes = (pairs: readonly [string, string][]) => rowsOf(pairs.map(([code, text]) => ({ code, text })))
  const inherited = async (specs: StepSpecs, rows: readonly RawRecord[]) =>
    (await run(specs, rows)).fields.map(({ _parent, _level_1, _level_2, _level_3 }) =>
      [_parent, _level_1, _level_2, _level_3].join('|'),
    )

  test('are the rows whose code begins the code of a row, up to a separator, also over notes without a code', async () => {
    const rows = codes([
      ['1', 'Works'],
      ['1.01.', 'Digging'],
      ['1.01.2.', 'Install'],
      ['1.01.2.a.', 'to 300 m'],
      [' ', 'All expenses included.'],
      ['1.01.2.b.', 'over 300 m'],
      ['1.010.', 'Other'],
      ['', 'a note'],
      ['2', 'Goods'],
    ])
    expect(await inherited({ parents: { code: 'code', text: 'text' } }, rows)).toEqual([
      '|||',
      'Works|Works||',
      'Digging|Works|Digging|',
      'Install|Works|Digging|Install',
      '|||',
      'Install|Works|Digging|Install',
      'Works|Works||',
      '|||',
      '|||',
    ])
  })

  test('are told by a separator of the mapping, or by none', async () => {
    const rows = codes([
      ['03', 'Walls'],
      ['03AC', 'Steel'],
      ['03AC10', 'Bars'],
      ['04', 'Roofs'],
    ])
    expect(await inherited({ parents: { code: 'code', text: 'text', separator: '' } }, rows)).toEqual([
      '|||',
      'Walls|Walls||',
      'Steel|Walls|Steel|',
      '|||',
    ])
    expect(await inherited({ parents: { code: 'code', text: 'text' } }, rows)).toEqual(['|||', '|||', '|||', '|||'])
    // A separator behind the code begins no part below it.
    const same = codes([
      ['1-1', 'Walls'],
      ['1-1-', 'Walls again'],
      ['1-1-2', 'Bricks'],
    ])
    expect(await inherited({ parents: { code: 'code', text: 'text', separator: '-' } }, same)).toEqual([
      '|||',
      '|||',
      'Walls again|Walls again||',
    ])
  })

  test('are the last row without a price, where no code tells', async () => {
    const rows = rowsOf([
      { text: 'Pipes', price: '' },
      { text: 'DN 100', price: '4' },
      { text: 'DN 200', price: '8' },
      { text: 'Valves', price: ' ' },
      { text: 'DN 100', price: '9' },
    ])
    const { fields, tally } = await run({ parents: { text: 'text', without: 'price' } }, rows)
    expect(fields.map(({ _parent, text }) => `${_parent}/${text}`)).toEqual([
      '/Pipes',
      'Pipes/DN 100',
      'Pipes/DN 200',
      '/Valves',
      'Valves/DN 100',
    ])
    expect(tally.parents).toEqual({ count: 3, example: "f line 3: below 'Pipes'" })
  })

  test('of endless levels keep the outermost', async () => {
    const rows = codes(
      Array.from({ length: 50 }, (_, n) => [Array.from({ length: n + 1 }, () => 'a').join('.'), `${n}`]),
    )
    const { fields } = await run({ parents: { code: 'code', text: 'text' } }, rows)
    expect(fields[49]).toMatchObject({ _parent: '48', _level_1: '0', _level_8: '7' })
    expect(Object.keys(fields[49] ?? {})).toHaveLength(11)
  })
})

describe('unpivot', () => {
  const rows = () => [
    { ...definedRecord({ position: 'f line 2', raw: '' }, { code: 'A', 'SP Cost': '1', 'SP %': '9', 'PA Cost': '2' }) },
    { ...definedRecord({ position: 'f line 3', raw: '' }, { code: 'B', 'SP Cost': ' ', 'SP %': '9', 'PA Cost': '3' }) },
  ]

  test('makes a record of each price, with the heading as a value', async () => {
    const unpivot = { columns: { matching: '^([A-Z]{2}) Cost$' }, heading: 'state', value: 'price' }
    const { columns, fields, records, tally } = await run({ unpivot }, rows())
    expect(columns).toEqual(['code', 'SP %', 'state', 'price'])
    expect(fields).toEqual([
      { code: 'A', 'SP %': '9', state: 'SP', price: '1' },
      { code: 'A', 'SP %': '9', state: 'PA', price: '2' },
      { code: 'B', 'SP %': '9', state: 'PA', price: '3' },
    ])
    expect(records.map(({ position }) => position)).toEqual(['f line 2 SP', 'f line 2 PA', 'f line 3 PA'])
    expect(tally).toEqual({
      unpivot: { count: 3, example: "f line 2, SP Cost: state 'SP', price '1'" },
      blanks: { count: 1, example: 'f line 3, SP Cost' },
    })
  })

  test('names the heading by a template, of listed columns too', async () => {
    const listed = { columns: ['sp cost', 'PA Cost'], heading: 'at', value: 'p', as: 'BR $1' }
    expect((await run({ unpivot: listed }, rows())).fields.map(({ at }) => at)).toEqual([
      'BR SP Cost',
      'BR PA Cost',
      'BR PA Cost',
    ])
    const matched = { columns: { matching: '^([A-Z]{2}) Cost$' }, heading: 'at', value: 'p', as: 'BR-$1' }
    expect((await run({ unpivot: matched }, rows())).fields.map(({ at }) => at)).toEqual(['BR-SP', 'BR-PA', 'BR-PA'])
  })

  test('keeps numbers of the format', async () => {
    const record = { ...(rows()[0] as RawRecord), numbers: new Set(['SP Cost', 'code']) }
    const unpivot = { columns: ['SP Cost', 'PA Cost'], heading: 'state', value: 'price' }
    const { records } = await run({ unpivot }, [record])
    expect(records.map(({ numbers }) => [...(numbers ?? [])])).toEqual([['code', 'price'], ['code']])
  })
})

describe('rows', () => {
  const rows = rowsOf([
    { code: 'A1', unit: 'm' },
    { code: 'TOTAL: 2', unit: '' },
    { code: 'A2', unit: '%' },
    { code: 'chapter', unit: '' },
  ])

  test('are only those with a match in every column, and none of except', async () => {
    const { fields, tally } = await run(
      { rows: { only: { unit: '.' }, except: { CODE: '^TOTAL', unit: '^%$' } } },
      rows,
    )
    expect(fields).toEqual([{ code: 'A1', unit: 'm' }])
    expect(tally).toEqual({ rows: { count: 3, example: "f line 3, unit: '', expected to match ." } })
  })

  test('match one of several patterns', async () => {
    const { fields } = await run({ rows: { only: { code: ['1$', '^chap'] } } }, rows)
    expect(fields.map(({ code }) => code)).toEqual(['A1', 'chapter'])
  })
})

describe('all steps', () => {
  test('run in one order: cells, parents, columns, rows', async () => {
    const rows = rowsOf([
      { code: 'E/1', text: 'Pipes', SP: '', PA: '' },
      { code: 'E/1.1', text: 'DN', SP: '-', PA: '3' },
    ])
    const { fields } = await run(
      {
        rows: { only: { state: '^BR-P' } },
        unpivot: { columns: ['SP', 'PA'], heading: 'state', value: 'price', as: 'BR-$1' },
        parents: { code: 'code', text: 'text' },
        replace: [
          { in: 'code', pattern: '^E/', with: '' },
          { in: ['SP', 'PA'], pattern: '^-$', with: '' },
        ],
      },
      rows,
    )
    expect(fields).toMatchObject([{ code: '1.1', text: 'DN', _parent: 'Pipes', state: 'BR-PA', price: '3' }])
  })

  test('say which columns they miss', async () => {
    const { missing } = await run(
      {
        replace: [{ in: 'cod', pattern: 'a', with: '' }],
        lookup: [{ in: ['code', 'x'], table: { a: 'b' } }],
        parents: { code: 'k', text: 't' },
        unpivot: { columns: { matching: '^[A-Z]{2}$' }, heading: 'h', value: 'v' },
        rows: { only: { h: '.', w: '.' }, except: { z: '.' } },
      },
      rowsOf([{ code: 'A' }]),
    )
    expect(missing).toEqual([
      "replace.0.in: no column 'cod'",
      "lookup.0.in: no column 'x'",
      "parents.text: no column 't'",
      "parents.code: no column 'k'",
      "unpivot.columns: no column matches '^[A-Z]{2}$'",
      "rows.only: no column 'w'",
      "rows.except: no column 'z'",
    ])
  })

  test('give the place of a record', () => {
    const steps = openSteps({}, {}, { file: 'a.zip/b.xlsx', sheet: 'ISD' })
    expect(steps.begin(['code']).columns).toEqual(['code', '_file', '_sheet'])
    expect(steps.of(rowsOf([{ code: 'A' }])[0] as RawRecord)).toMatchObject([
      { fields: { code: 'A', _file: 'a.zip/b.xlsx', _sheet: 'ISD' } },
    ])
  })
})
